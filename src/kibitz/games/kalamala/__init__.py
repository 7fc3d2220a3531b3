"""Kalamala: push, pull and place on 8 x 8 squares; docs/rules/kalamala.md is its rule book."""

from kibitz.games.kalamala.game import KALAMALA, kalamala
from kibitz.games.kalamala.options import Options

__all__ = ["KALAMALA", "Options", "kalamala"]
