"""The offers of an AS-Kimble board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from kibitz.core.game import CHANCE, Mark, Offer
from kibitz.core.message import Message, Value, message
from kibitz.games.as_kimble.actions import (
    Action,
    Break,
    Choice,
    Colour,
    Completion,
    Hembo,
    Lot,
    PassOn,
    Pop,
    ResetPop,
    Resume,
    Return,
    Vote,
)
from kibitz.games.as_kimble.board import PIECES, goal_place, home_place
from kibitz.games.as_kimble.notation import write_action
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules import resolve, to_act
from kibitz.games.as_kimble.rules.hembo import NO_MARK, OWING_MARK, SAID_MARK, SENTENCES, form_of
from kibitz.games.as_kimble.state import (
    Choosing,
    GameOver,
    Popping,
    State,
    Voting,
    book_of,
    mark_of,
    side_of,
)
from kibitz.games.as_kimble.ui.intent import intent
from kibitz.games.as_kimble.ui.mishap_offers import mishap_offers
from kibitz.games.as_kimble.ui.phrases import in_sequence, sentence_of
from kibitz.games.as_kimble.ui.prompt import hint, status
from kibitz.games.as_kimble.ui.turn_offers import number_offers
from kibitz.games.as_kimble.view import View

DOME_KEY, HEMBO_KEY = " ", "h"

__all__ = ["hint", "intent", "offers", "status"]
FEW_PENALTIES = 3
"""So many penalties are done one by one; more are mostly done all at once."""


def offers(options: Options, view: View, actions: Sequence[Action]) -> tuple[Offer, ...]:
    """Every way of touching one of these actions, the dome for whose turn it is, and mishaps.

    What the turn asks for comes first and what can wait comes last: few buttons have room.
    """
    state, viewer = view.state, view.viewer
    calls, done, pauses, turn = list[Hembo](), list[Completion](), list[Offer](), list[Action]()
    for action in actions:
        if isinstance(action, Hembo):
            calls.append(action)
        elif isinstance(action, Completion):
            done.append(action)
        elif isinstance(action, Break | Resume):
            pauses.append(_break_offer(action))
        else:
            turn.append(action)
    acting = to_act(options, state)
    return (
        *([_press_offer()] if CHANCE in acting and viewer in acting else ()),
        *(_turn_offers(options, view, turn) if turn else ()),
        *(_call_offers(options, view, calls) if calls else ()),
        *(_completion_offers(options, state, done) if done else ()),
        *(mishap_offers(options, state, viewer) if options.mode == "companion" else ()),
        *pauses,
    )


def _turn_offers(options: Options, view: View, actions: Sequence[Action]) -> Iterator[Offer]:
    state, phase = view.state, view.state.phase
    # Whoever is not reminded is told nothing of a duty that comes of an action, either (10.5).
    told = options if view.is_reminded else replace(options, hembo="off")
    if isinstance(phase, Choosing):
        choices = [action for action in actions if isinstance(action, Choice)]
        yield from number_offers(told, state, phase.number, choices)
    for action in actions:
        match action, phase:
            case ((Lot() | Pop() | ResetPop()), _):
                yield _face_offer(action)
            case Colour(), _:
                yield _colour_offer(action)
            case PassOn(), Popping():
                yield _pass_offer(options, state, action)
            case Vote(), Voting() as vote:
                yield _vote_offer(state, vote, action)
            case Return(), _:
                yield _return_offer(told, state, action)


# The dome


@cache
def _press_offer() -> Offer:
    """Chance answers, not whoever presses."""
    label = message("as-kimble.offer-pop", "5")
    return Offer((), ("dome",), "pop", label, (message("as-kimble.pop", "5"),), key=DOME_KEY)


def _face_offer(action: Lot | Pop | ResetPop) -> Offer:
    """Around a real board somebody says what the die shows."""
    paragraph = {Lot: "4", Pop: "5", ResetPop: "12.2"}[type(action)]
    label = message("as-kimble.offer-shown", paragraph, number=action.face)
    sentence = message("as-kimble.shown", paragraph, number=action.face)
    if isinstance(action, Lot):
        values: dict[str, Value] = {"chair": action.seat_letter, "number": action.face}
        label = message("as-kimble.offer-lot", "4", **values)
        sentence = message("as-kimble.lot", "4", **values)
    kind = {Lot: "lot", Pop: "pop", ResetPop: "fix"}[type(action)]
    return Offer((write_action(action),), ("dome",), kind, label, (sentence,), key=DOME_KEY)


def _colour_offer(action: Colour) -> Offer:
    colour = message(f"as-kimble.seat-{action.team}")
    return Offer(
        actions=(write_action(action),),
        path=(home_place(action.team),),
        kind="colour",
        label=message("as-kimble.offer-colour", "4", colour=colour),
        prompts=(message("as-kimble.colour", "4", colour=colour),),
    )


def _pass_offer(options: Options, state: State, action: PassOn) -> Offer:
    """A team that is all placed leaves its turn (5.2)."""
    sentence = message("as-kimble.pass", "5.2")
    match resolve(options, state, action.team, action).state.phase:
        case Popping(next):
            sentence = message("as-kimble.pass-to", "5.2", seat=next)
        case GameOver(str() as winner):
            sentence = in_sequence(sentence, message("as-kimble.then-lose", "13", seat=winner))
    label = message("as-kimble.offer-pass", "5.2")
    return Offer((write_action(action),), ("btn-pass",), "leave", label, (sentence,))


# Raises of others


def _vote_offer(state: State, phase: Voting, action: Vote) -> Offer:
    answer = "yes" if action.is_yes else "no"
    round = state.raises.round + 1
    return Offer(
        actions=(write_action(action),),
        path=(f"btn-{answer}",),
        kind=answer,
        label=message(f"as-kimble.offer-{answer}", "9.3"),
        prompts=(message(f"as-kimble.vote-{answer}", "9.3", seat=phase.team, round=round),),
    )


def _return_offer(options: Options, state: State, action: Return) -> Offer:
    team, goal = action.team, action.goal
    path = goal_place(team, goal), home_place(team)
    sentence = message("as-kimble.return", "9.2", goal=goal)
    if options.hembo == "call" and side_of(state, team).home == PIECES - 1:
        due = message("as-kimble.then-hembo", "10.1", sentence=sentence_of(options, team))
        sentence = in_sequence(sentence, due)
    return Offer(
        actions=(write_action(action),),
        path=path,
        kind="return",
        label=message("as-kimble.offer-return", "9.2", goal=goal),
        prompts=(message("as-kimble.chosen-return", "9.2", goal=goal), sentence),
        marks=(Mark("dot", path[1:], after=1), Mark("arrow", path, after=2)),
    )


# Whoever's turn it is


def _call_offers(options: Options, view: View, calls: Sequence[Hembo]) -> tuple[Offer, ...]:
    """Both forms by one button, the right one first."""
    marks = [mark_of(view.state, each.team) if view.is_reminded else "" for each in calls]
    rights = [form_of(options, each.team) for each in calls]
    return _sorted_call_offers(tuple(calls), tuple(rights), tuple(marks))


@lru_cache(maxsize=1 << 10)
def _sorted_call_offers(
    calls: tuple[Hembo, ...], rights: tuple[str, ...], marks: tuple[str, ...]
) -> tuple[Offer, ...]:
    each_call = sorted(
        zip(calls, rights, marks, strict=True), key=lambda each: each[0].form != each[1]
    )
    return tuple([_call_offer(*each) for each in each_call])


def _call_offer(call: Hembo, right: str, mark: str) -> Offer:
    return Offer(
        actions=(write_action(call),),
        path=("btn-hembo",),
        kind="hembo",
        label=message("as-kimble.offer-hembo", "10.2", sentence=SENTENCES[call.form]),
        prompts=(_call_prompt(call, right, mark),),
        is_urgent=mark == OWING_MARK and call.form == right,
        is_always_shown=True,
        key=HEMBO_KEY,
    )


def _call_prompt(call: Hembo, right: str, mark: str) -> Message:
    """The prompt that says what comes of a call (10.2); without a mark, what may come of it."""
    values = {"sentence": SENTENCES[call.form]}
    if not mark:
        return message("as-kimble.call-unreminded", "10.2", **values)
    if mark == NO_MARK:
        return message("as-kimble.call-needless", "10.2", **values)
    if mark == SAID_MARK:
        return message("as-kimble.call-again", "10.2", **values)
    if call.form != right:
        return message("as-kimble.call-wrong", "10.2", **values, right=SENTENCES[right])
    return message("as-kimble.call-due", "10.2", **values)


def _completion_offers(
    options: Options, state: State, found: Sequence[Completion]
) -> Iterator[Offer]:
    """One by one or all at once; the numbers between come last."""
    for action in sorted(found, key=lambda each: FEW_PENALTIES < each.count < len(found)):
        owed = book_of(state, action.team).owed
        is_all, left = action.count == owed, owed - action.count
        label = message("as-kimble.offer-done", "11.1", n=action.count)
        sentence, wins = message("as-kimble.done", "11.1", n=action.count, left=left), False
        if is_all:
            sentence = message("as-kimble.done-all", "11.1", n=action.count)
            wins = isinstance(resolve(options, state, action.team, action).state.phase, GameOver)
            sentence = in_sequence(sentence, message("as-kimble.then-win", "13") if wins else None)
        if is_all and action.count > 1:
            label = message("as-kimble.offer-done-all", "11.1", n=action.count)
        yield Offer(
            (write_action(action),),
            ("btn-done",),
            "done",
            label,
            (sentence,),
            needs_confirmation=wins,
        )


@cache
def _break_offer(action: Break | Resume) -> Offer:
    word = "break" if isinstance(action, Break) else "resume"
    label = message(f"as-kimble.offer-{word}", "12.3")
    sentence = message(f"as-kimble.call-{word}", "12.3")
    return Offer((write_action(action),), (f"btn-{word}",), word, label, (sentence,))
