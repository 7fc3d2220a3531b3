"""The results of many matches: scores with intervals, ratings, and how long was thought.

The matches of one opening are not independent of each other, so one opening is one observation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from statistics import NormalDist, fmean, variance
from typing import Any

from openskill.models import PlackettLuce, PlackettLuceRating

from kibitz.arena.plan import ArenaPlan, Lineup

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(frozen=True, slots=True)
class MatchEntry:
    """A finished match, as far as it counts."""

    number: int
    opening: int
    lineup: Lineup
    scores: tuple[float, ...]
    """In the order of seats, like the lineup; they sum to one."""
    actions: int
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    slowest: tuple[float, ...]
    forfeit: tuple[int, str] | None = None
    """Which bot gave no valid answer, and what it did."""
    is_over: bool = True


@dataclass(frozen=True, slots=True)
class Score:
    """A share of the points, and where it lies with 95 % certainty."""

    value: float
    low: float
    high: float
    openings: int


@dataclass(frozen=True, slots=True)
class PairingScore:
    """Some bot against one other, or against several of one other."""

    first: int
    other: int
    wins: int
    draws: int
    losses: int
    score: Score


@dataclass(frozen=True, slots=True)
class BotRow:
    """One bot in all its matches. Where several copies of it sat at a table, all of them count."""

    bot: int
    games: int
    score: Score
    mu: float
    sigma: float
    seconds: float
    """To a decision, on average."""
    slowest: float
    forfeits: int


@dataclass(frozen=True, slots=True)
class Ranking:
    games: int
    openings: int
    pairings: tuple[PairingScore, ...]
    rows: tuple[BotRow, ...]
    """The best first."""
    actions: float
    """In a match, on average."""
    unfinished_games: int
    forfeits: Mapping[tuple[int, str], int]
    """The number of losses by a bot's own doing, by their kind."""


def match_entry(plan: ArenaPlan, record: Mapping[str, Any]) -> MatchEntry:
    arena, seats = record["arena"], plan.build_game().seats
    forfeit, texts = arena.get("forfeit"), arena["bots"]
    thought = [arena["thought"][seat] for seat in seats]
    numbers = {text: number for number, text in enumerate(plan.bots)}
    return MatchEntry(
        number=arena["number"],
        opening=arena["opening"],
        lineup=tuple(numbers[texts[seat]] for seat in seats),
        scores=tuple(arena["scores"][seat] for seat in seats),
        actions=len(record["actions"]),
        decisions=tuple(each["decisions"] for each in thought),
        seconds=tuple(each["seconds"] for each in thought),
        slowest=tuple(each["slowest"] for each in thought),
        forfeit=(numbers[texts[forfeit["seat"]]], forfeit["why"]) if forfeit else None,
        is_over=record["result"] != "*" or forfeit is not None,
    )


def compute_ranking(plan: ArenaPlan, entries: Iterable[MatchEntry]) -> Ranking:
    games = sorted(entries, key=lambda entry: entry.number)
    rated = bot_ratings(len(plan.bots), games)
    rows = [_bot_row(bot, games, rated[bot]) for bot in {b for g in games for b in g.lineup}]
    forfeits: dict[tuple[int, str], int] = defaultdict(int)
    for game in games:
        if game.forfeit:
            forfeits[game.forfeit] += 1
    return Ranking(
        games=len(games),
        openings=len({game.opening for game in games}),
        pairings=tuple(_pairing_scores(games)),
        rows=tuple(sorted(rows, key=lambda row: -row.mu)),
        actions=fmean(game.actions for game in games) if games else 0.0,
        unfinished_games=sum(not game.is_over for game in games),
        forfeits=dict(forfeits),
    )


def score_of(openings: Sequence[float]) -> Score:
    """The mean over openings, each a share from 0 to 1.

    The interval is the usual one for a mean after two more openings, of which one was all won and
    one all lost: it covers well also where nearly all was won, and has a width where all was.
    """
    more = [*openings, 0.0, 1.0]
    value, middle = fmean(openings), fmean(more)
    half = Z * sqrt(variance(more) / len(more))
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Score(value, min(low, value), max(high, value), len(openings))


def bot_ratings(bots: int, games: Iterable[MatchEntry]) -> list[PlackettLuceRating]:
    """After these matches, in their order, whoever finished first.

    Bots do not learn or tire: nothing makes a rating less certain between two matches (tau). A
    match tells that who won is better than each of those who did not, and nothing of these among
    themselves. It is one observation, however many sit there: a pair of them makes a rating surer
    by its share only (gamma), and the interval holds the truth as often as it should.
    """
    played = list(games)
    share = 1 / max((len(game.lineup) for game in played), default=1)
    model = PlackettLuce(tau=0.0, gamma=lambda *_, **__: share)
    rated = [model.rating() for _ in range(bots)]
    for game in played:
        for one, other, ranks in _compared_pairs(game):
            [after], [after_other] = model.rate([[rated[one]], [rated[other]]], ranks=ranks)
            rated[one], rated[other] = after, after_other
    return rated


def _compared_pairs(game: MatchEntry) -> Iterator[tuple[int, int, list[float]]]:
    """The pairs of bots that a match tells something of, and how: a smaller rank is better."""
    best = max(game.scores)
    both = zip(game.lineup, game.scores, strict=True)
    for (one, score), (other, theirs) in combinations(both, 2):
        if one != other and best in (score, theirs):
            yield one, other, [float(score != best), float(theirs != best)]


def _pairing_scores(games: Sequence[MatchEntry]) -> Iterable[PairingScore]:
    """Those of two bots; where more kinds sit at a table, nobody plays against somebody."""
    together: dict[tuple[int, ...], list[MatchEntry]] = defaultdict(list)
    for game in games:
        together[tuple(sorted(set(game.lineup)))].append(game)
    for bots, played in sorted(together.items()):
        if len(bots) == 2 and all(game.lineup.count(bots[0]) == 1 for game in played):
            yield _pairing_score(*bots, played)


def _pairing_score(first: int, other: int, games: Sequence[MatchEntry]) -> PairingScore:
    scores = [game.scores[game.lineup.index(first)] for game in games]
    wins, losses = scores.count(1.0), scores.count(0.0)
    draws, score = len(scores) - wins - losses, score_of(shares_by_opening(first, games))
    return PairingScore(first, other, wins, draws, losses, score)


def shares_by_opening(bot: int, games: Sequence[MatchEntry]) -> list[float]:
    """A bot's mean score for each opening, over all that it played there."""
    openings: dict[int, list[float]] = defaultdict(list)
    for game in games:
        mine = (score for score, who in zip(game.scores, game.lineup, strict=True) if who == bot)
        openings[game.opening] += mine
    return [fmean(scores) for scores in openings.values() if scores]


def _bot_row(bot: int, games: Sequence[MatchEntry], rated: PlackettLuceRating) -> BotRow:
    own = [(g, seat) for g in games for seat, who in enumerate(g.lineup) if who == bot]
    decisions = sum(game.decisions[seat] for game, seat in own)
    return BotRow(
        bot=bot,
        games=len({game.number for game, _ in own}),
        score=score_of(shares_by_opening(bot, games)),
        mu=rated.mu,
        sigma=rated.sigma,
        seconds=sum(game.seconds[seat] for game, seat in own) / max(1, decisions),
        slowest=max(game.slowest[seat] for game, seat in own),
        forfeits=sum(game.forfeit is not None and game.forfeit[0] == bot for game in games),
    )
