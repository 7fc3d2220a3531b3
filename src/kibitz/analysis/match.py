"""A match looked at action by action: the chances after each, what was better, what was luck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from operator import mul
from typing import Any, Literal, NamedTuple, TypeAlias

from kibitz.analysis.duels import (
    Duel,
    DuelSolution,
    ShownCard,
    duel_of,
    is_card,
    solve_duel,
)
from kibitz.analysis.evaluation import AnyGame, Budget, Chances, Evaluator, RankedAction
from kibitz.core.game import CHANCE, Actor, Seat, write_choice
from kibitz.core.record import Record, ReplayStep, first_state, replay

Kind: TypeAlias = Literal["choice", "forced", "chance", "duel", "hidden", "event"]
MIN_SWING = 0.005
"""A smaller swing is none."""
MIN_OWN_MISTAKES = 2
"""So many mistakes of a seat are told, however large those of the others are."""
CHANCE_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Alternative:
    action: str
    chance: float
    line: tuple[str, ...] = ()
    share: float = 0.0
    """Its share in the best mix, in a duel."""


@dataclass(frozen=True, slots=True)
class Possibility:
    """One of the ways that an action might have gone which nobody chose alone."""

    action: str
    """A draw of chance; or two cards that meet, the attacker's first."""
    share: float
    chances: Chances
    """Afterwards."""


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
    mix: tuple[Possibility, ...] = ()
    """All that could happen, and how often it does: `before` is the mean of what follows."""
    is_exact: bool = False
    """True if the chances after it are solved and not estimated."""

    @property
    def luck(self) -> Chances:
        """The change that nobody chose: from the die, or from what was put down unseen."""
        if self.kind not in ("chance", "duel", "hidden"):
            return (0.0,) * len(self.after)
        return tuple(b - a for a, b in zip(self.before, self.after, strict=True))

    @property
    def swing(self) -> float:
        return max(self.loss, *map(abs, self.luck))


@dataclass(slots=True)
class Match:
    """A match as it was played, looked at from its end to its beginning.

    The chances before an action are the mean of the chances after it, over the mix that is shown:
    what chance may do, both sides' cards, or the best of the actor's choices. The action that was
    played counts there with the chances that were found after it. So they never change where
    nothing was chosen and nothing came to light (docs/decisions/0021).
    """

    game: AnyGame
    states: Sequence[Any]
    """Before each action, and at the end."""
    history: Sequence[ReplayStep[Any, Any]]
    evaluator: Evaluator
    _entries: dict[int, Entry] = field(default_factory=dict)
    _solution: DuelSolution | None = None
    """The duel that was looked at last."""

    def entry(self, n: int) -> Entry:
        """The action with this number, from one on; those after it are looked at before it."""
        for later in range(min(self._entries, default=len(self) + 1) - 1, n - 1, -1):
            self._entries[later] = self._analyse_action(later, self._chances_after(later))
        return self._entries[n]

    def adopt(self, entry: Entry) -> None:
        """Take an entry that was found elsewhere, so that those before it can be found here."""
        self._entries.setdefault(entry.n, entry)

    def _chances_after(self, n: int) -> Chances:
        if n < len(self):
            return self._entries[n + 1].before
        return round_chances(self.evaluator.chances(self.states[n]))

    def _analyse_action(self, n: int, after: Chances) -> Entry:
        line = self.history[n - 1]
        state, actor, action = line.before, line.actor, line.step.action
        if actor == CHANCE:
            return self._chance_entry(n, after)
        listed = self.game.rules.turn_actions(state, actor) if actor in self.game.seats else ()
        if action not in listed or self.game.companion is not None:
            return self._unweighed_entry(n, after, "event")
        if is_card(self.game, action):
            return self._card_entry(n, after)
        if not self.evaluator.is_weighed(state, actor):
            return self._unweighed_entry(n, after, "hidden")
        if len(listed) == 1 and CHANCE not in self.game.rules.to_act(state):
            return self._entry(n, "forced", after, after)
        return self._choice_entry(n, after)

    def _entry(self, n: int, kind: Kind, before: Chances, after: Chances, **more: Any) -> Entry:
        line = self.history[n - 1]
        text = self.game.notation.write_action(line.step.action)
        is_exact = self.evaluator.is_exact(line.step.state)
        return Entry(n, line.actor, text, kind, before, after, is_exact=is_exact, **more)

    def _unweighed_entry(self, n: int, after: Chances, kind: Kind) -> Entry:
        """The entry of an action that is not compared with others: a call, or what is put down
        unseen. The chances change with it if the position is evaluated otherwise than before."""
        before, then = (self.evaluator.chances(each) for each in self.states[n - 1 : n + 1])
        return self._entry(n, kind, after if before == then else round_chances(before), after)

    def _chance_entry(self, n: int, after: Chances) -> Entry:
        line, found = self.history[n - 1], list[Possibility]()
        for action, share in self.game.rules.odds(line.before).items():
            chances = after
            if action != line.step.action:
                then = self.game.rules.resolve(line.before, CHANCE, action).state
                chances = round_chances(self.evaluator.chances(then))
            found.append(
                Possibility(self.game.notation.write_action(action), float(share), chances)
            )
        return self._entry(n, "chance", mean_chances(found), after, mix=tuple(found))

    def _choice_entry(self, n: int, after: Chances) -> Entry:
        """The best is evaluated as what was played is: by what follows from it. Others that were
        looked at are worth no more than it."""
        line, judge = self.history[n - 1], self.evaluator
        mine, played = self.game.seats.index(line.actor), line.step.action
        ranked = judge.rank_actions(line.before, line.actor)
        best, before = ranked[0].action, after
        if best != played:
            found = round_chances(judge.chances_with(line.before, line.actor, best))
            before = found if found[mine] > after[mine] else after
        weighed = [RankedAction(played, after[mine], (played,))]
        for each in ranked:
            most = found[mine] if best != played and each.action == best else each.chance
            if each.action == played:
                weighed[0] = weighed[0]._replace(line=each.line)
            else:
                weighed.append(each._replace(chance=min(most, before[mine])))
        weighed.sort(key=lambda each: -each.chance)
        return self._entry(
            *(n, "choice", before, after),
            best=tuple(map(self._alternative, weighed)),
            chance=after[mine],
            loss=round(before[mine] - after[mine], CHANCE_DIGITS),
        )

    def _card_entry(self, n: int, after: Chances) -> Entry:
        """The entry of a card; what two cards do to each other when they are shown is luck. One
        that lies face down changes nothing."""
        line, is_shown = self.history[n - 1], self.history[n - 1].step.is_reveal
        solution = self._solution = self._solve_duel(n, after)
        text = self.game.notation.write_action(line.step.action)
        duel = duel_of(solution, line.actor, text)
        mix = self._possible_cards(solution, after) if is_shown else ()
        return self._entry(
            *(n, "duel", mean_chances(mix) if is_shown else after, after),
            best=tuple(
                Alternative(
                    card, round(each, CHANCE_DIGITS), (card,), round(duel.mix[card], CHANCE_DIGITS)
                )
                for card, each in sorted(duel.chances.items(), key=lambda each: -each[1])
            ),
            chance=round(duel.chances[text], CHANCE_DIGITS),
            loss=round(duel.cost, CHANCE_DIGITS),
            duel=duel,
            mix=mix,
        )

    def _solve_duel(self, n: int, after: Chances) -> DuelSolution:
        """The duel of this card: once the second one is shown it is known what came of them."""
        line = self.history[n - 1]
        if not line.step.is_reveal and n < len(self) and self._entries[n + 1].mix:
            assert self._solution
            return self._solution
        known = None
        if line.step.is_reveal:
            text = self.game.notation.write_action(line.step.action)
            known = ShownCard(text, 1.0 - after[self.game.seats.index(line.actor)])
        return solve_duel(self.game, line.before, self.evaluator.budget, known)

    def _possible_cards(self, solution: DuelSolution, after: Chances) -> tuple[Possibility, ...]:
        found = []
        for met, share, chance in solution.pairs:
            both = tuple(
                chance if seat == solution.attacker else 1.0 - chance for seat in self.game.seats
            )
            chances = after if met == solution.met else round_chances(both)
            found.append(Possibility(" ".join(met), share, chances))
        return tuple(found)

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


