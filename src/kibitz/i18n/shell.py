"""The language of commands: whoever types them chose it, or their system has one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from kibitz.core.game import Game
from kibitz.core.message import Message, Refused, Say, message
from kibitz.i18n import FALLBACK, LANGUAGES, find_language, name_in, say_in

LANGUAGE_VARIABLE = "KIBITZ_LANGUAGE"
"""Set also by `--language`, so that processes a command starts speak the same language."""
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Of these the first that is set counts."""


def shell_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language to speak here: the one chosen, or that of the system if we have it."""
    if chosen := known_language(environment.get(LANGUAGE_VARIABLE, "")):
        return chosen
    system = next(filter(None, map(environment.get, LOCALE_VARIABLES)), "")
    return known_language(system) or FALLBACK


def known_language(text: str) -> str | None:
    """The language meant by `fr`, `fr_CA.UTF-8` or `fr-CA`, if it is one of ours."""
    return find_language([text.partition(".")[0].partition("@")[0]])


def checked_language(text: str) -> str:
    """Raises Refused where it is none of ours."""
    if found := known_language(text):
        return found
    raise Refused(message("cli.language", language=text[:60], languages=", ".join(LANGUAGES)))


def shell_phrases() -> Say:
    return say_in(shell_language())


def phrases_for_seats(game: Game[Any, Any, Any]) -> Say:
    """The same, with a game's own names of its seats."""
    language = shell_language()
    names = {seat: name_in(language, f"{game.name}.seat-{seat}") for seat in game.seats}
    return say_in(language, names)


def refusal_sentence(why: Message, say: Say) -> str:
    """The refusal in words, with the paragraph it rests on."""
    if not why.paragraph:
        return say(why)
    return say(message("filter.with-rule", why=say(why), rule=why.paragraph))
