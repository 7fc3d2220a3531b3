"""Chance, bots and rematches: what happens at a table without anybody."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from kibitz.bots.evaluations import anytime_policy_for
from kibitz.core.game import CHANCE, TABLE, Actor, Seat
from kibitz.server.db.store import StoreError
from kibitz.server.tables.actions import Actions, StaleRequest, next_draw
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.cluster import Leases
from kibitz.server.tables.deadlines import RETRY_S
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.commands import REMATCH

log = logging.getLogger(__name__)

BOT_PAUSE_S = 0.6
"""A bot leaves what happened before it to be seen for so many seconds."""


class Autoplay:
    def __init__(
        self,
        bot_pool: BotPool,
        leases: Leases,
        actions: Actions,
        open_rematch: Callable[[LiveTable], Awaitable[str]],
    ) -> None:
        self._bot_pool, self._leases, self._actions = bot_pool, leases, actions
        self._open_rematch = open_rematch

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
        async with live.lock:
            if live.seq == at:
                actor, text = found
                await self._actions.append(live, actor, (text,))
        return True

    async def _next_action(self, live: LiveTable) -> tuple[Actor, str] | None:
        """The server's action in this position; None where a person is to act, or did."""
        table, seq = live.table, live.seq
        if table.is_over or table.is_adjourned or not live.people.is_full:
            is_wanted = table.rematch == ""
            return (TABLE, f"{REMATCH} {await self._open_rematch(live)}") if is_wanted else None
        to_act = table.game.rules.to_act(table.state)
        if said := await choose_statement(self._bot_pool, live):
            return said
        if live.seq != seq:
            return None
        if to_act == {CHANCE}:
            return CHANCE, next_draw(live)
        seat = _bot_to_act(live)
        return await self._choose_bot_action(live, seat) if seat else None

    async def _choose_bot_action(self, live: LiveTable, seat: Seat) -> tuple[Actor, str] | None:
        table, seq, since = live.table, live.seq, live.timer.started_at
        game, pause = table.game, BOT_PAUSE_S
        texts = [game.notation.write_action(action) for action in table.actions(seat)]
        if {CHANCE, seat} <= game.rules.to_act(table.state):
            texts.append("")
            # Bots leave people the time they need.
            pause = max(pause, game.policy.die_delay(table.state))
        text = texts[0]
        if len(texts) > 1:
            asked = (live.bots[seat], game.name, game.options, table.view(seat), seat, texts)
            text = await self._bot_pool.choose_action(*asked, live.id)
        await asyncio.sleep(max(0.0, since + pause - time.monotonic()))
        if live.seq != seq:
            return None
        return (seat, text) if text else (CHANCE, next_draw(live))


def _bot_to_act(live: LiveTable) -> Seat | None:
    """A bot that can act, or else one that is only to let the die fall."""
    bots, to_act = live.people.bots, live.game.rules.to_act(live.table.state)
    able = (seat for seat in bots if live.table.actions(seat))
    return next(able, None) or next((seat for seat in bots if seat in to_act), None)


async def choose_statement(bot_pool: BotPool, live: LiveTable) -> tuple[Seat, str] | None:
    """The words of a bot out of turn, if it has any; nothing twice between two turn actions."""
    table, game = live.table, live.game
    if not live.people.bots or not anytime_policy_for(game.name):
        return None
    said = set(table.anytime_since_turn())
    for seat, bot in live.bots.items():
        listed = map(game.notation.write_action, game.rules.anytime_actions(table.state, seat))
        texts = [text for text in listed if (seat, text) not in said]
        asked = (bot, game.name, game.options, table.view(seat), seat, texts)
        if texts and (text := await bot_pool.choose_statement(*asked)):
            return seat, text
    return None
