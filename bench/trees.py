"""Source trees whose servers are measured: this one, and another to compare it with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).parents[1]
PARTS = "src", "tests", "bench"
"""The folders of a commit that are needed."""


@dataclass(frozen=True, slots=True)
class Tree:
    label: str
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which Python imports from this tree, with nobody's settings."""
        clean = {name: value for name, value in os.environ.items() if "KIBITZ_" not in name}
        return clean | {"PYTHONPATH": os.pathsep.join(str(self.folder / each) for each in PARTS)}

    def evaluate(self, imported: str, expression: str) -> Any:
        """The value of an expression in a process of this tree; None where it has no such thing."""
        program = f"import json; {imported}; print(json.dumps({expression}))"
        command = [sys.executable, "-c", program]
        ran = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        return None if ran.returncode else json.loads(ran.stdout.splitlines()[-1])


@contextmanager
def measured_trees(against: str) -> Iterator[tuple[Tree, ...]]:
    """This tree and, before it, the one in a folder or of a commit, if any is named."""
    if not against:
        yield (Tree("", HERE),)
    elif Path(against).is_dir():
        yield Tree("before", Path(against).resolve()), Tree("now", HERE)
    else:
        command = ["git", "archive", against, *PARTS]
        archive = subprocess.run(command, cwd=HERE, capture_output=True, check=True).stdout
        with TemporaryDirectory(prefix="kibitz-before-") as folder:
            with tarfile.open(fileobj=BytesIO(archive)) as packed:
                packed.extractall(folder, filter="data")
            yield Tree("before", Path(folder)), Tree("now", HERE)
