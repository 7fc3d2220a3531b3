"""The pages: what their templates are told, in the reader's language."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from datetime import datetime
from functools import lru_cache, partial
from posixpath import dirname, join, normpath
from typing import Any

import jinja2
import msgspec
import segno
from babel import Locale
from babel.dates import format_date, format_skeleton
from litestar import MediaType, Response
from litestar.datastructures import Cookie
from markupsafe import Markup

from kibitz.analysis.match import Entry
from kibitz.bots.registry import BOTS, LEVELS, has_engine
from kibitz.core import caching
from kibitz.core.colours import DARK, LIGHT
from kibitz.core.drawing import Look, svg
from kibitz.core.game import SPECTATOR, Rulebook
from kibitz.core.message import Message as Said
from kibitz.core.options import Choice, WholeNumber
from kibitz.core.record import START, Fault
from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES, template_in
from kibitz.server.accounts.accounts import AccessToken, Account
from kibitz.server.accounts.turn_mail import DEFAULT_INTERVAL_S, INTERVAL_KEY, INTERVALS_S
from kibitz.server.analysis.page import evaluation_summary
from kibitz.server.companion import book
from kibitz.server.companion.summary import summary_of, summary_page
from kibitz.server.http.url_prefix import with_prefix
from kibitz.server.pages.lessons import has_lessons, tutorial_data
from kibitz.server.pages.result import duration_text, match_result
from kibitz.server.pages.rules import RulePage
from kibitz.server.phrases import Phrases, phrases_for
from kibitz.server.static_files import static_file, template_folders
from kibitz.server.tables.invitations import WATCH
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.ratings import PROVISIONAL_MATCHES, LadderPage, Rating, RatingChange
from kibitz.server.tables.service import record_of, seal_of
from kibitz.server.tables.settings import ClockSettings, Days, Fischer, NoClock
from kibitz.server.tables.view import prompt
from kibitz.server.tables.viewers import ViewerSettings, phrases_at
from kibitz.table.handover import acting_seat
from kibitz.table.sealed_dice import verify_seal
from kibitz.table.seating import Member
from kibitz.table.table import AnyTable

LANGUAGE_NAMES = tuple((each, str(Locale(each).display_name).capitalize()) for each in LANGUAGES)
"""Every language, as those who speak it call it."""
CLOCK_CHOICES: tuple[ClockSettings, ...] = (
    NoClock(),
    Fischer(5, 3),
    Fischer(10, 5),
    Fischer(20, 10),
    Days(1),
    Days(3),
    Days(7),
)
"""What the first page offers; the API takes any."""
SUGGESTED_BOT = LEVELS[1]
"""Whom somebody plays who has not chosen: nobody likes to lose the first match."""


class Pages:
    def __init__(self, has_mail: bool = False) -> None:
        self.has_mail = has_mail
        """Whether people are asked where they want to be told of their turns."""
        self._templates = jinja2.Environment(
            loader=jinja2.ChoiceLoader([*map(jinja2.FileSystemLoader, template_folders())]),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def home(
        self,
        language: str,
        member: Member,
        name: str,
        has_account: bool,
        mine: list[LiveTable],
        lobby: list[LiveTable],
        cookies: list[Cookie],
    ) -> Response[str]:
        say = phrases_for(language)
        return self._render_page(
            "home.html",
            say,
            cookies,
            name=name,
            has_account=has_account,
            games=list(_game_cards(language)),
            clocks=[_clock_choice(each, say) for each in CLOCK_CHOICES],
            **_table_lists(language, member, mine, lobby),
        )

    def tables(
        self, language: str, member: Member, mine: list[LiveTable], lobby: list[LiveTable]
    ) -> Response[str]:
        """The part of the first page that changes by itself."""
        listed = _table_lists(language, member, mine, lobby)
        return self._render_page("tables.html", phrases_for(language), [], **listed)

    def table(
        self,
        live: LiveTable,
        watcher: ViewerSettings,
        links: Mapping[str, str],
        cookies: list[Cookie],
    ) -> Response[str]:
        say = phrases_at(live, watcher.language)
        game = live.game.name
        shown = {
            "id": live.id,
            "game": game,
            "title": say.t(f"{game}.title"),
            "rules_url": f"/rules/{game}",
            "lessons_url": f"/learn/{game}" if has_lessons(game) else "",
            "record_url": f"/t/{live.id}/record",
            "seal_url": f"/t/{live.id}/seal",
            "chips": [
                text
                for text in (_play_mode_text(live, say), _clock_text(live.settings.clock, say))
                if text
            ],
            "rated": live.settings.rated,
            "links": links,
        }
        return self._render_page("table.html", say, cookies, table=shown, back=f"/t/{live.id}")

    def invitation(
        self,
        language: str,
        live: LiveTable,
        place: str,
        token: str,
        member: Member,
        name: str,
        has_account: bool,
        cookies: list[Cookie],
    ) -> Response[str]:
        """What a link with this token is for."""
        say = phrases_at(live, language)
        people = live.people
        sitting = people.members.get(place, ())
        note = say.first(f"{live.game.name}.note-{place}")
        shown = {
            "game_title": say.t(f"{live.game.name}.title"),
            "place": place,
            "place_name": say.names.get(place) or say.t(f"page.place-{place}"),
            "place_note": note if note.lower() != say.names.get(place, "").lower() else "",
            "is_seat": place in people.members,
            "glyph": Markup(live.game.ui.glyph(place)) if place in people.members else "",
            "taken": bool(sitting),
            "others": ", ".join(filter(None, (live.names.get(each) for each in sitting))),
            "host": live.names.get(people.host, ""),
            "terms": [text for text in (_clock_text(live.settings.clock, say),) if text],
            "rated": live.settings.rated,
            "has_account": has_account,
            "to": f"/join/{live.id}/{token}",
            "over": live.table.is_over,
            "vignette_svg": _vignette(live.game.name, language),
            "mine": place in people.seats_of(member) or people.has_role(member, place),
            "url": _table_url(live),
        }
        return self._render_page("invitation.html", say, cookies, invitation=shown, name=name)

    def envelope(self, language: str, live: LiveTable) -> Response[str]:
        say = phrases_at(live, language)
        sealed = seal_of(live)
        fault = _seal_fault(live) if live.table.is_over else None
        return self._render_page(
            "envelope.html",
            say,
            [],
            seal=sealed,
            closed=_date_time_text(sealed["closed"], say) if sealed else "",
            opened=_date_time_text(sealed["opened"], say) if sealed and "opened" in sealed else "",
            draws=len(live.table.recorded_draws),
            over=live.table.is_over,
            fault=say(fault.refusal) if fault else "",
            game_title=say.t(f"{live.game.name}.title"),
            file=f"{live.game.name}-{live.id}.json",
            record_url=f"/t/{live.id}/record",
            url=f"/t/{live.id}",
        )

    def result(
        self,
        live: LiveTable,
        watcher: ViewerSettings,
        links: Mapping[str, str],
        changes: Mapping[Member, RatingChange],
        cookies: list[Cookie],
    ) -> Response[str]:
        say, table = phrases_at(live, watcher.language), live.table
        url = f"/t/{live.id}"
        # Others see a table that is not open by a link only.
        shared = f"{url}/result" if live.stored.open else links.get(WATCH, "")
        return self._render_page(
            "result.html",
            say,
            cookies,
            result=match_result(live, say),
            id=live.id,
            url=url,
            share=shared,
            game=live.game.name,
            game_title=say.t(f"{live.game.name}.title"),
            adjourned=table.is_adjourned,
            facts=_facts(live, say),
            rated=_rating_changes(live, changes, say),
            sealed=_seal_note(live, say),
            has_seal=bool(live.stored.seed),
            has_night=live.game.companion is not None,
            moves=len(table.history),
            seated=bool(watcher.seats) and table.rematch is None,
            alone=len(live.people.all_members) == 1,
            next=_rematch_url(live, watcher),
            back=f"{url}/result",
        )

    def chances(self, language: str, live: LiveTable, entries: Sequence[Entry]) -> Response[str]:
        """Only the part of a page that tells of them."""
        say, moves = phrases_at(live, language), len(live.table.history)
        story = evaluation_summary(live, entries, say) if moves else None
        return self._render_page("chances.html", say, [], story=story, moves=moves)

    def night(
        self,
        live: LiveTable,
        watcher: ViewerSettings,
        links: Mapping[str, str],
        cookies: list[Cookie],
    ) -> Response[str] | None:
        """The summary of an evening; None where nobody keeps a book."""
        say, url = phrases_at(live, watcher.language), f"/t/{live.id}"
        night = summary_of(live)
        if night is None:
            return None
        return self._render_page(
            "night.html",
            say,
            cookies,
            night=summary_page(live, night, say),
            url=url,
            share=f"{url}/night" if live.stored.open else _night_link(links),
            game=live.game.name,
            game_title=say.t(f"{live.game.name}.title"),
            date=_date_time_text(live.stored.created + night.course[0].at, say),
            back=f"{url}/night",
        )

    def party(
        self, language: str, live: LiveTable, links: Mapping[str, str], cookies: list[Cookie]
    ) -> Response[str]:
        """For a projector; `join` are the links worth showing to a whole room."""
        say = phrases_at(live, language)
        shown = {
            "id": live.id,
            "title": say.t(f"{live.game.name}.title"),
            "join": [place for place in (WATCH, *live.game.seats) if place in links],
        }
        return self._render_page("party.html", say, cookies, party=shown)

    def companion_setup(self, language: str, cookies: list[Cookie]) -> Response[str]:
        """Where a book for a real board is opened."""
        rulebook = GAMES[book.COMPANION_GAME]
        say = phrases_for(language, book.COMPANION_GAME, rulebook.game(rulebook.preset).seats)
        rules = [
            each
            for each in _option_fields(rulebook, say)
            if each["name"] not in book.OWN_FORM_OPTIONS
        ]
        shown = {**book.setup_context(say), "options": rules}
        return self._render_page("keep.html", say, cookies, keep=shown, back="/book")

    def book(
        self, language: str, live: LiveTable, links: Mapping[str, str], cookies: list[Cookie]
    ) -> Response[str]:
        say = phrases_at(live, language)
        shown = book.book_context(live, say, links)
        return self._render_page("book.html", say, cookies, book=shown, back=f"/book/{live.id}")

    def qr_svg(self, address: str) -> bytes:
        """A picture of an address, to be read by a camera."""
        made = io.BytesIO()
        segno.make(address, error="m").save(made, kind="svg", border=2, xmldecl=False)
        return made.getvalue()

    def rules(
        self, language: str, game: str, page: RulePage, cookies: list[Cookie]
    ) -> Response[str]:
        return self._render_page(
            "rules.html",
            phrases_for(language),
            cookies,
            game=game,
            title=page.title,
            article=Markup(page.article),
            toc=[asdict(heading) for heading in page.toc],
            has_lessons=has_lessons(game),
        )

    def learn(self, language: str, game: str, cookies: list[Cookie]) -> Response[str]:
        say = phrases_for(language)
        return self._render_page(
            "learn.html",
            say,
            cookies,
            course=tutorial_data(game, language),
            title=say.t(f"{game}.title"),
            others=[
                {"name": each, "title": say.t(f"{each}.title")} for each in _other_tutorials(game)
            ],
            back=f"/learn/{game}",
        )

    def analysis(self, language: str, game: str, cookies: list[Cookie]) -> Response[str]:
        rulebook = GAMES[game]
        say = phrases_for(language, game, rulebook.game(rulebook.preset).seats)
        shown = {
            "game": game,
            "title": say.t(f"{game}.title"),
            "rules_url": f"/rules/{game}",
            "options": list(_option_fields(rulebook, say)),
            "rules": {
                "book": {each.name: each.default for each in fields(rulebook.options)},
                "preset": dict(rulebook.preset),
            },
        }
        return self._render_page(
            "analysis.html", say, cookies, study=shown, back=f"/analysis/{game}"
        )

    DONE_NOTICES = ("registered", "password", "revoked", "email", "email-sent")
    """What the page of an account says was done."""

    def account(
        self,
        language: str,
        account: Account | None,
        *,
        devices: list[AccessToken],
        bots: list[AccessToken],
        rated: Mapping[str, tuple[Rating, float]],
        digest: str,
        name: str,
        wrong: tuple[str, Said] | None,
        typed: str,
        made: tuple[AccessToken, str] | None,
        done: str,
        to: str,
        cookies: list[Cookie],
        status: int,
    ) -> Response[str]:
        """`wrong` is which form was refused, and why; `made` a token that is shown this once."""
        say = phrases_for(language)
        return self._render_page(
            "account.html",
            say,
            cookies,
            status,
            account=_account_context(account, self.has_mail) if account else None,
            devices=[_token_entry(each, digest, say) for each in devices],
            bots=[_token_entry(each, digest, say) for each in bots],
            rated=[
                {**_rating_data(rating), "game": game, "title": say.t(f"{game}.title")}
                for game, (rating, _) in rated.items()
            ],
            name=name,
            wrong={"form": wrong[0], "text": say(wrong[1])} if wrong else None,
            typed=typed,
            made={"name": made[0].name, "token": made[1]} if made else None,
            done=done,
            to=to,
            back="/account",
        )

    def ladder(
        self,
        language: str,
        game: str,
        member: Member,
        ladder: LadderPage,
        apart: LadderPage | None,
        is_new: bool,
        cookies: list[Cookie],
    ) -> Response[str]:
        """Those with a place, and `apart` those who have none yet; or only these."""
        say = phrases_for(language)
        return self._render_page(
            "ladder.html",
            say,
            cookies,
            game=game,
            title=say.t(f"{game}.title"),
            games=[{"name": each, "title": say.t(f"{each}.title")} for each in GAMES],
            ladder=_ladder_data(ladder, member, say),
            apart=_ladder_data(apart, member, say) if apart else None,
            is_new=is_new,
            settled_after=PROVISIONAL_MATCHES,
            here=f"/ladder/{game}?" + ("new=1&" if is_new else ""),
            back=f"/ladder/{game}",
        )

    def mail(self, language: str, kind: str, *, name: str, email: str) -> Response[str]:
        """Where a link in a mail leads to: to be sure, or that it is done."""
        page = self._render_page(
            "mail.html", phrases_for(language), [], kind=kind, name=name, email=email
        )
        page.headers["Cache-Control"] = "no-store"
        return page

    def error_page(self, language: str, status: int, title: str, sentence: str) -> Response[str]:
        say = phrases_for(language)
        return self._render_page("problem.html", say, [], status, title=title, sentence=sentence)

    def _render_page(
        self, template: str, say: Phrases, cookies: list[Cookie], status: int = 200, **context: Any
    ) -> Response[str]:
        made = self._templates.get_template(template).render(
            t=say.t,
            words=partial(_script_phrases, say.language),
            modules=script_modules,
            language=say.language,
            languages=LANGUAGE_NAMES,
            **{"back": "/", **context},
        )
        return Response(
            with_prefix(made),
            status_code=status,
            media_type=MediaType.HTML,
            cookies=cookies,
            headers={"Cache-Control": "private, no-cache"},
        )


def _account_context(account: Account, has_mail: bool) -> dict[str, Any]:
    state = "none"
    if account.email:
        state = "waiting" if not account.confirmed else "on" if account.digest else "off"
    mail = {
        "state": state,
        "choices": INTERVALS_S,
        "every": account.told.get(INTERVAL_KEY, DEFAULT_INTERVAL_S),
    }
    return {"name": account.shown, "email": account.email, "mail": mail if has_mail else None}


@lru_cache
def script_modules(script: str) -> tuple[str, ...]:
    """All that a script imports, and what that imports: fetched at once, a page is ready sooner.

    Paths below `/static`, as the script's own.
    """
    found: set[str] = set()
    left = [script]
    while left:
        here = left.pop()
        file = static_file(here)
        assert file is not None, here
        imported = re.findall(r'from "(\.{1,2}/[\w./]+)"', file.read_text("utf-8"))
        new = {normpath(join(dirname(here), each)) for each in imported} - found
        found |= new
        left += new
    return tuple(sorted(found))


def _script_phrases(language: str, ids: str) -> dict[str, str]:
    """What scripts say, with their values still to be filled in."""
    return {id: template_in(language, f"page.{id}") for id in ids.split()}


@caching.cache_latest(64)
def _cached_seal_fault(live: LiveTable, table: AnyTable) -> Fault | None:
    return verify_seal(live.game, record_of(live, ""))


def _seal_fault(live: LiveTable) -> Fault | None:
    """What the seal does not agree with: worked out once for a table that is over."""
    return _cached_seal_fault(live, live.table)


def _facts(live: LiveTable, say: Phrases) -> list[Mapping[str, str]]:
    """When a match was played, for how long, and by which clock."""
    table, times = live.table, live.table.times
    ended = live.stored.created + (times[-1] if times else 0.0)
    told = [
        ("", _date_time_text(ended, say)),
        ("", duration_text(live, say)),
        ("list", say.t("page.result-moves", n=len(table.history)) if times else ""),
        ("clock", _clock_text(live.settings.clock, say)),
    ]
    return [{"icon": icon, "text": text} for icon, text in told if text]


def _rematch_url(live: LiveTable, watcher: ViewerSettings) -> str:
    """The match that came of this one, for those who may see it."""
    following, may_see = (
        live.table.rematch,
        live.stored.open or watcher.seats or watcher.stand_in_seats,
    )
    return f"/t/{following}" if following and may_see else ""


def _seal_note(live: LiveTable, say: Phrases) -> str:
    """That all draws agree, where there were any."""
    drawn = len(live.table.recorded_draws)
    if not (live.table.is_over and live.stored.seed and drawn) or _seal_fault(live):
        return ""
    return say.t("page.result-sealed", n=drawn)


def _game_cards(language: str) -> Iterator[Mapping[str, Any]]:
    """The games on the shelf."""
    for name, rulebook in GAMES.items():
        game = rulebook.game(rulebook.preset)
        say = phrases_for(language, name, game.seats)
        yield {
            "name": name,
            "title": say.t(f"{name}.title"),
            "tagline": say.t(f"{name}.tagline"),
            "size": say.t(f"{name}.size"),
            "has_lessons": has_lessons(name),
            "vignette_svg": _vignette(name, language),
            "seats": [{"seat": seat, "name": say.names[seat]} for seat in game.seats],
            "options": list(_option_fields(rulebook, say)),
            "bots": list(_opponents(name, say)),
        }


def _opponents(game: str, say: Phrases) -> Iterator[Mapping[str, Any]]:
    """Levels, and the bots that somebody brought, which have only their names."""
    ours = LEVELS if has_engine(game) else ("greedy", "random")
    for bot in (*ours, *(each for each in BOTS if not say.first(f"page.bot-{each}"))):
        name = say.first(f"page.bot-{bot}") or bot
        yield {"bot": bot, "name": name, "suggested": bot == SUGGESTED_BOT}


def _other_tutorials(game: str) -> list[str]:
    """The other games that can be learnt, the one that comes next on the shelf first."""
    names = [*GAMES, *GAMES]
    at = names.index(game)
    return [each for each in names[at + 1 : at + len(GAMES)] if has_lessons(each)]


def _option_fields(rulebook: Rulebook, say: Phrases) -> Iterator[Mapping[str, Any]]:
    """What can be chosen about the rules: each as the book has it, and as we suggest it.

    A value is written as JSON; one that is neither a word nor a number is typed like that.
    """
    for each in fields(rulebook.options):
        allowed, book = each.metadata["allowed"], each.default
        named = f"{rulebook.name}.option-{each.name}"
        values: tuple[object, ...] = allowed.words if isinstance(allowed, Choice) else ()
        if isinstance(book, bool):
            values = (True, False)
        yield {
            "name": each.name,
            "label": say.first(named) or each.name,
            "book": _json(book),
            "preset": _json(rulebook.preset.get(each.name, book)),
            "values": [
                {"json": _json(value), "label": _value_label(named, value, say)} for value in values
            ],
            "least": allowed.minimum if isinstance(allowed, WholeNumber) else None,
            "most": allowed.maximum if isinstance(allowed, WholeNumber) else None,
            "allowed": say(allowed.description),
            "zero": say.first(f"{named}-0"),
        }


def _value_label(named: str, value: object, say: Phrases) -> str:
    word = value if isinstance(value, str) else _json(value)
    return say.first(f"{named}-{word}") or word


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _clock_choice(clock: ClockSettings, say: Phrases) -> Mapping[str, str]:
    return {"json": _json(clock), "label": _clock_text(clock, say) or say.t("page.clock-none")}


def _clock_text(clock: ClockSettings, say: Phrases) -> str:
    """How much time there is; nothing where there is no clock."""
    match clock:
        case Fischer(minutes, seconds):
            return say.t("page.clock-fischer", minutes=f"{minutes:g}", seconds=f"{seconds:g}")
        case Days(days):
            whole = int(days) if days == int(days) else 2
            return say.t("page.clock-days", n=whole, days=f"{days:g}")
    return ""


def _setting_labels(live: LiveTable, say: Phrases) -> list[str]:
    rated = say.t("page.rated") if live.settings.rated else ""
    return [text for text in (_clock_text(live.settings.clock, say), rated) if text]


def _token_entry(access: AccessToken, digest: str, say: Phrases) -> Mapping[str, Any]:
    """A device or a program that may act for somebody."""
    made = say.t("page.made-at", moment=_date_time_text(access.created, say))
    used = say.t("page.used-at", moment=_date_time_text(access.used, say)) if access.used else ""
    unused = say.t("page.used-never") if access.kind == "bot" else ""
    return {
        "id": access.id,
        "name": access.name,
        "is_this": digest.startswith(access.id),
        "when": f"{made} · {used or unused}" if used or unused else made,
    }


def _rating_data(rating: Rating) -> Mapping[str, Any]:
    return {
        "rating": rating.points,
        "sure": rating.interval[1] - rating.points,
        "matches": rating.matches,
        "provisional": rating.is_provisional,
    }


def _ladder_data(ladder: LadderPage, member: Member, say: Phrases) -> Mapping[str, Any]:
    return {
        "page": ladder.page,
        "pages": ladder.pages,
        "entries": [
            {
                **_rating_data(entry.rating),
                "place": entry.place,
                "name": entry.name,
                "mine": entry.member == member,
                "played": say.t("page.ladder-played", n=entry.rating.matches),
                "last": format_date(
                    datetime.fromtimestamp(entry.at).astimezone(), "medium", locale=say.language
                ),
            }
            for entry in ladder.entries
        ],
    }


def _rating_changes(
    live: LiveTable, changes: Mapping[Member, RatingChange], say: Phrases
) -> list[Mapping[str, Any]]:
    """What a rated match changed for those who played it."""
    playing = [(seat, member) for seat in live.game.seats for member in live.people.members[seat]]
    return [
        {
            **_rating_data(changes[member].after),
            "glyph": Markup(live.game.ui.glyph(seat)),
            "name": live.names.get(member) or say.names[seat],
            "change": f"{changes[member].points:+d}".replace("-", "\u2212"),
        }
        for seat, member in playing
        if member in changes
    ]


def _date_time_text(at: float, say: Phrases) -> str:
    """A time of day, with its date, as the server's clock had it."""
    moment = datetime.fromtimestamp(at).astimezone()
    date = format_date(moment, "medium", locale=say.language)
    time = format_skeleton("Hm", moment, locale=say.language)
    return say.t("page.moment", date=date, time=time)


