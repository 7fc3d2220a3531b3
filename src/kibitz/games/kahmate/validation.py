"""Which positions the rules can produce: what 13.3 asks of a position that is read."""

from __future__ import annotations

from collections import Counter

from kibitz.core.message import Refusal, Value, message
from kibitz.games.kahmate.actions import Pass
from kibitz.games.kahmate.board import (
    FORWARD,
    GOAL_LINE,
    HIGH,
    IN_GOAL,
    LINES,
    NEIGHBOURS,
    PLAYING,
    file_of,
    name_of,
    offset,
    rank_of,
)
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules import (
    hand_of,
    holder,
    interceptors,
    leader,
    men_of,
    mover_at,
    why_not_charge,
    why_not_pass,
)
from kibitz.games.kahmate.state import (
    POINTS,
    SEATS,
    TEAM,
    Drawing,
    Dropping,
    Duelling,
    Exiting,
    Over,
    Passing,
    Placing,
    Playing,
    State,
    other,
)


def why_not_possible(options: Options, state: State) -> Refusal | None:
    """The first thing that is wrong with a position; None if the rules can produce it."""
    if refusal := _why_not_teams(state):
        return refusal
    if isinstance(state.phase, Over):
        return _why_not_over(options, state, state.phase.result)
    return _why_not_on(options, state) or _why_not_phase(options, state)


# Every phase


def _why_not_teams(state: State) -> Refusal | None:
    for side in SEATS:
        extra = Counter(man.kind for _, man in men_of(state.field, side)) - Counter(TEAM)
        for kind in extra:
            return _no("team", side=side, man=message(f"kahmate.kind-{kind}"))
    return None


def _why_not_on(options: Options, state: State) -> Refusal | None:
    """What a match that goes on asks for in every phase, and one that an event ended."""
    for side in SEATS:
        for at, _ in men_of(state.field, side):
            if at not in PLAYING:
                return _no("in-goal", square=name_of(at))
    if state.ball is not None and state.ball not in PLAYING:
        return _no("in-goal", square=name_of(state.ball))
    if max(state.score) >= options.tries:
        return _no("score-reached", tries=options.tries)
    if options.turn_limit and state.turns >= options.turn_limit:
        return _no("turns-reached", n=options.turn_limit)
    return _why_not_movers(state) or _why_not_hold(options, state)


def _why_not_movers(state: State) -> Refusal | None:
    for mover in state.movers:
        man, name = state.field[mover.square], name_of(mover.square)
        if man is None or man.side != state.turn:
            return _no("mover", square=name)
        if mover.points > POINTS[man.kind]:
            return _no("mover-points", square=name, n=POINTS[man.kind])
        if man.down and mover.points:
            return _no("mover-down", square=name)
    return _why_not_marks(state)


def _why_not_marks(state: State) -> Refusal | None:
    """Movers who are down have mark 2, and nobody else has."""
    for side in SEATS:
        for at, man in men_of(state.field, side):
            if man.down and (man.down == 2) != (mover_at(state, at) is not None):
                return _no("mark", square=name_of(at))
    return None


def _why_not_hold(options: Options, state: State) -> Refusal | None:
    hold, man = state.hold, holder(state)
    if hold is None:
        return None
    if not options.hold_limit:
        return _no("hold-off")
    if not isinstance(state.phase, Playing | Passing | Over) or state.ball is None:
        return _no("hold-phase")
    if hold.count >= options.hold_limit:
        return _no("hold-count", n=options.hold_limit)
    if hold.best in IN_GOAL.values():
        return _no("hold-file")
    if man is None:
        return None if hold.side == state.turn else _no("hold-side")
    if man.side != hold.side:
        return _no("hold-side")
    if hold.side != state.turn and (file_of(state.ball) - hold.best) * FORWARD[hold.side] > 0:
        return _no("hold-best")
    return None


# Each phase


def _why_not_phase(options: Options, state: State) -> Refusal | None:
    match state.phase:
        case Placing(side):
            return _why_not_placing(state, side)
        case Drawing():
            return _why_not_drawing(options, state)
    if state.ball is None:
        return _no("no-ball")
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
        return _no("set-up-bare")
    for each in SEATS:
        men = men_of(state.field, each)
        kinds = sorted((man.kind for _, man in men), key=TEAM.index)
        complete = each == "R" and side == "B"
        if complete and len(men) < len(TEAM):
            return _no("set-up-red")
        if each == "B" and side == "R" and men:
            return _no("set-up-blue")
        if each == side and (len(men) == len(TEAM) or tuple(kinds) != TEAM[: len(men)]):
            return _no("set-up-order", side=each)
        if refusal := _why_not_lined_up(state, each):
            return refusal
    return None


def _why_not_lined_up(state: State, side: str) -> Refusal | None:
    for at, man in men_of(state.field, side):
        if man.down or file_of(at) not in LINES[side]:
            return _no("set-up-line", square=name_of(at))
    return None


def _why_not_drawing(options: Options, state: State) -> Refusal | None:
    """After set-up, or after a possession that went stale."""
    if state.ball is not None or state.movers:
        return _no("set-up-bare")
    if options.hold_limit and men_of(state.field, other(state.turn)):
        return None
    for side in SEATS:
        if len(men_of(state.field, side)) < len(TEAM):
            return _no("draw-men")
        if refusal := _why_not_lined_up(state, side):
            return refusal
    return None


