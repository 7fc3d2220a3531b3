"""A position as a captain sees it: planes of 13 x 8 squares, turned so that he plays towards the
last file, and numbers. What is face down to him is not in it."""

from __future__ import annotations

from kibitz.core.jit import Numbers, i64, jit
from kibitz.games.kahmate.board import FILE_COUNT, RANK_COUNT, SQUARES
from kibitz.games.kahmate.kernel.duel import modifier_edge
from kibitz.games.kahmate.kernel.encoding import DRAW, DUEL, NONE, OVER, OptionCodes, Packed
from kibitz.games.kahmate.kernel.match import tries_needed
from kibitz.games.kahmate.kernel.numbering import seen_square
from kibitz.games.kahmate.kernel.state import kind_of, man_at, mark_of, other_side, side_of

SQUARE_COUNT = len(SQUARES)
KIND_COUNT = 5
MARK_PLANE = 2 * KIND_COUNT
"""Own men by kind, the other's; then own men with mark 1 and 2, the other's."""
BALL_PLANE = MARK_PLANE + 4
MOVER_PLANE = BALL_PLANE + 1
"""Movers with no point left, with one, up to four."""
ATTACKER_PLANE = MOVER_PLANE + 5
DEFENDER_PLANE, RECEIVER_PLANE = ATTACKER_PLANE + 1, ATTACKER_PLANE + 2
COVERED_PLANE = ATTACKER_PLANE + 3
"""Own men whom the other captain does not see yet."""
PLANE_COUNT = COVERED_PLANE + 1
PLANES = (PLANE_COUNT, FILE_COUNT, RANK_COUNT)

PHASE, CONTEST, ROUND = 0, 8, 11
HAND, OTHER_HAND, CARD = 12, 18, 24
"""One number a card; of the own card that lies face down, the first is for none."""
SCORE, TURNS, HOLD, EDGE = 31, 33, 34, 37
NUMBERS = 38
TURN_SCALE, EDGE_SCALE = 100.0, 3.0


@jit
def observe(options: OptionCodes, p: Packed, seat: int, planes: Numbers, numbers: Numbers) -> None:
    for plane in range(PLANE_COUNT):
        for file in range(FILE_COUNT):
            for rank in range(RANK_COUNT):
                planes[plane, file, rank] = 0
    for number in range(NUMBERS):
        numbers[number] = 0.0
    is_covered = options.is_set_up_hidden != 0 and p.phase < DRAW
    for square in range(SQUARE_COUNT):
        man = man_at(p, i64(square))
        if man != 0:
            _mark_man(planes, seat, i64(square), man, is_covered)
    _mark_square(planes, i64(BALL_PLANE), seat, i64(p.ball))
    _mark_square(planes, i64(ATTACKER_PLANE), seat, i64(p.attacker))
    _mark_square(planes, i64(DEFENDER_PLANE), seat, i64(p.defender))
    _mark_square(planes, i64(RECEIVER_PLANE), seat, i64(p.receiver))
    for n in range(2):
        _mark_square(planes, i64(MOVER_PLANE + p.points[n]), seat, i64(p.movers[n]))
    _fill_numbers(options, p, seat, numbers)


@jit
def _mark_man(planes: Numbers, seat: int, square: int, man: int, is_covered: bool) -> None:
    is_other = i64(side_of(man) != seat)
    if is_covered and is_other:
        return
    _mark_square(planes, i64(KIND_COUNT * is_other + kind_of(man) - 1), seat, square)
    if mark_of(man) > 0:
        plane = i64(MARK_PLANE + 2 * is_other + mark_of(man) - 1)
        _mark_square(planes, plane, seat, square)
    if is_covered:
        _mark_square(planes, i64(COVERED_PLANE), seat, square)


@jit
def _mark_square(planes: Numbers, plane: int, seat: int, square: int) -> None:
    if square != NONE:
        seen = seen_square(seat, square)
        planes[plane, seen >> 3, seen & 7] = 1


@jit
def _fill_numbers(options: OptionCodes, p: Packed, seat: int, numbers: Numbers) -> None:
    other = other_side(seat)
    if p.phase < DRAW:
        numbers[PHASE + i64(p.phase != seat)] = 1.0
    elif p.phase < OVER:
        numbers[PHASE + p.phase] = 1.0
    if p.contest > 0:
        numbers[CONTEST + p.contest - 1] = 1.0
    numbers[ROUND] = p.in_round / 2.0
    for card in range(1, 7):
        numbers[HAND + card - 1] = float(i64(p.hands[seat]) >> card & 1)
        numbers[OTHER_HAND + card - 1] = float(i64(p.hands[other]) >> card & 1)
    numbers[CARD + (i64(p.card) if p.turn == seat else i64(0))] = 1.0
    tries = tries_needed(options, p)
    numbers[SCORE], numbers[SCORE + 1] = p.score[seat] / tries, p.score[other] / tries
    numbers[TURNS] = p.turns / TURN_SCALE
    if p.hold_side != NONE:
        numbers[HOLD + i64(p.hold_side != seat)] = 1.0
        numbers[HOLD + 2] = p.hold_count / max(i64(1), i64(options.hold_limit))
    if p.phase == DUEL:
        numbers[EDGE] = modifier_edge(p) / EDGE_SCALE
