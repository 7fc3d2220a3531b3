"""Two captains of Kahmaté who play a match to its end: Red runs for the line, Blue is in the way.

They know the rules, but act through whatever shell they sit at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from kibitz.core.game import Offer, Seat
from kibitz.games import GAMES
from kibitz.games.kahmate.board import name_of
from kibitz.games.kahmate.rules import holder, modifiers
from kibitz.games.kahmate.state import Duelling, State
from kibitz.i18n import say_in
from kibitz.table import Table, open_table

OPTIONS = {**GAMES["kahmate"].preset, "tries": 3}
GAME = GAMES["kahmate"].game(OPTIONS)
NAMES = {"R": "Red", "B": "Blue"}
say = say_in("en", NAMES)
EVERYTHING = frozenset(
    ("hand-over", "line-up", "placed", "run", "end", "pass", "tackle", "card", "tie", "try")
)
"""What a match shows."""
MOST_TACKLES = 2
"""So many, and Blue is tired of it."""


class Captains:
    def __init__(self) -> None:
        self.done: Counter[str] = Counter()
        """How often each kind of thing was done."""
        self._answer = 0
        """What the other one puts down."""

    def choose(self, position: str) -> Offer:
        """What the one whose turn it is does, where all is open."""
        table = open_table(GAME, position)
        (seat,) = GAME.rules.to_act(table.state)
        offer = self._offer(table, seat)
        self.done[offer.kind] += 1
        return offer

    def card(self, position: str, hand: Collection[int]) -> int:
        """Red puts down high cards and Blue low ones; the first time they tie if they can."""
        if "?" in position:  # the other card lies face down already
            return self._answer if self._answer in hand else min(hand)
        table = open_table(GAME, position)
        state: State = table.state
        duel, seat = state.phase, state.turn
        assert isinstance(duel, Duelling)
        self.done["tie" if duel.round == 2 else "card"] += 1
        mine, theirs = state.hands if seat == "R" else state.hands[::-1]
        attack, defence = modifiers(state.field, duel)
        ties = [(a, d) for a in mine for d in theirs if a + attack == d + defence]
        if ties and not self.done["tie"] and duel.round == 1:
            wanted, self._answer = ties[0]
        else:
            self._answer = max(theirs) if seat == "B" else min(theirs)
            wanted = max(mine) if seat == "R" else min(mine)
        return wanted if wanted in hand else min(hand)  # it is the other one who is asked

    def _offer(self, table: Table[Any, Any, Any], seat: Seat) -> Offer:
        offers = [offer for offer in table.offers(seat) if offer.kind != "kick"]
        ahead = 1 if seat == "R" else -1

        def furthest(*kinds: str) -> Offer | None:
            of_kind = [offer for offer in offers if offer.kind in kinds]
            return max(of_kind, key=lambda offer: ahead * _file(offer.path[-1]), default=None)

        if found := furthest("try") or furthest("exit", "drop"):
            return found
        eager = seat == "R" or self.done["tackle"] < MOST_TACKLES
        if eager and (found := furthest("tackle", "intercept")):
            return found
        if seat == "B":
            return next(offer for offer in offers if offer.kind in ("end", "decline"))
        if not self.done["pass"] and (found := furthest("pass")):
            return found
        assert table.state.ball is not None
        ball = f"sq-{name_of(table.state.ball)}"
        runs = [offer for offer in offers if offer.kind in ("step", "run")]
        carried = [o for o in runs if o.path[0] == ball and _file(o.path[1]) > _file(ball)]
        fetched = [o for o in runs if o.path[1] == ball]
        nearer = [o for o in runs if _far(o.path[1], ball) < _far(o.path[0], ball) > 1]
        if carried:
            return max(carried, key=lambda offer: _file(offer.path[1]))
        if fetched:
            return fetched[0]
        if found := furthest("force"):
            return found
        if nearer and not holder(table.state):
            return min(nearer, key=lambda offer: _far(offer.path[1], ball))
        return next(offer for offer in offers if offer.kind == "end")


def _file(place: str) -> int:
    return ord(place[3])


def _far(one: str, other: str) -> int:
    return abs(_file(one) - _file(other)) + abs(int(one[4]) - int(other[4]))
