"""Columns of sets: cells and supports, judged by plain definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, groupby
from typing import Any

from indistinct.errors import Fault
from indistinct.tables.frames.frame import Frame
from indistinct.tables.models import SetModel
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.sections.data import LongForm
from indistinct.tables.verification.evidence import CheckedRelease
from indistinct.tables.verification.listed import listed_paths
from indistinct.tables.verification.manifest_shape import mapping_in
from indistinct.tables.verification.texts import HIDDEN, text_as_read

ReleasedSet = frozenset[str]
SAME_RUN = "Take the file and the manifest of one run."
DO_NOT_PUBLISH = "Do not publish this file."


def numbering_faults(found: Frame, long: LongForm | None) -> Iterator[Fault]:
    """Find people who are not numbered by their place in the file.

    Any other number, or another order, could come from the input.

    Parameters
    ----------
    found : the file as it is, a row per person and item
    """
    if long is None or long.person not in found.columns:
        return
    numbers = [number for number, _ in groupby(text_as_read(found[long.person]).to_list())]
    if numbers != [str(place) for place in range(len(numbers))]:
        problem = "does not number the people 0, 1, 2 and so on, in the order of the rows"
        yield Fault(f"columns.{long.person}", problem, DO_NOT_PUBLISH)


def judged_sets(
    model: SetModel, evidence: CheckedRelease
) -> tuple[dict[str, Any], list[Fault], list[str]]:
    """Count every set of labels in every class, and compare the least support with k.

    Returns
    -------
    the model's entry, the faults, and no note
    """
    classes = _classes(model, evidence)
    if model.is_whole:
        supports = [min(cells.values(), default=None) for cells in classes]
    else:
        supports = [least_support(cells, model.known_items) for cells in classes]
    least = min((support for support in supports if support is not None), default=None)
    holds = least is None or least >= model.k
    entry = {
        "name": model.name,
        "required": model.required(),
        "achieved": None if least is None else {"k": least},
        "holds": holds,
    }
    if holds:
        return entry, [], []
    what = "is that of" if model.is_whole else "is part of"
    problem = f"a set of labels in {model.column} {what} {least} records, not of {model.k}"
    return entry, [Fault(f"models.{model.name}", problem, DO_NOT_PUBLISH)], []


def least_support(cells: Counter[ReleasedSet], m: int | None) -> int | None:
    """Return the fewest records that have a set of up to m labels which some record has."""
    return min((alike for cell, alike in candidates(cells, m) if cell), default=None)


def candidates(
    cells: Counter[ReleasedSet], m: int | None, *, whole: bool = False
) -> Iterator[tuple[ReleasedSet, int]]:
    """Yield each cell, and how many of its class fit the worst that somebody knows of it.

    One size after the other, so that no more than the sets of one size are held. Where m is None
    the records that contain each whole cell are counted.
    """
    if whole:
        yield from cells.items()
    elif m is None:
        for cell in cells:
            yield cell, sum(n for other, n in cells.items() if cell <= other)
    for size in range(0 if whole or m is None else m + 1):
        own = [cell for cell in cells if min(m or 0, len(cell)) == size]
        counts = Counter[tuple[str, ...]]()
        for cell, times in cells.items() if own else ():
            for labels in combinations(sorted(cell), size):
                counts[labels] += times
        for cell in own:
            yield cell, min(counts[part] for part in combinations(sorted(cell), size))


def set_risks(evidence: CheckedRelease) -> dict[str, float | None] | None:
    """Measure the risk where items of a record are known; None where there are no sets."""
    models = [model for model in evidence.spec.models if isinstance(model, SetModel)]
    if not models:
        return None
    m, whole = models[0].known_items, models[0].is_whole
    found = [
        (cells[cell], alike)
        for cells in _classes(models[0], evidence)
        for cell, alike in candidates(cells, m, whole=whole)
    ]
    n_records = sum(times for times, _ in found)
    return {
        "prosecutor": max((1 / alike for _, alike in found), default=0.0),
        "journalist": None,
        "marketer": sum(times / alike for times, alike in found) / max(n_records, 1),
    }


def set_faults(evidence: CheckedRelease, manifest: Mapping[str, Any] | None) -> Iterator[Fault]:
    """Find cells that are no sets of the hierarchy's labels, or do not cover their records."""
    for name in evidence.spec.set_names:
        texts = evidence.release[name].to_list()
        yield from _cell_faults(evidence, name, texts)
        yield from _record_faults(evidence, name, texts)
        if manifest is not None:
            yield from _claim_faults(evidence, name, texts, manifest)


def _parts(rule: ColumnRule, text: str) -> list[str]:
    """Split a released cell into its labels."""
    return text.split(rule.words.separator) if text else []


