"""Chances: of a position on an analysis board, and over a match that is over.

Thinking is done in the bots' process, one question at a time and about a second for each, so that
bots at tables hardly wait for it. Whoever plays a game gets no evaluation of it until the match is
over, and no table is looked at before that, whoever asks.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from contextlib import suppress
from typing import Any

from msgspec import Struct

from kibitz.analysis import findings, jobs
from kibitz.analysis.match import Alternative, Entry, match_json
from kibitz.core.message import Message, message
from kibitz.server.analysis import board as analysis_board
from kibitz.server.db.queries.memberships import tables_of
from kibitz.server.http.errors import HttpError
from kibitz.server.phrases import Phrases, event_text
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.service import TableService
from kibitz.server.tables.viewers import phrases_at
from kibitz.table.seating import Member

THINK_S = 0.8
"""For one question."""
MAX_WAITING = 8
RETRY_S, TIMEOUT_S = 2.0, 12.0
"""When to come again where so many wait, and after how long."""
MAX_CACHED_POSITIONS, MAX_CACHED_MATCHES, MAX_CACHED_OVER = 512, 64, 10_000
MAX_TABLES_CHECKED = 2_000
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
    """To be played."""
    label: str
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
    def __init__(self, tables: TableService, bot_pool: BotPool) -> None:
        self._tables, self._bot_pool = tables, bot_pool
        self._positions: OrderedDict[Any, jobs.PositionAnalysis] = OrderedDict()
        self._matches: OrderedDict[Any, list[Entry]] = OrderedDict()
        self._over: OrderedDict[str, None] = OrderedDict()
        self._lock, self._waiting = asyncio.Lock(), 0

    # Who may ask

    async def check_not_playing(self, member: Member, game: str) -> None:
        """Raises HttpError for whoever has a seat in a match of this game that is not over."""
        for stored in (
            await tables_of(self._tables.store, member, MAX_TABLES_CHECKED) if member else ()
        ):
            if stored.game != game or stored.id in self._over:
                continue
            live = await self._tables.tables.find_readable(stored.id)
            if live is None or live.table.is_over:
                _cache_put(self._over, stored.id, None, MAX_CACHED_OVER)
            elif live.people.seats_of(member):
                raise HttpError(403, message("analysis.playing", game=message(f"{game}.title")))

    async def check_match_over(self, table_id: str, member: Member) -> None:
        """Raises HttpError where a line was taken from a table that is not over.

        Where there is no such table for somebody, it was not taken from there.
        """
        live = None
        with suppress(HttpError):
            live = await self._tables.find_table(table_id, member) if table_id else None
        if live and not live.table.is_over:
            raise HttpError(409, message("analysis.not-over"))

    # A position

    async def evaluation(self, live: LiveTable, language: str) -> PositionEvaluation:
        game, state = live.game, live.table.state
        options = json.dumps(dict(game.options), sort_keys=True)
        key = game.name, options, game.notation.write_state(state)
        if live.table.outcome:
            return _position_evaluation(live, language, _final_position(live))
        if key not in self._positions:
            found = await self._run_limited(jobs.analyse_position, *key, THINK_S)
            _cache_put(self._positions, key, found, MAX_CACHED_POSITIONS)
        return _position_evaluation(live, language, self._positions[key])

    # A match

    async def entries(self, live: LiveTable) -> list[Entry]:
        """The entries found by now, after thinking for a second more. Raises HttpError."""
        table = live.table
        if not table.is_over:
            raise HttpError(409, message("analysis.not-over"))
        key, record = (live.id, len(table.history)), table.record
        cache = self._matches.setdefault(key, [])
        _cache_put(self._matches, key, cache, MAX_CACHED_MATCHES)
        if len(cache) < len(table.history):
            options = json.dumps(dict(record.options), sort_keys=True)
            line = live.game.name, options, record.start, record.actions
            first = len(cache) + 1
            more = await self._run_limited(jobs.analyse_entries, *line, first, THINK_S)
            cache += more[len(cache) + 1 - first :]  # Somebody else may have asked meanwhile.
        return cache

    async def progress(self, live: LiveTable) -> AnalysisProgress:
        found, of = await self.entries(live), len(live.table.history)
        if len(found) < of:
            return AnalysisProgress(len(found), of)
        return AnalysisProgress(of, of, match_json(live.game, found, TOP_SWINGS))

    async def _run_limited(self, about: Any, *given: Any) -> Any:
        """One at a time: a bot that is to act waits no longer than for one of them.

        Nobody waits for long, either: where many ask, or a mind has still to be compiled, whoever
        asks is told to come again.
        """
        busy = HttpError(429, message("server.too-fast", seconds=int(RETRY_S)), RETRY_S)
        if self._waiting >= MAX_WAITING:
            raise busy
        self._waiting += 1
        try:
            return await asyncio.wait_for(self._run_in_turn(about, *given), TIMEOUT_S)
        except TimeoutError:
            raise busy from None
        finally:
            self._waiting -= 1

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
    return message("analysis.leads", seat=seat)


def _best_action(live: LiveTable, seat: str | None, each: Alternative, say: Phrases) -> BestAction:
    game, state = live.game, live.table.state
    label = each.action
    if seat:
        events = game.rules.resolve(state, seat, game.notation.read_action(each.action)).events
        label = event_text(events, seat, say) or label
    line = list(each.line[1 : findings.MAX_LINE_ACTIONS])
    return BestAction(each.action, label, round(each.chance, 4), round(each.share, 4), line)
