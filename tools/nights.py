"""Tells how bots fared at AS-Kimble's nights beside the board, from the folder of an arena.

    .venv/bin/kibitz arena as-kimble level-6@100n level-5@100n --gauntlet --forgetful \\
        -n 1000 -o pace=free --out nights
    .venv/bin/python tools/nights.py nights

A row for each bot: its games (a bot at three seats has three of one match), the share it won, how
often it owed the sentence and did not say it, and per game the penalties it received, completed and
owed at the end, its raises and the new rounds it asked for.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import sqrt
from pathlib import Path
from typing import TypeAlias

from kibitz.arena.store import GAMES_FILE
from kibitz.core.record import Record, read_record, replay
from kibitz.games import game_of
from kibitz.games.as_kimble.state import book_of

EVENTS = {
    "as-kimble.hembo-due": "due",
    "as-kimble.hembo-missed": "missed",
    "as-kimble.raised": "raises",
    "as-kimble.proposes": "proposals",
}
"""What is counted for the seat that an event is about."""
COLUMNS = ("received", "completed", "owed", "raises", "proposals")
Counts: TypeAlias = defaultdict[str, float]


def main(folder: Path) -> None:
    totals: dict[str, Counts] = {}
    with (folder / GAMES_FILE).open(encoding="utf-8") as lines:
        for line in lines:
            add_night(read_record(line), totals)
    for line in table_lines(totals):
        print(line)


def add_night(record: Record, totals: dict[str, Counts]) -> None:
    """Add what happened at each seat to what its bot has so far."""
    arena = record.extras["arena"]
    bots, played = arena["bots"], list(replay(game_of(record), record))
    for seat, bot in bots.items():
        found, book = (
            totals.setdefault(bot, defaultdict(float)),
            book_of(played[-1].step.state, seat),
        )
        found["games"] += 1
        found["won"] += arena["scores"][seat]
        found["received"] += book.owed + book.done
        found["completed"] += book.done
        found["owed"] += book.owed
    for told in (event.message for each in played for event in each.step.events):
        if told.id in EVENTS:
            totals[bots[str(told.value("seat"))]][EVENTS[told.id]] += 1


def table_lines(totals: Mapping[str, Counts]) -> Iterator[str]:
    yield f"| bot | games | won | sentences missed | {' | '.join(COLUMNS)} |"
    yield "|---" * (4 + len(COLUMNS)) + "|"
    for bot, found in totals.items():
        games = found["games"]
        share = found["won"] / games
        won = f"{100 * share:.1f}% ± {100 * sqrt(share * (1 - share) / games):.1f}"
        missed = f"{found['missed']:.0f} of {found['due']:,.0f}"
        cells = " | ".join(f"{found[name] / games:.3f}" for name in COLUMNS)
        yield f"| `{bot}` | {games:,.0f} | {won} | {missed} | {cells} |"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
