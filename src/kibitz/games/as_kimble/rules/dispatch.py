"""The rules as one: actors, legal actions and their consequences (5, 17)."""

from __future__ import annotations

from fractions import Fraction

from kibitz.core.caching import cache_latest
from kibitz.core.game import CHANCE, REFEREE, TABLE, Actor, Event, Seat
from kibitz.core.game import Step as Result
from kibitz.core.message import Refusal, Refused, message
from kibitz.games.as_kimble.actions import (
    Action,
    BookedWin,
    BookEntry,
    Break,
    Choice,
    Church,
    Colour,
    Completion,
    Double,
    Enter,
    Hembo,
    IgnoredBreak,
    Lot,
    LotEvent,
    Move,
    Note,
    PassOn,
    PhysicalEvent,
    Pop,
    Propose,
    Raise,
    ResetPop,
    Resume,
    Return,
    Ruling,
    SilentLot,
    SilentPop,
    StickyLot,
    StickyPop,
    StrayPop,
    Vote,
    WarmPop,
)
from kibitz.games.as_kimble.board import SEAT_LETTERS, SIX, TEAMS, colours_from
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules import entries, hembo, preparation, raising, rulings
from kibitz.games.as_kimble.rules.book import (
    MAX_COUNT,
    Change,
    end_if_won,
    outcome,
    report_completion,
    why_not_done,
)
from kibitz.games.as_kimble.rules.moves import (
    double_piece,
    is_mine_move,
    make_move,
    why_not_double,
    why_not_enter,
    why_not_move,
)
from kibitz.games.as_kimble.rules.turn import (
    choices,
    continue_turn,
    pass_turn,
    pop,
    pop_again,
    voters,
    why_not_propose,
    why_not_raise,
)
from kibitz.games.as_kimble.state import (
    Choosing,
    Colours,
    GameOver,
    Lots,
    Phase,
    Popping,
    Returning,
    State,
    Voting,
    book_of,
    side_of,
)

FACES = (1, 2, 3, 4, 5, 6)
MAX_LISTED = 99
"""So many penalties are listed to be completed at once; more may be said as well."""
OPPOSITE_FACES = {1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 1}
"""Opposite faces of the die."""


def start() -> State:
    return State()


# Who may act


@cache_latest(256)
def to_act(options: Options, state: State) -> frozenset[Actor]:
    """In digital play the dome answers whoever presses it; around a real board a team reports its
    pop."""
    phase = state.phase
    if state.is_break or isinstance(phase, GameOver):
        return frozenset()
    if state.die.wanted_face:
        return frozenset(TEAMS)
    match phase:
        case Lots():
            seats = frozenset(map(seat_of, _seats_due(phase)))
            return seats | {CHANCE} if _has_dome(options) else seats
        case Colours(lowest):
            return frozenset({seat_of(lowest)})
        case Popping(team):
            return frozenset({CHANCE, team} if _has_dome(options) else {team})
        case Choosing(team):
            return frozenset({team})
        case Voting():
            return frozenset(voters(phase))
        case Returning(pending=pending):
            return frozenset(pending)


def acting_letters(state: State) -> str:
    """The letters of those who may do something, as `kibitz rules` writes them (17)."""
    phase = state.phase
    if state.is_break or state.die.wanted_face or isinstance(phase, GameOver):
        return ""
    match phase:
        case Lots():
            return "".join(_seats_due(phase))
        case Colours(lowest):
            return lowest
        case Popping(team) | Choosing(team):
            return team
        case Voting():
            return "".join(voters(phase))
        case Returning(pending=pending):
            return "".join(pending)


def seat_of(chair: str) -> str:
    """Before colours are known the first chair acts at the first seat, and so on."""
    return TEAMS[SEAT_LETTERS.index(chair)]


def _seats_due(phase: Lots) -> tuple[str, ...]:
    return preparation.seats_due(phase)


def _has_dome(options: Options) -> bool:
    return options.mode == "digital"


