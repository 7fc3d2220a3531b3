"""A duel for the page: what can be touched, and what it looks like."""

from __future__ import annotations

from collections.abc import Sequence

from duel.actions import Action, Choose, Roll, Wind
from duel.notation import write_action, write_state
from duel.options import Options
from duel.state import SEATS, View
from kibitz.core.drawing import Drawing, Look
from kibitz.core.game import Offer, Seat
from kibitz.core.message import Message, Say, message


def offers(seen: View, actions: Sequence[Action]) -> tuple[Offer, ...]:
    return tuple(_offer(seen, action) for action in actions)


def _offer(seen: View, action: Action) -> Offer:
    texts = (write_action(action),)
    match action:
        case Choose(card):
            label = message("duel.choose", "D1", card=card)
            return Offer(texts, (f"card-{card}",), "card", label)
        case Roll(pips):
            return Offer(texts, ("die",), "roll", message("duel.roll", "D2", pips=pips))
        case Wind(seat):
            at = seen.steps[SEATS.index(seat)]
            return Offer(texts, (f"sq-{seat}{at}",), "wind", message("duel.wind", "D4"))
    raise ValueError(f"never listed: {action}")


def meant(seen: View, seat: Seat, path: tuple[str, ...]) -> Action | Message:
    if path and path[-1] in ("card-1", "card-2", "card-3"):
        return Choose(int(path[-1][-1]))
    if path == (f"sq-{seat}{seen.steps[SEATS.index(seat)]}",):
        return Wind(seat)
    return message("duel.nothing-there", "D1")


def draw(options: Options, seen: View, look: Look) -> Drawing:
    squares, pieces, hits = [], [], [_hit("die", 0, 40)]
    for row, seat in enumerate(SEATS):
        for step in range(options.goal + 1):
            box = f'x="{20 * step + 1}" y="{80 * row + 1}" width="18" height="18" rx="4"'
            squares.append(f'<rect {box} fill="var(--sand-1)" stroke="var(--sand-edge)"/>')
            hits.append(_hit(f"sq-{seat}{step}", 20 * step, 80 * row))
        at = f"translate({20 * seen.steps[row] + 10} {80 * row + 10})"
        name = f"{look.prefix}pc-sq-{seat}{seen.steps[row]}"
        pieces.append(f'<g id="{name}" class="pc" transform="{at}">{_stone(seat)}</g>')
    if seen.viewer in SEATS:
        hand = seen.hands[SEATS.index(seen.viewer)]
        for card in hand:
            x = 20 * card
            pieces.append(f'<text x="{x + 6}" y="55" fill="var(--ink)">{card}</text>')
            hits.append(_hit(f"card-{card}", x, 40))
    if seen.down is not None:
        pieces.append(f'<text x="104" y="55" fill="var(--ink)">{seen.down or "?"}</text>')
    layers = {"ground": "".join(squares), "pieces": "".join(pieces), "hit": "".join(hits)}
    box = f"0 0 {max(120, 20 * (options.goal + 1))} 100"
    title = look.say(message("duel.title"))
    return Drawing(box, title, layers, frozenset({"ground"}), prefix=look.prefix)


def draw_text(seen: View, say: Say) -> str:
    return write_state(seen)


def glyph(seat: Seat) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 20 20" width="20" height="20">'
        f"{_stone(seat)}</svg>"
    )


def _stone(seat: Seat) -> str:
    colour = "var(--KA)" if seat == "A" else "var(--KB)"
    return f'<circle r="7" fill="{colour}" stroke="var(--outline)"/>'


def _hit(name: str, x: int, y: int) -> str:
    box = f'x="{x}" y="{y}" width="20" height="20" fill="none" pointer-events="all"'
    return f'<rect id="hit-{name}" class="hit" data-el="{name}" {box} role="gridcell"/>'
