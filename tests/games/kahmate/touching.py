"""Positions to touch, and what touching leads to."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st

from kibitz.core.game import Offer
from kibitz.games.kahmate import Options, kahmate
from kibitz.games.kahmate.actions import Action
from kibitz.games.kahmate.board import NAMES, square
from kibitz.games.kahmate.notation import write_field
from kibitz.games.kahmate.state import NOBODY, Man, State, View, put_man
from kibitz.i18n import say_in
from kibitz.table import Table, open_table
from laws.laws import moves

SAY = say_in("en", {"R": "Aino", "B": "Marc"})
SQUARES = {f"sq-{name}" for name in NAMES}
CARDS = {f"card-{card}" for card in range(1, 7)}
BUTTONS = {"btn-end", "btn-kick", "btn-lineup", "btn-no"}
TOUCHABLE = SQUARES | CARDS | BUTTONS | {"tray"}
LINED_UP = "Sb3 Tb4 Fb5 Cb6 Ob7 Ob8"


def position(
    men: str,
    ball: str = "-",
    *,
    turn: str = "R",
    phase: str = "play",
    movers: str = "-",
    hands: str = "123456/123456",
    rest: str = "0-0 0 -",
) -> str:
    """The men by letter and square, Red in capitals: `Fg4 oh4 t!f5`."""
    field = NOBODY
    for kind, marks, at in re.findall(r"([A-Za-z])(!*)([a-m][1-8])", men):
        man = Man("R" if kind.isupper() else "B", kind.upper(), len(marks))
        field = put_man(field, square(at), man)
    return f"{write_field(field)} {turn} {phase} {movers} {ball} {hands} {rest}"


def at(text: str, options: Options | None = None) -> Table[State, Action, View]:
    return open_table(kahmate(options or Options()), text)


def after(table: Table[State, Action, View], *acts: str) -> Table[State, Action, View]:
    """Each act is a seat and a text: `B S@l3`."""
    for act in acts:
        actor, text = act.split(" ", 1)
        table, _ = table.act(actor, text)
    return table


def paths(table: Table[State, Action, View], seat: str, kind: str) -> set[str]:
    """What one touches for this kind of thing, and what is sent: `sq-g4 sq-h4: g4-h4`."""
    found = (offer for offer in table.offers(seat) if offer.kind == kind)
    return {f"{' '.join(offer.path)}: {' '.join(offer.actions)}" for offer in found}


def offer_of(table: Table[State, Action, View], seat: str, *texts: str) -> Offer:
    """The first one that sends this."""
    return next(offer for offer in table.offers(seat) if offer.actions == texts)


FAST = "Cd2 Sf3 Oe5 O!f6 Te7 Fg4 fk3 o!e4 oh4 sj4 tf5 ci8"
CENTRE = position(FAST, "g4", movers="g4:3", hands="134/156", rest="0-0 22 -")
GOAL = position("Fk4 Sb3 sl4 tg2 fh7", "k4", movers="k4:4")
LOOSE = position("Fe4 Sb3 Ob1 oh4", "f4")
THREE = position("Fe4 Sb3 Tc6 Od2 oh4", "h4", movers="b3:1,c6:0")
PASS = position(FAST, "g4", phase="icpt:g4~e5")
DUEL = position(FAST, "g4", phase="duel:F:g4>h4:1:-", movers="g4:3", hands="134/156")
OUT = position(FAST.replace("oh4", "o!h4"), "g4", phase="exit:g4>h4", movers="g4:3")
FALL = position("S!b4 Ob3 Fe2 oc4 tk5", "b4", turn="B", phase="drop:b4<c4", movers="c4:0")
DRAW = position(f"{LINED_UP} sl3 tl4 fl5 cl6 ol7 ol8", phase="draw")
STARTS = (CENTRE, GOAL, LOOSE, THREE, PASS, DUEL, OUT, FALL, DRAW)
RED_DONE = ("R S@b1", "R T@b2", "R F@b3", "R C@b4", "R O@b5", "R O@b6")


@st.composite
def tables(draw: st.DrawFn) -> Table[Any, Any, Any]:
    """A few actions into something that is going on, or into the set-up."""
    options = Options(
        tries=draw(st.sampled_from([1, 2])),
        between=draw(st.sampled_from(["both", "diag"])),
        kick_shape=draw(st.sampled_from(["area", "line"])),
        force_beyond=draw(st.sampled_from(["opponent", "any", "exit"])),
    )
    rng = draw(st.randoms(use_true_random=False))
    table = at(rng.choice(("start", *STARTS)), options)
    for _ in range(rng.randrange(16)):
        if choices := moves(table):
            table, _ = table.act(*rng.choice(choices))
    return table
