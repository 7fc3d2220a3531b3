"""Pages that start without a network: shell, rules and lessons, and a book that was open."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from kibitz.games import GAMES
from support.browser.companion_player import CompanionPlayer
from support.browser.player import TIMEOUT_MS
from support.browser.tutorial_player import Pupil, fits
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

BOOK = "h4/h4/h4/h4 R:N3 d- 0+0/3+0/0+0/0+0 1:- ---- -"
KEPT_TEXTS = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const answer = await cache.match(request);
      found.push([new URL(request.url).pathname, await answer.text()]);
    }
  }
  return found;
}"""
KEPT_ITEMS = "() => Object.keys(localStorage).filter((key) => key.startsWith('kibitz-kept-'))"
STEPS = """async (game) =>
  (await caches.match(`/learn/${game}/steps`, { ignoreSearch: true, ignoreVary: true })).json()"""


class LonelyPupil(Pupil):
    """Reads what it was sent from what was kept."""

    def __init__(self, player: Any, game: str) -> None:
        self.kept: list[dict[str, Any]] = []
        super().__init__(player, game)
        self.kept = self.page.evaluate(STEPS, game)
        self.line: list[str] = []

    def chooses(self, offer: dict[str, Any]) -> None:
        actions = offer["actions"] or [self.step["solves"][len(self.line) - self.begun]]
        here = {**self.latest}
        for place in offer["path"]:
            if place.startswith("btn-"):
                self.player.presses(self.player.button(place))
            else:
                self.player.touches(place)
            self.page.wait_for_timeout(30)
        self.settles(offer["label"])
        if fits(actions, self.step["solves"][len(self.line) - self.begun :]):
            self.line += actions
            self.latest = self.kept[self.number - 1]["\n".join(self.line)]
            assert self.latest != here

    def solves(self) -> None:
        self.line = [*self.step["before"]]
        self.begun = len(self.line)
        self.latest = self.kept[self.number - 1]["\n".join(self.line)]
        super().solves()


def keep_everything(page: Page, address: str) -> None:
    """As a browser says that the page was installed."""
    page.goto(address)
    page.request.put(f"{address}/api/v1/me", data={"name": "Zoltan"})
    page.reload()
    page.evaluate("() => { dispatchEvent(new Event('appinstalled')); }")
    wait_until_kept(page, "/offline")


def wait_until_kept(page: Page, path: str) -> None:
    """Many pages are fetched, one after the other; this one comes last."""
    while not page.evaluate("(path) => caches.match(path).then(Boolean)", path):
        page.wait_for_timeout(100)


def test_an_app_starts_without_a_network(seat_player: Seated) -> None:
    player = seat_player(finger=True, rough=True, keeps=True)
    page, address = player.page, player.address
    keep_everything(page, address)
    kept = page.evaluate(KEPT_TEXTS)
    assert {path for path, _ in kept} >= {"/offline", *(f"/rules/{game}" for game in GAMES)}
    assert [path for path, text in kept if "Zoltan" in text] == [], "nothing of anybody"
    page.context.set_offline(True)
    page.goto(address)
    expect(page.locator("h1")).to_have_text(sentence("page.offline-title"))
    assert not player.scrolls_sideways()
    page.get_by_role("link", name=sentence("page.rules-of", title="Kahmaté")).tap()
    expect(page.locator('[id="13.1"]')).to_be_attached()
    pictures = page.locator(".rules figure > svg").all()
    assert len(pictures) >= 10
    assert all(each.bounding_box() for each in pictures)
    pupil = LonelyPupil(player, "kalamala")
    for _ in range(2):
        pupil.solves()
        pupil.goes_on()
    pupil.line = [*pupil.step["before"]]
    pupil.begun = len(pupil.line)
    pupil.latest = pupil.kept[2]["\n".join(pupil.line)]
    pupil.chooses(pupil.offer(lambda texts: not fits(texts, pupil.step["solves"])))
    expect(pupil.task).to_contain_text(sentence("page.learn-wrong"))
    beside = "async () => (await (await fetch('/rules/kalamala?part=1')).text()).slice(0, 4)"
    assert page.evaluate(beside) != "<!do", "the rules beside the board, and not their page"
    page.context.set_offline(False)
    page.goto(address)
    expect(page.locator(".home-page")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_tutorial_can_be_gone_through_without_a_network(seat_player: Seated, game: str) -> None:
    player = seat_player(finger=True, rough=True, keeps=True)
    keep_everything(player.page, player.address)
    player.page.context.set_offline(True)
    pupil = LonelyPupil(player, game)
    for number in range(1, len(pupil.steps) + 1):
        assert pupil.number == number
        pupil.solves()
        pupil.goes_on()


def opens_kept_book(page: Page) -> None:
    """By a tap; once more where the browser, which only pretends to be cut off, said meanwhile that
    it is back, and the page loaded itself again."""
    for _ in range(3):
        page.get_by_role("link", name=sentence("page.offline-open")).tap()
        with suppress(TimeoutError):
            page.wait_for_url("**/book/*", timeout=TIMEOUT_MS / 4)
            return
    raise AssertionError("nothing opens")


def test_a_book_goes_on_without_a_network(seat_player: Seated) -> None:
    bookkeeper = CompanionPlayer(seat_player(finger=True, rough=True, keeps=True), wired=True)
    page = bookkeeper.page
    bookkeeper.opens(BOOK)
    wait_until_kept(page, "/offline/book")
    links = bookkeeper.links()
    page.context.set_offline(True)
    page.reload()
    bookkeeper.is_ready()
    bookkeeper.turns_to("book")
    for n in (1, 2):
        bookkeeper.does_one("B").tap()
        expect(page.locator(".waits")).to_have_count(n)
    page.reload()
    bookkeeper.is_ready()
    expect(page.locator(".waits-card")).to_contain_text("2 entries are waiting")
    everything = [text for _, text in page.evaluate(KEPT_TEXTS)]
    everything.append(page.evaluate("() => JSON.stringify(localStorage)"))
    tokens = [link.rsplit("/", 1)[1] for link in links.values()]
    assert tokens
    assert not [token for token in tokens if any(token in text for text in everything)]
    page.goto(f"{bookkeeper.address}/book/nosuchbook")
    expect(page.locator("#page")).to_contain_text(sentence("page.book-not-kept"))
    page.goto(bookkeeper.address)
    opens_kept_book(page)
    bookkeeper.is_ready()
    page.context.set_offline(False)
    bookkeeper.is_in_the_book("B done 1", "B done 1")
    expect(page.locator(".waits-card")).to_have_count(0)
    assert page.evaluate(KEPT_ITEMS)
    page.goto(f"{bookkeeper.address}/account")
    page.get_by_text(sentence("page.forget-me"), exact=True).tap()
    page.get_by_role("button", name=sentence("page.forget-me-do")).tap()
    expect(page.locator(".home-page")).to_be_visible()
    assert page.evaluate(KEPT_ITEMS) == []
    assert "kibitz-forget" not in page.evaluate("document.cookie")
