"""The first page: one touch to a game, and one's tables as they are now."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, expect

from kibitz.bots.registry import LEVELS
from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


def yours(player: Player) -> Locator:
    return player.page.get_by_role("complementary", name=sentence("page.your-tables"))


def acts(player: Player, table: str, *texts: str) -> None:
    """Without a page of that table."""
    address = f"{table.replace('/t/', '/api/v1/tables/')}/actions"
    for text in texts:
        player.page.request.post(address, data={"key": text, "actions": [text]})


@pytest.mark.parametrize("finger", [pytest.param(False, marks=pytest.mark.long), True])
@pytest.mark.parametrize(
    ("play", "seen"), [("bot", "Your turn"), ("friend", "Waiting"), ("device", "Ri")]
)
def test_play_leads_to_a_bot_and_more_to_people(
    seat_player: Seated, finger: bool, play: str, seen: str
) -> None:
    player = seat_player(finger=finger)
    player.page.goto(player.address)
    player.plays(player.card(), play)
    expect(player.prompt).to_contain_text(seen)


def test_five_faces_say_what_they_are_like_and_the_chosen_one_is_remembered(
    seat_player: Seated,
) -> None:
    player = seat_player(finger=True)
    player.page.goto(player.address)
    faces = player.page.get_by_role("group", name=sentence("page.bot-level")).get_by_role("radio")
    expect(faces).to_have_count(len(LEVELS))
    for face, level in zip(faces.all(), LEVELS, strict=True):
        words = sentence(f"page.bot-name-{level}"), sentence(f"page.manner-{level}")
        expect(face).to_have_accessible_name(" ".join(words))
    expect(faces.nth(1)).to_be_checked()
    player.presses(faces.nth(3))
    player.plays(player.card("Kahmaté"))
    expect(player.seat("Level 4")).to_be_visible()
    player.page.goto(player.address)
    expect(faces.nth(3)).to_be_checked()
    player.plays(player.card("Kalamala"))
    expect(player.seat("Level 4")).to_be_visible()


def test_a_face_that_is_not_won_yet_says_how_it_opens_and_can_be_played(
    seat_player: Seated,
) -> None:
    player = seat_player(finger=True)
    player.page.goto(player.address)
    faces = player.page.get_by_role("group", name=sentence("page.bot-level")).get_by_role("radio")
    about = player.page.locator("#level-about")
    expect(about).to_contain_text("Measured rating: Kahmaté 27")
    expect(player.page.locator(".level.locked")).to_have_count(len(LEVELS) - 2)
    player.presses(faces.nth(2))
    expect(about).to_contain_text(sentence("page.level-locked", n=2))
    player.plays(player.card("Kalamala"))
    expect(player.seat("Level 3")).to_be_visible()


def test_faces_that_were_won_stay_open(seat_player: Seated) -> None:
    player = seat_player()
    player.page.goto(player.address)
    player.page.evaluate("localStorage.setItem('level-opened', 'level-5')")
    player.page.reload()
    expect(player.page.locator(".level.locked")).to_have_count(1)


def test_the_page_says_what_it_is_beside_a_board_that_plays(seat_player: Seated) -> None:
    player = seat_player(moving=True)
    player.page.clock.install()
    player.page.goto(player.address)
    expect(player.page.get_by_text(sentence("page.about"))).to_be_visible()
    pieces = player.page.locator("#living .pc")
    first = [each.get_attribute("transform") for each in pieces.all()]
    player.page.clock.run_for(3000)
    expect(player.page.locator("#living-text")).to_have_text(re.compile("."))
    assert [each.get_attribute("transform") for each in pieces.all()] != first
    player.page.clock.run_for(200_000)
    expect(player.page.locator("#living-text")).to_have_text(re.compile("."))


def test_where_nothing_shall_move_the_board_stands_still(player: Player) -> None:
    player.page.clock.install()
    player.page.goto(player.address)
    player.page.clock.run_for(10_000)
    expect(player.page.locator("#living-text")).to_be_empty()


def test_a_phone_shows_all_games_in_two_screens_and_language_and_theme_on_top(
    seat_player: Seated,
) -> None:
    player = seat_player(finger=True)
    player.page.goto(player.address)
    top = "element => element.getBoundingClientRect().top"
    assert player.page.locator("footer").evaluate(top) < 2 * player.page.evaluate("innerHeight")
    look = player.page.get_by_label(sentence("page.look"))
    assert look.evaluate(top) < 60
    player.presses(look)
    player.presses(player.page.get_by_text(sentence("page.theme-dark")))
    expect(player.page.locator("html")).to_have_class(re.compile("dark"))
    player.presses(player.page.get_by_role("button", name="Suomi"))
    expect(player.page.locator("html")).to_have_attribute("lang", "fi")


def test_where_one_is_waited_for_comes_first_and_what_is_over_is_folded(
    seat_player: Seated,
) -> None:
    aino, marc = seat_player(), seat_player()
    aino.sits_down("friend")
    mine = aino.page.url
    marc.comes_by(aino.link("B"), "Marc")
    aino.sits_down("device")
    over = aino.page.url
    acts(aino, over, "resign A")
    aino.sits_down("friend", seat="B")
    theirs = aino.page.url
    aino.page.goto(aino.address)
    lines = yours(aino).locator(".line")
    shown = [each.get_attribute("href") for each in lines.all()]
    assert [f"{aino.address}{each}" for each in shown] == [mine, theirs, f"{over}/result"]
    expect(lines.first).to_contain_text(sentence("page.play"))
    expect(lines.last).to_be_hidden()
    yours(aino).get_by_text("1 finished").click()
    lines.last.click()
    expect(aino.page.get_by_role("heading", level=1)).to_have_text("Blocks won")


def test_it_says_by_itself_that_it_is_ones_turn(seat_player: Seated) -> None:
    aino, marc = seat_player(), seat_player()
    aino.sits_down("friend")
    table = aino.page.url
    marc.comes_by(aino.link("B"), "Marc")
    acts(aino, table, "@a1")
    aino.page.clock.install()
    aino.page.goto(aino.address)
    line = yours(aino).locator(".line")
    expect(line).to_contain_text(sentence("page.open"))
    assert aino.page.title() == "Kibitz"
    line.focus()

    acts(marc, table, "@h8")
    aino.page.clock.run_for(16_000)
    expect(line).to_contain_text(sentence("page.play"))
    expect(line).to_be_focused()
    expect(yours(aino)).to_contain_text("1 waiting for you")
    expect(aino.page).to_have_title("Your turn · Kibitz")
    expect(aino.page.locator("#polite")).to_have_text(sentence("page.your-turn"))

    acts(aino, table, "@a2")
    aino.page.evaluate("dispatchEvent(new Event('focus'))")
    expect(line).to_contain_text(sentence("page.open"))
    expect(aino.page).to_have_title("Kibitz")


@pytest.mark.parametrize("hidden", [True, False])
def test_nobody_who_looks_elsewhere_asks_the_server(player: Player, hidden: bool) -> None:
    asked: list[str] = []
    player.page.on("request", lambda request: asked.append(request.url))
    look = f"Object.defineProperty(document, 'hidden', {{ get: () => {str(hidden).lower()} }})"
    player.page.add_init_script(look)
    player.page.clock.install()
    player.page.goto(player.address)
    player.page.clock.run_for(60_000)
    assert any("part=tables" in each for each in asked) != hidden


def test_what_was_unfolded_stays_so(player: Player) -> None:
    player.sits_down("device")
    acts(player, player.page.url, "abort")
    player.sits_down("device")
    player.page.goto(player.address)
    yours(player).get_by_text("1 finished").click()
    with player.page.expect_response("**/?part=tables"):
        player.page.evaluate("dispatchEvent(new Event('focus'))")
    expect(yours(player).locator("details .line")).to_be_visible()


def test_who_plays_and_how_many_watch(seat_player: Seated) -> None:
    host, guest, third = seat_player(), seat_player(), seat_player()
    host.page.request.put(f"{host.address}/api/v1/me", data={"name": "Noor"})
    host.opens("open")
    guest.page.goto(host.page.url)
    guest.sees_the_board()
    third.page.goto(third.address)
    line = third.page.get_by_role("region", name=sentence("page.lobby")).locator(".line")
    mine = line.filter(has_text="with Noor").first
    expect(mine).to_contain_text(sentence("page.watching-one"))
    expect(third.page.get_by_role("region", name=sentence("page.lobby"))).to_contain_text(
        "people here"
    )


def test_every_game_can_be_learnt_read_about_and_analysed(player: Player) -> None:
    player.page.goto(player.address)
    for game in player.page.request.get(f"{player.address}/api/v1/games").json():
        links = player.card(game["title"]).locator("a.learn, nav a")
        found = links.evaluate_all("all => all.map((each) => each.getAttribute('href'))")
        places = ("learn", "rules", "analysis", "ladder")
        assert found == [f"/{place}/{game['name']}" for place in places]
        for address in found:
            assert player.page.request.get(player.address + address).ok


def test_a_running_book_is_listed_as_one(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    answer = player.page.request.post(
        f"{player.address}/tables", form={"game": "as-kimble", "play": "companion"}, max_redirects=0
    )
    book = answer.headers["location"]
    player.page.goto(player.address)
    line = yours(player).locator(".line")
    expect(line).to_contain_text(sentence("page.on-real-board"))
    expect(line).to_contain_text(sentence("page.book-goes-on"))
    expect(line).to_contain_text(sentence("page.open"))
    assert line.get_attribute("href") == book
    top = "element => element.getBoundingClientRect().top"
    assert yours(player).evaluate(top) < player.page.locator("h1").evaluate(top)
