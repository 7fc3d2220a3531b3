"""Chances: of a position on an analysis board, and over a match that is over.

Thinking is done in the bots' process, one question at a time and about a second for each, so that
bots at tables hardly wait for it. Whoever plays a live match with others gets no evaluation of its
game until it is over, and no match with others is looked at before that, whoever asks. An analysis
of a match is written down when it is complete.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from kibitz.analysis import findings, jobs
from kibitz.analysis.advice import advice_offer
from kibitz.analysis.match import Alternative, Entry, match_json
from kibitz.core.message import Message, Value, message
from kibitz.i18n.grammar import join_names
from kibitz.server.analysis import board as analysis_board
from kibitz.server.analysis.queue import WaitingQueue, too_busy
from kibitz.server.bot_preparation import BotPreparation
from kibitz.server.db.queries.analyses import find_analysis, write_analysis
from kibitz.server.db.queries.memberships import has_running_board
from kibitz.server.http.errors import HttpError
from kibitz.server.phrases import Phrases
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.live.fairness import (
    board_hash,
    has_begun_with_others,
    is_being_played,
    matches_with_others,
)
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.service import TableService
from kibitz.server.tables.viewers import phrases_at
from kibitz.table.seating import Member

ANALYSIS_VERSION = 1
"""Raised when analyses that were written down should be made again."""
THINK_S = 0.8
"""For a part of a match."""
MAX_PER_ADDRESS, MAX_WAITING = 2, 8
"""So many are thought about or wait for it, from one address and in all."""
TIMEOUT_S = 12.0
"""Nobody waits longer than that."""
MAX_CACHED_POSITIONS, MAX_CACHED_MATCHES = 512, 64
TOP_SWINGS = 5
DEFAULT_COLOURS = ("ink", "line-2", "accent", "spark")
"""Colours of a bar for seats that have none."""
LEAD_RATIO = 1.15
"""A seat leads if its chance is so much more than an equal share."""


class TableLine(analysis_board.Line):
    """A line on a board, and the table it was taken from, if any."""

    table: str = ""


class SeatChance(Struct):
    """The chance of a seat to win."""

    seat: str
    name: str
    glyph: str
    tint: str
    chance: float


class BestAction(Struct):
    """Something that may be done, and how good it is."""

    text: str
    actions: list[str]
    """To be played: as many of its line as one offer of the position does."""
    label: str
    """As advice: Push d6 one square to d7."""
    chance: float
    """Of whoever would do it."""
    share: float
    """Its share in the best mix, where cards are mixed."""
    line: list[str]
    """The expected line of play from there."""


class PositionEvaluation(Struct):
    """The evaluation of a position."""

    seats: list[SeatChance]
    say: str
    acting: str | None
    best: list[BestAction]


class AnalysisProgress(Struct):
    """The progress of an analysis; `analysis` is there once it is complete."""

    done: int
    of: int
    analysis: dict[str, Any] | None = None


class Analyst:
    def __init__(
        self, tables: TableService, bot_pool: BotPool, preparation: BotPreparation
    ) -> None:
        self._tables, self._bot_pool, self._preparation = tables, bot_pool, preparation
        self._positions: OrderedDict[Any, jobs.PositionAnalysis] = OrderedDict()
        self._matches: OrderedDict[Any, list[Entry]] = OrderedDict()
        self._quick_answers: OrderedDict[Any, Any] = OrderedDict()
        self._lock, self._queue = asyncio.Lock(), WaitingQueue(MAX_PER_ADDRESS, MAX_WAITING)

    # Who may ask

    async def check_fair_line(self, member: Member, line: LiveTable, language: str) -> None:
        """Raises HttpError for whoever plays a live match of this game with others, or asks about
        a position of any match with others that goes on."""
        store, find = self._tables.store, self._tables.tables.find_table
        if await has_running_board(store, board_hash(line.game, line.table.state)):
            raise HttpError(403, message("analysis.rated-position"))
        async for match in matches_with_others(store, find, member, line.game.name):
            _check_fair_beside(match, line, member, language)

    async def check_match_over(self, table_id: str, member: Member) -> None:
        """Raises HttpError where a line was taken from a table that is not over, unless whoever
        asks plays there alone, or nobody does yet.

        Where there is no such table for somebody, it was not taken from there.
        """
        live = None
        with suppress(HttpError):
            live = await self._tables.find_table(table_id, member) if table_id else None
        if live and not live.table.is_over and has_begun_with_others(live, member):
            raise HttpError(409, message("analysis.not-over"))

    # A position

    async def evaluation(
        self, live: LiveTable, language: str, address: str = ""
    ) -> PositionEvaluation:
        game, state = live.game, live.table.state
        options = json.dumps(dict(game.options), sort_keys=True)
        key = game.name, options, game.notation.write_state(state)
        if live.table.outcome:
            return _position_evaluation(live, language, _final_position(live))
        if key not in self._positions:
            found = await self._run_limited(address, jobs.analyse_position, *key)
            _cache_put(self._positions, key, found, MAX_CACHED_POSITIONS)
        return _position_evaluation(live, language, self._positions[key])

    # A match

    async def entries(self, live: LiveTable, address: str = "") -> list[Entry]:
        """The entries found by now, from the end of the match, after thinking for a second more:
        all of them in their order once they are complete. Raises HttpError."""
        table, of = live.table, len(live.table.history)
        if not table.is_over:
            raise HttpError(409, message("analysis.not-over"))
        key, record = (live.id, of), table.record
        if key not in self._matches:
            stored = await find_analysis(self._tables.store, live.id, ANALYSIS_VERSION, of)
            self._matches[key] = _read_entries(stored) if stored else []
        cache = self._matches[key]
        _cache_put(self._matches, key, cache, MAX_CACHED_MATCHES)
        if len(cache) < of:
            options = json.dumps(dict(record.options), sort_keys=True)
            line = live.game.name, options, record.start, record.actions
            later = cache[-1] if cache else None
            more = await self._run_limited(address, jobs.analyse_entries, *line, later, THINK_S)
            # Somebody else may have asked meanwhile.
            cache += [each for each in more if not cache or each.n < cache[-1].n]
            if len(cache) == of:
                text = msgspec.json.encode(cache).decode()
                await write_analysis(self._tables.store, live.id, ANALYSIS_VERSION, of, text)
        return cache[::-1] if len(cache) == of else cache

    async def progress(self, live: LiveTable, address: str = "") -> AnalysisProgress:
        found, of = await self.entries(live, address), len(live.table.history)
        if len(found) < of:
            return AnalysisProgress(len(found), of)
        return AnalysisProgress(of, of, match_json(live.game, found, TOP_SWINGS))

    # For a coach

    @property
    def is_ready(self) -> bool:
        """False while bots are still being prepared."""
        return self._preparation.is_ready

    async def run_quick_job(self, address: str, about: Any, *given: Any) -> Any:
        """The answer to what takes some tenths of a second, found once for the same question and
        beside all that takes longer. Raises HttpError."""
        key = about, given
        if key not in self._quick_answers:
            run = partial(self._bot_pool.run_quick_job, about, *given)
            answer = await self._run_in_line(address, run)
            _cache_put(self._quick_answers, key, answer, MAX_CACHED_POSITIONS)
        return self._quick_answers[key]

    async def _run_limited(self, address: str, about: Any, *given: Any) -> Any:
        """One at a time: a bot that is to act waits no longer than for one of them."""
        return await self._run_in_line(address, partial(self._run_in_turn, about, *given))

    async def _run_in_line(self, address: str, run: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """Nobody waits for long: where many ask, or bots are still being prepared, whoever asks is
        told to come again."""
        if not self.is_ready:
            raise too_busy()
        with self._queue.wait_in_line(address):
            try:
                return await asyncio.wait_for(run(), TIMEOUT_S)
            except TimeoutError:
                raise too_busy() from None

    async def _run_in_turn(self, about: Any, *given: Any) -> Any:
        async with self._lock:
            return await self._bot_pool.run_job(about, *given)


def _cache_put(cache: OrderedDict[Any, Any], key: Any, value: Any, most: int) -> None:
    cache[key] = value
    cache.move_to_end(key)
    while len(cache) > most:
        cache.popitem(last=False)


def _final_position(live: LiveTable) -> jobs.PositionAnalysis:
    outcome = live.table.outcome
    assert outcome
    return jobs.PositionAnalysis(jobs.result_chances(outcome.payoffs), None)


def _position_evaluation(
    live: LiveTable, language: str, found: jobs.PositionAnalysis
) -> PositionEvaluation:
    say, game = phrases_at(live, language), live.game
    seats = [
        SeatChance(
            seat, str(say.names[seat]), game.ui.glyph(seat), seat_colour(live, n), found.chances[n]
        )
        for n, seat in enumerate(game.seats)
    ]
    best = [_best_action(live, found.seat, each, say) for each in found.best]
    return PositionEvaluation(seats, say(_leader_message(live, found)), found.seat, best)


def seat_colour(live: LiveTable, n: int) -> str:
    return live.game.ui.colours.get(live.game.seats[n], DEFAULT_COLOURS[n % len(DEFAULT_COLOURS)])


def _leader_message(live: LiveTable, found: jobs.PositionAnalysis) -> Message:
    """A sentence about who is ahead, if anybody is."""
    most = max(found.chances)
    seat = live.game.seats[found.chances.index(most)]
    if live.table.outcome or most * len(found.chances) < LEAD_RATIO:
        return message("analysis.decided" if live.table.outcome else "analysis.even")
    if live.table.state == live.game.rules.start() and seat == found.seat:
        title = message(f"{live.game.name}.title")
        return message("analysis.begins", seat=seat, game=title)
    return message("analysis.leads", seat=seat)


def _best_action(live: LiveTable, seat: str | None, each: Alternative, say: Phrases) -> BestAction:
    """As an offer of the position does it, so that a page knows how it is drawn."""
    offer = advice_offer(live.game, live.table.state, seat, each.line) if seat else None
    label = say(live.game.ui.advice(offer)) if offer else each.action
    actions = list(offer.actions) if offer else [each.action]
    line = list(each.line[1 : findings.MAX_LINE_ACTIONS])
    return BestAction(
        each.action, actions, label, round(each.chance, 4), round(each.share, 4), line
    )


# What may be asked


def _check_fair_beside(match: LiveTable, line: LiveTable, member: Member, language: str) -> None:
    """Raises HttpError where an evaluation of the line would help in this match."""
    told: dict[str, Value] = {
        "game": message(f"{match.game.name}.title"),
        "name": _other_names(match, member, language),
        "table": match.id,
    }
    if is_being_played(match):
        raise HttpError(403, message("analysis.playing", **told))
    if _leads_through(line, match):
        raise HttpError(403, message("analysis.same-line", **told))


def _leads_through(line: LiveTable, match: LiveTable) -> bool:
    """True if a position of the line is one that the match has had since it began."""
    met = {played.step.state for played in match.table.history}
    return line.table.first in met or any(played.step.state in met for played in line.table.history)


def _other_names(match: LiveTable, member: Member, language: str) -> str:
    """The others by their names; a seat by its own where nobody there has one."""
    seats, say = match.people.members.items(), phrases_at(match, language)
    found = []
    for seat, members in seats:
        names = [match.names.get(each, "") for each in members if each != member]
        found += [name for name in names if name] or [str(say.names[seat])] * bool(names)
    return join_names(found)


def _read_entries(text: str) -> list[Entry]:
    return msgspec.json.decode(text, type=list[Entry])
