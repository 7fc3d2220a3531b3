"""Kibitz as an app of its own: what a browser wants to know of it, and its pictures."""

from __future__ import annotations

import re
import struct
from urllib.parse import urljoin

import httpx
import pytest
from playwright.sync_api import Browser

from kibitz.core.colours import DARK, LIGHT

MANIFEST = "/static/manifest.webmanifest"
PNG = b"\x89PNG\r\n\x1a\n"
SMALL = 20_000


def size_of(picture: bytes) -> str:
    assert picture.startswith(PNG)
    width, height = struct.unpack(">II", picture[16:24])
    return f"{width}x{height}"


def test_the_manifest_says_all_that_an_app_needs(address: str) -> None:
    answer = httpx.get(address + MANIFEST)
    assert answer.headers["content-type"].startswith("application/manifest+json")
    said = answer.json()
    assert (said["name"], said["display"]) == ("Kibitz", "standalone")
    for begins in (said["start_url"], said["scope"]):
        assert urljoin(address + MANIFEST, begins) == f"{address}/"
    assert said["theme_color"] == said["background_color"] == LIGHT["paper"]
    kinds = {(icon["sizes"], icon["purpose"]) for icon in said["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= kinds


def test_its_pictures_are_as_large_as_they_say(address: str) -> None:
    apple = {"src": "icons/icon-apple-180.png", "sizes": "180x180", "type": "image/png"}
    for icon in [*httpx.get(address + MANIFEST).json()["icons"], apple]:
        answer = httpx.get(urljoin(address + MANIFEST, icon["src"]))
        assert answer.headers["content-type"] == icon["type"]
        assert len(answer.content) < SMALL
        if icon["type"] == "image/png":
            assert size_of(answer.content) == icon["sizes"]


def test_a_browser_finds_nothing_to_complain_about(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    talk = context.new_cdp_session(page)
    found = talk.send("Page.getAppManifest")
    assert found["url"] == address + MANIFEST
    assert found["errors"] == []
    problems = talk.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each["errorId"] for each in problems if each["errorId"] != "in-incognito"] == []
    context.close()


@pytest.mark.parametrize(("scheme", "paper"), [("light", LIGHT["paper"]), ("dark", DARK["paper"])])
def test_the_frame_around_a_page_has_its_colour(address: str, scheme: str, paper: str) -> None:
    head = httpx.get(address).text.split("</head>")[0]
    media = f'media="(prefers-color-scheme: {scheme})"'
    tag = f'<meta name="theme-color" data-theme="{scheme}" {media} content="{paper}">'
    assert tag in head
    icon = r'<link rel="apple-touch-icon" href="/assets/\w+/icons/icon-apple-180.png">'
    assert re.search(icon, head)
