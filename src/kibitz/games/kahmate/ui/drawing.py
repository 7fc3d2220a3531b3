"""Kahmaté to look at: the field as SVG and as text.

Where things are is in `field`, what they look like in `pieces`; the cards are in `cards`, a duel
is in `duel_panel`, the men to set up are in `tray`. What a screen reader says of a square is on
the man who stands there; the cells of `hit` point to him.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape

from kibitz.core.caching import cache_latest
from kibitz.core.drawing import (
    LAYERS,
    Box,
    Drawing,
    Figure,
    Look,
    Part,
    Piece,
    filled_box,
    group,
    shape_data,
    with_layers,
)
from kibitz.core.game import Seat
from kibitz.core.message import Message, Say, message
from kibitz.games.kahmate.board import is_in_goal, name_of, square_place
from kibitz.games.kahmate.messages import letter_message
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules import (
    ball_place,
    exits,
    interceptors,
    kind_message,
    landings,
    man_at,
    men_of,
)
from kibitz.games.kahmate.state import (
    SEATS,
    TEAM,
    Dropping,
    Duelling,
    Exiting,
    Field,
    Man,
    MatchOver,
    Mover,
    Passing,
    Placing,
    State,
    View,
)
from kibitz.games.kahmate.ui.cards import hand, movers
from kibitz.games.kahmate.ui.duel_panel import Panel
from kibitz.games.kahmate.ui.field import (
    Pitch,
    grid,
    ground,
    in_goal_names,
    pitch_for,
    squares,
    zone,
)
from kibitz.games.kahmate.ui.meter import meter
from kibitz.games.kahmate.ui.pieces import figure, man, portrait, warning
from kibitz.games.kahmate.ui.text import draw_text, read_text
from kibitz.games.kahmate.ui.tray import Tray
from kibitz.games.kahmate.view import as_state

__all__ = ["draw", "draw_text", "glyph", "read_text"]

CHANGING_LAYERS = frozenset({"homes", "pieces", "ball", "labels", "hit"})
"""The layers that change; the rest stay for a whole match."""
STATIC_LAYERS = frozenset(LAYERS) - CHANGING_LAYERS
MAN_SCALE = 43 / 48
IN_GOAL_MAN_SCALE = 38 / 48
"""The size of a man as he is drawn, also in an in-goal that is not deep enough for him."""
TOUCHABLE = 'fill="none" pointer-events="all"'
FIGURES = {side: Figure(side == "R", "plate", side) for side in SEATS}
"""A man of each side in short."""


def draw(options: Options, view: View, look: Look) -> Drawing:
    pitch, names, state = pitch_for(look), in_goal_names(look.say), as_state(view)
    panel = Panel(view, state.phase, look, pitch) if isinstance(state.phase, Duelling) else None
    laid = panel or _tray(options, view, state, look, pitch)
    men = _men(state.field, view.movers, view.ball, view.turn, pitch, look.prefix, look.say_by_name)
    ball = _ball(state, look, pitch, panel)
    blank = Drawing(
        view_box=pitch.view_box,
        title=look.say(message("kahmate.draw-field")),
        static_layers=STATIC_LAYERS,
        names={each.place.replace("ball", "sq"): each.name for each in ball.pieces if each.name},
    )
    return with_layers(
        blank,
        {
            "ground": (ground(pitch, look.prefix, names),),
            "grid": (grid(pitch),),
            "homes": [*_homes(options, view, state, look, pitch)],
            "pieces": [*_pieces(men, pitch, panel), *([laid.draw()] if laid else [])],
            "ball": (ball,),
            "labels": (Part(_signs(options, state, pitch)),),
            "hit": (_hit_layer(state, look, pitch, laid),),
        },
        look,
    )


def _tray(options: Options, view: View, state: State, look: Look, pitch: Pitch) -> Tray | None:
    side = _placing_side(options, view)
    return Tray(side, len(men_of(state.field, side)), look, pitch) if side else None


@lru_cache
def glyph(seat: Seat) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="28" height="28" viewBox="-25 -25 50 51"'
        f' aria-hidden="true">{portrait(seat)}</svg>'
    )


def _placing_side(options: Options, view: View) -> Seat | None:
    """The viewer's side, while it still has men to set up; in the open when its turn has come."""
    if not isinstance(view.phase, Placing) or view.viewer not in SEATS:
        return None
    if options.placement == "open" and view.phase.side != view.viewer:
        return None
    return view.viewer if len(men_of(as_state(view).field, view.viewer)) < len(TEAM) else None


# Below the men


