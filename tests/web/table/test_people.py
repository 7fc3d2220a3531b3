"""People around a match: asking and agreeing, going and coming back, ruling, playing again."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from playwright.sync_api import Route, WebSocketRoute, expect

from kibitz.table.sealed_dice import commitment
from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

CROWDED = 4429


def two(seat_player: Seated, game: str = "kalamala", **settings: object) -> tuple[Player, Player]:
    """At one table, the first of them its host."""
    aino, marc = seat_player(), seat_player()
    aino.page.request.put(f"{aino.address}/api/v1/me", data={"name": "Aino"})
    aino.opens_by_api(game=game, settings=settings)
    seat = {"kalamala": "B", "kahmate": "B"}[game]
    marc.comes_by(aino.link(seat), "Marc")
    return aino, marc


def test_a_draw_is_agreed_and_a_rematch_with_swapped_seats(seat_player: Seated) -> None:
    aino, marc = two(seat_player, "kahmate")
    table = aino.page.url
    expect(marc.prompt).to_contain_text(sentence("page.your-turn"))
    marc.picks(sentence("page.menu-ask-draw"))
    expect(marc.requests).to_contain_text("Still to agree")
    expect(marc.requests.get_by_role("button")).to_have_text(["Cancel"])
    aino.requests.get_by_role("button", name=sentence("page.decline")).click()
    expect(marc.requests).to_be_hidden()
    aino.picks(sentence("page.menu-ask-draw"))
    marc.requests.get_by_role("button", name=sentence("page.agree")).click()
    for player in (aino, marc):
        expect(player.page.get_by_role("dialog", name=sentence("page.no-winner"))).to_be_visible()
        player.page.keyboard.press("Escape")
        expect(player.prompt).to_contain_text(sentence("page.no-winner"))

    marc.prompt.get_by_role("button", name=sentence("page.menu-rematch")).click()
    expect(aino.requests).to_contain_text("asked for a rematch")
    aino.prompt.get_by_role("button", name=sentence("page.menu-rematch")).click()
    for player in (aino, marc):
        player.page.wait_for_url(lambda url: url != table)
        player.sees_the_board()
    assert aino.page.url == marc.page.url
    expect(aino.seat("you")).to_contain_text("Blue")
    expect(marc.seat("you")).to_contain_text("Red")

    aino.page.goto(table)
    aino.sees_the_board()
    assert aino.page.url == table, "an old table is not left by itself"
    aino.prompt.get_by_role("button", name=sentence("page.next-match")).click()
    aino.page.wait_for_url(marc.page.url)


def test_a_rematch_that_is_asked_for_in_the_result_is_agreed_to(seat_player: Seated) -> None:
    """The other's sheet goes, so that it does not lie over what was asked."""
    aino, marc = two(seat_player)
    table = aino.page.url
    aino.picks(sentence("page.menu-resign"))
    expect(marc.page.get_by_role("dialog", name="You won")).to_be_visible()
    result = aino.page.get_by_role("dialog", name="Marc won")
    result.get_by_role("button", name=sentence("page.menu-rematch")).click()
    marc.requests.get_by_role("button", name=sentence("page.agree")).click()
    for player in (aino, marc):
        player.page.wait_for_url(lambda url: url != table)
    player.sees_the_board()


