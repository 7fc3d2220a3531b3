"""Coming to a table: from the first page, by a link, or by looking for somebody."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, Request, expect

from support.browser.axe import serious
from support.browser.player import Player
from support.server_process import Server
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

FISCHER = "10 min + 5 s"
UNFOLD = "document.querySelectorAll('main details').forEach(each => { each.open = true; })"


def test_a_friend_comes_by_the_link_and_both_play(seat_player: Seated) -> None:
    aino, marc = seat_player(), seat_player(finger=True)
    aino.page.goto(aino.address)
    aino.page.get_by_label(sentence("page.name-and-account")).click()
    aino.page.get_by_label(sentence("page.name"), exact=True).fill("Aino")
    aino.page.keyboard.press("Enter")
    expect(aino.page.get_by_text(sentence("page.saved"))).to_be_visible()
    aino.plays(aino.card(), "friend")
    expect(aino.prompt).to_contain_text("Waiting for Blocks")
    assert aino.lit() == set(), "nobody plays before all have come"
    link = aino.link("room")

    marc.page.goto(link)
    expect(marc.page.get_by_role("heading", level=1)).to_have_text(
        "Aino invites you to play Kalamala"
    )
    expect(aino.seat("Blocks")).to_contain_text(sentence("page.free"))
    marc.comes_by(link, "Marc")
    expect(marc.prompt).to_contain_text("Aino's turn")
    expect(aino.page.locator("#invite")).to_be_hidden()
    expect(aino.seat("Marc")).to_contain_text("Blocks")
    expect(aino.seat("Marc")).to_contain_text(sentence("page.here"))
    expect(marc.seat("Aino")).to_contain_text("Rings")

    aino.touches("rs-A", "sq-a1")
    expect(marc.moves).to_have_text(["1Aino placed a piece on a1@a1"])
    marc.touches("rs-B", "sq-h8", "sq-h8")
    expect(aino.moves).to_have_count(2)
    expect(aino.notes).to_have_text(["Marc sat down as Blocks"])

    marc.page.goto(link)
    marc.sees_the_board()
    marc.page.goto("about:blank")
    expect(aino.seat("Marc")).to_contain_text(sentence("page.away"))


def test_looking_at_an_invitation_takes_no_seat(seat_player: Seated) -> None:
    host, nosy, friend = seat_player(), seat_player(), seat_player()
    host.sits_down("friend")
    link = host.link("B")
    for _ in range(3):
        nosy.page.goto(link)
        expect(nosy.page.get_by_role("button", name=sentence("page.sit-down"))).to_be_visible()
    friend.comes_by(link, "Marc")
    nosy.page.goto(friend.link("B"))  # The first link is spent; this one is Marc's to give away.
    expect(nosy.page.locator("main")).to_contain_text("Already playing this side: Marc")
    nosy.page.get_by_role("button", name=sentence("page.join-them")).click()
    nosy.sees_the_board()
    expect(host.notes).to_have_count(2)


def test_each_browser_adds_its_own_to_the_dice_and_only_after_the_envelope(
    seat_player: Seated,
) -> None:
    host, friend = seat_player(), seat_player()
    added: list[str] = []

    def hear(request: Request) -> None:
        texts = json.loads(request.post_data or "{}")["actions"] if is_action(request) else []
        added.extend(text for text in texts if text.startswith("entropy"))

    def is_action(request: Request) -> bool:
        return request.method == "POST" and request.url.endswith("/actions")

    for page in (host.page, friend.page):
        page.on("request", hear)
    host.page.goto(host.address)
    host.plays(host.card("Kahmaté"), "friend")
    friend.comes_by(host.link("B"))
    friend.sees_the_board()
    while len(added) < 2:
        host.page.wait_for_timeout(50)
    hashes = {seat: text for _, seat, text in map(str.split, added) if text.startswith("#")}
    assert set(hashes) == {"R", "B"}
    assert len({*hashes.values()}) == 2


def test_the_link_is_a_picture_too_and_can_be_copied(seat_player: Seated) -> None:
    host = seat_player(permissions=["clipboard-read", "clipboard-write"])
    host.sits_down("friend", game="as-kimble")
    panel = host.page.locator("#invite")
    origin = host.lets_phones_in(panel)
    picture = panel.get_by_role("img", name=sentence("page.qr"))
    host.page.wait_for_function("() => document.querySelector('#invite .qr').naturalWidth > 0")
    host.page.get_by_role("button", name=sentence("page.copy")).first.click()
    expect(host.page.get_by_role("button", name=sentence("page.copied"))).to_be_visible()
    link = host.link("room").replace(host.address, origin)
    assert host.page.evaluate("navigator.clipboard.readText()") == link
    assert "/qr/room" in (picture.get_attribute("src") or "")


def test_a_bot_takes_a_free_seat_when_the_host_says_so(player: Player) -> None:
    player.sits_down("friend")
    player.page.get_by_role("button", name="Let a bot play Blocks").click()
    expect(player.page.locator("#invite")).to_be_hidden()
    expect(player.prompt).to_contain_text(sentence("page.your-turn"))
    player.touches("rs-A", "sq-a1")
    expect(player.moves).to_have_count(2)
    expect(player.seat("Blocks")).to_contain_text(sentence("page.bot-name-greedy"))


def test_two_who_look_for_an_opponent_find_each_other(seat_player: Seated) -> None:
    one, two, other = seat_player(), seat_player(), seat_player()
    for each, clock in ((one, FISCHER), (other, ""), (two, FISCHER)):
        each.page.goto(each.address)
        card = each.card()
        if clock:
            each.unfolds(card.locator(".more"), card.locator(".settings"))
            card.get_by_label(sentence("page.clock")).select_option(label=clock)
        each.unfolds(card.locator(".more"))
        card.get_by_role("button", name=sentence("page.seek")).click()
        each.sees_the_board()
    assert one.page.url == two.page.url != other.page.url
    expect(one.page.locator("#invite")).to_be_hidden()
    expect(one.page.locator(".clock").first).to_have_text("10:00")
    expect(other.prompt).to_contain_text(sentence("page.seeking"))
    expect(other.page.get_by_role("button", name="Let a bot play")).to_have_count(0)


def test_an_open_table_is_found_and_joined(seat_player: Seated) -> None:
    host, guest, third = seat_player(), seat_player(), seat_player()
    host.page.request.put(f"{host.address}/api/v1/me", data={"name": "Noor"})
    host.opens("open")
    lobby = guest.page.get_by_role("region", name=sentence("page.lobby"))
    guest.page.goto(guest.address)
    lobby.get_by_role("link", name="with Noor").filter(has_text=sentence("page.join")).first.click()
    guest.sees_the_board()
    assert guest.page.url == host.page.url
    guest.page.locator("#invite").get_by_role("button", name="Sit down as Blocks").click()
    expect(guest.prompt).to_contain_text("Noor's turn")
    expect(host.prompt).to_contain_text(sentence("page.your-turn"))

    third.page.goto(third.address)
    lobby = third.page.get_by_role("region", name=sentence("page.lobby"))
    lobby.get_by_role("link", name="with Noor").filter(
        has_text=sentence("page.watch")
    ).first.click()
    third.sees_the_board()
    expect(third.prompt).to_contain_text(sentence("page.watching-alone"))
    expect(third.page.locator("#around")).to_contain_text(sentence("page.watching-alone"))
    assert third.lit() == set()


def test_settings_go_into_the_table(player: Player) -> None:
    page = player.page

    def options() -> dict[str, Any]:
        table = page.url.rsplit("/", 1)[1]
        info: dict[str, Any] = page.request.get(f"{player.address}/api/v1/tables/{table}").json()
        return info

    page.goto(player.address)
    card = player.card("Kahmaté")
    player.unfolds(*(card.locator(each) for each in (".more", ".settings", ".all")))
    card.get_by_label(sentence("page.clock")).select_option(label="3 days per turn")
    expect(card.get_by_label(sentence("kahmate.option-turn_limit"))).to_have_value("200")
    card.get_by_text(sentence("page.official-rules")).click()
    expect(card.get_by_label(sentence("kahmate.option-turn_limit"))).to_have_value("0")
    card.get_by_label(sentence("kahmate.option-tries")).fill("2")
    card.locator("[data-option=pass_shape]").select_option(label="straight or diagonal only")
    expect(card.locator("[data-summary]")).to_have_text("3 days per turn · custom rules")
    player.plays(card)
    made = options()
    expected = {"tries": 2, "pass_shape": "line", "turn_limit": 0, "hold_limit": 0}
    assert {name: made["options"][name] for name in expected} == expected
    assert made["settings"]["clock"] == {"kind": "days", "days": 3.0}

    page.goto(player.address)
    player.plays(card)
    assert options()["options"]["turn_limit"] == 200
    assert options()["settings"]["clock"] == {"kind": "none"}


def test_every_option_of_every_game_can_be_chosen(player: Player) -> None:
    player.page.goto(player.address)
    games = player.page.request.get(f"{player.address}/api/v1/games").json()
    for game in games:
        fields = player.card(game["title"]).locator("[data-option]")
        named = fields.evaluate_all("fields => fields.map(each => each.dataset.option)")
        assert named == [option["name"] for option in game["options"]]
        books = fields.evaluate_all("fields => fields.map(each => each.dataset.book)")
        assert [json.loads(each) for each in books] == [o["default"] for o in game["options"]]


def test_the_size_of_each_team_and_a_yes_or_no_are_options_too(player: Player) -> None:
    player.page.goto(player.address)
    card = player.card("AS-Kimble")
    player.unfolds(*(card.locator(each) for each in (".more", ".settings", ".all")))
    sizes = card.get_by_role("group", name=sentence("as-kimble.option-team_size"))
    sizes.get_by_label(sentence("as-kimble.seat-B")).select_option("2")
    card.locator("[data-option=raising]").select_option(label="not allowed")
    player.plays(card, "device")
    table = player.page.url.rsplit("/", 1)[1]
    options = player.page.request.get(f"{player.address}/api/v1/tables/{table}").json()["options"]
    assert (options["team_size"], options["raising"]) == ([1, 2, 1, 1], False)


def test_french_rules_are_one_touch_away(player: Player) -> None:
    player.page.goto(player.address)
    card = player.card("Kahmaté")
    player.unfolds(*(card.locator(each) for each in (".more", ".settings", ".all")))
    card.get_by_role("button", name=sentence("kahmate.preset-french")).click()
    player.plays(card, "device")
    table = player.page.url.rsplit("/", 1)[1]
    options = player.page.request.get(f"{player.address}/api/v1/tables/{table}").json()["options"]
    assert (options["force_beyond"], options["turn_limit"]) == ("exit", 200)


def test_empty_lists_say_what_will_happen(seat_player: Seated, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        player = seat_player(at=server.address)
        player.page.goto(server.address)
        expect(player.page.get_by_role("region", name=sentence("page.lobby"))).to_contain_text(
            "Nobody is"
        )
        expect(player.page.get_by_text("Tables you open will be kept here")).to_be_visible()
        player.page.goto("about:blank")


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_the_pages_fit_a_small_phone(seat_player: Seated, theme: str) -> None:
    player = seat_player(finger=True, color_scheme=theme)
    for path in ways_to_look(player):
        player.page.goto(player.address + path)
        for drop in player.page.locator("header summary").all():
            drop.tap()
            assert not player.scrolls_sideways(), path
        player.page.evaluate(UNFOLD)
        assert not player.scrolls_sideways(), path
        assert menu_is_visible(player.page), path


@pytest.mark.parametrize("theme", [pytest.param("light", marks=pytest.mark.long), "dark"])
def test_nothing_serious_is_in_the_way_of_anybody(seat_player: Seated, theme: str) -> None:
    """By axe: names, contrast, roles."""
    player = seat_player(color_scheme=theme)
    for path in ways_to_look(player):
        player.page.goto(player.address + path)
        player.page.evaluate(UNFOLD)
        # What is scrolled away, or changes its colour just now, is not looked at.
        player.page.set_viewport_size({"width": 1280, "height": 2600})
        player.page.evaluate("scrollTo(0, 0)")
        assert not serious(player.page), path
        # Drawings reach beyond their frames, and what they might lie under is not judged.
        player.page.evaluate(
            "document.querySelectorAll('.pic, #stage svg').forEach(e => e.remove())"
        )
        plain = player.page.evaluate("axe.run(document, {runOnly: ['color-contrast']})")
        found = [*plain["violations"], *plain["incomplete"]]
        assert not [node["html"][:200] for each in found for node in each["nodes"]], path


def ways_to_look(player: Player) -> list[str]:
    """The first page, a table that waits, invitations to it, and its envelope."""
    player.page.request.put(f"{player.address}/api/v1/me", data={"name": "Aino the Long-named One"})
    player.opens_by_api(
        game="as-kimble",
        seats={"R": "me", "B": "free", "Y": "greedy", "G": "free"},
        settings={"clock": {"kind": "fischer", "minutes": 90}},
    )
    table = player.page.url.removeprefix(player.address)
    places = [player.link(place).removeprefix(player.address) for place in ("B", "referee")]
    return ["/", table, *places, f"{table}/seal"]


def menu_is_visible(page: Page) -> bool:
    inside = "box => box.right <= innerWidth && box.left >= 0"
    return bool(
        page.evaluate(
            "[...document.querySelectorAll('#open-menu, .top .field')]"
            f".map(each => each.getBoundingClientRect()).every({inside})"
        )
    )
