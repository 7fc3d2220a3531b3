"""The server on a machine whose clock can be set at any time: by what a file says, in seconds.

It keeps no table in memory that nobody looks at, so that what it has to remember is read again.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

if __name__ == "__main__":
    right, jump = time.time, Path(os.environ["KIBITZ_TEST_JUMP"])
    time.time = lambda: right() + float(jump.read_text())

    # Only now, as they look at the clock when they are imported.
    from kibitz.server.run import main
    from kibitz.server.tables import deadlines, table_cache

    deadlines.HEARTBEAT_S, table_cache.MAX_IDLE_TABLES = 0.5, 0
    main()
