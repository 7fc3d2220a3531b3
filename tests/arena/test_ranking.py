"""What an arena says of strength is so: intervals cover, and the stronger bot stands higher."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import exp
from random import Random
from statistics import fmean

import pytest

from kibitz.arena.plan import ArenaPlan, Lineup, Match, schedule
from kibitz.arena.ranking import (
    MatchEntry,
    bot_ratings,
    compute_ranking,
    match_entry,
    score_of,
    shares_by_opening,
)

TWO = ArenaPlan(game="kalamala", options={}, bots=("greedy", "random"), games=40)
FOUR = ArenaPlan(game="as-kimble", options={}, bots=("greedy", "random"), games=200, gauntlet=True)


def entry(number: int, lineup: Lineup, scores: tuple[float, ...], opening: int = 0) -> MatchEntry:
    seats = len(lineup)
    return MatchEntry(
        number, opening, lineup, scores, 30, (9,) * seats, (0.9,) * seats, (0.2,) * seats
    )


def with_games(plan: ArenaPlan, games: int) -> ArenaPlan:
    return replace(plan, games=games)


@lru_cache
def schedule_of(game: str, games: int) -> list[Match]:
    return list(schedule(with_games(TWO if game == TWO.game else FOUR, games)))


def random_entries(
    plan: ArenaPlan, chance: float, rng: Random, luck: float = 0.0
) -> Iterator[MatchEntry]:
    """The first bot wins so often; an opening helps whoever has its better seat."""
    matches = schedule_of(plan.game, plan.games)
    helps = [rng.choice((-luck, luck)) for _ in range(matches[-1].opening + 1)]
    for match in matches:
        seat = match.lineup.index(0)
        better = helps[match.opening] * (1 if seat % 2 else -1)
        winner = seat
        if rng.random() >= chance + better:
            winner = rng.choice([i for i, bot in enumerate(match.lineup) if bot != 0])
        scores = tuple(float(i == winner) for i in range(len(match.lineup)))
        yield entry(match.number, match.lineup, scores, match.opening)


@pytest.mark.parametrize("plan", [TWO, FOUR], ids=["two seats", "four seats"])
@pytest.mark.parametrize(("chance", "luck"), [(0.5, 0.0), (0.5, 0.4), (0.8, 0.15), (0.95, 0.05)])
def test_the_interval_holds_the_truth(plan: ArenaPlan, chance: float, luck: float) -> None:
    """At least 95 times in a hundred; here 400 arenas, less four standard deviations."""
    rng, held, tries = Random(f"{chance}/{luck}"), 0, 400
    plan = with_games(plan, 40)
    for _ in range(tries):
        score = score_of(shares_by_opening(0, list(random_entries(plan, chance, rng, luck))))
        held += score.low <= chance <= score.high
    assert held >= tries * 0.95 - 4 * (tries * 0.95 * 0.05) ** 0.5


def test_the_interval_is_no_wider_than_it_has_to_be() -> None:
    """Of 200 openings, against the binomial interval of 400 independent games."""
    rng = Random(1)
    shares = [(float(rng.random() < 0.7) + float(rng.random() < 0.7)) / 2 for _ in range(200)]
    score = score_of(shares)
    expected = 2 * 1.96 * (0.7 * 0.3 / 400) ** 0.5
    assert score.high - score.low == pytest.approx(expected, rel=0.15)


def test_openings_that_only_help_a_seat_make_it_narrower() -> None:
    """Each side wins with the same seat: the pairs say that both are alike, and surely."""
    narrow, wide = score_of([0.5] * 50), score_of([0.0, 1.0] * 25)
    assert narrow.value == wide.value == 0.5
    assert narrow.high - narrow.low < (wide.high - wide.low) / 3


def test_who_won_everything_may_still_lose_once() -> None:
    score = score_of([1.0] * 50)
    assert (score.value, score.high, score.openings) == (1.0, 1.0, 50)
    assert score.low == pytest.approx(0.943, abs=0.002)


def test_the_counts_are_those_of_the_first() -> None:
    games = [
        entry(0, (0, 1), (1.0, 0.0), 0),
        entry(1, (1, 0), (0.0, 1.0), 0),
        entry(2, (0, 1), (0.5, 0.5), 1),
        entry(3, (1, 0), (1.0, 0.0), 1),
    ]
    found = compute_ranking(TWO, games)
    (pairing,) = found.pairings
    assert (pairing.wins, pairing.draws, pairing.losses) == (2, 1, 1)
    assert pairing.score.value == 0.625
    assert pairing.score.openings == 2
    assert found.rows[0].seconds == pytest.approx(0.1)
    assert found.rows[0].slowest == 0.2
    assert (found.games, found.openings, found.actions) == (4, 2, 30)


@pytest.mark.parametrize("plan", [TWO, FOUR], ids=["two seats", "four seats"])
def test_the_stronger_bot_stands_higher(plan: ArenaPlan) -> None:
    chance = 0.8 if plan.seat_count == 2 else 0.5
    found = compute_ranking(plan, random_entries(plan, chance, Random(1)))
    best, worst = found.rows
    assert (best.bot, worst.bot) == (0, 1)
    assert best.mu - best.sigma > worst.mu + worst.sigma


def test_a_rating_tells_how_often_one_wins() -> None:
    """The difference of two ratings is a chance by the model's own curve."""
    plan = with_games(TWO, 2000)
    one, other = bot_ratings(2, random_entries(plan, 0.75, Random(3)))
    spread = (2 * (25 / 6) ** 2) ** 0.5
    assert 1 / (1 + exp((other.mu - one.mu) / spread)) == pytest.approx(0.75, abs=0.05)


