"""A table in memory: a cache of its rows, who is there, and who is told when it grows."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from kibitz.core.game import CHANCE, REFEREE, Actor, Game, Seat, Viewer
from kibitz.core.message import Refused, message
from kibitz.core.record import Played, Record
from kibitz.games import game_of
from kibitz.server import wall_clock
from kibitz.server.db.store import Standing, StoredRow, StoredTable
from kibitz.server.tables.settings import book_of, control_of, read_terms
from kibitz.table import Row, Table, Told, reopen
from kibitz.table.clock import wound_up
from kibitz.table.commands import WORDS, word_of
from kibitz.table.seating import Member, People, seated
from kibitz.table.table import AGREE, ASK, BACK

if TYPE_CHECKING:
    from kibitz.server.tables.chat import Talk

AnyGame: TypeAlias = Game[Any, Any, Any]
AnyTable: TypeAlias = Table[Any, Any, Any]
AnyPlayed: TypeAlias = Played[Any, Any]
REMEMBERED = 64
"""How many of the latest rows a connection can catch up on."""


class Page(Protocol):
    """Somebody's page that shows the table."""

    @property
    def member(self) -> Member: ...
    def show(self) -> None:
        """There is something new."""

    def show_people(self) -> None:
        """Somebody came or went."""

    def show_said(self) -> None:
        """Something was said."""


@dataclass(frozen=True, slots=True)
class Change:
    """What one row led to, for those who have not seen it."""

    told: Told
    kept: int
    """How many lines of the log it left as they were."""
    actor: Actor
    loud: bool = False
    """Whether it showed what was hidden."""
    quiet: bool = False
    """Whether it takes nothing away from what others were about to do."""
    unlogged: bool = False
    """Whether the log is as it was."""


