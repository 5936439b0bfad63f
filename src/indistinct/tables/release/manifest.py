"""What the owner's manifest says of a release: exact numbers and names, no value of any record."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.base.files.documents import fingerprint, fresh_salt, plain
from indistinct.base.hierarchy import ROOT
from indistinct.errors import DataError
from indistinct.tables.core.classes import Around, EquivalenceClasses, Region, count_values
from indistinct.tables.core.compatible import count_compatible
from indistinct.tables.core.frequencies import FrequencyTable
from indistinct.tables.core.protocols import PrivacyModel, Problem
from indistinct.tables.core.recoding import Recoding, by_classes, value_bits
from indistinct.tables.findings.finding import Finding, ReleaseFindings
from indistinct.tables.frames.tuples import canonical
from indistinct.tables.metrics import METRICS, SeparableMetric
from indistinct.tables.metrics.risk import journalist_risk, marketer_risk, prosecutor_risk
from indistinct.tables.release.entries import (
    ClassEntry,
    CompositionEntry,
    CountEntry,
    CounterfeitEntry,
    HistoryEntry,
    InputEntry,
    MethodEntry,
    ModelEntry,
    OutputEntry,
    ProtectionEntry,
    RiskEntry,
    SensitiveEntry,
    SuppressionEntry,
)
from indistinct.tables.release.set_entry import SetEntry
from indistinct.tables.search.lattice.lattice import Lattice

FORMAT = 3  # of the document; 0.2.0 and earlier wrote none


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What was promised of a release, how it was made, and what was reached.

    Parameters
    ----------
    indistinct : version of the program
    loss : by the name of the metric
    people : where sizes count people
    households : where sizes count households
    protection : per column that is protected otherwise
    promise : in words, where the models do not say it
    sensitive : of two linked tables
    suppression : where confident k-anonymity is promised
    history, counterfeits : where a table is released again and again under m-invariance
    composition : what it tells together with earlier releases, under other models
    sets : per column of sets
    read_back : cells that columns which are not generalized give back, the share of the records
        that is then in classes smaller than the models ask, the size of the smallest class, and the
        columns in which values may be written as missing
    repair : what was done so that less is read back; of the owner's manifest alone
    reading : per column, the cells that are read as missing since they are not what the policy says
        of their column; of the owner's manifest alone
    policy : words of the public policy; of the owner's manifest, with every rule written out
    codebook : per released column, what each label stands for; of the public manifest alone
    verified : whether the release was found to hold, or :attr:`PLAN`; set by whoever verified it
    statements : what is said about the release, as JSON has it; of one that was verified

    Notes
    -----
    The owner's has the salt of the input's fingerprint and exact figures; the public one is made
    from it by :mod:`indistinct.tables.publish.public_manifest`.
    """

    PLAN: ClassVar[str] = "plan"  # what it calls verified as long as nothing was written

    indistinct: str
    input: InputEntry
    output: OutputEntry
    method: MethodEntry
    models: tuple[ModelEntry, ...]
    records: CountEntry
    classes: ClassEntry
    loss: Mapping[str, float]
    risk: RiskEntry
    people: CountEntry | None = None
    households: CountEntry | None = None
    protection: Mapping[str, ProtectionEntry] = field(default_factory=dict[str, ProtectionEntry])
    promise: str | None = None
    sensitive: SensitiveEntry | None = None
    suppression: SuppressionEntry | None = None
    history: HistoryEntry | None = None
    counterfeits: CounterfeitEntry | None = None
    composition: CompositionEntry | None = None
    findings: ReleaseFindings = field(default_factory=ReleaseFindings)
    sets: Mapping[str, SetEntry] = field(default_factory=dict[str, SetEntry])
    read_back: Mapping[str, Any] | None = None
    repair: Mapping[str, Any] | None = None
    reading: Mapping[str, Any] = field(default_factory=dict[str, Any])
    policy: Mapping[str, Any] = field(default_factory=dict[str, Any])
    codebook: Mapping[str, Any] = field(default_factory=dict[str, Any])
    format: int = FORMAT
    verified: bool | str = False
    statements: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What was found in the release."""
        return self.findings.found

    @property
    def is_public(self) -> bool:
        """Return whether this is the manifest that may be published."""
        return self.input.salt is None

    def as_verified(self) -> Self:
        """Return the manifest of a release that was found to hold."""
        return replace(self, verified=True)

    def as_planned(self) -> Self:
        """Return the manifest of a release of which the plan was found to hold."""
        return replace(self, verified=self.PLAN)

    def written(
        self, sha256: str, *linked: Mapping[str, str], writer: Mapping[str, str] | None = None
    ) -> Self:
        """Return the manifest with the hashes of what was written.

        Parameters
        ----------
        writer : the libraries that wrote it, each with its version
        linked : name and hash of the second of two linked tables
        """
        output = replace(self.output, sha256=sha256, writer=writer)
        if self.sensitive is None or not linked:
            return replace(self, output=output)
        return replace(self, output=output, sensitive=replace(self.sensitive, **linked[0]))

    def document(self) -> dict[str, Any]:
        """Return the manifest as JSON has it; what there is nothing to say of is left out."""
        return {
            word: plain(getattr(self, word))
            for word in self._order()
            if word not in MAY_BE_LEFT_OUT or getattr(self, word)
        }

    def _order(self) -> Iterator[str]:
        """Name the words in the order of the document."""
        yield from ("indistinct", "format", "input", "reading", "output", "policy", "codebook")
        yield "statements"
        yield from ("method", "models")
        if self.sensitive is None:
            yield from ("records", "people", "households", "classes", "loss", "risk")
            yield from ("protection", "sets", "promise", "suppression", "read_back", "repair")
            yield from REPUBLISHED
        else:
            yield from ("protection", "promise", "sensitive")
            yield from ("records", "classes", "loss", "risk", *REPUBLISHED)
        yield from ("verified", "warnings") if self.is_public else ("warnings", "verified")

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Read a manifest from JSON.

        Raises
        ------
        DataError
            when it is not the manifest of a release
        """
        parts = dict(document)
        try:
            for word, kind in ONE_ENTRY.items():
                if word in parts:
                    parts[word] = kind(**parts[word])
            parts["method"] = MethodEntry.read(parts["method"])
            parts["models"] = tuple(ModelEntry(**entry) for entry in parts["models"])
            parts["protection"] = {
                name: ProtectionEntry.read(entry)
                for name, entry in parts.get("protection", {}).items()
            }
            if "sets" in parts:
                parts["sets"] = {
                    name: SetEntry.read(entry) for name, entry in parts["sets"].items()
                }
            parts["findings"] = ReleaseFindings(tuple(map(Finding.read, parts.pop("warnings", ()))))
            return cls(**parts)
        except (AttributeError, KeyError, TypeError) as error:
            problem = "is not the manifest of a release"
            raise DataError(problem, "Take the one that was written beside it.") from error


