"""The tool that holds forecasts to results: what it counts, and a run at a small size."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import calibration as tool  # type: ignore[import-not-found]

MATCHES = 400


def forecasts_of(confidence: float) -> list[Any]:
    """Coins that fall as they were forecast, but for this factor on the logarithm of the odds."""
    rng, found = np.random.default_rng(1), list[Any]()
    for match in range(MATCHES):
        odds = rng.normal(0, 1.5)
        has_won = float(rng.random() < 1 / (1 + np.exp(-odds)))
        said = 1 / (1 + np.exp(-odds / confidence))
        found.append(tool.Forecast(match, 0, (said, 1 - said), (has_won, 1 - has_won)))
    return found


def test_forecasts_that_come_true_have_a_small_error() -> None:
    pairs = tool.pairs_of(forecasts_of(1.0))
    assert tool.calibration_error(pairs.chances, pairs.results) < 0.05
    assert tool.best_factor(forecasts_of(1.0)) == pytest.approx(1.0, abs=0.25)


def test_forecasts_that_are_too_sure_have_a_large_one_and_a_factor_mends_them() -> None:
    said = forecasts_of(0.4)
    pairs = tool.pairs_of(said)
    assert tool.calibration_error(pairs.chances, pairs.results) > 0.1
    assert tool.best_factor(said) == pytest.approx(0.4, abs=0.12)
    better = tool.pairs_of(tool.tempered(said, 0.4))
    assert tool.calibration_error(better.chances, better.results) < 0.06


def test_the_factor_is_judged_by_matches_that_it_was_not_fitted_to() -> None:
    """Odd matches that are right and even ones that are not: the factor stays one."""
    right, wrong = forecasts_of(1.0), forecasts_of(0.4)
    mixed = [right[n] if n % 2 else wrong[n] for n in range(MATCHES)]
    lines = list(tool.told_lines(mixed))
    shown, mended = lines[-2:]
    assert "as shown" in shown
    assert "factor 0.9" in mended or "factor 1.0" in mended or "factor 1.1" in mended


def test_what_is_forecast_next_stands_beside_a_forecast() -> None:
    """Who won, after the last one of a match."""
    found = [
        tool.Forecast(0, 3, (0.6, 0.4), (1.0, 0.0)),
        tool.Forecast(0, 9, (0.8, 0.2), (1.0, 0.0)),
        tool.Forecast(1, 2, (0.5, 0.5), (0.0, 1.0)),
    ]
    assert tool.pairs_of(found).following.tolist() == [0.8, 0.2, 1.0, 0.0, 0.0, 1.0]


def test_how_a_match_goes_on_has_no_say_in_what_is_looked_at() -> None:
    longer = tool.picked_positions(range(400), Random(1))
    assert tool.picked_positions(range(100), Random(1)) == [n for n in longer if n < 100]
    assert 10 < len(longer) < 50


def test_a_run_is_kept_and_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept, plot = tmp_path / "kept.jsonl", tmp_path / "plot.svg"
    said = ["kahmate", "--bot", "level-2@60n", "--keep", str(kept), "--matches"]
    tool.main([*said, "1"])
    first = kept.read_text()
    tool.main([*said, "2", "--plot", str(plot)])
    rows = [json.loads(line) for line in kept.read_text().splitlines()[1:]]
    assert kept.read_text().startswith(first)
    assert {match for match, *_ in rows} == {0, 1}
    assert f"2 matches, {len(rows)} positions: calibration error" in capsys.readouterr().out
    assert plot.read_text().startswith("<svg")
    for wrong in (
        ["--seed", "2", "--keep", str(kept)],
        ["--bot", "nobody"],
        ["--option", "tries=7"],
    ):
        with pytest.raises(SystemExit):
            tool.main(["kahmate", *wrong])
    told = capsys.readouterr().err
    assert "another game, bot, seed or options" in told
    assert "nobody" in told
    assert "Traceback" not in told
