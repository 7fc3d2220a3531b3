"""Offers in a turn: those of one man, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from kibitz.core.game import Mark, Offer
from kibitz.core.message import Message, Value, message
from kibitz.core.offer_rows import HOLES, OfferRow, make_row, take_apart
from kibitz.games.kahmate.actions import End, Force, Kick, Pass, Play, Step, Tackle
from kibitz.games.kahmate.board import IN_GOAL, NAMES, PLACES, file_of, is_in_goal, name_of
from kibitz.games.kahmate.notation import write_action
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.rules import (
    interceptors,
    kind_message,
    man_at,
    resolve,
    tries_needed,
)
from kibitz.games.kahmate.state import SEATS, BallDrawing, MatchOver, State, other_side
from kibitz.games.kahmate.ui.paths import RunArea, RunPath, paths_in, run_area, takes_ball_along
from kibitz.games.kahmate.ui.phrases import ChosenMan, attack_text, chosen_man, defence_text


def man_rows(
    options: Options, state: State, at: int, plays: Sequence[Play], occupied: int
) -> list[OfferRow]:
    """The offers of one man. Where places coincide the chooser lists them in this order."""
    he = chosen_man(state, at, plays)
    first = tuple([play.target for play in plays if type(play) is Step])
    found, run_to = list[OfferRow](), frozenset[int]()
    if first:
        around = run_area(state, at, he.points, occupied)
        home, wins = IN_GOAL[state.turn], is_winning_try(options, state)
        runs, run_to = _run_rows(he, around, first, home, wins)
        found += runs
    for play in plays if len(plays) > len(first) else ():
        match play:
            case Pass():
                found.append(take_apart(_pass_offer(options, state, play, he)))
            case Tackle() | Force():
                found.append(take_apart(_attack_offer(state, play, he)))
            case Kick():
                from_man, from_button = _kick_rows(he, play.target)
                if play.target not in run_to:  # There the button is for kicks.
                    found.append(from_man)
                found.append(from_button)
    return found


@lru_cache(maxsize=1 << 12)
def _run_rows(
    he: ChosenMan, around: RunArea, first: tuple[int, ...], home: int, wins: bool
) -> tuple[tuple[OfferRow, ...], frozenset[int]]:
    """Put together once for as long as nothing changes around a man; and where they lead."""
    paths = {to: way for to, way in paths_in(around).items() if way[1] in first}
    man, is_ball_near = he.without_square, around.loose is not None
    rows = [
        _run_row(man, way, _ball_word(around, target, way) if is_ball_near else "", home, wins)
        for target, way in paths.items()
    ]
    return tuple(rows), frozenset(paths)


def _ball_word(around: RunArea, target: int, way: RunPath) -> str:
    """The fate of a loose ball: the run ends there, or takes it along."""
    if target == around.loose:
        return "fetch"
    return "carry" if takes_ball_along(around, way) else ""


@lru_cache(maxsize=1 << 14)
def _run_row(man: ChosenMan, way: RunPath, ball: str, home: int, wins: bool) -> OfferRow:
    """The run of a man along a way, wherever else he could stand."""
    origin, target, end = way[0], way[-1], ""
    if is_in_goal(target):
        end = "fetch" if file_of(target) == home else "win" if wins else "try"
    form = _run_form(man, len(way) - 1, ball, end)
    names = PLACES[origin], NAMES[origin], PLACES[target], NAMES[target]
    return make_row(form, (*names, *_way_texts(way)))


@lru_cache(maxsize=1 << 14)
def _way_texts(way: RunPath) -> tuple[str, ...]:
    """The actions of a run, and the places on its way; the same whoever runs."""
    steps = [write_action(Step(a, b)) for a, b in pairwise(way)]
    return *steps, *[PLACES[each] for each in way]


@lru_cache(maxsize=1 << 10)
def _run_form(he: ChosenMan, steps: int, ball: str, end: str) -> Offer:
    """A run with signs in the place of squares; `end` tells of one that ends in an in-goal."""
    origin, origin_name, target, name, *rest = HOLES
    left, kind = he.points - steps, "step" if steps == 1 else "run"
    ids = {"": f"kahmate.{kind}", "fetch": f"kahmate.{kind}-fetch", "carry": "kahmate.run-carry"}
    label = message(f"kahmate.offer-{kind}", "4.1", square=name, n=steps)
    sentence = message(ids[ball], "4.1", square=name, n=steps, left=left)
    if end:
        label, sentence = fetch_words(name) if end == "fetch" else try_words(end == "win", name)
        kind = "run" if end == "fetch" else "try"
    dot = Mark("dot", (target,), str(left), after=1)
    route = Mark("way", tuple(rest[steps : 2 * steps + 1]), after=2)
    return Offer(
        actions=tuple(rest[:steps]),
        path=(origin, target),
        kind=kind,
        label=label,
        prompts=(he.message_at(origin_name), sentence),
        marks=(dot, route) if steps > 1 else (dot,),
        can_be_undone=kind != "try",
    )


def is_winning_try(options: Options, state: State) -> bool:
    return state.score[SEATS.index(state.turn)] + 1 == tries_needed(options, state)


def try_words(wins: bool, square: str) -> tuple[Message, Message]:
    """The button and the sentence for carrying the ball into the far in-goal."""
    id = "kahmate.score-try-wins" if wins else "kahmate.score-try"
    return message("kahmate.offer-try", "9"), message(id, "9", square=square)


def fetch_words(square: str) -> tuple[Message, Message]:
    """The button and the sentence for taking the ball out of one's own in-goal."""
    return (
        message("kahmate.offer-fetch", "5.4", square=square),
        message("kahmate.fetch", "5.4", square=square),
    )


