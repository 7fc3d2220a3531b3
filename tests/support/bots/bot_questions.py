"""Questions to bots about a position."""

from typing import Any

from kibitz.bots.question import Question
from kibitz.core.game import Game, Seat
from kibitz.core.record import START


def question_at(
    game: Game[Any, Any, Any],
    seat: Seat,
    bot: str = "greedy",
    position: str = START,
    *,
    seed: int = 1,
    **given: Any,
) -> Question:
    """About the turn actions of a seat, unless other texts are given."""
    state = game.rules.start() if position == START else game.notation.read_state(position)
    actions = game.rules.turn_actions(state, seat)
    known = {
        "options": dict(game.options),
        "view": game.rules.view(state, seat, ()),
        "texts": tuple(map(game.notation.write_action, actions)),
    }
    return Question(bot=bot, game=game.name, seat=seat, seed=seed, **{**known, **given})
