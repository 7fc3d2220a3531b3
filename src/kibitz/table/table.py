"""A match with people around it: what was sent, what follows, who hears what.

A table is a value: `act` gives the next one and leaves this one alone, so a
shell can make a row durable before anybody sees what it led to.

Beside the game's own texts a table knows some of its own, and those of its people (manners.py):

    back 7          keep the first seven actions of the record; where that is all of them, let
                    go the latest of what was committed ahead of its place
    ask back 7      where the others must agree; likewise `ask draw`, for what the game lets
                    all seats do together
    agree, decline  the answer of another seat
    flag A          by the clock: the time of a seat is up

What a referee sends may end with ` because <reason>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeAlias

from kibitz.core.append_only import Growing
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
    tell,
)
from kibitz.core.message import Message, Refusal, Refused, message
from kibitz.core.record import START, UNFINISHED, Played, Record
from kibitz.table import commands
from kibitz.table.clock import Clock
from kibitz.table.companion import Book
from kibitz.table.seating import ROLES, Member, People

Told: TypeAlias = Mapping[Viewer, tuple[Event, ...]]
"""What each viewer witnesses."""
BACK = "back "
ASK = "ask "
AGREE = "agree"
DECLINE = "decline"
BECAUSE = " because "
FLAG = "flag "
CLOCK: Actor = "clock"
KEEPER = "greedy"
"""The bot that keeps the seat of somebody whose time ran out."""


@dataclass(frozen=True, slots=True)
class Row:
    """What somebody sent, as it was typed. Rows are only ever added."""

    actor: Actor
    text: str
    member: Member = ""
    at: float = 0.0
    """When, in seconds since the table opened."""
    spent: float = 0.0
    """How long it was thought about, as far as anybody could: not while the server was away."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Something asked of the seats, and who has agreed so far, the one who asks included."""

    seat: Actor
    text: str
    agreed: frozenset[Seat]
    member: Member = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Something about the table that its log tells after so many actions."""

    after: int
    message: Message
    member: Member = ""
    """Whose doing it was, where somebody came or went."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Generic[State, Action, View]):
    """The rows are the truth; the rest follows from them."""

    game: Game[State, Action, View]
    start: str
    first: State
    played: Growing[Played[State, Action]] = field(default_factory=Growing)
    """The effective actions: what was taken back is only in the rows."""
    held: tuple[tuple[Seat, Action], ...] = ()
    """Commitments whose place in the record has not come, as they arrived."""
    times: Growing[float] = field(default_factory=Growing)
    """When each of the played ones was sent."""
    draws: int = 0
    """How often chance has spoken, taken back or not."""
    drawn: tuple[int, ...] = ()
    """Which of these draws the record has."""
    asked: Asked | None = None
    notes: tuple[Note, ...] = ()
    rows: Growing[Row] = field(default_factory=Growing)
    people: People | None = None
    """None where whoever carries the texts knows who is who."""
    clock: Clock | None = None
    book: Book | None = None
    """None where it is not played on a real board."""
    adjourned: bool = False
    aborted: bool = False
    rematch: str | None = None
    """Where it goes on: empty while all have agreed and there is no such table yet."""

    @property
    def state(self) -> State:
        return self.played[-1].step.state if self.played else self.first

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    @property
    def is_over(self) -> bool:
        return self.aborted or self.outcome is not None

    @property
    def has_begun(self) -> bool:
        """Whether anything was done, if only ahead of its place."""
        return bool(self.played or self.held)

    @property
    def running(self) -> frozenset[Seat]:
        """Whose time runs: those to act, from the first action on."""
        if not self.people or not self.played or self.adjourned or self.is_over:
            return frozenset()
        return self.game.to_act(self.state) & frozenset(self.people.playing)

    @property
    def record(self) -> Record:
        return self._record(self.played)

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        return (*self.game.seats, SPECTATOR)

    @property
    def ready(self) -> frozenset[Seat]:
        """Who has committed early all there is to commit: everybody may know that, not what."""
        return frozenset(seat for seat, _ in self.held if not self.is_committing(seat))

    def is_committing(self, seat: Seat) -> bool:
        """Whether a seat has more to commit. What it committed so far binds it once it has not."""
        return bool(self.game.secret(self.state, seat, self.held_by(seat)))

    def has_secrets(self, seat: Seat, beside: Iterable[Seat]) -> bool:
        """Whether a seat has something to commit, or sees what others beside it do not."""
        if self.is_committing(seat):
            return True
        write, mine = self.game.write_view, self.view(seat)
        theirs = [self.view(other) for other in beside if other != seat]
        # Writing is dear; where nothing is hidden, all see the same thing.
        return any(view is not mine and write(view) != write(mine) for view in theirs)

    def held_by(self, viewer: Viewer) -> tuple[Action, ...]:
        return tuple(action for seat, action in self.held if seat == viewer)

    def view(self, viewer: Viewer) -> View:
        return self.game.view(self.state, viewer, self.held_by(viewer))

    def actions(self, actor: Actor) -> tuple[Action, ...]:
        """What an actor may do now in its turn, or commit ahead of it."""
        turn = self.game.turn_actions(self.state, actor)
        if turn or actor not in self.game.seats:
            return turn
        return self.game.secret(self.state, actor, self.held_by(actor))

    def offers(self, actor: Actor) -> tuple[Offer, ...]:
        listed = self.actions(actor) + self.game.anytime_actions(self.state, actor)
        seen = self.view(actor if actor in self.game.seats else SPECTATOR)
        return self.game.offers(seen, listed)

    def record_for(self, viewer: Viewer) -> Record:
        """The record less what others have committed and not yet shown."""
        hidden: set[int] = set()
        for index, played in enumerate(self.played):
            if played.step.reveals:
                hidden.clear()
            elif played.actor != viewer and self.was_secret(played):
                hidden.add(index)
        return self._record(tuple(p for i, p in enumerate(self.played) if i not in hidden))

    def why_not(self, seat: Seat, path: tuple[Place, ...]) -> Refusal:
        """The answer to a seat that touched what is not offered."""
        meant = self.game.meant(self.view(seat), seat, path)
        if isinstance(meant, Refusal):
            return meant
        if meant in self.actions(seat):
            return message("table.may")
        return self.game.why_not(self.state, seat, meant) or message("table.may")

    def keeps_when_taken_back(self, seat: Seat) -> int | None:
        """How much of the record stays if this seat takes its latest action back; None if never.

        Whether the others must agree to it, `is_free` tells.
        """
        if self.held_by(seat):
            may = self.game.takebacks and self.is_committing(seat)
            return len(self.played) if may else None
        for keep in range(len(self.played) - 1, -1, -1):
            if self.played[keep].actor == seat:
                return None if not self.game.takebacks or self._is_sealed(keep) else keep
        return None

    def is_free(self, seat: Seat, keep: int) -> bool:
        """In one's own turn, one's own actions that told nobody anything."""
        if keep == len(self.played):
            return bool(self.held_by(seat))
        in_turn = seat in self.game.to_act(self.state)
        is_quiet = not self.held or self._is_second_thought(keep)
        return in_turn and is_quiet and all(p.actor == seat for p in self.played[keep:])

    def said_since_turn(self) -> Iterator[tuple[Actor, str]]:
        """What was done since the latest turn action, latest first, and by whom."""
        for played in reversed(self.played):
            if played.step.action not in self.game.anytime_actions(played.before, played.actor):
                return
            yield played.actor, self.game.write_action(played.step.action)

    def act(
        self,
        actor: Actor,
        text: str,
        member: Member = "",
        at: float = 0.0,
        spent: float = 0.0,
    ) -> tuple[Table[State, Action, View], Told]:
        """The table after this, and what everybody witnesses; raises Refused.

        That the actor is who it says is the shell's to know, and so is drawing for CHANCE.
        """
        rows = self.rows.with_last(Row(actor, text, member, at, spent))
        sent = replace(self, rows=rows, draws=self.draws + (actor == CHANCE))
        if self.clock is None:
            return sent._act(actor, text, member)
        before = self.running
        after, told = replace(sent, clock=self.clock.spend(before, spent))._act(actor, text, member)
        if len(after.played) <= len(self.played):
            return after, told  # Nobody's turn ends by a rest, a bot or a takeback.
        assert after.clock
        return replace(after, clock=after.clock.turned(before, after.running)), told

    def _act(
        self, actor: Actor, text: str, member: Member
    ) -> tuple[Table[State, Action, View], Told]:
        if commands.word_of(text) in commands.WORDS:
            return self._minding(commands.mind(self, actor, text, member), member)
        if actor == REFEREE and (ruled := reasoned(text)):
            return self._ruled(*ruled)
        if actor == REFEREE and text in (commands.ADJOURN, commands.CONTINUE):
            commands.refuse_asking(self, text, member)
            return self._minding(commands.grant(self, text, member))
        if text.startswith(FLAG):
            return self._flag(actor, text.removeprefix(FLAG))
        if text.startswith(BACK):
            return self._back(actor, text.removeprefix(BACK))
        if text.startswith(ASK):
            return self._ask(actor, text.removeprefix(ASK), member)
        if text in (AGREE, DECLINE):
            return self._answer(actor, text)
        action = self.game.read_action(text)
        commands.refuse_unready(self, actor, action)
        if self._is_early(actor, action):
            after = replace(self, held=(*self.held, (actor, action)))
            ready = [Event(message("table.ready", seat=actor))] if actor in after.ready else []
            return after, after._tell(ready)
        return self._play(actor, action)

    def noted(self, said: Message, member: Member = "") -> Table[State, Action, View]:
        return replace(self, notes=(*self.notes, Note(len(self.played), said, member)))

    def _minding(
        self, minded: tuple[Table[State, Action, View], Message], member: Member = ""
    ) -> tuple[Table[State, Action, View], Told]:
        """What people do around the match is told to all, and stays in the log."""
        after, said = minded
        return after.noted(said, member), after._tell((Event(said),))

    def _flag(self, actor: Actor, seat: Seat) -> tuple[Table[State, Action, View], Told]:
        """Time is up. Where the game has no word for it, a bot keeps the seat."""
        running = self.clock and seat in self.running
        if actor != CLOCK or not self.clock or not running or not self.clock.is_out(seat):
            raise Refused(message("table.has-time"))
        assert self.people
        said = message("table.flag", seat=seat)
        forfeit = self.game.forfeit(self.state, seat)
        if forfeit is None:
            return self._minding((replace(self, people=self.people.put_bot(seat, KEEPER)), said))
        after, told = self.noted(said)._play(REFEREE, forfeit)
        return after, {viewer: (Event(said), *events) for viewer, events in told.items()}

    def _ruled(self, text: str, reason: str) -> tuple[Table[State, Action, View], Told]:
        after, told = self._act(REFEREE, text, "")
        said = message("table.ruling", text=text, reason=reason)
        heard = {viewer: (*events, Event(said)) for viewer, events in told.items()}
        return after.noted(said), heard

    def _play(self, actor: Actor, action: Action) -> tuple[Table[State, Action, View], Told]:
        step = self.game.resolve(self.state, actor, action)
        after, events = self._after(actor, step), step.events
        while due := after._due():
            step = self.game.resolve(after.state, *due)
            after, events = after._after(due[0], step), events + step.events
        return after, after._tell(events)

    def _is_early(self, actor: Actor, action: Action) -> bool:
        if actor not in self.game.seats or actor in self.game.to_act(self.state):
            return False
        return action in self.game.secret(self.state, actor, self.held_by(actor))

    def _due(self) -> tuple[Seat, Action] | None:
        """The held commitment whose place has come."""
        to_act = self.game.to_act(self.state) if self.held else frozenset()
        return next((entry for entry in self.held if entry[0] in to_act), None)

    def _after(self, actor: Actor, step: Step[State, Action]) -> Table[State, Action, View]:
        """The step entered in the record; a held commitment goes when it is played or void."""
        held = list(self.held)
        if (actor, step.action) in held:
            held.remove((actor, step.action))
        if held and (actor == REFEREE or self.game.outcome(step.state)):
            held.clear()
        played = self.played.with_last(Played(self.state, actor, step))
        after = replace(
            self,
            played=played,
            times=self.times.with_last(self.rows[-1].at),
            drawn=(*self.drawn, self.draws - 1) if actor == CHANCE else self.drawn,
            held=tuple(held),
            asked=None,
        )
        return after._reseated(step.reseats) if step.reseats else after

    def _reseated(self, moved: Mapping[Seat, Seat]) -> Table[State, Action, View]:
        people = self.people.reseated(moved) if self.people else None
        clock = self.clock.reseated(moved) if self.clock else None
        book = self.book.reseated(moved) if self.book else None
        game = self.game.reseated(moved) or self.game
        return replace(self, game=game, people=people, clock=clock, book=book)

    def _back(self, actor: Actor, keep: str) -> tuple[Table[State, Action, View], Told]:
        if keep == str(len(self.played)) and self.held_by(actor):
            return self._let_go(actor)
        kept = self._kept(keep)
        if actor != REFEREE:
            self._refuse_sealed(kept)
            if not self.is_free(actor, kept):
                raise Refused(message("table.others-must-agree"))
        return self._cut(actor, kept)

    def _ask(
        self, seat: Actor, text: str, member: Member
    ) -> tuple[Table[State, Action, View], Told]:
        if seat not in (self.game.seats if text not in ROLES else (commands.GUEST,)):
            raise Refused(message("table.seats-only"))
        if self.asked and not self._waits_for_nobody(text):
            raise Refused(message("table.already-asked", seat=self.asked.seat))
        if commands.is_askable(text):
            commands.refuse_asking(self, text, member)
        elif text.startswith(BACK):
            self._refuse_sealed(self._kept(text.removeprefix(BACK)))
        else:
            commands.refuse_unready(self, seat, None)
            refusal = self.game.why_not(self.state, TABLE, self.game.read_action(text))
            if refusal:
                raise Refused(refusal)
        asks = Event(message("table.asks", seat=seat, text=text))
        agreed = frozenset({seat}) & frozenset(self.game.seats)
        after = replace(self, asked=Asked(seat, text, agreed, member))
        if agreed >= after.deciding:
            return after._granted()
        return after, after._tell((asks,))

    @property
    def deciding(self) -> frozenset[Seat]:
        """Who has to agree to what is asked."""
        return commands.deciding(self, self.asked.text) if self.asked else frozenset()

    def _waits_for_nobody(self, text: str) -> bool:
        """Whether the question is open only because of a seat that a bot is asked to keep."""
        asked, (word, *rest) = self.asked, text.split(" ")
        return bool(asked and word == commands.KEEP and self.deciding - asked.agreed <= {*rest[:1]})

    def _answer(self, seat: Seat, text: str) -> tuple[Table[State, Action, View], Told]:
        asked = self.asked
        withdraws = bool(asked) and text == DECLINE and seat in self.deciding
        if not asked or (seat not in self.deciding - asked.agreed and not withdraws):
            raise Refused(message("table.nothing-asked"))
        if text == DECLINE:
            after = replace(self, asked=None)
            return after, after._tell((Event(message("table.declined", seat=seat)),))
        after = replace(self, asked=replace(asked, agreed=asked.agreed | {seat}))
        if after.asked and after.asked.agreed >= after.deciding:
            return after._granted()
        return after, after._tell((Event(message("table.agreed", seat=seat)),))

    def _granted(self) -> tuple[Table[State, Action, View], Told]:
        """All have agreed."""
        asked = self.asked
        assert asked
        after = replace(self, asked=None)
        if commands.is_askable(asked.text):
            return after._minding(commands.grant(after, asked.text, asked.member))
        if asked.text.startswith(BACK):
            return after._cut(asked.seat, self._kept(asked.text.removeprefix(BACK)))
        return after._play(TABLE, self.game.read_action(asked.text))

    def _kept(self, keep: str) -> int:
        if not (keep.isascii() and keep.isdecimal() and len(keep) < 10):
            raise Refused(message("table.no-such-action", index=keep[:60]))
        if int(keep) >= len(self.played):
            raise Refused(message("table.no-such-action", index=keep))
        return int(keep)

    def _refuse_sealed(self, keep: int) -> None:
        if not self.game.takebacks:
            raise Refused(message("table.no-takebacks"))
        if self._is_sealed(keep):
            raise Refused(message("table.binding"))

    def _is_sealed(self, keep: int) -> bool:
        """Nothing but a ruling goes back past a commitment, a revealed card or a draw."""
        if self._is_second_thought(keep):
            return False
        return bool(self.held) or any(
            p.actor in (CHANCE, REFEREE) or p.step.reveals or self.was_secret(p)
            for p in self.played[keep:]
        )

    def _is_second_thought(self, keep: int) -> bool:
        """Whether all this is still a secret of somebody who has not finished committing."""
        return all(
            self.was_secret(p) and not p.step.reveals and self.is_committing(p.actor)
            for p in self.played[keep:]
        )

    def _let_go(self, seat: Seat) -> tuple[Table[State, Action, View], Told]:
        """The seat's latest early commitment is undone, while it is not all committed."""
        if not self.game.takebacks:
            raise Refused(message("table.no-takebacks"))
        if not self.is_committing(seat):
            raise Refused(message("table.binding"))
        latest = max(i for i, (each, _) in enumerate(self.held) if each == seat)
        after = replace(self, held=(*self.held[:latest], *self.held[latest + 1 :]))
        return after, after._tell(())

    def _cut(self, actor: Actor, keep: int) -> tuple[Table[State, Action, View], Told]:
        """Second thoughts are told to nobody else, and others' commitments stay as they are."""
        is_quiet = self._is_second_thought(keep)
        heard = frozenset({actor}) if is_quiet else None
        back = Event(message("table.back", seat=actor, actions=keep), only=heard)
        held = self.held if is_quiet else ()
        after, gone = self, self.played[keep:]
        for each in reversed(gone):
            moved = {new: old for old, new in each.step.reseats.items()}
            after = after._reseated(moved) if moved else after
        draws = sum(each.actor == CHANCE for each in gone)
        after = replace(
            after,
            played=Growing(self.played[:keep]),
            times=Growing(self.times[:keep]),
            drawn=self.drawn[: len(self.drawn) - draws],
            held=held,
            asked=None,
        )
        return after if is_quiet else after.noted(back.message), after._tell((back,))

    def was_secret(self, played: Played[State, Action]) -> bool:
        """Whether it was committed face down, and is hidden until the next reveal."""
        if played.actor not in self.game.seats:
            return False
        return played.step.action in self.game.secret(played.before, played.actor, ())

    def _record(self, played: Iterable[Played[State, Action]]) -> Record:
        outcome, unsettled = self.outcome, self.game.unsettled(self.state)
        options = self.game.options
        return Record(
            game=self.game.name,
            rules=self.game.rules,
            options={name: options[name] for name in options if name not in unsettled},
            start=self.start,
            actions=tuple(self.game.write_action(p.step.action) for p in played),
            result=outcome.result if outcome else UNFINISHED,
        )

    def _tell(self, events: Iterable[Event]) -> Told:
        events = tuple(events)
        return {viewer: tell(events, viewer) for viewer in self.viewers}


