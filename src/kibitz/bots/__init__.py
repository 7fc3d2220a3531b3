"""Programs that choose an action, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from kibitz.bots import greedy, random
from kibitz.bots.evaluations import voice_in
from kibitz.bots.thinking import PRESS, Bot, Think
from kibitz.core.game import Seat
from kibitz.games import GAMES

BOTS: dict[str, Bot] = {"random": random.choose, "greedy": greedy.choose}
"""From the weakest to the strongest."""


def choose(
    bot: str,
    game: str,
    options: Mapping[str, Any],
    view: Any,
    seat: Seat,
    texts: Sequence[str],
    seed: int,
    match: str = "",
) -> str:
    """The one of these texts that a bot plays. Everything here can travel to another process.

    In place of one that is not here any more plays greedy.
    """
    rules = GAMES[game].game(options)
    actions = [PRESS if text == PRESS else rules.read_action(text) for text in texts]
    think = Think(rules, seat, Random(seed), match=match)
    return texts[actions.index(BOTS.get(bot, greedy.choose)(view, actions, think))]


def speak(
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
    voice = voice_in(game)
    if voice is None:
        return None
    rules = GAMES[game].game(options)
    actions = [rules.read_action(text) for text in texts]
    said = voice(rules, view, seat, actions, Random(seed))
    return None if said is None else texts[actions.index(said)]
