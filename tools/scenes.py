"""What `make screens` shows: a scene is a function that brings a page to the moment it is about.

Nothing here goes by a text on the page, so that every language can be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import quote
from uuid import uuid4

import member_scenes
import shared_scenes
from playwright.sync_api import Locator, ViewportSize, WebSocketRoute, expect

from support.browser.player import Player
from support.server_process import Guest, Server, api
from support.server_process import Page as Socket

RUNNING = "13/3C9/5S4f2/4o!F1o1s3/4Ot7/5O!7/4T8/8c4 R play - f4 134/156 1-0 22 -"
TACKLING = "13/3C9/5S4f2/8o1s2/4OFt6/5O7/4T8/8c4 R play - g5 346/156 1-0 24 -"
PASSING = "13/3C9/5S4f2/4o!1Fo1s3/4Ot7/5O!7/4T8/8c4 R play g4:3 g4 134/156 1-0 22 -"
NEAR = "13/3C9/13/9s1T1/9o3/13/7F5/13 R play - l4 136/256 1-0 41 -"
LINES = "3B4/1A6/3B4/1A3B2/8/2AA2B1/8/7B A 2,1 2,2 16 -"
BEFORE_KO = "3B4/1A6/8/1A1B1B2/8/2AA2B1/8/7B B 2,1 2,2 15 -"
CORNERED = "8/8/8/8/4A2B/8/8/8 A 0,0 7,7 51 -"
MOVING = "h1,t0x2,t15/h1,t10,t6,g1/t20,t2,g1w1/h1,t21,t25,g4 R:M6 d6 2+5/1+3/4+2/0+6 1:Y ---- -"
DUE = "h4/h3,g4/t20,t2,g1w1/h1,t21,t25,g4 B:N1 d3 3+5/1+3/4+2/0+6 1:Y !--- -"
RAISING = "t0,t11,g1,g3/h3,g1/t20,t8,g2,g4/h3,g1 R:M6 d6 0+7/2+3/0+6/1+6 1:- ---- -"
VOTING = "t0,t11,g1,g3/h3,g1/t20,t8,g2,g4/h3,g1 Y:VB d6 0+7/2+3/0+6/1+6 1:RBYG ---- -"
ENDING = "t26,g2,g3,g4/h2,t9,g4/h1,t20,g2,g4/h3,g1 R:M2 d2 0+4/0+2/2+0/0+1 1:R ---- -"
BOOKED = "h1,t4x2,t20/h1,t9x3/h2,t12,g4/h3,t25 R:N1 d3 2+5/1+3/4+2/0+6 1:Y ---- -"
LOTS = "h4/h4/h4/h4 S:-/-/-/- d- 0+0/0+0/0+0/0+0 1:- ---- -"
WON = "t26,g2,g3,g4/h1,t9x3/h2,t12,g4/h3,t25 R:N1 d3 0+5/1+3/4+2/0+6 1:R ---- -"
PAPER: ViewportSize = {"width": 718, "height": 1047}
"""A sheet less its margins, in the pixels of a browser."""
TEAMS = {
    "R": {"name": "Foxes", "players": ["Aino", "Otso"]},
    "B": {"name": "", "players": ["Marc", "Léa"]},
    "Y": {"name": "Solsidan", "players": ["Ida", "Tom"]},
    "G": {"name": "", "players": ["Noor", "Eero"]},
}
ATE = "Red's double ate Blue's triple (R 7.2)"
OTHERS = {"kahmate": "B", "kalamala": "B", "as-kimble": "BYG"}
NAMES = ("Marc", "Léa", "Tom")


class Scene:
    """Aino's browser, and the people she plays with."""

    def __init__(self, player: Player, server: Server) -> None:
        self.player, self.page, self.server = player, player.page, server
        self.set_name("Aino")

    def set_name(self, name: str) -> None:
        self.page.request.put(f"{self.server.address}/api/v1/me", data={"name": name})

    def guest(self, name: str) -> Guest:
        guest = Guest(self.server)
        guest.calls_himself(name)
        return guest

    def open_table(self, game: str, **wish: Any) -> str:
        """A table that Aino has opened; where it is."""
        asked = {"game": game, **wish}
        answer = self.page.request.post(f"{self.server.address}/api/v1/tables", data=asked)
        assert answer.ok, answer.text()
        place: str = answer.json()["url"]
        return place

    def full_table(self, game: str, start: str = "", seats: str = "", **wish: Any) -> FullTable:
        """A table with somebody at every seat; `seats` are those of the others."""
        seats = seats or OTHERS[game]
        mine = {"kahmate": "RB", "kalamala": "AB", "as-kimble": "RBYG"}[game]
        wanted = {seat: "free" if seat in seats else "me" for seat in mine}
        table = self.open_table(game, seats=wanted, **({"start": start} if start else {}), **wish)
        return FullTable(self, table, seats)

    def go_to(self, path: str) -> None:
        self.page.goto(self.server.address + path)

    def sit_at(self, table: str) -> None:
        self.go_to(table)
        self.player.sees_the_board()

    def let_phones_in(self, wish: str = "open") -> None:
        """Or `close` it to them again; where there is no network nothing changes."""
        address = self.server.address
        self.page.request.post(f"{address}/network/{wish}", headers={"Origin": address})

    def act_at(self, table: str, *texts: str) -> None:
        where = f"{self.server.address}{api(table, 'actions')}"
        for text in texts:
            answer = self.page.request.post(where, data={"key": uuid4().hex, "actions": [text]})
            assert answer.ok, answer.text()

    def pick_menu_item(self, symbol: str) -> None:
        """What has this sign in the menu."""
        self.player.presses(self.page.locator("#open-menu"))
        self.player.presses(self.page.locator(f'#sheet .btn:has(use[href="#i-{symbol}"])').first)

    @property
    def reveal_element(self) -> Locator:
        return self.page.locator("#reveal-card")

    @property
    def sheet(self) -> Locator:
        return self.page.locator("#sheet")


