"""What the owner's report is written from: measured once, before a word is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from indistinct.core.arrays import Floats, Ints
from indistinct.core.brief import briefly
from indistinct.core.kernels import group_rows
from indistinct.policy.linked_form import counterfeits_path
from indistinct.policy.policy import Policy
from indistinct.publish.inspect import inspect
from indistinct.publish.inspection import Inspection
from indistinct.publish.release import Release
from indistinct.reader.assess.assess import assess
from indistinct.reader.assess.findings import Findings
from indistinct.reader.assess.table import read_original, without_masked
from indistinct.reader.attacks.attack import AttackReport, attack
from indistinct.reader.utility.distributions import (
    Distribution,
    Precision,
    associations,
    distributions,
    precisions,
)
from indistinct.reader.verify.verify import Verification, verify
from indistinct.release.reading import read_release
from indistinct.release.released import ReleasedTable, column_line, count_release
from indistinct.report.thresholds import DEFAULT, Threshold

QUERIES = 200
# Questions are answered one by one, so that fewer are asked of tables with many distinct records.
FEW_QUERIES, MANY_RECORDS = 50, 200_000


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a release beside those of its original.

    Parameters
    ----------
    names : of the columns that can be compared cell by cell
    compared, precise : per column
    change : (n_columns, n_columns), association after less association before; NaN where unknown
    sizes_before : (n_distinct,), records of the original that are alike in the columns others know
    """

    names: tuple[str, ...]
    compared: tuple[Distribution, ...]
    precise: tuple[Precision, ...]
    change: Floats
    sizes_before: Ints


@dataclass(frozen=True, slots=True)
class Asked:
    """What a report is asked to be about.

    Parameters
    ----------
    name : what the release is called, such as its file
    threshold : risk above which a record counts as too easy to find
    learn : column that a model is to predict; none when left out
    options : further options of the command, to repeat it
    """

    name: str
    threshold: Threshold = DEFAULT
    learn: str | None = None
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is known of a release, for its owner.

    Parameters
    ----------
    holds : the verdict of the verification; None where it is undecided
    faults, notes : of the verification, in words
    manifest : as JSON; empty where there is none
    findings : what the release reaches and cost; None where there is no single table to measure
    sizes : (n_classes,), of the released classes
    seed : whether the run was repeatable; None where that is not known
    """

    asked: Asked
    policy: Policy
    holds: bool | None
    faults: tuple[str, ...]
    notes: tuple[str, ...]
    manifest: Mapping[str, Any]
    inspection: Inspection
    findings: Findings | None
    sizes: Ints
    columns: Columns | None
    attacks: tuple[AttackReport, ...] = ()
    models: Sequence[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])

    __repr__ = briefly

    @property
    def n_before(self) -> int:
        """Records of the original."""
        return self.inspection.rows

    @property
    def n_released(self) -> int:
        """Records of the release."""
        if self.findings is not None:
            return self.findings.records.released
        return int(self.manifest.get("records", {}).get("released", 0))

    @property
    def greatest_risk(self) -> float | None:
        """The greatest chance to find somebody who is known to be in the release."""
        known = [] if self.findings is None else [self.findings.risk.prosecutor]
        # Where sizes count people, the release alone shows records; the manifest knows better.
        if self.manifest:
            known.append(float(self.manifest["risk"]["prosecutor"]))
        return max(known, default=None)

    @property
    def smallest_in_people(self) -> int | None:
        """People of the smallest group, where the policy counts people; None where it does not."""
        return self.manifest["classes"]["smallest"] if "people" in self.manifest else None

    @property
    def information_kept(self) -> float | None:
        """Detail that the recoded columns keep, suppressed records counted as lost; in [0, 1]."""
        loss = None if self.findings is None else self.findings.loss
        return None if loss is None or "ncp" not in loss else max(1.0 - loss["ncp"], 0.0)


def evidence_of_release(
    release: Release, asked: Asked, manifest: Mapping[str, Any] | None = None
) -> Evidence:
    """Measure a release that was just made; it was verified when it was made.

    Parameters
    ----------
    manifest : of the written release, where it was written
    """
    frame = release.frame
    document = manifest or release.manifest
    verdict = Verdict(bool(document["verified"]), (), (), document["models"])
    return _measured(
        release.policy,
        frame,
        release.original,
        asked,
        document,
        verdict,
        counterfeits=release.counterfeits,
    )


def evidence_of_files(  # noqa: PLR0913 - the files of a command
    path: str,
    policy: Policy,
    original: Any,
    asked: Asked,
    *,
    crosswalk: Path | None = None,
    registers: Sequence[Path] = (),
) -> Evidence:
    """Measure a written release.

    Parameters
    ----------
    path : of the release; its manifest is looked for beside it
    policy : what was promised
    original : path of the table that it was made from
    crosswalk : with it single records are verified, too, which takes longer
    registers : what attackers may know of people; each is tried

    Raises
    ------
    DataError
        when a file cannot be read
    """
    before = read_original(original, policy)
    # Every record is held against its own only where that is asked for: it takes far longer.
    alone = crosswalk is None
    found = verify(path, policy, original=None if alone else before, crosswalk=crosswalk)
    if found.holds is None and alone:
        found = verify(path, policy, original=before)
    attacks = tuple(
        attack(path, policy, register=register, original=before, crosswalk=crosswalk, seed=1)
        for register in registers
    )
    frame = read_release(path, policy, may_be_empty=True)
    return _measured(
        policy,
        frame,
        before,
        asked,
        _manifest(path),
        Verdict.of(found),
        attacks,
        counterfeits_path(path) if policy.algorithm.republishes else None,
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verification found, in words."""

    holds: bool | None
    faults: tuple[str, ...]
    notes: tuple[str, ...]
    models: Sequence[Mapping[str, Any]]

    @classmethod
    def of(cls, found: Verification) -> Verdict:
        """Take the words of a verification."""
        faults = tuple(f"{fault.place}: {fault.problem}" for fault in found.faults)
        return cls(found.holds, faults, found.notes, found.models)