def _homes(options: Options, view: View, state: State, look: Look, pitch: Pitch) -> Iterator[Part]:
    if isinstance(state.phase, Placing):
        yield from _zones(options, view, look, pitch)
    yield from map(Part, _phase_arrows(state, pitch))
    for side, cards in zip(SEATS, view.hands, strict=True):
        yield hand(cards, side, view.viewer, pitch, look.prefix, look.say_by_name)
    if view.hold and view.hold.count:
        yield meter(view.hold.count, options.hold_limit, view.hold.side, pitch, look.say)
    if not pitch.is_tall and not isinstance(state.phase, Placing | MatchOver):
        men = tuple([(man_at(state, each.square), each.points) for each in view.movers])
        yield movers(men, view.turn, view.viewer, pitch, look.prefix, look.say)


def _zones(options: Options, view: View, look: Look, pitch: Pitch) -> Iterator[Part]:
    """Dark where men are hidden, whether there are any or not; light where they may be placed."""
    for side in SEATS:
        box = zone(pitch, side)
        if side != view.viewer and options.placement == "hidden":
            yield filled_box(box, "hole", more=' opacity=".8"')
            yield Part(f'<rect {box} fill="url(#{look.prefix}veil)"/>')
        elif side == _placing_side(options, view):
            inside = Box(box.x + 3, box.y + 3, box.width - 6, box.height - 6)
            dashes = 'fill="none" stroke-dasharray="10 6"'
            yield Part(
                f'<rect {box} fill="var(--chalk)" opacity=".28"/>'
                f'<rect {inside} rx="9" fill="none" stroke="var(--mark-halo)" stroke-width="6"/>'
                f'<rect {inside} rx="9" {dashes} stroke="var(--mark)" stroke-width="3.5"/>'
            )


def _phase_arrows(state: State, pitch: Pitch) -> Iterator[str]:
    """Arrows for the way of the ball, of the man who broke through, or of the ball he drops."""
    match state.phase:
        case Passing(passer, receiver):
            yield _flight(pitch, passer, receiver)
        case Duelling(attacker=passer, receiver=int(receiver)):
            yield _flight(pitch, passer, receiver)
        case Exiting(_, beaten):
            for square in exits(state, beaten):
                yield _pointer(pitch, beaten, square)
        case Dropping(fallen, against):
            for square in landings(man_at(state, fallen).side, fallen, against):
                yield _pointer(pitch, fallen, square)


def _flight(pitch: Pitch, origin: int, target: int) -> str:
    """Of a ball that may be intercepted."""
    (x, y), (to_x, to_y) = pitch.middle(origin), pitch.middle(target)
    line = f'd="M{x:g} {y:g}L{to_x:g} {to_y:g}" fill="none" stroke-linecap="round"'
    return (
        f'<path {line} stroke="var(--mark-halo)" stroke-width="7"/>'
        f'<path {line} stroke="var(--warn)" stroke-width="3.6" stroke-dasharray="3 7"/>'
    )


def _pointer(pitch: Pitch, origin: int, target: int) -> str:
    """From below a man to the middle of a square beside him."""
    x, y = pitch.middle(origin)
    arrow = "M0-3.5H34V-10L50 0L34 10V3.5H0Z"
    return (
        f'<path d="{arrow}" transform="translate({x:g} {y:g})'
        f' rotate({_turn_angle(pitch, origin, target):g})"'
        ' fill="var(--mark)" stroke="var(--mark-halo)"'
        ' stroke-width="2.5" stroke-linejoin="round"/>'
    )


def _turn_angle(pitch: Pitch, origin: int, target: int) -> float:
    (x, y), (to_x, to_y) = pitch.middle(origin), pitch.middle(target)
    return math.degrees(math.atan2(to_y - y, to_x - x))


# Men and ball


def _pieces(men: Mapping[int, Part], pitch: Pitch, panel: Panel | None) -> list[Part]:
    """In a lasting order, by square; above them those who fight, before whatever is laid over."""
    if panel is None:
        return [*men.values()]
    fighting = panel.duel.attacker, panel.duel.defender
    found = [man for at, man in men.items() if at not in fighting]
    found.append(Part(f'<rect {pitch.field} rx="12" fill="#17121F" opacity=".5"/>'))
    found += [men[at] for at in fighting]
    if panel.duel.receiver is None:
        found.append(Part(_arrow(pitch, *fighting)))
    return found


@cache_latest(256)
def _men(
    field: Field,
    movers: tuple[Mover, ...],
    ball: int | None,
    turn: Seat,
    pitch: Pitch,
    prefix: str,
    say: Say,
) -> Mapping[int, Part]:
    """By square; all who see the same field see the same men, and share them."""
    points = {each.square: each.points for each in movers}
    return {
        at: _man_markup(who, at, points.get(at), ball == at, who.side == turn, pitch, prefix, say)
        for at, who in enumerate(field)
        if who
    }


