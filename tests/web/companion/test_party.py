"""The party screen on a projector: large, live, and one urgent thing at a time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, WebSocketRoute, expect

from support.browser.axe import serious
from support.browser.companion_player import let_phones_in
from support.browser.player import Player
from support.words import sentence
from web.lib.test_sound import SPY

if TYPE_CHECKING:
    from web.conftest import Seated

PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
SCREENS: dict[tuple[int, int], Any] = {
    (1920, 1080): (),
    (1280, 720): pytest.mark.long,
    (1024, 768): pytest.mark.long,
    (740, 360): (),
}
"""The largest and the smallest stand for those between."""
LEAST, NUMBER = 24, 118
"""Letters of a party screen, and the numbers of its ledger, in pixels."""
EATEN = "h1,t9x2,t20/h4/t26,t2,g1w1/h2,t16,g4 B:N3 d5 2+5/7+3/4+2/0+6 1:- -!-- -"
"""Blue has just been eaten, and owes the sentence."""
EATING = "h2,t4x2/h1,t9x3/h4/h4 R:M5 d5 0+0/0+0/0+0/0+0 1:- ---- -"
CALM = "h3,t9/h4/h3,t2/h4 R:N1 d5 2+5/7+3/4+2/0+6 1:- ---- -"
RAISE = "t0,t12,g1,g3/h3,g4/t20,t8,g2,g4/h3,g1 R:M6 d6 0+1/2+0/0+0/1+0 1:- ---- -"
ALL_RAISED = RAISE.replace("1:-", "1:RBYG")
WON = "g1,g2,g3,g4/h3,g4/h2,t20,g4/h3,g1 R:N3 d2 2+5/0+3/0+0/1+0 1:B ---- -"
"""Red is in its goal and owes two."""
TEAMS = {
    "R": {"name": "Foxes", "players": ["Aino", "Otso"]},
    "Y": {"name": "Sannin suuret sankarit", "players": ["Sanni", "Ville", "Ada", "Elsa"]},
}
GOING_AWAY = 1001
SEEN = """() => {
  const seen = new Set();
  new MutationObserver(() => {
    for (const each of document.querySelectorAll("#screen > .moment")) seen.add(each.textContent);
  }).observe(document.getElementById("screen"), { subtree: true, childList: true });
  return seen;
}"""
"""The moments that are shown from now on."""
SMALLEST = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode, element = text.parentElement;
    if (!text.data.trim() || element.closest('script, template, .unseen, [hidden]')) continue;
    const { fontSize, visibility } = getComputedStyle(element);
    if (visibility !== 'visible') continue;
    const svg = element.closest('svg');
    const scale = svg ? svg.getScreenCTM().a : 1;
    found.push([parseFloat(fontSize) * scale, text.data.trim()]);
  }
  return found.sort((a, b) => a[0] - b[0])[0];
}"""
SCROLLS = """() => document.documentElement.scrollHeight > innerHeight
  || document.documentElement.scrollWidth > innerWidth"""
CUT = """() => [...document.querySelectorAll('.screen > *, .team, .team *, .duty *')]
  .filter((each) => !each.closest('[hidden], svg, .unseen, #stage') && each.checkVisibility())
  .filter((each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    const { right: far, bottom: low } = each.parentElement.getBoundingClientRect();
    const isOut = right > far + 1.5 || bottom > low + 1.5;
    return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || isOut;
  }).map((each) => each.outerHTML.slice(0, 90))"""
COVERED = """() => [[.1, .1], [.5, .5], [.9, .9], [.25, .5], [.75, .3]]
  .every(([x, y]) => document.elementFromPoint(innerWidth * x, innerHeight * y).closest('#rest'))"""
OFF = """(pair) => {
  const [one, other] = pair.map((each) => document.querySelector(`#stage ${each}`))
    .map((each) => each.getBoundingClientRect())
    .map(({ x, y, width, height }) => [x + width / 2, y + height / 2]);
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}"""
"""How far two things are from each other, in pixels."""
LOCKS = """window.locks = 0;
Object.defineProperty(navigator, 'wakeLock', {
  value: { request: async () => { window.locks += 1; } } });"""


