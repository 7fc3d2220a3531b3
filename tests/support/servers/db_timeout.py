"""The server with little patience for a database that went away."""

from __future__ import annotations

from kibitz.server.db import store
from kibitz.server.run import main

if __name__ == "__main__":
    store.DB_TIMEOUT_S = 1.0
    main()
