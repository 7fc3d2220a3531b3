"""Bots of Kahmaté at five strengths: whole turns and their answers.

Cards and line-ups are drawn from the best mixes of matrix games by the bot's own dice: knowing this
code is of no use against it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots.api import Bot, Candidate, MeasurePlan, SearchContext
from kibitz.bots.compilation import runs_compiled
from kibitz.bots.greedy import choose_by_score
from kibitz.bots.kahmate.card_mixes import (
    FIRST_ROUND,
    SECOND_ROUND,
    Stakes,
    card_mixes,
    duel_solver,
)
from kibitz.bots.kahmate.line_ups import (
    SolvedLineUps,
    even_mix,
    next_placement,
    solve_line_ups,
)
from kibitz.bots.kahmate.mcts import mcts
from kibitz.bots.kahmate.search import (
    BEST,
    CARDS,
    NODES_SEEN,
    WORST,
    SearchBuffers,
    SearchSettings,
    end_value,
    new_buffers,
    search_turn,
)
from kibitz.bots.kahmate.turn_graph import LOST, MAX_NODES, NOWHERE, PERFECT, WON
from kibitz.bots.kahmate.value import Net, fill_net, new_evaluation_buffers, read_net
from kibitz.core.game import Seat
from kibitz.core.jit import i64, u64
from kibitz.games.kahmate import kernel
from kibitz.games.kahmate.actions import Action, Card, End, Placement, Step
from kibitz.games.kahmate.board import NEIGHBOURS, is_in_goal
from kibitz.games.kahmate.kernel.encoding import DUEL, PLAY, pool
from kibitz.games.kahmate.state import NOBODY, SEATS, Duelling, Field, Placing, Playing, State, View
from kibitz.games.kahmate.view import as_state

__all__ = ["LEVELS", "MEASURE_PLAN", "card_mixes", "greedy", "mcts", "warm"]

MAX_REPLY_NODES = 12_000
"""The largest answer that can be laid out."""
MAX_PLANS = 256
"""Of how many matches the plan is remembered."""


class Strength(NamedTuple):
    seconds: float
    noise: float = 0.0
    """The greatest error of its judgement."""
    width: int = 16
    """The positions that it keeps while it plans its own turn, and the duels."""
    gambles: int = 4
    reply_width: int = 6
    reply_gambles: int = 2
    reply_searches: int = 0
    """At how many ends of its turn it looks for what may be answered."""
    counter_searches: int = 0
    max_hope: float = 0.1
    """It looks at all ends of its turn that would be best if they were better by this than it first
    thinks."""


STRENGTHS = (
    Strength(0.8, noise=0.28, width=2, gambles=1),
    Strength(0.8, noise=0.12, width=3, gambles=1),
    Strength(0.8, noise=0.03, width=6, gambles=2),
    Strength(0.8, width=8, gambles=2, reply_width=3, reply_gambles=1, reply_searches=12),
    Strength(4.4, reply_width=5, reply_searches=100_000, counter_searches=4),
)
GREEDY = Strength(0.5, width=2, gambles=1)
LATER_DUEL_VALUE = 0.08
"""The worth of a duel won later."""

Plan = Mapping[State, Action]
plans: OrderedDict[tuple[str, Seat], Plan] = OrderedDict()
"""By match and seat, the rest of the turn as planned."""


def make_bot(strength: Strength) -> Bot:
    def choose(view: View, actions: Sequence[Any], think: SearchContext) -> Any:
        if len(actions) == 1:
            return actions[0]
        state = as_state(view)
        if isinstance(actions[0], Placement):
            return next_placement(state, actions, think.seat, line_up_mix(state, think), think.rng)
        planned = plans.get((think.match, think.seat), {}).get(state)
        if think.match and planned in actions:
            return planned
        root = Root(state, think)
        with think.search_budget(strength.seconds) as nodes:
            root.search(strength, nodes)
        action = root.choose_action()
        return action if action in actions else choose_by_score(view, actions, think)

    return choose


def line_up_mix(state: State, think: SearchContext) -> Any:
    """The odds of each line-up; all the same where finding better ones would take a minute."""
    if not runs_compiled():
        return even_mix()
    return solved_line_ups(state, think.game.options).mixes[SEATS.index(think.seat)]


def solved_line_ups(state: State, options: Mapping[str, Any]) -> SolvedLineUps:
    """Both captains' best mixes in a set-up, whoever stands there already."""
    before = State(
        NOBODY,
        state.turn,
        Placing(SEATS[0]),
        hands=state.hands,
        score=state.score,
        raised_tries=state.raised_tries,
        turns=state.turns,
    )
    return _solved_line_ups(tuple(sorted(options.items())), before)


