"""Sealed dice at a real server: closed while the match goes on, and checked by anybody after."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from kibitz.cli.main import app
from kibitz.games import GAMES
from kibitz.server import wall_clock
from kibitz.server.tables.records import is_open, may_go_on
from kibitz.table import open_table
from kibitz.table.sealed_dice import commitment, fair_draw
from support.server_process import Guest, Server, api

BEGUN = "h4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -"
"""Red has three pops to get a six."""


@pytest.fixture(scope="module")
def seeded_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data")) as server:
        yield server


def verify_output(path: Path) -> tuple[int, str]:
    """What `kibitz verify` says of a file."""
    done = CliRunner().invoke(app, ["verify", str(path)])
    return done.exit_code, done.output


class Evening:
    """Four people at AS-Kimble, all on one device, with whoever looks on."""

    def __init__(self, server: Server, entropy: str = "") -> None:
        self.server, self.guest = server, Guest(server)
        seats = dict.fromkeys("RBYG", "me")
        self.table = self.guest.begins("as-kimble", seats, start=BEGUN, entropy=entropy)
        self.page = self.guest.sits_at(self.table)

    def pops(self, times: int) -> None:
        """So many draws; what has to be moved in between is moved."""
        left = times
        while left:
            offers = [o for o in self.page.view["offers"] if o["kind"] != "hembo"]
            pops = [offer for offer in offers if not offer["actions"]]
            answer = self.page.acts(*(pops or offers)[0]["actions"])
            assert answer["type"] == "done", answer
            left -= bool(pops)

    def is_ended(self) -> dict[str, Any]:
        """Whoever is alone at a table rules over it; the record it leaves."""
        self.page.acts('ref end "enough"', seat=None)
        record: dict[str, Any] = self.guest.reads(self.table, "record")
        return record


@pytest.fixture(scope="module")
def record(seeded_server: Server) -> dict[str, Any]:
    evening = Evening(seeded_server, entropy="mine-1")
    evening.pops(9)
    kept = evening.is_ended()
    seeded_server.closing_time()
    return kept


def test_the_dice_are_in_the_record_with_what_made_them(record: dict[str, Any]) -> None:
    seal = record["seal"]
    assert commitment(seal["seed"]) == seal["commitment"]
    assert seal["entropies"] == ["mine-1"] * 4
    assert seal["draws"] == list(range(9))
    assert seal["opened"] >= seal["closed"]


def test_a_record_is_verified_with_its_dice(record: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(json.dumps(record))
    code, said = verify_output(path)
    assert (code, f"{len(record['seal']['draws'])} draws verified" in said) == (0, True), said


def tamper_with(record: dict[str, Any], **seal: Any) -> dict[str, Any]:
    return {**record, "seal": {**record["seal"], **seal}}


def test_whatever_is_changed_is_named(record: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    seal = record["seal"]
    index = next(n for n, text in enumerate(record["actions"]) if " pop " in text)
    other = record["actions"][index][:-1] + ("1" if record["actions"][index][-1] != "1" else "2")
    changed = [*record["actions"][:index], other]
    without_seed = {name: part for name, part in seal.items() if name != "seed"}
    for wrong, sentence in (
        (tamper_with(record, seed="ab" * 32), "The seed does not match"),
        (tamper_with(record, commitment="ab" * 32), "The seed does not match"),
        (
            tamper_with(record, epochs=[{**seal["epochs"][0], "entropies": ["mine-2"]}]),
            " should be ",
        ),
        (tamper_with(record, draws=seal["draws"][:-1]), "does not list the draws"),
        (tamper_with(record, draws="all"), "missing or malformed"),
        (
            {**record, "actions": changed, "times": record["times"][: index + 1], "result": "*"},
            " should be ",
        ),
        ({**record, "seal": without_seed}, "still sealed"),
    ):
        path.write_text(json.dumps(wrong))
        code, said = verify_output(path)
        assert code == 1, (said, sentence)
        assert sentence in said


def test_the_seed_is_nowhere_before_the_end(seeded_server: Server, tmp_path: Path) -> None:
    evening = Evening(seeded_server)
    cleo = Guest(seeded_server)
    cleo.joins(evening.guest.links(evening.table)["watch"])
    spectator = cleo.sits_at(evening.table)
    evening.pops(4)
    spectator.waits_for(evening.page.view["seq"])
    wanted = evening.table.split("/")[-1]
    (found,) = seeded_server.read_rows("SELECT seed FROM game_table WHERE id = :id", id=wanted)
    seed = found["seed"]
    assert len(seed) == 64
    told = "".join((*evening.page.frames, *spectator.frames))
    for guest in (evening.guest, cleo):
        for what in ("", "view", "position", "record", "seal", "links"):
            told += json.dumps(guest.reads(evening.table, what))
        for path in ("", "/record", "/position", "/seal"):
            told += guest.client.get(evening.table + path).text
    assert commitment(seed) in told
    assert seed not in told
    assert evening.guest.reads(evening.table, "seal").keys() == {
        "commitment",
        "closed",
        "entropies",
        "contributors",
        "draws",
        "epochs",
    }
    file = tmp_path / "match.json"
    file.write_text(json.dumps(evening.guest.reads(evening.table, "record")))
    code, said = verify_output(file)
    assert (code, "still sealed" in said) == (0, True)
    assert evening.is_ended()["seal"]["seed"] == seed
    assert seed in evening.guest.client.get(evening.table + "/seal").text


def test_draws_that_a_referee_takes_back_are_never_made_again(seeded_server: Server) -> None:
    evening = Evening(seeded_server)
    evening.pops(1)
    for _ in range(6):
        assert evening.page.acts("back 0", seat="referee")["type"] == "done"
        assert evening.page.codes == []
        evening.pops(1)
    kept = evening.is_ended()
    assert kept["seal"]["draws"] == [6]
    assert len([row for row in kept["log"] if row["by"] == "chance"]) == 7


def test_the_same_envelope_is_shown_from_the_first_view_to_the_last(seeded_server: Server) -> None:
    evening = Evening(seeded_server)
    first = evening.page.table["envelope"]
    assert len(first) == 64
    evening.pops(2)
    assert evening.is_ended()["seal"]["commitment"] == evening.page.table["envelope"] == first


def test_captains_see_the_envelope_before_they_choose(seeded_server: Server) -> None:
    """Else the server could choose a seed that it likes once it has seen what they did."""
    guest = Guest(seeded_server)
    page = guest.sits_at(guest.begins("kahmate", {"R": "me", "B": "greedy"}))
    assert page.table["envelope"]


def test_where_nothing_is_drawn_there_is_no_envelope(seeded_server: Server) -> None:
    guest = Guest(seeded_server)
    table = guest.begins("kalamala", {"A": "me", "B": "me"})
    assert guest.sits_at(table).table["envelope"] == ""
    assert guest.reads(table, "seal") == {}


@pytest.mark.parametrize(
    ("ago", "is_rated", "may"), [(1.0, False, True), (601.0, False, False), (1.0, True, False)]
)
def test_the_envelope_opens_when_the_match_may_not_go_on(
    ago: float, is_rated: bool, may: bool
) -> None:
    near = "13/13/11T1/13/8c4/13/13/13 R play - l3 12345/12356 0-0 30 -"
    table, _ = open_table(GAMES["kahmate"].game({}), near).act("R", "l3-m3")
    live: Any = SimpleNamespace(
        table=table,
        settings=SimpleNamespace(rated=is_rated),
        stored=SimpleNamespace(created_at=wall_clock.now() - ago),
    )
    assert may_go_on(live) == may
    assert is_open(live) != may


def correct_match(evening: Evening, position: str) -> None:
    """A correction of a finished match: it goes on from there."""
    answer = evening.page.acts(f'ref set "{position}" "misclick"', seat="referee")
    assert answer["type"] == "done", answer


def drawn_texts(record: dict[str, Any]) -> list[str]:
    return [row["text"] for row in record["log"] if row["by"] == "chance"]


def test_no_draw_is_made_from_a_seed_that_anybody_could_have_read(
    seeded_server: Server, tmp_path: Path
) -> None:
    """A match is corrected twice after its end: each time it goes on with another seed."""
    evening = Evening(seeded_server)
    evening.pops(3)
    readable = list[str]()
    commitments = [evening.page.table["envelope"]]
    for _ in range(2):
        position = evening.guest.reads(evening.table, "position")["position"]
        readable.append(evening.is_ended()["seal"]["epochs"][-1]["seed"])
        correct_match(evening, position)
        commitments.append(evening.page.table["envelope"])
        evening.pops(3)
    assert len(set(commitments)) == 3
    record = evening.is_ended()
    seal = record["seal"]
    assert [each["commitment"] for each in seal["epochs"]] == commitments
    assert [each["from_draw"] for each in seal["epochs"]] == [0, 3, 6]
    assert seal["draws"] == list(range(9))
    seeds = [each["seed"] for each in seal["epochs"]]
    assert seeds[:2] == readable
    assert len(set(seeds)) == 3
    sealed_at = [n for n, row in enumerate(record["log"]) if row["text"].startswith("seal ")]
    for n, known in zip(sealed_at, readable, strict=True):
        following = drawn_texts({"log": record["log"][n:]})
        assert following
        assert known not in seeds[seeds.index(known) + 1 :]
    path = tmp_path / "match.json"
    path.write_text(json.dumps(record))
    code, said = verify_output(path)
    assert (code, "9 draws verified" in said) == (0, True), said


def test_each_envelope_of_a_corrected_match_is_checked(
    seeded_server: Server, tmp_path: Path
) -> None:
    evening = Evening(seeded_server)
    evening.pops(2)
    position = evening.guest.reads(evening.table, "position")["position"]
    evening.is_ended()
    correct_match(evening, position)
    evening.pops(8)
    record = evening.is_ended()
    first, second = record["seal"]["epochs"]
    path = tmp_path / "match.json"
    for wrong, sentence in (
        ([first, {**second, "seed": first["seed"]}], "The seed does not match"),
        ([first, first], "The seed does not match"),
        ([first], "The seed does not match"),
        ([first, {**second, "from_draw": len(record["seal"]["draws"]) - 1}], " should be "),
        ([{**first, "from_draw": 1}, second], "missing or malformed"),
        ([second, first], "missing or malformed"),
        ([], "missing or malformed"),
        ([first, {**second, "seed": 5}], "missing or malformed"),
    ):
        path.write_text(json.dumps(tamper_with(record, epochs=wrong)))
        code, said = verify_output(path)
        assert (code, sentence in said) == (1, True), (said, sentence)


def test_the_log_tells_of_a_new_envelope(seeded_server: Server) -> None:
    evening = Evening(seeded_server)
    evening.pops(1)
    position = evening.guest.reads(evening.table, "position")["position"]
    evening.is_ended()
    correct_match(evening, position)
    notes = [note["text"] for note in evening.page.table["notes"]]
    assert any("new envelope" in note for note in notes), notes


def test_nobody_at_a_table_can_seal_anew(seeded_server: Server) -> None:
    evening = Evening(seeded_server)
    answer = evening.page.acts(f"seal {'ab' * 32}", seat=None)
    assert answer["type"] == "refused"


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Pair:
    """Ann at three seats of AS-Kimble and Bob at one, each with a page."""

    def __init__(self, server: Server) -> None:
        self.ann, self.bob = Guest(server), Guest(server)
        seats = {"R": "me", "B": "free", "Y": "greedy", "G": "greedy"}
        self.table = self.ann.begins("as-kimble", seats, start=BEGUN)
        self.red = self.ann.sits_at(self.table)
        self.bob.joins(self.ann.links(self.table)["B"])
        self.blue = self.bob.sits_at(self.table)
        self.red.waits_until(lambda page: not page.table["is_waiting"])

    def mixing(self, page: Any) -> dict[str, Any]:
        found: dict[str, Any] = page.table["mixing"]
        return found


def test_what_a_browser_adds_by_itself_makes_no_touch_stale(seeded_server: Server) -> None:
    pair = Pair(seeded_server)
    seq = pair.red.view["seq"]
    pair.red.does(f"entropy R #{hash_of('anns')}")
    assert pair.red.acts(seat="R", seq=seq)["type"] == "done"


def test_every_person_adds_to_the_dice_after_they_saw_the_envelope(
    seeded_server: Server, tmp_path: Path
) -> None:
    """What they add is chosen before anybody's is known, and is told before the first draw."""
    pair = Pair(seeded_server)
    assert pair.mixing(pair.red) == {"hashes": ["R"], "texts": [], "contributors": []}
    pair.red.does(f"entropy R #{hash_of('anns')}")
    assert pair.mixing(pair.red)["texts"] == [], "Bob has not chosen yet"
    pair.blue.does(f"entropy B #{hash_of('bobs')}")
    pair.red.waits_until(lambda page: page.table["mixing"]["texts"] == ["R"])
    pair.red.does("entropy R anns")
    pair.blue.does("entropy B bobs")
    pair.red.waits_until(lambda page: page.table["mixing"]["contributors"] == ["R", "B"])
    assert pair.red.acts(seat="R")["type"] == "done"
    assert pair.blue.is_refused(f"entropy B #{hash_of('more')}")
    pair.red.acts('ref end "enough"', seat="referee")
    record = pair.ann.reads(pair.table, "record")
    (epoch,) = record["seal"]["epochs"]
    assert (epoch["entropies"], epoch["contributors"]) == (["anns", "bobs"], ["R", "B"])
    path = tmp_path / "match.json"
    path.write_text(json.dumps(record))
    assert verify_output(path)[0] == 0


