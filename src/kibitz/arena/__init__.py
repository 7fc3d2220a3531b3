"""Bots against bots: many games, paired so that luck and seats cancel (docs/arena.md)."""
