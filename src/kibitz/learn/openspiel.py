"""The games in OpenSpiel, registered when this is imported.

    import pyspiel, kibitz.learn.openspiel
    game = pyspiel.load_game("kibitz_kahmate")

Options are parameters, and `position` is one to begin with. With `until=reveal` a game ends as soon
as cards are turned over and one has won: a duel alone, worth 1.

Chance is explicit: its outcomes are numbered in the order of their texts. An information state is
all that a player did and witnessed, in order, so nobody forgets anything; an observation is the
view of the moment.
"""

from __future__ import annotations

import json
from functools import cache
from math import prod
from typing import Any

import numpy as np
import pyspiel

from kibitz.core.game import CHANCE, PRESS_DIE, visible_to
from kibitz.core.jit import i64
from kibitz.core.kernel import CHANCE as CHANCE_ACTS
from kibitz.core.kernel import OVER
from kibitz.core.message import Message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.learn.setup import Setup, setup_of

MOST_OUTCOMES, MOST_ACTIONS = 64, 100_000
"""Beyond what chance can do at once, and beyond the longest match."""
MATCH, REVEAL = "match", "reveal"
"""The end of a game, by its parameter `until`."""
HIDDEN = {"kahmate"}
"""The games in which something lies face down."""


def short_name(game: str) -> str:
    return f"kibitz_{game.replace('-', '_')}"


@cache
def _setup(name: str, options: str) -> Setup:
    """By the options as JSON: states are copied, and this must not be."""
    return setup_of(name, json.loads(options))


@cache
def _parameters(name: str) -> dict[str, Any]:
    usual = setup_of(name).game.options
    simple = {key: value for key, value in usual.items() if isinstance(value, bool | int | str)}
    amounts = {key: float(simple[key]) for key in simple if _takes_fractions(name, key)}
    return {**simple, **amounts, "position": START, "until": MATCH}


def _takes_fractions(name: str, key: str) -> bool:
    """True of an option that is an amount: OpenSpiel wants one type for each parameter."""
    try:
        setup_of(name, {key: 0.5})
    except ValueError:  # Refused by the rules.
        return False
    return True


def _game_type(name: str) -> Any:
    seats, kinds = setup_of(name).kernel.seats, pyspiel.GameType
    has_chance = setup_of(name).game.policy.has_chance
    hides = name in HIDDEN
    return pyspiel.GameType(
        short_name=short_name(name),
        long_name=f"Kibitz: {name}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=(
            kinds.ChanceMode.EXPLICIT_STOCHASTIC if has_chance else kinds.ChanceMode.DETERMINISTIC
        ),
        information=(
            kinds.Information.IMPERFECT_INFORMATION
            if hides
            else kinds.Information.PERFECT_INFORMATION
        ),
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(name),
    )


