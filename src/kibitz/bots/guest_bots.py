"""Bots that somebody brings to a table beside ours. A table never waits for one that fails."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kibitz.bots import greedy
from kibitz.bots.api import Bot, SearchContext
from kibitz.bots.player import Forfeit, Player
from kibitz.bots.registry import BOTS, BUILT_IN_BOTS, NAME_PATTERN
from kibitz.bots.spec import player_for, read_spec
from kibitz.core.game import Seat
from kibitz.core.message import Refused, Say, message

log = logging.getLogger(__name__)
MAX_PROGRAMS = 8
"""Programs that one bot may have running, each at a seat of some match; the latest stay."""


class GuestBot:
    """Plays at any number of tables. Where it has no answer, greedy has one."""

    def __init__(self, text: str, say: Say) -> None:
        self._spec, self._say = read_spec(text), say
        self._players: OrderedDict[tuple[str, Seat], Player] = OrderedDict()

    def __call__(self, view: Any, actions: Sequence[Any], think: SearchContext) -> Any:
        key = think.match, think.seat
        player = self._players.pop(key, None) or player_for(self._spec, self._say)
        own = self._spec.search_context(think.game, think.seat, think.rng)
        try:
            chosen = player.choose(view, actions, own)
        except Forfeit as lost:
            log.warning("bot %s: %s", self._spec.text, self._say(lost.why))
            self._end_player(player)
            return greedy.choose(view, actions, think)
        think.evaluation = own.evaluation
        self._players[key] = player
        if len(self._players) > MAX_PROGRAMS:
            self._end_player(self._players.popitem(last=False)[1])
        return chosen

    def _end_player(self, player: Player) -> None:
        for line in player.end(None):
            log.info("bot %s wrote: %s", self._spec.text, line)


def read_guest_bots(texts: Iterable[str]) -> dict[str, str]:
    """`NAME=SPEC` each, the name not one of ours."""
    found = {}
    for text in texts:
        name, _, spec = text.partition("=")
        if not spec or not NAME_PATTERN.fullmatch(name) or name in BUILT_IN_BOTS:
            raise Refused(message("bot.name", text=text[:60]))
        read_spec(spec)
        found[name] = spec
    return found


def register_guest_bots(visitors: Mapping[str, str], say: Say) -> None:
    """Let them be chosen by name. They stand before ours: nobody has measured their strength."""
    coming: dict[str, Bot] = {name: GuestBot(spec, say) for name, spec in visitors.items()}
    all_of_them = {**coming, **{name: bot for name, bot in BOTS.items() if name not in coming}}
    BOTS.clear()
    BOTS.update(all_of_them)
