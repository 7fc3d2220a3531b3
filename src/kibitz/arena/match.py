"""One match of bots, from its opening to a line for the file.

Everything but the times follows from the plan and the number, where no bot looks at a clock.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any, TypeAlias

from kibitz.arena.observer import Witness
from kibitz.arena.plan import ArenaPlan, Match
from kibitz.bots.api import Evaluation
from kibitz.bots.player import MAX_MATCH_ACTIONS, Forfeit
from kibitz.bots.registry import anytime_policy_for
from kibitz.bots.spec import player_for, read_spec
from kibitz.core.game import CHANCE, PRESS_DIE, REFEREE, Actor, Game, Seat, write_choice
from kibitz.core.record import Record, write_record
from kibitz.i18n import FALLBACK, say_in
from kibitz.table import Table, open_table
from kibitz.table.autoplay import BotStatement, BotTurn, next_action
from kibitz.table.sealed_dice import draw_function

AnyTable: TypeAlias = Table[Any, Any, Any]
_match_numbers = count()
"""A number for each match of this process: bots may remember what they meant to do in one."""


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished match: its record, and what programs wrote."""

    number: int
    record: str
    """A record file of one line."""
    bot_output: tuple[str, ...]
    """The notes that programs wrote for their authors."""


def play_match(plan: ArenaPlan, match: Match) -> FinishedMatch:
    playing = _MatchRunner(plan, match)
    try:
        playing.play_opening()
        playing.play_to_end()
    finally:
        aside = playing.end_players()
    return FinishedMatch(match.number, write_record(playing.match_record()), aside)


class _Dice:
    """The k-th time that chance has the same things to choose among, it does the same.

    So a die falls alike at one seat, whoever plays there.
    """

    def __init__(self, game: Game[Any, Any, Any], seed: str) -> None:
        self._game, self._seed = game, sha256(seed.encode()).hexdigest()
        self._counts: Counter[str] = Counter()
        self._known: dict[Any, tuple[str, Callable[[str, Sequence[str], int], str]]] = {}

    def roll(self, odds: Mapping[Any, Fraction]) -> str:
        known = tuple(odds.items())
        if known not in self._known:
            choices = "|".join(sorted(map(self._game.notation.write_action, odds)))
            self._known[known] = choices, draw_function(self._game, odds)
        choices, draw = self._known[known]
        self._counts[choices] += 1
        return draw(self._seed, (choices,), self._counts[choices])


@dataclass(slots=True)
class _ThinkingTime:
    """The time that a seat thought."""

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


