"""The puzzles that come with Kibitz, and their files."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from kibitz.core.message import Refused
from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES, say_in
from kibitz.puzzles.make import unproved_puzzles
from kibitz.puzzles.puzzle import (
    FIRST_DAY,
    Collection,
    Puzzle,
    collection_file,
    collection_of,
    games_with_puzzles,
    puzzle_id,
    puzzle_of_day,
    read_collection,
    write_collection,
)
from kibitz.table import open_table

PLAYED_OUT = 25
"""Of each game, this many puzzles in the ordinary tests."""
each_game = pytest.mark.parametrize("game", GAMES)


def collection(game: str) -> Collection:
    found = collection_of(game)
    assert found
    return found


def sample(game: str) -> list[Puzzle]:
    puzzles = collection(game).puzzles
    return list(puzzles[:: max(1, len(puzzles) // PLAYED_OUT)])


def test_every_game_has_puzzles() -> None:
    assert games_with_puzzles() == [*GAMES]


@each_game
def test_a_file_is_written_as_it_was_read(game: str) -> None:
    text = collection_file(game).read_text("utf-8")
    assert write_collection(read_collection(game, text)) == text


@each_game
def test_every_puzzle_has_an_id_of_its_own(game: str) -> None:
    puzzles = collection(game).puzzles
    assert [each.id for each in puzzles] == [puzzle_id(each.start) for each in puzzles]
    assert len({each.id for each in puzzles}) == len(puzzles)


@each_game
def test_a_puzzle_can_be_played_to_the_end_of_its_line(game: str) -> None:
    rules = collection(game).rules()
    for puzzle in sample(game):
        table = open_table(rules, puzzle.start)
        assert rules.notation.write_state(table.state) == puzzle.start
        for n, text in enumerate((puzzle.solution, *puzzle.then)):
            actor = rules.rules.actor_of(table.state, rules.notation.read_action(text))
            assert n or actor == puzzle.seat
            table = table.act(actor, text)[0]
            assert rules.notation.write_action(table.history[-1].step.action) == text
        if game == "kalamala":
            assert table.outcome
            assert table.outcome.result == puzzle.seat


@each_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_puzzle_says_what_to_find_and_why(game: str, language: str) -> None:
    found, say = collection(game), say_in(language)
    for puzzle in sample(game):
        for told in (found.title(puzzle.theme), found.task(puzzle), found.why(puzzle)):
            text = say(told)
            assert text
            assert "puzzle-" not in text
            assert "{" not in text


@pytest.mark.parametrize("text", ["", "{}", '{"options": {}}', "nonsense"])
def test_a_file_without_a_head_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_collection("kalamala", text)
    assert refused.value.refusal.id == "puzzles.bad-line"


def test_a_bad_line_is_refused_by_its_number() -> None:
    lines = collection_file("kalamala").read_text("utf-8").splitlines()
    lines[3] = lines[3].replace("\t", " ", 1)
    with pytest.raises(Refused) as refused:
        read_collection("kalamala", "\n".join(lines))
    assert refused.value.refusal.value("number") == 4


def test_games_take_turns_with_the_puzzle_of_the_day() -> None:
    games = games_with_puzzles()
    days = [FIRST_DAY + timedelta(days=n) for n in range(len(games) * 3)]
    found = [puzzle_of_day(day, games) for day in days]
    assert [game for game, _ in found] == games * 3
    assert len({puzzle.id for _, puzzle in found}) == len(found)
    assert puzzle_of_day(date(2031, 2, 3), games) == puzzle_of_day(date(2031, 2, 3), games)


# Proofs


def is_unproved(found: Collection, puzzle: Puzzle) -> bool:
    [(_, is_wrong)] = unproved_puzzles(replace(found, puzzles=(puzzle,)))
    return is_wrong


@each_game
def test_another_solution_is_not_proved(game: str) -> None:
    found = collection(game)
    puzzle, rules = found.puzzles[0], found.rules()
    state = rules.notation.read_state(puzzle.start)
    texts = map(rules.notation.write_action, rules.rules.turn_actions(state, puzzle.seat))
    other = next(text for text in texts if text != puzzle.solution)
    assert not is_unproved(found, puzzle)
    assert is_unproved(found, replace(puzzle, solution=other))


@pytest.mark.long
@each_game
def test_every_puzzle_is_proved_again(game: str) -> None:
    faults = [puzzle.id for puzzle, is_wrong in unproved_puzzles(collection(game)) if is_wrong]
    assert faults == []


@pytest.mark.long
def test_short_wins_are_the_only_ones_by_the_plain_rules() -> None:
    """No search and no kernel: every action, every answer, every action again."""
    found = collection("kalamala")
    game = found.rules()
    short = [each for each in found.puzzles if each.theme == "win-2"][:20]
    for puzzle in short:
        state = game.notation.read_state(puzzle.start)
        assert winning_texts(game, state) == [puzzle.solution]


def winning_texts(game: Any, state: Any) -> list[str]:
    """The first actions after which every answer lets the same side end the game, or none is
    left."""
    return [
        game.notation.write_action(action)
        for action, after in states_ahead(game, state)
        if all(wins_at_once(game, answer) for _, answer in states_ahead(game, after))
    ]


def wins_at_once(game: Any, state: Any) -> bool:
    return any(not game.rules.to_act(after) for _, after in states_ahead(game, state))


def states_ahead(game: Any, state: Any) -> list[tuple[Any, Any]]:
    rules = game.rules
    return [
        (action, rules.resolve(state, state.side, action).state)
        for action in rules.turn_actions(state, state.side)
    ]
