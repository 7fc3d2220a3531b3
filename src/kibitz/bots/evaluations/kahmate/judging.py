"""What a position is worth to the captain on turn."""

from __future__ import annotations

from functools import lru_cache

from kibitz.bots.evaluations.kahmate.reach import (
    WINS,
    Sight,
    sight_in_turn,
    sights,
    spread,
    tacklers,
    try_chance,
    within,
)
from kibitz.core.game import Seat
from kibitz.games.kahmate.board import FILE_COUNT, FORWARD, RANK_COUNT, file_of
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.state import ATTACK, DEFENCE, Field, State

TRY = 1000.0
BALL = 60.0
GROUND = 20.0
"""For each file gained with the ball."""
THREAT = 150.0
"""For a try that would follow next turn if the other side let it."""
RISK = 0.25
"""How much of the risk of a tackle counts: whoever tries one risks something too."""
STALE = 8.0
"""For each turn of a possession that has gained no ground (9.2)."""
OUT = 14.0
"""For a man who misses his side's next turn."""
RACE = 0.7
"""A loose ball that one side can take is worth so much of one that it has."""
FAR = 10
"""Nobody is taken to be more steps than this away from a loose ball."""
SUPPORT, GUARD, ASTRAY = 1.5, 1.5, 4.0
"""For each square a man is away from where he helps: with the ball, against it, outrun by it."""
PERFECT = 0.65
"""How many of the tackles that are won bring the tackler the ball, about."""


def prospect(options: Options, state: State) -> float:
    """What the rest of the turn promises: a try perhaps, or else what ending it now is worth."""
    chance = try_chance(sight_in_turn(state))
    return chance * TRY + (1 - chance) * worth_ended(options, state)


def worth_ended(options: Options, state: State) -> float:
    """What it is worth to end the turn now."""
    return settled(options, state) - danger(state)


def settled(options: Options, state: State) -> float:
    """The same, if the other side could make no try in its turn."""
    stale = _stale_turns(state)
    if stale and stale >= options.hold_limit:
        return -BALL
    return _settled(state.field, state.ball, state.turn) - STALE * stale


def danger(state: State) -> float:
    return _danger(state.field, state.ball, state.turn)


def _stale_turns(state: State) -> int:
    """How many turns without new ground there would be if the turn ended now (9.2)."""
    hold = state.hold
    if not hold or hold.side != state.turn or state.ball is None or not state.field[state.ball]:
        return 0
    gained = (file_of(state.ball) - hold.best) * FORWARD[state.turn]
    return 0 if gained > 0 else hold.count + 1


@lru_cache(1 << 14)
def _danger(field: Field, ball: int | None, turn: Seat) -> float:
    _, theirs = _sights(field, ball, turn)
    return TRY * try_chance(theirs)


@lru_cache(1 << 14)
def _settled(field: Field, ball: int | None, turn: Seat) -> float:
    mine, theirs = _sights(field, ball, turn)
    men = OUT * (len(mine.runners) - len(theirs.runners))
    if not mine.ball:
        return men
    if mine.ball & mine.own:
        return men + _held(mine) - SUPPORT * _lag(mine)
    if mine.ball & mine.foes:
        return men - _with_ball(theirs) - _out_of_place(mine)
    return men + _race(mine, theirs) - SUPPORT * _lag(mine) / 2


_sights = lru_cache(1 << 10)(sights)


def _with_ball(sight: Sight) -> float:
    """For the side that has it."""
    return BALL + GROUND * (_file(sight.ball) - 1)


def _held(mine: Sight) -> float:
    """The ball is mine, but the others may tackle before I go on."""
    chances = sorted(
        WINS[ATTACK[man.kind] - DEFENCE[mine.kinds[mine.ball]]]
        for man in tacklers(mine, mine.ball, mine.chasers)
    )
    kept = 1.0
    for chance in chances[-2:]:
        kept *= 1 - RISK * chance * (PERFECT if mine.ball >> RANK_COUNT & mine.own else 1)
    lost = BALL + GROUND * (FILE_COUNT - 2 - _file(mine.ball))
    return kept * (_with_ball(mine) + THREAT * try_chance(mine)) - (1 - kept) * lost


def _race(mine: Sight, theirs: Sight) -> float:
    """The ball is loose, and the others are the first to run for it."""
    away = [spread(reached) for reached in within(mine.ball, mine.free, FAR)]
    turns_of = [
        min((_steps(away, man.bit) / man.points for man in men), default=99.0)
        for men in (mine.runners, mine.chasers)
    ]
    if turns_of[1] <= max(1.0, turns_of[0]):
        return -RACE * _with_ball(theirs) / max(1.0, turns_of[1])
    return RACE * _with_ball(mine) / max(1.0, turns_of[0])


def _steps(away: list[int], bit: int) -> int:
    return next((steps for steps, reached in enumerate(away, 1) if bit & reached), len(away))


def _lag(mine: Sight) -> float:
    """How far partners are from where the ball can be passed to."""
    file, rank = _file(mine.ball), _rank(mine.ball)
    lag = 0.0
    for man in mine.runners:
        behind, aside = file - _file(man.bit), abs(rank - _rank(man.bit))
        lag += max(0, behind - 2, -behind) + max(0, aside - 2)
    return lag


def _out_of_place(mine: Sight) -> float:
    """How far men are from between the ball and their own line."""
    file, rank = _file(mine.ball), _rank(mine.ball)
    cost = 0.0
    for man in mine.runners:
        behind, aside = file - _file(man.bit), abs(rank - _rank(man.bit))
        cost += ASTRAY * max(0, 1 - behind) + GUARD * (max(0, behind - 3) + aside / 2)
    return cost


def _file(bit: int) -> int:
    return (bit.bit_length() - 1) // RANK_COUNT


def _rank(bit: int) -> int:
    return (bit.bit_length() - 1) % RANK_COUNT