def mean_chances(mix: Sequence[Possibility]) -> Chances:
    """The mean over all that could happen."""
    seats = zip(*(each.chances for each in mix), strict=True)
    shares = [each.share for each in mix]
    return round_chances(tuple(sum(map(mul, shares, chances)) / sum(shares) for chances in seats))


def swings(entries: Sequence[Entry], most: int) -> list[Entry]:
    """Those that changed most, the greatest first; of equals the earlier."""
    found = [each for each in entries if each.swing >= MIN_SWING]
    return sorted(found, key=lambda each: (-each.swing, each.n))[:most]


def mistakes(entries: Sequence[Entry], most: int) -> list[Entry]:
    """The choices that cost most, and of every seat that made one its two worst at least."""
    found = [each for each in entries if each.loss >= MIN_SWING]
    found.sort(key=lambda each: (-each.loss, each.n))
    chosen = found[:most]
    for seat in {each.actor for each in found}:
        own = [each for each in found if each.actor == seat][:MIN_OWN_MISTAKES]
        chosen += [each for each in own if each not in chosen]
    return sorted(chosen, key=lambda each: (-each.loss, each.n))


def exact_from(entries: Sequence[Entry]) -> int | None:
    """The number of the entry from which all chances are solved, but for one that ends a match."""
    left = [each for each in entries if each.is_exact or each is not entries[-1]]
    exact = [each.n for each in takewhile(lambda each: each.is_exact, reversed(left))]
    return exact[-1] if exact else None


class Agreement(NamedTuple):
    """The choices of a seat, and how many of them the best engine would have made."""

    same: int
    choices: int


def agreement(entries: Sequence[Entry], seat: Seat) -> Agreement:
    """The choices in which a seat did as the best engine would. Cards and what was forced say
    nothing."""
    made = [each for each in entries if each.kind == "choice" and each.actor == seat]
    return Agreement(sum(each.loss == 0 for each in made), len(made))


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
    if entry.mix:
        made["mix"] = [_possibility_json(each, seats) for each in entry.mix]
    if entry.is_exact:
        made["exact"] = True
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


def _possibility_json(each: Possibility, seats: Sequence[Seat]) -> dict[str, Any]:
    share = round(each.share, CHANCE_DIGITS)
    return {"action": each.action, "share": share, "after": chances_by_seat(each.chances, seats)}


def _alternative_json(each: Alternative) -> dict[str, Any]:
    made = {"action": each.action, "chance": each.chance, "line": list(each.line)}
    return {**made, "share": each.share} if each.share else made