LADDER = {"two seats": ((1, 0), (2, 1)), "four seats": ((1, 0, 0, 0), (2, 1, 1, 1))}
"""Each bot plays the one below it."""


def ladder_entries(
    tables: tuple[Lineup, ...], step: float, games: int, rng: Random
) -> Iterator[MatchEntry]:
    """Matches of three bots, each better than the one below by so much."""
    spread = (2 * (25 / 6) ** 2) ** 0.5
    for number in range(games):
        table = tables[number % len(tables)]
        (winner,) = rng.choices(range(len(table)), [exp(step * bot / spread) for bot in table])
        yield entry(number, table, tuple(float(i == winner) for i in range(len(table))), number)


@pytest.mark.parametrize("tables", LADDER.values(), ids=LADDER)
@pytest.mark.parametrize("step", [1.5, 4.0])
@pytest.mark.parametrize("arenas", [10, pytest.param(200, marks=pytest.mark.long)])
def test_the_interval_of_a_rating_holds_the_truth(
    tables: tuple[Lineup, ...], step: float, arenas: int
) -> None:
    """By how much one is better than the next: at least 95 times in a hundred, less some luck.

    And not because it is wide: the errors are not much smaller than what it says.
    """
    rng, held, errors, said = Random(f"{tables}{step}"), 0, list[float](), list[float]()
    for _ in range(arenas):
        low, middle, high = bot_ratings(3, ladder_entries(tables, step, 400, rng))
        for one, other in ((low, middle), (middle, high)):
            said.append((one.sigma**2 + other.sigma**2) ** 0.5)
            errors.append(other.mu - one.mu - step)
            held += abs(errors[-1]) <= 2 * said[-1]
    assert held >= 2 * arenas * 0.95 - 4 * (2 * arenas * 0.95 * 0.05) ** 0.5
    assert fmean(map(abs, errors)) > 0.45 * fmean(said)


def test_a_table_of_four_is_one_observation() -> None:
    """It says of three pairs who is better, but not as surely as three tables of two."""
    one_table = bot_ratings(4, [entry(0, (0, 1, 2, 3), (1.0, 0.0, 0.0, 0.0))])
    three = bot_ratings(4, [entry(n, (0, n), (1.0, 0.0)) for n in (1, 2, 3)])
    assert one_table[0].mu == pytest.approx(three[0].mu, abs=1)
    unsure, sure = (25 / 3 - found[0].sigma for found in (one_table, three))
    assert 0 < unsure < 0.6 * sure


def test_those_who_did_not_win_are_not_compared() -> None:
    """Three who lose together are not alike for it."""
    before = entry(0, (1, 2), (1.0, 0.0))
    games = [before, *(entry(n, (0, 1, 2, 3), (1.0, 0.0, 0.0, 0.0)) for n in range(1, 5))]
    _, better, worse, _ = bot_ratings(4, games)
    alone = bot_ratings(4, [before])
    assert better.mu - worse.mu > 0.5 * (alone[1].mu - alone[2].mu)


def test_more_games_make_a_rating_surer() -> None:
    few, many = (
        bot_ratings(2, random_entries(with_games(TWO, n), 0.7, Random(2))) for n in (20, 500)
    )
    assert many[0].sigma < few[0].sigma / 2


def test_at_a_table_of_all_kinds_there_are_no_pairings() -> None:
    plan = ArenaPlan(game="as-kimble", options={}, bots=("greedy", "random", "greedy@1n"))
    found = compute_ranking(plan, [entry(0, (0, 1, 2, 0), (1.0, 0.0, 0.0, 0.0))])
    assert found.pairings == ()
    assert {row.bot: row.score.value for row in found.rows} == {0: 0.5, 1: 0.0, 2: 0.0}
    assert found.rows[0].bot == 0


def test_forfeits_are_counted_by_reason() -> None:
    record = {
        "actions": ["x"],
        "result": "*",
        "arena": {
            "number": 0,
            "opening": 0,
            "bots": {"A": "random", "B": "greedy"},
            "scores": {"A": 1.0, "B": 0.0},
            "thought": {s: {"decisions": 1, "seconds": 1.0, "slowest": 1.0} for s in "AB"},
            "forfeit": {"seat": "B", "why": "late"},
        },
    }
    found = compute_ranking(TWO, [match_entry(TWO, record)])
    assert found.forfeits == {(0, "late"): 1}
    assert found.unfinished_games == 0
    assert {row.bot: row.forfeits for row in found.rows} == {0: 1, 1: 0}
