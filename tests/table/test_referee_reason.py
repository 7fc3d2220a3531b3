"""Where the reason of a ruling begins."""

from __future__ import annotations

import pytest

from kibitz.table.table import split_reason


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("forfeit R because he left", ("forfeit R", "he left")),
        ('ref rule "so because of that"', None),
        ('ref rule "so" because of that', ('ref rule "so"', "of that")),
        (r'ref rule "a \" because b"', None),
        ("void", None),
    ],
)
def test_a_reason_is_beside_a_ruling_and_not_inside_it(
    text: str, split: tuple[str, str] | None
) -> None:
    assert split_reason(text) == split
