"""A match looked at action by action: the chances after each, what was better, what was luck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from kibitz.analysis.duels import Duel, duel_of, is_attack
from kibitz.analysis.evaluation import AnyGame, Budget, Chances, Judge, Weighed
from kibitz.bots.api import PRESS
from kibitz.core.game import CHANCE, Actor, Seat
from kibitz.core.record import Played, Record, first_state, replay

Kind: TypeAlias = Literal["choice", "forced", "chance", "duel", "event"]
NOTABLE = 0.005
"""A smaller swing is none."""
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Alternative:
    action: str
    chance: float
    line: tuple[str, ...] = ()
    share: float = 0.0
    """How often the best mix has it, in a duel."""


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
    """What the actor could have done, the best first; what was done may be among it."""
    chance: float | None = None
    """The actor's with what was done, as it was weighed beside the others."""
    loss: float = 0.0
    """By how much the best was better."""
    duel: Duel | None = None

    @property
    def luck(self) -> Chances:
        """What came without anybody's choosing it: from the die, or from hidden cards met."""
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
    played: Sequence[Played[Any, Any]]
    judge: Judge
    _chances: dict[int, Chances] = field(default_factory=dict)
    _entries: dict[int, Entry] = field(default_factory=dict)

    def chances(self, n: int) -> Chances:
        """After so many actions."""
        if n not in self._chances:
            self._chances[n] = (
                self.chances(n - 1)
                if n and self._is_covered(self.played[n - 1])
                else rounded(self.judge.chances(self.states[n]))
            )
        return self._chances[n]

    def _is_covered(self, line: Played[Any, Any]) -> bool:
        """A first card lies face down and changes nothing."""
        return is_attack(line.before, line.actor, line.step.action)

    def entry(self, n: int) -> Entry:
        """The action with this number, from one on."""
        if n not in self._entries:
            self._entries[n] = self._found(n)
        return self._entries[n]

    def _found(self, n: int) -> Entry:
        line = self.played[n - 1]
        state, actor, action = line.before, line.actor, line.step.action
        text, after = self.game.write_action(action), self.chances(n)
        if actor == CHANCE:
            before = rounded(self.judge.expected(state))
            return Entry(n, actor, text, "chance", before, after)
        before = self.chances(n - 1)
        listed = self.game.turn_actions(state, actor) if actor in self.game.seats else ()
        if action not in listed or self.game.is_reported:
            return Entry(n, actor, text, "event", before, after)
        if duel := duel_of(self.game, state, actor, action, self.judge.budget):
            return self._card(n, line, duel)
        if len(listed) == 1 and CHANCE not in self.game.to_act(state):
            return Entry(n, actor, text, "forced", before, after)
        weighed = list(self.judge.weigh(state, actor, action))
        if len(self.game.seats) == 2 and self.judge.knows_all(state, actor):
            weighed = self._kindly(weighed, actor, action, after)
        mine = next(each.chance for each in weighed if each.action == action)
        best = tuple(self._told(each) for each in weighed)
        loss = round(weighed[0].chance - mine, DIGITS)
        return Entry(n, actor, text, "choice", before, after, best, round(mine, DIGITS), loss)

    def _kindly(
        self, weighed: Sequence[Weighed], actor: Seat, action: Any, after: Chances
    ) -> list[Weighed]:
        """Whoever looks at a position one action later sees more of it: what was done is as good
        as it looks from there, if that is better, though never better than the best."""
        seen = min(after[self.game.seats.index(actor)], weighed[0].chance)
        found = [
            each._replace(chance=max(each.chance, seen)) if each.action == action else each
            for each in weighed
        ]
        return sorted(found, key=lambda each: -each.chance)

    def _card(self, n: int, line: Played[Any, Any], duel: Duel) -> Entry:
        """What is turned over was luck."""
        text = self.game.write_action(line.step.action)
        before = self.chances(n - 1)
        best = tuple(
            Alternative(card, round(chance, DIGITS), (card,), round(duel.mix[card], DIGITS))
            for card, chance in sorted(duel.chances.items(), key=lambda each: -each[1])
        )
        after = self.chances(n)
        chance, loss = duel.chances[duel.card], duel.cost
        return Entry(
            *(n, line.actor, text, "duel", before, after, best),
            *(round(chance, DIGITS), round(loss, DIGITS), duel),
        )

    def _told(self, each: Weighed) -> Alternative:
        def text(action: Any) -> str:
            return PRESS if action == PRESS else self.game.write_action(action)

        line = tuple(map(text, each.line))
        return Alternative(text(each.action), round(each.chance, DIGITS), line)

    def __len__(self) -> int:
        return len(self.played)


def match_of(game: AnyGame, record: Record, budget: Budget) -> Match:
    """Raises Refused where the record does not follow."""
    played = list(replay(game, record))
    states = [first_state(game, record), *(each.step.state for each in played)]
    return Match(game, states, played, Judge(game, budget))


def analysed(game: AnyGame, record: Record, budget: Budget) -> Iterator[Entry]:
    """Every action of a record, one after another."""
    match = match_of(game, record, budget)
    for n in range(1, len(match) + 1):
        yield match.entry(n)


def swings(entries: Sequence[Entry], most: int) -> list[Entry]:
    """Those that changed most, the greatest first; of equals the earlier."""
    found = [each for each in entries if each.swing >= NOTABLE]
    return sorted(found, key=lambda each: (-each.swing, each.n))[:most]


def mistakes(entries: Sequence[Entry], most: int) -> list[Entry]:
    """What cost whoever chose it most."""
    found = [each for each in entries if each.loss >= NOTABLE]
    return sorted(found, key=lambda each: (-each.loss, each.n))[:most]


def fortunes(entries: Sequence[Entry], most: int) -> list[Entry]:
    """Where luck changed most."""
    found = [each for each in entries if max(map(abs, each.luck)) >= NOTABLE]
    return sorted(found, key=lambda each: (-max(map(abs, each.luck)), each.n))[:most]


def rounded(chances: Chances) -> Chances:
    """To so many digits, and still one in all."""
    *some, _ = (round(each, DIGITS) for each in chances)
    return (*some, round(1.0 - sum(some), DIGITS))


# As JSON


def entry_json(entry: Entry, seats: Sequence[Seat]) -> dict[str, Any]:
    """What does not apply is left out."""
    made: dict[str, Any] = {
        "n": entry.n,
        "actor": entry.actor,
        "action": entry.action,
        "kind": entry.kind,
        "before": named(entry.before, seats),
        "after": named(entry.after, seats),
    }
    if entry.chance is not None:
        made |= {"chance": entry.chance, "loss": entry.loss}
        made["best"] = [_alternative_json(each) for each in entry.best]
    if any(entry.luck):
        made["luck"] = named(tuple(round(each, DIGITS) for each in entry.luck), seats)
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
        "fortunes": [each.n for each in fortunes(entries, most)],
    }


def named(chances: Chances, seats: Sequence[Seat]) -> Mapping[Seat, float]:
    return dict(zip(seats, chances, strict=True))


def _alternative_json(each: Alternative) -> dict[str, Any]:
    made = {"action": each.action, "chance": each.chance, "line": list(each.line)}
    return {**made, "share": each.share} if each.share else made
