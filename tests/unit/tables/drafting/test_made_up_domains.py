"""Roles of tables of other domains and languages than those that the rules were written with."""

import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import indistinct as ind
from made_up_domains import DOMAINS, columns_of, table_of


@cache
def judged(domain):
    """Return the verdict, the confidence, and whether the right role is shown, per column."""
    columns = columns_of(domain)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        table_of(columns).write_csv(path)
        found = ind.inspect(path)
    verdicts = []
    for (_, _, right), one in zip(columns, found.columns, strict=True):
        verdict = "right" if one.role in right else "wrong"
        asked = one.role == "undecided"
        shown = not asked or bool(set(one.candidates) & right)
        verdicts.append(("asked" if asked else verdict, one.confidence, shown))
    return verdicts, len(found.doubts)


@pytest.mark.parametrize("domain", DOMAINS)
def test_nothing_certain_is_wrong_and_little_is_asked(domain):
    verdicts, n_questions = judged(domain)
    assert ("wrong", "high") not in {(verdict, sure) for verdict, sure, _ in verdicts}
    assert n_questions <= 6


def test_most_are_right_and_what_is_asked_shows_the_right_one():
    every = [one for domain in DOMAINS for one in judged(domain)[0]]
    counts = Counter(verdict for verdict, _, _ in every)
    assert counts["right"] >= 0.75 * len(every)
    assert counts["wrong"] <= 0.01 * len(every)
    assert sum(not shown for _, _, shown in every) <= 0.05 * counts["asked"]
