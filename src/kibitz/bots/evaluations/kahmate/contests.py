"""Duels: what they may lead to, which cards to play, and how they are likely to end.

What a card is worth in duels to come is about the same for each pip, whatever the hand (by the
hand game of `duels`: a third of what a duel is worth). So both captains weigh what is at stake
now against the pips they spend, and their best mixes follow from that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from kibitz.bots.evaluations.kahmate.judging import TRY, prospect
from kibitz.core.game import Seat
from kibitz.games.kahmate.board import is_in_goal
from kibitz.games.kahmate.duels import Mix, equilibrium
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules import (
    exits,
    hand_of,
    interceptors,
    landings,
    man_at,
    modifiers,
    points_of,
)
from kibitz.games.kahmate.state import (
    CARDS,
    Dropping,
    Duelling,
    Exiting,
    Field,
    Hand,
    Man,
    Mover,
    Passing,
    Playing,
    State,
    other_side,
)

PIP = 30.0
"""What a pip more in hand is worth."""
FINEST = 16
"""Stakes are rounded, so that what has been worked out for one duel serves for others."""
LEAST, MOST = 4, 6
"""Within what a pip is taken to be worth, in those parts of half the stake."""


class Stakes(NamedTuple):
    """What the captain on turn has when he loses a duel, just wins it, or wins it by two."""

    lost: float
    won: float
    perfect: float


class Bout(NamedTuple):
    attacker: Mix
    defender: Mix
    value: Fraction
    """From -1, lost, to 1, won by two."""
    payoffs: Mapping[tuple[int, int], Fraction]
    """The same by the attacker's card and the defender's, what they spend reckoned in."""


def stakes(options: Options, state: State, duel: Duelling) -> Stakes:
    match duel.contest:
        case "T":
            return _tackle(options, state, duel.attacker, duel.defender)
        case "F":
            return _force(options, state, duel.attacker, duel.defender)
        case "I":
            assert duel.receiver is not None
            through = prospect(options, _with_ball(state, duel.receiver))
            return Stakes(prospect(options, _with_ball(state, duel.defender)), through, through)


def card_mix(options: Options, state: State, duel: Duelling, seat: Seat) -> Mix:
    """How often to play each card."""
    both = bout(options, state, duel, stakes(options, state, duel))
    return both.attacker if seat == state.turn else both.defender


def worth_in_turn(options: Options, state: State) -> float:
    """What a position is worth to the captain on turn, tries apart."""
    match state.phase:
        case Playing():
            return prospect(options, state)
        case Passing(passer, receiver):
            return worth_of_pass(options, state, passer, receiver)
        case Duelling() as duel:
            return worth_of_duel(options, state, duel)
        case Exiting(charger, beaten):
            return _best_exit(options, state, charger, beaten)
        case Dropping(fallen, against):
            return _best_drop(options, state, fallen, against)
    return 0.0


def worth_of_duel(options: Options, state: State, duel: Duelling) -> float:
    """What the captain on turn can expect of it."""
    at_stake = stakes(options, state, duel)
    half = (at_stake.perfect - at_stake.lost) / 2
    return at_stake.lost + half * float(1 + bout(options, state, duel, at_stake).value)


def worth_of_pass(options: Options, state: State, passer: int, receiver: int) -> float:
    """The other captain lets it go or jumps in, whichever is worse."""
    jumps = (
        worth_of_duel(options, state, Duelling("I", passer, at, receiver))
        for at in interceptors(options, state, passer, receiver)
    )
    return min([prospect(options, _with_ball(state, receiver)), *jumps])


def bout(options: Options, state: State, duel: Duelling, at_stake: Stakes) -> Bout:
    attack, defence = modifiers(state.field, duel)
    hands = hand_of(state, state.turn), hand_of(state, other_side(state.turn))
    half = max(1.0, (at_stake.perfect - at_stake.lost) / 2)
    pip = min(MOST, max(LEAST, round(FINEST * PIP / half)))
    narrow = min(4, max(0, round(2 * (at_stake.won - at_stake.lost) / half)))
    exact = options.perfect == "exact"
    return _bout(attack - defence, *hands, pip, narrow, exact=exact, second=duel.round == 2)


@lru_cache(1 << 12)
def _bout(
    edge: int, attacker: Hand, defender: Hand, pip: int, narrow: int, *, exact: bool, second: bool
) -> Bout:
    def value(mine: int, theirs: int) -> Fraction:
        margin = mine + edge - theirs
        spent = Fraction(pip * (theirs - mine), FINEST)
        if margin == 0 and not second:
            left = _without(attacker, mine), _without(defender, theirs)
            return _bout(edge, *left, pip, narrow, exact=exact, second=True).value + spent
        if margin <= 0:
            return spent - 1
        perfect = margin == 2 or (margin > 2 and not exact)
        return spent + 1 if perfect else spent + Fraction(narrow - 2, 2)

    table = [[value(mine, theirs) for theirs in defender] for mine in attacker]
    attacks, defends = equilibrium(table)
    expected = sum(
        (
            p * q * (payoff - Fraction(pip * (theirs - mine), FINEST))
            for mine, p, row in zip(attacker, attacks, table, strict=True)
            for theirs, q, payoff in zip(defender, defends, row, strict=True)
        ),
        Fraction(0),
    )
    return Bout(
        dict(zip(attacker, attacks, strict=True)),
        dict(zip(defender, defends, strict=True)),
        expected,
        {
            (mine, theirs): payoff
            for mine, row in zip(attacker, table, strict=True)
            for theirs, payoff in zip(defender, row, strict=True)
        },
    )


def _without(hand: Hand, card: int) -> Hand:
    return tuple(other for other in hand if other != card) or CARDS


def _tackle(options: Options, state: State, tackler: int, tackled: int) -> Stakes:
    state = replace(state, movers=moved(state, tackler, tackler, 0), phase=Playing())
    down = _fallen(state, tackled)
    return Stakes(
        lost=prospect(options, _fallen(state, tackler)),
        won=_best_drop(options, down, tackled, tackler),
        perfect=prospect(options, _with_ball(down, tackler)),
    )


def _force(options: Options, state: State, charger: int, through: int) -> Stakes:
    spent = replace(state, movers=moved(state, charger, charger, 0))
    lost = _best_drop(options, _fallen(spent, charger), charger, through)
    won = _best_exit(options, _fallen(state, through), charger, through)
    return Stakes(lost, won, won)


def _best_exit(options: Options, state: State, charger: int, beaten: int) -> float:
    return max(
        TRY if is_in_goal(at) else prospect(options, run(state, charger, at, 2))
        for at in exits(state, beaten)
    )


def _best_drop(options: Options, state: State, fallen: int, against: int) -> float:
    """For the captain of the fallen man, who chooses where there is a choice."""
    side = man_at(state, fallen).side
    squares = landings(side, fallen, against)
    values = (prospect(options, _with_ball(state, at)) for at in squares)
    return max(values) if side == state.turn else min(values)


def _with_ball(state: State, square: int) -> State:
    return replace(state, ball=square, phase=Playing())


def _fallen(state: State, square: int) -> State:
    man = man_at(state, square)
    down = replace(man, down=2 if man.side == state.turn else 1)
    return replace(state, field=_put(state.field, square, down))


def run(state: State, origin: int, target: int, points: int) -> State:
    """A man goes there at the cost of so many points, with the ball if he has it."""
    field = _put(_put(state.field, origin, None), target, state.field[origin])
    left = points_of(state, origin) - points
    ball = target if state.ball == origin else state.ball
    movers = moved(state, origin, target, left)
    return State(
        field,
        state.turn,
        Playing(),
        movers,
        ball,
        state.hands,
        state.score,
        state.turns,
        state.hold,
    )


def moved(state: State, origin: int, target: int, points: int) -> tuple[Mover, ...]:
    others = (mover for mover in state.movers if mover.square != origin)
    return tuple(sorted((*others, Mover(target, points)), key=lambda mover: mover.square))


def _put(field: Field, square: int, man: Man | None) -> Field:
    return (*field[:square], man, *field[square + 1 :])
