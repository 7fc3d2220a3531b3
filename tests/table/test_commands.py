"""What people do around a match, as rows of a table."""

from __future__ import annotations

import hashlib
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace

from kibitz.core.game import REFEREE, TABLE
from kibitz.core.message import Refused
from kibitz.games.as_kimble import AS_KIMBLE
from kibitz.games.kahmate import kahmate
from kibitz.games.kalamala import kalamala
from kibitz.table import Row, Table, open_table, table_from_rows
from kibitz.table.clock import Clock, TimeControl, new_clock
from kibitz.table.commands import GUEST, HOST
from kibitz.table.seating import People, people_at_opening

AnyTable: TypeAlias = Table[Any, Any, Any]
GAME = kalamala()
BOTH = {"A": {"members": ["ann"]}, "B": {"members": ["bob"]}}
ANN = {"A": {"members": ["ann"]}}


def people(taken: dict[str, Any], seats: tuple[str, ...] = ("A", "B")) -> People:
    return people_at_opening("ann", seats, taken)


def after(taken: dict[str, Any], *lines: str, clock: Clock | None = None) -> AnyTable:
    """A table of Kalamala after lines `actor member spent: text`."""
    table: AnyTable = open_table(GAME, people=people(taken), clock=clock)
    for line in lines:
        head, text = line.split(": ", 1)
        actor, member, spent = [*head.split(" "), "", "0"][:3]
        table, _ = table.act(actor, text, member, spent=float(spent or 0))
    return table


def why(taken: dict[str, Any], *lines: str) -> str:
    """Why the last of these is refused."""
    table = after(taken, *lines[:-1])
    head, text = lines[-1].split(": ", 1)
    actor, member = [*head.split(" "), ""][:2]
    with pytest.raises(Refused) as refused:
        table.act(actor, text, member)
    assert table == after(taken, *lines[:-1]), "a table is a value"
    return refused.value.refusal.id


def test_nobody_plays_before_all_have_sat_down() -> None:
    assert why(ANN, "A ann: @a1") == "table.waiting"
    assert why(ANN, "A ann: ask draw") == "table.waiting"
    table = after(ANN, "B bob: sit B abc-1", "A ann: @a1")
    assert table.record.actions == ("@a1",)
    assert table.people
    assert table.people.entropies == (("B", "abc-1"),)


@pytest.mark.parametrize("text", ["sit B ä", "sit B " + "x" * 65, "sit B a:b", "sit B a b"])
def test_what_goes_into_the_dice_can_be_typed_back(text: str) -> None:
    assert why(ANN, f"B bob: {text}") == "table.entropy"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("B bob: sit", "table.no-such-seat"),
        ("B bob: sit C", "table.no-such-seat"),
        ("A ann: sit A", "table.sits-there"),
        ("A bob: stand A", "table.not-your-seat"),
        ("A ann: stand", "table.no-such-seat"),
        ("A ann: bot B greedy", "table.host-only"),
        ("host ann: bot A greedy", "table.taken"),
        ("host ann: bot B", "table.no-such-bot"),
        ("host ann: bot B not-a-name", "table.no-such-bot"),
        ("host ann: remove-bot B", "table.no-bot"),
        ("A ann: remove-bot B", "table.host-only"),
        ("spectator: abort", "table.seats-only"),
        ("A ann: abort now", "table.seats-only"),
        ("A ann: rematch x", "table.others-must-agree"),
    ],
)
def test_what_cannot_be_done_around_a_match(line: str, reason: str) -> None:
    assert why(ANN, line) == reason


def test_the_host_may_change_bots_until_the_first_action() -> None:
    table = after(
        ANN, "host ann: bot B greedy", "host ann: remove-bot B", "host ann: bot B random e-1"
    )
    assert table.people
    assert (table.people.bots, table.people.entropies) == ({"B": "random"}, (("B", "e-1"),))
    begun = ("host ann: bot B greedy", "A ann: @a1")
    assert why(ANN, *begun, "host ann: remove-bot B") == "table.has-begun"


def test_a_match_is_called_off_before_it_begins() -> None:
    for line in ("A ann: abort", "B bob: abort", "host ann: abort"):
        table = after(BOTH, line)
        assert table.is_over
        assert table.outcome is None
        assert table.record.result == "*"
    assert why(BOTH, "A ann: @a1", "A ann: abort") == "table.has-begun"
    assert why(BOTH, "A ann: abort", "A ann: @a1") == "table.aborted"
    assert why(BOTH, "A ann: abort", "A ann: sit A") == "table.aborted"


