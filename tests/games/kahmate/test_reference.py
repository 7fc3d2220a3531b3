"""The rules filter and a second, naive reading of the rules give the same answers.

reference.py was written from the rule book alone and shares no code with the game. It answers the
worked examples of the rules first; then both are asked the same.
"""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

from games.kahmate import reference
from kibitz.cli.rules import answer_line

SET_UP = "S@c3 T@c7 F@b4 C@c5 O@c2 O@b6 S@k3 T@k5 F@k8 C@k4 O@l2 O@l7"
KICK_OFF = (
    "13/2O8o1/2S7s2/1F8c2/2C7t2/1O11/2T8o1/10f2 R play - g4 123456/123456 0-0 0 -",
    "13/2O8o1/2S7s2/5F4c2/5C4t2/1O11/2T8o1/10f2 R play f4:0,f5:0 g4 123456/123456 0-0 0 -",
)
RELAY = (
    "13/3S9/13/4F3o4/2O10/9t3/13/13 R play - e4 123456/123456 0-0 4 -",
    "13/3S9/13/7Fo4/5O7/9t3/13/13 R play f5:0,h4:1 h4 123456/123456 0-0 4 -",
)
INTERCEPTORS = (
    "13/13/5Oo6/6tC5/13/5T7/13/13 R play - h4 123456/123456 0-0 6 -",
    "13/13/5Oo6/6tC5/13/5T7/13/13 R icpt:h4~f3 - h4 123456/123456 0-0 6 -",
    "13/13/5Oo6/6tC5/13/5T7/13/13 R play - f3 13456/23456 0-0 6 -",
)
PERFECT = (
    "13/8o4/13/13/5Soc5/3O9/13/13 R play - g5 123456/123456 0-0 9 -",
    "13/8o4/13/13/5So!c5/3O9/13/13 R play f5:0 f5 12456/12456 0-0 9 -",
    "13/8o4/13/13/5So!c5/3O9/13/13 R play f5:0 h5 12356/12456 0-0 9 -",
)
NARROW = (
    "13/13/13/13/5Cot5/3O9/13/13 R play - g5 123456/123456 0-0 9 -",
    "13/13/13/13/5Co!t5/3O9/13/13 R play f5:0 h5 12346/12356 0-0 9 -",
)
GOAL_LINE = (
    "13/13/13/13/1Osf9/1T11/13/13 B play - b5 123456/123456 0-0 21 -",
    "13/13/13/13/1O!sf9/1T11/13/13 B drop:b5<c5 c5:0 b5 12456/13456 0-0 21 -",
    "13/13/13/13/1O!sf9/1T11/13/13 B play c5:0 b6 12456/13456 0-0 21 -",
    "13/13/13/13/1O!sf9/1T11/13/13 B over:R c5:0 b5 12456/13456 0-0 21 -",
)
FORCE = (
    "13/13/6O2To2/13/8c4/13/13/13 R play - j3 123456/123456 0-0 30 -",
    "13/13/6O2To!2/13/8c4/13/13/13 R exit:j3>k3 j3:3 j3 12345/12356 0-0 30 -",
    "13/13/6O3o!1T/13/8c4/13/13/13 R over:R - m3 12345/12356 1-0 31 -",
)
TIE = (
    "13/13/13/13/13/5OFs5/13/13 R play - g6 123456/123456 0-0 8 -",
    "13/13/13/13/13/5OFs5/13/13 R duel:F:g6>h6:2:- g6:4 g6 12356/13456 0-0 8 -",
    "13/13/13/13/13/5OF!!s5/13/13 R play g6:0 f6 1235/1346 0-0 8 -",
)
CHASE = (
    "13/7F5/10o2/13/7O1t3/13/13/13 R play - h2 123456/123456 0-0 14 -",
    "13/11F1/10o2/13/7O1t3/13/13/13 R play l2:0 l2 123456/123456 0-0 14 -",
)
TIMING = (
    "13/1C11/13/4Ot7/13/11s1/13/13 R play - f4 123456/123456 0-0 5 -",
    "13/1C11/13/4O!!t7/13/11s1/13/13 R play e4:0 f4 23456/12346 0-0 5 -",
    "13/1C11/13/4O!t7/13/11s1/13/13 B play - f4 23456/12346 0-0 6 -",
    "13/1C11/13/4O!t7/13/11s1/13/13 R play - f4 23456/12346 0-0 7 -",
    "13/1C11/13/4Ot7/13/11s1/13/13 B play - f4 23456/12346 0-0 8 -",
)
LAST_CARDS = (
    "13/13/13/3Tc8/13/11s1/13/13 R play - e4 4/4 0-0 17 -",
    "13/13/13/3Tc8/13/11s1/13/13 R duel:T:d4>e4:2:- d4:0 e4 123456/123456 0-0 17 -",
    "13/13/13/3Tc!8/13/11s1/13/13 R play d4:0 d4 12345/13456 0-0 17 -",
)
CHARGE = (
    "13/13/13/5Oc!C5/13/13/13/13 R play - f4 123456/123456 0-0 10 -",
    "13/13/13/5Oc!C5/13/13/13/13 R exit:f4>g4 f4:3 f4 12456/23456 0-0 10 -",
)
STALE = (
    "1OT10/1S11/13/13/13/13/13/11o1 R play - b1 123456/123456 0-0 20 -",
    "1OT10/1S11/13/13/13/13/13/11o1 R play - b1 123456/123456 0-0 24 R:1:b",
    "1OT10/1S11/13/13/13/13/13/11o1 B draw - - 123456/123456 0-0 25 -",
    "1OT10/1S11/13/13/13/13/13/11o1 B play - g5 123456/123456 0-0 25 -",
    "2OT9/1S11/13/13/13/13/13/11o1 B play - c1 123456/123456 0-0 25 R:0:c",
)
PLAYED_ON = (
    "13/13/13/13/13/13/13/13 B place:R - - 12345/12356 1-0/2 31 -",
    "13/13/11T1/13/8c4/13/13/13 R play - l3 12345/12356 1-0/2 40 -",
    "13/13/12T/13/8c4/13/13/13 R over:R - m3 12345/12356 2-0/2 41 -",
    "13/13/13/13/13/13/13/13 B place:R - - 12345/12356 2-0/3 41 -",
)
STAYED = (
    FORCE[1],
    "13/13/6O2To!2/13/8c4/13/13/13 R play j3:2 j3 12345/12356 0-0 30 -",
)
KICKED = (
    "13/11F1/10o2/13/7O3t1/13/13/13 B play l5:0 l5 123456/123456 0-0 15 -",
    "13/11F1/10o2/13/9tO2/13/13/13 R play k5:2,l2:0 m5 123456/123456 0-0 14 -",
    "13/11F1/10o2/13/9t2O/13/13/13 R over:R - m5 123456/123456 1-0 15 -",
    "13/11F1/10o2/13/7O1t3/13/13/13 B play - m5 123456/123456 0-0 15 R:0:m",
)
DRAWS = "ball=1 ball=2 ball=3 ball=4 ball=5 ball=6"

