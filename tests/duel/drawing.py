"""A duel for the page: what can be touched, and what it looks like."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from duel.actions import Action, Choose, Roll, Wind
from duel.notation import write_action, write_state
from duel.options import Options
from duel.state import SEATS, View
from kibitz.core.drawing import (
    Box,
    Drawing,
    Figure,
    Fill,
    Look,
    Piece,
    Spot,
    Writing,
    shape_data,
    writing,
)
from kibitz.core.game import Offer, Place, Seat, Viewer
from kibitz.core.message import Message, Say, message

SIZE = 50
DIE = "\u2684"
FIGURES = {seat: Figure(True, f"K{seat}") for seat in SEATS}


def offers(options: Options, seen: View, actions: Sequence[Action]) -> tuple[Offer, ...]:
    """What may be done, and the die to press: an offer without actions."""
    found = tuple(_offer(seen, action) for action in actions)
    found += tuple(replace(each, path=("btn-wind",)) for each in found if each.kind == "wind")
    if options.die == "falls" or seen.runner is None or seen.runner != seen.viewer:
        return found
    return (*found, Offer((), ("die",), "press", message("duel.press", "D2")))


def _offer(seen: View, action: Action) -> Offer:
    texts = (write_action(action),)
    match action:
        case Choose(card):
            label = message("duel.choose", "D1", card=card)
            says = (message("duel.choosing", "D1", card=card),)
            return Offer(texts, (f"card-{card}",), "card", label, says, needs_confirmation=True)
        case Roll(pips):
            return Offer(texts, ("die",), "roll", message("duel.roll", "D2", pips=pips))
        case Wind(seat):
            at = seen.steps[SEATS.index(seat)]
            return Offer(texts, (f"sq-{seat}{at}",), "wind", message("duel.wind", "D4"))
    raise ValueError(f"never listed: {action}")


def intent(seen: View, seat: Seat, path: tuple[str, ...]) -> Action | Message:
    if path and path[-1] in ("card-1", "card-2", "card-3"):
        return Choose(int(path[-1][-1]))
    if path == (f"sq-{seat}{seen.steps[SEATS.index(seat)]}",):
        return Wind(seat)
    return message("duel.nothing-there", "D1")


def hint(seen: View, viewer: Viewer) -> Message:
    due = SEATS[0] if seen.down is None else SEATS[1]
    is_due = seen.runner is None and viewer == due
    return message("duel.your-turn" if is_due else "duel.their-turn")


def status(seen: View) -> tuple[Message, ...]:
    a, b = seen.steps
    winds = sum(seen.winds)
    return message("duel.steps", "D2", A=a, B=b), message("duel.winds", "D4", n=winds)


def draw(options: Options, seen: View, look: Look) -> Drawing:
    squares, drawn, pieces, written = [], [_text(DIE, 0)], [], {0: DIE}
    places = {"die": Spot(Box(0, SIZE, SIZE, SIZE))}
    for row, seat in enumerate(SEATS):
        y = 2 * SIZE * row
        for step in range(options.goal + 1):
            squares.append(Box(SIZE * step + 2, y + 2, SIZE - 4, SIZE - 4))
            places[f"sq-{seat}{step}"] = Spot(Box(SIZE * step, y, SIZE, SIZE))
        spot, at = f"sq-{seat}{seen.steps[row]}", (SIZE * seen.steps[row] + SIZE / 2, y + SIZE / 2)
        pieces.append(Piece(spot, at, FIGURES[seat], seat))
        look_at = f'class="pc" transform="translate({at[0]:g} {at[1]:g})"'
        drawn.append(
            f'<g id="{look.prefix}pc-{spot}" {look_at}{shape_data(True)}>{_stone(seat)}</g>'
        )
    if seen.viewer in SEATS:
        for card in seen.hands[SEATS.index(seen.viewer)]:
            written[SIZE * card] = str(card)
            places[f"card-{card}"] = Spot(Box(SIZE * card, SIZE, SIZE, SIZE))
    if seen.down is not None:
        written[SIZE * 4] = str(seen.down or "?")
    texts = "".join(_text(text, x) for x, text in written.items() if x)
    look_of = 'rx="9" fill="var(--sand-1)" stroke="var(--sand-edge)"'
    return Drawing(
        view_box=f"0 0 {max(6, options.goal + 1) * SIZE} {3 * SIZE}",
        title=look.say(message("duel.title")),
        layers={
            "ground": "".join(f"<rect {box} {look_of}/>" for box in squares),
            "pieces": "".join(drawn) + texts,
            "hit": "".join(_hit(place, spot.box) for place, spot in places.items()),
        },
        static_layers=frozenset({"ground"}),
        prefix=look.prefix,
        places=places,
        pieces=tuple(pieces),
        fills=tuple(Fill(box, "sand-1") for box in squares),
        writings=tuple(_writing(text, x) for x, text in written.items()),
    )


def draw_text(seen: View, say: Say) -> str:
    return write_state(seen)


def glyph(seat: Seat) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -20 40 40" width="20" height="20">'
        f"{_stone(seat)}</svg>"
    )


def _stone(seat: Seat) -> str:
    colour = "var(--KA)" if seat == "A" else "var(--KB)"
    return f'<circle r="17" fill="{colour}" stroke="var(--outline)"/>'


def _text(text: str, x: int) -> str:
    look = 'font-size="24" text-anchor="middle" fill="var(--ink)"'
    return f'<text x="{x + SIZE / 2:g}" y="{SIZE * 1.5 + 8:g}" {look}>{text}</text>'


def _writing(text: str, x: int) -> Writing:
    return writing(text, x + SIZE / 2, SIZE * 1.5 + 8, "ink", "middle")


def _hit(name: Place, box: Box) -> str:
    look = f'{box} fill="none" pointer-events="all" role="gridcell"'
    return f'<rect id="hit-{name}" class="hit" data-el="{name}" {look}/>'
