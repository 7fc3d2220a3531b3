"""What is said of a man, a duel or a choice, wherever it is said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kibitz.core.message import Message, Value, message
from kibitz.games.kahmate.actions import Action, Force, Kick, Pass, Step, Tackle
from kibitz.games.kahmate.board import name_of
from kibitz.games.kahmate.rules import kind_of, man_at, mover_at, points_of
from kibitz.games.kahmate.state import ATTACK, DEFENCE, State

VERBS: dict[type[Action], str] = {
    Step: "kahmate.can-run",
    Pass: "kahmate.can-pass",
    Kick: "kahmate.can-kick",
    Tackle: "kahmate.can-tackle",
    Force: "kahmate.can-force",
}


def chosen(state: State, square: int, plays: Iterable[Action]) -> Message:
    """What a man can do, once he is touched; `plays` are all his."""
    kinds = {type(play) for play in plays}
    values: dict[str, Value] = {
        "man": kind_of(man_at(state, square)),
        "square": name_of(square),
        "points": points(points_of(state, square)),
        "verbs": one_of([message(id) for kind, id in VERBS.items() if kind in kinds]),
    }
    if square == state.ball:
        return message("kahmate.chosen-holder", "4", **values)
    if len(state.movers) == 1 and not mover_at(state, square):
        return message("kahmate.chosen-second", "4", **values)
    return message("kahmate.chosen", "4", **values)


def points(n: int) -> Message:
    return message("kahmate.points", n=n) if n else message("kahmate.points-none")


def one_of(choices: Sequence[Value]) -> Value:
    """This, that or the other."""
    *more, last = choices
    if not more:
        return last
    listed = more[0]
    for each in more[1:]:
        listed = message("kahmate.list", listed=listed, next=each)
    return message("kahmate.list-or", listed=listed, last=last)


def attack(state: State, square: int) -> str:
    return signed(ATTACK[man_at(state, square).kind])


def defence(state: State, square: int) -> str:
    return signed(DEFENCE[man_at(state, square).kind])


def signed(modifier: int) -> str:
    return f"{sign(modifier)}{abs(modifier)}" if modifier else "0"


def sign(modifier: int) -> str:
    return "\N{MINUS SIGN}" if modifier < 0 else "+"


def cards(hand: Iterable[int]) -> str:
    return ", ".join(map(str, hand))