def open_table(
    game: Game[State, Action, View],
    start: str = START,
    people: People | None = None,
    clock: Clock | None = None,
    book: Book | None = None,
) -> Table[State, Action, View]:
    first = game.start() if start == START else game.read_state(start)
    return Table(game=game, start=start, first=first, people=people, clock=clock, book=book)


def resume(game: Game[State, Action, View], record: Record) -> Table[State, Action, View]:
    """A table where a record left off; raises Refused where an action does not follow."""
    table = open_table(game, record.start)
    for text in record.actions:
        actor = game.actor(table.state, game.read_action(text))
        table, _ = table.act(actor, text)
    return table


def reopen(
    game: Game[State, Action, View],
    rows: Iterable[Row],
    start: str = START,
    people: People | None = None,
    clock: Clock | None = None,
    book: Book | None = None,
) -> Table[State, Action, View]:
    """The table as its rows left it: nothing else needs to survive a restart."""
    table = open_table(game, start, people, clock, book)
    for row in rows:
        table, _ = table.act(row.actor, row.text, row.member, row.at, row.spent)
    return table


def reasoned(text: str) -> tuple[str, str] | None:
    """A ruling and its reason, where the one is given beside the other and not inside it."""
    ruling, because, reason = text.partition(BECAUSE)
    is_inside = re.sub(r"\\.", "", ruling).count('"') % 2 == 1
    return (ruling, reason.strip()) if because and not is_inside else None
