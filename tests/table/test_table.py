"""A table, one evening at a time."""

from typing import Any

import pytest

from duel import duel
from duel.actions import Action
from duel.state import State, View
from kibitz.core.game import CHANCE, REFEREE, SPECTATOR, Event
from kibitz.core.message import Refused, message
from kibitz.games.kahmate import kahmate
from kibitz.games.kalamala import kalamala
from kibitz.table import Row, Table, open_table, table_from_rows


def rows(*lines: str) -> list[Row]:
    return [Row(actor, text) for actor, text in (line.split(": ", 1) for line in lines)]


def evening(*lines: str) -> Table[State, Action, View]:
    """Send `actor: text` lines to a fresh table."""
    return table_from_rows(duel(), rows(*lines))


def kalamala_record(*lines: str) -> tuple[str, ...]:
    return table_from_rows(kalamala(), rows(*lines)).record.actions


def test_an_early_card_waits_for_its_place() -> None:
    early = evening("B: c1")
    assert early.record.actions == ()
    assert early.ready_seats == {"B"}
    assert early.view("B").early == 1
    assert evening("B: c1", "A: c3").record.actions == ("c3", "c1")


def test_a_commitment_binds() -> None:
    for lines in (["B: c1", "B: c2"], ["A: c1", "A: c2"], ["A: c1", "A: back 0"]):
        with pytest.raises(Refused):
            evening(*lines)


def test_rows_keep_what_was_typed_and_the_record_how_it_is_spelt() -> None:
    table = evening("A: C3", "B: wind")
    assert table.rows == (Row("A", "C3"), Row("B", "wind"))
    assert table.record.actions == ("c3", "B wind")


def test_others_do_not_find_a_card_in_the_record_until_it_is_shown() -> None:
    table = evening("A: c3", "B: wind")
    assert table.record_for("A").actions == ("c3", "B wind")
    assert table.record_for(SPECTATOR).actions == ("B wind",)
    assert evening("A: c3", "B: c1").record_for(SPECTATOR).actions == ("c3", "c1")


def test_everybody_hears_what_they_may() -> None:
    _, told = open_table(duel()).act("A", "c3")
    ready = Event(message("duel.ready", "D1", seat="A"))
    mine = Event(message("duel.your-card", "D1", card=3))
    assert told == {"A": (ready, mine), "B": (ready,), SPECTATOR: (ready,)}


def test_one_takes_back_ones_own_action_while_nobody_knows_more() -> None:
    assert evening("A: wind", "A: back 0").record.actions == ()
    for since in (["A: wind", "B: wind"], ["A: wind", "B: c1"], ["A: c3", "B: c1"]):
        with pytest.raises(Refused):
            evening(*since, "A: back 0")


def test_a_turn_that_is_over_is_taken_back_only_if_the_others_agree() -> None:
    with pytest.raises(Refused, match="others-must-agree"):
        kalamala_record("A: @a1", "A: back 0")
    assert kalamala_record("A: @a1", "A: ask back 0", "B: agree") == ()
    assert kalamala_record("A: @a1", "A: ask back 0", "B: decline") == ("@a1",)
    assert kalamala_record("A: @a1", "B: @a2", "B: ask back 0", "A: agree") == ()


def test_where_nothing_is_hidden_everybody_hears_what_was_taken_back() -> None:
    asked = table_from_rows(kalamala(), rows("A: @a1", "A: ask back 0"))
    after, told = asked.act("B", "agree")
    for viewer in after.viewers:
        assert [event.message.id for event in told[viewer]] == ["table.back"]
    assert [note.message.id for note in after.notes] == ["table.back"]


def test_playing_on_lets_a_question_drop() -> None:
    with pytest.raises(Refused, match="nothing-asked"):
        kalamala_record("A: @a1", "A: ask back 0", "B: @b1", "B: agree")


def test_a_question_is_answered_once_by_the_others() -> None:
    for wrong in (["A: agree"], ["B: ask back 0"], [f"{SPECTATOR}: agree"], ["A: ask back 0"]):
        with pytest.raises(Refused):
            kalamala_record("A: @a1", "A: ask back 0", *wrong)


@pytest.mark.parametrize("text", ["back 1", "back x", "back -1", "back \u0660", "back 9999999999"])
def test_what_was_never_played_is_not_taken_back(text: str) -> None:
    with pytest.raises(Refused, match="no-such-action"):
        kalamala_record("A: @a1", f"B: {text}")


def test_what_all_must_agree_on_is_played_when_all_have() -> None:
    assert evening("A: ask draw").outcome is None
    drawn = evening("A: ask draw", "B: agree")
    assert drawn.record.actions == ("draw",)
    assert drawn.record.result == "draw"
    with pytest.raises(Refused, match="both-must-agree"):
        evening("A: draw")


