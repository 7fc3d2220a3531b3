"""The command that starts the server, in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 120.0
CALL = "from kibitz.cli.main import main; main()"


class Command:
    """`kibitz` with these arguments; what it says is kept in files, so it never waits for us."""

    def __init__(self, folder: Path, *arguments: str, program: str = CALL, **more: str) -> None:
        self.data = folder / "data"
        self._out, self._err = folder / "out.txt", folder / "err.txt"
        clean = {name: value for name, value in os.environ.items() if "KIBITZ_" not in name}
        paths = os.pathsep.join((str(ROOT / "src"), str(ROOT / "tests")))
        ours = {"KIBITZ_DATA": str(self.data), "PYTHONPATH": paths, "PYTHONUTF8": "1"}
        ours |= {"KIBITZ_LANGUAGE": "en", "KIBITZ_PREPARE_BOTS": "off"}
        with self._out.open("w") as out, self._err.open("w") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-c", program, *arguments],
                env=clean | ours | more,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
            )

    @property
    def output(self) -> str:
        return self._out.read_text()

    @property
    def log_text(self) -> str:
        return self._err.read_text()

    @property
    def address(self) -> str:
        """Where it is, once it says so."""
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            if found := re.search(r"Kibitz is running at (http://\S+)/ ", self.output):
                return found[1]
            assert self.process.poll() is None, self.log_text
            time.sleep(0.02)
        raise AssertionError(self.output + self.log_text)

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """Its exit code."""
        self.process.send_signal(how)
        return self.process.wait(TIMEOUT_S)

    def __enter__(self) -> Command:
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
