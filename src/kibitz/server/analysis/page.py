"""The chances over a match that is over, as a page tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from babel import Locale
from babel.numbers import format_percent
from markupsafe import Markup

from kibitz.analysis import findings
from kibitz.analysis.duels import Duel
from kibitz.analysis.findings import Percent
from kibitz.analysis.match import Entry, lucky_swings, mistakes, swings
from kibitz.core.game import SPECTATOR, visible_to
from kibitz.core.message import Message
from kibitz.server.analysis.evaluation import TOP_SWINGS, seat_colour
from kibitz.server.chart import FigureRow, PlotLine, plot_svg
from kibitz.server.phrases import Phrases
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.highlights import ScorePoint

TICKS = (0, 25, 50, 75, 100)
MAX_TABLE_ROWS = 12
"""Of the table that says what the picture shows."""


@dataclass(frozen=True, slots=True)
class Swing:
    n: int
    url: str
    badge: str
    """Its number in the picture, if it has one."""
    event_text: str
    """What happened."""
    why: str
    """And what it did to the chances."""


@dataclass(frozen=True, slots=True)
class Share:
    """A card of a mix."""

    card: str
    share: str
    is_played: bool


@dataclass(frozen=True, slots=True)
class CardView:
    n: int
    url: str
    glyph: Markup
    player_name: str
    why: str
    mix: Sequence[Share]


@dataclass(frozen=True, slots=True)
class EvaluationSummary:
    title: str
    picture: Markup
    heads: Sequence[str]
    rows: Sequence[FigureRow]
    mistakes: Sequence[Swing]
    fortunes: Sequence[Swing]
    duels: Sequence[Sequence[CardView]]
    """The cards that met."""


def evaluation_summary(
    live: LiveTable, entries: Sequence[Entry], say: Phrases
) -> EvaluationSummary:
    badges = {each.n: str(i) for i, each in enumerate(swings(entries, TOP_SWINGS), 1)}
    badges = dict(sorted(badges.items()))
    percent = percent_formatter(say.language)
    seats = _plotted_seats(live)
    title = say.t("page.chances-of", seat=seats[0]) if len(seats) == 1 else say.t("page.chances")
    standings = _score_points(live, entries, len(seats))
    threads = [
        PlotLine(seat, seat_colour(live, n), live.game.ui.glyph(seat))
        for n, seat in enumerate(seats)
    ]

    def swing(entry: Entry, why: Message) -> Swing:
        return Swing(
            entry.n,
            _move_url(live, entry),
            badges.get(entry.n, ""),
            _event_text(live, entry, say),
            say(why),
        )

    costs = [swing(e, findings.mistake_message(e, percent)) for e in mistakes(entries, TOP_SWINGS)]
    luck = [
        swing(e, findings.luck_message(e, live.game.seats, percent))
        for e in lucky_swings(entries, TOP_SWINGS)
    ]
    return EvaluationSummary(
        title=title,
        picture=plot_svg(title, standings, threads, badges, TICKS),
        heads=[str(say.names[seat]) for seat in live.game.seats],
        rows=_table_rows(entries, percent, say),
        mistakes=costs,
        fortunes=luck,
        duels=[
            [_card_view(live, each, percent, say) for each in met]
            for met in findings.card_pairs(entries)
        ],
    )


def percent_formatter(language: str) -> Percent:
    def percent(share: float) -> str:
        """A digit more where there would be few."""
        return str(format_percent(share, fine if 0 < share < 0.1 else usual, language))

    usual = str(Locale(language).percent_formats[None].pattern)
    fine = usual.replace("0", "0.0")
    return percent


def _plotted_seats(live: LiveTable) -> tuple[str, ...]:
    """Of two seats one has what the other has not."""
    seats = live.game.seats
    return seats[:1] if len(seats) == 2 else seats


def _score_points(live: LiveTable, entries: Sequence[Entry], drawn: int) -> list[ScorePoint]:
    found = [entries[0].before, *(each.after for each in entries)]
    return [
        ScorePoint(n, tuple(round(100 * each, 1) for each in chances[:drawn]))
        for n, chances in enumerate(found)
    ]


def _table_rows(entries: Sequence[Entry], percent: Percent, say: Phrases) -> list[FigureRow]:
    count = min(MAX_TABLE_ROWS, len(entries))
    some = sorted({round(i * (len(entries) - 1) / max(1, count - 1)) for i in range(count)})
    return [
        FigureRow(
            say.t("page.story-move", n=entries[i].n), [percent(each) for each in entries[i].after]
        )
        for i in some
    ]


def _event_text(live: LiveTable, entry: Entry, say: Phrases) -> str:
    events = live.table.history[entry.n - 1].step.events
    told = visible_to(events, entry.actor) or visible_to(events, SPECTATOR)
    return "; ".join(say(event.message) for event in told) or entry.action


def _card_view(live: LiveTable, entry: Entry, percent: Percent, say: Phrases) -> CardView:
    assert entry.duel
    return CardView(
        n=entry.n,
        url=_move_url(live, entry),
        glyph=Markup(live.game.ui.glyph(entry.actor)),
        player_name=str(say.names[entry.actor]),
        why=say(findings.card_message(entry, percent)),
        mix=_mix(entry.duel, percent),
    )


def _mix(duel: Duel, percent: Percent) -> list[Share]:
    shares: Mapping[str, float] = duel.mix
    return [
        Share(findings.card_number(card), percent(share) if share else "", card == duel.card)
        for card, share in shares.items()
    ]


def _move_url(live: LiveTable, entry: Entry) -> str:
    return f"/t/{live.id}#{entry.n}"
