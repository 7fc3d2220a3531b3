"""Programs that choose an action: the bots of every game, and what they share."""
