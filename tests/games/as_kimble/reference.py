"""A second, deliberately naive reading of the rules of AS-Kimble.

Written from the rules alone; it shares no code with the game. Nothing here is clever or fast: a
position is counters, dicts and pieces of its own text, and an action is legal when it is in a list.
`answer` says what the rules filter must answer to one request whose types are right, without the
sentence under `why`. Nothing is hidden in this game, so `view` changes nothing here.

`random_options`, `random_position` and `mutate` make requests for comparing another implementation
with this one.
"""

import copy
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

TEAMS = "RBYG"
SEATS = "abcd"
FACES = (1, 2, 3, 4, 5, 6)
GRIDS = (1, 2, 3, 4)  # of a goal
LARGEST = 999999  # what a position text can hold; a count that would pass it stays there
START = "h4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -"

Options = dict[str, Any]


class RefusedError(Exception):
    """This cannot be read, or is not legal here."""


def demand(condition: object) -> None:
    if not condition:
        raise RefusedError


@dataclass
class Position:
    home: dict[str, int]  # team -> pieces
    track: dict[int, tuple[str, int]]  # grid -> team, multiplier
    goal: dict[str, dict[int, int]]  # team -> goal grid -> pieces
    team: str  # in turn, "-" when nobody won, "" in preparation
    phase: str  # a letter
    rest: str  # what the turn field has after that letter: "3", "6x", "BG", "-", "3/3/-/-", "dc"
    face: str = "-"
    wanted: str = ""  # the face to restore
    owed: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TEAMS, 0))
    completed: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TEAMS, 0))
    round: int = 1
    raised: str = ""
    closed: bool = False
    hembo: dict[str, str] = field(default_factory=lambda: dict.fromkeys(TEAMS, "-"))
    on_break: bool = False


# Options


DEFAULTS: Options = {
    "mode": "digital",
    "team_size": [1, 1, 1, 1],
    "raising": True,
    "raise_return": "owner",
    "refusal": "opportunity",
    "finished": "pop",
    "hembo": "call",
    "pace": "free",
    "break_penalty": 1,
    "unit": "units",
    "unit_factor": 1,
    "die": "fair",
}
WORDS = {
    "mode": ["digital", "companion"],
    "raise_return": ["owner", "rearmost"],
    "refusal": ["opportunity", "final"],
    "finished": ["pop", "skip"],
    "hembo": ["call", "off"],
    "pace": ["free", "turn"],
    "unit": ["units", "soft", "cans", "wine", "custom"],
    "die": ["fair", "naksu"],
}


def is_allowed(name: str, value: Any) -> bool:
    if name in WORDS:
        return isinstance(value, str) and value in WORDS[name]
    if name == "team_size":
        return (
            isinstance(value, list)
            and len(value) == 4
            and all(type(size) is int and size >= 1 for size in value)
        )
    if name == "raising":
        return value is True or value is False
    if name == "break_penalty":
        return type(value) is int and 0 <= value <= 99
    if name == "unit_name":
        return isinstance(value, str) and value != ""
    if name == "unit_factor":
        return type(value) in (int, float) and value > 0
    if name == "litres_per_share":
        return type(value) in (int, float) and value >= 0
    return False


def read_options(given: Options) -> Options:
    for name, value in given.items():
        demand(is_allowed(name, value))
    options = {**DEFAULTS, **given}
    demand((options["unit"] == "custom") == ("unit_name" in options))
    return options


# Geometry


def start_grid(team: str) -> int:
    return 7 * TEAMS.index(team)


def progress(team: str, grid: int) -> int:
    return (grid - start_grid(team)) % 28


def others(team: str) -> list[str]:
    """The other teams, clockwise from the next one."""
    at = TEAMS.index(team)
    return list(TEAMS[at + 1 :] + TEAMS[:at])


def track_pieces(p: Position, team: str) -> list[int]:
    """Grids with a piece of the team, by progress."""
    grids = [grid for grid, (owner, _) in p.track.items() if owner == team]
    return sorted(grids, key=lambda grid: progress(team, grid))


def goal_grids(p: Position, team: str) -> list[int]:
    return [g for g in GRIDS if p.goal[team][g] > 0]


def is_placed(p: Position, team: str) -> bool:
    return all(p.goal[team][g] == 1 for g in GRIDS)


def has_won(p: Position, team: str) -> bool:
    pending = p.phase == "C" and team in p.rest
    return is_placed(p, team) and p.owed[team] == 0 and not pending


# Position texts


def side_text(p: Position, team: str) -> str:
    tokens = []
    if p.home[team]:
        tokens.append(f"h{p.home[team]}")
    for grid in track_pieces(p, team):
        multiplier = p.track[grid][1]
        tokens.append(f"t{grid}" if multiplier == 1 else f"t{grid}x{multiplier}")
    for g in goal_grids(p, team):
        waiting = p.goal[team][g] - 1
        tokens.append(f"g{g}w{waiting}" if waiting else f"g{g}")
    return ",".join(tokens)


def position_text(p: Position) -> str:
    return " ".join(
        [
            "/".join(side_text(p, team) for team in TEAMS),
            f"{p.phase}:{p.rest}" if p.phase in "SK" else f"{p.team}:{p.phase}{p.rest}",
            f"d{p.face}>{p.wanted}" if p.wanted else f"d{p.face}",
            "/".join(f"{p.owed[team]}+{p.completed[team]}" for team in TEAMS),
            f"{p.round}:{p.raised or '-'}{'!' if p.closed else ''}",
            "".join(p.hembo[team] for team in TEAMS),
            "b" if p.on_break else "-",
        ]
    )


NUMBER = r"(0|[1-9][0-9]{0,5})"
POSITIVE = r"([1-9][0-9]{0,5})"
SET = r"(-|(?=[RBYG])R?B?Y?G?)"


