"""A night from the lots to the winner: three phones, a projector, one book, every mishap."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from kibitz.core.record import Record, read_record, replay
from kibitz.games import GAMES
from support.browser.companion_player import TEAMS, CompanionPlayer, let_phones_in
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

PREPARATION = ("warm 4", "a lot 3", "b lot 5", "c lot 4", "d lot 2", "d colour R")
MISHAPS = ("Y silent 2", "G stray 4", "fix 6", "fix 2", "Y sticky")
TO_THE_FIRST_MEAL = (
    *("Y pop 5", "Y t14-t19", "G pop 6", "G in", "G pop 6", "G double", "G pop 6", "G double"),
    *("G pop 1", "G t21-t22", "R pop 6", "R in", "R pop 3", "R t0-t3", "B pop 1", "B pop 2"),
    *("B pop 3", "Y pop 3", "Y t19-t22"),
)
"""Yellow eats Green's triple, which was all that Green had outside."""
TO_THE_SECOND = (
    *("G pop 1", "G pop 2", "G pop 3", "R pop 1", "R t3-t4", "B pop 6", "B in", "B pop 1"),
    *("B t7-t8", "Y pop 2", "Y t22-t24", "G pop 6", "G in", "G pop 3", "G t21-t24"),
)
"""Green eats Yellow back."""
TO_THE_MINE = (
    *("B pop 6", "B in", "B pop 6", "B double", "B pop 4", "B t8-t12", "Y pop 1", "Y pop 2"),
    *("Y pop 3", "G pop 1", "G t24-t25", "R pop 2", "R t5-t7"),
)
LATE = (
    ("", "Everyone home"),
    *(("t-12", "Red heart, single"), ("t-20", "Red heart, single")),
    *((f"g-{place}", "1 piece") for place in ("R1", "R3", "B2", "B4", "Y2", "Y4", "G1", "G4")),
    ("", "Red to pop"),
)
"""Late in a night, by hand: everybody has a piece to give back, and Red may raise."""
RAISING = ("R pop 6", "R raise g1", "B return g2", "Y return g2", "G return g1")
REFUSED = ("R pop 6", "R propose", "B yes", "Y no", "R t0-t6")
AGREED = ("R pop 6", "R propose", "B yes", "Y yes", "G yes", "R raise g3")
LAST = (
    ("", "Everyone home"),
    *((f"g-R{n}", "1 piece") for n in (1, 2, 3)),
    ("t-27", "Red heart, single"),
    ("", "Red to pop"),
)
"""Red has one to bring home."""


class Night:
    """Who is there: the host, a referee, the team that plays green, and the wall."""

    def __init__(self, seat_player: Seated) -> None:
        self.host = CompanionPlayer(seat_player(finger=True, rough=True), wired=True)
        self.referee = CompanionPlayer(seat_player(finger=True), wired=True)
        self.green = CompanionPlayer(seat_player(finger=True), wired=True)
        self.wall: Page = seat_player().page
        self.phones = (self.host, self.referee, self.green)

    def begins_with_lots(self) -> None:
        page = self.host.page
        page.goto(f"{self.host.address}/")
        page.locator(".book-line").tap()
        page.get_by_label("Name of Yellow").fill("Foxes")
        page.get_by_label("Players of Yellow").fill("Aino,Otso")
        page.get_by_label("Name of Green").fill("Owls")
        page.locator("[value=lots] + span").tap()
        page.locator("[name=reminders][value=everybody] + span").tap()
        page.locator(".start .btn").tap()
        self.host.is_ready()
        for text in PREPARATION:
            self.host.enters(text)

    def gathers(self) -> None:
        """Whoever typed their names as yellow plays green now."""
        self.green.joins(self.host, "G")
        self.referee.joins(self.host, "referee")
        self.host.presses(sentence("page.agree"))
        expect(self.host.page.locator("#tab-referee")).to_have_count(0)
        self.referee.turns_to("referee")
        self.wall.goto(self.host.address + self.host.links()["party"])
        self.wall.locator("main .btn.pri").click()
        self.shows("#teams", "Foxes")
        let_phones_in(self.wall)
        self.shows("#join", sentence("page.party-room"))

    def shows(self, where: str, text: str) -> None:
        """On the wall."""
        expect(self.wall.locator(where)).to_contain_text(text)

    def host_enters(self, *texts: str) -> None:
        self.host.turns_to("turn")
        for text in texts:
            self.host.enters(text)

    def fits(self) -> None:
        for phone in self.phones:
            for tab in phone.page.locator("#tabs button").all():
                tab.tap()
                assert not phone.player.scrolls_sideways(), tab
        assert not self.wall.evaluate("document.documentElement.scrollWidth > innerWidth")


