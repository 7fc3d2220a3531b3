"""Many matches in one call, over the face of any kernel and on every target.

What is written here is a template: `start`, `act` and the others are those of the kernel that it is
bound to, so that each game has a compiled function of its own.
"""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np

from kibitz.core.bits import mix_bits, next_die, nth_bit, number_below, popcount
from kibitz.core.jit import Numbers, i64, u64
from kibitz.core.kernel import CHANCE, OVER, Kernel
from kibitz.core.targets import KernelFunction

SEATS = 0
copy = playout = start = actor = legal = legal_turn = act = cast(Any, None)
chance = pick = payoffs_of = observe = cast(Any, None)
"""Of the kernel that a template is bound to."""
begin_turn = reset_match = step_match = sample_match = observe_match = cast(Any, None)
take_match = first_illegal = cast(Any, None)
"""The work of one match, bound to it as well: a thread of a graphics card does the same."""
ALL_LEGAL = -1


def _play_matches(
    options: Any, first: Any, p: Any, dice: Numbers, most: int, lengths: Numbers, payoffs: Numbers
) -> None:
    """A random match from `first` for each of the dice, which are left as they are after it."""
    for n in range(dice.shape[0]):
        copy(first, p)
        lengths[n], dice[n] = playout(options, p, dice[n], most, payoffs[n])


def _play_steps(
    options: Any,
    p: Any,
    die: int,
    steps: int,
    words: Numbers,
    planes: Numbers,
    numbers: Numbers,
    payoffs: Numbers,
) -> tuple[int, int]:
    """Go on at random by the face alone, so many steps, and start again where a match is over.

    Everything is asked on the way. Returns the die, and a number made of all the answers.
    """
    answers = i64(0)
    for _ in range(steps):
        seat = i64(actor(options, p))
        if seat == OVER:
            is_over = payoffs_of(options, p, payoffs)
            answers = i64(answers * 31 + is_over + payoffs[0])
            start(options, p)
        elif seat == CHANCE:
            die = chance(options, p, die)
        else:
            count = legal(options, p, seat, words)
            number, die = pick(options, p, die)
            is_legal = i64(u64(words[number >> 6] >> u64(number & 63)) & u64(1))
            answers = i64(answers * 31 + 64 * count + 2 * number + is_legal)
            act(options, p, seat, number)
    for seat in range(SEATS):
        observe(options, p, i64(seat), planes, numbers)
        for plane in range(planes.shape[0]):
            for row in range(planes.shape[1]):
                for column in range(planes.shape[2]):
                    answers = i64(answers * 31 + planes[plane, row, column])
        for place in range(numbers.shape[0]):
            answers = i64(answers * 31 + i64(numbers[place] * np.float32(1024.0)))
    return u64(die), answers


# Matches side by side, one action in each at a time


def _begin_turn(options: Any, p: Any, die: int, words: Numbers) -> tuple[int, int, int]:
    """Let chance speak as long as it is its turn; the actor, the number of its actions, the die.

    Actions are looked for in one place of the code: a card that has it several times is slower.
    """
    while True:
        seat, count = legal_turn(options, p, words)
        if seat != CHANCE:
            return seat, count, u64(die)
        die = u64(chance(options, p, die))


def _reset_match(
    options: Any, pool: Any, n: int, dice: Numbers, actors: Numbers, counts: Numbers, words: Numbers
) -> None:
    start(options, pool[n])
    actors[n], counts[n], dice[n] = begin_turn(options, pool[n], dice[n], words[n])


def _step_match(
    options: Any,
    pool: Any,
    n: int,
    dice: Numbers,
    actors: Numbers,
    counts: Numbers,
    words: Numbers,
    actions: Numbers,
    payoffs: Numbers,
    rewards: Numbers,
    done: Numbers,
    faults: Numbers,
) -> None:
    """An action of the actor, and chance after it. A match that is over starts again; one whose
    action is not legal stays as it is, and the fault is counted."""
    p, number = pool[n], i64(actions[n])
    for seat in range(SEATS):
        rewards[n, seat] = 0.0
    done[n] = 0
    is_legal = u64(0)
    if number >= 0 and number < 64 * words.shape[1]:
        is_legal = u64(u64(words[n, number >> 6] >> u64(number & 63)) & u64(1))
    if is_legal == u64(0):
        faults[n] += 1
        return
    act(options, p, i64(actors[n]), number)
    while True:
        actors[n], counts[n], dice[n] = begin_turn(options, p, dice[n], words[n])
        if actors[n] != OVER or done[n] != 0:
            return
        payoffs_of(options, p, payoffs[n])
        for each in range(SEATS):
            rewards[n, each] = payoffs[n, each]
        done[n] = 1
        start(options, p)


def _sample_match(n: int, dice: Numbers, counts: Numbers, words: Numbers, actions: Numbers) -> None:
    """A legal action, each as likely as any other."""
    die = next_die(dice[n])
    left, word = number_below(mix_bits(die), i64(counts[n])), i64(0)
    here = popcount(words[n, word])
    while left >= here and word < words.shape[1] - 1:
        left, word = i64(left - here), i64(word + 1)
        here = popcount(words[n, word])
    actions[n], dice[n] = i64(64 * word + nth_bit(words[n, word], left)), die


