"""Everything a page does, as JSON for programs; its schema is at `/api/openapi.json`."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import MediaType, Request, Response, get, post, put
from litestar.datastructures import Cookie
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter
from litestar.types import ControllerRouterHandler
from msgspec import Meta, Struct, structs

from kibitz.bots import bots_at
from kibitz.core.message import Message, Refused, message
from kibitz.core.options import described
from kibitz.core.record import write_record
from kibitz.games import GAMES
from kibitz.server import chances, company, study, wire
from kibitz.server.asking import Asking, language
from kibitz.server.authority import actor_of
from kibitz.server.desk import Desk, Entropy, OpenTable, Problem, Seek, record_of, seal_of
from kibitz.server.live import LiveTable
from kibitz.server.past import past
from kibitz.server.sights import refusal, sight
from kibitz.server.sockets import why_not
from kibitz.server.speech import speech
from kibitz.server.tables import MovedOn
from kibitz.server.terms import Terms
from kibitz.server.watching import (
    may_enter,
    plain_speech_at,
    speech_at,
    spoken_for,
    viewer_of,
)
from kibitz.table.people import Member

AnyRequest = Request[Any, Any, Any]
Seen = Annotated[int | None, Parameter(ge=0, description="The seq of the latest sight you have")]


class Me(Struct):
    """You, as far as the server knows."""

    name: str
    token: str
    """`Authorization: Bearer <token>` is you, wherever it is sent from."""


class Name(Struct):
    name: Annotated[str, Meta(max_length=200)]


class OptionSeen(Struct):
    name: str
    default: Any
    allowed: str
    """What it may be, as a sentence."""


class GameSeen(Struct):
    name: str
    title: str
    rules: str
    seats: list[str]
    options: list[OptionSeen]
    preset: dict[str, Any]
    """What a new table suggests; where only bots play, `bots_preset`."""
    bots_preset: dict[str, Any]
    bots: list[str]


class Opened(Struct):
    id: str
    url: str


class TableInfo(Struct):
    """A table, as a list shows it."""

    id: str
    url: str
    game: str
    options: dict[str, Any]
    terms: Terms
    seats: list[wire.SeatSeen]
    table: wire.TableSeen
    seq: int
    played: int
    over: bool
    open: bool
    created: float


class Join(Struct):
    token: Annotated[str, Meta(max_length=64)]
    entropy: Entropy = ""


class Joined(Struct):
    place: str
    """The seat or role, or `watch`."""


class Acted(Struct):
    seq: int


class Position(Struct):
    """The position as you may see it, and what may be done; texts as the rules have them."""

    seq: int
    position: str
    to_act: list[str]
    acting: str | None
    actions: list[str]
    over: bool
    result: Any


class LedgerTexts(Struct):
    """What to send (`acts`) for an entry of the book, and what it says."""

    texts: list[str]
    says: str


def api(desk: Desk, asking: Asking, analyst: chances.Analyst) -> list[ControllerRouterHandler]:
    tables, studies = desk.tables, study.Studies()

    async def found(request: AnyRequest, table_id: str) -> tuple[LiveTable, Member]:
        asking.toll(request, "pages")
        member = asking.member(request)
        return await desk.table(table_id, member), member

    async def info(live: LiveTable, request: AnyRequest) -> TableInfo:
        spoken = language(request)
        watcher = await desk.watcher(live, asking.member(request), spoken)
        say = speech_at(live, spoken)
        return TableInfo(
            id=live.id,
            url=f"/t/{live.id}",
            game=live.game.name,
            options=dict(live.game.options),
            terms=live.terms,
            seats=company.seats(live, watcher, say),
            table=company.table(live, watcher, say),
            seq=live.seq,
            played=len(live.table.played),
            over=live.table.is_over,
            open=live.stored.open,
            created=live.stored.created,
        )

    @get("/api/games", summary="The games on the shelf")
    async def games(request: AnyRequest) -> list[GameSeen]:
        asking.toll(request, "pages")
        return [_game(name, language(request)) for name in GAMES]

    @get("/api/me", summary="Who you are; somebody new becomes a guest")
    async def me(request: AnyRequest) -> Response[Me]:
        asking.toll(request, "pages")
        member, cookies = asking.welcome(request)
        return _mine(Me(await tables.name(member), asking.guests.token(member)), cookies)

    @put("/api/me", summary="Be called something else")
    async def rename(request: AnyRequest, data: Name) -> Response[Me]:
        asking.toll(request, "rename")
        member, cookies = asking.welcome(request)
        name = await desk.rename(member, data.name)
        return _mine(Me(name, asking.guests.token(member)), cookies)

    @get("/api/me/tables", summary="Your tables, the latest used first")
    async def my_tables(request: AnyRequest) -> list[TableInfo]:
        asking.toll(request, "pages")
        mine = await desk.tables_of(asking.member(request), 50)
        return [await info(live, request) for live in mine]

    @get("/api/tables", summary="Tables that anybody may find")
    async def lobby(request: AnyRequest) -> list[TableInfo]:
        asking.toll(request, "pages")
        return [await info(live, request) for live in await desk.lobby()]

    @post("/api/tables", summary="Open a table")
    async def open_table(request: AnyRequest, data: OpenTable) -> Response[Opened]:
        asking.toll(request, "open")
        member, cookies = asking.welcome(request)
        table_id = await desk.open(member, data)
        return _made(Opened(table_id, f"/t/{table_id}"), cookies)

    @post("/api/seeks", summary="Look for an opponent: sit down where one waits, or wait")
    async def seek(request: AnyRequest, data: Seek) -> Response[Opened]:
        asking.toll(request, "open")
        member, cookies = asking.welcome(request)
        table_id = await desk.seek(member, data)
        return _made(Opened(table_id, f"/t/{table_id}"), cookies)

    @get("/api/tables/{table_id:str}", summary="A table and its people")
    async def table(request: AnyRequest, table_id: str) -> TableInfo:
        live, _ = await found(request, table_id)
        return await info(live, request)

    @get("/api/tables/{table_id:str}/links", summary="The links you may pass on")
    async def links(request: AnyRequest, table_id: str) -> dict[str, str]:
        return await desk.links_of(*await found(request, table_id))

    @post("/api/tables/{table_id:str}/join", summary="Come by a link", status_code=200)
    async def join(request: AnyRequest, table_id: str, data: Join) -> Response[Joined]:
        asking.toll(request, "join")
        member, cookies = asking.welcome(request)
        live = await tables.find(table_id)
        if live is None:
            raise Problem(404, message("server.no-table"))
        try:
            place = await desk.join(live, member, data.token, data.entropy)
        except MovedOn:
            raise Problem(409, message("server.moved-on")) from None
        return Response(Joined(place), cookies=cookies)

    @get("/api/tables/{table_id:str}/sight", summary="All that you see of a table")
    async def seen(
        request: AnyRequest, table_id: str, seen: Seen = None, tall: bool = False
    ) -> Response[wire.Sight]:
        live, member = await found(request, table_id)
        watcher = await desk.watcher(live, member, language(request), tall)
        known = seen if live.changes_since(seen) else None
        made: Any = sight(live, watcher, known).encode()
        return Response(made, media_type=MediaType.JSON)

    @get("/api/tables/{table_id:str}/past/{n:int}", summary="An earlier position, as you saw it")
    async def looked_back(
        request: AnyRequest, table_id: str, n: int, tall: bool = False, full: bool = False
    ) -> wire.Past:
        live, member = await found(request, table_id)
        watcher = await desk.watcher(live, member, language(request), tall)
        try:
            return past(live, watcher, n, full)
        except Refused as error:
            raise Problem(404, error.refusal) from None

    @get("/api/tables/{table_id:str}/position", summary="The position as text, and what you may do")
    async def position(request: AnyRequest, table_id: str) -> Position:
        live, member = await found(request, table_id)
        watcher = await desk.watcher(live, member, language(request))
        around, game = live.table, live.game
        held = spoken_for(live, watcher)
        viewer = viewer_of(around, held)
        rests = company.resting(live, watcher)
        actions = around.actions(viewer) if viewer in held and not rests else ()
        texts = map(game.write_action, actions)
        outcome = around.outcome
        return Position(
            seq=live.seq,
            position=game.write_view(around.view(viewer)),
            to_act=sorted(game.to_act(around.state)),
            acting=viewer if viewer in held else None,
            actions=sorted(text for text in texts if may_enter(around, watcher, text)),
            over=around.is_over,
            result=outcome.result if outcome else None,
        )

    @post(
        "/api/tables/{table_id:str}/acts",
        summary="Act: all of the texts or none",
        status_code=200,
        responses={
            409: ResponseSpec(wire.Stale, description="The table moved on"),
            422: ResponseSpec(wire.NotDone, description="The rules refuse it"),
        },
    )
    async def act(
        request: AnyRequest, table_id: str, data: wire.Act
    ) -> Response[wire.Done | wire.Stale | wire.NotDone]:
        asking.toll(request, "act")
        member = asking.member(request)
        live = await desk.table(table_id, member)
        watcher = await desk.watcher(live, member, language(request))
        try:
            if live.has_done(member, data.key):
                return Response(wire.Done(data.key, live.seq))
            actor = actor_of(live, member, data.seat, data.texts, watcher.place)
            seq = await tables.act(live, member, actor, data.seq, data.texts, data.key)
        except MovedOn:
            return Response(wire.Stale(data.key), status_code=409)
        except Refused as error:
            refused = refusal(live, watcher, data.key, error.refusal)
            return Response(refused, status_code=422)
        return Response(wire.Done(data.key, seq))

    @post("/api/tables/{table_id:str}/why", summary="Why may I not?", status_code=200)
    async def why(request: AnyRequest, table_id: str, data: wire.Why) -> wire.NotDone:
        asking.toll(request, "ask")
        member = asking.member(request)
        live = await desk.table(table_id, member)
        watcher = await desk.watcher(live, member, language(request))
        return refusal(live, watcher, data.key, why_not(live, watcher, data))

    @post(
        "/api/tables/{table_id:str}/ledger",
        summary="What to send for an entry in a book without a board; nothing is written down",
        status_code=200,
        responses={422: ResponseSpec(wire.NotDone, description="It cannot be entered")},
    )
    async def ledger(
        request: AnyRequest, table_id: str, data: dict[str, Any]
    ) -> Response[LedgerTexts | wire.NotDone]:
        asking.toll(request, "ask")
        member = asking.member(request)
        live = await desk.table(table_id, member)
        if live.game.ledger is None:
            raise Problem(404, message("server.no-ledger"))
        watcher = await desk.watcher(live, member, language(request))
        try:
            texts, says = live.game.ledger(data, plain_speech_at(live, watcher.language))
        except Refused as error:
            return Response(refusal(live, watcher, "", error.refusal), status_code=422)
        return Response(LedgerTexts(list(texts), says))

    @get("/api/tables/{table_id:str}/record", summary="The record, as you may see it")
    async def record(request: AnyRequest, table_id: str) -> Response[Any]:
        asking.toll(request, "export")
        live, member = await found(request, table_id)
        made: Any = write_record(record_of(live, member)).encode() + b"\n"
        name = f"{live.game.name}-{live.id}.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(made, media_type=MediaType.JSON, headers=headers)

    @get("/api/tables/{table_id:str}/analysis", summary="A match that is over, looked at")
    async def analysed(request: AnyRequest, table_id: str) -> chances.Progress:
        """As far as it has been looked at: ask again until all of it has."""
        asking.toll(request, "think")
        live, _ = await found(request, table_id)
        return await analyst.progress(live)

    @get("/api/tables/{table_id:str}/seal", summary="The envelope with the dice")
    async def sealed(request: AnyRequest, table_id: str) -> dict[str, Any]:
        live, _ = await found(request, table_id)
        return seal_of(live) or {}

    @post(
        "/api/study",
        summary="Where a line of actions leads, from any position; nothing is written down",
        status_code=200,
        responses={422: ResponseSpec(study.Unplayed, description="The rules refuse it")},
    )
    async def studied(request: AnyRequest, data: study.Line) -> Response[study.Studied]:
        asking.toll(request, "study")
        spoken = language(request)
        try:
            live = await studies.at(data)
        except Refused as error:
            return await unplayed(data, spoken, error.refusal)
        made: Any = study.studied(live, spoken, data)
        return Response(made, media_type=MediaType.JSON)

    @post("/api/study/chances", summary="Who is how likely to win there", status_code=200)
    async def evaluated(request: AnyRequest, data: chances.Line) -> Response[chances.Evaluation]:
        """Not for whoever plays this game at a table at the moment."""
        asking.toll(request, "think")
        member, spoken = asking.member(request), language(request)
        await analyst.refuse_players(member, data.game)
        await analyst.refuse_running(data.table, member)
        try:
            live = await studies.at(data)
        except Refused as error:
            return await unplayed(data, spoken, error.refusal)
        return Response(await analyst.evaluation(live, spoken))

    @post("/api/study/why", summary="Why may this not be done there?", status_code=200)
    async def study_why(request: AnyRequest, data: study.Touched) -> Response[wire.NotDone]:
        asking.toll(request, "study")
        spoken = language(request)
        try:
            live = await studies.at(data)
            return Response(study.why_not(live, spoken, data))
        except Refused as error:
            return await unplayed(data, spoken, error.refusal)

    @post("/api/study/edits", summary="What may be made of it by hand", status_code=200)
    async def study_edits(
        request: AnyRequest, data: study.Touched
    ) -> Response[list[study.EditSeen]]:
        asking.toll(request, "study")
        spoken = language(request)
        try:
            live = await studies.at(data)
        except Refused as error:
            return await unplayed(data, spoken, error.refusal)
        return Response(study.edits(live, spoken, "".join(data.path[:1])))

    async def unplayed(line: study.Line, spoken: str, why: Message) -> Response[Any]:
        """Why a line does not lead to its end, told where it stops."""
        number = why.value("number")
        if not isinstance(number, int):
            told = study.Unplayed(key="", why=speech(spoken)(why))
            return Response(told, status_code=422)
        before = await studies.at(structs.replace(line, actions=line.actions[: number - 1]))
        return Response(study.not_played(before, spoken, line, why, number), status_code=422)

    return [
        studied,
        evaluated,
        analysed,
        study_why,
        study_edits,
        games,
        me,
        rename,
        my_tables,
        lobby,
        open_table,
        seek,
        table,
        links,
        join,
        seen,
        looked_back,
        position,
        act,
        why,
        ledger,
        record,
        sealed,
    ]


def _mine(content: Me, cookies: list[Cookie]) -> Response[Me]:
    return Response(content, cookies=cookies, headers={"Cache-Control": "no-store"})


def _made(content: Opened, cookies: list[Cookie]) -> Response[Opened]:
    return Response(content, status_code=201, cookies=cookies, headers={"Location": content.url})


def _game(name: str, spoken: str) -> GameSeen:
    rulebook = GAMES[name]
    game = rulebook.game({})
    say = speech(spoken, name, game.seats)
    return GameSeen(
        name=name,
        title=say.t(f"{name}.title"),
        rules=rulebook.rules,
        seats=list(game.seats),
        options=[
            OptionSeen(option, default, say(allowed))
            for option, default, allowed in described(rulebook.options)
        ],
        preset=dict(rulebook.preset),
        bots_preset=dict(rulebook.bots_preset),
        bots=list(bots_at(name)),
    )
