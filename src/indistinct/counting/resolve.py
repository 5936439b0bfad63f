"""The rule of each quasi-identifier where the policy writes none: from the cells that are shown.

What nobody wrote must not tell of records that are left out. A suggested rule is therefore a
function of the values of those cells that the release does not hide. It is made of typical values
first; after the search it is made again of the cells that are shown, and the search is run again if
it differs (:mod:`indistinct.publish.settled_rules`).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from indistinct.core.arrays import Bools, Ints
from indistinct.core.date_hierarchies import is_date
from indistinct.core.hierarchy import ROOT
from indistinct.core.recoding import Recoding
from indistinct.counting.columns import encode_column
from indistinct.counting.prepare import Prepared
from indistinct.engines.frames import Frame
from indistinct.engines.protocol import EncodedColumn
from indistinct.policy.hierarchies import suggested_rule
from indistinct.policy.policy import Policy
from indistinct.policy.sections.hierarchy import HierarchyRule

FLAT = HierarchyRule(labels=())  # a value is kept or hidden
Rules = Mapping[str, HierarchyRule]


def names_without_rule(policy: Policy) -> tuple[str, ...]:
    """Return the quasi-identifiers whose values suggest how they are generalized."""
    return tuple(name for name in policy.class_names if policy.columns[name].hierarchy is None)


def rules_of_typical_values(frame: Frame, policy: Policy, records: Ints | None = None) -> Rules:
    """Suggest rules by the values that are likely to be released.

    Parameters
    ----------
    frame : the records, or the distinct rows of an engine's count
    records : of each row; one each where left out

    Notes
    -----
    Where records may be left out, the k - 1 least and greatest numbers do not count, and neither do
    forms of texts that fewer than k records have.
    """
    fewest = max((model.least_size for model in policy.models), default=1)
    rules: dict[str, HierarchyRule] = {}
    for name in names_without_rule(policy):
        column = encode_column(frame, policy, name)
        counts = np.bincount(column.codes, records, len(column.texts)).astype(np.int64)
        is_typical = np.ones(len(counts), np.bool_)
        if policy.method.max_suppression > 0:
            is_typical = _are_typical(column, counts, fewest)
        rules[name] = suggestion(policy, name, _chosen(column, is_typical))
    return rules


def rules_of_shown_cells(prepared: Prepared, recoding: Recoding, policy: Policy) -> Rules:
    """Suggest rules by the values of the cells that a release shows.

    Parameters
    ----------
    policy : with the suggested rules by which the recoding was found

    Returns
    -------
    a rule for each suggested one; the same where the column shows no cell
    """
    rules: dict[str, HierarchyRule] = {}
    for place, name in enumerate(policy.class_names):
        used = policy.columns[name].hierarchy
        if name not in policy.suggested_names or used is None:
            continue
        column = encode_column(prepared.frame, policy, name)
        is_hidden = np.array(recoding.domains[place].labels, np.object_) == ROOT
        labels = recoding.labels
        is_shown = recoding.released[labels] & ~is_hidden[recoding.cells[labels, place]]
        codes = prepared.problem.table.codes[recoding.tuples[is_shown], place]
        shown = np.zeros(len(column.texts), np.bool_)
        shown[codes] = True
        is_any = bool((shown & ~column.is_missing).any())
        rules[name] = suggestion(policy, name, _chosen(column, shown)) if is_any else used
    return rules


def suggestion(policy: Policy, name: str, column: EncodedColumn) -> HierarchyRule:
    """Suggest the rule of one column by some of its values."""
    if policy.columns[name].max_level == 0:
        return FLAT
    if policy.algorithm.ranges and column.numbers is not None:
        return HierarchyRule(ranges=policy.release.range_ends)
    return suggested_rule(name, column) or FLAT


def _chosen(column: EncodedColumn, which: Bools) -> EncodedColumn:
    """Return some of the values of a column, without records."""
    return EncodedColumn(
        column.codes[:0],
        tuple(text for text, is_chosen in zip(column.texts, which, strict=True) if is_chosen),
        None if column.numbers is None else column.numbers[which],
        column.is_missing[which],
    )


def _are_typical(column: EncodedColumn, counts: Ints, fewest: int) -> Bools:
    """Tell which values are neither among the extreme ones nor of a rare form: (n_values,)."""
    known = ~column.is_missing
    if column.numbers is not None:
        numbers, records = column.numbers, np.where(known, counts, 0)
        order = np.argsort(numbers, kind="stable")
        below = np.empty(len(order), np.int64)
        below[order] = np.cumsum(records[order])
        above = int(records.sum()) - below + records
        typical = known & (below >= fewest) & (above >= fewest)
    else:
        forms = np.array(
            ["date" if is_date(text) else str(len(text)) for text in column.texts], np.object_
        )
        totals = {form: int(counts[known & (forms == form)].sum()) for form in set(forms)}
        typical = known & np.array([totals[form] >= fewest for form in forms], np.bool_)
    return (typical if typical.any() else known) | column.is_missing
