"""Compare tables that differ in one hidden choice, over all that the server sends of them.

    .venv/bin/python tools/twins.py                 900 trials

Half of the choices are made at the table, half are in the position it starts from. Compared are
what sockets send, the picture of a link, and the answers of every address of a table. The exit
status is 1 if anybody but their author could tell two of them apart.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.twin_server import TwinServer
from support.twins import channels, twins


def main() -> int:
    parser = argparse.ArgumentParser(description="compare twins that differ in a hidden choice")
    parser.add_argument("--trials", type=int, default=900)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    kinds, compared, told = Counter[str](), 0, Counter[str]()
    with TemporaryDirectory() as folder, TwinServer(Path(folder)) as server:
        for pair in twins(asked.trials, asked.seed):
            kinds[pair.kind] += 1
            for member in pair.others:
                both = zip(*(channels(each, member, server) for each in pair.tables), strict=True)
                for (channel, one), (_, other) in both:
                    compared += 1
                    if one != other:
                        told[f"{pair.kind}: {member} by {channel}"] += 1
    made = ", ".join(f"{n} by {kind}" for kind, n in sorted(kinds.items()))
    print(f"{kinds.total()} trials ({made}), {compared} answers compared")
    for each, n in told.most_common(20):
        print(f"  {n} x {each}")
    print(f"{told.total()} told apart")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
