"""Passwords that everybody tries first: common words with what people add to them.

Words, not passwords, are listed: `P@ssw0rd2024!` is the word `password`, and `asdfghjkl` a way
along the keyboard.
"""

from __future__ import annotations

import re

WORD_LIST = """
abc abcdef access account admin administrator alexander amanda america andrea andrew angel
animal anthony apple arsenal ashley august austin autumn azerty babygirl badboy bailey banana
barcelona baseball basketball batman beautiful benjamin berlin blessed bonjour boomer brandon
bubbles buster butterfly changeme charlie cheese chelsea chicken chocolate christian christmas
computer cookie cool corvette daniel december default diamond dolphin dragon elephant elizabeth
england facebook fender flower football forever france freedom friend friends fuckyou george
ginger google guitar hannah happy harley hello hockey hunter iloveyou internet jasmine jennifer
jessica jesus jordan joseph joshua july june justin kibitz killer kitty laura letmein liverpool
london love lovely loveme lucky madison maggie march marina martin master matrix matthew melissa
mercedes merlin michael michelle minecraft monday monkey monster morgan mother mustang naruto
nathan newyork nicholas nicole ninja nothing november october orange paris pass passw passwd
password patrick peanut pepper phoenix player please pokemon princess purple qwerty rachel
rainbow ranger raven robert rocky root samantha samsung samuel sarah school secret september
shadow silver slipknot smokey snoopy soccer sophie spiderman spring starwars steelers stella
stephanie summer summertime sunday sunshine superman superstar sweet taylor tennis test thomas
thunder tiger tigger trustno trustnoone user victoria welcome whatever william winter yankees
yellow zxcvbn
motdepasse bonjour soleil doudou chouchou loulou marseille nicolas julien camille chocolat
salasana perkele kissa koira aurinko hevonen suomi terve kesä talvi
losenord hejsan sommar sverige hemligt fotboll älskar
"""
WORDS = frozenset(WORD_LIST.split())
KEYBOARD_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "azertyuiop", "qsdfghjklm", "1234567890")
LEET = str.maketrans("4@831!05$7+9", "aabeiiosstt" + "g")
MIN_WALK = 4
"""So many keys beside each other are a way along the keyboard."""


def is_common(password: str) -> bool:
    """True for a common word, however it is decorated, and for ways along the keyboard."""
    folded = password.casefold()
    core = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", folded)
    forms = {folded, core, folded.translate(LEET), core.translate(LEET)}
    forms |= {re.sub(r"[\W_]+", "", form) for form in forms}
    halves = {form[: len(form) // 2] for form in forms if form[: len(form) // 2] * 2 == form}
    return bool((forms | halves) & WORDS) or any(map(_is_keyboard_walk, forms))


def _is_keyboard_walk(text: str) -> bool:
    """True if all of it is runs of keys beside each other, in either direction."""
    rows = [*KEYBOARD_ROWS, *(row[::-1] for row in KEYBOARD_ROWS)]
    left = text
    while left:
        run = next(
            (
                left[:n]
                for n in range(len(left), MIN_WALK - 1, -1)
                if any(left[:n] in r for r in rows)
            ),
            "",
        )
        if not run:
            return False
        left = left[len(run) :]
    return bool(text)