def match(pattern: str, text: str) -> list[str]:
    found = re.fullmatch(pattern, text)
    if found is None:
        raise RefusedError
    return [group or "" for group in found.groups()]


def read_position(text: str, options: Options) -> Position:
    p = spelled_position(text)
    demand(position_text(p) == text)
    for team in TEAMS:
        on_track = sum(p.track[grid][1] for grid in track_pieces(p, team))
        demand(p.home[team] + on_track + sum(p.goal[team].values()) == 4)
    check_turn(p, options)
    demand(p.wanted != p.face)
    if p.wanted or p.on_break:
        demand(p.phase in "NPMVC")
    if p.wanted:
        demand(options["mode"] == "companion")
    if options["hembo"] == "off":
        demand(all(p.hembo[team] == "-" for team in TEAMS))
    return p


def spelled_position(text: str) -> Position:
    """What the seven fields say, whether or not it can be."""
    fields = text.split(" ")
    demand(len(fields) == 7)
    board, turn, die, ledger, raises, hembo, flags = fields
    p = Position(
        home=dict.fromkeys(TEAMS, 0),
        track={},
        goal={team: dict.fromkeys(GRIDS, 0) for team in TEAMS},
        team="",
        phase="",
        rest="",
    )
    sides = board.split("/")
    demand(len(sides) == 4)
    for team, side in zip(TEAMS, sides, strict=True):
        for token in side.split(","):
            read_token(p, team, token)
    p.team, p.phase, p.rest = read_turn(turn)
    p.face, _, p.wanted = match("d(-|[1-6])((?<=[1-6])>([1-6]))?", die)
    books = ledger.split("/")
    demand(len(books) == 4)
    for team, book in zip(TEAMS, books, strict=True):
        owed, completed = match(f"{NUMBER}[+]{NUMBER}", book)
        p.owed[team], p.completed[team] = int(owed), int(completed)
    number, raised, closed = match(f"{POSITIVE}:{SET}(!?)", raises)
    p.round, p.raised, p.closed = int(number), raised.replace("-", ""), closed == "!"
    (marks,) = match("([-!+]{4})", hembo)
    p.hembo = dict(zip(TEAMS, marks, strict=True))
    (flag,) = match("([b-])", flags)
    p.on_break = flag == "b"
    return p


def read_turn(turn: str) -> tuple[str, str, str]:
    for pattern in (
        "()(S):((?:-|[1-6]+)(?:/(?:-|[1-6]+)){3})",
        "()(K):([abcd][abcd])",
        "([RBYG]):([NP])([123])",
        "([RBYG]):(M)([1-6]x?)",
        f"([RBYG]):([VC]){SET}",
        "([RBYG-]):(E)()",
    ):
        if re.fullmatch(pattern, turn):
            team, phase, rest = match(pattern, turn)
            return team, phase, rest
    raise RefusedError


def read_token(p: Position, team: str, token: str) -> None:
    if token.startswith("h"):
        (home,) = match("h([1-4])", token)
        p.home[team] = int(home)
    elif token.startswith("t"):
        grid, _, multiplier = match("t(0|[1-9]|1[0-9]|2[0-7])(x([234]))?", token)
        demand(int(grid) not in p.track)
        p.track[int(grid)] = (team, int(multiplier or 1))
    else:
        g, _, waiting = match("g([1-4])((?<=1)w([123]))?", token)
        p.goal[team][int(g)] = 1 + int(waiting or 0)


def check_turn(p: Position, options: Options) -> None:
    if p.phase == "E":
        demand(p.team == "-" or options["mode"] == "companion" or has_won(p, p.team))
    else:
        demand(not any(has_won(p, team) for team in TEAMS))
    if p.phase == "M":
        demand(p.rest == "6x" or "x" not in p.rest)
        demand(choices(p, options))
    if p.phase == "V":
        demand(p.team not in p.rest)
        demand(len(p.rest) < 3)
        demand(may_propose(p, options))
    if p.phase == "C":
        demand(p.rest != "-")
        demand(p.team not in p.rest)
        demand(all(goal_grids(p, team) for team in p.rest))
    if p.phase == "S":
        _, _, due = draw(p.rest)
        demand(due)
    if p.phase == "K":
        demand(p.rest[0] != p.rest[1])


# Preparation


def draw(rest: str) -> tuple[list[str], list[str], list[str]]:
    """Seats that may still be the lowest, that may still be the highest, and that are due to pop.

    Lots that could not come about are refused.
    """
    lots = {
        seat: [int(digit) for digit in text.replace("-", "")]
        for seat, text in zip(SEATS, rest.split("/"), strict=True)
    }
    nth = 0
    while True:  # all four pop, and again as long as all are equal
        missing = [seat for seat in SEATS if len(lots[seat]) <= nth]
        if missing:
            demand(all(len(lots[seat]) <= nth + 1 for seat in SEATS))
            return list(SEATS), list(SEATS), missing
        popped = [lots[seat][nth] for seat in SEATS]
        nth += 1
        if min(popped) < max(popped):
            break
    low = [seat for seat in SEATS if lots[seat][nth - 1] == min(popped)]
    high = [seat for seat in SEATS if lots[seat][nth - 1] == max(popped)]
    for seat in SEATS:
        if seat not in low + high:
            demand(len(lots[seat]) == nth)
    low, due_low = break_tie(lots, low, nth, min)
    high, due_high = break_tie(lots, high, nth, max)
    return low, high, [seat for seat in SEATS if seat in due_low + due_high]


