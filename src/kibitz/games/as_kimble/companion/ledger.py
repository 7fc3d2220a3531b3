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
    Completion,
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
    read_tag,
    write_tag,
)
from kibitz.games.as_kimble.notation import write_action
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.book import MAX_COUNT
from kibitz.games.as_kimble.rules.hembo import SENTENCES, form_of
from kibitz.games.as_kimble.rules.moves import size_message
from kibitz.games.as_kimble.ui.phrases import piece_of_team

MAX_TEXT_LETTERS = 300
"""Of what somebody writes, in letters."""

LedgerRequest: TypeAlias = Mapping[str, Any]
LedgerEntry: TypeAlias = tuple[Action, Message]
"""What is written, and how it is said to whoever writes it."""


def entry_texts(options: Options, entry: LedgerRequest, say: Say) -> tuple[tuple[str, ...], str]:
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


def _eaten_entry(options: Options, given: LedgerRequest, say: Say) -> LedgerEntry:
    eater, victim = _read_team(given, "eater"), _read_team(given, "victim")
    by, size = _read_times(given, "eater_times"), _read_times(given, "victim_times")
    if eater == victim:
        raise Refused(message("as-kimble.ledger-own", EATING, seat=eater))
    told = message(
        "as-kimble.ledger-eaten", eater=piece_of_team(eater, by), eaten=piece_of_team(victim, size)
    )
    return _penalty_entry(victim, by * size, told, eater, EATING, say)


def _mine_entry(options: Options, given: LedgerRequest, say: Say) -> LedgerEntry:
    mover, size, by = (
        _read_team(given, "mover"),
        _read_times(given, "times"),
        _read_times(given, "mine_times"),
    )
    owner = _read_team(given, "mine") if given.get("mine") is not None else ""
    if owner == mover:
        raise Refused(message("as-kimble.ledger-own-mine", MINE, seat=mover))
    mine = piece_of_team(owner, by) if owner else size_message(by)
    told = message("as-kimble.ledger-mine", mover=piece_of_team(mover, size), mine=mine)
    return _penalty_entry(mover, size * by, told, owner or mover, MINE, say)


# 9  Raising


def _raise_entry(options: Options, given: LedgerRequest, say: Say) -> LedgerEntry:
    team = _read_team(given, "team")
    if not options.raising:
        raise Refused(message("as-kimble.raising-off", "15"))
    if given.get("victim") is None:
        told = message("as-kimble.ledger-raised", seat=team)
        return Note(_tagged_text(told, team, RAISING, say)), told
    victim, size = _read_team(given, "victim"), _read_times(given, "victim_times")
    if victim == team:
        raise Refused(message("as-kimble.ledger-own", RAISING, seat=team))
    told = message("as-kimble.ledger-raised-eating", seat=team, eaten=piece_of_team(victim, size))
    return _penalty_entry(victim, size, told, team, RAISING, say)


# 10  Hembo


def _hembo_entry(options: Options, given: LedgerRequest, say: Say) -> LedgerEntry:
    team, how = _read_team(given, "team"), given["how"]
    if options.hembo == "off":
        raise Refused(message("as-kimble.hembo-off", "15"))
    sentence = SENTENCES[form_of(options, team)]
    match how:
        case "said":
            told = message("as-kimble.hembo-said", seat=team, sentence=sentence)
            return Note(_tagged_text(told, team, CALL, say)), told
        case "missed":
            told = message("as-kimble.ledger-hembo-missed", seat=team)
            return _penalty_entry(team, 1, told, team, DEADLINE, say)
        case "wrong":
            told = message("as-kimble.ledger-hembo-wrong", seat=team, sentence=sentence)
            return _penalty_entry(team, 1, told, team, DEADLINE, say)
        case "uncalled":
            told = message("as-kimble.ledger-hembo-uncalled", seat=team)
            return _penalty_entry(team, 1, told, team, CALL, say)
    raise Refused(message("as-kimble.ledger-how"))


# 11, 12  The book and the referee


def _completion_entry(options: Options, given: LedgerRequest, say: Say) -> LedgerEntry:
    team, count = _read_team(given, "team"), _read_count(given)
    if count < 1:
        raise Refused(message("as-kimble.ledger-count", most=MAX_COUNT))
    return Completion(team, count), message("as-kimble.did", seat=team, n=count)


def _free_penalty_entry(options: Options, given: LedgerRequest, say: Say) -> LedgerEntry:
    team, count, why = _read_team(given, "team"), _read_count(given), _read_words(given, "why")
    return RefPen(team, count, why), _count_message("as-kimble.ledger-owes", team, count, why)


