"""One match of bots, from its opening to a line for the file.

Everything but the times follows from the plan and the number, where no bot looks at a clock.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any, TypeAlias

from kibitz.arena.observer import Witness
from kibitz.arena.plan import Match, Plan
from kibitz.bots.api import PRESS
from kibitz.bots.evaluations import voice_in
from kibitz.bots.player import LONGEST, Forfeit
from kibitz.bots.spec import player_for, read_spec
from kibitz.core.game import CHANCE, REFEREE, Actor, Game, Seat
from kibitz.core.record import Record, write_record
from kibitz.i18n import say_in
from kibitz.table import Table, open_table
from kibitz.table.sealed_dice import dealt

AnyTable: TypeAlias = Table[Any, Any, Any]
_played = count()
"""A number for each match of this process: bots may remember what they meant to do in one."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a match leaves behind."""

    number: int
    record: str
    """A record file of one line."""
    aside: tuple[str, ...]
    """What programs wrote for their authors."""


def play(plan: Plan, match: Match) -> Written:
    playing = _Playing(plan, match)
    try:
        playing.open()
        playing.go_on()
    finally:
        aside = playing.part()
    return Written(match.number, write_record(playing.record()), aside)


class _Dice:
    """The k-th time that chance has the same things to choose among, it does the same.

    So a team of AS-Kimble pops the same numbers at one seat, whoever plays there.
    """

    def __init__(self, game: Game[Any, Any, Any], seed: str) -> None:
        self._game, self._seed = game, sha256(seed.encode()).hexdigest()
        self._counts: Counter[str] = Counter()
        self._known: dict[Any, tuple[str, Callable[[str, Sequence[str], int], str]]] = {}

    def fall(self, state: Any) -> str:
        odds = self._game.odds(state)
        known = tuple(odds.items())
        if known not in self._known:
            choices = "|".join(sorted(map(self._game.write_action, odds)))
            self._known[known] = choices, dealt(self._game, odds)
        choices, draw = self._known[known]
        self._counts[choices] += 1
        return draw(self._seed, (choices,), self._counts[choices])


@dataclass(slots=True)
class _Thought:
    """How long a seat thought."""

    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def add(self, seconds: float) -> None:
        self.decisions += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)

    @property
    def json(self) -> dict[str, Any]:
        rounded = {"seconds": round(self.seconds, 4), "slowest": round(self.slowest, 4)}
        return {"decisions": self.decisions, **rounded}


