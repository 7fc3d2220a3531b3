"""What each page is told to make heard."""

from __future__ import annotations

from support.server_process import Guest, Server

GOAL_LINE = "13/13/13/13/1Osf9/1T11/13/13 B play - b5 123456/123456 0-0 21 -"
"""Blue may tackle the man with the ball."""


def test_a_duel_is_heard_by_each_as_it_went(server: Server) -> None:
    red, blue, spectator = Guest(server), Guest(server), Guest(server)
    table = red.begins("kahmate", {"R": "me", "B": "free"}, start=GOAL_LINE)
    blue.joins(red.links(table)["B"])
    spectator.joins(red.links(table)["watch"])
    pages = [each.sits_at(table) for each in (red, blue, spectator)]
    pages[1].acts("c5xb5")
    pages[0].waits_for(pages[1].acts("card=2")["seq"])
    last = pages[0].acts("card=3")["seq"]
    heard = [[told["sound"] for told in page.waits_for(last)["events"]][-2:] for page in pages]
    assert heard == [["card", "lost"], ["card", "won"], ["card", "lost"]]


def test_what_is_not_heard_has_no_sound(server: Server) -> None:
    page = Guest(server)
    sitting = page.sits_at(page.begins("kahmate", {"R": "me", "B": "me"}, start=GOAL_LINE))
    sitting.acts("end")
    assert [told["sound"] for told in sitting.view["events"]] == [""]
