"""A lock on a file that is open, so that one process at a time writes to it."""

from __future__ import annotations

from importlib import import_module
from typing import IO

LOCKED_BYTE = 1 << 30
"""The byte by which Windows knows of the lock: far behind whatever is written, so that others can
read it."""


def lock_file(file: IO[bytes]) -> bool:
    """Lock a file until it is closed. False if another process has it."""
    try:
        import fcntl
    except ImportError:
        return _lock_on_windows(file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_on_windows(file: IO[bytes]) -> bool:
    windows = import_module("msvcrt")
    file.seek(LOCKED_BYTE)
    try:
        windows.locking(file.fileno(), windows.LK_NBLCK, 1)
    except OSError:
        return False
    finally:
        file.seek(0)
    return True