def _observe_match(
    options: Any, pool: Any, n: int, seats: Numbers, planes: Numbers, numbers: Numbers
) -> None:
    observe(options, pool[n], i64(seats[n]), planes[n], numbers[n])


def _take_match(
    rows: Numbers,
    n: int,
    theirs: Any,
    their_dice: Numbers,
    their_actors: Numbers,
    their_counts: Numbers,
    their_words: Numbers,
    pool: Any,
    dice: Numbers,
    actors: Numbers,
    counts: Numbers,
    words: Numbers,
) -> None:
    """A match of another batch in place of this one, by its row there; below 0 nothing is done."""
    row = i64(rows[n])
    if row < 0 or row >= their_dice.shape[0]:
        return
    copy(theirs[row], pool[n])
    dice[n], actors[n], counts[n] = their_dice[row], their_actors[row], their_counts[row]
    for word in range(words.shape[1]):
        words[n, word] = their_words[row, word]


def _reset_matches(
    options: Any,
    pool: Any,
    first: int,
    last: int,
    dice: Numbers,
    actors: Numbers,
    counts: Numbers,
    words: Numbers,
) -> None:
    for n in range(first, last):
        reset_match(options, pool, n, dice, actors, counts, words)


def _first_illegal(first: int, last: int, words: Numbers, actions: Numbers) -> int:
    """The first match whose action is not legal, or ALL_LEGAL."""
    for n in range(first, last):
        number = i64(actions[n])
        if number < 0 or number >= 64 * words.shape[1]:
            return i64(n)
        if u64(u64(words[n, number >> 6] >> u64(number & 63)) & u64(1)) == u64(0):
            return i64(n)
    return i64(ALL_LEGAL)


def _step_matches(
    options: Any,
    pool: Any,
    first: int,
    last: int,
    dice: Numbers,
    actors: Numbers,
    counts: Numbers,
    words: Numbers,
    actions: Numbers,
    payoffs: Numbers,
    rewards: Numbers,
    done: Numbers,
    faults: Numbers,
) -> int:
    """Nothing is done where one of the actions is not legal: the number of that match comes back,
    else ALL_LEGAL."""
    illegal = i64(first_illegal(first, last, words, actions))
    if illegal != ALL_LEGAL:
        return illegal
    for n in range(first, last):
        step_match(
            options,
            pool,
            n,
            dice,
            actors,
            counts,
            words,
            actions,
            payoffs,
            rewards,
            done,
            faults,
        )
    return i64(ALL_LEGAL)


def _sample_matches(
    first: int, last: int, dice: Numbers, counts: Numbers, words: Numbers, actions: Numbers
) -> None:
    for n in range(first, last):
        sample_match(n, dice, counts, words, actions)


def _observe_matches(
    options: Any,
    pool: Any,
    first: int,
    last: int,
    seats: Numbers,
    planes: Numbers,
    numbers: Numbers,
) -> None:
    for n in range(first, last):
        observe_match(options, pool, n, seats, planes, numbers)


def _take_matches(
    first: int,
    last: int,
    rows: Numbers,
    theirs: Any,
    their_dice: Numbers,
    their_actors: Numbers,
    their_counts: Numbers,
    their_words: Numbers,
    pool: Any,
    dice: Numbers,
    actors: Numbers,
    counts: Numbers,
    words: Numbers,
) -> None:
    for n in range(first, last):
        take_match(
            rows,
            n,
            theirs,
            their_dice,
            their_actors,
            their_counts,
            their_words,
            pool,
            dice,
            actors,
            counts,
            words,
        )


# Templates bound to a kernel


def _bind(
    template: Any, name: str, kernel: Kernel, is_inline: bool = False, **parts: KernelFunction
) -> KernelFunction:
    """The template as a function of this kernel's module, over other templates that are bound."""
    scope = {
        **globals(),
        **{name: getattr(kernel, name) for name in Kernel.__slots__ if name != "payoffs"},
        "payoffs_of": kernel.payoffs,
        "SEATS": kernel.seats,
        **parts,
    }
    made = FunctionType(template.__code__, scope, name)
    made.__qualname__ = f"{name}_{kernel.name.replace('-', '_')}"
    made.__module__ = __name__
    made.__doc__ = template.__doc__
    return KernelFunction(made, is_inline)


@cache
def play_matches(kernel: Kernel) -> KernelFunction:
    return _bind(_play_matches, "play_matches", kernel)


@cache
def play_steps(kernel: Kernel) -> KernelFunction:
    return _bind(_play_steps, "play_steps", kernel)


class MatchFunctions(NamedTuple):
    """The work of one match among many."""

    reset: KernelFunction
    step: KernelFunction
    sample: KernelFunction
    observe: KernelFunction
    take: KernelFunction


