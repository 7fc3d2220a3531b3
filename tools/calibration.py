"""Are the chances that people are shown right? Bots play, and forecasts are held to the results.

    .venv/bin/python tools/calibration.py kahmate --matches 2000 --keep kept.jsonl --plot new.svg
    .venv/bin/python tools/calibration.py kahmate --option tries=2 --matches 2000

A bot plays itself with so many nodes per decision, the same matches for the same seed. Of each
match some positions are evaluated as the analysis board evaluates them: one in so many, whatever
became of the match. (As many of each match would be wrong: a position of a short match would be
looked at more often, and short matches are won by whoever was ahead.) The table has what was
forecast and what came of it, by tenths. In the column `then` is what was forecast of the next
position that was looked at, or who won, which should be the same in the mean: nobody can foresee
which way chances will change. The error is the mean distance of forecast and result, by tenths.

The factor is the one on the logarithm of the odds that fits best. It is fitted to the matches with
odd numbers and judged by those with even ones, so no match judges what it was fitted to.

With `--keep` the forecasts are written to a file, match by match, and a file that is there already
is gone on with. `--seconds` begins no match after that time.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from kibitz.analysis.evaluation import result_chances
from kibitz.analysis.jobs import analyse_position
from kibitz.arena.match import play_match
from kibitz.arena.plan import ArenaPlan, Match, check_plan, default_plies, schedule
from kibitz.cli.arguments import read_options
from kibitz.core.game import CHANCE
from kibitz.core.jit import Numbers
from kibitz.core.message import Refused
from kibitz.core.record import read_record, replay
from kibitz.games import GAMES
from kibitz.i18n import FALLBACK, say_in

POSITION_SHARE = 1 / 16
"""One position in so many is looked at, of those in which a seat has a choice."""
BINS = 10
RESAMPLES = 400
"""Of all matches, to see how far the error is a matter of luck."""
MIN_CHANCE = 1e-4
"""Chances are told in ten thousandths."""
FACTORS = np.geomspace(0.2, 5.0, 161)


class Forecast(NamedTuple):
    """The chances of all seats in one position, and what each had of the one point in the end."""

    match: int
    n: int
    """The number of actions before it."""
    chances: tuple[float, ...]
    result: tuple[float, ...]


# Matches


class Job(NamedTuple):
    plan: ArenaPlan
    match: Match
    until: float
    """No match begins after this time."""


def match_forecasts(job: Job) -> list[Forecast]:
    """Of some positions in which a seat had a choice, in their order."""
    if time.time() > job.until:
        return []
    plan, number = job.plan, job.match.number
    game, record = plan.build_game(), read_record(play_match(plan, job.match).record)
    steps = list(replay(game, record))
    over = game.rules.outcome(steps[-1].step.state)
    if over is None:
        return []
    choices = [
        n
        for n, each in enumerate(steps)
        if each.actor != CHANCE and len(game.rules.turn_actions(each.before, each.actor)) > 1
    ]
    options, found = json.dumps(dict(game.options)), []
    for n in picked_positions(choices, Random(f"{plan.seed}/{number}/positions")):
        text = game.notation.write_state(steps[n].before)
        chances = analyse_position(game.name, options, text).chances
        found.append(Forecast(number, n, chances, result_chances(over.payoffs)))
    return found


def picked_positions(choices: Sequence[int], rng: Random) -> list[int]:
    """Those to be looked at: each by its own draw, so that what comes later has no say in it."""
    return [n for n in choices if rng.random() < POSITION_SHARE]


def all_forecasts(
    plan: ArenaPlan, processes: int, until: float, skip: int
) -> Iterator[list[Forecast]]:
    """Those of each match, in order; the first matches are skipped."""
    jobs = [Job(plan, match, until) for match in schedule(plan)][skip:]
    if processes == 1:
        yield from map(match_forecasts, jobs)
        return
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(match_forecasts, jobs)


# What comes of them


class Pairs(NamedTuple):
    """Every seat's forecast in every position, side by side."""

    chances: Numbers
    results: Numbers
    matches: Numbers
    following: Numbers
    """The forecast for the same seat in the next position of the match; after the last, what it had
    in the end."""


def pairs_of(forecasts: Sequence[Forecast]) -> Pairs:
    following = [
        later.chances if later and later.match == each.match else each.result
        for each, later in zip_longest(forecasts, forecasts[1:])
    ]
    seats = len(forecasts[0].chances)
    return Pairs(
        np.array([each.chances for each in forecasts]).ravel(),
        np.array([each.result for each in forecasts]).ravel(),
        np.repeat([each.match for each in forecasts], seats),
        np.array(following).ravel(),
    )


def bin_numbers(chances: Numbers) -> Numbers:
    return np.minimum((chances * BINS).astype(int), BINS - 1)


def calibration_error(chances: Numbers, results: Numbers) -> float:
    """The mean distance of forecasts and results by bins, each weighed by how full it is."""
    places = bin_numbers(chances)
    gaps = np.bincount(places, results - chances, BINS)
    return float(np.abs(gaps).sum() / len(chances))


def error_of_error(pairs: Pairs) -> float:
    """The standard error of that, by drawing whole matches again."""
    rng, numbers = np.random.default_rng(1), np.unique(pairs.matches)
    rows = {number: np.flatnonzero(pairs.matches == number) for number in numbers}
    found = []
    for _ in range(RESAMPLES):
        drawn = np.concatenate([rows[each] for each in rng.choice(numbers, len(numbers))])
        found.append(calibration_error(pairs.chances[drawn], pairs.results[drawn]))
    return float(np.std(found))


