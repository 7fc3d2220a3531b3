"""The pages around the table, and the words they use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Route, WebSocket, expect

from kibitz.core.colours import DARK
from kibitz.core.message import message
from kibitz.i18n import LANGUAGES, say_in
from kibitz.server.static_files import static_folders, template_folders
from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

PAGES = {
    path.stem: path.read_text("utf-8")
    for folder in template_folders()
    for path in folder.glob("*.html")
}
TEMPLATES = "".join(PAGES.values())
SCRIPTS = {
    path.relative_to(folder).as_posix(): path.read_text("utf-8")
    for folder in static_folders()
    for path in folder.rglob("*.js")
}
FRAME = """[...document.querySelectorAll("meta[name=theme-color]")]
  .filter((meta) => matchMedia(meta.media).matches).map((meta) => meta.content)"""
"""What a browser paints around the page."""


def test_home_keeps_the_tables_one_has_opened(player: Player) -> None:
    player.page.goto(f"{player.address}/")
    yours = player.page.get_by_role("complementary", name=sentence("page.your-tables"))
    expect(yours).to_contain_text("Nothing here yet")
    player.opens("bot")
    table = player.page.url
    player.page.get_by_role("link", name=sentence("page.home")).click()
    expect(yours).to_contain_text(sentence("page.your-turn"))
    yours.get_by_role("link").click()
    player.sees_the_board()
    assert player.page.url == table


def test_one_can_take_the_other_side(player: Player) -> None:
    player.page.goto(f"{player.address}/")
    card = player.card()
    player.unfolds(card.locator(".more"), card.locator(".settings"))
    card.get_by_role("radio", name="Blocks").check(force=True)
    player.plays(card)
    expect(player.moves).to_have_count(1)
    expect(player.prompt).to_contain_text(sentence("page.your-turn"))
    assert "rs-B" in player.lit()


def test_a_theme_is_remembered(player: Player) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    player.page.goto(f"{player.address}/")
    light = player.page.evaluate(ground)
    player.page.get_by_label(sentence("page.look")).click()
    player.page.get_by_text(sentence("page.theme-dark"), exact=True).click()
    dark = player.page.evaluate(ground)
    assert dark != light
    assert player.page.evaluate(FRAME) == [DARK["paper"]]
    player.opens("device")
    assert player.page.evaluate(ground) == dark
    assert player.page.evaluate(FRAME) == [DARK["paper"]]


def test_the_position_can_be_copied_as_text(seat_player: Seated) -> None:
    player = seat_player(permissions=["clipboard-read", "clipboard-write"])
    player.opens("device")
    player.touches("rs-A", "sq-a1")
    expect(player.moves).to_have_count(1)
    player.page.get_by_role("button", name=sentence("page.menu")).click()
    player.page.get_by_role("button", name=sentence("page.share-position")).click()
    position = "8/8/3BA3/2B2A2/2A2B2/3AB3/8/A7 B 3,4 0,0 2 -"
    expect(player.page.get_by_label(sentence("page.position"))).to_have_value(position)
    player.page.get_by_role("button", name=sentence("page.copy-position")).click()
    expect(player.page.get_by_role("button", name=sentence("page.copied"))).to_be_visible()
    assert player.page.evaluate("navigator.clipboard.readText()") == position


def test_the_rule_book_can_be_read_by_itself(player: Player) -> None:
    player.page.goto(f"{player.address}/rules/kalamala#3.3")
    expect(player.page.get_by_role("heading", name="3.3 Moves")).to_be_in_viewport()
    player.page.get_by_role("navigation").get_by_role("link", name="5 Repetition").click()
    expect(player.page.get_by_role("heading", name="5 Repetition")).to_be_in_viewport()


def test_nothing_comes_from_elsewhere_and_nothing_is_inline() -> None:
    for name, text in SCRIPTS.items():
        assert not re.search(r"https?://(?!www\.w3\.org)", text), name
    assert " style=" not in TEMPLATES
    assert not re.search(r"<script(?![^>]*( src=|application/json))", TEMPLATES)
    assert not re.search(r"\son\w+=", TEMPLATES)


def test_every_word_of_the_pages_is_in_the_catalogues() -> None:
    ids = set(re.findall(r"""\bt\(["'](page\.[\w-]+)["'][,)]""", TEMPLATES))
    assert len(ids) > 40
    for language in LANGUAGES:
        say = say_in(language)
        for each in ids:
            named: list[str] = re.findall(r"\b(\w+)=", TEMPLATES)
            values: dict[str, str | int] = {**dict.fromkeys(named, "?"), "n": 2}
            assert say(message(each, **values)), (language, each)


def test_a_table_is_one_script_and_one_sheet(player: Player) -> None:
    """And what decides on the colours before anything is seen."""
    player.opens("device")
    fetched = player.page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)"
    )
    names = [re.sub(r"^/assets/\w{16}/", "", path) for path in fetched]
    loaded = [name for name in names if name.endswith((".js", ".css"))]
    assert sorted(loaded) == ["table/first.js", "table/main.css", "table/main.js"]


def test_a_table_is_asked_for_before_the_script_that_draws_it_has_come(player: Player) -> None:
    """And by the one line that the script then takes over."""
    player.opens("device")
    page, opened = player.page, list[WebSocket]()
    held: list[Route] = []
    page.on("websocket", lambda socket: opened.append(socket))
    page.route("**/table/main.js", lambda route: held.append(route))
    with page.expect_websocket() as early:
        page.reload(wait_until="commit")
    early.value.wait_for_event("framereceived")
    assert held
    expect(page.locator("#stage svg.board")).to_have_count(0)
    for route in held:
        route.continue_()
    player.sees_the_board()
    player.touches("rs-A", "sq-a1")
    expect(player.moves).to_have_count(1)
    assert opened == [early.value]


def test_a_table_on_paper_has_nothing_to_press(player: Player) -> None:
    player.sits_down()
    player.touches("rs-A", "sq-a1")
    player.page.emulate_media(media="print")
    expect(player.page.locator("#stage svg.board")).to_be_visible()
    expect(player.moves).to_have_text(["1Rings placed a piece on a1@a1"])
    expect(player.page.locator("#log")).to_be_visible()
    for name in ("Menu", "Rules", "Take back"):
        expect(player.page.get_by_role("button", name=name)).to_be_hidden()
