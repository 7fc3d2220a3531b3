"""A match looked at action by action: the chances after each, what was better, what was luck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from kibitz.analysis.duels import Duel, duel_of, is_first_card
from kibitz.analysis.evaluation import AnyGame, Budget, Chances, Evaluator, RankedAction
from kibitz.core.game import CHANCE, Actor, Seat, write_choice
from kibitz.core.record import Record, ReplayStep, first_state, replay

Kind: TypeAlias = Literal["choice", "forced", "chance", "duel", "event"]
MIN_SWING = 0.005
"""A smaller swing is none."""
CHANCE_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Alternative:
    action: str
    chance: float
    line: tuple[str, ...] = ()
    share: float = 0.0
    """Its share in the best mix, in a duel."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One action of a record."""

    n: int
    """From one on."""
    actor: Actor
    action: str
    kind: Kind
    before: Chances
    after: Chances
    best: tuple[Alternative, ...] = ()
    """The actor's choices, the best first; the action that was played may be among them."""
    chance: float | None = None
    """The actor's with what was done, as it was weighed beside the others."""
    loss: float = 0.0
    """By how much the best was better."""
    duel: Duel | None = None

    @property
    def luck(self) -> Chances:
        """The change that nobody chose: from the die, or from hidden cards met."""
        if self.kind not in ("chance", "duel"):
            return (0.0,) * len(self.after)
        return tuple(b - a for a, b in zip(self.before, self.after, strict=True))

    @property
    def swing(self) -> float:
        return max(self.loss, *map(abs, self.luck))


@dataclass(slots=True)
class Match:
    """A match as it was played; what is found is kept, in whichever order it is asked for."""

    game: AnyGame
    states: Sequence[Any]
    """Before each action, and at the end."""
    history: Sequence[ReplayStep[Any, Any]]
    evaluator: Evaluator
    _chances: dict[int, Chances] = field(default_factory=dict)
    _entries: dict[int, Entry] = field(default_factory=dict)

    def chances(self, n: int) -> Chances:
        """After so many actions."""
        if n not in self._chances:
            self._chances[n] = (
                self.chances(n - 1)
                if n and self._is_face_down(self.history[n - 1])
                else round_chances(self.evaluator.chances(self.states[n]))
            )
        return self._chances[n]

    def _is_face_down(self, line: ReplayStep[Any, Any]) -> bool:
        """A first card lies face down and changes nothing."""
        return is_first_card(self.game, line.before, line.actor, line.step.action)

    def entry(self, n: int) -> Entry:
        """The action with this number, from one on."""
        if n not in self._entries:
            self._entries[n] = self._analyse_action(n)
        return self._entries[n]

    def _analyse_action(self, n: int) -> Entry:
        line = self.history[n - 1]
        state, actor, action = line.before, line.actor, line.step.action
        text, after = self.game.notation.write_action(action), self.chances(n)
        if actor == CHANCE:
            before = round_chances(self.evaluator.expected_chances(state))
            return Entry(n, actor, text, "chance", before, after)
        before = self.chances(n - 1)
        listed = self.game.rules.turn_actions(state, actor) if actor in self.game.seats else ()
        if action not in listed or self.game.companion is not None:
            return Entry(n, actor, text, "event", before, after)
        if duel := duel_of(self.game, state, actor, action, self.evaluator.budget):
            return self._duel_entry(n, line, duel)
        if len(listed) == 1 and CHANCE not in self.game.rules.to_act(state):
            return Entry(n, actor, text, "forced", before, after)
        weighed = list(self.evaluator.rank_actions(state, actor, action))
        if len(self.game.seats) == 2 and self.evaluator.knows_all(state, actor):
            weighed = self._with_hindsight(weighed, actor, action, after)
        mine = next(each.chance for each in weighed if each.action == action)
        best = tuple(self._alternative(each) for each in weighed)
        loss = round(weighed[0].chance - mine, CHANCE_DIGITS)
        return Entry(
            n, actor, text, "choice", before, after, best, round(mine, CHANCE_DIGITS), loss
        )

    def _with_hindsight(
        self, weighed: Sequence[RankedAction], actor: Seat, action: Any, after: Chances
    ) -> list[RankedAction]:
        """The alternatives, the action that was done among them. A look one action later sees more:
        what was done is as good as it looks from there, though never better than the best."""
        seen = min(after[self.game.seats.index(actor)], weighed[0].chance)
        found = [
            each._replace(chance=max(each.chance, seen)) if each.action == action else each
            for each in weighed
        ]
        return sorted(found, key=lambda each: -each.chance)

    def _duel_entry(self, n: int, line: ReplayStep[Any, Any], duel: Duel) -> Entry:
        """The entry of a card; what was turned over is luck."""
        text = self.game.notation.write_action(line.step.action)
        before = self.chances(n - 1)
        best = tuple(
            Alternative(
                card, round(chance, CHANCE_DIGITS), (card,), round(duel.mix[card], CHANCE_DIGITS)
            )
            for card, chance in sorted(duel.chances.items(), key=lambda each: -each[1])
        )
        after = self.chances(n)
        chance, loss = duel.chances[duel.card], duel.cost
        return Entry(
            *(n, line.actor, text, "duel", before, after, best),
            *(round(chance, CHANCE_DIGITS), round(loss, CHANCE_DIGITS), duel),
        )

    def _alternative(self, each: RankedAction) -> Alternative:
        line = tuple(write_choice(self.game, action) for action in each.line)
        text = write_choice(self.game, each.action)
        return Alternative(text, round(each.chance, CHANCE_DIGITS), line)

    def __len__(self) -> int:
        return len(self.history)


