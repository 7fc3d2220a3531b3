"""Making puzzles: the same seeds give the same ones, and a file goes on where it stopped."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from kibitz.core.message import Refused
from kibitz.games import GAMES
from kibitz.games.kahmate.duels import hand_game
from kibitz.puzzles import kahmate as kahmate_puzzles
from kibitz.puzzles.make import make_puzzles, maker_of
from kibitz.puzzles.puzzle import read_collection

GAME = "kahmate"


def test_a_file_goes_on_where_it_stopped(tmp_path: Path) -> None:
    at_once, in_parts = tmp_path / "once.tsv", tmp_path / "parts.tsv"
    heard = list[int]()
    made = make_puzzles(GAME, 3, at_once, on_progress=lambda found: heard.append(found.next_seed))
    make_puzzles(GAME, 1, in_parts)
    again = make_puzzles(GAME, 3, in_parts)
    assert at_once.read_text() == in_parts.read_text()
    assert made == again == read_collection(GAME, at_once.read_text())
    assert heard == list(range(1, made.next_seed + 1))
    assert not list(tmp_path.glob("*.partial"))


def test_another_seed_gives_other_puzzles(tmp_path: Path) -> None:
    one = make_puzzles(GAME, 1, tmp_path / "one.tsv", first_seed=0)
    other = make_puzzles(GAME, 1, tmp_path / "other.tsv", first_seed=100)
    assert {each.id for each in one.puzzles}.isdisjoint({each.id for each in other.puzzles})


def test_a_game_without_a_maker_has_no_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    assert maker_of(GAME) is kahmate_puzzles
    extras = {name: part for name, part in GAMES[GAME].extras.items() if name != "puzzles"}
    monkeypatch.setitem(GAMES, GAME, replace(GAMES[GAME], extras=extras))
    with pytest.raises(Refused) as refused:
        maker_of(GAME)
    assert refused.value.refusal.id == "puzzles.no-maker"


@pytest.mark.parametrize(
    ("edge", "hand", "other"),
    [(0, (2, 5), (3, 4)), (1, (1, 2, 6), (2, 3, 5)), (-2, (1, 4, 5, 6), (1, 2, 3, 6))],
)
def test_the_leads_of_cards_are_those_of_the_theory(
    edge: int, hand: tuple[int, ...], other: tuple[int, ...]
) -> None:
    """Both mixes over the table give the lead that the theory says, and neither side gains."""
    found = hand_game(edge, 0, hand, other)
    leads = kahmate_puzzles.card_leads(found, edge, hand, other)
    expected = sum(
        (found.attacker[mine] * found.defender[theirs] * leads[mine, theirs])
        for mine in hand
        for theirs in other
    )
    assert expected == found.outlook.lead
    by_card = [sum(found.defender[t] * leads[mine, t] for t in other) for mine in hand]
    assert max(by_card, default=Fraction(0)) == found.outlook.lead
