"""Playthroughs: seeded matches written out, so that a person sees what an environment does.

They are written anew by `PYTHONPATH=src:tests .venv/bin/python -m support.playthroughs`. A
difference in tests/playthroughs is a decision: numbers and observations keep their meaning in one
version of a kernel.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from kibitz.learn.single import SingleMatch

FOLDER = Path(__file__).parents[1] / "playthroughs"
PLIES = 60


class Playthrough(NamedTuple):
    name: str
    game: str
    options: dict[str, Any]
    seed: int = 1


PLAYTHROUGHS = (
    Playthrough("kahmate", "kahmate", {}),
    Playthrough("kahmate-open", "kahmate", {"placement": "open", "tries": 2, "start": "B"}),
    Playthrough("kalamala", "kalamala", {}),
    Playthrough("kalamala-ko", "kalamala", {"repetition": "ko", "turn_limit": 40, "first": "B"}),
    Playthrough("as-kimble", "as-kimble", {}),
    Playthrough("as-kimble-no-raise", "as-kimble", {"raising": False}),
)


def digest(*arrays: Any) -> str:
    found = sha256()
    for each in arrays:
        found.update(np.ascontiguousarray(each).tobytes())
    return found.hexdigest()[:12]


def lines(playthrough: Playthrough) -> Iterator[str]:
    """The match, ply by ply: the position, then who acts, among how many, what it sees and does."""
    match, rng = SingleMatch(playthrough.game, playthrough.options), Random(playthrough.seed)
    kernel, game = match.kernel, match.setup.game
    match.reset(playthrough.seed)
    yield f"{kernel.name}, seed {playthrough.seed}"
    yield f"options {json.dumps(dict(game.options), sort_keys=True)}"
    for ply in range(PLIES):
        yield ""
        yield f"{ply}  {game.notation.write_state(match.state)}"
        if match.is_over:
            break
        numbers = match.numbers()
        legal = digest(np.array(numbers, np.int32))
        seen = " ".join(digest(*match.observe(seat)) for seat in range(kernel.seats))
        yield f"    {game.seats[match.actor]} to act, {len(numbers)} legal ({legal}), seen {seen}"
        number = rng.choice(numbers)
        yield f"    plays {number}: {kernel.text_of(match.p, match.actor, number) or '(the die)'}"
        match.play(number)
    yield ""
    yield f"payoffs {match.payoffs().tolist()}"


def main() -> None:
    for each in PLAYTHROUGHS:
        text = "\n".join(lines(each)) + "\n"
        (FOLDER / f"{each.name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
