"""AS-Kimble at one keyboard: four teams there, or one against three bots."""

from __future__ import annotations

from textual.pilot import Pilot

from kibitz.terminal.app import Terminal
from kibitz.terminal.dialogs import Ask, Choose
from terminal.sitting import actions, click, seen, sit_down

CLOSE = "t26,g2,g3,g4/t5,g2,g3,g4/t12,g2,g3,g4/t19,g2,g3,g4 R:N1 d2 0+0/0+0/0+0/0+0 1:- ---- -"
"""Everybody needs a two."""


async def plays_on(terminal: Terminal, pilot: Pilot[None]) -> None:
    """The first thing that can be touched, and where it may go."""
    lit = terminal.session.picker.lit
    quick = [place for place in lit if place in ("dome", "btn-pass", "btn-yes")]
    place = (quick or sorted(place for place in lit if not place.startswith("btn-")))[0]
    keys = {each: key for key, each in terminal.buttons.items()}
    for _ in range(3):
        if place in keys:
            await pilot.press(keys[place])
        else:
            await click(terminal, pilot, place)
        await pilot.pause()
        if isinstance(terminal.screen, Choose):
            await pilot.press("enter")
        if isinstance(terminal.screen, Ask):
            await pilot.press("y")
        await pilot.pause()
        if not terminal.session.picker.path:
            break
        place = terminal.session.picker.lit[0]


def test_four_teams_play_to_the_end() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        for _ in range(200):
            if terminal.session.table.outcome:
                break
            played = len(terminal.session.table.played)
            await plays_on(terminal, pilot)
            assert len(terminal.session.table.played) > played, seen(terminal)
        assert "Winner" in seen(terminal)

    terminal = sit_down(evening, game="as-kimble", start=CLOSE, options={"pace": "turn"})
    assert terminal.session.table.record.result["winner"]


def test_bots_say_hembo_and_complete_their_penalties() -> None:
    eaten = "h2,t4x2/h3,t9/h4/h4 R:M5 d5 0+0/3+0/0+0/0+0 1:- ---- -"

    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await click(terminal, pilot, "t-4")
        await click(terminal, pilot, "t-9")
        for _ in range(40):
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


def test_the_referee_s_words_can_be_typed() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        terminal.session.type('ref pen B +2 "spilt"')
        terminal.advance()
        await pilot.pause()

    terminal = sit_down(evening, game="as-kimble")
    assert actions(terminal) == ('ref pen B +2 "spilt"',)
