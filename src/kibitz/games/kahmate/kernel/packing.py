"""A state into numbers and out of them: the only place that knows both worlds."""

from __future__ import annotations

from typing import Literal, cast

from kibitz.games.kahmate.kernel.encoding import (
    CONTESTS,
    DRAW,
    DROP,
    DUEL,
    EXIT,
    INTERCEPTION,
    KIND_MASK,
    KINDS,
    MARK,
    MAX_COUNT,
    NONE,
    OVER,
    PLAY,
    RESULTS,
    SIDE,
    Packed,
    pack_squares,
)
from kibitz.games.kahmate.kernel.state import forget_hold, play_on
from kibitz.games.kahmate.state import (
    CARDS,
    SEATS,
    BallDrawing,
    Dropping,
    Duelling,
    Exiting,
    Hand,
    Hold,
    Man,
    MatchOver,
    Mover,
    Passing,
    Phase,
    Placing,
    Playing,
    State,
    men_of,
)


def pack(state: State, into: Packed) -> None:
    """Every state of play can be packed; a count that no match reaches is a ValueError."""
    if max(state.turns, state.hold.count if state.hold else 0) > MAX_COUNT:
        raise ValueError("turns or hold of more than 2**61 cannot be packed")
    into.field[:] = [_pack_man(man) for man in state.field]
    for side, seat in enumerate(SEATS):
        into.men[side] = pack_squares(at for at, _ in men_of(state.field, seat))
    into.down[:] = pack_squares(at for at, man in enumerate(state.field) if man and man.down)
    into.turn = SEATS.index(state.turn)
    play_on(into)
    _pack_phase(state.phase, into)
    movers = [*state.movers, *2 * [Mover(NONE, 0)]][:2]
    into.movers[:] = [mover.square for mover in movers]
    into.points[:] = [mover.points for mover in movers]
    into.ball = NONE if state.ball is None else state.ball
    into.hands[:] = [sum(1 << card for card in hand) for hand in state.hands]
    into.score[:] = state.score
    into.raised_tries = state.raised_tries or 0
    into.turns = state.turns
    forget_hold(into)
    if hold := state.hold:
        into.hold_side, into.hold_count = SEATS.index(hold.side), hold.count
        into.hold_best = hold.best


def _pack_man(man: Man | None) -> int:
    if man is None:
        return 0
    return KINDS.index(man.kind) + SIDE * SEATS.index(man.side) + MARK * man.down


def _pack_phase(phase: Phase, into: Packed) -> None:
    match phase:
        case Placing(side):
            into.phase = SEATS.index(side)
        case BallDrawing():
            into.phase = DRAW
        case Playing():
            into.phase = PLAY
        case Passing(passer, receiver):
            into.phase, into.attacker, into.receiver = INTERCEPTION, passer, receiver
        case Duelling(contest, attacker, defender, target, round, card):
            into.phase, into.contest = DUEL, CONTESTS.index(contest)
            into.attacker, into.defender = attacker, defender
            into.receiver = NONE if target is None else target
            into.in_round, into.card = round, card or 0
        case Exiting(charger, beaten):
            into.phase, into.attacker, into.defender = EXIT, charger, beaten
        case Dropping(fallen, against):
            into.phase, into.attacker, into.defender = DROP, fallen, against
        case MatchOver(result):
            into.phase = OVER + RESULTS.index(result)


def unpack(p: Packed) -> State:
    movers = zip(p.movers.tolist(), p.points.tolist(), strict=True)
    red, blue = (_unpack_hand(hand) for hand in p.hands.tolist())
    hold = None
    if p.hold_side != NONE:
        hold = Hold(SEATS[p.hold_side], int(p.hold_count), int(p.hold_best))
    return State(
        field=tuple(map(_unpack_man, p.field.tolist())),
        turn=SEATS[p.turn],
        phase=_unpack_phase(p),
        movers=tuple(Mover(square, points) for square, points in movers if square != NONE),
        ball=None if p.ball == NONE else int(p.ball),
        hands=(red, blue),
        score=(int(p.score[0]), int(p.score[1])),
        turns=int(p.turns),
        hold=hold,
        raised_tries=int(p.raised_tries) or None,
    )


def _unpack_man(man: int) -> Man | None:
    return Man(SEATS[man // SIDE % 2], KINDS[man & KIND_MASK], man // MARK) if man else None


def _unpack_hand(hand: int) -> Hand:
    return tuple(card for card in CARDS if hand >> card & 1)


def _unpack_phase(p: Packed) -> Phase:
    phase, attacker, defender = int(p.phase), int(p.attacker), int(p.defender)
    receiver = None if p.receiver == NONE else int(p.receiver)
    if phase >= OVER:
        return MatchOver(RESULTS[phase - OVER])
    if phase == DRAW:
        return BallDrawing()
    if phase == PLAY:
        return Playing()
    if phase == INTERCEPTION:
        assert receiver is not None
        return Passing(attacker, receiver)
    if phase == DUEL:
        contest = cast(Literal["T", "F", "I"], CONTESTS[p.contest])
        card = int(p.card) or None
        return Duelling(contest, attacker, defender, receiver, int(p.in_round), card)
    if phase == EXIT:
        return Exiting(attacker, defender)
    if phase == DROP:
        return Dropping(attacker, defender)
    return Placing(SEATS[phase])
