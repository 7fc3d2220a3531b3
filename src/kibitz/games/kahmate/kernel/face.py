"""The face that all kernels have (core/kernel.py), over this one."""

from __future__ import annotations

from kibitz.core.bits import bit, lowest_bit, mix_bits, next_die, without_lowest_bit
from kibitz.core.jit import Numbers, i64, jit, u64
from kibitz.core.kernel import CHANCE as CHANCE_ACTS
from kibitz.core.kernel import OVER as NOBODY_ACTS
from kibitz.core.kernel import Kernel
from kibitz.games.kahmate.kernel.ball import interceptors, kicks, receivers
from kibitz.games.kahmate.kernel.board import (
    first_square,
    has_any,
    neighbours,
    without_first_square,
)
from kibitz.games.kahmate.kernel.dispatch import decider, move_kind, resolve
from kibitz.games.kahmate.kernel.encoding import (
    DRAW,
    DROP,
    DUEL,
    EXIT,
    FULL_HAND,
    NONE,
    OPTION_CODES,
    OVER,
    PLAY,
    STATE,
    OptionCodes,
    Packed,
    Squares,
    option_codes,
)
from kibitz.games.kahmate.kernel.force import exits
from kibitz.games.kahmate.kernel.match import outcome
from kibitz.games.kahmate.kernel.numbering import (
    ACTIONS,
    BLOCK_OF,
    CARD_NUMBER,
    DECLINE_NUMBER,
    DROP_BLOCK,
    END_NUMBER,
    EXIT_BLOCK,
    INTERCEPT_BLOCK,
    KICK_BLOCK,
    PASS_BLOCK,
    PLACE_BLOCK,
    SQUARE_COUNT,
    code_of,
    dense_number,
    number_of,
    seen_square,
    text_of,
    way_number,
)
from kibitz.games.kahmate.kernel.observation import NUMBERS, PLANES, observe
from kibitz.games.kahmate.kernel.packing import pack, unpack
from kibitz.games.kahmate.kernel.playout import pick as pick_code
from kibitz.games.kahmate.kernel.playout import playout
from kibitz.games.kahmate.kernel.setup import placements
from kibitz.games.kahmate.kernel.state import (
    clear_movers,
    copy,
    enter_phase,
    forget_hold,
    man_at,
    mark_of,
    side_of,
)
from kibitz.games.kahmate.kernel.tackle import landings
from kibitz.games.kahmate.kernel.turn import movable_men
from kibitz.games.kahmate.state import SEATS


@jit
def start(options: OptionCodes, p: Packed) -> None:
    """Nobody on the field, and the captain named by the options on turn."""
    for square in range(SQUARE_COUNT):
        p.field[square] = 0
    for n in range(2):
        p.men[0, n], p.men[1, n], p.down[n] = u64(0), u64(0), u64(0)
        p.hands[n], p.score[n] = FULL_HAND, 0
    p.turn, p.turns, p.ball, p.raised_tries = options.start, 0, NONE, 0
    enter_phase(p, i64(0), i64(NONE), i64(NONE), i64(NONE))
    clear_movers(p)
    forget_hold(p)


@jit
def actor(options: OptionCodes, p: Packed) -> int:
    if p.phase >= OVER:
        return i64(NOBODY_ACTS)
    return i64(CHANCE_ACTS) if p.phase == DRAW else decider(p)


# Legal actions


@jit
def legal(options: OptionCodes, p: Packed, seat: int, words: Numbers) -> int:
    for word in range(words.shape[0]):
        words[word] = u64(0)
    phase = i64(p.phase)
    if phase >= OVER or phase == DRAW or decider(p) != seat:
        return i64(0)
    if phase == PLAY:
        return _legal_plays(options, p, seat, words)
    if phase < DRAW:
        return _set_squares(words, seat, i64(PLACE_BLOCK), placements(p, phase))
    if phase == DUEL:
        return _set_cards(words, i64(p.hands[seat]))
    if phase == DROP:
        squares = landings(seat, i64(p.attacker), i64(p.defender))
        return _set_squares(words, seat, i64(DROP_BLOCK), squares)
    if phase == EXIT:
        found = _set_squares(words, seat, i64(EXIT_BLOCK), exits(p, i64(p.defender)))
        return i64(found + _set_number(words, i64(DECLINE_NUMBER))) if options.may_stay else found
    return _legal_interceptions(options, p, seat, words)


