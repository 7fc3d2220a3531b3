"""Kahmaté: rugby on 11 x 8 squares with hidden cards; docs/rules/kahmate.md is its rule book."""

from kibitz.games.kahmate.game import KAHMATE, kahmate
from kibitz.games.kahmate.options import Options

__all__ = ["KAHMATE", "Options", "kahmate"]
