"""A second reading of bots/kahmate/reach.py: how likely a side is to make a try this turn.

Sets of squares are bits of one number, square 0 the lowest, seen so that the side in question
attacks towards the highest file. What is found is an estimate: men are taken to run past one
another, and an interception is not reckoned with.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from kibitz.core.game import Seat
from kibitz.games.kahmate.board import FIELD_SQUARES, RANK_COUNT, SQUARES
from kibitz.games.kahmate.rules import points_of
from kibitz.games.kahmate.state import ATTACK, DEFENCE, POINTS, Field, Man, State, other_side

ALL = (1 << len(SQUARES)) - 1
PLAY = sum(1 << at for at in FIELD_SQUARES)
GOAL = ALL & ~PLAY & ~0xFF
LOWEST = sum(1 << at for at in SQUARES if at % RANK_COUNT == 0)
HIGHEST = LOWEST << RANK_COUNT - 1
NOT_LOWEST, NOT_HIGHEST = ALL & ~LOWEST, ALL & ~HIGHEST
BITS = {"R": [1 << at for at in SQUARES], "B": [1 << at for at in reversed(SQUARES)]}
"""The squares as each side sees them."""
WINS = {-3: 0.25, -2: 0.3, -1: 0.38, 0: 0.47, 1: 0.6, 2: 0.66, 3: 0.75}
"""How often a duel is won, about, by how much greater the attacker's modifier is."""
STEAL = 0.6
"""How often a tackle that is won leads on to the try that it may lead to, about."""


class Runner(NamedTuple):
    """A man who is up."""

    bit: int
    points: int
    kind: str


_runner = lru_cache(None)(Runner)


class Reach(NamedTuple):
    """The field as one side sees it."""

    own: int
    foes: int
    ball: int
    runners: tuple[Runner, ...]
    chasers: tuple[Runner, ...]
    """The other side's runners."""
    kinds: dict[int, str]
    """Of all men, by their bit."""

    @property
    def free(self) -> int:
        return PLAY & ~(self.own | self.foes)


def reaches(field: Field, ball: int | None, turn: Seat) -> tuple[Reach, Reach]:
    """What the side on turn and the other one see once this turn is over."""
    men = [(at, man) for at, man in enumerate(field) if man]
    fresh = {at: POINTS[man.kind] for at, man in men if man.down <= (man.side == turn)}
    return _reach_of(men, ball, turn, fresh), _reach_of(men, ball, other_side(turn), fresh)


def reach_in_turn(state: State) -> Reach:
    """What the side on turn sees, with the points its men have left."""
    men = [(at, man) for at, man in enumerate(state.field) if man]
    mine = {at: points_of(state, at) for at, man in men if man.side == state.turn and not man.down}
    return _reach_of(men, state.ball, state.turn, mine)


def _reach_of(
    men: list[tuple[int, Man]], ball: int | None, side: Seat, points: dict[int, int]
) -> Reach:
    """By the points of those men who are up."""
    bits = BITS[side]
    own = foes = 0
    runners: list[Runner] = []
    chasers: list[Runner] = []
    kinds = {}
    for at, man in men:
        bit = bits[at]
        kinds[bit] = man.kind
        if man.side == side:
            own |= bit
            up = runners
        else:
            foes |= bit
            up = chasers
        if at in points:
            up.append(_runner(bit, points[at], man.kind))
    at_ball = 0 if ball is None else bits[ball]
    return Reach(own, foes, at_ball, tuple(runners), tuple(chasers), kinds)


def spread(bits: int) -> int:
    """These squares and all that share an edge with one of them."""
    return (
        bits
        | bits << RANK_COUNT
        | bits >> RANK_COUNT
        | (bits & NOT_HIGHEST) << 1
        | (bits & NOT_LOWEST) >> 1
    )


def within(bits: int, free: int, steps: int) -> list[int]:
    """Where one gets from these squares by at most 0, 1, 2, ... steps over free ones."""
    reached = [bits]
    for _ in range(steps):
        bits |= spread(bits) & free
        reached.append(bits)
    return reached


def _aside(bits: int, ranks: int) -> int:
    up = down = bits
    for _ in range(ranks):
        up, down = (up & NOT_HIGHEST) << 1, (down & NOT_LOWEST) >> 1
        bits |= up | down
    return bits


def _passers_to(bits: int) -> int:
    """From where a pass reaches one of these squares (5.1)."""
    wide = _aside(bits, 2)
    return (wide << RANK_COUNT | wide << 2 * RANK_COUNT) & PLAY


def _receivers_from(bits: int) -> int:
    wide = _aside(bits, 2)
    return (wide >> RANK_COUNT | wide >> 2 * RANK_COUNT) & PLAY


