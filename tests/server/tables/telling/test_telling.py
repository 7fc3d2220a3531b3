"""Events in the words of each viewer: people by their names, and you."""

from __future__ import annotations

import pytest

from kibitz.server.http.requests import LANGUAGE_COOKIE
from support.server_process import Guest, Page, Server

PULL = "8/8/1AA2B2/8/8/8/8/8 A 3,3 3,4 51 -"
MEAL = "h2,t4x2/h1,t9x3/h4/h4 R:M5 d5 0+0/0+0/0+0/0+0 1:- ---- -"
RUNNING = "13/3C9/5S4f2/4o!1Fo1s3/4Ot7/5O!7/4T8/8c4 R play g4:3 g4 134/156 0-0 22 -"
LAST_BLOCK = "8/8/1AA4B/8/8/8/8/8 A 0,0 6,7 51 -"
SEATS = {"kalamala": ("A", "B"), "kahmate": ("R", "B"), "as-kimble": ("R", "B")}
LANGUAGES = ("en", "fr", "fi", "sv")


def people_at(server: Server, guest: Guest, game: str, start: str, *names: str) -> list[Page]:
    """Aino and Väinö at two seats, bots at all others; each of them reads another language."""
    first, second = SEATS[game]
    bots = {"Y": "level-1", "G": "level-2"} if game == "as-kimble" else {}
    aino, vaino = guest, Guest(server)
    aino.calls_himself(names[0])
    table = aino.begins(game, {first: "me", second: "free", **bots}, start=start)
    vaino.calls_himself(names[1])
    vaino.joins(aino.links(table)[second])
    return [aino.sits_at(table), vaino.sits_at(table)]


def speaks(guest: Guest, language: str) -> None:
    guest.client.cookies.set(LANGUAGE_COOKIE, language)