def break_tie(
    lots: dict[str, list[int]], seats: list[str], nth: int, pick: Callable[[list[int]], int]
) -> tuple[list[str], list[str]]:
    """Of seats tied before their lot `nth`: those left, and those of them due to pop."""
    while len(seats) > 1:
        missing = [seat for seat in seats if len(lots[seat]) <= nth]
        if missing:
            demand(all(len(lots[seat]) <= nth + 1 for seat in seats))
            return seats, missing
        picked = pick([lots[seat][nth] for seat in seats])
        nth += 1
        for seat in seats:
            if lots[seat][nth - 1] != picked:
                demand(len(lots[seat]) == nth)
        seats = [seat for seat in seats if lots[seat][nth - 1] == picked]
    demand(len(lots[seats[0]]) == nth)
    return seats, []


# Moves


def ordinary_moves(p: Position, team: str, d: int) -> list[str]:
    """Moves of the table in chapter 6, without the team letter, mines heeded."""
    moves, mine_moves = [], []
    if d == 6 and p.home[team] and start_grid(team) not in track_pieces(p, team):
        moves.append("in")
    for grid in track_pieces(p, team):
        steps = progress(team, grid) + d
        if steps <= 27:
            target = (grid + d) % 28
            standing = p.track[target][0] if target in p.track else None
            if standing is None:
                moves.append(f"t{grid}-t{target}")
            elif standing != team and target == start_grid(standing):
                mine_moves.append(f"t{grid}-t{target}")
            elif standing != team:
                moves.append(f"t{grid}-t{target}")
        elif steps <= 31 and p.goal[team][steps - 27] == 0:
            moves.append(f"t{grid}-g{steps - 27}")
    for g in goal_grids(p, team):
        if g + d <= 4 and p.goal[team][g + d] == 0:
            moves.append(f"g{g}-g{g + d}")
    return moves or mine_moves


def could_raise(p: Position, options: Options) -> bool:
    """All that a raise needs but the round."""
    return (
        options["raising"] is True
        and p.home[p.team] == 0
        and all(goal_grids(p, team) for team in TEAMS)
    )


def may_propose(p: Position, options: Options) -> bool:
    return could_raise(p, options) and p.raised == TEAMS and not p.closed


def choices(p: Position, options: Options) -> list[str]:
    """What the team may do in phase M, without the team letter."""
    team, d = p.team, int(p.rest[0])
    moves = ordinary_moves(p, team, d)
    if d != 6:
        return moves
    more = []
    if start_grid(team) in track_pieces(p, team) and p.home[team]:
        more.append("double")
    raises = []
    if could_raise(p, options) and team not in p.raised:
        grids = goal_grids(p, team)
        if options["raise_return"] == "rearmost":
            grids = grids[:1]
        raises += [f"raise g{g}" for g in grids]
    if may_propose(p, options) and p.rest != "6x":
        raises.append("propose")
    if raises and not moves:
        raises.append("pass")
    return moves + more + raises


def pops_granted(p: Position, team: str) -> int:
    goal_moves = [
        g + d
        for g in goal_grids(p, team)
        for d in FACES[:5]
        if g + d <= 4 and p.goal[team][g + d] == 0
    ]
    return 1 if track_pieces(p, team) or goal_moves else 3


# What may be done


def is_free(p: Position) -> bool:
    """No break, no reset to make first."""
    return not p.on_break and not p.wanted


def turn_actions(p: Position, options: Options) -> list[str]:
    if p.on_break or p.phase == "E":
        return []
    if p.wanted:
        return [f"fix {d}" for d in FACES]
    if p.phase == "S":
        return [f"{seat} lot {d}" for seat in to_act(p) for d in FACES]
    if p.phase == "K":
        return [f"{p.rest[0]} colour {team}" for team in TEAMS]
    if p.phase in "NP":
        actions = [f"{p.team} pop {d}" for d in FACES]
        if is_placed(p, p.team):
            actions.append(f"{p.team} pass")
        return actions
    if p.phase == "M":
        return [f"{p.team} {choice}" for choice in choices(p, options)]
    if p.phase == "V":
        return [f"{team} {said}" for team in to_act(p) for said in ("yes", "no")]
    return [f"{team} return g{g}" for team in to_act(p) for g in goal_grids(p, team)]


def to_act(p: Position) -> str:
    if p.phase == "E" or not is_free(p):
        return ""
    if p.phase == "S":
        _, _, due = draw(p.rest)
        return "".join(due)
    if p.phase == "K":
        return p.rest[0]
    if p.phase == "V":
        return "".join(team for team in TEAMS if team != p.team and team not in p.rest)
    if p.phase == "C":
        return p.rest
    return p.team


def anytime_actions(p: Position, options: Options) -> list[str]:
    if p.phase in "SKE":
        return []
    actions = ["resume" if p.on_break else "break"]
    for team in TEAMS:
        if options["hembo"] == "call":
            actions += [f"{team} hembo jag", f"{team} hembo vi"]
        if options["pace"] == "free" and not p.on_break:
            actions += [f"{team} done {n}" for n in range(1, p.owed[team] + 1)]
    return actions


# What happens


def play(p: Position, text: str, options: Options) -> Position:
    """The position after an action; RefusedError where it is not legal."""
    p = copy.deepcopy(p)
    if text in turn_actions(p, options):
        take_turn(p, text.split(" "), options)
    elif text in anytime_actions(p, options):
        act_anytime(p, text.split(" "), options)
    elif text.startswith("ref set "):
        where, _ = quoted_texts(text.removeprefix("ref set "), 2)
        return read_position(where, options)
    elif text.startswith(("ref ", "note ")):
        demand(p.phase != "E")
        judge(p, text)
    elif text.startswith("warm "):
        demand(p.phase == "S" and p.rest == "-/-/-/-")
        (p.face,) = match("warm ([1-6])", text)
    elif text.startswith("led "):
        demand(options["mode"] == "companion" and p.phase in "NPMVC")
        enter(p, text, options)
    elif p.phase == "S":
        demand(options["mode"] == "companion")
        suffer_lot(p, text, options)
    else:
        demand(options["mode"] == "companion" and p.phase in "NPMVC")
        suffer(p, text, options)
    return p


