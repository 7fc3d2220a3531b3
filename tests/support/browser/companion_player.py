"""Somebody who keeps the book of a match on a real board, with a thumb on a phone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from kibitz.server.lan import lan_address
from support.browser.player import TIMEOUT_MS, Player
from support.server_process import IN_CLUSTER
from support.words import sentence

COMPANION = {"mode": "companion", "pace": "free"}
TEAMS = "RBYG"
BEAT_MS = 50
DOUBLE_TOUCH_MS = 450
"""A little longer than the page takes for one touch (companion/dice.js)."""

TOUCH_MOMENT = """Object.defineProperty(Event.prototype, "timeStamp", {
  get: () => window.touchMoment ?? performance.now(),
});"""
"""Lets a test say when, in milliseconds, something was touched."""


class CompanionPlayer:
    """With `wired` the line is the browser's own, to be cut with its network."""

    def __init__(self, player: Player, *, wired: bool = False) -> None:
        self.player, self.page, self.address = player, player.page, player.address
        self.taps = 0
        self._latest_face = 0
        self.is_cut_off = self.is_deaf = False
        self.sees_only = ""
        self.lines: list[WebSocketRoute] = []
        if not wired:
            self.page.route_web_socket("**/live*", self._answer)

    def _answer(self, line: WebSocketRoute) -> None:
        self.lines.append(line)
        if self.is_cut_off:
            line.close(code=1001)
        else:
            server = line.connect_to_server()
            server.on_message(lambda text: self._hear(line, text))

    def _hear(self, line: WebSocketRoute, text: str | bytes) -> None:
        if not self.is_deaf and self.sees_only in str(text):
            line.send(text)

    def opens(self, start: str = "", **settings: Any) -> None:
        """A book, without the way there."""
        options = {**COMPANION, **settings.pop("options", {})}
        wish = {"game": "as-kimble", "seats": dict.fromkeys(TEAMS, "me"), "options": options}
        wish |= {"start": start} if start else {}
        answer = self.page.request.post(
            f"{self.address}/api/v1/tables", data={**wish, "settings": settings}
        )
        assert answer.status == 201, answer.text()
        self.page.goto(f"{self.address}/book/{answer.json()['id']}")
        self.is_ready()

    def joins(self, other: CompanionPlayer, place: str) -> None:
        self.page.goto(self.address + other.links()[place])
        self.page.locator("main .btn.pri").tap()
        self.is_ready()

    def is_ready(self) -> None:
        expect(self.page.locator("#tabs button").first).to_be_visible()

    @property
    def table(self) -> str:
        found = re.search(r"/book/(\w+)", self.page.url)
        assert found, self.page.url
        return found[1]

    def asks(self, what: str) -> Any:
        address = f"{self.address}/api/v1/tables/{self.table}/{what}".rstrip("/")
        return self.page.request.get(address).json()

    def links(self) -> dict[str, str]:
        found: dict[str, str] = self.asks("links")
        return found

    @property
    def actions(self) -> list[str]:
        found: list[str] = self.asks("record")["actions"]
        return found

    @property
    def position(self) -> list[str]:
        text: str = self.asks("position")["position"]
        return text.split()

    def taps_on(self, what: Locator) -> None:
        what.tap()
        self.taps += 1

    def turns_to(self, tab: str) -> None:
        self.page.locator(f"#tab-{tab}").tap()
        expect(self.page.locator(f"#tab-{tab}")).to_have_attribute("aria-selected", "true")

    def button_named(self, name: str) -> Locator:
        """A button by all that is written on it."""
        return self.page.get_by_role("button", name=name, exact=True)

    def presses(self, name: str) -> None:
        self.taps_on(self.button_named(name))

    def pops(self, face: int) -> None:
        self._touches_a_face(self.page.locator("#page"), face)

    def moves(self, text: str) -> None:
        """Touches what was done, and is sure."""
        self.taps_on(self.page.locator(f'.move[data-text="{text}"]'))
        self.taps_on(self.page.locator("[data-key=sure]"))

    def touches_the_board(self, place: str) -> None:
        """On the page of the turn, with a finger in the middle of a place."""
        hit = self.page.locator(f'.turn-board [data-el="{place}"]')
        hit.scroll_into_view_if_needed()
        box = hit.bounding_box()
        assert box, place
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.touchscreen.tap(x, y)
        self.taps += 1

    def enters(self, text: str) -> None:
        """What a record calls so, by touch."""
        team, _, rest = text.partition(" ")
        word, _, face = rest.partition(" ")
        if team == "warm":
            self.ready("dome").tap()
            self.says_it_shows(int(rest))
        elif team == "fix":
            self.pops(int(rest))
        elif word in ("pop", "lot"):
            self.pops(int(face))
        elif word == "sticky":
            self.presses(sentence("page.book-sticky"))
            self.sheet.get_by_role("button", name=sentence("page.book-sticky-counts")).tap()
        elif word == "silent":
            self.presses(sentence("page.book-silent"))
            self.says_it_shows(int(face))
        elif word == "stray":
            self.presses(sentence("page.book-stray"))
            self.sheet.locator(f".btn.team-{team}").tap()
            self.says_it_shows(int(face))
        else:
            self.moves(text)
        self.is_in_the_book(text)

    def sees_a_church(self, text: str) -> None:
        """The die stands against the dome; then it falls, as this pop or lot."""
        self.presses(sentence("page.book-church"))
        self.says_it_shows(int(text[-1]))
        self.is_in_the_book("church", text)

    def says_it_shows(self, face: int) -> None:
        """On the sheet that asks for it."""
        self._touches_a_face(self.sheet, face)

    def _touches_a_face(self, where: Locator, face: int) -> None:
        """Never the same face twice at once: that is one touch to the page."""
        if face == self._latest_face:
            self.page.wait_for_timeout(DOUBLE_TOUCH_MS)
        self._latest_face = face
        self.taps_on(where.locator(f'.face[data-face="{face}"]'))

    def ready(self, line: str) -> Locator:
        """A line of the getting-ready card."""
        return self.page.locator(f'[data-ready="{line}"]')

    def tells_who_ignored_it(self, team: str, deed: str, more: int = 0) -> None:
        """From the cover of a break: a team by its letter, and what it did, or the face.

        So many penalties more than usual, or fewer.
        """
        self.presses(sentence("page.book-ignored"))
        self.sheet.locator(f".btn.team-{team}").tap()
        step = self.sheet.get_by_role("button", name="one more" if more > 0 else "one fewer")
        for _ in range(abs(more)):
            step.tap()
        if deed.isdigit():
            self.says_it_shows(int(deed))
        else:
            self.sheet.get_by_role("button", name=deed, exact=True).tap()

    def says_hembo(self, team: str, how: str) -> None:
        """A team by its name, and the sentence, or what became of it."""
        self.page.locator(".hembo").first.tap()
        self.sheet.get_by_role("group", name=team).get_by_role("button", name=how).tap()

    def pick(self, place: int, piece: str) -> Locator:
        """Who did something, or to whom, in a book without a board: `R2` is Red's double."""
        return self.page.locator(".who").nth(place).locator(f'[data-pick="{piece}"]')

    def eats(self, kind: str, *picks: str) -> None:
        """Who and whom, in a book without a board."""
        self.button_named(kind).tap()
        for place, pick in enumerate(picks):
            self.pick(place, pick).tap()
        self.page.locator("[data-key=write]").tap()

    def rules(self, team: str, change: int, why: str) -> None:
        """So many penalties more or fewer."""
        self.turns_to("referee")
        self.button_named(sentence("page.night-ledger")).tap()
        self.page.locator(f"[data-team={team}]").tap()
        step = self.button_named("one more" if change > 0 else "one fewer")
        for _ in range(abs(change) - (change > 0)):
            step.tap()
        self.page.locator("[data-key=why]").fill(why)
        self.page.locator("[data-key=rule]").tap()
        self.is_in_the_book(f'ref pen {team} {change:+d} "{why}"')

    def puts(self, place: str, label: str) -> None:
        """Something at a place of the board, by hand; no place is the whole of it."""
        if place:
            expect(self.page.locator(f'#stage [data-el="{place}"]')).to_be_visible()
            self.player.touches(place)
        else:
            self.button_named(sentence("page.edit-whole")).tap()
        choice = self.page.locator(".bubble").get_by_role("button", name=label, exact=True)
        with self.page.expect_response("**/api/v1/analysis"):
            choice.tap()
        expect(self.page.locator(".bubble")).to_have_count(0)

    def sets_the_board(self, *puts: tuple[str, str]) -> None:
        for place, label in puts:
            self.puts(place, label)
        self.page.locator("#board-dock .pri").tap()
        expect(self.page.locator("#board-page")).to_be_hidden()

    def ledger(self) -> dict[str, tuple[int, int]]:
        """What each team owes and has done, as the page has it."""
        self.turns_to("book")
        return {
            team: (
                int(self.debt_of(team).inner_text()),
                int(self.page.locator(f'[data-done="{team}"]').inner_text()),
            )
            for team in TEAMS
        }

    def is_asked(self, title: str) -> None:
        expect(self.page.locator(".head-card h2").first).to_have_text(title)

    def debt_of(self, team: str) -> Locator:
        return self.page.locator(f'[data-owed="{team}"]')

    def does_one(self, team: str) -> Locator:
        return self.page.locator(f'[data-one-done="{team}"]')

    def writes_a_note(self, text: str) -> None:
        self.presses(sentence("page.book-note"))
        self.page.locator("#sheet textarea").fill(text)
        self.page.locator("#sheet").get_by_role("button", name=sentence("page.book-write")).tap()

    @property
    def sheet(self) -> Locator:
        return self.page.locator("#sheet")

    @property
    def conflict(self) -> Locator:
        return self.page.locator(".conflict")

    def is_in_the_book(self, *actions: str) -> None:
        """The latest actions are these, as soon as they have arrived.

        Asked from here: a browser that waits for a function takes its promise for an answer.
        """
        for _ in range(TIMEOUT_MS // BEAT_MS):
            if self.actions[-len(actions) :] == [*actions]:
                return
            self.page.wait_for_timeout(BEAT_MS)
        assert self.actions[-len(actions) :] == [*actions]

    def is_left_without_a_line(self) -> None:
        self.is_cut_off = True
        if self.lines:
            self.lines[-1].close(code=1001)
        else:
            self.page.context.set_offline(True)
        expect(self.page.locator("#chips")).to_have_text(sentence("page.book-offline"))

    def has_a_line_again(self) -> None:
        self.is_cut_off = False
        if self.lines:
            self.page.evaluate("dispatchEvent(new Event('online'))")
        else:
            self.page.context.set_offline(False)
        expect(self.page.locator("#chips")).not_to_have_text(sentence("page.book-offline"))


def let_phones_in(wall: Page) -> None:
    """By what stands in place of the code on the party screen, where nobody has touched it yet."""
    if lan_address() is None or IN_CLUSTER:
        pytest.skip("this machine is on no network, or several workers serve it")
    join = wall.locator("#join")
    expect(join).to_be_visible()
    if join.get_by_text(sentence("page.network-open")).is_visible():
        join.click()
    expect(join.locator("img")).to_be_visible()