REPUBLISHED = ("history", "counterfeits", "composition")
MAY_BE_LEFT_OUT = frozenset(
    {
        "codebook",
        "households",
        "people",
        "policy",
        "protection",
        "promise",
        "read_back",
        "reading",
        "repair",
        "sensitive",
        "suppression",
        "sets",
        "statements",
        "warnings",
        *REPUBLISHED,
    }
)
ONE_ENTRY: Mapping[str, type[Any]] = {
    "input": InputEntry,
    "output": OutputEntry,
    "records": CountEntry,
    "people": CountEntry,
    "households": CountEntry,
    "classes": ClassEntry,
    "risk": RiskEntry,
    "sensitive": SensitiveEntry,
    "suppression": SuppressionEntry,
    "history": HistoryEntry,
    "counterfeits": CounterfeitEntry,
    "composition": CompositionEntry,
}


def released_classes(problem: Problem, recoding: Recoding) -> EquivalenceClasses:
    """Count the released classes of a recoding; classes of equal cells are one class."""
    alike, first, _ = group_rows(recoding.cells)
    merged = canonical(recoding.cells[first])[1][alike]
    kept = recoding.released[recoding.labels]
    labels = merged[recoding.labels[kept]]
    is_present = np.bincount(labels, minlength=len(first)) > 0
    present = np.flatnonzero(is_present)
    labels = (np.cumsum(is_present) - 1)[labels]
    weights = recoding.weights[kept]
    counts = {
        name: count_values(
            labels.astype(np.int32),
            codes[recoding.tuples[kept]],
            weights,
            len(present),
            problem.table.sensitive[name].n_values,
        )
        for name, codes in problem.table.sensitive_codes.items()
    }
    sizes = np.bincount(labels, weights, len(present)).astype(np.int64)
    classes = EquivalenceClasses(sizes, counts, problem.table.sensitive)
    owners = np.full(len(present), -1, np.int64)
    owners[labels] = recoding.labels[kept]
    if recoding.people is not None:
        classes = replace(classes, population=recoding.people[owners])
    if recoding.regions is not None and problem.reads_regions:
        is_one = np.bincount(merged[recoding.released])[present] == 1
        return replace(classes, regions=_regions_of(recoding.regions, owners, is_one))
    if recoding.transformation is None or not problem.reads_beyond_classes:
        return classes
    representatives = np.zeros(len(present), np.int32)
    representatives[labels] = recoding.tuples[kept]
    return Lattice(problem).described(recoding.transformation, representatives, classes)


