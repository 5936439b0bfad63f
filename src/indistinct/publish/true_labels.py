"""Refuse hierarchies whose labels are not true of the values below them."""

from __future__ import annotations

from collections.abc import Iterator

from indistinct.errors import Fault, HierarchyError, PolicyError
from indistinct.policy.column_rule import ColumnRule
from indistinct.policy.hierarchies import listed_paths
from indistinct.policy.resolved import Resolved
from indistinct.reader.verify.true_labels import false_labels

REMEDY = "Correct these labels, or give the groups names that are no ranges or dates."


def check_labels(promised: Resolved) -> None:
    """Refuse files and trees with labels that are not true of a value below them.

    Raises
    ------
    PolicyError
        when there are such labels, with their number at each level
    """
    faults = [fault for rule in promised.class_rules for fault in _false_label_faults(rule)]
    if faults:
        raise PolicyError(faults)


def _false_label_faults(rule: ColumnRule) -> Iterator[Fault]:
    """Yield the levels of a rule that have false labels."""
    written = rule.hierarchy
    if written is None or not written.lists_values:
        return
    try:
        paths = {path[0]: path for path in listed_paths(rule)}
    except HierarchyError:
        return  # whoever encodes the columns names all that is wrong with their hierarchies
    for level, count in sorted(false_labels(rule.name, paths).items()):
        what = "1 label that is" if count == 1 else f"{count:,} labels that are"
        problem = f"level {level} has {what} not true of a value below, such as a range without it"
        yield Fault(f"columns.{rule.name}.hierarchy", problem, REMEDY)
