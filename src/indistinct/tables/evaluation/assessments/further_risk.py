"""Risks of single records, for an assessment: who is special, and what weights say."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.errors import DataError, Fault
from indistinct.tables.counting.population import n_people
from indistinct.tables.evaluation.assessments.findings import (
    AssessedRisk,
    AtRisk,
    HouseholdRisk,
    IndividualRisk,
    SpecialUniquesRisk,
)
from indistinct.tables.frames.cell_numbers import weights_in
from indistinct.tables.frames.encoding import encode, persons_in
from indistinct.tables.frames.texts import cell_texts
from indistinct.tables.metrics.individual import (
    household_risks,
    records_at_risk,
    uniform_prior_risk,
    weighted_risk,
)
from indistinct.tables.metrics.risk import mean_journalist_risk, mean_prosecutor_risk
from indistinct.tables.metrics.suda import MOST_COLUMNS, special_uniques
from indistinct.tables.release.entries import RiskEntry
from indistinct.tables.verification.verify_release import VerificationInput, people_of

THRESHOLD = 0.2
MOST_SETS = 5_000
MOST_REPEATED = 3


def assessed_risk(
    reading: VerificationInput,
    risk: RiskEntry,
    *,
    weights: str | None = None,
    threshold: float = THRESHOLD,
) -> AssessedRisk:
    """Return more of the re-identification risk than the greatest risk.

    Parameters
    ----------
    reading : the released records, and the policy
    risk : the greatest risks
    weights : column that says how many people each record stands for; the policy's when left out
    threshold : risk above which a record counts as at risk

    Raises
    ------
    DataError
        when there are no such weights, or they are not numbers
    """
    codes = _codes(reading)
    labels, representatives, sizes = group_rows(codes)
    if reading.weights is not None:
        sizes = np.bincount(labels, reading.weights.to_numpy(), len(sizes)).astype(np.int64)
        codes = _repeated(codes[representatives], sizes)
    people, spec = people_of(reading), reading.spec
    size = (
        None
        if spec.population is None
        else spec.population.size or n_people(spec.people_file, spec.class_names, spec.reading)
    )
    return AssessedRisk(
        risk.prosecutor,
        risk.journalist,
        risk.marketer,
        mean_prosecutor_risk(sizes),
        None if people is None else mean_journalist_risk(*people),
        AtRisk(threshold, records_at_risk(sizes, threshold)),
        _suda(codes, int(sizes.sum())),
        _individual(labels, sizes, size, _weights(reading, weights)),
        _household_risk(reading, labels, sizes, _weights(reading, weights)),
    )


def _household_risk(
    reading: VerificationInput, labels: Codes, sizes: Ints, weights: Floats | None
) -> HouseholdRisk | None:
    """Measure the risk of whole households, where the policy names their column."""
    name = reading.spec.data.household
    if name is None or name not in reading.frame.columns or not len(labels):
        return None
    households = persons_in(reading.frame[name], reading.spec.data.missing)
    by_classes = _of_households(1 / sizes[labels], households)
    if weights is None:
        return by_classes
    individual = weighted_risk(labels, weights, sizes)[labels]
    return replace(by_classes, individual=_of_households(individual, households))


def _of_households(risks: Floats, households: Codes) -> HouseholdRisk:
    """Return the greatest, mean and expected risk of the records by that of their household."""
    found = household_risks(risks, households)[households]
    return HouseholdRisk(float(found.max()), float(found.mean()), float(found.sum()))


def _codes(reading: VerificationInput) -> Codes:
    """Return numbers to the cells of the quasi-identifiers, or of their two bounds."""
    frame = reading.frame
    written = [
        column
        for name in reading.spec.class_names
        for column in (name, f"{name}_min", f"{name}_max")
        if column in frame.columns
    ]
    cells = [encode(cell_texts(frame[name]), "").codes for name in written]
    if not cells:
        return np.zeros((frame.height, 0), np.int32)
    return np.ascontiguousarray(np.stack(cells, axis=1))


def _repeated(codes: Codes, sizes: Ints) -> Codes:
    """Return each distinct row once for each of its records, but at most three times.

    Whether records stand alone, in pairs or among more is all that their scores ask.
    """
    return np.ascontiguousarray(np.repeat(codes, np.minimum(sizes, MOST_REPEATED), axis=0))


def _suda(codes: Codes, n_records: int) -> SpecialUniquesRisk | None:
    """Return how special the records are; None where there is nothing to compare.

    Parameters
    ----------
    codes : (n_rows, n_columns), the records; of rows that repeat perhaps only three
    n_records : all of them
    """
    n_columns = codes.shape[1]
    if not len(codes) or not 1 <= n_columns <= MOST_COLUMNS:
        return None
    largest = _largest(n_columns)
    found = special_uniques(codes, largest=None if largest == n_columns else largest)
    return SpecialUniquesRisk(
        sample_uniques=found.sample_uniques,
        special=int((found.scores > 0).sum()),
        highest=float(found.disclosure.max(initial=0.0)),
        mean=float(found.disclosure.sum()) / n_records,
        largest_set=largest,
    )


def _largest(n_columns: int) -> int:
    """Return the most columns of a set, so that there are not too many sets."""
    n_sets = 0
    for size in range(1, n_columns + 1):
        n_sets += math.comb(n_columns, size)
        if n_sets > MOST_SETS and size > 1:
            return size - 1
    return n_columns


def _individual(
    labels: Codes, sizes: Ints, n_people: int | None, weights: Floats | None
) -> IndividualRisk | None:
    """Estimate the risk in the population: by weights, else by its size."""
    if not len(labels):
        return None
    if weights is not None:
        found = _spread("weights", weighted_risk(labels, weights, sizes), sizes)
        people = np.maximum(np.bincount(labels, weights), sizes)
        return replace(found, fewest_people=float(people.min()), people=float(people.sum()))
    if n_people is not None:
        people = max(n_people, len(labels))
        return _spread("uniform-prior", uniform_prior_risk(sizes, people), sizes)
    return None


def _spread(method: str, risks: Floats, sizes: Ints) -> IndividualRisk:
    """Return the greatest and the mean risk of a record, and the re-identifications to expect."""
    hoped = float(sizes @ risks)
    return IndividualRisk(method, float(risks.max()), hoped / float(sizes.sum()), hoped)


def _weights(reading: VerificationInput, name: str | None) -> Floats | None:
    """Return the weights of the records: of the column that is asked for, else of the policy's.

    A release may leave the policy's column of weights out; its records then have none.
    """
    frame, own = reading.frame, reading.spec.data.weight
    if name is not None and name not in frame.columns:
        raise DataError([Fault("--weights", "is not a column of the table", "Name one that is.")])
    if name is None and (own is None or own not in frame.columns):
        return None
    people = weights_in(frame[name or own or ""], reading.weights)
    return people if reading.weights is None else people * reading.weights.to_numpy()
