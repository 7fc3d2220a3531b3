"""Puzzles, solved in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Locator, expect

from kibitz.games import GAMES
from kibitz.puzzles.puzzle import Puzzle, collection_of
from kibitz.server.puzzles.days import todays_puzzle
from kibitz.server.puzzles.solving import solution_path
from support.browser.axe import serious_but_drawings
from support.browser.player import TIMEOUT_MS, Player
from support.browser.tutorial_player import BEAT, BUTTON, PLAYED_OUT
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

RECORD = "() => JSON.parse(localStorage.getItem('puzzles') ?? '{}')"


class Solver:
    """Somebody at the page of a puzzle."""

    def __init__(self, player: Player, path: str, puzzle: Puzzle) -> None:
        self.player, self.page, self.puzzle = player, player.page, puzzle
        self.page.goto(player.address + path)
        player.sees_the_board()

    @property
    def task(self) -> Locator:
        return self.page.locator("#prompt .say" if self.player.finger else "#lesson")

    def button(self, key: str) -> Locator:
        return self.page.get_by_role("button", name=sentence(key), exact=True).locator(
            "visible=true"
        )

    def touches(self, path: tuple[str, ...]) -> None:
        for place in path:
            if place.startswith(BUTTON):
                self.player.presses(self.player.button(place))
            else:
                self.player.touches(place)
            self.page.wait_for_timeout(BEAT)
        for _ in range(TIMEOUT_MS // BEAT):
            sure = self.page.locator("#prompt.sure .btn.pri")
            if sure.count():
                self.player.presses(sure)
                return
            if not self.page.locator("#prompt.asks").count():
                return
            self.page.wait_for_timeout(BEAT)

    def record(self) -> Any:
        return self.page.evaluate(RECORD)


def first_puzzle(game: str) -> tuple[Puzzle, tuple[str, ...]]:
    collection = collection_of(game)
    assert collection
    puzzle = collection.puzzles[0]
    return puzzle, solution_path(collection, puzzle)


@pytest.mark.parametrize(
    ("game", "finger"),
    [
        ("kalamala", True),
        pytest.param("kalamala", False, marks=pytest.mark.long),
        pytest.param("kahmate", True, marks=pytest.mark.long),
        pytest.param("as-kimble", False, marks=pytest.mark.long),
    ],
)
def test_a_puzzle_is_solved_after_hints(seat_player: Seated, game: str, finger: bool) -> None:
    puzzle, path = first_puzzle(game)
    solver = Solver(seat_player(finger=finger), f"/puzzles/{game}/{puzzle.id}", puzzle)
    page, player = solver.page, solver.player
    rings = page.locator("[data-ring]")
    expect(rings).to_have_count(0)
    player.presses(solver.button("page.puzzle-hint"))
    expect(
        page.locator(f"[data-ring='{path[0]}'], .ringed[data-button='{path[0]}']").first
    ).to_be_attached()
    assert solver.record()["tried"] == {game: {puzzle.id: False}}
    assert solver.record()["ratings"][game]["points"] < 1500
    solver.touches(path)
    expect(solver.button("page.puzzle-next")).to_be_visible(timeout=PLAYED_OUT)
    assert solver.record()["tried"] == {game: {puzzle.id: True}}
    assert not player.scrolls_sideways()
    assert serious_but_drawings(page) == []
    player.presses(solver.button("page.puzzle-why"))
    expect(page.locator("#sheet .told li")).to_have_count(1 + len(puzzle.then))
    page.keyboard.press("Escape")
    player.presses(solver.button("page.puzzle-next"))
    page.wait_for_url(lambda url: puzzle.id not in url.split("?")[0])
    player.sees_the_board()


@pytest.mark.parametrize("finger", [pytest.param(False, marks=pytest.mark.long), True])
def test_whoever_gives_up_is_shown_the_solution(seat_player: Seated, finger: bool) -> None:
    puzzle, _ = first_puzzle("kalamala")
    solver = Solver(seat_player(finger=finger), f"/puzzles/kalamala/{puzzle.id}", puzzle)
    for _ in range(2):
        solver.player.presses(solver.button("page.puzzle-hint"))
    solver.player.presses(solver.button("page.puzzle-give-up"))
    expect(solver.button("page.puzzle-next")).to_be_visible(timeout=PLAYED_OUT)
    assert solver.record()["tried"] == {"kalamala": {puzzle.id: False}}


@pytest.mark.long
def test_the_puzzle_of_the_day_is_there_without_a_network(seat_player: Seated) -> None:
    found = todays_puzzle()
    assert found
    game, puzzle = found
    collection = collection_of(game)
    assert collection
    player = seat_player(finger=True, keeps=True)
    page = player.page
    page.goto(player.address)
    page.evaluate("() => { dispatchEvent(new Event('appinstalled')); }")
    page.wait_for_function("() => caches.match('/offline')", timeout=120_000)
    page.context.set_offline(True)
    solver = Solver(player, "/puzzles/today", puzzle)
    solver.touches(solution_path(collection, puzzle))
    expect(solver.button("page.puzzle-next")).to_be_visible(timeout=PLAYED_OUT)
    assert len(solver.record()["days"]) == 1
    assert solver.record()["ratings"] == {}


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_list_marks_what_is_solved(seat_player: Seated, game: str) -> None:
    puzzle, _ = first_puzzle(game)
    player = seat_player(finger=True)
    page = player.page
    page.goto(f"{player.address}/puzzles")
    kept = {"tried": {game: {puzzle.id: True}}, "days": [], "ratings": {game: {"points": 1612}}}
    page.evaluate("(kept) => localStorage.setItem('puzzles', JSON.stringify(kept))", kept)
    page.reload()
    expect(page.locator(f"[data-game='{game}'] [data-rating]")).to_contain_text("1612")
    page.goto(f"{player.address}/puzzles/{game}")
    assert page.locator(".numbers .done").count() == 1
    assert not player.scrolls_sideways()
    assert serious_but_drawings(page) == []
