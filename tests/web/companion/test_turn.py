"""A turn in the book: the pop, then what they did, by touch."""

from __future__ import annotations

from playwright.sync_api import expect

from support.browser.companion_player import Keeper
from support.browser.companion_positions import AGAIN, BLOCKED, MEAL, MINED, PLACED, RAISE, START
from support.words import sentence


def test_an_ordinary_turn_takes_three_touches(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.is_asked("Red to pop")
    keeper.pops(5)
    row = keeper.page.locator(".move").first
    expect(row).to_contain_text("4 to 9")
    expect(row).to_contain_text("eating Blue's triple: 6 penalties for Blue")
    keeper.taps_on(row)
    sure = keeper.page.locator("[data-key=sure]")
    expect(sure).to_have_text("They moved 4 to 9")
    keeper.taps_on(sure)
    keeper.is_asked("Blue to pop")
    assert keeper.taps == 3
    assert keeper.actions == ["R pop 5", "R t4-t9"]
    expect(keeper.page.locator(".strip li").nth(1)).to_contain_text("7")


def test_the_only_move_is_chosen_already(keeper: Keeper) -> None:
    keeper.opens(START)
    keeper.pops(6)
    keeper.taps_on(keeper.page.locator("[data-key=sure]"))
    keeper.is_asked("Red to pop again")
    assert keeper.actions == ["R pop 6", "R in"]


def test_what_is_not_legal_is_explained_with_its_rule(keeper: Keeper) -> None:
    keeper.opens(BLOCKED)
    keeper.pops(5)
    why = keeper.page.locator(".not-legal")
    expect(why).to_contain_text("15")
    expect(why).to_contain_text(sentence("as-kimble.own-piece"))
    why.get_by_role("link").tap()
    expect(keeper.sheet).to_contain_text("rules")


def test_a_raise_and_what_the_others_give_back(keeper: Keeper) -> None:
    keeper.opens(RAISE)
    keeper.pops(6)
    keeper.moves("R raise g1")
    keeper.is_asked("Red raised: Yellow must send a goal piece home")
    keeper.moves("Y return g2")
    keeper.is_asked("Red to pop again")
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
    keeper.presses(sentence("as-kimble.btn-pass"))
    keeper.is_in_the_book("R pass")
    keeper.is_asked("Blue to pop")