def take_turn(p: Position, words: list[str], options: Options) -> None:
    team, verb, what = words[0], words[1], words[-1]
    if team == "fix":
        p.face = words[1]
        if p.face == p.wanted:
            p.wanted = ""
    elif verb == "lot":
        lots = p.rest.split("/")
        lots[SEATS.index(team)] = (lots[SEATS.index(team)] + what).lstrip("-")
        p.rest, p.face = "/".join(lots), what
        low, high, due = draw(p.rest)
        if not due:
            p.phase, p.rest = "K", low[0] + high[0]
    elif verb == "colour":
        turned = SEATS.index(p.rest[1]) - SEATS.index(p.rest[0])
        p.team = TEAMS[(TEAMS.index(what) + turned) % 4]
        p.phase, p.rest = "N", str(pops_granted(p, p.team))
    elif verb == "pop":
        pop(p, int(what), options)
    elif verb == "pass" and p.phase in "NP":
        pass_turn(p, options)
    elif verb in ("yes", "no"):
        vote(p, team, verb, options)
    elif verb == "return":
        give_back(p, team, int(what[1]), options)
        still = p.rest.replace(team, "")
        if still:
            p.rest = still
        else:
            pop_again(p, options)
    else:
        choose(p, verb, what, options)


def add(book: dict[str, int], team: str, n: int) -> None:
    book[team] = min(book[team] + n, LARGEST)


def pop(p: Position, d: int, options: Options) -> None:
    p.face = str(d)
    if p.phase == "N":
        for team in TEAMS:
            if p.hembo[team] == "!":
                add(p.owed, team, 1)
            p.hembo[team] = "-"
    left = int(p.rest)
    p.phase, p.rest = "M", str(d)
    if choices(p, options):
        return
    if d == 6:
        pop_again(p, options)
    elif left > 1:
        p.phase, p.rest = "P", str(left - 1)
    else:
        pass_turn(p, options)


def pop_again(p: Position, options: Options) -> None:
    """After a six."""
    if options["finished"] == "skip" and is_placed(p, p.team):
        pass_turn(p, options)
    else:
        p.phase, p.rest = "P", str(pops_granted(p, p.team))


def pass_turn(p: Position, options: Options) -> None:
    p.phase, p.rest = "N", "1"  # no return is pending while the next team is found
    skipping = options["finished"] == "skip" and not all(is_placed(p, team) for team in TEAMS)
    for team in [*others(p.team), p.team]:
        if options["pace"] == "turn" and p.owed[team] > 0:
            p.owed[team] -= 1
            add(p.completed, team, 1)
            if has_won(p, team):
                end(p, team)
                return
        if not (skipping and is_placed(p, team)):
            p.team, p.phase, p.rest = team, "N", str(pops_granted(p, team))
            return


def choose(p: Position, verb: str, what: str, options: Options) -> None:
    """Carry out a choice of phase M."""
    team, six = p.team, p.rest[0] == "6"
    start = start_grid(team)
    if verb == "propose":
        p.phase, p.rest = "V", "-"
        return
    if verb == "raise":
        p.goal[team][int(what[1])] -= 1
        land(p, team, 1, start, options)
        p.raised = "".join(t for t in TEAMS if t in p.raised + team)
        asked = ""
        for other in TEAMS:
            grids = goal_grids(p, other)
            if other == team:
                continue
            if len(grids) == 1 or options["raise_return"] == "rearmost":
                give_back(p, other, grids[0], options)
            else:
                asked += other
        if asked:
            p.phase, p.rest = "C", asked
        else:
            pop_again(p, options)
        return
    if verb == "double":
        p.home[team] -= 1
        p.track[start] = (team, p.track[start][1] + 1)
    elif verb == "in":
        p.home[team] -= 1
        land(p, team, 1, start, options)
    elif verb != "pass":
        mined = move(p, verb, options)
        if has_won(p, team):
            end(p, team)
            return
        if mined and six:
            p.phase, p.rest = "P", "1"
            return
    if six:
        pop_again(p, options)
    else:
        pass_turn(p, options)


def move(p: Position, text: str, options: Options) -> bool:
    """Move a piece from one grid to another; was it into a mine?"""
    team = p.team
    here, there = text.split("-")
    at, to = int(here[1:]), int(there[1:])
    if here[0] == "g":
        p.goal[team][at] -= 1
        p.goal[team][to] += 1
        return False
    multiplier = p.track.pop(at)[1]
    if there[0] == "g":
        p.goal[team][to] += 1
        p.goal[team][1] += multiplier - 1
        return False
    if to in p.track and to == start_grid(p.track[to][0]):
        add(p.owed, team, multiplier * p.track[to][1])
        go_home(p, team, multiplier, options)
        return True
    land(p, team, multiplier, to, options)
    return False


def land(p: Position, team: str, multiplier: int, grid: int, options: Options) -> None:
    """Put a piece on a track grid: eat an opponent there, join a piece of the team."""
    if grid not in p.track:
        p.track[grid] = (team, multiplier)
        return
    standing, eaten = p.track[grid]
    if standing == team:
        p.track[grid] = (team, multiplier + eaten)
        return
    p.track[grid] = (team, multiplier)
    add(p.owed, standing, multiplier * eaten)
    go_home(p, standing, eaten, options)


def give_back(p: Position, team: str, g: int, options: Options) -> None:
    p.goal[team][g] -= 1
    go_home(p, team, 1, options)