def match_from_record(game: AnyGame, record: Record, budget: Budget) -> Match:
    """Raises Refused where the record does not follow."""
    played = list(replay(game, record))
    states = [first_state(game, record), *(each.step.state for each in played)]
    return Match(game, states, played, Evaluator(game, budget))


def analyse_record(game: AnyGame, record: Record, budget: Budget) -> Iterator[Entry]:
    """Every action of a record, one after another."""
    match = match_from_record(game, record, budget)
    for n in range(1, len(match) + 1):
        yield match.entry(n)


def swings(entries: Sequence[Entry], most: int) -> list[Entry]:
    """Those that changed most, the greatest first; of equals the earlier."""
    found = [each for each in entries if each.swing >= MIN_SWING]
    return sorted(found, key=lambda each: (-each.swing, each.n))[:most]


def mistakes(entries: Sequence[Entry], most: int) -> list[Entry]:
    """The choices that cost most."""
    found = [each for each in entries if each.loss >= MIN_SWING]
    return sorted(found, key=lambda each: (-each.loss, each.n))[:most]


def lucky_swings(entries: Sequence[Entry], most: int) -> list[Entry]:
    """The actions at which luck changed most."""
    found = [each for each in entries if max(map(abs, each.luck)) >= MIN_SWING]
    return sorted(found, key=lambda each: (-max(map(abs, each.luck)), each.n))[:most]


def round_chances(chances: Chances) -> Chances:
    """To so many digits, and still one in all."""
    *some, _ = (round(each, CHANCE_DIGITS) for each in chances)
    return (*some, round(1.0 - sum(some), CHANCE_DIGITS))


# As JSON


def entry_json(entry: Entry, seats: Sequence[Seat]) -> dict[str, Any]:
    """An entry as JSON; what does not apply is left out."""
    made: dict[str, Any] = {
        "n": entry.n,
        "actor": entry.actor,
        "action": entry.action,
        "kind": entry.kind,
        "before": chances_by_seat(entry.before, seats),
        "after": chances_by_seat(entry.after, seats),
    }
    if entry.chance is not None:
        made |= {"chance": entry.chance, "loss": entry.loss}
        made["best"] = [_alternative_json(each) for each in entry.best]
    if any(entry.luck):
        made["luck"] = chances_by_seat(
            tuple(round(each, CHANCE_DIGITS) for each in entry.luck), seats
        )
    if entry.duel:
        made["duel"] = entry.duel.json
    return made


def match_json(game: AnyGame, entries: Sequence[Entry], most: int) -> dict[str, Any]:
    """Of a whole match; `most` of what is largest."""
    return {
        "game": game.name,
        "seats": list(game.seats),
        "entries": [entry_json(each, game.seats) for each in entries],
        "swings": [each.n for each in swings(entries, most)],
        "mistakes": [each.n for each in mistakes(entries, most)],
        "fortunes": [each.n for each in lucky_swings(entries, most)],
    }


def chances_by_seat(chances: Chances, seats: Sequence[Seat]) -> Mapping[Seat, float]:
    return dict(zip(seats, chances, strict=True))


def _alternative_json(each: Alternative) -> dict[str, Any]:
    made = {"action": each.action, "chance": each.chance, "line": list(each.line)}
    return {**made, "share": each.share} if each.share else made
