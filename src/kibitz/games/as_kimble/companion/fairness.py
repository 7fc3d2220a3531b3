"""Tonight's die: its faces against a fair one's, and how it turns against a real dome's (R28).

What counts are the pops of the game and the lots before it. A sticky pop is one of them; silent,
stray and reset pops and those that loosen the dome are none (12.2).

A face is unusual where a fair die shows it so rarely, or so often, once in forty nights at most,
given that there are six faces and two ways to be odd. So are all of them together where they are
as uneven as once in forty nights. A fair die is thus called unusual once in twenty nights at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erfc, exp, floor, gamma, lgamma, log, log1p, log10, sqrt
from typing import Any

from kibitz.core.message import Message, message
from kibitz.core.record import ReplayStep
from kibitz.core.summary import DieStatistics
from kibitz.games.as_kimble.actions import Lot, Pop, StickyLot, StickyPop
from kibitz.games.as_kimble.rules.dispatch import FACES, OPPOSITE_FACES

FAIR_ODDS = (1 / 6, 1 / 6, 4 / 6)
DOME_ODDS = (0.10, 0.22, 0.68)
"""The chances of the same face again, of the opposite one, and of the other four."""
MIN_POPS = 30
"""With fewer pops nothing can be said: five of each face are to be expected."""
MIN_TURNS = 50
"""Five of the rarest thing a dome does, for the same reason."""
ODD_CHANCE = 1 / 40
REJECT_CHANCE = 1 / 20
MAX_NIGHTS = 1000
"""Nobody counts nights beyond that."""


@dataclass(frozen=True, slots=True)
class PopRecord:
    before: int | None
    """The face of the die; None where nobody knew."""
    face: int


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something that a fair die does rarely, and its chance."""

    chance: float
    face: int | None = None
    """None where it is all of them together."""
    is_rare: bool = False


def die_statistics(pops: Sequence[PopRecord]) -> DieStatistics:
    shown = Counter(pop.face for pop in pops)
    counts = tuple(shown[face] for face in FACES)
    told = (_faces_message(counts), _turns_message(turn_counts(pops)))
    return DieStatistics(counts, tuple(each for each in told if each))


def pop_records(played: Iterable[ReplayStep[Any, Any]]) -> list[PopRecord]:
    found = []
    for each in played:
        before = each.before.die.face
        match each.step.action:
            case Pop(_, face) | Lot(_, face):
                found.append(PopRecord(before, face))
            case StickyPop() | StickyLot():
                found.append(PopRecord(before, before))
    return found


# The faces


def oddity(counts: Sequence[int]) -> Oddity:
    """The oddest face, if it is odd; else all of them together."""
    odds, ways = 1 / len(counts), 2 * len(counts)
    chances = binomial(sum(counts), odds)
    found = []
    for face, count in zip(FACES, counts, strict=True):
        fewer, more = sum(chances[: count + 1]), sum(chances[count:])
        found += [Oddity(min(1.0, ways * fewer), face, True), Oddity(min(1.0, ways * more), face)]
    oddest = min(found, key=lambda each: each.chance)
    return (
        oddest if oddest.chance <= ODD_CHANCE else Oddity(chi_square(counts, [odds] * len(counts)))
    )


def _faces_message(counts: Sequence[int]) -> Message:
    pops = sum(counts)
    if not pops:
        return message("as-kimble.fair-none")
    if pops < MIN_POPS:
        return message("as-kimble.fair-few", n=pops)
    found = oddity(counts)
    if found.chance > ODD_CHANCE:
        return message("as-kimble.fair-usual", n=pops)
    often = _how_often(found.chance)
    if found.face is None:
        return message("as-kimble.fair-uneven", n=pops, often=often)
    faces, count = message(f"as-kimble.fair-face-{found.face}"), counts[found.face - 1]
    id = "as-kimble.fair-rare" if found.is_rare else "as-kimble.fair-frequent"
    return message(id, faces=faces, count=count, pops=pops, often=often)


def _how_often(chance: float) -> Message:
    """In how many nights, in two figures: more would only look exact."""
    if chance * MAX_NIGHTS <= 1:
        return message("as-kimble.fair-hardly-ever", nights=MAX_NIGHTS)
    nights = 1 / chance
    step = 10 ** max(0, floor(log10(nights)) - 1)
    return message("as-kimble.fair-once", nights=round(nights / step) * step)


# How it turns


def turn_counts(pops: Iterable[PopRecord]) -> tuple[int, int, int]:
    """The number of times that the same face came again, the opposite one, and another."""
    known = [pop for pop in pops if pop.before is not None]
    same = sum(pop.face == pop.before for pop in known)
    over = sum(pop.face == OPPOSITE_FACES[pop.before or pop.face] for pop in known)
    return same, over, len(known) - same - over


def _turns_message(counts: tuple[int, int, int]) -> Message | None:
    same, over, _ = counts
    known = sum(counts)
    if known < MIN_TURNS:
        return None
    is_fair, is_dome = (chi_square(counts, odds) > REJECT_CHANCE for odds in (FAIR_ODDS, DOME_ODDS))
    fits = "both" if is_fair and is_dome else "fair" if is_fair else "dome" if is_dome else "none"
    verdict = message(f"as-kimble.fair-fits-{fits}")
    return message("as-kimble.fair-turns", same=same, over=over, pops=known, verdict=verdict)


# Chances


def chi_square(counts: Sequence[int], odds: Sequence[float]) -> float:
    """The chance that counts stray from what these odds lead to expect as far as these do."""
    total = sum(counts)
    if not total:
        return 1.0
    expected = [total * each for each in odds]
    strays = sum((n - e) ** 2 / e for n, e in zip(counts, expected, strict=True))
    return _chi_square_tail(strays, len(counts) - 1)


def _chi_square_tail(value: float, freedom: int) -> float:
    """The upper tail of the chi-square distribution, by the recurrence of the gamma function."""
    half = value / 2
    is_odd = freedom % 2 == 1
    tail, at = (erfc(sqrt(half)), 0.5) if is_odd else (exp(-half), 1.0)
    while at < freedom / 2:
        tail += half**at * exp(-half) / gamma(at + 1)
        at += 1
    return min(1.0, tail)


def binomial(pops: int, chance: float) -> list[float]:
    """The chances of none, one, two and so on, by logarithms: a long night has big numbers."""
    ways = [lgamma(pops + 1) - lgamma(k + 1) - lgamma(pops - k + 1) for k in range(pops + 1)]
    hit, miss = log(chance), log1p(-chance)
    return [exp(each + k * hit + (pops - k) * miss) for k, each in enumerate(ways)]
