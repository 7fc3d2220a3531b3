"""The end of a match, as one viewer is told of it."""

from __future__ import annotations

import json

import msgspec

from kibitz.bots.registry import LEVELS
from kibitz.core.game import Seat
from kibitz.i18n.grammar import join_names
from kibitz.server.phrases import Phrases
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.viewers import ViewerSettings
from kibitz.table.table import AnyTable

LEVEL = "level-"
HIGHEST_LEVEL = len(LEVELS)


def ending(table: AnyTable, say: Phrases) -> protocol.OutcomeView | None:
    if table.is_aborted:
        return protocol.OutcomeView(say.t("table.aborted"), say.t("table.was-aborted"), "", [])
    outcome = table.outcome
    if outcome is None:
        return None
    best = max(outcome.payoffs)
    winners = [
        seat
        for seat, payoff in zip(table.game.seats, outcome.payoffs, strict=True)
        if payoff == best > min(outcome.payoffs)
    ]
    names = winners[0] if len(winners) == 1 else join_names(say.names[seat] for seat in winners)
    title = say.t("page.wins", seat=names) if winners else say.t("page.no-winner")
    motto = table.game.story.motto(table.state)
    return protocol.OutcomeView(
        title, say(outcome.why), outcome.why.paragraph, winners, say(motto) if motto else ""
    )


def personal_ending(
    live: LiveTable, settings: ViewerSettings, tell: Phrases
) -> protocol.OutcomeView | None:
    """The end, whom it was against, and against whom to go on."""
    ended = ending(live.table, tell) if live.position.is_over else None
    if ended is None or len(settings.seats) != 1:
        return ended
    own = settings.seats[0]
    is_won = ended.winners == [own]
    return msgspec.structs.replace(
        ended,
        opponent=_opponent(live, own, tell),
        next_level=_next_level(live, own, tell) if is_won else None,
    )


def _opponent(live: LiveTable, own: Seat, tell: Phrases) -> str:
    """The name of the only one who plays against a seat, at however many seats."""
    bots = {live.people.bots.get(seat, "") for seat in live.game.seats if seat != own}
    names = {str(tell.names[seat]) for seat in live.game.seats if seat != own}
    if len(bots) == 1 and (bot := bots.pop()):
        return str(tell.bot_name(bot))
    return names.pop() if len(names) == 1 else ""


def _next_level(live: LiveTable, own: Seat, tell: Phrases) -> protocol.NextLevelView | None:
    bots = {live.people.bots.get(seat, "") for seat in live.game.seats if seat != own}
    bot = bots.pop() if len(bots) == 1 else ""
    level = int(bot.removeprefix(LEVEL)) if bot.startswith(LEVEL) else HIGHEST_LEVEL
    if level >= HIGHEST_LEVEL:
        return None
    return protocol.NextLevelView(
        tell.t("page.next-level", n=level + 1),
        {
            "game": live.game.name,
            "play": "bot",
            "bot": f"{LEVEL}{level + 1}",
            "seat": own,
            "options": json.dumps(dict(live.game.options)),
        },
    )
