"""The games as environments of PettingZoo: agents act in turns (AEC).

    from kibitz.learn import pettingzoo
    env = pettingzoo.env("kahmate")

Agents are `player_0` and so on, in the order of the seats. Only who acts has a mask; what lies face
down is in nobody else's observation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from kibitz.learn.single import SingleMatch

LIMIT = float(2**20)
"""More than any number of an observation."""
RENDER_MODES = ["human", "ansi", "svg", "rgb_array"]


def env(game: str, **settings: Any) -> Any:
    """An environment that ends with -1 for whoever plays an illegal action."""
    made = wrappers.TerminateIllegalWrapper(raw_env(game, **settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


class raw_env(AECEnv):
    """One match. `options` are those of the game; others are as for bots. With `max_cycles` it is
    cut off after so many actions of each agent on average."""

    def __init__(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> None:
        super().__init__()
        if max_cycles is not None and max_cycles < 1:
            raise ValueError("max_cycles is at least 1")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}")
        self.match, self.render_mode = SingleMatch(game, options), render_mode
        kernel = self.match.kernel
        self.metadata = {
            "name": kernel.name.replace("-v", "_v").replace("-", "_"),
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(kernel.seats)]
        observation = spaces.Dict(
            {
                "board": spaces.Box(0, 1, kernel.planes, np.uint8),
                "numbers": spaces.Box(-LIMIT, LIMIT, (kernel.numbers,), np.float32),
            }
        )
        mask = spaces.Box(0, 1, (kernel.actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observation, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(kernel.actions) for agent in self.possible_agents
        }
        self._seeds = np.random.default_rng()
        self._max_actions = max_cycles and max_cycles * kernel.seats

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.match.reset(int(self._seeds.integers(2**62)))
        self._played = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.match.actor]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        board, numbers = self.match.observe(seat)
        shown = {"board": board, "numbers": numbers}
        return {"observation": shown, "action_mask": self.match.mask(seat)}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not self.match.is_legal(int(action)):
            raise ValueError(f"action {action} is not legal for {agent}")
        self.match.play(int(action))
        self._played += 1
        self._cumulative_rewards[agent] = 0.0
        payoffs = self.match.payoffs().tolist()
        self.rewards = dict(zip(self.possible_agents, map(float, payoffs), strict=True))
        is_cut = not self.match.is_over and self._played == self._max_actions
        if self.match.is_over or is_cut:
            self.terminations = dict.fromkeys(self.agents, not is_cut)
            self.truncations = dict.fromkeys(self.agents, is_cut)
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[self.match.actor]
        self._accumulate_rewards()

    def render(self) -> Any:
        return self.match.render(self.render_mode)

    def close(self) -> None:
        """Nothing is open."""
