"""A Kahmaté position changed by hand.

Every change leads to a plain position in play, out of set-up, duels and the end of a match alike:
whatever was pending is dropped, possession is counted anew, and a score or a number of turns that
would end the match is taken one back. Where there is no ball yet, it lies in the middle; in-goal it
lies where the option lets it be kicked there.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import chain

from msgspec.structs import replace

from kibitz.core.editing import Changes, valid_edits
from kibitz.core.game import Edit, Place, Seat
from kibitz.core.message import message
from kibitz.games.kahmate.board import FIELD_SQUARES, IN_GOAL, SQUARE_AT, file_of, name_of, square
from kibitz.games.kahmate.messages import kind_message
from kibitz.games.kahmate.notation import read_state, write_state
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules import start, write_score
from kibitz.games.kahmate.state import (
    CARDS,
    NOBODY,
    POINTS,
    SEATS,
    TEAM,
    Hand,
    Man,
    Mover,
    Playing,
    State,
    men_of,
    mover_at,
    other_side,
    put_man,
)

MIDDLE_SQUARE = square("g4")


def edits(options: Options, state: State, place: Place) -> tuple[Edit, ...]:
    """A free square: who stands there. A man: all about him. An in-goal: that side's cards, and the
    ball where it may lie there (5.4)."""
    plain = _plain_position(options, state)
    if not place:
        return _possible_edits(options, state, _general_changes(options, state, plain))
    return _possible_edits(
        options, plain, _square_changes(plain, SQUARE_AT[place]) if place in SQUARE_AT else ()
    )


def _possible_edits(options: Options, state: State, changes: Changes[State]) -> tuple[Edit, ...]:
    return valid_edits(write_state, partial(read_state, options), state, changes)


def _plain_position(options: Options, state: State) -> State:
    field = tuple(man if at in FIELD_SQUARES else None for at, man in enumerate(state.field))
    ball = state.ball if _may_lie(options, state) else MIDDLE_SQUARE
    red, blue = (min(tries, options.tries - 1) for tries in state.score)
    turns = min(state.turns, options.turn_limit - 1) if options.turn_limit else state.turns
    plain = replace(
        state, field=field, phase=Playing(), ball=ball, score=(red, blue), turns=turns, hold=None
    )
    return _with_marks(plain)


def _may_lie(options: Options, state: State) -> bool:
    """True if the ball may stay where it is: not in the hands of a man who scored."""
    if state.ball is None or state.ball in FIELD_SQUARES:
        return state.ball is not None
    return options.kick_in_goal and state.field[state.ball] is None


def _with_marks(state: State) -> State:
    """Movers who are down have mark 2, others who are down have mark 1 (8)."""
    field = state.field
    for at, man in enumerate(state.field):
        if man and man.down:
            field = put_man(field, at, replace(man, down=2 if mover_at(state, at) else 1))
    return replace(state, field=field)


# A square


def _square_changes(state: State, square: int) -> Changes[State]:
    if square not in FIELD_SQUARES:
        side = next(side for side in SEATS if IN_GOAL[side] == file_of(square))
        # The reader refuses a ball that may not lie in-goal.
        ball = message("kahmate.edit-ball"), replace(state, ball=square)
        return chain((ball,), _hand_changes(state, side))
    man = state.field[square]
    return _man_changes(state, square, man) if man else _arrival_changes(state, square)


def _arrival_changes(state: State, square: int) -> Changes[State]:
    """The ball, men from beside the field, and men from where they stand."""
    yield message("kahmate.edit-ball"), replace(state, ball=square)
    for side in SEATS:
        there = men_of(state.field, side)
        missing = Counter(TEAM) - Counter(man.kind for _, man in there)
        for kind in sorted(missing, key=TEAM.index):
            new = Man(side, kind)
            label = message("kahmate.edit-man", seat=side, man=kind_message(new))
            yield label, replace(state, field=put_man(state.field, square, new))
        for at, man in there:
            label = message(
                "kahmate.edit-man-from", seat=side, man=kind_message(man), square=name_of(at)
            )
            yield label, _with_man_moved(state, at, square)


def _with_man_moved(state: State, origin: int, target: int) -> State:
    """A man with all that is his: the ball, and what he has left."""
    field = put_man(put_man(state.field, origin, None), target, state.field[origin])
    movers = tuple(
        replace(mover, square=target) if mover.square == origin else mover for mover in state.movers
    )
    ball = target if state.ball == origin else state.ball
    return replace(state, field=field, movers=_sort_movers(movers), ball=ball)


def _man_changes(state: State, square: int, man: Man) -> Changes[State]:
    """The ball stays where a man is taken off."""
    off, up, down = (
        replace(state, field=put_man(state.field, square, who))
        for who in (None, replace(man, down=0), replace(man, down=1))
    )
    yield message("kahmate.edit-off"), _without_mover(off, square)
    yield message("kahmate.edit-carrier"), replace(state, ball=square)
    yield message("kahmate.edit-up"), up
    if man.side != state.turn:
        yield message("kahmate.edit-down-later", seat=man.side), down
        return
    yield message("kahmate.edit-down-now"), _with_marks(_without_mover(down, square))
    yield (
        message("kahmate.edit-down-later", seat=man.side),
        _with_marks(_with_points(down, square, 0)),
    )
    yield message("kahmate.edit-unmoved"), _without_mover(up, square)
    for points in range(POINTS[man.kind] + 1):
        yield message("kahmate.edit-points", n=points), _with_points(up, square, points)


def _without_mover(state: State, square: int) -> State:
    movers = tuple(mover for mover in state.movers if mover.square != square)
    return replace(state, movers=movers)


def _with_points(state: State, square: int, points: int) -> State:
    """He has moved; the reader refuses a third who has."""
    movers = (*_without_mover(state, square).movers, Mover(square, points))
    return replace(state, movers=_sort_movers(movers))


def _sort_movers(movers: tuple[Mover, ...]) -> tuple[Mover, ...]:
    return tuple(sorted(movers, key=lambda mover: mover.square))


# Cards: both hands always have the same number


def _hand_changes(state: State, side: Seat) -> Changes[State]:
    hand = state.hands[SEATS.index(side)]
    for back in _spent_cards(hand):
        for card in hand:
            held = tuple(sorted({*hand, back} - {card}))
            label = message("kahmate.edit-swap", seat=side, card=back, spent=card)
            yield label, _with_hand(state, side, held)


def _spent_cards(hand: Hand) -> Hand:
    return tuple(card for card in CARDS if card not in hand)


def _with_hand(state: State, side: Seat, hand: Hand) -> State:
    red, blue = state.hands
    return replace(state, hands=(hand, blue) if side == "R" else (red, hand))


def _card_changes(state: State) -> Changes[State]:
    """One card fewer or more on both sides; which ones they are is for the in-goals to say."""
    red, blue = state.hands
    yield message("kahmate.edit-card-spent"), replace(state, hands=(red[1:], blue[1:]))
    if len(red) < len(CARDS):
        more = _with_one_more_card(red), _with_one_more_card(blue)
        yield message("kahmate.edit-card-back"), replace(state, hands=more)
    yield message("kahmate.edit-cards-back"), replace(state, hands=(CARDS, CARDS))


def _with_one_more_card(hand: Hand) -> Hand:
    return tuple(sorted((*hand, _spent_cards(hand)[-1])))


# The whole


def _general_changes(options: Options, before: State, state: State) -> Changes[State]:
    fresh, next = _with_marks(replace(state, movers=())), other_side(state.turn)
    yield message("kahmate.edit-turn", seat=next), replace(fresh, turn=next)
    yield message("kahmate.edit-clear"), replace(fresh, field=NOBODY, ball=MIDDLE_SQUARE)
    yield message("kahmate.edit-start"), start(options)
    kind = "hold" if isinstance(before.phase, Playing) else "play"
    yield message(f"kahmate.edit-{kind}"), state
    yield message("kahmate.edit-fresh"), fresh
    yield from _score_changes(state)
    yield from _card_changes(state)


def _score_changes(state: State) -> Changes[State]:
    red, blue = state.score
    for score in ((red + 1, blue), (red, blue + 1), (red - 1, blue), (red, blue - 1)):
        label = message("kahmate.edit-score", score=write_score(score))
        yield label, replace(state, score=score)
