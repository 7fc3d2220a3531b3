"""`kibitz arena levels`: what the page says of the levels was played, and can be played again."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from math import exp
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from kibitz.arena import levels
from kibitz.arena.levels import PairingResult, pairings, rate_together, wilson_interval
from kibitz.arena.match import FinishedMatch, play_match
from kibitz.arena.plan import ArenaPlan, Match, check_plan, schedule
from kibitz.arena.ranking import MatchEntry
from kibitz.bots.api import MeasurePlan
from kibitz.bots.registry import LEVELS
from kibitz.cli import main as cli
from kibitz.games import GAMES

TINY = MeasurePlan(
    {
        **dict.fromkeys(levels.QUICK_LEVELS, "9n"),
        **dict.fromkeys(levels.SLOW_LEVELS, "40n"),
        "mcts": "4n",
    },
    4,
    2,
    2,
)
DATES = dict.fromkeys(GAMES, "2026-01-02")
WRITES = ["arena", "levels", "kahmate", "kalamala", "--records", "kept", "--out", "page.md"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """In an empty folder, with little to think about; the numbers of the matches as played."""
    played: list[int] = []

    def at_once(plan: ArenaPlan, matches: Iterable[Match], workers: int) -> Iterator[FinishedMatch]:
        for match in matches:
            played.append(match.number)
            yield play_match(plan, match)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("kibitz.bots.kalamala.levels.MEASURE_PLAN", TINY)
    monkeypatch.setattr(levels, "SANITY_GAMES", 2)
    monkeypatch.setattr(levels, "has_engine", lambda name: name == "kalamala")
    monkeypatch.setattr("kibitz.arena.cli.play_locally", at_once)
    return played


def table(page: str, first: str) -> list[list[str]]:
    """The lines of a table by what its first head is."""
    lines = page.split(f"| {first} |")[1].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_a_page_is_written_of_what_was_played(here: list[int]) -> None:
    said = CliRunner().invoke(cli.app, WRITES)
    assert said.exit_code == 0, said.output
    assert said.output.strip().endswith("page.md")
    page = Path("page.md").read_text()
    assert len(here) == 2 + 5 * 4 + 2 * 2
    assert f"    kibitz {shlex.join([*WRITES[:4], *WRITES[6:], *WRITES[4:6]])}\n" in page
    assert "26 games, with node budgets" in page
    told = [(first, other, int(games)) for first, other, games, *_ in table(page, "level")]
    ladder = list(zip(LEVELS, ("random", *LEVELS), (2, 4, 4, 4, 4, 4), strict=False))
    assert told == [*ladder, ("level-6", "greedy", 2), ("level-6", "mcts", 2)]
    assert len(table(page, "bot")) == 9
    assert "## Kahmaté\n\nThis game has no engine yet" in page


def test_what_was_played_is_not_played_again(here: list[int]) -> None:
    CliRunner().invoke(cli.app, WRITES)
    page, played = Path("page.md").read_text(), len(here)
    assert CliRunner().invoke(cli.app, WRITES).exit_code == 0
    assert len(here) == played
    assert Path("page.md").read_text() == page
    CliRunner().invoke(cli.app, [*WRITES, "--games", "6"])
    assert len(here) == 8 * 6
    assert "| level-6 | mcts | 6 |" in Path("page.md").read_text()


def test_each_command_of_the_page_plays_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[ArenaPlan] = []

    def hold(plan: ArenaPlan, *more: Any) -> None:
        held.append(plan)

    monkeypatch.setattr("kibitz.arena.cli.run_arena", hold)
    wanted = [each for name in ("kalamala", "as-kimble") for each in pairings(name, seed=3)]
    for pairing in wanted:
        command = levels.arena_command(pairing)
        assert CliRunner().invoke(cli.app, shlex.split(command)[1:]).exit_code == 0, command
    assert held == [pairing.plan for pairing in wanted]
    assert {plan.seed for plan in held} == {3}


@pytest.mark.parametrize("name", GAMES)
def test_what_is_measured_can_be_played(name: str) -> None:
    found = list(pairings(name))
    for pairing in found:
        check_plan(pairing.plan)
    assert [pairing.first for pairing in found[: len(LEVELS)]] == list(LEVELS)
    fixed = [bot for pairing in found for bot in pairing.plan.bots if "@" in bot]
    assert all(bot.endswith("n") for bot in fixed)
    assert len({bot.partition("@")[0] for bot in fixed}) == len(set(fixed)), "one budget for each"


def test_a_game_that_nobody_has_thought_of_here_is_measured_by_the_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr("kibitz.bots.kahmate.levels.MEASURE_PLAN")
    found = list(pairings("kahmate"))
    assert found[4].plan.bots == ("level-5@0.05s", "level-4@0.01s")
    assert found[5].plan.bots == ("level-6@0.05s", "level-5@0.05s")
    assert found[7].plan.bots == ("level-6@0.05s", "mcts@0.01s")
    assert [each.target_score for each in found] == [None, *[0.65] * 5, 0.95, 0.8]


# What the numbers say


@pytest.mark.parametrize(
    ("scores", "low", "high"),
    [
        ([1.0] * 95 + [0.0] * 5, 0.888, 0.978),
        ([1.0] * 10, 0.722, 1.0),
        ([0.0] * 10, 0.0, 0.278),
        ([0.5] * 100, 0.404, 0.596),
        ([1.0] * 660 + [0.0] * 1340, 0.310, 0.351),
    ],
)
def test_wilson(scores: list[float], low: float, high: float) -> None:
    found = wilson_interval(scores)
    assert found.value == sum(scores) / len(scores)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.0006)


def random_results(name: str, games: int, step: float, seed: int) -> list[PairingResult]:
    """As if each bot were better than the one below by so much, and greedy like level 4."""
    rng, spread = Random(seed), (2 * (25 / 6) ** 2) ** 0.5
    skills = {bot: step * n for n, bot in enumerate(("random", *LEVELS))}
    skills |= {"greedy": 4 * step, "mcts": 2 * step}

    def entry(plan: ArenaPlan, match: Match) -> MatchEntry:
        names = [plan.bots[bot].partition("@")[0] for bot in match.lineup]
        (winner,) = rng.choices(range(len(names)), [exp(skills[each] / spread) for each in names])
        scores = tuple(float(i == winner) for i in range(len(names)))
        nothing = (0,) * len(names)
        none = (0.0,) * len(names)
        return MatchEntry(match.number, match.opening, match.lineup, scores, 9, nothing, none, none)

    return [
        PairingResult(pairing, [entry(pairing.plan, match) for match in schedule(pairing.plan)])
        for pairing in pairings(name, games)
    ]


@pytest.mark.parametrize("name", ["kalamala", "as-kimble"])
def test_all_pairings_make_one_rating(name: str) -> None:
    names, rows = rate_together(random_results(name, 600, 6.0, 1))
    order = [names[row.bot].partition("@")[0] for row in rows]
    assert [bot for bot in order if bot in LEVELS] == list(reversed(LEVELS))
    assert order.index("level-6") < order.index("greedy") < order.index("random")
    played = {names[row.bot].partition("@")[0]: row.games for row in rows}
    assert (played["level-6"], played["level-3"], played["greedy"]) == (1800, 1200, 600)


@pytest.mark.parametrize(("step", "said"), [(8.0, "do not overlap"), (0.0, "overlap.")])
def test_the_page_says_whether_neighbours_can_be_told_apart(step: float, said: str) -> None:
    told = levels.render_page(
        {"as-kimble": random_results("as-kimble", 600, step, 2)}, [], "x", DATES, "z"
    )
    assert said in told
    assert "table with 3 of the other bot: 25% is the score of random play." in told


def test_the_page_says_whether_an_aim_was_reached() -> None:
    told = levels.render_page(
        {"kalamala": random_results("kalamala", 400, 5.9, 2)}, [], "x", DATES, "z"
    )
    lines = {(first, other): (aim, how) for first, other, *_, aim, how in table(told, "level")}
    assert lines["level-1", "random"] == ("", "")
    assert lines["level-4", "level-3"] == ("65%", "reached")
    assert lines["level-6", "greedy"] == ("95%", "missed"), "two steps are 88 %"
    assert lines["level-6", "mcts"] == ("80%", "reached")


def test_games_have_titles_and_numbers() -> None:
    told = levels.render_page({}, list(GAMES), "kibitz arena levels", DATES, "a machine")
    assert told.startswith("# How strong the levels are\n\nGenerated by `kibitz arena levels`")
    assert told.count("\n## ") == len(GAMES)
    assert "\n\n\n" not in told


def test_what_a_page_says_of_other_games_stays() -> None:
    def page(*games: str, machine: str) -> str:
        scored = {name: random_results(name, 12, 5.0, 2) for name in games}
        return levels.render_page(scored, [], "x", DATES, machine)

    both = page("kalamala", "as-kimble", machine="an old one")
    anew = page("kahmate", "kalamala", machine="a new one")
    told = levels.merge_pages(both, anew)
    parts = dict(part.split("\n", 1) for part in told.split("\n## ")[1:])
    assert list(parts) == ["Kahmaté", "Kalamala", "AS-Kimble"]
    assert ["2026-01-02 on a new one" in part for part in parts.values()] == [True, True, False]
    assert "2026-01-02 on an old one" in parts["AS-Kimble"]
    assert "\n\n\n" not in told
    assert levels.merge_pages(told, anew) == told
    assert levels.merge_pages("", anew) == anew


def test_a_game_says_more_of_its_levels_below_their_tables() -> None:
    """What the bots of AS-Kimble say of theirs is on the page of the docs, too."""
    told = levels.render_page(
        {"as-kimble": random_results("as-kimble", 8, 0.1, 1)}, [], "x", DATES, "a machine"
    )
    note = levels.measure_plan("as-kimble").note
    assert note.startswith("Level 6 plays the board")
    assert told.endswith(f"\n\n{note}")
    page = Path(__file__).parents[2] / "docs" / "strength.md"
    assert f"\n\n{note}" in page.read_text("utf-8")
    kalamala = {"kalamala": random_results("kalamala", 8, 0.1, 1)}
    assert "Level 6 plays the board" not in levels.render_page(kalamala, [], "x", DATES, "m")
