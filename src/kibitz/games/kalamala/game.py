"""Kalamala as the rest of the system sees it."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from kibitz.core.game import Game, Interface, Notation, Rulebook, Rules, Story, TablePolicy
from kibitz.core.options import read_options
from kibitz.games.kalamala import notation, rules
from kibitz.games.kalamala.actions import Action, Forfeit
from kibitz.games.kalamala.options import BOTS_PRESET, DEFAULT, PRESET, Options
from kibitz.games.kalamala.state import SEATS, State
from kibitz.games.kalamala.ui import drawing, editor, offers
from kibitz.games.kalamala.ui.sounds import SOUNDS
from kibitz.games.kalamala.ui.story import ASIDES, SEAT_COLOURS, STORY, TALLIES, score

NAME, VERSION = "kalamala", "1"


def kalamala(options: Options = DEFAULT) -> Game[State, Action, State]:
    """The game is open and has no chance: a view is the state, and nothing is secret."""
    return Game(
        name=NAME,
        version=VERSION,
        options=asdict(options),
        seats=SEATS,
        rules=Rules(
            start=partial(rules.start, options),
            to_act=partial(rules.to_act, options),
            turn_actions=partial(rules.turn_actions, options),
            role_actions=partial(rules.role_actions, options),
            actor_of=rules.actor_of,
            why_not=partial(rules.why_not, options),
            resolve=partial(rules.resolve, options),
            odds=lambda state: {},
            outcome=partial(rules.outcome, options),
            view=lambda state, viewer, held: state,
            hides_nothing=True,
            imagine=lambda view, rng: view,
        ),
        notation=Notation(
            write_state=notation.write_state,
            read_state=partial(notation.read_state, options),
            write_view=notation.write_state,
            write_action=notation.write_action,
            read_action=notation.read_action,
            filter_extras=partial(_filter_extras, options),
        ),
        ui=Interface(
            offers=partial(offers.offers, options),
            offer_rows=partial(offers.offer_rows, options),
            intent=partial(offers.intent, options),
            advice=lambda offer: offer.prompts[-1],
            hint=offers.hint,
            status=offers.status,
            draw=drawing.draw,
            draw_text=drawing.draw_text,
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
        ),
        policy=TablePolicy(
            has_chance=False,
            forfeit=lambda state, seat: Forfeit(seat),
        ),
    )


def _filter_extras(options: Options, state: State, played: tuple[str, ...]) -> dict[str, Any]:
    """Why the match ended, and the canonical spellings of what was played (7.4)."""
    over = rules.outcome(options, state)
    return {"reason": over.why.id.split(".")[1] if over else None, "played": list(played)}


KALAMALA = Rulebook(
    name=NAME,
    version=VERSION,
    game=lambda given: kalamala(read_options(Options, given)),
    options=Options,
    preset=PRESET,
    bots_preset=BOTS_PRESET,
    words=Path(__file__).parent / "words",
    showcase="start",
    vignette="68 88 264 176",
    tutorial=Path(__file__).parent / "tutorial.toml",
    pictures=Path(__file__).parent / "pictures.toml",
    extras={
        "kernel": "kibitz.games.kalamala.kernel",
        "bots": "kibitz.bots.kalamala.levels",
        "report": "kibitz.report.kalamala",
        "analysis": "kibitz.analysis.kalamala",
        "puzzles": "kibitz.puzzles.kalamala",
    },
)
