"""The rules of Kalamala again, for speed: same names, same order as rules.py.

Moves and what they lead to are in kernel_moves.py; kernel_slides.py has them once more as sets.
Only `pack` and `unpack` know both worlds.

A search works on the scalars: `results` lists what a side can do with the boards it leads to,
deaths first, and `board_key` hashes a board in parts of which an action changes few. Neither looks
at the past: `barred` says of a board that it may not be repeated.
"""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from kibitz.core.bits import (
    bit,
    lowest_bit,
    mix_bits,
    next_die,
    nth_bit,
    number_below,
    popcount,
    without_lowest_bit,
)
from kibitz.core.jit import Numbers, i64, jit, jit_inline, u64
from kibitz.games.kalamala.kernel.encoding import (
    ANY_REPETITION,
    FALL,
    HINT_WORDS,
    KO,
    LENGTH_UNIT,
    MAX_ACTIONS,
    MAX_TURN,
    NO_ACTION,
    PAST_OFFSET,
    SITUATIONAL,
    TURN,
    A,
    B,
    OptionCodes,
    Packed,
    blank,
    option_codes,
    pack_action,
    unpack_action,
)
from kibitz.games.kalamala.kernel.moves import is_fall, moves, preferred_fall, stones_after
from kibitz.games.kalamala.kernel.slides import slides
from kibitz.games.kalamala.options import DEFAULT
from kibitz.games.kalamala.rules import start as first_state
from kibitz.games.kalamala.state import NO_PAST, RESERVE, SEATS, Past, State, Stones

PEER_GAME = "breakthrough"
"""A game of OpenSpiel that is like it, for `kibitz bench`."""

__all__ = [
    "MAX_ACTIONS",
    "anytime_actions",
    "blank",
    "copy",
    "key",
    "odds",
    "option_codes",
    "outcome",
    "pack",
    "pack_action",
    "perft",
    "pick",
    "playout",
    "resolve",
    "to_act",
    "turn_actions",
    "unpack",
    "unpack_action",
    "warm",
]

FIRST_A, FIRST_B = first_state(DEFAULT).stones
NOBODY = 0


def pack(state: State, into: Packed) -> None:
    """Refused are a match that an event by a role has ended, a past that is longer than the room
    or has boards with other numbers of pieces, and turns that nobody will reach."""
    if state.end:
        raise ValueError(f"ended by a role: {state.end}")
    stood = sorted((turn, stones) for stones, turns in state.past.items() for turn in turns)
    if len(stood) > len(into.past):
        raise ValueError(f"{len(stood)} earlier boards, but room for {len(into.past)}")
    if any(_piece_counts(stones) != _piece_counts(state.stones) for _, stones in stood):
        raise ValueError("an earlier board has other numbers of pieces")
    if state.turn >= MAX_TURN:
        raise ValueError(f"turn {state.turn} is too far")
    into.stones[:] = state.stones
    into.reserve[:] = state.reserve
    into.side[0] = SEATS.index(state.side)
    into.turn[0] = state.turn
    forget_past(into)
    for turn, (a, b) in stood:
        append_board(into, u64(a), u64(b), i64(turn))


def unpack(packed: Packed) -> State:
    past: Past = NO_PAST
    for a, b, turn in packed.past[: packed.length[0]].tolist():
        turns = (*past.get((a, b), ()), int(np.uint64(turn).astype(np.int64)))
        past = past.insert((a, b), turns)
    a, b = packed.stones.tolist()
    reserve_a, reserve_b = packed.reserve.tolist()
    side = SEATS[packed.side[0]]
    return State((a, b), side, (reserve_a, reserve_b), int(packed.turn[0]), past)


def _piece_counts(stones: Stones) -> tuple[int, int]:
    return stones[0].bit_count(), stones[1].bit_count()


@jit
def copy(source: Packed, target: Packed) -> None:
    """The room of the target holds at least the past of the source."""
    for place in range(PAST_OFFSET + 3 * source.length[0]):
        target.memory[place] = source.memory[place]


# 2  The start


@jit
def start(options: OptionCodes, p: Packed) -> None:
    p.stones[A], p.stones[B] = FIRST_A, FIRST_B
    p.reserve[A] = p.reserve[B] = RESERVE
    p.side[0] = options.first
    p.turn[0] = 1
    forget_past(p)


@jit
def to_act(options: OptionCodes, p: Packed) -> int:
    if _is_limit_reached(options, p) or not can_act(options, p):
        return i64(NOBODY)
    return i64(1 << p.side[0])


@jit
def turn_actions(options: OptionCodes, p: Packed, actor: int, out: Numbers) -> int:
    if to_act(options, p) != 1 << actor:
        return i64(0)
    return legal_actions(options, p, out)


