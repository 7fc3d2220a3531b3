"""Kahmaté as the rest of the system sees it."""

from dataclasses import asdict
from functools import partial
from pathlib import Path

from kibitz.core.game import Game, Interface, Notation, Rulebook, Rules, Story, TablePolicy
from kibitz.core.options import read_options
from kibitz.games.kahmate import notation, rules, view
from kibitz.games.kahmate.actions import Action, Forfeit
from kibitz.games.kahmate.options import DEFAULT, NAMED_PRESETS, PRESET, Options
from kibitz.games.kahmate.state import SEATS, State, View
from kibitz.games.kahmate.ui import drawing, editor, offers
from kibitz.games.kahmate.ui.advice import advice
from kibitz.games.kahmate.ui.sounds import SOUNDS
from kibitz.games.kahmate.ui.story import ASIDES, SEAT_COLOURS, STORY, TALLIES, join, score

NAME, VERSION = "kahmate", "1"


def kahmate(options: Options = DEFAULT) -> Game[State, Action, View]:
    return Game(
        name=NAME,
        version=VERSION,
        options=asdict(options),
        seats=SEATS,
        rules=Rules(
            start=partial(rules.start, options),
            to_act=rules.to_act,
            turn_actions=partial(rules.turn_actions, options),
            role_actions=partial(rules.role_actions, options),
            secret_actions=partial(rules.secret_actions, options),
            actor_of=rules.actor_of,
            why_not=partial(rules.why_not, options),
            resolve=partial(rules.resolve, options),
            odds=rules.odds,
            outcome=partial(rules.outcome, options),
            view=partial(view.view, options),
            imagine=partial(view.imagine, options),
        ),
        notation=Notation(
            write_state=notation.write_state,
            read_state=partial(notation.read_state, options),
            write_view=notation.write_state,
            write_action=notation.write_action,
            read_action=notation.read_action,
        ),
        ui=Interface(
            offers=partial(offers.offers, options),
            offer_rows=partial(offers.offer_rows, options),
            intent=partial(offers.intent, options),
            advice=advice,
            has_long_turns=True,
            hint=partial(offers.hint, options),
            status=partial(offers.status, options),
            draw=partial(drawing.draw, options),
            draw_text=partial(drawing.draw_text, options),
            glyph=drawing.glyph,
            figures=drawing.FIGURES,
            edits=partial(editor.edits, options),
            sounds=SOUNDS,
            colours=SEAT_COLOURS,
        ),
        story=Story(
            moments=STORY,
            score=score,
            tallies=TALLIES,
            asides=ASIDES,
            join=join,
        ),
        policy=TablePolicy(
            forfeit=lambda state, seat: Forfeit(seat),
        ),
    )


KAHMATE = Rulebook(
    name=NAME,
    version=VERSION,
    game=lambda given: kahmate(read_options(Options, given)),
    options=Options,
    preset=PRESET,
    bots_preset=PRESET,
    named_presets=NAMED_PRESETS,
    words=Path(__file__).parent / "words",
    showcase="13/2O5c4/4S4s3/2C2F1o5/4T5f2/3O4t4/10o2/13 R play - f4 123456/123456 0-0 7 -",
    vignette="172 74 264 156",
    tutorial=Path(__file__).parent / "tutorial.toml",
    pictures=Path(__file__).parent / "pictures.toml",
    extras={
        "kernel": "kibitz.games.kahmate.kernel",
        "bots": "kibitz.bots.kahmate.levels",
        "report": "kibitz.report.kahmate",
        "analysis": "kibitz.analysis.kahmate",
        "puzzles": "kibitz.puzzles.kahmate",
    },
)
