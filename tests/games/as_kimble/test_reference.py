"""The rules filter and a second, naive reading of the rules give the same answers.

reference.py was written from the rule book alone and shares no code with the game.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from games.as_kimble import reference
from kibitz.cli.rules import answer_line

NOTHING = "0+0/0+0/0+0/0+0"
START = f"h4/h4/h4/h4 R:N3 d- {NOTHING} 1:- ---- -"
EXAMPLE_3 = f"h2,t4x2/h1,t9x3/h4/h4 R:M5 d5 {NOTHING} 1:- ---- -"
EXAMPLE_9 = "t0,t12,g1,g3/h3,g4/t20,t8,g2,g4/h3,g1 R:M6 d6 0+1/2+0/0+0/1+0 1:- ---- -"
EXAMPLE_10 = EXAMPLE_9.replace("1:-", "1:RBYG")
EXAMPLE_11 = "g1,g2,g3,g4/h3,g4/h2,t20,g4/h3,g1 R:N3 d2 2+5/0+3/0+0/1+0 1:B ---- -"
EXAMPLE_12 = f"h4/h4/h4/h4 S:-/-/-/- d- {NOTHING} 1:- ---- -"
EXAMPLE_13 = "h3,t9/g1,g2,g3,g4/h4/h4 R:M2 d2 0+0/2+6/0+0/0+0 1:- ---- -"
EXAMPLE_14 = f"h4/h4/h4/h4 R:N3 d4 {NOTHING} 1:- ---- b"
EXAMPLE_15 = f"h4/h4/h4/h4 S:3/-/-/- d3 {NOTHING} 1:- ---- -"
TURN = {"pace": "turn"}
COMPANION = {"mode": "companion"}


@pytest.mark.parametrize(
    ("options", "position", "actions", "after"),
    [
        ({}, "start", "R pop 2, R pop 5", f"h4/h4/h4/h4 R:P1 d5 {NOTHING} 1:- ---- -"),
        ({}, "start", "R pop 2, R pop 5, R pop 1", f"h4/h4/h4/h4 B:N3 d1 {NOTHING} 1:- ---- -"),
        ({}, "start", "R pop 6", f"h4/h4/h4/h4 R:M6 d6 {NOTHING} 1:- ---- -"),
        (
            {},
            f"h3,t0/h4/h4/h4 R:P1 d6 {NOTHING} 1:- ---- -",
            "R pop 6, R double",
            f"h2,t0x2/h4/h4/h4 R:P1 d6 {NOTHING} 1:- ---- -",
        ),
        (
            {},
            EXAMPLE_3,
            "R t4-t9",
            "h2,t9x2/h4/h4/h4 B:N3 d5 0+0/6+0/0+0/0+0 1:- -!-- -",
        ),
        (
            {},
            EXAMPLE_3,
            "R t4-t9, B pop 2",
            "h2,t9x2/h4/h4/h4 B:P2 d2 0+0/7+0/0+0/0+0 1:- ---- -",
        ),
        (
            {},
            EXAMPLE_3,
            "R t4-t9, B hembo jag",
            "h2,t9x2/h4/h4/h4 B:N3 d5 0+0/6+0/0+0/0+0 1:- -+-- -",
        ),
        (
            {},
            EXAMPLE_3,
            "R t4-t9, B hembo jag, B pop 2",
            "h2,t9x2/h4/h4/h4 B:P2 d2 0+0/6+0/0+0/0+0 1:- ---- -",
        ),
        (
            {},
            "t1,g2,g3,g4/h3,t7/h4/h4 R:M6 d6 3+0/0+0/0+0/0+0 1:- ---- -",
            "R t1-t7",
            "h1,g2,g3,g4/h3,t7/h4/h4 R:P1 d6 4+0/0+0/0+0/0+0 1:- ---- -",
        ),
        (
            {},
            "h1,g2,g3,g4/h3,t7/h4/h4 R:P1 d6 4+0/0+0/0+0/0+0 1:- ---- -",
            "R pop 4",
            "h1,g2,g3,g4/h3,t7/h4/h4 B:N1 d4 4+0/0+0/0+0/0+0 1:- ---- -",
        ),
        (
            {},
            f"h1,t25x3/h4/h4/h4 R:M4 d4 {NOTHING} 1:- ---- -",
            "R t25-g2",
            f"h1,g1w1,g2/h4/h4/h4 B:N3 d4 {NOTHING} 1:- ---- -",
        ),
        (
            {},
            f"h1,g1w1,g2/h4/h4/h4 R:N1 d4 {NOTHING} 1:- ---- -",
            "R pop 4",
            f"h1,g1w1,g2/h4/h4/h4 B:N3 d4 {NOTHING} 1:- ---- -",
        ),
        (
            {},
            EXAMPLE_9,
            "R raise g1",
            "t0x2,t12,g3/h4/t20,t8,g2,g4/h4 R:CY d6 0+1/2+0/0+0/1+0 1:R -!-! -",
        ),
        (
            {},
            EXAMPLE_9,
            "R raise g1, Y return g2",
            "t0x2,t12,g3/h4/h1,t20,t8,g4/h4 R:P1 d6 0+1/2+0/0+0/1+0 1:R -!-! -",
        ),
        (
            {},
            EXAMPLE_10,
            "R propose, B yes, G yes",
            EXAMPLE_10.replace("M6", "VBG"),
        ),
        (
            {},
            EXAMPLE_10,
            "R propose, B yes, G yes, Y yes",
            EXAMPLE_10.replace("1:RBYG", "2:-"),
        ),
        ({}, EXAMPLE_10, "R propose, B yes, G yes, Y no", EXAMPLE_10.replace("M6", "M6x")),
        ({}, EXAMPLE_11, "R pop 6", EXAMPLE_11.replace("N3 d2", "M6 d6")),
        ({}, EXAMPLE_11, "R done 2", EXAMPLE_11.replace("N3 d2 2+5", "E d2 0+7")),
        (
            {},
            EXAMPLE_12,
            "a lot 3, b lot 3, c lot 5, d lot 2",
            EXAMPLE_12.replace("S:-/-/-/- d-", "K:dc d2"),
        ),
        (
            {},
            EXAMPLE_12,
            "a lot 3, b lot 3, c lot 5, d lot 2, d colour R",
            EXAMPLE_12.replace("S:-/-/-/- d-", "G:N3 d2"),
        ),
        (
            TURN,
            EXAMPLE_13,
            "R t9-t11",
            "h3,t11/g1,g2,g3,g4/h4/h4 B:N3 d2 0+0/1+7/0+0/0+0 1:- ---- -",
        ),
        (
            TURN,
            EXAMPLE_13.replace("2+6", "1+6"),
            "R t9-t11",
            "h3,t11/g1,g2,g3,g4/h4/h4 B:E d2 0+0/0+7/0+0/0+0 1:- ---- -",
        ),
        (
            {**TURN, "finished": "skip"},
            EXAMPLE_13,
            "R t9-t11",
            "h3,t11/g1,g2,g3,g4/h4/h4 Y:N3 d2 0+0/1+7/0+0/0+0 1:- ---- -",
        ),
        (
            COMPANION,
            EXAMPLE_14,
            "B stray 6, G ignored",
            "h4/h4/h4/h4 R:N3 d6>4 0+0/1+0/0+0/1+0 1:- ---- b",
        ),
        (
            {**COMPANION, "break_penalty": 0},
            EXAMPLE_14,
            "B stray 6, G ignored",
            f"h4/h4/h4/h4 R:N3 d6>4 {NOTHING} 1:- ---- b",
        ),
        (
            COMPANION,
            EXAMPLE_14,
            "B stray 6, resume, B stray 5",
            "h4/h4/h4/h4 R:N3 d5>4 0+0/1+0/0+0/0+0 1:- ---- -",
        ),
        (COMPANION, EXAMPLE_15, "b silent 6", EXAMPLE_15.replace("d3", "d6")),
        (
            COMPANION,
            EXAMPLE_15,
            "b silent 6, c sticky",
            EXAMPLE_15.replace("3/-/-/- d3", "3/-/6/- d6"),
        ),
    ],
)
def test_the_worked_examples_lead_where_they_say(
    options: dict[str, Any], position: str, actions: str, after: str
) -> None:
    request = {"options": options, "position": position, "actions": actions.split(", ")}
    assert differ(request)["position"] == after


@pytest.mark.parametrize(
    ("position", "actions", "legal"),
    [
        ("start", ["R pop 6"], "R in"),
        (f"h3,t0/h4/h4/h4 R:P1 d6 {NOTHING} 1:- ---- -", ["R pop 6"], "R double, R t0-t6"),
        (f"h3,t1/h3,t7/h4/h4 R:M6 d6 {NOTHING} 1:- ---- -", [], "R in"),
        ("t1,g2,g3,g4/h3,t7/h4/h4 R:M6 d6 3+0/0+0/0+0/0+0 1:- ---- -", [], "R t1-t7"),
        (f"t1,t8,g3,g4/h3,t7/h3,t14/h4 R:M6 d6 {NOTHING} 1:- ---- -", [], "R t1-t7, R t8-t14"),
        (f"h1,g1w1,g2/h4/h4/h4 R:N1 d4 {NOTHING} 1:- ---- -", ["R pop 2"], "R g1-g3, R g2-g4"),
        (EXAMPLE_9, [], "R raise g1, R raise g3, R t0-t6, R t12-t18"),
        (EXAMPLE_10, [], "R propose, R t0-t6, R t12-t18"),
        (EXAMPLE_10, ["R propose", "B yes", "G yes"], "Y no, Y yes"),
        (EXAMPLE_10, ["R propose", "B no"], "R t0-t6, R t12-t18"),
        (
            EXAMPLE_10,
            ["R propose", "B yes", "G yes", "Y yes"],
            "R raise g1, R raise g3, R t0-t6, R t12-t18",
        ),
        (EXAMPLE_11, [], "R pass, R pop 1, R pop 2, R pop 3, R pop 4, R pop 5, R pop 6"),
        (
            EXAMPLE_11,
            ["R pop 6"],
            "R pass, R raise g1, R raise g2, R raise g3, R raise g4",
        ),
    ],
)
def test_the_worked_examples_allow_what_they_say(
    position: str, actions: list[str], legal: str
) -> None:
    found = differ({"position": position, "actions": actions})
    assert found["legal"] == legal.split(", ")


def test_the_worked_examples_end_and_refuse_as_they_say() -> None:
    won = differ({"position": EXAMPLE_11, "actions": ["R done 2"]})
    assert won["result"] == {"winner": "R", "true_victory": False, "moral": "R"}
    refused = {"error": "action", "index": 1}
    actions = ["R t9-t11", "B done 1"]
    request = {"position": EXAMPLE_13, "options": TURN, "actions": actions}
    assert differ(request) == refused
    request = {"position": EXAMPLE_14, "options": COMPANION, "actions": ["resume", "G ignored"]}
    assert differ(request) == refused
    for text in ("a sticky", "R sticky"):
        request = {"position": EXAMPLE_15, "options": COMPANION, "actions": ["b silent 6", text]}
        assert differ(request) == refused
    request = {"position": EXAMPLE_15, "options": COMPANION, "actions": ["b silent 6"]}
    assert differ(request)["to_act"] == "bcd"


# The two readings compared


def ours(request: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer_line(json.dumps({"game": "as-kimble", **request})))
    if "error" in found:
        assert found.pop("why")
    return found


def differ(request: dict[str, Any]) -> dict[str, Any]:
    """Compare, and give the answer both agree on."""
    theirs = reference.answer(request)
    assert ours(request) == theirs, json.dumps(request)
    return theirs


def some_number(rng: random.Random) -> int:
    return rng.choice((1, 1, 1, 2, 3, rng.randint(1, 20)))


def some_text(rng: random.Random) -> str:
    return json.dumps(rng.choice(("", "a", "two words", 'say "so"', "\u00e4\n\\", "\u2028")))


def some_event(rng: random.Random, position: str, options: dict[str, Any]) -> str:
    """An event of the referee, of the die or of a team, or a remark; many are legal."""
    team, d, n = rng.choice("RBYG"), rng.randint(1, 6), some_number(rng)
    turn = position.split(" ")[1][0]
    text = some_text(rng)
    return rng.choice(
        (
            f"{turn} silent {d}",
            f"{turn} sticky",
            f"{turn} sticky",
            "church",
            f"{team} stray {d}",
            f"{team} stray {d}",
            f"{team} ignored",
            f"{rng.choice('abcd')} silent {d}",
            f"{rng.choice('abcd')} sticky",
            f"fix {d}",
            f"warm {d}",
            f"{team} hembo {rng.choice(('jag', 'vi'))}",
            f"{team} done {n}",
            rng.choice(("break", "resume")),
            some_entry(rng),
            some_entry(rng),
            some_entry(rng),
            f"note {text}",
            f"ref rule {text}",
            f"ref pen {team} +{n} {text}",
            f"ref pen {team} -{n} {text}",
            f"ref done {team} +{n} {text}",
            f"ref done {team} -{n} {text}",
            f"ref set {json.dumps(some_position(rng, options))} {text}",
        )
    )


def some_entry(rng: random.Random) -> str:
    """An entry of a book without a board, now and then for one team twice."""
    one, other = (f"{rng.choice('RBYG')}{rng.randint(1, 4)}" for _ in range(2))
    return rng.choice(
        (
            f"led eat {one} {other}",
            f"led mine {one} {other}",
            f"led mine {one} -{other[1]}",
            f"led raise {one[0]}",
            f"led raise {one[0]}",
            f"led raise {one[0]} {other}",
            f"led hembo {one[0]} {rng.choice(('said', 'missed', 'wrong', 'uncalled'))}",
            f"led won {one[0]}",
            f"led won {one[0]} {some_text(rng)}",
        )
    )


def odd_action(rng: random.Random, found: dict[str, Any], options: dict[str, Any]) -> str:
    """Something that is seldom legal, often for a small reason."""
    team, d, n = rng.choice("RBYG"), rng.randint(0, 7), some_number(rng)
    from_, to, g = rng.randrange(28), rng.randrange(28), rng.randint(0, 5)
    text, position = some_text(rng), found["position"]
    listed = rng.choice([*found["legal"], *found["anytime"], some_event(rng, position, options)])
    odd = (
        *misspelt_actions(rng, listed, team),
        *odd_team_actions(rng, team, (d, g, from_, to), text),
        *odd_rulings(rng, team, n, text, position),
    )
    return rng.choice(odd)


def misspelt_actions(rng: random.Random, listed: str, team: str) -> tuple[str, ...]:
    """A legal action with something wrong about it."""
    at = rng.randrange(len(listed) + 1)
    junk = rng.choice('RBYGabcd0123456789 -+"gtx\t\n\\\u0661')
    return (
        listed + rng.choice((" ", "\n", " x", "0", '"')),
        " " + listed,
        listed.replace(" ", "  ", 1),
        listed.replace(listed[0], team, 1),
        listed.lower(),
        listed[:at] + junk + listed[at:],
        listed[:at] + listed[at + 1 :],
    )


def odd_team_actions(
    rng: random.Random, team: str, numbers: tuple[int, int, int, int], text: str
) -> tuple[str, ...]:
    """Actions of a turn, of the board and of the book, by numbers that seldom fit."""
    d, g, from_, to = numbers
    return (
        "",
        f"{team} pop {d}",
        f"{team} in",
        f"{team} double",
        f"{team} pass",
        f"{team} propose",
        f"{team} {rng.choice(('yes', 'no', 'maybe'))}",
        f"{team} raise g{g}",
        f"{team} return g{g}",
        f"{team} g{g}-g{g + rng.randint(-1, 3)}",
        f"{team} t{from_}-t{to}",
        f"{team} t{from_}-t{(from_ + rng.randint(1, 6)) % 28}",
        f"{team} t{from_}-g{g}",
        f"{rng.choice('abcde')} lot {d}",
        f"{rng.choice('abcd')} colour {rng.choice('RBYGW')}",
        f"{team} done {rng.choice(('0', '01', '-1', '+1', '1.0', '999999', '1000000', ''))}",
        f"{team} hembo {rng.choice(('Jag', 'vi ', 'ni', ''))}",
        f"{team} sticky {d}",
        f"{team} silent",
        f"{team} church",
        f"{team} stray {d}",
        f"{team} silent {d}",
        f"{rng.choice('abcde')} silent {d}",
        f"{team} ignored {d}",
        f"led won {team} ",
        f"led won {team}{text}",
        f"led eat {team}{d} {rng.choice('RBYG')}{g}",
        f"led mine -{d} {team}{g}",
        f"led raise {team}{d}",
        f"led hembo {team}",
        "ignored",
        f"warm {d}",
        f"fix {d}",
    )


def odd_rulings(
    rng: random.Random, team: str, n: object, text: str, position: str
) -> tuple[str, ...]:
    """Rulings of a referee, and notes."""
    return (
        f"ref pen {team} {n} {text}",
        f"ref pen {team} +{n}",
        f"ref pen {team} +{n} {text} {text}",
        f"ref pen {team} +0 {text}",
        f"ref pen {team} +0{n} {text}",
        f"ref pen {team} +-{n} {text}",
        f"ref pen {team} +1000000 {text}",
        f"ref done {team} +999999 {text}",
        f"ref done {team} -999999 {text}",
        f"ref done {team} +{n} 'why'",
        f'ref done {team} +{n} "why',
        f'ref done {team} +{n} "\t"',
        f'ref done {team} +{n} "\\x"',
        f'ref done {team} +{n} "\\ud800"',
        f"ref  rule {text}",
        f"ref rule {text}{text}",
        "ref rule",
        "ref rule ",
        "ref rule null",
        f"ref end {text} ",
        "ref end",
        f"ref set {text} {text}",
        f'ref set "start" {text}',
        f"ref set {json.dumps(position)}",
        f"ref set {json.dumps(position)}{text}",
        f"ref set {json.dumps(position)}  {text}",
        f"ref set {json.dumps(reference.mutate(rng, position))} {text}",
        f"note {text} {text}",
        f"note{text}",
        "note x",
        'note ["x"]',
    )


def some_position(rng: random.Random, options: dict[str, Any]) -> str:
    return reference.random_position(rng, options)


def some_action(rng: random.Random, found: dict[str, Any], options: dict[str, Any]) -> str:
    chance, listed = rng.random(), found["legal"]
    if chance < 0.02:
        return odd_action(rng, found, options)
    if chance < 0.08 or not listed:
        return some_event(rng, found["position"], options)
    if chance < 0.16 and found["anytime"]:
        return str(rng.choice(found["anytime"]))
    sixes = [text for text in listed if text.endswith("pop 6")]
    if sixes and rng.random() < 0.3:
        return str(rng.choice(sixes))
    played = [text for text in listed if " no" not in text]
    return str(rng.choice(played if rng.random() < 0.5 else listed))


def play_out(seed: int, matches: int, length: int) -> None:
    """Random play in stretches; each stretch begins where the last legal one led."""
    rng = random.Random(seed)
    for _ in range(matches):
        options = reference.random_options(rng)
        position = some_position(rng, options)
        if rng.random() < 0.2:
            position = rng.choice(("start", EXAMPLE_12))
        found = differ({"position": position, "options": options})
        played = 0
        while "error" not in found and played < length:
            first, actions = found["position"], []
            for _ in range(rng.randint(1, 6)):
                action = some_action(rng, found, options)
                request = {
                    "position": found["position"],
                    "options": options,
                    "actions": [action],
                }
                actions.append(action)
                after = reference.answer(request)
                if "error" in after:
                    break
                found = after
            played += len(actions)
            differ({"position": first, "options": options, "actions": actions})
            if found["terminal"] and rng.random() < 0.8:
                break


def compare_positions(seed: int, positions: int) -> None:
    rng = random.Random(seed)
    for _ in range(positions):
        options = reference.random_options(rng)
        position = some_position(rng, options)
        if rng.random() < 0.5:
            position = reference.mutate(rng, position)
        differ({"position": position, "options": options})


def compare_actions(seed: int, positions: int) -> None:
    """On each position some listed actions, some events and some odd ones, one at a time."""
    rng = random.Random(seed)
    for _ in range(positions):
        options = reference.random_options(rng)
        line = {"position": some_position(rng, options), "options": options}
        found = differ(line)
        if "error" in found:
            continue
        listed = rng.sample(found["legal"], min(6, len(found["legal"])))
        listed += rng.sample(found["anytime"], min(2, len(found["anytime"])))
        odd = [odd_action(rng, found, options) for _ in range(6)]
        events = [some_event(rng, found["position"], options) for _ in range(4)]
        for action in (*listed, *events, *odd):
            after = differ({**line, "actions": [action]})
            assert action not in listed or "error" not in after


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"position": "start"},
        {"options": {}, "actions": []},
        {"actions": ["R pop 6", "R in", "R pop 6", "R double", "R pop 7"]},
        {"position": "Start", "actions": ["nonsense"]},
        {"options": {"komi": 1}, "position": "nonsense", "actions": ["nonsense"]},
        {"position": START.replace("0+0", "2000+999999", 1), "actions": ["R hembo vi"]},
        {"position": START, "actions": ['ref pen B +999999 ""', 'ref pen B +1 ""']},
        {"position": START, "actions": ['ref end "late"', 'note "over"']},
        {"position": START, "actions": ['ref end "late"', f'ref set "{START}" "go on"']},
        {"position": EXAMPLE_3.replace("----", "-+--"), "actions": ["R t4-t9"]},
        {"options": {"unit": "custom", "unit_name": " "}},
        {"position": START.replace("1:-", "999999:-")},
        {
            "position": EXAMPLE_3.replace("/0+0", "/999997+0", 1),
            "actions": ["R t4-t9"],
            "options": TURN,
        },
        {
            "position": EXAMPLE_10.replace(" 1:", " 999999:"),
            "actions": ["R propose", "B yes", "Y yes", "G yes", "R raise g1"],
        },
        {"position": START.replace("1:-", "1:-!"), "options": {"refusal": "final"}},
    ],
)
def test_odd_requests_are_answered_alike(request_: dict[str, Any]) -> None:
    differ(request_)


@pytest.mark.parametrize("seed", range(2))
def test_both_readings_play_alike(seed: int) -> None:
    play_out(seed, 25, 30)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_both_readings_read_alike(seed: int) -> None:
    compare_positions(seed, 400)


@pytest.mark.parametrize("seed", range(2))
def test_both_readings_accept_and_refuse_alike(seed: int) -> None:
    compare_actions(seed, 30)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 110))
def test_both_readings_agree_at_length(seed: int) -> None:
    play_out(seed, 60, 400)
    compare_positions(seed, 5000)
    compare_actions(seed, 400)