class FullTable:
    """A table and those who sit there with Aino."""

    def __init__(self, scene: Scene, table: str, seats: str) -> None:
        self.scene, self.table = scene, table
        self.guests = {seat: scene.guest(name) for seat, name in zip(seats, NAMES, strict=False)}
        links = scene.page.request.get(f"{scene.server.address}{api(table, 'links')}").json()
        for seat, guest in self.guests.items():
            guest.joins(links[seat])
        self.sockets: Mapping[str, Socket] = {
            seat: guest.sits_at(table) for seat, guest in self.guests.items()
        }

    def act_as_host(self, *texts: str) -> FullTable:
        """Aino, without touching anything."""
        self.scene.act_at(self.table, *texts)
        return self

    def act_as(self, seat: str, *texts: str) -> FullTable:
        for text in texts:
            self.sockets[seat].does(text)
        return self

    def open_page(self) -> Player:
        self.scene.sit_at(self.table)
        return self.scene.player


MakeScene: TypeAlias = Callable[[Scene], None]


def home(scene: Scene) -> None:
    scene.full_table("kahmate", RUNNING, options={"tries": 2}).act_as_host("f4-g4")
    scene.full_table("kalamala", BEFORE_KO, settings={"clock": {"kind": "days", "days": 3}})
    noor = scene.guest("Noor")
    noor.sits_at(noor.opens("kahmate", "open"))
    scene.go_to("/")
    expect(scene.page.locator("#tables a").nth(2)).to_be_visible()


def home_settings(scene: Scene) -> None:
    scene.go_to("/")
    card = scene.page.locator("article").first
    scene.player.unfolds(card.locator(".more"), card.locator(".settings"))
    card.evaluate("card => card.scrollIntoView()")


def invitation(scene: Scene) -> None:
    host = scene.guest("Marc")
    table = host.begins(
        "kahmate",
        {"R": "me", "B": "free"},
        settings={"clock": {"kind": "fischer", "minutes": 10, "seconds": 5}},
    )
    scene.go_to(host.links(table)["room"])


def waiting_table(scene: Scene) -> None:
    scene.let_phones_in("close")
    scene.sit_at(scene.open_table("kalamala", seats={"A": "me", "B": "free"}))
    expect(scene.page.locator("#invite .sharing, #invite .network").first).to_be_visible()


def waiting_team_table(scene: Scene) -> None:
    scene.let_phones_in("close")
    seats = {"R": "me", "B": "free", "Y": "free", "G": "greedy"}
    scene.sit_at(scene.open_table("as-kimble", seats=seats))
    expect(scene.page.locator("#invite .sharing, #invite .network").first).to_be_visible()


