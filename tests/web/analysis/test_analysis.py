"""The analysis board: all sides, many lines, any position, and what may be shared of it."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Download, Locator, Page, Route, expect

from support.browser.axe import serious_but_drawings
from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

START = "8/8/3BA3/2B2A2/2A2B2/3AB3/8/8 A 4,4 0,0 1 -"
ROW = "8/8/8/3AA3/8/8/3BB3/8 B 2,2 4,4 7 -"


class Analyst(Player):
    """Somebody at an analysis board."""

    def opens_board(self, game: str = "kalamala", query: str = "") -> None:
        self.page.goto(f"{self.address}/analysis/{game}{query}")
        self.sees_the_board()

    def places(self, *stones: tuple[str, str]) -> None:
        for reserve, square in stones:
            self.touches(reserve, square)
            expect(self.piece(square)).to_be_attached()

    @property
    def rows(self) -> Locator:
        return self.page.locator("#log .jump")

    @property
    def here(self) -> Locator:
        return self.page.locator("#log [aria-current]")

    @property
    def sheet(self) -> Locator:
        return self.page.locator("#sheet")

    @property
    def bubble(self) -> Locator:
        return self.page.locator(".bubble")

    def sets_up(self, text: str) -> None:
        self.page.get_by_role("button", name=sentence("page.set-up")).click()
        self.sheet.get_by_label(sentence("page.set-up-text")).fill(text)
        self.sheet.get_by_role("button", name=sentence("page.set-up-show")).click()

    def changes_by_hand(self) -> None:
        self.page.get_by_role("button", name=sentence("page.edit")).click()
        expect(self.prompt).to_contain_text("Choose a place")
        expect(self.page.locator("#stage .hit.lit")).to_have_count(0)

    def url_query(self) -> dict[str, list[str]]:
        """What the address says."""
        return parse_qs(urlsplit(self.page.url).query)

    def position(self) -> str:
        self.page.locator("#open-menu").click()
        self.sheet.get_by_role("button", name=sentence("page.share-position")).click()
        text = self.sheet.get_by_label(sentence("page.position")).input_value()
        self.page.locator("#sheet-close").click()
        return text


@pytest.fixture
def analyst(seat_player: Seated) -> Analyst:
    player = seat_player()
    return Analyst(player.page, player.address)


def with_finger(seat_player: Seated, **options: Any) -> Analyst:
    player = seat_player(finger=True, **options)
    return Analyst(player.page, player.address, finger=True)


@contextmanager
def left_alone(browser: Browser, address: str) -> Iterator[Analyst]:
    """Somebody new, whose browser may complain of what does not answer, but of no fault of ours."""
    faults: list[str] = []
    page = browser.new_page(reduced_motion="reduce", viewport={"width": 1280, "height": 800})
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield Analyst(page, address)
    page.close()
    assert not faults


def test_one_plays_both_sides_of_kalamala(analyst: Analyst) -> None:
    analyst.opens_board()
    expect(analyst.prompt).to_contain_text("Rings to play")
    analyst.places(("rs-A", "sq-a1"))
    expect(analyst.prompt).to_contain_text("Blocks to play")
    analyst.places(("rs-B", "sq-h8"))
    expect(analyst.rows).to_have_text(
        ["Start", "1Rings placed a piece on a1@a1", "2Blocks placed a piece on h8@h8"]
    )
    analyst.page.wait_for_url("**?moves=@a1,@h8")


def test_one_plays_both_sides_of_kahmate_and_draws_the_ball(analyst: Analyst) -> None:
    analyst.opens_board("kahmate")
    for _ in "RB":
        analyst.presses(analyst.button("btn-lineup"))
        analyst.presses(analyst.bubble.get_by_role("button").first)
        if analyst.primary.is_visible():
            analyst.presses(analyst.primary)
        expect(analyst.page.locator("#stage .pc").first).to_be_attached()
    expect(analyst.bubble).to_contain_text(sentence("page.chance-what"))
    analyst.bubble.get_by_role("button").nth(3).click()
    expect(analyst.prompt).to_contain_text("Red to play")
    assert len(analyst.lit()) > 3
    expect(analyst.rows).to_have_count(14)


def test_chance_does_what_one_says(analyst: Analyst) -> None:
    analyst.opens_board("as-kimble")
    analyst.touches("dome")
    rows = analyst.bubble.get_by_role("button")
    expect(rows).to_have_count(7)
    expect(rows.nth(1)).to_contain_text("16.7%")
    analyst.page.keyboard.press("Escape")
    expect(analyst.bubble).to_have_count(0)
    analyst.page.keyboard.press(" ")
    rows.filter(has_text="Red popped 6").click()
    expect(analyst.prompt).to_contain_text("6")
    analyst.touches("h-R", "t-0")
    expect(analyst.rows).to_have_count(3)
    analyst.touches("dome")
    rows.filter(has_text=sentence("page.chance-random")).click()
    expect(analyst.rows).to_have_count(4)
    analyst.page.wait_for_url("**?moves=R+pop+6,R+in,*")


def test_what_may_not_be_played_is_explained(analyst: Analyst) -> None:
    analyst.opens_board()
    analyst.touches("sq-h8")
    expect(analyst.bubble).to_contain_text(sentence("kalamala.start"))
    expect(analyst.rows).to_have_count(1)


def test_going_back_and_playing_otherwise_makes_a_branch(analyst: Analyst) -> None:
    page = analyst.page
    analyst.opens_board()
    analyst.places(("rs-A", "sq-a1"), ("rs-B", "sq-h8"), ("rs-A", "sq-a2"))
    page.keyboard.press("[")
    page.keyboard.press("[")
    expect(analyst.piece("sq-h8")).to_have_count(0)
    analyst.places(("rs-B", "sq-b8"), ("rs-A", "sq-c1"))
    expect(page.locator("#log .branch .jump")).to_have_count(2)
    expect(analyst.here).to_contain_text("c1")
    page.get_by_role("slider").fill("1")
    expect(analyst.piece("sq-b8")).to_have_count(0)
    page.keyboard.press("]")
    expect(analyst.piece("sq-b8")).to_be_attached()
    page.get_by_role("button", name=sentence("page.branch-before")).click()
    expect(analyst.piece("sq-h8")).to_be_attached()
    page.get_by_role("button", name=sentence("page.replay-after")).click()
    expect(analyst.piece("sq-a2")).to_be_attached()
    analyst.rows.filter(has_text="c1").click()
    expect(analyst.piece("sq-c1")).to_be_attached()
    expect(analyst.piece("sq-a2")).to_have_count(0)
    page.wait_for_url("**?moves=@a1,@b8,@c1")


def test_playing_the_same_again_is_no_branch(analyst: Analyst) -> None:
    analyst.opens_board()
    analyst.places(("rs-A", "sq-a1"), ("rs-B", "sq-h8"))
    analyst.page.get_by_role("button", name=sentence("page.replay-first")).click()
    expect(analyst.piece("sq-a1")).to_have_count(0)
    analyst.places(("rs-A", "sq-a1"))
    expect(analyst.rows).to_have_count(3)
    expect(analyst.page.locator("#tools")).to_be_hidden()


def test_a_branch_becomes_the_main_line_or_goes(analyst: Analyst) -> None:
    page = analyst.page
    analyst.opens_board()
    analyst.places(("rs-A", "sq-a1"))
    page.keyboard.press("[")
    expect(analyst.piece("sq-a1")).to_have_count(0)
    analyst.places(("rs-A", "sq-c1"), ("rs-B", "sq-h8"))
    page.get_by_role("button", name=sentence("page.branch-promote")).click()
    expect(page.locator("#log .branch .jump")).to_have_text("1Rings placed a piece on a1@a1")
    expect(page.get_by_role("button", name=sentence("page.branch-delete"))).to_be_disabled()
    page.locator("#log .branch .jump").click()
    expect(analyst.piece("sq-a1")).to_be_attached()
    page.get_by_role("button", name=sentence("page.branch-delete")).click()
    analyst.sheet.get_by_role("button", name=sentence("page.branch-delete")).click()
    expect(page.locator("#log .branch")).to_have_count(0)
    expect(analyst.piece("sq-a1")).to_have_count(0)
    page.keyboard.press("]")
    expect(analyst.piece("sq-c1")).to_be_attached()


def test_a_position_is_set_up_and_a_wrong_one_refused(analyst: Analyst) -> None:
    analyst.opens_board()
    analyst.places(("rs-A", "sq-a1"))
    analyst.sets_up("8/8/8 rubbish")
    expect(analyst.sheet.get_by_role("alert")).to_contain_text("six parts")
    expect(analyst.piece("sq-a1")).to_be_attached()
    analyst.sheet.get_by_label(sentence("page.set-up-text")).fill(ROW)
    analyst.sheet.get_by_role("button", name=sentence("page.set-up-show")).click()
    expect(analyst.piece("sq-d5")).to_be_attached()
    expect(analyst.prompt).to_contain_text("Blocks to play")
    assert analyst.url_query() == {"position": [ROW]}
    analyst.page.go_back()
    expect(analyst.piece("sq-a1")).to_be_attached()
    expect(analyst.rows).to_have_count(2)


def test_other_rules_are_chosen_and_are_in_the_address(analyst: Analyst) -> None:
    analyst.opens_board("kahmate")
    analyst.page.get_by_role("button", name=sentence("page.set-up")).click()
    analyst.sheet.locator("summary").click()
    analyst.sheet.locator("[data-option=turn_limit]").fill("30")
    analyst.sheet.get_by_role("button", name=sentence("page.keep-start")).click()
    expect(analyst.page.locator("#turn")).to_contain_text("of 30")
    chosen = json.loads(analyst.url_query()["options"][0])
    assert chosen == {"hold_limit": 8, "turn_limit": 30}
    analyst.page.reload()
    expect(analyst.page.locator("#turn")).to_contain_text("of 30")


def test_the_french_rules_are_one_touch_on_the_analysis_page(analyst: Analyst) -> None:
    """F125 and its kin: the named presets of a game are offered wherever its rules are chosen."""
    analyst.opens_board("kahmate")
    analyst.page.get_by_role("button", name=sentence("page.set-up")).click()
    analyst.sheet.locator("summary").click()
    analyst.sheet.get_by_role("button", name="French").click()
    assert json.loads(analyst.sheet.locator("[data-option=force_beyond]").input_value()) == "exit"
    analyst.sheet.get_by_role("button", name=sentence("page.set-up-start")).click()
    analyst.page.wait_for_url("**options=**")
    assert json.loads(analyst.url_query()["options"][0])["force_beyond"] == "exit"


def record(**more: Any) -> str:
    made = {
        "kibitz": 1,
        "game": "kalamala",
        "rules": "1",
        "options": {},
        "start": "start",
        "actions": ["@a1", "@h8", "@a2"],
        "result": "*",
    }
    return json.dumps({**made, **more})


def test_a_record_is_opened_from_a_file(analyst: Analyst, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(record())
    analyst.opens_board()
    analyst.page.get_by_role("button", name=sentence("page.set-up")).click()
    analyst.sheet.locator("input[type=file]").set_input_files(file)
    expect(analyst.rows).to_have_count(4)
    expect(analyst.piece("sq-a2")).to_be_attached()


def test_a_record_is_dropped_on_the_page(analyst: Analyst) -> None:
    drop = """text => {
      const data = new DataTransfer();
      data.items.add(new File([text], "match.json", { type: "application/json" }));
      const how = { dataTransfer: data, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new DragEvent("drop", how));
    }"""
    analyst.opens_board()
    analyst.page.evaluate(drop, record(game="kahmate"))
    expect(analyst.page.locator("#banner")).to_contain_text("a different game")
    analyst.page.evaluate(drop, "what is this")
    expect(analyst.page.locator("#banner")).to_contain_text("not a readable record")
    analyst.page.evaluate(drop, record())
    expect(analyst.rows).to_have_count(4)


def test_a_record_is_shown_as_far_as_it_follows(analyst: Analyst) -> None:
    analyst.opens_board()
    analyst.sets_up(record(actions=["@a1", "@h8", "@h8", "@b1"]))
    expect(analyst.rows).to_have_count(3)
    expect(analyst.page.locator("#banner")).to_contain_text("Move 3 is not legal")
    expect(analyst.sheet).to_be_hidden()


def test_a_finished_match_is_looked_at_move_by_move(analyst: Analyst) -> None:
    analyst.sits_down()
    analyst.touches("rs-A", "sq-a1")
    expect(analyst.piece("sq-a1")).to_be_attached()
    analyst.touches("rs-B", "sq-h8")
    expect(analyst.piece("sq-h8")).to_be_attached()
    table = analyst.page.url.rsplit("/", 1)[1]
    analyst.picks(sentence("page.menu-resign"))
    analyst.sheet.get_by_role("link", name=sentence("page.analyse")).click()
    analyst.sees_the_board()
    expect(analyst.rows).to_have_count(4)
    expect(analyst.prompt).to_contain_text("Blocks won")
    analyst.page.wait_for_url(f"**?table={table}&n=3")
    analyst.page.goto(f"{analyst.address}/analysis/kalamala?table={table}&n=1")
    expect(analyst.piece("sq-a1")).to_be_attached()
    expect(analyst.piece("sq-h8")).to_have_count(0)
    expect(analyst.rows).to_have_count(4)
    analyst.places(("rs-B", "sq-g8"))
    analyst.page.wait_for_url("**?moves=@a1,@g8")


def test_a_table_that_is_not_ones_own_is_not_shown(browser: Browser, analyst: Analyst) -> None:
    analyst.sits_down()
    table = analyst.page.url.rsplit("/", 1)[1]
    with left_alone(browser, analyst.address) as stranger:
        stranger.opens_board(query=f"?table={table}")
        expect(stranger.page.locator("#banner")).to_contain_text("is not available")
        expect(stranger.rows).to_have_count(1)


def test_a_place_is_changed_by_touching_it(analyst: Analyst) -> None:
    page = analyst.page
    analyst.opens_board()
    analyst.places(("rs-A", "sq-a1"))
    analyst.changes_by_hand()
    analyst.touches("sq-d4")
    analyst.bubble.get_by_role("button", name=sentence("kalamala.edit-B")).click()
    expect(analyst.piece("sq-d4")).to_be_attached()
    expect(analyst.rows).to_have_count(1)
    page.get_by_role("button", name=sentence("page.edit-whole")).click()
    analyst.bubble.get_by_role("button", name="Rings to play").click()
    expect(analyst.seat("Rings")).to_have_attribute("aria-current", "true")
    page.get_by_role("button", name=sentence("page.cancel")).click()
    expect(analyst.rows).to_have_count(2)
    expect(analyst.piece("sq-d4")).to_have_count(0)
    analyst.changes_by_hand()
    analyst.touches("sq-a1")
    analyst.bubble.get_by_role("button", name=sentence("kalamala.edit-empty")).click()
    expect(analyst.piece("sq-a1")).to_have_count(0)
    page.get_by_role("button", name=sentence("page.done")).click()
    expect(analyst.prompt).to_contain_text("Blocks to play")
    analyst.places(("rs-B", "sq-a1"))
    assert "position" in analyst.url_query()


def test_a_link_opens_the_same_for_somebody_else(seat_player: Seated, analyst: Analyst) -> None:
    analyst.opens_board("as-kimble", "?moves=R+pop+6,R+in")
    expect(analyst.rows).to_have_count(3)
    analyst.page.get_by_role("button", name=sentence("page.share"), exact=True).click()
    link = analyst.sheet.get_by_label(sentence("page.copy-link")).input_value()
    text = analyst.sheet.get_by_label(sentence("page.position")).input_value()
    assert link.endswith("/analysis/as-kimble?moves=R+pop+6,R+in")
    other = with_finger(seat_player)
    other.page.goto(link)
    other.sees_the_board()
    assert other.position() == text


def picture_facts(download: Download, page: Page) -> tuple[int, int, int]:
    """How wide and high a picture is, and how many colours it has."""
    data = base64.b64encode(Path(download.path()).read_bytes()).decode()
    found: list[int] = page.evaluate(
        """async data => {
          const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
          const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
          canvas.drawImage(image, 0, 0);
          const { data: { buffer } } = canvas.getImageData(0, 0, image.width, image.height);
          return [image.width, image.height, new Set(new Uint32Array(buffer)).size];
        }""",
        data,
    )
    return found[0], found[1], found[2]


@pytest.mark.parametrize(
    "game",
    ["kahmate", *(pytest.param(n, marks=pytest.mark.long) for n in ("kalamala", "as-kimble"))],
)
def test_a_picture_is_saved(seat_player: Seated, game: str) -> None:
    analyst = with_finger(seat_player)
    analyst.opens_board(game)
    analyst.presses(analyst.page.locator("#open-menu"))
    analyst.presses(analyst.sheet.get_by_role("button", name=sentence("page.share-position")))
    expect(analyst.sheet.locator("img.preview")).to_be_visible()
    with analyst.page.expect_download() as waited:
        analyst.presses(analyst.sheet.get_by_role("button", name=sentence("page.picture-save")))
    width, height, colours = picture_facts(waited.value, analyst.page)
    assert waited.value.suggested_filename == f"{game}-0.png"
    assert width == 1600
    assert 900 < height < 1400
    assert colours > 20
    with analyst.page.expect_download() as waited:
        analyst.presses(analyst.sheet.get_by_role("button", name=sentence("page.picture-svg")))
    text = Path(waited.value.path()).read_text("utf-8")
    assert "var(" not in text
    assert "data-el" not in text
    assert 'class="l-labels"' in text


def test_a_past_position_of_a_table_is_shared(seat_player: Seated, analyst: Analyst) -> None:
    analyst.sits_down()
    for reserve, square in (("rs-A", "sq-a1"), ("rs-B", "sq-h8")):
        analyst.touches(reserve, square)
        expect(analyst.piece(square)).to_be_attached()
    analyst.page.keyboard.press("[")
    expect(analyst.piece("sq-h8")).to_have_count(0)
    analyst.page.locator("#open-menu").click()
    expect(analyst.sheet.get_by_role("link", name=sentence("page.analyse"))).to_have_attribute(
        "href", re.compile(r"/analysis/kalamala\?table=\w+&n=1$")
    )
    analyst.sheet.get_by_role("button", name=sentence("page.share-position")).click()
    link = analyst.sheet.get_by_label(sentence("page.copy-link")).input_value()
    assert link.endswith("/analysis/kalamala?moves=@a1")
    assert (
        analyst.sheet.get_by_label(sentence("page.position"))
        .input_value()
        .endswith(" B 3,4 0,0 2 -")
    )
    other = with_finger(seat_player)
    other.page.goto(link)
    expect(other.piece("sq-a1")).to_be_attached()
    expect(other.prompt).to_contain_text("Blocks to play")


@pytest.mark.parametrize("silence", ["nothing", "Slow down"])
def test_nothing_is_lost_while_the_server_is_silent(
    browser: Browser, address: str, silence: str
) -> None:
    with left_alone(browser, address) as analyst:
        analyst.opens_board()
        analyst.places(("rs-A", "sq-a1"))
        is_silent = True

        def answer(route: Route) -> None:
            if not is_silent:
                route.continue_()
            elif silence == "nothing":
                route.abort()
            else:
                route.fulfill(
                    status=429, json={"code": "too-fast", "message": "Too fast.", "wait": 0.1}
                )

        analyst.page.route("**/api/v1/analysis", answer)
        analyst.touches("rs-B", "sq-h8")
        expect(analyst.page.locator("#banner")).to_contain_text("Connection lost")
        expect(analyst.rows).to_have_count(2)
        is_silent = False
        expect(analyst.piece("sq-h8")).to_be_attached()
        expect(analyst.page.locator("#banner")).to_be_hidden()
        expect(analyst.rows).to_have_count(3)


def test_a_phone_shows_the_lines_in_a_sheet(seat_player: Seated) -> None:
    analyst = with_finger(seat_player)
    analyst.opens_board(query="?moves=@a1,@h8,@a2")
    expect(analyst.piece("sq-a2")).to_be_attached()
    analyst.presses(analyst.page.get_by_role("button", name=sentence("page.replay-before")))
    expect(analyst.piece("sq-a2")).to_have_count(0)
    analyst.touches("rs-A", "sq-c1", "sq-c1")
    expect(analyst.piece("sq-c1")).to_be_attached()
    analyst.presses(analyst.page.get_by_role("button", name=sentence("page.moves")))
    expect(analyst.sheet.locator(".branch .jump")).to_have_count(1)
    analyst.presses(analyst.sheet.locator(".jump", has_text="h8"))
    expect(analyst.sheet).to_be_hidden()
    expect(analyst.piece("sq-c1")).to_have_count(0)
    assert not analyst.scrolls_sideways()


def test_the_language_changes_and_the_line_stays(analyst: Analyst) -> None:
    analyst.opens_board(query="?moves=@a1,@h8")
    expect(analyst.rows).to_have_count(3)
    analyst.page.locator("#open-menu").click()
    analyst.sheet.get_by_role("button", name="Suomi").click()
    expect(analyst.prompt).to_contain_text("Vuorossa")
    expect(analyst.rows).to_have_count(3)


@pytest.mark.parametrize("game", ["kahmate", "kalamala", "as-kimble"])
@pytest.mark.parametrize(
    "tongue", ["fr", *(pytest.param(each, marks=pytest.mark.long) for each in ("fi", "sv"))]
)
def test_nothing_is_cut_off_on_a_phone(seat_player: Seated, game: str, tongue: str) -> None:
    analyst = with_finger(seat_player, locale=tongue)
    analyst.opens_board(game)
    assert not analyst.scrolls_sideways()
    menu = analyst.page.locator("#open-menu").bounding_box()
    assert menu
    assert menu["x"] + menu["width"] <= 360
    walk = analyst.page.locator("#walk").bounding_box()
    assert walk
    assert walk["y"] + walk["height"] <= 740


@pytest.mark.parametrize("theme", [pytest.param("light", marks=pytest.mark.long), "dark"])
def test_nothing_serious_is_in_the_way_of_anybody(seat_player: Seated, theme: str) -> None:
    """By axe: names, contrast, roles; the page, and what opens on it. Drawings are looked at
    where tables are."""
    player = seat_player(color_scheme=theme)
    analyst = Analyst(player.page, player.address)
    analyst.opens_board(query="?moves=@a1,@h8")
    page = analyst.page
    expect(analyst.rows).to_have_count(3)
    page.keyboard.press("[")
    expect(analyst.piece("sq-h8")).to_have_count(0)
    analyst.places(("rs-B", "sq-b8"))
    assert not serious_but_drawings(page)
    page.get_by_role("button", name=sentence("page.set-up")).click()
    analyst.sheet.locator("summary").click()
    assert not serious_but_drawings(page)
    page.locator("#sheet-close").click()
    page.get_by_role("button", name=sentence("page.share"), exact=True).click()
    expect(analyst.sheet.locator("img.preview")).to_be_visible()
    assert not serious_but_drawings(page)
    page.locator("#sheet-close").click()
    analyst.changes_by_hand()
    analyst.touches("sq-d4")
    expect(analyst.bubble).to_be_visible()
    assert not serious_but_drawings(page)


def test_the_board_is_found_from_the_first_page(analyst: Analyst) -> None:
    analyst.page.goto(f"{analyst.address}/")
    analyst.unfolds(analyst.card("Kahmaté").locator("details.more"))
    analyst.card("Kahmaté").locator("a[href='/analysis/kahmate']").click()
    analyst.sees_the_board()
    expect(analyst.page.get_by_role("heading", name="Kahmaté")).to_be_visible()


def test_a_long_line_has_a_short_address(analyst: Analyst) -> None:
    """Then the link is to the position alone."""
    notes = [f'note "{"x" * 400} {n}, 100 %"' for n in range(6)]
    analyst.opens_board("as-kimble")
    made = record(game="as-kimble", options={"pace": "turn"}, actions=["R pop 6", *notes[:2]])
    analyst.sets_up(made)
    expect(analyst.rows).to_have_count(4)
    assert len(analyst.page.url) < 2000
    analyst.page.reload()
    expect(analyst.rows).to_have_count(4)
    analyst.sets_up(made.replace('"R pop 6"', json.dumps(["R pop 6", *notes])[1:-1]))
    expect(analyst.rows).to_have_count(10)
    analyst.page.wait_for_url("**?position=**")
    text = analyst.position()
    analyst.page.reload()
    analyst.sees_the_board()
    expect(analyst.rows).to_have_count(1)
    assert analyst.position() == text
