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
from kibitz.bots import BOTS, LEVELS, has_mind
from kibitz.core import remember
from kibitz.core.colours import DARK, LIGHT
from kibitz.core.drawing import Look, svg
from kibitz.core.game import SPECTATOR, Rulebook
from kibitz.core.message import Message as Said
from kibitz.core.options import Choice, Whole
from kibitz.core.record import START, Fault
from kibitz.games import GAMES
from kibitz.server import book
from kibitz.server.accounts import Access, Account
from kibitz.server.addresses import moved
from kibitz.server.chancepage import chance_story
from kibitz.server.desk import record_of, seal_of
from kibitz.server.lessons import course, has_lessons
from kibitz.server.links import WATCH
from kibitz.server.live import AnyTable, LiveTable
from kibitz.server.mail import CHOICES, EVERY, USUAL
from kibitz.server.night import night_of, told
from kibitz.server.ratings import PROVISIONAL, Change, Ladder, Rating
from kibitz.server.result import lasted, result
from kibitz.server.rulepages import RulePage
from kibitz.server.sights import prompt
from kibitz.server.speech import Speech, speech
from kibitz.server.static_files import static_file, template_folders
from kibitz.server.terms import ClockTerms, Days, Fischer, NoClock
from kibitz.server.watching import Watcher, acting_seat, speech_at
from kibitz.table.people import Member
from kibitz.table.seal import verify_seal
from kibitz.words import LANGUAGES, written_in

