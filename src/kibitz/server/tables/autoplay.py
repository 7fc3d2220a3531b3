"""Chance, bots and rematches: what happens at a table without anybody."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.bots.question import Question
from kibitz.bots.registry import anytime_policy_for
from kibitz.core.game import CHANCE, PRESS_DIE, TABLE, Actor, Seat, write_choice
from kibitz.server.db.store import StoreError
from kibitz.server.tables.actions import Actions, StaleRequest, next_draw
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.cluster.leases import Leases
from kibitz.server.tables.deadlines import RETRY_S
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.solo.exhibitions import ExhibitionQueue
from kibitz.table.autoplay import BotConsent, BotTurn, ChanceDraw, next_steps
from kibitz.table.commands import REMATCH
from kibitz.table.table import AGREE, DECLINE

log = logging.getLogger(__name__)

BOT_PAUSE_S = 0.6
"""A bot leaves what happened before it to be seen for so many seconds."""
STATEMENT_DELAY_SHARE = 0.5
"""Where the die is left alone, a bot speaks after this part of the time, as people would."""


@dataclass(frozen=True, eq=False)
class Autoplay:
    _bot_pool: BotPool
    _leases: Leases
    _actions: Actions
    _open_rematch: Callable[[LiveTable], Awaitable[str]]
    _exhibitions: ExhibitionQueue

    def start(self, live: LiveTable) -> None:
        """Let chance and bots do what is theirs to do; bots among themselves if somebody looks."""
        if not live.people.bots and not live.timer.is_servers_turn:
            return
        if not live.people.all_members and not live.presence.subscribers:
            return
        if live.people.bots and not live.table.is_over:
            self._bot_pool.warm_up(live.game.name, live.bots.values())
        if not live.is_autoplaying:
            live.autoplay_task = asyncio.create_task(self._loop(live))

    async def _loop(self, live: LiveTable) -> None:
        while True:
            try:
                if not await self._leases.try_claim(live) or not await self._play_next(live):
                    return
            except StaleRequest:
                continue
            except StoreError as error:
                log.warning("table %s waits: %s", live.id, error)
                await asyncio.sleep(RETRY_S)
            except Exception:
                log.exception("table %s cannot go on by itself", live.id)
                if not live.presence.subscribers:
                    return
                await asyncio.sleep(RETRY_S)

    async def _play_next(self, live: LiveTable) -> bool:
        """Do what is the server's to do, if anything is: else a person is to act."""
        at = live.seq
        found = await self._next_action(live)
        if found is None:
            return live.seq != at  # Somebody acted while it was thought about.
        async with live.changes:
            if live.seq == at:
                actor, text = found
                await self._actions.append(live, actor, (text,))
        return True

    async def _next_action(self, live: LiveTable) -> tuple[Actor, str] | None:
        """The server's action in this position; None where a person is to act, or did."""
        table, seq = live.table, live.seq
        if table.is_over and table.rematch == "":
            return TABLE, f"{REMATCH} {await self._open_rematch(live)}"
        can_speak = anytime_policy_for(live.game.name) is not None
        for step in next_steps(table, live.people.bots, can_speak):
            if isinstance(step, ChanceDraw):
                await self._actions.collect_entropies(live)
                return (CHANCE, next_draw(live, None)) if live.table is table else None
            if isinstance(step, BotTurn):
                return await self._choose_bot_action(live, step)
            if isinstance(step, BotConsent):
                return await self._answer_request(live, step)
            question = _question(live, step.seat, step.actions)
            text = await self._bot_pool.choose_statement(question)
            if text:
                await asyncio.sleep(live.timer.die_delay_left() * STATEMENT_DELAY_SHARE)
            if live.seq != seq:
                return None
            if text:
                return step.seat, text
        return None

    async def _choose_bot_action(self, live: LiveTable, turn: BotTurn) -> tuple[Actor, str] | None:
        seq, ready_at = live.seq, live.timer.started_at + BOT_PAUSE_S
        question = _question(live, turn.seat, turn.actions)
        if PRESS_DIE in turn.actions:
            # Bots leave people the time they need.
            ready_at = max(ready_at, time.monotonic() + live.timer.die_delay_left())
        text = question.texts[0]
        if len(question.texts) > 1:
            if live.people.all_members:
                text = await self._bot_pool.choose_action(question)
            else:
                addresses = live.presence.local_addresses
                text = await self._exhibitions.choose_action(question, addresses)
        await asyncio.sleep(max(0.0, ready_at - time.monotonic()))
        if text == PRESS_DIE:
            await self._actions.collect_entropies(live)
        if live.seq != seq:
            return None
        return (CHANCE, next_draw(live, turn.seat)) if text == PRESS_DIE else (turn.seat, text)

    async def _answer_request(self, live: LiveTable, asked: BotConsent) -> tuple[Actor, str] | None:
        seq, answer = live.seq, (asked.seats[0], AGREE)
        for seat in asked.seats:
            question = _question(live, seat, (asked.ruling,))
            if not await self._bot_pool.agrees_to_ruling(question):
                answer = (seat, DECLINE)
                break
        await asyncio.sleep(BOT_PAUSE_S)
        return answer if live.seq == seq else None


def _question(live: LiveTable, seat: Seat, actions: Sequence[Any]) -> Question:
    game = live.game
    return Question(
        bot=live.bots[seat],
        game=game.name,
        options=dict(game.options),
        view=live.table.view(seat),
        seat=seat,
        texts=tuple(write_choice(game, each) for each in actions),
        seed=secrets.randbits(63),
        match=live.id,
    )
