"""The best mixes of a duel of Kahmaté, alone and as one of a hand: `kibitz solve-duel`."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from kibitz.core.message import Message, Refused, Say, fixed_decimal, message
from kibitz.games.kahmate.duels import Mix, Round, hand_game, single_duel
from kibitz.games.kahmate.state import ATTACK, DEFENCE


def as_text(attacker: str, defender: str, hand: str, other_hand: str, say: Say) -> str:
    games = solve_duel(attacker, defender, hand, other_hand)
    men = {"attacker": attacker, "defender": defender}
    names = {role: message(f"kahmate.kind-{man}") for role, man in men.items()}
    attack, defence = ATTACK[attacker], DEFENCE[defender]
    parts = [say(message("cli.duel-men", attack=f"{attack:+}", defence=f"{defence:+}", **names))]
    for name, found in games.items():
        outlook = found.outlook
        chances = {"win": percent(outlook.win, 1), "by_two": percent(outlook.win_by_two, 1)}
        counts = {
            "won": fixed_decimal(float(outlook.expected_wins), 2),
            "duels": fixed_decimal(float(outlook.duels), 2),
        }
        parts += ["", say(message(f"cli.duel-{name}", **chances, **counts)), mixes_text(found, say)]
    return "\n".join(parts)


def percent(chance: Fraction, digits: int = 0) -> Message:
    return message("report.chance", value=fixed_decimal(100 * float(chance), digits))


def as_json(attacker: str, defender: str, hand: str, other_hand: str) -> str:
    games = solve_duel(attacker, defender, hand, other_hand)
    return json.dumps({name: round_json(found) for name, found in games.items()})


def solve_duel(attacker: str, defender: str, hand: str, other_hand: str) -> dict[str, Round]:
    for man in (attacker, defender):
        if man not in ATTACK:
            raise Refused(message("cli.duel-man", "2", man=man[:60], men=", ".join(ATTACK)))
    hands = read_hand(hand), read_hand(other_hand)
    if len(hands[0]) != len(hands[1]):
        raise Refused(message("cli.duel-sizes", "8"))
    men = ATTACK[attacker], DEFENCE[defender]
    return {"single": single_duel(*men, *hands), "hand": hand_game(*men, *hands)}


def read_hand(text: str) -> tuple[int, ...]:
    cards = sorted(text)
    if not cards or len(set(cards)) < len(cards) or not set(cards) <= set("123456"):
        raise Refused(message("cli.duel-cards", "8", text=text[:60]))
    return tuple(map(int, cards))


def round_json(found: Round) -> dict[str, Any]:
    """The nearest floating-point numbers: the exact ones can have thousands of digits."""
    numbers = {**found.outlook._asdict(), "won": found.outlook.expected_wins}
    return {
        **{name: float(number) for name, number in numbers.items()},
        "attacker": {card: float(chance) for card, chance in found.attacker.items()},
        "defender": {card: float(chance) for card, chance in found.defender.items()},
        "ties": {f"{mine}-{theirs}": round_json(tie) for (mine, theirs), tie in found.ties.items()},
    }


def mixes_text(found: Round, say: Say) -> str:
    """The attacker's mixes and the defender's side by side: the first card, and after each tie."""
    width = _column_width(say)
    cards = "".join(f"{card:>{width}}" for card in range(1, 7))
    rows = [
        ("", say(message("cli.duel-attacker")), say(message("cli.duel-defender"))),
        ("", cards, cards),
        (
            say(message("cli.duel-first")),
            mix_text(found.attacker, say),
            mix_text(found.defender, say),
        ),
    ]
    for (mine, theirs), tie in found.ties.items():
        label = say(message("cli.duel-tie", attacker=mine, defender=theirs))
        rows.append((label, mix_text(tie.attacker, say), mix_text(tie.defender, say)))
    margin = max(len(label) for label, _, _ in rows)
    half = 6 * width
    lines = (f"{label:{margin}} {left:>{half}}   {right:>{half}}" for label, left, right in rows)
    return "\n".join(line.rstrip() for line in lines)


def mix_text(mix: Mix, say: Say) -> str:
    """A card that is never played is a dash, one that is not in the hand a blank."""
    cells = {card: say(percent(chance)) if chance else "-" for card, chance in mix.items()}
    width = _column_width(say)
    return "".join(f"{cells.get(card, ''):>{width}}" for card in range(1, 7))


def _column_width(say: Say) -> int:
    """The width of the widest cell, 100%, and a space before it."""
    return len(say(percent(Fraction(1)))) + 1
