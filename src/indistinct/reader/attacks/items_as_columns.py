"""Columns of sets as one column per item, for attacks that compare column by column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from indistinct.core.hierarchy import ROOT
from indistinct.engines.cell_texts import with_text_columns
from indistinct.engines.frames import texts_of
from indistinct.masks.sets.item_tree import ItemTree
from indistinct.policy.item_hierarchies import items_of_cells, tree_of_items
from indistinct.reader.attacks.scene import ORIGINAL, Scene

MOST_ITEMS = 40  # of a column: distances take time for each, and rare items tell of few people
HAS, LACKS = "has", "lacks"
Cells = Sequence[tuple[str, ...]]


def items_as_columns(scene: Scene, names: Sequence[str]) -> tuple[Scene, list[str]]:
    """Give the items of columns of sets a column each: those that most people have.

    A person has an item or lacks it. A released set has an item that it shows, may have one under a
    label above it, and otherwise lacks it.

    Parameters
    ----------
    names : columns that an attack compares

    Returns
    -------
    the scene with these columns, and the names to compare by
    """
    found, kept = scene, list(names)
    for name in [one for one in names if one in scene.policy.set_names]:
        found, items = _divided(found, name)
        place = kept.index(name)
        kept[place : place + 1] = items
    return found, kept


def _divided(scene: Scene, name: str) -> tuple[Scene, list[str]]:
    """Divide one column."""
    policy = scene.policy
    own = {
        kind: items_of_cells(texts_of(table, name), policy, name)
        for kind, table in scene.people.items()
        if name in table.columns
    }
    tree = tree_of_items(policy, name, [cell for cells in own.values() for cell in cells])
    shown = items_of_cells(scene.released[name].to_list(), policy, name)
    columns = {f"{name}: {item}": item for item in _commonest(own[ORIGINAL], tree)}
    people = {
        kind: with_text_columns(table, _of_people(own[kind], columns)) if kind in own else table
        for kind, table in scene.people.items()
    }
    words = {"columns": {column: {"role": "quasi-identifier"} for column in columns}}
    divided = replace(
        scene,
        policy=policy.with_words(words),
        released=with_text_columns(scene.released, _of_records(shown, columns, tree)),
        people=people,
        _columns={},
    )
    return divided, list(columns)


def _commonest(cells: Cells, tree: ItemTree) -> list[str]:
    """List the items that most people have, in the order of the hierarchy."""
    counts = Counter(item for cell in cells for item in set(cell))
    chosen = {item for item, _ in counts.most_common(MOST_ITEMS)}
    return [item for item in tree.items if item in chosen]


def _of_people(cells: Cells, columns: Mapping[str, str]) -> dict[str, list[str]]:
    """Say of each person whether they have each item."""
    sets = [frozenset(cell) for cell in cells]
    return {
        column: [HAS if item in one else LACKS for one in sets] for column, item in columns.items()
    }


def _of_records(cells: Cells, columns: Mapping[str, str], tree: ItemTree) -> dict[str, list[str]]:
    """Say of each released record whether it shows each item, or a label above it."""
    sets = [frozenset(cell) for cell in cells]
    found: dict[str, list[str]] = {}
    for column, item in columns.items():
        above: set[str] = set()
        node = int(tree.parents[tree.items[item]])
        while node >= 0:
            above.add(tree.labels[node])
            node = int(tree.parents[node])
        found[column] = [HAS if item in one else ROOT if one & above else LACKS for one in sets]
    return found