# position, options, actions, position after, who is to act, legal actions (None: some, see below)
EXAMPLES: list[tuple[str, dict[str, Any], str, str, str | None, str | None]] = [
    (
        "13/13/13/13/13/13/13/13 R place:R - - 123456/123456 0-0 0 -",
        {},
        SET_UP + " ball=3",
        KICK_OFF[0],
        "R",
        "b4-b3 b4-b5 b4-c4 b6-b5 b6-b7 b6-c6 c2-b2 c2-c1 c2-d2 c3-b3 c3-c4 c3-d3 "
        "c5-b5 c5-c4 c5-c6 c5-d5 c7-b7 c7-c6 c7-c8 c7-d7 end",
    ),
    (
        KICK_OFF[0],
        {},
        "b4-c4 c4-d4 d4-e4 e4-f4 c5-d5 d5-e5 e5-f5",
        KICK_OFF[1],
        "R",
        "end",
    ),
    (
        RELAY[0],
        {},
        "e4~c5 c5-d5 d5-e5 e5-f5 f5~e4 e4-f4 f4-g4 g4-h4",
        RELAY[1],
        "R",
        "end h4-g4 h4-h3 h4-h5 "
        "h4^i1 h4^i2 h4^i3 h4^i5 h4^i6 h4^i7 h4^j1 h4^j2 h4^j3 h4^j4 h4^j5 h4^j7 "
        "h4^k1 h4^k2 h4^k3 h4^k4 h4^k5 h4^k6 h4^k7 h4~f5",
    ),
    (INTERCEPTORS[0], {}, "h4~f3", INTERCEPTORS[1], "B", "int=g3 int=g4 no"),
    (INTERCEPTORS[1], {}, "int=g3 card=2 card=1", INTERCEPTORS[2], "R", None),
    (PERFECT[0], {}, "f5xg5 card=3 card=3", PERFECT[1], "R", None),
    (PERFECT[0], {"perfect": "exact"}, "f5xg5 card=3 card=3", PERFECT[1], "R", None),
    (PERFECT[0], {"perfect": "exact"}, "f5xg5 card=4 card=3", PERFECT[2], "R", None),
    (
        NARROW[0],
        {},
        "f5xg5 card=5 card=4",
        NARROW[1],
        "R",
        "d6-c6 d6-d5 d6-d7 d6-e6 end",
    ),
    (GOAL_LINE[0], {}, "c5xb5 card=2 card=3", GOAL_LINE[1], "R", "drop=b4 drop=b6"),
    (GOAL_LINE[1], {}, "drop=b6", GOAL_LINE[2], "B", "d5-d4 d5-d6 d5-e5 end"),
    (FORCE[0], {}, "j3>k3 card=6 card=4", FORCE[1], "R", "exit=k2 exit=k4 exit=l3"),
    (FORCE[1], {}, "exit=l3 l3-m3", FORCE[2], None, ""),
    (
        TIE[0],
        {},
        "g6>h6 card=4 card=2",
        TIE[1],
        "R",
        "card=1 card=2 card=3 card=5 card=6",
    ),
    (TIE[1], {}, "card=6 card=5", TIE[2], "R", None),
    (
        CHASE[0],
        {},
        "h2^k2 h2-i2 i2-j2 j2-k2 k2-l2",
        CHASE[1],
        "R",
        "end h5-g5 h5-h4 h5-h6 h5-i5",
    ),
    (TIMING[0], {}, "e4xf4 card=1 card=5", TIMING[1], "R", None),
    (TIMING[1], {}, "end", TIMING[2], "B", None),
    (TIMING[2], {}, "end", TIMING[3], "R", "b2-b1 b2-b3 b2-c2 end"),
    (TIMING[3], {}, "end", TIMING[4], "B", None),
    (
        LAST_CARDS[0],
        {},
        "d4xe4 card=4 card=4",
        LAST_CARDS[1],
        "R",
        "card=1 card=2 card=3 card=4 card=5 card=6",
    ),
    (LAST_CARDS[1], {}, "card=6 card=2", LAST_CARDS[2], "R", None),
    (CHARGE[0], {}, "f4>g4 card=3 card=1", CHARGE[1], "R", "exit=g3 exit=g5"),
    (STALE[0], {"hold_limit": 2}, "end end end end", STALE[1], "R", None),
    (STALE[1], {"hold_limit": 2}, "end", STALE[2], "chance", DRAWS),
    (STALE[2], {"hold_limit": 2}, "ball=4", STALE[3], "B", "end l8-k8 l8-l7"),
    (STALE[1], {"hold_limit": 2}, "c1-d1 b1-c1 end", STALE[4], "B", None),
    (GOAL_LINE[1], {}, "forfeit B", GOAL_LINE[3], None, ""),
    (FORCE[2], {}, "continue 2", PLAYED_ON[0], "R", None),
    (PLAYED_ON[1], {}, "l3-m3", PLAYED_ON[2], None, ""),
    (PLAYED_ON[2], {}, "continue 3", PLAYED_ON[3], "R", None),
    (
        FORCE[0],
        {"force_exit": "may"},
        "j3>k3 card=6 card=4",
        STAYED[0],
        "R",
        "exit=k2 exit=k4 exit=l3 no",
    ),
    (STAYED[0], {"force_exit": "may"}, "no", STAYED[1], "R", None),
    (CHASE[1], {"kick_in_goal": True}, "l2^m5 end j5-k5 k5-l5 l5-m5", KICKED[0], "B", None),
    (KICKED[1], {"kick_in_goal": True}, "k5-l5 l5-m5", KICKED[2], None, ""),
    (CHASE[1], {"kick_in_goal": True, "hold_limit": 2}, "l2^m5 end", KICKED[3], "B", None),
    (
        KICKED[3],
        {"kick_in_goal": True, "hold_limit": 2},
        "j5-k5 k5-l5 l5-m5",
        KICKED[0],
        "B",
        None,
    ),
]


