"""What verification looks at: the cells of a release as text, and what is known beside them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
import polars as pl

from indistinct.base.brief import short_repr
from indistinct.errors import DataError, Fault
from indistinct.tables.core.schema import Role
from indistinct.tables.engines.tallies import kinds_of, without
from indistinct.tables.models.bounded import BoundedModel
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.input import known_values
from indistinct.tables.verification.listed import Listed, list_of
from indistinct.tables.verification.manifest_shape import mapping_in
from indistinct.tables.verification.order import begins_run
from indistinct.tables.verification.order_traces import Numbered, numbered
from indistinct.tables.verification.texts import (
    HIDDEN,
    days_among_moments,
    texts_as_read,
    with_letters_composed,
    with_midnights_as_days,
)
from indistinct.tables.verification.value_pairs import ValuePairs, value_pairs

Found = TypeVar("Found")

# A missing value is one of their categories, so that a released one tells nothing of the input's.
MAY_FILL_MISSING = frozenset({"randomized-response", "microaggregation", "pram"})
WITH_A_CLOCK = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T"


class Given(NamedTuple):
    """What was given to verify a release: paths, frames and addresses; see :func:`~.verify`."""

    data: Any
    original: Any = None
    sensitive: Any = None
    owner: Any = None
    crosswalk: Any = None
    history: Any = None
    counterfeits: Any = None

    @property
    def path(self) -> str | None:
        """The path or the address of the release; None of a frame."""
        return str(self.data) if isinstance(self.data, str | Path) else None

    def check(self) -> None:
        """Refuse what is given in vain.

        Raises
        ------
        DataError
            when there is no such history, or a crosswalk without the table whose rows it names
        """
        if self.history is not None and not Path(self.history).is_file():
            raise DataError("there is no such history", "Name the file that --history wrote.")
        if self.crosswalk is not None and self.original is None:
            problem = "The crosswalk names rows of the original."
            raise DataError([Fault("original", "is missing", problem)])


@dataclass(frozen=True, slots=True)
class VerificationInput:
    """What there is to judge by.

    Parameters
    ----------
    frame : the release as it was read
    spec : what was promised
    original : the input, if it is at hand
    rows : number in the input of each row of ``frame``, if the crosswalk is at hand
    manifest : what the release says of itself, if it is at hand
    original_is_masked : whether protected columns of ``original`` are those that were counted
    sensitive : the second of two linked tables
    counterfeits : groups that have records without a person, and how many
    history : path of the record of earlier releases; it need not be there before the first
    sha256 : hash of the release's file, by which the history knows it
    weights, original_weights : records of each row of ``frame`` and of ``original``, where these
        are the distinct rows of a table
    columns : names of all columns of the release, where ``frame`` has only those that are counted
    protected : the distinct cells of each protected column, where ``frame`` may lack it
    masked_values : the columns that masks change, as the input has them, if they are at hand
    """

    frame: pl.DataFrame
    spec: Specification
    original: pl.DataFrame | None = None
    rows: Sequence[int] | None = None
    manifest: Mapping[str, Any] | None = None
    original_is_masked: bool = False
    sensitive: pl.DataFrame | None = None
    counterfeits: pl.DataFrame | None = None
    history: Path | None = None
    sha256: str | None = None
    weights: pl.Series | None = None
    original_weights: pl.Series | None = None
    columns: Sequence[str] | None = None
    protected: Mapping[str, pl.Series] | None = None
    masked_values: pl.DataFrame | None = None

    __repr__ = short_repr

    @property
    def before_masks(self) -> pl.DataFrame | None:
        """The input before anything was masked, or its masked columns, if these are at hand."""
        return self.masked_values if self.original_is_masked else self.original


class ClassIndex(NamedTuple):
    """The released records by their quasi-identifiers: those of a kind are alike in all of them.

    Parameters
    ----------
    of_row : (n_rows,), number of the kind of each row, by the order in which the kinds first occur
    first : (n_kinds,), the first row of each kind
    sizes : (n_kinds,), records of each kind
    """

    of_row: pl.Series
    first: pl.Series
    sizes: list[int]


@dataclass(frozen=True, slots=True)
class CheckedRelease:
    """What verification looks at, all cells as text.

    Parameters
    ----------
    release : the released records that are not masked whole
    typed : the same as they were read
    spec : what was promised
    original : the input, if it is at hand
    rows : number in the input of each row of ``release``, if the crosswalk is at hand
    n_suppressed : records left out or masked: proven by the input, else as the manifest claims
    n_input : records of the input, if it is at hand; ``original`` may have no column to tell it
    takes_part : which records of ``original`` are not left out for their missing values, where the
        policy leaves such out; None where chance decided it
    weights, original_weights : records of each row, where rows are distinct; see
        :class:`VerificationInput`
    may_be_hidden : columns in which values may be written as missing, as the manifest says
    """

    release: pl.DataFrame
    typed: pl.DataFrame
    spec: Specification
    original: pl.DataFrame | None
    rows: Sequence[int] | None
    n_suppressed: int | None
    n_input: int | None
    takes_part: pl.Series | None = None
    weights: pl.Series | None = None
    original_weights: pl.Series | None = None
    may_be_hidden: frozenset[str] = frozenset()
    found: dict[Any, Any] = field(default_factory=dict[Any, Any], init=False)  # for other checks

    __repr__ = short_repr

    @property
    def n_released(self) -> int:
        """Records that are released."""
        return self.release.height if self.weights is None else int(self.weights.sum())

    def once(self, key: object, find: Callable[[], Found]) -> Found:
        """Return what is found, looked for once for all checks."""
        if key not in self.found:
            self.found[key] = find()
        return self.found[key]

    def kinds(self) -> ClassIndex:
        """Group the rows by a plain group-by of their quasi-identifiers, once for all checks."""
        return self.once("kinds", self._kinds)

    def _kinds(self) -> ClassIndex:
        """Group the rows, runs of equal ones first."""
        names = [name for name in self.spec.class_names if name in self.release.columns]
        keys = [self.release[name] for name in names]
        keys = keys or [pl.repeat("", self.release.height, dtype=pl.String, eager=True)]
        begins = begins_run(keys, self.release.height)
        runs = pl.DataFrame([key.filter(pl.Series(begins)) for key in keys])
        of_run = first_run = pl.Series(np.arange(runs.height, dtype=np.uint32))
        if runs.is_duplicated().any():  # the rows are not in order
            of_run, first_run = kinds_of(runs.get_columns())
        of_row = of_run[np.cumsum(begins) - 1]
        first = pl.Series(np.flatnonzero(begins)[first_run.to_numpy()], dtype=pl.UInt32)
        sizes = np.bincount(of_row.to_numpy(), self.weights).astype(np.int64).tolist()
        return ClassIndex(of_row, first, sizes)

    def take_kinds(self, same: CheckedRelease) -> None:
        """Set the kinds of rows to those of evidence of the same rows."""
        self.found["kinds"] = same.kinds()

    def counts(self, name: str) -> list[tuple[str, int]]:
        """Count the records of each cell of a quasi-identifier, as the cells first occur."""
        return self.once(("counts", name), lambda: self._counts(name))

    def _counts(self, name: str) -> list[tuple[str, int]]:
        """Count the records of each cell, kind by kind."""
        kinds, records = self.kinds(), dict[str, int]()
        cells: list[str] = self.release[name][kinds.first].to_list()
        for cell, size in zip(cells, kinds.sizes, strict=True):
            records[cell] = records.get(cell, 0) + size
        return list(records.items())

    def before(self, name: str) -> pl.Series | None:
        """Return a column as it was counted: not at hand where it was masked, but not here."""
        original = self.original
        if original is None or name not in original.columns:
            return None
        return self.once(("before", name), lambda: self._before(name, original[name]))

    def _before(self, name: str, column: pl.Series) -> pl.Series:
        """Return a column of the input as it is compared with what is released."""
        if name in self.spec.class_names:
            column = with_letters_composed(column)
        shown = self.release[name] if name in self.release.columns else None
        if shown is None or not isinstance(column.dtype, pl.Datetime):
            return column
        # A release of text has days where all moments that it shows are midnights.
        shows_clocks = shown.str.contains(WITH_A_CLOCK).any()
        return column if shows_clocks else days_among_moments(column)

    def numbered(self, name: str) -> Numbered:
        """Return a released column as numbers of its distinct cells."""
        return self.once(("released", name), lambda: self._numbered(name))

    def _numbered(self, name: str) -> Numbered:
        """Return the numbers; for a quasi-identifier, one row of each kind is looked at."""
        if name not in self.spec.class_names:
            return numbered(self.release[name])
        kinds = self.kinds()
        cells = numbered(self.release[name][kinds.first])
        return Numbered(cells.values, cells.codes[kinds.of_row.to_numpy()])

    def numbered_before(self, name: str) -> Numbered:
        """Return a column of the input, which has it, as numbers of its distinct values."""
        column = self.before(name)
        assert column is not None  # noqa: S101 - the caller looked
        return self.once(("numbered", name), lambda: numbered(column))

    def pairs(self, name: str) -> ValuePairs:
        """Return which cells of a column stand for which values, where both are at hand."""
        assert self.rows is not None  # noqa: S101 - the caller looked
        own, rows = self.numbered_before(name), np.asarray(self.rows, np.int64)
        return self.once(
            ("pairs", name), lambda: value_pairs(self.numbered(name), own, rows, self.weights)
        )

    def counted_before(self, name: str) -> pl.Series | None:
        """Return a column as it was counted: None where nobody can tell which records took part."""
        before = self.before(name)
        if before is None or not self.spec.withholds:
            return before
        return None if self.takes_part is None else before.filter(self.takes_part)

    @property
    def counted_weights(self) -> pl.Series | None:
        """Return the records of each row of such a column, where these are distinct rows."""
        if self.original_weights is None or self.takes_part is None:
            return self.original_weights
        return self.original_weights.filter(self.takes_part)


def evidence_of(reading: VerificationInput) -> CheckedRelease:
    """Return the cells in words, without the records that are masked whole."""
    frame, spec = reading.frame, reading.spec
    read = with_midnights_as_days(frame, spec.class_names)
    texts = as_labels(texts_as_read(read), spec.class_rules)
    rows, weights = reading.rows, reading.weights
    if rows is not None:
        rows = array("q", np.asarray(rows, np.int64).tobytes())
    shown, typed = texts, frame
    if spec.release.suppressed == "mask":
        kept = ~texts.select(pl.all_horizontal(pl.all() == HIDDEN)).to_series()
        shown, typed = texts.filter(kept), frame.filter(kept)
        weights = None if weights is None else weights.filter(kept)
        if rows is not None:
            rows = array("q", np.asarray(rows, np.int64)[kept.to_numpy()].tobytes())
    n_kept = int(shown.height if weights is None else weights.sum())
    hidden = n_suppressed(reading, n_kept)
    original = input_of(reading)
    takes_part = complete_records(reading)
    return CheckedRelease(
        shown,
        typed,
        spec,
        original,
        rows,
        hidden,
        n_input(reading),
        takes_part,
        weights,
        reading.original_weights,
        frozenset(hidden_names(reading.manifest)),
    )


def hidden_names(manifest: Mapping[str, Any] | None) -> list[str]:
    """Return the columns in which values may be written as missing, as a manifest says."""
    listed = mapping_in(manifest, "read_back").get("may_be_hidden", ())
    if not isinstance(listed, list | tuple):
        return []
    return [str(name) for name in cast("Sequence[object]", listed)]


def complete_records(reading: VerificationInput) -> pl.Series | None:
    """Return which input records have no missing value, where the policy leaves others out."""
    spec, original = reading.spec, reading.original
    masks = spec.protections.values()
    if original is None or not spec.withholds or any(mask.withholds for mask in masks):
        return None
    names = {*spec.named(Role.QUASI_IDENTIFIER), *spec.named(Role.SENSITIVE)}
    drawn = {name for name, mask in spec.protections.items() if mask.name in MAY_FILL_MISSING}
    if names & drawn and not reading.original_is_masked:
        return None
    read = known_values(
        original[[name for name in original.columns if name in names]], spec.data.missing
    )
    return read.select(pl.all_horizontal(pl.all().is_not_null())).to_series()


def promises_of_all_releases(models: Sequence[BoundedModel]) -> bool:
    """Return whether a policy promises something of all releases of a table together."""
    return any(model.republishes for model in models)


def has_made_up_rows(spec: Specification) -> bool:
    """Return whether rows of a release may have no record: two linked tables show people alone."""
    return promises_of_all_releases(spec.models) and spec.release.form == "table"


def n_input(reading: VerificationInput) -> int | None:
    """Count the records of the input, if it is at hand."""
    if reading.original_weights is not None:
        return int(reading.original_weights.sum())
    return None if reading.original is None else reading.original.height


def input_of(reading: VerificationInput) -> pl.DataFrame | None:
    """Return the input as it was counted: missing values as null.

    Columns that were masked before they were counted are left out where they are not masked here.
    """
    original = reading.original
    if original is not None and not reading.original_is_masked:
        original = without(original, list(reading.spec.protections))
    return None if original is None else known_values(original, reading.spec.data.missing)


def n_suppressed(reading: VerificationInput, n_released: int) -> int | None:
    """Return how many records are not released, if anything tells it.

    The input proves it, and so do the rows of stars of a file that masks; what a manifest says is
    a claim.
    """
    if reading.original is not None:
        return (n_input(reading) or 0) - n_released
    if reading.spec.release.suppressed == "mask":
        return reading.frame.height - n_released
    return None if reading.manifest is None else _claimed(reading.manifest)


def most_suppressed(spec: Specification, n_released: int) -> float:
    """Return how many records the policy lets a release of this size leave out; infinity if any.

    Incomplete records that the policy leaves out do not count against its limit, and neither do
    those that a model takes out after the search.
    """
    share = spec.method.max_suppression
    is_free = spec.withholds or any(model.suppresses_later for model in spec.models)
    if is_free or share >= 1:
        return math.inf
    return math.floor(n_released * share / (1 - share) + 1e-6)


def suppression_faults(reading: VerificationInput, n_released: int) -> Iterator[Fault]:
    """Find a claim of suppressed records that the input or the policy's limit contradicts."""
    if reading.manifest is None:
        return
    claim, proven = _claimed(reading.manifest), n_suppressed(reading, n_released)
    place = "manifest.records.suppressed"
    if claim is None:
        yield Fault(place, "is not a number of records", "Take the manifest that was written.")
    elif claim != proven:
        yield Fault(
            place,
            f"says {claim}, but {proven} records are not released",
            "Take the file and the manifest of one run.",
        )
    elif reading.original is None and claim > most_suppressed(reading.spec, n_released):
        yield Fault(
            place,
            f"says {claim}, which is more than max_suppression allows beside {n_released} released "
            "records",
            "Verify with the policy that the release was made with, or with the input.",
        )


