"""What is heard: made in the browser, not before a touch, and only where it is wished for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

SPY = """
window.heard = { contexts: 0, starts: [] };
window.buzzed = [];
const Real = window.AudioContext;
window.AudioContext = class extends Real {
  constructor(...given) {
    super(...given);
    window.heard.contexts += 1;
    window.heard.context = this;
  }
  createGain() {
    const gain = super.createGain();
    window.heard.master ??= gain;
    return gain;
  }
};
for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
  const real = kind.prototype.start;
  kind.prototype.start = function (...given) {
    window.heard.starts.push(given[0]);
    return real.apply(this, given);
  };
}
navigator.vibrate = (ms) => { window.buzzed.push(ms); return true; };
"""
LOAD = 'async () => { window.sound = await import("/static/lib/sound/sound.js"); }'
BRING = """
document.addEventListener("DOMContentLoaded", () => {
  const script = document.createElement("script");
  Object.assign(script, { type: "module", src: "/static/lib/sound/sound.js" });
  document.head.append(script);
});
"""
PLAY = """sounds => sounds.map(([name, delay]) => {
  const before = heard.starts.length;
  sound.play(name, delay);
  return heard.starts.length > before;
})"""
TELL = """sounds => {
  heard.starts = [];
  sound.playEvents(sounds.map((name) => ({ sound: name })));
  const [first] = heard.starts;
  return [...new Set(heard.starts.map((at) => Math.round(100 * (at - first))))];
}"""
RENDER = """async () => {
  const { NAMES, MAX_SOUND_S, voice } = await import("/static/lib/sound/synth.js");
  const rate = 44100;
  const found = {};
  for (const name of NAMES) {
    const context = new OfflineAudioContext(1, rate, rate);
    voice(name, context, context.destination, 0);
    const samples = (await context.startRendering()).getChannelData(0).map(Math.abs);
    const sounding = samples.slice(0, MAX_SOUND_S * rate);
    found[name] = {
      peak: sounding.reduce((a, b) => Math.max(a, b), 0),
      strength: Math.sqrt(sounding.reduce((sum, each) => sum + each * each, 0) / sounding.length),
      after: samples.slice(MAX_SOUND_S * rate).reduce((a, b) => Math.max(a, b), 0),
    };
  }
  return { found, MAX_SOUND_S };
}"""


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context()
    context.add_init_script(SPY)
    page = context.new_page()
    page.goto(f"{address}/nowhere")
    page.evaluate(LOAD)
    yield page
    context.close()


def wake(page: Page) -> None:
    """The first touch."""
    page.mouse.click(3, 3)
    page.wait_for_function("() => heard.context?.state === 'running'")


def plays(page: Page, name: str) -> bool:
    return plays_all(page, (name, 0)) == [True]


def plays_all(page: Page, *sounds: tuple[str, int]) -> list[bool]:
    """Which of these are played when all are asked for at one time, each after its delay."""
    played: list[bool] = page.evaluate(PLAY, [list(each) for each in sounds])
    return played


def test_every_sound_is_short_and_neither_silent_nor_too_loud(page: Page) -> None:
    rendered: dict[str, Any] = page.evaluate(RENDER)
    assert rendered["MAX_SOUND_S"] <= 0.4
    assert len(rendered["found"]) == 21
    for name, sound in rendered["found"].items():
        assert 0.05 < sound["peak"] < 1.0, (name, sound)
        assert sound["strength"] > 0.004, (name, sound)
        assert sound["after"] < 0.0001, (name, sound)


def test_nothing_is_heard_before_the_first_touch(page: Page) -> None:
    assert not plays(page, "dome")
    assert page.evaluate("heard.contexts") == 0
    wake(page)
    assert plays(page, "dome")
    page.mouse.click(3, 3)
    assert page.evaluate("heard.contexts") == 1


def test_a_key_is_a_touch_too(page: Page) -> None:
    page.keyboard.press("a")
    page.wait_for_function("() => heard.context?.state === 'running'")
    assert plays(page, "step")


def test_a_key_that_browsers_do_not_count_as_a_touch_is_none(
    browser: Browser, address: str
) -> None:
    """A context made then would only be complained about. Looking from here would be a touch."""
    page = browser.new_page()
    page.add_init_script(SPY + BRING)
    page.goto(f"{address}/nowhere")
    page.keyboard.press("Escape")
    assert page.evaluate("heard.contexts") == 0
    page.keyboard.press("Escape")
    assert page.evaluate("heard.contexts") == 1
    page.close()


def test_sound_can_be_switched_off_for_good(page: Page) -> None:
    wake(page)
    page.evaluate("sound.switchSound(false)")
    assert not plays(page, "dome")
    assert page.evaluate("heard.master.gain.value") == 0
    page.reload()
    page.evaluate(LOAD)
    page.mouse.click(3, 3)
    assert page.evaluate("[sound.isOn(), heard.contexts]") == [False, 0]
    page.evaluate("sound.switchSound(true)")
    page.wait_for_function("() => heard.context?.state === 'running'")
    assert plays(page, "dome")


def test_the_volume_is_kept(page: Page) -> None:
    wake(page)
    page.evaluate("sound.setVolume(0.5)")
    assert page.evaluate("heard.master.gain.value") == pytest.approx(0.25)
    page.reload()
    page.evaluate(LOAD)
    assert page.evaluate("sound.volume()") == 0.5
    page.evaluate("sound.setVolume(7)")
    assert page.evaluate("sound.volume()") == 1
    page.evaluate("localStorage.setItem('volume', 'loud')")
    assert page.evaluate("sound.volume()") == 0.7


def test_the_same_sound_at_the_same_time_is_heard_once(page: Page) -> None:
    wake(page)
    assert plays_all(page, ("step", 0), ("step", 5), ("step", 200)) == [True, False, True]


def test_only_so_many_sound_together(page: Page) -> None:
    wake(page)
    names = ["step", "pass", "kick", "tackle", "card", "won", "lost", "push"]
    assert plays_all(page, *((name, 0) for name in names)) == [True] * 6 + [False] * 2
    assert plays_all(page, ("push", 1500)) == [True], "later there is room again"


def test_what_happened_is_heard_in_order_and_what_was_missed_is_not(page: Page) -> None:
    wake(page)
    assert page.evaluate(TELL, ["kick", "", "step", "refused"]) == [0, 32, 50]
    assert page.evaluate(TELL, ["hop"] * 40) == [0]


def test_what_nobody_knows_is_silent(page: Page) -> None:
    wake(page)
    assert not plays(page, "thunder")
    assert not plays(page, "toString")


def test_a_browser_without_sound_stays_silent(browser: Browser, address: str) -> None:
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.add_init_script(
        "delete window.AudioContext;"
        "Storage.prototype.setItem = Storage.prototype.getItem = () => { throw new Error(); };"
    )
    page.goto(f"{address}/nowhere")
    page.evaluate(LOAD)
    page.mouse.click(3, 3)
    page.evaluate("sound.play('dome')")
    page.evaluate("sound.setVolume(0.2)")
    assert page.evaluate("sound.volume()") == 0.2
    assert not complaints
    page.close()


def test_vibration_goes_with_the_sound(page: Page) -> None:
    wake(page)
    page.evaluate("sound.buzz(sound.CHOSEN_MS)")
    page.evaluate("sound.buzz(sound.YOUR_TURN_MS)")
    assert page.evaluate("buzzed") == [15, 40]
    page.evaluate("sound.switchBuzz(false); sound.buzz(15)")
    page.evaluate("sound.switchBuzz(true); sound.switchSound(false); sound.buzz(15)")
    assert page.evaluate("buzzed") == [15, 40]