def kahmate_set_up(scene: Scene) -> None:
    players = scene.full_table("kahmate", options={"tries": 2})
    players.act_as_host("S@b3", "T@c4", "F@c6").open_page()


def kahmate_line_up(scene: Scene) -> None:
    player = scene.full_table("kahmate", options={"tries": 2}).open_page()
    player.presses(player.button("btn-lineup"))
    player.presses(scene.page.locator(".choices button").first)


def kahmate_run(scene: Scene) -> None:
    players = scene.full_table("kahmate", RUNNING, options={"tries": 2})
    players.act_as_host("f4-g4").open_page().touches("sq-g4")


def kahmate_kick(scene: Scene) -> None:
    clock = {"clock": {"kind": "fischer", "minutes": 10, "seconds": 5}}
    players = scene.full_table("kahmate", RUNNING, options={"tries": 2}, settings=clock)
    player = players.act_as_host("f4-g4").open_page()
    player.presses(player.button("btn-kick"))


def kahmate_tackle(scene: Scene) -> None:
    players = scene.full_table("kahmate", TACKLING, options={"tries": 2})
    players.open_page().touches("sq-f5", "sq-g5")


def kahmate_interception(scene: Scene) -> None:
    players = scene.full_table("kahmate", PASSING, seats="R", options={"tries": 2})
    players.act_as("R", "g4~e5").open_page()


def kahmate_card(scene: Scene) -> None:
    _force(scene).touches("card-4")


def kahmate_reveal(scene: Scene) -> None:
    _force(scene).touches("card-4", "card-4")
    expect(scene.reveal_element).to_be_visible()


def kahmate_exit(scene: Scene) -> None:
    kahmate_reveal(scene)
    scene.page.keyboard.press("Escape")
    expect(scene.reveal_element).to_be_hidden()


def _force(scene: Scene) -> Player:
    """Aino's Fast goes at Marc's Ordinary, and Marc has put his card down."""
    players = scene.full_table("kahmate", PASSING, options={"tries": 2})
    return players.act_as_host("g4>h4").act_as("B", "card=1").open_page()


def kahmate_try(scene: Scene) -> None:
    players = scene.full_table("kahmate", NEAR, options={"tries": 3})
    players.open_page().touches("sq-l4", "sq-m4")
    if scene.player.finger:
        scene.player.presses(scene.player.primary)
    expect(scene.page.locator(".moment")).to_be_visible()


def kahmate_refusal(scene: Scene) -> None:
    players = scene.full_table("kahmate", RUNNING, options={"tries": 2})
    players.act_as_host("f4-g4").open_page().touches("sq-g4", "sq-k3")
    _expect_refusal(scene)


def kahmate_refusal_rule(scene: Scene) -> None:
    kahmate_refusal(scene)
    scene.player.presses(scene.page.locator(".bubble a, #prompt a").first)
    expect(scene.page.locator("#reading:visible, #sheet[open] .rules").first).to_be_visible()


def _expect_refusal(scene: Scene) -> None:
    expect(scene.page.locator(".bubble a, #prompt a").first).to_be_visible()


def kalamala_start(scene: Scene) -> None:
    scene.full_table("kalamala").open_page().touches("rs-A")


def kalamala_anchor(scene: Scene) -> None:
    scene.full_table("kalamala", LINES).open_page().touches("sq-d3")


def kalamala_pull(scene: Scene) -> None:
    scene.full_table("kalamala", LINES).open_page().touches("sq-d3", "sq-g3")


def kalamala_ko(scene: Scene) -> None:
    players = scene.full_table("kalamala", BEFORE_KO)
    players.act_as("B", "d5:N1").open_page().touches("sq-d3", "sq-d6", "sq-d5")
    _expect_refusal(scene)


def kalamala_lost_piece(scene: Scene) -> None:
    player = scene.full_table("kalamala", LINES).open_page()
    player.touches("sq-d3", "sq-g3", "off-E3")
    if player.finger:
        player.presses(player.primary)
    expect(player.moves).to_have_count(1)


def kimble_pop(scene: Scene) -> None:
    scene.full_table("as-kimble").open_page()


def kimble_move(scene: Scene) -> None:
    scene.full_table("as-kimble", MOVING).open_page().touches("t-0")


def kimble_eat(scene: Scene) -> None:
    players = scene.full_table("as-kimble", MOVING)
    player = players.open_page()
    player.touches("t-0", "t-6")
    if player.finger:
        player.presses(player.primary)
    expect(player.moves).to_have_count(1)


