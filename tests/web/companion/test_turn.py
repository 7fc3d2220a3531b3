"""A turn in the book: the pop, then what they did, by touch."""

from __future__ import annotations

from playwright.sync_api import expect

from support.browser.companion_player import TOUCH_MOMENT, CompanionPlayer
from support.browser.companion_positions import AGAIN, BLOCKED, MEAL, MINED, PLACED, RAISE, START
from support.words import sentence


def test_an_ordinary_turn_takes_three_touches(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(MEAL)
    bookkeeper.is_asked("Red to pop")
    bookkeeper.pops(5)
    row = bookkeeper.page.locator(".move").first
    expect(row).to_contain_text(sentence("page.book-piece-rear"))
    expect(row).to_contain_text("Eats Blue's triple: Blue +6.")
    bookkeeper.taps_on(row)
    sure = bookkeeper.page.locator("[data-key=sure]")
    expect(sure).to_have_text("They moved the rear piece")
    bookkeeper.taps_on(sure)
    bookkeeper.is_asked("Blue to pop")
    assert bookkeeper.taps == 3
    assert bookkeeper.actions == ["R pop 5", "R t4-t9"]
    expect(bookkeeper.page.locator(".strip li").nth(1)).to_contain_text("7")


def test_the_only_move_is_chosen_already(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(START)
    bookkeeper.pops(6)
    bookkeeper.taps_on(bookkeeper.page.locator("[data-key=sure]"))
    bookkeeper.is_asked("Red to pop again")
    assert bookkeeper.actions == ["R pop 6", "R in"]


def test_what_is_not_legal_is_explained_with_its_rule(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(BLOCKED)
    bookkeeper.pops(5)
    why = bookkeeper.page.locator(".not-legal")
    expect(why).to_contain_text(sentence("page.book-piece-middle"))
    expect(why).to_contain_text(sentence("as-kimble.own-piece"))
    why.get_by_role("link").tap()
    expect(bookkeeper.sheet).to_contain_text("rules")


def test_a_raise_and_what_the_others_give_back(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(RAISE)
    bookkeeper.pops(6)
    bookkeeper.moves("R raise g1")
    bookkeeper.is_asked("Red raised: Yellow must send a goal piece home")
    bookkeeper.moves("Y return g2")
    bookkeeper.is_asked("Red to pop again")
    assert bookkeeper.actions == ["R pop 6", "R raise g1", "Y return g2"]


def test_a_new_round_is_asked_for_and_voted_on(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(AGAIN)
    bookkeeper.pops(6)
    bookkeeper.moves("R propose")
    for team, name in (("B", "Blue"), ("Y", "Yellow"), ("G", "Green")):
        bookkeeper.is_asked(f"{name}: allow Red a new raise round?")
        bookkeeper.moves(f"{team} yes")
    expect(bookkeeper.page.locator('[data-text="R raise g3"]')).to_be_visible()
    assert bookkeeper.actions[-3:] == ["B yes", "Y yes", "G yes"]


def test_running_into_a_mine(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(MINED)
    bookkeeper.pops(6)
    expect(bookkeeper.page.locator(".move")).to_contain_text("Onto a mine: Red +1.")
    bookkeeper.taps_on(bookkeeper.page.locator("[data-key=sure]"))
    bookkeeper.is_in_the_book("R t1-t7")
    expect(bookkeeper.page.locator(".strip li").first).to_contain_text("4")


def test_a_double_and_a_pass(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens("h3,t0/h4/h4/h4 R:P1 d6 0+0/0+0/0+0/0+0 1:- ---- -")
    bookkeeper.pops(6)
    bookkeeper.moves("R double")
    bookkeeper.is_in_the_book("R pop 6", "R double")
    bookkeeper.opens(PLACED)
    bookkeeper.presses(sentence("as-kimble.btn-pass"))
    bookkeeper.is_in_the_book("R pass")
    bookkeeper.is_asked("Blue to pop")


def test_the_piece_that_moved_is_touched_on_the_board(bookkeeper: CompanionPlayer) -> None:
    """No hole has a number; a piece that cannot move is explained, and a second touch writes it."""
    bookkeeper.opens(BLOCKED)
    board = bookkeeper.page.locator(".turn-board")
    bookkeeper.pops(5)
    assert not board.locator(".l-ground text").first.is_visible()
    expect(bookkeeper.page.locator(".not-legal")).to_contain_text(
        sentence("page.book-piece-middle")
    )
    bookkeeper.touches_the_board("t-15")
    expect(board.locator(".l-refuse > *").first).to_be_attached()
    bookkeeper.touches_the_board("t-20")
    sure = bookkeeper.page.locator("[data-key=sure]")
    expect(sure).to_have_text("They moved the front piece")
    expect(bookkeeper.page.locator(".move.on")).to_have_attribute("data-text", "R t20-t25")
    bookkeeper.touches_the_board("t-1")
    expect(sure).to_have_text("They moved the rear piece")
    assert len(bookkeeper.actions) == 1
    bookkeeper.touches_the_board("t-6")
    bookkeeper.is_in_the_book("R pop 5", "R t1-t6")
    bookkeeper.is_asked("Blue to pop")


def test_the_pops_of_a_turn_are_seen_and_a_wrong_number_is_taken_back(
    bookkeeper: CompanionPlayer,
) -> None:
    bookkeeper.opens(START)
    for face in (4, 2):
        bookkeeper.pops(face)
        bookkeeper.is_in_the_book(f"R pop {face}")
    series = bookkeeper.page.locator(".series")
    expect(series).to_have_attribute("aria-label", f"{sentence('page.book-series')}: 4, 2")
    expect(series.locator(".to-come")).to_have_count(1)
    bookkeeper.pops(6)
    bookkeeper.presses(sentence("page.book-pop-again"))
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-undo-this")).tap()
    bookkeeper.is_in_the_book("R pop 4", "R pop 2")


def test_two_touches_of_a_face_in_one_breath_are_one_pop(bookkeeper: CompanionPlayer) -> None:
    """The page looks alike before and after: a team of three pops would lose one.

    The moment of a touch is the test's, however long the book takes to write the first.
    """
    bookkeeper.page.add_init_script(TOUCH_MOMENT)
    bookkeeper.opens(START)
    key = bookkeeper.page.locator('#page .face[data-face="4"]')
    series = bookkeeper.page.locator(".series")
    for moment, pops in ((1000, "4"), (1250, "4"), (1600, "4"), (2100, "4, 4")):
        bookkeeper.page.evaluate("(moment) => { window.touchMoment = moment; }", moment)
        key.tap()
        expect(series).to_have_attribute("aria-label", f"{sentence('page.book-series')}: {pops}")
        bookkeeper.is_in_the_book(*[f"R pop {face}" for face in pops.split(", ")])
    assert bookkeeper.actions == ["R pop 4", "R pop 4"]


def test_the_card_of_a_reset_is_of_the_team_that_popped_out_of_turn(
    bookkeeper: CompanionPlayer,
) -> None:
    teams = {"G": {"name": "Solsidan"}}
    bookkeeper.opens(START.replace("R:N3 d-", "Y:N3 d4"), teams=teams)
    bookkeeper.enters("G stray 2")
    bookkeeper.is_asked("Pop the die back to 4")
    card = bookkeeper.page.locator(".head-card")
    expect(card).to_have_class("head-card team-G")
    expect(card).to_contain_text(sentence("page.book-stray-was", team="Solsidan"))
