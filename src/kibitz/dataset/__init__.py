"""Data sets: many matches of bots as records, and their positions as arrays (docs/datasets.md)."""
