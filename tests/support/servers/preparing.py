"""A server that compiles its bots for as long as a file is not there: `KIBITZ_DATA/compiled`."""

import os
import sys
from pathlib import Path

from kibitz.bots import compilation
from kibitz.games import GAMES
from kibitz.server import run
from kibitz.server.tables.bot_pool import BotPool

COMPILED = Path(os.environ["KIBITZ_DATA"], "compiled")


async def hand_over(pool: BotPool, game: str) -> None:
    """Nothing is loaded: it may not be compiled in truth."""


if __name__ == "__main__":
    compilation.uncompiled_games = lambda: frozenset() if COMPILED.exists() else frozenset(GAMES)
    compilation.compiled_percent = lambda: 40
    BotPool.hand_over = hand_over  # type: ignore[method-assign, assignment]
    compilation.COMMAND = (sys.executable, "-c", "import sys; sys.stdin.read()")
    run.main()
