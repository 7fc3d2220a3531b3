"""Golden matches: what an environment does changes only when somebody decides so."""

from __future__ import annotations

import pytest

from support.playthroughs import FOLDER, PLAYTHROUGHS, Playthrough, lines


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda each: each.name)
def test_a_match_is_played_as_it_was(playthrough: Playthrough) -> None:
    kept = (FOLDER / f"{playthrough.name}.txt").read_text(encoding="utf-8")
    assert "\n".join(lines(playthrough)) + "\n" == kept


def test_no_file_is_left_over() -> None:
    names = {f"{each.name}.txt" for each in PLAYTHROUGHS}
    assert {path.name for path in FOLDER.iterdir()} == names