def kimble_hembo(scene: Scene) -> None:
    scene.full_table("as-kimble", DUE).open_page()


def kimble_raise(scene: Scene) -> None:
    scene.full_table("as-kimble", RAISING).open_page().touches("g-R1")


def kimble_vote(scene: Scene) -> None:
    scene.full_table("as-kimble", VOTING).open_page()


def kimble_break(scene: Scene) -> None:
    scene.full_table("as-kimble", MOVING.removesuffix("-") + "b").open_page()


def curtain(scene: Scene) -> None:
    table = scene.open_table("kahmate", seats={"R": "me", "B": "me"}, options={"tries": 2})
    scene.sit_at(table)
    expect(scene.player.curtain).to_be_visible()


def menu(scene: Scene) -> None:
    scene.full_table("kahmate", RUNNING, options={"tries": 2}).act_as_host("f4-g4").open_page()
    scene.player.presses(scene.page.locator("#open-menu"))


def settings(scene: Scene) -> None:
    scene.full_table("kalamala", LINES).open_page()
    scene.pick_menu_item("sliders")


def keys(scene: Scene) -> None:
    scene.full_table("kalamala", LINES).open_page()
    scene.pick_menu_item("keys")


def what_may_i_do(scene: Scene) -> None:
    player = (
        scene.full_table("kahmate", RUNNING, options={"tries": 2}).act_as_host("f4-g4").open_page()
    )
    player.touches("sq-g4")
    scene.page.keyboard.press("w")
    expect(scene.sheet).to_be_visible()


def cursor(scene: Scene) -> None:
    player = (
        scene.full_table("kahmate", RUNNING, options={"tries": 2}).act_as_host("f4-g4").open_page()
    )
    player.touches("sq-g4")
    for _ in range(3):
        scene.page.keyboard.press("n")


def rules(scene: Scene) -> None:
    scene.full_table("kalamala", LINES).open_page()
    if scene.player.finger:
        scene.pick_menu_item("rules")
    else:
        scene.page.locator("#open-rules").click()
    expect(scene.page.locator("#reading h2:visible, #sheet h2:visible").first).to_be_visible()


def rules_page(scene: Scene) -> None:
    scene.go_to("/rules/kahmate#5.2")


def share(scene: Scene) -> None:
    scene.full_table("kalamala", LINES).open_page()
    scene.pick_menu_item("share")
    expect(scene.sheet.locator("textarea, input").first).to_be_visible()


def replay(scene: Scene) -> None:
    players = scene.full_table("kalamala")
    players.act_as_host("@a1").act_as("B", "@h8").act_as_host("@b1").act_as("B", "@g7").act_as_host(
        "@c1"
    )
    players.act_as("B", "@b7").open_page()
    for _ in range(3):
        scene.page.keyboard.press("[")
        scene.page.wait_for_timeout(60)
    expect(scene.page.locator("#replay")).to_be_visible()


def analysis(scene: Scene) -> None:
    scene.go_to("/analysis/kalamala?moves=@a1,@h8,@b1,@g7")
    player = scene.player
    player.sees_the_board()
    expect(player.piece("sq-g7")).to_be_attached()
    for square in ("g7", "b1"):
        scene.page.keyboard.press("[")
        expect(player.piece(f"sq-{square}")).to_have_count(0)
    player.touches("rs-A", "sq-f2")
    if player.finger:
        player.presses(player.primary)
    expect(player.piece("sq-f2")).to_be_attached()


def analysis_edit(scene: Scene) -> None:
    scene.go_to(f"/analysis/kahmate?position={quote(RUNNING.replace('1-0', '0-0'))}")
    scene.player.sees_the_board()
    if scene.player.finger:
        scene.pick_menu_item("hand")
    else:
        scene.page.locator("#open-edit").click()
    expect(scene.page.locator("#stage .hit.lit")).to_have_count(0)
    scene.player.touches("sq-h6")
    expect(scene.page.locator(".bubble")).to_be_visible()


def learn(scene: Scene) -> None:
    scene.go_to("/learn/kahmate#2")
    scene.player.sees_the_board()


def learn_kimble(scene: Scene) -> None:
    scene.go_to("/learn/as-kimble")
    scene.player.sees_the_board()


