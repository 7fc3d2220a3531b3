"""After the match: its story in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.browser.axe import serious
from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

NEAR = "13/13/13/11T1/13/9o3/13/13 R play - l4 123456/123456 0-0 9 -"


def scores(player: Player) -> str:
    """Red runs over the line and has won; where the table is."""
    player.opens_by_api(
        game="kahmate", seats={"R": "me", "B": "me"}, start=NEAR, options={"tries": 1}
    )
    player.touches("sq-l4", "sq-m4")
    expect(player.page.get_by_role("dialog")).to_contain_text("Red won")
    return player.page.url


def test_from_the_table_to_the_story_and_to_the_next_match(player: Player) -> None:
    table = scores(player)
    page = player.page
    page.get_by_role("link", name=sentence("page.to-result")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Red won")
    assert page.url == f"{table}/result"
    moment = page.get_by_role("list").get_by_role("link", name="Move 1")
    expect(moment).to_contain_text("scored a try")
    assert (moment.get_attribute("href") or "").endswith("#1")
    expect(moment.locator("svg.board")).to_be_visible()

    page.get_by_role("button", name=sentence("page.play-again")).click()
    player.sees_the_board()
    assert page.url.startswith(f"{player.address}/t/")
    assert not page.url.startswith(table)


@pytest.mark.parametrize("from_story", [False, True])
def test_the_match_is_played_on_from_the_table_and_from_its_story(
    player: Player, from_story: bool
) -> None:
    table, page = scores(player), player.page
    if from_story:
        page.goto(f"{table}/result")
    page.get_by_role("button", name=sentence("kahmate.menu-ask-continue-2")).last.click()
    player.sees_the_board()
    expect(page.get_by_role("dialog").filter(has_text="Red won")).to_have_count(0)
    assert page.url == table
    assert " 1-0/2 " in page.request.get(f"{table}/position").text()


def test_the_buttons_of_a_match_that_can_be_played_on_leave_its_words_room(player: Player) -> None:
    scores(player)
    expect(player.page.locator("#prompt-buttons .btn")).to_have_count(3)
    words = player.page.locator("#prompt .say").bounding_box()
    assert words
    assert words["width"] > 300
    assert words["height"] < 80


@pytest.mark.parametrize("size", [(360, 740), (844, 390)])
def test_on_a_phone_the_board_keeps_its_room_after_the_end(
    seat_player: Seated, size: tuple[int, int]
) -> None:
    """Buttons that are seldom wanted are behind one."""
    player = seat_player(finger=True)
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    player.opens_by_api(
        game="kahmate", seats={"R": "me", "B": "level-2"}, start=NEAR, options={"tries": 1}
    )
    before = page.locator("#stage").bounding_box()
    player.touches("sq-l4", "sq-m4")
    player.presses(player.primary)
    player.presses(page.get_by_role("dialog").get_by_role("button", name="View the board"))
    expect(page.locator("#prompt-buttons .btn")).to_have_count(4)
    after, dock = (page.locator(each).bounding_box() for each in ("#stage", "#prompt-buttons"))
    assert before
    assert after
    assert dock
    assert after["height"] > 0.85 * before["height"]
    assert dock["y"] + dock["height"] <= size[1]
    player.presses(page.get_by_role("button", name=sentence("page.more")))
    expect(page.get_by_role("button", name=sentence("kahmate.menu-ask-continue-2"))).to_be_visible()


def test_the_course_can_be_read_as_a_table(player: Player) -> None:
    table = scores(player)
    player.page.goto(f"{table}/result")
    expect(player.page.get_by_role("img", name=sentence("kahmate.course"))).to_be_visible()
    player.page.get_by_text(sentence("page.course-table")).click()
    course = player.page.get_by_role("region", name=sentence("page.course"))
    cells = course.get_by_role("row").last.get_by_role("cell")
    expect(cells).to_have_text(["1", "0"])


def test_the_link_to_it_is_copied(seat_player: Seated) -> None:
    player = seat_player(permissions=["clipboard-read", "clipboard-write"])
    player.page.goto(f"{scores(player)}/result")
    player.page.get_by_role("button", name=sentence("page.share")).click()
    expect(player.page.get_by_role("button", name=sentence("page.copied"))).to_be_visible()
    link = player.page.evaluate("navigator.clipboard.readText()")
    friend = seat_player()
    friend.page.goto(link)
    expect(friend.page.locator("main h1")).to_be_visible()
    expect(friend.page.get_by_label(sentence("page.name"))).to_have_count(0)


def test_one_asks_for_a_rematch_and_the_other_agrees(seat_player: Seated) -> None:
    aino, marc = seat_player(), seat_player(finger=True)
    aino.sits_down("friend")
    marc.comes_by(aino.link("B"), "Marc")
    table = aino.page.url
    aino.page.request.post(
        f"{table.replace('/t/', '/api/v1/tables/')}/actions",
        data={"key": "x", "actions": ["resign A"]},
    )
    for each in (aino, marc):
        each.page.goto(f"{table}/result")
    aino.page.get_by_role("button", name=sentence("page.menu-rematch")).click()
    expect(aino.page.locator("#answer")).to_contain_text("as soon as the others agree")
    expect(aino.page.get_by_role("button", name=sentence("page.menu-rematch"))).to_be_disabled()
    expect(marc.page.locator("#answer")).to_contain_text("rematch", ignore_case=True)
    marc.page.get_by_role("button", name=sentence("page.menu-rematch")).tap()
    for each in (marc, aino):
        each.sees_the_board()
    assert aino.page.url == marc.page.url != table


@pytest.mark.parametrize("theme", [pytest.param("light", marks=pytest.mark.long), "dark"])
def test_it_fits_a_phone_and_is_in_nobodys_way(seat_player: Seated, theme: str) -> None:
    player = seat_player(finger=True, color_scheme=theme)
    player.opens_by_api(game="kalamala", seats={"A": "me", "B": "me"})
    going = player.page.url
    player.opens_by_api(
        game="kahmate", seats={"R": "me", "B": "me"}, start=NEAR, options={"tries": 1}
    )
    table = player.page.url
    player.page.request.post(
        f"{table.replace('/t/', '/api/v1/tables/')}/actions",
        data={"key": "x", "actions": ["l4-m4"]},
    )
    for path in (table, going):
        player.page.goto(f"{path}/result")
        for closed in player.page.locator("main summary").all():
            closed.tap()
        assert not player.scrolls_sideways()
        assert not serious(player.page), path
    small = player.page.evaluate(
        "[...document.querySelectorAll('main .btn, main summary, .moment a')]"
        ".filter((each) => each.getBoundingClientRect().height < 44).length"
    )
    assert small == 0
