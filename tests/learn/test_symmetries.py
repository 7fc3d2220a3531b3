"""Symmetries: a turned position has the turned actions, which lead to the turned positions."""

from __future__ import annotations

import doctest
from random import Random

import numpy as np
import pytest

from kibitz.games import GAMES
from kibitz.learn import symmetries
from kibitz.learn.single import SingleMatch
from kibitz.learn.symmetries import count_symmetries, turn_action, turn_board, turn_position

NAMES = [name for name in GAMES if "kernel" in GAMES[name].extras]
PLIES = {"kahmate": 160, "kalamala": 60, "as-kimble": 5}


def test_the_example_runs() -> None:
    assert doctest.testmod(symmetries).failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_turned_positions_play_alike(name: str) -> None:
    match, rng = SingleMatch(name), Random(4)
    match.reset(3)
    game, kernel, p = match.setup.game, match.kernel, match.kernel.blank()
    for ply in range(PLIES[name]):
        if match.is_over:
            match.reset(ply)
        position, seat = game.notation.write_state(match.state), game.seats[match.actor]
        numbers = match.numbers()
        texts = [kernel.text_of(match.p, match.actor, number) for number in numbers]
        turn = rng.randrange(count_symmetries(name))
        turned = turn_position(game, position, turn)
        kernel.pack(game.notation.read_state(turned), p)
        words = kernel.new_words()
        kernel.legal(match.setup.options, p, match.actor, words)
        legal = np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little")).tolist()
        images = {text: turn_action(game, position, seat, text, turn) for text in texts if text}
        found = [kernel.number_of(p, match.actor, text) for text in images.values()]
        found += [number for number, text in zip(numbers, texts, strict=True) if not text]
        assert sorted(found) == legal, f"{turn} {position}"
        board, _ = match.observe(match.actor)
        seen, beside = kernel.new_observation()
        kernel.observe(match.setup.options, p, match.actor, seen, beside)
        assert (turn_board(name, board, turn) == seen).all()
        text = rng.choice(texts)
        if text:
            action, image = (game.notation.read_action(each) for each in (text, images[text]))
            after = game.rules.resolve(match.state, seat, action).state
            turned_after = game.rules.resolve(game.notation.read_state(turned), seat, image).state
            wanted = turn_position(game, game.notation.write_state(after), turn)
            assert game.notation.write_state(turned_after) == wanted
        match.play(numbers[texts.index(text)])


def test_turns_are_all_different_and_no_more() -> None:
    board = np.arange(64).reshape(1, 8, 8)
    turned = {turn_board("kalamala", board, turn).tobytes() for turn in range(8)}
    assert len(turned) == 8
    assert [count_symmetries(name) for name in ("kalamala", "kahmate", "as-kimble")] == [8, 2, 1]
    for name, turn in (("kalamala", 8), ("kahmate", 2), ("as-kimble", 1), ("kalamala", -1)):
        with pytest.raises(ValueError, match="a turn of"):
            turn_board(name, board, turn)
