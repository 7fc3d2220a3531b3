"""The home of each table: the worker at which its sockets end.

Every worker has a rank for every table (rendezvous hashing). The first one is the table's home.
Where it is not there the next one stands in for it, so a worker's death moves only its own tables.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

KEY_BYTES = 16
RANK_BYTES = 8


@dataclass(frozen=True, slots=True)
class TableHomes:
    workers: int
    """Their number; they are counted from 0."""
    folder: Path
    """The folder of their Unix sockets, which nobody else may enter."""
    key: bytes = field(default_factory=lambda: secrets.token_bytes(KEY_BYTES), repr=False)
    """The key of the ranks, so that nobody can choose tables that all have the same home."""

    def ranking(self, table_id: str) -> list[int]:
        """All workers, from the table's home to the last that would stand in for it."""
        return sorted(range(self.workers), key=lambda worker: self._rank(worker, table_id))

    def _rank(self, worker: int, table_id: str) -> bytes:
        text = f"{worker} {table_id}".encode()
        return blake2b(text, digest_size=RANK_BYTES, key=self.key).digest()

    def socket_path(self, worker: int) -> str:
        """The Unix socket at which a worker takes connections over."""
        return str(self.folder / str(worker))
