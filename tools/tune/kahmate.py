"""Finds what Kahmaté positions are worth: the bot plays itself, and a net is fitted to that.

    .venv/bin/python tools/tune/kahmate.py [ROUNDS] [GAMES] [fresh]

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
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots.kahmate import weights
from kibitz.bots.kahmate.card_mixes import FIRST_ROUND, SECOND_ROUND, duel_solver
from kibitz.bots.kahmate.search import (
    BEST,
    CARDS,
    SearchBuffers,
    SearchSettings,
    cards_value,
    new_buffers,
    search_turn,
)
from kibitz.bots.kahmate.turn_graph import NOWHERE
from kibitz.bots.kahmate.value import (
    ASTRAY_THERE,
    BIAS,
    CASE_COUNT,
    CHANCE,
    CHANCE_THERE,
    COVERED,
    DOWN,
    DOWN_THERE,
    FEATURE_COUNT,
    FILE,
    HIDDEN_NEURONS,
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
    empty_net,
    fill_features,
    new_evaluation_buffers,
    read_net,
    write_net,
)
from kibitz.core.bits import mix_bits, next_die, number_below
from kibitz.core.jit import Numbers, i64, jit, u64
from kibitz.games.kahmate import kernel
from kibitz.games.kahmate.kernel.duel import commit_card, reveal_cards
from kibitz.games.kahmate.kernel.encoding import NEXT_MAN, OVER, PLAY, OptionCodes, Packed, pool
from kibitz.games.kahmate.kernel.setup import draw_ball, set_up
from kibitz.games.kahmate.kernel.state import copy, man_at
from kibitz.games.kahmate.kernel.turn import end_turn
from kibitz.games.kahmate.line_ups import LINE_UPS
from kibitz.games.kahmate.options import PRESET, Options
from kibitz.games.kahmate.rules import start

WHIMS_PER_256 = 32
"""Of 256 turns, how many end somewhere good rather than best."""
ASIDE_PER_256 = 60
"""Of 256 men, how many are placed beside where a ready line-up has them."""
MAX_GAME_TURNS = 120
NOISE, FIRST_NOISE = 0.01, 0.4
"""How far off judgements are, so that games differ; before anything is known, far."""
REMEMBERED_ROUNDS = 8
"""Of how many rounds the games are kept."""
TD_LAMBDA = 0.7
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


@jit
def random_below(die: int, limit: int) -> int:
    return number_below(mix_bits(die), limit)


@jit
def line_up_both(p: Packed, ways: Numbers, die: int) -> int:
    """Both sides placed and the ball drawn; the die as it is then."""
    for side in range(2):
        die = next_die(die)
        way = random_below(die, i64(ways.shape[0]))
        for n in range(6):
            at = i64(ways[way, n])
            die = next_die(die)
            if random_below(die, i64(256)) < ASIDE_PER_256:
                die = next_die(die)
                at = i64(8 + random_below(die, i64(16)))
            if side == 1:
                at = i64(103 - at)
            while man_at(p, at) != 0:
                die = next_die(die)
                at = i64(8 + random_below(die, i64(16)))
                if side == 1:
                    at = i64(103 - at)
            set_up(p, i64(side), i64(NEXT_MAN[n]), at)
    die = next_die(die)
    draw_ball(p, i64(1 + random_below(die, i64(6))))
    return die


@jit
def draw_card_place(chances: Numbers, die: int) -> int:
    """One of the cards in hand, by its place there."""
    left = float(i64(mix_bits(die) >> u64(11))) / 9007199254740992.0
    for n in range(6):
        left -= chances[n]
        if left < 0.0:
            return i64(n)
    best = i64(0)
    for n in range(6):
        if chances[n] > chances[best]:
            best = i64(n)
    return best


@jit
def card_at(hand: int, place: int) -> int:
    for card in range(1, 7):
        if hand >> card & 1:
            if place == 0:
                return i64(card)
            place = i64(place - 1)
    return i64(0)


@jit
def play_turn(
    options: OptionCodes,
    d: SearchBuffers,
    p: Packed,
    c: SearchSettings,
    die: int,
    is_whim: bool,
) -> int:
    """Whoever is on turn goes on until he ends it, or until cards are shown."""
    g = d.turn
    at = i64(0)
    while True:
        knot = g.knots[at]
        if knot.kind == CARDS:
            copy(g.states[knot.node], p)
            cards_value(options, d.cards, g, at, c)
            kept = i64(SECOND_ROUND) if p.in_round == 2 else i64(FIRST_ROUND)
            turn = i64(p.turn)
            die = next_die(die)
            mine = card_at(i64(p.hands[turn]), draw_card_place(d.cards.rows[kept], die))
            die = next_die(die)
            theirs = card_at(i64(p.hands[1 - turn]), draw_card_place(d.cards.columns[kept], die))
            commit_card(p, mine)
            reveal_cards(options, p, theirs)
            return die
        if knot.best == NOWHERE:
            aim = i64(knot.aim)
            if knot.kind == BEST and at == 0 and is_whim:
                die = next_die(die)
                aim = i64(knot.ends[random_below(die, min(i64(24), i64(knot.how_many)))])
            copy(g.states[aim], p)
            if p.phase == PLAY:
                end_turn(options, p)
            return die
        at = i64(knot.best)


class Notes(NamedTuple):
    """What was thought at the beginning of each turn of a game."""

    sides: Numbers
    values: Numbers
    """To the side on turn, once the turn was searched."""
    whims: Numbers
    """Whether it was then played otherwise."""


@jit
def fill_chances(notes: Notes, winner: int, chances: Numbers) -> None:
    """The chances of who was on turn, from what was thought then and what came of it."""
    expected = 1.0
    for n in range(chances.shape[0]):
        at = i64(chances.shape[0] - 1 - n)
        is_winner = notes.sides[at] == winner
        thought = notes.values[at] if is_winner else 1.0 - notes.values[at]
        decay = 0.0 if notes.whims[at] and n > 0 else TD_LAMBDA
        expected = decay * expected + (1.0 - decay) * thought
        chances[at] = expected if is_winner else 1.0 - expected


@jit
def play_games(
    options: OptionCodes,
    d: SearchBuffers,
    nets: tuple[Net, Net],
    cares: tuple[SearchSettings, SearchSettings],
    origin: Packed,
    ways: Numbers,
    die: int,
    games: int,
    kept_in: tuple[Numbers, Numbers, Numbers],
    notes: Notes,
    wins: Numbers,
) -> int:
    """So many games; how many beginnings of turns were kept. Sides change with every game."""
    dense, cases, chances = kept_in
    kept, room = i64(0), i64(cases.shape[0])
    p = d.work[2]
    judge = d.evaluation
    for number in range(games):
        if kept + MAX_GAME_TURNS + 2 > room:
            break
        copy(origin, p)
        die = line_up_both(p, ways, die)
        first, turns = kept, i64(-1)
        while p.phase < OVER and p.turns < MAX_GAME_TURNS:
            if p.phase < PLAY:
                die = next_die(die)
                draw_ball(p, i64(1 + random_below(die, i64(6))))
            die = next_die(die)
            which = i64(p.turn) ^ (number & 1)
            its = nets[0] if which == 0 else nets[1]
            c = cares[0] if which == 0 else cares[1]
            judge.numbers[:], judge.straight[:] = its.numbers, its.straight
            c = SearchSettings(
                c.noise,
                die,
                c.width,
                c.gambles,
                c.reply_width,
                c.reply_gambles,
                c.reply_searches,
                c.counter_searches,
                c.lead,
                c.max_hope,
            )
            is_kept = p.turns != turns and p.phase == PLAY
            turns = i64(p.turns)
            if is_kept:
                cases[kept] = fill_features(options, d.evaluation, p)
                for n in range(FEATURE_COUNT):
                    dense[kept, n] = d.evaluation.features[n]
            value = search_turn(options, d, p, c, i64(1 << 60))
            die = next_die(die)
            is_whim = c.noise > 0.0 and random_below(die, i64(256)) < WHIMS_PER_256
            if is_kept:
                at = i64(kept - first)
                notes.sides[at], notes.values[at], notes.whims[at] = p.turn, value, is_whim
                kept = i64(kept + 1)
            die = play_turn(options, d, p, c, die, is_whim)
        result = i64(p.phase) - OVER if p.phase >= OVER else i64(2)
        if result < 2:
            wins[result ^ (number & 1)] += 1
            fill_chances(notes, result, chances[first:kept])
        else:
            wins[2] += 1
            kept = first
    return kept


def search_settings(
    mood: float = 0.0,
    width: int = 4,
    gambles: int = 2,
    reply_width: int = 4,
    reply_gambles: int = 1,
    looks: int = 0,
    third: int = 0,
    lead: float = 0.08,
) -> SearchSettings:
    return SearchSettings(
        mood,
        u64(1),
        i64(width),
        i64(gambles),
        i64(reply_width),
        i64(reply_gambles),
        i64(looks),
        i64(third),
        lead,
        0.1,
    )


class GameSamples(NamedTuple):
    """Beginnings of turns: their numbers, the case, and the chance of who was on turn."""

    dense: Numbers
    cases: Numbers
    chances: Numbers
    wins: Numbers
    """Of the first, the second, and nobody."""


def self_play(
    first: tuple[Net, SearchSettings],
    second: tuple[Net, SearchSettings],
    games: int,
    seed: int,
    options: Any = PRESET,
) -> GameSamples:
    room = pool(1)
    kernel.pack(start(Options(**options)), room[0])
    most = games * 60 + 200
    kept = (
        np.zeros((most, FEATURE_COUNT), np.float32),
        np.zeros(most, np.int8),
        np.zeros(most, np.float32),
    )
    notes = Notes(
        np.zeros(MAX_GAME_TURNS + 2, np.int64),
        np.zeros(MAX_GAME_TURNS + 2),
        np.zeros(MAX_GAME_TURNS + 2),
    )
    wins = np.zeros(3, np.int64)
    size = play_games(
        kernel.option_codes(options),
        new_buffers(
            new_evaluation_buffers(duel_solver(), empty_net()), duel_solver(), 40_000, 12_000
        ),
        (first[0], second[0]),
        (first[1], second[1]),
        room[0],
        line_ups(),
        u64(seed),
        i64(games),
        kept,
        notes,
        wins,
    )
    return GameSamples(kept[0][:size], kept[1][:size], kept[2][:size], wins)


# Fitting


class Layer(NamedTuple):
    """The net of one case, as it is fitted."""

    numbers: Numbers
    bias: Numbers
    out: Numbers
    straight: Numbers
    nothing: Numbers


def fresh_layer(rng: Any) -> Layer:
    sizes = (FEATURE_COUNT, HIDDEN_NEURONS), HIDDEN_NEURONS, HIDDEN_NEURONS, FEATURE_COUNT, 1
    spread = 0.2, 0.1, 0.2, 0.0, 0.0
    made = (rng.normal(0, by, size) for by, size in zip(spread, sizes, strict=True))
    return Layer(*(each.astype(np.float32) for each in made))


def layer_odds(layer: Layer, dense: Numbers) -> tuple[Numbers, Numbers]:
    hidden = np.maximum(dense @ layer.numbers + layer.bias, 0)
    return hidden, hidden @ layer.out + dense @ layer.straight + layer.nothing


def fit_layer(layer: Layer, dense: Numbers, chances: Numbers, rng: Any, rate: float) -> Layer:
    """By Adam, in small lots, ever slower."""
    means = [np.zeros_like(part) for part in layer]
    squares = [np.zeros_like(part) for part in layer]
    lots = EPOCHS * (len(chances) // BATCH)
    for step in range(1, lots + 1):
        some = rng.integers(len(chances), size=BATCH)
        seen = dense[some]
        hidden, found = layer_odds(layer, seen)
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


def net_from_layers(layers: Sequence[Layer]) -> Net:
    net = empty_net()
    for case, layer in enumerate(layers):
        net.numbers[case, :FEATURE_COUNT] = layer.numbers
        net.numbers[case, BIAS], net.numbers[case, OUT] = layer.bias, layer.out
        net.straight[case, :FEATURE_COUNT], net.straight[case, FEATURE_COUNT] = (
            layer.straight,
            layer.nothing[0],
        )
    return net


def layers_from_net(net: Net) -> list[Layer]:
    return [
        Layer(
            numbers[:FEATURE_COUNT],
            numbers[BIAS],
            numbers[OUT],
            straight[:FEATURE_COUNT],
            straight[FEATURE_COUNT:],
        )
        for numbers, straight in zip(net.numbers, net.straight, strict=True)
    ]


def greedy_chances(f: Numbers, case: int) -> Numbers:
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
    layers = [fresh_layer(rng) for _ in range(CASE_COUNT)] if is_fresh else layers_from_net(net)
    before, known = [net], list[GameSamples]()
    if is_fresh:
        at_random = self_play(
            (net, search_settings(FIRST_NOISE)),
            (net, search_settings(FIRST_NOISE)),
            games,
            int(rng.integers(1 << 40)),
        )
        for case in range(CASE_COUNT):
            some = at_random.dense[at_random.cases == case]
            layers[case] = fit_layer(layers[case], some, greedy_chances(some, case), rng, rate)
        before = [net_from_layers(layers)]
    for number in range(rounds):
        net = net_from_layers(layers)
        for other, share in ((net, 2), (before[0], 3), (before[rng.integers(len(before))], 3)):
            seed = int(rng.integers(1 << 40))
            known.append(
                self_play(
                    (net, search_settings(NOISE)),
                    (other, search_settings(NOISE)),
                    games // share,
                    seed,
                )
            )
            print(f"round {number}: {known[-1].wins}", flush=True)
        known = known[-3 * REMEMBERED_ROUNDS :]
        before.append(net)
        dense, cases, chances = (
            np.concatenate(each) for each in list(zip(*known, strict=True))[:3]
        )
        for case in range(CASE_COUNT):
            some = cases == case
            layers[case] = fit_layer(layers[case], dense[some], chances[some], rng, rate)
        rate = RATE
    write_weights(net_from_layers(layers))


def write_weights(net: Net) -> None:
    text = "\n".join(wrap(write_net(net), 98, break_on_hyphens=False))
    says = "The net that judges Kahmaté positions, in thousandths; see tools/tune/kahmate.py."
    Path(weights.__file__).write_text(f'"""{says}"""\n\nTABLE = """\\\n{text}\n"""\n')


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:] if word != "fresh"]
    rounds, games = [*given, *(8, 1000)[len(given) :]]
    main(rounds, games, is_fresh="fresh" in sys.argv)
