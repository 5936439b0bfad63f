"""What related tables reach, counted once more from their files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

from indistinct.base.files.documents import plain
from indistinct.base.requirements import meets
from indistinct.base.verdicts import Verdict, raise_unless_holds, truth
from indistinct.errors import DataError, Fault
from indistinct.related.counted import counted_tables
from indistinct.related.policy import RelatedPolicy
from indistinct.related.read_tables import as_read
from indistinct.related.verify.keys import key_faults
from indistinct.related.verify.manifest import MOST_PATTERNS, rows_alone
from indistinct.related.verify.patterns import least_support, share_below, steps_of
from indistinct.related.verify.release import promise_entries, table_faults
from indistinct.related.verify.rows import units_of
from indistinct.related.verify.shares import shares_of
from indistinct.tables.findings import ReleaseFindings, look_for_all
from indistinct.tables.release import ReleaseJudge
from indistinct.tables.verification import texts_as_read

FURTHER = (1, 2)  # known rows beyond those that are promised


@final
@dataclass(frozen=True, slots=True)
class RelatedAssessment:
    """What released tables about the same people reach.

    Parameters
    ----------
    models : what was promised of them: name, required, achieved, holds
    people : units that are released
    rows : per table of rows, how many there are
    classes : groups of units that look alike by themselves
    rows_alone : share of the units that their class and numbers of rows single out, in [0, 1]
    beyond : per number of known rows beyond the promise, the share of the units that fewer than k
        share such rows with; None where there are too many to count
    findings : what the tables give away
    """

    models: tuple[Mapping[str, Any], ...]
    people: int
    rows: Mapping[str, int]
    classes: int
    rows_alone: float
    beyond: Mapping[str, float | None]
    findings: ReleaseFindings = field(default_factory=ReleaseFindings)

    def __repr__(self) -> str:
        """Return how many people there are, and whether the promise holds."""
        said = {True: "holds", False: "does not hold", None: "is not decided"}[self.holds]
        return (
            f"<RelatedAssessment of {self.people:,} units in {self.classes:,} classes: it {said}>"
        )

    __bool__ = truth
    raise_unless_holds = raise_unless_holds

    @property
    def holds(self) -> bool | None:
        """Whether the tables satisfy the policy."""
        found = [model["holds"] for model in self.models]
        return Verdict.of(faults=False in found, undecided=None in found).holds

    @property
    def reasons(self) -> tuple[Fault, ...]:
        """What the tables do not satisfy."""
        return tuple(
            Fault(f"models.{model['name']}", "does not hold in the tables", "Anonymize the tables.")
            for model in self.models
            if model["holds"] is False
        )

    def document(self) -> dict[str, Any]:
        """Return the result as one JSON document, with the names of a manifest."""
        return plain(
            {
                "models": list(self.models),
                "related": {
                    "people": {"released": self.people},
                    "tables": {name: {"rows": count} for name, count in self.rows.items()},
                    "classes": self.classes,
                    "rows_alone": self.rows_alone,
                    "beyond": dict(self.beyond),
                },
                "statements": {"findings": self.findings},
            }
        )

    def meets(self, requirement: str) -> bool:
        """Return whether a requirement such as ``k>=5`` or ``rows_alone<=0.01`` holds.

        Raises
        ------
        ParameterError
            when the requirement cannot be read, or names what was not measured
        """
        found: list[Mapping[str, Any]] = [model["achieved"] or {} for model in self.models]
        achieved = [int(one["k"]) for one in found if "k" in one]
        figures = {"rows_alone": self.rows_alone}
        if achieved:
            figures["k"] = float(min(achieved))
        return meets(requirement, figures, "k>=5")


def assess_related(data: Any, policy: RelatedPolicy) -> RelatedAssessment:
    """Measure released tables by a policy.

    Parameters
    ----------
    data : the path of a folder, or a frame for each table, as they were released

    Raises
    ------
    DataError
        when tables cannot be read, or are not released as the policy says
    """
    read = as_read(data)
    faults = list(table_faults(policy, read))
    tables = {name: texts_as_read(file.frame) for name, (file, _) in read.items()}
    faults += [] if faults else key_faults(policy, tables)
    if faults:
        raise DataError(faults)
    judge = ReleaseJudge()
    units, torn = units_of(policy, tables)
    if torn:
        raise DataError(torn)
    model = policy.model
    least, n_classes = least_support(units, model.known_rows)
    flat = policy.flat_tables()
    known = model.known_rows
    beyond = {
        str(m): share_below(units, model.k, m) if steps_of(units, m)[0] <= MOST_PATTERNS else None
        for m in (() if known is None else (known + more for more in FURTHER))
    }
    return RelatedAssessment(
        promise_entries(policy, least, shares_of(policy, flat, tables, units)),
        tables[policy.people].height,
        {name: tables[name].height for name in policy.row_tables},
        n_classes,
        rows_alone(policy, units),
        beyond,
        look_for_all([replace(one, closer=judge) for one in counted_tables(policy, tables)]),
    )
