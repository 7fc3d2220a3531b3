"""What thinks hard: one module a game, in compiled code, imported only where it is asked for."""
