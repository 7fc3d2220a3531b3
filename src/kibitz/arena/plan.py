"""The plan of an arena: pairings, seats and openings.

An opening is played by the same bots once in every order around the table, with the same dice as
far as they have the same things to decide. What it favours, it favours for all of them alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from random import Random
from typing import Any, TypeAlias

from kibitz.bots.registry import BOTS, bots_for_game
from kibitz.bots.spec import read_spec
from kibitz.core.game import Game
from kibitz.core.message import Refused, message
from kibitz.games import GAMES

DEFAULT_PLIES = 4
"""Random plies that begin an opening where no chance makes games differ."""
Lineup: TypeAlias = tuple[int, ...]
"""The bots at the seats, in the order of seats, by their number in the plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaPlan:
    """The matches to be played. Everything in it can travel to another process, and is JSON."""

    game: str
    options: Mapping[str, Any]
    bots: tuple[str, ...]
    """As they were typed (bots.spec)."""
    games: int = 100
    """Of each pairing; made up to whole openings."""
    seed: int = 1
    gauntlet: bool = False
    """True if the first plays each of the others, and nobody else anybody."""
    plies: int = 0
    """The number of random actions that begin an opening, those of chance not counted."""
    evaluations: bool = False
    """True if records tell what bots thought of their choices (`kibitz dataset`)."""
    forgets: bool = False
    """True if bots forget what they should say, as they do at a table."""

    def build_game(self) -> Game[Any, Any, Any]:
        return GAMES[self.game].game(self.options)

    @property
    def seat_count(self) -> int:
        return len(self.build_game().seats)

    @property
    def json(self) -> dict[str, Any]:
        told = {**asdict(self), "options": dict(self.options), "bots": list(self.bots)}
        for name in ("evaluations", "forgets"):
            if not told[name]:
                del told[name]  # Folders from before there was such a thing go on.
        return told


@dataclass(frozen=True, slots=True)
class Match:
    number: int
    opening: int
    lineup: Lineup
    pairing: Lineup
    """The two that play each other, whatever the order."""


def check_plan(plan: ArenaPlan, least_bots: int = 2) -> None:
    """Raises Refused where this cannot be played."""
    game = plan.build_game()
    for text in plan.bots:
        who = read_spec(text).who
        if who in BOTS and who not in bots_for_game(game.name):
            raise Refused(message("cli.bot", bot=who, bots=", ".join(bots_for_game(game.name))))
    if len(plan.bots) < least_bots:
        raise Refused(message("arena.two-bots"))
    if twice := [text for text in plan.bots if plan.bots.count(text) > 1]:
        raise Refused(message("arena.twice", bot=twice[0][:60]))
    if game.companion is not None:
        raise Refused(message("arena.digital"))


def default_plies(game: Game[Any, Any, Any]) -> int:
    return 0 if game.policy.has_chance else DEFAULT_PLIES


def schedule(plan: ArenaPlan) -> Iterator[Match]:
    """All matches. More games of the same plan begin with these, under the same numbers.

    A bot alone plays itself, each opening once: all orders around the table are the same.
    """
    seats, number = plan.seat_count, 0
    orders = seats if len(plan.bots) > 1 else 1
    for opening in range(-(-plan.games // orders)):
        for pairing in _pairings(plan, seats, opening):
            for turn in range(orders):
                lineup = (*pairing[turn:], *pairing[:turn])
                yield Match(number, opening, lineup, tuple(sorted(pairing)))
                number += 1


def _pairings(plan: ArenaPlan, seats: int, opening: int) -> Iterator[Lineup]:
    """The line-ups for an opening, in one of their orders."""
    others = range(1, len(plan.bots))
    if len(plan.bots) == 1:
        yield (0,) * seats
    elif plan.gauntlet:
        yield from ((0, *[other] * (seats - 1)) for other in others)
    elif seats == 2:
        yield from combinations(range(len(plan.bots)), 2)
    else:
        yield tuple(
            _bot_from_bag(plan, seat) for seat in range(seats * opening, seats * (opening + 1))
        )


def _bot_from_bag(plan: ArenaPlan, index: int) -> int:
    """Bots drawn from a bag that is filled again when it is empty, so that all play alike often."""
    bags, at = divmod(index, len(plan.bots))
    bag = list(range(len(plan.bots)))
    Random(f"{plan.seed}/bag/{bags}").shuffle(bag)
    return bag[at]
