"""Rules of grammar for names: the forms in which a sentence can ask for one.

A sentence asks for a form of a name: `{seat:gen}`, `{seat:de}`. It asks for the word that goes with
the number of a name by giving both: `{seat:has|have}`; a third one goes with whoever is spoken to:
`{seat:a|ont|as}`. A form with a capital begins a sentence: `{seat:À}`. Catalogues have the forms of
our own names where no rule makes them (`kahmate.seat-R-gen`); these rules make all others, whatever
people call themselves.

The rules are data. Scripts are sent those of their language and follow them in the same way
(`web/static/lib/i18n.js`), so patterns keep to what Python and JavaScript read alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from kibitz.i18n.formats import list_text

Rule: TypeAlias = tuple[str, str]
"""A pattern, and what takes the place of its match; `{}` there is the match itself."""
Rules: TypeAlias = Mapping[str, tuple[Rule, ...]]
"""The rules of each form: the first whose pattern is found makes it."""

NUMBER, MANY = "number", "many"
"""The form that tells whether a name means several, and what it is then."""

PERSON = "person-"
"""Before the name of a form: its rules where a name is a person's, and not a team's."""

APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"

RIGHT_TO_LEFT = (
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Letters written from right to left, and marks that turn the direction of what follows."""
SENTENCE_ENDS = (".", "!", "?", "\N{HORIZONTAL ELLIPSIS}")
ISOLATE, END_ISOLATE = "\u2068", "\u2069"
"""Between these two a name has its own direction and changes that of nothing around it."""

# A vowel or a mute h. Aspirated: an h before a but in Hadrien, and the words below. A y is a vowel
# before a consonant (Yves, but Yann). Digits and signs are read in too many ways.
_ELIDED = (
    "(?=[aàâäæeéèêëiîïoôöœuùûüáóíú]|y[bcdfghjklmnpqrstvwxz]|hadrien|h[eéèêiîïoôuûy])"
    "(?!h[eé](r[io]ss|ros\\b|ron|ra[ul]t|ld|lm|id|in[zr])|hi(bou|ppie|p-|t-|l[ld]|ghl)"
    "|ho(bbit|ck|ll|lg|mard|ngr|qu|rde|u|w|pi)|hu(it|ssard|n[s ]|n$|lk|ds|rl|rr)"
    "|onz|oui\\b|ouistiti|uhlan|un\\b)"
)
_NAME_OF_SEVERAL_FR = (
    "^(les|des|mes|tes|ses|nos|vos|leurs|ces|deux|trois|quatre|cinq|six) .*$"
    "|^.*( et |, | & | \\+ ).*$"
)
_NAME_OF_SEVERAL_EN = "^.*([^isu]s|( and |, | & | \\+ ).*)$"
_NAMES_EN, _NAMES_FR = "^.*( and |, ).*$", "^.*( et |, ).*$"


def _finnish_case(ending: str) -> tuple[Rule, ...]:
    """A name that people chose stays as it is: what it names, a team, is put into the case."""
    return (("^.* .*$", f"{{}} -joukkue{ending}"), ("^.*$", f"{{}}-joukkue{ending}"))


def _finnish_person_genitive() -> tuple[Rule, ...]:
    """Pekka, Pekan; Virtanen, Virtasen; Ben, Benin. Other stops stay as they are: Satu, Satun."""
    stops = tuple((f"{s}{s}{v}$", f"{s}{v}n") for s in "kpt" for v in "aeiouyäö")
    return (*stops, ("nen$", "sen"), ("[aeiouyäöå]$", "{}n"), ("[a-zéèüšž]$", "{}in"), ("$", ":n"))


RULES: Mapping[str, Rules] = {
    "en": {
        "gen": (("s$", "{}'"), ("$", "'s")),
        NUMBER: ((_NAME_OF_SEVERAL_EN, MANY),),
        f"{PERSON}{NUMBER}": ((_NAMES_EN, MANY),),
    },
    "fr": {
        "de": (("^les ", "des "), ("^le ", "du "), (f"^{_ELIDED}", f"d{APOSTROPHE}"), ("^", "de ")),
        "à": (("^les ", "aux "), ("^le ", "au "), ("^", "à ")),
        "que": ((f"^{_ELIDED}", f"qu{APOSTROPHE}"), ("^", "que ")),
        "le": ((f"^{_ELIDED}", f"l{APOSTROPHE}"), ("^", "le ")),
        NUMBER: ((_NAME_OF_SEVERAL_FR, MANY),),
        f"{PERSON}{NUMBER}": ((_NAMES_FR, MANY),),
    },
    "fi": {
        "gen": _finnish_case("en"),
        "par": _finnish_case("tta"),
        "ade": _finnish_case("ella"),
        "all": _finnish_case("elle"),
        "abl": _finnish_case("elta"),
        f"{PERSON}gen": _finnish_person_genitive(),
        NUMBER: (("^.* & .*$", MANY),),
    },
    "sv": {"gen": (("[sxz]$", "{}"), ("(^| )[a-zåäö]$|[0-9]$", "{}:s"), ("$", "s"))},
}


def form_of(language: str, name: str, form: str, *, is_person: bool = False) -> str:
    """The name in a form, by the rules of a language; the name itself where there are none.

    Names of people have rules of their own: Hans is one, the Hens are several.
    """
    singular, *others = form.split("|")
    if others:
        number = form_of(language, name, NUMBER, is_person=is_person)
        return others[0] if number == MANY else singular
    rules, key = RULES.get(language, {}), form.lower()
    found = (is_person and rules.get(f"{PERSON}{key}")) or rules.get(key, ())
    for pattern, text in found:
        if match := re.search(pattern, name, re.IGNORECASE):
            made = name[: match.start()] + text.replace("{}", match[0]) + name[match.end() :]
            return made[:1].upper() + made[1:] if form[:1].isupper() else made
    return name


def list_names(language: str, names: Sequence[str]) -> str:
    """Names in the middle of a sentence: Anna and Ben."""
    return list_text(language, [isolate_direction(name) for name in names])


def join_names(names: Iterable[str]) -> str:
    return ", ".join(map(isolate_direction, names))


def join_team(names: Iterable[str]) -> str:
    """The people of one team as its plate has them: Anna & Ben."""
    return " & ".join(map(isolate_direction, names))


def join_sentences(sentences: Sequence[str]) -> str:
    """Several sentences on one line. Only between them full stops are added."""
    others = [each if each.endswith(SENTENCE_ENDS) else f"{each}." for each in sentences[:-1]]
    return " ".join([*others, *sentences[-1:]])


def isolate_direction(text: str) -> str:
    """The text as it can stand in a sentence, where it is written from right to left."""
    if text.isascii() or not re.search(RIGHT_TO_LEFT, text):
        return text
    return ISOLATE + text + END_ISOLATE
