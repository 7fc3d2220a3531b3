"""Laws of the face that every kernel has: it plays by the rules, and shows nobody a secret."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
import pytest

from kibitz.core.game import CHANCE, PRESS_DIE, Game
from kibitz.core.jit import i64, u64
from kibitz.core.kernel import CHANCE as CHANCE_ACTS
from kibitz.core.kernel import OVER, Kernel
from kibitz.games import GAMES, extra_of
from laws.laws import some_options

NAMES = [name for name in GAMES if "kernel" in GAMES[name].extras]
MATCHES, MOST = 4, 200
"""So many matches of each game under random options, and so many actions of each."""

RARE_STARTS = {
    "kahmate": "13/8o4/13/13/5Soc5/3O9/13/13 R duel:T:f5>g5:1:4 f5:0 g5 123456/123456 0-0 9 -"
}
"""Positions from which every other match begins: random play hardly ever comes to a duel, and so to
a card that lies face down."""


@dataclass
class Twin:
    """A match in the rules and in a kernel."""

    game: Game[Any, Any, Any]
    kernel: Kernel
    options: Any
    state: Any
    p: Any

    @property
    def where(self) -> str:
        return self.game.notation.write_state(self.state)


def twins(name: str, matches: int = MATCHES, seed: int = 0) -> Iterator[tuple[Twin, Random]]:
    """Matches about to begin, under random options that the kernel takes."""
    kernel: Kernel = extra_of(name, "kernel").KERNEL
    while matches:
        rng, seed = Random(seed), seed + 1
        options = {**some_options(GAMES[name], rng), **GAMES[name].bots_preset}
        game, p = GAMES[name].game(options), kernel.blank()
        try:
            options = kernel.option_codes(game.options)
        except ValueError:
            continue
        kernel.start(options, p)
        state = game.rules.start()
        if matches % 2 and name in RARE_STARTS:
            state = game.notation.read_state(RARE_STARTS[name])
            kernel.pack(state, p)
        yield Twin(game, kernel, options, state, p), rng
        matches -= 1


def positions(name: str, matches: int = MATCHES) -> Iterator[tuple[Twin, Random]]:
    """All positions of some random matches, played in both."""
    for twin, rng in twins(name, matches):
        die = u64(rng.getrandbits(63))
        for _ in range(MOST):
            yield twin, rng
            actor = twin.kernel.actor(twin.options, twin.p)
            if actor == OVER:
                break
            die = u64(play_one(twin, actor, die))


def play_one(twin: Twin, actor: int, die: int) -> int:
    """An action at random in the kernel, and the same in the rules; the die after it."""
    kernel, rules = twin.kernel, twin.game.rules
    if actor == CHANCE_ACTS:
        after = {rules.resolve(twin.state, CHANCE, each).state for each in rules.odds(twin.state)}
        die = kernel.chance(twin.options, twin.p, u64(die))
        twin.state = kernel.unpack(twin.p)
        assert twin.state in after, twin.where
        return die
    number, die = kernel.pick(twin.options, twin.p, u64(die))
    text = kernel.text_of(twin.p, actor, int(number))
    kernel.act(twin.options, twin.p, i64(actor), i64(number))
    if text != PRESS_DIE:
        seat, action = twin.game.seats[actor], twin.game.notation.read_action(text)
        twin.state = rules.resolve(twin.state, seat, action).state
    return die


def legal_texts(twin: Twin, seat: int) -> list[str]:
    words = twin.kernel.new_words()
    words[:] = u64(2**64 - 1)
    count = twin.kernel.legal(twin.options, twin.p, i64(seat), words)
    numbers = [n for n in range(64 * len(words)) if int(words[n >> 6]) >> (n & 63) & 1]
    assert len(numbers) == count, twin.where
    assert all(number < twin.kernel.actions for number in numbers), twin.where
    texts = [twin.kernel.text_of(twin.p, seat, number) for number in numbers]
    assert [twin.kernel.number_of(twin.p, seat, text) for text in texts] == numbers, twin.where
    return texts


def listed_texts(twin: Twin, seat: int) -> list[str]:
    """The turn actions by the rules; at a dome that answers, whoever may pass may press, too."""
    game = twin.game
    actions = game.rules.turn_actions(twin.state, game.seats[seat])
    texts = [game.notation.write_action(action) for action in actions]
    may_press = CHANCE in game.rules.to_act(twin.state) and texts
    if may_press and twin.kernel.actor(twin.options, twin.p) == CHANCE_ACTS:
        return []
    return [*texts, PRESS_DIE] if may_press else texts


@pytest.mark.parametrize("name", NAMES)
def test_a_kernel_starts_as_the_rules_do(name: str) -> None:
    for twin, _ in twins(name):
        fresh = twin.kernel.blank()
        twin.kernel.pack(twin.state, fresh)
        assert twin.kernel.unpack(twin.p) == twin.state
        assert bytes(fresh.tobytes()) == bytes(twin.p.tobytes())


@pytest.mark.parametrize("name", NAMES)
def test_a_match_in_the_kernel_is_a_match_by_the_rules(name: str) -> None:
    for twin, _ in positions(name):
        assert twin.kernel.unpack(twin.p) == twin.state
        is_over = twin.game.rules.outcome(twin.state) is not None
        payoffs = np.zeros(twin.kernel.seats, np.int64)
        assert twin.kernel.payoffs(twin.options, twin.p, payoffs) == is_over, twin.where


@pytest.mark.parametrize("name", NAMES)
def test_a_match_ends_and_pays_as_the_rules_say(name: str) -> None:
    for twin, rng in twins(name):
        die, payoffs = u64(rng.getrandbits(63)), np.zeros(twin.kernel.seats, np.int64)
        twin.kernel.playout(twin.options, twin.p, die, i64(10**6), payoffs)
        outcome = twin.game.rules.outcome(twin.kernel.unpack(twin.p))
        assert outcome is not None
        assert tuple(payoffs.tolist()) == outcome.payoffs
        assert twin.kernel.payoffs(twin.options, twin.p, payoffs)
        assert tuple(payoffs.tolist()) == outcome.payoffs
        assert twin.kernel.actor(twin.options, twin.p) == OVER
        assert not any(legal_texts(twin, seat) for seat in range(twin.kernel.seats))


@pytest.mark.parametrize("name", NAMES)
def test_legal_actions_are_those_the_rules_list(name: str) -> None:
    for twin, _ in positions(name):
        actor = twin.kernel.actor(twin.options, twin.p)
        for seat in range(twin.kernel.seats):
            assert sorted(legal_texts(twin, seat)) == sorted(listed_texts(twin, seat)), twin.where
            assert actor < 0 or seat >= actor or not legal_texts(twin, seat)
        assert actor < 0 or legal_texts(twin, actor)


@pytest.mark.parametrize("name", NAMES)
def test_every_legal_action_leads_where_the_rules_lead(name: str) -> None:
    for twin, rng in positions(name, 3):
        actor = twin.kernel.actor(twin.options, twin.p)
        texts = [text for text in legal_texts(twin, max(actor, 0)) if text != PRESS_DIE]
        for text in rng.sample(texts, min(3, len(texts))):
            p = twin.kernel.blank()
            twin.kernel.pack(twin.state, p)
            number = i64(twin.kernel.number_of(p, actor, text))
            twin.kernel.act(twin.options, p, i64(actor), number)
            action, seat = twin.game.notation.read_action(text), twin.game.seats[actor]
            after = twin.game.rules.resolve(twin.state, seat, action).state
            assert twin.kernel.unpack(p) == after, f"{twin.where} {text}"


# Secrets


def observation(twin: Twin, state: Any, seat: int) -> bytes:
    """All bytes that a seat is shown, into memory that something else was in."""
    p, (planes, numbers) = twin.kernel.blank(), twin.kernel.new_observation()
    planes[:], numbers[:] = 7, 7.0
    twin.kernel.pack(state, p)
    twin.kernel.observe(twin.options, p, i64(seat), planes, numbers)
    return planes.tobytes() + numbers.tobytes()


def assert_secret(twin: Twin, rng: Random) -> int:
    """Two states that a seat cannot tell apart look alike to it; how many were not the same."""
    others, rules = 0, twin.game.rules
    for seat, name in enumerate(twin.game.seats):
        view = rules.view(twin.state, name, ())
        other = rules.imagine(view, rng)
        assert rules.view(other, name, ()) == view
        assert observation(twin, other, seat) == observation(twin, twin.state, seat), twin.where
        others += other != twin.state
    return others


@pytest.mark.parametrize("name", NAMES)
def test_nobody_observes_what_a_view_does_not_show(name: str) -> None:
    others = sum(assert_secret(twin, rng) for twin, rng in positions(name))
    has_secrets = any(
        GAMES[name].game(GAMES[name].preset).rules.secret_actions(twin.state, seat, ())
        for twin, _ in positions(name, 1)
        for seat in twin.game.seats
    )
    assert bool(others) == has_secrets


@pytest.mark.parametrize("name", NAMES)
def test_an_observation_follows_what_is_seen(name: str) -> None:
    """Positions of a match that look different are observed as different, nearly all of them."""
    seen, observed = set(), set()
    for twin, _ in positions(name, 1):
        seen.add(twin.game.rules.view(twin.state, twin.game.seats[0], ()))
        observed.add(observation(twin, twin.state, 0))
    assert len(observed) > 0.9 * len(seen)


@pytest.mark.parametrize("name", NAMES)
def test_an_observation_is_of_the_state_and_of_nothing_else(name: str) -> None:
    """Whatever a record was used for before, and whatever stood in it."""
    for twin, _ in positions(name, 2):
        planes, numbers = twin.kernel.new_observation()
        for seat in range(twin.kernel.seats):
            twin.kernel.observe(twin.options, twin.p, i64(seat), planes, numbers)
            shown = planes.tobytes() + numbers.tobytes()
            assert shown == observation(twin, twin.state, seat), twin.where


def leaky(kernel: Kernel) -> Kernel:
    """A kernel that shows everybody the card that lies face down."""

    def observe(options: Any, p: Any, seat: int, planes: Any, numbers: Any) -> None:
        kernel.observe(options, p, seat, planes, numbers)
        numbers[0] += float(p.card)

    return replace(kernel, observe=observe)


def test_a_planted_leak_is_seen() -> None:
    seen = 0
    for twin, rng in positions("kahmate", 2):
        try:
            assert_secret(replace(twin, kernel=leaky(twin.kernel)), rng)
        except AssertionError:
            seen += 1
    assert seen


def test_the_sizes_are_those_of_the_first_version() -> None:
    sizes = {name: extra_of(name, "kernel").KERNEL for name in NAMES}
    assert {name: (each.actions, each.planes, each.numbers) for name, each in sizes.items()} == {
        "kalamala": (4160, (12, 8, 8), 12),
        "kahmate": (1880, (24, 13, 8), 38),
        "as-kimble": (51, (3, 4, 32), 49),
    }


@pytest.mark.parametrize("name", NAMES)
def test_records_are_aligned(name: str) -> None:
    kernel: Kernel = extra_of(name, "kernel").KERNEL
    assert kernel.state.isalignedstruct
    assert kernel.options.isalignedstruct