@jit
def anytime_actions(options: OptionCodes, p: Packed, seat: int, out: Numbers) -> int:
    return i64(0)


# 3  Actions


@jit
def legal_actions(options: OptionCodes, p: Packed, out: Numbers) -> int:
    """Fill `out` with what the side to act may do, also where the match has ended another way."""
    return playable_moves(options, p, out, placements(p, out))


# 3.1  Placement


@jit
def placements(p: Packed, out: Numbers) -> int:
    end = i64(0)
    if p.reserve[p.side[0]] > 0:
        empty = u64(~u64(p.stones[A] | p.stones[B]))
        while empty != u64(0):
            out[end] = lowest_bit(empty)
            end, empty = i64(end + 1), without_lowest_bit(empty)
    return end


# 4  End of the game


@jit
def outcome(options: OptionCodes, p: Packed, payoffs: Numbers) -> bool:
    payoffs[A] = payoffs[B] = 0
    if not can_act(options, p):
        _pay_loss(p.side[0], payoffs)
        return True
    return _is_limit_reached(options, p)


@jit_inline
def _pay_loss(side: int, payoffs: Numbers) -> None:
    payoffs[side], payoffs[1 - side] = -1, 1


@jit_inline
def _is_limit_reached(options: OptionCodes, p: Packed) -> bool:
    """Only where the side to act can act is the match a draw (6)."""
    return options.turn_limit > 0 and p.turn[0] > options.turn_limit


@jit
def can_act(options: OptionCodes, p: Packed) -> bool:
    """A side with a piece in reserve always can."""
    return p.reserve[p.side[0]] > 0 or count_choices(options, p, i64(1)) > 0


@jit
def count_choices(options: OptionCodes, p: Packed, enough: int) -> int:
    """The number of legal actions, counted no further than `enough`."""
    side = p.side[0]
    own, others = p.stones[side], p.stones[1 - side]
    kinds, moves = slides(own, others, p.kinds, p.rears)
    placements = popcount(u64(~u64(own | others))) if p.reserve[side] > 0 else i64(0)
    if p.length[0] == 0:
        return i64(placements + moves)
    legal = i64(placements + popcount(p.rears[0]))
    for kind in range(1, kinds):
        rears = p.rears[kind]
        while rears != u64(0) and legal < enough:
            if not is_repetition(options, p, i64(p.kinds[kind] + lowest_bit(rears))):
                legal = i64(legal + 1)
            rears = without_lowest_bit(rears)
    return legal


# 5  Repetition


@jit
def playable_moves(options: OptionCodes, p: Packed, out: Numbers, first: int) -> int:
    side = p.side[0]
    found = moves(p.stones[side], p.stones[1 - side], out, first)
    end = first
    for place in range(first, found):
        if not is_repetition(options, p, out[place]):
            out[end] = out[place]
            end = i64(end + 1)
    return end


@jit_inline
def is_repetition(options: OptionCodes, p: Packed, move: int) -> bool:
    """True if a move leads to a board that bars it; a death is always new."""
    if p.length[0] == 0 or is_fall(move):
        return False
    side = p.side[0]
    own, others = stones_after(p.stones[side], p.stones[1 - side], move)
    if side == A:
        return is_barred(options, p, own, others)
    return is_barred(options, p, others, own)


@jit_inline
def is_barred(options: OptionCodes, p: Packed, a: int, b: int) -> bool:
    """True if this board may not stand on the next turn, having stood before.

    Sides act by turns, so the same side was to act on every second one.
    """
    place = hint_bit(a, b)
    if u64(u64(p.hints[place >> 6] >> u64(place & 63)) & u64(1)) == u64(0):
        return False
    for latest in range(p.length[0] - 1, -1, -1):
        if p.past[latest, A] == a and p.past[latest, B] == b:
            odd = u64(u64(p.past[latest, TURN] ^ u64(p.turn[0])) & u64(1)) != u64(0)
            if odd or options.repetition != SITUATIONAL:
                return True
    return False


@jit_inline
def hint_bit(a: int, b: int) -> int:
    """The place of a board's bit among the hints."""
    turned = u64(u64(a * u64(0x9E3779B97F4A7C15)) + u64(b * u64(0xC2B2AE3D27D4EB4F)))
    return i64(turned >> u64(52))


@jit_inline
def remember_board(options: OptionCodes, p: Packed) -> None:
    """The past with the present board, as far as the repetition option needs it (7.1)."""
    if options.repetition == ANY_REPETITION:
        return
    if options.repetition == KO:
        forget_past(p)
    append_board(p, p.stones[A], p.stones[B], p.turn[0])


