"""The server with bots that do not pause, for tests that play whole games."""

from __future__ import annotations

from kibitz.server import tables
from kibitz.server.run import main

if __name__ == "__main__":
    tables.PAUSE = 0.0
    main()
