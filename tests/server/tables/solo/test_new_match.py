"""New matches for somebody who plays against bots."""

from __future__ import annotations

from support.server_process import Guest

SOLO = {"A": "me", "B": "greedy"}


def test_a_new_match_has_the_same_settings_and_another_level(guest: Guest) -> None:
    clock = {"kind": "fischer", "minutes": 9.0, "seconds": 2.0}
    table = guest.begins("kalamala", SOLO, settings={"clock": clock})
    answer = guest.client.post(f"{table}/again", data={"bot": "level-3"}, follow_redirects=False)
    assert answer.status_code == 303
    another = answer.headers["location"]
    assert another != table
    page = guest.sits_at(another)
    assert [seat["bot"] for seat in page.people_view["seats"]] == ["", "level-3"]
    assert guest.reads(another)["settings"]["clock"] == clock
    assert guest.client.post(f"{table}/again", data={"bot": "nobody"}).status_code == 400
