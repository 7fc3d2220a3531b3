"""Offers for mishaps of a real dome (12.2): one button, then what it was, then the face.

None of it is in a list of legal actions, so it is found here from the position.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from kibitz.core.game import Offer, Viewer
from kibitz.core.message import Message, message
from kibitz.games.as_kimble.actions import (
    Action,
    Church,
    SilentLot,
    SilentPop,
    StickyLot,
    StickyPop,
    StrayPop,
    WarmPop,
)
from kibitz.games.as_kimble.board import SEAT_LETTERS, TEAMS, home_place
from kibitz.games.as_kimble.notation import write_action
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules import resolve, why_not
from kibitz.games.as_kimble.rules.dispatch import FACES
from kibitz.games.as_kimble.rules.rulings import is_pop_due
from kibitz.games.as_kimble.state import Colours, GameOver, Lots, Popping, State
from kibitz.games.as_kimble.ui.phrases import in_sequence

Mishap: TypeAlias = Church | SilentPop | SilentLot | StickyPop | StickyLot | StrayPop | WarmPop
MISHAP_BUTTON, WARM_BUTTON = "btn-mishap", "btn-warm"
CHURCH_BUTTON, SILENT_BUTTON, STICKY_BUTTON = "btn-church", "btn-silent", "btn-sticky"


def mishap_offers(options: Options, state: State, viewer: Viewer) -> Iterator[Offer]:
    """The offers to whoever sits at a table with a real board and saw something."""
    if options.mode != "companion" or viewer not in TEAMS:
        return
    is_preparing = isinstance(state.phase, Lots)
    for mishap in _lot_mishaps(state, viewer) if is_preparing else _mishaps():
        if why_not(options, state, viewer, mishap) is None:
            yield _mishap_offer(options, state, viewer, mishap)


def _lot_mishaps(state: State, viewer: Viewer) -> Iterator[Mishap]:
    """Those of a chair's starting pop, where it is due (R31), and the pops that loosen the dome."""
    yield from map(WarmPop, FACES)
    chair = _chair_of(viewer)
    if is_pop_due(state, chair):
        yield from (Church(), StickyLot(chair))
        yield from (SilentLot(chair, face) for face in FACES)


def _mishaps() -> Iterator[Mishap]:
    yield Church()
    yield from map(StickyPop, TEAMS)
    for team in TEAMS:
        yield from (SilentPop(team, face) for face in FACES)
        yield from (StrayPop(team, face) for face in FACES)


def _mishap_offer(options: Options, state: State, viewer: Viewer, mishap: Mishap) -> Offer:
    text, first = (write_action(mishap),), mishap_prompt(state)
    match mishap:
        case Church():
            label = message("as-kimble.offer-church", "12.2")
            said = message("as-kimble.mishap-church", "12.2")
            return Offer(text, (MISHAP_BUTTON, CHURCH_BUTTON), "church", label, (first, said))
        case StickyPop() | StickyLot():
            assert state.die.face is not None
            label = message("as-kimble.offer-sticky", "12.2", number=state.die.face)
            said = _popper_message("sticky", mishap, state.die.face)
            return Offer(text, (MISHAP_BUTTON, STICKY_BUTTON), "sticky", label, (first, said))
        case SilentPop(face=face) | SilentLot(face=face):
            label = message("as-kimble.offer-silent", "12.2", number=face)
            said = _popper_message("silent", mishap, face)
            return Offer(text, (MISHAP_BUTTON, SILENT_BUTTON), "silent", label, (first, said))
        case StrayPop(team, face):
            label = message("as-kimble.offer-stray", "12.2", seat=team, number=face)
            said = message("as-kimble.mishap-popped", "12.2", seat=team, number=face)
            if wanted := resolve(options, state, viewer, mishap).state.die.wanted_face:
                said = in_sequence(said, message("as-kimble.then-reset", "12.2", number=wanted))
            return Offer(text, (MISHAP_BUTTON, home_place(team)), "stray", label, (first, said))
        case WarmPop(face):
            label = message("as-kimble.offer-warm", "4", number=face)
            said = message("as-kimble.warm", "4", number=face)
            return Offer(text, (WARM_BUTTON,), "warm", label, (said,))


def _popper_message(
    kind: str, mishap: SilentPop | SilentLot | StickyPop | StickyLot, face: int
) -> Message:
    """The sentence of a mishap, about a team or, before colours are known, about a chair."""
    if isinstance(mishap, SilentLot | StickyLot):
        chair = mishap.seat_letter
        return message(f"as-kimble.mishap-{kind}-lot", "12.2", chair=chair, number=face)
    return message(f"as-kimble.mishap-{kind}", "12.2", seat=mishap.team, number=face)


def mishap_prompt(state: State) -> Message:
    """The question of the first button: where no pop is due, a team popped out of turn."""
    if isinstance(state.phase, Lots):
        return message("as-kimble.mishap-lot", "12.2")
    return message("as-kimble.mishap" if is_pop_due(state) else "as-kimble.mishap-stray", "12.2")


def mishap_intent(
    options: Options, state: State, seat: Viewer, path: tuple[str, ...]
) -> Action | Message | None:
    """The action that one of these buttons was for; None where it was another button."""
    first, second = (*path, "", "")[:2]
    if second.startswith("btn-"):
        first, second = second, ""
    if first not in (MISHAP_BUTTON, WARM_BUTTON, CHURCH_BUTTON, SILENT_BUTTON, STICKY_BUTTON):
        return None
    if options.mode != "companion":
        return message("as-kimble.real-board-only", "12.2")
    team, chair = state.phase.team if isinstance(state.phase, Popping) else seat, _chair_of(seat)
    is_preparing = isinstance(state.phase, Lots)
    known: dict[str, Mishap] = {home_place(each): StrayPop(each, 1) for each in TEAMS}
    known |= {
        WARM_BUTTON: WarmPop(1),
        CHURCH_BUTTON: Church(),
        SILENT_BUTTON: SilentLot(chair, 1) if is_preparing else SilentPop(team, 1),
        STICKY_BUTTON: StickyLot(chair) if is_preparing else StickyPop(team),
    }
    if found := known.get(second if first == MISHAP_BUTTON else first):
        return found
    if is_preparing and is_pop_due(state, chair):
        return mishap_prompt(state)
    if isinstance(state.phase, Lots | Colours | GameOver):
        return StrayPop(TEAMS[0], 1)
    return mishap_prompt(state)


def _chair_of(seat: Viewer) -> str:
    return SEAT_LETTERS[TEAMS.index(seat)]
