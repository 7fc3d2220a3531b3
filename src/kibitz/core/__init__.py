"""The types of games, messages, records and drawings. Knows no game."""