@jit_inline
def append_board(p: Packed, a: int, b: int, turn: int) -> None:
    """Append a board to the past; where there is no room left the oldest is forgotten."""
    if p.length[0] == p.past.shape[0]:
        for place in range(1, p.length[0]):
            for column in range(3):
                p.past[place - 1, column] = p.past[place, column]
        p.length[0] -= 1
    end, place = p.length[0], hint_bit(a, b)
    p.past[end, A], p.past[end, B], p.past[end, TURN] = a, b, u64(turn)
    p.hints[place >> 6] |= bit(place & 63)
    p.length[0] = end + 1


@jit_inline
def forget_past(p: Packed) -> None:
    p.length[0] = 0
    for word in range(HINT_WORDS):
        p.hints[word] = u64(0)


# What may be done, and what it leads to


@jit
def odds(options: OptionCodes, p: Packed, out: Numbers, weights: Numbers) -> int:
    """There is no chance in this game."""
    return i64(0)


@jit_inline
def resolve(options: OptionCodes, p: Packed, actor: int, action: int) -> None:
    """The action is legal, in any spelling, or a FALL."""
    if action < LENGTH_UNIT:
        _place(p, action)
    else:
        _move(options, p, action)
    p.side[0] = 1 - p.side[0]
    p.turn[0] += 1


@jit_inline
def _place(p: Packed, square: int) -> None:
    side = p.side[0]
    p.stones[side] |= bit(square)
    p.reserve[side] -= 1
    forget_past(p)


@jit_inline
def _move(options: OptionCodes, p: Packed, move: int) -> None:
    side = p.side[0]
    own, others = stones_after(p.stones[side], p.stones[1 - side], move)
    if is_fall(move):
        forget_past(p)
    else:
        remember_board(options, p)
    p.stones[side], p.stones[1 - side] = own, others


# Keys


@jit
def key(options: OptionCodes, p: Packed) -> int:
    """A number for all that matters: the same for equal states, and as good as never for others."""
    past = u64(0)
    for place in range(p.length[0]):
        board = board_key(p.past[place, A], p.past[place, B])
        past = u64(past + mix_bits(u64(board + u64(p.past[place, TURN]))))
    kept = reserve_key(p.reserve[A], p.reserve[B], p.side[0])
    now = mix_bits(u64(u64(board_key(p.stones[A], p.stones[B]) ^ kept) + u64(p.turn[0])))
    return u64(now ^ past)


@jit
def board_key(a: int, b: int) -> int:
    """One part for each side, so that a move changes one of them: the key is what `^` gives."""
    return u64(stones_key(i64(A), a) ^ stones_key(i64(B), b))


@jit
def stones_key(side: int, stones: int) -> int:
    return mix_bits(u64(stones + u64(u64(side + 1) * u64(0xD6E8FEB86659FD93))))


@jit
def reserve_key(reserve_a: int, reserve_b: int, side: int) -> int:
    """The part of a key for the reserves and the side to act."""
    return mix_bits(u64(side + 2 * (reserve_a + 8 * reserve_b)))


# For a search


@jit_inline
def results(
    own: int,
    others: int,
    reserve: int,
    kinds: Numbers,
    rears: Numbers,
    codes: Numbers,
    after_own: Numbers,
    after_others: Numbers,
) -> tuple[int, int]:
    """All that the side with `own` can do, and both sets of pieces after it.

    Gives how many deaths there are, which come first, and how many actions; placements come last.
    The past is not asked; `kinds` and `rears` are room to work in. A piece that falls is a FALL
    here, which `resolve` knows too; `listed_action` tells what it is called.
    """
    kind_count, _ = slides(own, others, kinds, rears)
    deaths, end = i64(0), i64(0)
    for kind in range(kind_count):
        left = rears[kind]
        while left != u64(0):
            code = i64(kinds[kind] + lowest_bit(left))
            left = without_lowest_bit(left)
            place = end
            if is_fall(code):
                codes[end], after_own[end] = codes[deaths], after_own[deaths]
                after_others[end], place = after_others[deaths], deaths
                deaths = i64(deaths + 1)
            codes[place] = code
            after_own[place], after_others[place] = stones_after(own, others, code)
            end = i64(end + 1)
    empty = u64(~u64(own | others)) if reserve > 0 else u64(0)
    while empty != u64(0):
        codes[end] = lowest_bit(empty)
        after_own[end], after_others[end] = u64(own | bit(codes[end])), others
        end, empty = i64(end + 1), without_lowest_bit(empty)
    return deaths, end


