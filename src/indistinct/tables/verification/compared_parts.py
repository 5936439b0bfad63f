"""Released records beside their own records of the input, part after part.

Nobody holds either table whole. A crosswalk gives each record of the input a number, and each
released record that of its own: the place in the input, or the line with the name and the key.
Released records go to files by their number, so many numbers in each part. The parts are then read
one after another, each with its records of the input, and every fault is found once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import polars as pl

from indistinct.base.arrays import Ints
from indistinct.base.files.literal_paths import read_parquet
from indistinct.errors import Fault
from indistinct.tables.engines.sources import EngineTable
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.columns import faults_of_cells
from indistinct.tables.verification.evidence import (
    VerificationInput,
    complete_records,
    evidence_of,
    released_names,
)
from indistinct.tables.verification.mask_checks import mask_faults_with_input
from indistinct.tables.verification.mask_tests import MaskTests
from indistinct.tables.verification.original import DISMISS, wrong_cells

VALUE, PLACE = "\0value", "\0place"
LINE = "\0line"  # number of a record of the input
ROWS = 250_000  # records that are read at once
FEWEST_ROWS = 50_000  # of a part
MOST_ROWS = 10_000_000
MOST_PARTS = 256
SHARE = 40  # of the memory that the records of one part take as they are read
WRONG = "Take the crosswalk that was written with this release."


def lines_of_a_part(source: EngineTable, n_lines: int, memory: int) -> int:
    """Return how many records of the input are compared at once."""
    some = source.sample(list(source.kinds), FEWEST_ROWS)
    width = some.estimated_size() / max(some.height, 1) + 1
    fitting = min(int(memory / SHARE / width), MOST_ROWS)
    return max(FEWEST_ROWS, fitting, -(-n_lines // MOST_PARTS))


def put(batch: pl.DataFrame, number: int, folder: Path, size: int) -> None:
    """Write the records of a batch to the files of their parts.

    Parameters
    ----------
    batch : with the column :data:`LINE`
    number : of the batch, in whose order the records of a part are read again
    size : numbers of a part
    """
    part = (pl.col(LINE) // size).alias(PLACE)
    for (place,), rows in batch.group_by(part, maintain_order=True):
        rows.write_parquet(folder / f"{place}-{number:06d}", compression="lz4")


def records_of(folder: Path, number: int) -> pl.DataFrame | None:
    """Read the records of a part, and remove their files; None where it has none."""
    paths = sorted(folder.glob(f"{number}-*"))
    rows = read_parquet(paths) if paths else None
    for path in paths:
        path.unlink()
    return rows


def faults_of_parts(
    folder: Path, original: Iterable[pl.DataFrame], spec: Specification, size: int
) -> list[Fault]:
    """Compare the released records with their own, part after part.

    Parameters
    ----------
    folder : where the released records were put
    original : the parts of the input, in the order of the numbers, of which none is left out
    """
    found = PartComparison(spec)
    for number, part in enumerate(original):
        found.see(part)
        released = records_of(folder, number)
        if released is not None:
            rows = released[LINE].to_numpy().astype(np.int64) - number * size
            found.add(released.drop(LINE), part, rows)
    return found.faults()


class PartComparison:
    """What the parts show, put together.

    Parameters
    ----------
    spec : what was promised
    """

    def __init__(self, spec: Specification) -> None:
        self._promised = spec
        self._masks = MaskTests(spec)
        self._twice = 0
        self._wrong = Counter[str]()
        self._others: dict[tuple[str, str], Fault] = {}
        self._kinds: dict[str, pl.DataFrame] = {}
        self._values: dict[str, pl.DataFrame] = {}
        # The columns whose cells cover values of the input.
        self._names = [name for name in spec.class_names if name not in spec.protections]

    def see(self, part: pl.DataFrame) -> None:
        """Collect the values of a part of the input: by all of them, rules of cells were made.

        Parameters
        ----------
        part : its records, those that are not released included
        """
        self._masks.see(part)
        takes_part = complete_records(VerificationInput(pl.DataFrame(), self._promised, part))
        for name in self._names:
            column = part[name].alias(VALUE)
            own = column if takes_part is None else column.filter(takes_part)
            _collect(self._values, name, own.to_frame())

    def add(self, released: pl.DataFrame, part: pl.DataFrame, rows: Ints) -> None:
        """Compare the records that came from one part of the input with it.

        Parameters
        ----------
        released : in the order of the release
        part : of the input
        rows : (n_released,), the row of the part behind each
        """
        self._twice += len(rows) - len(np.unique(rows))
        reading = VerificationInput(released, self._promised, part, rows.tolist())
        evidence = evidence_of(reading)
        self._wrong.update(wrong_cells(evidence))
        masked = mask_faults_with_input(
            evidence.release, self._promised, part, rows.tolist(), is_part=True
        )
        self._masks.add(evidence.release, part, evidence.rows or ())
        for fault in masked:
            self._others.setdefault((fault.place, fault.problem), fault)
        for name in self._names:
            names = released_names(self._promised.columns[name], released.columns)
            values = part[name].gather(rows).alias(VALUE)
            _collect(self._kinds, name, released[names].with_columns(values))

    def faults(self) -> list[Fault]:
        """Return every fault once."""
        found: list[Fault] = []
        if self._twice:
            found.append(Fault("crosswalk", "names a record of the input twice", DISMISS))
        for name, count in self._wrong.items():
            problem = f"{count} cells are not their record's own"
            found.append(Fault(f"columns.{name}", problem, DISMISS))
        found += self._others.values()
        found += self._masks.faults()
        for name, kinds in self._kinds.items():
            found += _cover_faults(name, kinds, self._values[name], self._promised)
        return found


def _collect(known: dict[str, pl.DataFrame], name: str, more: pl.DataFrame) -> None:
    """Add the distinct rows of one more part to those that are known of a column."""
    rows = more.unique()
    known[name] = pl.concat([known[name], rows]).unique() if name in known else rows


def _cover_faults(
    name: str, kinds: pl.DataFrame, values: pl.DataFrame, spec: Specification
) -> Iterator[Fault]:
    """Find cells of one column that do not cover their record's value.

    Parameters
    ----------
    kinds : each kind of cell with each value that it stands for
    values : of the input, those of suppressed records included
    """
    known = pl.concat([values, kinds.select(VALUE)]).unique().with_row_index(PLACE)
    places = kinds.join(known, on=VALUE, how="left", nulls_equal=True, maintain_order="left")
    reading = VerificationInput(
        kinds.drop(VALUE),
        spec,
        pl.DataFrame({name: known[VALUE]}),
        places[PLACE].to_list(),
        original_is_masked=True,
    )
    yield from faults_of_cells(evidence_of(reading), name)