TONGUES = tuple((each, str(Locale(each).display_name).capitalize()) for each in LANGUAGES)
"""Every language, as those who speak it call it."""
CLOCKS: tuple[ClockTerms, ...] = (
    NoClock(),
    Fischer(5, 3),
    Fischer(10, 5),
    Fischer(20, 10),
    Days(1),
    Days(3),
    Days(7),
)
"""What the first page offers; the API takes any."""
SUGGESTED = LEVELS[1]
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
        say = speech(language)
        return self._page(
            "home.html",
            say,
            cookies,
            name=name,
            has_account=has_account,
            games=list(_cards(language)),
            clocks=[_clock(each, say) for each in CLOCKS],
            **_tables(language, member, mine, lobby),
        )

    def tables(
        self, language: str, member: Member, mine: list[LiveTable], lobby: list[LiveTable]
    ) -> Response[str]:
        """The part of the first page that changes by itself."""
        listed = _tables(language, member, mine, lobby)
        return self._page("tables.html", speech(language), [], **listed)

    def table(
        self, live: LiveTable, watcher: Watcher, links: Mapping[str, str], cookies: list[Cookie]
    ) -> Response[str]:
        say = speech_at(live, watcher.language)
        game = live.game.name
        shown = {
            "id": live.id,
            "game": game,
            "title": say.t(f"{game}.title"),
            "rules_url": f"/rules/{game}",
            "lessons_url": f"/learn/{game}" if has_lessons(game) else "",
            "record_url": f"/t/{live.id}/record",
            "seal_url": f"/t/{live.id}/seal",
            "chips": [text for text in (_way(live, say), _time(live.terms.clock, say)) if text],
            "rated": live.terms.rated,
            "links": links,
        }
        return self._page("table.html", say, cookies, table=shown, back=f"/t/{live.id}")

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
        say = speech_at(live, language)
        people = live.people
        sitting = people.members.get(place, ())
        note = say.first(f"{live.game.name}.note-{place}")
        shown = {
            "game_title": say.t(f"{live.game.name}.title"),
            "place": place,
            "place_name": say.names.get(place) or say.t(f"page.place-{place}"),
            "place_note": note if note.lower() != say.names.get(place, "").lower() else "",
            "is_seat": place in people.members,
            "glyph": Markup(live.game.glyph(place)) if place in people.members else "",
            "taken": bool(sitting),
            "others": ", ".join(filter(None, (live.names.get(each) for each in sitting))),
            "host": live.names.get(people.host, ""),
            "terms": [text for text in (_time(live.terms.clock, say),) if text],
            "rated": live.terms.rated,
            "has_account": has_account,
            "to": f"/join/{live.id}/{token}",
            "over": live.table.is_over,
            "vignette_svg": _vignette(live.game.name, language),
            "mine": place in people.seats_of(member) or people.has_role(member, place),
            "url": _address(live),
        }
        return self._page("invitation.html", say, cookies, invitation=shown, name=name)

    def envelope(self, language: str, live: LiveTable) -> Response[str]:
        say = speech_at(live, language)
        sealed = seal_of(live)
        fault = _checked(live) if live.table.is_over else None
        return self._page(
            "envelope.html",
            say,
            [],
            seal=sealed,
            closed=_moment(sealed["closed"], say) if sealed else "",
            opened=_moment(sealed["opened"], say) if sealed and "opened" in sealed else "",
            draws=len(live.table.drawn),
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
        watcher: Watcher,
        links: Mapping[str, str],
        changes: Mapping[Member, Change],
        cookies: list[Cookie],
    ) -> Response[str]:
        say, table = speech_at(live, watcher.language), live.table
        url = f"/t/{live.id}"
        # Others see a table that is not open by a link only.
        shared = f"{url}/result" if live.stored.open else links.get(WATCH, "")
        return self._page(
            "result.html",
            say,
            cookies,
            result=result(live, say),
            id=live.id,
            url=url,
            share=shared,
            game=live.game.name,
            game_title=say.t(f"{live.game.name}.title"),
            adjourned=table.adjourned,
            facts=_facts(live, say),
            rated=_changes(live, changes, say),
            sealed=_sealed(live, say),
            has_seal=bool(live.stored.seed),
            has_night=live.game.night is not None,
            moves=len(table.played),
            seated=bool(watcher.held) and table.rematch is None,
            alone=len(live.people.everybody) == 1,
            next=_next(live, watcher),
            back=f"{url}/result",
        )

    def chances(self, language: str, live: LiveTable, entries: Sequence[Entry]) -> Response[str]:
        """Only the part of a page that tells of them."""
        say, moves = speech_at(live, language), len(live.table.played)
        story = chance_story(live, entries, say) if moves else None
        return self._page("chances.html", say, [], story=story, moves=moves)

    def night(
        self, live: LiveTable, watcher: Watcher, links: Mapping[str, str], cookies: list[Cookie]
    ) -> Response[str] | None:
        """The summary of an evening; None where nobody keeps a book."""
        say, url = speech_at(live, watcher.language), f"/t/{live.id}"
        night = night_of(live)
        if night is None:
            return None
        return self._page(
            "night.html",
            say,
            cookies,
            night=told(live, night, say),
            url=url,
            share=f"{url}/night" if live.stored.open else _to_night(links),
            game=live.game.name,
            game_title=say.t(f"{live.game.name}.title"),
            date=_moment(live.stored.created + night.course[0].at, say),
            back=f"{url}/night",
        )

    def party(
        self, language: str, live: LiveTable, links: Mapping[str, str], cookies: list[Cookie]
    ) -> Response[str]:
        """For a projector; `join` are the links worth showing to a whole room."""
        say = speech_at(live, language)
        shown = {
            "id": live.id,
            "title": say.t(f"{live.game.name}.title"),
            "join": [place for place in (WATCH, *live.game.seats) if place in links],
        }
        return self._page("party.html", say, cookies, party=shown)

    def keep(self, language: str, cookies: list[Cookie]) -> Response[str]:
        """Where a book for a real board is opened."""
        rulebook = GAMES[book.GAME]
        say = speech(language, book.GAME, rulebook.game(rulebook.preset).seats)
        rules = [each for each in _options(rulebook, say) if each["name"] not in book.ASKED]
        shown = {**book.offered(say), "options": rules}
        return self._page("keep.html", say, cookies, keep=shown, back="/book")

    def book(
        self, language: str, live: LiveTable, links: Mapping[str, str], cookies: list[Cookie]
    ) -> Response[str]:
        say = speech_at(live, language)
        shown = book.kept(live, say, links)
        return self._page("book.html", say, cookies, book=shown, back=f"/book/{live.id}")

    def qr(self, address: str) -> bytes:
        """A picture of an address, to be read by a camera."""
        made = io.BytesIO()
        segno.make(address, error="m").save(made, kind="svg", border=2, xmldecl=False)
        return made.getvalue()

    def rules(
        self, language: str, game: str, page: RulePage, cookies: list[Cookie]
    ) -> Response[str]:
        return self._page(
            "rules.html",
            speech(language),
            cookies,
            game=game,
            title=page.title,
            article=Markup(page.article),
            toc=[asdict(heading) for heading in page.toc],
            has_lessons=has_lessons(game),
        )

    def learn(self, language: str, game: str, cookies: list[Cookie]) -> Response[str]:
        say = speech(language)
        return self._page(
            "learn.html",
            say,
            cookies,
            course=course(game, language),
            title=say.t(f"{game}.title"),
            others=[{"name": each, "title": say.t(f"{each}.title")} for each in _others(game)],
            back=f"/learn/{game}",
        )

    def analysis(self, language: str, game: str, cookies: list[Cookie]) -> Response[str]:
        rulebook = GAMES[game]
        say = speech(language, game, rulebook.game(rulebook.preset).seats)
        shown = {
            "game": game,
            "title": say.t(f"{game}.title"),
            "rules_url": f"/rules/{game}",
            "options": list(_options(rulebook, say)),
            "rules": {
                "book": {each.name: each.default for each in fields(rulebook.options)},
                "preset": dict(rulebook.preset),
            },
        }
        return self._page("analysis.html", say, cookies, study=shown, back=f"/analysis/{game}")

    DONE = ("registered", "password", "revoked", "email", "email-sent")
    """What the page of an account says was done."""

    def account(
        self,
        language: str,
        account: Account | None,
        *,
        devices: list[Access],
        bots: list[Access],
        rated: Mapping[str, tuple[Rating, float]],
        digest: str,
        name: str,
        wrong: tuple[str, Said] | None,
        typed: str,
        made: tuple[Access, str] | None,
        done: str,
        to: str,
        cookies: list[Cookie],
        status: int,
    ) -> Response[str]:
        """`wrong` is which form was refused, and why; `made` a token that is shown this once."""
        say = speech(language)
        return self._page(
            "account.html",
            say,
            cookies,
            status,
            account=_account(account, self.has_mail) if account else None,
            devices=[_access(each, digest, say) for each in devices],
            bots=[_access(each, digest, say) for each in bots],
            rated=[
                {**_rating(rating), "game": game, "title": say.t(f"{game}.title")}
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
        ladder: Ladder,
        apart: Ladder | None,
        is_new: bool,
        cookies: list[Cookie],
    ) -> Response[str]:
        """Those with a place, and `apart` those who have none yet; or only these."""
        say = speech(language)
        return self._page(
            "ladder.html",
            say,
            cookies,
            game=game,
            title=say.t(f"{game}.title"),
            games=[{"name": each, "title": say.t(f"{each}.title")} for each in GAMES],
            ladder=_ladder(ladder, member, say),
            apart=_ladder(apart, member, say) if apart else None,
            is_new=is_new,
            settled_after=PROVISIONAL,
            here=f"/ladder/{game}?" + ("new=1&" if is_new else ""),
            back=f"/ladder/{game}",
        )

    def mail(self, language: str, kind: str, *, name: str, email: str) -> Response[str]:
        """Where a link in a mail leads to: to be sure, or that it is done."""
        page = self._page("mail.html", speech(language), [], kind=kind, name=name, email=email)
        page.headers["Cache-Control"] = "no-store"
        return page

    def problem(self, language: str, status: int, title: str, sentence: str) -> Response[str]:
        say = speech(language)
        return self._page("problem.html", say, [], status, title=title, sentence=sentence)

    def _page(
        self, template: str, say: Speech, cookies: list[Cookie], status: int = 200, **context: Any
    ) -> Response[str]:
        made = self._templates.get_template(template).render(
            t=say.t,
            words=partial(_words, say.language),
            modules=modules,
            language=say.language,
            languages=TONGUES,
            **{"back": "/", **context},
        )
        return Response(
            moved(made),
            status_code=status,
            media_type=MediaType.HTML,
            cookies=cookies,
            headers={"Cache-Control": "private, no-cache"},
        )


def _account(account: Account, has_mail: bool) -> dict[str, Any]:
    state = "none"
    if account.email:
        state = "waiting" if not account.confirmed else "on" if account.digest else "off"
    mail = {"state": state, "choices": CHOICES, "every": account.told.get(EVERY, USUAL)}
    return {"name": account.shown, "email": account.email, "mail": mail if has_mail else None}


@lru_cache
def modules(script: str) -> tuple[str, ...]:
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


def _words(language: str, ids: str) -> dict[str, str]:
    """What scripts say, with their values still to be filled in."""
    return {id: written_in(language, f"page.{id}") for id in ids.split()}


@remember.latest(64)
def _checked_at(live: LiveTable, table: AnyTable) -> Fault | None:
    return verify_seal(live.game, record_of(live, ""))


def _checked(live: LiveTable) -> Fault | None:
    """What the seal does not agree with: worked out once for a table that is over."""
    return _checked_at(live, live.table)


def _facts(live: LiveTable, say: Speech) -> list[Mapping[str, str]]:
    """When a match was played, for how long, and by which clock."""
    table, times = live.table, live.table.times
    ended = live.stored.created + (times[-1] if times else 0.0)
    told = [
        ("", _moment(ended, say)),
        ("", lasted(live, say)),
        ("list", say.t("page.result-moves", n=len(table.played)) if times else ""),
        ("clock", _time(live.terms.clock, say)),
    ]
    return [{"icon": icon, "text": text} for icon, text in told if text]


def _next(live: LiveTable, watcher: Watcher) -> str:
    """The match that came of this one, for those who may see it."""
    following, may_see = live.table.rematch, live.stored.open or watcher.held or watcher.kept
    return f"/t/{following}" if following and may_see else ""


def _sealed(live: LiveTable, say: Speech) -> str:
    """That all draws agree, where there were any."""
    drawn = len(live.table.drawn)
    if not (live.table.is_over and live.stored.seed and drawn) or _checked(live):
        return ""
    return say.t("page.result-sealed", n=drawn)


def _cards(language: str) -> Iterator[Mapping[str, Any]]:
    """The games on the shelf."""
    for name, rulebook in GAMES.items():
        game = rulebook.game(rulebook.preset)
        say = speech(language, name, game.seats)
        yield {
            "name": name,
            "title": say.t(f"{name}.title"),
            "tagline": say.t(f"{name}.tagline"),
            "size": say.t(f"{name}.size"),
            "has_lessons": has_lessons(name),
            "vignette_svg": _vignette(name, language),
            "seats": [{"seat": seat, "name": say.names[seat]} for seat in game.seats],
            "options": list(_options(rulebook, say)),
            "bots": list(_opponents(name, say)),
        }


def _opponents(game: str, say: Speech) -> Iterator[Mapping[str, Any]]:
    """Levels, and the bots that somebody brought, which have only their names."""
    ours = LEVELS if has_mind(game) else ("greedy", "random")
    for bot in (*ours, *(each for each in BOTS if not say.first(f"page.bot-{each}"))):
        name = say.first(f"page.bot-{bot}") or bot
        yield {"bot": bot, "name": name, "suggested": bot == SUGGESTED}


def _others(game: str) -> list[str]:
    """The other games that can be learnt, the one that comes next on the shelf first."""
    names = [*GAMES, *GAMES]
    at = names.index(game)
    return [each for each in names[at + 1 : at + len(GAMES)] if has_lessons(each)]


def _options(rulebook: Rulebook, say: Speech) -> Iterator[Mapping[str, Any]]:
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
                {"json": _json(value), "label": _value(named, value, say)} for value in values
            ],
            "least": allowed.least if isinstance(allowed, Whole) else None,
            "most": allowed.most if isinstance(allowed, Whole) else None,
            "allowed": say(allowed.said),
            "zero": say.first(f"{named}-0"),
        }