def test_nobody_acts_while_a_match_is_adjourned(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    aino.touches("rs-A", "sq-a1")
    expect(marc.prompt).to_contain_text(sentence("page.your-turn"))
    aino.picks(sentence("page.menu-adjourn"))
    marc.requests.get_by_role("button", name=sentence("page.agree")).click()
    expect(aino.requests).to_contain_text(sentence("table.adjourned"))
    expect(aino.prompt).to_contain_text(sentence("table.adjourned"))
    assert marc.lit() == set()
    marc.touches("rs-B")
    expect(marc.page.locator(".bubble")).to_contain_text(sentence("table.adjourned"))
    marc.page.keyboard.press("Escape")

    marc.prompt.get_by_role("button", name=sentence("page.menu-continue")).click()
    aino.requests.get_by_role("button", name=sentence("page.agree")).click()
    expect(marc.prompt).to_contain_text(sentence("page.your-turn"))
    expect(aino.requests).to_be_hidden()
    marc.touches("rs-B", "sq-h8")
    for player, one, other in ((aino, "You", "Marc"), (marc, "Aino", "You")):
        expect(player.page.locator("#log li")).to_have_text(
            [
                "Marc sat down as Blocks",
                f"1{one} placed a piece on a1@a1",
                "The match is adjourned",
                "The match resumed",
                f"2{other} placed a piece on h8@h8",
            ]
        )


def test_a_bot_keeps_the_seat_of_somebody_who_left_until_they_are_back(seat_player: Seated) -> None:
    aino, marc = two(seat_player, absence_seconds=1)
    table = marc.page.url
    expect(aino.requests).to_be_hidden()
    marc.page.goto("about:blank")
    expect(aino.requests).to_contain_text("No sign of Marc for a while")
    aino.requests.get_by_role("button", name="Have a bot fill in for Marc").click()
    expect(aino.seat("Marc")).to_contain_text(sentence("page.bot-fills-in"))
    aino.touches("rs-A", "sq-a1")
    expect(aino.moves).to_have_count(2)

    marc.page.goto(table)
    marc.sees_the_board()
    assert marc.lit() == set()
    marc.prompt.get_by_role("button", name="Return to Blocks").click()
    expect(aino.notes.last).to_have_text("Marc came back")
    aino.touches("rs-A", "sq-a8")
    expect(marc.prompt).to_contain_text(sentence("page.your-turn"))
    assert "rs-B" in marc.lit()


def test_a_referee_comes_by_a_link_is_agreed_and_rules_with_a_reason(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    aino.touches("rs-A", "sq-a1")
    ref = seat_player()
    ref.page.goto(aino.link("referee"))
    expect(ref.page.locator("main")).to_contain_text("All sides have to agree")
    ref.comes_by(aino.link("referee"), "Rea")
    expect(ref.requests).to_contain_text("You would like to be the referee")
    for player in (aino, marc):
        player.requests.get_by_role("button", name=sentence("page.agree")).click()
    for player in (aino, marc, ref):
        expect(player.page.locator("#around")).to_contain_text("Referee: Rea")
    expect(ref.prompt).to_contain_text("You are the referee")
    assert ref.lit() == set()

    ref.page.locator("#open-menu").click()
    ref.page.locator("#sheet").get_by_role("button", name="Rule a forfeit by Marc").click()
    sheet = ref.page.get_by_role("dialog", name="Rule a forfeit by Marc")
    sheet.get_by_role("button", name="Rule a forfeit by Marc").click()
    expect(sheet).to_be_visible()  # No ruling goes without a reason.
    sheet.get_by_label(sentence("page.reason")).fill("he left for the night")
    sheet.get_by_role("button", name="Rule a forfeit by Marc").click()
    for player, said in ((aino, "You won"), (marc, "Aino won"), (ref, "Aino won")):
        player.page.get_by_role("dialog", name=said).wait_for()
        expect(player.notes.last).to_contain_text("he left for the night")


def test_what_was_done_is_taken_back_only_if_the_other_agrees(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    aino.touches("rs-A", "sq-a1")
    expect(marc.prompt).to_contain_text(sentence("page.your-turn"))
    aino.prompt.get_by_role("button", name=sentence("page.ask-back")).click()
    expect(marc.requests).to_contain_text("Aino asked to take back their last move")
    expect(aino.prompt.get_by_role("button", name=sentence("page.ask-back"))).to_have_count(0)
    marc.requests.get_by_role("button", name=sentence("page.agree")).click()
    expect(aino.moves).to_have_count(0)
    expect(aino.prompt).to_contain_text(sentence("page.your-turn"))


def test_a_match_can_be_called_off_before_it_begins(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    aino.picks(sentence("page.menu-abort"))
    for player in (aino, marc):
        player.page.get_by_role("dialog", name=sentence("table.aborted")).wait_for()
        player.page.keyboard.press("Escape")
        assert player.lit() == set()
    table = aino.page.url
    for player in (aino, marc):
        player.prompt.get_by_role("button", name=sentence("page.menu-rematch")).click()
        expect(
            player.prompt.get_by_role("button", name=sentence("page.menu-rematch"))
        ).to_have_count(0)
    marc.page.wait_for_url(lambda url: url != table)
    marc.sees_the_board()


def test_a_guest_who_leaves_before_the_beginning_frees_a_seat(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    marc.picks(sentence("page.menu-leave"))
    expect(marc.page.locator("#around")).to_have_text(sentence("page.watching-alone"))
    expect(aino.page.get_by_role("dialog", name=sentence("table.aborted"))).to_have_count(0)
    friend = seat_player()
    friend.comes_by(aino.link("B"))
    expect(aino.prompt).to_contain_text(sentence("page.your-turn"))


def test_whoever_watches_is_counted_and_may_not_act(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    spectator = seat_player()
    spectator.comes_by(aino.link("watch"))
    expect(spectator.page.locator("#around")).to_have_text(sentence("page.watching-alone"))
    spectator.page.locator("#open-menu").click()
    expect(spectator.page.get_by_role("button", name=sentence("page.menu-adjourn"))).to_have_count(
        0
    )
    expect(spectator.page.get_by_role("button", name=sentence("page.invite"))).to_have_count(0)
    spectator.page.keyboard.press("Escape")
    aino.touches("rs-A", "sq-a1")
    expect(marc.page.locator("#around")).to_have_text(sentence("page.watching-one"))


def test_links_are_found_later_too(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    marc.page.locator("#open-menu").click()
    marc.page.get_by_role("button", name=sentence("page.invite")).click()
    sheet = marc.page.locator("#sheet")
    origin = marc.lets_phones_in(sheet)
    links = {
        "Everyone": aino.link("room"),
        "Blocks": marc.link("B"),
        "Referee": aino.link("referee"),
    }
    for name, link in links.items():
        expect(sheet.get_by_label(f"Link for {name}")).to_have_value(
            link.replace(marc.address, origin)
        )
    expect(sheet.get_by_label("Link for Rings")).to_have_count(0)


def test_the_envelope_is_shut_until_the_end(player: Player) -> None:
    player.opens_by_api(
        game="as-kimble",
        seats=dict.fromkeys("RBYG", "me"),
        start="h3,g4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -",
    )
    player.touches("dome")
    expect(player.moves).not_to_have_count(0)
    player.page.get_by_role("button", name=sentence("page.envelope")).click()
    sheet = player.page.get_by_role("dialog", name=sentence("page.envelope"))
    expect(sheet).to_contain_text("It will be opened when the match is over")
    sheet.get_by_role("link", name=sentence("page.envelope-more")).click()
    facts = player.page.locator(".facts")
    expect(facts).to_contain_text("Fingerprint on the outside")
    expect(facts).not_to_contain_text(sentence("page.envelope-seed"))
    player.page.get_by_role("link", name=sentence("page.to-table")).click()
    player.sees_the_board()


def test_the_open_envelope_says_how_many_draws_agree(player: Player) -> None:
    player.opens_by_api(game="kahmate", seats={"R": "me", "B": "random"})
    table = player.page.url.rsplit("/", 1)[1]
    api = f"{player.address}/api/v1/tables/{table}"
    # Both line up as it comes; then the ball is drawn.
    while not player.page.request.get(f"{api}/seal").json()["draws"]:
        seen = player.page.request.get(f"{api}/position").json()
        if seen["actions"]:
            act = {"key": f"at-{seen['seq']}", "actions": seen["actions"][:1]}
            assert player.page.request.post(f"{api}/actions", data=act).ok
        player.page.wait_for_timeout(50)
    assert player.page.request.post(f"{api}/actions", data={"key": "r", "actions": ["resign R"]}).ok
    player.page.goto(f"{player.page.url}/seal")
    expect(player.page.locator(".verdict:not(#checked)")).to_contain_text("1 draw verified")
    expect(player.page.locator("#checked")).to_be_visible()
    expect(player.page.locator(".facts")).to_contain_text(sentence("page.envelope-seed"))
    expect(player.page.locator("main")).to_contain_text(f"kibitz verify kahmate-{table}.json")


def play_sealed_match(player: Player) -> str:
    """A match of which this browser saw the envelope before the first pop; its id."""
    player.opens_by_api(
        game="as-kimble",
        seats=dict.fromkeys("RBYG", "me"),
        start="h3,g4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -",
    )
    table = player.page.url.rsplit("/", 1)[1]
    api = f"{player.address}/api/v1/tables/{table}"
    while len(player.page.request.get(f"{api}/seal").json()["contributors"]) < 4:
        player.page.wait_for_timeout(50)
    player.touches("dome")
    expect(player.moves).not_to_have_count(0)
    ended = {"key": "end", "seat": "referee", "actions": ['ref end "enough"']}
    assert player.page.request.post(f"{api}/actions", data=ended).ok
    return table


def test_a_browser_makes_the_draws_again_with_what_it_added(player: Player) -> None:
    table = play_sealed_match(player)
    player.page.goto(f"{player.address}/t/{table}/seal")
    checked = player.page.locator("#checked")
    expect(checked).to_contain_text("Checked in your browser, with what it added itself")
    expect(checked).to_have_class(re.compile(r"\bok\b"))
    expect(player.page.locator(".facts")).to_contain_text(sentence("page.envelope-contributors"))


def test_a_browser_notices_that_an_envelope_was_swapped(player: Player) -> None:
    """The server shows another seed, with the SHA-256 that belongs to it."""
    table = play_sealed_match(player)
    seed = "ab" * 32

    def swap(route: Route) -> None:
        told = route.fetch().json()
        told["epochs"][0] |= {"seed": seed, "commitment": commitment(seed)}
        route.fulfill(json=told)

    player.page.route("**/draws", swap)
    player.page.goto(f"{player.address}/t/{table}/seal")
    expect(player.page.locator("#checked")).to_have_text(sentence("page.draws-swapped"))


def test_a_line_that_comes_back_asks_only_for_what_is_new(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    lines: list[WebSocketRoute] = []
    broken = False

    def answer(line: WebSocketRoute) -> None:
        lines.append(line)
        if broken:
            line.close(code=CROWDED if len(lines) == 2 else 1001)
        else:
            line.connect_to_server()

    marc.page.route_web_socket("**/live*", answer)
    marc.page.reload()
    marc.sees_the_board()
    marc.page.evaluate("document.querySelector('#stage svg.board').id = 'the-same'")
    broken = True
    lines[-1].close(code=1001)
    expect(marc.page.locator("#banner")).to_contain_text("The server is full")
    aino.touches("rs-A", "sq-a1")
    broken = False
    marc.page.evaluate("dispatchEvent(new Event('online'))")
    expect(marc.moves).to_have_count(1)
    expect(marc.page.locator("#the-same .pc").first).to_be_attached()
    assert "since=" not in lines[0].url
    assert "&since=1" in lines[-1].url


def test_what_came_too_fast_is_sent_again_when_it_may(player: Player) -> None:
    refused: list[str] = []

    def answer(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            sent = json.loads(text)
            if sent["type"] == "act" and not refused:
                refused.append(sent["key"])
                line.send(json.dumps({"type": "wait", "key": sent["key"], "seconds": 0.3}))
            else:
                server.send(text)

        line.on_message(pass_on)

    player.page.route_web_socket("**/live*", answer)
    player.sits_down("device")
    player.touches("rs-A", "sq-a1")
    expect(player.moves).to_have_count(1)
    assert len(refused) == 1
