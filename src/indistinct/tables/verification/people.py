"""Count people in a release once more, from the input and the crosswalk: plain sets of texts.

Verification uses this and nothing of what made the release. The file alone shows records only, so
that it can refute a promise about people in some cases, and prove it in few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.errors import DataError, Fault
from indistinct.tables.core.protocols import PlainClass, PlainColumn
from indistinct.tables.models import BoundedModel
from indistinct.tables.policy.sections.data import DataPolicy
from indistinct.tables.reading import files
from indistinct.tables.verification.texts import series_as_read, text_as_read

PEOPLE = "\x00people"
PAIRS = "\x00people with "  # and the name of a column
APART = "\x00"

# A class has at most as many people as records: too few records are too few people.
REFUTED_BY_RECORDS = frozenset(
    {"k-anonymity", "confident-k-anonymity", "average-risk", "sample-uniqueness"}
)
WITHOUT_PEOPLE = (
    "{name}: sizes count people, and the file shows records only; to decide it, give the input "
    "and the crosswalk (original, crosswalk), too"
)


def with_people(
    frame: pl.DataFrame, persons: Sequence[str], columns: Sequence[str], missing: Sequence[str]
) -> pl.DataFrame:
    """Add the person behind each record, and the pair of person and value of some columns.

    Parameters
    ----------
    frame : records
    persons : of each record
    columns : those that the frame has get a column of pairs
    """
    added = [pl.Series(PEOPLE, persons, dtype=pl.String)]
    for name in columns:
        if name not in frame.columns:
            continue
        values = series_as_read(text_as_read(frame[name]), missing).to_list()
        pairs = [f"{value}{APART}{person}" for value, person in zip(values, persons, strict=True)]
        added.append(pl.Series(PAIRS + name, pairs, dtype=pl.String))
    return frame.with_columns(added)


def persons_in(original: pl.DataFrame, data: DataPolicy) -> list[str] | None:
    """Return the person behind each record of the input; all without one are the same person.

    And so are those whose persons read alike.
    """
    name = data.person
    if name is None or name not in original.columns:
        return None
    texts = text_as_read(original[name])
    return series_as_read(texts, ["NaN", *data.missing]).to_list()


def counted_in_people(classes: Sequence[PlainClass], model: BoundedModel) -> Sequence[PlainClass]:
    """Return classes as a model sees them that counts people.

    Parameters
    ----------
    classes : with the columns that :func:`with_people` adds counted
    """
    sizes = [len(one.counts[PEOPLE]) for one in classes]
    table: dict[str, PlainColumn] = {}
    for name in model.columns if classes else ():
        # The whole table is the same for all classes.
        own, pairs = classes[0].table[name], classes[0].table[PAIRS + name]
        table[name] = replace(own, counts=_people_with_values(pairs.counts))
    return [_one_in_people(one, model, table, sizes) for one in classes]


def sized_in_people(classes: Sequence[PlainClass]) -> list[PlainClass]:
    """Return classes whose sizes are their people.

    Parameters
    ----------
    classes : with the columns that :func:`with_people` adds counted
    """
    return [replace(one, size=len(one.counts[PEOPLE])) for one in classes]


def _one_in_people(
    one: PlainClass, model: BoundedModel, table: Mapping[str, PlainColumn], sizes: Sequence[int]
) -> PlainClass:
    """Count one class, or one superset of it, in people."""
    counts = {name: _people_with_values(one.counts[PAIRS + name]) for name in model.columns}
    size, known = len(one.counts[PEOPLE]), dict[str, int]()
    # Which share of the people has a value is asked of people; a distribution is one of pairs.
    if model.name in {"probabilistic-l-diversity", "alpha-k-anonymity"}:
        known = {name: _people_with_any(one.counts[PAIRS + name]) for name in model.columns}
    elif model.columns:
        size = sum(counts[model.columns[0]].values())

    def supersets() -> Iterator[PlainClass]:
        for larger in one.supersets():
            yield _one_in_people(larger, model, table, ())

    return PlainClass(size, counts, table, sizes, one.population, supersets, {}, known)


def _people_with_values(pairs: Mapping[str, int]) -> dict[str, int]:
    """Count the people of each value: every pair of person and value once."""
    return dict(Counter(pair.rsplit(APART, 1)[0] for pair in pairs))


def _people_with_any(pairs: Mapping[str, int]) -> int:
    """Count the people who have a value that is not missing."""
    split = (pair.rsplit(APART, 1) for pair in pairs)
    return len({person for value, person in split if value})


def judged_by_records(
    model: BoundedModel, entry: dict[str, Any], faults: list[Fault], people_file: Path | None
) -> tuple[dict[str, Any], list[Fault], list[str]]:
    """Return what records tell of a promise about people, where these cannot be counted.

    Parameters
    ----------
    entry, faults : what was found by counting records
    """
    refutes = model.name in REFUTED_BY_RECORDS
    counts_population = people_file is not None
    proves = model.name == "distinct-l-diversity" or (model.name == "k-map" and counts_population)
    is_alike = entry["achieved"] is None or proves or (refutes and bool(faults))
    if is_alike:
        return entry, faults, []
    note = WITHOUT_PEOPLE.format(name=model.name)
    return {**entry, "achieved": None, "holds": None}, [], [note]


def people_faults(
    classes: Sequence[PlainClass], n_people: int, manifest: Mapping[str, Any] | None
) -> Iterator[Fault]:
    """Compare what a manifest says of people with what was counted.

    Parameters
    ----------
    classes : with the people counted
    n_people : of the input
    """
    if manifest is None:
        return
    released = {person for one in classes for person in one.counts[PEOPLE]}
    sizes = [len(one.counts[PEOPLE]) for one in classes]
    said: Mapping[str, Any] = manifest.get("people") or {}
    says: Mapping[str, Any] = manifest.get("classes") or {}
    for place, claim, found in (
        ("people.released", said.get("released"), len(released)),
        ("people.suppressed", said.get("suppressed"), n_people - len(released)),
        ("classes.smallest", says.get("smallest"), min(sizes, default=None)),
        ("classes.largest", says.get("largest"), max(sizes, default=None)),
    ):
        if claim != found:
            yield Fault(
                f"manifest.{place}",
                f"says {claim}, but counting the people gives {found}",
                "Take the file and the manifest of one run.",
            )


def crosswalk_rows(crosswalk: Any, masked: Sequence[bool], n_input: int) -> list[int]:
    """Read the row of the input behind each row of a release; -1 behind one that is masked.

    Parameters
    ----------
    crosswalk : path of a table with ``output_row`` and ``input_row``, or the input rows in order
    masked : which rows of the release show stars only: the others need a row of the input
    n_input : rows of the input

    Raises
    ------
    DataError
        when the crosswalk is not the crosswalk of these two tables
    """
    if isinstance(crosswalk, str | Path):
        frame = files.read_file(crosswalk).frame
        if not {"output_row", "input_row"} <= set(frame.columns):
            raise _wrong("has no columns output_row and input_row")
        whole = frame.select(pl.col("output_row", "input_row").cast(pl.Int64, strict=False))
        if sum(whole.null_count().row(0)):
            raise _wrong("has cells that are not whole numbers")
        places, sources = (column.to_numpy() for column in whole)
        places, sources = places[places != -1], sources[places != -1]
    else:
        sources = np.asarray(crosswalk, np.int64)
        places = np.arange(len(sources))
    known = sources[sources != -1]
    if any(len(np.unique(one)) < len(one) for one in (places, known)):
        raise _wrong("names a row twice")
    if not ((places >= 0) & (places < len(masked))).all():
        raise _wrong("names a row that the release does not have")
    if not ((known >= 0) & (known < n_input)).all():
        raise _wrong("names a row that the input does not have")
    rows = np.full(len(masked), -1)
    rows[places] = sources
    if (rows[~np.asarray(masked, np.bool_)] == -1).any():
        raise _wrong("does not contain all rows of the release")
    return rows.tolist()


def _wrong(problem: str) -> DataError:
    """Return what is wrong with a crosswalk."""
    return DataError([Fault("crosswalk", problem, "Take the files of one run.")])
