"""AS-Kimble: four teams, a dome and a book; docs/rules/as-kimble.md is its rule book."""

from kibitz.games.as_kimble.game import AS_KIMBLE, as_kimble
from kibitz.games.as_kimble.options import Options

__all__ = ["AS_KIMBLE", "Options", "as_kimble"]
