"""The terminal as somebody sees it who sits before it."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from duel import DUEL
from kibitz.games import GAMES
from kibitz.table import open_table
from kibitz.terminal import app as module
from kibitz.terminal.app import Terminal, is_plain, play
from support.terminal_player import (
    actions,
    bots_have_played,
    click,
    go,
    screen_text,
    sit_down,
    type_in,
)

ONE_PULL_TO_WIN = "8/8/1AA2B2/8/8/8/8/8 A 0,0 6,7 51 -"
PAIR_TO_PULL = "8/8/8/8/1AA1BB2/8/8/8 A 0,0 6,6 51 -"


def test_playing_by_keys() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        assert "To play: Rings" in screen_text(terminal)
        for place in ("sq-d3", "sq-d6", "sq-d7"):
            await go(terminal, pilot, place)
            await pilot.press("enter")
        await pilot.pause()
        assert actions(terminal) == ("d6:N1",)
        assert "To play: Blocks" in screen_text(terminal)
        assert "Rings pushed d6 to d7" in screen_text(terminal)

    sit_down(evening)


def test_arrows_move_over_the_board() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await go(terminal, pilot, "sq-d3")
        await pilot.press("up", "right", "right", "down")
        assert terminal.cursor == "sq-f3"
        await pilot.press("right", "right", "right", "right")
        assert terminal.cursor == "off-E3"
        await pilot.press(*["left"] * 10)
        assert terminal.cursor.startswith("rs-")

    sit_down(evening)


def test_playing_by_mouse() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await click(terminal, pilot, "rs-A")
        assert "Choose an empty square" in screen_text(terminal)
        await click(terminal, pilot, "sq-a1")
        await click(terminal, pilot, "sq-c5")
        await click(terminal, pilot, "sq-d6")
        assert terminal.session.picker.path == ("sq-c5", "sq-d6")

    assert actions(sit_down(evening)) == ("@a1",)


def test_a_refusal_says_why_and_by_which_rule() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await click(terminal, pilot, "sq-a8")
        assert "Choose a piece to push or pull" in screen_text(terminal)
        assert "(rule 3)" in screen_text(terminal)
        await pilot.press("escape")
        assert "(rule 3)" not in screen_text(terminal)
        await type_in(pilot, "d6:N7")
        assert "(rule 3.3)" in screen_text(terminal)
        await type_in(pilot, "nonsense")
        assert "(rule 7.2)" in screen_text(terminal)

    assert actions(sit_down(evening)) == ()


def test_typed_notation() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await type_in(pilot, "@h8")
        await pilot.press("slash", *"q@g8", "escape")
        assert actions(terminal) == ("@h8",)
        await pilot.press("n")
        assert terminal.cursor, "the keys are the board's again"

    sit_down(evening)


def test_a_bot_answers() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        assert "Your turn: Rings" in screen_text(terminal)
        await type_in(pilot, "@a1")
        await bots_have_played(terminal, pilot)
        assert len(actions(terminal)) == 2
        assert "Your turn: Rings" in screen_text(terminal)
        await pilot.press("u")
        await pilot.pause()
        assert actions(terminal) == ()

    sit_down(evening, B="greedy")


def test_a_bot_whose_turn_was_taken_back_is_not_heard() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        before = terminal.session.table
        await type_in(pilot, "@a1")
        await bots_have_played(terminal, pilot)
        after = actions(terminal)
        terminal.play_decision(before, "A", "@h1")
        assert actions(terminal) == after

    sit_down(evening, B="random")


def test_the_result_is_shown() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await type_in(pilot, "f6:W2")
        assert "Winner: Rings" in screen_text(terminal)
        assert "Blocks had no legal action left (rule 4)." in screen_text(terminal)
        await click(terminal, pilot, "sq-a1")
        assert "The match is over" in screen_text(terminal)
        await pilot.press("q")

    terminal = sit_down(evening, start=ONE_PULL_TO_WIN)
    assert terminal.session.table.record.result == "A"


def test_a_list_of_what_may_be_done() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await pilot.press("w")
        await pilot.pause()
        assert "What you can do" in screen_text(terminal)
        assert "Place on a1" in screen_text(terminal)
        await pilot.press("down", "enter")
        await pilot.pause()

    assert actions(sit_down(evening)) == ("@b1",)


def test_it_asks_where_one_touch_may_mean_two_things() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        for place in ("sq-c4", "sq-e4", "sq-d4"):
            await click(terminal, pilot, place)
        assert "Which do you mean?" in screen_text(terminal)
        await pilot.press("escape")
        await pilot.pause()
        assert terminal.session.picker.path == ("sq-c4", "sq-e4")
        await click(terminal, pilot, "sq-d4")
        await pilot.press("down", "enter")
        await pilot.pause()

    assert len(actions(sit_down(evening, start=PAIR_TO_PULL))) == 1


def test_a_person_is_asked_before_a_takeback() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await type_in(pilot, "@a1")
        await pilot.press("u")
        await pilot.pause()
        assert "Rings asked to take back @a1. Blocks: agree?" in screen_text(terminal)
        await pilot.press("y")
        await pilot.pause()

    assert actions(sit_down(evening)) == ()


def test_resigning_and_leaving_are_confirmed() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await type_in(pilot, "@a1")
        await pilot.press("q", "n")
        await pilot.press("r")
        await pilot.pause()
        assert "Blocks: resign this match?" in screen_text(terminal)
        await pilot.press("x", "r", "enter")
        await pilot.pause()
        assert "Winner: Rings" in screen_text(terminal)

    assert sit_down(evening).session.table.record.result == "A"


def test_help_names_the_keys() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        await pilot.pause()
        assert "undo the last choice" in screen_text(terminal)
        await pilot.press("x", "n")
        assert terminal.cursor

    sit_down(evening)


def test_a_larger_terminal_tells_the_moves_in_sentences() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await type_in(pilot, "@a1")
        assert "1 ◉ @a1" in screen_text(terminal)
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert "1 ◉ Rings placed a piece on a1" in screen_text(terminal)
        await pilot.press("question_mark")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()

    sit_down(evening)


def test_a_game_with_secrets_and_a_die(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that the terminal has never heard of."""
    monkeypatch.setitem(GAMES, DUEL.name, DUEL)

    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        assert "Pass the keyboard to Amber" in screen_text(terminal)
        await pilot.press("u", "enter")
        await click(terminal, pilot, "card-3")
        assert "Card 3 stays face down" in screen_text(terminal)
        assert "Put down 3?" in screen_text(terminal)
        await pilot.press("x")
        assert actions(terminal) == ()
        await click(terminal, pilot, "card-3")
        await pilot.press("y")
        await pilot.pause()
        assert "Pass the keyboard to Basalt" in screen_text(terminal)
        assert "c3" not in screen_text(terminal)
        await pilot.press("enter")
        await click(terminal, pilot, "card-1")
        await pilot.press("enter")
        await pilot.pause()
        assert actions(terminal)[:2] == ("c3", "c1")
        assert len(actions(terminal)) == 3, "the die has fallen"
        assert "Cards: 3 against 1." in screen_text(terminal)
        assert "Press any key to continue." in screen_text(terminal)
        await pilot.press("enter")
        assert "2 winds left" in screen_text(terminal)
        assert "Pass the keyboard to Amber" in screen_text(terminal)

    sit_down(evening, game="duel")