@pytest.fixture
def night(seat_player: Seated) -> Night:
    return Night(seat_player)


@pytest.mark.long
def test_a_whole_night_with_everything_in_it(night: Night, tmp_path: Path) -> None:
    night.begins_with_lots()
    night.gathers()
    grow(night)
    night.host_enters(*MISHAPS)
    night.host.sees_a_church("Y pop 6")
    expect(night.host.page.locator("[data-key=sure]")).to_be_enabled()
    night.host.touches_the_board("h-Y")
    night.host.is_in_the_book("Y in")
    night.shows("#events", "Yellow")
    eat_and_say(night)
    rest(night)
    correct(night)
    raise_and_vote(night)
    keep_only_penalties(night)
    night.fits()
    win(night)
    is_as_replayed(night, tmp_path)
    is_told(night)
    play_again(night)


def test_a_part_of_it(seat_player: Seated, tmp_path: Path) -> None:
    """Without a board, and for a while without a network."""
    host = CompanionPlayer(seat_player(finger=True, rough=True), wired=True)
    blue = CompanionPlayer(seat_player(finger=True), wired=True)
    host.opens("h4/h4/h4/h4 R:N3 d- 2+0/3+0/0+0/0+0 1:- ---- -", depth="ledger")
    blue.joins(host, "B")
    host.is_left_without_a_line()
    host.eats("Eaten", "R2", "Y3")
    host.turns_to("book")
    for team in "BBYR":
        host.does_one(team).tap()
    host.writes_a_note("back upstairs")
    blue.does_one("B").tap()
    blue.does_one("B").tap()
    expect(blue.debt_of("B")).to_have_text("1")
    host.has_a_line_again()
    expect(host.conflict).to_contain_text("Blue: 0 owed, 3 done")
    expect(host.conflict).to_contain_text("Still waiting behind it: 3")
    host.presses(sentence("page.book-leave-out"))
    expect(host.conflict).to_have_count(0)
    host.is_in_the_book("Y done 1", "R done 1", 'note "back upstairs"')
    ledger = host.ledger()
    assert ledger == {"R": (1, 1), "B": (0, 3), "Y": (5, 1), "G": (0, 0)}
    assert replay_books(download_record(host, tmp_path / "night.json")) == ledger


def grow(night: Night) -> None:
    """Somebody joins Blue late; the referee counts them."""
    referee = night.referee
    referee.button_named(sentence("page.book-teams")).tap()
    blue = referee.sheet.get_by_role("group", name="Blue")
    blue.get_by_role("button", name=sentence("page.book-more")).tap()
    referee.sheet.get_by_role("button", name=sentence("page.book-save")).tap()
    night.shows("#events", sentence("table.size", seat="Blue", n=2))


def play_again(night: Night) -> None:
    """The same teams once more, with the score of the night."""
    host = night.host
    host.page.goto(f"{host.address}/book/{night.green.table}")
    host.presses(sentence("page.book-rematch"))
    host.page.get_by_role("link", name=sentence("page.book-rematch-on")).tap()
    host.page.wait_for_url(lambda url: night.green.table not in url)
    host.is_ready()
    teams = host.asks("")["table"]["book"]["teams"]
    assert {team["name"]: team["wins"] for team in teams.values() if team["name"]} == {
        "Foxes": 0,
        "Owls": 1,
    }


def eat_and_say(night: Night) -> None:
    """Hembo in time; missed, then late; and after a mine."""
    host, green = night.host, night.green
    night.host_enters(*TO_THE_FIRST_MEAL)
    night.shows("#duty.urgent", "Foxes")
    green.presses(sentence("page.book-said-it"))
    host.is_in_the_book("G hembo vi")
    expect(night.wall.locator("#duty")).to_be_hidden()
    night.host_enters(*TO_THE_SECOND)
    night.shows("#duty.urgent", "Yellow")
    host.turns_to("turn")
    host.pops(1)
    host.sheet.get_by_role("button", name=sentence("page.book-hembo-not-said")).tap()
    host.is_in_the_book("R pop 1")
    night.host_enters("R t4-t5")
    expect(night.wall.locator('[data-owed="Y"]')).to_have_text("2")
    host.says_hembo("Yellow", "Jag bor i hembo")
    host.is_in_the_book("Y hembo jag")
    expect(night.wall.locator('[data-owed="Y"]')).to_have_text("3")
    night.host_enters(*TO_THE_MINE)
    expect(night.wall.locator('[data-owed="R"]')).to_have_text("2")
    host.says_hembo("Owls", "Jag bor i hembo")
    host.is_in_the_book("R hembo jag")


