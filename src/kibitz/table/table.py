"""A match with people around it: what was sent, what follows, who hears what.

A table is a value: `act` gives the next one and leaves this one alone, so a
shell can make a row durable before anybody sees what it led to.

Beside the game's own texts a table knows some of its own, and those of its people (manners.py):

    back 7          keep the first seven actions of the record; where that is all of them, let
                    go the latest of what was committed ahead of its place
    ask back 7      where the others must agree; likewise `ask draw`, for what the game lets
                    all seats do together
    agree, decline  the answer of another seat
    cancel          by whoever asked: never mind
    flag A          by the clock: the time of a seat is up

What a referee sends may end with ` because <reason>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace as replace_fields
from typing import Any, Generic, TypeAlias

from msgspec import field
from msgspec.structs import replace

from kibitz.core.caching import cache_latest
from kibitz.core.game import (
    CHANCE,
    REFEREE,
    SPECTATOR,
    TABLE,
    Action,
    Actor,
    Event,
    Game,
    Offer,
    Outcome,
    Place,
    Seat,
    State,
    Step,
    View,
    Viewer,
    view_without_reminders,
    visible_to,
)
from kibitz.core.message import Message, Refusal, Refused, message
from kibitz.core.record import START, UNFINISHED, Record, ReplayStep
from kibitz.core.values import AppendOnlyList, FrozenValue
from kibitz.table import commands
from kibitz.table.clock import Clock
from kibitz.table.companion import Book
from kibitz.table.requests import NAMED_AGREEMENTS, agreement_message, request_message
from kibitz.table.sealed_dice import Envelope
from kibitz.table.seating import ROLES, Member, People

EventsByViewer: TypeAlias = Mapping[Viewer, tuple[Event, ...]]
"""The events that each viewer witnesses."""
BACK = "back "
ASK = "ask "
AGREE = "agree"
DECLINE = "decline"
CANCEL = "cancel"
BECAUSE = " because "
FLAG = "flag "
CLOCK: Actor = "clock"
FILL_IN_BOT = "greedy"
"""The bot that fills in for somebody whose time ran out."""
MAX_CACHED_SECRETS = 1 << 9
"""So many answers about actions are kept: for each viewer it is asked several times."""


class Row(FrozenValue, frozen=True):
    """A text that somebody sent, as it was typed. Rows are only ever added."""

    actor: Actor
    text: str
    member: Member = ""
    at: float = 0.0
    """When, in seconds since the table opened."""
    think_seconds: float = 0.0
    """The time of thought, as far as anybody could think: not while the server was away."""


class PendingRequest(FrozenValue, frozen=True):
    """Something asked of the seats, and who has agreed so far, the one who asks included."""

    seat: Actor
    text: str
    agreed_actors: frozenset[Actor]
    """Seats, and the referee where he has to agree, too."""
    member: Member = ""
    open_seconds: float = 0.0
    """The time it had been open at the latest row."""

    def after_seconds(self, seconds: float) -> PendingRequest:
        return replace(self, open_seconds=self.open_seconds + seconds) if seconds else self


class Note(FrozenValue, frozen=True):
    """Something about the table that its log tells after so many actions."""

    after: int
    message: Message
    member: Member = ""
    """The seat whose doing it was, where somebody came or went."""

    def with_seat_moved(self, moved: Mapping[Seat, Seat]) -> Note:
        """The note about the same people, where they are now."""
        said = self.message
        values = tuple((n, moved.get(str(v), v) if n == "seat" else v) for n, v in said.values)
        return replace(self, message=replace(said, values=values))


class Table(FrozenValue, Generic[State, Action, View], frozen=True, kw_only=True):
    """The rows are the truth; the rest follows from them."""

    game: Game[State, Action, View]
    start: str
    first: State
    state: State
    """The position now: after the last action of the history, or the first."""
    history: AppendOnlyList[ReplayStep[State, Action]] = field(default_factory=AppendOnlyList)
    """The effective actions: what was taken back is only in the rows."""
    commitments: tuple[tuple[Seat, Action], ...] = ()
    """Commitments whose place in the record has not come, as they arrived."""
    times: AppendOnlyList[float] = field(default_factory=AppendOnlyList)
    """When each of the played ones was sent."""
    draws: int = 0
    """The number of times that chance has spoken, taken back or not."""
    recorded_draws: tuple[int, ...] = ()
    """Which of these draws the record has."""
    envelopes: tuple[Envelope, ...] = (Envelope(),)
    """Those that draws were made from, and the one they are made from now."""
    pending_request: PendingRequest | None = None
    notes: tuple[Note, ...] = ()
    rows: AppendOnlyList[Row] = field(default_factory=AppendOnlyList)
    people: People | None = None
    """None where whoever carries the texts knows who is who."""
    clock: Clock | None = None
    book: Book | None = None
    """None where it is not played on a real board."""
    follows_people: bool = False
    """True if the sizes of teams, where a game has such, follow the people at their seats."""
    is_adjourned: bool = False
    is_aborted: bool = False
    rematch: str | None = None
    """Where it goes on: empty while all have agreed and there is no such table yet."""

    @property
    def outcome(self) -> Outcome | None:
        return self.game.rules.outcome(self.state)

    @property
    def is_over(self) -> bool:
        return self.is_aborted or self.outcome is not None

    @property
    def has_begun(self) -> bool:
        """True if anything was done, if only ahead of its place."""
        return bool(self.history or self.commitments)

    @property
    def seats_on_clock(self) -> frozenset[Seat]:
        """The seats whose time runs: those to act, from the first action on."""
        if not self.people or not self.history or self.is_adjourned or self.is_over:
            return frozenset()
        return self.game.rules.to_act(self.state) & frozenset(self.people.playing_seats)

    @property
    def record(self) -> Record:
        return self._record_of(self.history)

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        return (*self.game.seats, SPECTATOR)

    @property
    def ready_seats(self) -> frozenset[Seat]:
        """The seats that have committed early all there is to commit: everybody may know that, not
        what."""
        return frozenset(seat for seat, _ in self.commitments if not self.is_committing(seat))

    def is_committing(self, seat: Seat) -> bool:
        """True if a seat has more to commit. What it committed binds it when it has not."""
        return bool(self.game.rules.secret_actions(self.state, seat, self.commitments_of(seat)))

    def has_secrets(self, seat: Seat, beside: Iterable[Seat]) -> bool:
        """True if a seat has something to commit, or sees what others beside it do not."""
        if self.game.rules.hides_nothing:
            return False
        if self.is_committing(seat):
            return True
        write, mine = self.game.notation.write_view, self.view(seat)
        theirs = [self.view(other) for other in beside if other != seat]
        # Writing is dear; where nothing is hidden, all see the same thing.
        return any(view is not mine and write(view) != write(mine) for view in theirs)

    def commitments_of(self, viewer: Viewer) -> tuple[Action, ...]:
        if not self.commitments:
            return ()
        return tuple(action for seat, action in self.commitments if seat == viewer)

    def view(self, viewer: Viewer) -> View:
        return self.game.rules.view(self.state, viewer, self.commitments_of(viewer))

    def actions(self, actor: Actor) -> tuple[Action, ...]:
        """The actions of an actor now, in its turn or committed ahead of it."""
        turn = self.game.rules.turn_actions(self.state, actor)
        if turn or actor not in self.game.seats:
            return turn
        return self.game.rules.secret_actions(self.state, actor, self.commitments_of(actor))

    def screen_view(self, viewer: Viewer, is_reminded: bool) -> View:
        """The view that a screen is made of: without reminders where a house rule says so."""
        seen = self.view(viewer)
        return seen if is_reminded else view_without_reminders(self.game, seen)

    def offers(self, actor: Actor, is_reminded: bool = True) -> tuple[Offer, ...]:
        listed = self.actions(actor) + self.game.rules.anytime_actions(self.state, actor)
        viewer = actor if actor in self.game.seats else SPECTATOR
        return self.game.ui.offers(self.screen_view(viewer, is_reminded), listed)

    def die_delay_s(self, are_all_reminded: bool) -> float:
        """The seconds for which the die should be left alone from now on."""
        if self.game.policy.die_delay is None:
            return 0.0
        told = list[Event]()
        for played in reversed(self.history):
            if played.actor == CHANCE:
                break
            told += played.step.events
        view = self.screen_view(SPECTATOR, are_all_reminded)
        return self.game.policy.die_delay(view, told)

    def record_for(self, viewer: Viewer) -> Record:
        """The record less what others have committed and not yet shown."""
        history = self.history
        shown = self._record_of(tuple(history[n] for n in self.shown_indices(viewer)))
        return replace_fields(shown, start=self._start_for(viewer))

    def shown_indices(self, viewer: Viewer = SPECTATOR) -> list[int]:
        """The places in the history of all that this viewer was shown of it."""
        hidden: set[int] = set()
        for index, played in enumerate(self.history):
            if played.step.is_reveal:
                hidden.clear()
            elif played.actor != viewer and self.was_secret(played):
                hidden.add(index)
        return [index for index in range(len(self.history)) if index not in hidden]

    def _start_for(self, viewer: Viewer) -> str:
        """The start, less what it hides from them while nothing was shown."""
        is_shown = self.is_over or any(played.step.is_reveal for played in self.history)
        if is_shown or self.start == START or not hides_something(self.game, self.first):
            return self.start
        return self.game.notation.write_view(self.game.rules.view(self.first, viewer, ()))

    def why_not(self, seat: Seat, path: tuple[Place, ...]) -> Refusal:
        """The answer to a seat that touched what is not offered."""
        intended = self.game.ui.intent(self.view(seat), seat, path)
        if isinstance(intended, Refusal):
            return intended
        if intended in self.actions(seat):
            return message("table.allowed")
        return self.game.rules.why_not(self.state, seat, intended) or message("table.allowed")

    def undo_point(self, seat: Seat) -> int | None:
        """The length of the record after this seat takes its latest action back; None if it may
        not.

        Whether the others must agree to it, `is_free` tells.
        """
        if self.commitments_of(seat):
            may = self.game.policy.takebacks and self.is_committing(seat)
            return len(self.history) if may else None
        latest = len(self.history) - 1
        for keep, played in zip(range(latest, -1, -1), reversed(self.history), strict=True):
            if played.actor == seat:
                return None if not self.game.policy.takebacks or self._is_binding(keep) else keep
        return None

    def may_undo_freely(self, seat: Seat, keep: int) -> bool:
        """In one's own turn, one's own actions that told nobody anything."""
        if keep == len(self.history):
            return bool(self.commitments_of(seat))
        in_turn = seat in self.game.rules.to_act(self.state)
        is_quiet = not self.commitments or self._is_still_secret(keep)
        return in_turn and is_quiet and all(p.actor == seat for p in self.history[keep:])

    def act(
        self, actor: Actor, text: str, member: Member = "", at: float = 0.0, spent: float = 0.0
    ) -> tuple[Table[State, Action, View], EventsByViewer]:
        """The table after this, and what everybody witnesses; raises Refused.

        That the actor is who it says is the shell's to know, and so is drawing for CHANCE.
        """
        rows = self.rows.with_item(Row(actor, text, member, at, spent))
        sent = replace(
            self,
            rows=rows,
            draws=self.draws + (actor == CHANCE),
            pending_request=self.pending_request and self.pending_request.after_seconds(spent),
        )
        if self.clock is None:
            return sent._act_by_text(actor, text, member)
        before = self.seats_on_clock
        after, told = replace(sent, clock=self.clock.spend_seconds(before, spent))._act_by_text(
            actor, text, member
        )
        if len(after.history) <= len(self.history):
            return after, told  # Nobody's turn ends by a rest, a bot or a takeback.
        assert after.clock
        return replace(after, clock=after.clock.with_turn_bonus(before, after.seats_on_clock)), told

    def _act_by_text(
        self, actor: Actor, text: str, member: Member
    ) -> tuple[Table[State, Action, View], EventsByViewer]:
        if commands.command_word(text) in commands.COMMANDS:
            return self._announce_result(commands.run(self, actor, text, member), member)
        if actor == REFEREE and (ruled := split_reason(text)):
            return self._rule_with_reason(*ruled)
        if actor == REFEREE and text in (commands.ADJOURN, commands.CONTINUE):
            commands.refuse_asking(self, text, member)
            return self._announce_result(commands.grant_request(self, text, member))
        if text.startswith(FLAG):
            return self._call_flag(actor, text.removeprefix(FLAG))
        if text.startswith(BACK):
            return self._take_back(actor, text.removeprefix(BACK))
        if text.startswith(ASK):
            return self._open_request(actor, text.removeprefix(ASK), member)
        if text == CANCEL:
            return self._cancel_request(actor, member)
        if text in (AGREE, DECLINE):
            return self._answer_request(actor, text, member)
        action = self.game.notation.read_action(text)
        commands.refuse_if_not_ready(self, actor, action)
        if self._is_early(actor, action):
            after = replace(self, commitments=(*self.commitments, (actor, action)))
            ready = (
                [Event(message("table.ready", seat=actor))] if actor in after.ready_seats else []
            )
            return after, after._events_by_viewer(ready)
        if actor == REFEREE and text in NAMED_AGREEMENTS:
            said = message(f"table.did-{text}", seat=actor)
            return self._play_named(actor, action, said, member)
        return self._play_action(actor, action)

    def with_note(self, said: Message, member: Member = "") -> Table[State, Action, View]:
        return replace(self, notes=(*self.notes, Note(len(self.history), said, member)))

    def _announce_result(
        self, answered: tuple[Table[State, Action, View], Message | None], member: Member = ""
    ) -> tuple[Table[State, Action, View], EventsByViewer]:
        """Announce the result of a command to all; it stays in the log."""
        after, said = answered
        if said is None:
            return after, after._events_by_viewer(())
        return after.with_note(said, member), after._events_by_viewer((Event(said),))

    def _call_flag(
        self, actor: Actor, seat: Seat
    ) -> tuple[Table[State, Action, View], EventsByViewer]:
        """Time is up. Where the game has no word for it, a bot fills in."""
        running = self.clock and seat in self.seats_on_clock
        if actor != CLOCK or not self.clock or not running or not self.clock.is_out_of_time(seat):
            raise Refused(message("table.has-time"))
        assert self.people
        said = message("table.flag", seat=seat)
        forfeit = self.game.policy.forfeit(self.state, seat)
        if forfeit is None:
            return self._announce_result(
                (replace(self, people=self.people.put_bot(seat, FILL_IN_BOT)), said)
            )
        after, told = self.with_note(said)._play_action(REFEREE, forfeit)
        return after, {viewer: (Event(said), *events) for viewer, events in told.items()}

    def _rule_with_reason(
        self, text: str, reason: str
    ) -> tuple[Table[State, Action, View], EventsByViewer]:
        after, told = self._act_by_text(REFEREE, text, "")
        said = message("table.ruling", text=text, reason=reason)
        heard = {viewer: (*events, Event(said)) for viewer, events in told.items()}
        return after.with_note(said), heard

    def _play_action(
        self, actor: Actor, action: Action
    ) -> tuple[Table[State, Action, View], EventsByViewer]:
        step = self.game.rules.resolve(self.state, actor, action)
        after, events = self._with_step(actor, step), step.events
        while due := after._due_commitment():
            step = self.game.rules.resolve(after.state, *due)
            after, events = after._with_step(due[0], step), events + step.events
        return after, after._events_by_viewer(events)

    def _is_early(self, actor: Actor, action: Action) -> bool:
        if actor not in self.game.seats or actor in self.game.rules.to_act(self.state):
            return False
        return action in self.game.rules.secret_actions(
            self.state, actor, self.commitments_of(actor)
        )

    def _due_commitment(self) -> tuple[Seat, Action] | None:
        """The held commitment whose place has come."""
        if not self.commitments:
            return None
        to_act = self.game.rules.to_act(self.state)
        return next((entry for entry in self.commitments if entry[0] in to_act), None)

    def _with_step(self, actor: Actor, step: Step[State, Action]) -> Table[State, Action, View]:
        """The step entered in the record; a held commitment goes when it is played or void."""
        held = list(self.commitments)
        if held and (actor, step.action) in held:
            held.remove((actor, step.action))
        if held and (actor == REFEREE or self.game.rules.outcome(step.state)):
            held.clear()
        played = self.history.with_item(ReplayStep(self.state, actor, step))
        after = replace(
            self,
            state=step.state,
            history=played,
            times=self.times.with_item(self.rows[-1].at),
            recorded_draws=(*self.recorded_draws, self.draws - 1)
            if actor == CHANCE
            else self.recorded_draws,
            commitments=tuple(held),
            pending_request=self._standing_request(step.state),
        )
        return after._with_people_moved(step.seat_changes) if step.seat_changes else after

    def _standing_request(self, state: State) -> PendingRequest | None:
        """The request that still stands in this position. One that needs everybody does not fall
        because somebody plays on."""
        asked = self.pending_request
        if asked is None or not self.needs_everybody(asked.text):
            return None
        action = self.game.notation.read_action(asked.text)
        return None if self.game.rules.why_not(state, TABLE, action) else asked

    def needs_everybody(self, text: str) -> bool:
        """True if this takes the consent of all seats and the referee."""
        try:
            return self.game.policy.needs_everybody(self.game.notation.read_action(text))
        except Refused:
            return False

    def _with_people_moved(self, moved: Mapping[Seat, Seat]) -> Table[State, Action, View]:
        """Everybody at the seat that theirs has become, and notes that tell who plays which."""
        before, after = self.people, self._with_seats_moved(moved)
        after = replace(after, notes=tuple(note.with_seat_moved(moved) for note in self.notes))
        if before is None or self.book is not None:
            return after
        for seat in self.game.seats:
            old = self.game.policy.seat_letter(self.history[-1].before, seat)
            name = message(f"{self.game.name}.seat-{old}")
            said = message("table.moved", name=name, seat=moved.get(seat, seat))
            alone = [each for each in before.members[seat] if len(before.seats_of(each)) == 1]
            for member in alone or [""]:
                after = after.with_note(said, member)
        return after

    def _with_seats_moved(self, moved: Mapping[Seat, Seat]) -> Table[State, Action, View]:
        people = self.people.with_seats_moved(moved) if self.people else None
        clock = self.clock.with_seats_moved(moved) if self.clock else None
        book = self.book.with_seats_moved(moved) if self.book else None
        game = self.game.policy.reseated_game(moved) or self.game
        return replace(self, game=game, people=people, clock=clock, book=book)

    def _take_back(
        self, actor: Actor, keep: str
    ) -> tuple[Table[State, Action, View], EventsByViewer]:
        if keep == str(len(self.history)) and self.commitments_of(actor):
            return self._drop_commitment(actor)
        kept = self._undo_index(keep)
        if actor != REFEREE:
            self._refuse_binding(kept)
            if not self.may_undo_freely(actor, kept):
                raise Refused(message("table.others-must-agree"))
        return self._undo_to(actor, kept)

    def _open_request(
        self, seat: Actor, text: str, member: Member
    ) -> tuple[Table[State, Action, View], EventsByViewer]:
        may_ask: tuple[Actor, ...] = (commands.GUEST,) if text in ROLES else self.game.seats
        if seat not in may_ask and not (seat == REFEREE and self.needs_everybody(text)):
            raise Refused(message("table.seats-only"))
        if self.pending_request and not self._is_held_up_by_absent(text):
            raise Refused(message("table.already-asked", seat=self.pending_request.seat))
        if commands.is_askable(text):
            commands.refuse_asking(self, text, member)
        elif text.startswith(BACK):
            self._refuse_binding(self._undo_index(text.removeprefix(BACK)))
        else:
            commands.refuse_if_not_ready(self, seat, None)
            if self.rematch is not None:
                raise Refused(message("table.over"))
            if not is_ruling(self, text):
                self._refuse_joint(text)
            elif self.people is None or member != self.people.arbiter:
                raise Refused(message("table.others-must-agree"))
            else:
                self._act_by_text(REFEREE, text, member)
        after = replace(self, pending_request=PendingRequest(seat, text, frozenset(), member))
        asked = PendingRequest(seat, text, after._consents_of(seat, member), member)
        after = replace(self, pending_request=asked)
        if after._is_granted(asked):
            return after._grant_request()
        return after, after._events_by_viewer((Event(request_message(after, asked)),))

    def _refuse_joint(self, text: str) -> None:
        """Refuse what the seats cannot do together; raises Refused."""
        refusal = self.game.rules.why_not(self.state, TABLE, self.game.notation.read_action(text))
        if refusal:
            raise Refused(refusal)

    def _is_granted(self, asked: PendingRequest) -> bool:
        """True if all who have to have agreed; to a ruling, one of another side."""
        if not is_ruling(self, asked.text):
            return asked.agreed_actors >= self.deciders
        own = self.people.seats_of(asked.member) if self.people else ()
        return bool(asked.agreed_actors - {asked.seat, *own})

    def _consents_of(self, actor: Actor, member: Member) -> frozenset[Actor]:
        """The consents given by one who agrees: a referee or host at a seat speaks for both."""
        is_arbiter = self.people is not None and member == self.people.arbiter
        return frozenset({actor, REFEREE} if is_arbiter else {actor}) & self.deciders

    @property
    def deciders(self) -> frozenset[Actor]:
        """Those who have to agree to the pending request."""
        return (
            commands.deciders(self, self.pending_request.text)
            if self.pending_request
            else frozenset()
        )

    def _is_held_up_by_absent(self, text: str) -> bool:
        """True if a request is open only because of a seat that a bot is to fill in for."""
        asked, (word, *rest) = self.pending_request, text.split(" ")
        return bool(
            asked
            and word == commands.FILL_IN
            and self.deciders - asked.agreed_actors <= {*rest[:1]}
        )

    def _answer_request(
        self, seat: Actor, text: str, member: Member
    ) -> tuple[Table[State, Action, View], EventsByViewer]:
        asked = self.pending_request
        withdraws = bool(asked) and text == DECLINE and seat in self.deciders
        if not asked or (seat not in self.deciders - asked.agreed_actors and not withdraws):
            raise Refused(message("table.nothing-asked"))
        if text == DECLINE:
            after = replace(self, pending_request=None)
            return after, after._events_by_viewer((Event(message("table.declined", seat=seat)),))
        agreed = asked.agreed_actors | self._consents_of(seat, member)
        after = replace(self, pending_request=replace(asked, agreed_actors=agreed))
        if after.pending_request and after._is_granted(after.pending_request):
            return after._grant_request()
        return after, after._events_by_viewer((Event(message("table.agreed", seat=seat)),))

    def _cancel_request(
        self, actor: Actor, member: Member
    ) -> tuple[Table[State, Action, View], EventsByViewer]:
        """Withdraws the pending request of whoever made it."""
        asked = self.pending_request
        if not asked or asked.seat != actor or (asked.member and asked.member != member):
            raise Refused(message("table.nothing-to-cancel"))
        after = replace(self, pending_request=None)
        return after, after._events_by_viewer((Event(message("table.cancelled", seat=actor)),))

    def _grant_request(self) -> tuple[Table[State, Action, View], EventsByViewer]:
        """All have agreed."""
        asked = self.pending_request
        assert asked
        after = replace(self, pending_request=None)
        if commands.is_askable(asked.text):
            return after._announce_result(commands.grant_request(after, asked.text, asked.member))
        if asked.text.startswith(BACK):
            return after._undo_to(asked.seat, self._undo_index(asked.text.removeprefix(BACK)))
        if is_ruling(self, asked.text):
            return after._act_by_text(REFEREE, asked.text, asked.member)
        action = self.game.notation.read_action(asked.text)
        if said := agreement_message(asked):
            return after._play_named(TABLE, action, said, asked.member)
        return after._play_action(TABLE, action)

    def _play_named(
        self, actor: Actor, action: Action, said: Message, member: Member
    ) -> tuple[Table[State, Action, View], EventsByViewer]:
        """Play something that everybody is told the author of; that stays in the log."""
        after, told = self._play_action(actor, action)
        heard = {viewer: (Event(said), *events) for viewer, events in told.items()}
        return after.with_note(said, member), heard

    def _undo_index(self, keep: str) -> int:
        if not (keep.isascii() and keep.isdecimal() and len(keep) < 10):
            raise Refused(message("table.no-such-action", index=keep[:60]))
        if int(keep) >= len(self.history):
            raise Refused(message("table.no-such-action", index=keep))
        return int(keep)

    def _refuse_binding(self, keep: int) -> None:
        if not self.game.policy.takebacks:
            raise Refused(message("table.no-takebacks"))
        if self._is_binding(keep):
            raise Refused(message("table.binding"))

    def _is_binding(self, keep: int) -> bool:
        """Nothing but a ruling goes back past a commitment, a revealed card or a draw."""
        if self._is_still_secret(keep):
            return False
        return bool(self.commitments) or any(
            p.actor in (CHANCE, REFEREE) or p.step.is_reveal or self.was_secret(p)
            for p in self.history[keep:]
        )

    def _is_still_secret(self, keep: int) -> bool:
        """True if all this is still a secret of a seat that has not finished committing."""
        if self.game.rules.hides_nothing:
            return keep >= len(self.history)
        return all(
            self.was_secret(p) and not p.step.is_reveal and self.is_committing(p.actor)
            for p in self.history[keep:]
        )

    def _drop_commitment(self, seat: Seat) -> tuple[Table[State, Action, View], EventsByViewer]:
        """The seat's latest early commitment is undone, while it is not all committed."""
        if not self.game.policy.takebacks:
            raise Refused(message("table.no-takebacks"))
        if not self.is_committing(seat):
            raise Refused(message("table.binding"))
        latest = max(i for i, (each, _) in enumerate(self.commitments) if each == seat)
        after = replace(
            self, commitments=(*self.commitments[:latest], *self.commitments[latest + 1 :])
        )
        return after, after._events_by_viewer(())

    def _undo_to(
        self, actor: Actor, keep: int
    ) -> tuple[Table[State, Action, View], EventsByViewer]:
        """Second thoughts are told to nobody else, and others' commitments stay as they are."""
        is_quiet = self._is_still_secret(keep)
        heard = frozenset({actor}) if is_quiet else None
        back = Event(message("table.back", seat=actor, actions=keep), witnesses=heard)
        held = self.commitments if is_quiet else ()
        after, gone = self, self.history[keep:]
        for each in reversed(gone):
            moved = {new: old for old, new in each.step.seat_changes.items()}
            after = after._with_seats_moved(moved) if moved else after
        draws = sum(each.actor == CHANCE for each in gone)
        after = replace(
            after,
            state=gone[0].before if gone else self.state,
            history=AppendOnlyList(self.history[:keep]),
            times=AppendOnlyList(self.times[:keep]),
            recorded_draws=self.recorded_draws[: len(self.recorded_draws) - draws],
            commitments=held,
            pending_request=None,
        )
        return after if is_quiet else after.with_note(back.message), after._events_by_viewer(
            (back,)
        )

    def was_secret(self, played: ReplayStep[State, Action]) -> bool:
        """True if it was committed face down and is hidden until the next reveal."""
        return not self.game.rules.hides_nothing and _was_secret(self.game, played)

    def _record_of(self, played: Iterable[ReplayStep[State, Action]]) -> Record:
        outcome, pending = self.outcome, self.game.policy.pending_options(self.state)
        options = self.game.options
        return Record(
            game=self.game.name,
            rules=self.game.version,
            options={name: options[name] for name in options if name not in pending},
            start=self.start,
            actions=tuple(self.game.notation.write_action(p.step.action) for p in played),
            result=outcome.result if outcome else UNFINISHED,
        )

    def _events_by_viewer(self, events: Iterable[Event]) -> EventsByViewer:
        events = tuple(events)
        for event in events:
            if event.witnesses is not None:
                return {viewer: visible_to(events, viewer) for viewer in self.viewers}
        return dict.fromkeys(self.viewers, events)


