"""The next step of a table by itself: a draw of chance, a bot's turn, a word or answer of a bot.

Whoever runs a table asks here and does it, in its own time and with its own dice and bots.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from kibitz.core.game import CHANCE, PRESS_DIE, Actor, Seat, odds_of_press
from kibitz.core.values import FrozenValue
from kibitz.table.table import Table, is_ruling, split_reason


class ChanceDraw(FrozenValue, frozen=True):
    """A draw: nobody but chance is to act."""


class BotTurn(FrozenValue, frozen=True):
    """A bot is to choose one of these; PRESS_DIE is among them where it may let the die fall."""

    seat: Seat
    actions: tuple[Any, ...]
    is_early: bool = False
    """True if it is to be committed ahead of its place: nobody has to wait for it."""


class BotStatement(FrozenValue, frozen=True):
    """A bot may say one of these, whoever's turn it is, or nothing."""

    seat: Seat
    actions: tuple[Any, ...]


class BotConsent(FrozenValue, frozen=True):
    """Bots are asked to agree to a ruling, as no person of another side is there: if one of them
    declines, that is the answer."""

    seats: tuple[Seat, ...]
    ruling: Any


AutoplayStep: TypeAlias = ChanceDraw | BotTurn | BotStatement | BotConsent


def next_steps(
    table: Table[Any, Any, Any], bots: Collection[Seat], can_speak: bool = True
) -> Iterator[AutoplayStep]:
    """The steps to try in this order; the first that leads to an action makes the rest obsolete.

    Bots without a voice cannot speak; with one they say nothing twice between two turn actions.
    """
    if consent := _asked_consent(table, bots):
        yield consent
    if can_speak and not _is_at_rest(table):
        yield from _statements(table, bots)
    if turn := next_turn(table, bots):
        yield turn


def next_turn(table: Table[Any, Any, Any], bots: Collection[Seat]) -> ChanceDraw | BotTurn | None:
    """The turn that a table takes by itself; None where a person is to act, or nobody."""
    if _is_at_rest(table):
        return None
    to_act = table.game.rules.to_act(table.state)
    if to_act == {CHANCE}:
        return ChanceDraw()
    seats = [seat for seat in table.game.seats if seat in bots]
    if seat := next((seat for seat in seats if seat in to_act), None):
        die = (PRESS_DIE,) if CHANCE in to_act else ()
        return BotTurn(seat, table.actions(seat) + die)
    early = ((seat, table.actions(seat)) for seat in seats)
    return next((BotTurn(seat, actions, is_early=True) for seat, actions in early if actions), None)


def is_automatic(table: Table[Any, Any, Any], bots: Collection[Seat]) -> bool:
    """True if a table waits for chance or a bot, and not for people alone."""
    if _is_at_rest(table):
        return False
    to_act = table.game.rules.to_act(table.state)
    return to_act == {CHANCE} or not to_act.isdisjoint(bots)


def next_action(
    table: Table[Any, Any, Any],
    bots: Collection[Seat],
    draw: Callable[[Mapping[Any, Fraction]], str],
    choose: Callable[[BotTurn], Any],
    say: Callable[[BotStatement], Any] | None = None,
) -> tuple[Actor, str] | None:
    """The next action where bots answer at once, and by whom; None where the table waits.

    `draw` gives what chance does by its odds, `choose` and `say` what a bot does and says: None
    where it says nothing, or is still to think.
    """
    for step in next_steps(table, bots, can_speak=say is not None):
        answer: Any = None
        if isinstance(step, ChanceDraw):
            return CHANCE, draw(odds_of_press(table.game, table.state, None))
        if isinstance(step, BotConsent):
            continue  # It takes a host who plays with others, and they meet at a server.
        if isinstance(step, BotTurn):
            answer = choose(step)
        elif say:
            answer = say(step)
        if answer == PRESS_DIE:
            return CHANCE, draw(odds_of_press(table.game, table.state, step.seat))
        if answer is not None:
            return step.seat, table.game.notation.write_action(answer)
    return None


def _is_at_rest(table: Table[Any, Any, Any]) -> bool:
    is_full = table.people is None or table.people.is_full
    return table.is_over or table.is_adjourned or not is_full


def _asked_consent(table: Table[Any, Any, Any], bots: Collection[Seat]) -> BotConsent | None:
    """The consent that a ruling waits for where it can come from bots alone. A seat that a bot
    fills in at belongs to a person, who may come back."""
    asked, people = table.pending_request, table.people
    if asked is None or people is None or not is_ruling(table, asked.text):
        return None
    own = {asked.seat, *people.seats_of(asked.member)}
    others = [seat for seat in table.game.seats if seat not in own]
    if not others or any(people.members[seat] or seat not in bots for seat in others):
        return None
    ruled = split_reason(asked.text)
    return BotConsent(
        tuple(others), table.game.notation.read_action(ruled[0] if ruled else asked.text)
    )


def _statements(table: Table[Any, Any, Any], bots: Collection[Seat]) -> Iterator[BotStatement]:
    said: set[tuple[Actor, Any]] | None = None
    for seat in (seat for seat in table.game.seats if seat in bots):
        if listed := table.game.rules.anytime_actions(table.state, seat):
            said = set(_said_since_turn(table)) if said is None else said
            if actions := tuple(each for each in listed if (seat, each) not in said):
                yield BotStatement(seat, actions)


def _said_since_turn(table: Table[Any, Any, Any]) -> Iterator[tuple[Actor, Any]]:
    """All anytime actions since the latest turn action, and by whom."""
    anytime_actions = table.game.rules.anytime_actions
    for played in reversed(table.history):
        if played.step.action not in anytime_actions(played.before, played.actor):
            return
        yield played.actor, played.step.action
