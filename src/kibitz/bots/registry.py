"""Programs that choose an action, by name."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.bots import greedy, random
from kibitz.bots.api import AnytimePolicy, Bot, SearchContext
from kibitz.bots.compilation import runs_compiled
from kibitz.bots.question import Question
from kibitz.core.game import read_choice
from kibitz.games import GAMES, extra_of
from kibitz.games.entry_points import Registry

log = logging.getLogger(__name__)
LEVELS = ("level-1", "level-2", "level-3", "level-4", "level-5", "level-6")
"""From somebody's first game to the best we have."""
SUGGESTED_LEVEL = LEVELS[1]
"""The opponent of whoever has not chosen: nobody likes to lose the first match."""
COMPARED_LEVEL = LEVELS[4]
"""The level whose choices those of people are compared with, and whose search is measured."""
MCTS = "mcts"
NAME_PATTERN = re.compile(r"[a-z][a-z0-9-]{0,23}(\.[a-z0-9-]{1,24})?")
"""Of bots that others bring; what stands before a dot is the one game that it plays."""
ANSWER_LIMITS_S: Mapping[str, float] = {
    **dict.fromkeys((MCTS, *LEVELS[:4]), 1.0),
    **dict.fromkeys(LEVELS[4:], 5.0),
}
"""Seconds from a question to its answer, also where it has to wait for others."""


def has_engine(game: str) -> bool:
    """True if a game has an engine; elsewhere its levels play as greedy does."""
    return game in GAMES and "bots" in GAMES[game].extras


def anytime_policy_for(game: str) -> AnytimePolicy | None:
    """A function for calls out of turn; None in a game where bots only take their turns."""
    calls = extra_of(game, "calls")
    return calls.choose_anytime if calls else None


def _engine_bot(name: str) -> Bot:
    """A bot whose engine is imported when it is first asked: that takes a second or two."""

    def choose(view: Any, actions: Sequence[Any], think: SearchContext) -> Any:
        if not has_engine(think.game.name):
            return greedy.choose(view, actions, think)
        engine = extra_of(think.game.name, "bots")
        bot: Bot = engine.mcts if name == MCTS else engine.LEVELS[LEVELS.index(name)]
        return bot(view, actions, think)

    return choose


def _check_bot(name: str, found: object) -> None:
    if not callable(found) or not NAME_PATTERN.fullmatch(name):
        raise TypeError("not a function with a name in small letters")


_OURS: Mapping[str, Bot] = {
    "random": random.choose,
    "greedy": greedy.choose,
    **{name: _engine_bot(name) for name in (MCTS, *LEVELS)},
}
BUILT_IN_BOTS = frozenset(_OURS)
BOTS: Registry[Bot] = Registry(_OURS, "kibitz.bots", _check_bot)
"""From the weakest to the strongest, more or less, and those of other packages."""


def warm(bot: str, game: str) -> None:
    """Have loaded what a bot thinks with, so that the first question does not wait for it."""
    engine = extra_of(game, "bots") if bot in BUILT_IN_BOTS - {"random"} else None
    if engine and bot in ANSWER_LIMITS_S and runs_compiled():
        engine.warm()


def bots_for_game(game: str) -> tuple[str, ...]:
    """Those of them that have something of their own to say about a game."""
    ours = BUILT_IN_BOTS if has_engine(game) else BUILT_IN_BOTS - {MCTS, *LEVELS}
    return tuple(
        bot
        for bot in BOTS
        if bot in ours or (bot not in BUILT_IN_BOTS and bot.partition(".")[0] in (bot, game))
    )


def choose_action(question: Question) -> str:
    """The one of its texts that a bot plays.

    In place of a bot that is not here any more plays greedy, and where one fails what needs no
    engine: no table waits for ever.
    """
    think = question.search_context()
    actions = [read_choice(think.game, text) for text in question.texts]
    try:
        chosen = BOTS.get(question.bot, greedy.choose)(question.view, actions, think)
    except Exception:
        position = think.game.notation.write_view(question.view)
        log.exception("bot %s failed at %s", question.bot, position)
        chosen = greedy.choose_by_score(question.view, actions, think)
    return question.texts[actions.index(chosen)]


def choose_anytime_action(question: Question) -> str | None:
    """The one of its anytime texts that a bot says now, if any; every bot has the same voice,
    and the weaker ones forget more.

    Ask after each turn action, and again after each answer until there is none, leaving out of
    `texts` what the seat has said since that turn action: nothing is to be said twice.
    """
    voice = anytime_policy_for(question.game)
    if voice is None:
        return None
    think = question.search_context()
    actions = [read_choice(think.game, text) for text in question.texts]
    said = voice(think.game, question.view, question.seat, actions, think.rng, question.bot)
    return None if said is None else question.texts[actions.index(said)]


def agrees_to_ruling(question: Question) -> bool:
    """True if a bot agrees to the ruling that is the question's only text, where only bots can.

    Where its game has no view of that, and where it fails, it does: no table waits for ever.
    """
    policy = getattr(extra_of(question.game, "calls"), "agrees_to_ruling", None)
    if policy is None:
        return True
    game = question.search_context().game
    try:
        ruling = game.notation.read_action(question.texts[0])
        return bool(policy(game, question.view, question.seat, ruling, question.bot))
    except Exception:
        log.exception("bot %s has no answer to %s", question.bot, question.texts[0])
        return True