def _claimed(manifest: Mapping[str, Any]) -> int | None:
    """Read the number of suppressed records that a manifest claims."""
    claim = mapping_in(manifest, "records").get("suppressed")
    return claim if isinstance(claim, int) and not isinstance(claim, bool) and claim >= 0 else None


def released_names(rule: ColumnRule, present: Sequence[str]) -> list[str]:
    """Return the columns that a quasi-identifier is released as."""
    bounds = [f"{rule.name}_min", f"{rule.name}_max"]
    if rule.shown_as == "bounds" and all(bound in present for bound in bounds):
        return bounds
    return [rule.name]


def as_labels(texts: pl.DataFrame, rules: Iterable[ColumnRule]) -> pl.DataFrame:
    """Return pairs of bounds, put together again as one cell."""
    for rule in rules:
        bounds = released_names(rule, texts.columns)
        if len(bounds) == 1:
            continue
        cells = _labels_of(rule, *(texts[bound] for bound in bounds))
        others = [column for column in texts.iter_columns() if column.name not in bounds]
        texts = pl.DataFrame([*others, cells])
    return texts


def _labels_of(rule: ColumnRule, low: pl.Series, high: pl.Series) -> pl.Series:
    """Return the labels of pairs of ends; both are empty where a cell is hidden or missing."""
    of_list = (list_of(rule) or Listed({})).label_of_ends
    # A range that was made from the data includes both its ends; an interval does not.
    end = "]" if rule.in_ranges else ")"
    kinds, first = kinds_of([low, high])
    labels = [
        # One end without the other makes "[, 34)", which is no cell of any policy.
        of_list.get((one, other), one if one == other else f"[{one}, {other}{end}") or HIDDEN
        for one, other in zip(low[first], high[first], strict=True)
    ]
    return pl.Series(rule.name, labels, pl.String).gather(kinds)
