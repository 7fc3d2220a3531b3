"""Names that nobody can borrow: those of roles, and those that look like somebody else's."""

from __future__ import annotations

import unicodedata

from kibitz.bots.registry import BUILT_IN_BOTS

RESERVED_NAMES = frozenset(
    (
        *("admin", "administrator", "bookkeeper", "bot", "host", "kibitz", "moderator", "operator"),
        *("referee", "root", "server", "staff", "support", "system"),
        *BUILT_IN_BOTS,
    )
)
"""Names of roles and bots, which people would take for them."""
LOOKALIKE_LETTERS = {
    "a": "\u0410\u0430\u0391\u03b1",
    "b": "\u0412\u0392",
    "c": "\u0421\u0441",
    "d": "\u0501",
    "e": "\u0415\u0435\u0395",
    "h": "\u041d\u0397",
    "j": "\u0458",
    "k": "\u041a\u039a\u03ba",
    "l": "I1|\u0131\u04c0\u0406\u0456\u0399\u03b9",
    "m": "\u041c\u039c",
    "n": "\u039d",
    "o": "0\u041e\u043e\u039f\u03bf",
    "p": "\u0420\u0440\u03a1\u03c1",
    "s": "\u0455",
    "t": "\u0422\u03a4",
    "u": "\u03c5",
    "v": "\u03bd",
    "x": "\u0425\u0445\u03a7\u03c7",
    "y": "\u0443\u03a5",
    "z": "\u0396",
}
"""Letters and digits that look like others in the fonts we use."""
LOOKALIKES = str.maketrans(
    {each: letter for letter, alike in LOOKALIKE_LETTERS.items() for each in alike}
)
LOOKALIKE_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def skeleton(name: str) -> str:
    """The form that names have in common which look alike."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name.strip()))
    bare = "".join(letter for letter in plain if unicodedata.category(letter) != "Mn")
    folded = bare.translate(LOOKALIKES).casefold()
    for pair, letter in LOOKALIKE_PAIRS:
        folded = folded.replace(pair, letter)
    return folded


def is_reserved(name: str) -> bool:
    """True for the name of a role or a bot, however it is spelt."""
    letters = "".join(letter for letter in skeleton(name) if letter.isalnum())
    return letters in _RESERVED_SKELETONS


_RESERVED_SKELETONS = frozenset(
    "".join(letter for letter in skeleton(form) if letter.isalnum())
    for name in RESERVED_NAMES
    for form in (name, name.capitalize(), name.upper())
)