def _measured(  # noqa: PLR0913, PLR0917 - the parts of the evidence
    policy: Policy,
    released: Any,
    before: Any,
    asked: Asked,
    manifest: Mapping[str, Any],
    verdict: Verdict,
    attacks: tuple[AttackReport, ...] = (),
    counterfeits: Any = None,
) -> Evidence:
    """Measure what was released beside what it was made from."""
    sizes, findings = np.zeros(0, np.int64), None
    if policy.release.form == "table":
        queries = QUERIES if before.height <= MANY_RECORDS else FEW_QUERIES
        can_ask = bool(policy.class_names) and not policy.protections
        assessed = assess(
            released,
            policy,
            original=before,
            queries=queries if can_ask else None,
            learn=asked.learn,
            counterfeits=counterfeits,
        )
        sizes, findings = assessed.counted.classes.sizes, assessed.findings
    columns = _columns(policy, released, before) if findings is not None else None
    return Evidence(
        asked,
        policy,
        verdict.holds,
        verdict.faults,
        verdict.notes,
        manifest,
        inspect(before, policy),
        findings,
        sizes,
        columns,
        attacks,
        verdict.models,
    )


def _columns(policy: Policy, released: Any, before: Any) -> Columns | None:
    """Compare the columns that were generalized, and the sensitive ones, before and after."""
    shown = [*policy.class_names, *policy.counted]
    names = tuple(name for name in dict.fromkeys(shown) if name not in policy.protections)
    if not names:
        return None
    lines = [column_line(before, policy, name) for name in names]
    first = count_release(before, policy, lines)
    after = count_release(without_masked(released, policy), policy, lines)
    known = [names.index(name) for name in policy.class_names if name in names]
    return Columns(
        names,
        distributions(lines, first, after),
        precisions(lines, after),
        associations(lines, after) - associations(lines, first),
        _sizes(first, known),
    )


def _sizes(table: ReleasedTable, columns: Sequence[int]) -> Ints:
    """Count the records that are alike in some columns, whatever survey weights they have."""
    if not columns:
        return np.zeros(0, np.int64)
    labels, representatives, _ = group_rows(np.ascontiguousarray(table.cells[:, list(columns)]))
    return np.bincount(labels[table.row_of], minlength=len(representatives)).astype(np.int64)


def _manifest(path: str) -> Mapping[str, Any]:
    """Read the manifest beside a release, if it is there."""
    import json

    file = Path(f"{path}.manifest.json")
    if not file.is_file():
        return {}
    found: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found
