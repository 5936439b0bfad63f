"""Random families of linked tables against all tables in whole numbers that fit, by plain code."""

import random
from collections import Counter

import polars as pl
import pytest

from count_tables import TOTAL, Reader, tabulated
from indistinct.errors import NoSolutionError, TablesError

GROUPS = {"g1": ["a1", "a2"], "g2": ["a3"]}


def random_family(chance):
    """Return records, tables and words of a policy: few cells, many of them small."""
    sizes = {name: chance.randint(2, 3) for name in "abc"}
    rows = []
    for _ in range(chance.randint(8, 45)):
        row = {
            name: f"{name}{chance.choices(range(1, n + 1), [3, 2, 1][:n])[0]}"
            for name, n in sizes.items()
        }
        rows += [{**row, "who": len(rows)}] * (chance.randint(1, 3) if chance.random() < 0.2 else 1)
    kinds = chance.choice(["two", "one", "levels"])
    tables = [["a", "b"], ["a", "c"]] if kinds == "two" else [["a", "b"]]
    columns = {}
    if kinds == "levels":
        columns = {"a": {"hierarchy": {"tree": GROUPS}}}
        tables.append({"name": "above", "rows": ["a", "c"], "lowest": {"a": 1}})
    words = {"zeros": chance.choice(["publish", "hide"]), "columns": columns}
    if by_people := chance.random() < 0.5:
        words["read"] = {"person": "who"}
    return pl.DataFrame(rows), tables, words, chance.choice([2, 3, 5]), by_people


def people_of(data, reader, by_people):
    """Return who is counted in each cell, by each dimension's own labels and groups."""
    group = {label: name for name, labels in GROUPS.items() for label in labels}
    rows = data.unique(maintain_order=True) if by_people else data
    found = {}
    for number, row in enumerate(rows.iter_rows(named=True)):
        for key in reader.hidden | reader.shown.keys():
            labels = zip(reader.names, key, strict=True)
            if all(own in {TOTAL, row[name], group.get(row[name])} for name, own in labels):
                found.setdefault(key, set()).add(number)
    return found


def faults(data, published, minimum, by_people):
    """Yield what of the promise does not hold, by listing the tables that fit."""
    reader = Reader(published)
    people = people_of(data, reader, by_people)
    counts = {key: len(people.get(key, ())) for key in reader.hidden | reader.shown.keys()}
    for key, value in reader.shown.items():
        if value != counts[key] or (0 < value < minimum) or (not value and not reader.least):
            yield "shown", key
    for key in reader.hidden:
        if not reader.can_be(key, minimum):
            yield "reach", key
        if not (reader.can_be(key, counts[key] + 1) or reader.can_be(key, 0, counts[key] - 1)):
            yield "width", key
    yield from faults_inside(reader, people, counts, minimum)
    yield from wrong_witnesses(reader, published.witnesses)


def faults_inside(reader, people, counts, minimum):
    """Yield the cells that somebody who is counted in others can work out to be small."""
    for who in {one for key in reader.hidden for one in people.get(key, ())}:
        own = {key for key in reader.hidden if who in people.get(key, ())}
        alone = {key: 1 for key in own if counts[key] == 1}
        # Whoever is alone nowhere knows no more than an outsider, if zeros are shown.
        if reader.least and not alone:
            continue
        known = {"fixed": alone, "at_least": dict.fromkeys(own, 1)}
        for key in reader.hidden - alone.keys():
            is_small = 0 < counts[key] < minimum
            if is_small and not reader.can_be(key, max(minimum, counts[key] + 1), **known):
                yield "contributor", key


def wrong_witnesses(reader, witnesses):
    """Yield the complete tables that do not agree with what is shown."""
    for name in [] if witnesses is None else witnesses.columns[len(reader.names) + 1 :]:
        keys = zip(*(witnesses[one] for one in reader.names), strict=True)
        fixed = dict(zip(keys, witnesses[name].to_list(), strict=True))
        if fixed.keys() != reader.hidden or not list(reader.tables(fixed=fixed)):
            yield "witness", name


def try_families(numbers):
    found, n_refused = Counter(), 0
    for number in numbers:
        chance = random.Random(number)
        data, tables, words, minimum, by_people = random_family(chance)
        words["effort"] = chance.choice(["fast", "fast", "default"])
        try:
            published = tabulated(data, tables, minimum=minimum, **words)
        except (NoSolutionError, TablesError):  # or columns follow from each other
            n_refused += 1
            continue
        for kind, _ in faults(data, published, minimum, by_people):
            found[kind, number] += 1
    return found, n_refused


def test_random_families_keep_their_promise():
    found, n_refused = try_families(range(8))
    assert not found
    assert n_refused < 5


@pytest.mark.slow
def test_two_thousand_random_families_keep_their_promise():
    found, n_refused = try_families(range(2_000))
    assert not found
    assert n_refused < 1_000