def test_the_host_passes_that_on() -> None:
    table = after(BOTH, "A ann: @a1", "B cleo: sit B", "host ann: host B")
    assert table.people
    assert table.people.host == "cleo"
    assert table.notes[-1].message.id == "table.host"
    assert why(BOTH, "B bob: host B") == "table.host-only"
    assert why(ANN, "host ann: host B") == "table.waiting"
    assert why(BOTH, "host ann: host") == "table.no-such-seat"


def test_the_last_of_a_side_stays_once_it_has_begun() -> None:
    assert after(BOTH, "B bob: stand B").people == people(ANN)
    assert why(BOTH, "A ann: @a1", "B bob: stand B") == "table.last-at-seat"
    joined = after(BOTH, "A ann: @a1", "B cleo: sit B", "B bob: stand B")
    assert joined.people
    assert joined.people.members["B"] == ("cleo",)


def test_an_adjourned_match_rests() -> None:
    adjourned = ("A ann: @a1", "A ann: ask adjourn", "B bob: agree")
    assert after(BOTH, *adjourned).is_adjourned
    assert why(BOTH, *adjourned, "B bob: @b1") == "table.adjourned"
    assert why(BOTH, *adjourned, "B bob: ask adjourn") == "table.adjourned"
    assert why(BOTH, "A ann: ask continue") == "table.not-adjourned"
    going = after(BOTH, *adjourned, "B bob: ask continue", "A ann: agree", "B bob: @b1")
    assert going.record.actions == ("@a1", "@b1")


def test_a_question_about_the_table_is_declined_by_one() -> None:
    table = after(BOTH, "A ann: ask adjourn", "B bob: decline")
    assert (table.pending_request, table.is_adjourned) == (None, False)
    assert why(BOTH, "A ann: ask adjourn", "A ann: ask rematch") == "table.already-asked"
    assert why(BOTH, "A ann: ask adjourn now") == "table.unknown"
    assert why(BOTH, "spectator: ask adjourn") == "table.seats-only"


def test_a_bot_keeps_a_seat_by_consent_of_the_others() -> None:
    kept = after(BOTH, "A ann: @a1", "A ann: ask fill-in B greedy")
    assert kept.people
    assert kept.people.fill_ins == {"B"}, "nobody else has to agree"
    back = after(BOTH, "A ann: @a1", "A ann: ask fill-in B greedy", "B bob: sit B")
    assert back.people
    assert back.people.fill_ins == frozenset()
    assert [note.message.id for note in back.notes] == ["table.bot-fills-in", "table.came-back"]
    assert why(BOTH, "A ann: ask fill-in C greedy") == "table.no-such-seat"
    assert why(BOTH, "A ann: ask fill-in B") == "table.no-such-bot"
    assert why(ANN, "A ann: ask fill-in B greedy") == "table.nobody-to-fill-in-for"
    again = ("A ann: ask fill-in B greedy", "A ann: ask fill-in B greedy")
    assert why(BOTH, *again) == "table.nobody-to-fill-in-for"


@pytest.mark.parametrize("role", ["referee", "bookkeeper"])
def test_a_neutral_is_agreed_on_by_all_seats(role: str) -> None:
    offers = f"guest dora: ask {role}"
    half = after(BOTH, offers, "A ann: agree")
    assert half.people
    assert half.people.roles == {}
    agreed = (offers, "A ann: agree", "B bob: agree")
    table = after(BOTH, *agreed)
    assert table.people
    assert table.people.roles == {role: "dora"}
    assert why(BOTH, *agreed, f"guest eve: ask {role}") == "table.role-taken"
    assert why(BOTH, f"guest ann: ask {role}") == "table.takes-side"
    assert why(BOTH, f"A ann: ask {role}") == "table.seats-only"
    assert why(BOTH, offers, "guest dora: agree") == "table.nothing-asked"
    left = after(BOTH, *agreed, f"{role} dora: stand {role}")
    assert left.people
    assert left.people.roles == {}
    assert why(ANN, offers) == "table.waiting"  # Whoever comes later would not have been asked.


def test_a_rematch_is_asked_for_when_it_is_over() -> None:
    assert why(BOTH, "A ann: ask rematch") == "table.not-over"
    over = ("A ann: @a1", "A ann: resign A")
    assert why(BOTH, *over, "A ann: ask adjourn") == "table.over"
    agreed = (*over, "B bob: ask rematch", "A ann: agree")
    assert after(BOTH, *over).rematch is None
    assert after(BOTH, *agreed).rematch == ""
    assert after(BOTH, *agreed, f"{TABLE}: rematch xyz").rematch == "xyz"
    assert why(BOTH, *agreed, "A ann: ask rematch") == "table.over"
    twice = (*agreed, f"{TABLE}: rematch xyz", f"{TABLE}: rematch abc")
    assert why(BOTH, *twice) == "table.others-must-agree"