@lru_cache
def _vignette(name: str, language: str) -> Markup:
    """A corner of a telling position, to look at only."""
    rulebook = GAMES[name]
    game = rulebook.game(rulebook.preset)
    say = phrases_for(language, name, game.seats)
    shown = rulebook.showcase
    state = game.rules.start() if shown == START else game.notation.read_state(shown)
    view = game.rules.view(state, SPECTATOR, ())
    drawing = game.ui.draw(view, Look(say=say, has_labels=False, prefix=f"{name}-"))
    layers = {layer: made for layer, made in drawing.layers.items() if layer != "hit"}
    made = svg(replace(drawing, view_box=rulebook.vignette, role="img", layers=layers))
    return Markup(made.replace("<svg ", '<svg preserveAspectRatio="xMidYMid slice" ', 1))


def _table_lists(
    language: str, member: Member, mine: list[LiveTable], lobby: list[LiveTable]
) -> Mapping[str, Any]:
    """Where one is waited for comes first, what is over last."""
    own = [_table_entry(live, _member_viewer(live, member, language)) for live in mine]
    return {
        "tables": sorted(own, key=lambda entry: (entry["over"], not entry["your_turn"])),
        "lobby": [_table_entry(live, ViewerSettings((), language)) for live in lobby],
        "present": len({each for live in (*mine, *lobby) for each in live.presence.members}),
    }


