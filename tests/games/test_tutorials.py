"""The tutorials can be played to the end, in every way they let a learner find."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeAlias

import pytest

from kibitz.core.game import CHANCE, Rulebook
from kibitz.core.tutorial import Lesson, Tutorial, read_tutorial
from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES, say_in
from kibitz.server.pages.rules import rule_page
from kibitz.table import Table, open_table

AnyTable: TypeAlias = Table[Any, Any, Any]
Way: TypeAlias = tuple[AnyTable, ...]
"""A table at every point of a step, and one at its end, when all has been played out."""


def tutorial_of(rulebook: Rulebook) -> Tutorial:
    assert rulebook.tutorial
    return read_tutorial(rulebook.tutorial.read_text("utf-8"))


TUTORIALS = {name: tutorial_of(rulebook) for name, rulebook in GAMES.items()}
LESSONS = [(name, i) for name, told in TUTORIALS.items() for i in range(len(told.steps))]
each_game = pytest.mark.parametrize("name", GAMES)
each_lesson = pytest.mark.parametrize(
    ("name", "index"), LESSONS, ids=[f"{name}-{TUTORIALS[name].steps[i].id}" for name, i in LESSONS]
)


def legal(table: AnyTable, lesson: Lesson) -> set[str]:
    """What the learner may do or, where the die is to fall, what chance may give."""
    game, state = table.game, table.state
    actors = (lesson.seat, CHANCE) if CHANCE in game.rules.to_act(state) else (lesson.seat,)
    listed = [*game.rules.anytime_actions(state, lesson.seat)]
    listed += [action for actor in actors for action in table.actions(actor)]
    return {game.notation.write_action(action) for action in listed}


def solutions(table: AnyTable, lesson: Lesson, point: int) -> set[str]:
    return {text for text in legal(table, lesson) if lesson.is_solved(point, text)}


def table_after(table: AnyTable, text: str, seat: str | None = None) -> AnyTable:
    """The table after an action by the one whose it is."""
    action = table.game.notation.read_action(text)
    actor = table.game.rules.actor_of(table.state, action)
    assert seat is None or actor in (seat, CHANCE)
    return table.act(actor, text)[0]


def branches(before: AnyTable, lesson: Lesson) -> Iterator[Way]:
    ways: list[Way] = [(before,)]
    for point in range(len(lesson.solves)):
        ways = [
            (*way, table_after(way[-1], text, lesson.seat))
            for way in ways
            for text in sorted(solutions(way[-1], lesson, point))
        ]
    for way in ways:
        after = way[-1]
        for text in lesson.then:
            after = table_after(after, text)
        yield (*way[:-1], after)


@lru_cache
def ways_through(name: str, index: int) -> tuple[Way, ...]:
    """All ways to solve a step, from all ways in which the step before can have ended."""
    told = TUTORIALS[name]
    lesson, game = told.steps[index], GAMES[name].game(told.options)
    if lesson.start is None:
        starts = [way[-1] for way in ways_through(name, index - 1)]
    else:
        starts = [open_table(game, lesson.start)]
    return tuple(way for start in starts for way in branches(start, lesson))


def points(name: str, index: int) -> Iterator[tuple[int, AnyTable]]:
    for way in ways_through(name, index):
        yield from enumerate(way[:-1])


@each_game
def test_a_tutorial_has_eight_to_fifteen_steps(name: str) -> None:
    assert 8 <= len(TUTORIALS[name].steps) <= 15


@each_game
def test_it_ends_with_a_win_of_the_learner(name: str) -> None:
    told = TUTORIALS[name]
    for way in ways_through(name, len(told.steps) - 1):
        outcome = way[-1].outcome
        assert outcome
        assert outcome.payoffs[way[-1].game.seats.index(told.steps[-1].seat)] > 0


@each_lesson
def test_a_step_can_be_solved_whatever_the_learner_found_before(name: str, index: int) -> None:
    lesson = TUTORIALS[name].steps[index]
    assert ways_through(name, index)
    for point, table in points(name, index):
        assert solutions(table, lesson, point), (
            lesson.id,
            table.game.notation.write_state(table.state),
        )


@each_lesson
def test_a_step_has_something_to_find(name: str, index: int) -> None:
    """Somewhere on the way there is a legal action that does not solve it."""
    lesson = TUTORIALS[name].steps[index]
    listed = [legal(table, lesson) for _, table in points(name, index)]
    wrong = [legal(t, lesson) - solutions(t, lesson, point) for point, t in points(name, index)]
    assert any(wrong) or all(len(texts) == 1 for texts in listed)


@each_lesson
def test_what_is_to_be_found_can_be_touched(name: str, index: int) -> None:
    """By the learner's own offers: a run is one of its places at a time or all at once."""
    lesson = TUTORIALS[name].steps[index]
    for point, table in points(name, index):
        offers = table.offers(lesson.seat)
        firsts = {offer.actions[0] if offer.actions else CHANCE for offer in offers}
        chance = {table.game.notation.write_action(action) for action in table.actions(CHANCE)}
        for text in solutions(table, lesson, point):
            assert (CHANCE if text in chance else text) in firsts, text


