"""The night at AS-Kimble as level 6 plays it: the sentence, penalties, answers to rulings."""

from __future__ import annotations

import logging
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bots.as_kimble.test_greedy import AHEAD, EATEN, statement_of
from games.as_kimble.play import NOTHING, game_with
from kibitz.bots import registry
from kibitz.bots.as_kimble import chances
from kibitz.core.game import CHANCE
from kibitz.games import GAMES
from kibitz.games.as_kimble.actions import Completion
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.state import Book, State
from support.bots.bot_questions import question_at

CLEVER = "level-6"
CALM = "h2,t3,t12/h2,t9,g4/h2,t20,g4/h2,t24,g4"
BEHIND = "h4/h4/h4/h4"
WON = "g1,g2,g3,g4/h4/h4/h4 R:E d1 0+1/0+0/0+0/0+0 1:- ---- -"


# The sentence


@pytest.mark.parametrize("turn", ["R:P1", "R:N1", "B:N3", "R:M6", "R:CY"])
def test_the_clever_one_says_the_sentence_as_soon_as_it_is_owed(turn: str) -> None:
    board = "h1,t1,t9,g1/h4/h2,g1,g2/h3,g1"
    owing = f"{board} {turn} d{turn[3] if 'M' in turn else 6} 0+0/0+0/0+0/0+0 1:R -!-- -"
    assert statement_of(owing, "B", CLEVER) == "B hembo jag"
    assert statement_of(owing, "B", CLEVER, team_size=[1, 3, 1, 1]) == "B hembo vi"
    assert statement_of(owing.replace(" -!-- -", " -!-- b"), "B", CLEVER) == "B hembo jag"
    for marks in ("----", "-+--", "!---"):
        assert statement_of(owing.replace("-!--", marks), "B", CLEVER) is None


def test_it_completes_one_penalty_a_turn_as_the_others_do() -> None:
    for turn, marks, said in (
        ("B:N3", "----", "B done 1"),
        ("B:N3", "-+--", "B done 1"),
        ("R:N1", "----", None),
        ("B:P2", "----", None),
    ):
        assert statement_of(EATEN.format(turn, marks), "B", CLEVER) == said


def test_waiting_with_a_penalty_never_pays() -> None:
    """What is owed changes nothing but who has won: any of it may as well be completed."""
    rng = Random(4)
    for options in ({"pace": "free"}, {"pace": "free", "finished": "skip", "refusal": "final"}):
        game, compared = game_with(**options), 0
        state: State = game.rules.start()
        while game.rules.to_act(state) and compared < 200:
            actors = sorted(game.rules.to_act(state))
            owing = replace(state, books=tuple(Book(3, 0) for _ in TEAMS))
            free = replace(state, books=tuple(Book(1, 2) for _ in TEAMS))
            compared += 1
            for actor in (*TEAMS, CHANCE):
                assert game.rules.turn_actions(owing, actor) == game.rules.turn_actions(free, actor)
                more, fewer = (
                    {
                        each
                        for each in game.rules.anytime_actions(at, actor)
                        if not isinstance(each, Completion)
                    }
                    for at in (owing, free)
                )
                assert more == fewer
            actor = CHANCE if CHANCE in actors else actors[0]
            action = rng.choice(game.rules.turn_actions(owing, actor))
            after, other = (game.rules.resolve(at, actor, action).state for at in (owing, free))
            assert (after.sides, after.phase, after.hembo) == (
                other.sides,
                other.phase,
                other.hembo,
            )
            state = after


# Rulings


def answer_to(ruling: str, position: str, seat: str = "B", bot: str = CLEVER) -> bool:
    question = question_at(game_with(), seat, bot, position, texts=(ruling,))
    answer = registry.agrees_to_ruling(question)
    assert registry.agrees_to_ruling(question) is answer
    return answer


PLACED = f"g1,g2,g3,g4/{CALM.partition('/')[2]} R:N3 d2 3+0/0+0/0+0/0+0 1:- ---- -"
NEARLY = f"{AHEAD} R:N1 d1 {NOTHING}"


MIDWAY = f"{CALM} R:N1 d1 {NOTHING}"


@pytest.mark.parametrize(
    ("ruling", "position", "seat", "agrees"),
    [
        ('ref rule "a pop on the floor counts"', MIDWAY, "B", True),
        ('ref pen B +1 "spilt"', MIDWAY, "B", True),
        ('ref pen R -1 "we did say it"', MIDWAY.replace("0+0", "2+0", 1), "B", True),
        ('ref done R +3 "forgotten"', MIDWAY, "B", True),
        ('ref pen B +500 "I am the host"', MIDWAY, "B", False),
        ('ref pen R -3 "we have drunk enough"', PLACED, "B", False),
        (f'ref set "{MIDWAY}" "it was a one"', MIDWAY.replace("d1", "d2"), "B", True),
        (f'ref set "{BEHIND} R:N3 d1 {NOTHING}" "again"', NEARLY, "R", False),
        (f'ref set "{BEHIND} R:N3 d1 {NOTHING}" "again"', NEARLY, "G", True),
        (f'ref set "{NEARLY}" "not yet"', WON, "B", True),
        ('ref end "the last bus"', MIDWAY, "B", True),
        ('ref end "the last bus"', NEARLY, "R", False),
    ],
)
def test_it_agrees_to_what_puts_a_mistake_right(
    ruling: str, position: str, seat: str, agrees: bool
) -> None:
    assert answer_to(ruling, position, seat) is agrees
    assert answer_to(ruling, position, seat, "level-5"), "the others always do"


def test_a_bot_without_an_answer_agrees(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kalamala = GAMES["kalamala"].game({})
    assert registry.agrees_to_ruling(question_at(kalamala, "A", CLEVER, texts=("resign B",)))

    def fails(*given: Any) -> Any:
        raise RuntimeError("no judgement")

    monkeypatch.setattr(chances, "chances_of", fails)
    with caplog.at_level(logging.ERROR):
        assert answer_to('ref pen B +500 "I am the host"', MIDWAY)
    assert "has no answer" in caplog.text
