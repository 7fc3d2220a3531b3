"""The language of commands: whoever types them chose it, or their system has one."""

from __future__ import annotations

import os
from collections.abc import Mapping

from kibitz.core.message import Refused, Say, message
from kibitz.i18n import FALLBACK, LANGUAGES, find_language, say_in

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
