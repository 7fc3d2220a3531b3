"""What is told of a match that is over, and to whom."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from kibitz.i18n import LANGUAGES
from kibitz.server.chart import PlotLine, plot_svg
from kibitz.table.highlights import ScorePoint
from support.random_matches import random_match
from support.server_process import Guest, Server

NEAR = "13/13/13/11T1/13/9o3/13/13 R play - l4 123456/123456 0-0 9 -"
"""Red is one step from a try."""


def page_of(guest: Guest, table: str, language: str = "en") -> str:
    answer = guest.client.get(f"{table}/result", headers={"Accept-Language": language})
    assert answer.status_code == 200, answer.text
    return answer.text


def heading(page: str) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", page)
    assert found
    return found[1]


def play_red_win(guest: Guest, **more: object) -> str:
    """A match that Red has won."""
    table = guest.begins(
        "kahmate", {"R": "me", "B": "me"}, start=NEAR, options={"tries": 1}, **more
    )
    guest.sits_at(table).does("l4-m4")
    return table


def test_who_won_and_why(guest: Guest) -> None:
    guest.calls_himself("Aino")
    page = page_of(guest, table := play_red_win(guest))
    assert heading(page) == "Red won"
    assert 'href="/rules/kahmate#9"' in page
    assert "Aino" in page
    assert "1 move" in page
    for button in (f"{table}#0", "/analysis/kahmate?table=", f"{table}/record", 'id="rematch"'):
        assert button in page


def test_its_moments_lead_to_the_board(guest: Guest) -> None:
    page = page_of(guest, table := play_red_win(guest))
    assert re.findall(r'class="moment big"><a href="([^"]+)"', page) == [f"{table}#1"]
    assert "Red&#39;s Tough man scored a try" in page
    assert "Red ahead" in page
    assert page.count('class="board"') == 1
    assert 'class="plot"' in page


def test_pictures_share_a_page_and_no_ids(guest: Guest) -> None:
    game, played = random_match("kalamala", 0)
    options = dict(game.options)
    table = guest.begins("kalamala", {"A": "me", "B": "me"}, options=options, official_rules=True)
    board = guest.sits_at(table)
    for each in played:
        assert board.acts(game.notation.write_action(each.step.action))["type"] == "done"
    page = page_of(guest, table)
    assert page.count('class="board"') == 4
    ids = Counter(re.findall(r'\sid="([^"]+)"', page))
    assert [id for id, count in ids.items() if count > 1] == []
    assert not re.search(r"<[^>]+\sstyle=", page)


def test_what_each_seat_did_is_counted(guest: Guest) -> None:
    table = guest.opens("kalamala", "device")
    board = guest.sits_at(table)
    board.acts("@a1")
    board.does("resign B")
    page = page_of(guest, table)
    placed = re.search(r"Pieces placed</th>(.*?)</tr>", page)
    assert placed
    assert re.findall(r">(\d+)<", placed[1]) == ["1", "0"]
    assert "Pulls" not in page, "what nobody did is no figure"
    assert 'class="plot"' not in page, "a course without a change is none"


def test_a_match_that_was_called_off_has_nothing_to_tell(guest: Guest) -> None:
    table = guest.opens("kalamala", "device")
    guest.sits_at(table).does("abort")
    page = page_of(guest, table)
    assert heading(page) == "Called off"
    assert "Nothing worth telling happened" in page
    assert 'class="plot"' not in page
    assert "/analysis/" not in page


def test_a_draw_has_no_winner(guest: Guest) -> None:
    table = guest.begins("kahmate", {"R": "me", "B": "me"}, start=NEAR)
    guest.sits_at(table).does("ask draw")
    page = page_of(guest, table)
    assert heading(page) == "Nobody won"
    assert 'class="chip ok"' not in page


def test_a_flag_that_fell(guest: Guest) -> None:
    settings = {"clock": {"kind": "fischer", "minutes": 0.02, "seconds": 0}}
    table = guest.begins("kalamala", {"A": "me", "B": "me"}, settings=settings)
    board = guest.sits_at(table)
    board.acts("@a1")
    board.waits_until(lambda page: page.view["outcome"] is not None)
    page = page_of(guest, table)
    assert heading(page) == "Rings won"
    assert "Time left" in page
    assert "0:00" in page


@pytest.mark.parametrize("rests", [False, True])
def test_a_match_that_goes_on_tells_nothing_yet(guest: Guest, rests: bool) -> None:
    table = guest.begins("kahmate", {"R": "me", "B": "me"}, start=NEAR)
    if rests:
        guest.sits_at(table).does("ask adjourn")
    page = page_of(guest, table)
    assert heading(page) == "Not over yet"
    assert ("adjourned" in page) == rests
    assert f'href="{table}"' in page
    assert 'class="board"' not in page
    assert 'class="moment' not in page


def test_whoever_may_not_see_the_table_may_not_read_of_it(server: Server, guest: Guest) -> None:
    closed, opened = play_red_win(guest), play_red_win(guest, is_open=True)
    stranger = Guest(server)
    assert stranger.client.get(f"{closed}/result").status_code == 404
    page = page_of(stranger, opened)
    assert heading(page) == "Red won"
    assert 'id="rematch"' not in page, "only those who played play again"


def test_the_link_that_is_shared_lets_others_in(server: Server, guest: Guest) -> None:
    closed, opened = play_red_win(guest), play_red_win(guest, is_open=True)
    shared = [re.findall(r'data-share="([^"]+)"', page_of(guest, t))[0] for t in (closed, opened)]
    assert shared[1] == f"{server.address}{opened}/result"
    for address in shared:
        assert heading(Guest(server).client.get(address).text) == "Red won"


def test_after_a_rematch_it_leads_there(guest: Guest) -> None:
    table = guest.opens("kalamala", "device")
    board = guest.sits_at(table)
    board.does("abort")
    board.does("ask rematch")
    board.waits_until(lambda page: bool(page.table["next"]))
    page = page_of(guest, table)
    assert f'href="{board.table["next"]}"' in page
    assert 'id="rematch"' not in page


def test_draws_that_agree_with_the_seal_are_told(guest: Guest) -> None:
    table = guest.begins("as-kimble", dict.fromkeys("RBYG", "me"))
    board = guest.sits_at(table)
    assert board.acts()["type"] == "done"
    board.does('ref end "it is late"')
    assert "1 sealed draw verified" in page_of(guest, table)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_told_in_every_language(guest: Guest, language: str) -> None:
    table = play_red_win(guest)
    page = page_of(guest, table, language)
    assert f'<html lang="{language}">' in page
    assert len({heading(page_of(guest, table, each)) for each in LANGUAGES}) == len(LANGUAGES)


# The plot

THREADS = [PlotLine("KA", "<svg>a</svg>"), PlotLine("KB", "<svg>b</svg>")]


def test_a_line_goes_by_steps() -> None:
    course = [ScorePoint(0, (2.0, 2.0)), ScorePoint(3, (1.0, 2.0)), ScorePoint(4, (1.0, 2.0))]
    drawn = plot_svg("Stones <left>", course, THREADS, {})
    lines = re.findall(r'class="of" stroke="var\(--(\w+)\)" points="([^"]+)"', drawn)
    assert lines == [("KA", "0,0 3,0 3,1 4,1"), ("KB", "0,0 3,0 4,0")]
    assert "Stones &lt;left&gt;" in drawn


def test_glyphs_and_badges_do_not_lie_upon_each_other() -> None:
    course = [ScorePoint(0, (0.0, 0.0)), ScorePoint(100, (1.0, 1.0))]
    drawn = plot_svg("", course, THREADS, {98: "1", 99: "2", 100: "3"})
    ends = [float(each) for each in re.findall(r'<svg x="90.0%" y="([\d.]+)%"', drawn)]
    assert abs(ends[0] - ends[1]) >= 12
    badges = [float(each) for each in re.findall(r'<circle class="badge" cx="([\d.]+)%"', drawn)]
    assert badges[1] - badges[0] >= 7
    assert badges[2] - badges[1] >= 7
    assert badges[2] <= 90


@pytest.mark.parametrize("values", [(0.0, 0.0), (0.0, 1.0), (8.0, 3.0), (0.0, 86.1), (2.5, 3.0)])
def test_all_values_are_within_the_picture(values: tuple[float, float]) -> None:
    drawn = plot_svg("", [ScorePoint(0, values), ScorePoint(7, values)], THREADS, {})
    heights = [float(each) for each in re.findall(r'class="tick"[^>]* y1="([\d.]+)%"', drawn)]
    assert 2 <= len(heights) <= 6
    for points in re.findall(r'points="([^"]+)"', drawn):
        assert all(float(point.split(",")[1]) >= 0 for point in points.split())
