"""What analysis knows of single games: one module a game, where there is something to know."""
