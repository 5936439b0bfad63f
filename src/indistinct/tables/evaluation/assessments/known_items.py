"""What somebody finds who knows items of a record's set beside the other quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.brief import short_repr
from indistinct.tables.engines.tallies import kinds_of
from indistinct.tables.evaluation.assessments.anonymity import WORST_SHOWN
from indistinct.tables.evaluation.assessments.findings import (
    Anonymity,
    AssessedRisk,
    AtRisk,
    Separation,
)
from indistinct.tables.evaluation.assessments.table import class_cells
from indistinct.tables.frames.frame import Frame
from indistinct.tables.frames.texts import cell_texts
from indistinct.tables.masks.sets.item_records import ItemRecords
from indistinct.tables.masks.sets.supports import candidates
from indistinct.tables.metrics.separation import separation_entry
from indistinct.tables.models import SetModel
from indistinct.tables.policy.item_hierarchies import items_of_cells
from indistinct.tables.policy.specification import Specification

CLOSE = 1e-12


@dataclass(frozen=True, slots=True)
class KnownItemsRisk:
    """Records by how many fit what is known of their sets.

    Parameters
    ----------
    knows : what is known, in a few words
    alike : (n_records,), records that fit, the record itself among them
    tuples : (n_tuples,), records of each combination of other quasi-identifiers and whole set
    """

    knows: str
    alike: Ints
    tuples: Ints

    __repr__ = short_repr


def known_items(released: Frame, spec: Specification) -> KnownItemsRisk | None:
    """Count who fits known items; None where the policy has no sets, or the table no records."""
    models = [model for model in spec.models if isinstance(model, SetModel)]
    if not models or not released.height:
        return None
    model = models[0]
    cells = items_of_cells(cell_texts(released[model.column]).to_list(), spec.columns[model.column])
    number: dict[str, int] = {}
    sets = ItemRecords.of([number.setdefault(item, len(number)) for item in cell] for cell in cells)
    alike, whole = np.zeros(released.height, np.int64), np.zeros(released.height, np.int64)
    for members in _members(class_cells(released, spec), released.height):
        own = sets.chosen(members)
        alike[members] = candidates(own, model.known_items, whole=model.is_whole)
        whole[members] = candidates(own, None, whole=True)
    # Each record adds its share of its tuple, so that a tuple of n records counts once.
    sizes, times = np.unique(whole, return_counts=True)
    tuples = np.repeat(sizes, times // sizes)
    m = model.known_items
    items = "the whole set" if model.is_whole else "any items" if m is None else f"up to {m} items"
    return KnownItemsRisk(f"{items} of {model.column}", alike, tuples)


def _members(cells: Frame, n_records: int) -> list[Ints]:
    """List the records of each class of the other quasi-identifiers."""
    if not cells.width:
        return [np.arange(n_records)]
    kinds = kinds_of([cells[name] for name in cells.columns])[0].to_numpy()
    order = np.argsort(kinds, kind="stable").astype(np.int64)
    return np.split(order, np.flatnonzero(np.diff(kinds[order])) + 1)


def anonymity_with(known: KnownItemsRisk, found: Anonymity) -> Anonymity:
    """Return what every record is hidden among where items are known, too."""
    smallest = np.sort(known.alike)
    return replace(
        found,
        k=int(smallest[0]),
        unique_records=int((smallest == 1).sum()),
        smallest_classes=tuple(smallest[:WORST_SHOWN].tolist()),
        knows=known.knows,
    )


def risk_with(known: KnownItemsRisk, found: AssessedRisk) -> AssessedRisk:
    """Return the risk where items are known, too; what only columns tell is not measured."""
    risks = 1 / known.alike
    threshold = found.records_at_risk.threshold
    return AssessedRisk(
        prosecutor=float(risks.max()),
        journalist=None,
        marketer=float(risks.mean()),
        mean_prosecutor=float(risks.mean()),
        mean_journalist=None,
        records_at_risk=AtRisk(threshold, float((known.alike * threshold < 1 - CLOSE).mean())),
        suda=None,
        individual=None,
    )


def separation_with(known: KnownItemsRisk, found: Separation) -> Separation:
    """Return how well all columns together tell records apart, whole sets among them."""
    return replace(found, **separation_entry(known.tuples), sets=())