def _attack_offer(state: State, play: Tackle | Force, he: ChosenMan) -> Offer:
    verb, paragraph = ("tackle", "6") if isinstance(play, Tackle) else ("force", "7")
    path, square = (PLACES[play.origin], PLACES[play.target]), name_of(play.target)
    sentence = message(
        f"kahmate.{verb}",
        paragraph,
        square=square,
        attack=attack_text(state, play.origin),
        defence=defence_text(state, play.target),
        man=kind_message(man_at(state, play.origin)),
    )
    return Offer(
        actions=(write_action(play),),
        path=path,
        kind=verb,
        label=message(f"kahmate.offer-{verb}", paragraph, square=square),
        prompts=(he.message, sentence),
        marks=(Mark("attack", path[1:], verb, after=1), Mark("arrow", path, after=2)),
        needs_confirmation=True,
    )


def _pass_offer(options: Options, state: State, play: Pass, he: ChosenMan) -> Offer:
    path, square = (PLACES[play.origin], PLACES[play.target]), name_of(play.target)
    between = interceptors(options, state, play.origin, play.target)
    line = (*path, *(PLACES[at] for at in between))
    mark = "risk" if between else "pass"
    return Offer(
        actions=(write_action(play),),
        path=path,
        kind="pass",
        label=message("kahmate.offer-pass", "5.1", square=square),
        prompts=(he.message, _pass_prompt(state, play, between)),
        marks=(Mark(mark, line, after=1), Mark(mark, line, after=2)),
    )


def _pass_prompt(state: State, play: Pass, between: Sequence[int]) -> Message:
    man = kind_message(man_at(state, play.target))
    values: dict[str, Value] = {"man": man, "square": name_of(play.target)}
    names = [name_of(at) for at in between]
    if not between:
        return message("kahmate.pass-safe", "5.1", **values)
    if len(between) > 1:
        return message("kahmate.pass-risks", "5.2", **values, first=names[0], second=names[1])
    odds = {"attack": attack_text(state, play.origin), "defence": defence_text(state, between[0])}
    return message("kahmate.pass-risk", "5.2", **values, first=names[0], **odds)


@lru_cache(maxsize=1 << 12)
def _kick_rows(he: ChosenMan, target: int) -> tuple[OfferRow, OfferRow]:
    """From the man, and from the button."""
    name, at = name_of(target), PLACES[target]
    texts = (write_action(Kick(he.square, target)),)
    label = message("kahmate.offer-kick", "5.3", square=name)
    guide = message("kahmate.kicking", "5.3", square=name_of(he.square))
    sentence = message("kahmate.kick", "5.3", square=name)
    if is_in_goal(target):
        sentence = message("kahmate.kick-over-line", "5.4", square=name)
    quiet, area = Mark("quiet", (at,), after=1), Mark("area", (at,), after=1)
    path = PLACES[he.square], at
    return (
        take_apart(Offer(texts, path, "kick", label, (he.message, sentence), (quiet,))),
        take_apart(Offer(texts, ("btn-kick", at), "kick", label, (guide, sentence), (area,))),
    )


def end_offer(options: Options, state: State, can_play: bool) -> Offer:
    """Ending a turn in which nobody has moved is asked about, while somebody can."""
    label, is_idle = message("kahmate.offer-end", "4.2"), not state.movers
    return Offer(
        actions=(write_action(End()),),
        path=("btn-end",),
        kind="end",
        label=label,
        prompts=(_end_prompt(options, state, is_idle and can_play),),
        needs_confirmation=is_idle and can_play,
    )


def _end_prompt(options: Options, state: State, is_idle: bool) -> Message:
    """The prompt that says what comes of ending the turn now."""
    match resolve(options, state, state.turn, End()).state.phase:
        case MatchOver():
            return message("kahmate.end-last", "9.1")
        case BallDrawing():
            return message("kahmate.end-stale", "9.2", n=options.hold_limit)
    id = "kahmate.end-idle" if is_idle else "kahmate.end"
    return message(id, "4.2", seat=other_side(state.turn))