def test_a_draw_waits_for_those_who_have_chosen_and_for_nobody_else(seeded_server: Server) -> None:
    pair = Pair(seeded_server)
    pair.red.does(f"entropy R #{hash_of('anns')}")
    answer = pair.ann.client.post(
        api(pair.table, "actions"), json={"key": "pop", "seat": "R", "actions": []}
    )
    assert answer.json()["type"] == "done", "Ann's page did not tell, and is not waited for long"
    pair.red.acts('ref end "enough"', seat="referee")
    (epoch,) = pair.ann.reads(pair.table, "record")["seal"]["epochs"]
    assert (epoch["entropies"], epoch["contributors"]) == ([], [])
    page = pair.ann.client.get(f"{pair.table}/seal").text
    assert "Nobody but the server has added to these dice" in page


def test_a_draw_waits_until_what_was_chosen_is_told(seeded_server: Server) -> None:
    pair = Pair(seeded_server)
    pair.red.does(f"entropy R #{hash_of('anns')}")
    popping = {"key": "pop", "seat": "R", "actions": []}
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(pair.ann.client.post, api(pair.table, "actions"), json=popping)
        pair.red.waits_until(lambda page: page.table["mixing"]["texts"] == ["R"])
        pair.red.does("entropy R anns")
        assert answer.result().json()["type"] == "done"
    pair.red.does('ref end "enough"')
    (epoch,) = pair.ann.reads(pair.table, "record")["seal"]["epochs"]
    assert (epoch["entropies"], epoch["contributors"]) == (["anns"], ["R"])


def test_whoever_joins_later_adds_to_a_new_envelope(seeded_server: Server) -> None:
    evening = Evening(seeded_server)
    evening.pops(2)
    first = evening.page.table["envelope"]
    cleo = Guest(seeded_server)
    cleo.joins(evening.guest.links(evening.table)["B"])
    page = cleo.sits_at(evening.table)
    assert page.table["envelope"] != first
    assert page.table["mixing"]["hashes"] == ["B"]


def test_the_draws_can_be_made_again_by_whoever_reads_them(seeded_server: Server) -> None:
    evening = Evening(seeded_server)
    evening.pops(5)
    assert evening.guest.reads(evening.table, "draws") == {"epochs": [], "draws": []}
    record = evening.is_ended()
    told = evening.guest.reads(evening.table, "draws")
    assert told["epochs"] == record["seal"]["epochs"]
    seed = told["epochs"][0]["seed"]
    assert len(told["draws"]) == 5
    for draw in told["draws"]:
        left = fair_draw(seed, [], draw["number"], sum(many for _, many in draw["chances"]))
        texts = [text for text, many in draw["chances"] for _ in range(many)]
        assert texts[left] == draw["drawn"]
