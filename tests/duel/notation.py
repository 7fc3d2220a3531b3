"""Duels as text.

    c2      the seat whose card is due puts down card 2 (also C2)
    r3      the die shows 3
    A wind  A calls on its second wind (also wind, said by A)
    set "POSITION" "WHY"    by the referee
    draw    by both

A position is `steps/hands/down/runner/winds`, as in `4:0/12:3/-/A/AB`.
In a view of it a hidden card is `?`, which is not read back.
"""

from __future__ import annotations

import json
import re

from duel.actions import Action, Choose, Draw, Roll, Set, Wind
from duel.options import Options
from duel.state import FACE_DOWN, SEATS, State, View
from kibitz.core.message import Refused, message

_HAND = "((?=[123])1?2?3?)"
_STATE = re.compile(rf"(0|[1-9]\d?):(0|[1-9]\d?)/{_HAND}:{_HAND}/([123-])/([AB-])/(A?B?|-)")
_WORD = re.compile(r"(?:[cC](?P<card>\d)|r(?P<pips>\d)|(?:(?P<seat>[AB]) )?wind)")
_SET = re.compile(r'set ("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")')


def write_action(action: Action) -> str:
    match action:
        case Choose(card):
            return f"c{card}"
        case Roll(pips):
            return f"r{pips}"
        case Wind(seat):
            return f"{seat} wind".strip()
        case Draw():
            return "draw"
        case Set(state, why):
            return f"set {json.dumps(write_state(state))} {json.dumps(why)}"


def read_action(options: Options, text: str) -> Action:
    if text == "draw":
        return Draw()
    if found := _SET.fullmatch(text):
        position, why = (json.loads(quoted) for quoted in found.groups())
        return Set(read_state(options, position), why)
    if not (found := _WORD.fullmatch(text)):
        raise Refused(message("duel.not-an-action", text=text))
    if card := found["card"]:
        return Choose(int(card))
    return Roll(int(found["pips"])) if found["pips"] else Wind(found["seat"] or "")


def write_state(state: State | View) -> str:
    hands = ("".join(map(str, hand)) for hand in state.hands)
    winds = "".join(seat for seat, left in zip(SEATS, state.winds, strict=True) if left)
    down = {None: "-", FACE_DOWN: "?"}.get(state.down, str(state.down))
    steps = ":".join(map(str, state.steps))
    return "/".join((steps, ":".join(hands), down, state.runner or "-", winds or "-"))


def read_state(options: Options, text: str) -> State:
    if not (found := _STATE.fullmatch(text)):
        raise Refused(message("duel.not-a-position", text=text))
    a, b, mine, theirs, down, runner, winds = found.groups()
    state = State(
        steps=(int(a), int(b)),
        hands=(tuple(map(int, mine)), tuple(map(int, theirs))),
        down=None if down == "-" else int(down),
        runner=None if runner == "-" else runner,
        winds=("A" in winds, "B" in winds),
    )
    if max(state.steps) > options.goal or min(state.steps) == options.goal:
        raise Refused(message("duel.beyond-the-line", "D3", goal=options.goal))
    if state.down is not None and (state.runner or state.down not in state.hands[0]):
        raise Refused(message("duel.not-in-hand", "D1", card=state.down))
    return state