def test_buttons_have_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of them is a key that has a meaning already, such as W."""
    monkeypatch.setitem(GAMES, DUEL.name, DUEL)

    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        assert "Wind" not in screen_text(terminal)
        await pilot.press("i", "enter")
        assert "[i] Wind" in screen_text(terminal)
        await pilot.press("i")
        await pilot.pause()
        assert actions(terminal) == ("A wind",)
        assert "[i] Wind" not in screen_text(terminal)
        await pilot.press("w", "enter", "enter")
        await pilot.pause()
        assert "Pass the keyboard to Basalt" in screen_text(terminal)

    sit_down(evening, game="duel")


def test_playing_gives_back_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(terminal: Terminal) -> None:
        terminal.session.act("A", "@a1")

    monkeypatch.setattr(module.Terminal, "run", run)
    record = play(open_table(GAMES["kalamala"].game({"repetition": "ko"})), {})
    assert record.actions == ("@a1",)
    assert record.options["repetition"] == "ko"


@pytest.mark.parametrize(
    ("environment", "plain"),
    [
        ({}, False),
        ({"LANG": "fi_FI.UTF-8"}, False),
        ({"LANG": "fi_FI.UTF-8", "LC_ALL": "C"}, True),
        ({"LANG": "fr_FR.ISO-8859-1"}, True),
        ({"TERM": "linux"}, True),
    ],
)
def test_plain_letters_where_shapes_cannot_be_shown(
    environment: dict[str, Any], plain: bool
) -> None:
    assert is_plain(environment) == plain
