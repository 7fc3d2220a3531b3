"""Who begins at a table on a screen: Red, another team, or lots, over real sockets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kibitz.core.record import read_record
from kibitz.games import game_of
from kibitz.table.sealed_dice import verify_seal
from support.friends import NAMES, TEAMS, Friends
from support.server_process import Guest, Page, Server


def test_the_starting_team_and_the_colours_are_decided_by_each_team_popping_once(
    server: Server,
) -> None:
    """K17: on a screen as around a board; everybody goes with their colour."""
    friends = Friends(server, start="lots")
    assert all(friends.may_press(seat) for seat in TEAMS)
    assert [seat["name"] for seat in friends.pages["B"].people_view["seats"]] == [
        f"Chair {chair}" for chair in "abcd"
    ]
    friends.draw()
    lots = [code for code in friends.sees("R").codes if " lot " in code]
    assert {code[0] for code in lots} == set("abcd")
    chooser = friends.chooser()
    assert len(friends.offers(chooser, "colour")) == 4
    others = [seat for seat in TEAMS if seat != chooser]
    assert not any(friends.offers(seat, "colour") for seat in others)
    chair = "abcd"[TEAMS.index(chooser)]
    friends.pages[chooser].does(f"{chair} colour Y")
    mine = {seat: friends.sees(seat).people_view["seats"] for seat in TEAMS}
    plays = {s: next(each["seat"] for each in mine[s] if each["is_mine"]) for s in TEAMS}
    turn = TEAMS.index("Y") - TEAMS.index(chooser)
    assert plays == {s: TEAMS[(i + turn) % 4] for i, s in enumerate(TEAMS)}
    told = [note["text"] for note in friends.sees("G").table["notes"]]
    colours = {"R": "Red", "B": "Blue", "Y": "Yellow", "G": "Green"}
    assert {f"{NAMES[seat]} plays {colours[team]}" for seat, team in plays.items()} <= {*told}
    assert f"Otso sat down as {colours[plays['B']]}" in told, "the note is about him still"
    latest = friends.pages["G"].log[-1]["text"]
    assert latest.startswith(f"Chair {chair} took Yellow")
    assert latest.endswith("will start")
    record = friends.host.reads(friends.table, "record")
    assert {team: record["teams"][team]["name"] for team in TEAMS} == {
        team: NAMES[seat] for seat, team in plays.items()
    }


def test_only_teams_with_the_same_number_pop_again(server: Server) -> None:
    """K20: and only where it matters, for the lowest and for the highest."""
    tied = "h4/h4/h4/h4 S:2/2/4/4 d4 0+0/0+0/0+0/0+0 1:- ---- -"
    friends = Friends(server, start=tied.replace("4/4 d4", "4/5 d5"))
    assert [friends.may_press(seat) for seat in TEAMS] == [True, True, False, False]
    assert "once more" in friends.pages["R"].view["hint"]
    assert friends.pages["Y"].acts(seat=None)["type"] == "refused"
    friends.draw()
    again = {code[0] for code in friends.sees("R").codes}
    assert again == {"a", "b"}
    assert friends.chooser() in "RB"


def test_two_who_press_at_once_both_pop_and_nobody_pops_for_another(server: Server) -> None:
    """K17: a press that was meant before another's lot still counts, once."""
    friends = Friends(server, start="lots")
    seq = friends.pages["R"].view["seq"]
    for seat in TEAMS:
        assert friends.pages[seat].acts(seq=seq, seat=seat)["type"] == "done"
    codes = friends.sees("R").codes
    assert [code[0] for code in codes] == ["a", "b", "c", "d"]
    again = Friends(server, start="lots")
    seq = again.pages["B"].view["seq"]
    assert again.pages["B"].acts(seq=seq, seat="B")["type"] == "done"
    assert again.pages["B"].acts(seq=seq, seat="B")["type"] in ("stale", "refused")
    assert again.pages["Y"].acts(seat="R")["type"] == "refused"


@pytest.mark.parametrize("team", ["R", "B", "Y", "G"])
def test_a_table_may_agree_on_any_team_to_begin(guest: Guest, team: str) -> None:
    """K17 and chapter 4: by the form of the first page, and by the API's names."""
    form = {"game": "as-kimble", "play": "device", "start": team}
    answer = guest.client.post("/tables", data=form)
    assert answer.status_code == 303, answer.text
    for table in (answer.headers["location"], guest.begins("as-kimble", start=team)):
        assert f" {team}:N3 " in guest.reads(table, "position")["position"]


