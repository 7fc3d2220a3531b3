"""Bots that somebody brings to a table beside ours. A table never waits for one that fails."""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kibitz.bots import greedy
from kibitz.bots.api import Bot, Think
from kibitz.bots.player import Forfeit, Player
from kibitz.bots.registry import BOTS, OURS
from kibitz.bots.spec import player_for, read_spec
from kibitz.core.game import Seat
from kibitz.core.message import Refused, Say, message

log = logging.getLogger(__name__)
MOST = 8
"""Programs that one bot may have running, each at a seat of some match; the latest stay."""
_NAME = re.compile("[a-z][a-z0-9-]{0,23}")


class Visitor:
    """Plays at any number of tables. Where it has no answer, greedy has one."""

    def __init__(self, text: str, say: Say) -> None:
        self._spec, self._say = read_spec(text), say
        self._playing: OrderedDict[tuple[str, Seat], Player] = OrderedDict()

    def __call__(self, view: Any, actions: Sequence[Any], think: Think) -> Any:
        key = think.match, think.seat
        player = self._playing.pop(key, None) or player_for(self._spec, self._say)
        own = self._spec.think(think.game, think.seat, think.rng)
        try:
            chosen = player.choose(view, actions, own)
        except Forfeit as lost:
            log.warning("bot %s: %s", self._spec.text, self._say(lost.why))
            self._let_go(player)
            return greedy.choose(view, actions, think)
        think.thoughts = own.thoughts
        self._playing[key] = player
        if len(self._playing) > MOST:
            self._let_go(self._playing.popitem(last=False)[1])
        return chosen

    def _let_go(self, player: Player) -> None:
        for line in player.end(None):
            log.info("bot %s wrote: %s", self._spec.text, line)


def named(texts: Iterable[str]) -> dict[str, str]:
    """`NAME=SPEC` each, the name not one of ours."""
    found = {}
    for text in texts:
        name, _, spec = text.partition("=")
        if not spec or not _NAME.fullmatch(name) or name in OURS:
            raise Refused(message("bot.name", text=text[:60]))
        read_spec(spec)
        found[name] = spec
    return found


def admit(visitors: Mapping[str, str], say: Say) -> None:
    """Let them be chosen by name. They stand before ours: nobody has measured their strength."""
    coming: dict[str, Bot] = {name: Visitor(spec, say) for name, spec in visitors.items()}
    all_of_them = {**coming, **{name: bot for name, bot in BOTS.items() if name not in coming}}
    BOTS.clear()
    BOTS.update(all_of_them)
