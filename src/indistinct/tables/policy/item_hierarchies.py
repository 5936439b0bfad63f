"""Cells that are sets of items, and the hierarchy of the items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from indistinct.base.hierarchy_builders import flat, from_rows, tree_rows
from indistinct.errors import Fault, HierarchyError
from indistinct.tables.masks.sets.item_tree import ItemTree, item_tree
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import read_rows


def items_of_cells(cells: Sequence[str | None], rule: ColumnRule) -> list[tuple[str, ...]]:
    """Split cells into their items; order, repetition and empty parts do not count.

    A missing cell is the empty set.
    """
    separator, missing = rule.words.separator, set(rule.missing)
    known: dict[str | None, tuple[str, ...]] = {None: ()}
    for cell in set(cells) - {None}:
        text = str(cell)
        parts = () if text in missing else (part.strip() for part in text.split(separator))
        known[cell] = tuple(dict.fromkeys(part for part in parts if part))
    return [known[cell] for cell in cells]


def tree_of_items(rule: ColumnRule, cells: Sequence[Sequence[str]]) -> ItemTree:
    """Build the hierarchy of a column's items; without a rule an item is kept or hidden.

    Raises
    ------
    HierarchyError
        when it is no hierarchy, or a label contains the separator
    """
    words = rule.words
    written = rule.hierarchy
    try:
        if written is None:
            hierarchy = flat(sorted({item for cell in cells for item in cell}))
        elif written.csv is not None:
            hierarchy = from_rows(read_rows(rule.folder / written.csv, written.separator))
        else:
            hierarchy = from_rows(written.rows or tree_rows(written.tree or {}))
        tree = item_tree(hierarchy)
    except HierarchyError as error:
        place = f"columns.{rule.name}.hierarchy"
        raise HierarchyError(replace(fault, place=place) for fault in error.faults) from None
    torn = [label for label in tree.labels if words.separator in label or label != label.strip()]
    if torn:
        raise HierarchyError(
            [
                Fault(
                    f"columns.{rule.name}.hierarchy",
                    f"{len(torn)} labels contain the separator of the column, or begin or end with "
                    "a space",
                    "Rename them, or choose another separator.",
                    tuple(torn[:5]),
                )
            ]
        )
    return tree