class Evening:
    """A book, kept by its host, and the screen that shows it."""

    def __init__(self, player: Player, start: str = CALM, **settings: Any) -> None:
        self.player, self.page = player, player.page
        asked = {
            "game": "as-kimble",
            "seats": dict.fromkeys("RBYG", "me"),
            "options": {"mode": "companion", "pace": "free", "team_size": [2, 2, 2, 2]},
            "start": start,
            "settings": settings,
        }
        answer = self.page.request.post(f"{player.address}/api/v1/tables", data=asked)
        self.id = answer.json()["id"]
        self.shows(self.page)

    def shows(self, page: Page, query: str = "") -> None:
        page.goto(f"{self.player.address}/party/{self.id}{query}")
        expect(page.locator("#teams .team")).to_have_count(4)

    def enters(self, *texts: str) -> None:
        for text in texts:
            said = {"key": uuid4().hex, "actions": [text]}
            where = f"{self.player.address}/api/v1/tables/{self.id}/actions"
            answer = self.page.request.post(where, data=said)
            assert answer.ok, answer.text()

    def debt_of(self, seat: str) -> Locator:
        return self.page.locator(f'[data-owed="{seat}"]')

    def team(self, seat: str) -> Locator:
        return self.page.locator(f".team.team-{seat}")

    @property
    def duty(self) -> Locator:
        return self.page.locator("#duty")

    @property
    def latest(self) -> Locator:
        return self.page.locator("#events li").first

    @property
    def cover(self) -> Locator:
        return self.page.locator("#rest")


@pytest.fixture
def screen(seat_player: Seated) -> Player:
    return at(seat_player(), PROJECTOR)


def at(player: Player, size: ViewportSize) -> Player:
    player.page.set_viewport_size(size)
    return player


def size(found: Locator) -> float:
    return float(found.evaluate("each => parseFloat(getComputedStyle(each).fontSize)"))


@pytest.mark.parametrize("depth", ["full", "ledger"])
def test_it_can_be_read_from_five_metres(screen: Player, depth: str) -> None:
    evening = Evening(screen, EATEN, depth=depth, teams=TEAMS)
    for seat, owed in zip("RBYG", "2740", strict=True):
        expect(evening.debt_of(seat)).to_have_text(owed)
        assert size(evening.debt_of(seat)) >= NUMBER
    assert screen.page.evaluate(SMALLEST)[0] >= LEAST, screen.page.evaluate(SMALLEST)


@pytest.mark.parametrize("depth", ["full", "ledger"])
@pytest.mark.parametrize(
    ("width", "height"), [pytest.param(*each, marks=marks) for each, marks in SCREENS.items()]
)
def test_nothing_is_cut_and_nothing_scrolls(
    seat_player: Seated, width: int, height: int, depth: str
) -> None:
    viewport: ViewportSize = {"width": width, "height": height}
    evening = Evening(at(seat_player(locale="fi"), viewport), EATEN, depth=depth, teams=TEAMS)
    evening.enters('ref pen G +125 "a long reason that somebody typed at two in the morning"')
    expect(evening.debt_of("G")).to_have_text("125")
    assert not evening.page.evaluate(SCROLLS)
    assert evening.page.evaluate(CUT) == []
    evening.enters('ref end "late"')
    expect(evening.duty).to_be_visible()
    assert not evening.page.evaluate(SCROLLS)
    assert evening.page.evaluate(CUT) == []


def test_what_somebody_enters_is_seen_at_once(screen: Player) -> None:
    evening = Evening(screen, teams=TEAMS)
    expect(evening.team("R")).to_contain_text("Foxes")
    expect(evening.team("R")).to_contain_text("Red · Aino, Otso")
    expect(evening.team("R")).to_contain_text("5 done")
    evening.enters("R done 1")
    expect(evening.debt_of("R")).to_have_text("1")
    expect(evening.team("R")).to_contain_text("6 done")
    expect(evening.latest).to_have_text("Foxes completed 1 penalty")
    evening.enters('team B {"name": "Owls", "players": ["Lea"]}')
    expect(evening.team("B")).to_contain_text("Owls")
    expect(evening.team("B")).to_contain_text("Blue · Lea")


