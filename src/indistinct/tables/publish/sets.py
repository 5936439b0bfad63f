"""Publish a column of sets when the classes of the other quasi-identifiers are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.hierarchy import MAX_EXAMPLES
from indistinct.errors import Fault, HierarchyError, NoSolutionError
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.frames.texts import cell_texts, text_column
from indistinct.tables.masks.sets.item_records import ItemRecords
from indistinct.tables.masks.sets.item_tree import ItemTree
from indistinct.tables.masks.sets.published import PublishedSets
from indistinct.tables.masks.sets.publishing import publish_sets
from indistinct.tables.masks.sets.supports import candidates
from indistinct.tables.models import SET_MODEL_NAMES, SetModel
from indistinct.tables.policy.item_hierarchies import items_of_cells, tree_of_items
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.noisy_recoding import NoisyRecoding
from indistinct.tables.release.entries import ModelEntry
from indistinct.tables.release.noise_figures import visible_classes
from indistinct.tables.release.set_entry import SetEntry, SetFigures


def with_sets(prepared: Prepared, noised: NoisyRecoding) -> NoisyRecoding:
    """Write the cells of every column of sets, so that its model holds in each released class.

    Raises
    ------
    HierarchyError
        when the item hierarchy lacks items of the data
    NoSolutionError
        when more items would have to be left out than the policy allows
    """
    for model in prepared.spec.models:
        if isinstance(model, SetModel):
            texts, figures = _published(prepared, noised, model)
            noised = replace(
                noised,
                columns=(*noised.columns, text_column(model.column, texts)),
                sets={**noised.sets, model.column: figures},
            )
    return noised


def with_supports(
    entries: Sequence[ModelEntry], sets: Mapping[str, SetFigures]
) -> tuple[ModelEntry, ...]:
    """Return the entries of the models with the least support of the released sets."""
    return tuple(
        replace(entry, achieved=_achieved(sets[str(entry.required["column"])]))
        if entry.name in SET_MODEL_NAMES and entry.required["column"] in sets
        else entry
        for entry in entries
    )


def _achieved(figures: SetFigures) -> dict[str, int] | None:
    """Return the least support as a model's entry has it."""
    return None if figures.least_support is None else {"k": figures.least_support}


def _published(
    prepared: Prepared, noised: NoisyRecoding, model: SetModel
) -> tuple[list[str | None], SetFigures]:
    """Return the cells of one column, None for suppressed records, and what became of it."""
    name, recoding = model.column, noised.solution.recoding
    words = prepared.spec.columns[name].words
    cells = items_of_cells(cell_texts(prepared.frame[name]).to_list(), prepared.spec.columns[name])
    tree = tree_of_items(prepared.spec.columns[name], cells)
    records = _records(tree, cells, name)
    rows = np.flatnonzero(recoding.released[noised.classes])
    classes = visible_classes(recoding)[noised.classes[rows]].astype(np.int64)
    texts: list[str | None] = [None] * len(cells)
    parts: list[PublishedSets] = []
    found = [np.zeros(0, np.int64)]
    least: list[int] = []
    for members in _members(rows, classes):
        part = _of_class(tree, records.chosen(members), prepared.spec, model)
        parts.append(part)
        alike = candidates(part.labels, model.known_items, whole=model.is_whole)
        found.append(alike)
        # A record without a label promises nothing, unless the whole set is known.
        least += alike[model.is_whole | (np.diff(part.labels.starts) > 0)].tolist()
        for row, labels in zip(members.tolist(), part.labels.sets(), strict=True):
            texts[row] = words.separator.join(tree.labels[node] for node in labels)
    entry = _entry(tree, parts)
    deleted = entry.deleted or 0.0
    if words.suppression != "none" and deleted > prepared.spec.method.max_suppression:
        raise NoSolutionError(
            f"{deleted:.4%} of the items would have to be left out of the sets",
            "Raise method.max_suppression, or lower k or m.",
        )
    return texts, SetFigures(entry, min(least, default=None), np.concatenate(found))


def _of_class(
    tree: ItemTree, records: ItemRecords, spec: Specification, model: SetModel
) -> PublishedSets:
    """Publish the sets of one class.

    A class among several may leave out more than the policy's share, where the others leave out
    less.
    """
    words = spec.columns[model.column].words
    share = spec.method.max_suppression

    part, nodes = tree, None
    if spec.class_names and records.n_occurrences:
        part, nodes = tree.over(records.items)  # a class has few of the items
        records = replace(records, items=np.searchsorted(nodes, records.items).astype(np.int64))

    def within(most: float) -> PublishedSets:
        found = publish_sets(
            part,
            records,
            algorithm=spec.algorithm_name,
            k=model.k,
            m=model.known_items,
            whole=model.is_whole,
            suppression=words.suppression,
            max_suppression=most,
        )
        return found if nodes is None else _in_tree(found, nodes)

    try:
        return within(share)
    except NoSolutionError:
        if not spec.class_names or words.suppression == "none":
            raise
        return within(1.0)


def _in_tree(found: PublishedSets, nodes: Ints) -> PublishedSets:
    """Return what was published of a part of the tree as nodes of the whole one."""
    return replace(
        found,
        labels=replace(found.labels, items=nodes[found.labels.items]),
        left_out=tuple(nodes[list(found.left_out)].tolist()),
    )


def _records(tree: ItemTree, cells: Sequence[Sequence[str]], name: str) -> ItemRecords:
    """Find the node of each item.

    Raises
    ------
    HierarchyError
        when the hierarchy does not contain items
    """
    known = tree.items
    lacking = tuple(dict.fromkeys(item for cell in cells for item in cell if item not in known))
    if lacking:
        raise HierarchyError(
            [
                Fault(
                    f"columns.{name}.hierarchy",
                    f"the hierarchy does not contain {len(lacking)} of the column's items",
                    "Add a row for each; --show-values prints them.",
                    lacking[:MAX_EXAMPLES],
                )
            ]
        )
    return ItemRecords.of([known[item] for item in cell] for cell in cells)


def _members(rows: Ints, classes: Ints) -> list[Ints]:
    """Return the rows of each class."""
    order = np.argsort(classes, kind="stable")
    breaks = np.flatnonzero(np.diff(classes[order])) + 1
    return [part for part in np.split(rows[order], breaks) if len(part)]


def _entry(tree: ItemTree, parts: Sequence[PublishedSets]) -> SetEntry:
    """Return the figures of all classes together."""
    total = sum(part.n_occurrences for part in parts)
    shown = Counter(node for part in parts for node in part.labels.items.tolist())
    bounds = [part.lower_bound for part in parts]
    left_out = parts[0].left_out if len(parts) == 1 else ()
    return SetEntry(
        occurrences=total,
        generalized=sum(part.n_generalized for part in parts) / max(total, 1),
        deleted=sum(part.n_deleted for part in parts) / max(total, 1),
        left_out_items=tuple(tree.labels[node] for node in left_out),
        empty=sum(int((np.diff(part.labels.starts) == 0).sum()) for part in parts),
        labels=len(shown),
        loss=sum(part.loss * part.n_occurrences for part in parts) / max(total, 1),
        lower_bound=bounds[0] if len(bounds) == 1 else None,
        algorithm=", ".join(sorted({part.algorithm for part in parts})),
    )