def _member_viewer(live: LiveTable, member: Member, language: str) -> ViewerSettings:
    return ViewerSettings(
        seats=live.seats_of(member), stand_in_seats=live.stand_in_seats(member), language=language
    )


def _table_entry(live: LiveTable, watcher: ViewerSettings) -> Mapping[str, Any]:
    """A line in the list of one's tables."""
    say, held = phrases_at(live, watcher.language), watcher.seats
    acting = acting_seat(live.table, held)
    title, _ = prompt(live, watcher, acting, say)
    to_act = live.game.rules.to_act(live.table.state)
    over = live.table.is_over
    is_on = live.people.is_full and not (over or live.table.is_adjourned)
    return {
        "id": live.id,
        "url": _table_url(live),
        "over": over,
        "game_title": say.t(f"{live.game.name}.title"),
        "title": _others_text(live, watcher, say),
        "note": title,
        "terms": _setting_labels(live, say),
        "your_turn": acting in to_act and is_on,
        "free": [say.names[seat] for seat in live.people.free_seats],
        "watching": len(live.presence.members - live.people.all_members),
        "glyph": Markup(live.game.ui.glyph(acting or (*held, *live.game.seats)[0])),
    }


def _night_link(links: Mapping[str, str]) -> str:
    """A link that leads there those who may not see the table yet."""
    return f"{links[WATCH]}?to=night" if WATCH in links else ""


