"""Preparation (4): loosening pops, lots and colours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from kibitz.core.game import Event
from kibitz.core.message import Refusal, message
from kibitz.games.as_kimble.actions import Colour, Lot, WarmPop
from kibitz.games.as_kimble.board import SEAT_LETTERS, colours_from
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import Change
from kibitz.games.as_kimble.rules.turn import pops_granted, roll_motions
from kibitz.games.as_kimble.state import Colours, Die, Lots, Popping, State, side_of

NO_LOTS = Lots(((), (), (), ()))


def seats_due(lots: Lots) -> tuple[str, ...]:
    """The chairs that have to pop; none once lowest and highest are known."""
    first = _first_uneven_pop(lots)
    missing = [i for i, each in enumerate(lots.pops) if len(each) <= first]
    if not missing:
        for pick in (min, max):
            missing += _tied_seats(lots, first, pick)[1]
    return tuple(SEAT_LETTERS[i] for i in sorted(missing))


def lots_result(lots: Lots) -> Colours | None:
    """The choice of colours that the lots lead to, once nobody has to pop any more."""
    if seats_due(lots):
        return None
    (lowest,), (highest,) = (
        _tied_seats(lots, _first_uneven_pop(lots), pick)[0] for pick in (min, max)
    )
    return Colours(SEAT_LETTERS[lowest], SEAT_LETTERS[highest])


def _first_uneven_pop(lots: Lots) -> int:
    """The first pop in which not all four were alike, or which is not complete."""
    at = 0
    while all(len(each) > at for each in lots.pops) and len({each[at] for each in lots.pops}) == 1:
        at += 1
    return at


def _tied_seats(
    lots: Lots, at: int, pick: Callable[[Iterable[int]], int]
) -> tuple[list[int], list[int]]:
    """The seats left for the lowest or the highest, and those of them that must pop again."""
    *_, (at, tied) = _tie_rounds(lots, at, pick)
    return tied, [i for i in tied if len(tied) > 1 and len(lots.pops[i]) <= at]


def _tie_rounds(
    lots: Lots, at: int, pick: Callable[[Iterable[int]], int]
) -> Iterator[tuple[int, list[int]]]:
    """The seats left before each pop from this one on, as far as all of them have made it."""
    tied = list(range(len(SEAT_LETTERS)))
    yield at, tied
    while len(tied) > 1 and all(len(lots.pops[i]) > at for i in tied):
        best = pick(lots.pops[i][at] for i in tied)
        tied, at = [i for i in tied if lots.pops[i][at] == best], at + 1
        yield at, tied


def can_arise(lots: Lots) -> bool:
    """True if every pop was due when it was made; the order within a round does not matter."""
    most = [0] * len(SEAT_LETTERS)
    for pick in (min, max):
        for at, tied in _tie_rounds(lots, _first_uneven_pop(lots), pick):
            for i in tied:
                most[i] = max(most[i], at + (len(tied) > 1))
    return all(len(pops) <= asked for pops, asked in zip(lots.pops, most, strict=True))


def with_lot(lots: Lots, chair: str, face: int) -> Lots:
    index = SEAT_LETTERS.index(chair)
    pops = lots.pops
    return Lots((*pops[:index], (*pops[index], face), *pops[index + 1 :]))


def why_not_warm(state: State) -> Refusal | None:
    if state.phase == NO_LOTS:
        return None
    return message("as-kimble.warm-before", "4")


def loosen_dome(state: State, action: WarmPop) -> Change:
    told = message("as-kimble.warmed", "4", number=action.face)
    return replace(state, die=Die(action.face)), [Event(told)]


def why_not_lot(phase: Lots, action: Lot) -> Refusal | None:
    if action.seat_letter in seats_due(phase):
        return None
    return message("as-kimble.lot-not-due", "4", chair=action.seat_letter)


def draw_lot(options: Options, state: State, phase: Lots, action: Lot) -> Change:
    lots = with_lot(phase, action.seat_letter, action.face)
    told = message("as-kimble.lot", "4", chair=action.seat_letter, number=action.face)
    colours = lots_result(lots)
    events = [Event(told, roll_motions(options))]
    if colours:
        values = {"lowest": colours.lowest, "highest": colours.highest}
        events.append(Event(message("as-kimble.lots-decided", "4", **values)))
    return replace(state, die=Die(action.face), phase=colours or lots), events


def why_not_colour(phase: Colours, action: Colour) -> Refusal | None:
    if action.seat_letter == phase.lowest:
        return None
    return message("as-kimble.colour-chooser", "4", chair=phase.lowest)


def choose_colour(state: State, phase: Colours, action: Colour) -> Change:
    teams = colours_from(action.seat_letter, action.team)
    first = teams[phase.highest]
    taken = message(f"as-kimble.seat-{action.team}")
    told = message("as-kimble.colours", "4", chair=action.seat_letter, colour=taken, seat=first)
    return replace(state, phase=Popping(first, pops_granted(side_of(state, first)))), [Event(told)]
