"""The book on a phone: set up in a minute, kept with a thumb, honest without a network."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, expect

from support.browser.axe import serious
from support.browser.companion_player import Keeper

if TYPE_CHECKING:
    from web.conftest import Seated

START = "h4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -"
MEAL = "h1,t4x2,t20/h1,t9x3/h4/h4 R:N1 d3 2+5/1+3/4+2/0+6 1:- ---- -"
"""With a five Red's double eats all that Blue has outside."""
OWES = "h3,t9/h4/h4/h4 B:N3 d5 2+0/6+0/0+0/0+0 1:- -!-- -"
RAISE = "t0,t12,g1,g3/h3,g4/t20,t8,g2,g4/h3,g1 R:P1 d6 0+1/2+0/0+0/1+0 1:- ---- -"
AGAIN = "t0,t12,g1,g3/h3,g4/t20,t8,g2,g4/h3,g1 R:P1 d6 0+1/2+0/0+0/1+0 1:RBYG ---- -"
MINED = "t1,g2,g3,g4/h3,t7/h4/h4 R:P1 d6 3+0/0+0/0+0/0+0 1:- ---- -"
PLACED = "g1,g2,g3,g4/h3,g4/h2,t20,g4/h3,g1 R:N3 d2 2+5/0+3/0+0/1+0 1:B ---- -"
BLOCKED = "h1,t1,t15,t20/h4/h4/h4 R:N1 d3 0+0/0+0/0+0/0+0 1:- ---- -"
"""With a five Red's piece on 15 would land on its own."""


@pytest.fixture
def keeper(seated: Seated) -> Keeper:
    return Keeper(seated(finger=True))


# Setting up


def test_the_first_pop_is_three_touches_away(keeper: Keeper) -> None:
    keeper.page.goto(f"{keeper.address}/")
    keeper.taps_on(keeper.page.locator(".book-line"))
    keeper.taps_on(keeper.page.locator(".start .btn"))
    keeper.is_ready()
    keeper.pops(6)
    keeper.is_in_the_book("R pop 6")
    assert keeper.taps == 3


def test_teams_players_and_house_rules_are_set_up(keeper: Keeper) -> None:
    page = keeper.page
    page.goto(f"{keeper.address}/book")
    page.get_by_label("Name of Blue").fill("Foxes")
    page.get_by_label("Players of Blue").fill("Aino")
    page.keyboard.press("Enter")
    page.keyboard.type("Otso")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Remove Aino").tap()
    page.get_by_label("Players of Blue").fill("Ella")
    adults = page.locator("#adults")
    expect(adults).to_be_hidden()
    page.locator("[value=cans] + span").tap()
    expect(adults).to_contain_text("18+")
    page.locator("[value=soft] + span").tap()
    expect(adults).to_be_hidden()
    page.get_by_label("Doubled penalties").check()
    page.locator("[name=begins][value=B] + span").tap()
    page.locator("summary").tap()
    page.get_by_label("Hembo").select_option(label="is left out")
    page.locator(".start .btn").tap()
    keeper.is_ready()
    keeper.is_asked("Foxes pops")
    expect(page.locator(".head-card")).to_contain_text("Otso, Ella")
    expect(page.locator("[data-key=hembo]")).to_have_count(0)
    record = keeper.asks("record")
    options = record["options"]
    assert (options["mode"], options["pace"]) == ("companion", "free")
    assert (options["team_size"], options["unit"], options["unit_factor"]) == (
        [1, 2, 1, 1],
        "soft",
        2,
    )
    assert options["hembo"] == "off"
    assert record["teams"]["B"] == {"name": "Foxes", "players": ["Otso", "Ella"]}
    keeper.turns_to("book")
    expect(page.locator(".shares li").nth(1)).to_have_text("1 = 4 half soft drinks, team of 2")


def test_a_unit_of_ones_own_needs_a_name(keeper: Keeper) -> None:
    page = keeper.page
    page.goto(f"{keeper.address}/book")
    page.locator("[value=custom] + span").tap()
    page.locator(".start .btn").tap()
    expect(page.get_by_label("Name of the unit")).to_be_focused()
    page.get_by_label("Name of the unit").fill("squats")
    page.locator(".start .btn").tap()
    keeper.is_ready()
    keeper.turns_to("book")
    expect(page.locator(".page .chip").first).to_have_text("1 = 1 squats, team of 1")


