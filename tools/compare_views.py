"""Play random matches before pages that are sent whole views and pages that are sent patches.

    .venv/bin/python tools/compare_views.py                 300 matches
    .venv/bin/python tools/compare_views.py --bytes         only how much is sent of one match
    PYTHONPATH=OLD/src .venv/bin/python tools/compare_views.py --digests old.txt

After every action, for everybody who looks on, in all languages, both have to have the same view:
every sentence, mark, sound, offer and accessible name, and every layer of the drawing. Patches are
put together by the page's own script, in Node.js. Pages are slow, turn, are handed over, come late,
and come back over another connection. The exit status is 1 at the first difference.

`--digests` writes a line per match: a digest of all that its pages came to show. Two versions of
the server show the same where their files are the same: the matches depend on the seed alone.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from kibitz.games import GAMES
from support.compared_views import compare_match, match_bytes
from support.page_patches import PageScript

MEASURED_ACTIONS = 268
"""As many as a match of Kahmaté had that was measured before."""


def main() -> int:
    parser = argparse.ArgumentParser(description="compare whole views with patched ones")
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--actions", type=int, default=120, help="the most actions of a match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bytes", action="store_true", help="measure one match of each game")
    parser.add_argument("--digests", type=Path, help="a file for a digest of each match")
    asked = parser.parse_args()
    digests = []
    if asked.bytes:
        for game in GAMES:
            count, (whole, patched, wire) = match_bytes(game, MEASURED_ACTIONS)
            print(
                f"{game}, {count} actions, to one player: {whole / 1000:,.0f} kB as whole views, "
                f"{patched / 1000:,.0f} kB as patches, {wire / 1000:,.0f} kB compressed"
            )
        return 0
    for game in GAMES:
        count = 0
        with PageScript() as script:
            for seed in range(asked.seed, asked.seed + asked.matches // len(GAMES)):
                try:
                    messages, digest = compare_match(
                        game, Random(seed), asked.actions, script.open_page
                    )
                except AssertionError as error:
                    print(f"{game}, match of seed {seed}: different: {error}")
                    return 1
                count += messages
                digests.append(f"{game} {seed} {messages} {digest}\n")
        print(
            f"{game}: {asked.matches // len(GAMES)} matches, {count:,} messages the same",
            flush=True,
        )
    if asked.digests:
        asked.digests.write_text("".join(digests))
    return 0


if __name__ == "__main__":
    sys.exit(main())