@pytest.mark.parametrize(
    ("start", "options", "actions", "after", "to_act", "legal"),
    EXAMPLES,
    ids=range(len(EXAMPLES)),
)
def test_the_reference_answers_the_worked_examples(
    start: str,
    options: dict[str, Any],
    actions: str,
    after: str,
    to_act: str | None,
    legal: str | None,
) -> None:
    spelt = re.findall(r"(?:forfeit|continue) \S+|\S+", actions)
    request = {"position": start, "options": options, "actions": spelt}
    found = reference.answer(request)
    assert found["position"] == after
    assert found["to_act"] == to_act
    assert found["terminal"] == (to_act is None)
    assert found["result"] == (None if to_act else "R")
    if legal is not None:
        assert found["legal"] == legal.split()
    assert reference.answer({"position": after, "options": options}) == found
    agree(request)


# position, options, action, is it legal there
TOUCHSTONES: list[tuple[str, dict[str, Any], str, bool]] = [
    (RELAY[1], {}, "h4>i4", False),
    (PERFECT[1], {}, "f5~d6", True),
    (PERFECT[1], {}, "f5-f4", False),
    (PERFECT[1], {}, "d6-d5", True),
    (TIMING[2], {}, "f4>e4", True),
    (TIMING[2], {"force_down": "no"}, "f4>e4", False),
    (TIMING[4], {"force_down": "yes"}, "f4>e4", True),
    (TIMING[4], {"force_down": "no"}, "f4>e4", True),
    (CHARGE[0], {"force_down": "no"}, "f4>g4", False),
    (CHARGE[0], {"force_beyond": "any"}, "f4>g4", False),
    (CHARGE[0], {"force_beyond": "exit"}, "f4>g4", True),
    (STAYED[1], {"force_exit": "may"}, "j3>k3", True),
    (STAYED[0], {}, "no", False),
    (CHASE[1], {}, "l2^m2", False),
    *((CHASE[1], {"kick_in_goal": True}, f"l2^m{rank}", rank < 6) for rank in range(1, 9)),
]


