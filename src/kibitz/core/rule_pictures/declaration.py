"""The pictures of a rules page as data, not code.

A game keeps its own in `pictures.toml`:

    [[pictures]]
    id = "push"                    # ![...](pictures/<game>-push.svg) on the page, in every language
    paragraph = "3.3"              # the one it stands in
    beside = true                  # left out: the panels are one below the other

    [[pictures.panels]]
    start = "<position text>"      # left out: goes on where the panel before ended
    options = { tries = 2 }        # of the game; left out: those of the rule book
    plays = ["e4:E1"]              # what was played before it is drawn; what moved is in yellow
    viewer = "R"                   # left out: a spectator
    is_tall = true                 # as on a phone held upright
    area = ["sq-a3", "off-E5 9 0"]   # the part that shows: these places, or so far right and below;
                                   # left out: all of it
    has_names = false              # files and ranks are not named; left out: they are
    touched = ["sq-e4"]            # what has been touched: the marks of what may be chosen next,
    shows = ["e4:E1"]              # and of which actions; left out: of all
    tags = ["sq-a1", "sq-b2 24 0"]   # numbered from 1, on a place or so far right of it and below
    arrows = [["sq-a1", "sq-b2"]]  # from place to place
    beams = [["sq-a1", "sq-d1"]]   # from a piece to what it sees
    dots = ["sq-a1"]               # places to go to
    allows = ["e4:E2"]             # tests: the rules allow it, as all that is in `shows`
    refuses = [["e4:E3", "3.3", "sq-h4"]]   # tests: refused by this paragraph; a cross on the place
    result = "A"                   # tests: the match is over, with this result
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from msgspec import ValidationError, convert, field

from kibitz.core.game import SPECTATOR, Place
from kibitz.core.values import FrozenValue


class Refusing(FrozenValue, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An action that the rules refuse, and where a cross says so."""

    action: str
    paragraph: str
    place: Place = ""


class Panel(FrozenValue, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One position of a picture."""

    start: str = ""
    """Nothing: it goes on where the panel before ended."""
    options: Mapping[str, Any] = field(default_factory=dict)
    plays: tuple[str, ...] = ()
    viewer: str = SPECTATOR
    is_tall: bool = False
    area: tuple[Place, ...] = ()
    has_names: bool = True
    touched: tuple[Place, ...] = ()
    shows: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    arrows: tuple[tuple[Place, ...], ...] = ()
    beams: tuple[tuple[Place, Place], ...] = ()
    dots: tuple[Place, ...] = ()
    allows: tuple[str, ...] = ()
    refuses: tuple[Refusing, ...] = ()
    result: Any = None


class RulePicture(FrozenValue, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    paragraph: str
    panels: tuple[Panel, ...]
    beside: bool = False


def read_pictures(text: str) -> Mapping[str, RulePicture]:
    """The pictures by their ids; raises ValueError, which says what is wrong where."""
    try:
        found = convert(tomllib.loads(text).get("pictures", []), tuple[RulePicture, ...])
    except ValidationError as error:
        raise ValueError(f"pictures: {error}") from error
    pictures = {each.id: each for each in found}
    if len(pictures) < len(found):
        raise ValueError("pictures: two have the same id")
    for each in found:
        if not each.panels or not each.panels[0].start:
            raise ValueError(f"picture {each.id!r}: the first panel needs a start")
    return pictures
