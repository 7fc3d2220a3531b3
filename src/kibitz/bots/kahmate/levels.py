"""How bots think about Kahmaté: whole turns and their answers, at five strengths.

Cards and line-ups are drawn from the best mixes of matrix games by the bot's own dice: knowing this
code is of no use against it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots import greedy
from kibitz.bots.api import Bot, Candidate, Think
from kibitz.bots.kahmate.card_mixes import FIRST, SECOND, cards, mix
from kibitz.bots.kahmate.line_ups import mixes, placed
from kibitz.bots.kahmate.mcts import mcts
from kibitz.bots.kahmate.search import CARDS, SEEN, Care, Desk, desk, ponder
from kibitz.bots.kahmate.turn_graph import NOWHERE
from kibitz.bots.kahmate.value import judge, read_net
from kibitz.core.game import Seat
from kibitz.core.jit import small, wide
from kibitz.games.kahmate import kernel
from kibitz.games.kahmate.actions import Action, Card, End, Place, Step
from kibitz.games.kahmate.board import NEIGHBOURS, is_in_goal
from kibitz.games.kahmate.kernel.encoding import DUEL, PLAY, pool
from kibitz.games.kahmate.state import SEATS, Duelling, Field, Placing, Playing, State, View
from kibitz.games.kahmate.view import as_seen

__all__ = ["LEVELS", "mcts", "mix", "warm"]

OWN, REPLY = 40_000, 12_000
"""How large a turn can be laid out, and an answer."""
PLANS = 256
"""Of how many matches what is meant to be done is remembered."""
TOLD = 5


class Strength(NamedTuple):
    seconds: float
    mood: float = 0.0
    """How far off its judgement may be."""
    width: int = 16
    """How many positions it keeps in mind while it plans its own turn, and how many duels."""
    gambles: int = 4
    reply_width: int = 6
    reply_gambles: int = 2
    looks: int = 0
    """At how many ends of its turn it looks for what may be answered."""
    third: int = 0


STRENGTHS = (
    Strength(0.8, mood=0.28, width=2, gambles=1),
    Strength(0.8, mood=0.12, width=3, gambles=1),
    Strength(0.8, mood=0.03, width=6, gambles=2),
    Strength(0.8, width=8, gambles=2, reply_width=3, reply_gambles=1, looks=12),
    Strength(4.4, reply_width=5, looks=100_000, third=4),
)
LEAD = 0.08
"""What a duel won later is worth."""

Plan = Mapping[State, Action]
plans: OrderedDict[tuple[str, Seat], Plan] = OrderedDict()
"""By match and seat, what is meant to be done in the rest of the turn."""


def choosing(strength: Strength) -> Bot:
    def choose(view: View, actions: Sequence[Any], think: Think) -> Any:
        if len(actions) == 1:
            return actions[0]
        state = as_seen(view)
        if isinstance(actions[0], Place):
            place = placed(state, think.seat, line_up_mix(state, think), think.rng)
            return place if place in actions else greedy.choose(view, actions, think)
        meant = plans.get((think.match, think.seat), {}).get(state)
        if think.match and meant in actions:
            return meant
        root = Root(state, think)
        with think.within(strength.seconds) as nodes:
            root.ponder(strength, nodes)
        action = root.chosen()
        return action if action in actions else greedy.choose(view, actions, think)

    return choose


def line_up_mix(state: State, think: Think) -> Any:
    """How often to choose each line-up."""
    options = tuple(sorted(think.game.options.items()))
    both = line_up_mixes(options, state.turn, state.hands, state.score)
    return both[SEATS.index(think.seat)]


@lru_cache(maxsize=64)
def line_up_mixes(options: Any, turn: Seat, hands: Any, score: Any) -> tuple[Any, Any]:
    state = State((), turn, Placing(SEATS[0]), hands=hands, score=score)
    return mixes(kernel.house(dict(options)), desk_of().judge, state)


class Root:
    """A position to think about."""

    def __init__(self, state: State, think: Think) -> None:
        self.state, self.think = state, think
        self.house = kernel.house(think.game.options)
        self.room = pool(1)
        kernel.pack(state, self.room[0])
        self.room[0].card = 0
        self.desk = desk_of()._replace(flag=np.frombuffer(think.flag, np.int64))
        self.is_on_turn = state.turn == think.seat

    def ponder(self, strength: Strength, nodes: int) -> None:
        care = Care(
            strength.mood,
            wide(self.think.rng.getrandbits(63)),
            small(strength.width),
            small(strength.gambles),
            small(strength.reply_width),
            small(strength.reply_gambles),
            small(strength.looks),
            small(strength.third),
            LEAD,
        )
        words = self.room.view(np.uint64).reshape(-1)
        ponder(self.house, self.desk, words, care, small(nodes))

    def chosen(self) -> Action | None:
        self.tell()
        if self.room[0].phase == DUEL:
            return self.drawn()
        line = self.line()
        if not line:
            return None
        if self.think.match:
            self.remember(line)
        return line[0]

    # Cards

    def drawn(self) -> Action:
        """A card by the best mix."""
        mixed = self.card_mix()
        return Card(self.think.rng.choices(list(mixed), list(mixed.values()))[0])

    def card_mix(self) -> dict[int, float]:
        assert isinstance(self.state.phase, Duelling)
        c, kept = self.desk.cards, SECOND if self.state.phase.round == 2 else FIRST
        hand = self.state.hands[SEATS.index(self.think.seat)]
        chances = (c.rows if self.is_on_turn else c.columns)[kept]
        return {card: float(chances[n]) for n, card in enumerate(hand)}

    # What is meant to be done

    def line(self) -> tuple[Action, ...]:
        """The best way until cards, or somebody else, decide, or the turn ends."""
        g, knot = self.desk.turn, self.desk.turn.knots[0]
        while knot.best != NOWHERE:
            knot = g.knots[knot.best]
            if knot.kind == CARDS or g.states[knot.node].phase != PLAY:
                return self.way_to(int(knot.node))
        found = self.way_to(int(knot.aim))
        return (*found, End()) if g.states[knot.aim].phase == PLAY else found

    def way_to(self, node: int) -> tuple[Action, ...]:
        """A run is as many steps as it takes."""
        g, ways = self.desk.turn, list[tuple[int, Action]]()
        while node > 0:
            parent = int(g.nodes[node].parent)
            ways.append((parent, kernel.unpack_action(int(g.nodes[node].action))))
            node = parent
        found = list[Action]()
        for before, action in reversed(ways):
            if isinstance(action, Step):
                state = kernel.unpack(g.states[before])
                found += steps(state.field, state.ball, action)
            else:
                found.append(action)
        return tuple(found)

    def remember(self, line: Sequence[Action]) -> None:
        """The rest of the turn, for as long as nobody else has a say in it."""
        game, state, meant = self.think.game, self.state, {}
        for action in line:
            if not isinstance(state.phase, Playing) or state.turn != self.think.seat:
                break
            meant[state] = action
            state = game.resolve(state, self.think.seat, action).state
        key = self.think.match, self.think.seat
        plans[key] = meant
        plans.move_to_end(key)
        while len(plans) > PLANS:
            plans.popitem(last=False)

    # What it says

    def tell(self) -> None:
        g, said = self.desk.turn, self.think.thoughts
        said.value = self.chance(float(g.knots[0].worth))
        said.nodes, said.depth = int(self.desk.counts[SEEN]), 1 + int(g.shift[1] > 0)
        if self.room[0].phase == DUEL:
            said.candidates = tuple(
                Candidate(Card(card), said.value, share)
                for card, share in sorted(self.card_mix().items(), key=lambda each: -each[1])
            )
            return
        line = self.line()
        if line:
            said.candidates = (Candidate(line[0], said.value, 1.0, line),)

    def chance(self, value: float) -> float:
        return min(1.0, max(0.0, value if self.is_on_turn else 1.0 - value))


def steps(field: Field, ball: int | None, run: Step) -> list[Action]:
    """The squares of a run, one by one: the shortest way, over nobody and over no loose ball."""
    before = {run.target: run.target}
    edge = [run.target]
    for at in edge:
        for near in NEIGHBOURS[at]:
            if near == run.origin:
                before[near] = at
                edge.clear()
                break
            if near not in before and not field[near] and near != ball and not is_in_goal(near):
                before[near] = at
                edge.append(near)
    found, at = list[Action](), run.origin
    while at != run.target:
        found.append(Step(at, before[at]))
        at = before[at]
    return found


@cache
def desk_of() -> Desk:
    """One for every process: nobody thinks about two things at once."""
    return desk(judge(cards(), read_net()), cards(), OWN, REPLY)


LEVELS: tuple[Bot, ...] = tuple(map(choosing, STRENGTHS))


def warm() -> None:
    """Call all that is compiled once, so that it is compiled and kept."""
    from random import Random

    from kibitz.games.kahmate import kahmate

    kernel.warm()
    game = kahmate()
    text = "13/8o4/13/13/5Soc5/3O9/13/13 R play - g5 123456/123456 0-0 9 -"
    state = game.read_state(text)
    view = game.view(state, "R", ())
    for bot in (LEVELS[-1], mcts):
        bot(view, game.turn_actions(state, "R"), Think(game, "R", Random(0), nodes=20))
    line_up_mix(game.start(), Think(game, "R", Random(0)))
    mix(0, 0, (1, 2), (1, 2), "hand")
