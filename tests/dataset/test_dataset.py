"""Data sets: what is written is what was played, and whatever is wrong with one is a sentence."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from kibitz.arena.plan import ArenaPlan
from kibitz.cli import main as cli
from kibitz.core.message import Refused
from kibitz.core.record import read_record, replay
from kibitz.dataset import folder
from kibitz.dataset.folder import MANIFEST_FILE, MATCHES_FILE, WORK_FOLDER, digest_of, matches_of
from kibitz.dataset.make import make_dataset
from kibitz.dataset.positions import positions_of
from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES
from kibitz.i18n.shell import refusal_sentence, shell_phrases
from kibitz.learn.setup import setup_of

NAMES = [name for name in GAMES if "kernel" in GAMES[name].extras]
SHORT = {"kahmate": "turn_limit=3", "kalamala": "turn_limit=8", "as-kimble": "pops=1"}
SHARD = "positions-0000.npz"


def kibitz(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, list(arguments))


def make(out: Path, *more: str, game: str = "kalamala", bots: tuple[str, ...] = ()) -> Result:
    players = bots or ("greedy", "random")
    options = ("-o", SHORT[game]) if game != "as-kimble" else ()
    command = ["dataset", "make", game, *players, "-n", "2", "--workers", "1", *options]
    return kibitz(*command, "--out", str(out), *more)


def refusal_of(result: Result) -> str:
    assert isinstance(result.exception, Refused), result.exception
    return refusal_sentence(result.exception.refusal, shell_phrases())


@pytest.fixture(scope="module")
def small_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small data set."""
    out = tmp_path_factory.mktemp("small") / "set"
    assert make(out, bots=("greedy", "mcts@40n")).exit_code == 0
    return out


@pytest.fixture
def copy(small_set: Path, tmp_path: Path) -> Path:
    """The same to spoil."""
    for file in small_set.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def test_programs_are_told_of_it_in_json(copy: Path, tmp_path: Path) -> None:
    made = json.loads(make(tmp_path / "set", "--json").stdout)
    told = {"folder": str(tmp_path / "set"), "matches": 2, "positions": made["positions"]}
    assert made == told
    found = kibitz("dataset", "verify", str(tmp_path / "set"), "--json")
    assert json.loads(found.stdout)["status"] == "ok"
    assert json.loads(found.stdout)["positions"] == made["positions"]
    (copy / MATCHES_FILE).write_bytes(b"")
    spoilt = kibitz("dataset", "verify", str(copy), "--json")
    assert (spoilt.exit_code, json.loads(spoilt.stdout)["status"]) == (1, "error")
    assert MATCHES_FILE in json.loads(spoilt.stdout)["fault"]


def shards_of(path: Path) -> dict[str, Any]:
    with np.load(path / SHARD, allow_pickle=False) as shard:
        return {name: shard[name] for name in shard.files}


def records_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in matches_of(path)]


def sign(path: Path) -> None:
    """Put the digests of the files as they are now into the manifest."""
    told = json.loads((path / MANIFEST_FILE).read_text())
    for name, each in told["files"].items():
        each["sha256"] = digest_of(path / name)
    (path / MANIFEST_FILE).write_text(json.dumps(told))


def write_records(path: Path, records: list[dict[str, Any]]) -> None:
    lines = "".join(json.dumps(each) + "\n" for each in records)
    (path / MATCHES_FILE).write_bytes(gzip.compress(lines.encode()))
    sign(path)


