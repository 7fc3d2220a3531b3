"""The coach of whoever plays alone: hints, the plan behind a bot's turn, the cost of a move.

Nobody is coached in a rated match or against people, nor while they play this game with others.
All of it is made of what the asking seat sees, and on a shared device told only to whoever holds
it. It is thought about where quick bots think, some tenths of a second.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from kibitz.analysis import coach
from kibitz.analysis.advice import advice_message, advice_offer
from kibitz.analysis.findings import card_number
from kibitz.analysis.jobs import PositionAnalysis
from kibitz.analysis.match import Alternative
from kibitz.bots.question import Question
from kibitz.bots.registry import COMPARED_LEVEL
from kibitz.core.game import CHANCE, PRESS_DIE, Seat, write_choice
from kibitz.core.message import Refused, message
from kibitz.server.analysis.evaluation import Analyst
from kibitz.server.analysis.page import percent_formatter
from kibitz.server.http.errors import HttpError
from kibitz.server.phrases import Phrases, event_text
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.people_view import is_coached
from kibitz.server.tables.telling.events import short_texts
from kibitz.server.tables.viewers import ViewerSettings, phrases_at, telling_phrases_at
from kibitz.table.handover import acting_seat, curtain_seat
from kibitz.table.seating import Member
from kibitz.table.table import AnyTable

MAX_SENTENCES = 5
"""So many sentences of an expected line are told."""
THINK_S = 1.0
"""A hint is there within so many seconds where it takes a bot to find it."""


class HintView(Struct):
    """The move of the best engine in your place, to be told in three steps: which piece, which
    move, and why."""

    seq: int
    """The row it was thought about at."""
    text: str
    """A sentence: the move."""
    actions: tuple[str, ...]
    path: tuple[str, ...]
    """The places to touch for it, in order; the first is the piece."""
    why: list[str]
    """How the match could go on, in sentences; or the best mix of cards."""
    worth: str
    """A sentence about your chance of winning then, and with the next best move."""


class PlanView(Struct):
    """The line that a bot expected when it took its latest turn."""

    seq: int
    seat: str
    text: str
    """A sentence that leads to `line`."""
    line: list[str]
    """How the match would go on, in sentences, its own turn first."""
    worth: str
    """A sentence about its chance of winning."""
    better: str
    """A sentence about what the best engine would have done, if that is worth much more."""


class LossView(Struct):
    """The part of your chance of winning that a move costs."""

    seq: int
    loss: float | None
    """From 0 to 1; null where moves are not compared."""
    is_large: bool
    text: str
    """A sentence; empty where nothing is lost."""


@dataclass(frozen=True, eq=False)
class Coach:
    _analyst: Analyst
    _bot_pool: BotPool

    async def hint(
        self, live: LiveTable, member: Member, settings: ViewerSettings, address: str
    ) -> HintView:
        """Raises HttpError where nobody is coached, and out of turn."""
        seat = await self._seat(live, member, settings)
        table, seq = live.table, live.seq
        texts = _choices(table, seat)
        if not texts:
            raise HttpError(409, message("server.hint-not-now"))
        text, game = _position(table, seat), live.game
        state, found = game.notation.read_state(text), PositionAnalysis((), None)
        if len(texts) > 1 and self._analyst.is_ready:
            asked = game.name, _options(live), text, seat
            found = await self._analyst.run_quick_job(address, coach.advise, *asked)
        best = [each for each in found.best if each.action in texts]
        line = best[0].line or (best[0].action,) if best else ()
        if not line:
            line = (texts[0] if len(texts) == 1 else await self._bots_choice(live, seat, texts),)
        say, tell = phrases_at(live, settings.language), telling_phrases_at(live, settings)
        offer = advice_offer(game, state, seat, line)
        label = say(game.ui.advice(offer)) if offer else _event_text(live, state, seat, line, tell)
        return HintView(
            seq=seq,
            text=say.t("page.hint-would", bot=say.bot_name(COMPARED_LEVEL), move=label),
            actions=offer.actions if offer else tuple(filter(None, line[:1])),
            path=offer.path if offer else (),
            why=_why(live, state, seat, best, tell),
            worth=_worth(live, state, seat, best, say),
        )

    async def plan(
        self, live: LiveTable, member: Member, settings: ViewerSettings, address: str
    ) -> PlanView:
        """Raises HttpError where nobody is coached, and where no bot has shown what it did."""
        asking = await self._seat(live, member, settings, in_turn=False)
        turn = _bot_turn(live)
        if turn is None:
            raise HttpError(409, message("server.plan-none"))
        first, seat, played = turn
        game, seq, before = live.game, live.seq, live.table.history[first].before
        text = coach.imagined_position(game, before, asking)
        asked = game.name, _options(live), text, seat, live.people.bots[seat], played
        found = await self._analyst.run_quick_job(address, coach.plan_of_bot, *asked)
        if found is None:
            raise HttpError(409, message("server.plan-none"))
        state, say = game.notation.read_state(text), phrases_at(live, settings.language)
        tell, percent = telling_phrases_at(live, settings), percent_formatter(settings.language)
        chance = percent(found.chance)
        if found.mix:
            line = [say.t("page.hint-mix", mix=_mix_text(found.mix, settings.language))]
        else:
            line = _sentences(live, state, found.line, asking, tell)
        better = _advice(live, state, seat, found.better, say) if found.better else ""
        bot = say.bot_name(COMPARED_LEVEL)
        return PlanView(
            seq=seq,
            seat=seat,
            text=tell.t("page.plan-expects", seat=seat),
            line=line,
            worth=tell.t("page.plan-chance", seat=seat, chance=chance),
            better=say.t("page.plan-better", bot=bot, move=better) if better else "",
        )

    async def loss(
        self,
        live: LiveTable,
        member: Member,
        settings: ViewerSettings,
        actions: tuple[str, ...],
        address: str,
    ) -> LossView:
        """Raises HttpError where nobody is coached, and out of turn."""
        seat = await self._seat(live, member, settings)
        seq, asked = live.seq, (live.game.name, _options(live), _position(live.table, seat), seat)
        try:
            loss = await self._analyst.run_quick_job(address, coach.loss_of, *asked, actions)
        except Refused:
            loss = None
        if not loss:
            return LossView(seq, loss, False, "")
        say, percent = phrases_at(live, settings.language), percent_formatter(settings.language)
        is_large = coach.even_loss(live.game, loss) >= coach.LARGE_LOSS
        return LossView(seq, round(loss, 4), is_large, say.t("page.warn-loss", loss=percent(loss)))

    async def _seat(
        self, live: LiveTable, member: Member, settings: ViewerSettings, *, in_turn: bool = True
    ) -> Seat:
        """The seat that is coached: the one that acts, held by whoever has the device. Raises
        HttpError."""
        if not is_coached(live, settings):
            raise HttpError(403, message("server.no-coach"))
        await self._analyst.check_fair_line(member, live, settings.language)
        table, held = live.table, settings.seats
        acting = None if table.is_over or table.is_adjourned else acting_seat(table, held)
        if acting is None and (in_turn or len(held) > 1):
            raise HttpError(409, message("server.hint-not-now"))
        if curtain_seat(table, held, settings.unveiled_seat):
            raise HttpError(409, message("server.curtain"))
        return acting or held[0]

    async def _bots_choice(self, live: LiveTable, seat: Seat, texts: tuple[str, ...]) -> str:
        """The choice of the best engine where actions are not compared one by one. The same view
        gives the same dice."""
        view = live.table.view(seat)
        seen = hashlib.sha256(live.game.notation.write_view(view).encode()).digest()
        question = Question(
            bot=COMPARED_LEVEL,
            game=live.game.name,
            options=dict(live.game.options),
            view=view,
            seat=seat,
            texts=texts,
            seed=int.from_bytes(seen[:7]),
        )
        return await self._bot_pool.choose_action(question, THINK_S)


def _position(table: AnyTable, seat: Seat) -> str:
    return coach.imagined_position(table.game, table.state, seat, table.commitments_of(seat))


def _options(live: LiveTable) -> str:
    return json.dumps(dict(live.game.options), sort_keys=True)


def _choices(table: AnyTable, seat: Seat) -> tuple[str, ...]:
    to_act = table.game.rules.to_act(table.state)
    die = (PRESS_DIE,) if CHANCE in to_act and seat in to_act else ()
    return tuple(write_choice(table.game, each) for each in (*table.actions(seat), *die))


def _bot_turn(live: LiveTable) -> tuple[int, Seat, tuple[str, ...]] | None:
    """The latest turn of a bot, as far as all have seen it: where it begins in the history, whose
    it was, and what was played."""
    table, bots, game = live.table, live.people.bots, live.game
    shown = {*table.shown_indices()}

    def is_of_bot(n: int) -> bool:
        played = table.history[n]
        is_shown = n in shown and played.actor in bots
        return is_shown and played.step.action in game.rules.turn_actions(
            played.before, played.actor
        )

    last = next(filter(is_of_bot, range(len(table.history) - 1, -1, -1)), None)
    if last is None:
        return None
    first, seat = last, table.history[last].actor
    while first and table.history[first - 1].actor == seat and is_of_bot(first - 1):
        first -= 1
    turn = table.history[first : last + 1]
    return first, seat, tuple(game.notation.write_action(each.step.action) for each in turn)


def _why(
    live: LiveTable, state: Any, seat: Seat, best: Sequence[Alternative], tell: Phrases
) -> list[str]:
    if not best:
        return []
    if best[0].share:
        return [tell.t("page.hint-mix", mix=_mix_text(best, tell.language))]
    return _sentences(live, state, best[0].line, seat, tell)


def _worth(
    live: LiveTable, state: Any, seat: Seat, best: Sequence[Alternative], say: Phrases
) -> str:
    if not best:
        return ""
    percent, (first, *others) = percent_formatter(say.language), best
    worth = say.t("page.hint-worth", chance=percent(first.chance))
    if first.share or not others:
        return worth
    other = others[0]
    move = _advice(live, state, seat, other.line or (other.action,), say)
    return f"{worth} {say.t('page.hint-next', move=move, chance=percent(other.chance))}"


def _advice(live: LiveTable, state: Any, seat: Seat, line: Sequence[str], say: Phrases) -> str:
    advice = advice_message(live.game, state, seat, line)
    return advice if isinstance(advice, str) else say(advice)


def _mix_text(mix: Sequence[Alternative], language: str) -> str:
    percent = percent_formatter(language)
    return ", ".join(f"{card_number(each.action)}: {percent(each.share)}" for each in mix)


def _sentences(
    live: LiveTable, state: Any, line: Sequence[str], viewer: Seat, tell: Phrases
) -> list[str]:
    """The events of a line in short, as the seat would be told them."""
    steps = coach.events_of_line(live.game, state, line, viewer)
    events = [event for _, told in steps for event in told]
    return short_texts(live.game, events, tell)[:MAX_SENTENCES] if events else []


def _event_text(live: LiveTable, state: Any, seat: Seat, line: Sequence[str], tell: Phrases) -> str:
    told = [events for _, events in coach.events_of_line(live.game, state, line[:1], seat)]
    return event_text(told[0], seat, tell) if told else line[0]
