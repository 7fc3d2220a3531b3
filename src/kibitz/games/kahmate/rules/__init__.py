"""The rules of Kahmaté, a chapter a file, in the order of the rule book (docs/rules/kahmate.md).

A paragraph number in a message is the paragraph of the rule book it rests on. Questions that
need no rule are in state.py.
"""

from kibitz.games.kahmate.messages import ball_place, card_place, kind_message
from kibitz.games.kahmate.rules.ball import (
    crossed_squares,
    interceptors,
    partner_ahead,
    why_not_pass,
)
from kibitz.games.kahmate.rules.dispatch import (
    actor_of,
    moves,
    plays,
    resolve,
    secret_actions,
    throws,
    to_act,
    turn_actions,
    why_not,
)
from kibitz.games.kahmate.rules.duel import modifiers
from kibitz.games.kahmate.rules.force import exits, why_not_charge
from kibitz.games.kahmate.rules.match import (
    is_won_by_try,
    leader,
    outcome,
    possessing_side,
    role_actions,
    tries_needed,
    write_score,
)
from kibitz.games.kahmate.rules.setup import next_kind, odds, placements, start, with_held
from kibitz.games.kahmate.rules.tackle import landings
from kibitz.games.kahmate.state import hand_of, holder, man_at, men_of, mover_at, points_of

__all__ = [
    "actor_of",
    "ball_place",
    "card_place",
    "crossed_squares",
    "exits",
    "hand_of",
    "holder",
    "interceptors",
    "is_won_by_try",
    "kind_message",
    "landings",
    "leader",
    "man_at",
    "men_of",
    "modifiers",
    "mover_at",
    "moves",
    "next_kind",
    "odds",
    "outcome",
    "partner_ahead",
    "placements",
    "plays",
    "points_of",
    "possessing_side",
    "resolve",
    "role_actions",
    "secret_actions",
    "start",
    "throws",
    "to_act",
    "tries_needed",
    "turn_actions",
    "why_not",
    "why_not_charge",
    "why_not_pass",
    "with_held",
    "write_score",
]