def go_home(p: Position, team: str, pieces: int, options: Options) -> None:
    p.home[team] += pieces
    if p.home[team] == 4 and options["hembo"] == "call":
        p.hembo[team] = "!"


def vote(p: Position, team: str, said: str, options: Options) -> None:
    if said == "yes":
        agreed = "".join(t for t in TEAMS if t in p.rest + team)
        if len(agreed) < 3:
            p.rest = agreed
        else:
            p.round, p.raised = min(p.round + 1, LARGEST), ""
            p.phase, p.rest = "M", "6"
        return
    if options["refusal"] == "final":
        p.closed = True
    p.phase, p.rest = "M", "6x"
    if not choices(p, options):
        pop_again(p, options)


def end(p: Position, winner: str) -> None:
    p.team, p.phase, p.rest = winner, "E", ""
    p.wanted, p.on_break = "", False


def act_anytime(p: Position, words: list[str], options: Options) -> None:
    if words == ["break"] or words == ["resume"]:
        p.on_break = words == ["break"]
        return
    team, verb, what = words
    if verb == "done":
        p.owed[team] -= int(what)
        add(p.completed, team, int(what))
        if has_won(p, team):
            end(p, team)
    elif p.hembo[team] == "-":
        add(p.owed, team, 1)
    elif p.hembo[team] == "!":
        right = "jag" if options["team_size"][TEAMS.index(team)] == 1 else "vi"
        if what == right:
            p.hembo[team] = "+"


# Referee and physical events


def quoted_texts(text: str, count: int) -> list[str]:
    """So many JSON strings with one space between them, and nothing else."""
    found, at = [], 0
    for nth in range(count):
        if nth:
            demand(text[at : at + 1] == " ")
            at += 1
        demand(text[at : at + 1] == '"')
        try:
            value, at = json.JSONDecoder().raw_decode(text, at)
        except ValueError:
            raise RefusedError from None
        found.append(value)
    demand(at == len(text))
    return found


def judge(p: Position, text: str) -> None:
    if text.startswith("note "):
        quoted_texts(text.removeprefix("note "), 1)
    elif text.startswith("ref rule "):
        quoted_texts(text.removeprefix("ref rule "), 1)
    elif text.startswith("ref end "):
        quoted_texts(text.removeprefix("ref end "), 1)
        end(p, "-")
    else:
        pattern = f'ref (pen|done) ([RBYG]) ([+-]){POSITIVE} (".*)'
        book, team, sign, number, quoted = match(pattern, text)
        quoted_texts(quoted, 1)
        ledger = p.owed if book == "pen" else p.completed
        ledger[team] += int(sign + number)
        demand(0 <= ledger[team] <= LARGEST)
        if has_won(p, team):
            end(p, team)


def suffer(p: Position, text: str, options: Options) -> None:
    due = p.phase in "NP" and is_free(p)
    if text == "church":
        demand(due)
        return
    if text.endswith("sticky"):
        (team,) = match("([RBYG]) sticky", text)
        demand(due and team == p.team and p.face != "-")
        pop(p, int(p.face), options)
        return
    if text.endswith("ignored"):
        (team,) = match("([RBYG]) ignored", text)
        demand(p.on_break)
        ignore_break(p, team, options)
        return
    team, event, d = match("([RBYG]) (silent|stray) ([1-6])", text)
    if event == "silent":
        demand(due and team == p.team)
        p.face = d
        return
    demand(not (due and team == p.team))
    if p.on_break:
        ignore_break(p, team, options)
    if p.face != "-" and not p.wanted:
        p.wanted = p.face
    p.face = d
    if p.face == p.wanted:
        p.wanted = ""


def suffer_lot(p: Position, text: str, options: Options) -> None:
    """What may happen to a starting pop."""
    if text == "church":
        return
    if text.endswith("sticky"):
        (seat,) = match("([abcd]) sticky", text)
        demand(seat in to_act(p) and p.face != "-")
        take_turn(p, [seat, "lot", p.face], options)
        return
    seat, d = match("([abcd]) silent ([1-6])", text)
    demand(seat in to_act(p))
    p.face = d


def ignore_break(p: Position, team: str, options: Options) -> None:
    charge(p, team, options["break_penalty"])


# A book without a board


PIECE = "([RBYG])([1-4])"


def enter(p: Position, text: str, options: Options) -> None:
    kind = text.split(" ")[1]
    if kind == "eat":
        eater, m, victim, n = match(f"led eat {PIECE} {PIECE}", text)
        demand(eater != victim)
        charge(p, victim, int(m) * int(n))
    elif kind == "mine":
        mover, m, owner, n = match(f"led mine {PIECE} ([RBYG-])([1-4])", text)
        demand(mover != owner)
        charge(p, mover, int(m) * int(n))
    elif kind == "raise":
        team, _, victim, n = match(f"led raise ([RBYG])( {PIECE})?", text)
        demand(options["raising"] and team != victim)
        p.raised = "".join(t for t in TEAMS if t in p.raised + team)
        demand(p.phase != "M" or choices(p, options))
        if victim:
            charge(p, victim, int(n))
    elif kind == "hembo":
        team, how = match("led hembo ([RBYG]) (said|missed|wrong|uncalled)", text)
        demand(options["hembo"] == "call")
        charge(p, team, 0 if how == "said" else 1)
    else:
        team, why = match('led won ([RBYG])( ".*)?', text)
        if why:
            quoted_texts(why[1:], 1)
        else:
            demand(p.owed[team] == 0)
        end(p, team)


def charge(p: Position, team: str, n: int) -> None:
    p.owed[team] += n
    demand(p.owed[team] <= LARGEST)


# The rules filter


