"""Tonight's die: what is called unusual is, and a fair one is left in peace."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from games.as_kimble.play import game_with
from kibitz.core.message import Message
from kibitz.core.record import Record, replay
from kibitz.games.as_kimble.companion.fairness import (
    DOME_ODDS,
    FAIR_ODDS,
    PopRecord,
    binomial,
    chi_square,
    die_statistics,
    oddity,
    pop_records,
    turn_counts,
)
from kibitz.games.as_kimble.rules.dispatch import FACES, OPPOSITE_FACES
from kibitz.i18n import LANGUAGES, say_in

NIGHTS = 400


def night_of(shown: Sequence[int]) -> list[PopRecord]:
    return [PopRecord(before, face) for before, face in zip((None, *shown), shown, strict=False)]


def fair(rng: Random, pops: int) -> list[PopRecord]:
    return night_of(rng.choices(FACES, k=pops))


def loaded_pops(rng: Random, pops: int) -> list[PopRecord]:
    """A die that hardly knows the six."""
    return night_of(rng.choices(FACES, [6, 6, 6, 6, 6, 1], k=pops))


def dome(rng: Random, pops: int) -> list[PopRecord]:
    """As it was measured (R28)."""
    shown = [rng.choice(FACES)]
    for _ in range(pops - 1):
        last = shown[-1]
        weights = [10 if f == last else 22 if f == OPPOSITE_FACES[last] else 17 for f in FACES]
        shown += rng.choices(FACES, weights)
    return night_of(shown)


def ids(pops: Sequence[PopRecord]) -> list[str]:
    return [each.id.removeprefix("as-kimble.fair-") for each in die_statistics(pops).remarks]


def verdict(pops: Sequence[PopRecord]) -> str:
    """What is said of how it turns."""
    found = die_statistics(pops).remarks[1].value("verdict")
    assert isinstance(found, Message)
    return found.id.removeprefix("as-kimble.fair-fits-")


def often(how: str, nights: Sequence[list[PopRecord]]) -> float:
    return sum(how in ids(each) for each in nights) / len(nights)


# Chances, as printed in tables of them


@pytest.mark.parametrize(
    ("counts", "chance"),
    [
        ([10, 10, 10, 10, 10, 10], 1.0),
        ([5, 8, 9, 8, 10, 20], 0.01991),
        ([16, 4, 4, 16, 10, 10], 0.01326),
    ],
)
def test_the_chance_of_faces(counts: list[int], chance: float) -> None:
    assert chi_square(counts, [1 / 6] * 6) == pytest.approx(chance, abs=5e-5)


def test_the_chance_of_turns() -> None:
    assert chi_square([10, 22, 68], DOME_ODDS) == pytest.approx(1)
    assert chi_square([10, 22, 68], FAIR_ODDS) == pytest.approx(0.1108, abs=5e-5)
    assert chi_square([0, 0, 0], FAIR_ODDS) == 1


def test_the_chance_of_a_face() -> None:
    chances = binomial(60, 1 / 6)
    assert sum(chances[:3]) == pytest.approx(0.0014872, abs=1e-7)
    assert sum(chances) == pytest.approx(1)
    assert sum(binomial(3000, 1 / 6)) == pytest.approx(1), "a long night is no trouble"


# What is said


def test_before_the_first_pop_there_is_nothing_to_say() -> None:
    assert die_statistics([]).counts == (0,) * 6
    assert ids([]) == ["none"]


def test_of_few_pops_nothing_is_said() -> None:
    assert ids(night_of([6] * 29)) == ["few"]
    assert ids(night_of([6] * 30)) == ["frequent"]


def test_an_even_night_is_usual() -> None:
    assert ids(night_of([1, 2, 3, 4, 5, 6, 6] * 6))[0] == "usual"
    say = say_in("en")
    assert (
        say(die_statistics(night_of([1, 2, 3, 4, 5, 6, 6] * 6)).remarks[0])
        == "42 pops: nothing unusual."
    )


def test_rare_sixes_are_told_with_how_rare_that_is() -> None:
    counts = [12, 11, 12, 11, 12, 2]
    shown = [face for face, count in zip(FACES, counts, strict=True) for _ in range(count)]
    Random(1).shuffle(shown)
    told = say_in("en")(die_statistics(night_of(shown)).remarks[0])
    assert told == (
        "Sixes are rare tonight: 2 of 60 pops. A fair die does something this odd "
        "about once in 56 nights."
    )


def test_nights_are_not_counted_beyond_a_thousand() -> None:
    told = say_in("en")(die_statistics(night_of([6] * 60)).remarks[0])
    assert "less than once in 1000 nights" in told


def test_all_faces_together_may_be_uneven() -> None:
    found = oddity([17, 17, 17, 6, 6, 6])
    assert found.face is None
    assert found.chance == chi_square([17, 17, 17, 6, 6, 6], [1 / 6] * 6) < 1 / 40
    assert ids(night_of([1, 2, 3] * 17 + [4, 5, 6] * 6))[0] == "uneven"


def test_a_fair_die_is_called_unusual_once_in_twenty_nights_at_most() -> None:
    rng = Random(7)
    for pops in (30, 60, 200):
        nights = [fair(rng, pops) for _ in range(NIGHTS)]
        assert often("usual", nights) > 0.93


def test_a_loaded_die_is_found_out() -> None:
    rng = Random(8)
    assert often("rare", [loaded_pops(rng, 200) for _ in range(100)]) > 0.9


def test_a_dome_is_no_loaded_die_but_turns_in_its_own_way() -> None:
    rng = Random(9)
    nights = [dome(rng, 600) for _ in range(100)]
    assert often("usual", nights) > 0.93
    verdicts = [verdict(each) for each in nights]
    assert verdicts.count("dome") > 80
    assert verdicts.count("fair") == 0
    fairs = [verdict(fair(rng, 600)) for _ in range(100)]
    assert fairs.count("fair") > 80
    assert fairs.count("dome") == 0


def test_a_short_night_tells_no_dome_from_a_fair_die() -> None:
    assert len(ids(night_of([1, 2, 3, 4, 5, 6] * 8))) == 1
    rng = Random(10)
    assert verdict(dome(rng, 80)) == "both"


def test_what_fits_neither() -> None:
    assert verdict(night_of([3] * 100)) == "none"


# Which pops count


def test_only_pops_of_the_game_count() -> None:
    game = game_with(mode="companion")
    start = "h4/h4/h4/h4 S:-/-/-/- d- 0+0/0+0/0+0/0+0 1:- ---- -"
    texts = ["warm 4", "warm 4", "a lot 3", "b lot 1", "c lot 2", "d lot 6", "b colour R"]
    texts += ["Y pop 2", "Y silent 5", "church", "Y sticky", "R stray 4", "fix 1", "fix 5"]
    texts += ["Y pop 1"]
    record = Record(
        game=game.name, rules="1", options=game.options, start=start, actions=tuple(texts)
    )
    found = pop_records(replay(game, record))
    lots = [PopRecord(4, 3), PopRecord(3, 1), PopRecord(1, 2), PopRecord(2, 6)]
    assert found == [*lots, PopRecord(6, 2), PopRecord(5, 5), PopRecord(5, 1)]
    assert die_statistics(found).counts == (2, 2, 1, 0, 1, 1)
    assert turn_counts(found) == (1, 1, 5)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_said_in_every_language(language: str) -> None:
    say, rng = say_in(language), Random(11)
    for pops in (
        night_of([]),
        night_of([1]),
        *(night_of([face] * 40) for face in FACES),
        fair(rng, 100),
        night_of([1, 2, 3] * 17 + [4, 5, 6] * 6),
        dome(rng, 900),
        fair(rng, 900),
        night_of([3] * 100),
        loaded_pops(rng, 300),
    ):
        assert all(say(each) for each in die_statistics(pops).remarks)
