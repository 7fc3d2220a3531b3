"""Duel: a tiny game with secret cards and a die. It shows what adding a game takes: this folder.

D1  Both seats put down one of their cards 1, 2, 3 in secret; A's is recorded first.
    Both are shown and spent, the higher one runs, equal ones do not. An empty hand is dealt again.
D2  The runner moves by a die of three, which falls by itself or is pressed by the runner
    (option `die`).
D3  Who reaches the line (option `goal`) wins at once, and everything is shown.
D4  Once a match, at any time, a seat may call on its second wind: one step.
D5  The referee may set any position without a card face down, with a reason; all cards are shown.
D6  Both may agree on a draw.
"""

from duel.game import DUEL, duel

__all__ = ["DUEL", "duel"]
