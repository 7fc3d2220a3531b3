"""The screen: a board, and around it who plays, what was played, what may be done and why not."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from random import Random, SystemRandom
from time import sleep
from typing import Any, ClassVar

from rich.text import Text
from textual import events, on, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from kibitz.bots.api import SearchContext
from kibitz.bots.registry import BOTS
from kibitz.core.drawing import Look
from kibitz.core.game import BUTTON, PRESS_DIE, Offer, Place, Seat, moves_in, write_choice
from kibitz.core.message import Message, message
from kibitz.core.record import Record
from kibitz.table import Table
from kibitz.table.autoplay import BotTurn
from kibitz.terminal.board import Board
from kibitz.terminal.canvas import COLOURS, BoardScene, hex_colour
from kibitz.terminal.dialogs import MAX_DIGIT_ROWS, ChoiceDialog, QuestionDialog, TextDialog
from kibitz.terminal.grid import Layout, fit_layout, usual_size
from kibitz.terminal.picker import distinct_offers, sort_by_number
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


def play(table: Table[Any, Any, Any], bots: Mapping[Seat, str], auto: bool = False) -> Record:
    """Play on in this terminal until somebody leaves; what was played, finished or not."""
    app = Terminal(table, bots, plain=is_plain(os.environ), auto=auto)
    app.run()
    return app.session.table.record


def is_plain(environment: Mapping[str, str]) -> bool:
    """Whether to keep to ASCII: a console without fonts, or a language setting that says so."""
    names = (environment.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    charset = next(filter(None, names), "utf-8").lower().replace("-", "")
    return environment.get("TERM") in ("linux", "dumb") or "utf8" not in charset


def suitable_keys(place: Place, label: str) -> str:
    """The keys that would suit a place, best first."""
    number = place[-1] if place[-2:-1] == "-" and place[-1].isdecimal() else ""
    words = label.lower().replace("-", " ").split()
    letters = [*(word[0] for word in words), *"".join(words)]
    suit = "".join(c for c in letters if c.isascii() and c.isalpha() and c not in RESERVED_KEYS)
    return number + ("" if number else suit) + "123456789"


class Terminal(App[None]):
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
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "untouch", show=False),
        Binding("escape", "drop", show=False),
        Binding("n", "next(1)", show=False),
        Binding("p", "next(-1)", show=False),
        Binding("w", "list", show=False),
        Binding("u", "take_back", show=False),
        Binding("colon,slash", "type", show=False),
        Binding("r", "resign", show=False),
        Binding("tab", "change_seat", show=False, priority=True),
        Binding("g", "plain", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("q,ctrl+q,ctrl+c", "leave", show=False),
    ]

    def __init__(
        self,
        table: Table[Any, Any, Any],
        bots: Mapping[Seat, str],
        plain: bool = False,
        pause: float = 0.4,
        rng: Random | None = None,
        auto: bool = False,
    ) -> None:
        super().__init__()
        self.game, self.pause_s = table.game, pause
        self.rng = rng or SystemRandom()
        self.session = Session(table, bots, self.rng, auto)
        self.sidebar = Sidebar(self.session)
        self.sidebar.is_ascii = plain
        self.cursor: Place = ""
        self.buttons: dict[str, Place] = {}
        """What can be chosen by a key of its own."""

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

    def on_mount(self) -> None:
        self.base_screen.query_one(Board).focus()
        self.advance()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.show_table)

    @property
    def base_screen(self) -> Screen[Any]:
        """The screen under whatever is open over it."""
        return self.screen_stack[0]

    def say(self, id: str) -> str:
        return self.sidebar.say(message(f"terminal.{id}"))

    # What happens

    def advance(self) -> None:
        """After the table may have changed: show it, ask who must be asked, let a bot think."""
        self.show_table()
        if self.session.has_revealed:
            self.session.has_revealed = False
            self.show_revealed()
        if self.session.seat_to_answer:
            self.ask_to_agree(self.session.seat_to_answer)
        elif turn := self.session.bot_turn:
            self.let_bot_think(self.session.table, turn)
        elif text := self.session.only_action():
            acting = self.session.acting or ""
            self.set_timer(
                self.pause_s, partial(self.play_decision, self.session.table, acting, text)
            )

    def show_revealed(self) -> None:
        """Nobody should miss it; but who only watches, or has seen the end, need not go on."""
        watches = not self.session.people or self.session.table.outcome is not None
        if not watches and not isinstance(self.screen, TextDialog):
            self.push_screen(TextDialog(self.say("revealed"), self.sidebar.revelation_text()))

    @work(thread=True, exclusive=True)
    def let_bot_think(self, table: Table[Any, Any, Any], turn: BotTurn) -> None:
        sleep(self.pause_s)
        seat = turn.seat
        think = SearchContext(self.game, seat, Random(self.rng.random()))
        action = BOTS[self.session.bots[seat]](table.view(seat), turn.actions, think)
        if not get_current_worker().is_cancelled:
            text = write_choice(self.game, action)
            self.call_from_thread(self.play_decision, table, seat, text)

    def play_decision(self, table: Table[Any, Any, Any], seat: Seat, text: str) -> None:
        """What a bot thought of, unless the table has moved on."""
        if table is self.session.table:
            if text == PRESS_DIE:
                self.session.press_die()
            else:
                self.session.act(seat, text)
            self.advance()

    @on(Board.Touched)
    def touch_place(self, event: Board.Touched) -> None:
        if not event.place and not self.session.has_curtain:
            self.action_next(1)
            return
        before = self.session.table
        if not event.place.startswith(BUTTON):
            self.cursor = event.place
        choices = self.session.touch_place(event.place)
        if self.session.table is not before:
            self.advance()
            return
        lit = self.session.picker.next_places
        if len(lit) == 1 and self.session.picker.path:
            self.cursor = lit[0]
        self.show_table()
        if (
            len(choices) == 1
            and choices[0].needs_confirmation
            and self.session.picker.open_offers == choices
        ):
            self.confirm_offer(choices[0])
        else:
            self.choose_offer(message("terminal.which"), sort_by_number(choices))

    def on_key(self, event: events.Key) -> None:
        """The keys of what stands under the board."""
        place = self.buttons.get(event.character or "")
        if place and self.screen is self.base_screen and not self.session.has_curtain:
            event.stop()
            self.touch_place(Board.Touched(place))

    @on(Board.Moved)
    def move_cursor(self, event: Board.Moved) -> None:
        self.cursor = event.place
        self.show_table()

    def action_untouch(self) -> None:
        self.session.untouch_last()
        self.show_table()

    def action_drop(self) -> None:
        if self.base_screen.query_one("#typed").display:
            self.stop_typing()
        self.session.clear_path()
        self.show_table()

    def action_next(self, step: int) -> None:
        lit = self.session.picker.next_places
        if lit:
            here = lit.index(self.cursor) if self.cursor in lit else min(0, -step)
            self.cursor = lit[(here + step) % len(lit)]
            self.show_table()

    def action_list(self) -> None:
        self.choose_offer(
            message("terminal.what"), distinct_offers(self.session.picker.open_offers)
        )

    def action_take_back(self) -> None:
        self.session.take_back()
        self.advance()

    def action_change_seat(self) -> None:
        self.session.change_seat()
        self.show_table()

    def action_plain(self) -> None:
        self.sidebar.is_ascii = not self.sidebar.is_ascii
        self.show_table()

    def action_help(self) -> None:
        self.push_screen(TextDialog(self.say("help-title"), self.say("help")))

    def action_resign(self) -> None:
        def answer(sure: bool | None) -> None:
            if sure:
                self.session.resign()
                self.advance()

        if self.session.resignation_text():
            seat = self.session.acting or self.session.people[0]
            self.ask_question(message("terminal.resign-sure", seat=seat), answer)

    def action_leave(self) -> None:
        def answer(sure: bool | None) -> None:
            if sure:
                self.exit()

        if self.session.table.outcome or not self.session.table.history:
            self.exit()
        else:
            self.ask_question(message("terminal.leave-sure"), answer)

    def action_type(self) -> None:
        if self.session.acting and not self.session.has_curtain:
            self.base_screen.query_one("#note").display = False
            self.base_screen.query_one("#typed").display = True
            self.base_screen.query_one("#typed").focus()

    @on(Input.Submitted)
    def submit_typed(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        self.stop_typing()
        if text:
            self.session.submit_text(text)
            self.advance()

    def stop_typing(self) -> None:
        typed = self.base_screen.query_one("#typed", Input)
        typed.clear()
        typed.display, self.base_screen.query_one("#note").display = False, True
        self.base_screen.query_one(Board).focus()

    def choose_offer(self, title: Message, offers: tuple[Offer, ...]) -> None:
        """Play one of these; without an answer the last touch is taken back if it led here."""

        def chosen(index: int | None) -> None:
            if index is not None and offers[index].needs_confirmation:
                self.confirm_offer(offers[index])
            elif index is not None:
                self.session.play_offer(offers[index])
                self.advance()
            elif self.session.picker.complete_offers:
                self.session.untouch_last()
                self.show_table()

        if offers:
            width = max(len(" ".join(offer.texts)) for offer in offers)
            rows = [f"{' '.join(o.texts):<{width}}  {self.sidebar.say(o.label)}" for o in offers]
            hint = self.say("choose" if len(rows) <= MAX_DIGIT_ROWS else "choose-long")
            self.push_screen(ChoiceDialog(self.sidebar.say(title), rows, hint), chosen)

    def confirm_offer(self, offer: Offer) -> None:
        """Some things are never done without a word."""

        def answer(sure: bool | None) -> None:
            if sure:
                self.session.play_offer(offer)
                self.advance()
            elif self.session.picker.complete_offers:
                self.session.untouch_last()
                self.show_table()

        says = self.sidebar.say(offer.prompts[-1] if offer.prompts else offer.label)
        sure = message("terminal.sure", says=says, label=self.sidebar.say(offer.label))
        self.ask_question(sure, answer)

    def ask_question(self, question: Message, then: Callable[[bool | None], None]) -> None:
        self.push_screen(QuestionDialog(self.sidebar.say(question), self.say("yes-no")), then)

    def ask_to_agree(self, seat: Seat) -> None:
        def answer(agrees: bool | None) -> None:
            self.session.answer_request(seat, bool(agrees))
            self.advance()

        self.ask_question(self.sidebar.agreement_question(seat), answer)

    # What is seen

    def show_table(self) -> None:
        if self.session.has_curtain:
            self.cursor = ""  # Where somebody last was may be their secret.
        session, picker, telling = self.session, self.session.picker, self.sidebar
        drawing = self.game.ui.draw(
            session.table.view(session.viewer), Look(telling.say, is_coarse=True)
        )
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
            is_ascii=telling.is_ascii,
        )
        self.base_screen.query_one(Board).show_scene(scene)
        prompt = Text(telling.prompt())
        longer = max(0, len(prompt.wrap(self.console, self.size.width)) - 2)
        room = self.size.height - LINES_BELOW - longer
        self.base_screen.query_one("#top").styles.height = max(
            layout.height, min(MIN_SIDE_LINES, room)
        )
        self.update_static(
            "title", Text(telling.title()), "over", session.table.outcome is not None
        )
        self.update_static("prompt", prompt, "refused", session.refusal is not None)
        note = telling.note(self.cursor, picture.names.get(self.cursor, ""))
        self.update_static("note", telling.buttons(self.buttons, self.size.width).append(note))
        self.update_static("seats", telling.seats(picture.seat_notes, beside))
        self.update_static("log", telling.moves(beside))
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