@lru_cache(maxsize=64)
def _solved_line_ups(options: Any, state: State) -> SolvedLineUps:
    judge = shared_buffers().evaluation
    fill_net(judge, usual_net())
    return solve_line_ups(kernel.option_codes(dict(options)), judge, state)


class Root:
    """A position to think about."""

    def __init__(self, state: State, think: SearchContext) -> None:
        self.state, self.think = state, think
        self.option_codes = kernel.option_codes(think.game.options)
        self.room = pool(1)
        kernel.pack(state, self.room[0])
        self.room[0].card = 0
        self.buffers = shared_buffers()._replace(flag=np.frombuffer(think.flag, np.int64))
        self.is_on_turn = state.turn == think.seat

    def search(self, strength: Strength, nodes: int, net: Net | None = None) -> None:
        """Search, and judge by this net where it is not the usual one."""
        fill_net(self.buffers.evaluation, net or usual_net())
        care = SearchSettings(
            strength.noise,
            u64(self.think.rng.getrandbits(63)),
            i64(strength.width),
            i64(strength.gambles),
            i64(strength.reply_width),
            i64(strength.reply_gambles),
            i64(strength.reply_searches),
            i64(strength.counter_searches),
            LATER_DUEL_VALUE,
            strength.max_hope,
        )
        search_turn(self.option_codes, self.buffers, self.room[0], care, i64(nodes))

    def choose_action(self) -> Action | None:
        self.report_evaluation()
        if self.room[0].phase == DUEL:
            return self.draw_card()
        line = self.line()
        if not line:
            return None
        if self.think.match:
            self.remember_plan(line)
        return line[0]

    # Cards

    def draw_card(self) -> Action:
        """A card by the best mix."""
        mixed = self.card_mix()
        return Card(self.think.rng.choices(list(mixed), list(mixed.values()))[0])

    def card_mix(self) -> dict[int, float]:
        assert isinstance(self.state.phase, Duelling)
        c, kept = self.buffers.cards, SECOND_ROUND if self.state.phase.round == 2 else FIRST_ROUND
        hand = self.state.hands[SEATS.index(self.think.seat)]
        chances = (c.rows if self.is_on_turn else c.columns)[kept]
        return {card: float(chances[n]) for n, card in enumerate(hand)}

    # The plan

    def line(self) -> tuple[Action, ...]:
        """The best way until cards, or somebody else, decide, or the turn ends."""
        return self.line_from(0)

    def line_from(self, at: int) -> tuple[Action, ...]:
        """The same, by the knot that is gone through."""
        g = self.buffers.turn
        knot = g.knots[at]
        while at == 0 or (knot.kind != CARDS and g.states[knot.node].phase == PLAY):
            if knot.best == NOWHERE:
                return self.line_to(int(knot.aim))
            at = int(knot.best)
            knot = g.knots[at]
        return self.actions_to(int(knot.node))

    def line_to(self, end: int) -> tuple[Action, ...]:
        """The way to a place where the turn ends, and its end unless that is a try."""
        found = self.actions_to(end)
        return (*found, End()) if self.buffers.turn.states[end].phase == PLAY else found

    def plans(self) -> list[tuple[float, tuple[Action, ...]]]:
        """The lines that were compared, the best for whoever chooses first, each with its value
        to the captain on turn."""
        g = self.buffers.turn
        root = g.knots[0]
        if root.kind not in (BEST, WORST):
            return []
        ends = [int(each) for each in root.ends[: root.how_many]]
        beyond = range(int(root.first), int(root.first + root.ways))
        found = [(float(end_value(g, i64(end))), self.line_to(end)) for end in ends]
        found += [(float(g.knots[at].value), self.line_from(at)) for at in beyond]
        best = self.line()
        found.sort(key=lambda each: (each[1] != best, each[0] * (1 if root.kind == WORST else -1)))
        return found

    @property
    def value(self) -> float:
        """The chance of the captain on turn to win the match."""
        return min(1.0, max(0.0, float(self.buffers.turn.knots[0].value)))

    @property
    def stakes(self) -> Stakes:
        """The stakes of the duel that is being fought."""
        g, first = self.buffers.turn, int(self.buffers.turn.knots[0].first)
        lost, won, perfect = (float(g.knots[first + n].value) for n in (LOST, WON, PERFECT))
        return Stakes(lost, won, perfect, i64(self.option_codes.perfect), LATER_DUEL_VALUE)

    def actions_to(self, node: int) -> tuple[Action, ...]:
        """A run is as many steps as it takes."""
        g, ways = self.buffers.turn, list[tuple[int, Action]]()
        while node > 0:
            parent = int(g.nodes[node].parent)
            ways.append((parent, kernel.unpack_action(int(g.nodes[node].action))))
            node = parent
        found = list[Action]()
        for before, action in reversed(ways):
            if isinstance(action, Step):
                state = kernel.unpack(g.states[before])
                found += run_steps(state.field, state.ball, action)
            else:
                found.append(action)
        return tuple(found)

    def remember_plan(self, line: Sequence[Action]) -> None:
        """The rest of the turn, for as long as nobody else has a say in it."""
        game, state, plan = self.think.game, self.state, {}
        for action in line:
            if not isinstance(state.phase, Playing) or state.turn != self.think.seat:
                break
            plan[state] = action
            state = game.rules.resolve(state, self.think.seat, action).state
        key = self.think.match, self.think.seat
        plans[key] = plan
        plans.move_to_end(key)
        while len(plans) > MAX_PLANS:
            plans.popitem(last=False)

    # What it says

    def report_evaluation(self) -> None:
        g, said = self.buffers.turn, self.think.evaluation
        said.value = self.win_chance(float(g.knots[0].value))
        said.nodes, said.depth = int(self.buffers.counts[NODES_SEEN]), 1 + int(g.shift[1] > 0)
        if self.room[0].phase == DUEL:
            said.candidates = tuple(
                Candidate(Card(card), said.value, share)
                for card, share in sorted(self.card_mix().items(), key=lambda each: -each[1])
            )
            return
        line = self.line()
        if line:
            said.candidates = (Candidate(line[0], said.value, 1.0, line),)

    def win_chance(self, value: float) -> float:
        return min(1.0, max(0.0, value if self.is_on_turn else 1.0 - value))


