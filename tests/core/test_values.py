"""Values: frozen, equal by their fields, fit for other processes, and not looked at as garbage."""

from __future__ import annotations

import gc
import pickle

import pytest
from msgspec.structs import replace

from kibitz.core.game import Event, Offer
from kibitz.core.message import Message, message
from kibitz.core.values import FrozenValue
from kibitz.games import GAMES
from kibitz.table.table import open_table

TOLD = message("kalamala.moved", "3.1", seat="A", name=message("kalamala.seat-A"))


def test_values_are_equal_by_their_fields_and_never_change() -> None:
    same = message("kalamala.moved", "3.1", seat="A", name=message("kalamala.seat-A"))
    assert same == TOLD
    assert hash(same) == hash(TOLD)
    assert replace(TOLD, paragraph="3.2") != TOLD
    with pytest.raises(AttributeError):
        TOLD.paragraph = "3.2"  # type: ignore[misc]


@pytest.mark.parametrize("game", GAMES)
def test_positions_and_actions_go_to_other_processes_and_come_back(game: str) -> None:
    rulebook = GAMES[game]
    rules = rulebook.game(rulebook.preset).rules
    state = rules.start()
    actor = sorted(rules.to_act(state))[0]
    for value in (state, rules.view(state, actor, ()), rules.turn_actions(state, actor)):
        again = pickle.loads(pickle.dumps(value))
        assert again == value
        assert hash(again) == hash(value)


def test_the_collector_of_garbage_does_not_look_at_values() -> None:
    offer = Offer(("@a1",), ("sq-a1",), "place", TOLD, prompts=(TOLD,))
    table = open_table(GAMES["kalamala"].game(GAMES["kalamala"].preset))
    assert all(isinstance(each, FrozenValue) for each in (TOLD, offer, table, table.state))
    assert not any(map(gc.is_tracked, (TOLD, Event(TOLD), offer, table, table.state)))
    assert isinstance(TOLD, Message)
