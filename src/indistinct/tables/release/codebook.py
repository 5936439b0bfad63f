"""The codebook of a release: what each label stands for that its cells show.

It is a function of the released texts and of the policy's rules: neither the values below a label
nor the records have a part in it. A cell that is not listed is a value, a range of numbers, hidden
or missing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.codebook import CodebookEntry, ColumnEntries, ShownAs
from indistinct.tables.core.schema import GROUP
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.specification import Specification
from indistinct.tables.release.cells import is_range
from indistinct.tables.release.label_rules import labels_of


def codebook_of(
    spec: Specification, cells: Mapping[str, Collection[str]], numbers: Collection[str] = ()
) -> dict[str, Any]:
    """Return what is said of every released column: its kind, and the labels that it shows.

    Parameters
    ----------
    spec : with every rule written out
    cells : per quasi-identifier and column of sets, the different released cells, as labels
    numbers : quasi-identifiers that are released as two bounds or as midpoints, if any are

    Notes
    -----
    Of a quasi-identifier: ``kind``, ``cells`` (text, level and where it begins), and whether
    ``values``, ``hidden`` and ``missing`` cells are shown. An empty bound or midpoint is hidden.
    """
    book: dict[str, Any] = {}
    for name, rule in spec.columns.items():
        if name in spec.left_out:
            continue
        in_classes = name in spec.class_names and name in cells
        if in_classes:
            shown_as = spec.release.intervals if name in numbers else "label"
            means = spec.release.suppressed_cell
            found = entries_of(rule, cells[name], shown_as, "any" if means == "any" else None)
        elif name in spec.set_names:
            listed = _listed(rule, {*cells.get(name, ())} - {ROOT})
            found = ColumnEntries("items", cells=listed, separator=rule.words.separator)
        elif name in spec.protections:
            found = ColumnEntries("protected", by=spec.protections[name].name)
        else:
            found = ColumnEntries("values")
        book[name] = found.document(in_classes=in_classes)
    if spec.release.form == "anatomy":
        book[GROUP] = ColumnEntries("group").document(in_classes=False)
    return book


def entries_of(
    rule: ColumnRule,
    cells: Collection[str],
    shown_as: ShownAs = "label",
    hidden_means: str | None = None,
) -> ColumnEntries:
    """Return what the cells of a quasi-identifier are.

    Parameters
    ----------
    cells : the different ones, as labels
    """
    missing = rule.texts_of_missing
    shown = set(cells) - {ROOT} - missing
    is_missing, is_hidden = not missing.isdisjoint(cells), ROOT in cells
    if shown_as != "label":
        is_missing, is_hidden = False, is_hidden or is_missing
    # A midpoint does not show which label it is the middle of.
    listed = {} if shown_as == "midpoint" else _listed(rule, shown)
    # Nothing suggests a rule where no cell is shown.
    kind = _kind(rule, listed) if shown or not rule.is_suggested else "values"
    n_ranges = sum(map(is_range, shown)) if kind == "ranges" else 0
    has_values = shown_as != "midpoint" and len(shown) > len(listed) + n_ranges
    return ColumnEntries(kind, shown_as, listed, has_values, is_hidden, is_missing, hidden_means)


def _kind(rule: ColumnRule, listed: Collection[str]) -> str:
    """Return how the labels of a column are written."""
    if rule.hierarchy is not None and rule.hierarchy.ranges is not None:
        return "ranges"
    kind = labels_of(rule).kind
    return "values" if kind == "labels" and not listed else kind


def _listed(rule: ColumnRule, shown: Collection[str]) -> dict[str, CodebookEntry]:
    """Return the labels among the shown cells: intervals by where they begin, others by text."""
    labels = labels_of(rule)
    found = [entry for text in sorted(shown) if (entry := labels.entry(text)) is not None]
    if labels.kind == "intervals":
        found.sort(key=lambda entry: (Decimal(entry.low or "0"), entry.level))
    return {entry.text: entry for entry in found}
