"""AS-Kimble as the rest of the system sees it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from kibitz.core.game import Game, Rulebook, Seat
from kibitz.core.options import read_options
from kibitz.games.as_kimble import drawing, editing, notation, rules, sentences, touch, view
from kibitz.games.as_kimble import options as agreed
from kibitz.games.as_kimble.actions import Action, Saying
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.figures import figures
from kibitz.games.as_kimble.ledger import entry_texts
from kibitz.games.as_kimble.night import night
from kibitz.games.as_kimble.options import DEFAULT, PRESET, Options
from kibitz.games.as_kimble.sounds import SOUNDS
from kibitz.games.as_kimble.state import Colours, Ended, Lots, State
from kibitz.games.as_kimble.story import STORY, TALLIES, TINTS, score
from kibitz.games.as_kimble.view import View

NAME, RULES = "as-kimble", "1"


def as_kimble(options: Options = DEFAULT) -> Game[State, Action, View]:
    """The game is open: everybody sees the state, and nothing is secret."""
    return Game(
        name=NAME,
        rules=RULES,
        options=agreed.written(options),
        seats=TEAMS,
        start=rules.start,
        to_act=partial(rules.to_act, options),
        turn_actions=partial(rules.turn_actions, options),
        anytime_actions=partial(rules.anytime_actions, options),
        role_actions=lambda state, actor: (),
        secret=lambda state, seat, held: (),
        actor=partial(rules.actor, options),
        why_not=partial(rules.why_not, options),
        resolve=partial(rules.resolve, options),
        odds=partial(rules.odds, options),
        outcome=rules.outcome,
        view=view.view,
        imagine=view.imagine,
        write_state=notation.write_state,
        read_state=partial(notation.read_state, options),
        write_view=lambda seen: notation.write_state(seen.state),
        write_action=notation.write_action,
        read_action=partial(notation.read_action, options),
        particulars=partial(_particulars, options),
        offers=partial(touch.offers, options),
        meant=partial(touch.meant, options),
        hint=partial(touch.hint, options),
        status=partial(touch.status, options),
        draw=lambda seen, look: drawing.draw(options, seen.state, look),
        draw_text=lambda seen, say: drawing.draw_text(seen.state, say),
        glyph=drawing.glyph,
        courtesy=rules.courtesy,
        takebacks=False,
        host_rules=True,
        has_chance=options.mode == "digital",
        is_reported=options.mode == "companion",
        answers=rules.answers,
        chair=sentences.chair_of,
        edits=partial(editing.edits, options),
        figures=figures,
        ledger=partial(entry_texts, options),
        night=partial(night, options) if options.mode == "companion" else None,
        is_said=lambda action: isinstance(action, Saying),
        reseated=partial(_reseated, options),
        unsettled=_unsettled,
        sounds=SOUNDS,
        story=STORY,
        score=score,
        tallies=TALLIES,
        tints=TINTS,
    )


def _reseated(options: Options, moved: Mapping[Seat, Seat]) -> Game[State, Action, View] | None:
    """Before colours are known a team has the size that its chair has (15)."""
    sizes = {moved.get(seat, seat): options.size_of(seat) for seat in TEAMS}
    after = replace(options, team_size=(sizes["R"], sizes["B"], sizes["Y"], sizes["G"]))
    return None if after == options else as_kimble(after)


def _unsettled(state: State) -> frozenset[str]:
    """Nobody knows how many players red has while nobody is red (18)."""
    is_known = not isinstance(state.phase, Lots | Colours)
    return frozenset() if is_known else frozenset({"team_size"})


def _particulars(options: Options, state: State, played: tuple[str, ...]) -> dict[str, Any]:
    """Who may act, by letters, and what is possible whoever's turn it is (17, 18.1)."""
    listed = {
        notation.write_action(action)
        for actor in (*TEAMS, "referee")
        for action in rules.anytime_actions(options, state, actor)
    }
    if not isinstance(state.phase, Lots | Colours | Ended):
        listed |= {
            notation.write_action(action)
            for team in TEAMS
            for action in rules.completions(options, state, team)
        }
    return {"to_act": rules.acting(state), "anytime": sorted(listed)}


AS_KIMBLE = Rulebook(
    name=NAME,
    rules=RULES,
    game=lambda given: as_kimble(read_options(Options, agreed.read(given))),
    options=Options,
    preset=PRESET,
    bots_preset=PRESET,
    words=Path(__file__).parent / "words",
    showcase="t0x2,t4,g3/h2,t10,g1/t20x3,g4/h1,t21,t26,g2 R:N1 d6 0+0/2+0/0+1/1+0 1:- ---- -",
    vignette="-196 -190 280 168",
    tutorial=Path(__file__).parent / "tutorial.toml",
    web=Path(__file__).parent / "companion" / "web",
    templates=Path(__file__).parent / "companion" / "templates",
    beside=agreed.beside,
)