@jit
def listed_action(own: int, others: int, code: int) -> int:
    """The action that a code of `results` stands for, as `turn_actions` lists it."""
    return preferred_fall(own, others, code & 63) if code >> 6 == FALL >> 6 else code


# Random play


@jit
def playout(
    options: OptionCodes, p: Packed, die: int, most: int, payoffs: Numbers
) -> tuple[int, int]:
    """Play at random until the match ends or `most` actions are played, and say how many were.

    Every legal action is as likely as any other. A match that has not ended pays nothing. The
    state of the die comes back too, for the next match.
    """
    payoffs[A] = payoffs[B] = 0
    played = i64(0)
    while True:
        action, die = random_action(options, p, die)
        if action == NO_ACTION:
            _pay_loss(p.side[0], payoffs)
            break
        if played >= most or _is_limit_reached(options, p):
            break
        resolve(options, p, p.side[0], action)
        played = i64(played + 1)
    return played, die


@jit
def pick(options: OptionCodes, p: Packed, die: int) -> tuple[int, int]:
    """The next action of `playout`, as `turn_actions` lists it, and the die after it."""
    action, die = random_action(options, p, die)
    side = p.side[0]
    if action == NO_ACTION:
        return action, die
    return listed_action(p.stones[side], p.stones[1 - side], action), die


@jit_inline
def random_action(options: OptionCodes, p: Packed, die: int) -> tuple[int, int]:
    """A legal action at random, or NO_ACTION.

    Of all that is not a repetition only what is drawn is looked up in the past: what is barred is
    taken out, and another is drawn.
    """
    side = p.side[0]
    own, others = p.stones[side], p.stones[1 - side]
    _, found = slides(own, others, p.kinds, p.rears)
    empty = u64(~u64(own | others)) if p.reserve[side] > 0 else u64(0)
    placements = popcount(empty)
    choices = i64(placements + found)
    while choices > 0:
        die = next_die(die)
        number = number_below(mix_bits(die), choices)
        if number < placements:
            return nth_bit(empty, number), die
        number = i64(number - placements)
        kind = i64(0)
        while number >= popcount(p.rears[kind]):
            number = i64(number - popcount(p.rears[kind]))
            kind = i64(kind + 1)
        rear = nth_bit(p.rears[kind], number)
        action = i64(p.kinds[kind] + rear)
        if not is_repetition(options, p, action):
            return action, die
        p.rears[kind] ^= bit(rear)
        choices = i64(choices - 1)
    return i64(NO_ACTION), die


# Counts


def perft(options: OptionCodes, p: Packed, depth: int) -> int:
    """The number of sequences of so many actions (9)."""
    saved = np.zeros((depth, len(p.memory)), np.uint64)
    lists = np.zeros((depth, MAX_ACTIONS), np.int64)
    return int(count_sequences(options, p, i64(depth), saved, lists))


@jit
def count_sequences(
    options: OptionCodes, p: Packed, depth: int, saved: Numbers, lists: Numbers
) -> int:
    if _is_limit_reached(options, p):
        return i64(0)
    if depth == 1:
        return count_choices(options, p, i64(MAX_ACTIONS))
    state, actions, found = saved[depth - 1], lists[depth - 1], i64(0)
    for place in range(legal_actions(options, p, actions)):
        size = PAST_OFFSET + 3 * p.length[0]
        for word in range(size):
            state[word] = p.memory[word]
        resolve(options, p, p.side[0], actions[place])
        found = i64(found + count_sequences(options, p, i64(depth - 1), saved, lists))
        for word in range(size):
            p.memory[word] = state[word]
    return found


def warm() -> None:
    """Compile everything that others call."""
    rules, p, other = option_codes(asdict(DEFAULT)), blank(), blank()
    start(rules, p)
    copy(p, other)
    out, weights = np.zeros(MAX_ACTIONS, np.int64), np.zeros(MAX_ACTIONS, np.int64)
    boards, payoffs = np.zeros((2, MAX_ACTIONS), np.uint64), np.zeros(2, np.int64)
    seat = i64(0)
    to_act(rules, p)
    turn_actions(rules, p, seat, out)
    anytime_actions(rules, p, seat, out)
    odds(rules, p, out, weights)
    outcome(rules, p, payoffs)
    resolve(rules, p, seat, i64(out[0]))
    key(rules, p)
    results(p.stones[A], p.stones[B], i64(0), p.kinds, p.rears, out, boards[0], boards[1])
    listed_action(p.stones[A], p.stones[B], i64(0))
    is_barred(rules, p, p.stones[A], p.stones[B])
    pick(rules, p, u64(0))
    perft(rules, p, 2)
    pack(unpack(p), other)
    playout(rules, p, u64(0), i64(MAX_TURN), payoffs)