@pytest.mark.parametrize(
    ("position", "options", "action", "listed"), TOUCHSTONES, ids=range(len(TOUCHSTONES))
)
def test_the_reference_knows_what_the_examples_allow(
    position: str, options: dict[str, Any], action: str, listed: bool
) -> None:
    request = {"position": position, "options": options}
    assert (action in reference.answer(request)["legal"]) == listed
    agree({**request, "actions": [action]})


# position, options, can it be: pairs that differ in one condition
NEAR_MISSES: list[tuple[str, dict[str, Any], bool]] = [
    # a try: mark 2 stands on the scorer's side only; turns reach the limit, but not beyond
    ("13/12O/13/13/13/13/3c9/1CT!!10 R over:R - m2 1/3 1-0 9 -", {}, True),
    ("13/12O/13/13/13/13/3c!!9/1CT10 R over:R - m2 1/3 1-0 9 -", {}, False),
    ("13/12O!/13/13/13/13/3c9/13 R over:R - m2 1/3 1-0 9 -", {}, False),
    ("13/O12/13/13/13/13/3c9/13 R over:R - a2 1/3 1-0 9 -", {}, False),
    ("13/12O/12S/13/13/13/13/13 R over:R - m2 1/3 1-0 9 -", {}, False),
    ("13/12O/13/13/13/13/13/13 B over:R - m2 1/3 1-0 9 -", {}, False),
    ("13/12O/13/13/13/13/13/13 R over:R - m3 1/3 1-0 9 -", {}, False),
    ("13/12O/13/13/13/13/13/13 R over:R - m2 1/3 1-0 9 -", {"turn_limit": 9}, True),
    ("13/12O/13/13/13/13/13/13 R over:R - m2 1/3 1-0 10 -", {"turn_limit": 9}, False),
    ("13/12O/13/13/13/13/13/13 R over:R - m2 1/3 1-0 9 -", {"tries": 2}, False),
    ("13/12O/13/13/13/13/13/13 R over:R - m2 1/3 1-0 9 -", {"tries": 2, "turn_limit": 9}, True),
    ("13/12O/13/13/13/13/13/13 R over:draw - m2 1/3 1-1 9 -", {"tries": 2, "turn_limit": 9}, True),
    ("13/12O/13/13/13/13/13/13 R over:R - m2 1/3 1-1 9 -", {"tries": 2, "turn_limit": 9}, False),
    ("13/12O/13/13/13/13/13/13 R over:B - m2 1/3 0-1 9 -", {"tries": 2, "turn_limit": 9}, False),
    # the turn limit
    ("13/1O11/13/13/13/13/13/13 R over:draw - b2 1/3 0-0 9 -", {"turn_limit": 9}, True),
    ("13/1O11/13/13/13/13/13/13 R over:R - b2 1/3 0-0 9 -", {"turn_limit": 9}, False),
    ("13/1O11/13/13/13/13/13/13 R over:draw b2:1 b2 1/3 0-0 9 -", {"turn_limit": 9}, False),
    ("13/1O11/13/13/13/13/13/13 R over:draw - a2 1/3 0-0 9 -", {"turn_limit": 9}, False),
    ("13/1O11/13/13/13/13/13/13 R over:draw - - 1/3 0-0 9 -", {"turn_limit": 9}, False),
    # an event
    ("13/1O11/13/13/13/13/13/13 R over:B b2:1 b2 1/3 0-0 9 R:1:c", {"hold_limit": 2}, True),
    ("13/1S11/13/13/13/13/13/13 R over:B - - 1/3 0-0 9 -", {}, True),
    ("13/1O11/13/13/13/13/13/13 R over:B - - 1/3 0-0 9 -", {}, False),
    ("13/1S11/13/13/13/13/13/13 R over:B - - 1/3 0-0 9 R:1:c", {"hold_limit": 2}, False),
    # playing on: above the option, at most 3, and once the option's number has been scored
    (PLAYED_ON[0], {}, True),
    (PLAYED_ON[0], {"tries": 2}, False),
    (PLAYED_ON[0].replace("1-0/2", "1-0/4"), {}, False),
    (PLAYED_ON[0].replace("1-0/2", "0-0/2"), {}, False),
    (PLAYED_ON[0].replace("1-0/2", "1-0/3"), {}, True),
    (PLAYED_ON[0].replace("1-0/2", "1-0"), {}, False),
    (PLAYED_ON[2], {}, True),
    (PLAYED_ON[2].replace("2-0/2", "1-0/2"), {}, False),
    (PLAYED_ON[2].replace("2-0/2", "1-0/2"), {"turn_limit": 41}, False),
    (PLAYED_ON[2].replace("2-0/2", "2-0/3"), {"turn_limit": 41}, True),
    # a ball in-goal: with the option, in play, for a side that has men
    (KICKED[3], {"kick_in_goal": True, "hold_limit": 2}, True),
    (KICKED[3], {"hold_limit": 2}, False),
    (KICKED[3].replace("R:0:m", "B:0:m"), {"kick_in_goal": True, "hold_limit": 2}, False),
    (KICKED[3].replace("R:0:m", "R:0:a"), {"kick_in_goal": True, "hold_limit": 2}, False),
    (KICKED[3].replace("R:0:m", "R:0:l"), {"kick_in_goal": True, "hold_limit": 2}, False),
    ("13/1o11/13/13/13/13/13/13 B play - m2 1/3 0-0 9 -", {"kick_in_goal": True}, False),
    ("13/1o11/13/13/13/13/13/13 B play - a2 1/3 0-0 9 -", {"kick_in_goal": True}, True),
    ("13/1o11/13/13/13/13/13/13 B over:R - a2 1/3 0-0 9 -", {"kick_in_goal": True}, True),
    # marks and movers
    ("13/1O!!11/13/13/13/13/13/13 R play b2:0 g4 1/3 0-0 9 -", {}, True),
    ("13/1O!!11/13/13/13/13/13/13 R play - g4 1/3 0-0 9 -", {}, False),
    ("13/1O!11/13/13/13/13/13/13 R play b2:0 g4 1/3 0-0 9 -", {}, False),
    ("13/1O!!11/13/13/13/13/13/13 R play b2:1 g4 1/3 0-0 9 -", {}, False),
    ("13/1O11/13/13/13/13/13/13 R play b2:4 g4 1/3 0-0 9 -", {}, False),
    # a possession
    ("13/1O11/13/13/13/13/13/13 B play - b2 1/3 0-0 9 R:1:b", {"hold_limit": 2}, True),
    ("13/2O10/13/13/13/13/13/13 B play - c2 1/3 0-0 9 R:1:b", {"hold_limit": 2}, False),
    ("13/2O10/13/13/13/13/13/13 R play - c2 1/3 0-0 9 R:1:b", {"hold_limit": 2}, True),
    ("13/2O10/13/13/13/13/13/13 R play - c2 1/3 0-0 9 R:1:b", {"hold_limit": 1}, False),
    ("13/2O10/13/13/13/13/13/13 R play - c2 1/3 0-0 9 R:1:b", {}, False),
    ("13/2O10/13/13/13/13/13/13 R play - c2 1/3 0-0 9 R:1:a", {"hold_limit": 2}, False),
    ("13/2O10/13/13/13/13/13/13 R play - g2 1/3 0-0 9 R:1:b", {"hold_limit": 2}, True),
    ("13/2O10/13/13/13/13/13/13 B play - g2 1/3 0-0 9 R:1:b", {"hold_limit": 2}, False),
    ("13/2o10/13/13/13/13/13/13 R play - c2 1/3 0-0 9 R:1:b", {"hold_limit": 2}, False),
    # a draw after a stale possession
    ("13/2O10/13/13/13/13/13/13 B draw - - 1/3 0-0 9 -", {"hold_limit": 2}, True),
    ("13/2O10/13/13/13/13/13/13 R draw - - 1/3 0-0 9 -", {"hold_limit": 2}, False),
    ("13/2O10/13/13/13/13/13/13 B draw - - 1/3 0-0 9 -", {}, False),
    # a charge on a man who is down
    ("13/13/13/5Oc!6/13/13/13/13 R duel:F:f4>g4:1:- f4:2 f4 1/3 0-0 9 -", {}, True),
    (
        "13/13/13/5Oc!6/13/13/13/13 R duel:F:f4>g4:1:- f4:2 f4 1/3 0-0 9 -",
        {"force_down": "no"},
        False,
    ),
    ("13/13/13/5Oc!6/13/13/13/13 R exit:f4>g4 f4:2 f4 1/3 0-0 9 -", {"force_down": "no"}, True),
    ("13/13/13/5Oc!6/13/13/13/13 R exit:f4>g4 f4:1 f4 1/3 0-0 9 -", {}, False),
    ("13/13/13/5Oc!6/13/13/13/13 R exit:f4>g4 - f4 1/3 0-0 9 -", {}, False),
    ("13/13/13/5Oc6/13/13/13/13 R exit:f4>g4 f4:2 f4 1/3 0-0 9 -", {}, False),
    # a ball about to drop
    ("13/1O!!c!10/13/13/13/13/13/13 R drop:b2<c2 b2:0 b2 1/3 0-0 9 -", {}, True),
    (
        "13/1O!!c!10/13/13/13/13/13/13 R drop:b2<c2 b2:0 b2 1/3 0-0 9 -",
        {"force_down": "no"},
        False,
    ),
    ("1O!!c10/13/13/13/13/13/13/13 R drop:b1<c1 b1:0 b1 1/3 0-0 9 -", {}, False),
    ("13/1O!c10/13/13/13/13/13/13 B drop:b2<c2 c2:0 b2 1/3 0-0 9 -", {}, True),
    ("13/1O!c10/13/13/13/13/13/13 B drop:b2<c2 c2:1 b2 1/3 0-0 9 -", {}, False),
    ("13/1O!c10/13/13/13/13/13/13 B drop:b2<c2 - b2 1/3 0-0 9 -", {}, False),
    ("13/1O!11/1c11/13/13/13/13/13 B drop:b2<b3 b3:0 b2 1/3 0-0 9 -", {}, False),
    # a card put down
    ("13/13/13/5Oc6/13/13/13/13 R duel:T:f4>g4:1:1 f4:0 g4 1/3 0-0 9 -", {}, True),
    ("13/13/13/5Oc6/13/13/13/13 R duel:T:f4>g4:1:3 f4:0 g4 1/3 0-0 9 -", {}, False),
    ("13/13/13/5Oc6/13/13/13/13 R duel:T:f4>g4:1:? f4:0 g4 1/3 0-0 9 -", {}, False),
]


