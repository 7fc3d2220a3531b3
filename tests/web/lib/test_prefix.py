"""The server under a path beside other things: no page asks for anything outside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import expect

from kibitz.server.static_files import static_folders
from support.browser.player import Player
from support.server_process import Guest, Server
from support.words import sentence
from web.conftest import Seated

PREFIX = "/games/kibitz"


@pytest.fixture(scope="module")
def under(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("under"), KIBITZ_PATH_PREFIX=PREFIX) as server:
        yield server


@pytest.fixture
def asked_paths(under: Server) -> list[str]:
    """All paths that a browser asked for."""
    return []


@pytest.fixture
def ann(seat_player: Seated, under: Server, asked_paths: list[str]) -> Player:
    return watch_paths(seat_player(at=under.address), asked_paths)


def watch_paths(player: Player, asked: list[str]) -> Player:
    player.page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    player.page.on("websocket", lambda socket: asked.append(urlsplit(socket.url).path))
    return player


def on_site(player: Player, link: str) -> str:
    """A link as somebody has it who got it: with the site it is on."""
    parts = urlsplit(player.address)
    return f"{parts.scheme}://{parts.netloc}{link}"


def test_a_match_is_played_and_pages_are_looked_at(
    ann: Player, seat_player: Seated, under: Server, asked_paths: list[str]
) -> None:
    ann.opens("friend")
    assert urlsplit(ann.page.url).path.startswith(f"{PREFIX}/t/")
    table = ann.page.url.rsplit("/", 1)[1]
    answer = ann.page.request.get(f"{under.address}/api/v1/tables/{table}/links")
    link = answer.json()["B"]
    assert link.startswith(f"{PREFIX}/join/")
    bob = watch_paths(seat_player(at=under.address), asked_paths)
    bob.comes_by(on_site(bob, link), "Bob")
    expect(ann.page.locator("#stage svg.board")).to_be_visible()
    ann.touches("rs-A", "sq-a1")
    expect(bob.page.locator("#log")).to_contain_text("a1")
    acts = f"{under.address}/api/v1/tables/{table}/actions"
    assert ann.page.request.post(acts, data={"key": "r", "actions": ["resign A"]}).ok
    for player in (ann, bob):
        expect(player.page.get_by_role("dialog")).to_be_visible()
    ann.page.keyboard.press("Escape")
    ann.prompt.get_by_role("button", name=sentence("page.menu-rematch")).click()
    bob.requests.get_by_role("button", name=sentence("page.agree")).click()
    for player in (ann, bob):
        player.page.wait_for_url(lambda url: f"{PREFIX}/t/" in url and table not in url)
        player.sees_the_board()
    for place in (
        "/",
        "/book",
        "/account",
        "/rules/kalamala",
        "/learn/kahmate",
        "/analysis/kahmate",
    ):
        ann.page.goto(under.address + place)
        ann.page.wait_for_load_state("networkidle")
    ann.page.goto(f"{under.address}/t/{table}/result")
    outside = [path for path in asked_paths if not path.startswith(f"{PREFIX}/")]
    assert asked_paths
    assert outside == []


def test_links_and_forms_of_every_page_stay_inside(under: Server) -> None:
    guest = Guest(under)
    table = guest.opens().removeprefix(PREFIX)
    pages = ["/", "/book", "/account", "/ladder/kalamala", table, f"{table}/result", "/nowhere"]
    for game in ("kahmate", "kalamala", "as-kimble"):
        pages += [f"/rules/{game}", f"/learn/{game}", f"/analysis/{game}"]
    for page in pages:
        text = guest.client.get(page).text
        found = re.findall(r'(?:href|src|action|data-[a-z-]+)="(/[^"]*)"', text)
        assert found, page
        assert [each for each in found if not each.startswith(PREFIX)] == [], page
        for each in found:
            assert not each.startswith(PREFIX * 2), each


def test_redirects_cookies_and_answers_are_inside(under: Server) -> None:
    fresh = httpx.Client(base_url=under.address, headers={"Origin": under.address})
    home = fresh.get("/")
    assert f"path={PREFIX};" in home.headers["set-cookie"].lower() + ";"
    form = {"language": "fi", "back": "/rules/kalamala?x=1"}
    spoken = fresh.post("/language", data=form)
    assert spoken.headers["location"] == f"{PREFIX}/rules/kalamala?x=1"
    opened = fresh.post("/api/v1/tables", json={"game": "kalamala", "seats": {}})
    assert opened.json()["url"].startswith(f"{PREFIX}/t/")
    schema = fresh.get("/api/v1/openapi.json").json()
    assert schema["servers"] == [{"url": PREFIX}]
    fresh.close()


def test_what_is_outside_is_not_ours(under: Server) -> None:
    site = under.address.removesuffix(PREFIX)
    assert httpx.get(under.address).headers["location"] == f"{PREFIX}/"
    for path in ("/", "/health", f"{PREFIX}x/", "/static/lib/base.css"):
        assert httpx.get(site + path).status_code == 404
    assert httpx.get(f"{under.address}/health").status_code == 200


def test_what_a_camera_reads_is_inside(under: Server) -> None:
    from kibitz.server.pages.table import qr_svg

    guest = Guest(under)
    table = guest.opens(play="friend").removeprefix(PREFIX)
    link = guest.client.get(f"/api/v1/tables/{table.split('/')[-1]}/links").json()["B"]
    shown = guest.client.get(f"{table}/qr/B").content
    site = under.address.removesuffix(PREFIX)
    made = qr_svg(site + link)
    assert shown == (made if isinstance(made, bytes) else str(made).encode())


def test_no_script_has_an_address_of_its_own() -> None:
    """They begin with where the server is (lib/paths.js)."""
    own = re.compile(r"""(["'`]/[a-z?][^"'`]*|(?:href|assign\()[: ]*["']/["'])""")
    for script in (each for folder in static_folders() for each in folder.rglob("*.js")):
        code = re.sub(r"(?m)^\s*(//|\*|/\*).*$", "", script.read_text())
        assert own.findall(code) == [], script.name
