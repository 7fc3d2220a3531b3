"""Positions to touch, and what touching leads to."""

from __future__ import annotations

from typing import Any, TypeAlias

from hypothesis import strategies as st

from kibitz.core.game import Offer
from kibitz.games.as_kimble import Options, as_kimble
from kibitz.games.as_kimble.actions import Action
from kibitz.games.as_kimble.board import (
    GOALS,
    RING,
    SEAT_LETTERS,
    TEAMS,
    goal_place,
    home_place,
    ring_place,
)
from kibitz.games.as_kimble.rules.preparation import seats_due
from kibitz.games.as_kimble.state import Lots, State
from kibitz.games.as_kimble.view import View
from kibitz.i18n import say_in
from kibitz.table import Table, open_table
from laws.laws import moves

KimbleTable: TypeAlias = Table[State, Action, View]
SAY = say_in("en", {"R": "Red", "B": "Blue", "Y": "Yellow", "G": "Green"})
PLACES = {ring_place(grid) for grid in range(RING)} | {home_place(team) for team in TEAMS}
PLACES |= {goal_place(team, goal) for team in TEAMS for goal in GOALS} | {"dome"}
NAMES = (
    "hembo", "done", "propose", "yes", "no", "pass", "break", "resume",
    "mishap", "church", "silent", "sticky", "warm",
)  # fmt: skip
BUTTONS = {f"btn-{name}" for name in NAMES}
TOUCHABLE = PLACES | BUTTONS
COMPANION = Options(mode="companion")


def position(
    board: str,
    turn: str,
    *,
    ledger: str = "0+0/0+0/0+0/0+0",
    raises: str = "1:-",
    hembo: str = "----",
    flags: str = "-",
    die: str = "d-",
) -> str:
    return f"{board} {turn} {die} {ledger} {raises} {hembo} {flags}"


def at(text: str, options: Options | None = None) -> KimbleTable:
    return open_table(as_kimble(options or Options()), text)


def after(table: KimbleTable, *acts: str) -> KimbleTable:
    """Each act is who does it and a text: `R: R in`."""
    for act in acts:
        actor, text = act.split(": ", 1)
        table, _ = table.act(actor, text)
    return table


def sentences_of(table: KimbleTable, act: str) -> list[str]:
    """What everybody hears of it."""
    actor, text = act.split(": ", 1)
    after, witnessed = table.act(actor, text)
    assert len({witnessed[viewer] for viewer in after.viewers}) == 1
    return [SAY(event.message) for event in witnessed[actor if actor in TEAMS else "R"]]


def paths(table: KimbleTable, actor: str, kind: str) -> list[str]:
    """What one touches for this kind of thing, and what is sent: `t-5 t-9: R t5-t9`."""
    found = (offer for offer in table.offers(actor) if offer.kind == kind)
    return [f"{' '.join(offer.path)}: {' '.join(offer.actions)}" for offer in found]


def mishaps(table: KimbleTable, seat: str) -> set[str]:
    """What a seat at a real board may enter of its dome, by asking the rules about all there is."""
    faces = range(1, 7)
    texts = [f"warm {face}" for face in faces]
    if isinstance(table.state.phase, Lots):
        chair = SEAT_LETTERS[TEAMS.index(seat)] if seat in TEAMS else ""
        is_due = chair in seats_due(table.state.phase)
        texts += ["church", f"{chair} sticky"] * is_due
        texts += [f"{chair} silent {face}" for face in faces if is_due]
    else:
        texts += ["church", *(f"{team} sticky" for team in TEAMS)]
    texts += [f"{t} {what} {f}" for t in TEAMS for what in ("silent", "stray") for f in faces]
    read, why_not = table.game.notation.read_action, table.game.rules.why_not
    if table.game.options.get("mode") != "companion" or seat not in TEAMS:
        return set()
    return {text for text in texts if why_not(table.state, seat, read(text)) is None}


def offer_of(table: KimbleTable, actor: str, text: str) -> Offer:
    return next(offer for offer in table.offers(actor) if offer.actions == (text,))


def says(table: KimbleTable, actor: str, text: str) -> str:
    """What is said before it is done."""
    return SAY(offer_of(table, actor, text).prompts[-1])


MEAL = position("h2,t4x2/h1,t9x3/h4/h4", "R:M5")
"""A double may eat a triple, and then Blue has all four at home."""
SIX = position("h3,t0/h4/h4/h4", "R:M6")
MINE = position("t1,g2,g3,g4/h3,t7/h4/h4", "R:M6", ledger="3+0/0+0/0+0/0+0")
"""Nothing is left but a mine."""
ROUND_IT = position("h3,t1/h3,t7/h4/h4", "R:M6")
"""A mine could be reached, and a piece could enter."""
SPLIT = position("h1,t25x3/h4/h4/h4", "R:M4")
CROWD = position("h1,g1w1,g2/h4/h4/h4", "R:M2")
RAISES = "t0,t12,g1,g3/h3,g4/t20,t8,g2,g4/h3,g1"
RAISE = position(RAISES, "R:M6", ledger="0+1/2+0/0+0/1+0")
AGAIN = position(RAISES, "R:M6", raises="1:RBYG")
"""All four have raised, so that a new round may be asked for."""
VOTE = position(RAISES, "R:VB", raises="1:RBYG")
GIVE = position("t0x2,t12,g3/h3,g4/t20,t8,g2,g4/h3,g1", "R:CBYG", raises="1:R")
PLACED = position("g1,g2,g3,g4/h3,g4/h2,t20,g4/h3,g1", "R:N3", ledger="2+5/0+3/0+0/1+0")
OWING = position("h2,t9x2/h4/h4/h4", "B:N3", ledger="0+0/6+0/0+0/0+0", hembo="-!--")
BREAK = position("h3,t0/h4/h4/h4", "R:M6", flags="b")
RESET = position("h3,t5/h4/h4/h4", "R:M4", die="d2>4")
OVER = position("g1,g2,g3,g4/h3,g4/h2,t20,g4/h3,g1", "R:E", ledger="0+7/0+3/0+0/1+0")
NEW = position("h4/h4/h4/h4", "S:-/-/-/-")
LOTS = position("h4/h4/h4/h4", "S:3/3/-/-")
COLOURS = position("h4/h4/h4/h4", "K:dc")
STARTS = (
    "start", MEAL, SIX, MINE, ROUND_IT, SPLIT, CROWD, RAISE, AGAIN, VOTE, GIVE, PLACED, BREAK, OVER,
    NEW, LOTS, COLOURS,
)  # fmt: skip


@st.composite
def tables(draw: st.DrawFn) -> Table[Any, Any, Any]:
    """A few actions into something that is going on."""
    options = Options(
        mode=draw(st.sampled_from(["digital", "companion"])),
        team_size=draw(st.sampled_from([(1, 1, 1, 1), (2, 1, 3, 1)])),
        raise_return=draw(st.sampled_from(["owner", "rearmost"])),
        refusal=draw(st.sampled_from(["opportunity", "final"])),
        finished=draw(st.sampled_from(["pop", "skip"])),
        hembo=draw(st.sampled_from(["call", "off"])),
        pace=draw(st.sampled_from(["free", "turn"])),
    )
    rng = draw(st.randoms(use_true_random=False))
    table = at(rng.choice(STARTS if options.mode == "digital" else (*STARTS, RESET)), options)
    for _ in range(rng.randrange(12)):
        choices = moves(table)
        turns = [each for each in choices if "hembo" not in each[1]]
        if choices:
            table, _ = table.act(*rng.choice(turns or choices))
    return table
