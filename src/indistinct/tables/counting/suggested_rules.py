"""The rule of each quasi-identifier where the policy writes none: from the cells that are shown.

What nobody wrote must not tell of records that are left out. A suggested rule is therefore a
function of the values of those cells that the release does not hide. It is made of typical values
first; after the search it is made again of the cells that are shown, and the search is run again if
it differs (:mod:`indistinct.tables.publish.searching`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.date_hierarchies import is_date
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.counting.columns import encode_column
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.frames.frame import Frame
from indistinct.tables.frames.tuples import EncodedColumn
from indistinct.tables.policy.column_rule import ColumnRule, RangeEnds
from indistinct.tables.policy.hierarchies import (
    is_number_text,
    suggested_rule,
    with_numbers_of_texts,
)
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.policy.specification import Specification
from indistinct.tables.policy.suggested_periods import suggested_periods

CATEGORIES = frozenset({"nominal", "ordinal"})  # types whose values have no ranges and no parts
FLAT = HierarchyRule(labels=())  # a value is kept or hidden
RulesByColumn = Mapping[str, HierarchyRule]


def names_without_rule(spec: Specification) -> tuple[str, ...]:
    """Return the quasi-identifiers whose values suggest how they are generalized."""
    return tuple(name for name in spec.class_names if spec.columns[name].hierarchy is None)


def rules_of_typical_values(
    frame: Frame, spec: Specification, records: Ints | None = None, *, has_types: bool = True
) -> RulesByColumn:
    """Suggest rules by the values that are likely to be released.

    Parameters
    ----------
    frame : the records, or the distinct rows of an engine's count
    records : of each row; one each where left out
    has_types : whether the columns have types of their own; else numbers may stand as texts

    Notes
    -----
    Where records may be left out, the k - 1 least and greatest numbers do not count, and neither do
    forms of texts that fewer than k records have.
    """
    fewest = max((model.least_size for model in spec.models), default=1)
    ends = spec.release.range_ends if spec.algorithm.ranges else None
    rules: dict[str, HierarchyRule] = {}
    for name in names_without_rule(spec):
        rule = spec.columns[name]
        column = encode_column(frame, rule)
        counts = np.bincount(column.codes, records, len(column.texts)).astype(np.int64)
        is_typical = np.ones(len(counts), np.bool_)
        if spec.method.max_suppression > 0:
            is_typical = _are_typical(column, counts, fewest, has_types=has_types)
        rules[name] = _suggestion(rule, ends, column.chosen(is_typical), has_types=has_types)
    return rules


def rules_of_shown_cells(
    prepared: Prepared, recoding: Recoding, *, has_types: bool = True
) -> RulesByColumn:
    """Suggest rules by the values of the cells that a release shows.

    Parameters
    ----------
    prepared : with the suggested rules by which the recoding was found
    has_types : as in :func:`rules_of_typical_values`

    Returns
    -------
    a rule for each suggested one; the same where the column shows no cell
    """
    spec = prepared.spec
    ends = spec.release.range_ends if spec.algorithm.ranges else None
    rules: dict[str, HierarchyRule] = {}
    for place, rule in enumerate(spec.class_rules):
        name, used = rule.name, rule.hierarchy
        if not rule.is_suggested or used is None:
            continue
        column = prepared.values[name]
        is_hidden = np.array(recoding.domains[place].labels, np.object_) == ROOT
        labels = recoding.labels
        is_shown = recoding.released[labels] & ~is_hidden[recoding.cells[labels, place]]
        codes = prepared.problem.table.codes[recoding.tuples[is_shown], place]
        shown = np.zeros(len(column.texts), np.bool_)
        shown[codes] = True
        is_any = bool((shown & ~column.is_missing).any())
        if not is_any:
            rules[name] = used
            continue
        rules[name] = _suggestion(rule, ends, column.chosen(shown), has_types=has_types)
    return rules


def _suggestion(
    rule: ColumnRule, ends: RangeEnds | None, column: EncodedColumn, *, has_types: bool
) -> HierarchyRule:
    """Suggest the rule of one column by some of its values.

    Parameters
    ----------
    ends : of the ranges that the algorithm makes of numbers; None where it makes none
    """
    if rule.words.max_level == 0 or rule.words.type in CATEGORIES:
        return FLAT
    are_texts = column.numbers is None and not has_types
    if are_texts and ends is None:
        known = (t for t, gone in zip(column.texts, column.is_missing, strict=True) if not gone)
        if all(map(is_number_text, known)):
            column = with_numbers_of_texts(column)
    is_of_periods = suggested_periods(rule.name, column) is not None
    if ends is not None and column.numbers is not None and not is_of_periods:
        return HierarchyRule(ranges=ends)
    return suggested_rule(rule.name, column) or FLAT


def _are_typical(column: EncodedColumn, counts: Ints, fewest: int, *, has_types: bool) -> Bools:
    """Return which values are neither among the extreme ones nor of a rare form: (n_values,)."""
    known = ~column.is_missing
    if column.numbers is not None:
        numbers, records = column.numbers, np.where(known, counts, 0)
        order = np.argsort(numbers, kind="stable")
        below = np.empty(len(order), np.int64)
        below[order] = np.cumsum(records[order])
        above = int(records.sum()) - below + records
        typical = known & (below >= fewest) & (above >= fewest)
    else:
        forms = (is_date,) if has_types else (is_number_text, is_date)
        typical = _are_of_one_form(column, counts, fewest, forms)
    return (typical if typical.any() else known) | column.is_missing


def _are_of_one_form(
    column: EncodedColumn, counts: Ints, fewest: int, forms: Sequence[Callable[[str], object]]
) -> Bools:
    """Return which texts have the form of all but a few records: numbers, dates, or a length."""
    known, total = ~column.is_missing, int(counts[~column.is_missing].sum())
    for is_form in forms:
        has_form = known & np.array([bool(is_form(text)) for text in column.texts], np.bool_)
        if total - int(counts[has_form].sum()) < fewest:
            return has_form
    lengths = np.array([len(text) for text in column.texts], np.int64)
    totals = np.bincount(lengths[known], counts[known])
    return known & (totals[np.minimum(lengths, len(totals) - 1)] >= fewest)