class LiveTable:
    def __init__(self, stored: StoredTable, rows: Sequence[StoredRow], carried: float = 0) -> None:
        """Replays all rows; raises Refused where they cannot be.

        `carried` is how long the server was up since the last of them.
        """
        self.stored = stored
        self.id, self.owner = stored.id, stored.owner
        self.terms = read_terms(stored.settings)
        record = Record(
            game=stored.game, rules=stored.rules, options=stored.options, start=stored.start
        )
        game, control = game_of(record), control_of(self.terms)
        turn = control.seconds if control and control.is_per_turn else 0.0
        self.patience = max(self.terms.absence, turn)
        """How long the others have to wait for somebody; at least as long as a turn may take."""
        self.table: AnyTable = reopen(
            game,
            (_row(stored, row) for row in rows),
            stored.start,
            seated(stored.owner, game.seats, stored.seats),
            wound_up(control, game.seats) if control else None,
            book_of(self.terms) if game.is_reported else None,
        )
        self.keys = {row.key for row in rows if row.key}
        self.changes: deque[Change] = deque(maxlen=REMEMBERED)
        self.standing: Standing | None = None
        """As it was last written down; None where that is not known."""
        self.names: Mapping[Member, str] = {}
        """What people are called, as far as they said."""
        self.accounts: Collection[Member] = ()
        """Those who have one."""
        self.pages: set[Page] = set()
        self._here: Counter[Member] = Counter()
        """How many pages everybody has: those who look on may be many."""
        self.elsewhere: frozenset[Member] = frozenset()
        """Who has pages at other workers."""
        self.left_at: dict[Member, float] = {}
        """When the last page of somebody went."""
        self.sights: dict[Any, str] = {}
        """What was sent of this position, for whoever sees the same (sights.py)."""
        self.alike: dict[tuple[Viewer, Viewer], int] = {}
        """How many lines of the log two viewers have in common for good (sights.py)."""
        self.drawn: dict[Any, dict[int, dict[str, int]]] = {}
        """By look and row, the hash of each layer that was drawn: it need not be sent again."""
        self.company: dict[Any, str] = {}
        """Likewise of the people (company.py)."""
        self.faces: dict[Any, Any] = {}
        """How those at the seats look, for as long as nobody comes or goes (company.py)."""
        self.surroundings: dict[Any, Any] = {}
        """Likewise what there is to know beside the match, for what was the case (company.py)."""
        self.talk: Talk | None = None
        """What people say here, once anybody asked (chat.py)."""
        self.lock = asyncio.Lock()
        self._later: asyncio.TimerHandle | None = None
        self.attending: asyncio.Task[None] | None = None
        self.opened_at = self.changed_at = time.monotonic()
        self._carried = carried
        self._answering_since: float | None = None
        self._mind_answers()

    @property
    def game(self) -> AnyGame:
        return self.table.game

    @property
    def people(self) -> People:
        assert self.table.people
        return self.table.people

    @property
    def seq(self) -> int:
        return len(self.table.rows)

    @property
    def bots(self) -> dict[Seat, str]:
        return dict(self.people.bots)

    def seats_of(self, member: Member) -> tuple[Seat, ...]:
        """Those somebody acts for now; a bot may keep one for them."""
        kept = self.people.kept
        return tuple(seat for seat in self.people.seats_of(member) if seat not in kept)

    def kept_for(self, member: Member) -> tuple[Seat, ...]:
        kept = self.people.kept
        return tuple(seat for seat in self.people.seats_of(member) if seat in kept)

    def bot_to_act(self) -> Seat | None:
        return next((seat for seat in self.people.bots if self.table.actions(seat)), None)

    # Time

    @property
    def spent(self) -> float:
        """How long the latest position has been thought about."""
        return self._carried + time.monotonic() - self.changed_at

    def due_in(self) -> float | None:
        """In how many seconds the server has to look at this table; None: when somebody acts."""
        answering = self._answering_since
        if answering is not None:
            answering = answering + self.terms.answer - time.monotonic()
        return self._due(self.table, self.spent, answering)

    def due_after(self, table: AnyTable) -> float | None:
        """Likewise, when the table has just come to this."""
        return self._due(table, 0.0, self.terms.answer if self._owes_answers(table) else None)

    def _due(self, table: AnyTable, spent: float, answering: float | None) -> float | None:
        if _is_servers(table):
            return 0.0
        waits = [table.clock.left[s] - spent for s in table.running] if table.clock else []
        waits += [] if answering is None else [answering]
        return max(0.0, min(waits)) if waits else None

    @property
    def is_servers(self) -> bool:
        return _is_servers(self.table)

    def courtesy_left(self) -> float:
        """For how long the die should be left alone: somebody may want to be quicker."""
        courtesy = self.game.courtesy(self.table.state)
        return max(0.0, round(courtesy - self.spent, 3)) if courtesy else 0.0

    def answer_in(self) -> float | None:
        since = self._answering_since
        return None if since is None else max(0.0, since + self.terms.answer - time.monotonic())

    def clock_left(self, seat: Seat) -> float:
        assert self.table.clock
        left = self.table.clock.left[seat]
        return left - self.spent if seat in self.table.running else left

    def flagged(self) -> list[Seat]:
        if not self.table.clock:
            return []
        return [seat for seat in self.table.running if self.clock_left(seat) <= 0]

    def overdue(self) -> list[tuple[Seat, str]]:
        """The answers that count for those who have not given one in time."""
        since = self._answering_since
        if since is None or time.monotonic() < since + self.terms.answer:
            return []
        missing = self.game.answers(self.table.state)
        return [(seat, self.game.write_action(action)) for seat, action in missing.items()]

    def _mind_answers(self) -> None:
        """An answer has its time from when it is first asked for."""
        if not self._owes_answers(self.table):
            self._answering_since = None
        elif self._answering_since is None:
            self._answering_since = time.monotonic()

    def _owes_answers(self, table: AnyTable) -> bool:
        rests = table.is_over or table.adjourned or not table.people or table.book
        return bool(self.terms.answer and not rests and self.game.answers(table.state))

    # Who is there

    def enter(self, page: Page) -> None:
        was_here = self.is_here(page.member)
        self.pages.add(page)
        self._here[page.member] += 1
        if not was_here and page.member in self.people.everybody:
            self.show_people()

    def leave(self, page: Page) -> None:
        self.pages.remove(page)
        self._here[page.member] -= 1
        if not self.is_here(page.member) and page.member in self.people.everybody:
            self.left_at[page.member] = time.monotonic()
            self.show_people()

    def is_here(self, member: Member) -> bool:
        return self._here.get(member, 0) > 0 or member in self.elsewhere

    @property
    def shown_to(self) -> set[Member]:
        """Those who have pages of this worker."""
        return {each for each, pages in self._here.items() if pages}

    @property
    def present(self) -> set[Member]:
        """Those who have pages, of whichever worker."""
        return self.shown_to | self.elsewhere

    @property
    def is_watched(self) -> bool:
        return bool(self.pages or self.elsewhere)

    def hear_who_is_elsewhere(self, members: frozenset[Member]) -> None:
        changed = (members ^ self.elsewhere) & self.people.everybody
        self.elsewhere = members
        gone = (each for each in changed if not self.is_here(each))
        self.left_at |= dict.fromkeys(gone, time.monotonic())
        if changed:
            self.show_people()

    def absent_for(self, seat: Seat, unseen_since: float | None = None) -> float:
        """For how long nobody of a seat has been there.

        Who has not been seen here may have been elsewhere until `unseen_since`; until the
        table was opened here, where nothing else is known.
        """
        members = self.people.members[seat]
        if not members or any(map(self.is_here, members)):
            return 0.0
        unseen = self.opened_at if unseen_since is None else unseen_since
        return time.monotonic() - max(self.left_at.get(each, unseen) for each in members)

    @property
    def written_at(self) -> float:
        """When it was last written to, or opened, by the monotonic clock."""
        return self.changed_at - self._carried

    def may_be_kept(self, seat: Seat) -> bool:
        """Whether its people have been away so long that a bot may be asked for."""
        return self.absent_for(seat) >= self.patience

    def hear_of(self, member: Member) -> None:
        """Who acts is there, though it be without a page."""
        if not self.is_here(member):
            self.left_at[member] = time.monotonic()

    def show_people_in(self, seconds: float) -> None:
        """Later; only the latest such wish counts."""
        if self._later:
            self._later.cancel()
        self._later = asyncio.get_running_loop().call_later(seconds, self.show_people)

    def show_people(self) -> None:
        """Somebody came, went or is called otherwise."""
        self._forget_people()
        self.company.clear()
        self.sights.clear()
        for page in self.pages:
            page.show_people()

    def _forget_people(self) -> None:
        self.faces.clear()
        self.surroundings.clear()

    # What happens

    def has_done(self, member: Member, key: str) -> bool:
        """Whether somebody has sent this before."""
        return own_key(member, key) in self.keys

    def changes_since(self, seen: int | None) -> list[Change]:
        """What came after row `seen`; nothing where that is too long ago to know."""
        missed = 0 if seen is None else self.seq - seen
        return list(self.changes)[-missed:] if 0 < missed <= len(self.changes) else []

    def is_undisturbed(self, seq: int, actor: Actor) -> bool:
        """Whether what an actor was about to do at row `seq` can still be meant.

        A ruling may put something else in the place of all there is: it is about what was seen.
        """
        if seq == self.seq:
            return True
        unseen = self.changes_since(seq)
        if len(unseen) != self.seq - seq or not 0 <= seq < self.seq:
            return False
        if actor == REFEREE:
            return all(each.unlogged for each in unseen)
        return all(each.quiet and each.actor != actor for each in unseen)

    def member(self, actor: Actor, sender: Member) -> Member:
        """Who is behind a row: the sender, unless a bot sits there."""
        bots = self.people.bots
        return f"bot:{bots[actor]}" if actor in bots and not sender else sender

    def after(
        self, actor: Actor, texts: Sequence[str], sender: Member
    ) -> tuple[AnyTable, list[Change], list[Row]]:
        """Where these texts lead, all of them, and the rows to write; raises Refused."""
        table, changes = self.table, []
        latest = table.rows[-1].at if table.rows else 0.0
        at, spent = max(latest, wall_clock.now() - self.stored.created), self.spent
        for text in texts:
            sent = self._rows_for(table, actor, text, sender)
            for row, after in zip(sent, (*sent[1:], None), strict=True):
                following, told = table.act(row.actor, row.text, row.member, at, spent)
                changes.append(_change(table, following, row, _shown(told, after)))
                table, spent = following, 0.0
        return table, changes, list(table.rows[self.seq :])

    def catch_up(self, stored: Sequence[StoredRow], carried: float) -> None:
        """What another worker wrote; raises Refused where it does not follow.

        `carried` is how long ago it did.
        """
        table, changes = self.table, []
        rows = [_row(self.stored, row) for row in stored]
        for row, after in zip(rows, (*rows[1:], None), strict=True):
            following, told = table.act(row.actor, row.text, row.member, row.at, row.spent)
            together = after if after and after.at == row.at else None
            changes.append(_change(table, following, row, _shown(told, together)))
            table = following
        self.keys |= {row.key for row in stored if row.key}
        self.standing = None
        self.move_on(table, changes, None)
        self._carried = carried

    def move_on(self, table: AnyTable, changes: Iterable[Change], key: str | None) -> None:
        if table.people is not self.table.people:
            self._forget_people()
        self.table = table
        changes = list(changes)
        kept = min((change.kept for change in changes), default=0)
        self.alike = {pair: min(lines, kept) for pair, lines in self.alike.items()}
        self.changes.extend(changes)
        if key:
            self.keys.add(key)
        self._tell()

    def read_again(self, fresh: LiveTable) -> None:
        self.table, self.keys = fresh.table, fresh.keys
        self._forget_people()
        self.alike.clear()
        self.changes.clear()
        self.standing = None
        self._tell()
        self._carried = fresh._carried

    def _tell(self) -> None:
        self.changed_at, self._carried = time.monotonic(), 0.0
        self._mind_answers()
        self.sights.clear()
        self.company.clear()
        for page in self.pages:
            page.show()

    def _rows_for(self, table: AnyTable, actor: Actor, text: str, sender: Member) -> list[Row]:
        """What to write for a text: where others must agree and would, they do.

        Bots always agree, but not to a draw, and so does whoever plays all the seats.
        """
        member = self.member(actor, sender)
        plain = [Row(actor, text, member)]
        if text == AGREE and table.asked:
            missing = (table.deciding - table.asked.agreed) & {*self.people.seats_of(sender)}
            return [
                Row(seat, AGREE, member) for seat in self.game.seats if seat in missing
            ] or plain
        asked = text.removeprefix(ASK)
        seats = self.game.seats
        if asked == text and actor in seats:
            number = text.removeprefix(BACK)
            if number == text or not (number.isascii() and number.isdecimal()) or len(number) > 9:
                return plain
            if int(number) >= len(table.played) or table.is_free(actor, int(number)):
                return plain
            mine = self.people.seats_of(sender)
            taken_back = table.played[int(number)].actor
            actor = taken_back if taken_back in mine else actor
        elif asked == text:
            return plain
        if self.people.bots and word_of(asked) not in CONSENTS:
            raise Refused(message("server.bots-play-on"))
        willing = [seat for seat in self._willing(asked, sender) if seat != actor]
        others = {*self.people.playing, *self.people.bots} - {actor}
        if asked == text and others - {*willing}:
            return plain
        asking = Row(actor, text if asked != text else ASK + text, member)
        return [asking, *(Row(seat, AGREE, self.member(seat, sender)) for seat in willing)]

    def _willing(self, asked: str, sender: Member) -> list[Seat]:
        """Who agrees at once: bots, and the other seats of whoever asks."""
        about = asked.split(" ")[1:2]
        willing = {*self.people.seats_of(sender), *self.people.bots}
        return [seat for seat in self.game.seats if seat in willing and seat not in about]


