"""Positions as pictures: SVG, PNG or text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

from kibitz.core.colours import THEMES
from kibitz.core.drawing import Look, svg, with_theme_colours
from kibitz.core.game import SPECTATOR, moves_in, visible_to
from kibitz.core.marks import with_last_move, with_marks
from kibitz.core.message import Refused, message
from kibitz.core.record import Record
from kibitz.i18n.shell import phrases_for_seats
from kibitz.library.match import Match
from kibitz.library.words import refusals_in_words
from kibitz.table import Table

Format = Literal["svg", "png", "text"]
FORMATS = "svg", "png", "text"


@overload
def draw(
    what: Match | Record,
    at: int | None = None,
    as_: Literal["svg", "text"] = "svg",
    *,
    viewer: str = SPECTATOR,
    theme: str = "light",
    width: int = 900,
) -> str: ...
@overload
def draw(
    what: Match | Record,
    at: int | None = None,
    *,
    as_: Literal["png"],
    viewer: str = SPECTATOR,
    theme: str = "light",
    width: int = 900,
) -> bytes: ...
def draw(
    what: Match | Record,
    at: int | None = None,
    as_: Format = "svg",
    *,
    viewer: str = SPECTATOR,
    theme: str = "light",
    width: int = 900,
) -> str | bytes:
    """A position as a picture: a match, or a record after `at` actions; the last move is marked.

    `as_` is `svg`, `png` (bytes, of this width) or `text`, `theme` is `light` or `dark`, and
    `viewer` is a seat, who sees its own secrets, or `spectator`.

    >>> import kibitz
    >>> match = kibitz.Match(name)
    >>> kibitz.draw(match).startswith("<svg")
    True
    >>> kibitz.draw(match.record(), at=0, as_="png", width=100)[1:4]
    b'PNG'
    >>> kibitz.draw(match, as_="text") == repr(match) + chr(10)
    True
    """
    with refusals_in_words():
        if as_ not in FORMATS:
            raise Refused(message("cli.picture", kind=str(as_)[:60]))
        if theme not in THEMES:
            raise Refused(message("cli.theme", theme=theme[:60], themes=", ".join(THEMES)))
    if isinstance(what, Record) or at is not None:
        what = Match.from_record(what if isinstance(what, Record) else what.record(), at)
    if viewer != SPECTATOR and viewer not in what.game.seats:
        raise ValueError(f"the seats are {', '.join(what.game.seats)}, not {viewer!r}")
    look = Look(phrases_for_seats(what.game))
    picture = render_position(what.table, as_, look, (), theme, width, viewer)
    return picture if as_ == "png" else picture.decode()


def render_position(
    table: Table[Any, Any, Any],
    kind: str,
    look: Look,
    touched: Sequence[str] = (),
    theme: str = "light",
    width: int = 900,
    viewer: str = SPECTATOR,
) -> bytes:
    """A position of a table, with what can be chosen after some touches, as the bytes of a file."""
    view, path = table.view(viewer), tuple(touched)
    offers = [offer for seat in table.game.seats for offer in table.offers(seat)] if path else []
    left = [offer for offer in offers if offer.path[: len(path)] == path]
    if path and not left:
        raise Refused(message("cli.nothing-to-choose", path=" ".join(path)[:60]))
    if kind == "text":
        listed = (f"{' '.join(offer.actions)}  {look.say(offer.label)}" for offer in left)
        return "\n".join((table.game.ui.draw_text(view, look.say), *listed, "")).encode()
    drawing = table.game.ui.draw(view, look)
    if table.history:
        events = visible_to(table.history[-1].step.events, viewer)
        drawing = with_last_move(drawing, moves_in(events))
    if path:
        drawing = with_marks(drawing, offers, path)
    markup = with_theme_colours(svg(drawing, paper=True), theme)
    if kind == "svg":
        return (markup + "\n").encode()
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=markup, width=width))
