"""A hand at a table: it does what was decided by touching the page, and by nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from playwright.sync_api import expect

from support.browser.player import DOME, DOUBLE_TAP_MS, TIMEOUT_MS, Player
from support.browser.recorder import Wire

Offer: TypeAlias = dict[str, Any]
Way: TypeAlias = Literal["pointer", "keys"]
BUTTON = "btn-"
BEAT = 10
MOST_KEYS = 120
"""Nothing on a page is farther away than this."""
AT = "document.activeElement.dataset.el ?? document.activeElement.dataset.button ?? ''"


DECIDES_ITSELF = "localStorage.setItem('kibitz-only', 'off')"
"""It makes the only move itself."""


class Hand:
    def __init__(self, player: Player, way: Way = "pointer") -> None:
        self.player, self.page, self.way = player, player.page, way
        self.wire = Wire(player.page)
        player.page.add_init_script(DECIDES_ITSELF)
        self.done: list[Offer] = []

    # What it knows

    @property
    def view(self) -> dict[str, Any]:
        return self.wire.view

    @property
    def seq(self) -> int:
        return int(self.view.get("seq", -1))

    @property
    def is_over(self) -> bool:
        return bool(self.view.get("outcome"))

    @property
    def choices(self) -> list[Offer]:
        """What there is to decide, beside what may be said at any time."""
        offers = self.view.get("offers", ())
        return [offer for offer in offers if not offer["is_always_shown"]]

    def offer(self, text: str) -> Offer:
        """The shortest way to do this."""
        found = [offer for offer in self.choices if offer["actions"] == [text]]
        assert found, f"{text} is not among {[offer['actions'] for offer in self.choices]}"
        return min(found, key=lambda offer: len(offer["path"]))

    def position(self) -> str:
        return self.page.request.get(f"{self.page.url}/position").text().strip()

    # What it does

    def waits_until(self, is_so: Callable[[], bool], what: str) -> None:
        for _ in range(TIMEOUT_MS // BEAT):
            if is_so():
                return
            self.page.wait_for_timeout(BEAT)
        raise AssertionError(what)

    def is_shown(self) -> bool:
        """Whether the page has come to what it was sent."""
        firsts = {offer["path"][0] for offer in self.view["offers"]}
        places = {first for first in firsts if not first.startswith(BUTTON)}
        return places == self.player.lit()

    def chooses(self, offer: Offer) -> None:
        """Until the server has said that it is done."""
        self.looks_on()
        answered = len(self.wire.answered)
        self.touches(offer)
        self.waits_until(lambda: len(self.wire.answered) > answered, f"{offer} was not sent")
        answer = self.wire.answered[-1]
        assert answer["type"] == "done", (answer, offer)
        self.waits_until(lambda: self.seq >= answer["seq"], "nothing came of it")
        self.done.append(offer)

    def looks_on(self) -> None:
        """What a duel came to is put away, and a device that is handed over is taken."""
        if self.view.get("curtain"):
            self.takes_the_device()
        while self.page.locator("#reveal-card").is_visible():
            self.page.keyboard.press("Escape")
            self.page.wait_for_timeout(BEAT)
        self.waits_until(self.is_shown, "the page is not where it was sent")

    def takes_the_device(self) -> None:
        expect(self.player.curtain).to_be_visible()
        if self.way == "keys":
            self.page.keyboard.press("Enter")
        else:
            self.player.takes_the_device()
        self.waits_until(lambda: not self.view["curtain"], "the curtain stays down")

    def touches(self, offer: Offer) -> None:
        """The whole of its path; which of several; and that it is meant."""
        step = self.goes_by_keys if self.way == "keys" else self.points
        if offer["path"] == [DOME]:
            expect(self.page.locator("#stage .die-delay")).to_have_count(0)
        if self.way == "keys" and self.done and self.done[-1]["path"] == offer["path"] == [DOME]:
            self.page.wait_for_timeout(DOUBLE_TAP_MS)
        for place in offer["path"]:
            step(place)
        last = offer["path"][-1]
        if self.is_one_of_several(offer):
            self.says_which(offer["label"])
            is_asked = offer["needs_confirmation"]
        else:
            plays_at_once = (
                not offer["actions"] or offer["can_be_undone"] or last.startswith(BUTTON)
            )
            is_asked = offer["needs_confirmation"] or (self.player.finger and not plays_at_once)
        if is_asked:
            self.is_sure(last)

    def points(self, place: str) -> None:
        if place.startswith(BUTTON):
            self.player.presses(self.player.button(place))
        else:
            self.player.touches(place)

    def is_one_of_several(self, offer: Offer) -> bool:
        """Whether the page has to ask, as the same touches mean something else too."""
        path = offer["path"]
        alike = [each for each in self.view["offers"] if each["path"][: len(path)] == path]
        return len({tuple(each["actions"]) for each in alike}) > 1

    def says_which(self, label: str) -> None:
        row = self.page.locator(".bubble .choices").get_by_role("button", name=label, exact=True)
        if self.way == "keys":
            expect(row).to_be_attached()
            self.goes_to(lambda: bool(row.evaluate("row => row === document.activeElement")), "Tab")
            self.page.keyboard.press("Enter")
        else:
            self.player.presses(row)

    def is_sure(self, last: str) -> None:
        sure = self.page.locator("#prompt.sure .btn.pri")
        expect(sure).to_be_visible()
        if self.way == "pointer":
            self.player.presses(sure)
        elif self.page.evaluate(AT) == last and not last.startswith(BUTTON):
            self.page.keyboard.press("Enter")
        else:
            self.goes_to(lambda: bool(sure.evaluate("it => it === document.activeElement")), "Tab")
            self.presses_key_on_button()

    def presses_key_on_button(self) -> None:
        """Once it does something: the dock is slow to answer after it has changed."""
        expect(self.page.locator("#prompt .btn.fresh")).to_have_count(0)
        self.page.keyboard.press("Enter")

    def goes_by_keys(self, place: str) -> None:
        keyboard = self.page.keyboard
        is_on_button = self.page.evaluate("Boolean(document.activeElement.closest('button, a'))")
        if place == "dome" and not is_on_button:
            keyboard.press("Space")
            return
        self.goes_to(lambda: self.page.evaluate(AT) == place, "Tab" if BUTTON in place else "n")
        if place.startswith(BUTTON):
            self.presses_key_on_button()
        else:
            keyboard.press("Enter")

    def goes_to(self, is_there: Callable[[], bool], key: str) -> None:
        for _ in range(MOST_KEYS):
            if is_there():
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} never comes there")
