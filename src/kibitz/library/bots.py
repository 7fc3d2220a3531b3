"""Bots for a program that plays a match."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from kibitz.core.game import write_choice
from kibitz.core.message import Refused, message
from kibitz.library.match import Match
from kibitz.library.words import refusals_in_words
from kibitz.table.autoplay import BotTurn, next_turn


def bot(
    choose: str | Callable[..., Any],
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    seed: int | None = None,
) -> Callable[..., str]:
    """A function of a match: the action that this bot plays for whoever is to act, as a text.

    `choose` is the name of a bot (`kibitz bots` lists them) or a function of your own,
    `choose(view, actions, think)`. With a number of nodes and a seed it answers alike every time.
    It sees the view of its seat, nothing else. An empty text lets the die fall.

    >>> import kibitz
    >>> match, greedy = kibitz.Match(name, seed=1), kibitz.bot("greedy", nodes=100, seed=1)
    >>> if match.to_act == ("chance",):
    ...     match.roll()
    >>> text = greedy(match)
    >>> text == kibitz.bot("greedy", nodes=100, seed=1)(match)
    True
    >>> match.play(match.to_act[0], text)
    """
    from kibitz.bots.api import SearchContext
    from kibitz.bots.registry import BOTS

    if isinstance(choose, str):
        with refusals_in_words():
            if choose not in BOTS:
                raise Refused(message("cli.bot", bot=choose[:60], bots=", ".join(BOTS)))
        choose = BOTS[choose]
    function, rng = choose, Random(seed)

    def play(match: Match, seat: str | None = None) -> str:
        """The action for this seat, else for the first that has something to do."""
        table = match.table
        turn = next_turn(table, table.game.seats if seat is None else (seat,))
        if not isinstance(turn, BotTurn):
            raise ValueError("no seat is to act here: the match is over, or it is for chance")
        context = SearchContext(table.game, turn.seat, rng, seconds, nodes)
        view, actions = table.view(turn.seat), list(turn.actions)
        chosen = actions[0] if len(actions) == 1 else function(view, actions, context)
        if chosen not in actions:
            raise ValueError(f"the bot chose {chosen!r}, which is not legal")
        return write_choice(table.game, chosen)

    return play
