"""Processes that end with whoever started them, however that ended."""

from __future__ import annotations

import os
import signal
import sys
from threading import Thread


def exit_with_parent() -> None:
    """End this process once its standard input is closed, and leave Ctrl-C to its parent.

    Whoever starts it holds a pipe to its standard input open.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_input, daemon=True).start()


def _exit_with_input() -> None:
    """Without Python's own buffer: that has a lock, which an ending process waits for in vain."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)
