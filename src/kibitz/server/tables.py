"""All tables: found, opened, acted at.

Nothing is shown before it is on disk. A table changes only by rows that the store has taken;
where another process was faster, the rows are read again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import lcm
from typing import Any

from anyio import to_thread

from kibitz.bots.evaluations import voice_in
from kibitz.core.game import CHANCE, Actor, Seat
from kibitz.core.message import Refused, message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.live import AnyTable, LiveTable
from kibitz.server.store import NotStored, Raced, Store, StoredRow, StoredTable
from kibitz.server.thinking import Thinker

log = logging.getLogger(__name__)

PAUSE = 0.6
"""How long a bot leaves what happened before it to be seen, in seconds."""
AGAIN = 2.0
"""When to try again what did not work, in seconds."""
KEPT = 200
"""How many tables stay in memory though nobody looks."""


class MovedOn(Exception):
    """The table is not where the sender thought."""


class LiveTables:
    def __init__(self, store: Store, thinker: Thinker) -> None:
        self.store, self.thinker = store, thinker
        self._live: dict[str, LiveTable] = {}

    async def close(self) -> None:
        attending = [live.attending for live in self._live.values() if live.attending]
        for task in attending:
            task.cancel()
        await asyncio.gather(*attending, return_exceptions=True)

    async def open_new(
        self,
        game: str,
        member: str,
        bot: str | None,
        seat: Seat | None,
        options: Mapping[str, Any] | None = None,
    ) -> str:
        """A new table, against bots of this name or on one device; its id.

        Raises Refused by its options.
        """
        rulebook = GAMES[game]
        rules = rulebook.game(rulebook.suggested(options or {}))
        mine = rules.seats if bot is None else (seat or rules.seats[0],)
        stored = StoredTable(
            id="".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(12)),
            game=game,
            rules=rulebook.rules,
            options=dict(rules.options),
            start=START,
            seats={s: {"member": member} if s in mine else {"bot": bot or ""} for s in rules.seats},
            created=time.time(),
            owner=member,
        )
        await self.store.open_table(stored)
        return stored.id

    async def find(self, table_id: str) -> LiveTable | None:
        """The table as its rows are now; raises Refused where they cannot be replayed."""
        live = self._live.get(table_id)
        if live is None:
            loaded = await self._load(table_id)
            if loaded is None:
                return None
            live = self._live.setdefault(table_id, loaded)
        else:
            async with live.lock:
                if live.seq != await self.store.seq(table_id):
                    await self._read_again(live)
        self._live[table_id] = self._live.pop(table_id, live)  # the latest used is last
        self._forget()
        return live

    async def act(
        self, live: LiveTable, member: str, seat: Actor, seq: int, texts: Sequence[str], key: str
    ) -> int:
        """Do all of this or none; the seq it led to. Raises Refused or MovedOn."""
        async with live.lock:
            if key in live.keys:
                return live.seq
            if seq != live.seq:
                raise MovedOn
            if not texts:
                if not {seat, CHANCE} <= live.game.to_act(live.table.state):
                    raise Refused(message("server.nothing-sent"))
                seat, texts = CHANCE, [drawn(live.table)]
            try:
                await self._append(live, seat, texts, member, key)
            except MovedOn:
                if key not in live.keys:
                    raise
            return live.seq

    def attend(self, live: LiveTable) -> None:
        """Let chance and bots do what is theirs to do."""
        if live.bots and not live.table.outcome:
            self.thinker.warm_up()
        if live.attending is None or live.attending.done():
            live.attending = asyncio.create_task(self._attend(live))

    async def _attend(self, live: LiveTable) -> None:
        while True:
            try:
                at = live.seq
                found = await self._chosen(live)
                if found is None and live.seq == at:
                    return
                if found is None:  # Somebody acted while it was thought about.
                    continue
                seq, actor, text = found
                async with live.lock:
                    if seq == live.seq:
                        await self._append(live, actor, (text,), "", None)
            except MovedOn:
                continue
            except Exception:
                log.exception("table %s cannot go on by itself", live.id)
                if not live.watching:
                    return
                await asyncio.sleep(AGAIN)

    async def _chosen(self, live: LiveTable) -> tuple[int, Actor, str] | None:
        """What chance or a bot does now, and at which seq; None where a person is to act."""
        table, seq = live.table, live.seq
        to_act = table.game.to_act(table.state)
        if spoken := await self._spoken(live):
            return seq, *spoken
        if to_act == {CHANCE}:
            return seq, CHANCE, drawn(table)
        pause = live.changed_at + PAUSE - time.monotonic()
        if CHANCE in to_act and to_act <= {CHANCE, *live.bots}:
            # Bots press the die rather than do anything else, and leave people the time they need.
            await asyncio.sleep(max(0.0, pause, pause - PAUSE + table.game.courtesy(table.state)))
            return seq, CHANCE, drawn(table)
        seat = live.bot_to_act()
        if seat is None:
            return None
        texts = [table.game.write_action(action) for action in table.actions(seat)]
        options, view = table.game.options, table.view(seat)
        thinking = self.thinker.choose(live.bots[seat], table.game.name, options, view, seat, texts)
        text, _ = await asyncio.gather(thinking, asyncio.sleep(max(0.0, pause)))
        return seq, seat, text

    async def _spoken(self, live: LiveTable) -> tuple[Seat, str] | None:
        """What a bot has to say whoever's turn it is; nothing twice between two turn actions."""
        table, game = live.table, live.game
        if not live.bots or not voice_in(game.name):
            return None
        said = set(table.said_since_turn())
        for seat, bot in live.bots.items():
            listed = map(game.write_action, game.anytime_actions(table.state, seat))
            texts = [text for text in listed if (seat, text) not in said]
            asked = (bot, game.name, game.options, table.view(seat), seat, texts)
            if texts and (text := await self.thinker.speak(*asked)):
                return seat, text
        return None

    async def _append(
        self, live: LiveTable, actor: Actor, texts: Sequence[str], member: str, key: str | None
    ) -> None:
        """Work out what follows, write it down, and only then show it. Needs the lock."""
        table, changes, sent = live.after(actor, texts)
        rows = [
            StoredRow(actor=row.actor, member=live.member(row.actor, member), text=row.text)
            for row in sent
        ]
        rows[0] = replace(rows[0], key=key)
        try:
            await self.store.append(live.id, live.seq, rows)
        except Raced:
            await self._read_again(live)
            raise MovedOn from None
        except NotStored:
            raise Refused(message("server.not-stored")) from None
        live.move_on(table, changes, key)
        self.attend(live)

    async def _load(self, table_id: str) -> LiveTable | None:
        stored = await self.store.table(table_id)
        if stored is None:
            return None
        rows = await self.store.rows(table_id)
        return await to_thread.run_sync(LiveTable, stored, rows)

    async def _read_again(self, live: LiveTable) -> None:
        if fresh := await self._load(live.id):
            live.read_again(fresh)

    def _forget(self) -> None:
        idle = [id for id, live in self._live.items() if _is_idle(live)]
        for id in idle[: max(0, len(self._live) - KEPT)]:
            del self._live[id]


def drawn(table: AnyTable) -> str:
    """What chance does, by its odds."""
    odds = table.game.odds(table.state)
    whole = lcm(*(share.denominator for share in odds.values()))
    ticket = secrets.randbelow(whole)
    for action, share in odds.items():
        ticket -= int(share * whole)
        if ticket < 0:
            return table.game.write_action(action)
    raise AssertionError("odds sum to one")


def _is_idle(live: LiveTable) -> bool:
    attended = live.attending is not None and not live.attending.done()
    return not (live.watching or attended or live.lock.locked())
