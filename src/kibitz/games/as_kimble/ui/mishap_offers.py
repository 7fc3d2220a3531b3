"""What happens to a real dome (12.2): by one button, then what it was, then the face.

None of it is in a list of legal actions, so it is found here from the position.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from kibitz.core.game import Offer, Viewer
from kibitz.core.message import Message, message
from kibitz.games.as_kimble.actions import Action, Church, Silent, Sticky, Stray, Warm
from kibitz.games.as_kimble.board import TEAMS, home_place
from kibitz.games.as_kimble.notation import write_action
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules import resolve, why_not
from kibitz.games.as_kimble.rules.dispatch import FACES
from kibitz.games.as_kimble.rules.rulings import is_due
from kibitz.games.as_kimble.state import Colours, Ended, Lots, Popping, State
from kibitz.games.as_kimble.ui.phrases import in_turn

Mishap: TypeAlias = Church | Silent | Sticky | Stray | Warm
MISHAP, WARM = "btn-mishap", "btn-warm"
CHURCH, SILENT, STICKY = "btn-church", "btn-silent", "btn-sticky"


def mishap_offers(options: Options, state: State, viewer: Viewer) -> Iterator[Offer]:
    """Whoever sits at a table with a real board may enter what they saw."""
    if options.mode != "companion" or viewer not in TEAMS:
        return
    for mishap in _mishaps():
        if why_not(options, state, viewer, mishap) is None:
            yield _offer(options, state, viewer, mishap)


def _mishaps() -> Iterator[Mishap]:
    yield Church()
    yield from map(Sticky, TEAMS)
    for team in TEAMS:
        yield from (Silent(team, face) for face in FACES)
        yield from (Stray(team, face) for face in FACES)
    yield from map(Warm, FACES)


def _offer(options: Options, state: State, viewer: Viewer, mishap: Mishap) -> Offer:
    text, first = (write_action(mishap),), what_happened(state)
    match mishap:
        case Church():
            label = message("as-kimble.offer-church", "12.2")
            said = message("as-kimble.mishap-church", "12.2")
            return Offer(text, (MISHAP, CHURCH), "church", label, (first, said))
        case Sticky(team):
            assert state.die.face is not None
            label = message("as-kimble.offer-sticky", "12.2", number=state.die.face)
            said = message("as-kimble.mishap-sticky", "12.2", seat=team, number=state.die.face)
            return Offer(text, (MISHAP, STICKY), "sticky", label, (first, said))
        case Silent(team, face):
            label = message("as-kimble.offer-silent", "12.2", number=face)
            said = message("as-kimble.mishap-silent", "12.2", seat=team, number=face)
            return Offer(text, (MISHAP, SILENT), "silent", label, (first, said))
        case Stray(team, face):
            label = message("as-kimble.offer-stray", "12.2", seat=team, number=face)
            said = message("as-kimble.mishap-popped", "12.2", seat=team, number=face)
            if wanted := resolve(options, state, viewer, mishap).state.die.wanted:
                said = in_turn(said, message("as-kimble.then-reset", "12.2", number=wanted))
            return Offer(text, (MISHAP, home_place(team)), "stray", label, (first, said))
        case Warm(face):
            label = message("as-kimble.offer-warm", "4", number=face)
            said = message("as-kimble.warm", "4", number=face)
            return Offer(text, (WARM,), "warm", label, (said,))


def what_happened(state: State) -> Message:
    """What is asked by the first button: where no pop is due, a team popped out of turn."""
    return message("as-kimble.mishap" if is_due(state) else "as-kimble.mishap-stray", "12.2")


def meant_mishap(
    options: Options, state: State, seat: Viewer, path: tuple[str, ...]
) -> Action | Message | None:
    """What somebody had in mind with one of these buttons; None where it was something else."""
    first, second = (*path, "", "")[:2]
    if second.startswith("btn-"):
        first, second = second, ""
    if first not in (MISHAP, WARM, CHURCH, SILENT, STICKY):
        return None
    if options.mode != "companion":
        return message("as-kimble.real-board-only", "12.2")
    team = state.phase.team if isinstance(state.phase, Popping) else seat
    known: dict[str, Mishap] = {home_place(each): Stray(each, 1) for each in TEAMS}
    known |= {WARM: Warm(1), CHURCH: Church(), SILENT: Silent(team, 1), STICKY: Sticky(team)}
    if found := known.get(second if first == MISHAP else first):
        return found
    return Church() if isinstance(state.phase, Lots | Colours | Ended) else what_happened(state)