def _kicks_from(bits: int) -> int:
    wide = _aside(bits, 3)
    return (wide << RANK_COUNT | wide << 2 * RANK_COUNT | wide << 3 * RANK_COUNT) & PLAY


def try_chance(reach: Reach) -> float:
    """How likely the side is to make a try with the points it has; 1 if nothing stops it."""
    if not reach.ball:
        return 0.0
    free = reach.free
    near = within(GOAL, free, 3)
    home = [GOAL, *map(spread, near)]
    scorers = [man for man in reach.runners if man.bit & home[man.points]]
    if reach.ball & reach.foes:
        return _steal_chance(reach, free, scorers)
    carriers = _carriers(reach, free)
    if scorers and _is_open(reach, free, scorers, carriers):
        return 1.0
    return _force_chance(reach, free, near, carriers)


def _carriers(reach: Reach, free: int) -> list[tuple[Runner, list[int]]]:
    """Who can have the ball before he runs, and where he can take it by 0, 1, 2, ... steps."""
    if reach.ball & reach.own:
        reached, men = 0, [man for man in reach.runners if man.bit == reach.ball]
        for man in men:
            reached |= _receivers_from(man.bit)
            men += [each for each in reach.runners if each.bit & reached and each not in men]
        return [(man, within(man.bit, free, man.points)) for man in men]
    away = [reach.ball, *map(spread, within(reach.ball, free, 3))]
    return [
        (man, within(reach.ball, free, man.points - steps))
        for man in reach.runners
        for steps in [next((n for n in range(man.points + 1) if man.bit & away[n]), None)]
        if steps is not None
    ]


def _is_open(
    reach: Reach,
    free: int,
    scorers: list[Runner],
    carriers: list[tuple[Runner, list[int]]],
) -> bool:
    """Whether somebody can run in with the ball, perhaps after others have brought it."""
    held = bool(reach.ball & reach.own)
    for scorer in scorers:
        ready = _ready(scorer, free)
        if any(man is scorer for man, _ in carriers) if held else reach.ball & ready:
            return True
        givers = _passers_to(ready)
        for _ in range(2):
            for man in reach.runners:
                if man.bit & givers and man is not scorer:
                    givers |= _passers_to(man.bit)
        for carrier, taken in carriers:
            if carrier is not scorer:
                foremost = (reach.own & ~carrier.bit).bit_length() - 1
                level = (
                    ALL
                    >> (foremost // RANK_COUNT * RANK_COUNT)
                    << (foremost // RANK_COUNT * RANK_COUNT)
                )
                if taken[-1] & givers or _kicks_from(taken[-1] & level) & free & ready:
                    return True
    return False


def _ready(man: Runner, free: int) -> int:
    """Where he can be with points enough to run in, should he have the ball there."""
    free |= man.bit
    home = [GOAL, *map(spread, within(GOAL, free, man.points - 1))]
    ready = 0
    for squares in within(man.bit, free, man.points):
        ready |= squares & home.pop()
    return ready & PLAY


def _force_chance(
    reach: Reach, free: int, near: list[int], carriers: list[tuple[Runner, list[int]]]
) -> float:
    """The best chance to run in by breaking through one man."""
    best = 0.0
    for man, taken in carriers:
        for steps, squares in enumerate(taken[: max(0, len(taken) - 2)]):
            in_goal_from = near[len(taken) - 3 - steps]
            for foe in _each(spread(squares) & reach.foes & spread(spread(in_goal_from))):
                if spread(foe) & (free | GOAL) & in_goal_from:
                    best = max(best, WINS[ATTACK[man.kind] - DEFENCE[reach.kinds[foe]]])
    return best


def _steal_chance(reach: Reach, free: int, scorers: list[Runner]) -> float:
    """The best chance to tackle the holder and run in with what he drops."""
    drop = reach.ball << RANK_COUNT & free
    best = 0.0
    if drop:
        for tackler in tacklers(reach, reach.ball, reach.runners):
            for scorer in scorers:
                if scorer is not tackler and _ready(scorer, free) & drop:
                    edge = ATTACK[tackler.kind] - DEFENCE[reach.kinds[reach.ball]]
                    best = max(best, STEAL * WINS[edge])
    return best


def tacklers(reach: Reach, holder: int, men: tuple[Runner, ...]) -> list[Runner]:
    """Those who can come next to the holder and have a point left."""
    free = reach.free
    beside = within(spread(holder) & free, free, 2)
    near = [0, spread(holder), *map(spread, beside)]
    return [man for man in men if man.points and man.bit & (near[1] | near[man.points])]


def _each(bits: int) -> list[int]:
    each = []
    while bits:
        each.append(bits & -bits)
        bits &= bits - 1
    return each
