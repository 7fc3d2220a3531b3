"""Programs that choose an action, by name."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from kibitz.bots import greedy, random
from kibitz.bots.api import Bot, SearchContext
from kibitz.bots.evaluations import anytime_policy_for
from kibitz.bots.question import Question
from kibitz.core.game import read_choice

log = logging.getLogger(__name__)
LEVELS = ("level-1", "level-2", "level-3", "level-4", "level-5")
"""From somebody's first game to the best we have."""
MCTS = "mcts"
ANSWER_LIMITS_S: Mapping[str, float] = {**dict.fromkeys((MCTS, *LEVELS[:-1]), 1.0), LEVELS[-1]: 5.0}
"""Seconds from a question to its answer, also where it has to wait for others."""


def has_engine(game: str) -> bool:
    """True if a game has an engine; elsewhere its levels play as greedy does."""
    return find_spec(_engine_package(game)) is not None


def _engine_package(game: str) -> str:
    return f"kibitz.bots.{game.replace('-', '_')}"


def _engine_module(game: str) -> str:
    return f"{_engine_package(game)}.levels"


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


def choose_action(question: Question) -> str:
    """The one of its texts that a bot plays.

    In place of a bot that is not here any more, or fails, plays greedy: no table waits for ever.
    """
    think = question.search_context()
    actions = [read_choice(think.game, text) for text in question.texts]
    try:
        chosen = BOTS.get(question.bot, greedy.choose)(question.view, actions, think)
    except Exception:
        position = think.game.notation.write_view(question.view)
        log.exception("bot %s failed at %s", question.bot, position)
        chosen = greedy.choose(question.view, actions, think)
    return question.texts[actions.index(chosen)]


def choose_anytime_action(question: Question) -> str | None:
    """The one of its anytime texts that a bot says now, if any; every bot has the same voice.

    Ask after each turn action, and again after each answer until there is none, leaving out of
    `texts` what the seat has said since that turn action: nothing is to be said twice.
    """
    voice = anytime_policy_for(question.game)
    if voice is None:
        return None
    think = question.search_context()
    actions = [read_choice(think.game, text) for text in question.texts]
    said = voice(think.game, question.view, question.seat, actions, think.rng)
    return None if said is None else question.texts[actions.index(said)]
