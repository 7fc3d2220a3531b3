"""A server that builds its bots' library until there is a file: `KIBITZ_DATA/built`.

It says that 40% are built, or what the file `percent` says.
"""

import os
import sys
from pathlib import Path

from kibitz.bots import compilation
from kibitz.server import run

DATA = Path(os.environ["KIBITZ_DATA"])
BUILT, PERCENT = DATA / "built", DATA / "percent"
WAIT = f"import pathlib, time\nwhile not pathlib.Path({str(BUILT)!r}).exists(): time.sleep(0.05)"

if __name__ == "__main__":
    compilation.is_library_missing = lambda: not BUILT.exists()
    compilation.built_percent = lambda: int(PERCENT.read_text()) if PERCENT.exists() else 40
    compilation.COMMAND = (sys.executable, "-c", WAIT)
    run.main()