def test_a_ruling_is_told_with_its_reason() -> None:
    table: AnyTable = after(BOTH, "A ann: @a1")
    ruled, told = table.act(REFEREE, "back 0 because it slipped", "dora")
    assert ruled.record.actions == ()
    for events in told.values():
        assert events[-1].message.id == "table.ruling"
        assert events[-1].message.value("reason") == "it slipped"
    assert ruled.notes[-1].message.value("text") == "back 0"


def test_time_is_spent_from_the_first_action_on() -> None:
    clock = new_clock(TimeControl(60, 5), "AB")
    lines = ("A ann 30: @a1", "B bob 20: @b1", "A ann 7: @c1")
    left = [after(BOTH, *lines[:n], clock=clock).clock for n in (1, 2, 3)]
    assert [each.seconds_left for each in left if each] == [
        {"A": 60, "B": 60},
        {"A": 60, "B": 45},
        {"A": 58, "B": 45},
    ]


def test_no_time_is_spent_while_a_match_is_adjourned() -> None:
    clock = new_clock(TimeControl(60), "AB")
    lines = ("A ann: @a1", "A ann 1: ask adjourn", "B bob 2: agree", "B bob 900: ask continue")
    table = after(BOTH, *lines, "A ann 900: agree", clock=clock)
    assert table.clock
    assert table.clock.seconds_left == {"A": 60, "B": 57}


def test_a_flag_falls_only_when_time_is_up() -> None:
    clock = new_clock(TimeControl(60), "AB")
    begun = after(BOTH, "A ann: @a1", clock=clock)
    for actor, text, spent in (
        ("clock", "flag B", 59.0),
        ("clock", "flag A", 61.0),
        ("A", "flag B", 61.0),
        ("clock", "flag C", 61.0),
    ):
        with pytest.raises(Refused):
            begun.act(actor, text, spent=spent)
    over, told = begun.act("clock", "flag B", spent=61.0)
    assert over.record.actions == ("@a1", "forfeit B")
    assert over.record.result == "A"
    assert told["A"][0].message.id == "table.flag"
    with pytest.raises(Refused):
        replace(begun, clock=None).act("clock", "flag B", spent=61.0)


def test_where_nothing_is_forfeited_a_bot_keeps_the_seat() -> None:
    game = AS_KIMBLE.game({"pace": "turn"})
    taken = {seat: {"members": [seat.lower()]} for seat in game.seats}
    start = "h3,t9/h4/h4/h4 R:M5 d5 0+0/0+0/0+0/0+0 1:- ---- -"
    table: AnyTable = open_table(
        game,
        start,
        people_at_opening("r", game.seats, taken),
        new_clock(TimeControl(60), game.seats),
    )
    table, _ = table.act("R", "R t9-t14", "r")
    flagged, _ = table.act("clock", "flag B", spent=61.0)
    assert flagged.people
    assert flagged.people.fill_ins == {"B"}
    assert not flagged.is_over
    assert flagged.seats_on_clock == frozenset(), "bots need no time"


def test_who_has_committed_ahead_of_time_has_no_clock_running() -> None:
    taken = {"R": {"members": ["ann"]}, "B": {"members": ["bob"]}}
    clock = new_clock(TimeControl(60), "RB")
    table: AnyTable = open_table(
        kahmate(), people=people_at_opening("ann", ("R", "B"), taken), clock=clock
    )
    for text in ("S@l1", "T@l2"):
        table, _ = table.act("B", text, "bob", spent=10.0)
    assert table.seats_on_clock == frozenset()
    table, _ = table.act("R", "S@b1", "ann")
    assert table.seats_on_clock == {"R"}


def test_a_table_with_people_and_clocks_reopens_from_its_rows() -> None:
    clock = new_clock(TimeControl(60, 5), "AB")
    lines = (
        "B bob: sit B x-1",
        "A ann 3: @a1",
        "guest dora 1: ask referee",
        "A ann 2: agree",
        "B bob 9: agree",
        "B bob 1: ask adjourn",
        "A ann: agree",
        "A ann 99: ask continue",
        "B bob: agree",
        "A ann 4: ask fill-in B greedy",
        "B bob 5: sit B",
        "clock server 99: flag B",
    )
    table = after(ANN, *lines, clock=clock)
    assert table.record.result == "A"
    again = table_from_rows(GAME, table.rows, people=people(ANN), clock=clock)
    assert again == table
    assert table.rows[0] == Row("B", "sit B x-1", "bob")
    assert {row.member for row in table.rows if row.actor == GUEST} == {"dora"}
    assert HOST not in {row.actor for row in table.rows}