@pytest.mark.parametrize(("position", "options", "valid"), NEAR_MISSES, ids=range(len(NEAR_MISSES)))
def test_both_tell_positions_from_near_misses(
    position: str, options: dict[str, Any], valid: bool
) -> None:
    found = agree({"position": position, "options": options})
    assert found.get("error") == (None if valid else "position")


def test_the_reference_offers_the_choices_of_set_up() -> None:
    placements = SET_UP.split()
    offered = [
        len(reference.answer({"actions": placements[:n]})["legal"])
        for n in range(len(placements) + 1)
    ]
    assert offered == [16, 15, 14, 13, 12, 11, 16, 15, 14, 13, 12, 11, 6]


@pytest.mark.parametrize(
    ("position", "options", "action"),
    [
        (GOAL_LINE[3], {}, "continue 2"),
        (GOAL_LINE[3], {}, "continue 3"),
        (FORCE[2], {"turn_limit": 31}, "continue 2"),
        (FORCE[2], {"turn_limit": 31}, "continue 3"),
        (FORCE[2], {}, "continue 1"),
        (FORCE[2], {}, "continue 4"),
        (FORCE[0], {}, "continue 2"),
        (PLAYED_ON[2], {}, "continue 2"),
    ],
)
def test_playing_on_is_refused(position: str, options: dict[str, Any], action: str) -> None:
    request = {"position": position, "options": options, "actions": [action]}
    assert agree(request) == {"error": "action", "index": 0}


