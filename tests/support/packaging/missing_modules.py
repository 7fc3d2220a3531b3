"""A Python that lacks some modules, and all the processes that it starts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[3]
HOST_PACKAGES = ("psycopg", "redis", "prometheus_client")
JIT_PACKAGES = ("numba", "llvmlite")
POSIX_MODULES = ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "syslog", "uvloop")
"""Modules that Windows has not."""
POSIX_NAMES = {
    "os": (
        *("fork", "forkpty", "killpg", "setsid", "getpgid", "nice", "getuid", "getpgrp"),
        *("set_blocking", "fchmod", "chown", "openpty", "getloadavg"),
    ),
    "signal": ("SIGALRM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "setitimer"),
    "select": ("poll", "epoll"),
}
"""Names that Windows has not, in modules that it has."""


def environment_without(
    folder: Path,
    *modules: str,
    names: Mapping[str, tuple[str, ...]] | None = None,
    source: Path = ROOT / "src",
) -> dict[str, str]:
    """Return variables under which Python cannot import these modules, nor use these names. The
    package is that of `source`.

    Python runs a file called sitecustomize before anything else. The standard library has looked
    at the system by then, or does so in ways that a missing module does not disturb.
    """
    lines = ["import sys", *(f"sys.modules[{module!r}] = None" for module in modules)]
    for module, gone in (names or {}).items():
        lines += [f"import {module}", *(f"vars({module}).pop({each!r}, None)" for each in gone)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sitecustomize.py").write_text("\n".join(lines) + "\n")
    paths = (folder, source, ROOT / "tests")
    return {"PYTHONPATH": os.pathsep.join(map(str, paths))}
