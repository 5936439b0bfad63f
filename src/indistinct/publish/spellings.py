"""Values and people that are written in several ways: what was counted as one, and what was not."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from indistinct.core.counted_texts import counted_text, counted_texts
from indistinct.core.frequencies import FrequencyTable
from indistinct.counting.persons import n_joined_persons
from indistinct.engines.frames import Frame
from indistinct.policy.column_rule import ColumnRule
from indistinct.policy.hierarchies import listed_paths
from indistinct.policy.sections.data import DataPolicy
from indistinct.release.entries import CASE, JOINED, READ_ALIKE, RENAMED, WarningEntry

WITH_LEVEL = re.compile(r"(.+) \(level [0-9]+\)", re.DOTALL)


def spellings_of(frame: Frame, table: FrequencyTable, data: DataPolicy) -> Iterator[WarningEntry]:
    """Warn of sensitive values that differ by case alone, and of people whose ids were joined.

    Parameters
    ----------
    frame : the input
    table : the same, counted
    """
    for name, column in table.sensitive_in_file.items():
        records: dict[str, list[int]] = defaultdict(list)
        known = zip(counted_texts(column.known.values), column.known.counts.tolist(), strict=True)
        for text, count in known:
            records[text.casefold()].append(count)
        several = [counts for counts in records.values() if len(counts) > 1]
        if several:
            n_values, n_records = sum(map(len, several)), sum(map(sum, several))
            message = (
                f"{n_values} values of {name} (sensitive) differ by upper and lower case alone, "
                "and count as different values: write them in one way if they mean the same"
            )
            share = n_records / max(int(column.counts.sum()), 1)
            yield WarningEntry(CASE, (name,), round(share, 6), message)
    if n_joined := n_joined_persons(frame, data):
        person = data.person or ""
        message = (
            f"{n_joined} ways of writing a person in {person} read like another one, and count as "
            "the same person: write each person in one way, or tell different people apart"
        )
        yield WarningEntry(JOINED, (person,), 1.0, message)


def label_warnings(
    rules: Sequence[ColumnRule], cells: Mapping[str, Collection[str]]
) -> Iterator[WarningEntry]:
    """Warn of labels that got another name, and of released cells that may be read as one.

    Parameters
    ----------
    cells : per quasi-identifier, the different released cells
    """
    yield from _labels_with_levels(rules)
    yield from _texts_read_alike([rule.name for rule in rules], cells)


def _labels_with_levels(rules: Iterable[ColumnRule]) -> Iterator[WarningEntry]:
    """Yield the owner's warnings of labels with their level behind them, listed twice."""
    for rule in rules:
        texts = {label for path in listed_paths(rule) for label in path}
        found = map(WITH_LEVEL.fullmatch, sorted(texts))
        renamed = [one[0] for one in found if one is not None and one[1] in texts]
        if renamed:
            message = (
                f"{len(renamed)} labels of {rule.name} are also values or labels of other groups, "
                f"so that their level is added to them (the first is {renamed[0]}): give these "
                "groups names of their own"
            )
            yield WarningEntry(RENAMED, (rule.name,), round(len(renamed) / len(texts), 6), message)


def _texts_read_alike(
    class_names: Sequence[str], cells: Mapping[str, Collection[str]]
) -> Iterator[WarningEntry]:
    """Warn of released cells that another program may read as one: 007 and 7, ``A`` and ``a ``."""
    for name in class_names:
        shown = cells.get(name, ())
        kinds = {counted_text(text).casefold() for text in shown}
        if n_alike := len(shown) - len(kinds):
            message = (
                f"{n_alike} cells of {name} read like another one but for case, blanks or the form "
                "of a number: programs that take them for one only make classes larger"
            )
            share = round(n_alike / len(shown), 6)
            yield WarningEntry(READ_ALIKE, (name,), share, message)
