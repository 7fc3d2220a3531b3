"""Playing in a terminal: keys, touches, questions and bots."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from random import Random, SystemRandom
from time import sleep
from typing import Any, ClassVar

from textual import events, on, work
from textual.binding import Binding, BindingType
from textual.widgets import Input
from textual.worker import get_current_worker

from kibitz.bots.api import SearchContext
from kibitz.bots.registry import BOTS
from kibitz.core.game import BUTTON, PRESS_DIE, Offer, Seat, write_choice
from kibitz.core.message import Message, message
from kibitz.core.record import Record
from kibitz.core.targets import take_library
from kibitz.i18n import FALLBACK
from kibitz.table import Table
from kibitz.table.autoplay import BotTurn
from kibitz.terminal.board import Board
from kibitz.terminal.dialogs import MAX_DIGIT_ROWS, ChoiceDialog, TextDialog
from kibitz.terminal.display import Display
from kibitz.terminal.picker import distinct_offers, sort_by_number
from kibitz.terminal.session import Session


def play(
    table: Table[Any, Any, Any],
    bots: Mapping[Seat, str],
    auto: bool = False,
    language: str = FALLBACK,
    is_reminded: bool = True,
) -> Record:
    """Play on in this terminal until somebody leaves; what was played, finished or not."""
    plain = is_plain(os.environ)
    app = Terminal(table, bots, language, plain=plain, auto=auto, is_reminded=is_reminded)
    app.run()
    return app.session.table.record


def is_plain(environment: Mapping[str, str]) -> bool:
    """True if all is to be ASCII: a console without fonts, or a language setting that says so."""
    names = (environment.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    charset = next(filter(None, names), "utf-8").lower().replace("-", "")
    return environment.get("TERM") in ("linux", "dumb") or "utf8" not in charset


class Terminal(Display):
    """A match at one keyboard: keys and touches, questions and their answers, bots that think."""

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
        language: str = FALLBACK,
        plain: bool = False,
        pause: float = 0.4,
        rng: Random | None = None,
        auto: bool = False,
        is_reminded: bool = True,
    ) -> None:
        self.rng, self.pause_s = rng or SystemRandom(), pause
        super().__init__(Session(table, bots, self.rng, auto, is_reminded), language, plain)

    def on_mount(self) -> None:
        self.base_screen.query_one(Board).focus()
        self.advance()

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
        take_library()
        seat = turn.seat
        think = SearchContext(self.session.game, seat, Random(self.rng.random()))
        action = BOTS[self.session.bots[seat]](table.view(seat), turn.actions, think)
        if not get_current_worker().is_cancelled:
            text = write_choice(self.session.game, action)
            self.call_from_thread(self.play_decision, table, seat, text)

    def play_decision(self, table: Table[Any, Any, Any], seat: Seat, text: str) -> None:
        """Play a bot's decision, unless the table has moved on."""
        if table is self.session.table:
            if text == PRESS_DIE:
                self.session.press_die(seat)
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
        is_free = bool(self.session.acting) and not self.session.has_curtain
        if is_free or self.session.play_on_texts():
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

    def choose_offer(self, title: Message, offers: tuple[Offer, ...]) -> None:
        """Play one of these; without an answer the last touch is taken back if it led here."""

        def answer(index: int | None) -> None:
            if index is not None and offers[index].needs_confirmation:
                self.confirm_offer(offers[index])
            elif index is not None:
                self.session.play_offer(offers[index])
                self.advance()
            elif self.session.picker.complete_offers:
                self.session.untouch_last()
                self.show_table()

        if offers:
            width = max(len(" ".join(offer.actions)) for offer in offers)
            rows = [f"{' '.join(o.actions):<{width}}  {self.sidebar.say(o.label)}" for o in offers]
            hint = self.say("choose" if len(rows) <= MAX_DIGIT_ROWS else "choose-long")
            self.push_screen(ChoiceDialog(self.sidebar.say(title), rows, hint), answer)

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

    def ask_to_agree(self, seat: Seat) -> None:
        def answer(agrees: bool | None) -> None:
            self.session.answer_request(seat, bool(agrees))
            self.advance()

        self.ask_question(self.sidebar.agreement_question(seat), answer)
