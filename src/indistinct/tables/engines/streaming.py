"""Tables larger than memory with Polars: Parquet and CSV files, and lazy frames."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from typing import Self, final

import polars as pl

from indistinct.base.files.literal_paths import scan_parquet
from indistinct.tables.engines.folders import into_folders, partition_of, scan_folders
from indistinct.tables.engines.parts import FilesDraft, hidden_folder
from indistinct.tables.engines.sorted_records import (
    RANK,
    SAMPLED,
    RecordOrder,
    coarsened,
    collected,
    joined_by_rank,
    mark,
    matched,
    ranked_cells,
    renamed,
    write_sorted,
)
from indistinct.tables.engines.sources import (
    EVERYTHING,
    MARK,
    PLACE,
    RECORDS,
    Limits,
    Opening,
    PersonKey,
    Profile,
    ReleasePlan,
    Sink,
    Tally,
)
from indistinct.tables.engines.streamed_files import (
    converted,
    pays,
    polars_in_words,
    scan_texts,
    typed,
)
from indistinct.tables.engines.temporary import TemporaryFolder
from indistinct.tables.reading.arrow_types import check_types_of, without_extensions
from indistinct.tables.reading.column_types import (
    ColumnType,
    canonical,
    check_schema,
    in_type,
    kinds_of,
    narrower_types,
    type_tests,
)
from indistinct.tables.reading.places import Files, Numbering, sha256_of_files, stamps_of
from indistinct.tables.reading.text_frames import check_texts

HASH_BITS = 64
FEW = 1 << 22  # records by which the number of distinct rows is guessed, at most
BATCH = 250_000  # records that are read at once, where somebody wants them one after another
NAMED, NAME = "\0named", "\0name"  # the key of a record's name, and the name


@final
class StreamingTable:
    """A table that Polars reads in parts.

    Parameters
    ----------
    lazy : its records, each cell in one way of writing
    schema : its columns
    limits : what may be used
    files : where it comes from; None for a lazy frame
    digest : hashes what it is made of, where these are no files of this machine
    folder : what is removed when the table is closed
    """

    engine = "polars"
    has_order = True

    def __init__(  # noqa: PLR0913 - where the records are, and what belongs to them
        self,
        lazy: pl.LazyFrame,
        schema: Mapping[str, pl.DataType],
        limits: Limits,
        files: Files | None = None,
        *,
        digest: Callable[[], str] | None = None,
        folder: TemporaryFolder | None = None,
    ) -> None:
        self._digest, self._folder = digest, folder
        self._lazy, self.schema, self._limits, self._files = lazy, schema, limits, files
        self.kinds: Mapping[str, ColumnType] = kinds_of(schema)
        self.has_types = files is None or not files.separators
        self._stamps = stamps_of(() if files is None else files.paths)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def profile(self) -> Profile:
        """Scan the table once."""
        names = list(self.schema)
        numbers = [name for name, dtype in self.schema.items() if dtype.is_float()]
        row = collected(
            self._lazy.select(
                pl.len().alias(RECORDS),
                *(pl.col(name).null_count().alias(f"m{i}") for i, name in enumerate(names)),
                *(
                    pl.col(name).is_infinite().sum().alias(f"i{i}")
                    for i, name in enumerate(numbers)
                ),
            )
        ).row(0, named=True)
        return Profile(
            row[RECORDS],
            {name: row[f"m{i}"] for i, name in enumerate(names)},
            {name: int(row[f"i{i}"] or 0) for i, name in enumerate(numbers)},
        )

    def estimate(self, keys: Sequence[PersonKey]) -> int | None:
        """Guess the number of distinct rows: count those whose hashes begin with some zeros."""
        names = [f"k{index}" for index in range(len(keys))]
        rows = self._lazy.select(
            pl.col(key.name).alias(own) for key, own in zip(keys, names, strict=True)
        )
        bits = (collected(self._lazy.select(pl.len())).item() // FEW).bit_length()
        hashes = coarsened(rows, keys).select(mark(names).alias(MARK))
        some = hashes.filter(pl.col(MARK) < 1 << (HASH_BITS - bits)) if bits else hashes
        return int(collected(some.select(pl.col(MARK).n_unique())).item()) << bits

    def count(
        self, keys: Sequence[PersonKey], at_most: int, marked: Sequence[str] = ()
    ) -> Tally | None:
        """Count the distinct rows of some columns."""
        names = [f"k{index}" for index in range(len(keys))]
        extra = [f"m{index}" for index in range(len(marked))]
        rows = self._lazy.select(
            *(pl.col(key.name).alias(own) for key, own in zip(keys, names, strict=True)),
            *(pl.col(name).alias(own) for name, own in zip(marked, extra, strict=True)),
        )
        rows = coarsened(rows, keys)
        sums = [pl.len().cast(pl.Int64).alias(RECORDS)]
        sums += [mark(extra).sum().alias(MARK)] if marked else []
        if names:
            counted = rows.group_by(names).agg(sums)
        else:
            # A frame without columns has no rows to count.
            counted = (rows if extra else self._lazy).select(sums)
        # One more than fits is enough to know that they do not.
        found = collected(counted.head(at_most + 1) if at_most < EVERYTHING else counted)
        if found.height > at_most:
            return None
        frame = found.select(names).rename(
            dict(zip(names, (key.name for key in keys), strict=True))
        )
        return Tally(frame, found[RECORDS], found[MARK] if marked else None)

    def sample(self, names: Sequence[str], n_rows: int) -> pl.DataFrame:
        """Return records at equal distances, in the table's order."""
        total = collected(self._lazy.select(pl.len())).item()
        step = max(1, total // n_rows)
        rows = self._lazy.select(pl.col(name) for name in names)
        if step > 1:
            rows = rows.with_row_index(RECORDS).filter(pl.col(RECORDS) % step == 0).drop(RECORDS)
        return collected(rows)

    def batches(self, n_rows: int, names: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """Yield all records in their order, about so many at once, and an empty part of none.

        Parameters
        ----------
        names : some of the columns; all when left out
        """
        lazy = self._lazy if names is None else self._lazy.select(names)
        schema = {name: self.schema[name] for name in names or self.schema}
        with polars_in_words(""):
            parts = lazy.collect_batches(chunk_size=n_rows, maintain_order=True)
            yield next(parts, pl.DataFrame(schema=schema))
            yield from parts

    def replace_values(self, name: str, values: pl.Series, plain: pl.Series) -> None:
        """Read the cells of a column in another form from now on."""
        read = pl.col(name).replace_strict(values, plain, default=None, return_dtype=plain.dtype)
        self._lazy = self._lazy.with_columns(read.alias(name))
        self.schema = self._lazy.collect_schema()
        self.kinds = kinds_of(self.schema)

    @property
    def records(self) -> pl.LazyFrame:
        """All records in their order, lazily."""
        return self._lazy

    def pieces(self, n_rows: int) -> Iterator[pl.DataFrame]:
        """Yield all records in their order, exactly so many at once but for the last piece."""
        waiting = pl.DataFrame(schema=dict(self.schema))
        for batch in self.batches(min(n_rows, BATCH)):
            waiting = waiting.vstack(batch)
            while waiting.height >= n_rows:
                yield waiting.head(n_rows)
                waiting = waiting.slice(n_rows)
        if waiting.height:
            yield waiting

    def fingerprint(self, *, hashes: bool) -> str | None:
        """Hash the files, or the rows of a lazy frame."""
        if not hashes:
            return None
        if self._files is not None:
            return sha256_of_files(self._files)
        if self._digest is not None:
            return self._digest()
        total = collected(self._lazy.select(mark(list(self.schema)).sum()))
        return hashlib.sha256(str(total.item()).encode()).hexdigest()

    @property
    def numbering(self) -> Numbering | None:
        """What the places of records refer to; None for a lazy frame, which has none that last."""
        if self._files is None or PLACE in self.schema:
            return None
        return Numbering(self._files, self._files)

    def unchanged(self) -> bool:
        """Compare sizes and times of the files with those at the beginning."""
        return self._stamps == stamps_of(() if self._files is None else self._files.paths)

    def write(self, plan: ReleasePlan, sink: Sink) -> FilesDraft:
        """Write the release in canonical order."""
        with hidden_folder(Path(sink.address)) as folder, polars_in_words(sink.address):
            places = [PLACE] if sink.places is not None else []
            rows = self._decided(plan, pl.DataFrame([_ranks(plan)]), places=places)
            some, memory = collected(self._lazy.head(SAMPLED)), self._limits.memory
            write_sorted(rows, plan, folder, sink, schema=self.schema, some=some, memory=memory)
            partition = into_folders(folder, sink)
        reopen = partial(open_files, opening=Opening(self._limits, (), as_written=True))
        return FilesDraft(folder, sink, reopen, partition=partition)

    def narrow_types(self, plan: ReleasePlan) -> dict[str, pl.DataType]:
        """Scan the released records once for columns whose cells fit into a narrower type."""
        types = plan.passed_types(self.schema)
        tests = [
            test.alias(f"{place} {word}")
            for place, (name, dtype) in enumerate(types.items())
            for word, test in type_tests(name, dtype).items()
        ]
        rows = self._decided(plan, pl.DataFrame([_ranks(plan)]))
        found = collected(rows.select(tests)).row(0, named=True)
        return narrower_types(types, found)

    def lazy(self, plan: ReleasePlan) -> pl.LazyFrame:
        """Return the release as a lazy frame in canonical order."""
        given = plan.cells.with_columns(_ranks(plan))
        rows = self._decided(plan, given)
        order = RecordOrder.of(rows, plan, self.schema)
        return rows.sort(RANK, *order.keys, nulls_last=True).select(plan.written)

    def _decided(
        self, plan: ReleasePlan, given: pl.DataFrame, *, places: Sequence[str] = ()
    ) -> pl.LazyFrame:
        """Join the records with what is given to each row of the plan, in no order.

        Returns
        -------
        the columns that are released as they are, what is given, the names of the records and
        their places
        """
        keys = [f"k{index}" for index in range(len(plan.keys))]
        passed = {name: f"p{index}" for index, name in enumerate(plan.passed)}
        cells = {name: f"c{index}" for index, name in enumerate(given.columns)}
        lazy = self._lazy.with_row_index(PLACE) if places else self._lazy
        named = [] if plan.names is None else [pl.col(plan.names.key).alias(NAMED)]
        rows = lazy.select(
            *(pl.col(key.name).alias(own) for key, own in zip(plan.keys, keys, strict=True)),
            *(pl.col(name).alias(own) for name, own in passed.items()),
            *(pl.col(place).cast(pl.Int64) for place in places),
            *named,
        )
        rows = coarsened(rows, plan.keys)
        table = renamed(plan.rows, keys).hstack(renamed(given, cells.values()))
        if plan.split is None:
            joined = matched(rows, table, keys)
        else:
            joined = joined_by_rank(rows, table, plan, keys, list(passed.values()))
        own = {**passed, **cells}
        shown = [
            in_type(pl.col(place), plan.types.get(name)).alias(name) for name, place in own.items()
        ]
        if plan.names is not None:
            table = renamed(plan.names.table, [NAMED, NAME])
            joined = joined.join(table.lazy(), on=NAMED, how="inner")
            shown.append(pl.col(NAME).alias(plan.names.column))
        return joined.select(*shown, *places)


def _ranks(plan: ReleasePlan) -> pl.Series:
    """Return the rank of each row of a plan."""
    return pl.Series(RANK, ranked_cells(plan)[1], pl.UInt32)


def open_files(files: Files, opening: Opening) -> StreamingTable:
    """Open Parquet or CSV files.

    Raises
    ------
    DataError
        when they cannot be read as one table
    """
    with polars_in_words(files.paths[0]):
        if files.separators:
            partition_of(files, is_release=opening.as_written)
            separator = check_texts(files, opening.separator, only_enclosing=True)
            lazy = scan_texts(files.paths, separator)
            if not opening.as_written:
                return _open_texts(lazy, opening, replace(files, separator=separator))
        elif (partition := partition_of(files, is_release=opening.as_written)) is not None:
            lazy = scan_folders(files, partition)
        else:
            check_types_of(files.paths, "parquet")
            lazy = without_extensions(scan_parquet(files.paths))
        if opening.as_written:
            return StreamingTable(lazy, lazy.collect_schema(), opening.limits, files)
        return _opened(lazy, opening, files)


def _open_texts(lazy: pl.LazyFrame, opening: Opening, files: Files) -> StreamingTable:
    """Open text files, converted to Parquet once where that pays."""
    check_schema(lazy.collect_schema())
    if not pays(files, opening, Path(opening.limits.folder or gettempdir())):
        return _opened(typed(lazy, opening), opening, files)
    copy, folder = converted(lazy, opening)
    try:
        return _opened(typed(copy, opening), opening, files, folder)
    except BaseException:
        folder.cleanup()
        raise


def open_lazy(lazy: pl.LazyFrame, opening: Opening) -> StreamingTable:
    """Open a lazy frame."""
    with polars_in_words("the frame"):
        return _opened(lazy, opening, None)


def _opened(
    lazy: pl.LazyFrame,
    opening: Opening,
    files: Files | None,
    folder: TemporaryFolder | None = None,
) -> StreamingTable:
    """Return a table whose cells are all written in one way."""
    schema = lazy.collect_schema()
    check_schema(schema)
    lazy = lazy.select(
        canonical(name, dtype, opening.words(name)) for name, dtype in schema.items()
    )
    return StreamingTable(lazy, lazy.collect_schema(), opening.limits, files, folder=folder)