def test_three_tries_may_follow_the_first_at_once() -> None:
    found = agree({"position": FORCE[2], "actions": ["continue 3"]})
    assert found["position"] == PLAYED_ON[0].replace("1-0/2", "1-0/3")


@pytest.mark.parametrize("viewer", ["R", "B", "spectator"])
def test_open_placement_is_seen_by_all_as_it_is_made(viewer: str) -> None:
    request = {"options": {"placement": "open"}, "actions": ["S@c3"], "view": viewer}
    found = agree(request)
    assert found["position"].startswith("13/13/2S10/")
    assert found["to_act"] == "R"
    assert bool(found["legal"]) == (viewer == "R")


def agree(request: dict[str, Any]) -> dict[str, Any]:
    """Both readings give this answer."""
    line = json.dumps({"game": "kahmate", **request})
    ours, theirs = json.loads(answer_line(line)), reference.answer(request)
    if "error" in ours:
        assert ours.pop("why")
    assert ours == theirs, line
    return theirs


def some_position(rng: Random, options: dict[str, Any]) -> str:
    return reference.random_position(rng, options) if rng.random() < 0.8 else "start"


def compare_playout(rng: Random) -> None:
    """A match of some length, compared every few actions, with an odd action at its end."""
    options = reference.random_options(rng)
    request: dict[str, Any] = {"options": options, "position": some_position(rng, options)}
    actions: list[str] = []
    found = agree(request)
    for _ in range(rng.choice((3, 10, 25))):
        following: list[str] = []
        for _ in range(rng.choice((1, 1, 2, 4))):
            state = reference.answer({**request, "actions": actions + following})
            choices = state.get("legal") or played_on({**request, "actions": actions + following})
            if not choices:
                break
            following.append(random_action(rng, choices))
        if not following:
            break
        found = agree({**request, "actions": actions + following})
        actions += following
        if rng.random() < 0.5:
            request["position"], actions = found["position"], []
    if "error" not in found:
        odd = rng.choice(
            (
                *reference.EVENTS,
                *reference.CONTINUE,
                reference.random_action(rng, found["position"]),
            )
        )
        agree({**request, "actions": [*actions, odd, *rng.choice((["end"], ["void"], []))]})


