"""A match at one keyboard: whose turn it is here, what is chosen, what was refused. No screen."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

from kibitz.bots.registry import anytime_policy_for
from kibitz.core.game import (
    CHANCE,
    PRESS_DIE,
    REFEREE,
    SPECTATOR,
    TABLE,
    Actor,
    Event,
    Game,
    Offer,
    Place,
    Seat,
    Viewer,
    odds_of_press,
    without_reminders,
)
from kibitz.core.message import Refusal, Refused, message
from kibitz.table.autoplay import BotStatement, BotTurn, next_action, next_turn
from kibitz.table.handover import acting_seat, needs_curtain
from kibitz.table.table import AGREE, ASK, BACK, DECLINE, EventsByViewer, Table
from kibitz.terminal.picker import Picker


class Session:
    """A match at one keyboard, where everybody sits who is not a bot."""

    def __init__(
        self,
        table: Table[Any, Any, Any],
        bots: Mapping[Seat, str],
        rng: Random,
        auto: bool = False,
        is_reminded: bool = True,
    ) -> None:
        self.table, self._initial_bots, self.rng = table, bots, rng
        self.is_reminded = is_reminded
        """True if those here are shown what a player should remember."""
        self._voice = anytime_policy_for(self.game.name)
        self.is_auto = auto
        """True if the only choice there is makes itself."""
        self.bots: Mapping[Seat, str] = bots
        self.people: tuple[Seat, ...] = ()
        self.events_by_viewer: EventsByViewer = {}
        self.refusal: Refusal | None = None
        self.acting: Seat | None = None
        self.unveiled_seat: Seat | None = None
        """The seat that said to be looking, while there is something of theirs to hide."""
        self.has_curtain = False
        """The keyboard goes to somebody who has secrets, or may see other things."""
        self.has_revealed = False
        """True if the latest action showed what was hidden."""
        self.picker = Picker()
        self._settle()

    @property
    def game(self) -> Game[Any, Any, Any]:
        """The game as it is now: its options may speak of seats, and people move with theirs."""
        return self.table.game

    @property
    def viewer(self) -> Viewer:
        if self.acting and not self.has_curtain:
            return self.acting
        return self.people[0] if len(self.people) == 1 else SPECTATOR

    @property
    def latest_events(self) -> tuple[Event, ...]:
        """The events of the latest action that everybody here witnesses."""
        return self.told_events(self.events_by_viewer.get(self.viewer, ()))

    @property
    def screen_view(self) -> Any:
        return self.table.screen_view(self.viewer, self.is_reminded)

    def told_events(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        return events if self.is_reminded else without_reminders(self.game, events)

    @property
    def bot_turn(self) -> BotTurn | None:
        """The turn of the bot that has to act now."""
        turn = next_turn(self.table, self.bots)
        return turn if isinstance(turn, BotTurn) and not turn.is_early else None

    def touch_place(self, place: Place) -> tuple[Offer, ...]:
        """Choose a place. Where it has to be asked what is meant, or whether, those things."""
        self.refusal = None
        if self.has_curtain:
            self.unveiled_seat, self.has_curtain = self.acting, False
            self._reset_picker()
            return ()
        if place in self.picker.next_places:
            self.picker = self.picker.with_place(place)
            complete = self.picker.complete_offers
            if (
                len(complete) == 1
                and len(self.picker.open_offers) == 1
                and not complete[0].needs_confirmation
            ):
                self.play_offer(complete[0])
                return ()
            return complete
        if self.picker.path and self.picker.path[-1] == place:
            self.picker = self.picker.without_last()
        elif self.acting or self.people:
            seat = self.acting or self.people[0]
            self.refusal = self.table.why_not(seat, (*self.picker.path, place))
        return ()

    def untouch_last(self) -> None:
        self.refusal, self.picker = None, self.picker.without_last()

    def clear_path(self) -> None:
        self.refusal, self.picker = None, Picker(self.picker.offers)

    def play_offer(self, offer: Offer) -> None:
        """All that an offer stands for, or none of it; without actions the die falls."""
        if offer.actions:
            self._act_all(*((self.acting or "", text) for text in offer.actions))
        else:
            self.press_die()

    def press_die(self, seat: Seat | None = None) -> None:
        """Let the die fall, for whoever acts here or for a bot."""
        odds = odds_of_press(self.game, self.table.state, seat or self.acting)
        self._act_all((CHANCE, self._draw_chance(odds)))

    def act(self, actor: Actor, text: str) -> None:
        self._act_all((actor, text))

    def submit_text(self, text: str) -> None:
        """Typed words are whosever they are; rulings are up to those at the keyboard, too."""
        if text in self.play_on_texts() or (self.people and self.table.needs_everybody(text)):
            self.propose(text)
            return
        actor = self.acting or ""
        with suppress(Refused):
            whose = self.game.rules.actor_of(self.table.state, self.game.notation.read_action(text))
            actor = whose if whose in (*self.people, REFEREE) else actor
        self.act(actor, text)

    def _act_all(self, *texts: tuple[Actor, str]) -> None:
        table, told, self.refusal, self.has_revealed = self.table, [], None, False
        try:
            for actor, text in texts:
                table, heard = table.act(actor, text)
                told.append(heard)
        except Refused as refused:
            self.refusal = refused.refusal
        else:
            new = table.history[len(self.table.history) :]
            self.has_revealed = any(played.step.is_reveal for played in new)
            self.table, self.events_by_viewer = table, _merge_events(*told)
        self._settle()

    def take_back(self) -> None:
        """The latest action of somebody here; bots always agree to it, people are asked.

        Who has more to commit takes back nothing but what they committed themselves.
        """
        if self.has_curtain:
            return
        seat = next((p.actor for p in reversed(self.table.history) if p.actor in self.people), None)
        if self.acting and self.table.is_committing(self.acting):
            seat = self.acting
        keep = self.table.undo_point(seat) if seat else None
        if seat is None or keep is None:
            self.refusal = message("terminal.nothing-to-take-back")
        elif self.table.may_undo_freely(seat, keep):
            self.act(seat, f"{BACK}{keep}")
        else:
            self.act(seat, f"{ASK}{BACK}{keep}")
            for bot in self.bots:
                if self.table.pending_request:
                    self.act(bot, AGREE)

    @property
    def seat_to_answer(self) -> Seat | None:
        """A seat here whose answer to the request is still missing."""
        asked = self.table.pending_request
        return (
            next((s for s in self.people if s not in asked.agreed_actors), None) if asked else None
        )

    def answer_request(self, seat: Seat, agrees: bool) -> None:
        self.act(seat, AGREE if agrees else DECLINE)

    def resignation_text(self) -> str | None:
        """The text by which whoever acts, or is the only one here, resigns."""
        seat = self.acting or (self.people[0] if self.people else "")
        texts = map(
            self.game.notation.write_action, self.game.rules.role_actions(self.table.state, seat)
        )
        return next((text for text in texts if text.startswith("resign")), None)

    def resign(self) -> None:
        if text := self.resignation_text():
            self.act(self.acting or self.people[0], text)

    def play_on_texts(self) -> tuple[str, ...]:
        """The ways in which those here may go on with a match that is over."""
        if not self.table.outcome or not self.people:
            return ()
        actions = self.game.rules.role_actions(self.table.state, TABLE)
        return tuple(map(self.game.notation.write_action, actions))

    def propose(self, text: str) -> None:
        """Ask all for it; bots agree, people are asked."""
        self.act(self.people[0], ASK + text)
        for bot in self.bots:
            if self.table.pending_request:
                self.act(bot, AGREE)

    def change_seat(self) -> None:
        """Act for the next one here who may do something."""
        able = [seat for seat in self.people if self.table.offers(seat)]
        if self.acting in able and len(able) > 1:
            self._set_acting(able[(able.index(self.acting) + 1) % len(able)])

    def _settle(self) -> None:
        """Let bots say and chance decide what is theirs, then see whose turn it is here."""
        self._reseat_bots()
        say = self._choose_statement if self._voice else None
        while due := next_action(self.table, self.bots, self._draw_chance, _only_press, say):
            self.table, told = self.table.act(*due)
            self.events_by_viewer = _merge_events(self.events_by_viewer, told)
        self._set_acting(acting_seat(self.table, self.people))

    def _reseat_bots(self) -> None:
        """Everybody where they came to sit, or where the match has sent them since."""
        self.bots = self._initial_bots
        for moved in (played.step.seat_changes for played in self.table.history):
            self.bots = {moved.get(seat, seat): bot for seat, bot in self.bots.items()}
        self.people = tuple(seat for seat in self.game.seats if seat not in self.bots)

    def only_action(self) -> str | None:
        """The only turn action of whoever acts, where it is to make itself."""
        if not self.is_auto or not self.acting or self.has_curtain or self.refusal:
            return None
        actions = self.game.rules.turn_actions(self.table.state, self.acting)
        if len(actions) != 1 or CHANCE in self.game.rules.to_act(self.table.state):
            return None
        text = self.game.notation.write_action(actions[0])
        return (
            None
            if any(o.needs_confirmation and o.actions == (text,) for o in self.picker.offers)
            else text
        )

    def _choose_statement(self, may: BotStatement) -> Any:
        assert self._voice
        seat, bot = may.seat, self.bots[may.seat]
        return self._voice(self.game, self.table.view(seat), seat, may.actions, self.rng, bot)

    def _draw_chance(self, odds: Mapping[Any, Fraction]) -> str:
        """A text of chance, drawn by these odds."""
        (fallen,) = self.rng.choices(list(odds), [float(share) for share in odds.values()])
        return self.game.notation.write_action(fallen)

    def _set_acting(self, seat: Seat | None) -> None:
        hides = seat is not None and needs_curtain(self.table, self.people, seat)
        if not hides or seat != self.unveiled_seat:
            self.unveiled_seat = None
        self.acting, self.has_curtain = seat, hides and self.unveiled_seat is None
        self._reset_picker()

    def _reset_picker(self) -> None:
        """Offer what whoever acts may do, unless somebody else may be looking."""
        shown = self.acting if not self.has_curtain else None
        self.picker = Picker(self.table.offers(shown, self.is_reminded) if shown else ())


def _only_press(turn: BotTurn) -> Any:
    """The press of a bot that can do nothing else; whoever has a choice is left to think."""
    return PRESS_DIE if turn.actions == (PRESS_DIE,) else None


def _merge_events(*parts: EventsByViewer) -> EventsByViewer:
    """The events of all the parts by viewer, in order."""
    viewers = {viewer for told in parts for viewer in told}
    return {v: tuple(event for told in parts for event in told.get(v, ())) for v in viewers}