def _table_url(live: LiveTable) -> str:
    """Where somebody goes on who comes back to a table."""
    if live.game.companion is not None:
        return f"/book/{live.id}"
    return f"/t/{live.id}/result" if live.table.is_over else f"/t/{live.id}"


def _others_text(live: LiveTable, watcher: ViewerSettings, say: Phrases) -> str:
    """Who else is there, by name where they have one."""
    people = live.people
    others = [
        seat for seat in live.game.seats if seat not in (*watcher.seats, *watcher.stand_in_seats)
    ]
    names = [name for seat in others for m in people.members[seat] if (name := live.names.get(m))]
    if not names:
        return _play_mode_text(live, say)
    return say.t("page.with", names=", ".join(dict.fromkeys(names)))


def _play_mode_text(live: LiveTable, say: Phrases) -> str:
    if live.people.bots.keys() - live.people.stand_ins:
        return say.t("page.against-bot")
    alone = len(live.people.all_members) == 1 and live.people.is_full
    return say.t("page.on-one-device" if alone else "page.among-people")


def tokens_css() -> str:
    """The colours of both themes; a class on the root element outweighs the system's wish.

    Paper is always light.
    """
    light = "".join(f"--{name}:{colour};" for name, colour in LIGHT.items())
    dark = "".join(f"--{name}:{colour};" for name, colour in DARK.items() if LIGHT[name] != colour)
    return (
        f":root{{color-scheme:light;{light}}}\n"
        "@media screen and (prefers-color-scheme: dark){"
        f":root:not(.light){{color-scheme:dark;{dark}}}}}\n"
        f"@media screen{{:root.dark{{color-scheme:dark;{dark}}}}}\n"
    )