def result(p: Position) -> dict[str, Any]:
    raises = 0 if p.team == "-" else p.round - 1 + (p.team in p.raised)
    most = max(p.completed.values())
    return {
        "winner": None if p.team == "-" else p.team,
        "true_victory": raises > 0,
        "moral": "".join(team for team in TEAMS if p.completed[team] == most > 0),
    }


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """What the rules filter answers, the sentence under `why` left out."""
    try:
        options = read_options(request.get("options", {}))
    except RefusedError:
        return {"error": "options", "index": None}
    text = request.get("position", "start")
    try:
        p = read_position(START if text == "start" else text, options)
    except RefusedError:
        return {"error": "position", "index": None}
    for index, action in enumerate(request.get("actions", [])):
        try:
            p = play(p, action, options)
        except RefusedError:
            return {"error": "action", "index": index}
    return {
        "position": position_text(p),
        "legal": sorted(turn_actions(p, options)),
        "to_act": to_act(p),
        "terminal": p.phase == "E",
        "result": result(p) if p.phase == "E" else None,
        "anytime": sorted(anytime_actions(p, options)),
    }


# Requests for tests


WRONG: dict[str, list[Any]] = {
    "mode": ["Digital", "", None, ["digital"], True],
    "team_size": [[1, 1, 1], [1, 1, 1, 1, 1], [0, 1, 1, 1], [1, 1.0, 1, 1], [1, True, 1, 1], 1, {}],
    "raising": [1, 0, "true", None],
    "raise_return": ["first", None, False],
    "refusal": ["never", 1],
    "finished": ["stop", True],
    "hembo": ["on", False, "jag"],
    "pace": ["fast", None],
    "break_penalty": [-1, 100, 1.0, True, "1", None],
    "unit": ["beer", 1, None],
    "unit_name": ["", 1, None, ["cup"]],
    "unit_factor": [0, -1, "1", True, None, 0.0, [1]],
    "litres_per_share": [-0.1, "0.1", False, None],
    "die": ["unfair", 6],
    "Mode": ["digital"],
    "players": [4],
    "": [1],
}


def random_options(rng: random.Random) -> Options:
    """Options of a game, now and then with something wrong about them."""
    options: Options = {
        name: rng.choice(words) for name, words in WORDS.items() if rng.random() < 0.5
    }
    for name in ("mode", "finished", "pace", "refusal"):
        if rng.random() < 0.3:
            options[name] = WORDS[name][1]
    if rng.random() < 0.5:
        options["team_size"] = [rng.choice((1, 1, 2, 3, 40)) for _ in TEAMS]
    if rng.random() < 0.4:
        options["break_penalty"] = rng.choice((0, 1, 2, 99))
    if rng.random() < 0.2:
        options["raising"] = rng.random() < 0.5
    if options.get("unit") == "custom":
        options["unit_name"] = rng.choice(("cup", " ", "k\u00e4mmen"))
    if rng.random() < 0.2:
        options["unit_factor"] = rng.choice((1, 2, 0.5, 1e9))
    if rng.random() < 0.2:
        options["litres_per_share"] = rng.choice((0, 0.0, 0.12, 3))
    if rng.random() < 0.05:
        name = rng.choice(list(WRONG))
        options[name] = rng.choice(WRONG[name])
    elif rng.random() < 0.02:
        if "unit_name" in options:
            del options["unit_name"]
        else:
            options["unit_name"] = "cup"
    return options


def place(rng: random.Random, p: Position, team: str, kind: str) -> None:
    """Four pieces of a team in a situation of this kind."""
    goal = p.goal[team]
    left = 4
    if kind == "placed":
        p.goal[team] = dict.fromkeys(GRIDS, 1)
        return
    if kind == "nearly":
        for g in rng.sample(GRIDS, rng.choice((2, 3, 3, 3))):
            goal[g], left = 1, left - 1
        if rng.random() < 0.3:
            goal[1], left = goal[1] + 1, left - 1
    elif kind == "waiting":
        goal[1] = rng.randint(1, 4)
        left -= goal[1]
    elif kind == "miner":
        for g in rng.sample((2, 3, 4), rng.choice((2, 3, 3))):
            goal[g], left = 1, left - 1
        ahead = rng.choice((*FACES, 6, 6))
        grid = (start_grid(rng.choice(others(team))) - ahead) % 28
        if grid not in p.track:
            p.track[grid], left = (team, left), 0
    elif kind == "splitting":
        left -= 1
        p.home[team] = rng.randint(0, 2)
        multiplier = left - p.home[team]
        if multiplier:
            p.track[free_grid(rng, p, team, "late")] = (team, multiplier)
        goal[1], left = 1, 0
        if rng.random() < 0.7:
            goal[1], p.home[team] = 0, p.home[team] + 1
    if kind in ("ready", "goal"):
        pieces = rng.randint(1, left)
        for _ in range(pieces):
            g = rng.choice([1] + [g for g in (2, 3, 4) if not goal[g]])
            goal[g], left = goal[g] + 1, left - 1
    if kind == "home":
        p.home[team] = rng.choice((4, 4, 3))
    elif kind == "doubling":
        p.home[team] = rng.randint(1, 3)
        if start_grid(team) not in p.track:
            multiplier = rng.randint(1, left - p.home[team])
            p.track[start_grid(team)] = (team, multiplier)
            left -= multiplier
    elif kind not in ("ready", "splitting"):
        p.home[team] = rng.randint(0, left)
    if kind != "splitting":
        left -= p.home[team]
    while left:
        multiplier = rng.choice((1, 1, rng.randint(1, left)))
        p.track[free_grid(rng, p, team)] = (team, multiplier)
        left -= multiplier


