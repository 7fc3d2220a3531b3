"""The reasons why corrected words read differently now are true, and each stands once."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import pytest

from support.cli_server import ROOT

sys.path.insert(0, str(ROOT / "tools" / "check"))

check_words: Any = importlib.import_module("words")
Overtaken = check_words.Overtaken
EN = "src/kibitz/words/en.po"


def test_every_reason_is_true() -> None:
    assert check_words.untrue_reasons(check_words.read_overtaken()) == []


def test_every_row_is_explained_once_and_in_order() -> None:
    keys = [each[:3] for each in check_words.read_overtaken()]
    assert keys == sorted(set(keys))


def test_every_row_is_gone_or_changed_for_a_reason() -> None:
    for each in check_words.read_overtaken():
        assert each.state in {"gone", "changed"}
        assert each.reason


@pytest.mark.parametrize(
    ("file", "row", "state", "reason", "fault"),
    [
        (EN, "page.welcome-hint", "gone", "nothing says it any more", "not gone"),
        (EN, "page.no-such-id", "changed", "shorter now", "not changed"),
        (EN, "page.no-such-id", "gone", "is page.nor-this-one now", "no such id"),
        ("src/kibitz/words/xx.po", "page.home", "gone", "nothing says it", "no such file"),
    ],
)
def test_an_untrue_reason_is_told(file: str, row: str, state: str, reason: str, fault: str) -> None:
    listed = [Overtaken("en-corrections.tsv", file, row, state, reason)]
    assert [each.split("\t")[0] for each in check_words.untrue_reasons(listed)] == [fault]


def test_a_form_of_a_plural_is_there_where_its_message_is() -> None:
    file = "src/kibitz/games/as_kimble/words/en.po"
    row = Overtaken("en-corrections.tsv", file, "as-kimble.book-steps[1]", "changed", "says more")
    assert check_words.untrue_reasons([row]) == []
    assert check_words.untrue_reasons([row._replace(state="gone")]) != []
