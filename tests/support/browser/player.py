"""Somebody who plays in a browser."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from kibitz.server.lan import lan_address
from support.server_process import IN_CLUSTER
from support.words import sentence

TIMEOUT_MS = 20_000
DOME = "dome"
DOUBLE_TAP_MS = 450
"""So soon after one press of the dome another is taken for the second half of a double tap."""


class Player:
    def __init__(self, page: Page, address: str, *, finger: bool = False) -> None:
        self.page, self.address, self.finger = page, address, finger
        self.last_touched = ""

    def opens(self, play: str = "device") -> None:
        """By the home page."""
        self.page.goto(f"{self.address}/")
        self.plays(self.card(), play)

    def plays(self, card: Locator, play: str = "bot") -> None:
        """A game on the home page: by *Play* against a bot, else by what is behind *More*."""
        if play == "bot":
            self.presses(card.locator(".go"))
        else:
            self.unfolds(card.locator(".more"))
            self.presses(card.locator(f".ways [value={play}]"))
        self.sees_the_board()

    def unfolds(self, *details: Locator) -> None:
        """Details that may be open already, from the outer to the inner ones."""
        for each in details:
            if each.get_attribute("open") is None:
                self.presses(each.locator("> summary"))

    def card(self, title: str = "Kalamala") -> Locator:
        """A game on the first page."""
        return self.page.locator("article", has=self.page.get_by_role("heading", name=title))

    def sits_down(
        self, play: str = "device", game: str = "kalamala", seat: str = "", options: str = ""
    ) -> None:
        """At a new table, without the way there."""
        form: dict[str, str | float | bool] = {
            "game": game,
            "play": play,
            "seat": seat,
            "options": options,
        }
        answer = self.page.request.post(f"{self.address}/tables", form=form, max_redirects=0)
        self.page.goto(self.address + answer.headers["location"])
        self.sees_the_board()

    def opens_by_api(self, **wish: Any) -> None:
        """A table that no page offers."""
        answer = self.page.request.post(f"{self.address}/api/v1/tables", data=wish)
        self.page.goto(self.address + answer.json()["url"])
        self.sees_the_board()

    def link(self, place: str) -> str:
        """One that may be passed on."""
        table = self.page.url.rsplit("/", 1)[1]
        answer = self.page.request.get(f"{self.address}/api/v1/tables/{table}/links")
        links: dict[str, str] = answer.json()
        return self.address + links[place]

    def comes_by(self, link: str, name: str = "") -> None:
        """Looks at an invitation and accepts it."""
        self.page.goto(link)
        if name:
            self.page.get_by_label(sentence("page.name")).fill(name)
        self.presses(self.page.locator("main .btn.pri"))
        self.sees_the_board()

    def lets_phones_in(self, place: Locator) -> str:
        """By the button in place of a code, where nobody has pressed it yet; how links begin."""
        if lan_address() is None or IN_CLUSTER:
            pytest.skip("this machine is on no network, or several workers serve it")
        button = place.get_by_role("button", name=sentence("page.network-open"))
        code = place.get_by_role("img", name=sentence("page.qr"))
        expect(button.or_(code)).to_be_visible()
        if button.is_visible():
            expect(code).to_have_count(0)
            self.presses(button)
        expect(code).to_be_visible()
        return self.address.replace("127.0.0.1", lan_address() or "")

    def sees_the_board(self) -> None:
        expect(self.page.locator("#stage svg.board .hit").first).to_be_attached()

    def touches(self, *places: str) -> None:
        """With the mouse or a finger, in the middle of each."""
        for place in places:
            if place == self.last_touched == DOME:
                self.page.wait_for_timeout(DOUBLE_TAP_MS)
            self.last_touched = place
            x, y = self.middle(place)
            if self.finger:
                self.page.touchscreen.tap(x, y)
            else:
                self.page.mouse.click(x, y)

    def presses(self, button: Locator) -> None:
        if self.finger:
            button.tap()
        else:
            button.click()

    @property
    def curtain(self) -> Locator:
        return self.page.locator("#curtain")

    def takes_the_device(self) -> None:
        """Says to be the one it is handed to, if it is handed to anybody."""
        if self.curtain.is_visible():
            self.presses(self.curtain.get_by_role("button"))
            expect(self.curtain).to_be_hidden()

    def button(self, element: str) -> Locator:
        """One of the game's own, under the board."""
        return self.prompt.locator(f'[data-button="{element}"]')

    @property
    def primary(self) -> Locator:
        return self.prompt.locator(".btn.pri")

    def drags(self, origin: str, target: str) -> None:
        (x, y), goal = self.middle(origin), self.middle(target)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + 8, y + 8)
        self.page.mouse.move(*goal, steps=4)
        self.page.mouse.up()

    def middle(self, place: str) -> tuple[float, float]:
        """The middle of a place, which may just be drawn anew."""
        spot = self.page.locator(f'#stage [data-el="{place}"]')
        spot.wait_for(state="attached")
        for _ in range(20):
            if box := spot.bounding_box():
                break
            self.page.wait_for_timeout(50)
        assert box, f"{place} is not drawn"
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def piece(self, place: str) -> Locator:
        return self.page.locator(f"#stage #pc-{place}")

    @property
    def moves(self) -> Locator:
        return self.page.locator("#log li:not(.none, .note)")

    @property
    def prompt(self) -> Locator:
        return self.page.locator("#prompt")

    def lit(self) -> set[str]:
        lit = "hits => hits.map(hit => hit.dataset.el)"
        return set(self.page.locator("#stage .hit.lit").evaluate_all(lit))

    @property
    def notes(self) -> Locator:
        """What people did, among the moves."""
        return self.page.locator("#log li.note")

    @property
    def requests(self) -> Locator:
        """The bar with what somebody asks for, or what is to be settled."""
        return self.page.locator("#requests")

    def seat(self, name: str) -> Locator:
        return self.page.locator("#seats .seat", has_text=name)

    def chooses(self, label: str) -> None:
        """From the menu."""
        self.presses(self.page.locator("#open-menu"))
        self.presses(self.page.locator("#sheet").get_by_role("button", name=label, exact=True))

    def picks(self, label: str, sure: str = "") -> None:
        """From the menu, and once more to be sure."""
        self.chooses(label)
        sheet = self.page.locator("#sheet")
        self.presses(sheet.get_by_role("button", name=sure or label, exact=True))

    def scrolls_sideways(self) -> bool:
        root = "document.documentElement"
        return bool(self.page.evaluate(f"{root}.scrollWidth > {root}.clientWidth"))
