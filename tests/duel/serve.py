"""The server with the sample game on its shelf: what a line in GAMES does."""

from duel import DUEL
from kibitz.games import GAMES
from kibitz.server.run import main

GAMES[DUEL.name] = DUEL

if __name__ == "__main__":
    main()
