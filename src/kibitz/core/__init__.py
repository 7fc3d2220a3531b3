"""What a game, a message, a record and a drawing are. Knows no game."""