def test_it_says_whose_turn_it_is_and_shows_what_moves(screen: Player) -> None:
    evening = Evening(screen, teams=TEAMS)
    turn, board = screen.page.locator("#turn"), screen.page.locator("#stage")
    expect(turn).to_have_text("Next to popFoxesone pop")
    expect(evening.team("R")).to_have_attribute("aria-current", "true")
    evening.enters("R pop 2")
    expect(turn).to_have_text("To playFoxespopped 2")
    evening.enters("R t9-t11")
    expect(turn).to_have_text("Next to popBluethree pops")
    expect(evening.team("B")).to_have_attribute("aria-current", "true")
    expect(board.locator("#pc-t-11")).to_be_visible()
    expect(board.locator("#pc-t-9")).to_have_count(0)
    assert screen.page.evaluate(OFF, ["#pc-t-11", "[data-el=t-11]"]) < 20


def test_before_colours_are_known_it_says_what_is_going_on(screen: Player) -> None:
    Evening(screen, "h4/h4/h4/h4 S:-/-/-/- d- 0+0/0+0/0+0/0+0 1:- ---- -")
    expect(screen.page.locator("#turn")).to_have_text(sentence("as-kimble.draw-lots"))


def test_the_sentence_is_called_for_in_orange(screen: Player) -> None:
    evening = Evening(screen, EATEN, reminders="everybody")
    expect(evening.duty).to_contain_text("Blue, say the sentence!")
    orange = screen.page.evaluate(
        """() => {
          const probe = document.createElement('i');
          probe.className = 'btn spark';
          document.body.append(probe);
          const { backgroundColor } = getComputedStyle(probe);
          probe.remove();
          return backgroundColor;
        }"""
    )
    expect(evening.duty).to_have_css("background-color", orange)
    evening.enters("B hembo vi")
    expect(evening.duty).to_be_hidden()


@pytest.mark.parametrize("reminders", ["nobody", "bookkeeper"])
def test_the_room_is_not_reminded_of_the_sentence_and_hears_of_a_miss(
    screen: Player, reminders: str
) -> None:
    """Also where it is the bookkeeper who opened the screen."""
    evening = Evening(screen, EATING, reminders=reminders)
    evening.enters("R t4-t9")
    expect(evening.debt_of("B")).not_to_have_text("0")
    expect(evening.duty).to_be_hidden()
    seen = screen.page.locator("body").inner_text().lower()
    assert "hembo" not in seen
    assert "sentence" not in seen
    evening.enters("B pop 3")
    expect(evening.latest).to_contain_text("did not say the sentence in time")


def test_the_sentence_has_a_countdown(screen: Player) -> None:
    """A turn that has just passed: the next pop is the deadline."""
    evening = Evening(screen, EATING, reminders="everybody")
    evening.enters("R t4-t9")
    seconds = evening.duty.locator(".seconds")
    expect(seconds).to_be_visible()
    first = int(seconds.inner_text())
    assert 1 <= first <= 5
    expect(seconds).to_have_text(str(first - 1))
    expect(seconds).to_be_hidden()
    expect(evening.duty).to_be_visible()


def test_what_holds_up_play_comes_before_the_sentence(screen: Player) -> None:
    evening = Evening(screen, RAISE, teams=TEAMS, reminders="everybody")
    expect(evening.duty).to_be_hidden()
    evening.enters("R raise g1")
    expect(evening.duty).to_contain_text("Foxes raised")
    expect(evening.duty).to_contain_text("Sannin suuret sankarit: send a goal piece home.")
    evening.enters("Y return g2")
    expect(evening.duty).to_contain_text("Blue and Green, say the sentence!")
    evening.enters("B stray 3")
    expect(evening.duty).to_contain_text("Pop back to 6")
    evening.enters("fix 6", "B hembo vi", "G hembo vi")
    expect(evening.duty).to_be_hidden()


def test_a_vote_says_whose_answer_is_missing(screen: Player) -> None:
    evening = Evening(screen, ALL_RAISED)
    evening.enters("R propose")
    expect(evening.duty).to_contain_text("Red proposed raise round 2")
    expect(evening.duty).to_contain_text("Blue, Yellow, and Green: yes or no?")
    evening.enters("B yes", "G yes")
    expect(evening.duty).to_contain_text("Yellow: yes or no?")
    expect(screen.page.locator("#turn")).to_be_hidden()
    evening.enters("Y no")
    expect(evening.duty).to_be_hidden()


