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
from kibitz.arena.plan import ArenaPlan, Match
from kibitz.bots.evaluations import anytime_policy_for
from kibitz.bots.player import MAX_MATCH_ACTIONS, Forfeit
from kibitz.bots.spec import player_for, read_spec
from kibitz.core.game import CHANCE, PRESS_DIE, REFEREE, Actor, Game, Seat, write_choice
from kibitz.core.record import Record, write_record
from kibitz.i18n import say_in
from kibitz.table import Table, open_table
from kibitz.table.sealed_dice import draw_function

AnyTable: TypeAlias = Table[Any, Any, Any]
_match_numbers = count()
"""A number for each match of this process: bots may remember what they meant to do in one."""


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """What a match leaves behind."""

    number: int
    record: str
    """A record file of one line."""
    bot_output: tuple[str, ...]
    """What programs wrote for their authors."""


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

    So a team of AS-Kimble pops the same numbers at one seat, whoever plays there.
    """

    def __init__(self, game: Game[Any, Any, Any], seed: str) -> None:
        self._game, self._seed = game, sha256(seed.encode()).hexdigest()
        self._counts: Counter[str] = Counter()
        self._known: dict[Any, tuple[str, Callable[[str, Sequence[str], int], str]]] = {}

    def roll(self, state: Any) -> str:
        odds = self._game.rules.odds(state)
        known = tuple(odds.items())
        if known not in self._known:
            choices = "|".join(sorted(map(self._game.notation.write_action, odds)))
            self._known[known] = choices, draw_function(self._game, odds)
        choices, draw = self._known[known]
        self._counts[choices] += 1
        return draw(self._seed, (choices,), self._counts[choices])


@dataclass(slots=True)
class _ThinkingTime:
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


class _MatchRunner:
    def __init__(self, plan: ArenaPlan, match: Match) -> None:
        self.plan, self.match = plan, match
        self.game, say = plan.build_game(), say_in("en")
        seats, opening = self.game.seats, f"{plan.seed}/{match.opening}"
        self.table, self.dice = open_table(self.game), _Dice(self.game, f"{opening}/chance")
        lineup = zip(seats, match.lineup, strict=True)
        self.specs = {seat: read_spec(plan.bots[bot]) for seat, bot in lineup}
        self.players = {seat: player_for(spec, say) for seat, spec in self.specs.items()}
        self.rngs = {seat: Random(f"{plan.seed}/{match.number}/{seat}") for seat in seats}
        self.witnesses = {s: Witness(s) for s, player in self.players.items() if player.observe}
        self.thinking_times = {seat: _ThinkingTime() for seat in seats}
        self.name = f"arena/{next(_match_numbers)}"
        self.started_at = time.perf_counter()
        self.forfeit: tuple[Seat, str] | None = None

    def play_opening(self) -> None:
        """Random plies, the same for all who sit down to this opening, and never to the end."""
        rng, plies = Random(f"{self.plan.seed}/{self.match.opening}/plies"), 0
        while plies < self.plan.plies:
            seat = self._seat_to_act()
            actor, text = seat or CHANCE, ""
            if seat:
                text = self.game.notation.write_action(rng.choice(self.table.actions(seat)))
            after, _ = self.table.act(actor, text or self.dice.roll(self.table.state))
            if after.outcome:
                return
            self._apply_action(actor, after.record.actions[-1])
            plies += seat is not None

    def play_to_end(self) -> None:
        while self.table.outcome is None and len(self.table.history) < MAX_MATCH_ACTIONS:
            if spoken := self._anytime_action():
                self._apply_action(*spoken)
                continue
            seat = self._seat_to_act()
            text = PRESS_DIE if seat is None else self._choose_text(seat)
            if self.forfeit:
                return
            if seat is None or text == PRESS_DIE:
                self._apply_action(CHANCE, self.dice.roll(self.table.state))
            else:
                self._apply_action(seat, text)

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

    def _seat_to_act(self) -> Seat | None:
        """Of several who may, the first in the order of seats; None where it is up to chance."""
        to_act = self.game.rules.to_act(self.table.state)
        seat = next((seat for seat in self.game.seats if seat in to_act), None)
        is_choice = seat is not None and bool(self.table.actions(seat))
        return seat if is_choice or CHANCE not in to_act else None

    def _choose_text(self, seat: Seat) -> str:
        """Whoever has one thing to do is not asked."""
        table, player, spec = self.table, self.players[seat], self.specs[seat]
        actions = list(table.actions(seat))
        if CHANCE in self.game.rules.to_act(table.state):
            actions.append(PRESS_DIE)
        if len(actions) == 1:
            return self.game.notation.write_action(actions[0])
        if player.observe:
            player.observe(self.witnesses[seat].take_events())
        think = spec.search_context(self.game, seat, self.rngs[seat], self.name)
        asked = time.perf_counter()
        try:
            action = player.choose(table.view(seat), actions, think)
        except Forfeit as lost:
            self._forfeit_match(seat, say_in("en")(lost.why))
            return PRESS_DIE
        finally:
            self.thinking_times[seat].add(time.perf_counter() - asked)
        return write_choice(self.game, action)

    def _forfeit_match(self, seat: Seat, why: str) -> None:
        """Ended by the game's own word for it where it has one, else broken off."""
        self.forfeit = seat, why
        if (action := self.game.policy.forfeit(self.table.state, seat)) is not None:
            self._apply_action(REFEREE, self.game.notation.write_action(action))

    def _anytime_action(self) -> tuple[Seat, str] | None:
        """What is to be said whoever's turn it is: all bots have the same voice."""
        voice, game, table = anytime_policy_for(self.game.name), self.game, self.table
        if voice is None:
            return None
        for seat in game.seats:
            listed, view = game.rules.anytime_actions(table.state, seat), table.view(seat)
            # Most of the time nobody wants to say anything, whatever was said before.
            if not listed or voice(game, view, seat, listed, self.rngs[seat]) is None:
                continue
            said = {text for who, text in table.anytime_since_turn() if who == seat}
            left = [action for action in listed if game.notation.write_action(action) not in said]
            action = voice(game, view, seat, left, self.rngs[seat]) if left else None
            if action is not None:
                return seat, game.notation.write_action(action)
        return None

    def _apply_action(self, actor: Actor, text: str) -> None:
        self.table, told = self.table.act(actor, text, at=time.perf_counter() - self.started_at)
        for witness in self.witnesses.values():
            witness.observe_action(self.table, told)