def _game_class(name: str, kind: Any) -> Any:
    class KibitzGame(pyspiel.Game):
        """A game of Kibitz under some options."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            given = {**_parameters(name), **(params or {})}
            self.position, self.until = str(given.pop("position")), str(given.pop("until"))
            if self.until not in (MATCH, REVEAL):
                raise ValueError(f"until is {MATCH} or {REVEAL}, not {self.until}")
            self.key = name, json.dumps(given, sort_keys=True)
            kernel, has_chance = _setup(*self.key).kernel, _setup(*self.key).game.policy.has_chance
            info = pyspiel.GameInfo(
                num_distinct_actions=kernel.actions,
                max_chance_outcomes=MOST_OUTCOMES if has_chance else 0,
                num_players=kernel.seats,
                min_utility=-1.0,
                max_utility=float(kernel.seats - 1),
                utility_sum=0.0,
                max_game_length=MOST_ACTIONS,
            )
            super().__init__(kind, info, params or {})

        def new_initial_state(self, state: Any = None) -> Any:
            return KibitzState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return Observer(self.key, params)

    return KibitzGame


class KibitzState(pyspiel.State):
    """A state of the kernel, and what every player did and witnessed so far."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._key, self._until = game.key, game.until
        self._winner: int | None = None
        setup = self.setup
        self._pool = setup.kernel.pool(1)
        if game.position == START:
            setup.kernel.start(setup.options, self._pool[0])
        else:
            setup.kernel.pack(setup.game.notation.read_state(game.position), self._pool[0])
        self._histories: list[list[str]] = [[] for _ in range(setup.kernel.seats)]

    @property
    def setup(self) -> Setup:
        return _setup(*self._key)

    @property
    def p(self) -> Any:
        return self._pool[0]

    def _actor(self) -> int:
        if self._winner is not None:
            return OVER
        return int(self.setup.kernel.actor(self.setup.options, self.p))

    def _state(self) -> Any:
        return self.setup.kernel.unpack(self.p)

    def current_player(self) -> Any:
        actor = self._actor()
        if actor == OVER:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if actor == CHANCE_ACTS else actor

    def _legal_actions(self, player: int) -> list[int]:
        setup, words = self.setup, self.setup.kernel.new_words()
        setup.kernel.legal(setup.options, self.p, i64(player), words)
        found = np.unpackbits(words.view(np.uint8), bitorder="little")
        return [int(number) for number in np.flatnonzero(found)]

    def _outcomes(self) -> list[tuple[str, Any, float]]:
        game = self.setup.game
        odds = game.rules.odds(self._state()).items()
        return sorted(
            (game.notation.write_action(each), each, float(share)) for each, share in odds
        )

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(number, share) for number, (_, _, share) in enumerate(self._outcomes())]

    def _apply_action(self, number: int) -> None:
        setup, actor = self.setup, self._actor()
        game, kernel = setup.game, setup.kernel
        if actor == CHANCE_ACTS:
            _, action, _ = self._outcomes()[number]
            step = game.rules.resolve(self._state(), CHANCE, action)
            kernel.pack(step.state, self.p)
            self._tell(step.events)
            return
        text = kernel.text_of(self.p, actor, number)
        self._histories[actor].append(f"> {text or '-'}")
        before = self._state()
        kernel.act(setup.options, self.p, i64(actor), i64(number))
        if text != PRESS_DIE:
            action = game.notation.read_action(text)
            self._tell(game.rules.resolve(before, game.seats[actor], action).events)

    def _tell(self, events: Any) -> None:
        if self._until == REVEAL:
            cards = (side for event in events if event.reveal for side in event.reveal.sides)
            winner = next((each.seat for each in cards if each.has_won), None)
            self._winner = None if winner is None else self.setup.game.seats.index(winner)
        for history, seat in zip(self._histories, self.setup.game.seats, strict=True):
            history += [_event_text(event.message) for event in visible_to(events, seat)]

    def _action_to_string(self, player: int, number: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self._outcomes()[number][0]
        return self.setup.kernel.text_of(self.p, player, number) or "-"

    def is_terminal(self) -> bool:
        return self._actor() == OVER

    def returns(self) -> list[float]:
        if self._winner is not None:
            others = range(self.setup.kernel.seats)
            return [1.0 if seat == self._winner else -1.0 for seat in others]
        found = np.zeros(self.setup.kernel.seats, np.int64)
        is_over = self.setup.kernel.payoffs(self.setup.options, self.p, found)
        return [float(each) if is_over else 0.0 for each in found]

    def information_state_string(self, player: int | None = None) -> str:
        seat = self.current_player() if player is None else player
        return "\n".join([*self._histories[seat], view_text(self, seat)])

    def __str__(self) -> str:
        return self.setup.game.notation.write_state(self._state())


def view_text(state: KibitzState, player: int) -> str:
    game = state.setup.game
    return game.notation.write_view(game.rules.view(state._state(), game.seats[player], ()))


def _event_text(told: Message) -> str:
    values = (
        f"{name}={_event_text(value) if isinstance(value, Message) else value}"
        for name, value in told.values
    )
    return f"{told.id}({', '.join(values)})"


class Observer:
    """The observations of a player: the view as a text, the planes and numbers as a tensor."""

    def __init__(self, key: tuple[str, str], params: Any) -> None:
        if params:
            raise ValueError(f"an observer takes no parameters, not {params}")
        kernel = _setup(*key).kernel
        board = prod(kernel.planes)
        self.tensor = np.zeros(board + kernel.numbers, np.float32)
        self.dict = {
            "board": self.tensor[:board].reshape(kernel.planes),
            "numbers": self.tensor[board:],
        }

    def set_from(self, state: KibitzState, player: int) -> None:
        kernel, (board, numbers) = state.setup.kernel, state.setup.kernel.new_observation()
        kernel.observe(state.setup.options, state.p, i64(player), board, numbers)
        self.dict["board"][:], self.dict["numbers"][:] = board, numbers

    def string_from(self, state: KibitzState, player: int) -> str:
        return view_text(state, player)


for _name in GAMES:
    if "kernel" in GAMES[_name].extras:
        _kind = _game_type(_name)
        pyspiel.register_game(_kind, _game_class(_name, _kind))
