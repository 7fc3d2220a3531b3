"""The rules as one: actors, legal actions and their consequences (4, 10).

What may be done is what `why_not` has nothing against: the lists of actions are filtered by it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from kibitz.core.caching import cache_latest
from kibitz.core.game import CHANCE, REFEREE, TABLE, Actor, Event, Seat
from kibitz.core.game import Step as Result
from kibitz.core.message import Refusal, Refused, message
from kibitz.games.kahmate.actions import (
    Action,
    AgreedDraw,
    Ball,
    Card,
    Decline,
    Drop,
    End,
    Exit,
    Force,
    Forfeit,
    Intercept,
    Kick,
    Pass,
    Placement,
    Play,
    PlayOn,
    Resign,
    Step,
    Tackle,
    Void,
)
from kibitz.games.kahmate.board import FORWARD, NEIGHBOURS, offset
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules.ball import (
    intercept,
    interceptors,
    kick,
    let_pass_go,
    make_pass,
    partner_ahead,
    why_not_intercept,
    why_not_kick,
    why_not_kick_to,
    why_not_pass,
)
from kibitz.games.kahmate.rules.duel import commit_card, reveal_cards, why_not_card
from kibitz.games.kahmate.rules.force import (
    come_out,
    exits,
    force,
    stay,
    why_not_exit,
    why_not_force,
)
from kibitz.games.kahmate.rules.match import closing_phase, outcome, play_on, why_not_play_on
from kibitz.games.kahmate.rules.setup import draw_ball, placements, set_up, why_not_place, with_held
from kibitz.games.kahmate.rules.tackle import (
    drop_ball_on,
    landings,
    tackle,
    why_not_drop,
    why_not_tackle,
)
from kibitz.games.kahmate.rules.turn import end_turn, take_step, why_not_enter, why_not_step
from kibitz.games.kahmate.state import (
    CARDS,
    BallDrawing,
    Dropping,
    Duelling,
    Exiting,
    MatchOver,
    Passing,
    Phase,
    Placing,
    Playing,
    State,
    hand_of,
    man_at,
    men_of,
    other_side,
    points_of,
)

# 4  The turn


def to_act(state: State) -> frozenset[Actor]:
    actor = _decider(state)
    return frozenset({actor}) if actor else frozenset()


def _decider(state: State) -> Actor | None:
    match state.phase:
        case Placing(side):
            return side
        case BallDrawing():
            return CHANCE
        case Playing() | Exiting():
            return state.turn
        case Passing():
            return other_side(state.turn)
        case Duelling(card=card):
            return state.turn if card is None else other_side(state.turn)
        case Dropping(fallen):
            return man_at(state, fallen).side
        case MatchOver():
            return None


@cache_latest(256)
def turn_actions(options: Options, state: State, actor: Actor) -> tuple[Action, ...]:
    return tuple(_choices(options, state)) if actor == _decider(state) else ()


def _choices(options: Options, state: State) -> Iterator[Action]:
    match state.phase:
        case Placing(side):
            yield from placements(state.field, side)
        case BallDrawing():
            yield from map(Ball, CARDS)
        case Playing():
            yield from plays(options, state)
        case Passing(passer, receiver):
            yield from map(Intercept, interceptors(options, state, passer, receiver))
            yield Decline()
        case Duelling(card=card):
            yield from map(
                Card, hand_of(state, state.turn if card is None else other_side(state.turn))
            )
        case Exiting(beaten=beaten):
            yield from map(Exit, exits(state, beaten))
            if options.force_exit == "may":
                yield Decline()
        case Dropping(fallen, against):
            yield from map(Drop, landings(man_at(state, fallen).side, fallen, against))


def plays(options: Options, state: State) -> Iterator[Play]:
    """The plays of the captain on turn, secrets apart."""
    for at, man in men_of(state.field, state.turn):
        if not man.down:
            yield from moves(options, state, at)
            if at == state.ball:
                yield from throws(options, state, at)
    yield End()


def moves(options: Options, state: State, at: int) -> Iterator[Play]:
    """The plays that cost the man there points."""
    if not points_of(state, at):
        return
    for next_to in NEIGHBOURS[at]:
        if state.field[next_to] is None:
            if why_not_enter(state, at, next_to) is None:
                yield Step(at, next_to)
        elif why_not_tackle(state, Tackle(at, next_to)) is None:
            yield Tackle(at, next_to)
        elif why_not_force(options, state, Force(at, next_to)) is None:
            yield Force(at, next_to)


def throws(options: Options, state: State, at: int) -> Iterator[Play]:
    """The passes and kicks of the holder; they cost nothing."""
    ahead = FORWARD[state.turn]
    for files in (-2, -1):
        for ranks in range(-2, 3):
            target = offset(at, files * ahead, ranks)
            if target is None or state.field[target] is None:
                continue
            if why_not_pass(options, state, Pass(at, target)) is None:
                yield Pass(at, target)
    if partner_ahead(state, at) is None:
        for files in (1, 2, 3):
            for ranks in range(-3, 4):
                target = offset(at, files * ahead, ranks)
                if target is not None and why_not_kick_to(options, state, at, target) is None:
                    yield Kick(at, target)


# 10  Hidden information


def secret_actions(
    options: Options, state: State, seat: Seat, held: tuple[Action, ...]
) -> tuple[Action, ...]:
    """Hidden line-ups and cards may be committed in either order; this is what one has left."""
    match state.phase:
        case Placing(side):
            if options.placement == "hidden" and (side == "R" or seat == side):
                return tuple(placements(with_held(state.field, seat, held), seat))
        case Duelling(card=card):
            if not held and (card is None or seat != state.turn):
                return tuple(map(Card, hand_of(state, seat)))
    return ()


# What may be done, and what it leads to


def actor_of(state: State, action: Action) -> Actor:
    match action:
        case Resign(side):
            return side
        case Forfeit() | Void():
            return REFEREE
        case AgreedDraw() | PlayOn():
            return TABLE
        case Ball():
            return CHANCE
    return _decider(state) or state.turn


def why_not(options: Options, state: State, actor: Actor, action: Action) -> Refusal | None:
    if isinstance(action, PlayOn):
        refusal = None if actor == TABLE else message("kahmate.play-on-agree", "9.4")
        return refusal or why_not_play_on(options, state, action)
    if isinstance(state.phase, MatchOver):
        return message("kahmate.match-over", "9")
    match action:
        case Resign(side):
            return None if actor == side else message("kahmate.resign-for-another", "9.3")
        case Forfeit() | Void():
            return None if actor == REFEREE else message("kahmate.referee-only", "9.3")
        case AgreedDraw():
            return None if actor == TABLE else message("kahmate.both-must-agree", "9.3")
    if due := _why_not_due(options, state.phase, action):
        return due
    decides = _decider(state)
    if actor != decides:
        if decides == CHANCE:
            return message("kahmate.draw-first", "3")
        return message("kahmate.not-your-turn", "4", seat=decides or "")
    return _why_not_turn(options, state, actor, action)


EXPECTED_BY_PHASE: dict[type[Phase], tuple[tuple[type[Action], ...], str, str]] = {
    Placing: ((Placement,), "kahmate.place-first", "3"),
    BallDrawing: ((Ball,), "kahmate.draw-first", "3"),
    Playing: ((Step, Tackle, Force, Pass, Kick, End), "kahmate.play-first", "4"),
    Passing: ((Intercept, Decline), "kahmate.intercept-first", "5.2"),
    Duelling: ((Card,), "kahmate.card-first", "8"),
    Exiting: ((Exit,), "kahmate.exit-first", "7"),
    Dropping: ((Drop,), "kahmate.drop-first", "6.1"),
}
"""The actions that each phase asks for, and the refusal of anything else."""


def _why_not_due(options: Options, phase: Phase, action: Action) -> Refusal | None:
    if isinstance(phase, Exiting) and action == Decline() and options.force_exit == "may":
        return None
    kinds, id, paragraph = EXPECTED_BY_PHASE[type(phase)]
    return None if isinstance(action, kinds) else message(id, paragraph)


def _why_not_turn(options: Options, state: State, actor: Actor, action: Action) -> Refusal | None:
    match action, state.phase:
        case Placement(), _:
            return why_not_place(state, actor, action)
        case Step(), _:
            return why_not_step(state, action)
        case Tackle(), _:
            return why_not_tackle(state, action)
        case Force(), _:
            return why_not_force(options, state, action)
        case Pass(), _:
            return why_not_pass(options, state, action)
        case Kick(), _:
            return why_not_kick(options, state, action)
        case Intercept(), Passing() as phase:
            return why_not_intercept(options, state, phase, action)
        case Card(), _:
            return why_not_card(state, actor, action)
        case Exit(), Exiting() as phase:
            return why_not_exit(state, phase, action)
        case Drop(), Dropping() as phase:
            return why_not_drop(state, phase, action)
    return None


def resolve(options: Options, state: State, actor: Actor, action: Action) -> Result[State, Action]:
    if refusal := why_not(options, state, actor, action):
        raise Refused(refusal)
    over = closing_phase(action)
    after, events = (
        (replace(state, phase=over), []) if over else _apply_action(options, state, action)
    )
    if ended := outcome(options, after):
        events = [*events, Event(ended.why)]
    return Result(action, after, tuple(events), _is_reveal(state, after))


def _apply_action(options: Options, state: State, action: Action) -> tuple[State, list[Event]]:
    match action, state.phase:
        case Placement(kind, square), Placing(side):
            return set_up(options, state, side, kind, square)
        case Ball(card), _:
            return draw_ball(state, card)
        case Step(), _:
            return take_step(options, state, action)
        case Tackle(), _:
            return tackle(state, action)
        case Force(), _:
            return force(state, action)
        case Pass(), _:
            return make_pass(options, state, action)
        case Kick(), _:
            return kick(state, action)
        case End(), _:
            return end_turn(options, state)
        case Intercept(square), Passing() as phase:
            return intercept(state, phase, square)
        case Decline(), Passing() as phase:
            return let_pass_go(state, phase)
        case Decline(), Exiting() as phase:
            return stay(state, phase)
        case Card(card), Duelling() as duel:
            if duel.card is None:
                return commit_card(state, duel, card)
            return reveal_cards(options, state, duel, card)
        case Exit(square), Exiting() as phase:
            return come_out(options, state, phase, square)
        case Drop(square), Dropping():
            return drop_ball_on(state, square)
        case PlayOn(), MatchOver():
            return play_on(state, action)
    raise AssertionError("refused above")


def _is_reveal(before: State, after: State) -> bool:
    """Line-ups and cards are shown when both captains have committed, or the match is over."""
    if isinstance(after.phase, MatchOver):
        return True
    match before.phase:
        case Placing():
            return after.phase == BallDrawing()
        case Duelling(card=card):
            return card is not None
    return False
