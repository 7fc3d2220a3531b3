"""The rules of AS-Kimble, a chapter a file (docs/rules/as-kimble.md).

A paragraph number in a message is the paragraph of the rule book it rests on.
"""

from kibitz.games.as_kimble.rules.book import outcome
from kibitz.games.as_kimble.rules.dispatch import (
    acting_letters,
    actor_of,
    anytime_actions,
    completions,
    needs_everybody,
    odds,
    presser,
    resolve,
    start,
    to_act,
    turn_actions,
    why_not,
)
from kibitz.games.as_kimble.rules.hembo import die_delay
from kibitz.games.as_kimble.rules.raising import default_answers

__all__ = [
    "acting_letters",
    "actor_of",
    "anytime_actions",
    "completions",
    "default_answers",
    "die_delay",
    "needs_everybody",
    "odds",
    "outcome",
    "presser",
    "resolve",
    "start",
    "to_act",
    "turn_actions",
    "why_not",
]