class _Playing:
    def __init__(self, plan: Plan, match: Match) -> None:
        self.plan, self.match = plan, match
        self.game, say = plan.rules(), say_in("en")
        seats, opening = self.game.seats, f"{plan.seed}/{match.opening}"
        self.table, self.dice = open_table(self.game), _Dice(self.game, f"{opening}/chance")
        lineup = zip(seats, match.lineup, strict=True)
        self.specs = {seat: read_spec(plan.bots[bot]) for seat, bot in lineup}
        self.players = {seat: player_for(spec, say) for seat, spec in self.specs.items()}
        self.rngs = {seat: Random(f"{plan.seed}/{match.number}/{seat}") for seat in seats}
        self.witnesses = {s: Witness(s) for s, player in self.players.items() if player.hear}
        self.thought = {seat: _Thought() for seat in seats}
        self.name = f"arena/{next(_played)}"
        self.began = time.perf_counter()
        self.forfeit: tuple[Seat, str] | None = None

    def open(self) -> None:
        """Random plies, the same for all who sit down to this opening, and never to the end."""
        rng, plies = Random(f"{self.plan.seed}/{self.match.opening}/plies"), 0
        while plies < self.plan.plies:
            seat = self._to_act()
            actor, text = seat or CHANCE, ""
            if seat:
                text = self.game.write_action(rng.choice(self.table.actions(seat)))
            after, _ = self.table.act(actor, text or self.dice.fall(self.table.state))
            if after.outcome:
                return
            self._act(actor, after.record.actions[-1])
            plies += seat is not None

    def go_on(self) -> None:
        while self.table.outcome is None and len(self.table.played) < LONGEST:
            if spoken := self._spoken():
                self._act(*spoken)
                continue
            seat = self._to_act()
            text = PRESS if seat is None else self._chosen(seat)
            if self.forfeit:
                return
            if seat is None or text == PRESS:
                self._act(CHANCE, self.dice.fall(self.table.state))
            else:
                self._act(seat, text)

    def part(self) -> tuple[str, ...]:
        """Everybody is told how it ended, and goes; what they wrote is kept."""
        ending = self._ending()
        lines = []
        for seat, player in self.players.items():
            if player.hear and (heard := self.witnesses[seat].take()):
                player.hear(heard)
            said = player.end(ending)
            lines += [
                f"{self.match.number} {self.specs[seat].text} {seat}: {line}" for line in said
            ]
        return tuple(lines)

    def record(self) -> Record:
        texts = {seat: spec.text for seat, spec in self.specs.items()}
        arena: dict[str, Any] = {
            "number": self.match.number,
            "opening": self.match.opening,
            "plies": self.plan.plies,
            "seed": self.plan.seed,
            "bots": texts,
            "scores": self.scores(),
            "thought": {seat: thought.json for seat, thought in self.thought.items()},
        }
        if self.forfeit:
            arena["forfeit"] = {"seat": self.forfeit[0], "why": self.forfeit[1]}
        teams = {seat: {"players": [f"bot {text}"]} for seat, text in texts.items()}
        times = [round(each, 3) for each in self.table.times]
        return replace(self.table.record, extras={"teams": teams, "times": times, "arena": arena})

    def scores(self) -> dict[Seat, float]:
        """A match is worth one point: the winner's, or shared."""
        over = self.table.outcome
        payoffs = dict(zip(self.game.seats, over.payoffs, strict=True)) if over else {}
        best = [seat for seat in payoffs if payoffs[seat] == max(payoffs.values())]
        if over is None:
            lost = self.forfeit[0] if self.forfeit else None
            best = [seat for seat in self.game.seats if seat != lost]
        return {seat: 1 / len(best) if seat in best else 0.0 for seat in self.game.seats}

    def _ending(self) -> dict[str, Any]:
        """As a program is told it."""
        forfeit = {"seat": self.forfeit[0], "why": self.forfeit[1]} if self.forfeit else None
        return {"result": self.table.record.result, "scores": self.scores(), "forfeit": forfeit}

    def _to_act(self) -> Seat | None:
        """Of several who may, the first in the order of seats; None where it is up to chance."""
        to_act = self.game.to_act(self.table.state)
        seat = next((seat for seat in self.game.seats if seat in to_act), None)
        is_choice = seat is not None and bool(self.table.actions(seat))
        return seat if is_choice or CHANCE not in to_act else None

    def _chosen(self, seat: Seat) -> str:
        """Whoever has one thing to do is not asked."""
        table, player, spec = self.table, self.players[seat], self.specs[seat]
        actions = list(table.actions(seat))
        if CHANCE in self.game.to_act(table.state):
            actions.append(PRESS)
        if len(actions) == 1:
            return self.game.write_action(actions[0])
        if player.hear:
            player.hear(self.witnesses[seat].take())
        think = spec.think(self.game, seat, self.rngs[seat], self.name)
        asked = time.perf_counter()
        try:
            action = player.choose(table.view(seat), actions, think)
        except Forfeit as lost:
            self._forfeit(seat, say_in("en")(lost.why))
            return PRESS
        finally:
            self.thought[seat].add(time.perf_counter() - asked)
        return PRESS if action == PRESS else self.game.write_action(action)

    def _forfeit(self, seat: Seat, why: str) -> None:
        """Ended by the game's own word for it where it has one, else broken off."""
        self.forfeit = seat, why
        if (action := self.game.forfeit(self.table.state, seat)) is not None:
            self._act(REFEREE, self.game.write_action(action))

    def _spoken(self) -> tuple[Seat, str] | None:
        """What is to be said whoever's turn it is: all bots have the same voice."""
        voice, game, table = voice_in(self.game.name), self.game, self.table
        if voice is None:
            return None
        for seat in game.seats:
            listed, view = game.anytime_actions(table.state, seat), table.view(seat)
            # Most of the time nobody wants to say anything, whatever was said before.
            if not listed or voice(game, view, seat, listed, self.rngs[seat]) is None:
                continue
            said = {text for who, text in table.said_since_turn() if who == seat}
            left = [action for action in listed if game.write_action(action) not in said]
            action = voice(game, view, seat, left, self.rngs[seat]) if left else None
            if action is not None:
                return seat, game.write_action(action)
        return None

    def _act(self, actor: Actor, text: str) -> None:
        self.table, told = self.table.act(actor, text, at=time.perf_counter() - self.began)
        for witness in self.witnesses.values():
            witness.see(self.table, told)
