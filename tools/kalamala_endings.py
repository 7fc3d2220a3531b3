"""The table of Kalamala's solved endings, and how many there are.

    .venv/bin/python tools/kalamala_endings.py src/kibitz/bots/kalamala/endings.npz
    .venv/bin/python tools/kalamala_endings.py five.npz --pieces 5

With four pieces it takes a minute of one core, with five about half an hour. The same file comes
out on any machine. It prints a line for each kind of ending: pieces of the side to act and of the
other, boards, and how many of them that side wins and loses, first without a rule about repetition
and then under any such rule.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kibitz.bots.kalamala.ending_solver import SOLVED, EndingCounts, solve_endings
from kibitz.bots.kalamala.endings import MAX_PIECES, MOST_PIECES


def print_counts(free: EndingCounts, solved: EndingCounts) -> None:
    """A row of the table in docs/strength.md."""
    cells = [f"{free.here} against {free.there}", f"{free.boards:,}"]
    for each in (free, solved):
        share = (each.won + each.lost) / each.boards
        cells += [f"{each.won:,}", f"{each.lost:,}", f"{share:.2%}", str(each.longest)]
    print(f"| {' | '.join(cells)} |", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--pieces", type=int, choices=range(2, MOST_PIECES + 1), default=MAX_PIECES)
    said = parser.parse_args(arguments)
    found = solve_endings(said.pieces, print_counts)
    np.savez_compressed(said.out, plies=found.tables[SOLVED])


if __name__ == "__main__":
    main()