def _value(named: str, value: object, say: Speech) -> str:
    word = value if isinstance(value, str) else _json(value)
    return say.first(f"{named}-{word}") or word


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _clock(clock: ClockTerms, say: Speech) -> Mapping[str, str]:
    return {"json": _json(clock), "label": _time(clock, say) or say.t("page.clock-none")}


def _time(clock: ClockTerms, say: Speech) -> str:
    """How much time there is; nothing where there is no clock."""
    match clock:
        case Fischer(minutes, seconds):
            return say.t("page.clock-fischer", minutes=f"{minutes:g}", seconds=f"{seconds:g}")
        case Days(days):
            whole = int(days) if days == int(days) else 2
            return say.t("page.clock-days", n=whole, days=f"{days:g}")
    return ""


def _terms(live: LiveTable, say: Speech) -> list[str]:
    rated = say.t("page.rated") if live.terms.rated else ""
    return [text for text in (_time(live.terms.clock, say), rated) if text]


def _access(access: Access, digest: str, say: Speech) -> Mapping[str, Any]:
    """A device or a program that may act for somebody."""
    made = say.t("page.made-at", moment=_moment(access.created, say))
    used = say.t("page.used-at", moment=_moment(access.used, say)) if access.used else ""
    unused = say.t("page.used-never") if access.kind == "bot" else ""
    return {
        "id": access.id,
        "name": access.name,
        "is_this": digest.startswith(access.id),
        "when": f"{made} · {used or unused}" if used or unused else made,
    }


