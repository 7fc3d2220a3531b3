"""A new game as a folder: a small one that can be played, to be replaced a file at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from kibitz.core.message import Refused, message
from kibitz.games import GAMES

SKELETON = Path(__file__).parent / "skeleton"
MAX_NAME_LETTERS = 24
_NAME = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")


def write_new_game(name: str, folder: Path) -> Path:
    """Write the skeleton below a folder that is not there yet; raises Refused."""
    if not _NAME.fullmatch(name) or len(name) > MAX_NAME_LETTERS or name in GAMES:
        raise Refused(message("cli.new-game-name", name=name[:60], most=MAX_NAME_LETTERS))
    if folder.exists():
        raise Refused(message("cli.new-game-folder", folder=str(folder)))
    for path, text in skeleton_files(name):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    return folder


def skeleton_files(name: str) -> Iterator[tuple[str, str]]:
    """The files of a game called so: where they go, and what is in them."""
    words = {
        "game_package": name.replace("-", "_"),
        "game-name": name,
        "Game Title": name.replace("-", " ").capitalize(),
    }
    for file in sorted(each for each in SKELETON.rglob("*") if each.is_file()):
        if "__pycache__" not in file.parts:
            path, text = file.relative_to(SKELETON).as_posix(), file.read_text("utf-8")
            yield _with_words(path, words), _with_words(text, words)


def _with_words(text: str, words: dict[str, str]) -> str:
    for placeholder, word in words.items():
        text = text.replace(placeholder, word)
    return text
