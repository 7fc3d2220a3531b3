"""Matches that end, are corrected, go on and are restored, and someone who guesses their draws.

The guesser knows every seed that was ever published, every text that people added, and what was
drawn in a time that a restored backup has undone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any
from uuid import uuid4

from typer.testing import CliRunner

from kibitz.cli.main import app
from kibitz.games import GAMES
from kibitz.server.admin.backup import back_up
from kibitz.server.admin.restore import restore_data
from kibitz.server.settings import Settings
from kibitz.table import open_table
from kibitz.table.sealed_dice import fair_draw
from support.server_process import Guest, Page, Server, api, at_last

POPS = 4
"""Draws of AS-Kimble between two ends."""
BEGUN = "h4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -"
"""Red has three pops to get a six."""
FAR_FROM_LUCK = 6
"""So many standard deviations are no luck."""


@dataclass
class Guesses:
    """The guesses about draws that followed a reopening."""

    draws: int = 0
    published_seeds: int = 0
    """Draws whose seed had been published before."""
    guesses: int = 0
    right: int = 0
    lucky: float = 0.0
    """As many would be right by luck."""
    records: int = 0
    refused: list[str] = field(default_factory=list)
    """The answers of `kibitz verify` to records that it did not accept."""

    def count_guess(self, is_right: bool, chance: float) -> None:
        self.guesses += 1
        self.right += is_right
        self.lucky += chance

    @property
    def is_well(self) -> bool:
        """True if nothing was known, as far as guesses can tell."""
        most = self.lucky + FAR_FROM_LUCK * sqrt(self.lucky + 1)
        return not self.published_seeds and not self.refused and self.right <= most


class ReopenedMatch:
    """A match of one person at all seats; who may correct it depends on the game."""

    def __init__(self, server: Server, game: str) -> None:
        self.guest, self.game = Guest(server), game
        start = BEGUN if game == "as-kimble" else "start"
        seats = dict.fromkeys(GAMES[game].game({}).seats, "me")
        self.table = self.guest.begins(game, seats, start=start)
        self.page: Page = self.guest.sits_at(self.table)
        self.referee = self.guest
        if game == "kahmate":
            self.referee = Guest(server)
            self.referee.joins(self.guest.links(self.table)["referee"])
            self.page.does("agree")
        self.position = ""
        self.published = list[str]()
        self.last_number = -1
        """Of the draws that were guessed."""
        self.undone = dict[int, str]()
        """The draws after the backup, by number."""

    def come_back(self, server: Server) -> None:
        self.guest = self.guest.comes_back(server)
        self.page = self.guest.sits_at(self.table)

    def draw(self) -> None:
        """Go on until something was drawn."""
        if self.game == "kahmate":
            self._place()
        else:
            self._pop(POPS)
        at_last(self._has_drawn)

    def _place(self) -> None:
        """Place the men that are missing, then the server draws where the ball lies."""
        game = GAMES["kahmate"].game({})
        table = open_table(game)
        for n in range(12):
            (seat,) = game.rules.to_act(table.state)
            text = game.notation.write_action(game.rules.turn_actions(table.state, seat)[0])
            table, _ = table.act(seat, text)
            if n >= len(self.page.codes):
                answer = self.page.acts(text, seat=seat)
                assert answer["type"] == "done", answer

    def _pop(self, times: int) -> None:
        while times:
            offers = [each for each in self.page.view["offers"] if each["kind"] != "hembo"]
            pops = [offer for offer in offers if not offer["actions"]]
            answer = self.page.acts(*(pops or offers)[0]["actions"])
            assert answer["type"] == "done", answer
            times -= bool(pops)

    def end(self) -> dict[str, Any]:
        """End it; all that it takes to make its draws again."""
        if self.game == "kahmate":
            self.page.does("resign R")
        else:
            self.position = self.guest.reads(self.table, "position")["position"]
            self.page.does('ref end "enough"')
        told: dict[str, Any] = self.guest.reads(self.table, "draws")
        return told

    def reopen(self) -> None:
        if self.game == "kahmate":
            key = uuid4().hex
            asked = {"key": key, "seat": "referee", "actions": ["back 11 because of a slip"]}
            answer = self.referee.client.post(api(self.table, "actions"), json=asked)
            assert answer.json()["type"] == "done", answer.text
            self.page.waits_for(answer.json()["seq"])
        else:
            self.page.does(f'ref set "{self.position}" "misclick"')

    def _has_drawn(self) -> bool:
        return max(self.guest.reads(self.table, "seal")["draws"], default=-1) > self.last_number

    def guess(self, told: dict[str, Any], found: Guesses) -> None:
        """Guess the latest draws by all that was published before them."""
        for each in told["draws"]:
            if (number := each["number"]) <= self.last_number:
                continue
            epoch = [e for e in told["epochs"] if e["from_draw"] <= number][-1]
            whole = sum(many for _, many in each["chances"])
            chance = dict(each["chances"])[each["drawn"]] / whole
            found.draws += 1
            found.published_seeds += epoch["seed"] in self.published
            for seed in self.published:
                n = fair_draw(seed, epoch["entropies"], number, whole)
                found.count_guess(_text_at(each["chances"], n) == each["drawn"], chance)
            if number in self.undone:
                found.count_guess(self.undone[number] == each["drawn"], chance)

    def play_on(self, found: Guesses) -> dict[str, Any]:
        """Draw, end, guess what was drawn, and then know more."""
        self.draw()
        told = self.end()
        assert told["draws"], "the envelope is open"
        self.guess(told, found)
        self.last_number = told["draws"][-1]["number"]
        self.published = list(
            dict.fromkeys((*self.published, *(e["seed"] for e in told["epochs"])))
        )
        return told


def _text_at(chances: Sequence[tuple[str, int]], n: int) -> str:
    for text, many in chances:
        n -= many
        if n < 0:
            return text
    raise AssertionError("odds sum to one")


def play_reopened(
    folder: Path, matches: int, say: Callable[[str], None] = lambda line: None
) -> dict[str, Guesses]:
    """Play so many matches of each game with sealed dice, each reopened three times."""
    games = {"as-kimble": Guesses(), "kahmate": Guesses()}
    data, backup = folder / "data", folder / "backup.zip"
    settings = Settings(data=data)
    with Server(data) as server:
        played = [ReopenedMatch(server, game) for _ in range(matches) for game in games]
        for match in played:
            for _ in range(2):
                match.play_on(games[match.game])
                match.reopen()
        say(f"{len(played)} matches ended and corrected twice")
        back_up(settings, backup)
        for match in played:
            before = match.last_number
            told = match.play_on(games[match.game])
            match.undone = {e["number"]: e["drawn"] for e in told["draws"] if e["number"] > before}
            match.last_number = before
    restore_data(settings, backup)
    say("backup restored")
    with Server(data) as server:
        for match in played:
            match.come_back(server)
            match.play_on(games[match.game])
            record = match.guest.reads(match.table, "record")
            file = folder / "match.json"
            file.write_text(json.dumps(record))
            verified = CliRunner().invoke(app, ["verify", str(file)])
            found = games[match.game]
            found.records += 1
            found.refused += [verified.output] if verified.exit_code else []
            match.guest.leaves()
    return games
