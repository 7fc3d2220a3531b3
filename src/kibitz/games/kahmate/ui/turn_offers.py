"""Offers in a turn: those of one man, and the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from kibitz.core.game import Mark, Offer
from kibitz.core.message import Message, Value, message
from kibitz.games.kahmate.actions import End, Force, Kick, Pass, Play, Step, Tackle
from kibitz.games.kahmate.board import IN_GOAL, PLACES, file_of, is_in_goal, name_of
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


def man_offers(options: Options, state: State, at: int, plays: Sequence[Play]) -> Iterator[Offer]:
    """The offers of one man. Where places coincide the chooser lists them in this order."""
    he = chosen_man(state, at, plays)
    first = tuple(play.target for play in plays if isinstance(play, Step))
    runs: tuple[Offer, ...] = ()
    if first:
        around = run_area(state, at, he.points)
        home, wins = IN_GOAL[state.turn], is_winning_try(options, state)
        runs = _run_offers(he, around, first, home, wins)
    yield from runs
    run_to = {offer.path[1] for offer in runs}
    for play in plays:
        match play:
            case Pass():
                yield _pass_offer(options, state, play, he)
            case Tackle() | Force():
                yield _attack_offer(state, play, he)
            case Kick():
                from_man, from_button = _kick_offers(he, play.target)
                if from_man.path[1] not in run_to:  # There the button is for kicks.
                    yield from_man
                yield from_button


@lru_cache(maxsize=1 << 12)
def _run_offers(
    he: ChosenMan, around: RunArea, first: tuple[int, ...], home: int, wins: bool
) -> tuple[Offer, ...]:
    """Put together once for as long as nothing changes around a man."""
    return tuple(
        _run_offer(he, way, _ball_word(around, target, way), home, wins)
        for target, way in paths_in(around).items()
        if way[1] in first
    )


def _ball_word(around: RunArea, target: int, way: RunPath) -> str:
    """The fate of a loose ball: the run ends there, or takes it along."""
    if target == around.loose:
        return "fetch"
    return "carry" if takes_ball_along(around, way) else ""


@lru_cache(maxsize=1 << 14)
def _run_offer(he: ChosenMan, way: RunPath, ball: str, home: int, wins: bool) -> Offer:
    target = way[-1]
    texts, marks, kind, label, sentence = _run_parts(way, he.points, ball)
    if is_in_goal(target):
        is_fetched = file_of(target) == home
        words = fetch_words(target) if is_fetched else try_words(wins, target)
        kind, (label, sentence) = "run" if is_fetched else "try", words
    path = (PLACES[he.square], PLACES[target])
    prompts = (he.message, sentence)
    return Offer(texts, path, kind, label, prompts, marks, can_be_undone=kind != "try")


@lru_cache(maxsize=1 << 14)
def _run_parts(
    way: RunPath, points: int, ball: str
) -> tuple[tuple[str, ...], tuple[Mark, ...], str, Message, Message]:
    """All that is the same whoever runs there; put together once, for there are many of them."""
    target, steps = way[-1], len(way) - 1
    name, left = name_of(target), points - steps
    kind = "step" if steps == 1 else "run"
    ids = {"": f"kahmate.{kind}", "fetch": f"kahmate.{kind}-fetch", "carry": "kahmate.run-carry"}
    dot = Mark("dot", (PLACES[target],), str(left), after=1)
    route = Mark("way", tuple(PLACES[each] for each in way), after=2)
    return (
        tuple(write_action(Step(a, b)) for a, b in pairwise(way)),
        (dot, route) if steps > 1 else (dot,),
        kind,
        message(f"kahmate.offer-{kind}", "4.1", square=name, n=steps),
        message(ids[ball], "4.1", square=name, n=steps, left=left),
    )


def is_winning_try(options: Options, state: State) -> bool:
    return state.score[SEATS.index(state.turn)] + 1 == tries_needed(options, state)


def try_words(wins: bool, target: int) -> tuple[Message, Message]:
    """The button and the sentence for carrying the ball into the far in-goal."""
    id = "kahmate.score-try-wins" if wins else "kahmate.score-try"
    return message("kahmate.offer-try", "9"), message(id, "9", square=name_of(target))


def fetch_words(target: int) -> tuple[Message, Message]:
    """The button and the sentence for taking the ball out of one's own in-goal."""
    name = name_of(target)
    return (
        message("kahmate.offer-fetch", "5.4", square=name),
        message("kahmate.fetch", "5.4", square=name),
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
def _kick_offers(he: ChosenMan, target: int) -> tuple[Offer, Offer]:
    """From the man, and from the button."""
    name, at = name_of(target), PLACES[target]
    texts = (write_action(Kick(he.square, target)),)
    label = message("kahmate.offer-kick", "5.3", square=name)
    guide = message("kahmate.kicking", "5.3", square=name_of(he.square))
    sentence = message("kahmate.kick", "5.3", square=name)
    if is_in_goal(target):
        sentence = message("kahmate.kick-over-line", "5.4", square=name)
    quiet, area = Mark("quiet", (at,), after=1), Mark("area", (at,), after=1)
    return (
        Offer(texts, (PLACES[he.square], at), "kick", label, (he.message, sentence), (quiet,)),
        Offer(texts, ("btn-kick", at), "kick", label, (guide, sentence), (area,)),
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
