"""What the owner's report is written from: measured once, before a word is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from indistinct.api import assess, attack, verify
from indistinct.base.arrays import Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.files.pair import counterfeits_path
from indistinct.base.statements.statements import Statements, is_known
from indistinct.frontends.report.owner.known_items import KnownItemsFindings, known_items_of
from indistinct.frontends.report.owner.sizes import (
    NOTHING,
    Alike,
    alike_after,
    alike_before,
    persons_in,
)
from indistinct.frontends.report.thresholds import DEFAULT, Threshold
from indistinct.tables.evaluation import (
    AttackReport,
    Distribution,
    Findings,
    PairedTables,
    Utility,
    ValuePrecision,
    Workload,
    read_original,
)
from indistinct.tables.findings import Finding
from indistinct.tables.frames import drop_masked
from indistinct.tables.policy import Policy, Specification, resolve
from indistinct.tables.publish import (
    Inspection,
    Release,
    inspect_table,
)
from indistinct.tables.reading import read_file
from indistinct.tables.release import read_release
from indistinct.tables.verification import Verification

QUERIES = 200
# Questions are answered one by one, so that fewer are asked of tables with many distinct records.
FEW_QUERIES, MANY_RECORDS = 50, 200_000


@dataclass(frozen=True, slots=True)
class ColumnChanges:
    """The columns of a release beside those of its original.

    Parameters
    ----------
    names : of the columns that can be compared cell by cell
    compared, precise : per column
    change : (n_columns, n_columns), association after less association before; NaN where unknown
    """

    names: tuple[str, ...]
    compared: tuple[Distribution, ...]
    precise: tuple[ValuePrecision, ...]
    change: Floats


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """What a report is asked to be about.

    Parameters
    ----------
    name : what the release is called, such as its file
    threshold : risk above which a record counts as too easy to find
    learn : column that a model is to predict; none when left out
    options : further options of the command, to repeat it
    seed : that the release was made with, where it is known
    """

    name: str
    threshold: Threshold = DEFAULT
    learn: str | None = None
    options: tuple[str, ...] = ()
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class ReportEvidence:
    """All that is known of a release, for its owner.

    Parameters
    ----------
    holds : the verdict of the verification; None where it is undecided
    faults, notes : of the verification, in words
    manifest : as JSON; empty where there is none
    statements : all that is said about the release
    findings : what the release reaches and cost; None where there is no single table to measure
    before, after : groups of the original and of the release that others cannot tell apart
    known_items : what whoever knows items of people finds, where there is a column of sets
    warnings : of the release, those for the owner alone included
    """

    asked: ReportRequest
    policy: Policy
    holds: bool | None
    faults: tuple[str, ...]
    notes: tuple[str, ...]
    manifest: Mapping[str, Any]
    statements: Statements
    inspection: Inspection
    findings: Findings | None
    before: Alike
    after: Alike
    columns: ColumnChanges | None
    attacks: tuple[AttackReport, ...] = ()
    models: Sequence[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    known_items: KnownItemsFindings | None = None
    warnings: tuple[Finding, ...] = ()

    __repr__ = short_repr

    @property
    def sizes(self) -> Ints:
        """Records of each released group: (n_classes,)."""
        return self.after.records

    @property
    def in_people(self) -> bool:
        """Whether people can be counted, before and after, and the policy asks for it."""
        return self.before.people is not None and self.after.people is not None

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
    def chance_by_known(self) -> float:
        """The chance to find somebody by what others may know; 0 where it was not examined."""
        known = self.statements.risk["known"]
        return float(known["chance"]) if is_known(known) else 0.0

    @property
    def people_kept(self) -> tuple[int, int] | None:
        """People with a record in the release, and those without; None where none are counted."""
        said = self.manifest.get("people")
        return None if said is None else (int(said["released"]), int(said["suppressed"]))

    @property
    def smallest_in_people(self) -> int | None:
        """People of the smallest group, where the policy counts people; None where it does not."""
        return self.manifest["classes"]["smallest"] if "people" in self.manifest else None


def evidence_of_release(
    release: Release,
    asked: ReportRequest,
    manifest: Mapping[str, Any] | None = None,
    statements: Mapping[str, Any] | None = None,
) -> ReportEvidence:
    """Measure a release that was just made; it was verified when it was made.

    Parameters
    ----------
    manifest, statements : of the written release, where it was written; these of its owner
    """
    frame = release.frame
    # What became of the sets is exact for the owner, and names the labels that are nowhere shown.
    exact = {word: release.owner.get(word, {}) for word in ("sets", "loss")}
    document = {**(manifest or release.manifest), **exact}
    stated = Statements.read(statements or release.owner["statements"])
    verdict = VerdictInWords(bool(document["verified"]), (), (), document["models"], stated)
    given = ReportInput(
        release.policy,
        frame,
        release.original,
        asked,
        document,
        counterfeits=release.counterfeits,
        rows=None if release.policy.release.suppressed == "mask" else release.crosswalk,
        warnings=release.findings.found,
    )
    return _measured(given, verdict)


def evidence_of_files(  # noqa: PLR0913 - the files of a command
    path: str,
    policy: Policy,
    original: Any,
    asked: ReportRequest,
    *,
    crosswalk: Path | None = None,
    registers: Sequence[Any] = (),
) -> ReportEvidence:
    """Measure a written release.

    Parameters
    ----------
    path : of the release; its manifest is looked for beside it
    policy : what was promised
    original : path of the table that it was made from
    crosswalk : with it single records are verified, too, which takes longer
    registers : what attackers may know of people, each a path or a frame; each is tried

    Raises
    ------
    DataError
        when a file cannot be read
    """
    before = read_original(original, policy.reading, policy.set_forms)
    # Every record is held against its own only where that is asked for: it takes far longer.
    alone = crosswalk is None
    # Verification reads the original itself: a frame has no labels of codes.
    beside = None if alone else original
    found = verify(path, policy, original=beside, crosswalk=crosswalk, look_closely=True)
    if found.holds is None and alone:
        found = verify(path, policy, original=original, look_closely=True)
    verified = cast("Verification", found)
    attacks = tuple(
        attack(path, policy, register=register, original=before, crosswalk=crosswalk, seed=1)
        for register in registers
    )
    spec = resolve(policy)
    frame = read_release(path, spec, may_be_empty=True)
    persons = _persons(policy.data.person, frame, before, crosswalk)
    list_of_counterfeits = counterfeits_path(path) if policy.algorithm.republishes else None
    manifest = _manifest(path)
    given = ReportInput(
        *(policy, frame, before, asked, manifest, persons, list_of_counterfeits, crosswalk),
        verified.findings.found,
    )
    return _measured(given, VerdictInWords.of(verified), attacks)


@dataclass(frozen=True, slots=True)
class VerdictInWords:
    """What a verification found, in words."""

    holds: bool | None
    faults: tuple[str, ...]
    notes: tuple[str, ...]
    models: Sequence[Mapping[str, Any]]
    statements: Statements

    @classmethod
    def of(cls, found: Verification) -> VerdictInWords:
        """Return the words of a verification."""
        faults = tuple(f"{fault.place}: {fault.problem}" for fault in found.faults)
        assert found.statements is not None  # noqa: S101 - every verification of a release has them
        return cls(found.holds, faults, found.notes, found.models, found.statements)


@dataclass(frozen=True, slots=True)
class ReportInput:
    """What a report is made of, before anything is measured.

    Parameters
    ----------
    persons : (n_released,), number of the person behind each released record, where it is known
    counterfeits : path or frame of the list of counterfeits of a release of m-invariance
    rows : the crosswalk, where it is known
    warnings : of the release, for its owner
    """

    policy: Policy
    released: Any
    before: Any
    asked: ReportRequest
    manifest: Mapping[str, Any]
    persons: Ints | None = None
    counterfeits: Any = None
    rows: Any = None
    warnings: tuple[Finding, ...] = ()

    __repr__ = short_repr


def _measured(
    given: ReportInput, verdict: VerdictInWords, attacks: tuple[AttackReport, ...] = ()
) -> ReportEvidence:
    """Measure what was released beside what it was made from."""
    policy, released, before, asked = given.policy, given.released, given.before, given.asked
    spec = resolve(policy)
    alike, findings, columns = NOTHING, None, None
    if policy.release.form == "table":
        n_queries = QUERIES if before.height <= MANY_RECORDS else FEW_QUERIES
        can_ask = bool(spec.class_names) and not spec.protections
        # Fictitious records are left out of the answers, and people counted by weights of records:
        # the assessment does that. Else every column is counted once for all that is asked of it.
        is_plain = given.counterfeits is None and policy.data.weight is None
        assessed = assess(
            released,
            policy,
            original=before,
            queries=n_queries if can_ask and not is_plain else None,
            learn=asked.learn,
            counterfeits=given.counterfeits,
        )
        findings = assessed.findings
        names = dict.fromkeys(
            [*_shown(spec), *(Workload.columns(spec) if can_ask and is_plain else ())]
        )
        if names:
            shown = drop_masked(released, policy.release.suppressed)
            paired = PairedTables.of(shown, before, [spec.columns[name] for name in names])
            columns = _columns(_shown(spec), paired)
            if can_ask and is_plain:
                errors = Workload.usual(n_queries).error(paired, spec)
                findings = _with_query_error(findings, errors)
        alike = alike_after(
            released, policy.class_names, given.persons, assessed.counted.classes.sizes
        )
    return ReportEvidence(
        asked,
        policy,
        verdict.holds,
        verdict.faults,
        verdict.notes,
        given.manifest,
        verdict.statements,
        inspect_table(before, policy),
        findings,
        alike_before(before, spec) if findings is not None else NOTHING,
        alike,
        columns,
        attacks,
        verdict.models,
        known_items_of(policy, released, before, given.rows),
        given.warnings,
    )


def _shown(spec: Specification) -> tuple[str, ...]:
    """Return the columns that were generalized, and the sensitive ones that models look at."""
    names = dict.fromkeys([*spec.class_names, *spec.counted])
    return tuple(name for name in names if name not in spec.protections)


def _columns(names: tuple[str, ...], paired: PairedTables) -> ColumnChanges | None:
    """Compare columns before and after."""
    if not names:
        return None
    of = paired.among(names)
    return ColumnChanges(
        names,
        of.distributions(),
        of.precisions(),
        of.association_changes(),
    )


def _with_query_error(findings: Findings, errors: Mapping[str, float]) -> Findings:
    """Return the findings with the error of count queries beside what was assessed."""
    utility = findings.utility or Utility()
    return replace(
        findings, utility=replace(utility, asked={**utility.asked, "query_error": errors})
    )


def _persons(name: str | None, released: Any, before: Any, crosswalk: Path | None) -> Ints | None:
    """Return whose each released record is, by the release itself or by the crosswalk."""
    if name is None:
        return None
    if name in released.columns:
        return persons_in(released, name)
    if crosswalk is None or name not in before.columns:
        return None
    links = read_file(str(crosswalk)).frame.sort("output_row")
    links = links.tail(released.height)  # before them stand the records that were left out
    if links.height < released.height or links["output_row"].item(0) != 0:
        return None
    return persons_in(before, name)[links["input_row"].to_numpy()]


def _manifest(path: str) -> Mapping[str, Any]:
    """Read the manifest beside a release, if it is there."""
    import json

    file = Path(f"{path}.manifest.json")
    if not file.is_file():
        return {}
    found: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found
