"""An evening told from its record: with a board, without one, and in between."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.as_kimble.play import game_with
from kibitz.core.record import Record, replay
from kibitz.core.summary import Pause
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.companion.night import Night, PenaltyAccount
from kibitz.games.as_kimble.companion.summary import night_figures
from kibitz.games.as_kimble.options import Options, options_from_json
from kibitz.i18n import LANGUAGES, name_in, say_in
from laws.laws import wander

NAMES = {team: name_in("en", f"as-kimble.seat-{team}") for team in TEAMS}
SAY = say_in("en", NAMES)
MEAL = "h2,t4x2/h1,t9x3/h4/h4 R:M5 d5 0+0/0+0/0+0/0+0 1:- ---- -"
LAST = "t26,g2,g3,g4/h4/h4/h4 R:N1 d3 0+0/0+3/0+0/0+0 2:- ---- -"
"""Red needs a two to win; round two means that it has raised."""


def night_of(
    texts: Sequence[str], start: str = "start", times: Sequence[float] = (), **options: Any
) -> Night:
    """An action every minute, unless it is told when."""
    game = game_with(mode="companion", **options)
    record = Record(
        game=game.name, rules="1", options=game.options, start=start, actions=tuple(texts)
    )
    first = game.rules.start() if start == "start" else game.notation.read_state(start)
    at = times or [60.0 * i for i in range(len(texts))]
    agreed = Options(**options_from_json(game.options))
    return night_figures(agreed, first, list(replay(game, record)), at)


def account(night: Night, team: str) -> PenaltyAccount:
    return next(each for each in night.accounts if each.seat == team)


def highlight(night: Night, kind: str) -> str:
    return next(SAY(each.event.message) for each in night.highlights if each.kind == kind)


ATE, MINED, RAISED, BIT = "led eat R2 B3", "led mine Y1 G2", "led raise R", "led raise G B1"
MISSED, SAID, WON = "led hembo B missed", "led hembo Y said", "led won R"


# How it ended


def test_a_night_that_goes_on_has_no_winner() -> None:
    night = night_of(["R pop 2"])
    assert (night.winner, night.is_over, night.raises) == (None, False, 0)
    assert SAY(night.verdict) == "The evening is not over yet."


def test_a_night_without_a_word_in_its_book() -> None:
    night = night_of([])
    assert (night.length_s, night.highlights, night.rulings, night.pauses) == (0, (), (), ())
    assert len(night.course) == 2
    assert not night.is_replayable


def test_the_rules_see_who_has_won() -> None:
    night = night_of(["R pop 2", "R t26-g1"], LAST)
    assert (night.winner, night.raises, night.moral) == ("R", 1, ("B",))
    assert night.verdict.id == "as-kimble.over-truly"


def test_without_a_board_the_book_says_who_has_won() -> None:
    night = night_of([ATE, "B done 6", WON])
    assert (night.winner, night.raises, night.is_over) == ("R", 0, True)
    assert SAY(night.verdict).startswith("Red won, according to the book. Won without a raise")
    assert night.moral == ("B",)
    assert night_of([RAISED, WON]).raises == 1
    assert not night_of([BIT, WON]).raises, "the raise of another team"


def test_a_night_may_end_without_a_winner() -> None:
    night = night_of(['ref end "it is late"'])
    assert (night.winner, night.is_over) == (None, True)
    assert SAY(night.verdict).startswith("Ended by the referee: it is late.")


def test_a_book_kept_as_prose_before_is_replayed_and_shown_as_it_was() -> None:
    """Its penalties count; what they were for is told in the words it was kept in."""
    prose = "Red's double ate Blue's triple (R 7.2)"
    night = night_of([f'ref pen B +6 "{prose}"', 'ref end "Red has won (R 13)"'])
    assert account(night, "B").total_penalties == 6
    assert SAY(night.rulings[0].message) == f"The referee gave Blue 6 penalties: {prose}"
    assert (night.winner, night.is_over) == (None, True)
    assert SAY(night.verdict).startswith("Ended by the referee: Red has won (R 13).")


# The book of each team


def test_penalties_are_counted_as_the_rules_do() -> None:
    night = night_of(["R t4-t9", "B done 2"], MEAL)
    blue = account(night, "B")
    assert (blue.total_penalties, blue.done, blue.owed) == (6, 2, 4)
    assert blue.tallies["eaten"] == account(night, "R").tallies["ate"] == 1


def test_without_a_board_the_same_is_counted() -> None:
    night = night_of([ATE, MINED, RAISED, BIT, MISSED, SAID, "B done 2"])
    counted = {
        name: "".join(str(each.tallies[name]) for each in night.accounts)
        for name in ("ate", "eaten", "raises", "missed", "hembo")
    }
    assert counted == {
        "ate": "1002",
        "eaten": "0210",
        "raises": "1001",
        "missed": "0100",
        "hembo": "0010",
    }
    assert [(each.total_penalties, each.done) for each in night.accounts] == [
        (0, 0),
        (8, 2),
        (2, 0),
        (0, 0),
    ]


def test_a_mine_that_nobody_named_has_eaten_for_nobody() -> None:
    night = night_of(["led mine Y1 -2"])
    assert account(night, "Y").tallies["eaten"] == 1
    assert [each.tallies["ate"] for each in night.accounts] == [0, 0, 0, 0]


def test_hembo_that_was_missed_at_the_board() -> None:
    owing = "h2,t9x2/h4/h4/h4 B:N3 d5 0+0/6+0/0+0/0+0 1:- -!-- -"
    assert account(night_of(["B pop 2"], owing), "B").tallies["missed"] == 1
    assert account(night_of(["B hembo jag", "B pop 2"], owing), "B").tallies["missed"] == 0


def test_shares_and_litres_follow_the_options() -> None:
    options: dict[str, Any] = {"team_size": [1, 3, 1, 1], "unit": "cans", "unit_factor": 2}
    blue = account(night := night_of([ATE, "B done 2"], **options), "B")
    assert blue.shares == 12
    assert blue.litres == pytest.approx(1.98)
    assert night.has_litres
    assert SAY(night.unit) == "half a can of something mild"
    neutral = night_of([ATE, "B done 2"])
    assert not neutral.has_litres
    assert account(neutral, "B").litres == 0


# The course of it


def test_the_course_has_every_change_and_both_ends() -> None:
    night = night_of(["R pop 1", ATE, 'note "pizza"', "B done 2", "R pop 1"])
    assert [(each.at, each.owed[1], each.done[1]) for each in night.course] == [
        (0, 0, 0),
        (60, 6, 0),
        (180, 4, 2),
        (240, 4, 2),
    ]
    assert night.length_s == 240


def test_breaks_are_told_with_their_time() -> None:
    night = night_of(["break", "resume", "R pop 1", "break"])
    assert night.pauses == (Pause(0, 60), Pause(180, None))
    ended = night_of(["break", 'ref end "it is late"'])
    assert ended.pauses == (Pause(0, 60),), "nobody is in a break of what is over"


def test_the_night_tells_who_ignored_a_break() -> None:
    """K105."""
    texts = ["break", "G ignored", "B stray 5", "resume", "Y stray 2"]
    night = night_of(texts, break_penalty=2)
    assert [(each.at, SAY(each.message)) for each in night.ignored_pauses] == [
        (60, "Green ignored the break: 2 penalties"),
        (120, "Blue ignored the break: 2 penalties"),
    ]
    free = night_of(["break", "G ignored"], break_penalty=0)
    assert [SAY(each.message) for each in free.ignored_pauses] == [
        "Green ignored the break: the referee decides"
    ]


# What is remembered


def test_the_most_expensive_meal_at_the_board() -> None:
    night = night_of(["R t4-t9"], MEAL)
    said = "Red's double ate Blue's triple: Blue +6"
    assert highlight(night, "dearest") == said


def test_the_most_expensive_meal_without_a_board() -> None:
    night = night_of([MINED, ATE, 'ref pen G +9 "sang"', BIT, MISSED])
    assert highlight(night, "dearest") == ("Red's double ate Blue's triple: Blue +6")
    assert night.highlights[0].event.n == 2
    assert night_of(['ref pen G +9 "sang"', MISSED]).highlights == ()


def test_the_longest_drought_is_one_teams_own() -> None:
    red = ["R pop 1", "R pop 2", "R pop 3"]
    blue = ["B pop 6", "B in", "B pop 1", "B t7-t8"]
    green = ["Y pop 6", "Y in", "Y pop 1", "Y t14-t15", "G pop 6", "G in", "G pop 1", "G t21-t22"]
    night = night_of([*red, *blue, *green, "R pop 4", "R pop 6", "R in", "R pop 1"])
    assert highlight(night, "drought") == "Red popped 4 times in a row without a six"
    assert night.highlights[0].event.at == 60.0 * 15
    assert night.is_replayable


def test_rulings_and_notes_are_listed_and_what_the_book_wrote_is_not() -> None:
    texts = [ATE, 'ref pen R +1 "sang"', 'ref done R +1 "saw it"', 'ref rule "no phones"']
    texts += ['note "pizza"', RAISED, f'ref set "{LAST}" "they bumped it"']
    night = night_of(texts)
    assert [SAY(each.message) for each in night.rulings] == [
        "The referee gave Red 1 penalty: sang",
        "The referee counted 1 more penalty as done for Red: saw it",
        "The referee ruled: no phones",
        "The referee set the position: they bumped it",
    ]
    assert [SAY(each.message) for each in night.notes] == ["Note: pizza"]
    assert night.rulings[0].at == 60


def test_a_night_that_went_from_the_book_to_the_board() -> None:
    night = night_of([ATE, RAISED, f'ref set "{LAST}" "now with the board"', "R pop 2", "R t26-g1"])
    assert (night.winner, night.raises) == ("R", 1)
    assert [each.total_penalties for each in night.accounts] == [0, 3, 0, 0], (
        "the position has the book"
    )
    assert account(night, "R").tallies["ate"] == 1
    assert night.is_replayable


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32), st.sampled_from(LANGUAGES))
def test_of_any_night_there_is_something_to_tell(seed: int, language: str) -> None:
    game, say = game_with(mode="companion"), say_in(language)
    table = wander(game, Random(seed))
    agreed = Options(**options_from_json(game.options))
    times = [1.0 * i for i in range(len(table.history))]
    night = night_figures(agreed, table.first, table.history, times)
    books = table.state.books
    assert [(each.owed, each.done) for each in night.accounts] == [(b.owed, b.done) for b in books]
    assert night.is_over == bool(table.outcome)
    if table.outcome:
        assert night.winner == table.outcome.result["winner"]
        assert bool(night.raises) == table.outcome.result["true_victory"]
        assert "".join(night.moral) == table.outcome.result["moral"]
    pops = sum(each.tallies["pops"] for each in night.accounts)
    assert pops <= sum(night.die_statistics.counts)
    assert [each.at for each in night.course] == sorted(each.at for each in night.course)
    told = [each.event for each in night.highlights] + [
        *night.rulings,
        *night.notes,
        *night.ignored_pauses,
    ]
    assert all(say(each) for each in (night.verdict, night.unit, *(e.message for e in told)))