@pytest.mark.parametrize("name", NAMES)
def test_positions_are_those_of_the_match(name: str, tmp_path: Path) -> None:
    """Each state unpacks to the position before the action, which has that number there."""
    done = make(tmp_path / "set", game=name, bots=("greedy",))
    assert done.exit_code == 0, done.output
    arrays, at = shards_of(tmp_path / "set"), 0
    for text in matches_of(tmp_path / "set"):
        record = read_record(text)
        setup = setup_of(name, record.options)
        lines = list(replay(setup.game, record))
        for each in positions_of(setup, record):
            p = arrays["states"][at].view(setup.kernel.state).view(np.recarray)[0]
            assert setup.kernel.unpack(p) == lines[each.ply].before
            assert arrays["ply"][at] == each.ply
            played = setup.kernel.text_of(p, int(arrays["seat"][at]), int(arrays["number"][at]))
            assert played in (record.actions[each.ply], "")
            outcome = setup.game.rules.outcome(lines[-1].step.state)
            assert outcome is not None
            assert tuple(arrays["result"][at]) == outcome.payoffs
            at += 1
    assert at == len(arrays["number"]) > 10
    told = json.loads((tmp_path / "set" / MANIFEST_FILE).read_text())
    assert (told["matches"], told["positions"], told["bots"]) == (2, at, ["greedy"])
    assert kibitz("dataset", "verify", str(tmp_path / "set")).output.startswith("The data set is")


def test_what_bots_thought_is_kept(small_set: Path) -> None:
    """Of a search its best actions with their visits; one of them was played."""
    arrays, records = shards_of(small_set), records_of(small_set)
    ends = arrays["candidate_ends"].tolist()
    seats = {each["arena"]["number"]: each["arena"]["bots"] for each in records}
    searched = 0
    for at, (begin, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
        is_mcts = seats[int(arrays["match"][at])]["AB"[arrays["seat"][at]]] == "mcts@40n"
        if not is_mcts or begin == end:
            continue
        searched += 1
        assert arrays["number"][at] in arrays["candidate_numbers"][begin:end]
        assert 0 < arrays["candidate_shares"][begin:end].sum() <= 1.01
        assert 0 <= arrays["value"][at] <= 1
    assert searched >= 2
    random = np.isnan(arrays["value"])
    assert 0 < random.sum() < len(random)  # The opening was drawn, and nobody thought about it.


def test_it_is_divided_into_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "SHARD_BYTES", 5 * 14_100)
    assert make(tmp_path).exit_code == 0
    assert len(list(tmp_path.glob("positions-*.npz"))) == 4
    assert kibitz("dataset", "verify", str(tmp_path)).exit_code == 0


def test_the_same_command_goes_on_and_a_whole_set_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*given: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("kibitz.dataset.make._write_positions", stop)
        assert make(tmp_path).exit_code == 130
    assert "is not finished" in refusal_of(kibitz("dataset", "verify", str(tmp_path)))
    before = (tmp_path / WORK_FOLDER / "games.jsonl").read_bytes()
    assert "other bots, options" in refusal_of(make(tmp_path, "--seed", "2"))
    assert make(tmp_path).exit_code == 0
    assert not (tmp_path / WORK_FOLDER).exists()
    after = gzip.decompress((tmp_path / MATCHES_FILE).read_bytes())
    assert sorted(after.splitlines()) == sorted(before.splitlines())
    assert "already holds a data set" in refusal_of(make(tmp_path))


def test_other_folders_and_bots_are_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    assert "holds other files" in refusal_of(make(tmp_path))
    assert "no manifest.json" in refusal_of(kibitz("dataset", "verify", str(tmp_path)))
    assert "greedy is named twice" in refusal_of(make(tmp_path / "x", bots=("greedy", "greedy")))
    assert "no bot called nobody" in refusal_of(make(tmp_path / "x", bots=("nobody",)))
    assert "chess" in refusal_of(kibitz("dataset", "make", "chess", "random", "--out", "x"))
    assert not (tmp_path / "x").exists()


def test_a_game_without_a_kernel_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.dataset.make.extra_of", lambda game, name: None)
    plan = ArenaPlan(game="kalamala", options={}, bots=("random",))
    with pytest.raises(Refused) as refused:
        make_dataset(plan, tmp_path / "x", shell_phrases())
    assert refused.value.refusal.id == "dataset.no-kernel"


