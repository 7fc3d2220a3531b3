"""One link for everybody at a table: four devices and more, by touch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


def comes_in(player: Player, link: str, place: str, name: str) -> None:
    """Opens a link, touches a place by its name, types their own and touches the button."""
    player.page.goto(link)
    form = player.page.locator("main form")
    form.locator("label.side", has_text=place).tap()
    player.page.get_by_label(sentence("page.name")).fill(name)
    form.get_by_role("button", name=sentence("page.come-in")).tap()
    player.sees_the_board()


def seats(player: Player, table: str) -> dict[str, list[str]]:
    return {each["seat"]: each["members"] for each in read_table(player, table)["seats"]}


def own_seats(player: Player, table: str) -> list[str]:
    return [each["seat"] for each in read_table(player, table)["seats"] if each["is_mine"]]


def read_table(player: Player, table: str) -> Any:
    where = f"{player.address}/api/v1/tables/{table.rsplit('/', 1)[1]}"
    return player.page.request.get(where).json()


def test_four_devices_fill_a_table_of_teams_by_one_link(seat_player: Seated) -> None:
    host = seat_player(finger=True)
    host.sits_down("friend", game="as-kimble")
    table, link = host.page.url, host.link("room")
    guests = {team: seat_player(finger=True) for team in ("Blue", "Yellow", "Green")}
    for team, guest in guests.items():
        comes_in(guest, link, team, f"{team} one")
    expect(host.page.locator("#invite")).to_be_hidden()
    assert host.link("room") == link, "it is the same while seats fill"

    host.touches("dome")
    for guest in guests.values():
        expect(guest.page.locator("#log li:not(.none, .note)").first).to_be_attached()

    mate, late = seat_player(finger=True), seat_player(finger=True)
    mate.page.goto(link)
    expect(mate.page.locator("label.side", has_text="Blue")).to_contain_text("Blue one")
    comes_in(mate, link, "Blue", "Blue two")
    comes_in(late, link, sentence("page.only-watch"), "Fifth")
    assert seats(host, table)["B"] == ["Blue one", "Blue two"]
    assert own_seats(mate, table) == ["B"]
    assert own_seats(late, table) == []

    for guest, seat in ((guests["Yellow"], "Y"), (mate, "B"), (host, "R")):
        guest.page.goto("about:blank")
        guest.page.goto(link)
        guest.sees_the_board()
        assert (guest.page.url, own_seats(guest, table)) == (table, [seat])


def test_the_first_at_a_seat_removes_a_partner_by_touch(seat_player: Seated) -> None:
    host, first, second = (seat_player(finger=True) for _ in range(3))
    host.sits_down("friend", game="kalamala")
    table = host.page.url
    first.comes_by(host.link("B"), "Aino")
    second.comes_by(first.link("B"), "Otso")
    assert seats(host, table)["B"] == ["Aino", "Otso"]
    label = sentence("page.menu-unseat-named", name="Otso", seat="Blocks")
    first.picks(label)
    expect(first.notes.last).to_contain_text(sentence("table.unseated-one", seat="Blocks"))
    assert seats(host, table)["B"] == ["Aino"]
    assert own_seats(second, table) == []
    second.presses(second.page.locator("#open-menu"))
    expect(second.page.locator("#sheet")).not_to_contain_text("Remove")


def test_two_play_by_the_link_and_a_third_can_only_watch(seat_player: Seated) -> None:
    aino, marc, third = (seat_player(finger=True) for _ in range(3))
    aino.sits_down("friend")
    table, link = aino.page.url, aino.link("room")
    comes_in(marc, link, "Blocks", "Marc")
    aino.touches("rs-A", "sq-a1")
    aino.presses(aino.primary)
    expect(marc.moves).to_have_count(1)

    third.page.goto(link)
    expect(third.page.locator("main form legend")).to_have_text(sentence("page.room-full"))
    expect(third.page.locator("label.side.closed input:disabled")).to_have_count(2)
    third.page.get_by_role("button", name="Suomi").tap()
    expect(third.page.locator("main .what")).to_contain_text(sentence("kalamala.tagline", "fi"))
    third.page.get_by_role("button", name=sentence("page.come-in", "fi")).tap()
    third.sees_the_board()
    assert own_seats(third, table) == []


def test_phones_are_let_in_before_a_code_is_shown_and_shut_out_again(seat_player: Seated) -> None:
    host, phone = seat_player(finger=True), seat_player(finger=True)
    host.sits_down("friend")
    panel = host.page.locator("#invite")
    origin = host.lets_phones_in(panel)
    link = panel.get_by_label(sentence("page.link-to", name=sentence("page.link-room")))
    expect(link).to_have_value(host.link("room").replace(host.address, origin))
    assert phone.page.goto(link.input_value())
    expect(phone.page.locator("main form")).to_be_visible()

    panel.get_by_role("button", name=sentence("page.network-close")).tap()
    expect(panel.get_by_text(sentence("page.network-closed"))).to_be_visible()
    expect(panel.get_by_role("img", name=sentence("page.qr"))).to_have_count(0)
    expect(panel.get_by_text(host.address)).to_have_count(0)
    host.lets_phones_in(panel)


def test_a_shared_result_opens_for_everybody(seat_player: Seated) -> None:
    host, stranger = seat_player(), seat_player(finger=True)
    host.sits_down()
    host.touches("rs-A", "sq-a1", "sq-a1")
    expect(host.moves).to_have_count(1)
    host.page.request.post(
        f"{host.address}/api/v1/tables/{host.page.url.rsplit('/', 1)[1]}/actions",
        data={"key": "r", "actions": ["resign B"]},
    )
    host.page.goto(f"{host.page.url}/result")
    shared = host.page.locator("#result").get_attribute("data-share")
    assert shared
    stranger.page.goto(shared)
    expect(stranger.page.locator("h1")).to_have_text(host.page.locator("h1").inner_text())
    expect(stranger.page.locator("input[name=name]")).to_have_count(0)
    stranger.page.get_by_role("link", name=sentence("page.replay")).tap()
    stranger.sees_the_board()
    expect(stranger.page.locator("#log li").first).to_be_attached()
    assert "key=" in stranger.page.url
