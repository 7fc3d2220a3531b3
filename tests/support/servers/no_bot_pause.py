"""The server with bots that do not pause, for tests that play whole games."""

from __future__ import annotations

from kibitz.server.run import main
from kibitz.server.tables import autoplay

if __name__ == "__main__":
    autoplay.BOT_PAUSE_S = 0.0
    main()
