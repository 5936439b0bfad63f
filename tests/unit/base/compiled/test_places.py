"""Loops hand each other the places of named tuples, and what stands there stays what it was."""

import sys
from importlib import import_module
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numba.core.runtime import rtsys

from indistinct.base.arrays import Codes, Ints
from indistinct.base.compiled.compiling import compiled, compiled_part


class Inner(NamedTuple):
    """Arrays of two types."""

    numbers: Ints
    codes: Codes


class Outer(NamedTuple):
    """A tuple in a tuple."""

    inner: Inner
    count: int
    others: Ints


@compiled_part
def weight(inner: Inner, factor: int) -> int:
    """Sum the numbers, and a multiple of the codes."""
    found = 0
    for place in range(len(inner.numbers)):
        found += inner.numbers[place] + factor * inner.codes[place]
    return found


@compiled_part
def weight_of_inside(outer: Outer) -> int:
    """Hand on the place of a tuple in a tuple that was handed over."""
    inner = outer.inner
    found = 0
    for factor in range(outer.count):
        if factor % 2 == 0:
            found += weight(inner, factor)
    return found


@compiled_part
def changed(outer: Outer, by: int) -> Outer:
    """Return a tuple of which one part is new, and write into an array of the other."""
    numbers = np.empty(len(outer.others), np.int64)
    for place in range(len(numbers)):
        numbers[place] = outer.others[place] + by
        outer.others[place] += 1
    return Outer(Inner(numbers, outer.inner.codes), outer.count, outer.others)


@compiled
def many_ways(outer: Outer, rounds: int) -> int:
    """Assign variables once, again and again, or by one of two ways, and hand each on."""
    last = outer
    kept = outer.inner
    found = weight_of_inside(outer)
    for number in range(rounds):
        made = changed(outer, number)
        alias = made
        inner = made.inner
        if number % 3 == 1:
            kept = last.inner
            last = made
        found += weight_of_inside(alias) - 2 * weight(kept, 3) + 5 * weight(inner, 1)
        found += 7 * weight(Inner(outer.others, kept.codes), number)
    return found + 11 * weight_of_inside(last)


def plainly(outer: Outer, rounds: int) -> int:
    """Compute the same without loops that are compiled."""

    def plain(inner, factor):
        return int(inner.numbers.sum()) + factor * int(inner.codes.sum())

    def inside(tuple_):
        return sum(plain(tuple_.inner, factor) for factor in range(0, tuple_.count, 2))

    last, kept, found = outer, outer.inner, inside(outer)
    for number in range(rounds):
        made = outer._replace(inner=Inner(outer.others + number, outer.inner.codes))
        outer.others[:] += 1
        if number % 3 == 1:
            kept, last = last.inner, made
        found += inside(made) - 2 * plain(kept, 3) + 5 * plain(made.inner, 1)
        found += 7 * plain(Inner(outer.others, kept.codes), number)
    return found + 11 * inside(last)


def tuple_of(numbers, count):
    numbers = np.array(numbers, np.int64)
    return Outer(Inner(numbers, (numbers % 7).astype(np.int32)), count, 3 * numbers)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.integers(-100, 100), min_size=1, max_size=5), st.integers(0, 4), st.integers(0, 9)
)
def test_tuples_that_are_handed_on_are_what_they_were(numbers, count, rounds):
    assert many_ways(tuple_of(numbers, count), rounds) == plainly(tuple_of(numbers, count), rounds)


@pytest.fixture
def allocations():
    """Return what tells how many arrays were made and freed."""
    memory = import_module("numba.core.runtime._nrt_python")
    memory.memsys_enable_stats()
    yield rtsys.get_allocation_stats
    memory.memsys_disable_stats()


def test_arrays_in_tuples_are_freed_once_and_those_of_the_caller_stay(allocations):
    outer = tuple_of([5, 7, 0], 3)
    many_ways(outer, 9)  # compiles
    arrays = [outer.inner.numbers, outer.inner.codes, outer.others]
    held = [sys.getrefcount(one) for one in arrays]
    before = allocations()
    for _ in range(100):
        many_ways(outer, 9)
    after = allocations()
    assert [sys.getrefcount(one) for one in arrays] == held
    assert after.alloc - before.alloc == after.free - before.free >= 900
