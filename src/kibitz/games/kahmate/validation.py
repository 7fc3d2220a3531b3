"""Validation of a position that is read: could the rules produce it (13.3)?"""

from __future__ import annotations

from collections import Counter

from kibitz.core.message import Refusal, Value, message
from kibitz.games.kahmate.actions import Pass
from kibitz.games.kahmate.board import (
    FIELD_SQUARES,
    FORWARD,
    GOAL_LINE,
    IN_GOAL,
    LINES,
    NEIGHBOURS,
    RANK_COUNT,
    file_of,
    name_of,
    offset,
    rank_of,
)
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules import (
    hand_of,
    interceptors,
    leader,
    men_of,
    mover_at,
    possessing_side,
    tries_needed,
    why_not_charge,
    why_not_pass,
)
from kibitz.games.kahmate.state import (
    POINTS,
    SEATS,
    TEAM,
    BallDrawing,
    Dropping,
    Duelling,
    Exiting,
    Man,
    MatchOver,
    Passing,
    Placing,
    Playing,
    State,
    other_side,
)


def why_not_possible(options: Options, state: State) -> Refusal | None:
    """The first thing that is wrong with a position; None if the rules can produce it."""
    if refusal := _why_not_teams(state) or _why_not_raised(options, state):
        return refusal
    if isinstance(state.phase, MatchOver):
        return _why_not_over(options, state, state.phase.result)
    return _why_not_running(options, state) or _why_not_phase(options, state)


# Every phase


def _why_not_teams(state: State) -> Refusal | None:
    for side in SEATS:
        extra = Counter(man.kind for _, man in men_of(state.field, side)) - Counter(TEAM)
        for kind in extra:
            return _refusal("team", side=side, man=message(f"kahmate.kind-{kind}"))
    return None


def _why_not_raised(options: Options, state: State) -> Refusal | None:
    """The captains play on after a try that won by the options."""
    raised, scored = state.raised_tries, list(state.score)
    if raised is None:
        return None
    if raised <= options.tries:
        return _refusal("raised", n=options.tries)
    if isinstance(state.phase, MatchOver) and _men_in_goal(state):
        scored[SEATS.index(state.turn)] -= 1
    return None if max(scored) >= options.tries else _refusal("raised-score", n=options.tries)


def _men_in_goal(state: State) -> list[tuple[int, Man]]:
    men = (man for side in SEATS for man in men_of(state.field, side))
    return [(at, man) for at, man in men if at not in FIELD_SQUARES]


def _why_not_ball(options: Options, state: State) -> Refusal | None:
    """It lies on the field; with the option also in-goal, for a side that has men (5.4)."""
    if state.ball is None or state.ball in FIELD_SQUARES:
        return None
    attacker = possessing_side(state)
    is_phase = isinstance(state.phase, Playing | MatchOver)
    if options.kick_in_goal and is_phase and attacker and men_of(state.field, attacker):
        return None
    return _refusal("in-goal", square=name_of(state.ball))


def _why_not_running(options: Options, state: State) -> Refusal | None:
    """The fault of a position in play, whatever its phase, or of one that an event ended."""
    for at, _ in _men_in_goal(state):
        return _refusal("in-goal", square=name_of(at))
    if refusal := _why_not_ball(options, state):
        return refusal
    tries = tries_needed(options, state)
    if max(state.score) >= tries:
        return _refusal("score-reached", tries=tries)
    if options.turn_limit and state.turns >= options.turn_limit:
        return _refusal("turns-reached", n=options.turn_limit)
    return _why_not_movers(state) or _why_not_hold(options, state)


def _why_not_movers(state: State) -> Refusal | None:
    for mover in state.movers:
        man, name = state.field[mover.square], name_of(mover.square)
        if man is None or man.side != state.turn:
            return _refusal("mover", square=name)
        if mover.points > POINTS[man.kind]:
            return _refusal("mover-points", square=name, n=POINTS[man.kind])
        if man.down and mover.points:
            return _refusal("mover-down", square=name)
    return _why_not_marks(state)


def _why_not_marks(state: State) -> Refusal | None:
    """Movers who are down have mark 2, and nobody else has."""
    for side in SEATS:
        for at, man in men_of(state.field, side):
            if man.down and (man.down == 2) != (mover_at(state, at) is not None):
                return _refusal("mark", square=name_of(at))
    return None