def rest(night: Night) -> None:
    """A break on every screen; somebody ignores it, and the referee makes it dearer."""
    night.referee.turns_to("turn")
    night.green.page.locator("#pause").tap()
    for phone in night.phones:
        expect(phone.page.locator("#cover")).to_contain_text(sentence("page.book-break"))
    expect(night.wall.locator("#rest")).to_be_visible()
    night.host.tells_who_ignored_it("B", sentence("page.book-ignored-moved"))
    night.host.is_in_the_book("break", "B ignored")
    night.shows("#rest", "Blue ignored the break: 1 penalty")
    night.referee.turns_to("book")
    night.referee.rules("B", 1, "and laughed about it")
    night.referee.turns_to("turn")
    night.green.presses(sentence("page.book-go-on"))
    for phone in night.phones:
        expect(phone.page.locator("#cover")).to_be_hidden()
    expect(night.wall.locator("#rest")).to_be_hidden()
    night.green.does_one("G").tap()
    night.host.is_in_the_book("resume", "G done 1")


def correct(night: Night) -> None:
    """One entry is undone, and then the book goes back to an earlier point."""
    host = night.host
    night.host_enters("B pop 3")
    host.turns_to("book")
    undo = host.page.locator("[data-key=undo]")
    expect(undo).to_contain_text("popped 3")
    undo.tap()
    host.sheet.get_by_role("button", name=sentence("page.book-undo-this")).tap()
    host.is_in_the_book("resume", "G done 1")
    night.host_enters("B pop 4", "B t7-t11", "Y pop 5")
    host.turns_to("book")
    before = len(host.actions) - 3
    host.page.locator(f'[data-to="{before}"]').tap()
    host.sheet.get_by_label(sentence("page.reason")).fill("that was the other dome")
    host.sheet.get_by_role("button", name=sentence("page.book-go-back")).tap()
    host.is_in_the_book("resume", "G done 1")
    night.shows("#events", "that was the other dome")


def raise_and_vote(night: Night) -> None:
    """The board says otherwise; a raise, a round refused and one agreed to."""
    referee = night.referee
    referee.turns_to("referee")
    referee.button_named(sentence("page.book-rule-pieces")).tap()
    referee.button_named(sentence("page.book-edit-board")).tap()
    referee.sets_the_board(*LATE)
    night.host_enters(*RAISING)
    referee.button_named(sentence("page.book-edit-board")).tap()
    referee.puts("h-B", "Has raised in this round")
    night.green.does_one("G").tap()
    night.host.is_in_the_book("G done 1")
    for team in "YG":
        referee.puts(f"h-{team}", "Has raised in this round")
    referee.page.locator("#board-dock .pri").tap()
    expect(referee.page.locator("#banner")).to_contain_text("in the meantime")
    referee.sets_the_board()
    assert night.host.ledger()["G"] == (1, 2)
    night.host_enters(*REFUSED)
    night.host_enters(*AGREED)
    night.shows("#duty.urgent", "Blue")
    night.host.says_hembo("Blue", "Vi bor i hembo")
    night.green.presses(sentence("page.book-said-it"))
    night.host.is_in_the_book("B hembo vi", "G hembo vi")
    night.host_enters("R pop 1", "R t0-t1")
    night.host.pops(1)
    night.host.sheet.get_by_role("button", name=sentence("page.book-hembo-not-said")).tap()
    night.host.is_in_the_book("B pop 1")


def keep_only_penalties(night: Night) -> None:
    """Without the board for a while; the host goes to the cellar, and others write meanwhile."""
    host, referee = night.host, night.referee
    referee.button_named(sentence("page.book-depth-ledger")).tap()
    referee.sheet.get_by_role("button", name=sentence("page.book-depth-ledger")).tap()
    expect(night.wall.locator("body.ledger")).to_be_visible()
    assert host.ledger() == {"R": (2, 0), "B": (2, 0), "Y": (4, 0), "G": (1, 2)}
    host.is_left_without_a_line()
    written = in_the_cellar(host)
    assert len(written) == 20
    referee.rules("Y", -2, "counted twice")
    night.green.does_one("G").tap()
    before = len(referee.actions)
    referee.is_in_the_book('ref pen Y -2 "counted twice"', "G done 1")
    host.has_a_line_again()
    expect(host.conflict).to_contain_text("Yellow: 1 done")
    expect(host.conflict).to_contain_text("Yellow: 0 owed, 2 done")
    expect(host.conflict).to_contain_text("Still waiting behind it: 16")
    assert host.actions[before:] == written[:3]
    host.presses(sentence("page.book-leave-out"))
    expect(host.conflict).to_contain_text("Still waiting behind it: 15")
    referee.rules("Y", 1, "once more")
    host.presses(sentence("page.learn-again"))
    night.shows("#events", "back upstairs")
    sent = [*written[:3], 'ref pen Y +1 "once more"', *written[4:]]
    assert host.actions[before:] == sent
    expect(host.conflict).to_have_count(0)
    assert host.ledger() == {"R": (1, 2), "B": (8, 1), "Y": (7, 3), "G": (2, 4)}


