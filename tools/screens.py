"""Pictures of the main screens, on phones and at a desk, in both themes: `make screens`.

    make screens                                all of them, into screens/
    make screens ARGS="kahmate --language fi"   those whose name has it, in Finnish
    make screens ARGS="--size landscape"        on a phone that lies on its side
    make screens ARGS=--grey                    without colour
    make screens ARGS=--guide                   the ones in docs/guide, which are committed

`screens/index.html` has them side by side.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from html import escape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from scenes import SCENES, MakeScene, Scene  # noqa: E402

from support.browser.player import TIMEOUT_MS, Player  # noqa: E402
from support.server_process import Server  # noqa: E402
from web.conftest import DESKTOP, PHONE, SHELL, WHOLE, installed_program  # noqa: E402


@dataclass(frozen=True)
class Screen:
    """Somewhere to look at pages; `letter_px` is what the reader has chosen for letters."""

    viewport: ViewportSize
    is_phone: bool = True
    letter_px: int = 16


SIZES = {
    "phone": Screen(PHONE),
    "desk": Screen(DESKTOP, is_phone=False),
    "landscape": Screen({"width": 844, "height": 390}),
    "narrow": Screen({"width": 320, "height": 640}, letter_px=32),
}
AT_ONCE = 2
"""Sizes photographed at the same time, each with a server and a browser."""
THEMES = ("light", "dark")
SETTLE_MS = 200
"""Milliseconds until nothing changes its colour any more."""
GUIDE = ROOT / "docs/guide/pictures"
GUIDE_PICTURES = {
    "kahmate-set-up": ("phone", "light"),
    "kahmate-run": ("desk", "light"),
    "kahmate-card": ("phone", "light"),
    "kahmate-reveal": ("phone", "dark"),
    "kalamala-start": ("phone", "light"),
    "kalamala-anchor": ("phone", "light"),
    "kalamala-pull": ("desk", "light"),
    "kalamala-ko": ("phone", "dark"),
    "as-kimble-pop": ("phone", "light"),
    "as-kimble-move": ("desk", "light"),
    "as-kimble-hembo": ("phone", "light"),
    "as-kimble-raise": ("phone", "dark"),
    "companion-set-up": ("phone", "light"),
    "companion-turn": ("phone", "light"),
    "companion-ledger": ("phone", "light"),
    "companion-book": ("phone", "light"),
    "companion-queue": ("phone", "dark"),
    "companion-team": ("phone", "light"),
    "companion-party": ("desk", "light"),
    "companion-night": ("desk", "light"),
    "curtain": ("phone", "light"),
    "replay": ("phone", "light"),
    "analysis": ("desk", "light"),
}
"""The pictures of the guide: by scene, at which size and in which theme."""
STYLE = """<style>
body { margin: 24px; background: #888; font: 15px system-ui, sans-serif; }
img { height: 420px; }
</style>"""
COLOUR_COUNT = 128
"""Enough for flat drawings."""


@dataclass(frozen=True)
class ScreenOptions:
    names: Sequence[str]
    sizes: Sequence[str]
    language: str
    is_grey: bool
    is_guide: bool
    out: Path

    @property
    def scenes(self) -> list[tuple[int, str, MakeScene]]:
        return [
            (number, name, make)
            for number, (name, make) in enumerate(SCENES, 1)
            if (name in GUIDE_PICTURES if self.is_guide else self.is_wanted(name))
        ]

    def is_wanted(self, name: str) -> bool:
        return not self.names or any(each in name for each in self.names)

    def themes(self, name: str, size: str) -> list[str]:
        if not self.is_guide:
            return list(THEMES)
        return [GUIDE_PICTURES[name][1]] if GUIDE_PICTURES[name][0] == size else []

    def file(self, number: int, name: str, size: str, theme: str) -> Path:
        return self.out / (
            f"{name}.png" if self.is_guide else f"{number:02}-{name}-{size}-{theme}.png"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    wish = read_arguments(arguments)
    if not wish.scenes:
        sys.exit("No screen is called that. There are " + ", ".join(name for name, _ in SCENES))
    wish.out.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        missed = pool.map(partial(photograph_scenes, wish), wish.sizes)
        failed = [each for at_size in missed for each in at_size]
    if not wish.is_guide:
        (wish.out / "index.html").write_text(contact_sheet(wish), "utf-8")
    print(f"{wish.out}: {len(list(wish.out.glob('*.png')))} pictures")
    if failed:
        sys.exit("\n".join(failed))


def read_arguments(arguments: Sequence[str] | None) -> ScreenOptions:
    parser = argparse.ArgumentParser(description="Pictures of the main screens.")
    parser.add_argument("names", nargs="*", help="only those that have this in their name")
    parser.add_argument(
        "--size", action="append", choices=SIZES, help="only at this one; may be given twice"
    )
    parser.add_argument("--language", default="en", help="en, fr, fi or sv")
    parser.add_argument("--grey", action="store_true", help="without colour")
    parser.add_argument("--guide", action="store_true", help="the pictures of docs/guide")
    parser.add_argument("--out", type=Path, help="where they go")
    given = parser.parse_args(arguments)
    out = given.out or (GUIDE if given.guide else ROOT / "screens")
    sizes = given.size or list(SIZES)
    return ScreenOptions(given.names, sizes, given.language, given.grey, given.guide, out)


def photograph_scenes(wish: ScreenOptions, size: str) -> list[str]:
    """All wanted scenes at this size, with a server of their own; those that did not come about."""
    failed = []
    with TemporaryDirectory() as data, Server(Path(data)) as server, open_browser() as browser:
        for number, name, make in wish.scenes:
            themes = wish.themes(name, size)
            if not themes:
                continue
            try:
                with new_scene(browser, server, size, wish.language) as scene:
                    make(scene)
                    for theme in themes:
                        save_picture(
                            take_screenshot(scene.page, theme),
                            wish.file(number, name, size, theme),
                            wish,
                        )
            except Exception as error:  # The others are worth having all the same.
                failed.append(f"{name} at the {size}: {str(error).splitlines()[0]}")
    return failed


@contextmanager
def open_browser() -> Iterator[Browser]:
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=installed_program(SHELL, *WHOLE)) as browser,
    ):
        yield browser


@contextmanager
def new_scene(browser: Browser, server: Server, size: str, language: str) -> Iterator[Scene]:
    """Somebody new; all guests go with them."""
    screen = SIZES[size]
    with browser.new_context(
        viewport=screen.viewport,
        has_touch=screen.is_phone,
        is_mobile=screen.is_phone,
        reduced_motion="reduce",
        locale=language,
    ) as context:
        context.set_default_timeout(TIMEOUT_MS)
        page = context.new_page()
        letters = {"standard": screen.letter_px, "fixed": screen.letter_px}
        context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": letters})
        yield Scene(Player(page, server.address, finger=screen.is_phone), server)
        server.closing_time()


def take_screenshot(page: Page, theme: str) -> bytes:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.wait_for_timeout(SETTLE_MS)
    return page.screenshot(animations="disabled")


def save_picture(picture: bytes, file: Path, wish: ScreenOptions) -> None:
    if not wish.is_grey and not wish.is_guide:
        file.write_bytes(picture)
        return
    image = Image.open(BytesIO(picture)).convert("L" if wish.is_grey else "RGB")
    if wish.is_guide:
        # The other ways give small things, such as a team's sign, the colour of larger ones.
        image = image.quantize(COLOUR_COUNT, Image.Quantize.FASTOCTREE)
    image.save(file, optimize=True)


def contact_sheet(wish: ScreenOptions) -> str:
    rows = "".join(
        f"<h2>{number} {escape(name)}</h2><p>"
        + "".join(
            f'<a href="{file.name}"><img src="{file.name}" alt="{size}, {theme}"></a> '
            for size in wish.sizes
            for theme in THEMES
            if (file := wish.file(number, name, size, theme)).exists()
        )
        + "</p>"
        for number, name, _ in wish.scenes
    )
    return f"<!doctype html><meta charset=utf-8><title>Kibitz</title>{STYLE}{rows}"


if __name__ == "__main__":
    main()
