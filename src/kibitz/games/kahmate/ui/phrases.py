"""Phrases about a man, a duel or a choice, for all other sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from kibitz.core.message import Message, Value, message
from kibitz.games.kahmate.actions import Action, Force, Kick, Pass, Step, Tackle
from kibitz.games.kahmate.board import name_of
from kibitz.games.kahmate.messages import KIND_MESSAGES
from kibitz.games.kahmate.rules import man_at, mover_at, points_of
from kibitz.games.kahmate.state import ATTACK, DEFENCE, State

VERBS: dict[type[Action], str] = {
    Step: "kahmate.can-run",
    Pass: "kahmate.can-pass",
    Kick: "kahmate.can-kick",
    Tackle: "kahmate.can-tackle",
    Force: "kahmate.can-force",
}


class ChosenMan(NamedTuple):
    """A man who was touched, and what he can do: all that is said of him then."""

    kind: str
    square: int
    points: int
    verbs: tuple[str, ...]
    id: str

    @property
    def message(self) -> Message:
        return self.message_at(name_of(self.square))

    @property
    def without_square(self) -> ChosenMan:
        """The same wherever he stands."""
        return self._replace(square=-1)

    def message_at(self, square: str) -> Message:
        """The words for him on a square by this name."""
        return _chosen_message(self.without_square, square)


@lru_cache(maxsize=1 << 12)
def _chosen_message(man: ChosenMan, square: str) -> Message:
    return message(
        man.id,
        "4",
        man=KIND_MESSAGES[man.kind],
        square=square,
        points=points_message(man.points),
        verbs=or_list([message(id) for id in man.verbs]),
    )


def chosen_man(state: State, square: int, plays: Iterable[Action]) -> ChosenMan:
    """The words for a man once he is touched; `plays` are all his."""
    kinds = {type(play) for play in plays}
    verbs = tuple(id for kind, id in VERBS.items() if kind in kinds)
    id = "kahmate.chosen"
    if square == state.ball:
        id = "kahmate.chosen-holder"
    elif len(state.movers) == 1 and not mover_at(state, square):
        id = "kahmate.chosen-second"
    return ChosenMan(man_at(state, square).kind, square, points_of(state, square), verbs, id)


def points_message(n: int) -> Message:
    return message("kahmate.points", n=n) if n else message("kahmate.points-none")


def or_list(choices: Sequence[Value]) -> Value:
    """This, that or the other."""
    *more, last = choices
    if not more:
        return last
    listed = more[0]
    for each in more[1:]:
        listed = message("kahmate.list", listed=listed, next=each)
    return message("kahmate.list-or", listed=listed, last=last)


def attack_text(state: State, square: int) -> str:
    return signed_text(ATTACK[man_at(state, square).kind])


def defence_text(state: State, square: int) -> str:
    return signed_text(DEFENCE[man_at(state, square).kind])


def signed_text(modifier: int) -> str:
    return f"{sign_of(modifier)}{abs(modifier)}" if modifier else "0"


def sign_of(modifier: int) -> str:
    return "\N{MINUS SIGN}" if modifier < 0 else "+"


def card_list(hand: Iterable[int]) -> str:
    return ", ".join(map(str, hand))
