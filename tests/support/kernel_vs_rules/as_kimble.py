"""The kernel beside the rules: whole games, and positions where rare things happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from games.as_kimble import reference
from games.as_kimble.test_reference import EXAMPLE_3, EXAMPLE_9, EXAMPLE_10, START
from kibitz.core.game import CHANCE, Game
from kibitz.core.jit import i64
from kibitz.core.message import Refused
from kibitz.games.as_kimble import AS_KIMBLE, kernel
from kibitz.games.as_kimble.actions import (
    Action,
    Completion,
    Move,
    PassOn,
    Pop,
    Raise,
    ResetPop,
    Return,
    Vote,
)
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.rules.book import MAX_COUNT
from kibitz.games.as_kimble.state import (
    Choosing,
    Colours,
    GameOver,
    Lots,
    Popping,
    Returning,
    State,
    Voting,
    book_of,
    side_of,
    way_occupant,
)
from laws.laws import some_options
from support.kernel_vs_rules.match import agree, number, side_by_side

ACTORS = (*TEAMS, CHANCE)
TURN = {"pace": "turn"}
SKIP = {"finished": "skip", "pace": "turn"}
REAL = {"mode": "companion"}
PLACED = "g1,g2,g3,g4"
SCENES: list[tuple[dict[str, Any], str]] = [
    ({}, EXAMPLE_3),
    ({"team_size": [1, 2, 1, 1]}, EXAMPLE_3.replace("----", "!+!-")),
    (TURN, EXAMPLE_3.replace("/0+0", f"/{MAX_COUNT - 2}+0", 1)),
    ({}, EXAMPLE_9),
    ({"raise_return": "rearmost"}, EXAMPLE_9),
    ({}, EXAMPLE_9.replace("t0,t12", "t1,t12").replace("/t20,t8", "/t0,t8")),
    ({}, EXAMPLE_10.replace(" 1:", f" {MAX_COUNT}:").replace("M6", "VBG")),
    ({"refusal": "final"}, EXAMPLE_10.replace("M6", "VBG")),
    # Mines: the only move, with a six and with less; two of them
    ({}, "t1,g2,g3,g4/h3,t7/h4/h4 R:M6 d6 3+0/0+0/0+0/0+0 1:- ---- -"),
    ({}, "t3x2,g2,g4/h1,t7x3/h4/h4 R:M4 d4 3+0/0+0/0+0/0+0 1:- ---- -"),
    ({}, "t1,t8,g3,g4/h3,t7/h3,t14/h4 R:M6 d6 0+0/0+0/0+0/0+0 1:- ---- -"),
    # Multiplied pieces reach the goal
    ({}, "t25x3,g1/h4/h4/h4 R:M4 d4 0+0/0+0/0+0/0+0 1:- ---- -"),
    ({}, "h1,t25x3/h4/h4/h4 R:M3 d3 0+0/0+0/0+0/0+0 1:- ---- -"),
    # Who has placed all
    (SKIP, f"{PLACED}/{PLACED}/{PLACED}/t20,g1,g2,g3 Y:N3 d- 1+0/2+0/1+0/0+0 1:- ---- -"),
    (SKIP, f"{PLACED}/{PLACED}/{PLACED}/{PLACED} Y:P1 d- 3+0/2+0/3+0/4+0 1:- ---- -"),
    (SKIP, f"t5,t6,t8,t9/{PLACED}/{PLACED}/{PLACED} R:M1 d1 0+0/2+0/1+0/9+0 1:- ---- -"),
    (SKIP, f"t5,t6,t8,t9/{PLACED}/{PLACED}/t15,g1,g2,g3 G:P1 d1 0+0/2+0/2+0/9+0 1:- ---- -"),
    (SKIP, f"t21,g1,g2,g4/{PLACED}/{PLACED}/t15,g1,g2,g3 R:P1 d1 0+0/2+0/2+0/9+0 1:- ---- -"),
    (SKIP, f"h4/{PLACED}/{PLACED}/h4 R:P1 d1 0+0/2+0/2+0/0+0 1:- ---- -"),
    (SKIP, f"h4/{PLACED}/h4/h4 R:P1 d1 0+0/2+0/2+0/0+0 1:- ---- -"),
    (SKIP, f"{PLACED}/{PLACED}/h3,g1/h3,g1 R:VBY d6 2+0/1+0/0+0/0+0 1:RBYG ---- -"),
    (SKIP, f"{PLACED}/{PLACED}/h3,g1/h3,g1 R:CY d6 2+0/1+0/0+0/0+0 1:R ---- -"),
    (TURN, f"{PLACED}/{PLACED}/h3,g1/h3,g1 R:N1 d1 3+0/1+0/0+0/0+0 1:- ---- -"),
    ({}, f"t0,g1,g2,g3/t6,g1,g2,g3/{PLACED}/h3,g1 R:CBY d6 0+0/0+0/2+0/0+0 1:R ---- -"),
    # A real board: resets, breaks, a win with a reset pending
    (REAL, f"h3,t5/h4/{PLACED}/h4 B:N3 d2>5 0+0/0+0/1+0/0+0 1:- ---- -"),
    (REAL, f"h3,t5/h4/{PLACED}/h4 B:N3 d2>5 0+0/0+0/1+0/0+0 1:- ---- b"),
    # Books that can grow no further, and more owed than is listed
    ({}, f"h4/h4/h4/h4 R:N3 d- 5+{MAX_COUNT - 1}/3+{MAX_COUNT}/{MAX_COUNT}+0/300+7 1:- !--- -"),
    (TURN, f"h4/h4/h4/h4 R:N1 d- 0+0/3+{MAX_COUNT}/{MAX_COUNT}+0/0+0 1:- --!- -"),
    ({}, START.replace("R:N3 d-", "S:3/3/33/3 d3")),
    ({}, START.replace("R:N3 d-", "S:114/11/6/5 d4")),
    ({}, START.replace("R:N3 d-", "S:1/1/66/66 d6")),
    (REAL, START.replace("R:N3 d-", "S:4/4/1/1 d1")),
    (REAL, START.replace("R:N3 d-", "K:bd d1")),
]
"""Options and positions; whatever may be done in them is done."""


def whole_games(seeds: Iterable[int], most: int) -> None:
    for seed in seeds:
        rng = Random(seed)
        side_by_side(AS_KIMBLE.game(some_options(AS_KIMBLE, rng)), kernel, rng, most)


def compare(seeds: Iterable[int], steps: int = 2) -> Counter[str]:
    """Play on from positions, in both; what was met."""
    met = Counter[str]()
    for options, position in SCENES:
        game = AS_KIMBLE.game(options)
        met += walk(game, game.notation.read_state(position), Random(0), 2)
    for seed in seeds:
        rng = Random(seed)
        given = reference.random_options(rng)
        position = reference.random_position(rng, given)
        try:
            game = AS_KIMBLE.game(given)
            state = game.notation.read_state(position)
        except Refused:
            continue
        met += walk(game, state, rng, steps)
    return met


def walk(game: Game[Any, Any, Any], state: State, rng: Random, steps: int) -> Counter[str]:
    """Do all that may be done in a position, then go on with some of it."""
    options, met = kernel.option_codes(game.options), Counter[str]()
    packed, done, fresh = kernel.blank(), kernel.blank(), kernel.blank()
    kernel.pack(state, packed)
    for _ in range(steps):
        agree(game, kernel, options, state, packed)
        where, after = game.notation.write_state(state), list[State]()
        for actor, action in possible(game, state, rng):
            kernel.copy(packed, done)
            kernel.resolve(options, done, number(game, actor), i64(kernel.pack_action(action)))
            step = game.rules.resolve(state, actor, action)
            kernel.pack(step.state, fresh)
            assert kernel.unpack(done) == step.state, (
                f"{where} {game.notation.write_action(action)}"
            )
            assert kernel.key(options, done) == kernel.key(options, fresh), where
            met.update(event.message.id.removeprefix("as-kimble.") for event in step.events)
            met.update(rarities(game.options, state, action, step.state))
            after.append(step.state)
        if not after:
            break
        state = rng.choice(after)
        kernel.pack(state, packed)
    return met


def possible(game: Game[Any, Any, Any], state: State, rng: Random) -> Iterator[tuple[str, Action]]:
    """All turn actions, and a few of those that need no turn."""
    for actor in ACTORS:
        for action in game.rules.turn_actions(state, actor):
            yield actor, action
        listed = game.rules.anytime_actions(state, actor)
        for action in (*listed[:4], *rng.sample(listed[4:], min(1, len(listed[4:])))):
            yield actor, action


def rarities(options: Any, before: State, action: Action, after: State) -> Iterator[str]:
    """What is rare about this action, beyond what its events say."""
    phase, then = before.phase, after.phase
    if isinstance(then, GameOver):
        yield f"won by {type(action).__name__}"
        if before.die.wanted_face:
            yield "won with a reset pending"
    if after.books != before.books:
        for book, now in zip(before.books, after.books, strict=True):
            if MAX_COUNT in (now.owed, now.done) and now != book:
                yield "a full book"
    if after.raises.round == MAX_COUNT and isinstance(phase, Voting) and isinstance(then, Choosing):
        yield "the last round"
    match action, phase, then:
        case Completion(team), Returning(pending=pending), Returning() if (
            team in pending and side_of(after, team).is_placed and not book_of(after, team).owed
        ):
            yield "no win while pending"
        case Vote(is_yes=False), _, Popping():
            yield "refused to no use"
        case Vote(is_yes=False), _, Choosing() if after.raises.is_closed > before.raises.is_closed:
            yield "refused for good"
        case Raise(team), _, _:
            yield from _rules_of_raise(before, after, team)
        case Return(), Returning(pending=pending), _:
            yield f"{len(pending)} to return"
        case PassOn(), Popping(), _:
            yield "a turn passed"
        case Move(), Choosing(number=number), _:
            yield from _rules_of_move(before, after, action, number)
    if isinstance(phase, Lots) and isinstance(then, Colours) and max(map(len, phase.pops)) > 2:
        yield "ties of lots"
    if isinstance(action, Pop) and isinstance(phase, Popping) and isinstance(then, Popping):
        yield from _rules_of_pop(options, before, phase, then)
    if any(mark == "+" and now == "!" for mark, now in zip(before.hembo, after.hembo, strict=True)):
        yield "a duty opened again"
    if isinstance(action, ResetPop) and action.face != before.die.wanted_face:
        yield "a reset that failed"


def _rules_of_pop(options: Any, before: State, phase: Popping, then: Popping) -> Iterator[str]:
    ahead = (TEAMS.index(then.team) - TEAMS.index(phase.team)) % 4
    if not ahead:
        yield f"{then.pops} pops after one of {phase.pops}"
        return
    yield f"{ahead - 1} skipped"
    if options["finished"] == "skip" and all(side.is_placed for side in before.sides):
        yield "all placed and none skipped"


def _rules_of_raise(before: State, after: State, team: str) -> Iterator[str]:
    met = way_occupant(before, team, 0)
    yield (
        "raised to nobody"
        if met is None
        else ("raised to one's own" if met[0] == team else "raised onto another")
    )
    if isinstance(after.phase, Popping):
        yield "nobody is asked"


def _rules_of_move(before: State, after: State, move: Move, number: int) -> Iterator[str]:
    was, side = side_of(before, move.team), side_of(after, move.team)
    if side.home > was.home:
        yield f"into a mine with {'a six' if number == 6 else 'less'}"
        if number == 6 and not side.ring and isinstance(after.phase, Popping):
            yield "one pop after a mine"
    if move.origin == 28 and was.goal[0] > 1:
        yield "one of several leaves the first goal grid"
    if move.target == 28 and side.goal[0] > 1:
        yield "several come to the first goal grid"
    if move.target > 28 > move.origin and side.goal[0] > was.goal[0] > 0:
        yield "a rest joins the first goal grid"
    for each, now in zip(before.books, after.books, strict=True):
        if now.owed - each.owed > 4:
            yield "a dear meal"


RARE = (
    "lot", "lots-decided", "colours", "ties of lots",
    "entered", "moved-in-goal", "eaten", "into-mine", "doubled", "split", "reached-goal",
    "a dear meal", "into a mine with a six", "into a mine with less", "one pop after a mine",
    "one of several leaves the first goal grid", "several come to the first goal grid",
    "a rest joins the first goal grid",
    "raised", "returned", "raised to nobody", "raised to one's own", "raised onto another",
    "nobody is asked", "1 to return", "2 to return", "3 to return", "no win while pending",
    "proposes", "says-yes", "says-no", "round-agreed", "refused to no use", "refused for good",
    "the last round",
    "passed", "passed-six", "a turn passed", "0 skipped", "1 skipped", "2 skipped",
    "all placed and none skipped",
    "2 pops after one of 3", "1 pops after one of 2", "3 pops after one of 1",
    "hembo-due", "hembo-said", "hembo-missed", "hembo-wrong", "hembo-again", "hembo-needless",
    "a duty opened again",
    "ticked", "did", "a full book", "break", "resume", "reset", "not-reset",
    "won by Move", "won by Completion", "won by Pop", "won by PassOn", "won by Return",
    "won by Vote",
    "won with a reset pending", "over-won", "over-truly",
)  # fmt: skip
"""Messages of events, and what `rarities` calls by a name; all of it must be met."""
