"""Kahmaté, Kalamala and AS-Kimble: rules, bots and drawings to import, and a place to play.

What is named here is promised (docs/versions.md). A name is loaded when it is first used, so that
importing Kibitz costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"
__all__ = ["Match", "Record", "Refused", "bot", "draw", "game", "games", "read", "verify"]

if TYPE_CHECKING:
    from kibitz.core.message import Refused
    from kibitz.core.record import Record
    from kibitz.library.bots import bot
    from kibitz.library.drawings import draw
    from kibitz.library.match import Match, game
    from kibitz.library.records import read, verify

    def games() -> tuple[str, ...]: ...


_MODULES = {
    "Match": "kibitz.library.match",
    "Record": "kibitz.core.record",
    "Refused": "kibitz.core.message",
    "bot": "kibitz.library.bots",
    "draw": "kibitz.library.drawings",
    "game": "kibitz.library.match",
    "read": "kibitz.library.records",
    "verify": "kibitz.library.records",
}


def __getattr__(name: str) -> Any:
    if name == "games":  # A package that can be called: decision 50.
        return import_module("kibitz.games")
    if name not in _MODULES:
        raise AttributeError(f"module 'kibitz' has no attribute '{name}'")
    found = getattr(import_module(_MODULES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