@jit
def _set_number(words: Numbers, number: int) -> int:
    """One action more: 1."""
    words[number >> 6] = u64(words[number >> 6] | bit(number & 63))
    return i64(1)


@jit
def _set_squares(words: Numbers, seat: int, block: int, squares: Squares) -> int:
    """An action of this block for each of the squares; how many."""
    found = i64(0)
    while has_any(squares):
        seen = seen_square(seat, first_square(squares))
        found = i64(found + _set_number(words, i64(block * SQUARE_COUNT + seen)))
        squares = without_first_square(squares)
    return found


@jit
def _set_cards(words: Numbers, hand: int) -> int:
    found, left = i64(0), u64(hand)
    while left != u64(0):
        found = i64(found + _set_number(words, i64(CARD_NUMBER + lowest_bit(left) - 1)))
        left = without_lowest_bit(left)
    return found


@jit
def _legal_interceptions(options: OptionCodes, p: Packed, seat: int, words: Numbers) -> int:
    first, second = interceptors(options, p, i64(p.attacker), i64(p.receiver))
    found = _set_number(words, i64(DECLINE_NUMBER))
    for square in (first, second):
        if square != NONE:
            number = i64(INTERCEPT_BLOCK * SQUARE_COUNT + seen_square(seat, square))
            found = i64(found + _set_number(words, number))
    return found


@jit
def _legal_plays(options: OptionCodes, p: Packed, seat: int, words: Numbers) -> int:
    found, men = _set_number(words, i64(END_NUMBER)), movable_men(p)
    while has_any(men):
        at = first_square(men)
        men, around = without_first_square(men), neighbours(at)
        while has_any(around):
            beside = first_square(around)
            around = without_first_square(around)
            kind = move_kind(options, p, at, beside)
            if kind != NONE:
                here = seen_square(seat, at)
                way = way_number(i64(seen_square(seat, beside) - here))
                number = i64((BLOCK_OF[kind] + way) * SQUARE_COUNT + here)
                found = i64(found + _set_number(words, number))
    if _may_throw(p, seat):
        ball = i64(p.ball)
        passes = _set_squares(words, seat, i64(PASS_BLOCK), receivers(options, p, ball))
        kicked = _set_squares(words, seat, i64(KICK_BLOCK), kicks(options, p, ball))
        found = i64(found + passes + kicked)
    return found


@jit
def _may_throw(p: Packed, seat: int) -> bool:
    """True if an active man of this side has the ball."""
    if p.ball == NONE:
        return False
    man = man_at(p, i64(p.ball))
    return man != 0 and side_of(man) == seat and mark_of(man) == 0


# What happens


@jit
def legal_turn(options: OptionCodes, p: Packed, words: Numbers) -> tuple[int, int]:
    seat = actor(options, p)
    return seat, legal(options, p, seat, words) if seat >= 0 else i64(0)


@jit
def act(options: OptionCodes, p: Packed, seat: int, number: int) -> None:
    resolve(options, p, seat, code_of(p, seat, number))


@jit
def chance(options: OptionCodes, p: Packed, die: int) -> int:
    """The ball is drawn, if it is to be."""
    if p.phase != DRAW:
        return u64(die)
    die = next_die(die)
    resolve(options, p, i64(0), pick_code(options, p, mix_bits(die)))
    return u64(die)


@jit
def pick(options: OptionCodes, p: Packed, die: int) -> tuple[int, int]:
    die = next_die(die)
    return dense_number(decider(p), pick_code(options, p, mix_bits(die))), u64(die)


KERNEL = Kernel(
    name="kahmate-v1",
    state=STATE,
    options=OPTION_CODES,
    seats=len(SEATS),
    actions=ACTIONS,
    planes=PLANES,
    numbers=NUMBERS,
    start=start,
    actor=actor,
    legal=legal,
    legal_turn=legal_turn,
    act=act,
    chance=chance,
    pick=pick,
    payoffs=outcome,
    observe=observe,
    copy=copy,
    playout=playout,
    option_codes=option_codes,
    pack=pack,
    unpack=unpack,
    number_of=number_of,
    text_of=text_of,
)
