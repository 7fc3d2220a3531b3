"""Preparation (4): loosening pops, lots and colours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from kibitz.core.game import Event
from kibitz.core.message import Refusal, message
from kibitz.games.as_kimble.actions import Colour, Lot, Warm
from kibitz.games.as_kimble.board import CHAIRS, colours_from
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import Change
from kibitz.games.as_kimble.rules.turn import pops_granted, rolled
from kibitz.games.as_kimble.state import Colours, Die, Lots, Popping, State, side_of

NO_LOTS = Lots(((), (), (), ()))


def due(lots: Lots) -> tuple[str, ...]:
    """Which chairs have to pop; nobody once lowest and highest are known."""
    first = _uneven(lots)
    missing = [i for i, each in enumerate(lots.pops) if len(each) <= first]
    if not missing:
        for pick in (min, max):
            missing += _left(lots, first, pick)[1]
    return tuple(CHAIRS[i] for i in sorted(missing))


def decided(lots: Lots) -> Colours | None:
    """Who chooses a colour and who begins, once nobody is due."""
    if due(lots):
        return None
    (lowest,), (highest,) = (_left(lots, _uneven(lots), pick)[0] for pick in (min, max))
    return Colours(CHAIRS[lowest], CHAIRS[highest])


def _uneven(lots: Lots) -> int:
    """The first pop in which not all four were alike, or which is not complete."""
    at = 0
    while all(len(each) > at for each in lots.pops) and len({each[at] for each in lots.pops}) == 1:
        at += 1
    return at


def _left(lots: Lots, at: int, pick: Callable[[Iterable[int]], int]) -> tuple[list[int], list[int]]:
    """Who is left for the lowest or the highest, and who of them must pop again."""
    *_, (at, tied) = _rounds(lots, at, pick)
    return tied, [i for i in tied if len(tied) > 1 and len(lots.pops[i]) <= at]


def _rounds(
    lots: Lots, at: int, pick: Callable[[Iterable[int]], int]
) -> Iterator[tuple[int, list[int]]]:
    """Who is left before each pop from this one on, as far as all of them have made it."""
    tied = list(range(len(CHAIRS)))
    yield at, tied
    while len(tied) > 1 and all(len(lots.pops[i]) > at for i in tied):
        best = pick(lots.pops[i][at] for i in tied)
        tied, at = [i for i in tied if lots.pops[i][at] == best], at + 1
        yield at, tied


def can_arise(lots: Lots) -> bool:
    """Whether every pop was due when it was made; the order within a round does not matter."""
    most = [0] * len(CHAIRS)
    for pick in (min, max):
        for at, tied in _rounds(lots, _uneven(lots), pick):
            for i in tied:
                most[i] = max(most[i], at + (len(tied) > 1))
    return all(len(pops) <= asked for pops, asked in zip(lots.pops, most, strict=True))


def with_lot(lots: Lots, chair: str, face: int) -> Lots:
    index = CHAIRS.index(chair)
    pops = lots.pops
    return Lots((*pops[:index], (*pops[index], face), *pops[index + 1 :]))


def why_not_warm(state: State) -> Refusal | None:
    if state.phase == NO_LOTS:
        return None
    return message("as-kimble.warm-before", "4")


def warm(state: State, action: Warm) -> Change:
    told = message("as-kimble.warmed", "4", number=action.face)
    return replace(state, die=Die(action.face)), [Event(told)]


def why_not_lot(phase: Lots, action: Lot) -> Refusal | None:
    if action.chair in due(phase):
        return None
    return message("as-kimble.lot-not-due", "4", chair=action.chair)


def draw_lot(options: Options, state: State, phase: Lots, action: Lot) -> Change:
    lots = with_lot(phase, action.chair, action.face)
    told = message("as-kimble.lot", "4", chair=action.chair, number=action.face)
    colours = decided(lots)
    events = [Event(told, rolled(options))]
    if colours:
        values = {"lowest": colours.lowest, "highest": colours.highest}
        events.append(Event(message("as-kimble.lots-decided", "4", **values)))
    return replace(state, die=Die(action.face), phase=colours or lots), events


def why_not_colour(phase: Colours, action: Colour) -> Refusal | None:
    if action.chair == phase.lowest:
        return None
    return message("as-kimble.colour-chooser", "4", chair=phase.lowest)


def choose_colour(state: State, phase: Colours, action: Colour) -> Change:
    teams = colours_from(action.chair, action.team)
    first = teams[phase.highest]
    taken = message(f"as-kimble.seat-{action.team}")
    told = message("as-kimble.colours", "4", chair=action.chair, colour=taken, seat=first)
    return replace(state, phase=Popping(first, pops_granted(side_of(state, first)))), [Event(told)]
