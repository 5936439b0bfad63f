"""One table, many promises: what each costs, what risk it leaves, and where the bend is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from pydantic import ValidationError

from indistinct.core.brief import briefly
from indistinct.core.documents import document_of
from indistinct.core.parameters import build, declared
from indistinct.core.protocols import Metric, Progress, no_progress
from indistinct.core.randomness import RandomSource
from indistinct.counting.objective import objective_of
from indistinct.counting.prepare import Prepared, asked_anew, prepare, sensitive_names
from indistinct.counting.table_faults import check_columns
from indistinct.engines import files
from indistinct.errors import Fault, IndistinctError, NoSolutionError, ParameterError, PolicyError
from indistinct.models import BoundedModel
from indistinct.policy.policy import Policy
from indistinct.policy.sections.method import MethodPolicy
from indistinct.publish.anonymize import reached, search
from indistinct.publish.pareto import knee, on_frontier
from indistinct.publish.protect import protect_input
from indistinct.release.entries import ModelEntry, Reached

RISKS = ("prosecutor", "journalist", "marketer")
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
    no_solution : why there is none, in words
    """

    parameters: Parameters
    found: Reached | None
    cost: float | None
    seconds: float
    no_solution: str | None = None

    @property
    def reached(self) -> Mapping[str, Any] | None:
        """What was found, as the JSON of a manifest says it; None without a solution."""
        return None if self.found is None else self.found.document()

    def words(self) -> str:
        """Write the parameters."""
        return ", ".join(f"{name} = {value}" for name, value in self.parameters.items())


