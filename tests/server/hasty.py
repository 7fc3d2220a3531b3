"""The server with little patience and next to no memory, for tests that would wait too long."""

from __future__ import annotations

from kibitz.server import desk, events, patience, tables
from kibitz.server.run import main

READS_WITHIN = 2.0

if __name__ == "__main__":
    desk.GATHERING = 0.5  # type: ignore[attr-defined]
    events.HEARTBEAT = 0.5
    patience.READS_WITHIN = READS_WITHIN
    tables.KEPT = 0
    main()
