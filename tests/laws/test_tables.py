"""What holds for every game with people around it, whatever they do."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from duel import DUEL
from kibitz.core.game import CHANCE, REFEREE, Rulebook
from kibitz.core.message import Refused
from kibitz.games import GAMES
from kibitz.table import open_table, table_from_rows
from kibitz.table.clock import TimeControl, new_clock
from kibitz.table.commands import HOST
from kibitz.table.seating import ROLES, people_at_opening
from laws.laws import AnyTable, moves

SHELF = {**GAMES, DUEL.name: DUEL}
MEMBERS = ("ann", "bob", "cleo", "dora")


def around(table: AnyTable, rng: Random) -> tuple[str, str]:
    """Something that people say around a match, whether it makes sense or not."""
    seat, played = rng.choice(table.game.seats), len(table.history)
    asked = ("adjourn", "continue", "rematch", "fill-in {seat} greedy", "back {n}", *ROLES)
    texts = (
        "sit {seat} e-{n}",
        "stand {seat}",
        "bot {seat} random",
        "remove-bot {seat}",
        "abort",
        "agree",
        "decline",
        "back {n}",
        "back {n} because of {n}",
        "stand referee",
        "flag {seat}",
        *(f"ask {text}" for text in asked),
    )
    text = rng.choice(texts).format(seat=seat, n=rng.randint(0, played + 1))
    role = text.removeprefix("ask ")
    actor = role if role in ROLES else rng.choice((*table.game.seats, HOST, REFEREE, "clock"))
    return actor, text


def random_table(rulebook: Rulebook, rng: Random) -> AnyTable:
    game = rulebook.game(rulebook.preset)
    taken = {seat: {"members": [rng.choice(MEMBERS)]} for seat in game.seats if rng.random() < 0.8}
    clock = new_clock(
        TimeControl(rng.choice((60, 6000)), rng.choice((0, 5)), rng.random() < 0.3), game.seats
    )
    return open_table(game, people=people_at_opening("ann", game.seats, taken), clock=clock)


def evening(rulebook: Rulebook, rng: Random) -> list[AnyTable]:
    tables = [random_table(rulebook, rng)]
    for _ in range(60):
        table = tables[-1]
        choices = moves(table)
        said = rng.choice(choices) if choices and rng.random() < 0.6 else around(table, rng)
        before = replace(table)
        try:
            after, _ = table.act(*said, rng.choice(MEMBERS), float(len(tables)), rng.random() * 30)
        except Refused:
            assert table == before
            continue
        tables.append(after)
    return tables


@pytest.mark.parametrize("rulebook", SHELF.values(), ids=SHELF.keys())
@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_a_table_is_what_its_rows_make_of_it(rulebook: Rulebook, seed: int) -> None:
    rng = Random(seed)
    tables = evening(rulebook, rng)
    first, last = tables[0], tables[-1]
    again = table_from_rows(first.game, last.rows, people=first.people, clock=first.clock)
    assert again == last


@pytest.mark.parametrize("rulebook", SHELF.values(), ids=SHELF.keys())
@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_people_seats_clocks_and_draws_stay_in_order(rulebook: Rulebook, seed: int) -> None:
    tables = evening(rulebook, Random(seed))
    for before, table in pairwise(tables):
        people, clock = table.people, table.clock
        assert people
        assert clock
        assert tuple(people.members) == tuple(clock.seconds_left) == table.game.seats
        assert not any(people.seats_of(neutral) for neutral in people.roles.values())
        assert people.fill_ins <= set(people.bots)
        assert set(people.free_seats) | set(people.playing_seats) | set(people.bots) == set(
            table.game.seats
        )
        assert table.seats_on_clock <= set(people.playing_seats)
        assert len({seat for seat, _ in people.entropies}) == len(people.entropies)
        assert len(table.rows) == len(before.rows) + 1
        assert len(table.times) == len(table.history)
        assert table.draws == sum(row.actor == CHANCE for row in table.rows)
        spoken = sum(played.actor == CHANCE for played in table.history)
        assert len(table.recorded_draws) == spoken
        assert list(table.recorded_draws) == sorted(set(table.recorded_draws))
        assert not table.recorded_draws or table.recorded_draws[-1] < table.draws
        if before.is_over or before.is_adjourned or not before.people or before.people.free_seats:
            kept = len(before.history)
            assert len(table.history) <= kept, "nobody plays when there is no match going on"
