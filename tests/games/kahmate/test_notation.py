"""Positions and actions as text: what is read, what is refused, and that nothing else happens."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.kahmate.play import game_with, state_after, unread
from kibitz.core.message import Refused

PLAY = "13/2O8o1/2S7s2/1F8c2/2C7t2/1O11/2T8o1/10f2 R play - g4 123456/123456 0-0 0 -"
BOARD = PLAY.split()[0]
BARE = "13/13/13/13/13/13/13/13"
TACKLE = "13/13/13/13/5Soc5/3O9/13/13 R duel:T:f5>g5:1:- f5:0 g5 123456/123456 0-0 9 -"
FORCE = "13/13/13/13/5Fo6/3O9/13/13 R duel:F:f5>g5:1:3 f5:3 f5 123456/123456 0-0 9 -"
JUMP = "13/13/5Oo6/6tC5/13/5T7/13/13 R icpt:h4~f3 - h4 123456/123456 0-0 6 -"
EXIT = "13/13/13/5Oc!C5/13/13/13/13 R exit:f4>g4 f4:3 f4 12456/23456 0-0 10 -"
DROP = "13/13/13/13/1O!sf9/1T11/13/13 B drop:b5<c5 c5:0 b5 12456/13456 0-0 21 -"
FELL = "13/13/13/13/1O!!sf9/1T11/13/13 R drop:b5<c5 b5:0 b5 12456/13456 0-0 21 -"
SPENT = TACKLE.replace(":1:-", ":1:6").replace("123456/123456", "1/6")
MIDFIELD = "13/13/13/13/2O!sf8/1T11/13/13 B drop:c5<d5 d5:0 c5 12456/13456 0-0 21 -"
HOLD = "13/2O10/13/13/13/13/13/11o1 B play - c2 123456/123456 0-0 5 R:1:d"
TRY = "13/13/6O3o!1T/13/8c4/13/13/13 R over:R - m3 12345/12356 1-0 31 -"
LIMIT = "13/2O10/13/13/13/13/13/11o1 B over:draw - c2 123456/123456 0-0 30 -"
EVENT = "13/13/13/13/1O!sf9/1T11/13/13 B over:R c5:0 b5 12456/13456 0-0 21 -"


@pytest.mark.parametrize(
    ("position", "options"),
    [
        (PLAY, {}),
        (TACKLE, {}),
        (TACKLE.replace(":1:-", ":2:6"), {}),
        (FORCE, {}),
        (JUMP, {}),
        (JUMP.replace("icpt:h4~f3", "duel:I:h4~f3@g4:1:2"), {}),
        (EXIT, {}),
        (EXIT, {"force_down": "no"}),
        (DROP, {}),
        (FELL, {}),
        (FELL.replace("sf", "s!f"), {}),
        (HOLD, {"hold_limit": 2}),
        (TRY, {}),
        (TRY.replace("over:R", "over:draw").replace("1-0", "1-1"), {"tries": 2, "turn_limit": 31}),
        (LIMIT, {"turn_limit": 30}),
        (EVENT, {}),
        (EVENT.replace("over:R", "over:void"), {}),
        (f"{BARE} B over:void - - 123456/123456 0-0 0 -", {}),
        (f"{BARE} B place:R - - 12/34 1-1 7 -", {"tries": 2}),
        (f"{BOARD} B draw - - 12/34 0-0 7 -", {}),
        ("13/13/13/6o6/13/13/13/13 R draw - - 12/34 0-0 7 -", {"hold_limit": 1}),
    ],
)
def test_a_position_reads_back(position: str, options: dict[str, Any]) -> None:
    game = game_with(**options)
    assert game.notation.write_state(game.notation.read_state(position)) == position


@pytest.mark.parametrize(
    ("position", "refusal", "options"),
    [
        ("", "fields", {}),
        (f"{PLAY} ", "fields", {}),
        (PLAY.replace(" R ", " r "), "turn-letter", {}),
        (PLAY.replace("13/", "", 1), "ranks", {}),
        (PLAY.replace("13/", "12/", 1), "rank-width", {}),
        (PLAY.replace("13/", "67/", 1), "rank", {}),
        (PLAY.replace("13/", "013/", 1), "rank", {}),
        (PLAY.replace("10f2", "5 5f2".replace(" ", "")), "rank", {}),
        (PLAY.replace("2O8", "2O!!!8"), "rank", {}),
        (PLAY.replace("2O8", "2X8"), "rank", {}),
        (PLAY.replace(" play ", " Play "), "phase", {}),
        (PLAY.replace(" play ", " over:X "), "phase", {}),
        (TACKLE.replace(":1:-", ":1:?"), "phase", {}),
        (TACKLE.replace(":1:-", ":3:-"), "phase", {}),
        (PLAY.replace("play -", "play c3:9"), "movers", {}),
        (PLAY.replace("play -", "play c3:1,c2:1"), "movers-order", {}),
        (PLAY.replace("play -", "play c3:1,c3:1"), "movers-order", {}),
        (PLAY.replace(" g4 ", " n4 "), "ball-square", {}),
        (PLAY.replace("123456/", "213456/"), "hands", {}),
        (PLAY.replace("123456/", "112345/"), "hands", {}),
        (PLAY.replace("123456/", "/"), "hands", {}),
        (PLAY.replace("123456/", "12345/"), "hands-size", {}),
        (PLAY.replace("0-0", "00-0"), "score", {}),
        (PLAY.replace("0-0 0", "0-0 00"), "turns-number", {}),
        (PLAY.replace("0-0 0 -", "0-0 0 R:01:b"), "hold", {}),
        (PLAY.replace("2O8o1", "2S8o1"), "read-team", {}),
        (PLAY.replace("2O8o1", "O10o1"), "read-in-goal", {}),
        (PLAY.replace(" g4 ", " a4 "), "read-in-goal", {}),
        (PLAY.replace("0-0 0", "1-0 0"), "read-score-reached", {}),
        (PLAY.replace("0-0 0", "0-0 9"), "read-turns-reached", {"turn_limit": 9}),
        (PLAY.replace("play -", "play d1:1"), "read-mover", {}),
        (PLAY.replace("play -", "play k3:1"), "read-mover", {}),
        (PLAY.replace("play -", "play c3:3"), "read-mover-points", {}),
        (PLAY.replace("2S7", "2S!!7"), "read-mark", {}),
        (PLAY.replace("2S7", "2S!7").replace("play -", "play c3:0"), "read-mark", {}),
        (PLAY.replace("7s2", "7s!!2"), "read-mark", {}),
        (PLAY.replace("2S7", "2S!!7").replace("play -", "play c3:1"), "read-mover-down", {}),
        (HOLD, "read-hold-off", {}),
        (HOLD.replace("R:1:d", "R:2:d"), "read-hold-count", {"hold_limit": 2}),
        (HOLD.replace("R:1:d", "R:1:a"), "read-hold-file", {"hold_limit": 2}),
        (HOLD.replace("R:1:d", "R:1:b"), "read-hold-best", {"hold_limit": 2}),
        (HOLD.replace("R:1:d", "B:1:d"), "read-hold-side", {"hold_limit": 2}),
        (HOLD.replace(" c2 ", " d2 "), "read-hold-side", {"hold_limit": 2}),
        (TACKLE.replace("0-0 9 -", "0-0 9 B:0:g"), "read-hold-phase", {"hold_limit": 2}),
        (f"{BARE} R place:R - g4 12/34 0-0 7 -", "read-set-up-bare", {}),
        (f"{BARE} R place:B - - 12/34 0-0 7 -", "read-set-up-red", {}),
        ("13/11s1/13/13/13/13/13/13 R place:R - - 12/34 0-0 7 -", "read-set-up-blue", {}),
        ("13/1T11/13/13/13/13/13/13 R place:R - - 12/34 0-0 7 -", "read-set-up-order", {}),
        (f"{BOARD} R place:B - - 12/34 0-0 7 -", "read-set-up-order", {}),
        ("13/3S9/13/13/13/13/13/13 R place:R - - 12/34 0-0 7 -", "read-set-up-line", {}),
        ("13/1S!11/13/13/13/13/13/13 R place:R - - 12/34 0-0 7 -", "read-set-up-line", {}),
        ("13/13/13/6o6/13/13/13/13 R draw - - 12/34 0-0 7 -", "read-draw-men", {}),
        ("13/13/13/6o6/13/13/13/13 B draw - - 12/34 0-0 7 -", "read-draw-men", {"hold_limit": 1}),
        (PLAY.replace(" g4 ", " - "), "read-no-ball", {}),
        (JUMP.replace(" h4 ", " f3 "), "pass-without-ball", {}),
        (JUMP.replace("6tC5", "6t!C5").replace("5Oo6", "5Oo!6"), "read-nobody-between", {}),
        (JUMP.replace("icpt:h4~f3", "duel:I:h4~f3@h4:1:2"), "read-nobody-between", {}),
        (TACKLE.replace("f5:0", "-"), "read-tackler", {}),
        (TACKLE.replace("f5:0", "f5:1"), "read-tackler", {}),
        (TACKLE.replace(" g5 ", " h5 "), "read-tackled-ball", {}),
        (TACKLE.replace("f5>g5", "f5>h5"), "read-duel-men", {}),
        (TACKLE.replace(":1:-", ":1:6").replace("123456/", "12345/"), "hands-size", {}),
        (SPENT, "read-card-not-in-hand", {}),
        (FORCE.replace("Fo6", "Foc5"), "force-opponent-beyond", {}),
        (FORCE.replace("f5:3", "f5:1"), "read-charger", {}),
        (EXIT.replace("c!", "c"), "read-beaten", {}),
        (EXIT, "force-partner-beyond", {"force_beyond": "any"}),
        (DROP.replace("1O!s", "1Os"), "read-fallen", {}),
        (DROP.replace("drop:b5<c5", "drop:b6<c5"), "read-fallen", {}),
        (MIDFIELD, "read-fallen-where", {}),
        (DROP.replace("c5:0", "c5:1"), "read-drop-turn", {}),
        (FELL.replace("sf", "s!f"), "read-drop-turn", {"force_down": "no"}),
        (TRY.replace("over:R", "over:B"), "read-over-result", {}),
        (TRY.replace("1-0", "0-0"), "read-try-score", {}),
        (TRY, "read-try-score", {"tries": 2}),
        (TRY.replace(" m3 ", " k3 "), "read-try-man", {}),
        (TRY.replace("1T/", "1T!/"), "read-try-man", {}),
        (TRY.replace(" - m3", " g3:0 m3"), "read-over-bare", {}),
        (TRY.replace("8c4", "8c!!4"), "read-try-marks", {}),
        (TRY, "read-turns-reached", {"turn_limit": 30}),
        (LIMIT.replace("over:draw", "over:R"), "read-over-result", {"turn_limit": 30}),
        (LIMIT.replace(" - c2", " l8:0 c2"), "read-over-bare", {"turn_limit": 30}),
        (LIMIT.replace(" c2 ", " - "), "read-no-ball", {"turn_limit": 30}),
        (LIMIT, "read-turns-reached", {"turn_limit": 29}),
        (f"{BARE} B over:void - g4 123456/123456 1-0 0 -", "read-score-reached", {}),
    ],
)  # fmt: skip
def test_a_position_is_refused(position: str, refusal: str, options: dict[str, Any]) -> None:
    found, paragraph = unread(position, **options)
    assert found == refusal
    assert paragraph in ("13.1", "13.3", "5.1", "7", "11")


@pytest.mark.parametrize(
    "text",
    ["", "g4", "g4-g", "g4-g9", "n4-m4", "G4-h4", "s@b1", "X@b1", "card=0", "card=7", "ball=7",
     "end ", " end", "resign", "resign X", "resign  R", "int=", "exit=a", "drop=b5 ", "g4--h4",
     "card=?"],
)  # fmt: skip
def test_an_action_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="not-an-action"):
        game_with().notation.read_action(text)


PIECES = st.sampled_from(
    [*PLAY.split(), "13", "!", "!!", "-", "?", "over:R", "duel:T:f5>g5:1:-", "icpt:h4~f3", "a1",
     "٣", "exit:f4>g4", "drop:b5<c5", "place:R", "draw", "R:1:d", "1\ufe0f", "0", "²"]
)  # fmt: skip
GARBAGE = st.one_of(
    st.text(max_size=80),
    st.lists(PIECES, max_size=12).map(" ".join),
    st.builds(
        lambda position, at, text: position[:at] + text + position[at + 1 :],
        st.sampled_from([PLAY, TACKLE, FORCE, JUMP, EXIT, DROP, HOLD, TRY]),
        st.integers(0, 120),
        st.text(max_size=3),
    ),
)  # fmt: skip


@settings(deadline=None, max_examples=400)
@given(text=GARBAGE, hold=st.integers(0, 3), limit=st.sampled_from((0, 9, 31)))
@example(text=f"{PLAY[:-3]}{'9' * 5000} -", hold=0, limit=0)
@example(text=f"{PLAY[:-1]}R:{'9' * 5000}:b", hold=1, limit=0)
def test_garbage_is_read_or_refused_in_one_sentence(text: str, hold: int, limit: int) -> None:
    game = game_with(hold_limit=hold, turn_limit=limit)
    for read, write in (
        (game.notation.read_state, game.notation.write_state),
        (game.notation.read_action, game.notation.write_action),
    ):
        try:
            found = read(text)
        except Refused as error:
            refusal = error.refusal
        else:
            assert write(found) == text
            continue
        assert refusal.paragraph


def test_a_view_hides_a_committed_card_and_is_not_read() -> None:
    game, state = game_with(), state_after(TACKLE, "card=3")
    seen = {
        who: game.notation.write_view(game.rules.view(state, who, ()))
        for who in ("R", "B", "spectator")
    }
    assert seen["R"] == TACKLE.replace(":1:-", ":1:3")
    assert seen["B"] == seen["spectator"] == TACKLE.replace(":1:-", ":1:?")
    assert unread(seen["B"]) == ("phase", "13.1")


def test_a_view_hides_the_men_of_others_until_all_are_placed() -> None:
    game = game_with()
    state = state_after("start", "S@c3 T@c7 F@b4 C@c5 O@c2 O@b6 S@k3 T@k5")
    seen = {
        w: game.notation.write_view(game.rules.view(state, w, ())).split()[0]
        for w in ("R", "B", "spectator")
    }
    assert seen["R"] == "13/2O10/2S10/1F11/2C10/1O11/2T10/13"
    assert seen["B"] == "13/13/10s2/13/10t2/13/13/13"
    assert seen["spectator"] == BARE
    over = state_after("start", "S@c3 resign R")
    assert (
        game.notation.write_view(game.rules.view(over, "B", ())).split()[0]
        == "13/13/2S10/13/13/13/13/13"
    )