@cache_latest(512)
def turn_actions(options: Options, state: State, actor: Actor) -> tuple[Action, ...]:
    if actor not in to_act(options, state):
        return ()
    if state.die.wanted_face:
        return tuple(map(ResetPop, FACES))
    match state.phase:
        case Lots() as phase:
            if _has_dome(options) and actor != CHANCE:
                return ()
            chairs = [chair for chair in _seats_due(phase) if actor in (CHANCE, seat_of(chair))]
            return tuple(Lot(chair, face) for chair in chairs for face in FACES)
        case Colours(lowest):
            return tuple(Colour(lowest, team) for team in TEAMS)
        case Popping(team):
            passing = (PassOn(team),) if actor == team and _may_pass(state, team) else ()
            pops = tuple(Pop(team, face) for face in FACES)
            return passing if actor == team and _has_dome(options) else (*pops, *passing)
        case Choosing(team, number, is_refused):
            return tuple(choices(options, state, team, number, is_refused))
        case Voting():
            return (Vote(actor, True), Vote(actor, False))
        case Returning():
            return tuple(raising.legal_returns(state, actor))
    return ()


def _may_pass(state: State, team: str) -> bool:
    """All placed, but the buffer is not empty (5.2)."""
    return side_of(state, team).is_placed


@cache_latest(512)
def anytime_actions(options: Options, state: State, actor: Actor) -> tuple[Action, ...]:
    if isinstance(state.phase, Lots | Colours | GameOver):
        return ()
    found: list[Action] = []
    if actor in TEAMS:
        if options.hembo == "call":
            found += [Hembo(actor, form) for form in hembo.FORMS]
        found += completions(options, state, actor, MAX_LISTED)
    if _may_call_break(options, actor):
        found.append(Resume() if state.is_break else Break())
    return tuple(found)


def completions(
    options: Options, state: State, team: str, most: int = MAX_COUNT
) -> list[Completion]:
    """The numbers of penalties that a team may say it has completed."""
    if options.pace != "free" or state.is_break:
        return []
    return [Completion(team, n + 1) for n in range(min(most, book_of(state, team).owed))]


def _may_call_break(options: Options, actor: Actor) -> bool:
    """Around a real board anybody says what was agreed; on a screen a table asks all (12.5)."""
    return actor in (REFEREE, TABLE) or (actor in TEAMS and not _has_dome(options))


def needs_everybody(options: Options, action: Action) -> bool:
    """On a screen a break takes the referee and every team (R30)."""
    return isinstance(action, Break) and _has_dome(options)


def odds(options: Options, state: State) -> dict[Action, Fraction]:
    actions = turn_actions(options, state, CHANCE)
    if options.die == "naksu" and state.die.face and isinstance(state.phase, Popping):
        return {
            pop: _naksu_share(state.die.face, pop.face) for pop in actions if isinstance(pop, Pop)
        }
    return {action: Fraction(1, len(actions)) for action in actions}


def presser(state: State, action: Action) -> Seat | None:
    """Every seat presses for its own starting pop (4)."""
    return seat_of(action.seat_letter) if isinstance(action, Lot) else None


def _naksu_share(before: int, face: int) -> Fraction:
    """A dome likes to turn the die over (R28)."""
    share = 10 if face == before else 22 if face == OPPOSITE_FACES[before] else 17
    return Fraction(share, 100)


# What may be done


def actor_of(options: Options, state: State, action: Action) -> Actor:
    match action:
        case Pop(team):
            return CHANCE if _has_dome(options) else team
        case Lot(chair):
            return CHANCE if _has_dome(options) else seat_of(chair)
        case SilentLot(chair) | StickyLot(chair):
            return seat_of(chair)
        case WarmPop():
            return CHANCE
        case Colour(chair):
            return seat_of(chair)
        case Break() | Resume():
            return REFEREE
        case BookedWin(why=str()):
            return REFEREE
        case Church() | ResetPop() | Note():
            return TEAMS[0]
    if isinstance(action, Ruling):
        return REFEREE
    return entries.entered_team(action) if isinstance(action, BookEntry) else action.team


def why_not(options: Options, state: State, actor: Actor, action: Action) -> Refusal | None:
    if isinstance(action, Ruling):
        if actor != REFEREE:
            return message("as-kimble.referee-only", "12.5")
        return rulings.why_not_ruling(state, action)
    if isinstance(state.phase, GameOver):
        return message("as-kimble.over", "13")
    if isinstance(action, Note):
        return None
    if isinstance(action, WarmPop):
        return preparation.why_not_warm(state)
    if isinstance(action, Hembo | Completion | Break | Resume | PhysicalEvent | BookEntry):
        if isinstance(state.phase, Lots | Colours) and not _is_mishap_of_lots(
            options, state, action
        ):
            return message("as-kimble.preparing", "4")
        return _why_not_anytime(options, state, actor, action)
    return _why_not_turn(options, state, actor, action)


