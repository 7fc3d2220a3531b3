"""Kernel and rules side by side, from positions out of the ordinary and through every action there.

What was met on the way is counted by name, so that a test can say that nothing was missed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from games.kahmate import reference
from kibitz.core.bits import mix_bits, next_die
from kibitz.core.jit import i64, u64
from kibitz.core.message import Refused
from kibitz.games import GAMES
from kibitz.games.kahmate import kernel
from kibitz.games.kahmate.actions import (
    Action,
    Ball,
    Card,
    Decline,
    Drop,
    End,
    Exit,
    Force,
    Intercept,
    Kick,
    Pass,
    Placement,
    Step,
    Tackle,
)
from kibitz.games.kahmate.board import (
    FORWARD,
    IN_GOAL,
    NEIGHBOURS,
    file_of,
    is_in_goal,
    offset,
    rank_of,
    square_beyond,
)
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules import (
    holder,
    interceptors,
    man_at,
    men_of,
    modifiers,
    mover_at,
    partner_ahead,
    points_of,
    tries_needed,
    why_not_charge,
)
from kibitz.games.kahmate.state import (
    CARDS,
    BallDrawing,
    Dropping,
    Duelling,
    Exiting,
    MatchOver,
    Passing,
    Playing,
    State,
)
from support.kernel_vs_rules.match import agree, number, side_by_side

KAHMATE = GAMES["kahmate"]


def whole_matches(seed: int, matches: int, turns: int = 40) -> int:
    """Under all kinds of options, the first as tables have them; how many actions there were."""
    rng = Random(seed)
    played = 0
    for _ in range(matches):
        options = {**reference.random_options(rng), "turn_limit": turns}
        played += side_by_side(KAHMATE.game(options), kernel, rng)
    return played


def compare(seed: int, positions: int) -> Counter[str]:
    """From so many positions a few actions on; what was met."""
    rng, met, keys = Random(seed), Counter[str](), dict[int, State]()
    while positions:
        options = reference.random_options(rng)
        game = KAHMATE.game(options)
        try:
            state = game.notation.read_state(reference.random_position(rng, options))
        except Refused:  # It is wrong on purpose now and then.
            continue
        positions -= 1
        if state.turns > 10**18:  # Nobody counts so far.
            state = replace(state, turns=state.turns % 10**18)
        for _ in range(rng.choice((1, 2, 6))):
            following = compare_at(game, state, met, keys)
            if not following:
                break
            state = random_successor(rng, following)
    return met


def random_successor(rng: Random, following: list[tuple[Action, State]]) -> State:
    """No kind of action is rare."""
    kinds: dict[type[Action], list[State]] = {}
    for action, after in following:
        kinds.setdefault(type(action), []).append(after)
    return rng.choice(kinds[rng.choice(list(kinds))])


def compare_at(
    game: Any, state: State, met: Counter[str], keys: dict[int, State]
) -> list[tuple[Action, State]]:
    """What both say of a position, and what every action there leads to."""
    options, codes, where = Options(**game.options), kernel.option_codes(game.options), str(state)
    packed, copied = kernel.blank(), kernel.blank()
    kernel.pack(state, packed)
    agree(game, kernel, codes, state, packed)
    met[f"in {type(state.phase).__name__}"] += 1
    met.update(refusals(options, state))
    following: list[tuple[Action, State]] = []
    for actor in game.rules.to_act(state):
        actions = game.rules.turn_actions(state, actor)
        assert_picks(game, codes, packed, [kernel.pack_action(action) for action in actions])
        for action in actions:
            after = game.rules.resolve(state, actor, action).state
            kernel.copy(packed, copied)
            assert as_bytes(copied) == as_bytes(packed)
            code = i64(kernel.pack_action(action))
            kernel.resolve(codes, copied, number(game, actor), code)
            assert kernel.unpack(copied) == after, f"{where} {action}"
            fresh = kernel.blank()
            kernel.pack(after, fresh)
            assert as_bytes(copied) == as_bytes(fresh), f"{where} {action}"
            key = int(kernel.key(codes, copied))
            assert keys.setdefault(key, after) == after, f"{where} {action}: one key for two"
            met.update(rules_met(options, state, action, after))
            following.append((action, after))
    assert kernel.unpack(packed) == state, where
    return following


def as_bytes(packed: Any) -> bytes:
    """Equal states are equal byte for byte, also where the field is said twice."""
    said: bytes = packed.tobytes()
    return said


def assert_picks(game: Any, codes: Any, packed: Any, listed: list[int]) -> None:
    """Each listed action has its share of what a die can show, to the last number."""
    share = [-(-(n << 32) // len(listed)) << 32 for n in range(len(listed) + 1)]
    lowest = [int(kernel.pick(codes, packed, u64(shown))) for shown in share[:-1]]
    highest = [int(kernel.pick(codes, packed, u64(shown - 1))) for shown in share[1:]]
    assert sorted(lowest) == sorted(listed)
    assert highest == lowest


def played_by_the_rules(game: Any, seed: int) -> tuple[int, State]:
    """What `playout` plays, looked up among the actions of the rules: how many, and the end."""
    codes, packed = kernel.option_codes(game.options), kernel.blank()
    state: State = game.rules.start()
    kernel.pack(state, packed)
    die, played = u64(seed), 0
    while not game.rules.outcome(state):
        (actor,) = game.rules.to_act(state)
        die = u64(next_die(die))
        code = kernel.pick(codes, packed, u64(mix_bits(die)))
        action = kernel.unpack_action(int(code))
        assert action in game.rules.turn_actions(state, actor)
        kernel.resolve(codes, packed, number(game, actor), i64(code))
        state, played = game.rules.resolve(state, actor, action).state, played + 1
    return played, state


def perft(game: Any, state: State, depth: int) -> int:
    """By the rules."""
    total = 0
    for actor in game.rules.to_act(state):
        actions = game.rules.turn_actions(state, actor)
        if depth == 1:
            return len(actions)
        for action in actions:
            total += perft(game, game.rules.resolve(state, actor, action).state, depth - 1)
    return total


# What is met


def refusals(options: Options, state: State) -> Iterator[str]:
    """Why something in play is not listed that nearly is."""
    if state.phase != Playing():
        return
    man, ball = holder(state), state.ball
    for at, each in men_of(state.field, state.turn):
        if not each.down and not points_of(state, at):
            yield "a mover without points" if mover_at(state, at) else "a third man"
        if not each.down and at != ball and any(is_in_goal(near) for near in NEIGHBOURS[at]):
            yield "no ball to enter in-goal with"
    if man is None or ball is None or man.side != state.turn:
        return
    if man.down:
        yield "the holder is down"
        return
    if partner_ahead(state, ball) is not None:
        yield "a partner is ahead of the kicker"
    for near in NEIGHBOURS[ball]:
        other = state.field[near]
        if other is None or other.side == state.turn:
            continue
        if points_of(state, ball) == 1:
            yield "one point is too few to charge"
        if points_of(state, ball) > 1:
            refusal = why_not_charge(options, state, ball, near)
            yield refusal.id.removeprefix("kahmate.") if refusal else "a charge"


def rules_met(options: Options, before: State, action: Action, after: State) -> Iterator[str]:
    """Which rules an action met."""
    match action, before.phase:
        case Placement(), _:
            yield f"place, then {type(after.phase).__name__}"
        case Ball(), _:
            yield f"the ball is drawn {_on(before, after)}"
        case Step(origin, target), _:
            squares = [[mover.square for mover in state.movers] for state in (before, after)]
            # Whoever fetches the ball from an in-goal stays where he is.
            if origin in squares[0] and target in squares[1] and len(squares[1]) == 2:
                is_past = squares[0].index(origin) != squares[1].index(target)
                yield "a mover passes the other" if is_past else "a mover goes on"
            yield from _rules_of_run(options, before, origin, target, after)
        case Tackle(_, target), _:
            yield "tackle a man who is down" if man_at(before, target).down else "tackle"
            yield from _hold_ends(before, "tackle")
        case Force(origin, target), _:
            yield from _charge(before, origin, target)
            yield from _hold_ends(before, "force")
        case Pass(origin, target), _:
            aside = abs(rank_of(target) - rank_of(origin))
            back = abs(file_of(target) - file_of(origin))
            yield f"pass {back}, {aside} {len(interceptors(options, before, origin, target))}"
        case Kick(_, target), _:
            yield f"kick{' into in-goal' * is_in_goal(target)}, {options.kick_shape}"
        case Intercept(square), Passing() as passing:
            crossed = interceptors(options, before, passing.passer, passing.receiver)
            yield f"intercept as number {crossed.index(square)}"
            yield from _hold_ends(before, "interception")
        case Decline(), Exiting():
            yield "stays after a charge"
        case Decline(), _:
            yield "let go"
        case Card(card), Duelling() as duel:
            yield from _card(options, before, duel, card, after)
        case Exit(square), Exiting(charger, beaten):
            yield "exit straight on" if square == square_beyond(charger, beaten) else "exit aside"
            yield from _rules_of_run(options, before, charger, square, after)
        case Drop(), _:
            yield f"dropped {_on(before, after)}"
        case End(), _:
            yield from _rules_of_end(options, before, after)


def _on(before: State, after: State) -> str:
    taker = holder(after)
    if taker is None:
        return "loose"
    return f"on a man {'of the side on turn' if taker.side == before.turn else 'of the other'}"


def _hold_ends(before: State, by: str) -> Iterator[str]:
    if before.hold:
        yield f"hold ends by {by}"


def _rules_of_run(
    options: Options, before: State, origin: int, target: int, after: State
) -> Iterator[str]:
    if file_of(target) == IN_GOAL[before.turn]:
        yield "fetches the ball from in-goal"
        return
    if before.ball == target:
        yield "touches the ball down" if is_in_goal(target) else "picks up the ball"
    if not is_in_goal(target):
        return
    if isinstance(after.phase, MatchOver):
        by = "tries" if max(after.score) == tries_needed(options, after) else "the limit"
        yield f"a try, and over by {by}: {after.phase.result}"
    else:
        yield f"a try, and {type(after.phase).__name__}, {after.turn} begins"


def _charge(before: State, charger: int, through: int) -> Iterator[str]:
    behind = square_beyond(charger, through)
    if man_at(before, through).down:
        yield "charge a man who is down"
    if behind is None:
        yield "charge towards the edge"
    elif is_in_goal(behind):
        yield "charge towards in-goal"
    elif blocker := before.field[behind]:
        yield f"charge with {'a partner' if blocker.side == before.turn else 'another'} beyond"


def _card(
    options: Options, before: State, duel: Duelling, card: int, after: State
) -> Iterator[str]:
    if duel.card is None:
        yield "commit"
        return
    attack, defend = modifiers(before.field, duel)
    margin, contest = duel.card + attack - card - defend, duel.contest
    is_refilled = len(before.hands[0]) == 1
    if is_refilled:
        assert after.hands == (CARDS, CARDS)
        yield "refill"
    if isinstance(after.phase, Duelling):
        yield f"{contest} tie"
        if is_refilled:
            yield "refill between rounds"
        return
    if margin == 0:
        yield f"{contest} second tie"
    by = "2 or more" if margin > 2 and options.perfect == "atleast" else str(min(margin, 3))
    yield f"{contest} by {by if margin > 0 else 'none'}"
    if man_at(before, duel.defender).down:
        yield f"{contest} {'won' if margin > 0 else 'lost'} against a man who is down"
    is_drop = contest == "F" and margin <= 0
    is_drop = is_drop or (contest == "T" and margin > 0 and after.ball != duel.attacker)
    if is_drop:
        fallen, against = duel.defender, duel.attacker
        if contest == "F":
            fallen, against = against, fallen
        yield f"{contest} {_landing(before, fallen, against, after)}"


def _landing(before: State, fallen: int, against: int, after: State) -> str:
    if isinstance(after.phase, Dropping):
        return "the captain chooses"
    side = man_at(before, fallen).side
    if after.ball == offset(fallen, -FORWARD[side], 0):
        return f"behind {_on(before, after)}"
    if after.ball == square_beyond(against, fallen):
        return f"to the far side {_on(before, after)}"
    return f"to the only side {_on(before, after)}"


def _rules_of_end(options: Options, before: State, after: State) -> Iterator[str]:
    marks = {man.down for _, man in men_of(before.field, before.turn)}
    yield from (f"mark {mark} goes down" for mark in marks - {0})
    if isinstance(after.phase, MatchOver):
        yield f"over by the limit: {after.phase.result}"
    elif isinstance(after.phase, BallDrawing):
        yield f"{before.turn} is stale"
    elif options.hold_limit:
        yield f"hold {_kind(before)} to {_kind(after)}"
        if before.hold and after.hold and before.hold.side == after.hold.side:
            yield f"{after.hold.side} {'gains' if before.hold.best != after.hold.best else 'sits'}"


def _kind(state: State) -> str:
    return "-" if state.hold is None else state.hold.side


SELDOM: tuple[tuple[str, dict[str, Any]], ...] = (
    # a try on the last turn
    ("13/11O1/13/13/13/13/13/1o11 R play - l2 1/3 1-0 8 -", {"tries": 3, "turn_limit": 9}),
    ("13/11O1/13/13/13/13/13/1o11 R play - l2 1/3 0-1 8 -", {"tries": 3, "turn_limit": 9}),
    ("13/11O1/13/13/13/13/13/1o11 R play - l2 1/3 0-2 8 -", {"tries": 3, "turn_limit": 9}),
    ("13/11O1/13/13/13/13/13/1o11 R play - l2 1/3 1-0 8 -", {"tries": 3}),
    ("13/11O1/13/13/13/13/13/1o11 B play - b8 1/3 1-0 8 -", {"tries": 3}),
    # a man falls in the corner, and somebody stands on the only square for the ball
    ("1Fo10/1s11/13/13/13/13/13/13 R duel:F:b1>b2:1:1 b1:4 b1 1346/3456 0-0 9 -", {}),
    ("1FO10/1s11/13/13/13/13/13/13 R duel:F:b1>b2:1:1 b1:4 b1 1346/3456 0-0 9 -", {}),
    ("1Fo10/1s11/13/13/13/13/13/13 B duel:T:b2>b1:1:4 b2:0 b1 1346/3456 0-0 9 -", {}),
    ("1FO10/1s11/13/13/13/13/13/13 B duel:T:b2>b1:1:4 b2:0 b1 1346/3456 0-0 9 -", {}),
    # on the goal line, and the far side is free or taken
    ("13/1F11/1s11/13/13/13/13/13 R duel:F:b2>b3:1:1 b2:4 b2 1346/3456 0-0 9 -", {}),
    ("1o11/1F11/1s11/13/13/13/13/13 R duel:F:b2>b3:1:1 b2:4 b2 1346/3456 0-0 9 -", {}),
    ("1O11/1F11/1s11/13/13/13/13/13 R duel:F:b2>b3:1:1 b2:4 b2 1346/3456 0-0 9 -", {}),
    ("1o11/1F11/1s11/13/13/13/13/13 B duel:T:b3>b2:1:4 b3:0 b2 1346/3456 0-0 9 -", {}),
    ("1O11/1F11/1s11/13/13/13/13/13 B duel:T:b3>b2:1:4 b3:0 b2 1346/3456 0-0 9 -", {}),
    ("13/1F11/1s11/13/13/13/13/13 B duel:T:b3>b2:1:4 b3:0 b2 1346/3456 0-0 9 -", {}),
    # in front of the goal line his captain chooses
    ("13/1Fs10/13/13/13/13/13/13 R duel:F:b2>c2:1:1 b2:4 b2 1346/3456 0-0 9 -", {}),
    ("13/1Fs10/13/13/13/13/13/13 B duel:T:c2>b2:1:4 c2:0 b2 1346/3456 0-0 9 -", {}),
    ("1F11/1s11/13/13/13/13/13/13 R duel:F:b1>b2:1:1 b1:4 b1 1346/3456 0-0 9 -", {}),
    ("1F11/1s11/13/13/13/13/13/13 B duel:T:b2>b1:1:4 b2:0 b1 1346/3456 0-0 9 -", {}),
    # tackled from behind; the last cards are equal; the ball is left behind
    ("13/13/13/4fO7/13/13/13/13 R duel:T:f4>e4:1:4 f4:0 e4 1346/3456 0-0 9 -", {}),
    ("13/13/13/3Tc8/13/11s1/13/13 R duel:T:d4>e4:1:4 d4:0 e4 4/4 0-0 17 -", {}),
    ("13/10o2/13/13/13/13/13/1O11 R play - g2 1/3 0-0 9 R:1:f", {"hold_limit": 3}),
    ("13/10o2/13/13/13/13/13/1O11 B play - g2 1/3 0-0 9 B:1:k", {"hold_limit": 3}),
    # all passes that can be intercepted
    ("13/13/13/5OtC5/5Tsc5/5OS6/13/13 R play - h4 123456/123456 0-0 6 -", {}),
    ("13/13/13/5cTo5/5CSt5/6so5/13/13 B play - f4 123456/123456 0-0 6 -", {}),
    ("13/6O6/7tC4/8o4/6S6/5T7/13/13 R play - i3 123456/123456 0-0 6 -", {"between": "diag"}),
    (
        "13/13/5Oo6/6tC5/13/5T7/13/13 R duel:I:h4~f3@g3:1:6 - h4 123456/123456 0-0 6 -",
        {"perfect": "exact"},
    ),
    # a man beyond
    ("13/13/13/5Ocs5/13/13/13/13 R play - f4 123456/123456 0-0 10 -", {"force_beyond": "exit"}),
    ("13/13/13/5Oc!C5/13/13/13/13 R play - f4 123456/123456 0-0 10 -", {"force_beyond": "any"}),
    ("13/13/13/5Oc!6/13/13/13/13 R play - f4 123456/123456 0-0 10 -", {"force_down": "no"}),
    # the ball lies in-goal, for either side; the captains have played on
    (
        "13/11O1/13/13/13/13/13/1o11 R play - m2 1/3 0-0 8 -",
        {"kick_in_goal": True, "hold_limit": 2},
    ),
    (
        "13/11O1/13/13/13/13/13/1o11 R play - a8 1/3 0-0 8 B:1:a",
        {"kick_in_goal": True, "hold_limit": 2},
    ),
    (
        "13/1O9t1/13/13/13/13/13/13 B play - m2 1/3 0-0 8 R:1:m",
        {"kick_in_goal": True, "hold_limit": 2},
    ),
    ("13/11O1/13/13/13/13/13/1o11 R play - l2 1/3 1-1/2 8 -", {}),
    ("13/10F2/13/13/13/13/13/1o11 R play - k2 1/3 0-0 8 -", {"kick_in_goal": True}),
    (
        "13/10F2/13/13/13/13/13/1o11 R play - k2 1/3 0-0 8 -",
        {"kick_in_goal": True, "kick_shape": "line"},
    ),
    (
        "13/13/6O2To!2/13/8c4/13/13/13 R exit:j3>k3 j3:3 j3 12345/12356 0-0 30 -",
        {"force_exit": "may"},
    ),
)
"""What positions at random bring now and then only."""


def compare_seldom() -> Counter[str]:
    met = Counter[str]()
    for position, options in SELDOM:
        game = KAHMATE.game(options)
        compare_at(game, game.notation.read_state(position), met, {})
    return met


RARE = frozenset(
    """\
