"""Errors as programs are told them."""

from __future__ import annotations

from msgspec import to_builtins

from kibitz.core.message import message
from kibitz.server.errors import EXAMPLES, REASONS, failed, key_of, may_fail, values_of
from kibitz.words import FALLBACK, say_in

say = say_in(FALLBACK)


def test_a_key_is_an_id_that_says_whose_it_is_unless_it_is_the_servers() -> None:
    assert key_of(message("server.no-table")) == "no-table"
    assert key_of(message("table.over")) == "table.over"
    assert key_of(message("kalamala.square-taken")) == "kalamala.square-taken"


def test_what_a_sentence_speaks_of_is_told_but_no_position() -> None:
    """It may show more than whoever asks may know."""
    inner = message("server.no-game", game="chess")
    said = message("x", "3.1", at="sq-a1", n=2, position="secret", why=inner)
    assert values_of(said) == {"at": "sq-a1", "n": 2, "why": "no-game"}


def test_an_error_has_a_rule_or_none() -> None:
    with_rule = failed(422, message("table.over", "4"), say)
    assert to_builtins(with_rule) == {
        "error": "table.over",
        "status": 422,
        "why": "The match is over.",
        "rule": "4",
        "values": {},
    }
    assert failed(422, message("table.over"), say).rule is None


def test_a_limit_is_told_with_its_wait() -> None:
    told = to_builtins(failed(429, message("server.too-fast", seconds=2), say, "act", 1.23456))
    assert (told["limit"], told["wait"], told["error"]) == ("act", 1.235, "too-fast")


def test_all_that_may_fail_says_why_in_the_schema() -> None:
    specs = may_fail(*REASONS)
    assert specs.keys() == REASONS.keys()
    assert EXAMPLES.keys() == {status for status, spec in specs.items() if spec.examples}
