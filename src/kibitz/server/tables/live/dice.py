"""The envelopes of a table: their seeds, and what people add to the dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.core.game import Seat
from kibitz.table.sealed_dice import Envelope, commitment

if TYPE_CHECKING:
    from kibitz.server.tables.live_table import LiveTable


def seed_of(live: LiveTable, envelope: Envelope) -> str | None:
    """The seed in an envelope of a table; None where nothing is drawn."""
    stored = live.stored
    if not envelope.commitment:
        return stored.seed
    return next(seed for seed in stored.later_seeds if commitment(seed) == envelope.commitment)


def present_seed(live: LiveTable) -> str | None:
    """The seed that draws are made from now."""
    return seed_of(live, live.table.envelopes[-1])


def entropies_of(live: LiveTable, envelope: Envelope) -> list[str]:
    """The texts that go into the draws from an envelope beside its seed."""
    return [text for _, text in (*live.people.entropies, *envelope.texts)]


def is_mixing(live: LiveTable) -> bool:
    """True while seats may still add to the dice: nothing was drawn from the envelope."""
    table = live.table
    is_unused = table.draws == table.envelopes[-1].from_draw
    return live.stored.seed is not None and is_unused and not table.is_over


def seats_owing_entropy(live: LiveTable) -> tuple[Seat, ...]:
    """The seats that have chosen what to add, are here, and have not told it yet."""
    envelope, members = live.table.envelopes[-1], live.people.members
    told = dict(envelope.texts)
    chosen = [seat for seat, _ in envelope.hashes if seat not in told] if is_mixing(live) else []
    return tuple(s for s in chosen if any(map(live.presence.is_present, members[s])))