TOLD = {
    "en": ("You pulled Väinö's block to d6", "Aino pulled your block to d6"),
    "fr": ("Tu as tiré le bloc de Väinö en d6", "Aino a tiré ton bloc en d6"),
    "fi": ("Sinä vedit Väinön palikan ruutuun d6", "Aino veti palikkasi ruutuun d6"),
    "sv": ("Du drog Väinös block till d6", "Aino drog ditt block till d6"),
}
EATEN = {
    "en": ("Your double ate Väinö's triple: Väinö +6", "Aino's double ate your triple: +6"),
    "fr": (
        "Le triple de Väinö a été mangé par ton double\u00a0: Väinö +6",
        "Ton triple a été mangé par le double d\N{RIGHT SINGLE QUOTATION MARK}Aino\u00a0: +6",
    ),
    "fi": ("Sinun tuplasi söi Väinön triplan: Väinö +6", "Ainon tupla söi triplasi: +6"),
    "sv": ("Din dubbel åt upp Väinös trippel: Väinö +6", "Ainos dubbel åt upp din trippel: +6"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_move_is_told_by_names_and_you(server: Server, guest: Guest, language: str) -> None:
    told = _both_read(server, guest, language, "kalamala", PULL, "f6:W2")
    assert told == TOLD[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_meal_is_told_with_its_cost(server: Server, guest: Guest, language: str) -> None:
    told = _both_read(server, guest, language, "as-kimble", MEAL, "R t4-t9")
    assert told == EATEN[language]


def _both_read(
    server: Server, guest: Guest, language: str, game: str, start: str, action: str
) -> tuple[str, str]:
    """The first sentence that the one and the other are told."""
    first, second = SEATS[game]
    bots = {"Y": "level-1", "G": "level-2"} if game == "as-kimble" else {}
    vaino = Guest(server)
    for each, name in ((guest, "Aino"), (vaino, "Väinö")):
        speaks(each, language)
        each.calls_himself(name)
    table = guest.begins(game, {first: "me", second: "free", **bots}, start=start)
    vaino.joins(guest.links(table)[second])
    aino_page, vaino_page = guest.sits_at(table), vaino.sits_at(table)
    seq = aino_page.acts(action)["seq"]
    view, other = aino_page.waits_for(seq), vaino_page.waits_for(seq)
    return view["short_texts"][0], other["short_texts"][0]


def test_bots_of_one_level_go_by_their_colours(guest: Guest) -> None:
    bots = dict.fromkeys("BYG", "level-2")
    page = guest.sits_at(guest.begins("as-kimble", {"R": "me", **bots}, start=MEAL))
    page.acts("R t4-t9")
    assert page.view["short_texts"][0] == "Your double ate Blue's triple: Blue +6"


def test_on_one_device_sides_go_by_their_colours(guest: Guest) -> None:
    guest.calls_himself("Aino")
    page = guest.sits_at(guest.begins("kalamala", {"A": "me", "B": "me"}, start=PULL))
    page.acts("f6:W2")
    assert page.view["short_texts"] == ["Rings pulled f6 to d6"]


def test_two_at_a_seat_are_both_named(server: Server, guest: Guest) -> None:
    table = guest.begins(
        "as-kimble", {"R": "me", "B": "free", "Y": "level-1", "G": "level-2"}, start=MEAL
    )
    inviting = guest
    for name in ("Väinö", "Ada"):
        other = Guest(server)
        other.calls_himself(name)
        other.joins(inviting.links(table)["B"])
        inviting = other
    page = guest.sits_at(table)
    page.acts("R t4-t9")
    assert page.view["short_texts"][0] == "Your double ate Väinö and Ada's triple: Väinö and Ada +6"


def test_a_run_is_told_as_one_and_marked_as_one_turn(server: Server, guest: Guest) -> None:
    aino, vaino = people_at(server, guest, "kahmate", RUNNING, "Aino", "Väinö")
    for action in ("g4-g3", "g3-h3", "end"):
        seq = aino.acts(action)["seq"]
    view = vaino.waits_for(seq)
    assert view["recap"] == ["Aino's Fast man carried the ball from g4 to h3"]
    assert (view["recap_from"], view["short_texts"]) == (0, ["Aino ended the turn"])
    men = [(m["from"], m["to"]) for m in view["last"] if m["from"].startswith("sq-")]
    assert men == [("sq-g4", "sq-g3"), ("sq-g3", "sq-h3")]
    assert aino.view["recap"] == []


def test_a_turn_is_headed_once_in_the_list_of_moves(server: Server, guest: Guest) -> None:
    aino, vaino = people_at(server, guest, "kahmate", RUNNING, "Aino", "Väinö")
    for action in ("g4-g3", "g3-h3", "end"):
        aino.acts(action)
    vaino.waits_for(aino.view["seq"])
    aino.waits_for(vaino.acts("end")["seq"])
    heads = ["turn 23 of 200", "", "", "turn 24 of 200"]
    assert [entry["turn"] for entry in aino.log] == heads


def test_the_anchor_is_marked_for_the_other_until_he_acts(server: Server, guest: Guest) -> None:
    aino, vaino = people_at(server, guest, "kalamala", PULL, "Aino", "Väinö")
    view = vaino.waits_for(aino.acts("f6:W2")["seq"])
    marks = [(mark["kind"], tuple(mark["places"])) for mark in view["last_marks"]]
    assert marks == [("anchor", ("sq-b6", "sq-c6")), ("beam", ("sq-c6", "sq-d6"))]
    vaino.acts("@h1")
    assert vaino.view["last_marks"] == []


def test_moments_come_from_the_game_with_their_place_and_cost(server: Server, guest: Guest) -> None:
    aino, _ = people_at(server, guest, "as-kimble", MEAL, "Aino", "Väinö")
    aino.acts("R t4-t9")
    (moment,) = [event["moment"] for event in aino.view["events"] if event["moment"]]
    assert moment == {
        "effect": "bite",
        "title": "+6",
        "place": "t-9",
        "seat": "B",
        "amount": 6,
        "is_shown_before": False,
    }


def test_a_try_is_no_fanfare_to_the_other(server: Server, guest: Guest) -> None:
    start = "13/13/13/11F1/13/9o3/13/13 R play - l4 246/123 0-0 22 -"
    aino, vaino = people_at(server, guest, "kahmate", start, "Aino", "Väinö")
    seq = aino.acts("l4-m4")["seq"]
    heard = [
        [event["sound"] for event in view["events"] if event["moment"]]
        for view in (aino.view, vaino.waits_for(seq))
    ]
    assert heard == [["try"], ["lost"]]
    assert aino.view["short_texts"] == ["Your Fast man scored a try: 1\N{EN DASH}0"], "and no more"


def test_the_end_names_the_opponent_and_the_next_level(guest: Guest) -> None:
    seats = {"A": "me", "B": "level-2"}
    page = guest.sits_at(guest.begins("kalamala", seats, start=LAST_BLOCK))
    page.acts("h6:E1")
    outcome = page.view["outcome"]
    assert outcome["title"] == "You won"
    assert outcome["why"] == "Level 2 had no legal action left"
    assert outcome["opponent"] == "Level 2"
    assert outcome["next_level"]["label"] == "Next: level 3"
    assert outcome["next_level"]["form"]["bot"] == "level-3"


DUELLING = "13/13/13/9Fo2/13/13/13/13 R play - j4 246/123 0-0 22 -"


def test_a_duel_on_the_board_goes_by_names(server: Server, guest: Guest) -> None:
    aino, vaino = people_at(server, guest, "kahmate", DUELLING, "Aino", "Väinö")
    seq = aino.acts("j4>k4")["seq"]
    assert "Väinö&#x27;s Ordinary" in aino.view["layers"]["pieces"]
    seq = aino.acts("card=2")["seq"]
    drawn = vaino.waits_for(seq)["layers"]["pieces"]
    assert "Aino chose, and cannot see yours" in drawn
    assert "Red" not in drawn
    assert "Your Ordinary" in drawn


def test_offers_name_people(server: Server, guest: Guest) -> None:
    aino, _ = people_at(server, guest, "kalamala", LAST_BLOCK, "Aino", "Väinö")
    said = {offer["prompts"][-1] for offer in aino.view["offers"] if offer["actions"] == ["h6:E1"]}
    assert said == {"Push h6 off the board: that costs Väinö one piece"}


def test_rulings_name_people(server: Server, guest: Guest) -> None:
    table = guest.begins("kalamala", {"A": "me", "B": "free"}, start=PULL)
    guest.calls_himself("Aino")
    vaino, rea = Guest(server), Guest(server)
    vaino.calls_himself("Väinö")
    vaino.joins(guest.links(table)["B"])
    rea.joins(guest.links(table)["referee"])
    page = rea.sits_at(table)
    for player in (guest.sits_at(table), vaino.sits_at(table)):
        player.waits_until(lambda each: bool(each.table["request"]))
        player.does("agree")
    page.waits_until(lambda each: each.table["referee"] is not None)
    labels = {item["label"] for item in page.table["menu"]}
    assert {"Rule a forfeit by Aino", "Rule a forfeit by Väinö"} <= labels


def test_nobody_goes_on_from_the_highest_level_or_after_a_loss(guest: Guest) -> None:
    for level, action in (("level-6", "h6:E1"), ("level-2", "resign A")):
        table = guest.begins("kalamala", {"A": "me", "B": level}, start=LAST_BLOCK)
        page = guest.sits_at(table)
        page.acts(action)
        assert page.view["outcome"]["next_level"] is None
