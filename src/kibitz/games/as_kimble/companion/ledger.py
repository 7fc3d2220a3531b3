"""The book without a board: what happened at the table, told in a few words (7 to 12).

    {"kind": "eaten", "eater": "R", "eater_times": 2, "victim": "B", "victim_times": 3}
    {"kind": "mine", "mover": "R", "times": 1, "mine_times": 2, "mine": "B"}
    {"kind": "raise", "team": "R", "victim": "B", "victim_times": 2}
    {"kind": "hembo", "team": "B", "how": "said"}      or missed, wrong, uncalled
    {"kind": "done", "team": "R", "n": 2}
    {"kind": "penalty", "team": "R", "n": -1, "why": "the board was bumped"}
    {"kind": "completed", "team": "R", "n": 1, "why": "nobody wrote it down"}
    {"kind": "note", "text": "pizza is here"}          likewise "ruling"
    {"kind": "break"}                                  likewise "resume"
    {"kind": "won", "team": "R"}
    {"kind": "end", "why": "it is late"}

Whose mine it was may be left out, and so may the victim of a raise that ate nobody. Each comes to
one text of the game (17), so it is all in the book or not at all.

What is written ends with who did it and the paragraph it rests on: `(R 7.2)` (marks.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from kibitz.core.message import Message, Refused, Say, message
from kibitz.games.as_kimble.actions import (
    Action,
    Break,
    Done,
    Note,
    RefDone,
    RefEnd,
    RefPen,
    RefRule,
    Resume,
)
from kibitz.games.as_kimble.board import PIECES, TEAMS
from kibitz.games.as_kimble.companion.ledger_tags import (
    CALL,
    DEADLINE,
    EATING,
    MINE,
    RAISING,
    WINNING,
    marked,
    with_mark,
)
from kibitz.games.as_kimble.notation import write_action
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import MOST
from kibitz.games.as_kimble.rules.hembo import SENTENCES, form_of
from kibitz.games.as_kimble.rules.moves import named
from kibitz.games.as_kimble.ui.phrases import of_team

LONGEST = 300
"""Of what somebody writes, in letters."""

Given: TypeAlias = Mapping[str, Any]
Entered: TypeAlias = tuple[Action, Message]
"""What is written, and how it is said to whoever writes it."""


def entry_texts(options: Options, entry: Given, say: Say) -> tuple[tuple[str, ...], str]:
    """The texts to send, and what they say; raises Refused for what is no entry."""
    kind = entry.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise Refused(message("as-kimble.ledger-kind", kinds=", ".join(KINDS)))
    needed, further, entered = KINDS[kind]
    for name in needed:
        if name not in entry:
            raise Refused(message("as-kimble.ledger-missing", name=name))
    for name in entry:
        if name not in ("kind", *needed, *further):
            raise Refused(message("as-kimble.ledger-unknown", name=str(name)[:60]))
    action, said = entered(options, entry, say)
    return (write_action(action),), say(said)


# 7  Eating


def _eaten(options: Options, given: Given, say: Say) -> Entered:
    eater, victim = _team(given, "eater"), _team(given, "victim")
    by, size = _times(given, "eater_times"), _times(given, "victim_times")
    if eater == victim:
        raise Refused(message("as-kimble.ledger-own", EATING, seat=eater))
    told = message("as-kimble.ledger-eaten", eater=of_team(eater, by), eaten=of_team(victim, size))
    return _penalty(victim, by * size, told, eater, EATING, say)


def _mine(options: Options, given: Given, say: Say) -> Entered:
    mover, size, by = _team(given, "mover"), _times(given, "times"), _times(given, "mine_times")
    owner = _team(given, "mine") if given.get("mine") is not None else ""
    if owner == mover:
        raise Refused(message("as-kimble.ledger-own-mine", MINE, seat=mover))
    mine = of_team(owner, by) if owner else named(by)
    told = message("as-kimble.ledger-mine", mover=of_team(mover, size), mine=mine)
    return _penalty(mover, size * by, told, owner or mover, MINE, say)


# 9  Raising


def _raise(options: Options, given: Given, say: Say) -> Entered:
    team = _team(given, "team")
    if not options.raising:
        raise Refused(message("as-kimble.raising-off", "15"))
    if given.get("victim") is None:
        told = message("as-kimble.ledger-raised", seat=team)
        return Note(_written(told, team, RAISING, say)), told
    victim, size = _team(given, "victim"), _times(given, "victim_times")
    if victim == team:
        raise Refused(message("as-kimble.ledger-own", RAISING, seat=team))
    told = message("as-kimble.ledger-raised-eating", seat=team, eaten=of_team(victim, size))
    return _penalty(victim, size, told, team, RAISING, say)


# 10  Hembo


def _hembo(options: Options, given: Given, say: Say) -> Entered:
    team, how = _team(given, "team"), given["how"]
    if options.hembo == "off":
        raise Refused(message("as-kimble.hembo-off", "15"))
    sentence = SENTENCES[form_of(options, team)]
    match how:
        case "said":
            told = message("as-kimble.hembo-said", seat=team, sentence=sentence)
            return Note(_written(told, team, CALL, say)), told
        case "missed":
            told = message("as-kimble.ledger-hembo-missed", seat=team)
            return _penalty(team, 1, told, team, DEADLINE, say)
        case "wrong":
            told = message("as-kimble.ledger-hembo-wrong", seat=team, sentence=sentence)
            return _penalty(team, 1, told, team, DEADLINE, say)
        case "uncalled":
            told = message("as-kimble.ledger-hembo-uncalled", seat=team)
            return _penalty(team, 1, told, team, CALL, say)
    raise Refused(message("as-kimble.ledger-how"))


# 11, 12  The book and the referee


def _done(options: Options, given: Given, say: Say) -> Entered:
    team, count = _team(given, "team"), _count(given)
    if count < 1:
        raise Refused(message("as-kimble.ledger-count", most=MOST))
    return Done(team, count), message("as-kimble.did", seat=team, n=count)


def _free_penalty(options: Options, given: Given, say: Say) -> Entered:
    team, count, why = _team(given, "team"), _count(given), _words(given, "why")
    return RefPen(team, count, why), _counted("as-kimble.ledger-owes", team, count, why)


def _completed(options: Options, given: Given, say: Say) -> Entered:
    team, count, why = _team(given, "team"), _count(given), _words(given, "why")
    return RefDone(team, count, why), _counted("as-kimble.ledger-did", team, count, why)


def _note(options: Options, given: Given, say: Say) -> Entered:
    text = _words(given, "text")
    return Note(text), message("as-kimble.noted", text=text)


def _ruling(options: Options, given: Given, say: Say) -> Entered:
    text = _words(given, "text")
    return RefRule(text), message("as-kimble.ruled", text=text)


def _break(options: Options, given: Given, say: Say) -> Entered:
    return Break(), message("as-kimble.break")


def _resume(options: Options, given: Given, say: Say) -> Entered:
    return Resume(), message("as-kimble.resume")


# 13  The end


def _won(options: Options, given: Given, say: Say) -> Entered:
    """The rules cannot see it without a board: it is the referee's word that ends the game."""
    team = _team(given, "team")
    told = message("as-kimble.ledger-won", seat=team)
    return RefEnd(_written(told, team, WINNING, say)), told


