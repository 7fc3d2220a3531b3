"""Two cards turned over together: what there is to show of it, and not before."""

from __future__ import annotations

import pytest

from games.kahmate.touching import SAY, position
from kibitz.core.game import Event, Reveal
from kibitz.games.kahmate import kahmate

GAME = kahmate()
FORCE = position("Fg4 oh4", "g4", phase="duel:F:g4>h4:1:-", movers="g4:3", rest="0-0 22 -")


def events_of(start: str, *cards: int) -> list[Event]:
    """What each card leads to, the attacker's first."""
    state, events = GAME.notation.read_state(start), list[Event]()
    for card in cards:
        action = GAME.notation.read_action(f"card={card}")
        step = GAME.rules.resolve(state, GAME.rules.actor_of(state, action), action)
        state = step.state
        events.extend(step.events)
    return events


def reveals(start: str, *cards: int) -> list[Reveal]:
    return [event.reveal for event in events_of(start, *cards) if event.reveal]


def test_nothing_is_turned_over_before_both_cards_are_down() -> None:
    assert reveals(FORCE, 4) == []


def test_both_cards_are_turned_over_with_what_they_come_to() -> None:
    (reveal,) = reveals(FORCE, 4, 1)
    assert (
        SAY(reveal.title) == "Force through, g4 \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} h4"
    )
    fast, ordinary = reveal.sides
    assert (fast.seat, fast.place, SAY(fast.name)) == ("R", "sq-g4", "Aino's Fast man")
    assert (fast.card, SAY(fast.sum), fast.total, fast.has_won) == (
        "4",
        "4 \N{MINUS SIGN} 1",
        3,
        True,
    )
    assert (ordinary.seat, ordinary.place, SAY(ordinary.name)) == (
        "B",
        "sq-h4",
        "Marc's Ordinary man",
    )
    assert (ordinary.card, SAY(ordinary.sum), ordinary.total) == ("1", "1 + 0", 1)
    assert not ordinary.has_won
    assert (SAY(reveal.verdict), SAY(reveal.margin)) == ("beats", "by 2")


@pytest.mark.parametrize(
    ("cards", "won", "said"),
    [
        ((2, 6), (False, True), ("loses to", "by 5")),
        ((4, 3), (False, False), ("a tie", "second card")),
        ((4, 3, 5, 4), (False, True), ("a tie", "goes to the defender")),
        ((4, 3, 5, 1), (True, False), ("beats", "by 3")),
    ],
)
def test_who_won_and_by_how_much(
    cards: tuple[int, ...], won: tuple[bool, bool], said: tuple[str, str]
) -> None:
    *earlier, reveal = reveals(FORCE, *cards)
    assert len(earlier) == len(cards) // 2 - 1
    assert tuple(side.has_won for side in reveal.sides) == won
    assert (SAY(reveal.verdict), SAY(reveal.margin)) == said


def test_an_interception_is_named_by_its_pass() -> None:
    start = position("Ch4 Of3 og3 Tf6", "h4", phase="duel:I:h4~f3@g3:1:-", rest="0-0 6 -")
    (reveal,) = reveals(start, 4, 1)
    assert SAY(reveal.title).endswith("f3")
    assert [side.place for side in reveal.sides] == ["sq-h4", "sq-g3"]
