"""What came of a sweep: a point per combination, and the frontier of risk and cost."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from indistinct.base.brief import in_notebook, presenter
from indistinct.base.files.documents import document_of
from indistinct.errors import Fault
from indistinct.tables.reading import files
from indistinct.tables.release.entries import ModelEntry, Reached

RULE = "knee"
Parameters = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Point:
    """What came of one combination.

    Parameters
    ----------
    parameters : the value of each parameter that varies
    found : models, records, classes, loss and risk, as in a manifest; None without a solution
    cost : by the objective of the policy as it was given, whatever varies; None without a solution
    seconds : that the search took
    faults : why there is none
    found_for : the parameters of the stronger promise that it was found for, in words, if any
    """

    parameters: Parameters
    found: Reached | None
    cost: float | None
    seconds: float
    faults: tuple[Fault, ...] = ()
    found_for: str | None = None

    @property
    def no_solution(self) -> str | None:
        """Why there is none, in words."""
        return " ".join(map(_said, self.faults)) or None

    @property
    def reached(self) -> Mapping[str, Any] | None:
        """What was found, as the JSON of a manifest says it; None without a solution."""
        return None if self.found is None else self.found.document()

    def words(self) -> str:
        """Write the parameters."""
        return words_of(self.parameters) or ""


def _said(fault: Fault) -> str:
    """Write a fault as sentences on one line."""
    where = f"{fault.place}: " if fault.place else ""
    return f"{where}{fault.problem}. {fault.remedy}".strip()


@dataclass(frozen=True, slots=True)
class Sweep:
    """The results of all combinations of a sweep.

    Parameters
    ----------
    parameters : what varies
    points : a combination each, in the order given
    risk, cost : the figures that are compared
    frontier : numbers of the points that no other beats in both, the least risk first
    recommended : number of the point to look at first
    reason : why, in words
    is_bent : whether the frontier has a knee, where the recommended point is
    native : the library whose frame came in; None for a file
    """

    parameters: tuple[str, ...]
    points: tuple[Point, ...]
    risk: str
    cost: str
    frontier: tuple[int, ...]
    recommended: int
    reason: str
    native: Any = None
    is_bent: bool = True

    def __repr__(self) -> str:
        """Return what was varied, and which combination is recommended."""
        best = self.points[self.recommended].words()
        return f"<Sweep of {len(self.points)} combinations; recommended: {best}>"

    _repr_html_ = in_notebook

    @property
    def data(self) -> Any:
        """A row per combination, as the kind of frame that came in."""
        return files.to_native(self.frame, self.native)

    @property
    def frame(self) -> pl.DataFrame:
        """A row per combination, as Polars has it."""
        rows = [self._row(number) for number in range(len(self.points))]
        names = list(dict.fromkeys(name for row in rows for name in row))
        last = ["seconds", "frontier", "recommended", "found_for", "no_solution"]
        names = [name for name in names if name not in last] + last
        return pl.DataFrame([_series(name, [row.get(name) for row in rows]) for name in names])

    def document(self) -> dict[str, Any]:
        """Return the result as one JSON document."""
        return {
            "parameters": list(self.parameters),
            "risk": self.risk,
            "cost": self.cost,
            "rows": [
                {
                    "parameters": dict(point.parameters),
                    "cost": point.cost,
                    **(point.reached or {}),
                    "seconds": round(point.seconds, 6),
                    "frontier": number in self.frontier,
                    "recommended": number == self.recommended,
                    "found_for": point.found_for,
                    "no_solution": point.no_solution,
                }
                for number, point in enumerate(self.points)
            ],
            "frontier": list(self.frontier),
            "recommended": {
                "row": self.recommended,
                "rule": RULE,
                "is_bent": self.is_bent,
                "reason": self.reason,
            },
        }

    def risk_of(self, number: int) -> float:
        """Return the risk that cost is compared with, of a point with a solution."""
        return risk_at(self.points[number], self.risk)

    def write(self, path: str | Path) -> None:
        """Write the table (``.csv``, ``.json``), the picture (``.svg``) or both (``.html``).

        Raises
        ------
        OutputError
            when the file cannot be written, or its ending names none of these
        """
        presenter("sweep")(self, path)

    def _row(self, number: int) -> dict[str, Any]:
        """Return the figures of a point side by side."""
        point = self.points[number]
        row: dict[str, Any] = dict(point.parameters)
        if point.found is not None:
            row |= document_of(point.found.records) | {self.cost: point.cost}
            row |= document_of(point.found.risk) | dict(_achieved(point.found.models))
        return row | {
            "seconds": round(point.seconds, 6),
            "frontier": number in self.frontier,
            "recommended": number == self.recommended,
            "found_for": point.found_for,
            "no_solution": point.no_solution,
        }


def words_of(parameters: Parameters | None) -> str | None:
    """Write parameters; None where there are none to write."""
    if parameters is None:
        return None
    return ", ".join(f"{name} = {value}" for name, value in parameters.items())


def risk_at(point: Point, risk: str) -> float:
    """Return the figure that cost is compared with, of a point with a solution."""
    return math.nan if point.found is None else float(getattr(point.found.risk, risk))


def _series(name: str, values: Sequence[Any]) -> pl.Series:
    """Make a column; one of figures that none is known of is a column of numbers still."""
    nothing = pl.String if name in {"found_for", "no_solution"} else pl.Float64
    is_empty = all(value is None for value in values)
    return pl.Series(name, values, nothing if is_empty else None, strict=False)


def _achieved(models: Iterable[ModelEntry]) -> Iterable[tuple[str, Any]]:
    """Yield what each model reached, side by side."""
    for model in models:
        place = model.name
        if column := model.required.get("column"):
            place = f"{place}.{column}"
        for letter, value in (model.achieved or {}).items():
            yield f"achieved {place}.{letter}", value
