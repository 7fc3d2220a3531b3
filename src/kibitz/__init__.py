"""Kahmaté, Kalamala and AS-Kimble: rules, tables to play at, bots and engines to import."""

__version__ = "0.2.0"