def tempered(forecasts: Sequence[Forecast], factor: float) -> list[Forecast]:
    """Forecasts with this factor on the logarithm of their odds; of several seats on all alike."""
    found = []
    for each in forecasts:
        raised = [max(chance, MIN_CHANCE) ** factor for chance in each.chances]
        found.append(each._replace(chances=tuple(one / sum(raised) for one in raised)))
    return found


def log_loss(forecasts: Sequence[Forecast]) -> float:
    pairs = pairs_of(forecasts)
    return float(-(pairs.results * np.log(pairs.chances.clip(MIN_CHANCE))).sum() / len(forecasts))


def best_factor(forecasts: Sequence[Forecast]) -> float:
    """What is certain is left out: no factor changes it."""
    open_still = [each for each in forecasts if MIN_CHANCE < max(each.chances) < 1 - MIN_CHANCE]
    if not open_still:
        return 1.0
    return float(min(FACTORS, key=lambda factor: log_loss(tempered(open_still, factor))))


def table_lines(pairs: Pairs) -> Iterator[str]:
    yield "forecast      seats   mean  result    then"
    places = bin_numbers(pairs.chances)
    for place in range(BINS):
        here = places == place
        if not here.any():
            continue
        named = f"{100 * place // BINS:3}-{100 * (place + 1) // BINS:3}%"
        mean, result = 100 * pairs.chances[here].mean(), 100 * pairs.results[here].mean()
        then = 100 * pairs.following[here].mean()
        yield f"{named:9} {here.sum():9} {mean:5.1f}% {result:6.1f}% {then:6.1f}%"


def told_lines(forecasts: Sequence[Forecast]) -> Iterator[str]:
    """The table, the error, and what a factor would make of it."""
    pairs = pairs_of(forecasts)
    yield from table_lines(pairs)
    yield f"{len(np.unique(pairs.matches))} matches, {len(forecasts)} positions: " + error_text(
        forecasts
    )
    fitted = [each for each in forecasts if each.match % 2]
    judged = [each for each in forecasts if not each.match % 2]
    if not fitted or not judged:
        return
    factor = best_factor(fitted)
    for name, some in (("as shown", judged), (f"factor {factor:.2f}", tempered(judged, factor))):
        yield f"held-out matches, {name}: {error_text(some)}"


def error_text(forecasts: Sequence[Forecast]) -> str:
    pairs = pairs_of(forecasts)
    error = calibration_error(pairs.chances, pairs.results)
    return (
        f"calibration error {100 * error:.1f}% ± {100 * error_of_error(pairs):.1f}, "
        f"log loss {log_loss(forecasts):.3f}"
    )


def plot_svg(pairs: Pairs, title: str) -> str:
    from kibitz.report.plots import reliability_plot
    from kibitz.report.statistics import mean_of

    places, points = bin_numbers(pairs.chances), []
    for place in range(BINS):
        here = places == place
        if found := mean_of(pairs.results[here].tolist()):
            points.append((float(pairs.chances[here].mean()), found))
    return reliability_plot("calibration", title, points, "Forecast", "Share of wins")


# The command line


def plan_line(plan: ArenaPlan) -> str:
    """The first line of a file of forecasts: a longer run of the same plan goes on with it."""
    told = {**plan.json, "share": POSITION_SHARE}
    del told["games"]
    return json.dumps(told)


def kept_forecasts(path: Path, plan: ArenaPlan) -> list[Forecast]:
    """Raises ValueError where the file is of another plan."""
    if not path.exists():
        path.write_text(plan_line(plan) + "\n", encoding="utf-8")
    first, *rows = path.read_text(encoding="utf-8").splitlines() or [""]
    if first != plan_line(plan):
        raise ValueError(f"{path} has forecasts of another game, bot, seed or options.")
    return [
        Forecast(match, n, tuple(chances), tuple(result))
        for match, n, chances, result in map(json.loads, rows)
    ]


def read_plan(said: argparse.Namespace) -> ArenaPlan:
    """Raises Refused where such matches cannot be played."""
    rulebook = GAMES[said.game]
    options = {**rulebook.bots_preset, **read_options(said.option, rulebook)}
    plan = ArenaPlan(
        game=said.game,
        options=options,
        bots=(said.bot,),
        games=said.matches,
        seed=said.seed,
        plies=default_plies(rulebook.game(options)),
    )
    check_plan(plan, least_bots=1)
    return plan


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", choices=sorted(n for n in GAMES if "analysis" in GAMES[n].extras))
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--bot", default="level-5@20000n", help="and its budget per decision")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no match after that")
    parser.add_argument("--keep", type=Path, help="a file for the forecasts")
    parser.add_argument("--plot", type=Path, help="an SVG file for the reliability plot")
    said = parser.parse_args(arguments)
    try:
        plan = read_plan(said)
        found = kept_forecasts(said.keep, plan) if said.keep else []
    except Refused as refused:
        parser.error(say_in(FALLBACK)(refused.refusal))
    except ValueError as error:
        parser.error(str(error))
    skip = found[-1].match + 1 if found else 0
    for some in all_forecasts(plan, said.processes, time.time() + said.seconds, skip):
        found += some
        if said.keep:
            with said.keep.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(each) + "\n" for each in some)
    if not found:
        print("No match came to its end.")
        return
    print(*told_lines(found), sep="\n")
    if said.plot:
        title = f"{said.game}: forecasts of {said.bot} and results"
        said.plot.write_text(plot_svg(pairs_of(found), title), encoding="utf-8")


if __name__ == "__main__":
    main()
