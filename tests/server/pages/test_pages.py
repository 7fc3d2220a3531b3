"""The pages and what protects them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import httpx
import pytest

from kibitz.core.colours import DARK, LIGHT
from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES
from kibitz.server.assets import asset_path
from kibitz.server.http.guests import SECRET_FILE_NAME, load_guest_auth
from kibitz.server.pages.rules import read_rules, rule_page
from kibitz.server.phrases import language_of
from kibitz.server.settings import settings_from
from support.server_process import Guest, Server

STALE_ASSET = "/assets/0123456789abcdef/lib/base.css"


def test_home_shows_the_games_and_ones_tables(server: Server, guest: Guest) -> None:
    table = guest.opens()
    mine, others = guest.client.get("/"), Guest(server).client.get("/")
    assert mine.status_code == 200
    for name in GAMES:
        assert f"/rules/{name}" in mine.text
    assert table in mine.text
    assert table not in others.text


def test_a_table_page(guest: Guest) -> None:
    table = guest.opens()
    page = guest.client.get(table)
    assert page.status_code == 200
    assert table.removeprefix("/t/") in page.text


@pytest.mark.parametrize("address", ["/nowhere", "/t/nowhere", "/rules/nothing", "/t/x/record"])
def test_what_is_not_there_has_a_page_that_says_so(guest: Guest, address: str) -> None:
    page = guest.client.get(address)
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert "Traceback" not in page.text


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"game": "nothing", "play": "device"},
        {"game": "kalamala", "play": "cards"},
        {"game": "kalamala", "play": "bot", "seat": "Z"},
    ],
)
def test_a_table_that_cannot_be_opened(guest: Guest, form: dict[str, str]) -> None:
    page = guest.client.post("/tables", data=form)
    assert page.status_code == 400
    assert "Nothing was changed" in page.text


def test_a_body_too_long_is_not_read(guest: Guest) -> None:
    page = guest.client.post("/tables", data={"game": "x" * 100_000})
    assert page.status_code == 413


def test_other_sites_open_no_tables(server: Server) -> None:
    form = {"game": "kalamala", "play": "device"}
    origin = {"Origin": "http://elsewhere.example"}
    assert httpx.post(f"{server.address}/tables", data=form, headers=origin).status_code == 403


def test_every_answer_is_protected(guest: Guest) -> None:
    for address in (
        "/",
        "/nowhere",
        "/assets/0123456789abcdef/lib/base.css",
        "/health",
        "/rules/kalamala?part=1",
    ):
        headers = guest.client.get(address).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_no_page_breaks_the_policy_it_is_under(guest: Guest) -> None:
    table = guest.opens()
    for address in ("/", table, "/rules/kalamala", "/nowhere"):
        page = guest.client.get(address).text
        assert not re.search(r"<[^>]+\sstyle=", page), address
        assert not re.search(r"<script(?![^>]*(\ssrc=|\stype=.application/json))", page), address
        assert not re.search(r"<[^>]+\son\w+=", page), address


def test_a_guest_is_a_cookie_no_script_can_read(server: Server) -> None:
    answer = httpx.get(f"{server.address}/")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    name, _, value = cookie.split(";")[0].partition("=")
    assert "set-cookie" not in httpx.get(f"{server.address}/", cookies={name: value}).headers
    forged = httpx.get(f"{server.address}/", cookies={name: value + "x"})
    assert "set-cookie" in forged.headers


def test_the_secret_is_made_once_and_kept_private(tmp_path: Path) -> None:
    first, second = load_guest_auth(tmp_path), load_guest_auth(tmp_path)
    assert first.cookie_name == second.cookie_name
    assert (tmp_path / SECRET_FILE_NAME).stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == [SECRET_FILE_NAME]


def test_the_rules_have_a_place_for_every_paragraph(guest: Guest) -> None:
    whole, part = guest.client.get("/rules/kalamala"), guest.client.get("/rules/kalamala?part=1")
    for page in (whole, part):
        assert page.status_code == 200
        assert 'id="3.3"' in page.text
    assert "<html" in whole.text
    assert "<html" not in part.text


def test_every_game_has_rules_in_every_language() -> None:
    for name in GAMES:
        pages = {language: rule_page(name, language) for language in LANGUAGES}
        assert len({page.article for page in pages.values() if page}) == len(LANGUAGES)
        numbers = [[each.number for each in page.toc] for page in pages.values() if page]
        assert numbers[0]
        assert all(each == numbers[0] for each in numbers)


def test_somebody_may_choose_a_language(guest: Guest) -> None:
    def page_language() -> str:
        return guest.client.get("/", headers={"Accept-Language": "fr"}).text.split('lang="')[1][:2]

    assert page_language() == "fr"
    answer = guest.client.post("/language", data={"language": "fi", "back": "/rules/kahmate"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/rules/kahmate")
    assert page_language() == "fi"
    rules = guest.client.get("/rules/kahmate").text
    assert 'id="13.1"' in rules
    assert 'lang="fi"' in rules
    for elsewhere in ("//evil.example/", "https://evil.example/", "/\\evil.example"):
        answer = guest.client.post("/language", data={"language": "no", "back": elsewhere})
        assert answer.headers["location"] == "/"
    assert page_language() == "fr"


def test_rules_are_text_and_not_markup() -> None:
    page = read_rules("# T\n\n## 1 One <b>x</b>\n\n| a |\n| -: |\n| 1 |\n\n[x](javascript:y)\n")
    assert page.title == "T"
    assert [heading.number for heading in page.toc] == ["1"]
    assert '<h2 id="1">1 One &lt;b&gt;' in page.article
    assert 'class="to-right"' in page.article
    assert "style=" not in page.article
    assert "href" not in page.article


def test_colours_come_from_one_place(guest: Guest) -> None:
    css = guest.client.get(asset_path("pages/home.css"))
    assert css.headers["content-type"].startswith("text/css")
    assert f"--paper:{LIGHT['paper']};" in css.text
    assert css.text.count(f"--paper:{DARK['paper']};") == 2


@pytest.mark.parametrize("path", ["/static/", "/static/nothing.js", "/static/%2e%2e/__init__.py"])
def test_static_is_only_what_is_there(guest: Guest, path: str) -> None:
    assert guest.client.get(path).status_code == 404


def test_static_files_are_kept_and_asked_for_again(guest: Guest) -> None:
    first = guest.client.get("/static/lib/base.css")
    assert first.headers["content-type"].startswith("text/css")
    assert first.headers["cache-control"] == "no-cache"
    tag = {"If-None-Match": first.headers["etag"]}
    assert guest.client.get("/static/lib/base.css", headers=tag).status_code == 304


def test_health(guest: Guest) -> None:
    assert guest.client.get("/health").json() == {"status": "ok"}


def test_languages_we_do_not_have_fall_back() -> None:
    for header in ("", "en", "en-GB;q=0.8, de", "xx;q=nonsense", ",;,", "tlh"):
        assert language_of(header) == "en"


def test_a_language_is_found_however_a_browser_writes_it() -> None:
    for header in ("fr", "FR", "fr-CA", "Fr-ca, en;q=0.5", "en;q=0.5, de, fr;q=0.8"):
        assert language_of(header) == "fr"


def test_settings() -> None:
    given = settings_from({"KIBITZ_DATA": "/x", "KIBITZ_PORT": "81", "KIBITZ_OPEN_BROWSER": "0"})
    assert (given.data, given.port, given.open_browser) == (Path("/x"), 81, False)
    assert settings_from({"XDG_DATA_HOME": "/y"}).data == Path("/y/kibitz")
    with pytest.raises(ValueError, match="KIBITZ_PORT"):
        settings_from({"KIBITZ_PORT": "eighty"})


def test_a_table_may_be_opened_under_other_rules(guest: Guest) -> None:
    table = guest.opens("kahmate", options='{"tries": 3}')
    assert guest.sits_at(table).view["status"][1] == "0–0, first to 3"  # noqa: RUF001
    options = guest.client.get(f"{table}/record").json()["options"]
    assert (options["tries"], options["turn_limit"]) == (3, 200)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ('{"tries": 4}', "Option tries can&#39;t be 4"),
        ('{"luck": 1}', "There is no option luck."),
        ("[3]", "A table&#39;s options must be a JSON object."),
        ("{", "A table&#39;s options must be a JSON object."),
    ],
)
def test_wrong_rules_are_refused_with_a_sentence(guest: Guest, options: str, why: str) -> None:
    form = {"game": "kahmate", "play": "device", "options": options}
    answer = guest.client.post("/tables", data=form)
    assert answer.status_code == 400
    assert why in answer.text
