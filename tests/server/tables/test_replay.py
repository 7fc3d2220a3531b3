"""Looking back: what each one saw, and all of it once nothing is hidden any more."""

from __future__ import annotations

from typing import Any

from support.server_process import Guest, Server, api

LINEUP = ["S@b1", "T@b2", "F@b3", "C@b4", "O@b5", "O@b6"]
OTHER = ["S@c8", "T@c7", "F@c6", "C@c5", "O@c4", "O@c3"]


def looks_back(guest: Guest, table: str, n: int, full: bool = False) -> dict[str, Any]:
    found: dict[str, Any] = guest.reads(table, f"positions/{n}?is_full={full}")
    return found


def test_every_earlier_position_is_there_and_none_later(server: Server) -> None:
    guest = Guest(server)
    table = guest.opens("kalamala", "device")
    page = guest.sits_at(table)
    for text in ("@a1", "@h8", "@a2"):
        page.acts(text)
    positions = [looks_back(guest, table, n)["position"] for n in range(4)]
    assert positions == [
        "8/8/3BA3/2B2A2/2A2B2/3AB3/8/8 A 4,4 0,0 1 -",
        "8/8/3BA3/2B2A2/2A2B2/3AB3/8/A7 B 3,4 0,0 2 -",
        "7B/8/3BA3/2B2A2/2A2B2/3AB3/8/A7 A 3,3 0,0 3 -",
        "7B/8/3BA3/2B2A2/2A2B2/3AB3/A7/A7 B 2,3 0,0 4 -",
    ]
    second = looks_back(guest, table, 2)
    assert [motion["to"] for motion in second["last"]] == ["sq-h8"]
    assert "h8" in second["events"][0]["text"]
    answer = guest.client.get(api(table, "positions/4"))
    assert answer.status_code == 404
    assert "3 moves" in answer.json()["message"]


def lined_up(server: Server, lineup: list[str]) -> tuple[Guest, Guest, str]:
    """Red has chosen in secret; Blue has not."""
    red, blue = Guest(server), Guest(server)
    table = red.begins("kahmate", {"R": "me", "B": "free"})
    blue.joins(red.links(table)["B"])
    assert red.sits_at(table).acts(*lineup)["type"] == "done"
    return red, blue, table


def test_what_was_hidden_then_stays_so_until_the_end(server: Server) -> None:
    red, blue, table = lined_up(server, LINEUP)
    _, other, elsewhere = lined_up(server, OTHER)
    assert looks_back(red, table, 6)["position"].startswith("1S11/1T11/1F11/1C11/1O11/1O11/13/13 ")
    for full in (False, True):
        seen = [looks_back(blue, table, n, full) for n in range(7)]
        assert seen == [looks_back(other, elsewhere, n, full) for n in range(7)]
    blue.sits_at(table).does("resign B")
    assert looks_back(blue, table, 6)["svg"] == seen[6]["svg"]
    assert looks_back(blue, table, 6, full=True)["position"].startswith("1S11/")


def test_on_one_device_nobodys_own_view_is_shown(server: Server) -> None:
    seen = []
    for lineup in (LINEUP, OTHER):
        guest = Guest(server)
        table = guest.opens("kahmate", "device")
        assert guest.sits_at(table).acts(*lineup)["type"] == "done"
        seen.append([looks_back(guest, table, n) for n in range(7)])
    assert seen[0] == seen[1]