def match_ending(scene: Scene) -> None:
    player = scene.full_table("as-kimble", ENDING).open_page()
    player.touches("t-26", "g-R1")
    expect(scene.sheet.locator(".result")).to_be_visible()


def result(scene: Scene) -> None:
    players = scene.full_table("kahmate", PASSING, options={"tries": 2})
    players.act_as_host("g4>h4").act_as("B", "card=1").act_as_host(
        "card=4", "exit=i4", "end"
    ).act_as("B", "end")
    players.act_as_host("i4-i5", "i5-j5", "j5-k5", "k5-l5", "end").act_as("B", "end").act_as_host(
        "l5-m5"
    )
    scene.go_to(f"{players.table}/result")


def reconnecting_page(scene: Scene) -> None:
    """The server closes the line; what is chosen meanwhile is kept."""
    lines: list[WebSocketRoute] = []

    def answer(line: WebSocketRoute) -> None:
        lines.append(line)
        if len(lines) == 1:
            line.connect_to_server()
        else:
            line.close(code=1001)

    scene.page.route_web_socket("**/live*", answer)
    player = scene.full_table("kalamala", LINES).open_page()
    lines[0].close(code=1001)
    player.touches("rs-A", "sq-e5")
    if player.finger:
        player.presses(player.primary)
    expect(scene.page.locator("#banner")).to_be_visible()


def server_full(scene: Scene) -> None:
    crowded = 4429
    players = scene.full_table("kalamala", LINES)
    scene.page.route_web_socket("**/live*", lambda line: line.close(code=crowded))
    scene.go_to(players.table)
    expect(scene.page.locator("#banner")).to_be_visible()


def table_gone(scene: Scene) -> None:
    no_table = 4404
    players = scene.full_table("kalamala", LINES)
    lines: list[WebSocketRoute] = []

    def answer(line: WebSocketRoute) -> None:
        line.connect_to_server()
        lines.append(line)

    scene.page.route_web_socket("**/live*", answer)
    players.open_page()
    lines[0].close(code=no_table)
    expect(scene.player.primary).to_be_visible()


def loading_page(scene: Scene) -> None:
    players = scene.full_table("kalamala", LINES)
    scene.page.route_web_socket("**/live*", lambda line: None)
    scene.go_to(players.table)
    expect(scene.page.locator("#empty p")).to_be_visible()


def wrong_link(scene: Scene) -> None:
    scene.go_to("/t/nothing")


def taken_seat(scene: Scene) -> None:
    """By a link that Marc has passed on."""
    table = _noor_and_marc(scene)[1]
    scene.go_to(table)


def spent_link(scene: Scene) -> None:
    """By one that led to a free seat once."""
    scene.go_to(_noor_and_marc(scene)[0])


def _noor_and_marc(scene: Scene) -> tuple[str, str]:
    """The link that Marc came by, and the one that he has now."""
    noor, marc = scene.guest("Noor"), scene.guest("Marc")
    table = noor.begins("kalamala", {"A": "me", "B": "free"})
    link = noor.links(table)["B"]
    marc.joins(link)
    return link, marc.links(table)["B"]


def adjourned_table(scene: Scene) -> None:
    players = scene.full_table("kalamala", LINES)
    players.act_as_host("ask adjourn").act_as("B", "agree").open_page()


def draw_request(scene: Scene) -> None:
    players = scene.full_table("kahmate", PASSING, options={"tries": 2})
    players.act_as("B", "ask draw").open_page()


def spectator_page(scene: Scene) -> None:
    host = scene.guest("Noor")
    table = host.begins("kahmate", {"R": "me", "B": "greedy"}, start=PASSING, options={"tries": 2})
    scene.go_to(host.links(table)["watch"])
    scene.player.presses(scene.page.locator("main .btn.pri"))
    scene.player.sees_the_board()


def companion_set_up(scene: Scene) -> None:
    scene.go_to("/book")
    scene.page.locator("[name=name-R]").fill("Foxes")
    for name in ("Aino", "Otso"):
        scene.page.locator("[name=player-R]").fill(name)
        scene.page.keyboard.press("Enter")
    scene.page.locator("h1").click()


def companion_turn(scene: Scene) -> None:
    _open_book(scene, "turn", "R pop 5")
    scene.player.presses(scene.page.locator(".move").first)


def companion_pop(scene: Scene) -> None:
    _open_book(scene, "turn", "R silent 2")