def _correction_entry(options: Options, given: LedgerRequest, say: Say) -> LedgerEntry:
    team, count, why = _read_team(given, "team"), _read_count(given), _read_words(given, "why")
    return RefDone(team, count, why), _count_message("as-kimble.ledger-did", team, count, why)


def _note_entry(options: Options, given: LedgerRequest, say: Say) -> LedgerEntry:
    text = _read_words(given, "text")
    return Note(text), message("as-kimble.noted", text=text)


def _ruling_entry(options: Options, given: LedgerRequest, say: Say) -> LedgerEntry:
    text = _read_words(given, "text")
    return RefRule(text), message("as-kimble.ruled", text=text)


def _break_entry(options: Options, given: LedgerRequest, say: Say) -> LedgerEntry:
    return Break(), message("as-kimble.break")


def _resume_entry(options: Options, given: LedgerRequest, say: Say) -> LedgerEntry:
    return Resume(), message("as-kimble.resume")


# 13  The end


def _win_entry(options: Options, given: LedgerRequest, say: Say) -> LedgerEntry:
    """The rules cannot see it without a board: it is the referee's word that ends the game."""
    team = _read_team(given, "team")
    told = message("as-kimble.ledger-won", seat=team)
    return RefEnd(_tagged_text(told, team, WINNING, say)), told


def _end_entry(options: Options, given: LedgerRequest, say: Say) -> LedgerEntry:
    why = _read_words(given, "why")
    return RefEnd(why), message("as-kimble.ref-end", why=why)


KINDS: Mapping[
    str,
    tuple[tuple[str, ...], tuple[str, ...], Callable[[Options, LedgerRequest, Say], LedgerEntry]],
] = {
    "eaten": (("eater", "eater_times", "victim", "victim_times"), (), _eaten_entry),
    "mine": (("mover", "times", "mine_times"), ("mine",), _mine_entry),
    "raise": (("team",), ("victim", "victim_times"), _raise_entry),
    "hembo": (("team", "how"), (), _hembo_entry),
    "done": (("team", "n"), (), _completion_entry),
    "penalty": (("team", "n", "why"), (), _free_penalty_entry),
    "completed": (("team", "n", "why"), (), _correction_entry),
    "note": (("text",), (), _note_entry),
    "ruling": (("text",), (), _ruling_entry),
    "break": ((), (), _break_entry),
    "resume": ((), (), _resume_entry),
    "won": (("team",), (), _win_entry),
    "end": (("why",), (), _end_entry),
}
"""What each kind needs, what it may have beside that, and what is made of it."""


def _penalty_entry(
    team: str, count: int, told: Message, by: str, paragraph: str, say: Say
) -> tuple[RefPen, Message]:
    written = RefPen(team, count, _tagged_text(told, by, paragraph, say))
    return written, _count_message("as-kimble.ledger-owes", team, count, told)


def _count_message(id: str, team: str, count: int, why: str | Message) -> Message:
    return message(id, seat=team, change=f"{count:+d}", why=why)


def _tagged_text(told: Message, by: str, paragraph: str, say: Say) -> str:
    return write_tag(_clean_text(say(told)), by, paragraph)


# Reading


def _read_team(given: LedgerRequest, name: str) -> str:
    team = given[name]
    if not isinstance(team, str) or team not in TEAMS:
        raise Refused(message("as-kimble.ledger-team", name=name))
    return team


def _read_times(given: LedgerRequest, name: str) -> int:
    """How many pieces a piece contains."""
    size = given.get(name, 1)
    if type(size) is not int or not 1 <= size <= PIECES:
        raise Refused(message("as-kimble.ledger-times", name=name, most=PIECES))
    return size


def _read_count(given: LedgerRequest) -> int:
    count = given["n"]
    if type(count) is not int or not 1 <= abs(count) <= MAX_COUNT:
        raise Refused(message("as-kimble.ledger-count", most=MAX_COUNT))
    return count


def _read_words(given: LedgerRequest, name: str) -> str:
    """What somebody wrote; what only looks like one of our own marks is no longer one."""
    text = given[name]
    cleaned = _clean_text(text) if isinstance(text, str) else ""
    while found := read_tag(cleaned):
        cleaned = found.text
    if not cleaned:
        raise Refused(message("as-kimble.ledger-words", name=name))
    if len(cleaned) > MAX_TEXT_LETTERS:
        raise Refused(message("as-kimble.ledger-long", most=MAX_TEXT_LETTERS))
    return cleaned


def _clean_text(text: str) -> str:
    """On one line, and without what cannot be written down: half a letter, say."""
    return " ".join(text.encode("utf-8", "replace").decode().split())