def _why_not_hold(options: Options, state: State) -> Refusal | None:
    hold, side = state.hold, possessing_side(state)
    if hold is None:
        return None
    if not options.hold_limit:
        return _refusal("hold-off")
    if not isinstance(state.phase, Playing | Passing | MatchOver) or state.ball is None:
        return _refusal("hold-phase")
    if hold.count >= options.hold_limit:
        return _refusal("hold-count", n=options.hold_limit)
    lies_in_goal = side == hold.side and state.ball not in FIELD_SQUARES
    if hold.best in IN_GOAL.values() and not (lies_in_goal and hold.best == file_of(state.ball)):
        return _refusal("hold-file")
    if side is None:
        return None if hold.side == state.turn else _refusal("hold-side")
    if side != hold.side:
        return _refusal("hold-side")
    if hold.side != state.turn and (file_of(state.ball) - hold.best) * FORWARD[hold.side] > 0:
        return _refusal("hold-best")
    return None


# Each phase


def _why_not_phase(options: Options, state: State) -> Refusal | None:
    match state.phase:
        case Placing(side):
            return _why_not_placing(state, side)
        case BallDrawing():
            return _why_not_drawing(options, state)
    if state.ball is None:
        return _refusal("no-ball")
    match state.phase:
        case Passing(passer, receiver):
            return _why_not_passing(options, state, passer, receiver)
        case Duelling() as duel:
            return _why_not_duelling(options, state, duel)
        case Exiting(charger, beaten):
            return _why_not_exiting(options, state, charger, beaten)
        case Dropping(fallen, against):
            return _why_not_dropping(options, state, fallen, against)
    return None


def _why_not_placing(state: State, side: str) -> Refusal | None:
    if state.ball is not None or state.movers:
        return _refusal("set-up-bare")
    for each in SEATS:
        men = men_of(state.field, each)
        kinds = sorted((man.kind for _, man in men), key=TEAM.index)
        complete = each == "R" and side == "B"
        if complete and len(men) < len(TEAM):
            return _refusal("set-up-red")
        if each == "B" and side == "R" and men:
            return _refusal("set-up-blue")
        if each == side and (len(men) == len(TEAM) or tuple(kinds) != TEAM[: len(men)]):
            return _refusal("set-up-order", side=each)
        if refusal := _why_not_lined_up(state, each):
            return refusal
    return None


def _why_not_lined_up(state: State, side: str) -> Refusal | None:
    for at, man in men_of(state.field, side):
        if man.down or file_of(at) not in LINES[side]:
            return _refusal("set-up-line", square=name_of(at))
    return None


def _why_not_drawing(options: Options, state: State) -> Refusal | None:
    """After set-up, or after a possession that went stale."""
    if state.ball is not None or state.movers:
        return _refusal("set-up-bare")
    if options.hold_limit and men_of(state.field, other_side(state.turn)):
        return None
    for side in SEATS:
        if len(men_of(state.field, side)) < len(TEAM):
            return _refusal("draw-men")
        if refusal := _why_not_lined_up(state, side):
            return refusal
    return None


def _why_not_passing(options: Options, state: State, passer: int, receiver: int) -> Refusal | None:
    if refusal := why_not_pass(options, state, Pass(passer, receiver)):
        return refusal
    return None if interceptors(options, state, passer, receiver) else _refusal("nobody-between")


def _why_not_duelling(options: Options, state: State, duel: Duelling) -> Refusal | None:
    if duel.card is not None and duel.card not in hand_of(state, state.turn):
        return _refusal("card-not-in-hand", card=duel.card)
    if duel.receiver is not None:
        refusal = _why_not_passing(options, state, duel.attacker, duel.receiver)
        known = interceptors(options, state, duel.attacker, duel.receiver)
        return refusal or (None if duel.defender in known else _refusal("nobody-between"))
    if duel.contest == "F":
        return _why_not_charging(options, state, duel.attacker, duel.defender)
    mover = mover_at(state, duel.attacker)
    if mover is None or mover.points or _is_down(state, duel.attacker):
        return _refusal("tackler", square=name_of(duel.attacker))
    if not _is_opponent_next_to(state, duel.attacker, duel.defender):
        return _refusal("duel-men")
    return None if state.ball == duel.defender else _refusal("tackled-ball")