def _is_mishap_of_lots(options: Options, state: State, action: Action) -> bool:
    """True for what may happen to a starting pop (12.2)."""
    is_drawn = isinstance(state.phase, Lots) and not _has_dome(options)
    return is_drawn and isinstance(action, Church | LotEvent)


def _why_not_anytime(
    options: Options,
    state: State,
    actor: Actor,
    action: Hembo | Completion | Break | Resume | PhysicalEvent | BookEntry,
) -> Refusal | None:
    match action:
        case Hembo(team) | Completion(team):
            if actor != team:
                return message("as-kimble.for-another", "17", seat=team)
            if isinstance(action, Hembo):
                return hembo.why_not_hembo(options)
            return why_not_done(options, state, action)
        case Break() | Resume():
            if not _may_call_break(options, actor):
                return message("as-kimble.break-agreed", "12.5")
            if state.is_break == isinstance(action, Break):
                kind = "in-a-break" if state.is_break else "no-break"
                return message(f"as-kimble.{kind}", "12.3")
            return None
    if isinstance(action, BookEntry):
        if isinstance(action, BookedWin) and action.why is not None and actor != REFEREE:
            return message("as-kimble.referee-only", "12.5")
        return entries.why_not_enter(options, state, action)
    return rulings.why_not_physical(options, state, action)


EXPECTED_BY_PHASE: dict[type[Phase], tuple[tuple[type[Action], ...], str, str]] = {
    Lots: ((Lot,), "as-kimble.lots-first", "4"),
    Colours: ((Colour,), "as-kimble.colour-first", "4"),
    Popping: ((Pop, PassOn), "as-kimble.pop-first", "5"),
    Choosing: ((Enter, Move, Double, Raise, Propose, PassOn), "as-kimble.choose-first", "5.1"),
    Voting: ((Vote,), "as-kimble.vote-first", "9.3"),
    Returning: ((Return,), "as-kimble.return-first", "9.2"),
}
"""The actions that each phase asks for, and the refusal of anything else."""


def _why_not_turn(options: Options, state: State, actor: Actor, action: Action) -> Refusal | None:
    if state.is_break:
        return message("as-kimble.in-a-break", "12.3")
    if state.die.wanted_face:
        return message("as-kimble.reset-first", "12.2", number=state.die.wanted_face)
    kinds, id, paragraph = EXPECTED_BY_PHASE[type(state.phase)]
    if not isinstance(action, kinds):
        return message(id, paragraph)
    waiting = acting_letters(state)
    who = action.seat_letter if isinstance(action, Lot | Colour) else _team_of(action)
    if who not in waiting:
        if isinstance(action, Lot) and isinstance(state.phase, Lots):
            return preparation.why_not_lot(state.phase, action)
        if isinstance(action, Colour) and isinstance(state.phase, Colours):
            return preparation.why_not_colour(state.phase, action)
        return message("as-kimble.not-your-turn", "5", seat=waiting[:1])
    if actor not in _allowed_actors(options, action):
        if _has_dome(options) and isinstance(action, Pop | Lot):
            return message("as-kimble.dome-answers", "17")
        return message(
            "as-kimble.for-another", "17", seat=seat_of(who) if who in SEAT_LETTERS else who
        )
    return _why_not_choice(options, state, action)


def _team_of(action: Action) -> str:
    assert isinstance(action, Pop | Choice | Vote | Return)
    return action.team


def _allowed_actors(options: Options, action: Action) -> tuple[Actor, ...]:
    """The actors that may do a turn action: chance where there is a dome, else whose it is."""
    match action:
        case Pop(team):
            return (CHANCE,) if _has_dome(options) else (team,)
        case Lot(chair):
            return (CHANCE,) if _has_dome(options) else (seat_of(chair),)
        case Colour(chair):
            return (seat_of(chair),)
    return (_team_of(action),)


def _why_not_choice(options: Options, state: State, action: Action) -> Refusal | None:
    phase = state.phase
    if isinstance(action, Return):
        return raising.why_not_return(state, action)
    if isinstance(phase, Popping) and isinstance(action, PassOn):
        return None if _may_pass(state, action.team) else message("as-kimble.must-pop", "5.2")
    if not isinstance(phase, Choosing):
        return None
    number, side = phase.number, side_of(state, phase.team)
    match action:
        case Enter():
            return why_not_enter(side, number)
        case Move():
            return why_not_move(state, action, number)
        case Double():
            return why_not_double(side, number)
        case Raise(team, goal):
            if number != SIX:
                return message("as-kimble.raise-six", "9.1", n=number)
            refusal = why_not_raise(options, state, team)
            return refusal or raising.why_not_goal(options, state, team, goal)
        case Propose(team):
            if number != SIX:
                return message("as-kimble.raise-six", "9.1", n=number)
            if phase.is_refused:
                return message("as-kimble.refused-now", "9.3")
            return why_not_propose(options, state, team)
        case PassOn():
            listed = choices(options, state, phase.team, number, phase.is_refused)
            return None if action in listed else message("as-kimble.must-move", "5.1")
    return None


