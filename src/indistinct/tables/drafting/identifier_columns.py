"""Columns that are identifiers although a policy treats them otherwise, by what their cells show.

Where identifiers repeat, several records may belong to one person, and records are no people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from indistinct.tables.core.schema import Role
from indistinct.tables.engines.tallies import n_repeated, n_values_of
from indistinct.tables.frames.cell_numbers import has_floats
from indistinct.tables.frames.distinct_values import DistinctValues
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.sections.column import UNDECIDED
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.missing_values import are_missing, known_cells

MANY_PEOPLE = 0.1  # different values for each record, below which a column holds categories
FEW = 20  # values that a column of names or numbers of people has at least
# Of a column that numbers people: its values, and the records of one of them at most.
FEWEST, MOST_RECORDS, MISPRINTS = 5, 300, 0.01
# Numbers inside of texts that have check digits.
ELEVEN_DIGITS = re.compile(r"(?<![\w-])\d{11}(?![\w-])")
ACCOUNT = re.compile(r"(?<![\w-])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![\w-])")


def decided_identifiers(spec: Specification) -> Iterator[str]:
    """Yield the identifiers, without what a draft leaves out because nobody decided."""
    for name in spec.named(Role.IDENTIFIER):
        if not spec.columns[name].words.reason.endswith(UNDECIDED):
            yield name


def repeats_people(name: str, kind: str, values: DistinctValues) -> bool:
    """Return whether the repeated values of an identifier are those of people.

    That it is an identifier is one of three things that speak for it; its name or the shape of its
    values has to be another one.

    Parameters
    ----------
    kind : type of the column
    values : that are known
    """
    n_known = int(values.records.sum())
    n_shared = int(values.records[values.records > 1].sum())
    if kind in {"boolean", "number", "date"} or len(values.records) < FEWEST:
        return False
    if n_shared <= MISPRINTS * n_known or int(values.records.max()) > MOST_RECORDS:
        return False
    # To import what drafts are made with takes a twentieth of a second.
    from indistinct.tables.drafting.counted_column import CountedColumn
    from indistinct.tables.drafting.evidence.value_tests import are_dates, is_yes_no
    from indistinct.tables.drafting.persons import is_named, is_shaped

    column = CountedColumn(name, kind, values)
    if column.is_free_text or are_dates(column) or is_yes_no(column):
        return False
    return is_named(column) or is_shaped(column)


def looks_like_an_identifier(name: str, kind: str, values: DistinctValues) -> bool:
    """Return whether a column names people or numbers records; False where that is not certain.

    Parameters
    ----------
    values : those of some records that are known
    """
    n_known = int(values.records.sum())
    if kind == "number" or len(values.texts) < min(FEW, max(2, n_known // 2)):
        return False
    from indistinct.tables.drafting.counted_column import CountedColumn
    from indistinct.tables.drafting.evidence.calculus import WHOLE_NAMES
    from indistinct.tables.drafting.roles import suggest

    found = suggest(CountedColumn(name, kind, values))
    is_certain = found.confidence == "high" or found.agreement in WHOLE_NAMES
    return found.role is Role.IDENTIFIER and is_certain


def texts_naming_somebody(values: DistinctValues) -> frozenset[str]:
    """Return the texts that hold a telephone number, an address or an official number.

    None where fewer than two texts, or fewer than 2 of 100 cells, hold one of a kind. Of numbers
    with check digits most have to pass: one in ten does by chance.
    """
    from indistinct.tables.drafting.evidence.of_values import FEWEST_INSIDE, INSIDE, SHARE_INSIDE
    from indistinct.tables.drafting.values import is_iban, is_pesel

    texts = [text for text in values.texts if any(map(str.isalpha, text))]
    records = dict(zip(values.texts, values.records.tolist(), strict=True))
    kinds = [{text for text in texts if one.search(text)} for one in INSIDE.values()]
    for pattern, passes in ((ELEVEN_DIGITS, is_pesel), (ACCOUNT, is_iban)):
        like = {text: pattern.findall(text) for text in texts if pattern.search(text)}
        good = {text for text, numbers in like.items() if any(map(passes, numbers))}
        kinds.append(good if 2 * len(good) > len(like) else set())
    least = SHARE_INSIDE * int(values.records.sum())
    told = [
        held
        for held in kinds
        if len(held) >= FEWEST_INSIDE and sum(records[text] for text in held) >= least
    ]
    return frozenset(text for held in told for text in held)


def repeating_person(frame: Frame) -> str | None:
    """Return a column that by its name tells people apart, and whose values repeat; None for none.

    Parameters
    ----------
    frame : the input
    """
    from indistinct.tables.drafting.vocabulary import vocabulary

    words = vocabulary()
    for name in frame.columns:
        names_people = words.is_of_a_person(name) and not words.matches(name)
        if words.numbers_things(name) is None and not names_people:
            continue
        known = known_cells(frame[name], are_missing(frame[name], ("",)))
        n_values = n_values_of(known)
        if not has_floats(known) and n_values > 1 and n_repeated(known) > 0:
            return name
    return None
