"""The summary of an evening, for those who may see the table."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from uuid import uuid4

import pytest

from kibitz.i18n import LANGUAGES
from support.server_process import Guest, Server, api

PAIRS = {"mode": "companion", "pace": "free", "team_size": [2, 2, 2, 2]}
TEAMS = {"R": {"name": "Foxes", "players": ["Aino", "Otso"]}}
LAST = "t26,g2,g3,g4/h4/h4/h4 R:N1 d3 0+0/0+3/0+0/0+0 2:- ---- -"


def open_book(guest: Guest, start: str = "start", teams: Any = TEAMS, **options: Any) -> str:
    return guest.begins(
        "as-kimble", options={**PAIRS, **options}, settings={"teams": teams}, start=start
    )


def writes(guest: Guest, table: str, *texts: str) -> None:
    for text in texts:
        answer = guest.client.post(
            api(table, "actions"), json={"key": uuid4().hex, "actions": [text]}
        )
        assert answer.status_code == 200, answer.text


def page_of(guest: Guest, table: str, language: str = "en") -> str:
    answer = guest.client.get(f"{table}/night", headers={"Accept-Language": language})
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def heading(page: str) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", page)
    assert found
    return found[1]


def lines(page: str, name: str) -> list[list[str]]:
    """What stands in each line of a table or a list, by the heading of its section."""
    section = page.split(f'aria-labelledby="{name}"')[1].split("</section>")[0]
    section = re.sub(r"<svg.*?</svg>", "", section, flags=re.DOTALL)
    rows = re.findall(r"<(tr|li)[ >](.*?)</\1>", section, flags=re.DOTALL)
    return [[text for text in re.findall(r">([^<>]+)<", f">{row}<") if text.strip()]
            for _, row in rows]  # fmt: skip


def test_a_night_at_the_board(guest: Guest) -> None:
    table = open_book(guest, LAST)
    writes(guest, table, "R pop 2", "R t26-g1")
    page = page_of(guest, table)
    assert heading(page) == "Foxes won"
    assert "true victory" in page
    assert "moral victory: Blue" in page
    assert f'href="{table}#0"' in page
    assert f'href="{table}/record"' in page
    assert 'class="strip"' in page


def test_a_night_without_a_board(guest: Guest) -> None:
    table = open_book(guest)
    writes(guest, table, "led eat R2 B3", "B done 2", "led won R")
    page = page_of(guest, table)
    assert heading(page) == "Foxes won"
    assert "true victory" not in page
    assert "won without a raise" in page
    assert f'href="{table}#0"' not in page, "there is no board to look at"
    assert 'class="strip"' not in page
    assert "Foxes' double ate Blue's triple: Blue +6" in page
    assert page.count('class="plot"') == 2
    assert ["Penalties received", "0", "6", "0", "0"] in lines(page, "figures")


def test_the_book_of_teams_and_players(guest: Guest) -> None:
    table = open_book(guest, unit="soft", unit_factor=2)
    writes(guest, table, 'ref pen R +3 "sang"', "R done 2")
    found = lines(page_of(guest, table), "ledger")
    assert found[0] == ["Team", "Owed", "Done", "Shares", "Litres"]
    assert found[1] == ["Foxes", "Red", "1", "2", "8", "1.32 l"]
    assert found[2:4] == [["Aino", "4", "0.66 l"], ["Otso", "4", "0.66 l"]]
    assert found[4:6] == [["Blue", "0", "0", "0", "0 l"], ["each of 2", "0", "0 l"]]


def test_those_who_came_later_share_what_the_team_has_done(guest: Guest) -> None:
    """A penalty is for as many as there were at the start."""
    table = open_book(guest)
    writes(guest, table, 'ref pen R +3 "sang"', "R done 3")
    writes(guest, table, 'team R {"name": "Foxes", "players": ["Aino", "Otso", "Ella"]}')
    found = lines(page_of(guest, table), "ledger")
    assert found[1] == ["Foxes", "Red", "0", "3", "6"]
    assert found[2:5] == [["Aino", "2"], ["Otso", "2"], ["Ella", "2"]]


def test_neutral_units_have_no_litres(guest: Guest) -> None:
    page = page_of(guest, open_book(guest))
    assert lines(page, "ledger")[0] == ["Team", "Owed", "Done", "Shares"]
    assert "1 share = a neutral unit" in page
    assert not re.search(r"\b(drink|beer|alcohol|litres)", page, re.IGNORECASE)


def test_a_night_that_goes_on(guest: Guest) -> None:
    table = open_book(guest)
    page = page_of(guest, table)
    assert heading(page) == "The book so far"
    assert f'href="{table}"' in page
    assert 'class="plot"' not in page


def test_what_the_referee_said_is_there_and_what_was_taken_back_is_not(guest: Guest) -> None:
    table = open_book(guest)
    writes(guest, table, "R pop 1", 'ref pen R +1 "sang"', "back 1 because it was Blue")
    writes(guest, table, "break", "resume", 'note "pizza"')
    said = [text for _, text in lines(page_of(guest, table), "log")]
    assert [each for each in said if "sang" in each] == []
    assert len([each for each in said if "it was Blue" in each]) == 1
    assert said[1].startswith("Break: ")
    assert said[2] == "Note: pizza"


def test_a_name_is_no_markup(guest: Guest) -> None:
    table = open_book(guest, teams={"R": {"name": "<b>Foxes</b>", "players": ["<i>"]}})
    answer = guest.client.get(f"{table}/night").text
    assert "&lt;b&gt;Foxes" in answer
    assert "<i>" not in answer


def test_only_a_book_has_a_summary(guest: Guest) -> None:
    digital = guest.begins("as-kimble", dict.fromkeys("RBYG", "me"))
    other = guest.opens("kalamala")
    writes(guest, digital, 'ref end "it is late"')
    writes(guest, other, "resign A")
    for table in (digital, other):
        assert guest.client.get(f"{table}/night").status_code == 404
        assert f"{table}/night" not in guest.client.get(f"{table}/result").text


def test_the_result_leads_to_it(guest: Guest) -> None:
    table = open_book(guest)
    writes(guest, table, 'ref end "it is late"')
    assert f'href="{table}/night"' in guest.client.get(f"{table}/result").text


def test_whoever_may_not_see_the_table_may_not_read_of_it(server: Server, guest: Guest) -> None:
    table, stranger = open_book(guest), Guest(server)
    assert stranger.client.get(f"{table}/night").status_code == 404
    shared = re.findall(r'data-link="([^"]+)"', page_of(guest, table))[0]
    assert stranger.joins(shared.removesuffix("?to=night")) == "watch"
    assert heading(page_of(stranger, table)) == "The book so far"


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_told_in_every_language(guest: Guest, language: str) -> None:
    table = open_book(guest, unit="cans")
    writes(guest, table, "led eat R2 B3", "R pop 1", "break", "B hembo vi", 'note "x"')
    page = page_of(guest, table, language)
    assert f'<html lang="{language}">' in page
    assert not re.search(r">\s*(page|as-kimble|table)\.[a-z-]+", page), "an id without words"
    assert len({heading(page_of(guest, table, each)) for each in LANGUAGES}) == len(LANGUAGES)
    assert not re.search(r"<[^>]+\sstyle=", page)