def _end(options: Options, given: Given, say: Say) -> Entered:
    why = _words(given, "why")
    return RefEnd(why), message("as-kimble.ref-end", why=why)


KINDS: Mapping[
    str, tuple[tuple[str, ...], tuple[str, ...], Callable[[Options, Given, Say], Entered]]
] = {
    "eaten": (("eater", "eater_times", "victim", "victim_times"), (), _eaten),
    "mine": (("mover", "times", "mine_times"), ("mine",), _mine),
    "raise": (("team",), ("victim", "victim_times"), _raise),
    "hembo": (("team", "how"), (), _hembo),
    "done": (("team", "n"), (), _done),
    "penalty": (("team", "n", "why"), (), _free_penalty),
    "completed": (("team", "n", "why"), (), _completed),
    "note": (("text",), (), _note),
    "ruling": (("text",), (), _ruling),
    "break": ((), (), _break),
    "resume": ((), (), _resume),
    "won": (("team",), (), _won),
    "end": (("why",), (), _end),
}
"""What each kind needs, what it may have beside that, and what is made of it."""


def _penalty(
    team: str, count: int, told: Message, by: str, paragraph: str, say: Say
) -> tuple[RefPen, Message]:
    written = RefPen(team, count, _written(told, by, paragraph, say))
    return written, _counted("as-kimble.ledger-owes", team, count, told)


def _counted(id: str, team: str, count: int, why: str | Message) -> Message:
    return message(id, seat=team, change=f"{count:+d}", why=why)


def _written(told: Message, by: str, paragraph: str, say: Say) -> str:
    return with_mark(_clean(say(told)), by, paragraph)


# Reading


def _team(given: Given, name: str) -> str:
    team = given[name]
    if not isinstance(team, str) or team not in TEAMS:
        raise Refused(message("as-kimble.ledger-team", name=name))
    return team


def _times(given: Given, name: str) -> int:
    """How many pieces a piece contains."""
    size = given.get(name, 1)
    if type(size) is not int or not 1 <= size <= PIECES:
        raise Refused(message("as-kimble.ledger-times", name=name, most=PIECES))
    return size


def _count(given: Given) -> int:
    count = given["n"]
    if type(count) is not int or not 1 <= abs(count) <= MOST:
        raise Refused(message("as-kimble.ledger-count", most=MOST))
    return count


def _words(given: Given, name: str) -> str:
    """What somebody wrote; what only looks like one of our own marks is no longer one."""
    text = given[name]
    cleaned = _clean(text) if isinstance(text, str) else ""
    while found := marked(cleaned):
        cleaned = found.text
    if not cleaned:
        raise Refused(message("as-kimble.ledger-words", name=name))
    if len(cleaned) > LONGEST:
        raise Refused(message("as-kimble.ledger-long", most=LONGEST))
    return cleaned


def _clean(text: str) -> str:
    """On one line, and without what cannot be written down: half a letter, say."""
    return " ".join(text.encode("utf-8", "replace").decode().split())