class _MatchRunner:
    def __init__(self, plan: ArenaPlan, match: Match) -> None:
        self.plan, self.match = plan, match
        self.game, say = plan.build_game(), say_in(FALLBACK)
        seats, opening = self.game.seats, f"{plan.seed}/{match.opening}"
        self.table, self.dice = open_table(self.game), _Dice(self.game, f"{opening}/chance")
        lineup = zip(seats, match.lineup, strict=True)
        self.specs = {seat: read_spec(plan.bots[bot]) for seat, bot in lineup}
        self.players = {seat: player_for(spec, say) for seat, spec in self.specs.items()}
        self.rngs = {seat: Random(f"{plan.seed}/{match.number}/{seat}") for seat in seats}
        self.witnesses = {s: Witness(s) for s, player in self.players.items() if player.observe}
        self.thinking_times = {seat: _ThinkingTime() for seat in seats}
        self.voice = anytime_policy_for(plan.game)
        self.name = f"arena/{next(_match_numbers)}"
        self.started_at = time.perf_counter()
        self.forfeit: tuple[Seat, str] | None = None
        self.evaluations: list[dict[str, Any]] = []

    def play_opening(self) -> None:
        """Random plies, the same for all who sit down to this opening, and never to the end."""
        rng, plies = Random(f"{self.plan.seed}/{self.match.opening}/plies"), 0

        def choose(turn: BotTurn) -> Any:
            listed = tuple(each for each in turn.actions if each != PRESS_DIE)
            return rng.choice(listed) if listed else PRESS_DIE

        while plies < self.plan.plies:
            following = next_action(self.table, self.game.seats, self.dice.roll, choose)
            if following is None or self.table.act(*following)[0].outcome:
                return
            self._apply_action(*following)
            plies += following[0] != CHANCE

    def play_to_end(self) -> None:
        say = self._choose_statement if self.voice else None
        while len(self.table.history) < MAX_MATCH_ACTIONS:
            seats, dice = self.game.seats, self.dice
            try:
                following = next_action(self.table, seats, dice.roll, self._choose_action, say)
            except Forfeit:
                self._end_by_forfeit()
                return
            if following is None:
                return
            self._apply_action(*following)

    def end_players(self) -> tuple[str, ...]:
        """Everybody is told how it ended, and goes; what they wrote is kept."""
        ending = self._end_message()
        lines = []
        for seat, player in self.players.items():
            if player.observe and (heard := self.witnesses[seat].take_events()):
                player.observe(heard)
            said = player.end(ending)
            lines += [
                f"{self.match.number} {self.specs[seat].text} {seat}: {line}" for line in said
            ]
        return tuple(lines)

    def match_record(self) -> Record:
        texts = {seat: spec.text for seat, spec in self.specs.items()}
        arena: dict[str, Any] = {
            "number": self.match.number,
            "opening": self.match.opening,
            "plies": self.plan.plies,
            "seed": self.plan.seed,
            "bots": texts,
            "scores": self.scores(),
            "thought": {seat: thought.json for seat, thought in self.thinking_times.items()},
        }
        if self.plan.evaluations:
            arena["evaluations"] = self.evaluations
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

    def _end_message(self) -> dict[str, Any]:
        """As a program is told it."""
        forfeit = {"seat": self.forfeit[0], "why": self.forfeit[1]} if self.forfeit else None
        return {"result": self.table.record.result, "scores": self.scores(), "forfeit": forfeit}

    def _choose_action(self, turn: BotTurn) -> Any:
        """The action of a seat; a seat with one thing to do is not asked."""
        seat, actions = turn.seat, turn.actions
        if len(actions) == 1:
            return actions[0]
        player = self.players[seat]
        if player.observe:
            player.observe(self.witnesses[seat].take_events())
        think = self.specs[seat].search_context(self.game, seat, self.rngs[seat], self.name)
        asked = time.perf_counter()
        try:
            chosen = player.choose(self.table.view(seat), list(actions), think)
            if self.plan.evaluations:
                self._add_evaluation(seat, chosen, think.evaluation)
            return chosen
        except Forfeit as lost:
            self.forfeit = seat, say_in(FALLBACK)(lost.why)
            raise
        finally:
            self.thinking_times[seat].add(time.perf_counter() - asked)

    def _add_evaluation(self, seat: Seat, chosen: Any, found: Evaluation) -> None:
        """Note the thoughts of a bot about a choice; it was asked after `at` actions."""
        if found.value is None and not found.candidates:
            return
        weighed = [
            [write_choice(self.game, each.action), round(each.value, 4), round(each.share, 4)]
            for each in found.candidates
        ]
        self.evaluations.append(
            {
                "seat": seat,
                "at": len(self.table.history),
                "action": write_choice(self.game, chosen),
                "value": None if found.value is None else round(found.value, 4),
                "candidates": weighed,
            }
        )

    def _choose_statement(self, may: BotStatement) -> Any:
        """All bots have the same voice, and forget nothing where it is measured how they play."""
        assert self.voice
        seat, view = may.seat, self.table.view(may.seat)
        bot = self.specs[seat].who if self.plan.forgets else ""
        return self.voice(self.game, view, seat, may.actions, self.rngs[seat], bot)

    def _end_by_forfeit(self) -> None:
        """By the game's own word for it where it has one; else the match is broken off."""
        assert self.forfeit
        if (action := self.game.policy.forfeit(self.table.state, self.forfeit[0])) is not None:
            self._apply_action(REFEREE, self.game.notation.write_action(action))

    def _apply_action(self, actor: Actor, text: str) -> None:
        self.table, told = self.table.act(actor, text, at=time.perf_counter() - self.started_at)
        for witness in self.witnesses.values():
            witness.observe_action(self.table, told)
