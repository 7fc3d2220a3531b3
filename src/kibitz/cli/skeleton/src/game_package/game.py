"""Game Title as the rest of the system sees it."""

from dataclasses import asdict
from functools import partial
from pathlib import Path

from game_package import notation, rules, ui
from game_package.options import DEFAULT, PRESET, Options
from game_package.state import SEATS, State, Take
from kibitz.core.game import Game, Interface, Notation, Rulebook, Rules, TablePolicy
from kibitz.core.options import read_options

NAME, VERSION = "game-name", "1"
FOLDER = Path(__file__).parent


def game(options: Options = DEFAULT) -> Game[State, Take, State]:
    """The game is open and has no chance: a view is the state."""
    return Game(
        name=NAME,
        version=VERSION,
        options=asdict(options),
        seats=SEATS,
        rules=Rules(
            start=partial(rules.start, options),
            to_act=rules.to_act,
            turn_actions=partial(rules.turn_actions, options),
            actor_of=rules.actor_of,
            why_not=partial(rules.why_not, options),
            resolve=partial(rules.resolve, options),
            outcome=rules.outcome,
            view=lambda state, viewer, committed: state,
            imagine=lambda view, rng: view,
        ),
        notation=Notation(
            write_state=notation.write_state,
            read_state=partial(notation.read_state, options),
            write_view=notation.write_state,
            write_action=notation.write_action,
            read_action=notation.read_action,
        ),
        ui=Interface(
            offers=ui.offers,
            intent=ui.intent,
            hint=ui.hint,
            status=ui.status,
            draw=partial(ui.draw, options),
            draw_text=ui.draw_text,
            glyph=ui.glyph,
            figures=ui.FIGURES,
            colours=ui.COLOURS,
        ),
        policy=TablePolicy(has_chance=False),
    )


RULEBOOK = Rulebook(
    name=NAME,
    version=VERSION,
    game=lambda given: game(read_options(Options, given)),
    options=Options,
    preset=PRESET,
    bots_preset=PRESET,
    words=FOLDER / "words",
    rule_book=FOLDER / "rule_book",
    showcase="start",
    vignette="0 0 300 50",
)
