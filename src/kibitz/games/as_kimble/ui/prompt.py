"""Prompts: what there is to do now, what is being waited for, and what is always shown."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.core.caching import cache_latest
from kibitz.core.game import Viewer
from kibitz.core.message import Message, Value, message
from kibitz.games.as_kimble.actions import Choice, Double, Enter, Move, PassOn, Propose, Raise
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.options import ALCOHOL, Options
from kibitz.games.as_kimble.rules.dispatch import seat_of
from kibitz.games.as_kimble.rules.hembo import OWING_MARK
from kibitz.games.as_kimble.rules.moves import is_mine_move, size_message
from kibitz.games.as_kimble.rules.preparation import seats_due
from kibitz.games.as_kimble.rules.rulings import break_cost_message
from kibitz.games.as_kimble.rules.turn import choices, voters
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
    mark_of,
    piece_at,
    side_of,
)
from kibitz.games.as_kimble.ui.phrases import (
    and_list,
    in_sequence,
    or_list,
    sentence_of,
    team_message,
)
from kibitz.games.as_kimble.view import View


def hint(options: Options, view: View, viewer: Viewer) -> Message:
    """The sentence, where it is owed, comes before everything else."""
    state = view.state
    now = _phase_hint(options, state, viewer)
    if (
        viewer in TEAMS
        and mark_of(state, viewer) == OWING_MARK
        and not isinstance(state.phase, GameOver)
    ):
        return in_sequence(_hembo_hint(options, state.phase, viewer), now)
    return now


def _hembo_hint(options: Options, phase: Phase, team: str) -> Message:
    pops_next = isinstance(phase, Popping) and phase.is_new and phase.team == team
    id = "as-kimble.hint-say-first" if pops_next else "as-kimble.hint-say"
    return message(id, "10.3", sentence=sentence_of(options, team))


def _phase_hint(options: Options, state: State, viewer: Viewer) -> Message:
    if state.is_break:
        return _break_hint(options)
    if state.die.wanted_face:
        return message("as-kimble.hint-reset", "12.2", number=state.die.wanted_face)
    match state.phase:
        case Lots() as phase:
            return _lots_hint(options, phase, viewer)
        case Colours(lowest):
            id = "as-kimble.hint-colour" if viewer == seat_of(lowest) else "as-kimble.hint-colours"
            return message(id, "4", chair=lowest)
        case Popping() as phase:
            return _pop_hint(options, state, phase, viewer)
        case Choosing() as phase:
            return _choice_hint(options, state, phase, viewer)
        case Voting() as phase:
            return _vote_hint(state, phase, viewer)
        case Returning(team, pending):
            if viewer in pending:
                return message("as-kimble.hint-return", "9.2", seat=team)
            waiting = and_list([team_message(each) for each in pending])
            return message("as-kimble.hint-wait-return", "9.2", seat=team, teams=waiting)
        case GameOver():
            return message("as-kimble.over", "13")


def _break_hint(options: Options) -> Message:
    """Around a real board with the price of ignoring it; on a screen nobody can."""
    halted = message("as-kimble.hint-break", "12.3")
    if options.mode != "companion":
        return halted
    return in_sequence(halted, break_cost_message(options, "as-kimble.hint-break-costs"))


def _lots_hint(options: Options, phase: Lots, viewer: Viewer) -> Message:
    waiting = seats_due(phase)
    if viewer in map(seat_of, waiting):
        if options.mode == "companion":
            return message("as-kimble.hint-lot", "4")
        is_tied = bool(phase.pops[TEAMS.index(viewer)])
        return message(f"as-kimble.hint-press-{'again' if is_tied else 'lot'}", "4")
    return message("as-kimble.hint-lots", "4", chairs=and_list(waiting), n=len(waiting))


def _pop_hint(options: Options, state: State, phase: Popping, viewer: Viewer) -> Message:
    if viewer != phase.team:
        return message("as-kimble.hint-wait-pop", "5", seat=phase.team, n=phase.pops)
    if side_of(state, viewer).is_placed:
        return message("as-kimble.hint-placed", "5.2", n=book_of(state, viewer).owed)
    id = "as-kimble.hint-pop" if options.mode == "digital" else "as-kimble.hint-report"
    return message(id, "5", n=phase.pops)


def _choice_hint(options: Options, state: State, phase: Choosing, viewer: Viewer) -> Message:
    team, number = phase.team, phase.number
    if viewer != team:
        return message("as-kimble.hint-wait-play", "5.1", seat=team, number=number)
    found = choices(options, state, team, number, phase.is_refused)
    verbs: dict[Value, None] = dict.fromkeys(_verb(state, choice) for choice in found)
    return message("as-kimble.hint-choose", "5.1", number=number, verbs=or_list([*verbs]))


def _verb(state: State, choice: Choice) -> Message:
    match choice:
        case Enter():
            return message("as-kimble.can-enter")
        case Move():
            is_mine = is_mine_move(state, choice)
            return message("as-kimble.can-mine" if is_mine else "as-kimble.can-move")
        case Double(team):
            piece = piece_at(side_of(state, team), 0)
            assert piece is not None
            return message("as-kimble.can-double", piece=size_message(piece.size + 1))
        case Raise():
            return message("as-kimble.can-raise")
        case Propose():
            return message("as-kimble.can-propose")
        case PassOn():
            return message("as-kimble.can-leave")


def _vote_hint(state: State, phase: Voting, viewer: Viewer) -> Message:
    values: dict[str, Value] = {"seat": phase.team, "round": state.raises.round + 1}
    waiting = voters(phase)
    if viewer in waiting:
        return message("as-kimble.hint-vote", "9.3", **values)
    teams = and_list([team_message(each) for each in waiting])
    return message("as-kimble.hint-wait-vote", "9.3", **values, teams=teams)


# Beside the board


def status(options: Options, view: View) -> tuple[Message, ...]:
    """The turn, the round of raising, and what holds up play: the same for everybody."""
    return _status(options, view.state)


@cache_latest(256)
def _status(options: Options, state: State) -> tuple[Message, ...]:
    found = [_turn_status(state)]
    if options.raising and not isinstance(state.phase, Lots | Colours):
        found.append(_round_status(state))
    if state.die.wanted_face:
        found.append(message("as-kimble.status-reset", "12.2", number=state.die.wanted_face))
    if state.is_break:
        found.append(message("as-kimble.status-break", "12.3"))
    return (*found, *_unit_status(options, state))


def _unit_status(options: Options, state: State) -> Iterator[Message]:
    """The penalty's unit, where it is not the neutral one, and how much was had so far (11.3)."""
    if options.unit in ALCOHOL:
        yield message("as-kimble.status-adults", "11.4")
    if options.unit != "units":
        kind = message(f"as-kimble.unit-{options.unit}", "11.3", name=options.unit_name or "")
        yield message("as-kimble.status-unit", "11.3", unit=kind, factor=float(options.unit_factor))
    for team in TEAMS:
        each = options.litres(team, book_of(state, team).done) / options.size_of(team)
        if each:
            yield message("as-kimble.status-litres", "11.3", seat=team, litres=round(each, 2))


def _turn_status(state: State) -> Message:
    match state.phase:
        case Lots():
            return message("as-kimble.status-lots", "4")
        case Colours(lowest):
            return message("as-kimble.status-colours", "4", chair=lowest)
        case Popping(team, pops):
            return message("as-kimble.status-pop", "5", seat=team, n=pops)
        case Choosing(team, number):
            return message("as-kimble.status-play", "5.1", seat=team, number=number)
        case Voting(team):
            return message("as-kimble.status-vote", "9.3", seat=team, round=state.raises.round + 1)
        case Returning(team):
            return message("as-kimble.status-return", "9.2", seat=team)
        case GameOver(str() as winner):
            return message("as-kimble.status-won", "13", seat=winner)
        case GameOver():
            return message("as-kimble.status-ended", "13")


def _round_status(state: State) -> Message:
    raises = state.raises
    if not raises.teams:
        return message("as-kimble.status-round", "9.3", round=raises.round)
    teams = and_list([team_message(team) for team in raises.teams])
    return message("as-kimble.status-raised", "9.3", round=raises.round, teams=teams)
