"""Set-up: the ready line-ups, either way round, now and then with a man beside his place."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from kibitz.core.game import Seat
from kibitz.games.kahmate.actions import Placement
from kibitz.games.kahmate.board import RANK_COUNT, file_of, rank_of
from kibitz.games.kahmate.line_ups import LINE_UPS
from kibitz.games.kahmate.state import View
from kibitz.games.kahmate.view import as_state

ASIDE = 0.2
"""How often a man is placed a square beside his place."""


def placement(view: View, seat: Seat, actions: Sequence[Placement], rng: Random) -> Placement:
    """The next man, by a line-up that fits those who stand as well as any."""
    field = as_state(view).field
    standing = {Placement(man.kind, at) for at, man in enumerate(field) if man and man.side == seat}
    line_ups = [line_up.placements(seat) for line_up in LINE_UPS]
    line_ups += [tuple(map(_mirrored, line_up)) for line_up in line_ups]
    fits = [len(standing.intersection(line_up)) for line_up in line_ups]
    chosen = rng.choice(
        [each for each, fit in zip(line_ups, fits, strict=True) if fit == max(fits)]
    )
    wanted = chosen[len(standing)].square
    if rng.random() < ASIDE:
        wanted += rng.choice((-1, 1))
    near = min(abs(action.square - wanted) for action in actions)
    return rng.choice([each for each in actions if abs(each.square - wanted) == near])


def _mirrored(place: Placement) -> Placement:
    file, rank = file_of(place.square), rank_of(place.square)
    return Placement(place.kind, file * RANK_COUNT + RANK_COUNT - 1 - rank)
