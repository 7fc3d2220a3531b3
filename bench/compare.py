"""Compares the speed of rules and searches in two checkouts side by side.

    .venv/bin/python bench/compare.py OLD NEW [GAME...] [--rounds 3]

Each has a .venv of its own, with everything compiled. Both take turns, so that other work on the
machine meets both alike, and of each figure of `kibitz bench` the best of all rounds counts. A
ratio of 1.03 says that the new one does 3% less. Servers are compared by `bench/server.py
--against`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import defaultdict
from pathlib import Path

MEASURE_S = "5"
ALLOWED_RATIO = 1.03

Figures = dict[str, list[float]]
"""The figures of all rounds by what was measured; those with a rate end in /s."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs=2, type=Path, metavar="CHECKOUT")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    found: list[Figures] = [defaultdict(list), defaultdict(list)]
    for number in range(given.rounds):
        # Who goes first changes, too.
        for index in (0, 1) if number % 2 == 0 else (1, 0):
            measure_rules(given.checkouts[index], given.games, found[index])
        print(f"round {number + 1} of {given.rounds} is done", flush=True)
    print_ratios(*found)


def measure_rules(checkout: Path, games: list[str], found: Figures) -> None:
    for game in games or [""]:
        arguments = ["bench", *([game] if game else []), "--seconds", MEASURE_S, "--json"]
        for name, figures in json.loads(run(checkout, ".venv/bin/kibitz", *arguments)).items():
            found[f"{name}: random play, /s"].append(figures["actions_per_s"])
            if tries := figures.get("mcts_simulations_per_s"):
                found[f"{name}: tries of a search tree, /s"].append(tries)


def run(checkout: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=True)
    return done.stdout


def print_ratios(old: Figures, new: Figures) -> None:
    for what in old:
        if not new.get(what):
            print(f"{what:<64} only in the old one")
            continue
        best = max if what.endswith("/s") else min
        before, after = best(old[what]), best(new[what])
        ratio = before / after if what.endswith("/s") else after / before
        mark = " !" if ratio > ALLOWED_RATIO else ""
        print(f"{what:<64} {before:>12,.2f} {after:>12,.2f}  {ratio:.3f}{mark}")


if __name__ == "__main__":
    main()
