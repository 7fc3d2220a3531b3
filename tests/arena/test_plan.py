"""Every opening is played in all orders, by everybody who is to play, and alike often."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.arena.plan import ArenaPlan, Match, check_plan, default_plies, schedule
from kibitz.core.message import Refused
from kibitz.games import GAMES

BOTS = tuple(f"greedy@{n}n" for n in range(1, 8))


@st.composite
def plans(draw: st.DrawFn) -> ArenaPlan:
    return ArenaPlan(
        game=draw(st.sampled_from(["kalamala", "as-kimble"])),
        options={},
        bots=BOTS[: draw(st.integers(2, 7))],
        games=draw(st.integers(1, 50)),
        seed=draw(st.integers()),
        gauntlet=draw(st.booleans()),
    )


def tables_of(plan: ArenaPlan) -> dict[tuple[int, tuple[int, ...]], list[Match]]:
    """The matches of each opening between the same bots."""
    found = defaultdict(list)
    for match in schedule(plan):
        found[match.opening, match.pairing].append(match)
    return found


@given(plans())
def test_an_opening_is_played_in_every_order_around_the_table(plan: ArenaPlan) -> None:
    for matches in tables_of(plan).values():
        first = matches[0].lineup
        turned = Counter((*first[turn:], *first[:turn]) for turn in range(plan.seat_count))
        assert Counter(match.lineup for match in matches) == turned


@given(plans())
def test_everybody_has_every_seat_alike_often(plan: ArenaPlan) -> None:
    seats: dict[int, Counter[int]] = defaultdict(Counter)
    for match in schedule(plan):
        for seat, bot in enumerate(match.lineup):
            seats[bot][seat] += 1
    assert all(
        len({counts[seat] for seat in range(plan.seat_count)}) == 1 for counts in seats.values()
    )


@given(plans())
def test_there_are_as_many_games_as_were_asked_for_made_up_to_whole_openings(
    plan: ArenaPlan,
) -> None:
    pairings = Counter(match.pairing for match in schedule(plan))
    asked = -(-plan.games // plan.seat_count) * plan.seat_count
    if plan.gauntlet or plan.seat_count == 2:
        assert set(pairings.values()) == {asked}
    else:
        assert pairings.total() == asked


@given(plans(), st.integers(0, 20))
def test_more_games_begin_with_the_same(plan: ArenaPlan, more: int) -> None:
    longer = ArenaPlan(**{**plan.json, "bots": plan.bots, "games": plan.games + more})
    first = list(schedule(plan))
    assert list(schedule(longer))[: len(first)] == first
    assert [match.number for match in first] == list(range(len(first)))


@given(plans())
def test_a_gauntlet_is_the_first_against_copies_of_each_other(plan: ArenaPlan) -> None:
    if plan.gauntlet:
        others = range(1, len(plan.bots))
        pairings = {match.pairing for match in schedule(plan)}
        assert pairings == {(0, *[other] * (plan.seat_count - 1)) for other in others}


@given(plans())
def test_in_a_round_robin_everybody_plays_alike_often(plan: ArenaPlan) -> None:
    if not plan.gauntlet:
        seated = Counter(bot for match in schedule(plan) for bot in match.lineup)
        counts = [seated[bot] for bot in range(len(plan.bots))]
        # A bag that is not yet empty makes a difference of one table.
        assert max(counts) - min(counts) <= (plan.seat_count if plan.seat_count > 2 else 0)


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_alone_plays_itself_each_opening_once(game: str) -> None:
    plan = ArenaPlan(game=game, options={}, bots=("greedy",), games=5)
    check_plan(plan, least_bots=1)
    matches = list(schedule(plan))
    assert (
        [match.opening for match in matches] == [match.number for match in matches] == [*range(5)]
    )
    assert {match.lineup for match in matches} == {(0,) * plan.seat_count}


def test_a_plan_says_that_it_keeps_evaluations_only_where_it_does() -> None:
    """Plans that were written before there were any are still the same plans."""
    plan = ArenaPlan(game="kalamala", options={}, bots=("greedy", "random"))
    assert "evaluations" not in plan.json
    assert replace(plan, evaluations=True).json == {**plan.json, "evaluations": True}


def test_openings_have_random_plies_where_no_die_makes_them_differ() -> None:
    plies = {name: default_plies(book.game(book.bots_preset)) for name, book in GAMES.items()}
    assert plies == {"kalamala": 4, "kahmate": 0, "as-kimble": 0}


@pytest.mark.parametrize(
    ("bots", "options", "id"),
    [
        (("greedy",), {}, "arena.two-bots"),
        (("greedy", "random", "greedy"), {}, "arena.twice"),
        (("greedy", "deep"), {}, "cli.bot"),
        (("greedy", "random"), {"mode": "companion"}, "arena.digital"),
    ],
)
def test_what_cannot_be_played_is_refused(
    bots: tuple[str, ...], options: dict[str, str], id: str
) -> None:
    with pytest.raises(Refused) as refused:
        check_plan(ArenaPlan(game="as-kimble", options=options, bots=bots))
    assert refused.value.refusal.id == id
