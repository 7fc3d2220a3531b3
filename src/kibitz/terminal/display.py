"""The screen of a table: a board, around it who plays, what was played and what may be done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Input, Static

from kibitz.core.drawing import Look
from kibitz.core.game import Place, moves_in
from kibitz.core.message import Message, message
from kibitz.terminal.board import Board
from kibitz.terminal.canvas import COLOURS, BoardScene, hex_colour
from kibitz.terminal.dialogs import QuestionDialog
from kibitz.terminal.grid import Layout, fit_layout, usual_size
from kibitz.terminal.picture import Picture, picture_of
from kibitz.terminal.session import Session
from kibitz.terminal.sidebar import Sidebar

LINES_BELOW = 5
"""Lines under the board, if there is not much to say."""
MIN_SIDE_LINES = 19
"""Lines of what is beside the board, however low it is, where there are so many."""
SIDE_COLUMNS, NARROW_SIDE_COLUMNS, GAP_COLUMNS = 24, 15, 2
"""Columns that the list of moves wants, those it can do with, and those left free before it."""
SMALL_CELL_COLUMNS = 5
"""A cell narrower than that shows its piece by one letter."""
RESERVED_KEYS = frozenset("npwurgq")


class Display(App[None]):
    """All that is seen; it plays nothing by itself."""

    TITLE = "Kibitz"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { background: $paper; color: $ink; }
    #side { width: 1fr; padding: 0 0 0 2; }
    #seats { height: auto; padding: 0 0 1 0; }
    #moves { height: 1fr; scrollbar-size-vertical: 1; }
    #log { text-wrap: nowrap; text-overflow: ellipsis; }
    #title, #note, #keys { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    #prompt { height: auto; min-height: 2; max-height: 4; }
    #title { text-style: bold; color: $accent; }
    #title.over { background: $accent; color: $on-accent; }
    #prompt.refused { background: $bad-soft; color: $bad; }
    #note, #keys { color: $ink-2; }
    #keys { dock: bottom; }
    #typed { height: 1; border: none; padding: 0; background: $accent-soft; display: none; }
    ModalScreen { align: center middle; }
    .dialog { width: 66; max-width: 100%; height: auto; max-height: 100%; padding: 1 2;
        background: $card; border: round $accent; }
    .dialog .title { text-style: bold; padding: 0 0 1 0; }
    .dialog .hint { color: $ink-2; padding: 1 0 0 0; }
    OptionList { height: auto; max-height: 60vh; background: $card; border: none; padding: 0; }
    """

    def __init__(self, session: Session, language: str, plain: bool) -> None:
        super().__init__()
        self.session, self.sidebar = session, Sidebar(session, language)
        self.sidebar.is_ascii = plain
        self.cursor: Place = ""
        self.buttons: dict[str, Place] = {}
        """Choices with a key of their own."""

    def get_css_variables(self) -> dict[str, str]:
        return {**super().get_css_variables(), **{name: hex_colour(name) for name in COLOURS}}

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Board()
            with Vertical(id="side"):
                yield Static(id="seats")
                with VerticalScroll(id="moves", can_focus=False):
                    yield Static(id="log")
        yield Static(id="title")
        yield Static(id="prompt")
        yield Static(id="note")
        yield Input(id="typed", placeholder=self.say("typed"), compact=True)
        yield Static(self.say("keys"), id="keys", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.show_table)

    @property
    def base_screen(self) -> Screen[Any]:
        """The screen under whatever is open over it."""
        return self.screen_stack[0]

    def say(self, id: str) -> str:
        return self.sidebar.say(message(f"terminal.{id}"))

    def ask_question(self, question: Message, then: Callable[[bool | None], None]) -> None:
        asked, hint, yes = self.sidebar.say(question), self.say("yes-no"), self.say("yes-key")
        self.push_screen(QuestionDialog(asked, hint, yes), then)

    def stop_typing(self) -> None:
        typed = self.base_screen.query_one("#typed", Input)
        typed.clear()
        typed.display, self.base_screen.query_one("#note").display = False, True
        self.base_screen.query_one(Board).focus()

    def show_table(self) -> None:
        if self.session.has_curtain:
            self.cursor = ""  # Where somebody last was may be their secret.
        session, picker, sidebar = self.session, self.session.picker, self.sidebar
        drawing = session.game.ui.draw(session.screen_view, Look(sidebar.say, is_coarse=True))
        picture = picture_of(drawing)
        self.buttons = self.keys_for(picture)
        layout = self.board_layout(picture, self.size.height - LINES_BELOW)
        beside = self.size.width - layout.width - GAP_COLUMNS
        refused = dict(session.refusal.values) if session.refusal else {}
        scene = BoardScene(
            picture=picture,
            layout=layout,
            next_places=picker.next_places,
            chosen_places=picker.path,
            marks=picker.marks,
            last_places=frozenset(
                place for m in moves_in(session.latest_events) for place in (m.origin, m.target)
            ),
            refused_place=str(refused.get("at", "")),
            reason_place=str(refused.get("because", "")),
            cursor=self.cursor,
            is_ascii=sidebar.is_ascii,
        )
        self.base_screen.query_one(Board).show_scene(scene)
        prompt = Text(sidebar.prompt())
        longer = max(0, len(prompt.wrap(self.console, self.size.width)) - 2)
        room = self.size.height - LINES_BELOW - longer
        self.base_screen.query_one("#top").styles.height = max(
            layout.height, min(MIN_SIDE_LINES, room)
        )
        self.update_static(
            "title", Text(sidebar.title()), "over", session.table.outcome is not None
        )
        self.update_static("prompt", prompt, "refused", session.refusal is not None)
        note = sidebar.note(self.cursor, picture.names.get(self.cursor, ""))
        self.update_static("note", sidebar.buttons(self.buttons, self.size.width).append(note))
        self.update_static("seats", sidebar.seats(picture.seat_notes, beside))
        self.update_static("log", sidebar.moves(beside))
        self.base_screen.query_one("#moves", VerticalScroll).scroll_end(animate=False)

    def board_layout(self, picture: Picture, height: int) -> Layout:
        """With room for the list of moves, unless men and letters would get too small."""
        wide = fit_layout(picture, self.size.width - SIDE_COLUMNS, height)
        if wide.cell_width >= SMALL_CELL_COLUMNS:
            return wide
        return fit_layout(picture, self.size.width - NARROW_SIDE_COLUMNS, height)

    def keys_for(self, picture: Picture) -> dict[str, Place]:
        """Buttons, and whatever off the squares is chosen by one touch: a card by its number."""
        picker, keys = self.session.picker, dict[str, Place]()
        usual = usual_size(picture)
        for place in picker.next_places:
            box = picture.places.get(place)
            alone = box is not None and (box.width, box.height) != usual and not picker.path
            if box is None or (alone and any(len(o.path) == 1 for o in picker.offers_after(place))):
                free = [
                    key
                    for key in suitable_keys(place, self.sidebar.label(place))
                    if key not in keys
                ]
                if free:
                    keys[free[0]] = place
        return keys

    def update_static(self, id: str, text: Text, kind: str = "", is_so: bool = False) -> None:
        static = self.base_screen.query_one(f"#{id}", Static)
        static.update(text)
        if kind:
            static.set_class(is_so, kind)


def suitable_keys(place: Place, label: str) -> str:
    """The keys that would suit a place, best first."""
    number = place[-1] if place[-2:-1] == "-" and place[-1].isdecimal() else ""
    words = label.lower().replace("-", " ").split()
    letters = [*(word[0] for word in words), *"".join(words)]
    suit = "".join(c for c in letters if c.isascii() and c.isalpha() and c not in RESERVED_KEYS)
    return number + ("" if number else suit) + "123456789"
