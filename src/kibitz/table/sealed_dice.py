"""Sealed dice: nobody can choose a draw, and everybody can check each of them afterwards.

When a table opens, the server commits to a seed by showing its SHA-256. Whoever has seen that adds
a text of their own, in two steps, so that nobody knows the others' when they choose theirs:

    entropy A #<SHA-256 of a text>      as long as no text is known
    entropy A <the text>                before the first draw

A text that came with a seat (`sit A <text>`) counts, too. Draw number k (0, 1, ...) is made from
all of these:

    HMAC-SHA256(key = seed, message = "<first text>:<second text>:...:<k>:<try>")

read as a big number. With odds over `whole` equal chances the number counts modulo `whole`; the
few highest numbers, which would favour some, are not used, and the next try is made (0, 1, ...).
The chances are dealt out to the actions in the order of their texts; where every seat lets the die
fall for itself, to those of the seat that did.

An envelope that was opened is of no use any more: a match that goes on after its end, or from a
restored backup, has another seed from then on, and a row `seal <SHA-256>` says so. Draws are
numbered on, whichever envelope they come from.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from msgspec.structs import replace

from kibitz.core.game import CHANCE, TABLE, Action, Game, Seat, State, View, odds_of_press
from kibitz.core.message import Refusal, Refused, message
from kibitz.core.record import Fault, Record, replay
from kibitz.core.values import FrozenValue

_DIGEST_RANGE = 1 << 256
_ENTROPY_PATTERN = re.compile("[A-Za-z0-9-]{1,64}")
"""The words that a seat may add: nothing that could be read as two, or as a number of a draw."""


SEAL = "seal"
"""The first word of a row that closes a new envelope."""


class Envelope(FrozenValue, frozen=True):
    """A seed that draws are made from, as long as no other is."""

    commitment: str = ""
    """Empty for the first one: whoever opened the table knows it."""
    from_draw: int = 0
    """The number of the first draw that may be made from it."""
    hashes: tuple[tuple[Seat, str], ...] = ()
    """The SHA-256 of what each seat is going to add."""
    texts: tuple[tuple[Seat, str], ...] = ()
    """The texts that the seats added, in that order."""

    def with_hash(self, seat: Seat, hashed: str) -> Envelope:
        """The envelope after a seat has chosen its text; raises Refused."""
        if self.texts or seat in dict(self.hashes):
            raise Refused(message("table.entropy-late"))
        return replace(self, hashes=(*self.hashes, (seat, hashed)))

    def without_hash(self, seat: Seat) -> Envelope:
        """The envelope after a seat was left that had told nothing yet."""
        if seat in dict(self.texts):
            return self
        return replace(self, hashes=tuple(each for each in self.hashes if each[0] != seat))

    def with_text(self, seat: Seat, text: str) -> Envelope:
        """The envelope with what a seat adds; raises Refused where it chose another text."""
        is_chosen = dict(self.hashes).get(seat) == hashlib.sha256(text.encode()).hexdigest()
        if not is_chosen or seat in dict(self.texts):
            raise Refused(message("table.entropy-late"))
        return replace(self, texts=(*self.texts, (seat, text)))


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
    chances = equal_chances(game, odds)
    whole = sum(many for _, many in chances)

    def draw(seed: str, entropies: Sequence[str], number: int) -> str:
        left = fair_draw(seed, entropies, number, whole)
        for text, many in chances:
            left -= many
            if left < 0:
                return text
        raise AssertionError("odds sum to one")

    return draw


def equal_chances(
    game: Game[State, Action, View], odds: Mapping[Action, Fraction]
) -> list[tuple[str, int]]:
    """The actions of chance in the order of their texts, each with its number of equal chances."""
    texts = sorted((game.notation.write_action(action), share) for action, share in odds.items())
    whole = lcm(*(share.denominator for _, share in texts))
    return [(text, int(share * whole)) for text, share in texts]


def verify_seal(game: Game[State, Action, View], record: Record) -> Fault | None:
    """The first draw of a record that its seal does not make; nothing where it has no seal."""
    seal = record.extras.get("seal")
    if seal is None:
        return None
    if refusal := _why_unreadable(seal):
        return Fault(None, refusal)
    if "seed" not in seal:
        return Fault(None, message("seal.closed"))
    epochs = _epochs(seal)
    if any(commitment(each["seed"]) != each["commitment"] for each in epochs):
        return Fault(None, message("seal.broken"))
    if not _is_as_announced(record, seal, epochs):
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
            epoch = [each for each in epochs if each["from_draw"] <= number][-1]
            due = draw_action(game, state, epoch["seed"], epoch["entropies"], number, seat)
            if due != game.notation.write_action(played.step.action):
                return Fault(index, message("seal.draw", number=number, text=due))
    except Refused as fault:
        return Fault(None, fault.refusal)
    return Fault(None, message("seal.draws")) if next(numbers, None) is not None else None


def _epochs(seal: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The envelopes of a seal, in their order; records from before there could be several have
    one."""
    found: Sequence[Mapping[str, Any]] = seal.get("epochs", ({**seal, "from_draw": 0},))
    return found


def _is_as_announced(
    record: Record, seal: Mapping[str, Any], epochs: Sequence[Mapping[str, Any]]
) -> bool:
    """True if the envelopes are those that the table told of when it closed them."""
    first = all(seal[part] == epochs[0][part] for part in ("commitment", "seed"))
    rows = [row for row in record.extras.get("log", ()) if row.get("by") == TABLE]
    texts = [row.get("text", "").split(" ") for row in rows]
    told = [words[1] for words in texts if words[0] == SEAL and len(words) == 2]
    has_log = "log" in record.extras
    return first and (not has_log or told == [each["commitment"] for each in epochs[1:]])


def _why_unreadable(seal: object) -> Refusal | None:
    """The reason why this is no seal: its parts have to be there and of their kinds."""
    if not isinstance(seal, Mapping):
        return message("seal.unreadable")
    draws, epochs = seal.get("draws"), seal.get("epochs", [])
    is_well = (
        _is_envelope(seal)
        and isinstance(draws, list)
        and all(type(each) is int and each >= 0 for each in draws)
        and draws == sorted(set(draws))
        and isinstance(epochs, list)
        and ("epochs" not in seal or _are_epochs(epochs, "seed" in seal))
    )
    return None if is_well else message("seal.unreadable")


def _is_envelope(sealed: object) -> bool:
    if not isinstance(sealed, Mapping):
        return False
    entropies = sealed.get("entropies")
    return (
        _is_hex(sealed.get("commitment"))
        and ("seed" not in sealed or _is_hex(sealed["seed"]))
        and isinstance(entropies, list)
        and all(isinstance(each, str) and _ENTROPY_PATTERN.fullmatch(each) for each in entropies)
    )


def _are_epochs(epochs: Sequence[Any], are_open: bool) -> bool:
    """True for envelopes that follow each other from the first draw on."""
    if not all(_is_envelope(each) and ("seed" in each or not are_open) for each in epochs):
        return False
    starts = [each.get("from_draw") for each in epochs]
    is_counted = all(type(each) is int for each in starts) and starts[:1] == [0]
    return is_counted and starts == sorted(starts)


def _is_hex(text: object) -> bool:
    digits = set("0123456789abcdef")
    return isinstance(text, str) and len(text) == 64 and set(text) <= digits
