"""Commit messages, as CONTRIBUTING asks for them."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "check" / "commit_message.py"
WHY = "\n\nA pull may touch a chain that the anchor does not see.\n"


def check(text: str, folder: Path) -> tuple[int, str]:
    file = folder / "message"
    file.write_text(text)
    done = subprocess.run([sys.executable, TOOL, file], capture_output=True, text=True)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "text",
    [
        f"kalamala: refuse to pull touching chains{WHY}",
        f"Refuse it{WHY}# Please enter the commit message for your changes.\n",
        "Merge branch 'rules'\n",
    ],
)
def test_a_message_that_says_why_is_fine(text: str, tmp_path: Path) -> None:
    assert check(text, tmp_path) == (0, "")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "needs a subject"),
        ("Refuse it\n", "Say why"),
        ("Refuse it\n\n# Please enter the commit message.\n", "Say why"),
        (f"Refuse it.{WHY}", "full stop"),
        (f"{'long ' * 15}{WHY}", "letters"),
        ("Refuse it\nas it touches\n", "blank line"),
    ],
)
def test_a_message_with_a_fault_is_refused(text: str, fault: str, tmp_path: Path) -> None:
    status, told = check(text, tmp_path)
    assert status == 1
    assert fault in told
