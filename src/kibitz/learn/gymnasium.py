"""The games as environments of Gymnasium: one seat against bots, and many matches at once.

    import gymnasium, kibitz.learn.gymnasium
    env = gymnasium.make("kibitz/Kahmate-v1", opponent="level-2")
    envs = gymnasium.make_vec("kibitz/Kahmate-v1", num_envs=1024)

`make` gives one seat against a bot. `make_vec` gives a batch, in which every action is that of
whoever acts, and the reward is what it gets for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, ClassVar, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from kibitz.bots.api import SearchContext
from kibitz.bots.registry import BOTS
from kibitz.core.game import read_choice, write_choice
from kibitz.core.kernel import Kernel
from kibitz.core.message import Refused, message
from kibitz.learn.batch import Batch
from kibitz.learn.single import SingleMatch
from kibitz.library.words import refusals_in_words

LIMIT = float(2**20)
"""More than any number of an observation."""
RENDER_MODES = ["human", "ansi", "svg", "rgb_array"]
NAMES = {"kahmate": "Kahmate", "kalamala": "Kalamala", "as-kimble": "AsKimble"}


def observation_space(kernel: Kernel) -> spaces.Dict:
    return spaces.Dict(
        {
            "board": spaces.Box(0, 1, kernel.planes, np.uint8),
            "numbers": spaces.Box(-LIMIT, LIMIT, (kernel.numbers,), np.float32),
            "action_mask": spaces.Box(0, 1, (kernel.actions,), np.int8),
        }
    )


class KibitzEnv(gymnasium.Env[Any, Any]):
    """One seat of a match; a bot plays the others. Whoever plays an illegal action has lost."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 2}

    def __init__(
        self,
        game: str,
        *,
        opponent: str | Callable[..., Any] = "greedy",
        seat: int | Literal["random"] = 0,
        options: Mapping[str, Any] | None = None,
        nodes: int = 1000,
        render_mode: str | None = None,
    ) -> None:
        """`opponent` is a bot's name or a function, which looks at so many nodes."""
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}")
        self.match, self.render_mode = SingleMatch(game, options), render_mode
        kernel = self.match.kernel
        if seat != "random" and seat not in range(kernel.seats):
            raise ValueError(f"seat is 0 to {kernel.seats - 1}, or random")
        if isinstance(opponent, str):
            with refusals_in_words():
                if opponent not in BOTS:
                    raise Refused(message("cli.bot", bot=opponent[:60], bots=", ".join(BOTS)))
            opponent = BOTS[opponent]
        self._opponent, self._chosen_seat, self._nodes = opponent, seat, nodes
        self.seat = 0
        self.observation_space = observation_space(kernel)
        self.action_space = spaces.Discrete(kernel.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        drawn = self.np_random.integers(2**62, size=3)
        self._rng = Random(int(drawn[0]))
        seats, wanted = self.match.kernel.seats, self._chosen_seat
        while True:
            self.seat = int(drawn[1]) % seats if wanted == "random" else int(wanted)
            self.match.reset(int(drawn[2]))
            self._let_others_play()
            if not self.match.is_over:
                return self._observation(), {}
            drawn = self.np_random.integers(2**62, size=3)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self.match.is_over or not self.match.is_legal(int(action)):
            return self._observation(), -1.0, True, False, {"is_illegal": True}
        self.match.play(int(action))
        self._let_others_play()
        reward = float(self.match.payoffs()[self.seat])
        return self._observation(), reward, self.match.is_over, False, {}

    def _let_others_play(self) -> None:
        while not self.match.is_over and self.match.actor != self.seat:
            self.match.play(self._choice())

    def _choice(self) -> int:
        """The number that the opponent plays, by its own view."""
        match, game, seat = self.match, self.match.setup.game, int(self.match.actor)
        texts = [match.kernel.text_of(match.p, seat, number) for number in match.numbers()]
        actions = [read_choice(game, text) for text in texts]
        context = SearchContext(game, game.seats[seat], self._rng, nodes=self._nodes)
        chosen = actions[0]
        if len(actions) > 1:
            chosen = self._opponent(match.view(seat), actions, context)
        return int(match.kernel.number_of(match.p, seat, write_choice(game, chosen)))

    def _observation(self) -> dict[str, Any]:
        board, numbers = self.match.observe(self.seat)
        return {"board": board, "numbers": numbers, "action_mask": self.match.mask(self.seat)}

    def render(self) -> Any:
        return self.match.render(self.render_mode, self.match.setup.game.seats[self.seat])


class KibitzVectorEnv(VectorEnv[Any, Any, Any]):
    """A batch: every action is that of whoever acts, and the reward is what it gets for it.

    A match that is over starts again in the same step. `infos` has the actors, and the rewards of
    all seats.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, game: str, num_envs: int = 1, **settings: Any) -> None:
        self.batch, self.num_envs = Batch(game, num_envs, **settings), num_envs
        self.single_observation_space = observation_space(self.batch.kernel)
        self.single_action_space = spaces.Discrete(self.batch.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.batch.reset(seed)
        return self._observations(), {"actor": self.batch.actor.copy()}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        actors = self.batch.actor.astype(np.int64)
        rewards, done = self.batch.step(np.asarray(actions))
        own = rewards[np.arange(self.num_envs), actors].astype(np.float64)
        infos = {"actor": self.batch.actor.copy(), "rewards": rewards.copy()}
        return self._observations(), own, done.copy(), np.zeros_like(done), infos

    def _observations(self) -> dict[str, Any]:
        board, numbers = self.batch.observe()
        mask = self.batch.legal().astype(np.int8)
        return {"board": board.copy(), "numbers": numbers.copy(), "action_mask": mask}


for _game, _name in NAMES.items():
    gymnasium.register(
        f"kibitz/{_name}-v1",
        entry_point="kibitz.learn.gymnasium:KibitzEnv",
        vector_entry_point="kibitz.learn.gymnasium:KibitzVectorEnv",
        kwargs={"game": _game},
    )
