"""Somebody who goes through a tutorial in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeAlias

from playwright.sync_api import Locator, Response, expect

from support.browser.player import TIMEOUT_MS, Player

Wanted: TypeAlias = Callable[[list[str]], bool]
BUTTON = "btn-"
BEAT = 50
PLAYED_OUT = 20_000
"""What others do after a step takes its time."""


class Pupil:
    """Finds what a step asks for by what the page was sent: the offer that solves it."""

    def __init__(self, player: Player, game: str) -> None:
        self.player, self.page = player, player.page
        self.latest: dict[str, Any] = {}
        self.page.on("response", self._hear)
        self.page.goto(f"{player.address}/learn/{game}")
        self.looks()

    def looks(self) -> None:
        self.player.sees_the_board()
        self.steps: list[dict[str, Any]] = json.loads(
            self.page.locator("#course").text_content() or ""
        )["steps"]

    def _hear(self, answer: Response) -> None:
        if answer.url.endswith("/api/v1/analysis") and answer.ok:
            self.latest = answer.json()

    @property
    def step(self) -> dict[str, Any]:
        return self.steps[self.number - 1]

    @property
    def number(self) -> int:
        found = re.match(r"\d+", self.page.locator("#at").inner_text())
        assert found
        return int(found[0])

    @property
    def next(self) -> Locator:
        """The button that comes when a step is solved."""
        return self.page.locator(".solved .btn.pri:visible")

    @property
    def task(self) -> Locator:
        """Where it says what to find, and later what that brought."""
        return self.page.locator("#prompt .say" if self.player.finger else "#lesson")

    def solves(self) -> None:
        step, point = self.step, 0
        expect(self.task).to_contain_text(step["task"])
        while point < len(step["solves"]):
            point += self.finds(step["solves"][point:])
        expect(self.next).to_be_visible(timeout=PLAYED_OUT)
        expect(self.task).to_contain_text(step["praise"])

    def finds(self, expressions: list[str]) -> int:
        """Does as much of it as one choice does; how much that is."""
        offer = self.offer(lambda texts: fits(texts, expressions))
        self.chooses(offer)
        return len(offer["actions"]) or 1

    def offer(self, wanted: Wanted) -> dict[str, Any]:
        """The longest of those wanted, or else the die, once it can be chosen."""
        for _ in range(TIMEOUT_MS // BEAT):
            offers = self.latest["view"]["offers"]
            found = [each for each in offers if each["actions"] and wanted(each["actions"])]
            dice = [each for each in offers if not each["actions"]]
            if (found or dice) and self.is_shown(offers):
                best: dict[str, Any] = max(found or dice, key=lambda each: len(each["actions"]))
                return best
            self.page.wait_for_timeout(BEAT)
        raise AssertionError(f"nothing of {self.step['solves']} can be chosen")

    def is_shown(self, offers: list[dict[str, Any]]) -> bool:
        """Whether the page has come to what it was sent."""
        firsts = {each["path"][0] for each in offers}
        return {each for each in firsts if not each.startswith(BUTTON)} == self.player.lit()

    def chooses(self, offer: dict[str, Any]) -> None:
        before = self.latest
        for place in offer["path"]:
            if place.startswith(BUTTON):
                self.player.presses(self.player.button(place))
            else:
                self.player.touches(place)
            self.page.wait_for_timeout(30)
        self.settles(offer["label"])
        for _ in range(TIMEOUT_MS // BEAT):
            if self.latest is not before:
                return
            self.page.wait_for_timeout(BEAT)
        raise AssertionError(f"{offer} was not sent")

    def settles(self, label: str) -> None:
        """Says which, and that it is meant."""
        rows = self.page.locator(".bubble .choices").get_by_role("button", name=label, exact=True)
        if rows.count():
            self.player.presses(rows)
        sure = self.page.locator("#prompt.sure .btn.pri")
        if sure.count():
            self.player.presses(sure)

    def ringed_place(self) -> str:
        """The place to be touched next, once it is ringed; empty while something happens."""
        find = "() => document.querySelector('[data-ring]')?.dataset.ring"
        button = "document.querySelector('#prompt .ringed')?.dataset.button"
        return str(self.page.evaluate(f"{find} ?? {button} ?? ''"))

    def follows_rings(self) -> None:
        """Touches what is ringed, one after another, and says that it is meant."""
        for _ in range(PLAYED_OUT // BEAT):
            if self.next.is_visible():
                return
            place = self.ringed_place()
            if place.startswith(BUTTON):
                self.player.presses(self.player.button(place))
            elif place:
                self.player.touches(place)
            elif (rows := self.page.locator(".bubble .choices button")).count():
                self.player.presses(rows.filter(has_text=self._wanted_row()).first)
            elif (sure := self.page.locator("#prompt.sure .btn.pri")).count():
                self.player.presses(sure)
            self.page.wait_for_timeout(BEAT * 4)
        raise AssertionError(f"{self.step['id']} is not solved by what is ringed")

    def _wanted_row(self) -> str:
        """The words of the row in the chooser that the step asks for."""
        solving = self.step["solves"]
        offers = self.latest["view"]["offers"]
        fitting = [each for each in offers if each["actions"] and fits(each["actions"], solving)]
        label: str = max(fitting, key=lambda each: len(each["actions"]))["label"]
        return label

    def goes_on(self) -> None:
        self.player.presses(self.next)


def fits(texts: list[str], expressions: list[str]) -> bool:
    return len(texts) <= len(expressions) and all(
        re.fullmatch(expression, text) for expression, text in zip(expressions, texts, strict=False)
    )