def _why_not_charging(
    options: Options, state: State, charger: int, through: int, is_decided: bool = False
) -> Refusal | None:
    mover = mover_at(state, charger)
    if mover is None or mover.points < 2 or _is_down(state, charger) or state.ball != charger:
        return _refusal("charger", square=name_of(charger))
    if not _is_opponent_next_to(state, charger, through):
        return _refusal("duel-men")
    return why_not_charge(options, state, charger, through, is_decided)


def _why_not_exiting(options: Options, state: State, charger: int, beaten: int) -> Refusal | None:
    if refusal := _why_not_charging(options, state, charger, beaten, is_decided=True):
        return refusal
    return None if _is_down(state, beaten) else _refusal("beaten", square=name_of(beaten))


def _why_not_dropping(options: Options, state: State, fallen: int, against: int) -> Refusal | None:
    man, opponent, name = state.field[fallen], state.field[against], name_of(fallen)
    if man is None or not man.down or state.ball != fallen:
        return _refusal("fallen", square=name)
    if file_of(fallen) != GOAL_LINE[man.side] or rank_of(fallen) in (0, RANK_COUNT - 1):
        return _refusal("fallen-where", square=name)
    if against != offset(fallen, FORWARD[man.side], 0) or not opponent:
        return _refusal("fallen-against", square=name_of(against))
    if opponent.side == man.side:
        return _refusal("fallen-against", square=name_of(against))
    faller, winner = mover_at(state, fallen), mover_at(state, against)
    if man.side == state.turn:
        is_fair = faller is not None and not (opponent.down and options.force_down == "no")
    else:
        is_fair = winner is not None and not winner.points and not opponent.down
    return None if is_fair else _refusal("drop-turn")


def _is_down(state: State, square: int) -> bool:
    man = state.field[square]
    return man is not None and man.down > 0


def _is_opponent_next_to(state: State, square: int, target: int) -> bool:
    man = state.field[target]
    return target in NEIGHBOURS[square] and man is not None and man.side != state.turn


# A match that is over


def _why_not_over(options: Options, state: State, result: str) -> Refusal | None:
    """By a try, by the turn limit or by an event."""
    if _men_in_goal(state):
        return _why_not_try(options, state, result)
    if options.turn_limit and state.turns == options.turn_limit:
        return _why_not_limit(options, state, result)
    return _why_not_event(options, state)


def _why_not_try(options: Options, state: State, result: str) -> Refusal | None:
    side = state.turn
    (at, man), *more = _men_in_goal(state)
    if more or man.side != side or man.down or state.ball != at:
        return _refusal("try-man", square=name_of(at))
    if file_of(at) != IN_GOAL[other_side(side)]:
        return _refusal("try-man", square=name_of(at))
    if state.movers or state.hold:
        return _refusal("over-bare")
    if any(each.down == 2 for _, each in men_of(state.field, other_side(side))):
        return _refusal("try-marks")
    mine, theirs = state.score[SEATS.index(side)], state.score[SEATS.index(other_side(side))]
    tries = tries_needed(options, state)
    if not mine or max(mine, theirs) > tries or theirs == tries:
        return _refusal("try-score")
    if options.turn_limit and state.turns > options.turn_limit:
        return _refusal("turns-reached", n=options.turn_limit)
    if mine == tries:
        return None if result == side else _refusal("over-result")
    if not options.turn_limit or state.turns != options.turn_limit:
        return _refusal("try-score")
    return None if result == leader(state.score) else _refusal("over-result")


def _why_not_limit(options: Options, state: State, result: str) -> Refusal | None:
    if state.ball is None or _why_not_ball(options, state):
        return _refusal("no-ball")
    if state.movers or state.hold:
        return _refusal("over-bare")
    tries = tries_needed(options, state)
    if max(state.score) >= tries:
        return _refusal("score-reached", tries=tries)
    return _why_not_marks(state) or (
        None if result == leader(state.score) else _refusal("over-result")
    )


def _why_not_event(options: Options, state: State) -> Refusal | None:
    """The rest is as it was in play, or, without a ball, in set-up."""
    if refusal := _why_not_running(options, state):
        return refusal
    if state.ball is not None:
        return None
    set_ups = (_why_not_placing(state, "R"), _why_not_placing(state, "B"))
    drawn = _why_not_drawing(options, state)
    return None if None in (*set_ups, drawn) else drawn


def _refusal(id: str, /, **values: Value) -> Refusal:
    return message(f"kahmate.read-{id}", "13.3", **values)
