"""Texts around the board: whose turn it is, what to do, who plays, what was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from textwrap import wrap

from rich.text import Text

from kibitz.core.game import BUTTON, Actor, Outcome, Place, Seat, visible_to
from kibitz.core.message import Message, Say, message
from kibitz.i18n import name_in, say_in
from kibitz.table.commands import CONTINUE
from kibitz.table.table import BACK
from kibitz.terminal.canvas import clearer_colour, hex_colour, symbol
from kibitz.terminal.picker import distinct_offers
from kibitz.terminal.session import Session

SENTENCE_COLUMNS, SENTENCE_AND_NOTATION_COLUMNS = 38, 56
"""With so many columns the list of moves has sentences instead of notation, or beside it."""


class Sidebar:
    def __init__(self, session: Session, language: str) -> None:
        self.session, self.game, self.language = session, session.game, language
        self.is_ascii = False
        """ASCII only."""

    @property
    def names(self) -> dict[Seat, str]:
        """The names of the seats now."""
        letters = zip(self.game.seats, self._seat_letters, strict=True)
        return {
            seat: name_in(self.language, f"{self.game.name}.seat-{letter}")
            for seat, letter in letters
        }

    @property
    def say(self) -> Say:
        return _seat_phrases(self.language, tuple(self.names.items()))

    @property
    def _seat_letters(self) -> tuple[str, ...]:
        return tuple(map(self._seat_letter, self.game.seats))

    def _seat_letter(self, seat: Seat) -> str:
        return self.game.policy.seat_letter(self.session.table.state, seat)

    def title(self) -> str:
        """The line that says whose turn it is or who won, and what happened last."""
        heard = (self.say(event.message).rstrip(".") for event in self.session.latest_events)
        bar = "  |  " if self.is_ascii else "  │  "
        return bar.join(filter(None, (self.say(self._turn_message()), ". ".join(heard))))

    def _turn_message(self) -> Message:
        session = self.session
        if over := session.table.outcome:
            return self._winners_message(over)
        if not session.acting:
            turn = session.bot_turn
            return message("terminal.thinking", seat=turn.seat if turn else "")
        if session.has_curtain:
            return message("terminal.pass", seat=session.acting)
        if len(session.people) == 1:
            return message("terminal.yours", seat=session.acting)
        return message("terminal.turn", seat=session.acting)

    def _winners_message(self, over: Outcome) -> Message:
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
            leave = message(
                "terminal.over" if self.game.policy.takebacks else "terminal.over-for-good"
            )
            said = [f"{self.with_rule(over.why)}.", self.say(leave)]
            if texts := session.play_on_texts():
                said.append(self.say(message("terminal.play-on", texts=", ".join(texts))))
            return " ".join(said)
        if session.has_curtain:
            return self.say(message("terminal.pass-hint"))
        if says := session.picker.path_prompt:
            return self.say(says)
        return self.say(self.game.ui.hint(session.screen_view, session.viewer))

    def with_rule(self, said: Message) -> str:
        if not said.paragraph:
            return self.say(said)
        rule = {"why": self.say(said), "rule": said.paragraph}
        return self.say(message("terminal.with-rule", **rule))

    def note(self, cursor: Place, name: str) -> str:
        """The name of the place under the cursor, and what choosing it would do."""
        picker, name = self.session.picker, name or cursor
        ahead = (*picker.path, cursor)
        offers = distinct_offers(offer for offer in picker.open_offers if offer.path == ahead)
        if len(offers) != 1:
            return name
        (offer,) = offers
        return f"{name}: {self.say(offer.prompts[-1] if offer.prompts else offer.label)}"

    def agreement_question(self, seat: Seat) -> Message:
        """The question to a seat whose agreement is asked for."""
        asked = self.session.table.pending_request
        assert asked, "somebody asked"
        values = {"seat": seat, "asking": self.names[asked.seat], "text": asked.text}
        if self.session.table.needs_everybody(asked.text):
            missing = self.session.table.deciders - asked.agreed_actors
            names = [self.names[each] for each in self.game.seats if each in missing]
            return message(f"{self.game.name}.agree-{asked.text}", **values, names=", ".join(names))
        if asked.text.startswith(f"{CONTINUE} "):
            n = asked.text.removeprefix(f"{CONTINUE} ")
            return message(f"{self.game.name}.agree-continue", **values, n=n)
        if not asked.text.startswith(BACK):
            return message("terminal.agree", **values)
        gone = self.session.table.record.actions[int(asked.text.removeprefix(BACK)) :]
        return message("terminal.agree-back", **values | {"text": ", ".join(gone)})

    def label(self, place: Place) -> str:
        """The label of the button for a place."""
        if place.startswith(BUTTON):
            with suppress(KeyError):
                return self.say(message(f"{self.game.name}.{place}"))
        offers = self.session.picker.offers_after(place)
        return self.say(offers[0].label) if offers else place

    def buttons(self, keys: Mapping[str, Place], width: int) -> Text:
        """The choices with a key of their own: [e] End turn. Where they are many, the keys."""
        labels = {key: f" {self.label(place)}  " for key, place in keys.items()}
        crowded = sum(3 + len(label) for label in labels.values()) > width
        text = Text()
        for key, label in labels.items():
            text.append(f"[{key}]", f"bold {hex_colour('accent')}")
            text.append(" " if crowded and key.isdecimal() else label)
        return text

    def revelation_text(self) -> str:
        """All that is told where something hidden was shown, and how to go on."""
        told = [self.say(event.message) for event in self.session.latest_events]
        return "\n".join((*told, "", self.say(message("terminal.any-key"))))

    def seats(self, about: Mapping[Seat, Sequence[str]], width: int) -> Text:
        """The players, what there is to say about each, and about the match."""
        text, waiting = Text(), self.game.rules.to_act(self.session.table.state)
        notes = self._notes(about, width)
        for seat in self.game.seats:
            mark = (">" if self.is_ascii else "▶") if seat in waiting else " "
            text.append(f"\n{mark} " if text else f"{mark} ", hex_colour("accent"))
            text.append_text(self._actor_symbol(seat))
            text.append(f" {self.names[seat]}", "bold" if seat in waiting else "")
            text.append(f"{self._bot_suffix(seat)}{notes.get(seat, '')}")
        for line in self.game.ui.status(self.session.screen_view):
            wrapped = "\n  ".join(wrap(self.say(line), width - 2))
            text.append(f"\n  {wrapped}", hex_colour("ink-2"))
        return text

    def _bot_suffix(self, seat: Seat) -> str:
        bot = self.session.bots.get(seat)
        return f" ({bot})" if bot else ""

    def _notes(self, about: Mapping[Seat, Sequence[str]], width: int) -> dict[Seat, str]:
        """The notes after the names: beside them in a column, or in lines below."""
        named = {seat: len(f"> x {self.names[seat]}{self._bot_suffix(seat)}") for seat in about}
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
        for number, played in enumerate(table.history, 1):
            code = self.game.notation.write_action(played.step.action)
            shown = known.pop(0) if known and known[0] == code else "..."
            text.append(f"\n{number:>3} " if text else f"{number:>3} ", hex_colour("ink-3"))
            text.append_text(self._actor_symbol(played.actor))
            told = self.session.told_events(visible_to(played.step.events, viewer))
            said = ", ".join(self.say(event.message) for event in told)
            if width < SENTENCE_COLUMNS:
                text.append(f" {shown}")
            elif width < SENTENCE_AND_NOTATION_COLUMNS:
                text.append(f" {said}")
            else:
                text.append(f" {shown:<9} {said}")
        return text

    def _actor_symbol(self, actor: Actor) -> Text:
        if actor in self.game.ui.figures and self._seat_letter(actor) != actor:
            return Text(self._seat_letter(actor))
        figure = self.game.ui.figures.get(actor)
        style = hex_colour(clearer_colour(figure, "paper")) if figure else ""
        return Text(symbol(figure, self.is_ascii), style)


@lru_cache
def _seat_phrases(language: str, names: tuple[tuple[Seat, str], ...]) -> Say:
    return say_in(language, dict(names))
