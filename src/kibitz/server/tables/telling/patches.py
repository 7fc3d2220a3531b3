"""Patches: the changes of a view since a page was shown the last one.

A page keeps what it was shown, and so does its connection, by reference: those who see the same
share it, and are sent the same patch, which is made and encoded once.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import compress, count
from operator import attrgetter, ne
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from kibitz.core.drawing import PIECE_LAYERS
from kibitz.core.game import Viewer
from kibitz.server.tables import people_view, protocol
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.telling.offers import OfferForm, SentOffer
from kibitz.server.tables.view import BuiltView, build_view, render_view
from kibitz.server.tables.viewers import ViewerSettings, viewpoint_at

NEWS = ("svg", "layers", "events", "short_texts", "log", "seats", "offers", "seq", "log_from")
"""The fields of a view that are not compared: most are news, two are compared piece by piece."""
KEPT = tuple(name for name in protocol.TableView.__struct_fields__ if name not in NEWS)
"""The fields that are sent only where they changed."""
_kept_values = attrgetter(*KEPT)
TAG = "<"
"""Where the markup of a layer is cut into the parts that are compared."""
MAX_CACHED_LAYERS = 256
"""So many changes of layers are kept, for others who look alike."""
MAX_FORMS = 400
"""A page is sent so many forms of offers; what has another is sent whole."""
NO_FORMS: Mapping[OfferForm, int] = MappingProxyType({})
WHOLE = 0
"""The version of what a page has after a whole view."""


class ShownView(NamedTuple):
    """All that a page has of a table."""

    seq: int
    version: int
    """The count of changes of the table when it was made, or `WHOLE`. A patch says which version it
    is for, so a page notices if it has another."""
    built: BuiltView
    layers: Mapping[str, tuple[str, ...]]
    """The layers that it has as text, in chunks; none after a whole view."""
    offers: Sequence[SentOffer]
    """Those it was sent when it last had any."""
    forms: Mapping[OfferForm, int]
    """The forms of offers that it was sent since a whole view, by their numbers."""


def whole_view(
    live: LiveTable,
    settings: ViewerSettings,
    seen: int | None,
    before: Viewer | None,
) -> tuple[str, ShownView]:
    """A view with every field, and what a page has after it."""
    built = build_view(live, settings, seen, before)
    shown = ShownView(live.seq, WHOLE, built, {}, built.offers or (), NO_FORMS)
    kept = live.caches.shown_views.setdefault(settings, shown)
    return render_view(live, settings, seen, before), kept


def view_patch(
    live: LiveTable, settings: ViewerSettings, shown: ShownView
) -> tuple[str, ShownView]:
    """The changes since a page was shown this, and what it has after them."""
    key = settings, id(shown)
    found = live.caches.patches.get(key)
    if found is None:
        # What was shown is kept too: nothing else can come to have its identity.
        found = *_make_patch(live, settings, shown), shown
        live.caches.patches[key] = found
    return found[0], found[1]


def people_patch(
    live: LiveTable, settings: ViewerSettings, shown: ShownView
) -> tuple[str, ShownView]:
    """The message about the people, and what a page has after it: so it does not matter whether
    they came before a view or after it."""
    key = settings, id(shown), "people"
    found = live.caches.patches.get(key)
    if found is None:
        viewpoint = viewpoint_at(live, settings)
        seats = people_view.seat_views(live, settings, viewpoint.say)
        table = people_view.table_info(live, viewpoint)
        made = {"type": protocol.PEOPLE, **_versions(live, shown), "seats": seats, "table": table}
        built = shown.built._replace(
            view=msgspec.structs.replace(shown.built.view, table=table),
            still_seats=people_view.still_seat_views(live, viewpoint),
        )
        after = shown._replace(built=built, version=live.caches.version)
        found = protocol.write_message(made), after, shown
        live.caches.patches[key] = found
    return found[0], found[1]


def _versions(live: LiveTable, shown: ShownView) -> dict[str, int]:
    return {"base": shown.version, "version": live.caches.version}


def _make_patch(
    live: LiveTable, settings: ViewerSettings, shown: ShownView
) -> tuple[str, ShownView]:
    built = build_view(live, settings, shown.seq, shown.built.viewer)
    view, had = built.view, shown.built.view
    changed: dict[str, Any] = {"type": protocol.PATCH, **_versions(live, shown)}
    changed |= {"seq": view.seq, "log_from": view.log_from}
    now, then = _kept_values(view), _kept_values(had)
    if now != then:
        for name, value, old in zip(KEPT, now, then, strict=True):
            if value is not old and value != old:
                changed[name] = value
    if view.events:
        changed["events"] = view.events
    if view.short_texts:
        changed["short_texts"] = view.short_texts
    if view.log:
        changed["log"] = view.log
    if built.still_seats is not shown.built.still_seats and (
        built.still_seats != shown.built.still_seats
    ):
        changed["seats"] = built.still_seats
    if layers := _changed_layers(shown, built):
        changed["layers"] = layers
    forms = shown.forms
    if built.offers != shown.built.offers:
        parts = refer_to_parts(shown.offers, built.offers)
        parts, forms = _with_rows(parts, shown.forms)
        if forms is not shown.forms:
            changed["forms"] = [each.text for each in [*forms][len(shown.forms) :]]
        changed["offers"] = parts
    # Pages that had the same offers last have the same again, whenever they came.
    known = built.offers or shown.offers or ()
    after = ShownView(view.seq, live.caches.version, built, built.layers, known, forms)
    after = live.caches.shown_views.setdefault((settings, id(known), id(forms)), after)
    return protocol.write_message(changed), after


def _with_rows(
    parts: Sequence[SentOffer | int], forms: Mapping[OfferForm, int]
) -> tuple[list[Any], Mapping[OfferForm, int]]:
    """The same parts with rows in the place of offers, and the forms that a page has then. A number
    of an offer that it has stays; what has no form is encoded whole."""
    new = dict[OfferForm, int]()
    for part in parts:
        if isinstance(part, int) or part.form in forms or part.form in new:
            continue
        known = len(forms) + len(new)
        if known < MAX_FORMS and part.form.text is not None:
            new[part.form] = known
    if new:
        forms = {**forms, **new}
    return [
        part
        if isinstance(part, int)
        else [forms[part.form], *part.texts]
        if part.form in forms
        else part.form.encode_whole(part.row)
        for part in parts
    ], forms


def _changed_layers(shown: ShownView, built: BuiltView) -> dict[str, Any]:
    """The layers that changed; None for those of pieces that did not: a page has moved these."""
    found: dict[str, Any] = {}
    for name, made in built.layers.items():
        had = shown.layers.get(name)
        if had is None:
            found[name] = "".join(made)
        elif had != made:
            found[name] = _changed_markup(had, made)
        elif name in PIECE_LAYERS:
            found[name] = None
    return found


@lru_cache(maxsize=MAX_CACHED_LAYERS)
def _changed_markup(had: tuple[str, ...], made: tuple[str, ...]) -> list[Any]:
    """The parts of a layer's markup, of those that a page has the numbers; the same for all who
    look alike. Only the chunks that differ are cut into parts."""
    head = _common_count(had, made)
    tail = _common_count(had[:head:-1], made[:head:-1])
    before = sum(map(_tag_count, had[:head])) + 1 if head else 0
    after = sum(map(_tag_count, had[len(had) - tail :]))
    gone = "".join(had[head : len(had) - tail]).split(TAG)
    come = "".join(made[head : len(made) - tail]).split(TAG)
    if head:
        del gone[0], come[0]  # Of what is before the first tag: nothing.
    found = refer_to_parts(gone, come, before)
    if before:
        found = [0, before, *found]
    return [*found, before + len(gone), after] if after else found


@lru_cache(maxsize=1 << 12)
def _tag_count(chunk: str) -> int:
    """The number of tags in a chunk of markup; most are asked for again and again."""
    return chunk.count(TAG)


def refer_to_parts(had: Sequence[Hashable], now: Sequence[Any], first: int = 0) -> list[Any]:
    """These parts, but for those that a page has: of them the number of the first, and how many
    follow one another. Those that a page has are numbered from `first`."""
    head = _common_count(had, now)
    tail = _common_count(had[head:][::-1], now[head:][::-1])
    end, between = len(had) - tail, now[head : len(now) - tail]
    made: list[Any] = [first, head] if head else []
    places = dict(zip(had[head:end], range(head, end), strict=True)) if between else {}
    place, is_in_run = head, False
    for part in between:
        # Most follow the one before, or take the place of another.
        if place >= end or had[place] != part:
            is_in_run = False
            if part not in places:
                made.append(part)
                place += 1
                continue
            place = places[part]
        if is_in_run:
            made[-1] += 1
        else:
            made += first + place, 1
        is_in_run, place = True, place + 1
    return [*made, first + end, tail] if tail else made


def _common_count(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """The number of items that both begin with."""
    differs = map(ne, one, other)
    return next(compress(count(), differs), min(len(one), len(other)))