def in_the_cellar(host: CompanionPlayer) -> list[str]:
    """Twenty entries without a network; what is to be written of them."""
    host.turns_to("book")
    host.writes_a_note("no signal here")
    for _ in range(4):
        host.does_one("Y").tap()
    host.turns_to("turn")
    host.eats("Eaten", "R2", "B3")
    host.eats("Eaten", "G1", "R1")
    host.eats("Mine", "Y2", "G1")
    host.eats("Raise", "R1", "G3")
    host.eats("Raise", "B1")
    for team, how in (
        ("Blue", "Said in time"),
        ("Blue", "Missed"),
        ("Yellow", "Not said right in time"),
    ):
        host.says_hembo(team, how)
    host.eats("Eaten", "B1", "Y4")
    host.turns_to("book")
    for team in "RRBG":
        host.does_one(team).tap()
    host.writes_a_note("the stairs are steep")
    host.writes_a_note("back upstairs")
    expect(host.page.locator(".waits-card")).to_contain_text("20 entries are waiting")
    return [
        'note "no signal here"',
        *["Y done 1"] * 4,
        *("led eat R2 B3", "led eat G1 R1", "led mine Y2 G1", "led raise R G3", "led raise B"),
        *("led hembo B said", "led hembo B missed", "led hembo Y wrong", "led eat B1 Y4"),
        *["R done 1", "R done 1", "B done 1", "G done 1"],
        'note "the stairs are steep"',
        'note "back upstairs"',
    ]


def win(night: Night) -> None:
    """With the board again: Red's last piece comes home, and then its last penalties are done."""
    referee, host = night.referee, night.host
    referee.turns_to("referee")
    referee.button_named(sentence("page.book-depth-full")).tap()
    referee.sets_the_board(*LAST)
    night.host_enters("R pop 4", "R t27-g4")
    host.turns_to("book")
    host.does_one("R").tap()
    expect(host.sheet).to_contain_text(sentence("page.book-last-done-hint", team="Owls"))
    host.sheet.get_by_role("button", name=sentence("page.book-last-done-yes")).tap()
    night.shows("#duty.won", "Owls")
    for phone in night.phones:
        phone.turns_to("turn")
        expect(phone.page.locator(".ended")).to_contain_text("Owls")
    expect(night.wall.locator(".team.won .crown")).to_be_attached()


def is_as_replayed(night: Night, tmp_path: Path) -> None:
    """The record by itself leads to what the phones and the wall say."""
    ledger = night.host.ledger()
    for phone in (night.referee, night.green):
        assert phone.ledger() == ledger
    assert {team: owed for team, (owed, _) in ledger.items()} == {
        team: int(night.wall.locator(f'[data-owed="{team}"]').inner_text()) for team in TEAMS
    }
    record = download_record(night.host, tmp_path / "night.json")
    assert replay_books(record) == ledger
    assert record.result["winner"] == "R"


def download_record(bookkeeper: CompanionPlayer, path: Path) -> Record:
    """From the page of the night, once `kibitz verify` has nothing to say against it."""
    page = bookkeeper.page
    page.goto(f"{bookkeeper.address}/t/{bookkeeper.table}/night")
    with page.expect_download() as download:
        page.locator("a[download]").tap()
    download.value.save_as(path)
    kibitz = [sys.executable, "-c", "from kibitz.cli.main import main; main()"]
    checked = subprocess.run([*kibitz, "verify", path], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    return read_record(path.read_text("utf-8"))


def replay_books(record: Record) -> dict[str, tuple[int, int]]:
    """What is owed and done by the engine's own account."""
    *_, last = replay(GAMES[record.game].game(record.options), record)
    books = zip(TEAMS, last.step.state.books, strict=True)
    return {team: (book.owed, book.done) for team, book in books}


def is_told(night: Night) -> None:
    """On the page of the night, and move by move on the board."""
    page = night.host.page
    expect(page.get_by_role("heading", level=1)).to_contain_text("Owls")
    expect(page.locator("main")).to_contain_text("the other dome")
    assert not night.host.player.scrolls_sideways()
    wall, count = night.wall, len(night.green.actions)
    wall.goto(f"{night.green.address}/t/{night.green.table}")
    expect(wall.locator("#stage #pc-g-R4")).to_be_attached()
    wall.keyboard.press("Escape")
    wall.keyboard.press("[")
    wall.keyboard.press("[")
    expect(wall.locator("#prompt")).to_contain_text(f"After move {count - 2} of {count}")