AnyTable: TypeAlias = Table[Any, Any, Any]


@cache_latest(MAX_CACHED_SECRETS)
def _was_secret(game: Game[Any, Any, Any], played: ReplayStep[Any, Any]) -> bool:
    if played.actor not in game.seats:
        return False
    return played.step.action in game.rules.secret_actions(played.before, played.actor, ())


def is_ruling(table: AnyTable, text: str) -> bool:
    """True for words of a referee: one who plays needs somebody else's consent to them."""
    if split_reason(text):
        return True
    rules = table.game.rules
    try:
        action = table.game.notation.read_action(text)
    except Refused:
        return False
    is_joint = rules.why_not(table.state, TABLE, action) is None
    return not is_joint and rules.actor_of(table.state, action) == REFEREE


def hides_something(game: Game[State, Action, View], state: State) -> bool:
    """True if a position shows somebody what it does not show to others."""
    viewers = (*game.seats, SPECTATOR)
    views = (game.rules.view(state, viewer, ()) for viewer in viewers)
    return len({game.notation.write_view(view) for view in views}) > 1


def open_table(
    game: Game[State, Action, View],
    start: str = START,
    people: People | None = None,
    clock: Clock | None = None,
    book: Book | None = None,
    follows_people: bool = False,
) -> Table[State, Action, View]:
    first = game.rules.start() if start == START else game.notation.read_state(start)
    return Table(
        game=game,
        start=start,
        first=first,
        state=first,
        people=people,
        clock=clock,
        book=book,
        follows_people=follows_people,
    )


def table_from_record(
    game: Game[State, Action, View], record: Record
) -> Table[State, Action, View]:
    """A table where a record left off; raises Refused where an action does not follow."""
    table = open_table(game, record.start)
    for text in record.actions:
        actor = game.rules.actor_of(table.state, game.notation.read_action(text))
        table, _ = table.act(actor, text)
    return table


def table_from_rows(
    game: Game[State, Action, View],
    rows: Iterable[Row],
    start: str = START,
    people: People | None = None,
    clock: Clock | None = None,
    book: Book | None = None,
    follows_people: bool = False,
) -> Table[State, Action, View]:
    """The table as its rows left it: nothing else needs to survive a restart."""
    table = open_table(game, start, people, clock, book, follows_people)
    for row in rows:
        table, _ = table.act(row.actor, row.text, row.member, row.at, row.think_seconds)
    return table


def split_reason(text: str) -> tuple[str, str] | None:
    """A ruling and its reason, where the one is given beside the other and not inside it."""
    if BECAUSE not in text:
        return None
    ruling, _, reason = text.partition(BECAUSE)
    is_inside = re.sub(r"\\.", "", ruling).count('"') % 2 == 1
    return None if is_inside else (ruling, reason.strip())
