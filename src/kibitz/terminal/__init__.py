"""Play in a terminal: a board of characters for any game, driven by its offers."""

from kibitz.terminal.app import play

__all__ = ["play"]