def test_lots_decide_who_begins_and_teams_keep_their_people(keeper: Keeper) -> None:
    page = keeper.page
    page.goto(f"{keeper.address}/book")
    page.get_by_label("Name of Green").fill("Foxes")
    page.get_by_label("Players of Green").fill("Aino,Otso")
    page.locator("[value=lots] + span").tap()
    page.locator(".start .btn").tap()
    keeper.is_ready()
    keeper.presses("Loosen the dome")
    keeper.pops(4)
    keeper.is_in_the_book("warm 4")
    for face, action in ((3, "a lot 3"), (5, "b lot 5"), (4, "c lot 4"), (2, "d lot 2")):
        keeper.pops(face)
        keeper.is_in_the_book(action)
    keeper.is_asked("Foxes to choose a colour")
    keeper.moves("d colour R")
    keeper.is_in_the_book("d colour R")
    keeper.is_asked("Yellow pops")
    assert keeper.asks("record")["teams"]["R"] == {"name": "Foxes", "players": ["Aino", "Otso"]}


# The turn


def test_an_ordinary_turn_takes_three_touches(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.is_asked("Red pops")
    keeper.pops(5)
    row = keeper.page.locator(".move").first
    expect(row).to_contain_text("4 to 9")
    expect(row).to_contain_text("eats Blue's triple, 6 penalties for Blue")
    keeper.taps_on(row)
    sure = keeper.page.locator("[data-key=sure]")
    expect(sure).to_have_text("They moved 4 to 9")
    keeper.taps_on(sure)
    keeper.is_asked("Blue pops")
    assert keeper.taps == 3
    assert keeper.actions == ["R pop 5", "R t4-t9"]
    expect(keeper.page.locator(".strip li").nth(1)).to_contain_text("7")


def test_the_only_move_is_chosen_already(keeper: Keeper) -> None:
    keeper.opens(START)
    keeper.pops(6)
    keeper.taps_on(keeper.page.locator("[data-key=sure]"))
    keeper.is_asked("Red pops again")
    assert keeper.actions == ["R pop 6", "R in"]


def test_what_is_not_legal_is_explained_with_its_rule(keeper: Keeper) -> None:
    keeper.opens(BLOCKED)
    keeper.pops(5)
    why = keeper.page.locator(".not-legal")
    expect(why).to_contain_text("15")
    expect(why).to_contain_text("Your own piece is there.")
    why.get_by_role("link").tap()
    expect(keeper.sheet).to_contain_text("Rules")


def test_everything_that_happens_to_a_dome(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.presses("Silent pop")
    keeper.pops(2)
    keeper.is_in_the_book("R silent 2")
    keeper.presses("Church")
    keeper.is_in_the_book("church")
    keeper.presses("Wrong team popped")
    keeper.page.locator(".btn.team-G").tap()
    keeper.pops(4)
    keeper.is_in_the_book("G stray 4")
    keeper.is_asked("Pop the die back to 2")
    keeper.pops(6)
    keeper.is_in_the_book("fix 6")
    keeper.pops(2)
    keeper.is_in_the_book("fix 2")
    keeper.is_asked("Red pops")
    keeper.presses("Die didn't move")
    keeper.is_in_the_book("R sticky")
    keeper.is_asked("Red popped 2")
    # Somebody pops while the number is still to be played.
    keeper.presses("Wrong team popped")
    keeper.page.locator(".btn.team-R").tap()
    keeper.pops(2)
    keeper.is_in_the_book("R stray 2")


def test_a_raise_and_what_the_others_give_back(keeper: Keeper) -> None:
    keeper.opens(RAISE)
    keeper.pops(6)
    keeper.moves("R raise g1")
    keeper.is_asked("Red raised: Yellow must send a goal piece home")
    keeper.moves("Y return g2")
    keeper.is_asked("Red pops again")
    assert keeper.actions == ["R pop 6", "R raise g1", "Y return g2"]


def test_a_new_round_is_asked_for_and_voted_on(keeper: Keeper) -> None:
    keeper.opens(AGAIN)
    keeper.pops(6)
    keeper.moves("R propose")
    for team, name in (("B", "Blue"), ("Y", "Yellow"), ("G", "Green")):
        keeper.is_asked(f"{name}: allow Red a new raise round?")
        keeper.moves(f"{team} yes")
    expect(keeper.page.locator('[data-text="R raise g3"]')).to_be_visible()
    assert keeper.actions[-3:] == ["B yes", "Y yes", "G yes"]


def test_running_into_a_mine(keeper: Keeper) -> None:
    keeper.opens(MINED)
    keeper.pops(6)
    expect(keeper.page.locator(".move")).to_contain_text("1 penalty")
    keeper.taps_on(keeper.page.locator("[data-key=sure]"))
    keeper.is_in_the_book("R t1-t7")
    expect(keeper.page.locator(".strip li").first).to_contain_text("4")


def test_a_double_and_a_pass(keeper: Keeper) -> None:
    keeper.opens("h3,t0/h4/h4/h4 R:P1 d6 0+0/0+0/0+0/0+0 1:- ---- -")
    keeper.pops(6)
    keeper.moves("R double")
    keeper.is_in_the_book("R pop 6", "R double")
    keeper.opens(PLACED)
    keeper.presses("Pass")
    keeper.is_in_the_book("R pass")
    keeper.is_asked("Blue pops")


def test_hembo_in_time_and_for_nothing(keeper: Keeper) -> None:
    keeper.opens(OWES)
    keeper.page.locator("[data-key=hembo]").tap()
    blue = keeper.page.get_by_role("group", name="Blue")
    expect(blue.get_by_role("button")).to_have_text(["Jag bor i hembo"])
    keeper.page.keyboard.press("Escape")
    keeper.turns_to("book")
    expect(keeper.page.locator(".head-card.due")).to_contain_text("Sentence due: Blue")
    keeper.presses("Said it")
    keeper.is_in_the_book("B hembo jag")
    expect(keeper.page.locator(".head-card.due")).to_have_count(0)
    keeper.turns_to("turn")
    keeper.page.locator("[data-key=hembo]").tap()
    expect(keeper.sheet).to_contain_text("costs 1 penalty")
    keeper.page.get_by_role("group", name="Green").get_by_role("button").first.tap()
    keeper.is_in_the_book("G hembo jag")
    expect(keeper.page.locator(".strip li").last).to_contain_text("1")


@pytest.mark.parametrize(
    ("answer", "entered", "owed"),
    [("Yes, in time", ["B hembo jag", "B pop 2"], "6"), ("No, too late", ["B pop 2"], "7")],
)
def test_before_a_missed_sentence_is_booked_the_page_asks_once_whether_they_said_it(
    keeper: Keeper, answer: str, entered: list[str], owed: str
) -> None:
    """K56."""
    keeper.opens(OWES)
    keeper.pops(2)
    expect(keeper.sheet).to_contain_text("Did they say it?")
    keeper.sheet.get_by_role("button", name=answer).tap()
    keeper.is_in_the_book(*entered)
    expect(keeper.page.locator(".strip li").nth(1)).to_contain_text(owed)
    keeper.pops(3)
    keeper.is_in_the_book(*entered, "B pop 3")


def test_nobody_is_offered_the_sentence_while_lots_are_drawn(keeper: Keeper) -> None:
    """K55."""
    keeper.opens("h4/h4/h4/h4 S:-/-/-/- d- 0+0/0+0/0+0/0+0 1:- ---- -")
    expect(keeper.page.locator(".face").first).to_be_visible()
    expect(keeper.page.locator("[data-key=hembo]")).to_have_count(0)


def test_a_break_covers_every_phone(keeper: Keeper, seated: Seated) -> None:
    keeper.opens(MEAL)
    other = Keeper(seated(finger=True))
    other.joins(keeper, "B")
    other.page.locator("#pause").tap()
    for each in (keeper, other):
        expect(each.page.locator("#cover")).to_contain_text("Break")
    keeper.presses("End break")
    for each in (keeper, other):
        expect(each.page.locator("#cover")).to_be_hidden()
    assert keeper.actions == ["break", "resume"]


# Without the board


def test_an_eating_takes_three_touches_without_the_board(keeper: Keeper) -> None:
    keeper.opens(START, depth="ledger")
    keeper.taps_on(who(keeper, 0, "R2"))
    keeper.taps_on(who(keeper, 1, "B3"))
    expect(keeper.page.locator(".told")).to_have_text(re.compile(r"^Red .2 ate Blue .3: Blue \+6$"))
    keeper.taps_on(keeper.page.locator("[data-key=write]"))
    expect(keeper.page.locator(".strip li").nth(1)).to_contain_text("6")
    assert keeper.taps == 3
    assert keeper.position[3] == "0+0/6+0/0+0/0+0"


def test_a_mine_a_raise_and_the_sentence_without_the_board(keeper: Keeper) -> None:
    keeper.opens(START, depth="ledger")
    keeper.named("Mine").tap()
    who(keeper, 0, "Y2").tap()
    who(keeper, 1, "G1").tap()
    keeper.page.locator("[data-key=write]").tap()
    expect(keeper.page.locator(".strip li").nth(2)).to_contain_text("2")
    keeper.named("Raise").tap()
    who(keeper, 0, "R1").tap()
    who(keeper, 1, "G3").tap()
    keeper.page.locator("[data-key=write]").tap()
    expect(keeper.page.locator(".strip li").nth(3)).to_contain_text("3")
    for how, owed in (("Said in time", "0"), ("Missed", "1"), ("Not said right in time", "2")):
        keeper.page.locator("[data-key=hembo]").tap()
        blue = keeper.page.get_by_role("group", name="Blue")
        blue.get_by_role("button", name=how).tap()
        expect(keeper.page.locator(".strip li").nth(1)).to_contain_text(owed)
    keeper.named("Someone has won").tap()
    keeper.sheet.get_by_role("button", name="Red").tap()
    expect(keeper.page.locator(".ended")).to_be_visible()


def test_going_back_to_the_board_asks_where_things_are(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.turns_to("referee")
    keeper.named("Penalties only").tap()
    keeper.sheet.get_by_role("button", name="Penalties only").tap()
    keeper.turns_to("turn")
    expect(keeper.page.locator(".who")).to_have_count(1)
    keeper.turns_to("referee")
    keeper.named("Everything").tap()
    keeper.puts("t-9", "Empty")
    keeper.page.locator("#board-dock .pri").tap()
    expect(keeper.page.locator("#board-page")).to_be_hidden()
    keeper.turns_to("turn")
    expect(keeper.page.locator(".face")).to_have_count(6)
    assert keeper.position[0] == "h1,t4x2,t20/h4/h4/h4"
    assert keeper.position[3] == "2+5/1+3/4+2/0+6"


# Mistakes and rulings


def test_undo_says_what_it_undoes_and_deletes_nothing(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.pops(4)
    keeper.is_in_the_book("R pop 4")
    keeper.turns_to("book")
    undo = keeper.page.locator("[data-key=undo]")
    expect(undo).to_contain_text("Red popped 4")
    undo.tap()
    keeper.sheet.get_by_role("button", name="Undo this entry").tap()
    expect(undo).to_have_count(0)
    assert keeper.actions == []
    keeper.turns_to("turn")
    keeper.pops(5)
    keeper.presses("Pop again")
    keeper.sheet.get_by_label("Why?").fill("a six, really")
    keeper.sheet.get_by_role("button", name="Undo this entry").tap()
    keeper.is_asked("Red pops")
    notes = [note["text"] for note in keeper.asks("view")["table"]["notes"]]
    assert any("a six, really" in note for note in notes)


def test_the_book_goes_back_to_any_point(keeper: Keeper) -> None:
    keeper.opens(START)
    for face in (1, 2, 3):
        keeper.pops(face)
        keeper.is_in_the_book(f"R pop {face}")
    keeper.turns_to("book")
    keeper.page.locator('[data-to="1"]').tap()
    expect(keeper.sheet.locator(".gone li")).to_have_text(["Red popped 3", "Red popped 2"])
    keeper.sheet.get_by_role("button", name="Go back").tap()
    expect(keeper.page.locator(".last li")).to_have_count(1)
    assert keeper.actions == ["R pop 1"]


def test_the_referee_gives_and_takes_with_a_reason(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.turns_to("referee")
    write = keeper.page.locator("[data-key=rule]")
    expect(write).to_be_disabled()
    keeper.page.locator("[data-team=Y]").tap()
    keeper.named("one fewer").tap()
    expect(keeper.page.locator(".counted")).to_contain_text("4 becomes 3")
    keeper.named("board bumped").tap()
    write.tap()
    keeper.is_in_the_book('ref pen Y -1 "board bumped"')
    keeper.named("Completed").tap()
    keeper.page.get_by_label("Why?").fill("two at once")
    write.tap()
    keeper.is_in_the_book('ref done Y +1 "two at once"')
    keeper.named("Ruling only").tap()
    keeper.page.get_by_label("Why?").fill("no phones in the sauna")
    write.tap()
    keeper.is_in_the_book('ref rule "no phones in the sauna"')
    assert keeper.position[3] == "2+5/1+3/3+3/0+6"


def test_the_board_says_otherwise(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.turns_to("referee")
    keeper.named("Pieces").tap()
    keeper.named("Set the pieces").tap()
    keeper.puts("t-20", "Empty")
    keeper.puts("t-21", "Red heart, single")
    keeper.page.locator("#board-dock .pri").tap()
    expect(keeper.page.locator("#board-page")).to_be_hidden()
    assert keeper.position[0].startswith("h1,t4x2,t21/")
    assert keeper.actions[-1].startswith('ref set "h1,t4x2,t21/')


def test_what_others_enter_while_the_board_is_set_is_not_lost(
    keeper: Keeper, seated: Seated
) -> None:
    keeper.opens(MEAL)
    phone = Keeper(seated(finger=True))
    phone.joins(keeper, "Y")
    keeper.turns_to("referee")
    keeper.named("Pieces").tap()
    keeper.named("Set the pieces").tap()
    keeper.puts("t-20", "Empty")
    phone.does_one("Y").tap()
    keeper.is_in_the_book("Y done 1")
    keeper.page.locator("#board-dock .pri").tap()
    expect(keeper.page.locator("#banner")).to_contain_text("in the meantime")
    keeper.sets_the_board()
    assert keeper.position[0].startswith("h2,t4x2/")
    assert keeper.position[3] == "2+5/1+3/3+3/0+6"


def test_a_ruling_is_about_penalties_where_there_is_no_board(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.turns_to("referee")
    keeper.named("Pieces").tap()
    keeper.named("Penalties only").tap()
    keeper.sheet.get_by_role("button", name="Penalties only").tap()
    expect(keeper.named("Penalties")).to_have_attribute("aria-pressed", "true")
    keeper.named("board bumped").tap()
    keeper.page.locator("[data-key=rule]").tap()
    keeper.is_in_the_book('ref pen R +1 "board bumped"')


def test_teams_are_renamed_and_the_game_is_ended(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.turns_to("referee")
    keeper.named("Teams and players").tap()
    keeper.sheet.get_by_label("Name of Red").fill("Owls")
    keeper.sheet.get_by_label("Players of Red").fill("Aino, Otso")
    keeper.sheet.get_by_role("button", name="Save").tap()
    keeper.turns_to("turn")
    keeper.is_asked("Owls pops")
    keeper.turns_to("referee")
    keeper.named("End the match").tap()
    keeper.sheet.get_by_label("Why?").fill("the sun is up")
    keeper.sheet.get_by_role("button", name="End the match").tap()
    keeper.turns_to("turn")
    expect(keeper.page.locator(".ended")).to_contain_text("the sun is up")


# Several phones


def test_a_teams_phone_shows_its_own_side_first(keeper: Keeper, seated: Seated) -> None:
    keeper.opens(OWES, teams={"B": {"name": "Foxes", "players": ["Aino"]}})
    phone = Keeper(seated(finger=True))
    phone.joins(keeper, "B")
    expect(keeper.page.locator("#chips")).to_have_text("2 phones")
    expect(phone.page.locator(".ours h2")).to_have_text("Foxes")
    expect(phone.owed("B")).to_have_text("6")
    phone.does_one("B").tap()
    expect(phone.owed("B")).to_have_text("5")
    phone.presses("Said it")
    expect(phone.named("Said it")).to_have_count(0)
    phone.writes_a_note("pizza is here")
    keeper.is_in_the_book("B done 1", "B hembo jag", 'note "pizza is here"')
    expect(phone.page.locator("#tab-referee")).to_have_count(0)
    expect(phone.page.locator(".face")).to_have_count(0)
    phone.turns_to("book")
    expect(phone.does_one("R")).to_have_count(0)
    expect(phone.page.locator("[data-key=undo]")).to_have_count(0)


def test_who_may_enter_what_is_a_setting(keeper: Keeper, seated: Seated) -> None:
    keeper.opens(MEAL)
    phone = Keeper(seated(finger=True))
    phone.joins(keeper, "R")
    keeper.turns_to("referee")
    keeper.named("turns as well").tap()
    phone.pops(5)
    phone.moves("R t20-t25")
    keeper.is_in_the_book("R pop 5", "R t20-t25")
    keeper.named("nothing").tap()
    expect(phone.does_one("R")).to_have_count(0)
    expect(phone.page.locator(".hembo")).to_have_count(0)
    expect(phone.page.locator("#pause")).to_be_hidden()
    expect(phone.owed("R")).to_have_text("2")


def test_a_bookkeeper_enters_everything_once_the_teams_agree(
    keeper: Keeper, seated: Seated
) -> None:
    keeper.opens(MEAL)
    other = Keeper(seated(finger=True))
    other.joins(keeper, "bookkeeper")
    expect(other.page.locator(".face")).to_have_count(0)
    keeper.presses("Agree")
    other.turns_to("turn")
    other.pops(5)
    other.moves("R t4-t9")
    keeper.is_in_the_book("R pop 5", "R t4-t9")
    expect(keeper.page.locator(".asked")).to_have_count(0)


def test_a_watcher_reads_the_book_and_enters_nothing(keeper: Keeper, seated: Seated) -> None:
    keeper.opens(MEAL)
    guest = Keeper(seated(finger=True))
    guest.joins(keeper, "watch")
    expect(guest.owed("Y")).to_have_text("4")
    expect(guest.page.locator("[data-one-done]")).to_have_count(0)
    expect(guest.page.locator("#tabs button")).to_have_count(2)


def test_codes_for_every_phone_and_the_party_screen(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.turns_to("screen")
    code = keeper.page.locator(".code")
    shown = set()
    for place in ("R", "B", "Y", "G", "referee", "bookkeeper", "watch", "party"):
        keeper.page.locator(f'[data-place="{place}"]').tap()
        expect(code.locator("img")).to_have_attribute("src", f"/t/{keeper.table}/qr/{place}")
        shown.add(code.locator("input").input_value())
    assert shown == {keeper.address + link for link in keeper.links().values()}
    party = keeper.page.get_by_role("link", name="Party screen")
    expect(party).to_have_attribute("href", f"/party/{keeper.table}")


# Without a network


def test_twenty_entries_without_a_line_arrive_in_order(keeper: Keeper, seated: Seated) -> None:
    keeper.opens("h4/h4/h4/h4 R:N3 d- 0+0/30+0/0+0/0+0 1:- ---- -")
    phone = Keeper(seated(finger=True))
    phone.joins(keeper, "B")
    phone.is_left_without_a_line()
    wanted = []
    for n in range(6):
        phone.does_one("B").tap()
        phone.does_one("B").tap()
        phone.writes_a_note(f"round {n}")
        wanted += ["B done 1", "B done 1", f'note "round {n}"']
    phone.page.locator(".hembo").tap()
    phone.sheet.get_by_role("button", name="Jag bor i hembo").tap()
    phone.does_one("B").tap()
    wanted += ["B hembo jag", "B done 1"]
    assert len(wanted) == 20
    expect(phone.page.locator(".waits-card")).to_contain_text("20 entries wait")
    phone.page.reload()
    expect(phone.page.locator("#tabs button")).to_have_count(0)
    assert keeper.actions == []
    keeper.pops(2)
    keeper.is_in_the_book("R pop 2")
    phone.is_cut_off = False
    phone.is_ready()
    keeper.is_in_the_book("R pop 2", *wanted)
    expect(phone.page.locator(".waits-card")).to_have_count(0)
    expect(phone.owed("B")).to_have_text("18")
    assert all(one < two for one, two in pairwise(keeper.asks("record")["times"]))


def test_a_line_that_has_gone_silent_is_given_up(keeper: Keeper) -> None:
    """Nobody tells a phone in a cellar that its line is dead."""
    keeper.page.clock.install()
    keeper.opens("h4/h4/h4/h4 R:N3 d- 0+0/2+0/0+0/0+0 1:- ---- -")
    keeper.turns_to("book")
    keeper.is_deaf = True
    keeper.does_one("B").tap()
    keeper.does_one("B").tap()
    keeper.is_in_the_book("B done 1")
    keeper.is_cut_off = True
    keeper.page.clock.fast_forward(9000)
    expect(keeper.page.locator("#chips")).to_have_text("offline")
    expect(keeper.page.locator(".waits")).to_have_count(2)
    keeper.is_cut_off = keeper.is_deaf = False
    keeper.page.clock.fast_forward(9000)
    keeper.is_in_the_book("B done 1", "B done 1")
    expect(keeper.owed("B")).to_have_text("0")
    assert len(keeper.actions) == 2


def test_without_a_line_turns_wait_and_ledger_entries_are_kept(keeper: Keeper) -> None:
    keeper.opens(START)
    keeper.is_left_without_a_line()
    keeper.pops(3)
    expect(keeper.page.locator("#banner")).to_contain_text("offline")
    keeper.has_a_line_again()
    assert keeper.actions == []
    keeper.opens(START, depth="ledger")
    keeper.is_left_without_a_line()
    for first, second in (("R2", "B3"), ("G1", "R1")):
        who(keeper, 0, first).tap()
        who(keeper, 1, second).tap()
        keeper.page.locator("[data-key=write]").tap()
    keeper.turns_to("book")
    expect(keeper.page.locator(".waits")).to_have_count(2)
    keeper.has_a_line_again()
    expect(keeper.owed("B")).to_have_text("6")
    expect(keeper.owed("R")).to_have_text("1")


def test_a_break_is_not_kept_for_later(keeper: Keeper) -> None:
    """It has to reach everybody at once."""
    keeper.opens(MEAL)
    keeper.is_left_without_a_line()
    keeper.page.locator("#pause").tap()
    expect(keeper.page.locator("#banner")).to_contain_text("Say it out loud")
    keeper.has_a_line_again()
    expect(keeper.page.locator("#cover")).to_be_hidden()
    assert keeper.actions == []


def conflicting(keeper: Keeper, seated: Seated) -> Keeper:
    """A phone that says, cut off, that both of Blue's penalties are done; one was already."""
    keeper.opens("h4/h4/h4/h4 R:N3 d- 0+0/2+0/0+0/0+0 1:- ---- -")
    phone = Keeper(seated(finger=True))
    phone.joins(keeper, "B")
    phone.is_left_without_a_line()
    phone.does_one("B").tap()
    phone.does_one("B").tap()
    phone.writes_a_note("that was all")
    keeper.turns_to("book")
    keeper.does_one("B").tap()
    keeper.is_in_the_book("B done 1")
    phone.has_a_line_again()
    expect(phone.conflict).to_contain_text("Blue: 1 done")
    expect(phone.conflict).to_contain_text("Blue: 0 owed, 2 done")
    expect(phone.conflict).to_contain_text("Still waiting behind it: 1")
    assert keeper.actions == ["B done 1", "B done 1"]
    return phone


def test_the_first_one_refused_stops_the_rest_and_is_left_out(
    keeper: Keeper, seated: Seated
) -> None:
    phone = conflicting(keeper, seated)
    phone.page.reload()
    expect(phone.conflict).to_contain_text("Blue: 1 done")
    phone.presses("Discard it")
    keeper.is_in_the_book("B done 1", "B done 1", 'note "that was all"')
    expect(phone.conflict).to_have_count(0)


def test_what_was_refused_is_tried_again(keeper: Keeper, seated: Seated) -> None:
    phone = conflicting(keeper, seated)
    phone.presses("Try again")
    expect(phone.conflict).to_be_visible()
    keeper.turns_to("referee")
    keeper.page.locator("[data-team=B]").tap()
    keeper.named("wrong entry").tap()
    keeper.page.locator("[data-key=rule]").tap()
    phone.presses("Try again")
    keeper.is_in_the_book('ref pen B +1 "wrong entry"', "B done 1", 'note "that was all"')


def test_what_was_refused_is_changed(keeper: Keeper) -> None:
    keeper.opens("h4/h4/h4/h4 R:N3 d- 0+0/3+0/0+0/0+0 1:- ---- -")
    entry = '{"kind": "done", "team": "B", "n": 5, "key": "typed-too-much", "at": 0}'
    keeper.page.evaluate(
        "([name, entry]) => localStorage.setItem(name, `[${entry}]`)",
        [f"kibitz-book-{keeper.table}", entry],
    )
    keeper.page.reload()
    expect(keeper.conflict).to_contain_text("Blue: 5 done")
    keeper.presses("Change it")
    for _ in range(3):
        keeper.sheet.get_by_role("button", name="one fewer").tap()
    keeper.sheet.get_by_role("button", name="Write it down").tap()
    keeper.is_in_the_book("B done 2")
    expect(keeper.conflict).to_have_count(0)


# For everybody


def test_water_is_suggested_only_to_those_who_want_it(keeper: Keeper) -> None:
    keeper.page.clock.install()
    keeper.opens(MEAL)
    banner = keeper.page.locator("#banner")
    keeper.page.clock.fast_forward("50:00")
    keeper.is_ready()
    expect(banner).to_be_hidden()
    keeper.turns_to("screen")
    keeper.page.get_by_label("Suggest water").check()
    keeper.page.clock.fast_forward("45:00")
    expect(banner).to_contain_text("A glass of water")
    keeper.page.get_by_label("Suggest water").uncheck()
    keeper.page.clock.fast_forward("00:30")
    expect(banner).to_be_hidden()
    keeper.page.clock.fast_forward("50:00")
    keeper.is_ready()
    expect(banner).to_be_hidden()


@pytest.mark.parametrize(
    ("language", "pops", "book"),
    [
        ("fr", "Rouge lance", "Pénalités"),
        ("fi", "Punainen naksauttaa", "Sakot"),
        ("sv", "Röd knäpper", "Straff"),
    ],
)
def test_the_book_speaks_other_languages(
    seated: Seated, language: str, pops: str, book: str
) -> None:
    keeper = Keeper(seated(finger=True, locale=language))
    keeper.opens(MEAL)
    keeper.is_asked(pops)
    keeper.turns_to("book")
    expect(keeper.page.locator(".page h2").first).to_have_text(book)
    for tab in ("turn", "book", "referee", "screen"):
        keeper.turns_to(tab)
        assert not keeper.player.scrolls_sideways(), tab


@pytest.mark.parametrize("theme", [pytest.param("light", marks=pytest.mark.long), "dark"])
def test_axe_finds_nothing_serious_in_the_book(seated: Seated, theme: str) -> None:
    keeper = Keeper(seated(finger=True, color_scheme=theme))
    page = keeper.page
    page.goto(f"{keeper.address}/book")
    is_fine(keeper, "set-up")
    keeper.opens(OWES, teams={"B": {"name": "The foxes of the third floor", "players": ["Aino"]}})
    for tab in ("turn", "book", "referee", "screen"):
        keeper.turns_to(tab)
        page.wait_for_load_state("networkidle")
        is_fine(keeper, tab)
    keeper.turns_to("turn")
    keeper.page.locator("[data-key=hembo]").tap()
    is_fine(keeper, "hembo")
    page.keyboard.press("Escape")
    keeper.page.locator("#pause").tap()
    expect(keeper.page.locator("#cover")).to_be_visible()
    is_fine(keeper, "break")
    keeper.opens(START, depth="ledger")
    who(keeper, 0, "R2").tap()
    is_fine(keeper, "ledger")


def is_fine(keeper: Keeper, name: str) -> None:
    page = keeper.page
    assert not serious(page), name
    assert not keeper.player.scrolls_sideways(), name
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, summary, .btn')].filter((each) => {
          const { width, height } = each.getBoundingClientRect();
          return each.checkVisibility() && (width < 43.5 || height < 43.5);
        }).map((each) => each.outerHTML.slice(0, 120))"""
    )
    assert not small, name


def who(keeper: Keeper, place: int, pick: str) -> Locator:
    return keeper.page.locator(".who").nth(place).locator(f'[data-pick="{pick}"]')
