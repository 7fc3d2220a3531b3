"""`import kibitz`: one door, cheap to open, and the same examples for every game."""

from __future__ import annotations

import doctest
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

import kibitz
from duel import DUEL
from kibitz.games import GAMES
from support.packaging.installed import ROOT

MODULES = ("match", "bots", "records", "drawings")
NAMES = [*GAMES, "duel"]
HEAVY = ("numba", "numpy", "llvmlite", "kibitz.server", "kibitz.games", "litestar", "sqlalchemy")


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of another package stands beside ours."""
    monkeypatch.setitem(GAMES.data, "duel", DUEL)


def loaded_after(code: str) -> set[str]:
    """The modules of a fresh process that ran some lines."""
    code = f"{code}\nimport sys; print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(ran.stdout.split())


def test_importing_it_loads_nothing_heavy() -> None:
    assert not loaded_after("import kibitz") & set(HEAVY)


def test_a_match_needs_neither_numba_nor_numpy_nor_the_server() -> None:
    code = "import kibitz\nmatch = kibitz.Match('kahmate')\nkibitz.draw(match)\nrepr(match)"
    loaded = loaded_after(code)
    assert "kibitz.games" in loaded
    assert not loaded & (set(HEAVY) - {"kibitz.games"})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("module", MODULES)
def test_the_examples_hold_for_every_game(module: str, name: str) -> None:
    found = import_module(f"kibitz.library.{module}")
    tests = doctest.DocTestFinder().find(found, extraglobs={"name": name})
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in tests:
        runner.run(test)
    assert runner.summarize().attempted > 3
    assert runner.summarize().failed == 0


def test_everything_promised_is_there() -> None:
    for name in kibitz.__all__:
        assert getattr(kibitz, name) is not None
        assert name in dir(kibitz)
    assert kibitz.games() == ("kahmate", "kalamala", "as-kimble", "duel")
    assert not hasattr(kibitz, "no_such_name")


@pytest.mark.parametrize("name", NAMES)
def test_bots_play_a_match_to_its_end(name: str, tmp_path: Path) -> None:
    """By the options for bots, under which every match ends."""
    match = kibitz.Match(kibitz.game(name, **GAMES[name].bots_preset), seed=3)
    player = kibitz.bot("random", seed=5)
    while not match.outcome:
        if match.to_act == ("chance",):
            match.roll()
        else:
            match.play(match.to_act[0], player(match))
    match.save(tmp_path / "match.json")
    record = kibitz.read(tmp_path / "match.json")
    assert kibitz.verify(record) is None
    assert record.result == match.outcome.result
    half = len(record.actions) // 2
    assert kibitz.Match.from_record(record, at=half).record().actions == record.actions[:half]


def test_the_same_seed_is_the_same_dice() -> None:
    def dice(seed: int) -> tuple[str, ...]:
        match = kibitz.Match("as-kimble", seed=seed)
        for _ in range(6):
            match.roll()
            while match.to_act and "chance" not in match.to_act:
                match.play(match.to_act[0], match.actions(match.to_act[0])[0])
        return match.record().actions

    assert dice(1) == dice(1)
    assert dice(1) != dice(2)


def test_a_refusal_is_a_sentence() -> None:
    match = kibitz.Match("kalamala")
    match.play("A", "@a1")
    with pytest.raises(kibitz.Refused) as refused:
        match.play("A", "@b1")
    assert str(refused.value) == match.why_not("A", "@b1")
    assert refused.value.refusal.id.startswith("kalamala.")
    assert match.why_not("B", "@b1") is None
    assert match.record().actions == ("@a1",)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("kibitz.game('chess')", kibitz.Refused),
        ("kibitz.bot('nobody')", kibitz.Refused),
        ("kibitz.read('no/such/file')", kibitz.Refused),
        ("kibitz.draw(match, as_='gif')", kibitz.Refused),
        ("kibitz.draw(match, theme='pink')", kibitz.Refused),
        ("kibitz.draw(match, viewer='Z')", ValueError),
        ("kibitz.draw(match, at=9)", IndexError),
        ("kibitz.Match('kalamala', start='nonsense')", kibitz.Refused),
        ("match.actions('Z')", ValueError),
        ("match.view('Z')", ValueError),
        ("match.roll()", ValueError),
        ("kibitz.bot(lambda view, actions, think: None)(match)", ValueError),
    ],
)
def test_nonsense_gets_a_clear_error(code: str, error: type[Exception]) -> None:
    with pytest.raises(error) as raised:
        eval(code, {"kibitz": kibitz, "match": kibitz.Match("kalamala")})
    assert "Message(" not in str(raised.value)


def test_a_view_and_a_drawing_hide_what_the_position_has() -> None:
    """Red has put a card face down; Blue is to put down one."""
    start = "13/8o4/13/13/5Soc5/3O9/13/13 R duel:T:f5>g5:1:{} f5:0 g5 123456/123456 0-0 9 -"
    three, four = (kibitz.Match("kahmate", start=start.format(card)) for card in (3, 4))
    assert three.to_act == ("B",)
    assert three.position != four.position
    assert three.view("R") != four.view("R")
    for viewer in ("B", "spectator"):
        assert three.view(viewer) == four.view(viewer)
        assert kibitz.draw(three, viewer=viewer) == kibitz.draw(four, viewer=viewer)


def test_a_fault_is_told_by_its_place() -> None:
    match = kibitz.Match("kalamala")
    match.play("A", "@a1")
    record = replace(match.record(), actions=("@a1", "@a1"))
    assert "2" in (kibitz.verify(record) or "")
    assert kibitz.verify(replace(record, game="chess")) is not None


def test_a_notebook_shows_the_board() -> None:
    match = kibitz.Match("kahmate")
    assert match._repr_svg_().startswith("<svg")
    assert repr(match).strip()
