"""Ceilings of the function calls that an action costs: they do not depend on the machine.

Caches that other tests have filled make it less. Whoever makes it less for good lowers a ceiling;
whoever has to raise one says in docs/server-speed.md what for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from support.function_calls import count_calls

PEOPLE, ACTIONS = 2, 15
CEILINGS: Mapping[str, tuple[Mapping[str, Any], int]] = {
    "kahmate": ({"turn_limit": 1000}, 3650),
    "kalamala": ({"turn_limit": 5000}, 2830),
    "as-kimble": ({}, 1980),
}


@pytest.mark.parametrize("game", CEILINGS)
def test_an_action_takes_no_more_function_calls_than_it_did(game: str) -> None:
    options, most = CEILINGS[game]
    calls, _ = count_calls(game, options, PEOPLE, ACTIONS)
    assert calls <= most