def played_on(request: dict[str, Any]) -> list[str]:
    """The ways to go on after the end."""
    ways = list(reference.CONTINUE)
    asked = [{**request, "actions": [*request["actions"], way]} for way in ways]
    return [way for way, it in zip(ways, asked, strict=True) if "error" not in reference.answer(it)]


def random_action(rng: Random, legal: list[str]) -> str:
    """A legal action; tries are favoured, and no kind of action is rare."""
    tries = [action for action in legal if action[-2:-1] in ("a", "m")]
    if tries and rng.random() < 0.5:
        return rng.choice(tries)
    kinds: dict[str, list[str]] = {}
    for action in legal:
        kinds.setdefault(action.strip("abcdefghijklm12345678"), []).append(action)
    return rng.choice(kinds[rng.choice(list(kinds))])


def compare_branches(rng: Random) -> None:
    """Several short ways on from one position, compared at their ends."""
    options = reference.random_options(rng)
    request = {"options": options, "position": reference.random_position(rng, options)}
    start = reference.answer(request)
    for _ in range(6):
        actions: list[str] = []
        found = start
        for _ in range(rng.randint(1, 4)):
            if found.get("legal"):
                actions.append(random_action(rng, found["legal"]))
                step = {"position": found["position"], "actions": actions[-1:]}
                found = reference.answer({**request, **step})
        agree({**request, "actions": actions})