def _items_of(rule: ColumnRule, text: str | None) -> set[str]:
    """Split a cell of the input into its items."""
    if text is None or text in rule.missing:
        return set()
    return {one.strip() for one in str(text).split(rule.words.separator)} - {""}


def _classes(model: SetModel, evidence: CheckedRelease) -> list[Counter[ReleasedSet]]:
    """Count the cells of each class of records that read alike in the other columns."""
    spec, release = evidence.spec, evidence.release
    if model.column not in release.columns:
        return []
    missing = set(spec.data.missing)
    keys = zip(*(release[name].to_list() for name in spec.class_names), strict=True)
    keys = list(keys) if spec.class_names else [()] * release.height
    classes: dict[tuple[Any, ...], Counter[ReleasedSet]] = {}
    for key, text in zip(keys, release[model.column].to_list(), strict=True):
        parts = [] if text in missing else _parts(spec.columns[model.column], text or "")
        cell = frozenset(part.strip() for part in parts if part.strip())
        classes.setdefault(key, Counter())[cell] += 1
    return list(classes.values())


def _cell_faults(evidence: CheckedRelease, name: str, texts: Sequence[str]) -> Iterator[Fault]:
    """Find cells with labels of no hierarchy, related labels, or more than one way to be written.

    The order of labels could tell the order of a person's items, so that each set has one.
    """
    spec = evidence.spec
    below = _items_below(spec.columns[name])
    is_open = f"hierarchies.{name}" in spec.withheld  # which lists more items than the labels
    ways: dict[ReleasedSet, str] = {}
    strange = related = several = 0
    for text in set(texts):
        labels = _parts(spec.columns[name], text)
        cell = frozenset(labels)
        several += len(cell) < len(labels) or ways.setdefault(cell, text) != text
        if below and not is_open and not cell <= below.keys():
            strange += 1
        elif any(below.get(a, {a}) & below.get(b, {b}) for a, b in combinations(cell, 2)) or (
            not below and HIDDEN in cell and len(cell) > 1
        ):
            related += 1
    for count, problem in (
        (strange, "have labels that are not in the hierarchy"),
        (related, "have a label beside another that is above it"),
        (several, "are sets that are written in two ways"),
    ):
        if count:
            yield Fault(f"columns.{name}", f"{count} kinds of cells {problem}", DO_NOT_PUBLISH)


def _items_below(rule: ColumnRule) -> dict[str, set[str]]:
    """Return the items below each label of the hierarchy; nothing where the policy has none."""
    below: dict[str, set[str]] = {}
    for item, path in listed_paths(rule).items():
        for label in {item, *path, HIDDEN}:
            below.setdefault(label, set()).add(item)
    return below


def _record_faults(evidence: CheckedRelease, name: str, texts: Sequence[str]) -> Iterator[Fault]:
    """Find labels that cover no item of their record, and items that no label covers."""
    before = evidence.before(name)
    if before is None or evidence.rows is None:
        return
    spec, below = evidence.spec, _items_below(evidence.spec.columns[name])
    originals = before.to_list()
    is_whole = spec.columns[name].words.suppression == "none"
    false = uncovered = 0
    for text, row in zip(texts, evidence.rows, strict=True):
        items = _items_of(spec.columns[name], originals[row])
        labels = _parts(spec.columns[name], text)
        hidden = {HIDDEN: items}
        covered = [(below or hidden).get(label, {label}) & items for label in labels]
        false += any(not some for some in covered)
        uncovered += is_whole and set[str]().union(*covered) != items
    if false:
        problem = f"{false} records have a label above none of their items"
        yield Fault(f"columns.{name}", problem, DO_NOT_PUBLISH)
    if uncovered:
        problem = f"{uncovered} records have an item that no label covers, and none may be left out"
        yield Fault(f"columns.{name}", problem, DO_NOT_PUBLISH)


def _claim_faults(
    evidence: CheckedRelease, name: str, texts: Sequence[str], manifest: Mapping[str, Any]
) -> Iterator[Fault]:
    """Compare what the manifest says of the sets with what the file has."""
    place = f"manifest.sets.{name}"
    sets = mapping_in(manifest, "sets")
    entry = mapping_in(sets, name)
    if not isinstance(sets.get(name), Mapping):
        yield Fault(place, "is missing", "Take the manifest as it was written with the release.")
        return
    labels = {label for text in set(texts) for label in _parts(evidence.spec.columns[name], text)}
    for word, found in (("empty", sum(not text for text in texts)), ("labels", len(labels))):
        if entry.get(word) != found:
            problem = f"is not the {found} of the file"
            yield Fault(f"{place}.{word}", problem, SAME_RUN)