def test_programs_are_told_of_beginnings_and_presets(guest: Guest) -> None:
    """K17: the names and positions that a new table takes as `start`."""
    games = {game["name"]: game for game in guest.client.get("/api/v1/games").json()}
    starts = {each["name"]: each["position"] for each in games["as-kimble"]["starts"]}
    assert [*starts] == ["R", "B", "Y", "G", "lots"]
    assert starts["R"] == "start"
    assert " S:-/-/-/- " in starts["lots"]
    assert games["kalamala"]["starts"] == []
    (french,) = games["kahmate"]["named_presets"]
    assert (french["name"], french["options"]) == ("french", {"force_beyond": "exit"})
    assert "French" in french["title"]


def test_bots_pop_for_their_seats_and_take_any_colour(guest: Guest) -> None:
    """K17: against bots; and the seal vouches for every lot."""
    form = {"game": "as-kimble", "play": "bot", "start": "lots", "bot": "random"}
    table = guest.client.post("/tables", data=form).headers["location"]
    page = guest.sits_at(table)

    def is_mine_to_act(page: Page) -> bool:
        kinds = {offer["kind"] for offer in page.view["offers"]}
        return bool(kinds & {"pop", "colour"}) or ":N" in guest.reads(table, "position")["position"]

    while True:
        page.waits_until(is_mine_to_act)
        offers = {offer["kind"]: offer for offer in page.view["offers"]}
        if ":N" in guest.reads(table, "position")["position"].split()[1]:
            break
        page.acts(*offers.get("colour", offers.get("pop", {"actions": []}))["actions"])
    codes = [code for code in page.codes if " lot " in code]
    assert {code[0] for code in codes} == set("abcd")
    page.waits_until(lambda page: any(" colour " in code for code in page.codes))
    page.does('ref end "enough"')
    record = read_record(json.dumps(guest.reads(table, "record")))
    assert verify_seal(game_of(record), record) is None


def test_on_one_device_the_chairs_pop_in_turn(guest: Guest) -> None:
    """K17: whoever has the device presses for the chair that is named."""
    page = guest.sits_at(guest.begins("as-kimble", dict.fromkeys(TEAMS, "me"), start="lots"))
    titles = []
    for _ in TEAMS:
        titles.append(page.view["title"])
        assert page.acts()["type"] == "done"
    assert titles == [f"Chair {chair} to play" for chair in "abcd"]
    assert [code[0] for code in page.codes] == ["a", "b", "c", "d"]


def test_sizes_of_teams_go_with_their_chairs(server: Server) -> None:
    """K17 and law 15: a team of two at chair b is of two in whatever colour."""
    start = "h4/h4/h4/h4 K:bc d6 0+0/0+0/0+0/0+0 1:- ---- -"
    friends = Friends(server, start=start, options={"team_size": [1, 2, 1, 1]})
    assert "team_size" not in friends.host.reads(friends.table, "record")["options"]
    friends.pages["B"].does("b colour G")
    record = friends.host.reads(friends.table, "record")
    assert record["options"]["team_size"] == [1, 1, 1, 2]
    assert friends.host.reads(friends.table, "position")["position"].split()[1] == "R:N3"


def test_a_link_leads_to_the_same_people_after_the_colours_are_chosen(server: Server) -> None:
    """K17: whoever opens an old invitation again is where they sat, in their new colour."""
    start = "h4/h4/h4/h4 K:ab d6 0+0/0+0/0+0/0+0 1:- ---- -"
    friends = Friends(server, start=start)
    team_link = friends.guests["B"].links(friends.table)["B"]
    friends.pages["R"].does("a colour Y")
    assert friends.guests["B"].joins(friends.links["B"]) == "G"
    assert friends.guests["B"].links(friends.table)["G"] == team_link
    mate = Guest(server)
    assert mate.joins(team_link) == "G"
    stranger = Guest(server)
    assert stranger.follows(friends.links["B"]).status_code == 409


def test_a_rematch_begins_in_the_same_way(server: Server) -> None:
    """K17: lots again after lots, and Blue again after Blue."""
    for start, turn in (("lots", "S:-/-/-/-"), ("B", "B:N3")):
        guest = Guest(server)
        page = guest.sits_at(guest.begins("as-kimble", dict.fromkeys(TEAMS, "me"), start=start))
        page.does('ref end "enough"')
        page.does("ask rematch")
        page.waits_until(lambda page: bool(page.table["next"]))
        assert guest.reads(page.table["next"], "position")["position"].split()[1] == turn


def test_lots_go_on_after_a_restart(tmp_path: Path) -> None:
    """K17: what was popped is not popped again."""
    with Server(tmp_path) as server:
        guest = Guest(server)
        table = guest.begins("as-kimble", dict.fromkeys(TEAMS, "me"), start="lots")
        page = guest.sits_at(table)
        page.acts()
        page.acts()
        before = guest.reads(table, "position")["position"]
        server.kill()
    with Server(tmp_path) as server:
        back = guest.comes_back(server)
        assert back.reads(table, "position")["position"] == before
        assert back.sits_at(table).view["title"] == "Chair c to play"
