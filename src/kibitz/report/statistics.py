"""Statistics of many games: means and shares with 95 % intervals, and tests of evenness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, exp, pi, sqrt
from statistics import fmean, stdev

Z = 1.959964
"""So many standard errors to each side hold 95 of 100 samples."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number found by sampling, between the ends of its 95 % interval."""

    value: float
    low: float
    high: float
    sample: int
    """Of how many observations."""

    @property
    def error(self) -> float:
        return (self.high - self.low) / 2


def mean_of(values: Sequence[float]) -> Estimate | None:
    """None of nothing; of a single observation the interval has no width to show."""
    if not values:
        return None
    mean = fmean(values)
    error = Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return Estimate(mean, mean - error, mean + error, len(values))


def share_of(count: int, total: int) -> Estimate | None:
    """By Wilson's interval, which stays between nought and one, and holds the share."""
    if not total:
        return None
    share, z2 = count / total, Z * Z
    middle = (share + z2 / (2 * total)) / (1 + z2 / total)
    half = Z / (1 + z2 / total) * sqrt(share * (1 - share) / total + z2 / (4 * total * total))
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Estimate(share, min(low, share), max(high, share), total)


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which this part of the observations lies, between the two nearest."""
    ranked = sorted(values)
    at = part * (len(ranked) - 1)
    below = int(at)
    above = min(below + 1, len(ranked) - 1)
    return ranked[below] + (at - below) * (ranked[above] - ranked[below])


def evenness_p_value(counts: Sequence[int]) -> float:
    """The chance that counts at least as uneven as these come about by themselves (chi-square)."""
    total, expected = sum(counts), sum(counts) / len(counts)
    if not total:
        return 1.0
    square = sum((count - expected) ** 2 / expected for count in counts)
    return chi_square_tail(square, len(counts) - 1)


def chi_square_tail(square: float, freedom: int) -> float:
    """The chance that the sum of so many squared standard normal numbers is greater than this."""
    if freedom % 2:
        tail, term, least = erfc(sqrt(square / 2)), sqrt(2 * square / pi) * exp(-square / 2), 1
    else:
        tail, term, least = 0.0, exp(-square / 2), 0
    for step in range(least, freedom - 1, 2):
        tail += term
        term *= square / (step + 2)
    return tail