@each_lesson
def test_chance_gives_exactly_what_a_step_asks_for(name: str, index: int) -> None:
    lesson = TUTORIALS[name].steps[index]
    for point, table in points(name, index):
        chance = {table.game.notation.write_action(action) for action in table.actions(CHANCE)}
        if solutions(table, lesson, point) & chance:
            assert lesson.solves[point].pattern in chance


@pytest.mark.parametrize("language", LANGUAGES)
@each_lesson
def test_a_step_has_words_and_a_paragraph(name: str, index: int, language: str) -> None:
    lesson, say = TUTORIALS[name].steps[index], say_in(language)
    said = [say(told(name)) for told in (lesson.title, lesson.task, lesson.praise)]
    assert all(said)
    assert len(said[0]) <= 40, "a title is short"
    assert all(len(re.findall(r"[.!?](?:\s|$)", text)) <= 3 for text in said[1:]), "so is a step"
    page = rule_page(name, language)
    assert page
    assert lesson.rule in {heading.number for heading in page.toc}


@each_game
def test_no_two_steps_have_the_same_title(name: str) -> None:
    titles = [say_in("en")(lesson.title(name)) for lesson in TUTORIALS[name].steps]
    assert len(set(titles)) == len(titles)


STEP = """
[[steps]]
id = "one"
start = "start"
seat = "A"
solves = ['@a[12]']
rule = "1"
"""


def test_a_tutorial_is_read() -> None:
    told = read_tutorial(f"[options]\nfirst = 'B'\n{STEP}then = ['@b1']")
    (lesson,) = told.steps
    assert told.options == {"first": "B"}
    assert (lesson.id, lesson.start, lesson.seat, lesson.rule) == ("one", "start", "A", "1")
    assert lesson.then == ("@b1",)
    assert lesson.is_solved(0, "@a2")
    assert not lesson.is_solved(0, "@a22")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"[options]\n{STEP}shows = []", "unknown key 'shows'"),
        (f"[options]\n[more]\n{STEP}", "unknown key 'more'"),
        (STEP, "'options' is missing"),
        (f"[options]\n{STEP.replace('rule', 'then')}", "'rule' is missing"),
        (f"[options]\n{STEP.replace('rule = ', 'then = ')}rule = 1", "must be a"),
        (f"[options]\n{STEP}then = [1]", "'then' must be a list of texts"),
        (f"[options]\n{STEP.replace('@a[12]', '@a[12')}", "is no regular expression"),
        (f"[options]\n{STEP}".replace("['@a[12]']", "[]"), "nothing solves it"),
        (f"[options]\n{STEP}{STEP}", "two steps with the id 'one'"),
        (f"[options]\n{STEP}".replace('start = "start"\n', ""), "the first step needs a start"),
    ],
)
def test_what_is_written_wrong_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        read_tutorial(text)