def companion_book(scene: Scene) -> None:
    _open_book(scene, "book", "R pop 5", "R t4-t9", "B hembo vi", "B pop 2", "Y done 1", "B pop 6")
    scene.page.locator(".bars").wait_for()


def companion_referee(scene: Scene) -> None:
    _open_book(scene, "referee", "R pop 5")


def companion_pieces(scene: Scene) -> None:
    _open_book(scene, "referee")
    buttons = scene.page.locator("#page .two .btn")
    scene.player.presses(buttons.nth(2))
    scene.player.presses(scene.page.locator("#page .btn.pri"))
    scene.page.locator("#stage svg.board").wait_for()


def companion_ledger(scene: Scene) -> None:
    _open_book(scene, "turn", "depth ledger", f'ref pen B +6 "{ATE}"', "Y done 1")
    for place, pick in enumerate(("G2", "Y1")):
        who = scene.page.locator(".who").nth(place)
        scene.player.presses(who.locator(f'[data-pick="{pick}"]'))


def companion_phones(scene: Scene) -> None:
    scene.let_phones_in()
    _open_book(scene, "screen")
    scene.page.wait_for_load_state("networkidle")


def companion_team(scene: Scene) -> None:
    """What a team's own phone shows."""
    host = scene.guest("Noor")
    table = _open_companion_as(host)
    host_page = host.sits_at(table)
    for text in ("R pop 5", "R t4-t9"):
        host_page.does(text)
    scene.go_to(host.links(table)["room"])
    scene.page.locator("[name=seat], main [type=radio]").first.check()
    scene.player.presses(scene.page.locator("main .btn.pri"))
    scene.page.locator(".ours").wait_for()


def companion_break(scene: Scene) -> None:
    _open_book(scene, "turn", "break")


def companion_queue(scene: Scene) -> None:
    """Cut off: what is entered waits on the phone."""
    lines: list[WebSocketRoute] = []

    def answer(line: WebSocketRoute) -> None:
        lines.append(line)
        if len(lines) == 1:
            line.connect_to_server()
        else:
            line.close(code=1001)

    scene.page.route_web_socket("**/live*", answer)
    _open_book(scene, "book")
    lines[0].close(code=1001)
    scene.page.wait_for_timeout(2600)
    for team in "YYR":
        scene.player.presses(scene.page.locator(f"[data-one-done={team}]"))


def companion_party(scene: Scene) -> None:
    scene.let_phones_in()
    table = _open_companion(scene)
    scene.act_at(table, "R pop 5", "R t4-t9", "Y done 1")
    scene.go_to(table.replace("/t/", "/party/"))
    scene.page.locator("#join img").wait_for(state="attached")
    scene.page.wait_for_load_state("networkidle")


def companion_party_ledger(scene: Scene) -> None:
    scene.let_phones_in()
    table = _open_companion(scene)
    scene.act_at(table, "depth ledger", f'ref pen B +6 "{ATE}"', "Y done 1")
    scene.go_to(table.replace("/t/", "/party/"))
    scene.page.locator("#join img").wait_for(state="attached")
    scene.page.wait_for_load_state("networkidle")


def companion_night(scene: Scene) -> None:
    table = _open_companion(scene, WON)
    scene.act_at(
        table, f'ref pen B +6 "{ATE}"', "B done 3", "R pop 5", "break", "resume", "Y done 2"
    )
    scene.act_at(
        table, 'note "pizza is here"', 'ref rule "the floor counts"', "B pop 4", "B t9-t13"
    )
    scene.act_at(table, "Y pop 1", "Y t12-t13", "B hembo vi", "G pop 3", "G t25-t0")
    scene.act_at(table, "B done 2", "R pop 2", "R t26-g1")
    scene.go_to(f"{table}/night")


def companion_paper(scene: Scene) -> None:
    companion_night(scene)
    scene.page.set_viewport_size(PAPER)
    scene.page.emulate_media(media="print")


def companion_lots(scene: Scene) -> None:
    """Two chairs have popped for the start."""
    _open_book_at(scene, "turn", LOTS, "a lot 3", "b lot 5")


def companion_ended(scene: Scene) -> None:
    _open_book_at(scene, "turn", WON, "R pop 2", "R t26-g1")
    scene.page.locator(".ended").wait_for()