def test_a_break_covers_everything(screen: Player) -> None:
    evening = Evening(screen, EATEN, reminders="everybody")
    expect(evening.cover).to_be_hidden()
    assert not screen.page.evaluate(COVERED)
    evening.enters("break")
    expect(evening.cover).to_contain_text(sentence("page.book-break"))
    assert screen.page.evaluate(COVERED)
    evening.shows(screen.page)
    expect(evening.cover).to_be_visible()
    evening.enters("resume")
    expect(evening.cover).to_be_hidden()
    expect(evening.duty).to_be_visible()


def test_without_a_board_the_ledger_fills_the_screen(screen: Player) -> None:
    evening = Evening(screen, EATING, reminders="everybody")
    evening.enters("R t4-t9")
    expect(evening.duty).to_be_visible()
    board = screen.page.locator("#stage svg.board")
    wide = evening.team("B").bounding_box()
    expect(board).to_be_visible()
    evening.enters("depth ledger")
    expect(board).to_be_hidden()
    expect(evening.duty).to_be_hidden()
    expect(screen.page.locator("#turn")).to_be_hidden()
    filled = evening.team("B").bounding_box()
    assert wide
    assert filled
    assert filled["width"] > 1.8 * wide["width"]
    evening.enters("ref pen Y +6 \"Red's double ate Yellow's triple\"")
    expect(evening.debt_of("Y")).to_have_text("6")
    expect(evening.latest).to_contain_text("Red's double ate Yellow's triple")
    evening.shows(screen.page)
    evening.enters("depth full")
    expect(board).to_be_visible()
    drawn = board.bounding_box()
    assert drawn
    assert drawn["height"] > 900
    expect(screen.page.locator("#stage #pc-t-9")).to_be_visible()


@pytest.mark.parametrize(
    ("start", "actions", "title"),
    [
        (EATING, ["R t4-t9"], "Blue\n+6"),
        (EATEN, ["B pop 3"], "Blue\nHembo forgotten: +1"),
        (RAISE, ["R raise g1"], "Foxes\nRaise"),
        (WON, ["R done 2"], "Foxes won"),
    ],
    ids=["meal", "hembo", "raise", "win"],
)
def test_a_moment_is_seen_and_heard_in_the_whole_room(
    screen: Player, start: str, actions: list[str], title: str
) -> None:
    screen.page.add_init_script(SPY)
    evening = Evening(screen, start, teams=TEAMS)
    screen.page.keyboard.press("Shift")  # from now on it may be heard
    screen.page.evaluate("heard.starts = []")
    seen = screen.page.evaluate_handle(SEEN)
    evening.enters(*actions)
    screen.page.wait_for_function(
        "([seen, title]) => seen.has(title) && heard.starts.length", arg=[seen, title]
    )


def test_the_winner_is_told_at_the_end(screen: Player) -> None:
    evening = Evening(screen, WON)
    evening.enters("R done 2")
    expect(evening.duty).to_have_class("duty won")
    expect(evening.duty).to_contain_text("Red won")
    expect(evening.duty).to_contain_text(sentence("as-kimble.motto"))
    expect(evening.duty.locator("svg")).to_have_count(1)
    expect(evening.debt_of("R")).to_have_text("0")


def test_the_code_is_the_one_that_was_chosen(screen: Player) -> None:
    evening = Evening(screen, teams=TEAMS)
    page, join = screen.page, screen.page.locator("#join")
    let_phones_in(screen.page)
    expect(join).to_contain_text(sentence("page.party-room"))
    page.keyboard.press("j")
    expect(join).to_contain_text(sentence("page.party-watch"))
    page.reload()
    expect(join).to_contain_text(sentence("page.party-watch"))
    join.click()
    image = join.locator("img")
    expect(image).to_have_attribute("src", re.compile(f"^/t/{evening.id}/qr/room"))
    page.wait_for_function("() => document.querySelector('#join img').naturalWidth > 0")
    evening.shows(page, "?join=watch")
    expect(join).to_contain_text(sentence("page.party-watch"))


