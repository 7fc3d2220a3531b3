from kibitz.core.editing import valid_edits
from kibitz.core.game import Edit
from kibitz.core.message import Refused, message

ONE, TWO = message("one"), message("two")


def read(text: str) -> int:
    if int(text) > 9:
        raise Refused(message("too-much"))
    return int(text)


def test_a_change_is_offered_by_its_text() -> None:
    assert valid_edits(str, read, 3, [(ONE, 4)]) == (Edit(ONE, "4"),)


def test_what_the_reader_refuses_is_left_out() -> None:
    assert valid_edits(str, read, 3, [(ONE, 10), (TWO, 9)]) == (Edit(TWO, "9"),)


def test_what_changes_nothing_is_left_out() -> None:
    assert valid_edits(str, read, 3, [(ONE, 3)]) == ()


def test_a_position_is_offered_once_by_its_first_name() -> None:
    assert valid_edits(str, read, 3, [(ONE, 4), (TWO, 4)]) == (Edit(ONE, "4"),)
