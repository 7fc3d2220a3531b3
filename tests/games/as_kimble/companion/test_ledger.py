"""A book without a board: what is entered in a few words comes to the same as with one (12.6)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.as_kimble.play import NOTHING, after, game_with, ledger, refusal_of, result, state_after
from games.as_kimble.play import last_step as step_of
from kibitz.core.game import REFEREE, Game
from kibitz.core.message import Message
from kibitz.core.record import Record, verify
from kibitz.games.as_kimble.actions import is_statement
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.state import State
from kibitz.i18n import LANGUAGES, name_in, say_in

HOME = f"h4/h4/h4/h4 R:N3 d4 {NOTHING}"
REAL: dict[str, Any] = {"mode": "companion"}
LONG_GAME = 600


def sentences_of(text: str, language: str = "en", **options: Any) -> list[str]:
    """What everybody reads of an entry, in their own language."""
    names = {team: name_in(language, f"as-kimble.seat-{team}") for team in TEAMS}
    say = say_in(language, names)
    return [say(event.message) for event in step_of(HOME, text, **REAL, **options).events]


@pytest.mark.parametrize(
    ("entry", "books", "told"),
    [
        (
            "led eat R2 B3",
            "0+0/6+0/0+0/0+0",
            "Red's double ate Blue's triple: Blue +6",
        ),
        (
            "led mine R2 Y1",
            "2+0/0+0/0+0/0+0",
            "Red's double ran into a mine, Yellow's single: Red +2",
        ),
        (
            "led mine R3 -4",
            "12+0/0+0/0+0/0+0",
            "Red's triple ran into a mine, quadruple: Red +12",
        ),
        ("led raise G", "0+0/0+0/0+0/0+0", "Green raised"),
        ("led raise G Y2", "0+0/0+0/2+0/0+0", "Green raised"),
        ("led hembo B said", "0+0/0+0/0+0/0+0", "Blue said it in time: “Jag bor i hembo”"),
        (
            "led hembo B missed",
            "0+0/1+0/0+0/0+0",
            "Blue did not say the sentence in time: 1 penalty for Blue",
        ),
        (
            "led hembo B wrong",
            "0+0/1+0/0+0/0+0",
            "Blue did not say “Jag bor i hembo” right in time: 1 penalty for Blue",
        ),
        (
            "led hembo B uncalled",
            "0+0/1+0/0+0/0+0",
            "Blue said the sentence when it was not due: 1 penalty for Blue",
        ),
        ("led won R", "0+0/0+0/0+0/0+0", "Red won"),
        (
            'led won R "they agreed"',
            "0+0/0+0/0+0/0+0",
            "Red won, by the referee's ruling: they agreed",
        ),
    ],
)
def test_each_entry_costs_what_it_says(entry: str, books: str, told: str) -> None:
    assert ledger(HOME, entry, **REAL) == books
    assert sentences_of(entry)[0] == told


def test_an_entry_is_told_in_the_language_of_whoever_reads_it() -> None:
    assert sentences_of("led eat R2 B3", "fi")[0] == (
        "Punaisen tupla söi Sinisen triplan: Sininen +6"
    )
    assert sentences_of("led raise G Y2", "fr")[0] == "Vert a surenchéri"
    assert sentences_of("led hembo B said", team_size=[1, 2, 1, 1]) == [
        "Blue said it in time: “Vi bor i hembo”"
    ]


def test_nothing_happens_but_what_an_entry_costs() -> None:
    owing = "h2,t9x2/h4/h4/h4 B:N3 d5>2 0+0/6+0/0+0/0+0 1:- -!-- b"
    for entry in ("led eat R2 B3", "led mine B2 R3"):
        assert after(owing, entry, **REAL) == owing.replace("6+0", "12+0")
    assert after(owing, "led hembo B said", **REAL) == owing
    assert after(owing, "led raise Y", **REAL) == owing.replace("1:-", "1:Y")
    assert after(owing, "led raise Y", "led raise Y", **REAL) == owing.replace("1:-", "1:Y")
    full = owing.replace("1:-", "1:RBYG")
    assert after(full, "led raise Y", **REAL) == full, "no new round begins"


def test_the_book_may_say_who_has_won_wherever_the_pieces_are() -> None:
    resting = "h4/h4/h4/h4 R:N3 d2>4 0+0/3+0/0+2/0+0 1:B ---- b"
    assert after(resting, "led won R", **REAL) == ("h4/h4/h4/h4 R:E d2 0+0/3+0/0+2/0+0 1:B ---- -")
    won = result(resting, "led won R", **REAL)
    assert won == {"winner": "R", "true_victory": False, "moral": "Y"}
    assert refusal_of(resting, "led won B", **REAL) == ("ledger-owing", "12.6")
    ruled = result(resting, 'led won B ""', **REAL)
    assert ruled == {"winner": "B", "true_victory": True, "moral": "Y"}
    assert refusal_of(after(resting, "led won R", **REAL), "led raise R", **REAL)[0] == "over"


def test_a_win_with_a_reason_is_a_ruling() -> None:
    game, state = game_with(**REAL), state_after(HOME)
    action = game.notation.read_action('led won R "they agreed"')
    assert game.rules.actor_of(state, action) == REFEREE
    assert game.rules.why_not(state, "R", action).id == "as-kimble.referee-only"


def test_a_team_says_only_that_it_has_said_the_sentence() -> None:
    read = game_with(**REAL).notation.read_action
    assert is_statement(read("led hembo B said"))
    for text in ("led hembo B missed", "led eat R1 B1", "led won R"):
        assert not is_statement(read(text))


@pytest.mark.parametrize(
    ("text", "refusal", "paragraph", "options"),
    [
        ("led eat R1 R2", "ledger-own", "12.6", REAL),
        ("led mine R1 R2", "ledger-own-mine", "12.6", REAL),
        ("led raise R R2", "ledger-own", "12.6", REAL),
        ("led eat R1 B2", "real-board-only", "12.6", {}),
        ("led raise R", "raising-off", "15", {**REAL, "raising": False}),
        ("led hembo R said", "hembo-off", "15", {**REAL, "hembo": "off"}),
        ("led eat R B", "not-an-action", "17", REAL),
        ("led eat R0 B5", "not-an-action", "17", REAL),
        ("led mine -2 R2", "not-an-action", "17", REAL),
        ("led hembo R sung", "not-an-action", "17", REAL),
        ("led won -", "not-an-action", "17", REAL),
    ],
)
def test_what_is_no_entry_is_refused(
    text: str, refusal: str, paragraph: str, options: dict[str, Any]
) -> None:
    assert refusal_of(HOME, text, **options) == (refusal, paragraph)


def test_an_entry_that_the_book_has_no_room_for_is_refused() -> None:
    full = HOME.replace("0+0", "999998+0", 1)
    assert refusal_of(full, "led eat B2 R2", **REAL) == ("book-limits", "12.6")
    assert ledger(full, "led eat B1 R1", **REAL) == "999999+0/0+0/0+0/0+0"


def test_a_raise_that_would_leave_a_six_without_a_use_is_refused() -> None:
    placed = "g1,g2,g3,g4/h3,g4/h3,g4/h3,g1 R:M6 d6 2+0/0+0/0+0/0+0 1:- ---- -"
    assert refusal_of(placed, "led raise R", **REAL) == ("ledger-stuck", "12.6")
    assert after(placed, "led raise B", **REAL) == placed.replace("1:-", "1:B")


def test_no_entry_while_colours_are_drawn() -> None:
    lots = f"h4/h4/h4/h4 S:-/-/-/- d- {NOTHING}"
    assert refusal_of(lots, "led eat R1 B1", **REAL) == ("preparing", "4")


# Whatever is entered


def entries() -> st.SearchStrategy[str]:
    pairs = st.permutations(TEAMS)
    size, how = st.integers(1, 4), st.sampled_from(["said", "missed", "wrong", "uncalled"])
    return st.one_of(
        st.builds(lambda t, m, n: f"led eat {t[0]}{m} {t[1]}{n}", pairs, size, size),
        st.builds(lambda t, m, n: f"led mine {t[0]}{m} {t[1]}{n}", pairs, size, size),
        st.builds(lambda t, m, n: f"led mine {t[0]}{m} -{n}", pairs, size, size),
        st.builds(lambda t: f"led raise {t[0]}", pairs),
        st.builds(lambda t, n: f"led raise {t[0]} {t[1]}{n}", pairs, size),
        st.builds(lambda t, h: f"led hembo {t[0]} {h}", pairs, how),
    )


@settings(deadline=None, max_examples=60)
@given(st.lists(entries(), max_size=30), st.sampled_from(LANGUAGES))
def test_the_book_is_the_sum_of_its_entries(listed: list[str], language: str) -> None:
    game, say = game_with(**REAL), say_in(language)
    state, owed = game.rules.start(), 0
    for text in listed:
        action = game.notation.read_action(text)
        assert game.notation.write_action(action) == text, "canonical"
        step = game.rules.resolve(state, game.rules.actor_of(state, action), action)
        assert all(say(event.message) for event in step.events)
        words = text.split()
        sizes = [int(word[1]) for word in words[2:] if word[1:].isdigit()]
        by = {"eat": 2, "mine": 2, "raise": 1, "hembo": 0}[words[1]]
        if words[1] == "hembo":
            owed += words[3] != "said"
        elif sizes:
            owed += sizes[0] * (sizes[1] if by == 2 else 1)
        state = step.state
        assert sum(book.owed for book in state.books) == owed
    record = Record(game=game.name, rules="1", options=game.options, actions=tuple(listed))
    assert verify(game, record) is None


# Side by side with a board


def told_without_board(told: Message) -> str | None:
    """The entry somebody with no board makes of what the rules say happened."""
    value = dict(told.values)

    def piece(of: object) -> str:
        assert isinstance(of, Message)
        size = of.value("piece")
        assert isinstance(size, Message)
        return f"{of.value('seat')}{size.id[-1]}"

    def own(size: object) -> str:
        assert isinstance(size, Message)
        return f"{value['seat']}{size.id[-1]}"

    match told.id.removeprefix("as-kimble."):
        case "eaten":
            return f"led eat {piece(value['eater'])} {own(value['piece'])}"
        case "into-mine":
            return f"led mine {own(value['piece'])} {piece(value['mine'])}"
        case "raised":
            return f"led raise {value['seat']}"
        case "hembo-said":
            return f"led hembo {value['seat']} said"
        case "hembo-missed":
            return f"led hembo {value['seat']} missed"
        case "hembo-needless":
            return f"led hembo {value['seat']} uncalled"
        case "did":
            return f"{value['seat']} done {value['n']}"
    return None


CROWDED = "t0x2,t12,g1/h1,t11x2,g4/t20,t21,g2,g4/h1,t4x2,g1 R:N1 d2 1+1/2+0/0+0/1+0 1:- ---- -"
"""Where much is eaten, and somebody may raise with a six."""


@settings(deadline=None, max_examples=12)
@given(st.integers(0, 2**32), st.sampled_from(["start", CROWDED]))
def test_a_night_told_without_its_board_comes_to_the_same_book(seed: int, start: str) -> None:
    rng, game = Random(seed), game_with(mode="companion")
    state = blind = game.rules.start() if start == "start" else game.notation.read_state(start)
    for _ in range(LONG_GAME):
        if game.rules.outcome(state):
            break
        step = _something(game, state, rng)
        for event in step.events:
            if entry := told_without_board(event.message):
                action = game.notation.read_action(entry)
                blind = game.rules.resolve(blind, game.rules.actor_of(blind, action), action).state
        state = step.state
        assert blind.books == state.books, game.notation.write_state(state)


def _something(game: Game[Any, Any, Any], state: State, rng: Random) -> Any:
    """Mostly the turn goes on; sometimes somebody says the sentence or has done a penalty."""
    actor = rng.choice(sorted(game.rules.to_act(state)))
    actions = list(game.rules.turn_actions(state, actor))
    eager = [
        a
        for a in actions
        if " in" in game.notation.write_action(a) or "raise" in game.notation.write_action(a)
    ]
    if rng.random() < 0.2:
        actor = rng.choice(TEAMS)
        actions = [
            a
            for a in game.rules.anytime_actions(state, actor)
            if game.notation.write_action(a) != "break"
        ]
    elif eager and rng.random() < 0.7:
        actions = eager
    action = rng.choice(actions)
    return game.rules.resolve(state, actor, action)
