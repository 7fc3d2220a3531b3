"""Batches: many matches at once are the matches of the rules, on any number of threads."""

from __future__ import annotations

import doctest
from random import Random
from typing import Any

import numpy as np
import pytest

from kibitz.core.message import Refused
from kibitz.core.record import replay, verify
from kibitz.games import GAMES
from kibitz.learn import Batch, IllegalAction, batch
from laws.laws import some_options

NAMES = [name for name in GAMES if "kernel" in GAMES[name].extras]
RARE_START = "13/8o4/13/13/5Soc5/3O9/13/13 R duel:T:f5>g5:1:{} f5:0 g5 123456/123456 0-0 9 -"


def random_options(name: str, seed: int) -> dict[str, Any]:
    """Options that a kernel takes."""
    rng = Random(seed)
    while True:
        chosen = {**some_options(GAMES[name], rng), **GAMES[name].bots_preset}
        try:
            Batch(name, 1, options=chosen)
        except (Refused, ValueError):
            continue
        return chosen


def play_on(env: Batch, steps: int) -> list[bytes]:
    """All that a batch tells on the way."""
    told = []
    for _ in range(steps):
        rewards, done = env.step(env.sample())
        board, numbers = env.observe()
        shown = rewards, done, env.actor, env.counts, env.mask, board, numbers
        told.append(b"".join(each.tobytes() for each in shown))
    return told


def test_the_example_runs() -> None:
    assert doctest.testmod(batch).failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_is_the_same_matches_on_any_number_of_threads(name: str) -> None:
    options = random_options(name, 5)
    alone = Batch(name, 13, seed=3, options=options, threads=1)
    among = Batch(name, 13, seed=3, options=options, threads=5)
    told = play_on(alone, 60)
    assert told == play_on(among, 60)
    assert told != play_on(Batch(name, 13, seed=4, options=options), 60)
    alone.reset(3)
    assert told == play_on(alone, 60)


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_plays_by_the_rules(name: str) -> None:
    """Records of its matches replay, and its masks and positions are those of the rules."""
    lengths = []
    for seed in range(3):
        options = random_options(name, seed)
        env = Batch(name, 4, seed=seed, options=options, keep="records")
        for _ in range(90):
            env.step(env.sample())
        for i in range(4):
            record = env.record(i)
            assert verify(env.setup.game, record) is None
            lengths.append(len(record.actions))
            numbers = np.flatnonzero(env.legal()[i]).tolist()
            assert len(numbers) == env.counts[i]
            texts = [env.action_text(i, number) for number in numbers]
            assert [env.action_number(i, text) for text in texts] == numbers
    assert max(lengths) > 40


@pytest.mark.parametrize("name", NAMES)
def test_a_match_that_is_over_pays_and_starts_again(name: str) -> None:
    env = Batch(name, 64, seed=1, keep="records")
    paid = {}
    for _ in range(20_000):
        rewards, done = env.step(env.sample())
        for i in np.flatnonzero(done).tolist():
            paid[i] = rewards[i].copy()
        assert (rewards[~done] == 0).all()
        if len(paid) >= 3:
            break
    for i, reward in paid.items():
        record = env.record(i, finished=True)
        assert verify(env.setup.game, record) is None
        assert record.result != "*"
        *_, last = _states(env, record)
        outcome = env.setup.game.rules.outcome(last)
        assert outcome is not None
        assert outcome.payoffs == tuple(reward.astype(int))
        assert verify(env.setup.game, env.record(i)) is None


