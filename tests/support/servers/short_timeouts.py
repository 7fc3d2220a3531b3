"""The server with little patience and next to no memory, for tests that would wait too long."""

from __future__ import annotations

from kibitz.server.http import timeouts
from kibitz.server.run import main
from kibitz.server.tables import registry, service, sse

READS_WITHIN = 2.0

if __name__ == "__main__":
    service.GATHERING = 0.5  # type: ignore[attr-defined]
    sse.HEARTBEAT = 0.5
    timeouts.READS_WITHIN = READS_WITHIN
    registry.KEPT = 0
    main()