def spoil_record(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        records = records_of(path)
        change(records[1])
        write_records(path, records)

    return spoil


def spoil_shard(name: str) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        arrays = shards_of(path)
        arrays[name] = arrays[name].copy()
        arrays[name].flat[3] += 1
        np.savez_compressed(path / SHARD, **arrays)
        sign(path)

    return spoil


def spoil_manifest(**values: Any) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        told = json.loads((path / MANIFEST_FILE).read_text())
        (path / MANIFEST_FILE).write_text(json.dumps({**told, **values}))

    return spoil


def other_bytes(name: str, signed: bool) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        (path / name).write_bytes(b"something else")
        if signed:
            sign(path)

    return spoil


FAULTS: list[tuple[Callable[[Path], Any], str]] = [
    (lambda path: (path / SHARD).unlink(), f"{SHARD} is in the manifest, but not"),
    (
        lambda path: (path / "positions-0009.npz").touch(),
        "positions-0009.npz is in the folder, but",
    ),
    (other_bytes(SHARD, signed=False), "its SHA-256 is not"),
    (other_bytes(SHARD, signed=True), f"{SHARD} cannot be read"),
    (other_bytes(MATCHES_FILE, signed=True), f"{MATCHES_FILE} cannot be read"),
    (spoil_record(lambda each: each["actions"].__setitem__(0, "@a9")), "Game 2: Action 1 (@a9)"),
    (spoil_record(lambda each: each.update(result="?")), "Game 2: "),
    (spoil_record(lambda each: each["options"].update(first="B")), "Game 2 was played"),
    (spoil_record(lambda each: each["options"].update(turn_limit=9)), "Game 2: "),
    (spoil_record(lambda each: each["arena"].update(evaluations=[1])), "what the bots thought"),
    (lambda path: write_records(path, records_of(path)[:1]), SHARD),
    (lambda path: write_records(path, [*records_of(path), records_of(path)[0]]), "2 games, but"),
    (spoil_manifest(matches=7), "counts 7 games, but there are 2"),
    (spoil_manifest(positions=7), "counts 7 positions, but there are"),
    (spoil_manifest(kernel="kalamala-v9"), "kalamala-v9"),
    *(
        (spoil_shard(name), f"{SHARD}: {name} is not what the games say")
        for name in ("states", "match", "ply", "seat", "number", "result", "candidate_numbers")
    ),
]


@pytest.mark.parametrize(("spoil", "said"), FAULTS)
def test_whatever_is_wrong_is_told(copy: Path, spoil: Callable[[Path], Any], said: str) -> None:
    assert kibitz("dataset", "verify", str(copy)).exit_code == 0
    spoil(copy)
    found = kibitz("dataset", "verify", str(copy))
    assert found.exit_code == 1, found.exception
    assert said in found.output
    assert found.output.count("\n") == 1


@pytest.mark.parametrize(
    "values",
    [
        {"kibitz_dataset": 2},
        {"files": {}},
        {"files": []},
        {"files": {"../x": {}}},
        {"matches": "a"},
    ],
)
def test_another_manifest_is_refused(copy: Path, values: dict[str, Any]) -> None:
    spoil_manifest(**values)(copy)
    assert "is not the manifest" in refusal_of(kibitz("dataset", "verify", str(copy)))
    (copy / MANIFEST_FILE).write_text("[")
    assert "is not the manifest" in refusal_of(kibitz("dataset", "verify", str(copy)))


@pytest.mark.parametrize("options", [{"first": 7}, {"colour": "red"}, {"turn_limit": -1}])
def test_options_that_no_game_has_are_refused(copy: Path, options: dict[str, Any]) -> None:
    spoil_manifest(options=options)(copy)
    assert next(iter(options)) in refusal_of(kibitz("dataset", "verify", str(copy)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_every_language(copy: Path, language: str) -> None:
    said = kibitz("--language", language, "dataset", "verify", str(copy)).output
    assert said.strip()
    (copy / SHARD).unlink()
    missing = kibitz("--language", language, "dataset", "verify", str(copy)).output
    assert SHARD in missing
    assert not re.search(r"dataset\.|\{", said + missing)