# What it leads to


def resolve(options: Options, state: State, actor: Actor, action: Action) -> Result[State, Action]:
    if refusal := why_not(options, state, actor, action):
        raise Refused(refusal)
    was_over = isinstance(state.phase, GameOver)
    after, told = _apply_action(options, state, actor, action)
    if (over := outcome(after)) and not was_over:
        told = [*told, Event(over.why)]
    return Result(action, after, tuple(told), seat_changes=_seat_changes(action))


def _seat_changes(action: Action) -> dict[Seat, Seat]:
    """Once a colour is taken every chair has its own, and whoever sits there goes with it (4)."""
    if not isinstance(action, Colour):
        return {}
    teams = colours_from(action.seat_letter, action.team)
    return {seat_of(chair): team for chair, team in teams.items()}


def _apply_action(options: Options, state: State, actor: Actor, action: Action) -> Change:
    match action:
        case Note(text):
            return rulings.write_note(state, text)
        case WarmPop():
            return preparation.loosen_dome(state, action)
        case Hembo():
            return hembo.call_hembo(options, state, action)
        case Completion():
            return report_completion(state, action)
        case Break():
            return rulings.take_break(options, state)
        case Resume():
            return rulings.resume(state)
        case Church():
            return rulings.note_church(state)
        case SilentPop() | SilentLot():
            return rulings.note_silent_pop(state, action)
        case StickyLot(chair):
            assert state.die.face is not None
            after, told = _apply_turn_action(options, state, Lot(chair, state.die.face))
            return after, [Event(message("as-kimble.sticky-lot", "12.2", chair=chair)), *told]
        case StickyPop(team):
            assert state.die.face is not None
            after, told = _apply_turn_action(options, state, Pop(team, state.die.face))
            return after, [Event(message("as-kimble.sticky", "12.2", seat=team)), *told]
        case StrayPop():
            return rulings.note_stray_pop(options, state, action)
        case IgnoredBreak(team):
            return rulings.punish_ignored_break(options, state, team)
        case ResetPop(face):
            return rulings.reset_die(state, face)
    if isinstance(action, Ruling):
        return rulings.apply_ruling(state, action)
    if isinstance(action, BookEntry):
        return entries.enter(options, state, action)
    return _apply_turn_action(options, state, action)


def _apply_turn_action(options: Options, state: State, action: Action) -> Change:
    match action, state.phase:
        case Lot(), Lots() as phase:
            return preparation.draw_lot(options, state, phase, action)
        case Colour(), Colours() as phase:
            return preparation.choose_colour(state, phase, action)
        case Pop(team, face), Popping(_, pops, is_new):
            return pop(options, state, team, face, pops, is_new)
        case PassOn(team), Popping():
            after, told = pass_turn(options, state, team)
            return after, [Event(message("as-kimble.passed", "5.2", seat=team)), *told]
        case Vote(), Voting() as phase:
            return raising.vote(options, state, phase, action)
        case Return(), Returning() as phase:
            return raising.give_back(options, state, phase, action)
        case _, Choosing(team, number):
            return _apply_choice(options, state, team, number, action)
    raise AssertionError("refused above")


def _apply_choice(options: Options, state: State, team: str, number: int, action: Action) -> Change:
    match action:
        case Raise():
            return raising.raise_piece(options, state, action)
        case Propose():
            return raising.propose(state, action)
        case PassOn():
            after, told = pop_again(options, state, team)
            return after, [Event(message("as-kimble.passed-six", "5.1", seat=team)), *told]
    mined = False
    if isinstance(action, Double):
        after, told = double_piece(state, action)
    else:
        assert isinstance(action, Enter | Move)
        mined = is_mine_move(state, action)
        after, told = make_move(options, state, action)
        after, told = end_if_won(after, team, told)
    if isinstance(after.phase, GameOver):
        return after, told
    after, more = continue_turn(options, after, team, number, mined)
    return after, [*told, *more]
