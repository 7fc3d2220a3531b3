"""AS-Kimble as the rest of the system sees it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from kibitz.core.game import (
    Companion,
    Game,
    Interface,
    Notation,
    Reminders,
    Rulebook,
    Rules,
    Seat,
    Story,
    TablePolicy,
)
from kibitz.core.options import read_options
from kibitz.games.as_kimble import notation, rules, view
from kibitz.games.as_kimble import options as agreed
from kibitz.games.as_kimble.actions import Action, is_statement
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.companion.scoreboard import scoreboard
from kibitz.games.as_kimble.companion.setup import SETUP
from kibitz.games.as_kimble.companion.summary import summary
from kibitz.games.as_kimble.options import DEFAULT, PRESET, Options
from kibitz.games.as_kimble.rules.hembo import HEMBO_REMINDERS
from kibitz.games.as_kimble.starts import STARTS
from kibitz.games.as_kimble.state import Colours, GameOver, Lots, State, with_team_value
from kibitz.games.as_kimble.ui import drawing, editor, offers, phrases
from kibitz.games.as_kimble.ui.advice import advice
from kibitz.games.as_kimble.ui.sounds import SOUNDS
from kibitz.games.as_kimble.ui.story import ASIDES, SEAT_COLOURS, STORY, TALLIES, join, motto, score
from kibitz.games.as_kimble.view import View

NAME, VERSION = "as-kimble", "1"


def as_kimble(options: Options = DEFAULT) -> Game[State, Action, View]:
    """The game is open: everybody sees the state, and nothing is secret."""
    return Game(
        name=NAME,
        version=VERSION,
        options=agreed.options_as_json(options),
        seats=TEAMS,
        rules=Rules(
            start=rules.start,
            to_act=partial(rules.to_act, options),
            turn_actions=partial(rules.turn_actions, options),
            anytime_actions=partial(rules.anytime_actions, options),
            actor_of=partial(rules.actor_of, options),
            why_not=partial(rules.why_not, options),
            resolve=partial(rules.resolve, options),
            odds=partial(rules.odds, options),
            presser=rules.presser,
            outcome=rules.outcome,
            view=view.view,
            hides_nothing=True,
            imagine=view.imagine,
        ),
        notation=Notation(
            write_state=notation.write_state,
            read_state=partial(notation.read_state, options),
            write_view=lambda seen: notation.write_state(seen.state),
            write_action=notation.write_action,
            read_action=partial(notation.read_action, options),
            filter_extras=partial(_filter_extras, options),
        ),
        ui=Interface(
            offers=partial(offers.offers, options),
            intent=partial(offers.intent, options),
            advice=advice,
            hint=partial(offers.hint, options),
            status=partial(offers.status, options),
            draw=lambda seen, look: drawing.draw(options, seen.state, look),
            draw_text=lambda seen, say: drawing.draw_text(seen.state, say),
            glyph=drawing.glyph,
            figures=drawing.FIGURES,
            edits=partial(editor.edits, options),
            scoreboard=partial(scoreboard, options),
            sounds=SOUNDS,
            colours=SEAT_COLOURS,
            reminders=Reminders(events=HEMBO_REMINDERS, without=view.without_reminders)
            if options.hembo == "call"
            else None,
        ),
        story=Story(
            moments=STORY,
            score=score,
            tallies=TALLIES,
            asides=ASIDES,
            join=join,
            motto=motto,
        ),
        policy=TablePolicy(
            die_delay=partial(rules.die_delay, options),
            takebacks=False,
            host_rules=True,
            has_teams=True,
            has_chance=options.mode == "digital",
            plays_forced_moves=options.mode == "digital",
            default_answers=rules.default_answers,
            needs_everybody=partial(rules.needs_everybody, options),
            seat_letter=phrases.seat_letter,
            is_statement=is_statement,
            reseated_game=partial(_reseated_game, options),
            resized_game=partial(_resized_game, options),
            sized_game=partial(_sized_game, options),
            pending_options=_pending_options,
        ),
        companion=Companion(summary=partial(summary, options))
        if options.mode == "companion"
        else None,
    )


def _reseated_game(
    options: Options, moved: Mapping[Seat, Seat]
) -> Game[State, Action, View] | None:
    """Before colours are known a team has the size that its chair has (15)."""
    sizes = {moved.get(seat, seat): options.size_of(seat) for seat in TEAMS}
    after = replace(options, team_size=(sizes["R"], sizes["B"], sizes["Y"], sizes["G"]))
    return None if after == options else as_kimble(after)


def _resized_game(
    options: Options, seat: Seat, before: int, after: int
) -> Game[State, Action, View] | None:
    """A team grows with its people (10.5); where it was given more than sit there, so it stays."""
    size = options.size_of(seat)
    wanted = max(1, after) if size == max(1, before) else max(size, after)
    return None if wanted == size else _sized_game(options, seat, wanted)


def _sized_game(options: Options, seat: Seat, size: int) -> Game[State, Action, View]:
    red, blue, yellow, green = with_team_value(options.team_size, seat, size)
    return as_kimble(replace(options, team_size=(red, blue, yellow, green)))


def _pending_options(state: State) -> frozenset[str]:
    """Nobody knows how many players red has while nobody is red (18)."""
    is_known = not isinstance(state.phase, Lots | Colours)
    return frozenset() if is_known else frozenset({"team_size"})


def _filter_extras(options: Options, state: State, played: tuple[str, ...]) -> dict[str, Any]:
    """The letters of those who may act, and the actions possible on anybody's turn (17, 18.1)."""
    listed = {
        notation.write_action(action)
        for actor in (*TEAMS, "referee")
        for action in rules.anytime_actions(options, state, actor)
    }
    if not isinstance(state.phase, Lots | Colours | GameOver):
        listed |= {
            notation.write_action(action)
            for team in TEAMS
            for action in rules.completions(options, state, team)
        }
    return {"to_act": rules.acting_letters(state), "anytime": sorted(listed)}


AS_KIMBLE = Rulebook(
    name=NAME,
    version=VERSION,
    game=lambda given: as_kimble(read_options(Options, agreed.options_from_json(given))),
    options=Options,
    preset=PRESET,
    bots_preset=PRESET,
    words=Path(__file__).parent / "words",
    showcase="t0x2,t4,g3/h2,t10,g1/t20x3,g4/h1,t21,t26,g2 R:N1 d6 0+0/2+0/0+1/1+0 1:- ---- -",
    vignette="-196 -190 280 168",
    tutorial=Path(__file__).parent / "tutorial.toml",
    pictures=Path(__file__).parent / "pictures.toml",
    web=Path(__file__).parent / "companion" / "web",
    templates=Path(__file__).parent / "companion" / "templates",
    companion=SETUP,
    starts=STARTS,
    implied_options=agreed.implied_options,
    extras={
        "kernel": "kibitz.games.as_kimble.kernel",
        "bots": "kibitz.bots.as_kimble.levels",
        "calls": "kibitz.bots.as_kimble.calls",
        "report": "kibitz.report.as_kimble",
        "analysis": "kibitz.analysis.as_kimble",
        "puzzles": "kibitz.puzzles.as_kimble",
    },
)