def free_grid(rng: random.Random, p: Position, team: str, wish: str = "") -> int:
    while True:
        grid = rng.randrange(28)
        near = rng.choice([*p.track, grid])
        style = wish or rng.choice(("own", "mine", "late", "late", "near", "near", "any"))
        if style == "own":
            grid = start_grid(team)
        elif style == "mine":
            grid = start_grid(rng.choice(TEAMS)) - rng.choice((0, 1, 2, 3, 4, 5, 6, 6))
        elif style == "late":
            grid = start_grid(team) - rng.randint(1, 8)
        elif style == "near":
            grid = near + rng.choice((-1, 1)) * rng.choice((1, 2, 3, 4, 5, 6, 6))
        if grid % 28 not in p.track:
            return grid % 28


def random_board(rng: random.Random, p: Position, kinds: list[str]) -> None:
    p.home = dict.fromkeys(TEAMS, 0)
    p.track = {}
    p.goal = {team: dict.fromkeys(GRIDS, 0) for team in TEAMS}
    for team in rng.sample(TEAMS, 4):
        place(rng, p, team, rng.choice(kinds))


BOARDS = [
    ["home", "home", "out"],
    ["out"],
    ["doubling", "doubling", "out", "nearly"],
    ["doubling", "doubling", "miner"],
    ["splitting", "out", "placed"],
    ["out", "goal", "ready", "nearly", "waiting", "home"],
    ["nearly", "waiting", "placed"],
    ["ready"],
    ["ready", "ready", "placed", "nearly"],
    ["placed", "placed", "placed", "ready", "out"],
    ["placed"],
]


def random_position(rng: random.Random, options: Options) -> str:
    """A position text, mostly valid under these options."""
    try:
        known = read_options(options)
    except RefusedError:
        known = DEFAULTS
    text = any_position(rng, known)
    for _ in range(rng.choice((0, 10, 10, 10, 10, 10, 10, 10))):
        try:
            read_position(text, known)
            break
        except RefusedError:
            text = any_position(rng, known)
    return text


def any_position(rng: random.Random, options: Options) -> str:
    p = spelled_position(START)
    phase = rng.choice("NNNNPPPMMMMMMMVVCCESK")
    kinds = rng.choice(BOARDS)
    if phase == "V" or (phase == "M" and rng.random() < 0.4):
        kinds = rng.choice((["ready"], ["ready", "placed", "nearly"], ["ready", "goal"]))
    if phase not in "SK" or rng.random() < 0.1:
        random_board(rng, p, kinds)
    for team in TEAMS:
        p.owed[team] = rng.choice((0, 0, 0, 1, 1, 2, rng.randint(0, 12), rng.randint(0, 90)))
        if rng.random() < 0.01:
            p.owed[team] = LARGEST - rng.choice((0, 1, 5, 98))
        p.completed[team] = rng.choice((0, 0, 1, 1, rng.randint(0, 12), rng.randint(0, 990000)))
        if is_placed(p, team) and rng.random() < 0.95:
            p.owed[team] = rng.choice((1, 1, 2, p.owed[team] + 1))
        p.hembo[team] = rng.choice("--------!!+")
        if 2 <= p.home[team] <= 3:
            p.hembo[team] = rng.choice("---!++")
    p.face = rng.choice("-123456")
    p.round = rng.choice((1, 1, 1, 2, 3, rng.randint(4, 990000)))
    p.raised = "".join(team for team in TEAMS if rng.random() < rng.choice((0, 0.3, 0.7, 1)))
    p.closed = rng.random() < (0.3 if options["refusal"] == "final" else 0.05)
    if rng.random() < 0.3:
        p.raised = TEAMS
    if options["hembo"] == "off" and rng.random() < 0.97:
        p.hembo = dict.fromkeys(TEAMS, "-")
    random_turn(rng, p, phase, options)
    if p.phase not in "SKE" or rng.random() < 0.02:
        p.on_break = rng.random() < 0.12
        pending = 0.15 if options["mode"] == "companion" else 0.005
        if p.face != "-" and rng.random() < pending:
            p.wanted = rng.choice("123456".replace(p.face, "") or p.face)
    return position_text(p)


def random_turn(rng: random.Random, p: Position, phase: str, options: Options) -> None:
    p.team, p.phase = rng.choice(TEAMS), phase
    if phase in "NP":
        p.rest = rng.choice((str(pops_granted(p, p.team)), "1", "2", "3"))
    elif phase == "M":
        p.rest = rng.choice(("1", "2", "3", "4", "5", "6", "6", "6", "6", "6x"))
        p.face = rng.choice((p.rest[0], p.face))
    elif phase == "V":
        p.raised, p.closed = TEAMS, rng.random() < 0.03
        voted = [team for team in others(p.team) if rng.random() < 0.4]
        p.rest = "".join(team for team in TEAMS if team in voted) or "-"
    elif phase == "C":
        asked = [
            team
            for team in others(p.team)
            if rng.random() < 0.6 and (goal_grids(p, team) or rng.random() < 0.02)
        ]
        p.rest = "".join(team for team in TEAMS if team in asked) or "-"
        for team in asked:
            p.owed[team] = rng.choice((0, p.owed[team]))
    elif phase == "E":
        p.rest, p.team = "", rng.choice(TEAMS + "-")
        if p.team != "-" and rng.random() < 0.95:
            for grid in track_pieces(p, p.team):
                del p.track[grid]
            p.home[p.team], p.owed[p.team] = 0, 0
            p.goal[p.team] = dict.fromkeys(GRIDS, 1)
    elif phase == "K":
        p.team, p.rest = "", "".join(rng.sample(SEATS, 2))
    else:
        p.team, p.rest = "", random_lots(rng)