CONSENTS = (
    *("back", "adjourn", "continue", "keep", "referee", "bookkeeper", "rematch"),
    *("break", "resume"),
)
"""What bots agree to: whatever makes the evening pleasant, but not how the match ends."""


def _is_servers(table: AnyTable) -> bool:
    """Whether chance, a bot or the table itself has something to do."""
    people = table.people
    assert people
    if table.is_over:
        return table.rematch == ""
    if table.adjourned or not people.is_gathered:
        return False
    to_act = table.game.to_act(table.state)
    return to_act == {CHANCE} or bool(to_act & people.bots.keys())


def _shown(told: Told, after: Row | None) -> Told:
    """Consents that the server gives itself go without saying, and so does what they are to."""
    is_agreed = after is not None and after.text == AGREE
    return dict.fromkeys(told, ()) if is_agreed else told


def own_key(member: Member, key: str) -> str:
    """Keys are their sender's: another one's of the same name is another one."""
    return f"{member}:{key}"


def _row(stored: StoredTable, row: StoredRow) -> Row:
    return Row(row.actor, row.text, row.member, row.at - stored.created, row.spent)


def _change(before: AnyTable, after: AnyTable, row: Row, told: Told) -> Change:
    return Change(
        told=told,
        kept=_kept(before, after),
        actor=row.actor,
        loud=_reveals(before, after),
        quiet=_is_quiet(before, after, row),
        unlogged=after.played is before.played,
    )


def _is_quiet(before: AnyTable, after: AnyTable, row: Row) -> bool:
    """Somebody sat down, committed ahead, or said what can be said at any time."""
    if word_of(row.text) in WORDS or len(after.held) > len(before.held):
        return True
    to_act = before.game.to_act(before.state)
    if row.actor in to_act or len(after.played) != len(before.played) + 1:
        return False
    played = after.played[-1]
    if played.step.action not in before.game.anytime_actions(played.before, row.actor):
        return False
    return after.game.to_act(after.state) == to_act


def _reveals(before: AnyTable, after: AnyTable) -> bool:
    return any(played.step.reveals for played in after.played[len(before.played) :])


def _kept(before: AnyTable, after: AnyTable) -> int:
    """How many lines of the log stay as they were.

    A reveal rewrites those since the last one, and so does taking a reveal back.
    """
    kept = min(len(before.played), len(after.played))
    if _reveals(before, after) or _reveals(after, before):
        while kept and not after.played[kept - 1].step.reveals:
            kept -= 1
    return kept
