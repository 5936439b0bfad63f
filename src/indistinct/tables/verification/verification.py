"""What a verification found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from indistinct.base.brief import in_notebook, models_in_words
from indistinct.base.statements.statements import Statements
from indistinct.base.verdicts import raise_unless_holds, truth
from indistinct.errors import Fault
from indistinct.tables.findings.finding import Finding, ReleaseFindings


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a release keeps the promise of its policy.

    Parameters
    ----------
    holds : True when nothing is wrong, False when something is, None when what is at hand does not
        decide a model. The truth value of the result is the same, and raises where it is None
    faults : what is wrong; no value of any record
    models : per model: name, required, achieved, holds
    records, classes : released records, and the classes they form
    notes : what could not be decided without the original
    not_checked : losses that the manifest claims and that nothing at hand determines; ``bytes``
        or ``file`` where these were not looked at
    findings : what the release gives away; the verdict does not depend on it
    statements : all that is said about the release
    """

    holds: bool | None
    faults: tuple[Fault, ...]
    models: tuple[Mapping[str, Any], ...]
    records: int
    classes: int
    notes: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()
    findings: ReleaseFindings = field(default_factory=ReleaseFindings)
    statements: Statements | None = None

    def __repr__(self) -> str:
        """Return the verdict, and how many faults there are."""
        models = models_in_words((model["name"], model["required"]) for model in self.models)
        faults = f"; {len(self.faults)} faults" if self.faults else ""
        return f"<Verification: {self.verdict}, {self.records:,} records: {models}{faults}>"

    _repr_html_ = in_notebook
    __bool__ = truth
    raise_unless_holds = raise_unless_holds

    @property
    def reasons(self) -> tuple[Fault, ...]:
        """What is wrong."""
        return self.faults

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What was found."""
        return self.findings.found

    @property
    def verdict(self) -> str:
        """The verdict in words: ``holds``, ``does not hold`` or ``undecided``."""
        if self.holds is None:
            return "undecided"
        return "holds" if self.holds else "does not hold"

    def document(self) -> dict[str, Any]:
        """Return the result as one JSON document."""
        return {
            "holds": self.holds,
            "verdict": self.verdict,
            "reasons": [f"{fault.place}: {fault.problem}" for fault in self.faults],
            "models": list(self.models),
            "records": self.records,
            "classes": self.classes,
            "notes": list(self.notes),
            "not_checked": list(self.not_checked),
            "warnings": [one.document() for one in self.findings.found],
            **({} if self.statements is None else {"statements": self.statements.document()}),
        }
