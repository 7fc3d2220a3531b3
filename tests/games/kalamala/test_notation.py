"""Positions as text: what is read, what is trimmed, what is refused."""

import pytest

from games.kalamala.play import game_with
from kibitz.core.message import Refused

BOARD = "4B3/8/8/8/4B3/8/8/4A3"
OTHER = "4B3/8/8/4B3/8/8/8/4A3"
THIRD = "4B3/8/8/8/8/4B3/8/4A3"


def read(text: str, repetition: str = "superko") -> str:
    game = game_with(repetition=repetition)
    written: str = game.notation.write_state(game.notation.read_state(text))
    return written


def position(history: str) -> str:
    return f"{BOARD} A 0,0 7,6 51 {history}"


def test_a_position_reads_back() -> None:
    for history in ("-", OTHER, f"{THIRD};{OTHER}", f"{OTHER};{OTHER}"):
        assert read(position(history)) == position(history)


def test_a_history_may_be_longer_than_the_match() -> None:
    text = f"{BOARD} A 0,0 7,6 1 {THIRD};{OTHER}"
    assert read(text) == text


def test_a_history_ends_with_the_turn_before() -> None:
    """A refusal names the turn after which the board stood, the latest where it stood twice."""
    game, away = game_with(), "3B4/8/8/8/4B3/8/8/4A3"
    for history, turn, side in (
        (f"{OTHER};{away}", 48, "A"),
        (f"{away};{OTHER}", 49, "B"),
        (f"{OTHER};{away};{OTHER};{away}", 48, "A"),
    ):
        state = game.notation.read_state(position(history))
        refusal = game.rules.why_not(state, "A", game.notation.read_action("e4:N1"))
        assert refusal.value("turn") == turn
        earlier = game.notation.read_state(refusal.value("position"))
        assert (earlier.turn, earlier.side) == (turn + 1, side)


def test_history_is_trimmed_to_what_the_option_needs() -> None:
    assert read(position(f"{THIRD};{OTHER}"), "none") == position("-")
    assert read(position(f"{THIRD};{OTHER}"), "ko") == position(OTHER)


def test_the_present_board_may_not_be_in_its_own_past() -> None:
    for repetition, history, allowed in (
        ("superko", BOARD, False),
        ("superko", f"{BOARD};{OTHER}", False),
        ("superko-situational", BOARD, True),
        ("superko-situational", f"{BOARD};{OTHER}", False),
        ("superko-situational", f"{BOARD};{OTHER};{THIRD}", True),
        ("ko", BOARD, True),
        ("none", BOARD, True),
    ):
        if allowed:
            read(position(history), repetition)
        else:
            with pytest.raises(Refused, match="own-history"):
                read(position(history), repetition)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "fields"),
        (f"{BOARD} A 0,0 7,6 51", "fields"),
        (f"{BOARD} A 0,0 7,6 51 - ", "fields"),
        (f"{BOARD}  A 0,0 7,6 51 -", "fields"),
        (f"8/{BOARD} A 0,0 7,6 51 -", "ranks"),
        ("8/8/8/8/8/8/8 A 4,4 4,4 1 -", "ranks"),
        ("5B3/8/8/8/4B3/8/8/4A3 A 0,0 7,6 51 -", "rank-width"),
        ("4B2/8/8/8/4B3/8/8/4A3 A 0,0 7,6 51 -", "rank-width"),
        ("22B3/8/8/8/4B3/8/8/4A3 A 0,0 7,6 51 -", "rank"),
        ("4b3/8/8/8/4B3/8/8/4A3 A 0,0 7,6 51 -", "rank"),
        ("4B3/9/8/8/4B3/8/8/4A3 A 0,0 7,6 51 -", "rank"),
        ("4B3/08/8/8/4B3/8/8/4A3 A 0,0 7,6 51 -", "rank"),
        ("4B3//8/8/4B3/8/8/4A3 A 0,0 7,6 51 -", "rank"),
        (f"{BOARD} C 0,0 7,6 51 -", "side"),
        (f"{BOARD} A 00,0 7,6 51 -", "pair"),
        (f"{BOARD} A 0 7,6 51 -", "pair"),
        (f"{BOARD} A 0,0 7,-6 51 -", "pair"),
        (f"{BOARD} A 0,0 7,5 51 -", "piece-count"),
        (f"{BOARD} A 0,0 7,66 51 -", "piece-count"),
        (f"{BOARD} A 0,0 7,{'9' * 5000} 51 -", "pair"),
        (f"{BOARD} A 5,0 2,6 51 -", "reserve-size"),
        (f"{BOARD} A 0,0 7,6 0 -", "turn-number"),
        (f"{BOARD} A 0,0 7,6 01 -", "turn-number"),
        (f"{BOARD} A 0,0 7,6 x -", "turn-number"),
        (f"{BOARD} A 0,0 7,6 ٣ -", "turn-number"),
        (f"{BOARD} A 0,0 7,6 {'9' * 5000} -", "turn-number"),
        (position(""), "ranks"),
        (position(f"{OTHER};"), "ranks"),
        (position(f"-;{OTHER}"), "ranks"),
        (position("4B3/8/8/8/8/8/8/4A3"), "history-count"),
        (position("4B3/8/8/8/4A3/8/8/4A3"), "history-count"),
    ],
)
@pytest.mark.parametrize("repetition", ["none", "ko", "superko", "superko-situational"])
def test_a_position_that_cannot_be_is_refused(text: str, why: str, repetition: str) -> None:
    with pytest.raises(Refused) as error:
        read(text, repetition)
    assert error.value.refusal.id == f"kalamala.{why}"
    assert error.value.refusal.paragraph == "7.1"
