"""Programs that choose an action, by name."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from kibitz.bots import greedy, random
from kibitz.bots.api import Bot, SearchContext
from kibitz.bots.evaluations import anytime_policy_for
from kibitz.core.game import Seat, read_choice
from kibitz.games import GAMES

log = logging.getLogger(__name__)
LEVELS = ("level-1", "level-2", "level-3", "level-4", "level-5")
"""From somebody's first game to the best we have."""
MCTS = "mcts"
ANSWER_LIMITS_S: Mapping[str, float] = {**dict.fromkeys((MCTS, *LEVELS[:-1]), 1.0), LEVELS[-1]: 5.0}
"""Seconds from a question to its answer, also where it has to wait for others."""
MIN_THINK_S = 0.02
"""Seconds to think for whoever has waited too long."""


def has_engine(game: str) -> bool:
    """Whether somebody has thought hard about it; elsewhere whoever should is greedy."""
    return find_spec(_engine_module(game)) is not None


def _engine_module(game: str) -> str:
    return f"kibitz.bots.{game.replace('-', '_')}.levels"


def _engine_bot(name: str) -> Bot:
    """What it thinks with is imported when it is first asked: that takes a second or two."""

    def choose(view: Any, actions: Sequence[Any], think: SearchContext) -> Any:
        if not has_engine(think.game.name):
            return greedy.choose(view, actions, think)
        mind = import_module(_engine_module(think.game.name))
        bot: Bot = mind.mcts if name == MCTS else mind.LEVELS[LEVELS.index(name)]
        return bot(view, actions, think)

    return choose


BOTS: dict[str, Bot] = {
    "random": random.choose,
    "greedy": greedy.choose,
    **{name: _engine_bot(name) for name in (MCTS, *LEVELS)},
}
"""From the weakest to the strongest, more or less."""
BUILT_IN_BOTS = frozenset(BOTS)


def warm(bot: str, game: str) -> None:
    """Have loaded what a bot thinks with, so that the first question does not wait for it."""
    if bot in ANSWER_LIMITS_S and has_engine(game):
        import_module(_engine_module(game)).warm()


def bots_for_game(game: str) -> tuple[str, ...]:
    """Those of them that have something of their own to say about a game."""
    return tuple(bot for bot in BOTS if has_engine(game) or bot not in (MCTS, *LEVELS))


def choose_action(
    bot: str,
    game: str,
    options: Mapping[str, Any],
    view: Any,
    seat: Seat,
    texts: Sequence[str],
    seed: int,
    match: str = "",
    due: float | None = None,
) -> str:
    """The one of these texts that a bot plays. Everything here can travel to another process.

    `due` is when it has to be there, by the clock that all processes of a machine share. In place
    of a bot that is not here any more, or fails, plays greedy: no table waits for ever.
    """
    rules = GAMES[game].game(options)
    actions = [read_choice(rules, text) for text in texts]
    most = None if due is None else max(MIN_THINK_S, due - time.monotonic())
    think = SearchContext(rules, seat, Random(seed), match=match, max_seconds=most)
    try:
        chosen = BOTS.get(bot, greedy.choose)(view, actions, think)
    except Exception:
        log.exception("bot %s failed at %s", bot, rules.notation.write_view(view))
        chosen = greedy.choose(view, actions, think)
    return texts[actions.index(chosen)]


def choose_anytime_action(
    bot: str,
    game: str,
    options: Mapping[str, Any],
    view: Any,
    seat: Seat,
    texts: Sequence[str],
    seed: int,
) -> str | None:
    """The one of these anytime texts that a bot says now, if any; every bot has the same voice.

    Ask after each turn action, and again after each answer until there is none, leaving out of
    `texts` what the seat has said since that turn action: nothing is to be said twice.
    """
    voice = anytime_policy_for(game)
    if voice is None:
        return None
    rules = GAMES[game].game(options)
    actions = [rules.notation.read_action(text) for text in texts]
    said = voice(rules, view, seat, actions, Random(seed))
    return None if said is None else texts[actions.index(said)]