B gains
B is stale
B sits
F behind loose
F behind on a man of the other
F behind on a man of the side on turn
F by 1
F by 2
F by 2 or more
F by 3
F by none
F lost against a man who is down
F second tie
F the captain chooses
F tie
F to the far side loose
F to the far side on a man of the other
F to the far side on a man of the side on turn
F to the only side loose
F to the only side on a man of the other
F to the only side on a man of the side on turn
F won against a man who is down
I by 1
I by 2
I by 2 or more
I by 3
I by none
I second tie
I tie
R gains
R is stale
R sits
T behind loose
T behind on a man of the other
T behind on a man of the side on turn
T by 1
T by 2
T by 2 or more
T by 3
T by none
T lost against a man who is down
T second tie
T the captain chooses
T tie
T to the far side loose
T to the far side on a man of the other
T to the far side on a man of the side on turn
T to the only side loose
T to the only side on a man of the other
T to the only side on a man of the side on turn
T won against a man who is down
a charge
a mover goes on
a mover passes the other
a mover without points
a partner is ahead of the kicker
a third man
a try, and Placing, B begins
a try, and Placing, R begins
a try, and over by the limit: B
a try, and over by the limit: R
a try, and over by the limit: draw
a try, and over by tries: B
a try, and over by tries: R
charge a man who is down
charge towards in-goal
charge towards the edge
charge with a partner beyond
charge with another beyond
commit
dropped loose
dropped on a man of the other
dropped on a man of the side on turn
exit aside
exit straight on
force-no-exit
force-opponent-beyond
force-partner-beyond
fetches the ball from in-goal
force-the-down
hold - to -
hold - to B
hold - to R
hold B to -
hold B to B
hold R to -
hold R to R
hold ends by force
hold ends by interception
hold ends by tackle
in BallDrawing
in Dropping
in Duelling
in Exiting
in MatchOver
in Passing
in Placing
in Playing
intercept as number 0
intercept as number 1
kick into in-goal, area
kick into in-goal, line
kick, area
kick, line
let go
mark 1 goes down
mark 2 goes down
no ball to enter in-goal with
one point is too few to charge
over by the limit: B
over by the limit: R
over by the limit: draw
pass 1, 0 0
pass 1, 1 0
pass 1, 2 0
pass 1, 2 1
pass 1, 2 2
pass 2, 0 0
pass 2, 0 1
pass 2, 1 0
pass 2, 1 1
pass 2, 1 2
pass 2, 2 0
pass 2, 2 1
picks up the ball
place, then BallDrawing
place, then Placing
refill
refill between rounds
tackle
tackle a man who is down
stays after a charge
the ball is drawn loose
the ball is drawn on a man of the other
the ball is drawn on a man of the side on turn
the holder is down
touches the ball down
""".splitlines()
)
"""All that can be met."""