def run_steps(field: Field, ball: int | None, run: Step) -> list[Action]:
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
def usual_net() -> Net:
    """Return the net that all levels judge by."""
    return read_net()


@cache
def shared_buffers() -> SearchBuffers:
    """Return the buffers of this process, which runs one search at a time."""
    return new_buffers(
        new_evaluation_buffers(duel_solver(), usual_net()),
        duel_solver(),
        MAX_NODES,
        MAX_REPLY_NODES,
    )


_five = tuple(map(make_bot, STRENGTHS))
LEVELS: tuple[Bot, ...] = (*_five, _five[-1])
"""The sixth plays as the fifth does, until one is found that is stronger."""
greedy = make_bot(GREEDY)
MEASURE_PLAN = MeasurePlan(
    {
        **{f"level-{n}": "20000n" for n in range(1, 5)},
        "level-5": "500000n",
        "level-6": "500000n",
        "mcts": "110n",
    },
    level_games=200,
)


def warm() -> None:
    """Call all that is compiled once, so that it is compiled and kept."""
    from random import Random

    from kibitz.games.kahmate import kahmate

    kernel.warm()
    game = kahmate()
    text = "13/8o4/13/13/5Soc5/3O9/13/13 R play - g5 123456/123456 0-0 9 -"
    state = game.notation.read_state(text)
    view = game.rules.view(state, "R", ())
    for bot in (LEVELS[-1], mcts):
        bot(
            view, game.rules.turn_actions(state, "R"), SearchContext(game, "R", Random(0), nodes=20)
        )
    line_up_mix(game.rules.start(), SearchContext(game, "R", Random(0)))
    card_mixes(0, 0, (1, 2), (1, 2), "hand")
