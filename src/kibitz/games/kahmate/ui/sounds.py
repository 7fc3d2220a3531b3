"""Sounds by the message of an event (docs/protocol.md).

A duel is heard from the side of the seat that its message names; the other one hears the
contrary. Setting up and choosing a card are secret, and so make no sound.
"""

from collections.abc import Mapping

SOUNDS: Mapping[str, str] = {
    "kahmate.revealed": "card",
    "kahmate.drawn": "card",
    "kahmate.ran": "step",
    "kahmate.carried": "step",
    "kahmate.passed": "pass",
    "kahmate.let-go": "pass",
    "kahmate.kicked": "kick",
    "kahmate.fetched": "pass",
    "kahmate.jumps-in": "tackle",
    "kahmate.tackles": "tackle",
    "kahmate.charges": "tackle",
    "kahmate.shown": "card",
    "kahmate.got-through": "won",
    "kahmate.intercepted": "won",
    "kahmate.tackle-failed": "lost",
    "kahmate.tackled": "lost",
    "kahmate.perfect": "won",
    "kahmate.broke-through": "won",
    "kahmate.stopped": "lost",
    "kahmate.try": "try",
    "kahmate.over-tries": "win",
    "kahmate.over-resign": "win",
    "kahmate.over-forfeit": "win",
}
