"""Kahmaté at one keyboard: a match to three tries, handed to and fro."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from kibitz.core.game import Offer
from kibitz.terminal.app import Terminal
from kibitz.terminal.dialogs import ChoiceDialog, TextDialog
from support.browser.captains import EVERYTHING, GAME, OPTIONS, Captains
from support.terminal_player import actions, click, screen_text, sit_down, type_in

SECRETS = ("@", "card=", "card-")


def position(terminal: Terminal) -> str:
    """As everybody may know it."""
    table = terminal.session.table
    return GAME.notation.write_view(table.view("spectator"))


async def does(terminal: Terminal, pilot: Pilot[None], offer: Offer) -> None:
    """By clicking its places, or by the key of its button."""
    for place in offer.path:
        keys = {place: key for key, place in terminal.buttons.items()}
        if place in keys:
            await pilot.press(keys[place])
        else:
            await click(terminal, pilot, place)
    await pilot.pause()
    if isinstance(terminal.screen, ChoiceDialog):
        choices = terminal.session.picker.complete_offers
        down = [each.actions for each in choices].index(offer.actions)
        await pilot.press(*["down"] * down, "enter")
        await pilot.pause()
    if offer.needs_confirmation:
        await pilot.press("y")
        await pilot.pause()


async def lines_up(terminal: Terminal, pilot: Pilot[None], captains: Captains) -> None:
    """By a line-up; Blue man by man the first time, with a second thought."""
    if terminal.session.acting == "R" or captains.done["placed"]:
        captains.done["line-up"] += 1
        await pilot.press("l", "enter", "y")
        await pilot.pause()
        return
    captains.done["placed"] += 1
    before = len(actions(terminal))
    await click(terminal, pilot, "sq-l1")
    assert len(actions(terminal)) == before + 1
    await pilot.press("u")
    assert len(actions(terminal)) == before
    for square in ("k4", "k3", "k5", "k6", "l4", "l5"):
        await click(terminal, pilot, f"sq-{square}")
    await pilot.press("y")
    await pilot.pause()


async def acts(terminal: Terminal, pilot: Pilot[None], captains: Captains) -> None:
    lit = terminal.session.picker.next_places
    hand = [int(place[-1]) for place in lit if place.startswith("card-")]
    if hand:
        card = captains.card(position(terminal), hand)
        assert f"[{card}]" in screen_text(terminal)
        await pilot.press(str(card), "y")
        await pilot.pause()
    elif "tray" in lit:
        await lines_up(terminal, pilot, captains)
    else:
        await does(terminal, pilot, captains.choose(position(terminal)))


@pytest.mark.long
def test_a_match_to_three_tries() -> None:
    captains = Captains()

    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        session = terminal.session
        for _ in range(300):
            if session.table.outcome:
                break
            played = len(session.table.history)
            if isinstance(terminal.screen, TextDialog):
                captains.done["reveal"] += 1
                await pilot.press("enter")
            elif session.has_curtain:
                captains.done["hand-over"] += 1
                assert "Pass the keyboard to" in screen_text(terminal)
                assert not terminal.buttons
                await pilot.press("enter")
            else:
                await acts(terminal, pilot, captains)
                assert len(session.table.history) > played, screen_text(terminal)
        assert "Winner: Red" in screen_text(terminal)

    terminal = sit_down(evening, game="kahmate", options=OPTIONS)
    assert terminal.session.table.record.result == "R"
    assert EVERYTHING - captains.done.keys() == set()


def test_what_one_placed_is_not_seen_by_the_other() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        assert "Pass the keyboard to Red" in screen_text(terminal)
        await pilot.press("enter", "l", "enter", "y")
        await pilot.pause()
        assert "Pass the keyboard to Blue" in screen_text(terminal)
        assert not any(secret in screen_text(terminal) for secret in SECRETS)
        await pilot.press("enter")
        assert not any(secret in screen_text(terminal) for secret in SECRETS)
        assert "Place your Strong" in screen_text(terminal)

    sit_down(evening, game="kahmate", options=OPTIONS)


def test_where_one_last_was_is_not_told_to_the_other() -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        for square in ("b1", "b2", "b3", "b4", "b5", "c7"):
            await click(terminal, pilot, f"sq-{square}")
        await pilot.press("y")
        await pilot.pause()
        assert "Pass the keyboard to Blue" in screen_text(terminal)
        assert terminal.cursor == ""
        assert "c7" not in screen_text(terminal)

    sit_down(evening, game="kahmate", options=OPTIONS)


def test_a_card_is_not_named_where_the_keyboard_is_passed() -> None:
    tackle = "13/8o4/13/13/5Soc5/3O9/13/13 R play - g5 123456/123456 0-0 9 -"

    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await click(terminal, pilot, "sq-f5")
        await click(terminal, pilot, "sq-g5")
        await pilot.press("y", "enter", "5", "y")
        await pilot.pause()
        assert "Pass the keyboard to Blue" in screen_text(terminal)
        assert not any(secret in screen_text(terminal) for secret in SECRETS)

    terminal = sit_down(evening, game="kahmate", start=tackle)
    assert actions(terminal) == ("f5xg5", "card=5")


NEARLY_SCORED = "13/13/11T1/13/8c4/13/13/13 R play - l3 12345/12356 0-0 30 -"


def test_the_captains_decide_to_play_on_after_the_try() -> None:
    """E138: the screen says how, and asks the other captain in words."""

    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        await type_in(pilot, "l3-m3")
        assert "type continue 2, continue 3" in screen_text(terminal)
        await type_in(pilot, "continue 2")
        assert "Red would like to play on to 2 tries. Blue: agree?" in screen_text(terminal)
        await pilot.press("y")
        await pilot.pause()

    played = sit_down(evening, "kahmate", NEARLY_SCORED)
    assert actions(played) == ("l3-m3", "continue 2")
    assert " place:R - - 12345/12356 1-0/2 " in position(played)
