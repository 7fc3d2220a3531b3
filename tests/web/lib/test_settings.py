"""What somebody may choose for their browser, and how they hear of their turn elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kibitz.i18n import LANGUAGES
from support.browser.axe import serious
from support.words import sentence

OPEN = """async () => {
  const { settingsFields } = await import("/static/lib/settings/settings.js");
  window.sound = await import("/static/lib/sound/sound.js");
  document.querySelector("main").replaceChildren(settingsFields());
}"""
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
LOAD = """async () => {
  window.badges = [];
  navigator.setAppBadge = async () => badges.push(true);
  navigator.clearAppBadge = async () => badges.push(false);
  window.notify = await import("/static/lib/pwa/notifications.js");
}"""
SHOWN = """async () => {
  const worker = await navigator.serviceWorker.getRegistration("/");
  return (await worker?.getNotifications() ?? []).map(({ title, body }) => [title, body]);
}"""
Opened: TypeAlias = Callable[..., Page]


@pytest.fixture(scope="module")
def browser(whole_browser: Browser) -> Browser:
    return whole_browser


@pytest.fixture
def open_with(browser: Browser, address: str) -> Iterator[Opened]:
    contexts: list[BrowserContext] = []

    def open_page(at: str = "", **options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{at or address}/nowhere")
        return page

    yield open_page
    for context in contexts:
        context.close()


def test_sound_and_its_volume_are_chosen(open_with: Opened) -> None:
    page = open_with()
    page.evaluate(OPEN)
    page.get_by_role("slider", name=sentence("page.volume")).fill("30")
    assert page.evaluate("sound.volume()") == 0.3
    page.get_by_role("switch", name=sentence("page.sound")).uncheck()
    assert page.evaluate("sound.isOn()") is False
    expect(page.get_by_role("slider", name=sentence("page.volume"))).to_be_disabled()
    expect(page.get_by_role("button", name=sentence("page.try-sound"))).to_be_disabled()
    page.evaluate(OPEN)
    expect(page.get_by_role("slider", name=sentence("page.volume"))).to_have_value("30")
    expect(page.get_by_role("switch", name=sentence("page.sound"))).not_to_be_checked()


def test_vibration_is_offered_only_to_fingers(open_with: Opened) -> None:
    desktop, phone = open_with(), open_with(has_touch=True, is_mobile=True)
    for page in (desktop, phone):
        page.evaluate(OPEN)
    expect(desktop.get_by_role("switch", name=sentence("page.buzz"))).to_be_hidden()
    phone.get_by_role("switch", name=sentence("page.buzz")).uncheck()
    assert phone.evaluate("sound.buzzIsOn()") is False


def test_a_notification_is_asked_for_only_by_its_switch(open_with: Opened) -> None:
    page = open_with(permissions=["notifications"])
    page.evaluate("() => { Notification.requestPermission = async () => { window.asked = true; } }")
    page.evaluate(OPEN)
    switch = page.get_by_role("switch", name=sentence("page.notify"))
    expect(switch).not_to_be_checked()
    assert page.evaluate("window.asked") is None
    switch.check()
    page.wait_for_function("() => window.asked && localStorage.getItem('notify') === 'on'")
    expect(switch).to_be_checked()
    switch.uncheck()
    page.wait_for_function("() => localStorage.getItem('notify') === 'off'")


def test_the_switch_says_when_it_cannot(open_with: Opened) -> None:
    page = open_with()
    page.evaluate("void Object.defineProperty(window, 'isSecureContext', { value: false })")
    page.evaluate(OPEN)
    expect(page.get_by_role("switch", name="Tell me")).to_be_disabled()
    expect(page.get_by_text("only over HTTPS")).to_be_visible()
    blocked = open_with()
    blocked.evaluate("void Object.defineProperty(Notification, 'permission', { value: 'denied' })")
    blocked.evaluate(OPEN)
    expect(blocked.get_by_text("blocked for this site")).to_be_visible()
    expect(blocked.get_by_text("only over HTTPS")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_them(open_with: Opened, scheme: str) -> None:
    page = open_with(color_scheme=scheme)
    page.evaluate(OPEN)
    assert not serious(page, "'.settings'")


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_fit_on_a_narrow_phone(open_with: Opened, language: str) -> None:
    page = open_with(viewport={"width": 320, "height": 640}, locale=language, has_touch=True)
    page.evaluate(OPEN)
    assert page.evaluate("document.querySelector('.settings').clientWidth") <= 320
    for part in page.locator(".settings :visible").all():
        box = part.bounding_box()
        assert box, part
        assert box["x"] + box["width"] <= 320, part


def test_the_title_says_whose_turn_it_is(open_with: Opened) -> None:
    page = open_with()
    named = page.title()
    page.evaluate(LOAD)
    page.evaluate("notify.setTurn(true, 'Your turn')")
    assert page.title() == f"Your turn · {named}"
    page.evaluate(HIDE, True)
    assert page.title() == f"● Your turn · {named}"
    assert page.evaluate("badges.at(-1)") is True
    page.evaluate(HIDE, False)
    assert page.title() == f"Your turn · {named}"
    assert page.evaluate("badges.at(-1)") is False
    page.evaluate("notify.setTurn(false, '')")
    assert page.title() == named


def test_whoever_looks_elsewhere_is_told_and_no_longer_than_needed(open_with: Opened) -> None:
    page = open_with(permissions=["notifications"])
    named = page.title()
    page.evaluate(LOAD)
    assert page.evaluate("notify.switchNotify(true)") is True
    page.evaluate("notify.setTurn(true, 'Your turn')")
    assert page.evaluate(SHOWN) == [], "somebody is looking"
    page.evaluate("notify.setTurn(false, '')")
    page.evaluate(HIDE, True)
    page.evaluate("notify.setTurn(true, 'Your turn')")
    page.wait_for_function(
        f"wanted => ({SHOWN})().then(shown => shown.join() === wanted)", arg=f"Your turn,{named}"
    )
    page.evaluate(HIDE, False)
    page.wait_for_function(f"() => ({SHOWN})().then(shown => shown.length === 0)")


def test_nobody_is_told_who_did_not_ask_for_it(open_with: Opened) -> None:
    page = open_with(permissions=["notifications"])
    page.evaluate(LOAD)
    page.evaluate(HIDE, True)
    page.evaluate("notify.setTurn(true, 'Your turn')")
    page.wait_for_timeout(300)
    assert page.evaluate(SHOWN) == []