def _regions_of(
    regions: Callable[[], Iterator[Region]], owners: Ints, is_one: Bools
) -> Callable[[], Iterator[Region]]:
    """Return the supersets of a recoding's classes as those of what is released.

    Parameters
    ----------
    owners : (n_released,), class of the recoding
    is_one : (n_released,), False where several classes are released alike
    """
    return lambda: (Around(region.parts, region.part_of, owners, is_one) for region in regions())


def compatible_groups(recoding: Recoding) -> EquivalenceClasses:
    """Count the records compatible with each kind of released record, a star being any value."""
    cells, labels = np.unique(recoding.cells[recoding.released], axis=0, return_inverse=True)
    weights = np.bincount(labels.reshape(-1), recoding.sizes[recoding.released], len(cells))
    hidden = np.column_stack(
        [
            np.array([label == ROOT for label in domain.labels])[cells[:, column]]
            for column, domain in enumerate(recoding.domains)
        ]
    )
    return EquivalenceClasses(count_compatible(cells, hidden, weights.astype(np.int64)))


def model_entry(model: PrivacyModel, classes: EquivalenceClasses) -> ModelEntry:
    """Return what a model asks, what the worst class reaches, and whether it holds."""
    if classes.n_classes == 0:
        return ModelEntry(model.name, model.required(), None, holds=True)
    measures = model.measured(classes)
    worst = float(measures.min() if model.grows else measures.max())
    holds = bool(model.holds(classes).all())
    return ModelEntry(model.name, model.required(), model.achieved(worst), holds)


def promise_of(
    models: Sequence[PrivacyModel], protection: Mapping[str, ProtectionEntry], suppressed_cell: str
) -> str | None:
    """Return in words what is promised, where no model or only a reading of a star says it."""
    if suppressed_cell == "any":
        return (
            "each record is compatible with enough others, a star being any value; someone who "
            "knows a person's own values may find fewer records that fit"
        )
    if protection and not models:
        return "no model is promised; columns are protected as protection says"
    return None


def input_entry(n_rows: int, sha256: str | None) -> InputEntry:
    """Return what the release was made from; the salt is for the owner alone."""
    salt = fresh_salt()
    return InputEntry(n_rows, None if sha256 is None else fingerprint(sha256, salt), salt)


def class_entry(sizes: Ints) -> ClassEntry:
    """Return how many classes there are, and how large they are."""
    if len(sizes) == 0:
        return ClassEntry(0, None, None, None)
    return ClassEntry(len(sizes), int(sizes.min()), float(sizes.mean()), int(sizes.max()))


def risk_entry(sizes: Ints, people: Ints | None = None) -> RiskEntry:
    """Measure the re-identification risk; the journalist's risk takes a table of the population."""
    return RiskEntry(
        prosecutor_risk(sizes),
        None if people is None else journalist_risk(sizes, people),
        marketer_risk(sizes, people),
    )


def tuple_bits(table: FrequencyTable) -> float:
    """Return the sum over records of log2(records with the same quasi-identifiers)."""
    labels, representatives, _ = group_rows(table.codes)
    sizes = np.bincount(labels, table.weights, len(representatives))
    return value_bits(sizes.astype(np.int64))


def loss_entry(problem: Problem, recoding: Recoding) -> dict[str, float]:
    """Return the objective and the standard metrics; the objective with its own aggregate."""
    bits = recoding.tuple_bits
    outcome = replace(
        by_classes(recoding),
        tuple_bits=tuple_bits(problem.table) if math.isnan(bits) else bits,
    )
    losses: dict[str, float] = {}
    for name, kind in METRICS.items():
        if name == problem.objective.name:
            losses[name] = problem.objective.evaluate(outcome)
        elif issubclass(kind, SeparableMetric):
            losses[name] = kind(problem.weights).evaluate(outcome)
        else:
            losses[name] = kind().evaluate(outcome)
    return losses


def level_summary(problem: Problem, recoding: Recoding) -> Mapping[str, Any]:
    """Return which share of the released records stands at which level, per column."""
    summary: dict[str, Any] = {}
    for column, name in enumerate(problem.table.columns):
        domain = recoding.domains[column]
        counts = recoding.cell_counts(column, released=True)
        of_level = np.bincount(domain.levels.astype(np.int64), counts)
        total = max(int(counts.sum()), 1)
        summary[name] = {
            str(level): round(float(count) / total, 6)
            for level, count in enumerate(of_level)
            if count
        }
    return summary