def _states(env: Batch, record: Any) -> list[Any]:
    return [each.step.state for each in replay(env.setup.game, record)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("bad", [-1, 2**31 - 1, "illegal"])
def test_an_illegal_action_raises_and_changes_nothing(name: str, threads: int, bad: Any) -> None:
    env = Batch(name, 5, seed=2, threads=threads)
    play_on(env, 7)
    actions = env.sample().copy()
    saved = env.save()
    actions[3] = np.flatnonzero(~env.legal()[3])[0] if bad == "illegal" else bad
    with pytest.raises(IllegalAction) as raised:
        env.step(actions)
    assert raised.value.match == 3
    after = env.save()
    assert all((np.asarray(saved[key]) == np.asarray(after[key])).all() for key in saved)
    env.step(env.sample())


@pytest.mark.parametrize("name", NAMES)
def test_what_was_saved_goes_on_alike(name: str) -> None:
    env = Batch(name, 6, seed=2)
    play_on(env, 20)
    saved, told = env.save(), play_on(env, 20)
    other = Batch(name, 6, seed=9, threads=3)
    other.load(saved)
    assert play_on(other, 20) == told
    with pytest.raises(ValueError, match="not saved from such a batch"):
        Batch(name, 7).load(saved)
    others = (Batch(name, 6, options=random_options(name, seed)) for seed in range(3, 99))
    stranger = next(e for e in others if e.setup.game.options != env.setup.game.options)
    with pytest.raises(ValueError, match="saved from another batch"):
        stranger.load(saved)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("threads", [1, 3])
def test_matches_are_taken_from_another_batch(name: str, threads: int) -> None:
    """They go on alike there; the others, and those they were taken from, stay as they are."""
    env = Batch(name, 5, seed=2)
    play_on(env, 40)
    ahead = Batch(name, 7, seed=9, threads=threads, keep="records")
    kept, texts = env.save(), [ahead.text(i) for i in range(7)]
    rows = [3, -1, 0, 3, 4]
    ahead.take(env, np.array(rows))
    assert [ahead.text(i) for i in (1, 5, 6)] == [texts[i] for i in (1, 5, 6)]
    for i, row in enumerate(rows):
        if row >= 0:
            assert ahead.text(i) == env.text(row)
            assert (ahead.legal()[i] == env.legal()[row]).all()
    assert all((kept[key] == value).all() for key, value in env.save().items())
    for _ in range(30):
        actions = env.sample().copy()
        forced = np.array([np.flatnonzero(mask)[-1] for mask in ahead.legal()])
        forced[[0, 3]], forced[2], forced[4] = actions[3], actions[0], actions[4]
        ahead.step(forced)
        env.step(actions)
    assert [ahead.text(i) for i in (0, 2, 3, 4)] == [env.text(row) for row in (3, 0, 3, 4)]
    assert all(verify(ahead.setup.game, ahead.record(i)) is None for i in range(7))


def test_matches_of_another_kind_are_not_taken() -> None:
    env = Batch("kalamala", 2)
    others = Batch("kahmate", 2), Batch("kalamala", 2, options={"repetition": "ko"})
    for other in others:
        with pytest.raises(ValueError, match="same game and options"):
            env.take(other, np.array([0]))
    with pytest.raises(ValueError, match="another batch"):
        env.take(env, np.array([0]))
    alike = Batch("kalamala", 3)
    for rows in ([0, 0, 0], [0.5], [[1]]):
        with pytest.raises(ValueError, match="at most"):
            env.take(alike, np.array(rows))
    with pytest.raises(IndexError, match="not 3"):
        env.take(alike, np.array([3]))


def test_a_position_can_be_set_and_told() -> None:
    env = Batch("kahmate", 2, keep="records")
    env.set(1, RARE_START.format(4))
    assert env.text(1) == RARE_START.format(4)
    assert [env.action_text(1, n) for n in np.flatnonzero(env.legal()[1]).tolist()]
    env.step(env.sample())
    record = env.record(1)
    assert record.start == RARE_START.format(4)
    assert len(record.actions) == 1
    assert verify(env.setup.game, record) is None
    with pytest.raises(Refused):
        env.set(0, "nonsense")
    env.step(env.sample())


def test_two_cards_face_down_look_alike_in_a_batch() -> None:
    """Byte for byte, to whoever may not know them; to its own captain they do not."""
    shown = {}
    for card in (2, 4):
        env = Batch("kahmate", 3)
        for i in range(3):
            env.set(i, RARE_START.format(card))
        shown[card] = [
            b"".join(part.tobytes() for part in env.observe(seat)) for seat in (0, 1, None)
        ]
        assert env.actor.tolist() == [1, 1, 1]
    own, other, actor = zip(*shown.values(), strict=True)
    assert own[0] != own[1]
    assert other[0] == other[1]
    assert actor[0] == actor[1]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n": 0}, "at least one"),
        ({"device": "tpu"}, "cpu or cuda"),
        ({"keep": "all"}, "keep is records"),
        ({"threads": -1}, "at least"),
    ],
)
def test_nonsense_is_told(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Batch("kalamala", **{"n": 2, **given})


def test_wrong_shapes_and_seats_are_told() -> None:
    env = Batch("kalamala", 2)
    for actions in ([1], [0.5, 0.5], [[1, 2]]):
        with pytest.raises(ValueError, match="whole numbers"):
            env.step(np.array(actions))
    with pytest.raises(ValueError, match="a seat is"):
        env.observe(2)
    with pytest.raises(IndexError):
        env.text(2)
    with pytest.raises(ValueError, match="keep"):
        env.record(0)
    with pytest.raises(ValueError, match="finished"):
        Batch("kalamala", 2, keep="records").record(0, finished=True)
