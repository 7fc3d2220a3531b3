"""The taps that a finger needs for each kind of action, over one random match of each game.

    .venv/bin/python tools/count_taps.py

A path is touched place by place, or a button offers what is left of it. A confirmation comes on
top, except for the die, for what can be undone, and for buttons; where several actions share a
path, saying which is the confirmation.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from kibitz.core.game import Offer
from kibitz.games import GAMES
from kibitz.table import open_table
from support.random_matches import random_match

BUTTON = "btn-"
POSITIONS = 80


def taps(offer: Offer, offers: Sequence[Offer]) -> int:
    """For one offer among those that are there."""
    for touched in range(1, len(offer.path)):
        left = {o.actions for o in offers if o.path[:touched] == offer.path[:touched]}
        if left == {offer.actions}:
            return touched + 1 + offer.needs_confirmation  # A button offers what is left.
    is_shared = any(o.path == offer.path and o.actions != offer.actions for o in offers)
    plays_at_once = not offer.actions or offer.can_be_undone or offer.path[-1].startswith(BUTTON)
    is_asked = offer.needs_confirmation or not (is_shared or plays_at_once)
    return len(offer.path) + is_shared + is_asked


def fewest_taps(offers: Sequence[Offer]) -> Mapping[tuple[str, ...], int]:
    """For each thing to do, by the shortest way there."""
    found: dict[tuple[str, ...], int] = {}
    for offer in offers:
        needed = taps(offer, offers)
        found[offer.actions] = min(found.get(offer.actions, needed), needed)
    return found


def taps_by_kind(name: str) -> Mapping[str, list[int]]:
    """Over the positions of a random match."""
    counted: dict[str, list[int]] = defaultdict(list)
    for offers in _offers_of_match(name):
        fewest = fewest_taps(offers)
        for kind, actions in {(o.kind, o.actions) for o in offers if not o.is_always_shown}:
            counted[kind].append(fewest[actions])
    return counted


def _offers_of_match(name: str) -> Iterator[tuple[Offer, ...]]:
    game, played = random_match(name, seed=5)
    for each in played[:: max(1, len(played) // POSITIONS)]:
        table: Any = open_table(game, game.notation.write_state(each.before))
        for seat in game.seats:
            yield table.offers(seat)


def main() -> None:
    print(f"{'game':12}{'action':12}{'least':>6}{'most':>6}{'mean':>7}")
    for name in GAMES:
        for kind, counts in sorted(taps_by_kind(name).items()):
            mean = sum(counts) / len(counts)
            print(f"{name:12}{kind:12}{min(counts):6}{max(counts):6}{mean:7.2f}")


if __name__ == "__main__":
    main()
