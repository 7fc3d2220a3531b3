"""AS-Kimble at one keyboard: four teams there, or one against three bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from kibitz.bots.api import SearchContext
from kibitz.bots.registry import BOTS
from kibitz.core.game import PRESS_DIE, write_choice
from kibitz.terminal.app import Terminal
from kibitz.terminal.board import Board
from kibitz.terminal.dialogs import ChoiceDialog, QuestionDialog
from kibitz.terminal.display import LINES_BELOW
from support.terminal_player import Sit, actions, click, screen_text, sit_down

CLOSE = "t26,g2,g3,g4/t5,g2,g3,g4/t12,g2,g3,g4/t19,g2,g3,g4 R:N1 d2 0+0/0+0/0+0/0+0 1:- ---- -"
"""Everybody needs a two."""
BOOK = "0+0/0+0/0+0/0+0 1:- ---- -"
MID = "h1,t0x2,t15/h1,t10,t6,g1/t20,t2,g1w1/h1,t21,t25,g4 R:M6 d6 2+5/1+3/4+2/0+6 1:Y ---- -"
OWING = "h4/h2,t7x2/h4/h2,g1w1 R:N3 d3 12+15/120+3/4+2/1234+6 3:RB !--- -"
VOTE = "t0,t12,g1,g3/h3,g4/t20,t8,g2,g4/h3,g1 Y:VBG d6 0+7/2+3/0+6/1+6 1:RBYG ---- -"
RAISED = "t12,g1,g2,g3/h4/t14x2,t8,g4/h2,g1,g3 Y:CRG d6 0+1/2+0/0+0/1+0 1:Y -!-- -"
WON = "g1,g2,g3,g4/h3,g4/h2,t20,g4/h3,g1 R:E d2 0+7/0+13/0+0/1+0 1:R ---- -"
CHOICE = f"h4/h4/h4/h4 K:ac d6 {BOOK}"
SCENES = {
    CHOICE: ["Chair a", "Chair d (greedy)", "colour?", "starts", "choice of colour"],
    MID: ["Raise round 1", "popped 6", "owes 2, done 5", "owes 0, done 6", "Red to play 6"],
    OWING: ["Raise round 3", "3 pops left", "owes 1234, done 6", "hembo!", "owes 12, done 15"],
    VOTE: ["Round 2?", "proposes a round", "to vote", "yes", "proposes"],
    RAISED: ["raised a piece", "send home", "hembo!"],
    MID[:-1] + "b": ["Break", "popped 6", "No pops, moves or penalties"],
    WON: ["wins", "moral victory", "owes 0, done 13", "(rule 13)", "Press Q to quit."],
}
"""What is to be read in each."""
SIZES = [(80, 24), (100, 30), (120, 40)]


async def plays_on(terminal: Terminal, pilot: Pilot[None]) -> None:
    """The first thing that can be touched, and where it may go."""
    lit = terminal.session.picker.next_places
    quick = [place for place in lit if place in ("dome", "btn-pass", "btn-yes")]
    place = (quick or sorted(place for place in lit if not place.startswith("btn-")))[0]
    keys = {each: key for key, each in terminal.buttons.items()}
    for _ in range(3):
        if place in keys:
            await pilot.press(keys[place])
        else:
            await click(terminal, pilot, place)
        await pilot.pause()
        if isinstance(terminal.screen, ChoiceDialog):
            await pilot.press("enter")
        if isinstance(terminal.screen, QuestionDialog):
            await pilot.press("y")
        await pilot.pause()
        if not terminal.session.picker.path:
            break
        place = terminal.session.picker.next_places[0]


def test_four_teams_play_to_the_end() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        for _ in range(200):
            if terminal.session.table.outcome:
                break
            played = len(terminal.session.table.history)
            await plays_on(terminal, pilot)
            assert len(terminal.session.table.history) > played, screen_text(terminal)
        assert "Winner" in screen_text(terminal)

    terminal = sit_down(evening, game="as-kimble", start=CLOSE, options={"pace": "turn"})
    assert terminal.session.table.record.result["winner"]


def test_bots_say_hembo_and_complete_their_penalties() -> None:
    eaten = "h2,t4x2/h3,t9/h4/h4 R:M5 d5 0+0/3+0/0+0/0+0 1:- ---- -"

    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await click(terminal, pilot, "t-4")
        await click(terminal, pilot, "t-9")
        for _ in range(400):
            await pilot.pause(0.05)
            if "B done 1" in actions(terminal):
                break

    terminal = sit_down(
        evening,
        game="as-kimble",
        start=eaten,
        options={"pace": "free"},
        B="greedy",
        Y="greedy",
        G="greedy",
    )
    said = actions(terminal)
    assert said[:2] == ("R t4-t9", "B hembo jag")
    assert "B done 1" in said


def test_without_reminders_nothing_on_the_screen_tells_that_the_sentence_is_owed() -> None:
    eating = "h2,t4x2/h3,t9/h4/h4 R:M5 d5 0+0/3+0/0+0/0+0 1:- ---- -"
    screens = list[str]()

    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await click(terminal, pilot, "t-4")
        await click(terminal, pilot, "t-9")
        log = terminal.sidebar.moves(200).plain
        screens.append(f"{screen_text(terminal)} {log}".lower())
        await pilot.press("h", "1")
        await pilot.pause()

    for is_reminded in (True, False):
        options = {"pace": "free"}
        terminal = sit_down(
            evening,
            game="as-kimble",
            start=eating,
            size=(120, 40),
            options=options,
            is_reminded=is_reminded,
        )
        assert actions(terminal)[1:] == ("B hembo jag",), "the button is there all the same"
    reminded, unreminded = screens
    assert unreminded.count("hembo") == 1, "the button"
    assert reminded.count("hembo") > 1


def against_bots(then: Sit, start: str, size: tuple[int, int] = (80, 24)) -> Terminal:
    return sit_down(
        then, "as-kimble", start, size, {"pace": "free"}, B="greedy", Y="greedy", G="greedy"
    )


def board_of(terminal: Terminal) -> dict[str, str]:
    """What is written on each place, without shapes and marks."""
    board = terminal.query_one(Board)
    assert board.scene is not None
    lines = [strip.text for strip in board._lines]
    return {
        place: "".join(
            char
            for line in lines[area.y : area.y + area.height]
            for char in line[area.x : area.x + area.width]
            if char.isalnum() or char in ".*>"
        )
        for place, area in board.scene.layout.areas.items()
    }


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("position", SCENES)
def test_all_that_matters_can_be_read(position: str, size: tuple[int, int]) -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        shown = screen_text(terminal)
        assert [text for text in SCENES[position] if text not in shown] == []
        board, prompt = terminal.query_one(Board), terminal.query_one("#prompt", Static)
        assert board.size.height <= size[1] - LINES_BELOW
        assert board.virtual_size == board.size, "nothing of the board is cut"
        seats = terminal.query_one("#seats", Static)
        assert seats.region.bottom <= board.region.y + terminal.query_one("#top").size.height
        assert prompt.virtual_size.height <= prompt.size.height
        assert terminal.query_one("#note").region.bottom <= terminal.query_one("#keys").region.y

    against_bots(evening, position, size)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_every_piece_and_every_empty_place_is_told_by_letters(
    size: tuple[int, int], plain: bool
) -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await pilot.press(*"g" * plain)
        shown = board_of(terminal)
        taken = {0: "R2*", 15: "R", 10: "B", 6: "B", 20: "Y", 2: "Y", 21: "G*", 25: "G"}
        starts = {7: "B", 14: "Y"}
        for grid in range(28):
            assert shown[f"t-{grid}"] == taken.get(grid, starts.get(grid, str(grid)))
        assert [shown[f"h-{team}"] for team in "RBYG"] == ["R...", "B...", "....", "G..."]
        assert [shown[f"g-G{goal}"] for goal in range(1, 5)] == ["1", "2", "3", "G"]
        assert (shown["g-B1"], shown["g-Y1"]) == ("B", "Y")
        assert shown["dome"] == "6"
        x, y = terminal.query_one(Board).scene.layout.areas["g-Y1"][:2]  # type: ignore[union-attr]
        line = terminal.query_one(Board)._lines[y].text
        assert line[x - 4 : x].strip() == "Y", "one waits beside goal 1"

    against_bots(evening, MID, size)


def test_the_seats_are_told_by_letter_and_book() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        assert "▶ R Red owes 0, done 0" in screen_text(terminal), (
            "beside the name where there is room"
        )

    sit_down(evening, game="as-kimble")


def test_a_long_list_is_chosen_from_by_number() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await pilot.press("d", "1")
        await pilot.pause()
        assert actions(terminal) == (), "it could become twelve"
        await pilot.press("2")
        assert terminal.screen.query_one(OptionList).highlighted == 11
        shown = screen_text(terminal)
        assert "12 R done 12 12 done" in shown
        assert "Type a number to jump to its row." in shown
        await pilot.press("9")
        assert terminal.screen.query_one(OptionList).highlighted == 8, "there is no 129th"
        await pilot.press("down", "1", "enter")
        await pilot.pause()
        assert actions(terminal) == ("R done 1",)

    sit_down(evening, game="as-kimble", start=OWING.replace("12+15", "23+15"))


def test_a_short_list_is_chosen_from_by_one_digit() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await pilot.press("h", "0", "3")
        assert actions(terminal) == ()
        await pilot.press("1")
        await pilot.pause()

    assert actions(sit_down(evening, game="as-kimble", start=OWING)) == ("R hembo jag",)


def test_who_takes_a_colour_sits_there() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await click(terminal, pilot, "h-Y")
        await pilot.pause()
        assert terminal.session.people == ("Y",)
        assert "Red (greedy)" in screen_text(terminal)
        assert "Yellow (greedy)" not in screen_text(terminal)

    against_bots(evening, CHOICE)


def test_the_referee_s_words_can_be_typed() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        terminal.session.submit_text('ref pen B +2 "spilt"')
        terminal.advance()
        await pilot.pause()

    terminal = sit_down(evening, game="as-kimble")
    assert actions(terminal) == ('ref pen B +2 "spilt"',)


def test_a_bot_that_may_pass_may_also_press_the_dome(monkeypatch: pytest.MonkeyPatch) -> None:
    placed = "g1,g2,g3,g4/h1,g2,g3,g4/h2,t20,g4/h3,g1 R:N3 d2 2+5/0+3/0+0/1+0 1:B ---- -"

    def choose_last(view: Any, listed: Sequence[Any], think: SearchContext) -> Any:
        asked.append(tuple(write_choice(think.game, action) for action in listed))
        return listed[-1]

    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        while not actions(terminal):  # A bot that goes on replaces its own worker.
            await pilot.pause(0.01)

    asked: list[tuple[str, ...]] = []
    monkeypatch.setitem(BOTS, "greedy", choose_last)
    played = actions(sit_down(evening, "as-kimble", placed, options={"pace": "turn"}, R="greedy"))
    assert asked[0] == ("R pass", PRESS_DIE)
    assert played[0].startswith("R pop ")
