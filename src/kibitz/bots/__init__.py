"""Programs that choose an action, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

from kibitz.bots import greedy, random
from kibitz.bots.evaluations import voice_in
from kibitz.core.game import Game, Seat
from kibitz.games import GAMES

Bot: TypeAlias = Callable[[Game[Any, Any, Any], Any, Seat, Sequence[Any], Random], Any]
"""(game, view, seat, actions, rng) -> one of the actions; PRESS may be among them."""
PRESS = ""
"""What stands among texts and actions for letting chance speak, where a seat may do that or act."""

BOTS: dict[str, Bot] = {"random": random.play, "greedy": greedy.play}
"""From the weakest to the strongest."""


def choose(
    bot: str,
    game: str,
    options: Mapping[str, Any],
    view: Any,
    seat: Seat,
    texts: Sequence[str],
    seed: int,
) -> str:
    """The one of these texts that a bot plays. Everything here can travel to another process."""
    rules = GAMES[game].game(options)
    actions = [PRESS if text == PRESS else rules.read_action(text) for text in texts]
    return texts[actions.index(BOTS[bot](rules, view, seat, actions, Random(seed)))]


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