def test_nobody_goes_back_past_what_chance_has_said_or_a_card_has_shown() -> None:
    lines = ("A: c3", "B: c1", f"{CHANCE}: r3")
    for text in ("back 2", "ask back 2", "ask back 0"):
        with pytest.raises(Refused, match="binding"):
            evening(*lines, f"A: {text}")
    assert evening(*lines).undo_point("A") is None


def test_nobody_goes_back_past_a_ruling_or_over_what_is_held() -> None:
    ruling = f'{REFEREE}: set "3:3/12:12/-/-/A" "spilt tea"'
    with pytest.raises(Refused, match="binding"):
        evening(ruling, "A: wind", "A: ask back 0")
    assert evening(ruling, "A: wind", "A: back 1").record.actions == evening(ruling).record.actions
    held = evening("A: wind", "B: c1")
    assert held.undo_point("A") is None
    assert not held.may_undo_freely("A", 0)


def test_the_referee_takes_back_what_chance_has_said() -> None:
    table = evening("A: c3", "B: c1", f"{CHANCE}: r3", f"{REFEREE}: back 2")
    assert table.record.actions == ("c3", "c1")
    assert len(table.rows) == 4


def test_an_event_discards_what_is_held() -> None:
    table = evening("B: c1", f'{REFEREE}: set "3:3/12:12/-/-/-" "spilt tea"')
    assert table.commitments == ()


def test_a_table_may_begin_anywhere() -> None:
    position = "4B3/8/8/8/4B3/8/8/4A3 A 0,0 7,6 51 -"
    table = table_from_rows(kalamala(), rows("A: e4:S1"), position)
    assert table.record.start == position
    assert table.record.actions == ("e4:S1",)


def test_a_touch_that_leads_nowhere_is_explained() -> None:
    table = open_table(kalamala())
    assert table.why_not("B", ("sq-c5",)).id == "kalamala.not-your-turn"
    assert table.why_not("A", ("rs-A", "sq-c4")).id == "kalamala.square-taken"


def set_up(*lines: str) -> Table[Any, Any, Any]:
    return table_from_rows(kahmate(), rows(*lines))


RED = tuple(f"R: {text}" for text in ("S@b1", "T@b2", "F@b3", "C@b4", "O@b5", "O@b6"))
BLUE = tuple(f"B: {text}" for text in ("S@l1", "T@l2", "F@l3", "C@l4", "O@l5", "O@l6"))


def test_who_has_not_committed_all_may_think_again_and_nobody_hears_of_it() -> None:
    table = set_up(*RED[:3], *BLUE[:2])
    assert table.undo_point("R") == 2
    assert table.may_undo_freely("R", 2)
    again, told = table.act("R", "back 2")
    assert again.record.actions == ("S@b1", "T@b2")
    assert again.commitments == table.commitments
    assert told["B"] == told[SPECTATOR] == ()
    assert set_up(*RED[:3], "R: back 0").record.actions == ()


def test_what_is_held_early_is_let_go_one_at_a_time() -> None:
    table = set_up(RED[0], *BLUE[:2])
    assert table.undo_point("B") == 1
    assert table.may_undo_freely("B", 1)
    assert (
        set_up(RED[0], *BLUE[:2], "B: back 1").commitments_of("B") == table.commitments_of("B")[:1]
    )
    with pytest.raises(Refused, match="no-such-action"):
        set_up(RED[0], *BLUE[:2], "R: back 1")


def test_whoever_has_committed_all_is_ready_and_bound() -> None:
    early = set_up(*BLUE)
    assert early.ready_seats == {"B"}
    assert set_up(*BLUE[:5]).ready_seats == set()
    assert early.undo_point("B") is None
    with pytest.raises(Refused, match="binding"):
        early.act("B", "back 0")
    done = set_up(*RED, *BLUE[:2])
    assert done.undo_point("R") is None
    for text in ("back 5", "ask back 5"):
        with pytest.raises(Refused, match="binding"):
            done.act("R", text)
    assert set_up(*BLUE, *RED).state == set_up(*RED, *BLUE).state


def test_others_hear_that_a_captain_is_ready_once_he_is() -> None:
    sent = [line.split(": ") for line in BLUE]
    heard = [set_up(*BLUE[:n]).act(sent[n][0], sent[n][1])[1]["R"] for n in range(6)]
    assert heard[:5] == [()] * 5
    assert [event.message.id for event in heard[5]] == ["table.ready"]


def test_cards_that_were_shown_stay_spent_though_a_second_one_is_due() -> None:
    position = "13/13/13/13/13/5OFs5/13/13 R play - g6 123456/123456 0-0 8 -"
    tie = rows("R: g6>h6", "R: card=4", "B: card=2")
    table = table_from_rows(kahmate(), tie, position)
    assert table.is_committing("R")
    assert table.is_committing("B")
    for seat in ("R", "B"):
        assert table.undo_point(seat) is None
        for text in ("back 1", "back 2", "ask back 1", "ask back 2"):
            with pytest.raises(Refused, match="binding"):
                table.act(seat, text)
