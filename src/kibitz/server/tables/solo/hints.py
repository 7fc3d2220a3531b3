"""Hints: the move our best bot would make in the place of somebody who plays against bots.

It is asked in the bots' process and sees what the seat sees, so it gives nothing away.
"""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress

from msgspec import Struct

from kibitz.bots.question import Question
from kibitz.bots.registry import LEVELS
from kibitz.core.game import CHANCE, PRESS_DIE, Offer, Seat, write_choice
from kibitz.core.message import Refused, message
from kibitz.server.http.errors import HttpError
from kibitz.server.phrases import Phrases, event_text
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.people_view import is_solo
from kibitz.server.tables.viewers import ViewerSettings, phrases_at, telling_phrases_at
from kibitz.table.handover import acting_seat
from kibitz.table.table import AnyTable

HINT_BOT = LEVELS[-1]
RETRY_S, TIMEOUT_S = 2.0, 8.0
"""When to come again where a bot has still to be loaded or others are thinking, and after how
long: it goes on thinking meanwhile."""


class HintView(Struct):
    """The move the best bot would make for you now."""

    seq: int
    """The row it was thought about at."""
    text: str
    """A sentence."""
    actions: tuple[str, ...]
    path: tuple[str, ...]
    """The places to touch for it, in order."""


async def find_hint(live: LiveTable, settings: ViewerSettings, bots: BotPool) -> HintView:
    """Raises HttpError where nobody gets one: among people, in rated matches, out of turn."""
    if not is_solo(live, settings) or live.settings.rated:
        raise HttpError(403, message("server.bots-only"))
    table, seq = live.table, live.seq
    seat = None if table.is_over or table.is_adjourned else acting_seat(table, settings.seats)
    texts = _choices(table, seat) if seat else ()
    if seat is None or not texts:
        raise HttpError(409, message("server.hint-not-now"))
    text = await _chosen_text(live, seat, texts, bots)
    offer = _offer_of(table, seat, text)
    say = phrases_at(live, settings.language)
    label = say(offer.label) if offer else _told_action(live, settings, seat, text)
    return HintView(
        seq=seq,
        text=say.t("page.hint-would", bot=_bot_name(say), move=label),
        actions=offer.actions if offer else (text,),
        path=offer.path if offer else (),
    )


def _choices(table: AnyTable, seat: Seat) -> tuple[str, ...]:
    to_act = table.game.rules.to_act(table.state)
    die = (PRESS_DIE,) if CHANCE in to_act and seat in to_act else ()
    return tuple(write_choice(table.game, each) for each in (*table.actions(seat), *die))


async def _chosen_text(live: LiveTable, seat: Seat, texts: tuple[str, ...], bots: BotPool) -> str:
    """Thought about once for a position, however often it is asked for. Raises HttpError."""
    if len(texts) == 1:
        return texts[0]
    key = live.seq, seat
    if key not in live.caches.hints:
        question = Question(
            bot=HINT_BOT,
            game=live.game.name,
            options=dict(live.game.options),
            view=live.table.view(seat),
            seat=seat,
            texts=texts,
            seed=secrets.randbits(63),
            match=live.id,
        )
        live.caches.hints = {key: asyncio.ensure_future(bots.choose_action(question))}
    try:
        return await asyncio.wait_for(asyncio.shield(live.caches.hints[key]), TIMEOUT_S)
    except TimeoutError:
        busy = message("server.too-fast", seconds=int(RETRY_S))
        raise HttpError(429, busy, RETRY_S) from None


def _offer_of(table: AnyTable, seat: Seat, text: str) -> Offer | None:
    """The offer for an action; it may spell it in its own way."""
    offers = table.offers(seat)
    for offer in offers:
        if offer.actions == ((text,) if text else ()):
            return offer
    if not text:
        return None
    wanted = _state_after(table, seat, text)
    alike = (each for each in offers if len(each.actions) == 1)
    return next(
        (each for each in alike if _state_after(table, seat, each.actions[0]) == wanted), None
    )


def _state_after(table: AnyTable, seat: Seat, text: str) -> object:
    with suppress(Refused):
        return table.game.rules.resolve(
            table.state, seat, table.game.notation.read_action(text)
        ).state
    return None


def _told_action(live: LiveTable, settings: ViewerSettings, seat: Seat, text: str) -> str:
    if not text:
        return ""
    action = live.game.notation.read_action(text)
    events = live.game.rules.resolve(live.table.state, seat, action).events
    return event_text(events, seat, telling_phrases_at(live, settings)) or text


def _bot_name(say: Phrases) -> str:
    return say.t(f"page.bot-name-{HINT_BOT}")
