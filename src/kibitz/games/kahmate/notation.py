"""Kahmaté as text (13).

    S@b3        set a man up: S T F C O, capital for both sides
    ball=4      the card drawn for the ball (chance)
    g4-h4       step         g4xh4   tackle       g4>h4   force through
    g4~e5       pass         g4^j6   kick         end
    int=f4      intercept    no      let the pass go, or stay after a charge
    card=5      commit a card
    exit=i4     come out     drop=b5   let the ball fall
    resign R    forfeit R    draw    void    continue 2

A position has nine fields: board, turn, phase, movers, ball, hands, score, turns, hold, as in
`13/2O8o1/2S7s2/1F8c2/2C7t2/1O11/2T8o1/10f2 R play - g4 123456/123456 0-0 0 -`.
In a view of it a hidden card is `?`, which is not read back.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import cast

from kibitz.core.message import Refused, message
from kibitz.core.notation import (
    MAX_CACHED_ACTIONS,
    Codec,
    Template,
    TemplateTable,
    match_text,
    split_fields,
)
from kibitz.games.kahmate.actions import (
    Action,
    AgreedDraw,
    Ball,
    Card,
    Decline,
    Drop,
    End,
    Exit,
    Force,
    Forfeit,
    Intercept,
    Kick,
    Pass,
    Placement,
    PlayOn,
    Resign,
    Step,
    Tackle,
    Void,
)
from kibitz.games.kahmate.board import FILE_COUNT, FILES, RANK_COUNT, RANKS, name_of, square
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.state import (
    FACE_DOWN,
    POINTS,
    BallDrawing,
    Dropping,
    Duelling,
    Exiting,
    Field,
    Hand,
    Hold,
    Man,
    MatchOver,
    Mover,
    Passing,
    Phase,
    Placing,
    Playing,
    State,
    View,
)
from kibitz.games.kahmate.validation import why_not_possible

_SQUARE = "[a-m][1-8]"
_NUMBER = "(0|[1-9][0-9]*)"
_CODECS = {
    "square": Codec(_SQUARE, square, name_of),
    "side": Codec("[RB]"),
    "kind": Codec("[STFCO]"),
    "card": Codec("[1-6]", int),
    "tries": Codec("[23]", int),
}
_ACTIONS = TemplateTable(
    _CODECS,
    {
        "{kind}@{square}": Placement,
        "ball={card}": Ball,
        "{origin:square}-{target:square}": Step,
        "{origin:square}x{target:square}": Tackle,
        "{origin:square}>{target:square}": Force,
        "{origin:square}~{target:square}": Pass,
        "{origin:square}^{target:square}": Kick,
        "int={square}": Intercept,
        "no": Decline,
        "card={card}": Card,
        "exit={square}": Exit,
        "drop={square}": Drop,
        "end": End,
        "resign {side}": Resign,
        "forfeit {side}": Forfeit,
        "draw": AgreedDraw,
        "void": Void,
        "continue {tries}": PlayOn,
    },
)


@lru_cache(maxsize=1 << 12)
def write_action(action: Action) -> str:
    return _ACTIONS.write(action)


@lru_cache(maxsize=MAX_CACHED_ACTIONS)
def read_action(text: str) -> Action:
    if action := _ACTIONS.read(text):
        return cast(Action, action)
    raise Refused(message("kahmate.not-an-action", "13.2", text=text[:60]))


def write_state(state: State | View) -> str:
    """The position; of a view, the position as that viewer may see it."""
    movers = ",".join(f"{name_of(each.square)}:{each.points}" for each in state.movers)
    ball = "-" if state.ball is None else name_of(state.ball)
    hands = "/".join("".join(map(str, hand)) for hand in state.hands)
    score, hold = "{}-{}".format(*state.score), "-"
    if state.raised_tries:
        score += f"/{state.raised_tries}"
    if state.hold:
        hold = f"{state.hold.side}:{state.hold.count}:{FILES[state.hold.best]}"
    fields = (
        write_field(state.field),
        state.turn,
        write_phase(state.phase),
        movers or "-",
        ball,
        hands,
        score,
        str(state.turns),
        hold,
    )
    return " ".join(fields)


def write_field(field: Field) -> str:
    ranks = []
    for rank in range(RANK_COUNT):
        men = (field[file * RANK_COUNT + rank] for file in range(FILE_COUNT))
        row = "".join(_letter(man) if man else "." for man in men)
        ranks.append(re.sub(r"\.+", lambda run: str(len(run[0])), row))
    return "/".join(ranks)


def _letter(man: Man) -> str:
    return (man.kind if man.side == "R" else man.kind.lower()) + "!" * man.down


def _write_card(card: int | None) -> str:
    return {None: "-", FACE_DOWN: "?"}.get(card, str(card))


_PHASE_CODECS = _CODECS | {
    "ground": Codec("[TF]"),
    "air": Codec("I"),
    "round": Codec("[12]", int),
    "hidden": Codec("[1-6-]", lambda text: None if text == "-" else int(text), _write_card),
    "result": Codec("R|B|draw|void"),
}
_INTERCEPTION = Template(
    "duel:{contest:air}:{attacker:square}~{receiver:square}@{defender:square}:{round}:{card:hidden}",
    Duelling,
    _PHASE_CODECS,
)
_PHASES = TemplateTable(
    _PHASE_CODECS,
    {
        "play": Playing,
        "place:{side}": Placing,
        "draw": BallDrawing,
        "icpt:{passer:square}~{receiver:square}": Passing,
        "duel:{contest:ground}:{attacker:square}>{defender:square}:{round}:{card:hidden}": Duelling,
        "exit:{charger:square}>{beaten:square}": Exiting,
        "drop:{fallen:square}<{against:square}": Dropping,
        "over:{result}": MatchOver,
    },
)


def write_phase(phase: Phase) -> str:
    if isinstance(phase, Duelling) and phase.receiver is not None:
        return _INTERCEPTION.write(phase)
    return _PHASES.write(phase)


def _read_phase(text: str) -> Phase:
    if phase := _PHASES.read(text) or _INTERCEPTION.read(text):
        return cast(Phase, phase)
    raise Refused(message("kahmate.phase", "13.1", text=text[:60]))


def read_state(options: Options, text: str) -> State:
    fields = split_fields(text, 9, "kahmate.fields", "13.1")
    field, turn, phase, movers, ball, hands, score, turns, hold = fields
    match_text("[RB]", turn, "kahmate.turn-letter", "13.1")
    match_text(_NUMBER, turns, "kahmate.turns-number", "13.1")
    state = State(
        field=read_field(field),
        turn=turn,
        phase=_read_phase(phase),
        movers=_read_movers(movers),
        ball=_read_ball(ball),
        hands=_read_hands(hands),
        score=_read_score(score),
        turns=int(turns),
        hold=_read_hold(hold),
        raised_tries=_read_raised_tries(score),
    )
    if refusal := why_not_possible(options, state):
        raise Refused(refusal)
    return state


def read_field(text: str) -> Field:
    ranks = text.split("/")
    if len(ranks) != RANK_COUNT:
        raise Refused(message("kahmate.ranks", "13.1", n=len(ranks)))
    field: list[Man | None] = [None] * (FILE_COUNT * RANK_COUNT)
    for rank, row in enumerate(ranks):
        for file, man in enumerate(_read_rank(RANKS[rank], row)):
            field[file * RANK_COUNT + rank] = man
    return tuple(field)


def _read_rank(name: str, row: str) -> list[Man | None]:
    one = "[STFCOstfco]!{0,2}|(?<![0-9])(?:1[0-3]|[1-9])(?![0-9])"
    match_text(f"(?:{one})+", row, "kahmate.rank", "13.1", rank=name)
    men: list[Man | None] = []
    for run, kind, marks in re.findall(r"([0-9]+)|([A-Za-z])(!*)", row):
        if run:
            men += [None] * int(run)
        else:
            men.append(Man("R" if kind.isupper() else "B", kind.upper(), len(marks)))
    if len(men) != FILE_COUNT:
        raise Refused(message("kahmate.rank-width", "13.1", rank=name, n=len(men)))
    return men


def _read_movers(text: str) -> tuple[Mover, ...]:
    if text == "-":
        return ()
    one = rf"{_SQUARE}:[0-{max(POINTS.values())}]"
    match_text(rf"{one}(?:,{one})?", text, "kahmate.movers", "13.1")
    movers = [Mover(square(each[:2]), int(each[3:])) for each in text.split(",")]
    if len(movers) == 2 and movers[0].square >= movers[1].square:
        raise Refused(message("kahmate.movers-order", "13.1", text=text))
    return tuple(movers)


def _read_ball(text: str) -> int | None:
    if text == "-":
        return None
    return square(match_text(_SQUARE, text, "kahmate.ball-square", "13.1")[0])


def _read_hands(text: str) -> tuple[Hand, Hand]:
    hand = "((?=[1-6])1?2?3?4?5?6?)"
    found = match_text(f"{hand}/{hand}", text, "kahmate.hands", "13.1")
    red, blue = (tuple(map(int, hand)) for hand in found.groups())
    if len(red) != len(blue):
        raise Refused(message("kahmate.hands-size", "13.3", red=len(red), blue=len(blue)))
    return red, blue


def _read_score(text: str) -> tuple[int, int]:
    found = match_text("([0-9])-([0-9])(?:/[23])?", text, "kahmate.score", "13.1")
    return int(found[1]), int(found[2])


def _read_raised_tries(text: str) -> int | None:
    """The tries needed, as the score says where the captains have played on."""
    raised = text.partition("/")[2]
    return int(raised) if raised else None


def _read_hold(text: str) -> Hold | None:
    if text == "-":
        return None
    found = match_text(f"([RB]):{_NUMBER}:([a-m])", text, "kahmate.hold", "13.1")
    return Hold(found[1], int(found[2]), FILES.index(found[3]))
