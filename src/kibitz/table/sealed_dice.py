"""Sealed dice: nobody can choose a draw, and everybody can check each of them afterwards.

When a table opens, the server commits to a seed by showing its SHA-256. Every seat adds a text
of its own when it is taken. Draw number k (0, 1, ...) is made from all of these:

    HMAC-SHA256(key = seed, message = "<text of the first seat>:<of the second>:...:<k>:<try>")

read as a big number. With odds over `whole` equal chances the number counts modulo `whole`; the
few highest numbers, which would favour some, are not used, and the next try is made (0, 1, ...).
The chances are dealt out to the actions in the order of their texts; where every seat lets the die
fall for itself, to those of the seat that did.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import lcm

from kibitz.core.game import CHANCE, Action, Game, Seat, State, View, odds_of_press
from kibitz.core.message import Refusal, Refused, message
from kibitz.core.record import Fault, Record, replay

_DIGEST_RANGE = 1 << 256
_ENTROPY_PATTERN = re.compile("[A-Za-z0-9-]{1,64}")
"""The words that a seat may add: nothing that could be read as two, or as a number of a draw."""


def commitment(seed: str) -> str:
    """The commitment to a seed, shown while the seed is secret; both in hexadecimal."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def fair_draw(seed: str, entropies: Sequence[str], number: int, whole: int) -> int:
    """Draw `number`: one of 0 ... whole - 1, all equally likely."""
    fair = _DIGEST_RANGE - _DIGEST_RANGE % whole
    attempt = 0
    while True:
        text = ":".join((*entropies, str(number), str(attempt)))
        digest = hmac.digest(bytes.fromhex(seed), text.encode(), "sha256")
        if (found := int.from_bytes(digest, "big")) < fair:
            return found % whole
        attempt += 1


def draw_action(
    game: Game[State, Action, View],
    state: State,
    seed: str,
    entropies: Sequence[str],
    number: int,
    seat: Seat | None = None,
) -> str:
    """The action of chance by draw `number`, by its odds here when this seat lets the die fall."""
    return draw_function(game, odds_of_press(game, state, seat))(seed, entropies, number)


def draw_function(
    game: Game[State, Action, View], odds: Mapping[Action, Fraction]
) -> Callable[[str, Sequence[str], int], str]:
    """The chances dealt out by these odds: what is drawn, by seed, entropies and number."""
    texts = sorted((game.notation.write_action(action), share) for action, share in odds.items())
    whole = lcm(*(share.denominator for _, share in texts))
    chances = [(text, int(share * whole)) for text, share in texts]

    def draw(seed: str, entropies: Sequence[str], number: int) -> str:
        left = fair_draw(seed, entropies, number, whole)
        for text, many in chances:
            left -= many
            if left < 0:
                return text
        raise AssertionError("odds sum to one")

    return draw


def verify_seal(game: Game[State, Action, View], record: Record) -> Fault | None:
    """The first draw of a record that its seal does not make; nothing where it has no seal."""
    seal = record.extras.get("seal")
    if seal is None:
        return None
    if refusal := _why_unreadable(seal):
        return Fault(None, refusal)
    if "seed" not in seal:
        return Fault(None, message("seal.closed"))
    if commitment(seal["seed"]) != seal["commitment"]:
        return Fault(None, message("seal.broken"))
    numbers = iter(seal["draws"])
    try:
        for index, played in enumerate(replay(game, record)):
            if played.actor != CHANCE:
                continue
            number = next(numbers, None)
            if number is None:
                return Fault(index, message("seal.draws"))
            state, seat = played.before, game.rules.presser(played.before, played.step.action)
            due = draw_action(game, state, seal["seed"], seal["entropies"], number, seat)
            if due != game.notation.write_action(played.step.action):
                return Fault(index, message("seal.draw", number=number, text=due))
    except Refused as fault:
        return Fault(None, fault.refusal)
    return Fault(None, message("seal.draws")) if next(numbers, None) is not None else None


def _why_unreadable(seal: object) -> Refusal | None:
    """The reason why this is no seal: its parts have to be there and of their kinds."""
    if not isinstance(seal, Mapping):
        return message("seal.unreadable")
    entropies, draws = seal.get("entropies"), seal.get("draws")
    is_well = (
        _is_hex(seal.get("commitment"))
        and ("seed" not in seal or _is_hex(seal["seed"]))
        and isinstance(entropies, list)
        and all(isinstance(each, str) and _ENTROPY_PATTERN.fullmatch(each) for each in entropies)
        and isinstance(draws, list)
        and all(type(each) is int and each >= 0 for each in draws)
        and draws == sorted(set(draws))
    )
    return None if is_well else message("seal.unreadable")


def _is_hex(text: object) -> bool:
    digits = set("0123456789abcdef")
    return isinstance(text, str) and len(text) == 64 and set(text) <= digits