def _open_book(scene: Scene, tab: str, *texts: str) -> None:
    """Aino keeps it; this is what has been entered."""
    _open_book_at(scene, tab, BOOKED, *texts)


def _open_book_at(scene: Scene, tab: str, start: str, *texts: str) -> None:
    table = _open_companion(scene, start)
    scene.act_at(table, *texts)
    scene.go_to(f"{table.replace('/t/', '/book/')}#{tab}")
    scene.page.locator(f"#tab-{tab}[aria-selected=true]").wait_for()


def _open_companion(scene: Scene, start: str = BOOKED) -> str:
    return scene.open_table("as-kimble", **_companion_wish(start))


def _open_companion_as(guest: Guest) -> str:
    return guest.begins("as-kimble", **_companion_wish(BOOKED))


def _companion_wish(start: str) -> dict[str, Any]:
    options = {"mode": "companion", "pace": "free", "team_size": [2, 2, 2, 2]}
    return {"options": options, "start": start, "settings": {"teams": TEAMS}}


SCENES: Sequence[tuple[str, MakeScene]] = (
    ("home", home),
    ("home-settings", home_settings),
    ("invitation", invitation),
    ("waiting", waiting_table),
    ("waiting-for-teams", waiting_team_table),
    ("waiting-code", shared_scenes.code),
    ("room", shared_scenes.team_room),
    ("kahmate-set-up", kahmate_set_up),
    ("kahmate-line-up", kahmate_line_up),
    ("kahmate-run", kahmate_run),
    ("kahmate-kick", kahmate_kick),
    ("kahmate-tackle", kahmate_tackle),
    ("kahmate-interception", kahmate_interception),
    ("kahmate-card", kahmate_card),
    ("kahmate-reveal", kahmate_reveal),
    ("kahmate-exit", kahmate_exit),
    ("kahmate-try", kahmate_try),
    ("kahmate-refusal", kahmate_refusal),
    ("kahmate-refusal-rule", kahmate_refusal_rule),
    ("kalamala-start", kalamala_start),
    ("kalamala-anchor", kalamala_anchor),
    ("kalamala-pull", kalamala_pull),
    ("kalamala-ko", kalamala_ko),
    ("kalamala-lost", kalamala_lost_piece),
    ("as-kimble-pop", kimble_pop),
    ("as-kimble-move", kimble_move),
    ("as-kimble-eat", kimble_eat),
    ("as-kimble-hembo", kimble_hembo),
    ("as-kimble-raise", kimble_raise),
    ("as-kimble-vote", kimble_vote),
    ("as-kimble-break", kimble_break),
    ("companion-set-up", companion_set_up),
    ("companion-pop", companion_pop),
    ("companion-turn", companion_turn),
    ("companion-book", companion_book),
    ("companion-referee", companion_referee),
    ("companion-pieces", companion_pieces),
    ("companion-ledger", companion_ledger),
    ("companion-phones", companion_phones),
    ("companion-team", companion_team),
    ("companion-break", companion_break),
    ("companion-queue", companion_queue),
    ("companion-party", companion_party),
    ("companion-party-ledger", companion_party_ledger),
    ("companion-night", companion_night),
    ("companion-paper", companion_paper),
    ("companion-lots", companion_lots),
    ("companion-ended", companion_ended),
    ("curtain", curtain),
    ("menu", menu),
    ("settings", settings),
    ("keys", keys),
    ("what-may-i-do", what_may_i_do),
    ("cursor", cursor),
    ("rules", rules),
    ("rules-page", rules_page),
    ("share", share),
    ("replay", replay),
    ("analysis", analysis),
    ("analysis-edit", analysis_edit),
    ("learn", learn),
    ("learn-as-kimble", learn_kimble),
    ("account-way-in", member_scenes.login_page),
    ("account", member_scenes.account),
    ("ladder", member_scenes.ladder),
    ("chat", member_scenes.chat),
    ("ending", match_ending),
    ("result", result),
    ("shared-result", shared_scenes.shared_result),
    ("shared-night", shared_scenes.shared_night),
    ("no-network", shared_scenes.no_network),
    ("reconnecting", reconnecting_page),
    ("full", server_full),
    ("gone", table_gone),
    ("loading", loading_page),
    ("wrong-link", wrong_link),
    ("seat-taken", taken_seat),
    ("spent-link", spent_link),
    ("adjourned", adjourned_table),
    ("asked", draw_request),
    ("watching", spectator_page),
)
