"""Totals merge in any order; intervals are Wilson's."""

from __future__ import annotations

import statistics
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrun.interpreter.simulation.statistics import (
    NOTHING,
    Spread,
    count_numbers,
    estimate_share,
)


def total(numbers: list[int]) -> Spread:
    """Add numbers up, one after the other."""
    spread = NOTHING
    for number in numbers:
        spread = spread.add(number)
    return spread


@given(st.lists(st.integers(-1000, 1000)), st.lists(st.integers(-1000, 1000)))
def test_parts_merge_to_the_whole(left: list[int], right: list[int]) -> None:
    """It does not matter how numbers were shared out, or in what order."""
    assert total(left).merge(total(right)) == total(right + left)


@given(st.lists(st.integers(-1000, 1000), min_size=2))
def test_mean_and_deviation_are_those_of_a_sample(numbers: list[int]) -> None:
    """The standard library agrees."""
    spread = total(numbers)
    assert spread.mean == pytest.approx(statistics.mean(numbers))
    assert spread.deviation == pytest.approx(statistics.stdev(numbers))


def test_nothing_has_no_deviation() -> None:
    """Neither does a single number."""
    assert (NOTHING.mean, NOTHING.deviation, total([5]).deviation) == (0, 0, 0)


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),  # the values of R's prop.test(correct = FALSE)
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (260, 1000, 0.2338, 0.2881),
        (0, 0, 0.0, 1.0),
    ],
)
def test_the_interval_of_a_share(
    part: float, whole: int, low: float, high: float
) -> None:
    """It stays within 0 and 1, and is not empty at the ends."""
    assert estimate_share(part, whole) == pytest.approx((low, high), abs=5e-5)


def test_one_number_has_no_known_error() -> None:
    """Nothing tells how far another would be from it."""
    assert count_numbers([7])[0].error == inf
    assert count_numbers([7, 7])[0].error == 0
