"""Labels and addresses of a table, wherever a page names it."""

from __future__ import annotations

from kibitz.i18n.grammar import join_names
from kibitz.server.phrases import Phrases
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.settings import ClockSettings, Days, Fischer
from kibitz.server.tables.viewers import ViewerSettings


def clock_text(clock: ClockSettings, say: Phrases) -> str:
    """The time there is; nothing where there is no clock."""
    match clock:
        case Fischer(minutes, seconds):
            return say.t("page.clock-fischer", minutes=f"{minutes:g}", seconds=f"{seconds:g}")
        case Days(days):
            whole = int(days) if days == int(days) else 2
            return say.t("page.clock-days", n=whole, days=f"{days:g}")
    return ""


def setting_labels(live: LiveTable, say: Phrases) -> list[str]:
    rated = say.t("page.rated") if live.settings.rated else ""
    return [text for text in (clock_text(live.settings.clock, say), rated) if text]


def table_url(live: LiveTable) -> str:
    """The page of a table for somebody who comes back to it."""
    if live.game.companion is not None:
        return f"/book/{live.id}"
    return f"/t/{live.id}/result" if live.table.is_over else f"/t/{live.id}"


def others_text(live: LiveTable, settings: ViewerSettings, say: Phrases) -> str:
    """The others there, by name where they have one."""
    people = live.people
    others = [
        seat for seat in live.game.seats if seat not in (*settings.seats, *settings.fill_in_seats)
    ]
    names = [name for seat in others for m in people.members[seat] if (name := live.names.get(m))]
    if not names:
        return play_mode_text(live, say)
    return say.t("page.with", names=join_names(dict.fromkeys(names)))


def play_mode_text(live: LiveTable, say: Phrases) -> str:
    are_bots = bool(live.people.bots.keys() - live.people.fill_ins)
    if are_bots and len(live.people.all_members) < 2 and live.people.is_full:
        return say.t("page.against-bot")
    alone = len(live.people.all_members) == 1 and live.people.is_full
    return say.t("page.on-one-device" if alone else "page.among-people")
