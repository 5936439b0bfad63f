"""What a table reaches, as a data owner asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from indistinct.base.brief import in_notebook
from indistinct.base.files.documents import plain
from indistinct.base.requirements import meets
from indistinct.base.statements.statements import Statements
from indistinct.base.verdicts import Verdict, raise_unless_holds, truth
from indistinct.errors import Fault
from indistinct.tables.evaluation.assessments.anonymity import (
    CountedClasses,
    per_class,
    smallest_classes,
)
from indistinct.tables.evaluation.assessments.findings import Findings
from indistinct.tables.findings.finding import ReleaseFindings
from indistinct.tables.frames.frame import Frame


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a table reaches.

    Parameters
    ----------
    findings : what was measured; the properties give its parts as JSON has them
    counted : the classes themselves, and how they read
    gives_away : what the table gives away
    statements : all that is said about the table as a release of its policy
    """

    findings: Findings
    counted: CountedClasses
    gives_away: ReleaseFindings = field(default_factory=ReleaseFindings)
    statements: Statements | None = None

    def __repr__(self) -> str:
        """Return how many records look alike, and whether the policy's models hold."""
        found = self.findings
        held = sum(model.holds is True for model in found.models)
        size = f"{found.records.released:,} records in {found.classes.count:,} classes"
        holding = f"{held} of {len(found.models)} models hold"
        return f"<Assessment of {size}: k = {found.anonymity.k}; {holding}>"

    _repr_html_ = in_notebook
    __bool__ = truth
    raise_unless_holds = raise_unless_holds

    @property
    def holds(self) -> bool | None:
        """Whether the table satisfies every model of the policy; None where that is not decided.

        A policy without models decides nothing.
        """
        found = [model.holds for model in self.findings.models]
        return Verdict.of(faults=False in found, undecided=not found or None in found).holds

    @property
    def reasons(self) -> tuple[Fault, ...]:
        """The models that the table does not satisfy."""
        return tuple(
            Fault(f"models.{model.name}", "does not hold in the table", "Anonymize the table.")
            for model in self.findings.models
            if model.holds is False
        )

    @property
    def models(self) -> tuple[Mapping[str, Any], ...]:
        """Per model of the policy: name, required, achieved, holds."""
        return tuple(plain(self.findings.models))

    @property
    def records(self) -> Mapping[str, Any]:
        """Records that are released and suppressed."""
        return plain(self.findings.records)

    @property
    def classes(self) -> Mapping[str, Any]:
        """How many classes there are, and how large they are."""
        return plain(self.findings.classes)

    @property
    def risk(self) -> Mapping[str, Any]:
        """The re-identification risk."""
        return plain(self.findings.risk)

    @property
    def anonymity(self) -> Mapping[str, Any]:
        """What every model reaches, promised or not, per sensitive column."""
        return plain(self.findings.anonymity)

    @property
    def separation(self) -> Mapping[str, Any]:
        """How well the quasi-identifiers together tell records apart."""
        return plain(self.findings.separation)

    @property
    def loss(self) -> Mapping[str, Any] | None:
        """What was lost, by the name of the metric, when the original was given."""
        return plain(self.findings.loss)

    @property
    def utility(self) -> Mapping[str, Any] | None:
        """What the release is still good for, when the original was given."""
        return plain(self.findings.utility)

    @property
    def protection(self) -> Mapping[str, Mapping[str, Any]] | None:
        """What noise per class costs and leaves open, when the original was given."""
        return plain(self.findings.protection)

    @property
    def per_class(self) -> Frame:
        """The classes, the smallest first: cells, records, and every model's measure."""
        return per_class(self.counted)

    def document(self, *, show_values: bool = False) -> dict[str, Any]:
        """Return the result as one JSON document.

        Parameters
        ----------
        show_values : for the owner of the data alone: the cells of the smallest classes, too
        """
        document = self.findings.document()
        stated: Any = {"findings": self.gives_away}
        statements = {"statements": plain(self.statements or stated)}
        if not show_values:
            return {**document, **statements}
        beyond = {
            name: document.pop(name)
            for name in ("loss", "utility", "protection")
            if name in document
        }
        return {**document, "smallest_classes": self.smallest_classes(), **beyond, **statements}

    def smallest_classes(self) -> list[dict[str, Any]]:
        """List the smallest classes, with their cells: for the owner of the data alone."""
        return smallest_classes(self.counted)

    def meets(self, requirement: str) -> bool:
        """Return whether a requirement such as ``k>=5`` holds.

        Raises
        ------
        ParameterError
            when the requirement cannot be read, or names what was not measured
        """
        return meets(requirement, self.figures(), "k>=5")

    def figures(self) -> dict[str, float]:
        """Return every figure that a requirement may name.

        Where two models of the policy reach the same letter, the worse one counts; a letter that no
        model of the policy has stands for the worst sensitive column.
        """
        return self.findings.figures()
