"""A turn in the book: the pop, then what they did, by touch."""

from __future__ import annotations

from playwright.sync_api import expect

from support.browser.companion_player import TOUCH_MOMENT, Keeper
from support.browser.companion_positions import AGAIN, BLOCKED, MEAL, MINED, PLACED, RAISE, START
from support.words import sentence


def test_an_ordinary_turn_takes_three_touches(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.is_asked("Red to pop")
    keeper.pops(5)
    row = keeper.page.locator(".move").first
    expect(row).to_contain_text(sentence("page.book-piece-rear"))
    expect(row).to_contain_text("Eats Blue's triple: Blue +6.")
    keeper.taps_on(row)
    sure = keeper.page.locator("[data-key=sure]")
    expect(sure).to_have_text("They moved the rear piece")
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
    expect(why).to_contain_text(sentence("page.book-piece-middle"))
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
    expect(keeper.page.locator(".move")).to_contain_text("Onto a mine: Red +1.")
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


def test_the_piece_that_moved_is_touched_on_the_board(keeper: Keeper) -> None:
    """No hole has a number; a piece that cannot move is explained, and a second touch writes it."""
    keeper.opens(BLOCKED)
    board = keeper.page.locator(".turn-board")
    keeper.pops(5)
    assert not board.locator(".l-ground text").first.is_visible()
    expect(keeper.page.locator(".not-legal")).to_contain_text(sentence("page.book-piece-middle"))
    keeper.touches_the_board("t-15")
    expect(board.locator(".l-refuse > *").first).to_be_attached()
    keeper.touches_the_board("t-20")
    sure = keeper.page.locator("[data-key=sure]")
    expect(sure).to_have_text("They moved the front piece")
    expect(keeper.page.locator(".move.on")).to_have_attribute("data-text", "R t20-t25")
    keeper.touches_the_board("t-1")
    expect(sure).to_have_text("They moved the rear piece")
    assert len(keeper.actions) == 1
    keeper.touches_the_board("t-6")
    keeper.is_in_the_book("R pop 5", "R t1-t6")
    keeper.is_asked("Blue to pop")


def test_the_pops_of_a_turn_are_seen_and_a_wrong_number_is_taken_back(keeper: Keeper) -> None:
    keeper.opens(START)
    for face in (4, 2):
        keeper.pops(face)
        keeper.is_in_the_book(f"R pop {face}")
    series = keeper.page.locator(".series")
    expect(series).to_have_attribute("aria-label", f"{sentence('page.book-series')}: 4, 2")
    expect(series.locator(".to-come")).to_have_count(1)
    keeper.pops(6)
    keeper.presses(sentence("page.book-pop-again"))
    keeper.sheet.get_by_role("button", name=sentence("page.book-undo-this")).tap()
    keeper.is_in_the_book("R pop 4", "R pop 2")


def test_two_touches_of_a_face_in_one_breath_are_one_pop(keeper: Keeper) -> None:
    """The page looks alike before and after: a team of three pops would lose one.

    The moment of a touch is the test's, however long the book takes to write the first.
    """
    keeper.page.add_init_script(TOUCH_MOMENT)
    keeper.opens(START)
    key = keeper.page.locator('#page .face[data-face="4"]')
    series = keeper.page.locator(".series")
    for moment, pops in ((1000, "4"), (1250, "4"), (1600, "4"), (2100, "4, 4")):
        keeper.page.evaluate("(moment) => { window.touchMoment = moment; }", moment)
        key.tap()
        expect(series).to_have_attribute("aria-label", f"{sentence('page.book-series')}: {pops}")
        keeper.is_in_the_book(*[f"R pop {face}" for face in pops.split(", ")])
    assert keeper.actions == ["R pop 4", "R pop 4"]


def test_the_card_of_a_reset_is_of_the_team_that_popped_out_of_turn(keeper: Keeper) -> None:
    teams = {"G": {"name": "Solsidan"}}
    keeper.opens(START.replace("R:N3 d-", "Y:N3 d4"), teams=teams)
    keeper.enters("G stray 2")
    keeper.is_asked("Pop the die back to 4")
    card = keeper.page.locator(".head-card")
    expect(card).to_have_class("head-card team-G")
    expect(card).to_contain_text(sentence("page.book-stray-was", team="Solsidan"))
