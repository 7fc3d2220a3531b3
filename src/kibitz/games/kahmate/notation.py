"""Kahmaté as text (13).

    S@b3        set a man up: S T F C O, capital for both sides
    ball=4      the card drawn for the ball (chance)
    g4-h4       step         g4xh4   tackle       g4>h4   force through
    g4~e5       pass         g4^j6   kick         end
    int=f4      intercept    no      let the pass go
    card=5      commit a card
    exit=i4     come out     drop=b5   let the ball fall
    resign R    forfeit R    draw    void

A position has nine fields: board, turn, phase, movers, ball, hands, score, turns, hold, as in
`13/2O8o1/2S7s2/1F8c2/2C7t2/1O11/2T8o1/10f2 R play - g4 123456/123456 0-0 0 -`.
In a view of it a hidden card is `?`, which is not read back.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kibitz.core.message import Message, Refused
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
    Resign,
    Step,
    Tackle,
    Void,
)
from kibitz.games.kahmate.board import FILE_COUNT, FILES, NAMES, RANK_COUNT, RANKS, name_of, square
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
_PLACE = re.compile(rf"([STFCO])@({_SQUARE})")
_PLAY = re.compile(rf"({_SQUARE})([-x>~^])({_SQUARE})")
_AT = re.compile(rf"(int|exit|drop)=({_SQUARE})")
_CARD = re.compile(r"(ball|card)=([1-6])")
_EVENT = re.compile(r"(resign|forfeit) ([RB])")
_PLAYS: dict[str, Callable[[int, int], Action]] = {
    "-": Step,
    "x": Tackle,
    ">": Force,
    "~": Pass,
    "^": Kick,
}
_WORDS: dict[str, Action] = {"no": Decline(), "end": End(), "draw": AgreedDraw(), "void": Void()}
_SIGNS = {kind: sign for sign, kind in _PLAYS.items()}
_NUMBER = "(0|[1-9][0-9]*)"
_MAX_DIGITS = 4000
"""More than anybody will count to, and few enough for Python to read."""


def write_action(action: Action) -> str:
    match action:
        case Placement(kind, at):
            return f"{kind}@{name_of(at)}"
        case Ball(card):
            return f"ball={card}"
        case Step(a, b) | Tackle(a, b) | Force(a, b) | Pass(a, b) | Kick(a, b):
            return f"{name_of(a)}{_SIGNS[type(action)]}{name_of(b)}"
        case Intercept(at):
            return f"int={name_of(at)}"
        case Card(card):
            return f"card={card}"
        case Exit(at):
            return f"exit={name_of(at)}"
        case Drop(at):
            return f"drop={name_of(at)}"
        case Resign(side):
            return f"resign {side}"
        case Forfeit(side):
            return f"forfeit {side}"
    return next(word for word, known in _WORDS.items() if known == action)


def read_action(text: str) -> Action:
    if text in _WORDS:
        return _WORDS[text]
    if found := _PLAY.fullmatch(text):
        return _PLAYS[found[2]](square(found[1]), square(found[3]))
    if found := _PLACE.fullmatch(text):
        return Placement(found[1], square(found[2]))
    if found := _CARD.fullmatch(text):
        return (Ball if found[1] == "ball" else Card)(int(found[2]))
    if found := _AT.fullmatch(text):
        kinds: dict[str, Callable[[int], Action]] = {"int": Intercept, "exit": Exit, "drop": Drop}
        return kinds[found[1]](square(found[2]))
    if found := _EVENT.fullmatch(text):
        return (Resign if found[1] == "resign" else Forfeit)(found[2])
    raise _refusal_error("not-an-action", "13.2", text=text[:60])


def write_state(state: State | View) -> str:
    """The position; of a view, the position as that viewer may see it."""
    movers = ",".join(f"{name_of(each.square)}:{each.points}" for each in state.movers)
    ball = "-" if state.ball is None else name_of(state.ball)
    hands = "/".join("".join(map(str, hand)) for hand in state.hands)
    score, hold = "{}-{}".format(*state.score), "-"
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


def write_phase(phase: Phase) -> str:
    match phase:
        case Placing(side):
            return f"place:{side}"
        case BallDrawing():
            return "draw"
        case Playing():
            return "play"
        case Passing(passer, receiver):
            return f"icpt:{name_of(passer)}~{name_of(receiver)}"
        case Duelling(contest, attacker, defender, receiver, round, card):
            men = f"{name_of(attacker)}>{name_of(defender)}"
            if receiver is not None:
                men = f"{name_of(attacker)}~{name_of(receiver)}@{name_of(defender)}"
            shown = {None: "-", FACE_DOWN: "?"}.get(card, str(card))
            return f"duel:{contest}:{men}:{round}:{shown}"
        case Exiting(charger, beaten):
            return f"exit:{name_of(charger)}>{name_of(beaten)}"
        case Dropping(fallen, against):
            return f"drop:{name_of(fallen)}<{name_of(against)}"
        case MatchOver(result):
            return f"over:{result}"


def read_state(options: Options, text: str) -> State:
    fields = text.split(" ")
    if len(fields) != 9:
        raise _refusal_error("fields", "13.1", n=len(fields))
    field, turn, phase, movers, ball, hands, score, turns, hold = fields
    if turn not in ("R", "B"):
        raise _refusal_error("turn-letter", "13.1", text=turn[:60])
    if not re.fullmatch(_NUMBER, turns) or len(turns) > _MAX_DIGITS:
        raise _refusal_error("turns-number", "13.1", text=turns[:60])
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
    )
    if refusal := why_not_possible(options, state):
        raise Refused(refusal)
    return state


def read_field(text: str) -> Field:
    ranks = text.split("/")
    if len(ranks) != RANK_COUNT:
        raise _refusal_error("ranks", "13.1", n=len(ranks))
    field: list[Man | None] = [None] * (FILE_COUNT * RANK_COUNT)
    for rank, row in enumerate(ranks):
        for file, man in enumerate(_read_rank(RANKS[rank], row)):
            field[file * RANK_COUNT + rank] = man
    return tuple(field)


def _read_rank(name: str, row: str) -> list[Man | None]:
    if not re.fullmatch(r"(?:[STFCOstfco]!{0,2}|(?<![0-9])(?:1[0-3]|[1-9])(?![0-9]))+", row):
        raise _refusal_error("rank", "13.1", rank=name, text=row[:60])
    men: list[Man | None] = []
    for run, kind, marks in re.findall(r"([0-9]+)|([A-Za-z])(!*)", row):
        if run:
            men += [None] * int(run)
        else:
            men.append(Man("R" if kind.isupper() else "B", kind.upper(), len(marks)))
    if len(men) != FILE_COUNT:
        raise _refusal_error("rank-width", "13.1", rank=name, n=len(men))
    return men


_PHASES: tuple[tuple[re.Pattern[str], Callable[..., Phase]], ...] = (
    (re.compile("play"), Playing),
    (re.compile("place:([RB])"), Placing),
    (re.compile("draw"), BallDrawing),
    (
        re.compile(rf"icpt:({_SQUARE})~({_SQUARE})"),
        lambda passer, receiver: Passing(square(passer), square(receiver)),
    ),
    (
        re.compile(rf"duel:([TF]):({_SQUARE})>({_SQUARE}):([12]):([1-6-])"),
        lambda contest, a, b, n, card: Duelling(
            contest, square(a), square(b), None, int(n), _read_card(card)
        ),
    ),
    (
        re.compile(rf"duel:(I):({_SQUARE})~({_SQUARE})@({_SQUARE}):([12]):([1-6-])"),
        lambda contest, a, b, x, n, card: Duelling(
            contest, square(a), square(x), square(b), int(n), _read_card(card)
        ),
    ),
    (
        re.compile(rf"exit:({_SQUARE})>({_SQUARE})"),
        lambda charger, beaten: Exiting(square(charger), square(beaten)),
    ),
    (
        re.compile(rf"drop:({_SQUARE})<({_SQUARE})"),
        lambda fallen, against: Dropping(square(fallen), square(against)),
    ),
    (re.compile("over:(R|B|draw|void)"), MatchOver),
)


def _read_phase(text: str) -> Phase:
    for pattern, phase in _PHASES:
        if found := pattern.fullmatch(text):
            return phase(*found.groups())
    raise _refusal_error("phase", "13.1", text=text[:60])


def _read_card(text: str) -> int | None:
    return None if text == "-" else int(text)


def _read_movers(text: str) -> tuple[Mover, ...]:
    if text == "-":
        return ()
    one = rf"{_SQUARE}:[0-{max(POINTS.values())}]"
    if not re.fullmatch(rf"{one}(?:,{one})?", text):
        raise _refusal_error("movers", "13.1", text=text[:60])
    movers = [Mover(square(each[:2]), int(each[3:])) for each in text.split(",")]
    if len(movers) == 2 and movers[0].square >= movers[1].square:
        raise _refusal_error("movers-order", "13.1", text=text)
    return tuple(movers)


def _read_ball(text: str) -> int | None:
    if text == "-":
        return None
    if text not in NAMES:
        raise _refusal_error("ball-square", "13.1", text=text[:60])
    return square(text)


def _read_hands(text: str) -> tuple[Hand, Hand]:
    found = re.fullmatch(r"((?=[1-6])1?2?3?4?5?6?)/((?=[1-6])1?2?3?4?5?6?)", text)
    if not found:
        raise _refusal_error("hands", "13.1", text=text[:60])
    red, blue = (tuple(map(int, hand)) for hand in found.groups())
    if len(red) != len(blue):
        raise _refusal_error("hands-size", "13.3", red=len(red), blue=len(blue))
    return red, blue


def _read_score(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9])-([0-9])", text)
    if not found:
        raise _refusal_error("score", "13.1", text=text[:60])
    return int(found[1]), int(found[2])


def _read_hold(text: str) -> Hold | None:
    if text == "-":
        return None
    found = re.fullmatch(rf"([RB]):{_NUMBER}:([a-m])", text)
    if not found or len(text) > _MAX_DIGITS:
        raise _refusal_error("hold", "13.1", text=text[:60])
    return Hold(found[1], int(found[2]), FILES.index(found[3]))


def _refusal_error(id: str, paragraph: str, **values: str | int) -> Refused:
    return Refused(Message(f"kahmate.{id}", tuple(values.items()), paragraph))