def test_what_is_committed_ahead_begins_the_match() -> None:
    """Nobody lines up somebody's men and then leaves the seat to them."""
    host = people({"R": {"members": ["ann"]}}, seats=("R", "B"))
    lines = [Row("B", "sit B", "ann"), Row("B", "S@l1", "ann")]
    table = table_from_rows(kahmate(), lines, people=host)
    assert table.has_begun
    assert not table.history
    for actor, text in (("B", "stand B"), ("R", "abort"), ("host", "bot B greedy")):
        with pytest.raises(Refused):
            table.act(actor, text, "ann")


def test_rests_bots_and_takebacks_bring_no_time() -> None:
    clock = new_clock(TimeControl(60, 30), "AB")
    begun = ("A ann: @a1",)
    rest = ("A ann: ask adjourn", "B bob: agree", "A ann: ask continue", "B bob: agree")
    table = after(BOTH, *begun, *rest, *rest, clock=clock)
    assert table.clock
    assert dict(table.clock.seconds_left) == {"A": 60, "B": 60}
    kept = ("A ann: ask fill-in B greedy", "B bob: sit B")
    table = after(BOTH, *begun, *kept, clock=clock)
    assert table.clock
    assert dict(table.clock.seconds_left) == {"A": 60, "B": 60}
    played = after(BOTH, *begun, "B bob 7: @h8", clock=clock)
    assert played.clock
    assert dict(played.clock.seconds_left) == {"A": 60, "B": 83}


def test_nobody_is_kept_in_a_question_or_a_rest() -> None:
    asked = ("A ann: ask adjourn",)
    assert after(BOTH, *asked, "A ann: decline").pending_request is None
    kept = after(BOTH, "A ann: @a1", "A ann: ask back 0", "A ann: ask fill-in B greedy")
    assert kept.people
    assert kept.people.fill_ins == {"B"}
    rests = ("A ann: @a1", "A ann: ask adjourn", "B bob: agree")
    assert why(BOTH, *rests, "B bob: @h8") == "table.adjourned"
    assert after(BOTH, *rests, "B bob: resign B").record.result == "A"
    assert after(BOTH, *rests, "referee dora: void because they left").record.result == "void"
    assert not after(BOTH, *rests, "referee dora: continue because it is late").is_adjourned


def test_what_comes_after_the_first_draw_does_not_go_into_the_dice() -> None:
    table = table_from_rows(
        AS_KIMBLE.game({}),
        [Row("chance", "R pop 3"), Row("R", "sit R late", "eve")],
        people=people_at_opening("ann", "RBYG", {seat: {"members": ["ann"]} for seat in "RBYG"}),
    )
    assert table.people
    assert table.people.members["R"] == ("ann", "eve")
    assert table.people.entropies == ()


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_seats_choose_what_they_add_before_any_of_it_is_known() -> None:
    chosen = f"A ann: entropy A #{hash_of('mine')}", f"B bob: entropy B #{hash_of('his')}"
    table = after(BOTH, *chosen, "A ann: entropy A mine", "B bob: entropy B his")
    assert table.envelopes[-1].texts == (("A", "mine"), ("B", "his"))
    assert table.notes == (), "a page does it by itself, and nobody reads of it"
    late = f"B bob: entropy B #{hash_of('late')}"
    assert why(BOTH, chosen[0], "A ann: entropy A mine", late) == "table.entropy-late"
    assert why(BOTH, *chosen, "A ann: entropy A other") == "table.entropy-late"
    assert why(BOTH, "A ann: entropy A mine") == "table.entropy-late", "it was not chosen"
    assert why(BOTH, chosen[0], chosen[0]) == "table.entropy-late"
    assert why(BOTH, f"B bob: entropy A #{hash_of('x')}") == "table.entropy"
    assert why(BOTH, "A ann: entropy A") == "table.entropy"


def test_whoever_takes_a_seat_that_was_left_chooses_anew() -> None:
    chosen = f"B bob: entropy B #{hash_of('his')}"
    lines = (chosen, "B bob: stand B", "B cleo: sit B", f"B cleo: entropy B #{hash_of('hers')}")
    assert after(BOTH, *lines).envelopes[-1].hashes == (("B", hash_of("hers")),)


def test_nothing_is_added_to_dice_that_have_fallen() -> None:
    game = kahmate()
    table: AnyTable = open_table(game)
    table = replace(table, draws=1)
    with pytest.raises(Refused, match="entropy-late"):
        table.act("R", f"entropy R #{hash_of('mine')}")
    sealed, _ = table.act(TABLE, f"seal {'ab' * 32}")
    added, _ = sealed.act("R", f"entropy R #{hash_of('mine')}")
    assert added.envelopes[-1].hashes == (("R", hash_of("mine")),)
