"""Kahmaté, Kalamala and AS-Kimble: rules, tables to play at, bots and engines to import."""

__version__ = "0.1.0"