@dataclass(frozen=True, slots=True)
class Sweep:
    """What came of all combinations.

    Parameters
    ----------
    parameters : what varies
    points : a combination each, in the order given
    risk, cost : the figures that are compared
    frontier : numbers of the points that no other beats in both, the least risk first
    recommended : number of the point to look at first
    reason : why, in words
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

    __repr__ = briefly

    @property
    def data(self) -> Any:
        """A row per combination, as the kind of frame that came in."""
        return files.to_native(self.frame, self.native)

    @property
    def frame(self) -> pl.DataFrame:
        """A row per combination, as Polars has it."""
        rows = [self._row(number) for number in range(len(self.points))]
        names = list(dict.fromkeys(name for row in rows for name in row))
        last = ["seconds", "frontier", "recommended", "no_solution"]
        names = [name for name in names if name not in last] + last
        return pl.DataFrame([_series(name, [row.get(name) for row in rows]) for name in names])

    def document(self) -> dict[str, Any]:
        """Give the result as one JSON document."""
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
                    "no_solution": point.no_solution,
                }
                for number, point in enumerate(self.points)
            ],
            "frontier": list(self.frontier),
            "recommended": {"row": self.recommended, "rule": RULE, "reason": self.reason},
        }

    def risk_of(self, number: int) -> float:
        """Give the risk that cost is compared with, of a point with a solution."""
        return _risk(self.points[number], self.risk)

    def write(self, path: str | Path) -> None:
        """Write the table (``.csv``, ``.json``), the picture (``.svg``) or both (``.html``).

        Raises
        ------
        OutputError
            when the file cannot be written, or its ending names none of these
        """
        # The report looks down on this room; only this method looks up, and only when it is called.
        import_module("indistinct.report.sweep").write(self, path)

    def _row(self, number: int) -> dict[str, Any]:
        """Give the figures of a point side by side."""
        point = self.points[number]
        row: dict[str, Any] = dict(point.parameters)
        if point.found is not None:
            row |= document_of(point.found.records) | {self.cost: point.cost}
            row |= document_of(point.found.risk) | dict(_achieved(point.found.models))
        return row | {
            "seconds": round(point.seconds, 6),
            "frontier": number in self.frontier,
            "recommended": number == self.recommended,
            "no_solution": point.no_solution,
        }


def sweep(
    data: Any,
    policy: Policy,
    vary: Mapping[str, Iterable[Any]],
    *,
    risk: str = "prosecutor",
    progress: Progress = no_progress,
) -> Sweep:
    """Search the same table under every combination of some parameters.

    The data are read, encoded and counted once. A combination without a solution has a row that
    says why, and the others go on.

    Parameters
    ----------
    data : a path, or an eager frame of Polars, pandas or pyarrow
    policy : what is promised where nothing varies
    vary : per parameter, its values: a word of ``[method]``, or a model's parameter as ``k``,
        ``k-anonymity.k`` or ``t-closeness.diagnosis.t``
    risk : the figure that cost is compared with: ``prosecutor``, ``journalist`` or ``marketer``
    progress : called with the share done and a message

    Returns
    -------
    a row per combination, the frontier of risk and cost, and a recommendation

    Raises
    ------
    ParameterError
        when a parameter is unknown or a value lies outside its range, all of them named
    UsageError
        when the policy or the input is wrong
    NoSolutionError
        when no combination has a solution

    Notes
    -----
    The recommendation is the knee of the frontier; see :func:`indistinct.publish.pareto.knee`.
    """
    combinations = _combinations(policy, vary)
    _check_risk(policy, risk)
    source = files.read(
        data,
        missing=policy.data.missing,
        separator=policy.data.separator,
        encoding=policy.data.encoding,
    )
    check_columns(source.frame, policy)
    frame = protect_input(source.frame, policy, RandomSource()).frame
    points: list[Point] = []
    errors: list[IndistinctError] = []
    prepared: Prepared | None = None
    for number, (parameters, words) in enumerate(combinations):
        told = _told(progress, number, len(combinations), parameters)
        try:
            asked = Policy.from_words(words, policy.path(""))
            prepared = _prepared(frame, asked, prepared)
            yardstick = objective_of(policy, prepared.problem.table.columns)
            points.append(_point(parameters, prepared, asked, yardstick, told))
        except (NoSolutionError, ParameterError, PolicyError) as error:
            errors.append(error)
            reason = " ".join(map(_said, error.faults))
            points.append(Point(parameters, None, None, 0.0, reason))
    if len(errors) == len(points):
        raise errors[0]
    progress(1.0, "comparing")
    return _compared(tuple(vary), points, risk, policy.method.objective, source.native)


def _prepared(frame: pl.DataFrame, policy: Policy, before: Prepared | None) -> Prepared:
    """Count the table the first time, and ask it anew as long as it has what is read."""
    if before is None or not set(sensitive_names(policy)) <= set(before.problem.table.sensitive):
        return prepare(frame, policy)
    return asked_anew(before, policy)


def _point(
    parameters: Parameters,
    prepared: Prepared,
    policy: Policy,
    yardstick: Metric,
    progress: Progress,
) -> Point:
    """Search under one combination, and measure what was found."""
    progress(0.0, "")
    solution, seconds = search(prepared, policy, progress)
    cost = yardstick.evaluate(solution.recoding)
    return Point(parameters, reached(prepared, solution, policy), cost, seconds)


def _said(fault: Fault) -> str:
    """Write a fault as sentences on one line."""
    where = f"{fault.place}: " if fault.place else ""
    return f"{where}{fault.problem}. {fault.remedy}".strip()


def _told(progress: Progress, number: int, total: int, parameters: Parameters) -> Progress:
    """Tell the progress of one combination as a part of all."""
    words = ", ".join(f"{name} = {value}" for name, value in parameters.items())
    message = f"{words} ({number + 1} of {total})"
    return lambda share, _: progress((number + min(share, 1.0)) / total, message)


def _compared(
    parameters: tuple[str, ...], points: Sequence[Point], risk: str, cost: str, native: Any
) -> Sweep:
    """Find the frontier and its knee."""
    solved = [number for number, point in enumerate(points) if point.found is not None]
    risks = np.array([_risk(points[number], risk) for number in solved])
    costs = np.array([points[number].cost for number in solved], np.float64)
    best = np.flatnonzero(on_frontier(risks, costs))
    best = best[np.lexsort((costs[best], risks[best]))]
    place, is_bent = knee(risks[best], costs[best])
    frontier: tuple[int, ...] = tuple(np.array(solved)[best].tolist())
    chosen = points[frontier[place]]
    reason = _reason(chosen, risk, cost, len(frontier), is_bent=is_bent)
    return Sweep(parameters, tuple(points), risk, cost, frontier, frontier[place], reason, native)


def _risk(point: Point, risk: str) -> float:
    """Give the figure that cost is compared with, of a point with a solution."""
    return math.nan if point.found is None else float(getattr(point.found.risk, risk))


def _reason(chosen: Point, risk: str, cost: str, n_best: int, *, is_bent: bool) -> str:
    """Say what is recommended, and by which rule."""
    figures = f"{chosen.words()}: {risk} risk {_risk(chosen, risk):.4g}, {cost} {chosen.cost:.4g}."
    if n_best == 1:
        return f"{figures} No other combination has less of either."
    if not is_bent:
        return (
            f"{figures} The frontier of {n_best} combinations has no knee, so the one of least "
            "risk is marked."
        )
    return (
        f"{figures} Of the {n_best} combinations that no other beats in both, it is the knee: the "
        "one farthest below the line from the least risk to the least cost."
    )


def _series(name: str, values: Sequence[Any]) -> pl.Series:
    """Make a column; one of figures that none is known of is a column of numbers still."""
    nothing = pl.String if name == "no_solution" else pl.Float64
    is_empty = all(value is None for value in values)
    return pl.Series(name, values, nothing if is_empty else None, strict=False)


def _achieved(models: Iterable[ModelEntry]) -> Iterable[tuple[str, Any]]:
    """Give what each model reached, side by side."""
    for model in models:
        place = model.name
        if column := model.required.get("column"):
            place = f"{place}.{column}"
        for letter, value in (model.achieved or {}).items():
            yield f"achieved {place}.{letter}", value


def _check_risk(policy: Policy, risk: str) -> None:
    """Refuse a risk that is not known, or not measured."""
    counts = policy.population is not None and policy.population.data is not None
    known = [name for name in RISKS if counts or name != "journalist"]
    if risk not in known:
        remedy = f"Choose one of {', '.join(known)}; journalist needs population.data."
        raise ParameterError([Fault("risk", "is not known, or not measured here", remedy)])


def _combinations(
    policy: Policy, vary: Mapping[str, Iterable[Any]]
) -> list[tuple[Parameters, dict[str, Any]]]:
    """Give the parameters and the policy's words of each combination.

    Raises
    ------
    ParameterError
        when a parameter is unknown or a value lies outside its range, all of them named
    """
    values = {name: list(dict.fromkeys(given)) for name, given in vary.items()}
    faults = [] if values else [Fault("vary", "names no parameter", "Name one, such as k.")]
    for name, given in values.items():
        faults += _faults(policy, name, given)
    if faults:
        raise ParameterError(faults)
    combinations: list[tuple[Parameters, dict[str, Any]]] = []
    for chosen in product(*values.values()):
        parameters = dict(zip(values, chosen, strict=True))
        words = policy.words()
        for name, value in parameters.items():
            _put(words, _place(policy, name), value)
        combinations.append((parameters, words))
    return combinations


def _faults(policy: Policy, name: str, given: Sequence[Any]) -> Iterable[Fault]:
    """Find what is wrong with a parameter and its values."""
    try:
        place = _place(policy, name)
    except ParameterError as error:
        yield from error.faults
        return
    if not given:
        yield Fault(f"vary.{name}", "has no value", f"Give one, as in {name}=2,3.")
    for value in given:
        yield from _value_faults(policy, name, place, value)


def _value_faults(
    policy: Policy, name: str, place: tuple[int | str, str], value: object
) -> Iterable[Fault]:
    """Find what is wrong with one value, whatever the others are."""
    owner, word = place
    try:
        if isinstance(owner, int):
            model = policy.models[owner]
            build(type(model), {**model.required(), word: value}, model.name)
        else:
            MethodPolicy.model_validate({word: value})
    except ParameterError as error:
        yield from (Fault(f"vary.{name}", f"{value}: {f.problem}", f.remedy) for f in error.faults)
    except ValidationError as error:
        said = "; ".join(detail["msg"] for detail in error.errors())
        yield Fault(f"vary.{name}", f"{value}: {said}", "Give a value that the policy may have.")


def _place(policy: Policy, name: str) -> tuple[int | str, str]:
    """Find what a name means: a word of a table, or a parameter of a model by its number.

    Raises
    ------
    ParameterError
        when it means nothing, or several things
    """
    word = name.removeprefix("method.")
    if word in MethodPolicy.model_fields:
        return "method", word
    known = {
        full: (number, letter)
        for number, model in enumerate(policy.models)
        for letter in _letters(model)
        for full in [_full_name(model, letter)]
    }
    owner, _, letter = name.rpartition(".")
    meant = [
        full
        for full, (number, its_letter) in known.items()
        if its_letter == letter
        and owner in {"", policy.models[number].name, full.rpartition(".")[0]}
    ]
    if len(meant) == 1:
        return known[meant[0]]
    if meant:
        problem, offered = "may mean several parameters", meant
    else:
        problem = "is no word of [method] and no parameter of a model of this policy"
        offered = [*known, *MethodPolicy.model_fields]
    raise ParameterError([Fault(f"vary.{name}", problem, f"Choose one of {', '.join(offered)}.")])


def _letters(model: BoundedModel) -> list[str]:
    """Give the parameters that may vary: all but the column, which is counted once for all."""
    return [name for name in declared(type(model)) if name != "column"]


def _full_name(model: BoundedModel, letter: str) -> str:
    """Give the name of a parameter that no other model of a policy has."""
    return ".".join([model.name, *model.columns, letter])


def _put(words: dict[str, Any], place: tuple[int | str, str], value: object) -> None:
    """Put a value in its place among the words of a policy."""
    owner, word = place
    if isinstance(owner, int):
        words["models"][owner][word] = value
    else:
        words.setdefault(owner, {})[word] = value
