"""Means, shares and the chi-square test, beside other people's."""

from statistics import quantiles

import pytest
from scipy.stats import binomtest, chi2, chisquare

from kibitz.report.plots import histogram_bins
from kibitz.report.statistics import chi_square_tail, evenness_p_value, mean_of, quantile, share_of


@pytest.mark.parametrize("freedom", range(1, 7))
@pytest.mark.parametrize("square", [0.0, 0.5, 3.84, 7.81, 40.0])
def test_the_tail_of_chi_square(square: float, freedom: int) -> None:
    assert chi_square_tail(square, freedom) == pytest.approx(chi2.sf(square, freedom), abs=1e-12)


def test_even_counts_are_no_wonder_and_uneven_ones_are() -> None:
    assert evenness_p_value([25, 25, 25, 25]) == 1
    assert evenness_p_value([0, 0]) == 1
    assert evenness_p_value([14, 23, 33, 30]) == pytest.approx(chisquare([14, 23, 33, 30]).pvalue)


@pytest.mark.parametrize(("count", "total"), [(0, 10), (3, 10), (10, 10), (512, 2000)])
def test_a_share_has_wilsons_interval(count: int, total: int) -> None:
    found = share_of(count, total)
    assert found is not None
    wilson = binomtest(count, total).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high), abs=1e-6)


def test_a_mean_has_an_interval_as_wide_as_its_error() -> None:
    found = mean_of([1, 2, 3, 4])
    assert found is not None
    assert found.value == 2.5
    assert found.error == pytest.approx(1.959964 * (5 / 3 / 4) ** 0.5)


def test_of_nothing_there_is_no_mean_and_no_share() -> None:
    assert mean_of([]) is None
    assert share_of(0, 0) is None


def test_quantiles_lie_between_the_nearest() -> None:
    values = [3, 1, 4, 1, 5, 9, 2, 6]
    quarters = quantiles(values, n=4, method="inclusive")
    assert [quantile(values, part) for part in (0.25, 0.5, 0.75)] == quarters


@pytest.mark.parametrize("values", [[7], [3, 3, 4], [118, 120, 377, 902], list(range(0, 3000, 7))])
def test_every_value_is_in_one_column(values: list[int]) -> None:
    columns = histogram_bins(values)
    assert len(columns) <= 26
    assert sum(count for _, _, count in columns) == len(values)
    for low, high, count in columns:
        assert count == sum(low <= value < high for value in values)
