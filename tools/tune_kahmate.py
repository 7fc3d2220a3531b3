"""Finds what Kahmaté positions are worth: the mind plays itself, and a net is fitted to that.

    .venv/bin/python tools/tune_kahmate.py [ROUNDS] [GAMES] [fresh]

Each round plays games with the net of the round before, a turn ahead and a little by mood, against
itself and against nets of earlier rounds, and keeps the beginning of every turn. The net is fitted
to the last few rounds: to what was thought of each position once the turn had been searched, then
of the next one, and so on, and less and less so, to who made the next try. If fresh, the first net
judges as greedy does. It is written to src/kibitz/bots/kahmate/weights.py.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kibitz.bots.kahmate import weights
from kibitz.bots.kahmate.card_mixes import FIRST, SECOND, cards
from kibitz.bots.kahmate.search import BEST, CARDS, Care, Desk, desk, in_cards, ponder
from kibitz.bots.kahmate.turn_graph import NOWHERE, copied
from kibitz.bots.kahmate.value import (
    ASTRAY_THERE,
    BIAS,
    CASES,
    CHANCE,
    CHANCE_THERE,
    COVERED,
    DENSE,
    DOWN,
    DOWN_THERE,
    FILE,
    HIDDEN,
    LAG_THERE,
    MINE,
    OPEN,
    OPEN_THERE,
    OUT,
    RACE,
    RACE_THERE,
    TACKLE,
    TACKLE_AGAIN,
    THEIRS,
    Net,
    describe,
    empty_net,
    judge,
    read_net,
    write_net,
)
from kibitz.core.bits import below, mixed, rolled
from kibitz.core.jit import compiled, small, wide
from kibitz.games.kahmate import kernel
from kibitz.games.kahmate.kernel.duel import commit, reveal
from kibitz.games.kahmate.kernel.encoding import NEXT_MAN, OVER, PLAY, House, Packed, pool
from kibitz.games.kahmate.kernel.setup import draw_ball, set_up
from kibitz.games.kahmate.kernel.state import man_at
from kibitz.games.kahmate.kernel.turn import end_turn
from kibitz.games.kahmate.line_ups import LINE_UPS
from kibitz.games.kahmate.options import PRESET, Options
from kibitz.games.kahmate.rules import start

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

WHIM = 32
"""Of 256 turns, how many end somewhere good rather than best."""
ASIDE = 60
"""Of 256 men, how many are placed beside where a ready line-up has them."""
LONGEST = 120
MOOD, WILD = 0.01, 0.4
"""How far off judgements are, so that games differ; before anything is known, far."""
REMEMBERED = 8
"""Of how many rounds the games are kept."""
PATIENCE = 0.7
"""How much of what a position is taken to be worth is left to the positions after it."""
EPOCHS, BATCH, DECAY = 16, 512, 1e-5
FIRST_RATE, RATE = 3e-3, 1.5e-3


def line_ups() -> Numbers:
    """Squares by line-up and man, as Red places them; both ways round."""
    found = []
    for line_up in LINE_UPS:
        squares = [place.square for place in line_up.placements("R")]
        found.append(squares)
        found.append([at // 8 * 8 + 7 - at % 8 for at in squares])
    return np.array(found, np.int64)


@compiled
def one_below(die: int, limit: int) -> int:
    return below(mixed(die), limit)


@compiled
def lined_up(p: Packed, ways: Numbers, die: int) -> int:
    """Both sides placed and the ball drawn; the die as it is then."""
    for side in range(2):
        die = rolled(die)
        way = one_below(die, small(ways.shape[0]))
        for n in range(6):
            at = small(ways[way, n])
            die = rolled(die)
            if one_below(die, small(256)) < ASIDE:
                die = rolled(die)
                at = small(8 + one_below(die, small(16)))
            if side == 1:
                at = small(103 - at)
            while man_at(p, at) != 0:
                die = rolled(die)
                at = small(8 + one_below(die, small(16)))
                if side == 1:
                    at = small(103 - at)
            set_up(p, small(side), small(NEXT_MAN[n]), at)
    die = rolled(die)
    draw_ball(p, small(1 + one_below(die, small(6))))
    return die


@compiled
def drawn(chances: Numbers, die: int) -> int:
    """One of the cards in hand, by its place there."""
    left = float(small(mixed(die) >> wide(11))) / 9007199254740992.0
    for n in range(6):
        left -= chances[n]
        if left < 0.0:
            return small(n)
    best = small(0)
    for n in range(6):
        if chances[n] > chances[best]:
            best = small(n)
    return best


@compiled
def card_in(hand: int, place: int) -> int:
    for card in range(1, 7):
        if hand >> card & 1:
            if place == 0:
                return small(card)
            place = small(place - 1)
    return small(0)


@compiled
def play_turn(
    house: House, d: Desk, p: Packed, words: Numbers, c: Care, die: int, is_whim: bool
) -> int:
    """Whoever is on turn goes on until he ends it, or until cards are shown."""
    g = d.turn
    at = small(0)
    while True:
        knot = g.knots[at]
        if knot.kind == CARDS:
            copied(g.words[knot.node], words)
            in_cards(house, d.cards, g, at, c)
            kept = small(SECOND) if p.in_round == 2 else small(FIRST)
            turn = small(p.turn)
            die = rolled(die)
            mine = card_in(small(p.hands[turn]), drawn(d.cards.rows[kept], die))
            die = rolled(die)
            theirs = card_in(small(p.hands[1 - turn]), drawn(d.cards.columns[kept], die))
            commit(p, mine)
            reveal(house, p, theirs)
            return die
        if knot.best == NOWHERE:
            aim = small(knot.aim)
            if knot.kind == BEST and at == 0 and is_whim:
                die = rolled(die)
                aim = small(knot.ends[one_below(die, min(small(24), small(knot.how_many)))])
            copied(g.words[aim], words)
            if p.phase == PLAY:
                end_turn(house, p)
            return die
        at = small(knot.best)


class Notes(NamedTuple):
    """What was thought at the beginning of each turn of a game."""

    sides: Numbers
    values: Numbers
    """To the side on turn, once the turn was searched."""
    whims: Numbers
    """Whether it was then played otherwise."""


@compiled
def look_back(notes: Notes, winner: int, chances: Numbers) -> None:
    """The chances of who was on turn, from what was thought then and what came of it."""
    expected = 1.0
    for n in range(chances.shape[0]):
        at = small(chances.shape[0] - 1 - n)
        is_winner = notes.sides[at] == winner
        thought = notes.values[at] if is_winner else 1.0 - notes.values[at]
        patience = 0.0 if notes.whims[at] and n > 0 else PATIENCE
        expected = patience * expected + (1.0 - patience) * thought
        chances[at] = expected if is_winner else 1.0 - expected


@compiled
def play(
    house: House,
    d: Desk,
    nets: tuple[Net, Net],
    cares: tuple[Care, Care],
    origin: Numbers,
    ways: Numbers,
    die: int,
    games: int,
    kept_in: tuple[Numbers, Numbers, Numbers],
    notes: Notes,
    wins: Numbers,
) -> int:
    """So many games; how many beginnings of turns were kept. Sides change with every game."""
    dense, cases, chances = kept_in
    kept, room = small(0), small(cases.shape[0])
    p, words = d.work[2], d.words[2]
    net = d.judge.net
    for number in range(games):
        if kept + LONGEST + 2 > room:
            break
        copied(origin, words)
        die = lined_up(p, ways, die)
        first, turns = kept, small(-1)
        while p.phase < OVER and p.turns < LONGEST:
            if p.phase < PLAY:
                die = rolled(die)
                draw_ball(p, small(1 + one_below(die, small(6))))
            die = rolled(die)
            which = small(p.turn) ^ (number & 1)
            its = nets[0] if which == 0 else nets[1]
            c = cares[0] if which == 0 else cares[1]
            net.numbers[:], net.straight[:] = its.numbers, its.straight
            c = Care(
                c.mood,
                die,
                c.width,
                c.gambles,
                c.reply_width,
                c.reply_gambles,
                c.looks,
                c.third,
                c.lead,
            )
            is_kept = p.turns != turns and p.phase == PLAY
            turns = small(p.turns)
            if is_kept:
                cases[kept] = describe(house, d.judge, p)
                for n in range(DENSE):
                    dense[kept, n] = d.judge.dense[n]
            value = ponder(house, d, words, c, small(1 << 60))
            die = rolled(die)
            is_whim = c.mood > 0.0 and one_below(die, small(256)) < WHIM
            if is_kept:
                at = small(kept - first)
                notes.sides[at], notes.values[at], notes.whims[at] = p.turn, value, is_whim
                kept = small(kept + 1)
            die = play_turn(house, d, p, words, c, die, is_whim)
        result = small(p.phase) - OVER if p.phase >= OVER else small(2)
        if result < 2:
            wins[result ^ (number & 1)] += 1
            look_back(notes, result, chances[first:kept])
        else:
            wins[2] += 1
            kept = first
    return kept


def care(
    mood: float = 0.0,
    width: int = 4,
    gambles: int = 2,
    reply_width: int = 4,
    reply_gambles: int = 1,
    looks: int = 0,
    third: int = 0,
    lead: float = 0.08,
) -> Care:
    return Care(
        mood,
        wide(1),
        small(width),
        small(gambles),
        small(reply_width),
        small(reply_gambles),
        small(looks),
        small(third),
        lead,
    )


class Games(NamedTuple):
    """Beginnings of turns: their numbers, the case, and the chance of who was on turn."""

    dense: Numbers
    cases: Numbers
    chances: Numbers
    wins: Numbers
    """Of the first, the second, and nobody."""


def played(
    first: tuple[Net, Care], second: tuple[Net, Care], games: int, seed: int, options: Any = PRESET
) -> Games:
    room = pool(1)
    kernel.pack(start(Options(**options)), room[0])
    most = games * 60 + 200
    kept = np.zeros((most, DENSE), np.float32), np.zeros(most, np.int8), np.zeros(most, np.float32)
    notes = Notes(np.zeros(LONGEST + 2, np.int64), np.zeros(LONGEST + 2), np.zeros(LONGEST + 2))
    wins = np.zeros(3, np.int64)
    size = play(
        kernel.house(options),
        desk(judge(cards(), empty_net()), cards(), 40_000, 12_000),
        (first[0], second[0]),
        (first[1], second[1]),
        room.view(np.uint64).reshape(-1),
        line_ups(),
        wide(seed),
        small(games),
        kept,
        notes,
        wins,
    )
    return Games(kept[0][:size], kept[1][:size], kept[2][:size], wins)


# Fitting


class Layer(NamedTuple):
    """The net of one case, as it is fitted."""

    numbers: Numbers
    bias: Numbers
    out: Numbers
    straight: Numbers
    nothing: Numbers


def fresh_layer(rng: Any) -> Layer:
    sizes = (DENSE, HIDDEN), HIDDEN, HIDDEN, DENSE, 1
    spread = 0.2, 0.1, 0.2, 0.0, 0.0
    made = (rng.normal(0, by, size) for by, size in zip(spread, sizes, strict=True))
    return Layer(*(each.astype(np.float32) for each in made))


def odds(layer: Layer, dense: Numbers) -> tuple[Numbers, Numbers]:
    hidden = np.maximum(dense @ layer.numbers + layer.bias, 0)
    return hidden, hidden @ layer.out + dense @ layer.straight + layer.nothing


def fitted(layer: Layer, dense: Numbers, chances: Numbers, rng: Any, rate: float) -> Layer:
    """By Adam, in small lots, ever slower."""
    means = [np.zeros_like(part) for part in layer]
    squares = [np.zeros_like(part) for part in layer]
    lots = EPOCHS * (len(chances) // BATCH)
    for step in range(1, lots + 1):
        some = rng.integers(len(chances), size=BATCH)
        seen = dense[some]
        hidden, found = odds(layer, seen)
        wrong = (1 / (1 + np.exp(-found)) - chances[some]) / BATCH
        back = np.outer(wrong, layer.out) * (hidden > 0)
        slopes = (
            seen.T @ back,
            back.sum(0),
            hidden.T @ wrong,
            seen.T @ wrong,
            wrong.sum(keepdims=True),
        )
        speed = rate * (1 + np.cos(np.pi * step / lots)) / 2
        parts = []
        for n, (part, slope) in enumerate(zip(layer, slopes, strict=True)):
            slope = slope + DECAY * part
            means[n] = 0.9 * means[n] + 0.1 * slope
            squares[n] = 0.999 * squares[n] + 0.001 * slope**2
            size = np.sqrt(squares[n] / (1 - 0.999**step)) + 1e-7
            parts.append((part - speed * means[n] / (1 - 0.9**step) / size).astype(np.float32))
        layer = Layer(*parts)
    return layer


def net_of(layers: Sequence[Layer]) -> Net:
    net = empty_net()
    for case, layer in enumerate(layers):
        net.numbers[case, :DENSE] = layer.numbers
        net.numbers[case, BIAS], net.numbers[case, OUT] = layer.bias, layer.out
        net.straight[case, :DENSE], net.straight[case, DENSE] = layer.straight, layer.nothing[0]
    return net


def layers_of(net: Net) -> list[Layer]:
    return [
        Layer(numbers[:DENSE], numbers[BIAS], numbers[OUT], straight[:DENSE], straight[DENSE:])
        for numbers, straight in zip(net.numbers, net.straight, strict=True)
    ]


def like_greedy(f: Numbers, case: int) -> Numbers:
    """What greedy thinks of positions, as a chance."""
    f = f.T.astype(np.float64)
    file = 6 + 5 * f[FILE]
    with_mine, with_theirs = 60 + 20 * (file - 1), 60 + 20 * (11 - file)
    if case == THEIRS:
        cover = np.where(f[COVERED] > 0, 0.65, 1.0)
        kept = (1 - 0.25 * f[TACKLE] * cover) * (1 - 0.25 * f[TACKLE_AGAIN] * cover)
        threat = 150 * (f[OPEN_THERE] + f[CHANCE_THERE])
        settled = kept * (with_theirs + threat) - (1 - kept) * with_mine - 15 * f[LAG_THERE]
    elif case == MINE:
        settled = -with_mine - 20 * f[ASTRAY_THERE]
    else:
        first = -0.7 * with_mine / np.maximum(1, f[RACE])
        later = 0.7 * with_theirs / np.maximum(1, f[RACE_THERE]) - 7.5 * f[LAG_THERE]
        settled = np.where(f[RACE] <= np.maximum(1, f[RACE_THERE]), first, later)
    value = 1000 * (f[OPEN] + f[CHANCE]) - settled + 14 * (f[DOWN_THERE] - f[DOWN])
    return np.asarray(1 / (1 + np.exp(-value / 250)))


# All of it


def main(rounds: int, games: int, is_fresh: bool) -> None:
    rng = np.random.default_rng(int(perf_counter() * 1000))
    net, rate = empty_net() if is_fresh else read_net(), FIRST_RATE if is_fresh else RATE
    layers = [fresh_layer(rng) for _ in range(CASES)] if is_fresh else layers_of(net)
    before, known = [net], list[Games]()
    if is_fresh:
        at_random = played((net, care(WILD)), (net, care(WILD)), games, int(rng.integers(1 << 40)))
        for case in range(CASES):
            some = at_random.dense[at_random.cases == case]
            layers[case] = fitted(layers[case], some, like_greedy(some, case), rng, rate)
        before = [net_of(layers)]
    for number in range(rounds):
        net = net_of(layers)
        for other, share in ((net, 2), (before[0], 3), (before[rng.integers(len(before))], 3)):
            seed = int(rng.integers(1 << 40))
            known.append(played((net, care(MOOD)), (other, care(MOOD)), games // share, seed))
            print(f"round {number}: {known[-1].wins}", flush=True)
        known = known[-3 * REMEMBERED :]
        before.append(net)
        dense, cases, chances = (
            np.concatenate(each) for each in list(zip(*known, strict=True))[:3]
        )
        for case in range(CASES):
            some = cases == case
            layers[case] = fitted(layers[case], dense[some], chances[some], rng, rate)
        rate = RATE
    write(net_of(layers))


def write(net: Net) -> None:
    text = "\n".join(wrap(write_net(net), 98, break_on_hyphens=False))
    says = "The net that judges Kahmaté positions, in thousandths; see tools/tune_kahmate.py."
    Path(weights.__file__).write_text(f'"""{says}"""\n\nTABLE = """\\\n{text}\n"""\n')


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:] if word != "fresh"]
    rounds, games = [*given, *(8, 1000)[len(given) :]]
    main(rounds, games, is_fresh="fresh" in sys.argv)
