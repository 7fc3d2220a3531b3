"""Whole games in real browsers, at desks and on phones: every action through the page.

Those that take minutes are long; of each kind a short one, from a late position, is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from kibitz.games import GAMES
from support.browser.captains import Captains
from support.browser.leak_probe import hidden_from
from support.browser.people import Chooser, Evening, captain, forcing, greedy
from support.browser.touch import Hand

if TYPE_CHECKING:
    from web.conftest import Seated

TO_THREE = {"tries": 3, "turn_limit": 40}
LATE: dict[str, dict[str, Any]] = {
    "kalamala": {"start": "A6B/8/2B5/8/8/5A2/8/8 A 0,0 6,6 1 -"},
    "kahmate": {
        "start": "13/13/13/9Fo2/13/13/13/13 R play - j4 246/123 2-0 22 -",
        "options": TO_THREE,
    },
    "as-kimble": {
        "start": "t23,g2,g3,g4/t2,g2,g3,g4/t9,g2,g3,g4/t16,g2,g3,g4 "
        "R:N1 d2 1+0/0+0/0+0/0+0 1:RBYG ---- -"
    },
}
"""Few stones; a man to get past and the third try; the last piece of everybody."""
CHOOSERS: dict[str, Callable[[], Chooser]] = {
    "kalamala": lambda: greedy("kalamala"),
    "kahmate": lambda: forcing(Captains()),
    "as-kimble": lambda: greedy("as-kimble"),
}
ENOUGH = 150

SAMPLED = [
    "kalamala",
    *(pytest.param(game, marks=pytest.mark.long) for game in GAMES if game != "kalamala"),
]
"""All games in the long run, one of them in the ordinary one."""


def sit_down(hands: list[Hand], game: str, **wish: Any) -> Evening:
    """Each hand on a seat of its own; the first one opens the table."""
    host, seats = hands[0].player, GAMES[game].game({}).seats
    free = dict.fromkeys(seats, "free")
    host.opens_by_api(game=game, seats={**free, seats[0]: "me"}, **wish)
    for seat, hand in zip(seats[1:], hands[1:], strict=True):
        hand.player.comes_by(host.link(seat))
    return Evening(CHOOSERS[game](), *hands)


def is_tidy(*hands: Hand) -> None:
    """Nothing came from elsewhere, and nothing needs more room than there is."""
    for hand in hands:
        assert {f"http://{host}" for host in hand.wire.hosts} == {hand.player.address}
        assert not hand.player.scrolls_sideways()


def test_kalamala_between_a_desk_and_a_phone(seat_player: Seated) -> None:
    hands = [Hand(seat_player()), Hand(seat_player(finger=True))]
    sit_down(hands, "kalamala", **LATE["kalamala"]).plays_to_the_end(ENOUGH)
    is_tidy(*hands)


def test_as_kimble_with_four_browsers(seat_player: Seated) -> None:
    hands = [Hand(seat_player(finger=finger)) for finger in (False, True, False, True)]
    sit_down(hands, "as-kimble", **LATE["as-kimble"]).plays_to_the_end(ENOUGH)
    is_tidy(*hands)


def test_a_duel_and_the_third_try_between_two_browsers(seat_player: Seated) -> None:
    """A tie, so that there are two cards of each side; none is known before it is turned over."""
    hands = [Hand(seat_player(finger=True)), Hand(seat_player())]
    evening = sit_down(hands, "kahmate", **LATE["kahmate"])
    plays_in_secret(evening)
    kinds = [offer["kind"] for hand in hands for offer in hand.done]
    assert kinds.count("card") == 4
    assert evening.hands[0].view["outcome"]["winners"] == ["R"]
    is_tidy(*hands)


@pytest.mark.long
def test_kahmate_to_three_tries_between_two_browsers(seat_player: Seated) -> None:
    """With three set-ups and all duels."""
    hands, captains = [Hand(seat_player()), Hand(seat_player(finger=True))], Captains()
    evening = sit_down(hands, "kahmate", options={"tries": 3})
    evening.chooser = captain(captains)
    plays_in_secret(evening)
    assert {"line-up", "placed", "card", "tie", "tackle", "try"} <= captains.done.keys()
    assert evening.hands[1].view["outcome"]["winners"] == ["R"]
    is_tidy(*hands)


def plays_in_secret(evening: Evening) -> None:
    """To the end; what is done face down stays that way for the other one until it is shown."""
    for hand in evening.turns(300):
        others = [each for each in evening.hands if each is not hand]
        with hidden_from(others, hand):
            evening.acts(hand)
    evening.sees_the_end()


@pytest.mark.long
def test_kalamala_from_the_first_stone_to_the_last(seat_player: Seated) -> None:
    hands = [Hand(seat_player(finger=True)), Hand(seat_player(moving=True))]
    sit_down(hands, "kalamala").plays_to_the_end(ENOUGH)
    is_tidy(*hands)


@pytest.mark.parametrize("game", SAMPLED)
def test_against_bots(seat_player: Seated, game: str) -> None:
    hand = Hand(seat_player(finger=True, moving=True))
    first, *others = GAMES[game].game({}).seats
    seats = {first: "me", **dict.fromkeys(others, "greedy")}
    hand.player.opens_by_api(game=game, seats=seats, **LATE[game])
    Evening(CHOOSERS[game](), hand).plays_to_the_end(ENOUGH)
    is_tidy(hand)


@pytest.mark.long
@pytest.mark.parametrize("game", ["kalamala", "kahmate"])
def test_against_a_bot_from_the_beginning(seat_player: Seated, game: str) -> None:
    """One touch from the first page."""
    hand = Hand(seat_player())
    hand.page.goto(hand.player.address)
    title = {"kalamala": "Kalamala", "kahmate": "Kahmaté"}[game]
    hand.player.plays(hand.player.card(title))
    chooser = captain(Captains()) if game == "kahmate" else CHOOSERS[game]()
    Evening(chooser, hand).plays_to_the_end(600)
    is_tidy(hand)


def test_kalamala_on_one_device(seat_player: Seated) -> None:
    """The other games have theirs beside what is special about them."""
    hand = Hand(seat_player(finger=True))
    hand.player.opens_by_api(game="kalamala", seats={"A": "me", "B": "me"}, **LATE["kalamala"])
    Evening(CHOOSERS["kalamala"](), hand).plays_to_the_end(ENOUGH)
    is_tidy(hand)


@pytest.mark.parametrize("game", SAMPLED)
def test_by_keyboard_alone(seat_player: Seated, game: str) -> None:
    hand = Hand(seat_player(), way="keys")
    seats = dict.fromkeys(GAMES[game].game({}).seats, "me")
    hand.player.opens_by_api(game=game, seats=seats, **LATE[game])
    Evening(CHOOSERS[game](), hand).plays_to_the_end(ENOUGH)


def test_set_up_in_secret_between_two_browsers(seat_player: Seated) -> None:
    """A ready line-up on one side, man by man on the other; then the ball is drawn."""
    hands = [Hand(seat_player()), Hand(seat_player(finger=True))]
    evening = sit_down(hands, "kahmate")
    evening.chooser = captain(Captains())
    for hand in evening.turns(20):
        if "end" in {offer["kind"] for offer in hand.choices}:
            break
        others = [each for each in evening.hands if each is not hand]
        with hidden_from(others, hand):
            evening.acts(hand)
    for hand in hands:
        expect(hand.page.locator("#stage .pc.man")).to_have_count(12)
    is_tidy(*hands)
