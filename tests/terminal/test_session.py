"""A match at one keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from duel import duel
from kibitz.core.game import SPECTATOR
from kibitz.games import GAMES
from kibitz.games.kalamala import kalamala
from kibitz.table import open_table
from kibitz.terminal import session as module
from kibitz.terminal.session import Session

PAIR_TO_PULL = "8/8/8/8/1AA1BB2/8/8/8 A 0,0 6,6 51 -"


def touch(session: Session, *places: str) -> None:
    for place in places:
        session.touch_place(place)


def put_down(session: Session, card: str) -> None:
    """A card, which is asked for."""
    (choice,) = session.touch_place(card)
    session.play_offer(choice)


def sit(start: str = "start", **bots: str) -> Session:
    return Session(open_table(kalamala(), start), bots, Random(1))


def race(**bots: str) -> Session:
    return Session(open_table(duel()), bots, Random(1))


def seat_of_bot(session: Session) -> str | None:
    """Where the bot sits that is to act."""
    return session.bot_turn.seat if session.bot_turn else None


def actions(session: Session) -> tuple[str, ...]:
    return session.table.record.actions


def test_touching_a_path_to_its_end_plays_it() -> None:
    session = sit()
    touch(session, "sq-d3", "sq-d6")
    assert actions(session) == ()
    touch(session, "sq-d7")
    assert actions(session) == ("d6:N1",)
    assert session.acting == "B"


def test_nothing_is_played_before_the_path_is_touched_to_its_end() -> None:
    """Also where only one thing is left to do: it could come as a surprise."""
    session = sit("8/8/8/8/8/8/4A3/4A3 A 0,1 6,7 51 -")
    for place in session.picker.next_places:
        session.touch_place(place)
        assert actions(session) == ()
        session.clear_path()


def test_what_is_not_lit_is_explained_and_nothing_is_played() -> None:
    session = sit()
    touch(session, "sq-a1")
    assert session.refusal is not None
    assert session.refusal.paragraph == "3"
    assert actions(session) == ()
    assert session.picker.path == ()


def test_back_and_drop() -> None:
    session = sit()

    def path(*places: str) -> tuple[str, ...]:
        touch(session, *places)
        return session.picker.path

    assert path("sq-d3", "sq-d6") == ("sq-d3", "sq-d6")
    session.untouch_last()
    assert path() == ("sq-d3",)
    assert path("sq-d3") == (), "touched again, it is let go"
    assert path("sq-d3", "sq-d6") == ("sq-d3", "sq-d6")
    session.clear_path()
    assert path() == ()


def test_where_several_things_share_a_path_it_is_asked() -> None:
    session = sit(PAIR_TO_PULL)
    session.touch_place("sq-c4")
    session.touch_place("sq-e4")
    choices = session.touch_place("sq-d4")
    assert {choice.actions for choice in choices} == {("e4:W1",), ("f4-e4:W1",)}
    session.play_offer(choices[1])
    assert actions(session) == choices[1].actions


def test_a_bot_agrees_to_a_takeback() -> None:
    session = sit(B="random")
    session.act("A", "@a1")
    assert seat_of_bot(session) == "B"
    session.act("B", "@b1")
    session.take_back()
    assert actions(session) == ()
    assert session.acting == "A"


def test_a_person_is_asked() -> None:
    session = sit()
    session.act("A", "@a1")
    session.take_back()
    assert session.seat_to_answer == "B"
    session.answer_request("B", agrees=False)
    assert actions(session) == ("@a1",)
    session.take_back()
    session.answer_request("B", agrees=True)
    assert actions(session) == ()


def test_nothing_to_take_back() -> None:
    session = sit()
    session.take_back()
    assert session.refusal is not None


def test_a_refused_action_changes_nothing_seen() -> None:
    session = sit()
    session.act("A", "@a1")
    heard = session.latest_events
    session.act("B", "@a1")
    assert session.refusal is not None
    assert session.latest_events == heard


def test_chance_speaks_by_itself() -> None:
    session = race(B="random")
    put_down(session, "card-3")
    assert seat_of_bot(session) == "B"
    session.act("B", "c1")
    assert actions(session)[:2] == ("c3", "c1")
    assert actions(session)[2] in ("r1", "r2", "r3")
    assert session.acting == "A"


def test_a_curtain_before_the_keyboard_goes_to_somebody_who_sees_other_things() -> None:
    session = race()
    for seat in ("A", "B"):
        assert session.has_curtain
        assert session.viewer == SPECTATOR
        assert session.picker.next_places == ()
        touch(session, "")
        assert session.viewer == seat
        assert "card-1" in session.picker.next_places
        put_down(session, "card-2")
    assert session.acting == "A"
    assert session.has_curtain, "equal cards: the next ones are as secret"


def test_no_curtain_where_one_plays_a_bot_or_nothing_is_hidden() -> None:
    assert not race(B="random").has_curtain
    assert not sit().has_curtain


def test_a_curtain_once_for_all_that_one_has_to_commit() -> None:
    session = race()
    touch(session, "", "sq-A0")
    assert actions(session) == ("A wind",)
    assert not session.has_curtain, "the card is still to come"


def test_behind_the_curtain_nothing_is_taken_back() -> None:
    session = race()
    touch(session, "", "sq-A0")
    put_down(session, "card-1")
    session.take_back()
    assert session.seat_to_answer is None


def test_some_things_are_asked_for() -> None:
    session = race(B="random")
    (choice,) = session.touch_place("card-3")
    assert (actions(session), choice.actions, choice.needs_confirmation) == ((), ("c3",), True)
    session.play_offer(choice)
    assert seat_of_bot(session) == "B"


def test_a_reveal_is_noticed() -> None:
    session = race(B="random")
    put_down(session, "card-3")
    assert not session.has_revealed
    session.act("B", "c1")
    assert session.has_revealed


def test_acting_for_another_seat_at_any_time() -> None:
    session = race()
    session.change_seat()
    assert session.acting == "B"
    session.change_seat()
    assert session.acting == "A"


def test_bots_alone_are_watched() -> None:
    session = sit(A="random", B="random")
    assert session.viewer == SPECTATOR
    assert seat_of_bot(session) == "A"
    touch(session, "sq-d3")
    assert session.refusal is None
    assert session.resignation_text() is None


def test_a_bot_says_a_thing_once_between_two_turn_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    def talks(game: Any, view: Any, seat: str, listed: Sequence[Any], rng: Random, bot: str) -> Any:
        assert len(heard) < 9, "it would never stop"
        heard.append(listed[0])
        return listed[0]

    heard: list[Any] = []
    monkeypatch.setattr(module, "anytime_policy_for", lambda game: talks)
    game = GAMES["as-kimble"].game({"pace": "turn"})
    start = "h3,t4/h3,t9/h4/h4 R:M3 d3 0+0/0+0/0+0/0+0 1:- ---- -"
    session = Session(open_table(game, start), {"G": "greedy"}, Random(1))
    both = ("G hembo jag", "G hembo vi")
    assert actions(session) == both
    session.act("R", "R t4-t7")
    assert actions(session) == (*both, "R t4-t7", *both), "what is new may be said again"


NEARLY_SCORED = "13/13/11T1/13/8c4/13/13/13 R play - l3 12345/12356 0-0 30 -"


@pytest.mark.parametrize("bots", [{}, {"B": "random"}])
def test_after_a_winning_try_it_is_played_on(bots: dict[str, str]) -> None:
    session = Session(open_table(GAMES["kahmate"].game({}), NEARLY_SCORED), bots, Random(1))
    assert session.play_on_texts() == ()
    session.act("R", "l3-m3")
    assert session.play_on_texts() == ("continue 2", "continue 3")
    session.submit_text("continue 3")
    if not bots:
        assert session.seat_to_answer == "B"
        session.answer_request("B", agrees=True)
    assert session.table.outcome is None
    assert session.table.state.raised_tries == 3


LOTS = GAMES["as-kimble"].start_position("lots")


@pytest.mark.parametrize("bots", [{}, dict.fromkeys("BYG", "random")])
def test_lots_are_drawn_at_one_keyboard(bots: dict[str, str]) -> None:
    """K17, K20: each chair here presses for itself, and bots have theirs."""
    game = GAMES["as-kimble"].game({"team_size": [2, 1, 1, 1]})
    session = Session(open_table(game, LOTS), bots, Random(4))
    for _ in range(40):
        if not session.table.game.notation.write_state(session.table.state).count(" S:"):
            break
        (press,) = [offer for offer in session.picker.offers if not offer.actions]
        session.play_offer(press)
    lots = [text for text in actions(session) if " lot " in text]
    assert {text[0] for text in lots} == set("abcd")
    turn = session.bot_turn
    chooser = turn.seat if turn else session.acting
    assert chooser
    session.act(chooser, f"{'abcd'['RBYG'.index(chooser)]} colour Y")
    assert actions(session)[-1].endswith(" colour Y") or bots
    sizes = session.game.options["team_size"]
    assert sorted(sizes) == [1, 1, 1, 2]
    moved = session.table.history[len(lots)].step.seat_changes
    assert sizes["RBYG".index(moved["R"])] == 2
    assert session.bots == {moved[seat]: bot for seat, bot in bots.items()}


@pytest.mark.parametrize("agrees", [True, False])
def test_a_break_is_asked_of_everybody_at_the_keyboard(agrees: bool) -> None:
    """K101: bots agree at once; one no ends it."""
    session = Session(open_table(GAMES["as-kimble"].game({})), {"G": "random"}, Random(1))
    session.submit_text("break")
    assert session.seat_to_answer == "B"
    session.answer_request("B", agrees=True)
    assert session.seat_to_answer == "Y"
    session.answer_request("Y", agrees=agrees)
    assert session.seat_to_answer is None
    assert session.table.state.is_break == agrees
