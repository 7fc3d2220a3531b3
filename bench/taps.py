"""How long it takes from a tap on one page until the other player's page has drawn what came of it.

    .venv/bin/python bench/taps.py                 Kalamala, beside 10 tables and beside 1,000
    .venv/bin/python bench/taps.py kahmate --quick

Both pages are in one Chromium, and their tables are at a real server. Other tables are played
meanwhile, as `make bench-server` does. Pages take the time: from when the pointer was lifted, as
the browser has it, to the end of the frame after the first change of the other page's drawing. Of
that, the time until its socket had the message is told by itself. Pieces do not glide, and nothing
waits to be read: nobody is kept waiting on purpose. What is played face down is not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from threading import Event
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from matches import EDGE_PREFIX, open_matches, play_at_rate
from playwright.sync_api import Browser, sync_playwright
from served import Server
from trees import HERE, Tree

from kibitz.games import GAMES
from server import FULL, OPTIONS, PEOPLE, QUICK, allow_many_connections, measure_machine, p50_p99_ms
from support.browser.player import Player
from support.browser.touch import Hand, Offer

SLICE_S = 5.0
WARM_UP_TAPS = 10
FULL_TAPS, QUICK_TAPS = 300, 30
SEED = 1
SECRET_KINDS = "place", "lineup", "card"
"""Kinds of offers that are played face down: the other page may have nothing to draw."""
BROWSERS = "chromium-headless-shell", "chromium", "google-chrome"
"""The first of these that the system has; else playwright has its own."""
WATCH = """() => {
  localStorage.setItem("pace", "instant");
  globalThis.measured = { lifted: 0, tapped: 0, arrived: 0, drawn: 0 };
  // Clocks of processes begin at different moments: all go by the clock of the machine.
  const start = Date.now();
  while (Date.now() === start) {}
  const zero = Date.now() - performance.now();
  const now = () => zero + performance.now();
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    if (text.startsWith('{"type":"act"')) measured.tapped = measured.lifted;
    send.call(this, text);
  };
  globalThis.WebSocket = class extends WebSocket {
    constructor(address) {
      super(address);
      this.addEventListener("message", ({ data }) => {
        if (data.startsWith('{"type":"patch"')) measured.arrived ||= now();
      });
    }
  };
  const lift = ({ timeStamp }) => { measured.lifted = zero + timeStamp; };
  addEventListener("pointerup", lift, { capture: true });
  const { port1, port2 } = new MessageChannel(); // What comes by it comes after the frame.
  port1.onmessage = () => { measured.drawn ||= now(); };
  globalThis.watchDrawing = () => {
    const all = { attributes: true, characterData: true, childList: true, subtree: true };
    new MutationObserver(() => {
      if (measured.arrived) requestAnimationFrame(() => port2.postMessage(0));
    }).observe(document.getElementById("stage"), all);
  };
}"""
BEGIN = "() => { measured.arrived = measured.drawn = 0; }"


def main() -> None:
    parser = argparse.ArgumentParser(description="measure taps from page to page")
    parser.add_argument("game", nargs="?", default="kalamala", choices=OPTIONS)
    parser.add_argument("--quick", action="store_true", help="fewer taps, and 100 tables at most")
    asked = parser.parse_args()
    size, taps = (QUICK, QUICK_TAPS) if asked.quick else (FULL, FULL_TAPS)
    allow_many_connections()
    gc.disable()
    measure_machine()
    browser_path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=browser_path) as browser,
    ):
        for tables, rate in (size.few_tables, size.few_rate), (size.tables, size.rate):
            with (
                Server(Tree("", HERE)) as server,
                other_play(server, asked.game, tables, rate) as begin_play,
            ):
                found = measure_taps(browser, server, asked.game, taps, begin_play)
            for what, seconds in zip(("has the message", "has drawn"), found, strict=True):
                p50, p99 = p50_p99_ms(seconds)
                print(
                    f"  {len(seconds)} taps until the other page {what}: "
                    f"p50 {p50:.1f} ms, p99 {p99:.1f} ms",
                    flush=True,
                )


@contextmanager
def other_play(server: Server, game: str, tables: int, rate: float) -> Iterator[Callable[[], None]]:
    """Open other tables, which are played in a thread of their own from the call on."""
    is_open, has_begun, is_over = Event(), Event(), Event()

    async def play() -> None:
        try:
            seats = GAMES[game].game(GAMES[game].preset).seats
            matches = await open_matches(server, game, seats, OPTIONS[game], tables, PEOPLE)
        finally:
            is_open.set()
        await asyncio.to_thread(has_begun.wait)
        count, begin = 0, perf_counter()
        while not is_over.is_set():
            count += (await play_at_rate(matches, rate, SLICE_S))[0]
        done = count / (perf_counter() - begin)
        print(f"{game} beside {tables:,} tables, {done:.0f} of {rate:.0f} actions/s", flush=True)

    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(asyncio.run, play())
        is_open.wait()
        try:
            yield has_begun.set
        finally:
            is_over.set()
            has_begun.set()
            playing.result()


def measure_taps(
    browser: Browser, server: Server, game: str, count: int, begin_play: Callable[[], None]
) -> tuple[list[float], list[float]]:
    """For so many taps, the seconds until the other page had the message, and until it had drawn
    it."""
    arrived, drawn = list[float](), list[float]()
    rng = Random(SEED)
    while len(drawn) < count:
        hands = open_pages(browser, server, game)
        begin_play()
        for message_s, drawing_s in match_seconds(hands, rng):
            arrived.append(message_s)
            drawn.append(drawing_s)
            if len(drawn) == count:
                break
        for hand in hands:
            hand.page.context.close()
    return arrived, drawn


def open_pages(browser: Browser, server: Server, game: str) -> list[Hand]:
    """The pages of two people at one table."""
    hands = [_open_hand(browser, server) for _ in range(PEOPLE)]
    seats = GAMES[game].game(GAMES[game].preset).seats
    mine = seats[::PEOPLE]
    wish = {seat: "me" if seat in mine else "free" for seat in seats}
    host, guest = (hand.player for hand in hands)
    host.opens_by_api(game=game, options=OPTIONS[game], seats=wish)
    for seat in (each for each in seats if each not in mine):
        guest.comes_by(host.link(seat))
    for hand in hands:
        hand.page.evaluate("watchDrawing()")
    return hands


def match_seconds(hands: list[Hand], rng: Random) -> Iterator[tuple[float, float]]:
    """The same for each tap of one match; the first taps are not counted."""
    number = 0
    while not any(hand.is_over for hand in hands):
        latest = max(hand.seq for hand in hands)
        acting = next((hand for hand in hands if hand.seq == latest and hand.choices), None)
        if acting is None:
            hands[0].page.wait_for_timeout(5)
            continue
        (other,) = (hand for hand in hands if hand is not acting)
        offer = _careful_choice(acting.choices, rng)
        other.page.evaluate(BEGIN)
        acting.chooses(offer)
        if offer["kind"] in SECRET_KINDS:
            continue
        other.waits_until(partial(other.page.evaluate, "measured.drawn"), "nothing is drawn")
        tapped = acting.page.evaluate("measured.tapped")
        times = other.page.evaluate("measured")
        number += 1
        if number > WARM_UP_TAPS:
            yield (times["arrived"] - tapped) / 1000, (times["drawn"] - tapped) / 1000


def _open_hand(browser: Browser, server: Server) -> Hand:
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, reduced_motion="reduce", service_workers="block"
    )
    context.add_init_script(f"({WATCH})()")
    return Hand(Player(context.new_page(), f"http://{server.host}:{server.port}"))


def _careful_choice(offers: list[Offer], rng: Random) -> Offer:
    """Whatever it is, nothing is pushed over the edge, so that matches last."""
    careful = [offer for offer in offers if not offer["path"][-1].startswith(EDGE_PREFIX)]
    return rng.choice(careful or offers)


if __name__ == "__main__":
    main()
