"""People who write to each other at a table, and those who look on, in real browsers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import pytest
from playwright.sync_api import Locator, expect

from support.browser.axe import serious
from support.browser.player import Player
from support.server_process import Server
from support.words import sentence
from web.table.test_lost_lines import Line
from web.table.test_people import two

if TYPE_CHECKING:
    from web.conftest import Seated

EVIL = "<script>document.title='bad'</script><img src=x onerror=\"document.title='bad'\">"
TURNED = "abc\u202edcba"


def lines(player: Player) -> Locator:
    return player.page.locator("#chat-list .text")


def field(player: Player) -> Locator:
    return player.page.get_by_label(sentence("page.chat-write"))


def writes(player: Player, text: str) -> None:
    field(player).fill(text)
    field(player).press("Enter")
    expect(field(player)).to_have_value("")


def looks_on(seat_player: Seated, host: Player, name: str = "Seb", **how: bool) -> Player:
    seb = seat_player(**how)
    seb.comes_by(host.link("watch"), name)
    return seb


def badge(player: Player) -> Locator:
    return player.page.locator("#open-chat .badge")


def test_players_write_to_each_other_and_spectators_apart(seat_player: Seated) -> None:
    aino, marc = two(seat_player, "kahmate")
    seb = looks_on(seat_player, aino)
    expect(aino.page.locator("#chat")).to_contain_text("Spectators can read this")
    expect(seb.page.locator("#chat")).to_contain_text("only after the match")
    writes(aino, "Hello Marc")
    expect(lines(marc)).to_have_text(["Hello Marc"])
    expect(marc.page.locator("#chat-list .by b")).to_have_text(["Aino"])
    expect(aino.page.locator("#chat-list .by b")).to_have_text(["you"])
    writes(seb, "Red is lost")
    expect(lines(seb)).to_have_text(["Hello Marc", "Red is lost"])
    marc.page.get_by_role("button", name=sentence("page.phrase-good-luck")).click()
    expect(lines(aino)).to_have_text(["Hello Marc", "Good luck!"])
    expect(lines(seb)).to_have_count(3)

    aino.picks(sentence("page.menu-resign"))
    for player in (aino, marc):
        player.page.keyboard.press("Escape")
        expect(lines(player)).to_have_text(["Hello Marc", "Red is lost", "Good luck!"])
    writes(marc, "Thank you both")
    expect(lines(seb).last).to_have_text("Thank you both")


def test_what_is_written_is_never_more_than_text(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    for text in (EVIL, "https://example.org/ 👩‍👧", TURNED):
        writes(aino, text)
    for player in (aino, marc):
        expect(lines(player)).to_have_text([EVIL, "https://example.org/ 👩‍👧", "abcdcba"])
        assert player.page.locator("#chat-list :is(script, img, a)").count() == 0
        assert "bad" not in player.page.title()


def test_a_host_removes_mutes_and_turns_off(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    writes(marc, "Something rude")
    line = aino.page.locator("#chat-list .line").first
    line.hover()
    line.get_by_role("button").click()
    aino.page.get_by_role("button", name=sentence("page.chat-remove")).click()
    for player in (aino, marc):
        expect(lines(player)).to_have_text(["message deleted"])

    people = aino.page.get_by_role("dialog", name=sentence("page.chat-people"))
    aino.page.get_by_role("button", name=sentence("page.chat-people")).click()
    people.get_by_role("button", name="Mute: Marc").click()
    expect(marc.page.locator("#chat-why")).to_have_text(sentence("server.chat-muted"))
    expect(field(marc)).to_be_hidden()
    people.get_by_role("button", name="Unmute: Marc").click()
    expect(field(marc)).to_be_visible()
    people.get_by_role("switch", name=sentence("page.chat-switch")).click()
    for player in (aino, marc):
        expect(player.page.locator("#chat-why")).to_contain_text("turned off the chat")
    people.get_by_role("switch", name=sentence("page.chat-switch")).click()
    aino.page.keyboard.press("Escape")
    writes(aino, "Better now")
    expect(lines(marc).last).to_have_text("Better now")
    expect(marc.page.locator("#chat-people")).to_be_hidden()


def test_own_lines_can_be_removed(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    writes(aino, "hers")
    writes(marc, "mine, and wrong")
    expect(marc.page.locator("#chat-list .about")).to_have_count(1)
    marc.page.locator("#chat-list .line").last.hover()
    marc.page.get_by_role("button", name=sentence("page.chat-line")).click()
    expect(
        marc.page.get_by_role("dialog").get_by_role("button", name=sentence("page.chat-mute-short"))
    ).to_have_count(0)
    marc.page.get_by_role("button", name=sentence("page.chat-remove")).click()
    expect(lines(aino)).to_have_text(["hers", "message deleted"])


def test_a_spectator_is_sent_away(seat_player: Seated) -> None:
    aino, _ = two(seat_player)
    link = aino.link("watch")
    seb = looks_on(seat_player, aino, rough=True)
    aino.page.get_by_role("button", name=sentence("page.chat-people")).click()
    aino.page.get_by_role("button", name="Remove from table: Seb").click()
    aino.page.get_by_role("dialog").get_by_role(
        "button", name=sentence("page.chat-out"), exact=True
    ).click()
    expect(seb.prompt).to_contain_text(sentence("page.sent-away"))
    people = aino.page.get_by_role("dialog", name=sentence("page.chat-people"))
    expect(people.get_by_role("button", name="Let back in: Seb")).to_be_visible()
    aino.page.keyboard.press("Escape")
    assert aino.link("watch") != link


def test_on_a_phone_it_is_a_sheet_with_a_count(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    eve = seat_player(finger=True)
    eve.page.goto("about:blank")
    table, cookies = marc.page.url, marc.page.context.cookies()
    eve.page.context.add_cookies(cast(Any, cookies))  # Marc's phone.
    marc.page.goto("about:blank")
    eve.page.goto(table)
    eve.sees_the_board()
    expect(badge(eve)).to_be_hidden()
    writes(aino, "one")
    writes(aino, "two")
    expect(badge(eve)).to_have_text("2")
    button = eve.page.get_by_role("button", name="Chat, 2 unread")
    expect(eve.page.locator("#polite")).to_have_text("Chat. Aino: two")
    button.tap()
    sheet = eve.page.get_by_role("dialog", name=sentence("page.chat"))
    expect(sheet.locator("#chat-list .text")).to_have_text(["one", "two"])
    expect(badge(eve)).to_be_hidden()
    writes(eve, "three")
    expect(lines(aino)).to_have_text(["one", "two", "three"])
    sheet.get_by_role("button", name=sentence("page.close")).tap()
    writes(aino, "four")
    expect(badge(eve)).to_have_text("1")
    eve.page.reload()
    expect(badge(eve)).to_have_text("1")
    assert not eve.scrolls_sideways()


def test_it_can_be_hidden_and_found_again(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    aino.page.get_by_role("button", name=sentence("page.chat-hide")).click()
    expect(aino.page.locator("#chat")).to_be_hidden()
    expect(aino.page.locator("#banner")).to_contain_text("in the settings")
    aino.page.reload()
    aino.sees_the_board()
    writes(marc, "Are you there?")
    expect(aino.page.locator("#chat")).to_be_hidden()
    aino.page.locator("#open-menu").click()
    aino.page.get_by_role("button", name=sentence("page.settings")).click()
    aino.page.get_by_label(sentence("page.chat-show")).check()
    aino.page.keyboard.press("Escape")
    expect(lines(aino)).to_have_text(["Are you there?"])


@pytest.mark.parametrize("play", ["device", "bot"])
def test_who_plays_alone_has_no_box(player: Player, play: str) -> None:
    player.sits_down(play)
    player.page.wait_for_timeout(300)
    expect(player.page.locator("#chat")).to_be_hidden()
    expect(player.page.locator("#open-chat")).to_be_hidden()


def test_the_keyboard_gets_there_and_back(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    expect(aino.page.locator("#chat")).to_be_visible()
    aino.page.keyboard.press("t")
    expect(field(aino)).to_be_focused()
    aino.page.keyboard.type("what? no")  # W and ? mean nothing here.
    aino.page.keyboard.press("Enter")
    expect(lines(marc)).to_have_text(["what? no"])
    expect(field(aino)).to_be_focused()
    aino.page.keyboard.press("Escape")
    expect(field(aino)).not_to_be_focused()


@pytest.mark.parametrize("how", ["breaks", "goes_deaf"])
def test_a_line_that_breaks_loses_and_doubles_nothing(seat_player: Seated, how: str) -> None:
    aino, marc = two(seat_player)
    line = Line(aino.page)
    aino.page.reload()
    aino.sees_the_board()
    expect(field(aino)).to_be_visible()
    writes(aino, "one")
    getattr(line, how)()
    field(aino).fill("two")
    field(aino).press("Enter")
    writes(marc, "meanwhile")
    if how == "goes_deaf":
        expect(lines(marc)).to_contain_text(["one", "two"])
    line.mends()
    for player in (aino, marc):
        expect(lines(player)).to_have_count(3)
    assert sorted(lines(aino).all_inner_texts()) == ["meanwhile", "one", "two"]
    expect(field(aino)).to_have_value("")


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with Server(tmp_path_factory.mktemp("strict"), limits="on") as server:
        yield server.address


def test_a_flood_is_stopped_with_a_sentence(seat_player: Seated, strict: str) -> None:
    aino, marc = seat_player(at=strict), seat_player(at=strict)
    aino.opens_by_api(game="kalamala")
    marc.comes_by(aino.link("B"), "Marc")
    why = marc.page.locator("#chat-why")
    for number in range(30):
        field(marc).fill(f"spam {number}")
        field(marc).press("Enter")
        marc.page.wait_for_function(
            "() => !document.querySelector('#chat-text').value"
            " || document.querySelector('#chat-why').textContent"
        )
        if why.inner_text():
            break
    expect(why).to_contain_text("Not so fast: try again in")
    expect(field(marc)).to_have_value(f"spam {number}")


@pytest.mark.parametrize(("theme", "finger"), [("light", False), ("dark", True)])
def test_axe_finds_nothing_serious(seat_player: Seated, theme: str, finger: bool) -> None:
    aino = seat_player(color_scheme=theme, finger=finger, bypass_csp=True)
    aino.opens_by_api(game="kalamala")
    marc = seat_player()
    marc.comes_by(aino.link("B"), "Marc")
    writes(marc, "Hello")
    if finger:
        aino.page.locator("#open-chat").tap()
    writes(aino, "Hello yourself")
    is_fine(aino)
    aino.page.get_by_role("button", name=sentence("page.chat-people")).click()
    expect(aino.page.get_by_role("dialog", name=sentence("page.chat-people"))).to_be_visible()
    is_fine(aino)


def is_fine(player: Player) -> None:
    assert not serious(player.page)
    assert not player.scrolls_sideways()