def _why_not_passing(options: Options, state: State, passer: int, receiver: int) -> Refusal | None:
    if refusal := why_not_pass(options, state, Pass(passer, receiver)):
        return refusal
    return None if interceptors(options, state, passer, receiver) else _no("nobody-between")


def _why_not_duelling(options: Options, state: State, duel: Duelling) -> Refusal | None:
    if duel.card is not None and duel.card not in hand_of(state, state.turn):
        return _no("card-not-in-hand", card=duel.card)
    if duel.receiver is not None:
        refusal = _why_not_passing(options, state, duel.attacker, duel.receiver)
        known = interceptors(options, state, duel.attacker, duel.receiver)
        return refusal or (None if duel.defender in known else _no("nobody-between"))
    if duel.contest == "F":
        return _why_not_charging(options, state, duel.attacker, duel.defender)
    mover = mover_at(state, duel.attacker)
    if mover is None or mover.points or _is_down(state, duel.attacker):
        return _no("tackler", square=name_of(duel.attacker))
    if not _is_opponent_next_to(state, duel.attacker, duel.defender):
        return _no("duel-men")
    return None if state.ball == duel.defender else _no("tackled-ball")


def _why_not_charging(
    options: Options, state: State, charger: int, through: int, is_decided: bool = False
) -> Refusal | None:
    mover = mover_at(state, charger)
    if mover is None or mover.points < 2 or _is_down(state, charger) or state.ball != charger:
        return _no("charger", square=name_of(charger))
    if not _is_opponent_next_to(state, charger, through):
        return _no("duel-men")
    return why_not_charge(options, state, charger, through, is_decided)


def _why_not_exiting(options: Options, state: State, charger: int, beaten: int) -> Refusal | None:
    if refusal := _why_not_charging(options, state, charger, beaten, is_decided=True):
        return refusal
    return None if _is_down(state, beaten) else _no("beaten", square=name_of(beaten))


def _why_not_dropping(options: Options, state: State, fallen: int, against: int) -> Refusal | None:
    man, opponent, name = state.field[fallen], state.field[against], name_of(fallen)
    if man is None or not man.down or state.ball != fallen:
        return _no("fallen", square=name)
    if file_of(fallen) != GOAL_LINE[man.side] or rank_of(fallen) in (0, HIGH - 1):
        return _no("fallen-where", square=name)
    if against != offset(fallen, FORWARD[man.side], 0) or not opponent:
        return _no("fallen-against", square=name_of(against))
    if opponent.side == man.side:
        return _no("fallen-against", square=name_of(against))
    faller, winner = mover_at(state, fallen), mover_at(state, against)
    if man.side == state.turn:
        is_fair = faller is not None and not (opponent.down and options.force_down == "no")
    else:
        is_fair = winner is not None and not winner.points and not opponent.down
    return None if is_fair else _no("drop-turn")


def _is_down(state: State, square: int) -> bool:
    man = state.field[square]
    return man is not None and man.down > 0


def _is_opponent_next_to(state: State, square: int, target: int) -> bool:
    man = state.field[target]
    return target in NEIGHBOURS[square] and man is not None and man.side != state.turn


# A match that is over


def _why_not_over(options: Options, state: State, result: str) -> Refusal | None:
    """By a try, by the turn limit or by an event."""
    if any(at not in PLAYING for side in SEATS for at, _ in men_of(state.field, side)):
        return _why_not_try(options, state, result)
    if options.turn_limit and state.turns == options.turn_limit:
        return _why_not_limit(options, state, result)
    return _why_not_event(options, state)


def _why_not_try(options: Options, state: State, result: str) -> Refusal | None:
    side = state.turn
    in_goal = [
        (at, man) for each in SEATS for at, man in men_of(state.field, each) if at not in PLAYING
    ]
    (at, man), *more = in_goal
    if more or man.side != side or man.down or state.ball != at:
        return _no("try-man", square=name_of(at))
    if file_of(at) != IN_GOAL[other(side)]:
        return _no("try-man", square=name_of(at))
    if state.movers or state.hold:
        return _no("over-bare")
    if any(each.down == 2 for _, each in men_of(state.field, other(side))):
        return _no("try-marks")
    mine, theirs = state.score[SEATS.index(side)], state.score[SEATS.index(other(side))]
    if not mine or max(mine, theirs) > options.tries or theirs == options.tries:
        return _no("try-score")
    if options.turn_limit and state.turns > options.turn_limit:
        return _no("turns-reached", n=options.turn_limit)
    if mine == options.tries:
        return None if result == side else _no("over-result")
    if not options.turn_limit or state.turns != options.turn_limit:
        return _no("try-score")
    return None if result == leader(state.score) else _no("over-result")


def _why_not_limit(options: Options, state: State, result: str) -> Refusal | None:
    if state.ball is None or state.ball not in PLAYING:
        return _no("no-ball")
    if state.movers or state.hold:
        return _no("over-bare")
    if max(state.score) >= options.tries:
        return _no("score-reached", tries=options.tries)
    return _why_not_marks(state) or (None if result == leader(state.score) else _no("over-result"))


def _why_not_event(options: Options, state: State) -> Refusal | None:
    """The rest is as it was in play, or, without a ball, in set-up."""
    if refusal := _why_not_on(options, state):
        return refusal
    if state.ball is not None:
        return None
    set_ups = (_why_not_placing(state, "R"), _why_not_placing(state, "B"))
    drawn = _why_not_drawing(options, state)
    return None if None in (*set_ups, drawn) else drawn


def _no(id: str, /, **values: Value) -> Refusal:
    return message(f"kahmate.read-{id}", "13.3", **values)
