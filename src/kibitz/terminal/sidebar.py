"""What stands around the board: whose turn it is, what to do, who plays, what was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from textwrap import wrap

from rich.text import Text

from kibitz.core.game import BUTTON, Actor, Outcome, Place, Seat, tell
from kibitz.core.message import Message, Say, message
from kibitz.i18n import FALLBACK, say_in
from kibitz.table.table import BACK
from kibitz.terminal.canvas import clearer, hexadecimal, symbol
from kibitz.terminal.picker import distinct
from kibitz.terminal.picture import figure_of
from kibitz.terminal.session import Session

SENTENCES, BOTH = 38, 56
"""With so many columns the list of moves has sentences instead of notation, or beside it."""


class Telling:
    def __init__(self, session: Session) -> None:
        self.session, self.game = session, session.game
        self.plain = False
        """ASCII only."""
        self._figures = {seat: figure_of(self.game.glyph(seat)) for seat in self.game.seats}

    @property
    def names(self) -> dict[Seat, str]:
        """What the seats are called now."""
        return dict(zip(self.game.seats, _names(self.game.name, self._chairs), strict=True))

    @property
    def say(self) -> Say:
        return _speech(self.game.name, self.game.seats, self._chairs)

    @property
    def _chairs(self) -> tuple[str, ...]:
        return tuple(map(self._chair, self.game.seats))

    def _chair(self, seat: Seat) -> str:
        return self.game.chair(self.session.table.state, seat)

    def title(self) -> str:
        """Whose turn it is or who won, and what happened last."""
        heard = (self.say(event.message).rstrip(".") for event in self.session.heard)
        bar = "  |  " if self.plain else "  │  "
        return bar.join(filter(None, (self.say(self._turn()), ". ".join(heard))))

    def _turn(self) -> Message:
        session = self.session
        if over := session.table.outcome:
            return self._winners(over)
        if not session.acting:
            return message("terminal.thinking", seat=session.thinking or "")
        if session.curtain:
            return message("terminal.pass", seat=session.acting)
        if len(session.people) == 1:
            return message("terminal.yours", seat=session.acting)
        return message("terminal.turn", seat=session.acting)

    def _winners(self, over: Outcome) -> Message:
        best = max(over.payoffs)
        winners = [
            self.names[seat]
            for seat, payoff in zip(self.game.seats, over.payoffs, strict=True)
            if payoff == best > min(over.payoffs)
        ]
        if not winners:
            return message("terminal.nobody-wins")
        return message("terminal.winners", n=len(winners), names=", ".join(winners))

    def prompt(self) -> str:
        """Why not, where something was refused; otherwise what to do now."""
        session = self.session
        if session.refusal:
            return self.with_rule(session.refusal)
        if over := session.table.outcome:
            leave = message("terminal.over" if self.game.takebacks else "terminal.over-for-good")
            return f"{self.with_rule(over.why)}. {self.say(leave)}"
        if session.curtain:
            return self.say(message("terminal.pass-hint"))
        if says := session.picker.says:
            return self.say(says)
        return self.say(self.game.hint(session.table.view(session.viewer), session.viewer))

    def with_rule(self, said: Message) -> str:
        if not said.paragraph:
            return self.say(said)
        rule = {"why": self.say(said), "rule": said.paragraph}
        return self.say(message("terminal.with-rule", **rule))

    def note(self, cursor: Place, name: str) -> str:
        """What is under the cursor, and what choosing it would do."""
        picker, name = self.session.picker, name or cursor
        ahead = (*picker.path, cursor)
        offers = distinct(offer for offer in picker.open if offer.path == ahead)
        if len(offers) != 1:
            return name
        (offer,) = offers
        return f"{name}: {self.say(offer.says[-1] if offer.says else offer.label)}"

    def asked(self, seat: Seat) -> Message:
        """The question to a seat whose agreement is asked for."""
        asked = self.session.table.asked
        assert asked, "somebody asked"
        values = {"seat": seat, "asking": self.names[asked.seat], "text": asked.text}
        if not asked.text.startswith(BACK):
            return message("terminal.agree", **values)
        gone = self.session.table.record.actions[int(asked.text.removeprefix(BACK)) :]
        return message("terminal.agree-back", **values | {"text": ", ".join(gone)})

    def label(self, place: Place) -> str:
        """What is written on the button for a place."""
        if place.startswith(BUTTON):
            with suppress(KeyError):
                return self.say(message(f"{self.game.name}.{place}"))
        offers = self.session.picker.after(place)
        return self.say(offers[0].label) if offers else place

    def buttons(self, keys: Mapping[str, Place], width: int) -> Text:
        """What can be chosen by a key of its own: [e] End turn. Where they are many, the keys."""
        labels = {key: f" {self.label(place)}  " for key, place in keys.items()}
        crowded = sum(3 + len(label) for label in labels.values()) > width
        text = Text()
        for key, label in labels.items():
            text.append(f"[{key}]", f"bold {hexadecimal('accent')}")
            text.append(" " if crowded and key.isdecimal() else label)
        return text

    def revealed(self) -> str:
        """All that is told where something hidden was shown, and how to go on."""
        told = [self.say(event.message) for event in self.session.heard]
        return "\n".join((*told, "", self.say(message("terminal.any-key"))))

    def seats(self, about: Mapping[Seat, Sequence[str]], width: int) -> Text:
        """Who plays, what there is to say about each, and about the match."""
        text, waiting = Text(), self.game.to_act(self.session.table.state)
        notes = self._notes(about, width)
        for seat in self.game.seats:
            mark = (">" if self.plain else "▶") if seat in waiting else " "
            text.append(f"\n{mark} " if text else f"{mark} ", hexadecimal("accent"))
            text.append_text(self._symbol(seat))
            text.append(f" {self.names[seat]}", "bold" if seat in waiting else "")
            text.append(f"{self._bot(seat)}{notes.get(seat, '')}")
        view = self.session.table.view(self.session.viewer)
        for line in self.game.status(view):
            wrapped = "\n  ".join(wrap(self.say(line), width - 2))
            text.append(f"\n  {wrapped}", hexadecimal("ink-2"))
        return text

    def _bot(self, seat: Seat) -> str:
        bot = self.session.bots.get(seat)
        return f" ({bot})" if bot else ""

    def _notes(self, about: Mapping[Seat, Sequence[str]], width: int) -> dict[Seat, str]:
        """What follows the names: beside them in a column, or in lines below."""
        named = {seat: len(f"> x {self.names[seat]}{self._bot(seat)}") for seat in about}
        notes = {seat: ", ".join(lines) for seat, lines in about.items()}
        column = max(named.values(), default=0) + 2
        if all(column + len(note) <= width for note in notes.values()):
            return {seat: " " * (column - named[seat]) + note for seat, note in notes.items()}
        return {
            seat: "".join(
                f"\n    {line}" for line in ((note,) if 4 + len(note) <= width else about[seat])
            )
            for seat, note in notes.items()
        }

    def moves(self, width: int) -> Text:
        """All moves; what a viewer may not know yet is only counted."""
        viewer, table = self.session.viewer, self.session.table
        known = list(table.record_for(viewer).actions)
        text = Text()
        for number, played in enumerate(table.played, 1):
            code = self.game.write_action(played.step.action)
            shown = known.pop(0) if known and known[0] == code else "..."
            text.append(f"\n{number:>3} " if text else f"{number:>3} ", hexadecimal("ink-3"))
            text.append_text(self._symbol(played.actor))
            said = ", ".join(self.say(e.message) for e in tell(played.step.events, viewer))
            if width < SENTENCES:
                text.append(f" {shown}")
            elif width < BOTH:
                text.append(f" {said}")
            else:
                text.append(f" {shown:<9} {said}")
        return text

    def _symbol(self, actor: Actor) -> Text:
        if actor in self._figures and self._chair(actor) != actor:
            return Text(self._chair(actor))
        figure = self._figures.get(actor)
        style = hexadecimal(clearer(figure, "paper")) if figure else ""
        return Text(symbol(figure, self.plain), style)


def _names(game: str, chairs: tuple[str, ...]) -> tuple[str, ...]:
    say = say_in(FALLBACK)
    return tuple(say(message(f"{game}.seat-{chair}")) for chair in chairs)


@lru_cache
def _speech(game: str, seats: tuple[Seat, ...], chairs: tuple[str, ...]) -> Say:
    return say_in(FALLBACK, dict(zip(seats, _names(game, chairs), strict=True)))
