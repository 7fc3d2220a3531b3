"""AS-Kimble to look at: the board as SVG and as text.

Where things are is in `track`, or for characters in `text_grid`; what they look like is in
`pieces`, what is written beside the board in `team_panels`. What a screen reader says
of a place changes with what is there, so it is on the piece, on the plate of the team and on what
is in the dome; the places of `hit` stay and point to these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from html import escape
from operator import itemgetter
from typing import NamedTuple

from msgspec.structs import replace

from kibitz.core.caching import cache_latest
from kibitz.core.drawing import (
    FONT,
    LAYERS,
    Box,
    Drawing,
    Figure,
    Look,
    Part,
    Piece,
    Point,
    Spot,
    Writing,
    shape_data,
    with_layers,
)
from kibitz.core.game import Place, Seat
from kibitz.core.message import Message, message
from kibitz.games.as_kimble.board import (
    TEAMS,
    aside_spot,
    goal_place,
    goal_spot,
    grid_at,
    home_place,
    home_spot,
    ring_place,
)
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import raises_of
from kibitz.games.as_kimble.rules.rulings import break_cost_message
from kibitz.games.as_kimble.rules.turn import pops_granted
from kibitz.games.as_kimble.state import (
    Choosing,
    Colours,
    GameOver,
    Lots,
    Popping,
    Returning,
    Side,
    State,
    Voting,
    side_of,
)
from kibitz.games.as_kimble.ui import text_grid
from kibitz.games.as_kimble.ui.lettering import text_markup
from kibitz.games.as_kimble.ui.pieces import DARK, die, emblem, outline, peg, sign
from kibitz.games.as_kimble.ui.team_panels import plate_labels, plate_lines, plates, turn_of
from kibitz.games.as_kimble.ui.text import MINE, draw_text, read_text
from kibitz.games.as_kimble.ui.track import (
    BOARD_HALF,
    DOME_RADIUS,
    ground,
    hits,
    layout_for,
    place_names,
)

__all__ = ["draw", "draw_text", "glyph", "read_text"]

CHANGING_LAYERS = frozenset({"homes", "dome", "pieces", "labels"})
"""The layers that change; the rest stay for a whole match."""
STATIC_LAYERS = frozenset(LAYERS) - CHANGING_LAYERS
RING_RADIUS, GOAL_RADIUS, HOME_RADIUS, WAITING_RADIUS = 14.5, 11.5, 12.0, 9.5
"""The radius of a peg by where it is."""
FIGURES = {team: Figure(True, team, letters=team) for team in TEAMS}
"""The teams in short."""
CROWN = "M-15 8V-8L-7-1L0-13L7-1L15-8V8Z"


def draw(options: Options, view: State, look: Look) -> Drawing:
    """Everybody sees the same: those who look alike share a drawing, wherever they sit."""
    return _shared_drawing(options, view, _shared_look(look))


@lru_cache(maxsize=256)
def _shared_look(look: Look) -> Look:
    """One and the same look for all that differ in nothing but who looks."""
    return _shared_look(replace(look, near="")) if look.near else look


@cache_latest(256)
def _shared_drawing(options: Options, view: State, look: Look) -> Drawing:
    if look.is_coarse:
        return _coarse_drawing(options, view, look)
    layout, names = layout_for(look.is_tall), place_names(look.say)
    pegs = [
        each
        for team, side in zip(TEAMS, view.sides, strict=True)
        for each in _placed_parts(team, side, look)
    ]
    # From the top down, so that a high stack covers what is behind it.
    pegs.sort(key=itemgetter(0))
    blank = Drawing(
        view_box=layout.view_box,
        title=look.say(message("as-kimble.draw-board")),
        static_layers=STATIC_LAYERS,
        role="group",
    )
    return with_layers(
        blank,
        {
            "ground": (Part(ground(look.is_tall, look.has_labels or look.is_tall, look.prefix)),),
            "homes": plates(view, look, layout),
            "dome": (Part(f"<g {FONT}>{''.join([*_around_dome(options, view, look)])}</g>"),),
            "pieces": [
                _dome(view, look, names),
                Part(_laid_pegs(view, look, layout.spots)),
                *[part for _, part in pegs],
            ],
            "labels": (Part(_veil(options, look)),) if view.is_break else (),
            "hit": (hits(look.is_tall, look.prefix, look.say),),
        },
        look,
    )


def _coarse_drawing(options: Options, view: State, look: Look) -> Drawing:
    """Data alone: a grid of characters is not for the page."""
    names, labels = place_names(look.say), plate_labels(view, look.say)
    pegs = _placed_pegs(view, look, text_grid.SPOTS)
    return Drawing(
        places={place: Spot(box, names[place]) for place, box in text_grid.BOXES.items()},
        pieces=(
            _dome_piece(view, look, names),
            *(piece for each in pegs for piece in _peg(*each, "").pieces),
        ),
        names={home_place(team): label for team, label in labels.items()},
        fills=tuple(text_grid.fills()),
        writings=(*text_grid.labels(), *_coarse_lines(options, view, look)),
        seat_notes=plate_lines(view, look.say),
    )


@lru_cache
def glyph(team: Seat) -> str:
    """A team in small: the silhouette with a line around it; a chair by its letter."""
    shape = emblem(team, 0, 0, 10) if team in TEAMS else _chair(team)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="28" height="28" viewBox="-13 -13 26 26"'
        f' aria-hidden="true">{shape}</svg>'
    )


def _chair(letter: str) -> str:
    """Somebody who has no colour yet."""
    return (
        '<circle r="10.5" fill="none" stroke="var(--ink-2)" stroke-width="2"/>'
        '<text text-anchor="middle" dominant-baseline="central" font-size="13" font-weight="800"'
        f' fill="var(--ink)">{letter}</text>'
    )


def _say(look: Look, id: str, **values: str | int | Message) -> str:
    return look.say(message(f"as-kimble.draw-{id}", **values))


# The dome and what is written around it


def _around_dome(options: Options, view: State, look: Look) -> Iterator[str]:
    """The rim, in the colour of the team in turn; above it the raises, below it the turn."""
    team = turn_of(view)
    yield f'<circle r="{DOME_RADIUS + 2.5:g}" fill="{DARK}" opacity=".55"/>'
    if team:
        yield f'<circle r="{DOME_RADIUS:g}" fill="none" stroke="var(--{team})" stroke-width="7"/>'
    yield '<circle r="45" fill="var(--felt-2)" stroke="var(--plate)" stroke-width="4"/>'
    if options.raising and team:
        yield from _raises(view, look)
    yield from _turn_markup(view, look)


def _raises(view: State, look: Look) -> Iterator[str]:
    """Which round it is and who has raised in it; in a vote, who is for the next."""
    text, shown = _round_text(view, look)
    yield text_markup(text, 0, -80, 12, "felt-ink", room=112, anchor="middle")
    for i, team in enumerate(TEAMS):
        x, y = 20.5 * (i - 1.5), -65
        if team in shown:
            yield f'<circle cx="{x:g}" cy="{y}" r="9" fill="var(--plate)"/>'
            yield emblem(team, x, y, 5.8)
        else:
            yield outline(team, x, y, 5.8)


def _round_text(view: State, look: Look) -> tuple[str, Collection[Seat]]:
    raises, phase = view.raises, view.phase
    if isinstance(phase, Voting):
        asked = _say(look, "round-asked", round=raises.round + 1)
        return asked, (phase.team, *phase.agreed_teams)
    id = "round-last" if raises.is_closed else "round"
    return _say(look, id, round=raises.round), raises.teams


def _coarse_lines(options: Options, view: State, look: Look) -> Iterator[Writing]:
    """Around the dome in characters: the raises above it; whose turn it is and what for below."""
    team, turn = turn_of(view), _turn_text(view, look)
    lines, raised = {"turn": (turn.text, turn.ink)}, dict[Seat, bool]()
    if options.raising and team:
        text, shown = _round_text(view, look)
        lines["above"], raised = (text, "felt-ink"), {each: each in shown for each in TEAMS}
    if view.is_break:
        lines["team"] = _say(look, "break"), "spark"
    elif named := team or _winner_of(view):
        lines["team"] = _say(look, f"team-{named}"), f"{named}-deep"
    return text_grid.dome_lines(lines, raised)


def _winner_of(view: State) -> Seat | None:
    return view.phase.winner if isinstance(view.phase, GameOver) else None


def _emblem(look: Look, team: Seat, x: float, y: float, radius: float) -> str:
    """A silhouette with its rim, on felt."""
    return (
        f'<use href="#{look.prefix}top-{team}" transform="translate({x:g} {y:g})'
        f' scale({radius / 10:g})"/>'
    )


class _Turn(NamedTuple):
    """The line below the dome, and the pops before it: how many are left, of how many."""

    text: str
    pops: tuple[int, int] = (0, 0)
    ink: str = "plate"


def _turn_text(view: State, look: Look) -> _Turn:
    if view.die.wanted_face:
        return _Turn(_say(look, "reset", number=view.die.wanted_face), ink="spark")
    match view.phase:
        case Popping(team, pops):
            most = max(pops, pops_granted(side_of(view, team)))
            return _Turn(_say(look, "pops", n=pops), (pops, most))
        case Choosing(_, number, is_refused):
            return _Turn(_say(look, "refused" if is_refused else "popped", number=number))
        case Voting():
            return _Turn(_say(look, "asks"))
        case Returning():
            return _Turn(_say(look, "raised"))
        case Lots():
            return _Turn(_say(look, "lots"))
        case Colours():
            return _Turn(_say(look, "colours"))
        case GameOver(winner):
            if winner is None:
                return _Turn(_say(look, "ended"))
            truly = raises_of(view, winner) > 0
            return _Turn(_say(look, "wins-truly" if truly else "wins"))


def _turn_markup(view: State, look: Look) -> Iterator[str]:
    turn, team = _turn_text(view, look), turn_of(view)
    below = 89 if team or _winner_of(view) else 76
    yield text_markup(
        turn.text, 0, below, 12.5, turn.ink, room=below + 17, weight=700, anchor="middle"
    )
    left, most = turn.pops
    parts = most + bool(team)
    x = -8.5 * (parts - 1)
    if team:
        yield _emblem(look, team, x - (2 if most else 0), 66, 6.6)
        x += 17
    for i in range(most):
        full = 'fill="var(--plate)"' if i < left else 'fill="var(--hole)"'
        yield (
            f'<circle cx="{x + 17 * i:g}" cy="66" r="5.4" {full} stroke="var(--plate)"'
            ' stroke-width="1.6"/>'
        )


def _dome(view: State, look: Look, names: Mapping[Place, str]) -> Part:
    """The dome: the die under its glass, and once somebody has won, the winner."""
    face, wanted = view.die.face, view.die.wanted_face
    inside, above, piece = "", "", _dome_piece(view, look, names)
    if winner := _winner_of(view):
        above = _winner_markup(look, winner)
    else:
        inside = _reset_dice(face, wanted) if wanted else die(face, 0, 2, 39)
    markup = (
        f'<g id="{look.prefix}pc-dome" class="pc dome" role="img"{shape_data(True)}'
        f' aria-label="{escape(piece.name)}"><circle r="43"'
        ' fill="var(--hole-2)"/>'
        f'<g id="{look.prefix}die" class="die">{inside}</g>'
        f'<circle r="43" fill="url(#{look.prefix}glass)"/><path d="M-29-19A35 35 0 0 1-6-34"'
        ' fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" opacity=".75"/>'
        f"{above}</g>"
    )
    return Part(markup, pieces=(piece,))


def _dome_piece(view: State, look: Look, names: Mapping[Place, str]) -> Piece:
    """The die by its number, in a rim of the team in turn."""
    face, wanted, winner = view.die.face, view.die.wanted_face, _winner_of(view)
    letters = winner or f"{face or ''}{f'>{wanted}' if wanted else ''}"
    figure = Figure(True, winner or turn_of(view) or "felt-ink", "plate", letters)
    return Piece("dome", (0, 0), figure, name=_dome_label(view, look, names))


def _dome_label(view: State, look: Look, names: Mapping[Place, str]) -> str:
    said, face = [names["dome"]], view.die.face
    if winner := _winner_of(view):
        said.append(_say(look, "won", team=message(f"as-kimble.draw-team-{winner}")))
    else:
        if face and not isinstance(view.phase, Choosing):
            said.append(_say(look, "shows", number=face))
        said.append(_turn_text(view, look).text)
    return ", ".join(said)


def _reset_dice(face: int | None, wanted: int) -> str:
    """The face the die shows, and the one it must show again (12.2)."""
    ring = (
        '<rect x="-.5" y="-15.5" width="35" height="35" rx="10" fill="none" stroke="var(--spark)"'
        ' stroke-width="3" stroke-dasharray="6 4"/>'
    )
    shown = f'<g opacity=".75">{die(face, -24.5, 2, 20)}</g>'
    return shown + sign("step", -7.5, 2, 4.5, "spark") + ring + die(wanted, 17, 2, 26, 0)


def _winner_markup(look: Look, team: Seat) -> str:
    crown = (
        f'<path d="{CROWN}" transform="translate(0 -26) scale(1.15)" fill="var(--Y)"'
        f' stroke="{DARK}" stroke-width="2.4" stroke-linejoin="round"/>'
    )
    return _emblem(look, team, 0, 11, 21) + crown


# Pieces


class _Peg(NamedTuple):
    """A piece where it lies; those that belong to a place named elsewhere say nothing."""

    spot: str
    team: Seat
    radius: float
    kinds: str = ""
    size: int = 1
    label: str = ""


def _placed_pegs(
    view: State, look: Look, spots: Mapping[str, Point]
) -> Iterator[tuple[_Peg, Point]]:
    """From the top down, so that a high stack covers what is behind it."""
    pegs = [each for team in TEAMS for each in _pegs_of(team, side_of(view, team), look)]
    for each in sorted(pegs, key=lambda each: spots[each.spot][1]):
        x, y = spots[each.spot]
        yield each, (x, y - 1)


@lru_cache(maxsize=1 << 10)
def _peg(each: _Peg, at: Point, prefix: str) -> Part:
    label = f' role="img" aria-label="{escape(each.label)}"' if each.label else ""
    is_mine = "mine" in each.kinds
    letters = each.team + (str(each.size) if each.size > 1 else "") + MINE * is_mine
    markup = (
        f'<g id="{prefix}pc-{each.spot}" class="pc peg team-{each.team}{each.kinds}"'
        f'{label}{shape_data(True)} transform="translate({at[0]:g} {at[1]:g})">'
        f"{peg(prefix, each.team, each.radius, each.size, is_mine)}</g>"
    )
    figure = Figure(True, each.team, letters=letters)
    piece = Piece(each.spot, at, figure, each.team, each.size, each.label)
    return Part(markup, pieces=(piece,))


@lru_cache(maxsize=1 << 10)
def _placed_parts(team: Seat, side: Side, look: Look) -> tuple[tuple[float, Part], ...]:
    """The pieces of a team as they are drawn, and how far down they stand."""
    found, spots = [], layout_for(look.is_tall).spots
    for each in _pegs_of(team, side, look):
        x, y = spots[each.spot]
        found.append((y, _peg(each, (x, y - 1), look.prefix)))
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def _pegs_of(team: Seat, side: Side, look: Look) -> tuple[_Peg, ...]:
    return tuple(_pegs(team, side, look))


def _pegs(team: Seat, side: Side, look: Look) -> Iterator[_Peg]:
    names, called = place_names(look.say), _say(look, f"piece-{team}")
    # The latest to come home is the first to leave: whoever looks for a piece there finds it first.
    for i in reversed(range(side.home)):
        yield _Peg(home_spot(team, i), team, HOME_RADIUS)
    for piece in side.ring:
        place, is_mine = ring_place(grid_at(team, piece.progress)), piece.progress == 0
        parts = [names[place], called, _say(look, f"size-{piece.size}")]
        kinds = (f" x{piece.size}" if piece.size > 1 else "") + (" mine" if is_mine else "")
        said = ", ".join(parts + [_say(look, "mine")] * is_mine)
        yield _Peg(place, team, RING_RADIUS, kinds, piece.size, said)
    for goal, count in enumerate(side.goal, 1):
        if count:
            said = f"{names[goal_place(team, goal)]}, {called}"
            if count > 1:
                said += f", {_say(look, 'waiting', n=count - 1)}"
            yield _Peg(goal_spot(team, goal), team, GOAL_RADIUS, label=said)
        for waiting in range(1, count):
            yield _Peg(goal_spot(team, goal, waiting), team, WAITING_RADIUS, " wait")


def _laid_pegs(view: State, look: Look, spots: Mapping[str, Point]) -> str:
    """The pieces inside multiplied ones, laid beside the goal of their team (2): for the eye only,
    so they are no pieces of the drawing and say nothing."""
    laid = [
        (team, aside_spot(team, i))
        for team, side in zip(TEAMS, view.sides, strict=True)
        for i in range(sum([piece.size - 1 for piece in side.ring]))
    ]
    return "".join(
        f'<use id="{look.prefix}in-{spot}" class="pc laid" href="#{look.prefix}laid-{team}"'
        f' transform="translate({spots[spot][0]:g} {spots[spot][1]:g})"/>'
        for team, spot in laid
    )


# Over everything


def _veil(options: Options, look: Look) -> str:
    """A break: the board stays where it is, but nothing goes on; and what ignoring it costs."""
    board = Box(-BOARD_HALF, -BOARD_HALF, 2 * BOARD_HALF, 2 * BOARD_HALF)
    text, means, cost = _say(look, "break"), _say(look, "break-means"), ""
    if options.mode == "companion":
        said = look.say(break_cost_message(options, "as-kimble.hint-break-costs"))
        cost = text_markup(said, 0, 82, 15, "felt-ink", room=340, anchor="middle")
    return (
        f'<g class="veil" role="img" aria-label="{escape(text)}" {FONT}>'
        f'<rect {board} rx="64" fill="#17121F" opacity=".8"/>'
        '<path d="M-13-62V-22M13-62V-22" stroke="#fff" stroke-width="9" stroke-linecap="round"/>'
        f"{text_markup(text, 0, 29, 42, 'plate', room=340, weight=800, anchor='middle')}"
        f"{text_markup(means, 0, 58, 15, 'felt-ink', room=340, anchor='middle')}{cost}"
        "</g>"
    )