def compare_position(rng: Random) -> None:
    options = reference.random_options(rng)
    agree({"options": options, "position": reference.random_position(rng, options)})


def compare_mutation(rng: Random) -> None:
    options = reference.random_options(rng)
    position = reference.random_position(rng, options)
    for _ in range(3):
        text = reference.mutate(rng, position)
        agree({"options": options, "position": text})
        other = reference.random_options(rng)
        agree({"options": other, "position": rng.choice((position, text))})


def compare_views(rng: Random) -> None:
    options = reference.random_options(rng)
    request = {"options": options, "position": some_position(rng, options)}
    actions: list[str] = []
    for _ in range(rng.randrange(4)):
        legal = reference.answer({**request, "actions": actions}).get("legal")
        if legal:
            actions.append(rng.choice(legal))
    if rng.random() < 0.2:
        actions.append(rng.choice([*reference.EVENTS, *reference.CONTINUE]))
    for view in ("R", "B", "spectator"):
        agree({**request, "actions": actions, "view": view})


def compare_actions(rng: Random, tried: int) -> None:
    """Each of some actions is accepted by both, to the same effect, or refused by both."""
    options = reference.random_options(rng)
    position = reference.random_position(rng, options)
    if "error" in agree({"options": options, "position": position}):
        return
    for action in sorted({reference.random_action(rng, position) for _ in range(tried)}):
        agree({"options": options, "position": position, "actions": [action]})


@pytest.mark.parametrize("seed", range(6))
def test_both_play_random_matches_alike(seed: int) -> None:
    rng = Random(seed)
    for _ in range(8):
        compare_playout(rng)


@pytest.mark.parametrize("seed", range(6))
def test_both_go_on_alike(seed: int) -> None:
    rng = Random(seed)
    for _ in range(50):
        compare_branches(rng)


@pytest.mark.parametrize("seed", range(4))
def test_both_read_random_positions_alike(seed: int) -> None:
    rng = Random(seed)
    for _ in range(100):
        compare_position(rng)


@pytest.mark.parametrize("seed", range(5))
def test_both_read_faulty_positions_alike(seed: int) -> None:
    rng = Random(seed)
    for _ in range(60):
        compare_mutation(rng)


@pytest.mark.parametrize("seed", range(4))
def test_both_show_viewers_the_same(seed: int) -> None:
    rng = Random(seed)
    for _ in range(40):
        compare_views(rng)


@pytest.mark.parametrize("seed", range(4))
def test_both_accept_the_same_actions(seed: int) -> None:
    rng = Random(seed)
    for _ in range(12):
        compare_actions(rng, 25)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1020))
def test_both_readings_agree_at_length(seed: int) -> None:
    rng = Random(seed)
    for _ in range(60):
        compare_playout(rng)
        compare_views(rng)
        compare_actions(rng, 60)
        for _ in range(8):
            compare_branches(rng)
            compare_position(rng)
            compare_mutation(rng)


@pytest.mark.parametrize(
    "options",
    [
        {"tries": 0},
        {"tries": 4},
        {"tries": True},
        {"tries": 1.0},
        {"tries": "1"},
        {"tries": None},
        {"start": "r"},
        {"start": 1},
        {"start": ["R"]},
        {"pass_shape": "block"},
        {"kick_shape": True},
        {"between": "none"},
        {"force_beyond": "partner"},
        {"force_down": True},
        {"force_down": False},
        {"perfect": "atleast "},
        {"turn_limit": -1},
        {"turn_limit": 1.0},
        {"turn_limit": False},
        {"turn_limit": "200"},
        {"turn_limit": None},
        {"hold_limit": -1},
        {"hold_limit": True},
        {"hold_limit": {}},
        {"hold_limit": []},
        {"force_exit": True},
        {"kick_in_goal": 1},
        {"kick_in_goal": "true"},
        {"kick_in_goal": None},
        {"placement": "shown"},
        {"Tries": 1},
        {"": 1},
        {"repetition": "ko"},
        {"tries": 2, "view": "R"},
    ],
)
def test_both_refuse_these_options(options: dict[str, Any]) -> None:
    found = agree({"options": options, "position": "nonsense", "actions": ["nonsense"]})
    assert found == {"error": "options", "index": None}
