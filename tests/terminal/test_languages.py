"""Whole matches in a terminal in every language: no word of another one is printed."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from kibitz.core.game import CHANCE
from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES
from kibitz.terminal.app import Terminal
from support.languages.foreign_words import foreign_words, words_in
from support.terminal_player import actions, screen_text, sit_down

STARTS = {
    "kalamala": "A6B/8/2B5/8/8/5A2/8/8 A 0,0 6,6 1 -",
    "kahmate": "13/13/13/9Fo2/13/13/13/13 R play - j4 246/123 2-0 22 -",
    "as-kimble": "t23,g2,g3,g4/t2,g2,g3,g4/t9,g2,g3,g4/t16,g2,g3,g4 "
    "R:N1 d2 1+0/0+0/0+0/0+0 1:RBYG ---- -",
}
OPTIONS = {"kahmate": {"tries": 3}, "kalamala": {"turn_limit": 40}}
BOT = "random"
WIDE = (170, 46)
"""Room for sentences beside the notation."""
LOOKS = 15
"""Screens that are read at the start of a match, the last one beside them."""
MAX_TURNS = 60
"""The turns after which the player resigns: men at random may run about for ever."""
YES = {"en": "y", "fr": "o", "fi": "k", "sv": "j"}
PROGRAM_WORDS = {"kibitz", "superko", BOT}
"""The names of programs and rules."""


def is_pure(terminal: Terminal, language: str) -> None:
    notation = words_in(" ".join(actions(terminal)))
    assert foreign_words(screen_text(terminal), language) - notation - PROGRAM_WORDS == set()


async def take_turn(terminal: Terminal, pilot: Pilot[None]) -> None:
    """Play what a random player would, and let bots answer."""
    session = terminal.session
    rules, acting = session.game.rules, session.acting
    offers = [offer for offer in session.picker.offers if acting]
    if offers:
        session.play_offer(terminal.rng.choice(offers))
    elif CHANCE in rules.to_act(session.table.state):
        session.press_die()
    terminal.advance()
    await pilot.pause()
    while session.bot_turn:
        await pilot.pause(0.01)
    if len(terminal.screen_stack) > 1:
        await pilot.press("escape")


@pytest.mark.parametrize(
    ("game", "language"),
    [
        pytest.param(game, language, marks=pytest.mark.long)
        if game == "kahmate"
        else (game, language)
        for game in GAMES
        for language in LANGUAGES
    ],
)
def test_a_match_to_its_end(game: str, language: str) -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        is_pure(terminal, language)
        for turn in range(MAX_TURNS):
            if terminal.session.table.outcome:
                break
            await take_turn(terminal, pilot)
            if turn < LOOKS:
                is_pure(terminal, language)
        if not terminal.session.table.outcome:
            await pilot.press("r", YES[language])
        assert terminal.session.table.outcome
        is_pure(terminal, language)
        await pilot.press("question_mark")
        is_pure(terminal, language)

    _, *others = GAMES[game].game({}).seats
    bots = dict.fromkeys(others, BOT)
    sit_down(evening, game, STARTS[game], WIDE, OPTIONS.get(game), language, True, **bots)


@pytest.mark.parametrize(("language", "yes"), YES.items())
def test_yes_is_said_in_ones_own_language(language: str, yes: str) -> None:
    async def evening(terminal: Terminal, pilot: Pilot[None]) -> None:
        for key in ("n", "e", "x"):
            await pilot.press("r", key)
            assert not terminal.session.table.outcome
        await pilot.press("r")
        is_pure(terminal, language)
        await pilot.press(yes)
        assert terminal.session.table.outcome

    sit_down(evening, language=language)


def test_a_word_of_another_language_is_found() -> None:
    assert foreign_words("Ton tour : choose e4", "fr") == {"choose"}
    assert foreign_words("Sinun vuorosi", "fi") == set()
