"""Dialogs over the board: a list to choose from, a question, some lines to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

MAX_DIGIT_ROWS = 9
"""Rows of a list that one digit chooses from."""


class ChoiceDialog(ModalScreen[int | None]):
    """A list; the answer is the index of what was chosen, or None.

    Rows have numbers. Few are chosen by a digit; in a longer list digits go to a row, so that
    nothing is chosen by the first digit of what was meant.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,backspace,w,q", "dismiss(None)", show=False),
        Binding("n", "app.simulate_key('down')", show=False),
        Binding("p", "app.simulate_key('up')", show=False),
    ]

    def __init__(self, title: str, rows: Sequence[str], hint: str) -> None:
        super().__init__()
        self._title, self._rows, self._hint, self._typed = title, rows, hint, ""

    def compose(self) -> ComposeResult:
        wide = len(str(len(self._rows)))
        with Vertical(classes="dialog"):
            yield Static(self._title, classes="title", markup=False)
            rows = [f"{number:>{wide}}  {row}" for number, row in enumerate(self._rows, 1)]
            yield OptionList(*rows, markup=False)
            yield Static(self._hint, classes="hint", markup=False)

    def on_key(self, event: events.Key) -> None:
        if not event.character or event.character not in "0123456789":
            self._typed = ""
            return
        event.stop()
        typed = (self._typed + event.character, event.character)
        self._typed = next((each for each in typed if 0 < int(each) <= len(self._rows)), "")
        if self._typed and len(self._rows) <= MAX_DIGIT_ROWS:
            self.dismiss(int(self._typed) - 1)
        elif self._typed:
            self.query_one(OptionList).highlighted = int(self._typed) - 1

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)


class QuestionDialog(ModalScreen[bool]):
    """A question: Enter or the key for yes is yes, everything else is no."""

    def __init__(self, question: str, hint: str, yes_key: str) -> None:
        super().__init__()
        self._question, self._hint, self._yes_key = question, hint, yes_key

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._question, classes="title", markup=False)
            yield Static(self._hint, markup=False)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.dismiss(event.key == "enter" or (event.character or "").lower() == self._yes_key)


class TextDialog(ModalScreen[None]):
    """Some lines; any key closes them."""

    def __init__(self, title: str, lines: str) -> None:
        super().__init__()
        self._title, self._lines = title, lines

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._title, classes="title", markup=False)
            yield Static(self._lines, markup=False)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.dismiss(None)

    def on_click(self) -> None:
        self.dismiss(None)