@cache
def match_functions(kernel: Kernel) -> MatchFunctions:
    turn = _bind(_begin_turn, "begin_turn", kernel, is_inline=True)
    return MatchFunctions(
        _bind(_reset_match, "reset_match", kernel, is_inline=True, begin_turn=turn),
        _bind(_step_match, "step_match", kernel, is_inline=True, begin_turn=turn),
        _bind(_sample_match, "sample_match", kernel, is_inline=True),
        _bind(_observe_match, "observe_match", kernel, is_inline=True),
        _bind(_take_match, "take_match", kernel, is_inline=True),
    )


class BatchFunctions(NamedTuple):
    """The same for all matches from one to another, for a processor."""

    reset: KernelFunction
    step: KernelFunction
    sample: KernelFunction
    observe: KernelFunction
    take: KernelFunction
    first_illegal: KernelFunction


@cache
def batch_functions(kernel: Kernel) -> BatchFunctions:
    one = match_functions(kernel)
    illegal = _bind(_first_illegal, "first_illegal", kernel)
    return BatchFunctions(
        _bind(_reset_matches, "reset_matches", kernel, reset_match=one.reset),
        _bind(_step_matches, "step_matches", kernel, step_match=one.step, first_illegal=illegal),
        _bind(_sample_matches, "sample_matches", kernel, sample_match=one.sample),
        _bind(_observe_matches, "observe_matches", kernel, observe_match=one.observe),
        _bind(_take_matches, "take_matches", kernel, take_match=one.take),
        illegal,
    )


class BatchArrays(NamedTuple):
    """The memory of some matches side by side: it belongs to the caller."""

    pool: Any
    dice: Numbers
    actors: Numbers
    counts: Numbers
    """The number of legal actions of each actor."""
    words: Numbers
    actions: Numbers
    payoffs: Numbers
    rewards: Numbers
    done: Numbers
    faults: Numbers
    sample_dice: Numbers
    """Apart from the dice: who draws actions at random does not change how they fall."""


def batch_arrays(kernel: Kernel, size: int) -> BatchArrays:
    return BatchArrays(
        kernel.pool(size),
        np.zeros(size, np.uint64),
        np.zeros(size, np.int8),
        np.zeros(size, np.int32),
        np.zeros((size, kernel.words), np.uint64),
        np.zeros(size, np.int32),
        np.zeros((size, kernel.seats), np.int64),
        np.zeros((size, kernel.seats), np.float32),
        np.zeros(size, np.uint8),
        np.zeros(size, np.int32),
        np.zeros(size, np.uint64),
    )


def step_values(options: Any, first: int, last: int, a: BatchArrays) -> tuple[Any, ...]:
    """The values of `step` for some of the matches."""
    begin = options, a.pool, i64(first), i64(last), a.dice, a.actors, a.counts, a.words
    return (*begin, a.actions, a.payoffs, a.rewards, a.done, a.faults)


def turn_arrays(a: BatchArrays) -> tuple[Any, ...]:
    """The states, and what is known of the turn in each."""
    return a.pool, a.dice, a.actors, a.counts, a.words


def _call_batch(kernel: Kernel, options: Any) -> None:
    """Call all compiled functions of a batch once."""
    a, run = batch_arrays(kernel, 2), batch_functions(kernel)
    planes = np.zeros((2, *kernel.planes), np.uint8)
    numbers = np.zeros((2, kernel.numbers), np.float32)
    zero, two = i64(0), i64(2)
    run.reset(options, a.pool, zero, two, a.dice, a.actors, a.counts, a.words)
    run.sample(zero, two, a.sample_dice, a.counts, a.words, a.actions)
    run.first_illegal(zero, two, a.words, a.actions)
    run.step(*step_values(options, 0, 2, a))
    run.observe(options, a.pool, zero, two, a.actors, planes, numbers)
    run.take(zero, two, a.actions, *turn_arrays(a), *turn_arrays(a))


def call_face(kernel: Kernel, options: Any) -> None:
    """Call all compiled functions of a face once."""
    p, words, (planes, numbers) = kernel.blank(), kernel.new_words(), kernel.new_observation()
    payoffs, die = np.zeros((1, kernel.seats), np.int64), u64(1)
    kernel.start(options, p)
    kernel.observe(options, p, i64(0), planes, numbers)
    kernel.payoffs(options, p, payoffs[0])
    die = u64(kernel.chance(options, p, die))
    while kernel.actor(options, p) == CHANCE:
        die = u64(kernel.chance(options, p, die))
    seat = i64(kernel.actor(options, p))
    kernel.legal(options, p, seat, words)
    number, die = kernel.pick(options, p, die)
    kernel.act(options, p, seat, i64(number))
    first, dice, lengths = kernel.blank(), np.zeros(1, np.uint64), np.zeros(1, np.int64)
    kernel.start(options, first)
    kernel.copy(first, p)
    kernel.playout(options, p, u64(1), i64(10), payoffs[0])
    play_matches(kernel)(options, first, p, dice, i64(10), lengths, payoffs)
    play_steps(kernel)(options, first, u64(1), i64(10), words, planes, numbers, payoffs[0])
    kernel.legal_turn(options, first, words)
    _call_batch(kernel, options)
