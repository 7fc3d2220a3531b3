"""A commit message has a short subject, a blank line, and a body that says why.

    .venv/bin/python tools/check/commit_message.py .git/COMMIT_EDITMSG

pre-commit runs it on every message (`pre-commit install --hook-type commit-msg`).
"""

from __future__ import annotations

import sys
from pathlib import Path

MAX_SUBJECT_CHARS = 72


def faults(text: str) -> list[str]:
    """The faults of a message; comments of the editor and merges are left alone."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    subject, *rest = lines or [""]
    if subject.startswith("Merge "):
        return []
    found = []
    if not subject.strip():
        found.append("The message needs a subject.")
    if len(subject) > MAX_SUBJECT_CHARS:
        found.append(f"The subject has {len(subject)} letters; {MAX_SUBJECT_CHARS} are enough.")
    if subject.endswith("."):
        found.append("The subject is a heading: leave out the full stop.")
    if rest and rest[0].strip():
        found.append("Leave a blank line after the subject.")
    if not any(line.strip() for line in rest):
        found.append("Say why, in a sentence or two, after a blank line.")
    return found


if __name__ == "__main__":
    sys.exit("\n".join(faults(Path(sys.argv[1]).read_text())) or 0)