def test_whoever_watches_sees_it_and_cannot_pass_on_a_seat(
    screen: Player, seat_player: Seated
) -> None:
    evening, other = Evening(screen), at(seat_player(), PROJECTOR)
    links = screen.page.request.get(f"{screen.address}/api/v1/tables/{evening.id}/links").json()
    other.page.goto(screen.address)  # Who has been here has a name of some kind.
    comes = {"token": links["watch"].rsplit("/", 1)[1]}
    other.page.request.post(f"{screen.address}/api/v1/tables/{evening.id}/join", data=comes)
    evening.shows(other.page)
    let_phones_in(other.page)
    expect(other.page.locator("#join")).to_have_text(sentence("page.party-watch"))
    evening.enters("R done 1")
    expect(other.page.locator('[data-owed="R"]')).to_have_text("1")


def test_only_those_who_may_see_the_table_see_it(screen: Player, seat_player: Seated) -> None:
    evening, stranger = Evening(screen), seat_player()
    where = f"{screen.address}/party/{evening.id}"
    assert stranger.page.request.get(where).status == 404
    form: dict[str, str | float | bool] = {"game": "kahmate", "play": "device"}
    hidden = screen.page.request.post(f"{screen.address}/tables", form=form, max_redirects=0)
    table = hidden.headers["location"].rsplit("/", 1)[1]
    assert screen.page.request.get(f"{screen.address}/party/{table}").status == 404


def test_it_finds_its_way_back_by_itself(screen: Player) -> None:
    lines: list[WebSocketRoute] = []
    is_down = [False]

    def answer(route: WebSocketRoute) -> None:
        if is_down[0]:
            route.close(code=GOING_AWAY)
            return
        lines.append(route)
        route.connect_to_server()

    screen.page.route_web_socket("**/live*", answer)
    evening, down = Evening(screen), screen.page.locator("#down")
    is_down[0] = True
    lines[-1].close(code=GOING_AWAY)
    evening.enters("R done 2")
    expect(down).to_contain_text("Connection lost")
    expect(evening.debt_of("R")).to_have_text("2")
    is_down[0] = False
    expect(evening.debt_of("R")).to_have_text("0", timeout=20_000)
    expect(down).to_be_hidden()


def test_it_keeps_the_screen_awake_and_takes_all_of_it(screen: Player) -> None:
    page = screen.page
    page.add_init_script(LOCKS)
    Evening(screen)
    assert page.evaluate("window.locks") == 1
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("window.locks") == 2
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement")
    page.keyboard.press("f")
    page.wait_for_function("() => !document.fullscreenElement")
    page.mouse.dblclick(400, 500)
    page.wait_for_function("() => document.fullscreenElement")


def test_it_says_which_keys_there_are_while_somebody_is_at_it(screen: Player) -> None:
    Evening(screen)
    keys = screen.page.locator("#keys")
    expect(keys).to_be_hidden()
    screen.page.mouse.move(300, 300)
    screen.page.mouse.move(320, 320)
    expect(keys).to_contain_text("full screen")
    expect(keys).to_be_hidden()


@pytest.mark.parametrize(
    ("language", "called", "done"),
    [
        ("fr", "Bleu, dites la phrase\N{NO-BREAK SPACE}!", "faites : 5"),
        ("fi", "Sininen, sanokaa", "5 hoidettu"),
        ("sv", "Blå, säg frasen!", "har gjort 5"),
    ],
)
def test_it_speaks_other_languages(
    seat_player: Seated, language: str, called: str, done: str
) -> None:
    screen = at(seat_player(locale=language), PROJECTOR)
    evening = Evening(screen, EATEN, reminders="everybody")
    expect(evening.duty).to_contain_text(called)
    expect(evening.team("R")).to_contain_text(done)
    evening.enters("break")
    expect(evening.cover.locator("b")).to_have_text(
        {"fr": "Pause", "fi": "Tauko", "sv": "Paus"}[language]
    )


@pytest.mark.parametrize("theme", [pytest.param("light", marks=pytest.mark.long), "dark"])
def test_axe_finds_nothing_serious_on_it(seat_player: Seated, theme: str) -> None:
    evening = Evening(at(seat_player(color_scheme=theme, bypass_csp=True), PROJECTOR), EATEN)
    page = evening.page
    expect(page.locator("#keys")).to_be_hidden()
    for texts in ((), ("break",), ("resume", "depth ledger"), ('ref end "late"',)):
        evening.enters(*texts)
        assert not serious(page, settled=700), texts
