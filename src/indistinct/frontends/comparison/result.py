"""What came of a comparison."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

import numpy as np

from indistinct.base.brief import in_notebook, presenter
from indistinct.base.files.documents import plain
from indistinct.frontends.comparison.contestants import Contestant, ContestantType
from indistinct.tables.evaluation import ContestantRun
from indistinct.tables.metrics import on_frontier

# What may be lost, and what each word means; less is better in all of them.
COSTS = {
    "marginals-1": "mean total variation of single columns",
    "marginals-2": "mean total variation of pairs of columns",
    "marginals-3": "mean total variation of triples of columns",
    "ranges": "median relative error of range queries",
    "points": "median relative error of point queries",
    "learning": "1 - area under the curve of a model that learns from it",
}
QUARTILE = 0.6744897501960817  # half of all normal errors are smaller, in standard deviations


@final
@dataclass(frozen=True, slots=True)
class ContestantResult:
    """A contestant with all its runs.

    Parameters
    ----------
    runs : none where there is no solution
    proven : the most by which any attacker can tell people inside from others; 1 without a proof
    rho : what it would cost; None without noise
    no_solution : why there is none
    """

    contestant: Contestant
    runs: Sequence[ContestantRun]
    proven: float
    rho: float | None = None
    no_solution: str | None = None

    def loss(self, cost: str) -> float | None:
        """Return the mean loss over all runs; None where it is not measured."""
        values = [run.losses[cost] for run in self.runs if cost in run.losses]
        return float(np.mean(values)) if values else None

    @property
    def upper(self) -> float | None:
        """The upper end of the measured risk, the mean over all runs."""
        values = [run.upper for run in self.runs if run.upper is not None]
        return float(np.mean(values)) if values else None

    def document(self) -> dict[str, Any]:
        """Return it as JSON has it: mean, least and greatest over the runs."""
        attacks = self.runs[0].findings if self.runs else None
        return {
            "contestant": str(self.contestant),
            "kind": self.contestant.kind.value,
            "runs": len(self.runs),
            "no_solution": self.no_solution,
            "losses": {
                cost: _spread([run.losses[cost] for run in self.runs if cost in run.losses])
                for cost in COSTS
            },
            "range_error": _spread([run.range_error for run in self.runs]),
            "attacks": None if attacks is None else {name: self._attack(name) for name in attacks},
            "measured_risk": _spread([run.risk for run in self.runs if run.risk is not None]),
            "measured_risk_upper": _spread([r.upper for r in self.runs if r.upper is not None]),
            "proven_risk": self.proven,
            "rho": self.rho,
        }

    def _attack(self, name: str) -> dict[str, Any]:
        found = [run.findings[name] for run in self.runs if run.findings is not None]
        return {
            "advantage": _spread([one.advantage for one in found]),
            "interval": [float(np.mean([one.interval[end] for one in found])) for end in (0, 1)],
            "auc": _spread([one.auc for one in found if one.auc is not None]),
        }


def _spread(values: Sequence[float]) -> dict[str, float] | None:
    """Return mean, least and greatest; None of nothing."""
    if not values:
        return None
    return {"mean": float(np.mean(values)), "least": min(values), "greatest": max(values)}


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """The results of ways to publish a table, compared on the same people and questions.

    Parameters
    ----------
    entries : the contestants, then ``raw`` and ``fresh``, which frame them
    cost : the loss that the plane shows
    target : the column that models predict and attackers guess
    columns : that are compared
    n_inside, n_outside, n_reference : records of the three parts
    n_queries : of the workload, range queries first
    seed : of split, workload and targets
    delta : of all proofs; None without a declared dataset
    """

    entries: Sequence[ContestantResult]
    cost: str
    target: str
    columns: Sequence[str]
    n_inside: int
    n_outside: int
    n_reference: int
    n_queries: int
    seed: int
    delta: float | None
    notes: Sequence[str] = field(default=())

    def __repr__(self) -> str:
        """Return how many were compared, and by what."""
        return f"<Comparison of {len(self.entries)} tables by {self.cost}>"

    _repr_html_ = in_notebook

    @property
    def placed(self) -> list[ContestantResult]:
        """The contestants that have a place on the plane: those that have the loss."""
        return [
            entry
            for entry in self.entries
            if entry.loss(self.cost) is not None
            and entry.contestant.kind is not ContestantType.TRUE
        ]

    def frontier(self, *, proven: bool) -> list[str]:
        """Name the contestants that no other beats in loss and in measured, or proven, risk."""
        placed = [one for one in self.placed if proven or one.upper is not None]
        if not placed:
            return []
        risks = [one.proven if proven else one.upper or 0.0 for one in placed]
        costs = [one.loss(self.cost) or 0.0 for one in placed]
        best = on_frontier(np.array(risks), np.array(costs))
        return [str(one.contestant) for one, on in zip(placed, best, strict=True) if on]

    def questions_until(self, entry: ContestantResult) -> int | None:
        """Return up to how many range queries asking is as accurate as a made-up table.

        Asked at the table's rho, each of Q counts has noise of variance Q / (2 rho) and a median
        absolute error of .6745 standard deviations.
        """
        if (
            entry.contestant.kind is not ContestantType.MADE_UP
            or entry.rho is None
            or not entry.runs
        ):
            return None
        error = float(np.mean([run.range_error for run in entry.runs]))
        return math.floor(2 * entry.rho * (error / QUARTILE) ** 2)

    def document(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "kind": "comparison",
            "confidential": "made from the data without noise; for the owner alone",
            "people": {
                "inside": self.n_inside,
                "outside": self.n_outside,
                "reference": self.n_reference,
            },
            "seed": self.seed,
            "columns": list(self.columns),
            "target": self.target,
            "queries": self.n_queries,
            "delta": self.delta,
            "cost": self.cost,
            "contestants": [
                {**entry.document(), "questions_until": self.questions_until(entry)}
                for entry in self.entries
            ],
            "frontier_by_measured_risk": self.frontier(proven=False),
            "frontier_by_proven_risk": self.frontier(proven=True),
            "notes": plain(list(self.notes)),
        }

    def write(self, path: str | Path) -> None:
        """Write a page (``.html``) or the figures (``.json``), for the owner alone.

        Raises
        ------
        OutputError
            when the file cannot be written, or ends otherwise
        """
        presenter("comparison")(self, path)
