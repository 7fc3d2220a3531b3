"""A server that compiles its bots for as long as a file is not there: `KIBITZ_DATA/compiled`."""

import os
import sys
from pathlib import Path

from kibitz.bots import compilation
from kibitz.games import GAMES
from kibitz.server import run

COMPILED = Path(os.environ["KIBITZ_DATA"], "compiled")

if __name__ == "__main__":
    compilation.uncompiled_games = lambda: frozenset() if COMPILED.exists() else frozenset(GAMES)
    compilation.compiled_percent = lambda: 40
    compilation.COMMAND = (sys.executable, "-c", "import sys; sys.stdin.read()")
    run.main()
