"""Playing positions in tests."""

from __future__ import annotations

from typing import Any

from kibitz.core.game import CHANCE, moves_in
from kibitz.core.message import Refused
from kibitz.games.as_kimble import AS_KIMBLE
from kibitz.games.as_kimble.state import State

NOTHING = "0+0/0+0/0+0/0+0 1:- ---- -"
LOTS = f"h4/h4/h4/h4 S:-/-/-/- d- {NOTHING}"


def game_with(**options: Any) -> Any:
    return AS_KIMBLE.game(options)


def state_after(position: str, *texts: str, **options: Any) -> State:
    game = game_with(**options)
    state: State = game.rules.start() if position == "start" else game.notation.read_state(position)
    for text in texts:
        action = game.notation.read_action(text)
        state = game.rules.resolve(state, game.rules.actor_of(state, action), action).state
    return state


def after(position: str, *texts: str, **options: Any) -> str:
    """The position after some actions."""
    written: str = game_with(**options).notation.write_state(
        state_after(position, *texts, **options)
    )
    return written


def turn(position: str, *texts: str, **options: Any) -> str:
    """Whose turn it is after some actions, and for what."""
    return after(position, *texts, **options).split()[1]


def ledger(position: str, *texts: str, **options: Any) -> str:
    return after(position, *texts, **options).split()[3]


def marks(position: str, *texts: str, **options: Any) -> str:
    """The hembo marks after some actions."""
    return after(position, *texts, **options).split()[5]


def legal(position: str, *texts: str, **options: Any) -> list[str]:
    """What may be done next, but for plain pops."""
    game = game_with(**options)
    state = state_after(position, *texts, **options)
    listed = {
        game.notation.write_action(action)
        for actor in (*game.seats, CHANCE)
        for action in game.rules.turn_actions(state, actor)
    }
    return sorted(text for text in listed if " pop " not in text)


def last_step(position: str, *texts: str, **options: Any) -> Any:
    """All that the last action leads to."""
    game, state = game_with(**options), state_after(position, *texts[:-1], **options)
    action = game.notation.read_action(texts[-1])
    return game.rules.resolve(state, game.rules.actor_of(state, action), action)


def motions(position: str, *texts: str, **options: Any) -> list[str]:
    """What moves by the last action: `g-R1 t-0`."""
    events = last_step(position, *texts, **options).events
    return [f"{each.origin} {each.target}" for each in moves_in(events)]


def ways(position: str, text: str, **options: Any) -> list[str]:
    """How everything goes by an action: `hop t-5 t-6 t-7`; by way of what ends its way: `| t-7`."""
    events = last_step(position, text, **options).events
    return [
        " ".join(
            (each.how, each.origin, *each.through, *(("|", each.via) * bool(each.via)), each.target)
        )
        for event in events
        for each in event.motions
    ]


def event_ids(position: str, *texts: str, **options: Any) -> list[str]:
    """What the last action makes everybody witness, by the ids of the messages."""
    step = last_step(position, *texts, **options)
    return [event.message.id.removeprefix("as-kimble.") for event in step.events]


def result(position: str, *texts: str, **options: Any) -> Any:
    over = game_with(**options).rules.outcome(state_after(position, *texts, **options))
    return over.result if over else None


def refusal_of(position: str, *texts: str, **options: Any) -> tuple[str, str]:
    """Id and paragraph of the refusal of the last action."""
    game, state = game_with(**options), state_after(position, *texts[:-1], **options)
    try:
        action = game.notation.read_action(texts[-1])
        game.rules.resolve(state, game.rules.actor_of(state, action), action)
    except Refused as error:
        return error.refusal.id.removeprefix("as-kimble."), error.refusal.paragraph
    raise AssertionError(f"{texts[-1]} is allowed")


def unread(position: str, **options: Any) -> tuple[str, str]:
    """Id and paragraph of the refusal to read a position."""
    try:
        game_with(**options).notation.read_state(position)
    except Refused as error:
        return error.refusal.id.removeprefix("as-kimble."), error.refusal.paragraph
    raise AssertionError(f"{position} is read")
