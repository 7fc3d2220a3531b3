"""The story of a match, made of what its game finds worth telling."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from msgspec import structs

from kibitz.core.game import Event, Game
from kibitz.core.message import message
from kibitz.core.record import ReplayStep
from kibitz.core.story import Count, Moment
from kibitz.games import GAMES
from kibitz.table.highlights import (
    Highlight,
    biggest_highlights,
    match_highlights,
    score_course,
    seat_tallies,
)


def kalamala(**fields: Any) -> Game[Any, Any, Any]:
    game = GAMES["kalamala"].game({})
    return replace(game, story=replace(game.story, **fields))


def steps_of(game: Game[Any, Any, Any], *texts: str) -> list[ReplayStep[Any, Any]]:
    state, found = game.rules.start(), []
    for text in texts:
        action = game.notation.read_action(text)
        actor = game.rules.actor_of(state, action)
        step = game.rules.resolve(state, actor, action)
        found.append(ReplayStep(state, actor, step))
        state = step.state
    return found


def scene(n: int, size: float) -> Highlight:
    return Highlight(n, (), size, "", None, ())


def test_the_biggest_moments_come_in_their_order() -> None:
    found = [scene(1, 3), scene(5, 1), scene(8, 4), scene(9, 3)]
    assert [each.n for each in biggest_highlights(found, 2)] == [8, 9]
    assert [each.n for each in biggest_highlights(found, 9)] == [1, 5, 8, 9]


def test_only_what_the_game_finds_worth_telling_is_told() -> None:
    game = kalamala(moments={"kalamala.placed": Moment(2), "kalamala.resign": Moment(1)})
    told = match_highlights(game, steps_of(game, "@a1", "@h8", "resign A"))
    assert [(each.n, each.size) for each in told] == [(1, 2), (2, 2), (3, 1)]
    assert match_highlights(kalamala(moments={}), steps_of(game, "@a1")) == []


def test_what_weighs_nothing_is_told_with_others_only() -> None:
    game = kalamala(moments={"kalamala.placed": Moment(0)})
    assert match_highlights(game, steps_of(game, "@a1")) == []


def test_what_only_some_could_hear_is_not_told() -> None:
    game = kalamala(
        moments={"kalamala.placed": Moment(2)}, tallies={"placed": (Count("kalamala.placed"),)}
    )
    (line,) = steps_of(game, "@a1")
    secret = tuple(structs.replace(event, witnesses=frozenset("A")) for event in line.step.events)
    hidden = structs.replace(line, step=structs.replace(line.step, events=secret))
    assert match_highlights(game, [line])
    assert not match_highlights(game, [hidden])
    assert seat_tallies(game, [hidden])["placed"] == {}


def test_how_it_ended_is_told_where_nothing_else_happened() -> None:
    game = kalamala()
    (end,) = match_highlights(game, steps_of(game, "resign A"))
    assert [each.id for each in end.messages] == ["kalamala.resign"]
    line = steps_of(game, "resign A")[0]
    last = (Event(message("kalamala.pulled", seat="A")), *line.step.events)
    (end,) = match_highlights(
        game, [structs.replace(line, step=structs.replace(line.step, events=last))]
    )
    assert [each.id for each in end.messages] == ["kalamala.pulled"]


def test_whoever_comes_into_the_lead_makes_it_bigger() -> None:
    leads = kalamala(
        moments={"kalamala.placed": Moment(2)},
        score=lambda state: (float(state.turn > 1), float(state.turn > 2)),
    )
    first, second = match_highlights(leads, steps_of(leads, "@a1", "@h8"))
    assert (first.new_leader, first.size) == ("A", 3.0)
    assert (second.new_leader, second.size) == ("", 2.0)


def test_the_course_is_where_the_score_changes_and_the_end() -> None:
    game = kalamala(score=lambda state: (float(state.turn > 2), 0.0))
    went = score_course(game, steps_of(game, "@a1", "@h8", "@a8", "@h1"))
    assert [(each.n, each.score) for each in went] == [
        (0, (0.0, 0.0)),
        (2, (1.0, 0.0)),
        (4, (1.0, 0.0)),
    ]
    assert score_course(kalamala(score=lambda state: ()), steps_of(game, "@a1")) == []
    assert score_course(game, []) == []
