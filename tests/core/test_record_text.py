"""Records as lines of text."""

from __future__ import annotations

import pytest

from kibitz.core.message import Refused
from kibitz.core.record import Record
from kibitz.core.record_text import is_lines, read_lines, write_lines

RECORD = Record(
    game="as-kimble",
    rules="1",
    options={"pace": "turn"},
    start="h4/h4/h4/h4 B:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -",
    actions=("B pop 6", "B in", 'note "tea: # 1"'),
    extras={"teams": {"R": {"name": "Härkä"}, "B": {"players": ["Aino"]}}, "times": [0, 1.5, 2]},
)
LINES = """\
# game: as-kimble 1
# options: {"pace": "turn"}
# start: h4/h4/h4/h4 B:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -
# R: {"name": "Härkä"}
# B: {"players": ["Aino"]}
# times: [0, 1.5, 2]
B pop 6
B in
note "tea: # 1"
"""


def test_lines_are_written_and_read() -> None:
    assert write_lines(RECORD) == LINES
    assert read_lines(LINES) == RECORD
    assert is_lines(LINES)
    assert not is_lines('{"kibitz": 1}')


def test_what_is_empty_or_as_usual_is_left_out() -> None:
    record = Record(game="as-kimble", rules="1", options={})
    assert write_lines(record) == "# game: as-kimble 1\n"
    assert read_lines("# game: as-kimble 1") == record
    seats = Record(game="as-kimble", rules="1", options={}, extras={"seats": {"a": {"name": "x"}}})
    assert read_lines(write_lines(seats)) == seats


def test_empty_lines_and_unknown_keys_are_skipped() -> None:
    odd = LINES.replace("# R:", "\n# mood: good\n\n# R:").replace("B in", "\n B in ")
    assert read_lines(odd) == RECORD


@pytest.mark.parametrize(
    ("lines", "refusal"),
    [
        ("R pop 6", "record.missing"),
        ("# game: as-kimble", "record.missing"),
        (f"{LINES}# mood: good", "record.late-header"),
        (LINES.replace('{"pace": "turn"}', "[]"), "record.type"),
        (LINES.replace('{"pace": "turn"}', "{"), "record.json"),
        (LINES.replace("[0, 1.5, 2]", "{}"), "record.type"),
    ],
)
def test_what_cannot_be_read_is_refused(lines: str, refusal: str) -> None:
    with pytest.raises(Refused, match=refusal):
        read_lines(lines)