def random_lots(rng: random.Random) -> str:
    """Starting pops with many ties, not decided yet."""
    low, high = rng.choice(((1, 2), (1, 2), (1, 3), (1, 6), (4, 4)))
    rest = "-/-/-/-"
    for _ in range(rng.choice((0, 2, 3, 4, 5, 6, 8, 12))):
        lots = rest.split("/")
        at = SEATS.index(rng.choice(draw(rest)[2]))
        lots[at] = (lots[at] + str(rng.randint(low, high))).lstrip("-")
        if not draw("/".join(lots))[2]:
            break
        rest = "/".join(lots)
    if rng.random() < 0.2:  # one pop too many, perhaps
        lots = rest.split("/")
        at = rng.randrange(4)
        lots[at] = (lots[at] + str(rng.randint(low, high))).lstrip("-")
        rest = "/".join(lots)
    return rest


def mutate(rng: random.Random, position: str) -> str:
    """The position text with a fault in it, probably: some faults leave it valid."""
    fields = position.split(" ")
    fields += [""] * (7 - len(fields))
    board, turn, die, ledger, raises, hembo, _ = fields
    at, nth = rng.randrange(len(position) + 1), rng.randrange(7)
    junk = rng.choice("RBYG0123456789/,:;-+!> xwhtgdbNPMVCESKabc_.\t\n\u00b2\u0661\uff11")
    sides, books = board.split("/"), ledger.split("/")
    side = rng.randrange(len(sides))
    tokens = sides[side].split(",")

    def with_field(n: int, *new: str) -> str:
        return " ".join([*fields[:n], rng.choice(new), *fields[n + 1 :]])

    def with_side(new: list[str]) -> str:
        return with_field(0, "/".join([*sides[:side], ",".join(new), *sides[side + 1 :]]))

    def with_book(*new: str) -> str:
        return with_field(3, "/".join([*books[:side], rng.choice(new), *books[side + 1 :]]))

    team = rng.choice(TEAMS)
    some = "".join(rng.sample(TEAMS, rng.randint(1, 4)))
    several = "".join(t for t in TEAMS if t in some)
    lots = "/".join(rng.choice(("-", "1", "2", "3", "11", "12", "21", "22")) for _ in SEATS)
    grid = rng.randrange(30)
    ways: list[Callable[[], str]] = [
        lambda: position[:at] + junk + position[at:],
        lambda: position[:at] + junk + position[at + 1 :],
        lambda: position[:at] + position[at + 1 :],
        lambda: position[:at] + position[at : at + 1] + position[at:],
        lambda: rng.choice((position.lower(), position + "\n", " " + position, position + " ")),
        lambda: rng.choice(("Start", "start ", "", "-", position.replace(" ", "  ", 1))),
        lambda: " ".join(fields[:nth] + fields[nth + 1 :]),
        lambda: " ".join([*fields, rng.choice(fields)]),
        lambda: with_field(nth, ""),
        lambda: with_side(rng.sample(tokens, len(tokens))),
        lambda: with_side(tokens[1:]),
        lambda: with_side([*tokens, rng.choice(tokens)]),
        lambda: with_side([*tokens, rng.choice(("g1", "g4", "g5", "h0", "h1", "t28", "t00"))]),
        lambda: with_side([f"h{rng.randint(0, 5)}", *tokens]),
        lambda: with_side(["h3", f"t{grid}"]),
        lambda: with_side(["h2", f"t{grid}", f"t{(grid + 5) % 28}"]),
        lambda: with_side([f"h{rng.randint(1, 3)}", f"t{grid}x{rng.randint(1, 4)}"]),
        lambda: with_side([rng.choice(("g1w0", "g1w3", "g1w4", "g2w1", "g1w2", "h1,g1w2"))]),
        lambda: with_side([rng.choice(("g1", "g2")), "g2", "g3", "g4"]),
        lambda: with_field(0, board + "/h4", board + "/", "/".join(sides[:3])),
        lambda: with_field(0, "/".join(sides[1:] + sides[:1])),
        lambda: with_field(1, f"{team}:{rng.choice('NP')}{rng.randint(0, 4)}"),
        lambda: with_field(1, f"{team}:M{rng.randint(0, 7)}{rng.choice(('', '', '', 'x', 'xx'))}"),
        lambda: with_field(
            1, f"{team}:{rng.choice('VC')}{rng.choice((several, several, some, '-', ''))}"
        ),
        lambda: with_field(1, f"{rng.choice('RBYG-')}:{rng.choice('EEENPMVC')}"),
        lambda: with_field(1, f"S:{lots}"),
        lambda: with_field(
            1, f"S:{lots}/-", "S:", "S:-/-/-", "S:7/-/-/-", "S:0/-/-/-", "R:S-/-/-/-"
        ),
        lambda: with_field(
            1, f"K:{rng.choice('abcde')}{rng.choice('abcd')}", "K:a", "K:abc", "K:RB"
        ),
        lambda: with_field(1, turn.replace(turn[:1], team, 1), turn.lower()),
        lambda: with_field(2, f"d{rng.randint(0, 7)}", "d", "-", "d->3", "d3>-", "d3>"),
        lambda: with_field(2, f"d{rng.randint(1, 6)}>{rng.randint(1, 6)}", die + ">4"),
        lambda: with_book("0+0", "00+0", "0", "0+", "+0", "0-0", "-1+0", "0+0+0", "01+1"),
        lambda: with_book("0+999999", "0+1000000", "1.0+0", "1e1+0", "0+0000001"),
        lambda: with_field(3, ledger + "/0+0", "/".join(books[1:])),
        lambda: with_field(4, "0:-", "01:-", "1:", ":-", "1", "999999:-", "1000000:-", "-1:-"),
        lambda: with_field(4, f"1:{some}", f"2:{several}", "1:-!", f"3:{some}!", raises + "!"),
        lambda: with_field(5, "-----", "---", "!!!!", "++++", "-?--", hembo[::-1]),
        lambda: with_field(6, "b", "-", "B", "bb", "b-", "x"),
    ]
    return rng.choice(ways)()