def _rating(rating: Rating) -> Mapping[str, Any]:
    return {
        "rating": rating.shown,
        "sure": rating.interval[1] - rating.shown,
        "matches": rating.matches,
        "provisional": rating.is_provisional,
    }


def _ladder(ladder: Ladder, member: Member, say: Speech) -> Mapping[str, Any]:
    return {
        "page": ladder.page,
        "pages": ladder.pages,
        "entries": [
            {
                **_rating(entry.rating),
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


def _changes(
    live: LiveTable, changes: Mapping[Member, Change], say: Speech
) -> list[Mapping[str, Any]]:
    """What a rated match changed for those who played it."""
    playing = [(seat, member) for seat in live.game.seats for member in live.people.members[seat]]
    return [
        {
            **_rating(changes[member].after),
            "glyph": Markup(live.game.glyph(seat)),
            "name": live.names.get(member) or say.names[seat],
            "change": f"{changes[member].points:+d}".replace("-", "\u2212"),
        }
        for seat, member in playing
        if member in changes
    ]


def _moment(at: float, say: Speech) -> str:
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
    say = speech(language, name, game.seats)
    shown = rulebook.showcase
    state = game.start() if shown == START else game.read_state(shown)
    view = game.view(state, SPECTATOR, ())
    drawing = game.draw(view, Look(say=say, labels=False, prefix=f"{name}-"))
    layers = {layer: made for layer, made in drawing.layers.items() if layer != "hit"}
    made = svg(replace(drawing, view_box=rulebook.vignette, role="img", layers=layers))
    return Markup(made.replace("<svg ", '<svg preserveAspectRatio="xMidYMid slice" ', 1))


def _tables(
    language: str, member: Member, mine: list[LiveTable], lobby: list[LiveTable]
) -> Mapping[str, Any]:
    """Where one is waited for comes first, what is over last."""
    own = [_entry(live, _watcher(live, member, language)) for live in mine]
    return {
        "tables": sorted(own, key=lambda entry: (entry["over"], not entry["your_turn"])),
        "lobby": [_entry(live, Watcher((), language)) for live in lobby],
        "present": len({each for live in (*mine, *lobby) for each in live.present}),
    }


def _watcher(live: LiveTable, member: Member, language: str) -> Watcher:
    return Watcher(held=live.seats_of(member), kept=live.kept_for(member), language=language)


def _entry(live: LiveTable, watcher: Watcher) -> Mapping[str, Any]:
    """A line in the list of one's tables."""
    say, held = speech_at(live, watcher.language), watcher.held
    acting = acting_seat(live.table, held)
    title, _ = prompt(live, watcher, acting, say)
    to_act = live.game.to_act(live.table.state)
    over = live.table.is_over
    is_on = live.people.is_gathered and not (over or live.table.adjourned)
    return {
        "id": live.id,
        "url": _address(live),
        "over": over,
        "game_title": say.t(f"{live.game.name}.title"),
        "title": _with(live, watcher, say),
        "note": title,
        "terms": _terms(live, say),
        "your_turn": acting in to_act and is_on,
        "free": [say.names[seat] for seat in live.people.free],
        "watching": len(live.present - live.people.everybody),
        "glyph": Markup(live.game.glyph(acting or (*held, *live.game.seats)[0])),
    }


def _to_night(links: Mapping[str, str]) -> str:
    """A link that leads there those who may not see the table yet."""
    return f"{links[WATCH]}?to=night" if WATCH in links else ""


def _address(live: LiveTable) -> str:
    """Where somebody goes on who comes back to a table."""
    if live.game.is_reported:
        return f"/book/{live.id}"
    return f"/t/{live.id}/result" if live.table.is_over else f"/t/{live.id}"


def _with(live: LiveTable, watcher: Watcher, say: Speech) -> str:
    """Who else is there, by name where they have one."""
    people = live.people
    others = [seat for seat in live.game.seats if seat not in (*watcher.held, *watcher.kept)]
    names = [name for seat in others for m in people.members[seat] if (name := live.names.get(m))]
    if not names:
        return _way(live, say)
    return say.t("page.with", names=", ".join(dict.fromkeys(names)))


def _way(live: LiveTable, say: Speech) -> str:
    if live.people.bots.keys() - live.people.kept:
        return say.t("page.against-bot")
    alone = len(live.people.everybody) == 1 and live.people.is_gathered
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
