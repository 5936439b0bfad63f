"""What a manifest claims of columns whose hierarchy no file lists: the level of each column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from indistinct.errors import Fault
from indistinct.policy.sections.hierarchy import HierarchyRule
from indistinct.reader.verify.cells import HIDDEN, Cells
from indistinct.reader.verify.columns import released_cells
from indistinct.reader.verify.data_cells import Midpoints
from indistinct.reader.verify.evidence import Evidence, released_names
from indistinct.reader.verify.manifest_check import SAME_RUN
from indistinct.reader.verify.number_texts import is_range


def level_faults(evidence: Evidence, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find cells that do not stand at the level that the manifest claims for their column."""
    claimed = manifest["method"].get("transformation")
    if not isinstance(claimed, Mapping):
        return
    levels = cast("Mapping[str, object]", claimed)
    place = "manifest.method.transformation"
    columns = evidence.policy.columns
    suggested, missing = evidence.policy.suggested_names, evidence.policy.data.texts_of_missing
    rules = {name: columns[name].hierarchy for name in evidence.policy.class_names}
    names = [n for n, rule in rules.items() if rule is not None and n not in suggested]
    # A public policy does not say which of its rules were suggested; their levels are not said.
    sure = {name for name in names if (rule := rules[name]) is not None and _lists_labels(rule)}
    if not sure <= set(levels) <= set(names):
        problem = "does not name the quasi-identifiers whose hierarchy the policy has"
        yield Fault(place, problem, SAME_RUN)
        return
    for name in (name for name in names if name in levels):
        cells = released_cells(evidence, name)
        wrong = sum(
            count
            for cell, count in evidence.counts(name)
            if cell not in missing and not _may_stand(evidence, name, cells, cell, levels[name])
        )
        if wrong:
            yield Fault(f"{place}.{name}", f"is not the level of {wrong} released cells", SAME_RUN)


def _lists_labels(rule: HierarchyRule) -> bool:
    """Tell whether a rule lists labels, so that somebody wrote it."""
    return rule.lists_values or bool(rule.labels)


def _may_stand(evidence: Evidence, name: str, cells: Cells, cell: str, level: object) -> bool:
    """Tell whether a cell may stand at a level; two empty bounds are hidden, or missing."""
    is_pair = len(released_names(evidence.policy, name, evidence.typed.columns)) > 1
    if is_pair and level == 0 and is_range(cell):
        return False  # two bounds stand for numbers, and the input has no bands of these
    is_open = isinstance(cells, Midpoints) or (is_pair and cell == HIDDEN)
    return is_open or level in cells.levels(cell)
