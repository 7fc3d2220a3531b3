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
from kibitz.analysis.match import Entry, fortunes, mistakes, swings
from kibitz.core.game import SPECTATOR, tell
from kibitz.core.message import Message
from kibitz.server.analysis.evaluation import TOP, tint_of
from kibitz.server.pages.chart import Thread, plot
from kibitz.server.pages.result import Row
from kibitz.server.phrases import Speech
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.highlights import Standing

TICKS = (0, 25, 50, 75, 100)
ROWS = 12
"""Of the table that says what the picture shows."""


@dataclass(frozen=True, slots=True)
class Swing:
    n: int
    url: str
    badge: str
    """Its number in the picture, if it has one."""
    told: str
    """What happened."""
    why: str
    """And what it did to the chances."""


@dataclass(frozen=True, slots=True)
class Share:
    """A card of a mix."""

    card: str
    share: str
    played: bool


@dataclass(frozen=True, slots=True)
class CardTold:
    n: int
    url: str
    glyph: Markup
    called: str
    why: str
    mix: Sequence[Share]


@dataclass(frozen=True, slots=True)
class ChanceStory:
    title: str
    picture: Markup
    heads: Sequence[str]
    rows: Sequence[Row]
    mistakes: Sequence[Swing]
    fortunes: Sequence[Swing]
    duels: Sequence[Sequence[CardTold]]
    """The cards that met."""


def chance_story(live: LiveTable, entries: Sequence[Entry], say: Speech) -> ChanceStory:
    badges = {each.n: str(i) for i, each in enumerate(swings(entries, TOP), 1)}
    badges = dict(sorted(badges.items()))
    percent = percent_in(say.language)
    seats = _drawn(live)
    title = say.t("page.chances-of", seat=seats[0]) if len(seats) == 1 else say.t("page.chances")
    standings = _standings(live, entries, len(seats))
    threads = [
        Thread(seat, tint_of(live, n), live.game.glyph(seat)) for n, seat in enumerate(seats)
    ]

    def swing(entry: Entry, why: Message) -> Swing:
        return Swing(
            entry.n, _url(live, entry), badges.get(entry.n, ""), _told(live, entry, say), say(why)
        )

    costs = [swing(e, findings.mistake(e, percent)) for e in mistakes(entries, TOP)]
    luck = [swing(e, findings.fortune(e, live.game.seats, percent)) for e in fortunes(entries, TOP)]
    return ChanceStory(
        title=title,
        picture=plot(title, standings, threads, badges, TICKS),
        heads=[str(say.names[seat]) for seat in live.game.seats],
        rows=_rows(entries, percent, say),
        mistakes=costs,
        fortunes=luck,
        duels=[
            [_card(live, each, percent, say) for each in met] for met in findings.cards(entries)
        ],
    )


def percent_in(language: str) -> Percent:
    def percent(share: float) -> str:
        """A digit more where there would be few."""
        return str(format_percent(share, fine if 0 < share < 0.1 else usual, language))

    usual = str(Locale(language).percent_formats[None].pattern)
    fine = usual.replace("0", "0.0")
    return percent


def _drawn(live: LiveTable) -> tuple[str, ...]:
    """Of two seats one has what the other has not."""
    seats = live.game.seats
    return seats[:1] if len(seats) == 2 else seats


def _standings(live: LiveTable, entries: Sequence[Entry], drawn: int) -> list[Standing]:
    found = [entries[0].before, *(each.after for each in entries)]
    return [
        Standing(n, tuple(round(100 * each, 1) for each in chances[:drawn]))
        for n, chances in enumerate(found)
    ]


def _rows(entries: Sequence[Entry], percent: Percent, say: Speech) -> list[Row]:
    count = min(ROWS, len(entries))
    some = sorted({round(i * (len(entries) - 1) / max(1, count - 1)) for i in range(count)})
    return [
        Row(say.t("page.story-move", n=entries[i].n), [percent(each) for each in entries[i].after])
        for i in some
    ]


def _told(live: LiveTable, entry: Entry, say: Speech) -> str:
    events = live.table.played[entry.n - 1].step.events
    told = tell(events, entry.actor) or tell(events, SPECTATOR)
    return "; ".join(say(event.message) for event in told) or entry.action


def _card(live: LiveTable, entry: Entry, percent: Percent, say: Speech) -> CardTold:
    assert entry.duel
    return CardTold(
        n=entry.n,
        url=_url(live, entry),
        glyph=Markup(live.game.glyph(entry.actor)),
        called=str(say.names[entry.actor]),
        why=say(findings.card(entry, percent)),
        mix=_mix(entry.duel, percent),
    )


def _mix(duel: Duel, percent: Percent) -> list[Share]:
    shares: Mapping[str, float] = duel.mix
    return [
        Share(findings.pips(card), percent(share) if share else "", card == duel.card)
        for card, share in shares.items()
    ]


def _url(live: LiveTable, entry: Entry) -> str:
    return f"/t/{live.id}#{entry.n}"
