"""The field as text, for terminals and tests; in English it reads back.

A man is the letter on his shirt. Red's are capitals, Blue's are not; `!` and `!!` are knock-out
marks, `*` is the ball, and `?` is where men are set up that are not to be seen. Bars are the goal
lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kibitz.core.message import Message, Say, message
from kibitz.games.kahmate.board import (
    FILE_COUNT,
    FILES,
    LINES,
    RANK_COUNT,
    RANKS,
    SQUARES,
    file_of,
    name_of,
    square,
)
from kibitz.games.kahmate.messages import letter_message
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules import hand_of, to_act
from kibitz.games.kahmate.state import (
    SEATS,
    Dropping,
    Duelling,
    Exiting,
    Field,
    Man,
    MatchOver,
    Passing,
    Placing,
    State,
    View,
)
from kibitz.games.kahmate.view import as_state


def draw_text(options: Options, view: View, say: Say) -> str:
    state = as_state(view)
    lines = ["   " + _text_row(FILES)]
    for rank in range(RANK_COUNT):
        squares = (file * RANK_COUNT + rank for file in range(FILE_COUNT))
        cells = [_cell(options, view, state, at, say) for at in squares]
        lines.append(f"{RANKS[rank]}  {_text_row(cells)}".rstrip())
    lines.append("")
    for side, tries in zip(SEATS, view.score, strict=True):
        cards = " ".join(map(str, hand_of(state, side)))
        told = message("kahmate.draw-text-side", side=side, seat=side, tries=tries, cards=cards)
        lines.append(say(told))
    if view.movers:
        men = ", ".join(f"{name_of(each.square)}:{each.points}" for each in view.movers)
        lines.append(say(message("kahmate.draw-text-movers", men=men)))
    lines += [say(each) for each in _text_phase(view, state)]
    return "\n".join(lines)


def _text_row(cells: Sequence[str]) -> str:
    """With the goal lines."""
    first, *field, last = (f"{each:<4}" for each in cells)
    return f"{first}| {' '.join(field)} | {last}".rstrip()


def _cell(options: Options, view: View, state: State, at: int, say: Say) -> str:
    who, ball = state.field[at], "*" if at == state.ball else ""
    if who:
        letter = say(letter_message(who))
        return (letter if who.side == "R" else letter.lower()) + "!" * who.down + ball
    if isinstance(view.phase, Placing) and options.placement == "hidden":
        for side in SEATS:
            if side != view.viewer and file_of(at) in LINES[side]:
                return "?"
    return ball or "."


def _text_phase(view: View, state: State) -> Iterator[Message]:
    match view.phase:
        case MatchOver(result):
            if result in SEATS:
                yield message("kahmate.draw-text-won", seat=result)
            else:
                yield message(f"kahmate.draw-text-{'void' if result == 'void' else 'draw-result'}")
            return
        case Placing():
            yield message("kahmate.draw-text-placing")
        case Passing(passer, receiver):
            names = {"origin": name_of(passer), "target": name_of(receiver)}
            yield message("kahmate.draw-text-pass", **names)
        case Duelling(contest, attacker, defender, receiver, round, _):
            target = defender if receiver is None else receiver
            names = {"origin": name_of(attacker), "target": name_of(target)}
            yield message(f"kahmate.draw-contest-{contest}", **names)
            if round == 2:
                yield message("kahmate.draw-second")
        case Exiting(charger, _):
            yield message("kahmate.draw-text-exit", square=name_of(charger))
        case Dropping(fallen, _):
            yield message("kahmate.draw-text-drop", square=name_of(fallen))
    (actor,) = to_act(state)
    if actor in SEATS:
        yield message("kahmate.draw-text-turn", turn=view.turns + 1, seat=actor)
    else:
        yield message("kahmate.draw-text-draw", turn=view.turns + 1)


def read_text(drawn: str) -> tuple[Field, int | None]:
    """The men and the ball of a field drawn in English; a rank that is left out is empty."""
    field: list[Man | None] = [None] * len(SQUARES)
    ball = None
    cell = r"(?:[STFCOstfco]!{0,2}\*?|[.?*]|\|)"
    for found in re.finditer(rf"^\s*([1-8]) +({cell}(?: +{cell})*)(?!\S)", drawn, re.MULTILINE):
        cells = found[2].replace("|", " ").split()
        for file, text in zip(FILES, cells, strict=True):
            at = square(file + found[1])
            if text[0].isalpha():
                field[at] = Man("R" if text[0].isupper() else "B", text[0].upper(), text.count("!"))
            if "*" in text:
                ball = at
    return tuple(field), ball
