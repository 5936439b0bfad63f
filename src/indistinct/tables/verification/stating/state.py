"""From what verification found in a release to all that is said about it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from indistinct.base.statements.checks import (
    FAULT,
    HOLDS,
    NOT_LOOKED_AT,
    PROMISES,
    UNDECIDED,
    check,
    verdict_of,
)
from indistinct.base.statements.risk_figures import highest_of
from indistinct.base.statements.statements import OWNER, Statements, is_known, not_examined
from indistinct.errors import Fault
from indistinct.tables.core.protocols import Scope
from indistinct.tables.core.schema import GROUP
from indistinct.tables.models import BoundedModel, SetModel
from indistinct.tables.models.bounded import Needs
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.evidence import CheckedRelease, VerificationInput
from indistinct.tables.verification.judging import FormFindings
from indistinct.tables.verification.stating.further import UnitsInClasses, further_in
from indistinct.tables.verification.stating.kept import kept_in
from indistinct.tables.verification.stating.known import known_in

READ_BACK = "column-gives-cells-back"
FAULTY = "the columns of the release are not those of its policy"
# The check that finds a fault, by the beginning of its place; the first that fits.
CHECK_OF: Mapping[str, str] = {
    "manifest.policy": "policy",
    "manifest.codebook": "codebook",
    "manifest.output": "bytes",
    "manifest": "statements",
    "models": "models",
    "columns": "cells",
    "sensitive": "cells",
    "crosswalk": "crosswalk",
    "owner": "owner",
    "file": "beside",
    "folder": "beside",
    "records": "original",
    "history": "history",
}


def unit_of(spec: Specification) -> str:
    """Return what a release is counted in."""
    if spec.data.household is not None:
        return "households"
    return "records" if spec.data.person is None else "people"


class DecidedCells(NamedTuple):
    """What was decided of the distinct rows of a table that nobody holds whole.

    Parameters
    ----------
    evidence : the released cells, with the row of the input behind each
    coarse : columns of which labels were counted, and no values
    """

    evidence: CheckedRelease
    coarse: Collection[str]


def state(
    reading: VerificationInput, found: FormFindings | None, decided: DecidedCells | None = None
) -> Statements:
    """Return all figures of a release; its verdict is put in when every check was made.

    Parameters
    ----------
    found : what verification found; None where the columns are not those of the policy
    decided : what is known of the cells besides, where nobody holds the table whole
    """
    at_hand = list(_at_hand(reading))
    if found is None:
        nothing = not_examined(FAULTY)
        risk: dict[str, Any] = dict.fromkeys(("known", "further", "highest"), nothing)
        size = {"records": nothing}
        return Statements(OWNER, at_hand, {}, size, [], {"share": nothing}, risk, {})
    return Statements(
        OWNER,
        at_hand,
        {},
        _size(reading, found),
        [
            _reached(reading.spec, entry, model)
            for (entry, _, _), model in zip(found.judged, found.models, strict=True)
        ],
        kept_in(found.compared or found.evidence)
        if decided is None
        else kept_in(decided.evidence, decided.coarse),
        _risk(reading, found),
        {},
    )


def warnings_in(manifest: Mapping[str, Any] | None) -> Sequence[Mapping[str, Any]]:
    """Return the warnings of a manifest without faults of its shape."""
    return () if manifest is None else tuple(manifest.get("warnings", ()))


def _at_hand(reading: VerificationInput) -> Iterator[str]:
    """Name what the statements follow from."""
    yield from ("release", "policy")
    has_rows = reading.rows is not None
    for name, one in (
        ("original", reading.original),
        ("crosswalk", reading.rows),
        ("history", reading.history),
        ("counterfeits", reading.counterfeits),
    ):
        if one is not None or (name == "original" and has_rows):
            yield name
    if reading.spec.people_file is not None:
        yield "population"


def _reached(spec: Specification, entry: Mapping[str, Any], model: BoundedModel) -> dict[str, Any]:
    """Return what a model asks and reaches."""
    asked = {word: value for word, value in entry["required"].items() if word != "column"}
    holds = UNDECIDED if entry["holds"] is None else entry["holds"]
    return {
        "name": entry["name"],
        "column": entry["required"].get("column"),
        "required": asked,
        "achieved": entry["achieved"] or {},
        "counts": "records" if isinstance(model, SetModel) else unit_of(spec),
        "holds": holds,
    }


def _size(reading: VerificationInput, found: FormFindings) -> dict[str, Any]:
    """Return how many records, people or households came in, and how many are released."""
    evidence, released = found.evidence, found.n_records
    gone = evidence.n_suppressed
    if found.evidence.n_input is not None:
        gone = found.evidence.n_input - released
    size: dict[str, Any] = {"records": _counts(released, gone)}
    unit = unit_of(reading.spec)
    if unit == "records":
        return size
    if found.units is None:
        why = f"to count {unit} takes the input and the crosswalk"
        return size | {unit: not_examined(why, "crosswalk")}
    n_released = len({*found.units})
    n_input = found.n_units_of_input
    return size | {unit: _counts(n_released, None if n_input is None else n_input - n_released)}


def _counts(released: int, left_out: int | None) -> dict[str, Any]:
    """Return a number that is released, beside the others."""
    if left_out is None:
        gone = not_examined("nothing says how many were left out", "original")
        return {"input": gone, "released": released, "left_out": gone}
    return {"input": released + left_out, "released": released, "left_out": left_out}


def _risk(reading: VerificationInput, found: FormFindings) -> dict[str, Any]:
    """Return the two clauses of the highest risk."""
    spec, unit = reading.spec, unit_of(reading.spec)
    entries = [entry for entry, _, _ in found.judged]
    known = known_in(found.compared or found.evidence, found.sized, unit, entries)
    if is_known(known):
        known |= _after_read_back(reading)
    further = further_in(
        found.compared or found.evidence, _units(spec, found), reading.before_masks
    )
    return {"known": known, "further": further, "highest": highest_of(known, further)}


def _after_read_back(reading: VerificationInput) -> dict[str, Any]:
    """Return how small the smallest class is once cells are read back, if the manifest says so."""
    for one in warnings_in(reading.manifest):
        if one["code"] == READ_BACK and "k_after" in one:
            smallest = one["k_after"]
            return {"after_read_back": {"smallest": smallest, "units": smallest}}
    return {}


def _units(spec: Specification, found: FormFindings) -> UnitsInClasses | None:
    """Return the class and the unit of each released row; None where units are not known."""
    evidence: CheckedRelease = found.evidence
    unit = unit_of(spec)
    classes = evidence.kinds().of_row.to_numpy().astype(np.int64)
    if GROUP in evidence.release.columns and spec.release.form == "anatomy":
        classes = evidence.release[GROUP].rank("dense").to_numpy().astype(np.int64) - 1
    n_rows = len(classes)
    records = np.ones(n_rows, np.int64)
    if evidence.weights is not None:
        records = evidence.weights.to_numpy().astype(np.int64)
    units = np.arange(n_rows)
    if unit != "records":
        if found.units is None:
            return None
        units = np.unique(np.array([*found.units], np.str_), return_inverse=True)[1]
        if unit == "households":
            classes = _classes_of_units(classes, units)
    k = max((model.least_size for model in spec.models), default=2)
    return UnitsInClasses(classes, units, records, unit, max(int(k), 2))


def _classes_of_units(classes: np.ndarray[Any, Any], units: np.ndarray[Any, Any]) -> Any:
    """Return, for each row, the class of its unit: the multiset of the classes of its rows."""
    members: dict[int, list[int]] = {}
    for own, unit in zip(classes.tolist(), units.tolist(), strict=True):
        members.setdefault(unit, []).append(own)
    number: dict[tuple[int, ...], int] = {}
    of_unit = {
        unit: number.setdefault(tuple(sorted(own)), len(number)) for unit, own in members.items()
    }
    return np.array([of_unit[unit] for unit in units.tolist()], np.int64)


def with_verdict(  # noqa: PLR0913, PLR0917 - all that was found
    statements: Statements,
    reading: VerificationInput,
    found: FormFindings | None,
    faults: Sequence[Fault],
    unknown: Sequence[str],
    unchecked: Mapping[str, str],
) -> Statements:
    """Return statements with the state of every check, and the verdict that follows.

    Parameters
    ----------
    unknown : columns whose rule nobody says
    unchecked : what was not looked at, and why
    """
    checks = list(checks_of(reading, found, faults, unknown, unchecked))
    said = {
        "verdict": str(verdict_of(checks)),
        "faults": [f"{one.place}: {one.problem}" for one in faults],
        "checks": checks,
    }
    return replace(statements, verdict=said)


def checks_of(
    reading: VerificationInput,
    found: FormFindings | None,
    faults: Sequence[Fault],
    unknown: Sequence[str],
    unchecked: Mapping[str, str],
) -> Iterator[dict[str, Any]]:
    """Yield each check of this release with its state."""
    wrong = {_check_of(fault.place) for fault in faults}
    known = {"columns": ("release",), **_needs_by_check(reading)}
    for name, needs in known.items():
        why = _why_not(name, needs, reading, unchecked)
        if name in wrong:
            yield check(name, FAULT, needs)
        elif name == "cells" and unknown:
            why = f"nobody says the rule of {', '.join(unknown)}"
            yield check(name, UNDECIDED, ["policy"], why)
        elif why or (found is None and name != "columns"):
            yield check(name, NOT_LOOKED_AT, needs, why or "because of the faults of the columns")
        else:
            yield check(name, HOLDS, needs)
    wrong -= {"models"} if found is not None else set[str]()
    for name in sorted(wrong - known.keys()):
        yield check(name, FAULT, ["release"])
    yield from _promise_checks(reading, found, {fault.place for fault in faults})


def _check_of(place: str) -> str:
    """Return the check that finds a fault at a place."""
    return next((one for begin, one in CHECK_OF.items() if place.startswith(begin)), "cells")


def _needs_by_check(reading: VerificationInput) -> dict[str, Sequence[str]]:
    """Return what each check of such a release needs, the promises aside."""
    spec = reading.spec
    found: dict[str, Sequence[str]] = dict.fromkeys(
        ("shape", "policy", "beside", "bytes", "codebook", "cells", "order", "statements"),
        ("release",),
    )
    found |= {"original": ("original",), "crosswalk": ("crosswalk",)}
    if spec.protections:
        found["masks"] = ("crosswalk",)
    if any(model.republishes for model in spec.models):
        found["history"] = ("history",)
    return found


WITH_MANIFEST = frozenset({"shape", "policy", "codebook", "statements"})


def _why_not(
    name: str, needs: Sequence[str], reading: VerificationInput, unchecked: Mapping[str, str]
) -> str:
    """Return why a check was not made; the empty text where it was."""
    if name in unchecked:
        return unchecked[name]
    if name == "beside" and "file" in unchecked:
        return unchecked["file"]
    if name in WITH_MANIFEST and reading.manifest is None:
        return "there is no manifest"
    if name == "masks" and reading.original_is_masked:
        return "whether random masks changed the values is tested by verify beside the input"
    at_hand = {*_at_hand(reading)}
    lacking = [one for one in needs if one not in at_hand]
    return f"it takes the {' and the '.join(lacking)}" if lacking else ""


def _promise_checks(
    reading: VerificationInput, found: FormFindings | None, wrong: Collection[str]
) -> Iterator[dict[str, Any]]:
    """Yield the check of each promise, which is never left unexamined.

    Parameters
    ----------
    wrong : places of the faults
    """
    if found is None:
        for model in reading.spec.models:
            yield check(f"{PROMISES}{model.name}", UNDECIDED, ["release"], FAULTY)
        return
    names = [model.name for model in found.models]
    judged = zip(found.judged, found.readers or [None] * len(names), found.models, strict=True)
    for (entry, own, notes), by_readers, model in judged:
        column = entry["required"].get("column")
        name = f"{PROMISES}{model.name}"
        place = f"{name}.{column}" if column and names.count(model.name) > 1 else name
        needs = [*_needs_of(reading, model)]
        if by_readers is not None and by_readers["holds"] is None and needs == ["release"]:
            needs.append("crosswalk" if model.scope is Scope.REGION else "original")
        if own or entry["holds"] is False or name in wrong:
            yield check(place, FAULT, needs)
        elif entry["holds"] is None:
            yield check(place, UNDECIDED, needs, " ".join(notes) or "what is at hand is too little")
        else:
            yield check(place, HOLDS, needs)


def _needs_of(reading: VerificationInput, model: BoundedModel) -> Iterator[str]:
    """Name what decides a promise."""
    spec = reading.spec
    yield "release"
    has_people = spec.people_file is not None or "population.data" in spec.withheld
    if has_people and (model.counts_people or model.needs is Needs.POPULATION):
        yield "population"
    columns = reading.frame.columns if reading.columns is None else reading.columns
    person = spec.data.person
    proves = model.name == "distinct-l-diversity" or (model.name == "k-map" and has_people)
    if person is not None and person not in columns and not proves:
        yield "crosswalk"
