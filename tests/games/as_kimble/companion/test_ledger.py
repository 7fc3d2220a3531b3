"""The book without a board: what is told in a few words comes to the same as with one."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.as_kimble.play import game_with
from kibitz.core.game import Game
from kibitz.core.message import Message, Refused
from kibitz.core.record import Record, verify
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.companion.ledger import KINDS, entry_texts
from kibitz.games.as_kimble.companion.ledger_tags import read_tag
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.state import State
from kibitz.i18n import LANGUAGES, name_in, say_in

COMPANION = Options(mode="companion")
NAMES = {
    language: {team: name_in(language, f"as-kimble.seat-{team}") for team in TEAMS}
    for language in LANGUAGES
}
LONG_GAME = 600


def entered(language: str = "en", options: Options = COMPANION, **entry: Any) -> str:
    """The one text that an entry comes to."""
    (text,), _ = entry_texts(options, entry, say_in(language, NAMES[language]))
    return text


def said(language: str = "en", **entry: Any) -> str:
    return entry_texts(COMPANION, entry, say_in(language, NAMES[language]))[1]


def refused(options: Options = COMPANION, **entry: Any) -> str:
    with pytest.raises(Refused) as error:
        entered(options=options, **entry)
    assert say_in("en", NAMES["en"])(error.value.refusal)
    return error.value.refusal.id.removeprefix("as-kimble.")


MEAL: dict[str, Any] = {
    "kind": "eaten",
    "eater": "R",
    "eater_times": 2,
    "victim": "B",
    "victim_times": 3,
}


def test_a_double_that_eats_a_triple_costs_six() -> None:
    assert entered(**MEAL) == "ref pen B +6 \"Red's double ate Blue's triple (R 7.2)\""
    assert said(**MEAL) == "Red's double ate Blue's triple: Blue +6"


def test_it_is_written_in_the_language_of_whoever_writes_it() -> None:
    assert said("fr", **MEAL) == "le double de Rouge a mangé le triple de Bleu : Bleu +6"
    finnish = "Sinisen tripla tuli syödyksi, syöjänä Punaisen tupla"
    assert entered("fi", **MEAL) == f'ref pen B +6 "{finnish} (R 7.2)"'


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (
            {"kind": "mine", "mover": "R", "times": 2, "mine_times": 1, "mine": "Y"},
            "ref pen R +2 \"Red's double ran into a mine, Yellow's single (Y 7.3)\"",
        ),
        (
            {"kind": "mine", "mover": "R", "times": 3, "mine_times": 4},
            'ref pen R +12 "Red\'s triple ran into a mine, quadruple (R 7.3)"',
        ),
        ({"kind": "raise", "team": "G"}, 'note "Green raised (G 9.2)"'),
        (
            {"kind": "raise", "team": "G", "victim": "Y", "victim_times": 2},
            'ref pen Y +2 "Green raised and ate Yellow\'s double (G 9.2)"',
        ),
        (
            {"kind": "hembo", "team": "B", "how": "said"},
            'note "Blue said it in time: “Jag bor i hembo” (B 10.2)"',
        ),
        (
            {"kind": "hembo", "team": "B", "how": "missed"},
            'ref pen B +1 "Blue did not say the sentence in time (B 10.3)"',
        ),
        (
            {"kind": "hembo", "team": "B", "how": "wrong"},
            'ref pen B +1 "Blue did not say it right in time: it is “Jag bor i hembo” (B 10.3)"',
        ),
        (
            {"kind": "hembo", "team": "B", "how": "uncalled"},
            'ref pen B +1 "Blue said the sentence with nothing due (B 10.2)"',
        ),
        ({"kind": "done", "team": "Y", "n": 2}, "Y done 2"),
        (
            {"kind": "penalty", "team": "Y", "n": -1, "why": "the board was bumped"},
            'ref pen Y -1 "the board was bumped"',
        ),
        (
            {"kind": "completed", "team": "Y", "n": 1, "why": "we saw it"},
            'ref done Y +1 "we saw it"',
        ),
        ({"kind": "note", "text": " pizza\n is here "}, 'note "pizza is here"'),
        ({"kind": "ruling", "text": "on the floor counts"}, 'ref rule "on the floor counts"'),
        ({"kind": "break"}, "break"),
        ({"kind": "resume"}, "resume"),
        ({"kind": "won", "team": "R"}, 'ref end "Red has won (R 13)"'),
        ({"kind": "end", "why": "it is late"}, 'ref end "it is late"'),
    ],
)
def test_each_entry_is_one_text(entry: dict[str, Any], text: str) -> None:
    assert entered(**entry) == text
    assert said(**entry)


def test_a_team_of_two_says_vi() -> None:
    pairs = Options(mode="companion", team_size=(2, 2, 2, 2))
    assert "Vi bor i hembo" in entered(options=pairs, kind="hembo", team="R", how="said")


@pytest.mark.parametrize(
    ("entry", "refusal"),
    [
        ({}, "ledger-kind"),
        ({"kind": "sang"}, "ledger-kind"),
        ({"kind": ["eaten"]}, "ledger-kind"),
        ({"kind": "done", "team": "R"}, "ledger-missing"),
        ({"kind": "break", "team": "R"}, "ledger-unknown"),
        ({**MEAL, "victim": "P"}, "ledger-team"),
        ({**MEAL, "victim": ["B"]}, "ledger-team"),
        ({**MEAL, "victim": "R"}, "ledger-own"),
        ({**MEAL, "eater_times": 0}, "ledger-times"),
        ({**MEAL, "victim_times": 5}, "ledger-times"),
        ({**MEAL, "victim_times": True}, "ledger-times"),
        ({"kind": "mine", "mover": "R", "times": 1, "mine_times": 1, "mine": "R"},
         "ledger-own-mine"),
        ({"kind": "raise", "team": "R", "victim": "R", "victim_times": 1}, "ledger-own"),
        ({"kind": "hembo", "team": "R", "how": "sung"}, "ledger-how"),
        ({"kind": "done", "team": "R", "n": -1}, "ledger-count"),
        ({"kind": "done", "team": "R", "n": 1.0}, "ledger-count"),
        ({"kind": "penalty", "team": "R", "n": 0, "why": "why"}, "ledger-count"),
        ({"kind": "penalty", "team": "R", "n": 1_000_000, "why": "why"}, "ledger-count"),
        ({"kind": "penalty", "team": "R", "n": 1, "why": " \n "}, "ledger-words"),
        ({"kind": "penalty", "team": "R", "n": 1, "why": "(R 7.2)"}, "ledger-words"),
        ({"kind": "note", "text": 7}, "ledger-words"),
        ({"kind": "note", "text": "a" * 301}, "ledger-long"),
    ],
)  # fmt: skip
def test_what_is_no_entry_is_refused(entry: dict[str, Any], refusal: str) -> None:
    assert refused(**entry) == refusal


def test_what_was_agreed_holds_without_a_board_too() -> None:
    silent = Options(mode="companion", hembo="off", raising=False)
    assert refused(silent, kind="hembo", team="R", how="said") == "hembo-off"
    assert refused(silent, kind="raise", team="R") == "raising-off"


def test_what_people_write_is_never_taken_for_a_mark() -> None:
    text = entered(kind="penalty", team="R", n=1, why='"so" they say (B 7.2)')
    assert text == 'ref pen R +1 "\\"so\\" they say"'


def test_a_mark_tells_who_did_what() -> None:
    found = read_tag("Red's double ate Blue's triple (R 7.2)")
    assert found
    assert (found.text, found.team, found.paragraph) == (
        "Red's double ate Blue's triple",
        "R",
        "7.2",
    )
    assert read_tag("the board was bumped") is None
    assert read_tag("see (R 7.2) in the rules") is None


# Whatever is entered


def entries() -> st.SearchStrategy[dict[str, Any]]:
    team, times = st.sampled_from(TEAMS), st.integers(1, 4)
    words = st.text(min_size=1, max_size=40).filter(lambda each: bool(each.split()))
    several: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        "eaten": {"eater": team, "eater_times": times, "victim": team, "victim_times": times},
        "mine": {"mover": team, "times": times, "mine_times": times},
        "raise": {"team": team, "victim": st.none() | team, "victim_times": times},
        "hembo": {"team": team, "how": st.sampled_from(["said", "missed", "wrong", "uncalled"])},
        "done": {"team": team, "n": st.integers(1, 5)},
        "penalty": {"team": team, "n": st.integers(-3, 9).filter(bool), "why": words},
        "completed": {"team": team, "n": st.integers(-3, 9).filter(bool), "why": words},
        "note": {"text": words},
        "ruling": {"text": words},
        "break": {},
        "resume": {},
    }
    kinds = [st.fixed_dictionaries({"kind": st.just(kind), **v}) for kind, v in several.items()]
    return st.one_of(kinds).filter(
        lambda e: e.get("victim") is None or e["victim"] != e.get("eater", e.get("team"))
    )


def due(entry: dict[str, Any]) -> tuple[str, int, int]:
    """Whose book an entry changes, and what it adds to what is owed and to what is done."""
    match entry:
        case {"kind": "eaten", "victim": team, "eater_times": by, "victim_times": size}:
            return team, by * size, 0
        case {"kind": "mine", "mover": team, "times": size, "mine_times": by}:
            return team, by * size, 0
        case {"kind": "raise", "victim": str(team), "victim_times": size}:
            return team, size, 0
        case {"kind": "hembo", "team": team, "how": how}:
            return team, int(how != "said"), 0
        case {"kind": "done", "team": team, "n": n}:
            return team, -n, n
        case {"kind": "penalty", "team": team, "n": n}:
            return team, n, 0
        case {"kind": "completed", "team": team, "n": n}:
            return team, 0, n
    return "R", 0, 0


@settings(deadline=None, max_examples=60)
@given(st.lists(entries(), max_size=30), st.sampled_from(LANGUAGES))
def test_the_book_is_the_sum_of_its_entries(listed: list[dict[str, Any]], language: str) -> None:
    game = game_with(mode="companion")
    state, book, kept = game.rules.start(), dict.fromkeys(TEAMS, (0, 0)), []
    for entry in listed:
        text = entered(language, **entry)
        action = game.notation.read_action(text)
        assert game.notation.write_action(action) == text, "canonical"
        team, owed, done = due(entry)
        after = (book[team][0] + owed, book[team][1] + done)
        actor = game.rules.actor_of(state, action)
        if game.rules.why_not(state, actor, action):
            in_break = state.is_break == (entry["kind"] != "resume")
            assert min(after) < 0 or (entry["kind"] in ("break", "resume", "done") and in_break)
            continue
        state, book[team] = game.rules.resolve(state, actor, action).state, after
        kept.append(text)
    assert [(b.owed, b.done) for b in state.books] == [book[team] for team in TEAMS]
    record = Record(game=game.name, rules="1", options=game.options, actions=tuple(kept))
    assert verify(game, record) is None


# Side by side with a board


def told_without_board(told: Message) -> dict[str, Any] | None:
    """The entry somebody with no board makes of what the rules say happened."""
    value = dict(told.values)

    def size(of: object) -> int:
        assert isinstance(of, Message)
        piece = of.value("piece") or of
        assert isinstance(piece, Message)
        return int(piece.id[-1])

    def team(of: object) -> object:
        assert isinstance(of, Message)
        return of.value("seat")

    match told.id.removeprefix("as-kimble."):
        case "eaten":
            eater = value["eater"]
            return {
                "kind": "eaten",
                "eater": team(eater),
                "eater_times": size(eater),
                "victim": value["seat"],
                "victim_times": size(value["piece"]),
            }
        case "into-mine":
            mine = value["mine"]
            return {
                "kind": "mine",
                "mover": value["seat"],
                "times": size(value["piece"]),
                "mine_times": size(mine),
                "mine": team(mine),
            }
        case "raised":
            return {"kind": "raise", "team": value["seat"]}
        case "hembo-said":
            return {"kind": "hembo", "team": value["seat"], "how": "said"}
        case "hembo-missed":
            return {"kind": "hembo", "team": value["seat"], "how": "missed"}
        case "hembo-needless":
            return {"kind": "hembo", "team": value["seat"], "how": "uncalled"}
        case "did":
            return {"kind": "done", "team": value["seat"], "n": value["n"]}
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
                action = game.notation.read_action(entered(**entry))
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


def test_every_kind_is_tried_here() -> None:
    tried = {"won", "end"} | {"eaten", "mine", "raise", "hembo", "done", "penalty"}
    assert tried | {"completed", "note", "ruling", "break", "resume"} == set(KINDS)
