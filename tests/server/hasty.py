"""The server with little patience and next to no memory, for tests that would wait too long."""

from __future__ import annotations

from kibitz.server import desk, patience, tables
from kibitz.server.run import main

if __name__ == "__main__":
    desk.GATHERING = 0.5  # type: ignore[attr-defined]
    patience.READS_WITHIN = 2.0
    tables.KEPT = 0
    main()
