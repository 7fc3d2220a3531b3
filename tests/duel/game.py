"""Duel as the rest of the system sees it."""

from dataclasses import asdict
from functools import partial
from pathlib import Path

from duel import drawing, notation, rules, view
from duel.actions import Action
from duel.options import DEFAULT, PRESET, Options
from duel.state import SEATS, State, View
from kibitz.core.game import Game, Interface, Notation, Rulebook, Rules
from kibitz.core.options import read_options


def duel(options: Options = DEFAULT) -> Game[State, Action, View]:
    return Game(
        name="duel",
        version="1",
        options=asdict(options),
        seats=SEATS,
        rules=Rules(
            start=State,
            to_act=partial(rules.to_act, options),
            turn_actions=partial(rules.turn_actions, options),
            anytime_actions=partial(rules.anytime_actions, options),
            secret_actions=partial(rules.secret, options),
            actor_of=rules.actor,
            why_not=partial(rules.why_not, options),
            resolve=partial(rules.resolve, options),
            odds=partial(rules.odds, options),
            outcome=partial(rules.outcome, options),
            view=partial(view.view, options),
            imagine=view.imagine,
        ),
        notation=Notation(
            write_state=notation.write_state,
            read_state=partial(notation.read_state, options),
            write_view=notation.write_state,
            write_action=notation.write_action,
            read_action=partial(notation.read_action, options),
        ),
        ui=Interface(
            offers=partial(drawing.offers, options),
            intent=drawing.intent,
            hint=drawing.hint,
            status=drawing.status,
            draw=partial(drawing.draw, options),
            draw_text=drawing.draw_text,
            glyph=drawing.glyph,
            figures=drawing.FIGURES,
        ),
    )


DUEL = Rulebook(
    name="duel",
    version="1",
    game=lambda given: duel(read_options(Options, given)),
    options=Options,
    preset=PRESET,
    bots_preset=PRESET,
    words=Path(__file__).parent / "words",
    showcase="start",
    vignette="0 0 250 150",
)
