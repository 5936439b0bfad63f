"""The codebook that stands beside a released file: what its reader takes its cells for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from indistinct.base.files.pair import SUFFIX, manifest_beside
from indistinct.errors import DataError, Fault, PolicyError
from indistinct.tables.core.codebook import ColumnEntries
from indistinct.tables.frames.frame import Frame
from indistinct.tables.frames.texts import distinct_texts
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.resolved import Resolved
from indistinct.tables.release.released import cell_texts_of, is_released

REMEDY = "Is this the manifest of this file? Put the two files of one run beside each other."


def with_codebook(promised: Resolved, data: Any, frame: Frame) -> Resolved:
    """Return what is promised, knowing what the manifest beside a release says of its cells.

    Parameters
    ----------
    promised : by the policy; a column without a rule gets the one that the release was made with
    data : a path, beside which the manifest stands; anything else has none
    frame : the records that were read from it

    Raises
    ------
    DataError
        when the codebook lists labels that no cell shows
    """
    manifest = manifest_beside(data)
    book = manifest.get("codebook")
    if not isinstance(book, Mapping):
        return promised
    promised = promised.with_suggestions(_used_rules(promised, manifest))
    columns = dict(promised.columns)
    faults: list[Fault] = []
    for rule in promised.class_rules:
        entries = ColumnEntries.read(cast("Mapping[str, Any]", book).get(rule.name))
        if entries is None or not is_released(rule.name, frame):
            continue
        known = columns[rule.name] = replace(rule, entries=entries)
        if not entries.cells.keys() <= {*distinct_texts(cell_texts_of(frame, known))}:
            problem = "lists labels that no cell of the column shows"
            faults.append(
                Fault(f"{Path(data).name}{SUFFIX}: codebook.{rule.name}", problem, REMEDY)
            )
    if faults:
        raise DataError(faults)
    return replace(promised, columns=columns)


def _used_rules(promised: Resolved, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rules that nobody wrote, as the policy of a manifest says them."""
    unruled = [rule.name for rule in promised.class_rules if rule.hierarchy is None]
    words = manifest.get("policy")
    if not unruled or not isinstance(words, Mapping):
        return {}
    try:
        said = Policy.of_public_words(cast("Mapping[str, Any]", words))
    except (PolicyError, TypeError, ValueError):
        return {}  # verify finds what is wrong with it
    rules = {name: said.rule_of(name).hierarchy for name in unruled if name in said.columns}
    return {name: rule for name, rule in rules.items() if rule is not None and rule.labels is None}