@lru_cache(maxsize=1 << 12)
def _man_markup(
    who: Man,
    at: int,
    points: int | None,
    has_ball: bool,
    on_turn: bool,
    pitch: Pitch,
    prefix: str,
    say: Say,
) -> Part:
    """Drawn once for as long as he stands there as he does."""
    place, point, letter = square_place(at), pitch.middle(at), say(letter_message(who))
    shape, short = man(who, letter, prefix, points), figure(who, letter, points is not None)
    scale = IN_GOAL_MAN_SCALE if pitch.is_tall and is_in_goal(at) else MAN_SCALE
    said = ", ".join(map(say, _man_label(who, at, points, has_ball, on_turn)))
    x, y = point
    markup = (
        f'<g id="{prefix}pc-{place}" class="pc man side-{who.side} kind-{who.kind}'
        f'{" ko" if who.down else ""}" role="img" aria-label="{escape(said)}"'
        f'{shape_data(short.is_round)} transform="translate({x:g} {y:g})"'
        f'><g transform="scale({scale:.3f})">{shape.markup}</g>'
        "</g>"
    )
    piece = Piece(place, point, short, who.side, name=said)
    return Part(markup, pieces=(piece,))


def _man_label(
    who: Man, at: int, points: int | None, has_ball: bool, on_turn: bool
) -> Iterator[Message]:
    """A man to somebody who does not see him: g4, Red Fast, has the ball, 3 points left."""
    yield message("kahmate.draw-man", square=name_of(at), seat=who.side, man=kind_message(who))
    if who.down:
        now = on_turn and who.down == 1
        yield message(f"kahmate.draw-down-{'now' if now else 'later'}", seat=who.side)
    if has_ball:
        yield message("kahmate.draw-has-ball")
    if points is not None and not who.down:
        yield message("kahmate.draw-points", n=points)


def _ball(state: State, look: Look, pitch: Pitch, panel: Panel | None) -> Part:
    """At the foot of whoever has it. What covers it in a duel shows it too."""
    if state.ball is None:
        return Part()
    x, y = pitch.middle(state.ball)
    place, scale, text, said = ball_place(state.ball), 1.33, "", ""
    if state.field[state.ball]:
        tight = is_in_goal(state.ball)
        x, y, scale = (x + 12, y + 12, 0.96) if tight else (x + 16, y + 15, 1.04)
    else:
        text = look.say(message("kahmate.draw-loose", square=name_of(state.ball)))
        said = f' role="img" aria-label="{escape(text)}"'
    is_hidden = panel is not None and panel.covers(state.ball)
    hidden = ' opacity="0"' if is_hidden else ""
    markup = (
        f'<g id="{look.prefix}pc-{place}" class="pc ball"{said}{hidden}{shape_data(True)}'
        f' transform="translate({x:g} {y:g})"><use href="#{look.prefix}ball"'
        f' transform="rotate(-28) scale({scale:g})"/></g>'
    )
    piece = Piece(place, (x, y), Figure(True, "plate"), name=text)
    return Part(markup, pieces=() if is_hidden else (piece,))


# Above the men


def _signs(options: Options, state: State, pitch: Pitch) -> str:
    match state.phase:
        case Passing(passer, receiver):
            men = interceptors(options, state, passer, receiver)
            return "".join(warning(x + 17, y - 17) for x, y in map(pitch.middle, men))
        case Exiting(charger, beaten):
            return _arrow(pitch, charger, beaten)
        case Dropping(fallen, against):
            return _arrow(pitch, against, fallen)
    return ""


def _arrow(pitch: Pitch, origin: int, target: int) -> str:
    (x, y), (to_x, to_y) = pitch.middle(origin), pitch.middle(target)
    turn = _turn_angle(pitch, origin, target)
    return (
        '<path d="M-13-6H0V-13L15 0L0 13V6H-13Z" fill="var(--mark)" stroke="var(--mark-halo)"'
        f' stroke-width="3" stroke-linejoin="round" transform="translate({(x + to_x) / 2:g}'
        f' {(y + to_y) / 2:g}) rotate({turn:g})"/>'
    )


# What is touched


def _hit_layer(state: State, look: Look, pitch: Pitch, laid: Panel | Tray | None) -> Part:
    loose = state.ball if state.ball is not None and not state.field[state.ball] else None
    names = in_goal_names(look.say)
    if laid is None:
        return _bare_hit_layer(pitch, look.prefix, names, loose)
    return group(TOUCHABLE, squares(pitch, look.prefix, names, loose), laid.hits())


@lru_cache(maxsize=256)
def _bare_hit_layer(pitch: Pitch, prefix: str, names: tuple[str, str], loose: int | None) -> Part:
    return group(TOUCHABLE, squares(pitch, prefix, names, loose))
