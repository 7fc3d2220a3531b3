"""The server with little patience and next to no memory, for tests that would wait too long."""

from __future__ import annotations

from kibitz.server.http import timeouts
from kibitz.server.run import main
from kibitz.server.tables import lobby, sse, table_cache

READS_WITHIN = 4.0

if __name__ == "__main__":
    lobby.SEEKER_MAX_ABSENCE_S = 0.5
    sse.HEARTBEAT_S = 0.5
    timeouts.UNREAD_TIMEOUT_S = READS_WITHIN
    table_cache.MAX_IDLE_TABLES = 0
    main()
