"""The chances over a match that is over, as a page tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from kibitz.analysis import findings
from kibitz.analysis.advice import advice_offer
from kibitz.analysis.findings import Percent
from kibitz.analysis.match import Entry, agreement, lucky_swings, mistakes, swings
from kibitz.core.game import Offer
from kibitz.core.message import Message
from kibitz.i18n.formats import percent_text
from kibitz.server.analysis.evaluation import TOP_SWINGS, seat_colour
from kibitz.server.chart import PlotLine, figure_row, plot_svg, sample_evenly
from kibitz.server.phrases import Phrases, event_text
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.highlights import ScorePoint

TICKS = (0, 25, 50, 75, 100)


def evaluation_summary(
    live: LiveTable, entries: Sequence[Entry], say: Phrases
) -> Mapping[str, Any]:
    """All that the part of a page about the chances shows."""
    badges = {each.n: str(i) for i, each in enumerate(swings(entries, TOP_SWINGS), 1)}
    badges = dict(sorted(badges.items()))
    percent = percent_formatter(say.language)
    seats = live.game.seats
    plotted = seats[:1] if len(seats) == 2 else seats  # Of two one has what the other has not.
    title = say.t("page.chances-of", seat=seats[0]) if len(plotted) == 1 else say.t("page.chances")
    points = _score_points(entries, len(plotted))
    lines = [
        PlotLine(seat_colour(live, n), live.game.ui.glyph(seat)) for n, seat in enumerate(plotted)
    ]

    def state_before(entry: Entry) -> Any:
        return live.table.history[entry.n - 1].before

    def swing(entry: Entry, why: Message) -> Mapping[str, Any]:
        """An entry in words, its effect on the chances, and its number in the picture if any."""
        events = live.table.history[entry.n - 1].step.events
        return {
            "n": entry.n,
            "url": _better_url(live, entry) if entry.loss else _move_url(live, entry),
            "badge": badges.get(entry.n, ""),
            "event_text": event_text(events, entry.actor, say) or entry.action,
            "why": say(why),
            "try_url": _try_url(live, entry) if entry.loss else "",
        }

    return {
        "title": title,
        "picture": plot_svg(title, points, lines, badges, TICKS),
        "heads": [str(say.names[seat]) for seat in seats],
        "rows": [
            figure_row(say.t("page.story-move", n=each.n), map(percent, each.after))
            for each in sample_evenly(entries)
        ],
        "mistakes": [
            swing(each, findings.mistake_message(live.game, state_before(each), each, percent))
            for each in mistakes(entries, TOP_SWINGS)
        ],
        "agreements": _agreements(live, entries, say) if live.settings.rated else [],
        "fortunes": [
            swing(each, findings.luck_message(each, seats, percent))
            for each in lucky_swings(entries, TOP_SWINGS)
        ],
        "duels": [
            [_card_view(live, each, percent, say) for each in met]
            for met in findings.card_pairs(entries)
        ],
    }


def _agreements(live: LiveTable, entries: Sequence[Entry], say: Phrases) -> list[str]:
    """The choices of each player of a rated match that our best bot would have made, for everyone
    to see."""
    found = {seat: agreement(entries, seat) for seat in live.game.seats}
    return [
        say.t("page.agreement", name=str(say.names[seat]), same=each.same, choices=each.choices)
        for seat, each in found.items()
        if each.choices
    ]


def percent_formatter(language: str) -> Percent:
    def percent(share: float) -> str:
        """A digit more where there would be few."""
        return percent_text(language, share, digits=1 if 0 < share < 0.1 else 0)

    return percent


def _score_points(entries: Sequence[Entry], seats: int) -> list[ScorePoint]:
    found = [entries[0].before, *(each.after for each in entries)]
    return [
        ScorePoint(n, tuple(round(100 * each, 1) for each in chances[:seats]))
        for n, chances in enumerate(found)
    ]


def _card_view(live: LiveTable, entry: Entry, percent: Percent, say: Phrases) -> Mapping[str, Any]:
    """A card that met another, and the mix it should have come from."""
    assert entry.duel
    return {
        "n": entry.n,
        "url": _move_url(live, entry),
        "glyph": Markup(live.game.ui.glyph(entry.actor)),
        "player_name": str(say.names[entry.actor]),
        "why": say(findings.card_message(entry, percent)),
        "mix": [
            {
                "card": findings.card_number(card),
                "share": percent(share) if share else "",
                "is_played": card == entry.duel.card,
            }
            for card, share in entry.duel.mix.items()
        ],
    }


def _try_url(live: LiveTable, entry: Entry) -> str:
    """The position before a mistake on an analysis board, with what would have been better."""
    best = findings.better_alternative(entry)
    asked = {"table": live.id, "n": entry.n - 1, "better": "", "evaluate": 1}
    if best:
        state = live.table.history[entry.n - 1].before
        offer = advice_offer(live.game, state, entry.actor, best.line or (best.action,))
        asked["better"] = ",".join(offer.actions if offer else (best.action,))
    return f"/analysis/{live.game.name}?{urlencode(asked)}"


def _better_url(live: LiveTable, entry: Entry) -> str:
    """The position before a mistake in the match itself, with the way of what was better."""
    best = findings.better_alternative(entry)
    if best is None:
        return _move_url(live, entry)
    state = live.table.history[entry.n - 1].before
    offer = advice_offer(live.game, state, entry.actor, best.line or (best.action,))
    way = [place for place in _way(offer) if not place.startswith("btn-")] if offer else []
    return f"/t/{live.id}#{entry.n - 1}:{','.join(way)}" if way else _move_url(live, entry)


def _way(offer: Offer) -> Sequence[str]:
    """The places that an arrow for an offer leads along."""
    length = len(offer.path)
    ways = (each.places for each in offer.marks if each.kind == "way" and each.after == length)
    return next(ways, offer.path[-2:])


def _move_url(live: LiveTable, entry: Entry) -> str:
    return f"/t/{live.id}#{entry.n}"
