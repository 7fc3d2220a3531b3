"""The rules of AS-Kimble, a chapter a file (docs/rules/as-kimble.md).

A paragraph number in a message is the paragraph of the rule book it rests on.
"""

from kibitz.games.as_kimble.rules.book import outcome
from kibitz.games.as_kimble.rules.referee import (
    acting,
    actor,
    anytime_actions,
    odds,
    resolve,
    start,
    to_act,
    turn_actions,
    why_not,
)

__all__ = [
    "acting",
    "actor",
    "anytime_actions",
    "odds",
    "outcome",
    "resolve",
    "start",
    "to_act",
    "turn_actions",
    "why_not",
]
