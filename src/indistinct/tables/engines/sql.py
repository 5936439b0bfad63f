"""What an engine that speaks SQL is asked: each text is built here once, for every dialect.

No value of a record stands in a text: what was decided is loaded as a table. The words for a
missing value do, for they are the policy's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self, final

import polars as pl

from indistinct.base.cells.plain_numbers import PLAIN_NUMBER
from indistinct.tables.engines.sorted_records import SOME, ranked_cells
from indistinct.tables.engines.sources import (
    EVERYTHING,
    PLACE,
    RECORDS,
    Names,
    Opening,
    PersonKey,
    Profile,
    ReleasePlan,
    Sink,
    StagedRelease,
    Tally,
)
from indistinct.tables.engines.sql_dialect import (
    Connection,
    Dialect,
    ReleaseQuery,
    Storing,
    in_type,
    type_tests,
)
from indistinct.tables.frames.row_ranks import LARGEST_EXACT, WIDE, text_columns
from indistinct.tables.reading.column_types import (
    ColumnType,
    check_schema,
    kinds_of,
    narrower_types,
)
from indistinct.tables.reading.places import Numbering

DECISION, COARSE = "indistinct_decision", "indistinct_labels"
ORDER = "indistinct_order"  # a column with the rank of the released cells
PLAIN, AS_SAID = "indistinct_plain", -1  # cells in another form, and their level
NAMES, SALT = "indistinct_names", "indistinct_salt"
PARTS = 5  # seed of the hash by which the records are read in parts
WORD = 1 << 64


@final
class SqlTable:
    """A table that an engine reads by queries.

    Parameters
    ----------
    connection, dialect : of the engine
    relation : what a query calls the table
    opening : how it is read
    storing : what the engine does besides
    has_types : whether the table says the types of its columns, as all but text files do
    """

    def __init__(  # noqa: PLR0913 - the parts of an engine
        self,
        connection: Connection,
        dialect: Dialect,
        relation: str,
        opening: Opening,
        storing: Storing,
        *,
        has_types: bool = True,
    ) -> None:
        self.engine, self.has_order, self.has_types = dialect.engine, dialect.has_order, has_types
        self._connection, self._dialect, self._storing = connection, dialect, storing
        self._loaded: dict[tuple[str, int], str] = {}
        found = connection.fetch(f"SELECT * FROM {relation} LIMIT 0").schema
        if storing.numbering is not None:
            found = pl.Schema({name: dtype for name, dtype in found.items() if name != PLACE})
        check_schema(found)
        place = f", {dialect.quote(PLACE)}" if storing.numbering is not None else ""
        if opening.as_written:
            self.schema: Mapping[str, pl.DataType] = found
            self._base = f"SELECT * FROM {relation}"
        else:
            columns = ", ".join(
                f"{dialect.canonical(quoted, dtype, opening.words(name))} AS {quoted}"
                for name, dtype in found.items()
                for quoted in [dialect.quote(name)]
            )
            self.schema = connection.fetch(f"SELECT {columns} FROM {relation} LIMIT 0").schema
            self._base = f"SELECT {columns}{place} FROM {relation}"
        self.kinds: Mapping[str, ColumnType] = kinds_of(self.schema)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._connection.close()

    def profile(self) -> Profile:
        """Scan the table once."""
        quote = self._dialect.quote
        names = list(self.schema)
        numbers = [name for name, dtype in self.schema.items() if dtype.is_float()]
        asked = ["COUNT(*) AS n"]
        asked += [f"COUNT({quote(name)}) AS m{i}" for i, name in enumerate(names)]
        asked += [
            f"SUM(CASE WHEN {self._dialect.infinite.format(quote(name))} THEN 1 ELSE 0 END) AS i{i}"
            for i, name in enumerate(numbers)
        ]
        row = self._fetch(f"SELECT {', '.join(asked)} FROM ({self._base}) t").row(0, named=True)
        n_records = int(row["n"])
        return Profile(
            n_records,
            {name: n_records - int(row[f"m{i}"]) for i, name in enumerate(names)},
            {name: int(row[f"i{i}"] or 0) for i, name in enumerate(numbers)},
        )

    def count(
        self, keys: Sequence[PersonKey], at_most: int, marked: Sequence[str] = ()
    ) -> Tally | None:
        """Count the distinct rows of some columns."""
        own = [self._key(index, key) for index, key in enumerate(keys)]
        asked = [f"{cell} AS k{index}" for index, cell in enumerate(own)]
        asked.append("COUNT(*) AS n")
        if marked:
            cells = [f"t.{self._dialect.quote(name)}" for name in marked]
            asked.append(f"{self._dialect.sum.format(self._dialect.hashed(cells, 1))} AS s")
        grouped = f" GROUP BY {', '.join(own)}" if own else ""
        limit = f" LIMIT {at_most + 1}" if at_most < EVERYTHING else ""
        found = self._fetch(
            f"SELECT {', '.join(asked)} FROM ({self._base}) t{self._labels(keys)}{grouped}{limit}"
        )
        if found.height > at_most:
            return None
        frame = pl.DataFrame(
            [
                found[f"k{index}"].cast(self.schema[key.name]).alias(key.name)
                for index, key in enumerate(keys)
            ]
        )
        marks = _modulo(found["s"]) if marked else None
        return Tally(frame, found["n"].cast(pl.Int64).alias(RECORDS), marks)

    def estimate(self, keys: Sequence[PersonKey]) -> int | None:
        """Guess the number of distinct rows by their hashes."""
        if self._dialect.distinct is None:
            return None
        own = [self._key(index, key) for index, key in enumerate(keys)]
        guess = self._dialect.distinct.format(self._dialect.hashed(own, 1))
        query = f"SELECT {guess} AS n FROM ({self._base}) t{self._labels(keys)}"
        return int(self._fetch(query)["n"][0])

    def sample(self, names: Sequence[str], n_rows: int) -> pl.DataFrame:
        """Return records at equal distances, in the order in which the engine reads them."""
        step = max(1, self._n_records() // n_rows)
        columns = ", ".join(self._dialect.quote(name) for name in names)
        if step == 1:
            return self._fetch(f"SELECT {columns} FROM ({self._base}) t")
        inner = f"SELECT {columns}, {self._dialect.numbered} AS n FROM ({self._base}) t"
        return self._fetch(f"SELECT {columns} FROM ({inner}) u WHERE n % {step} = 0")

    def batches(self, n_rows: int) -> Iterator[pl.DataFrame]:
        """Yield all records, about so many at once: one query for each part of their hashes."""
        columns = [f"t.{self._dialect.quote(name)}" for name in self.schema]
        n_parts = max(1, -(-self._n_records() // n_rows))
        number = self._dialect.hashed(columns, PARTS)
        # The remainder of a negative number is negative.
        part = f"(({number} % {n_parts}) + {n_parts}) % {n_parts}"
        for place in range(n_parts):
            which = "" if n_parts == 1 else f" WHERE {part} = {place}"
            yield self._fetch(f"SELECT {', '.join(columns)} FROM ({self._base}) t{which}")

    def replace_values(self, name: str, values: pl.Series, plain: pl.Series) -> None:
        """Read the cells of a column in another form from now on."""
        quote = self._dialect.quote
        known = pl.DataFrame({"value": values, "plain": plain})
        table = self._connection.load(f"{PLAIN}{len(self._loaded)}", known)
        self._loaded[name, AS_SAID] = table
        read = {one: "p.plain" if one == name else f"t.{quote(one)}" for one in self.schema}
        columns = ", ".join(f"{cell} AS {quote(one)}" for one, cell in read.items())
        place = f", t.{quote(PLACE)}" if self._storing.numbering is not None else ""
        joined = f"LEFT JOIN {table} p ON t.{quote(name)} = p.value"
        self._base = f"SELECT {columns}{place} FROM ({self._base}) t {joined}"
        self.schema = {**self.schema, name: plain.dtype}
        self.kinds = kinds_of(self.schema)

    def fingerprint(self, *, hashes: bool) -> str | None:
        """Hash the files, or else the rows."""
        if not hashes:
            return None
        if self._storing.fingerprint is not None:
            return self._storing.fingerprint()
        return hashlib.sha256(self.row_hashes().encode()).hexdigest()

    def row_hashes(self) -> str:
        """Return the number of rows and the sum of their hashes."""
        cells = [f"t.{self._dialect.quote(name)}" for name in self.schema]
        total = self._dialect.sum.format(self._dialect.hashed(cells, 1))
        row = self._fetch(f"SELECT COUNT(*) AS n, {total} AS s FROM ({self._base}) t")
        return f"{row['n'][0]} {_modulo(row['s'])[0] or 0:016x}"

    @property
    def numbering(self) -> Numbering | None:
        """What the places of records refer to; None where the engine has none that last."""
        return self._storing.numbering

    def unchanged(self) -> bool:
        """Return whether the table is what it was when it was opened."""
        return self._storing.unchanged()

    def narrow_types(self, plan: ReleasePlan) -> dict[str, pl.DataType]:
        """Scan the released records once for columns whose cells fit into a narrower type."""
        types = plan.passed_types(self.schema)
        tests = [
            f'{test} AS "{place} {word}"'
            for place, (name, dtype) in enumerate(types.items())
            for word, test in type_tests(self._dialect.quote(name), dtype).items()
        ]
        found = self._fetch(f"SELECT {', '.join(tests)} FROM {self._source(plan)}")
        return narrower_types(types, found.row(0, named=True))

    def lazy(self, plan: ReleasePlan) -> Any:
        """Return the release as the kind of data that came in."""
        return self._storing.lazy(self.release(plan).ordered)

    def write(self, plan: ReleasePlan, sink: Sink) -> StagedRelease:
        """Write the release in canonical order."""
        has_places = sink.places is not None
        return self._storing.write(self.release(plan, has_places=has_places), sink)

    def release(self, plan: ReleasePlan, *, has_places: bool = False) -> ReleaseQuery:
        """Build the query that gives the released records in canonical order."""
        source = self._source(plan, has_places=has_places)
        columns = [*plan.written, *([PLACE] if has_places else [])]
        keys = [self._dialect.quote(ORDER), *self._sort_keys(plan, source)]
        return ReleaseQuery(
            source,
            ", ".join(f"{key} NULLS LAST" for key in keys),
            plan.written,
            [self._dialect.quote(name) for name in columns],
            self._dialect.quote(ORDER),
            plan,
            has_places,
        )

    def _source(self, plan: ReleasePlan, *, has_places: bool = False) -> str:
        """Join the records with what was decided for them."""
        quote = self._dialect.quote
        table = self._load_decision(plan)
        cells = {name: f"d.c{index}" for index, name in enumerate(plan.cells.columns)}
        passed = {name: in_type(f"t.{quote(name)}", plan.types.get(name)) for name in plan.passed}
        shown = ", ".join(f"{(cells | passed)[name]} AS {quote(name)}" for name in plan.columns)
        if has_places:
            shown += f", t.{quote(PLACE)} AS {quote(PLACE)}"
        own = [self._key(index, key) for index, key in enumerate(plan.keys)]
        labels = self._labels(plan.keys)
        if plan.names is not None:
            shown += f", n.name AS {quote(plan.names.column)}"
            labels += self._joined_names(plan.names)
        found = self._matching("d", own, plan.keys)
        base = f"({self._base}) t{labels}"
        shown += f", d.o AS {quote(ORDER)}"
        query = f"SELECT {shown} FROM {base} JOIN {table} d ON {found}"
        if plan.split is not None:
            query = self._by_rank(plan, table, shown, own, labels, found)
        return f"({query}) released"

    def _sort_keys(self, plan: ReleasePlan, source: str) -> Iterator[str]:
        """Yield what the records are sorted by, besides the ranks of their cells."""
        types = plan.passed_types(self.schema)
        numbers = self._numbers(text_columns(types, types), source)
        for name, dtype in types.items():
            cell = self._dialect.quote(name)
            text = self._dialect.as_text(cell)
            if isinstance(dtype, pl.String):
                if name in numbers:
                    yield self._dialect.as_number(cell)
                yield text
            elif isinstance(dtype, WIDE):
                number = self._dialect.as_number(cell)
                yield number
                yield f"CASE WHEN ABS({number}) > {LARGEST_EXACT} THEN {text} END"
            else:
                yield cell
        if plan.names is not None:
            yield self._dialect.as_text(self._dialect.quote(plan.names.column))

    def _numbers(self, names: Sequence[str], source: str) -> set[str]:
        """Return the columns of texts whose released cells are all numbers."""
        for limit in (f" LIMIT {SOME}", ""):
            if not names:
                break
            cells = {name: self._dialect.quote(name) for name in names}
            some = f"(SELECT {', '.join(cells.values())} FROM {source}{limit}) tried"
            wrong = ", ".join(
                f"SUM(CASE WHEN {self._dialect.is_matched(cell, PLAIN_NUMBER)} THEN 0 "
                f"WHEN {cell} IS NULL THEN 0 ELSE 1 END) AS n{place}"
                for place, cell in enumerate(cells.values())
            )
            found = self._fetch(f"SELECT {wrong} FROM {some}").row(0)
            names = [name for name, count in zip(names, found, strict=True) if not int(count or 0)]
        return set(names)

    def _by_rank(  # noqa: PLR0913, PLR0917 - the parts of one query
        self,
        plan: ReleasePlan,
        table: str,
        shown: str,
        own: Sequence[str],
        labels: str,
        found: str,
    ) -> str:
        """Join the records of split rows by their ranks among equals, all others by their keys.

        Which of equal records comes first is secret: a salted hash of their cells decides it.
        """
        passed = [f"t.{self._dialect.quote(name)}" for name in plan.passed]
        texts = [f"COALESCE({self._dialect.as_text(cell)}, chr(1))" for cell in passed]
        order = self._dialect.sha.format(" || chr(31) || ".join(["t.indistinct_salt", *texts]))
        salt = self._connection.load(SALT, pl.DataFrame({"salt": [plan.salt]}))
        keys = ", ".join(f"k{index}" for index in range(len(own)))
        split = f"(SELECT DISTINCT {keys} FROM {table} WHERE l >= 0) s"
        among = self._matching("s", own, plan.keys)
        rank = f"ROW_NUMBER() OVER (PARTITION BY {', '.join(own)} ORDER BY {order})"
        ranked = (
            f"SELECT t.*, {rank} AS indistinct_rank FROM (SELECT b.*, (SELECT salt FROM {salt}) "
            f"AS indistinct_salt FROM ({self._base}) b) t{labels} JOIN {split} ON {among}"
        )
        matching = f"{found} AND t.indistinct_rank > d.f AND t.indistinct_rank <= d.l"
        whole = (
            f"SELECT {shown} FROM ({self._base}) t{labels} JOIN {table} d ON {found} AND d.l < 0"
        )
        several = f"SELECT {shown} FROM ({ranked}) t{labels} JOIN {table} d ON {matching}"
        return f"{whole} UNION ALL {several}"

    def _key(self, index: int, key: PersonKey) -> str:
        """Return what a record is told apart by in a column."""
        return f"t.{self._dialect.quote(key.name)}" if key.coarse is None else f"g{index}.code"

    def _labels(self, keys: Sequence[PersonKey]) -> str:
        """Join the labels of columns that are counted by labels."""
        joins = ""
        for index, key in enumerate(keys):
            if key.coarse is None:
                continue
            place = (key.name, key.coarse.level)
            if place not in self._loaded:
                name = f"{COARSE}{len(self._loaded)}"
                self._loaded[place] = self._connection.load(name, key.coarse.table)
            cell = f"t.{self._dialect.quote(key.name)}"
            found = self._dialect.same(cell, f"g{index}.value", self.schema[key.name])
            joins += f" JOIN {self._loaded[place]} g{index} ON {found}"
        return joins

    def _joined_names(self, names: Names) -> str:
        """Join the names of the records by their keys."""
        table = self._connection.load(NAMES, names.table)
        own = f"t.{self._dialect.quote(names.key)}"
        return f" JOIN {table} n ON {self._dialect.same(own, 'n.key', self.schema[names.key])}"

    def _matching(self, table: str, own: Sequence[str], keys: Sequence[PersonKey]) -> str:
        """Compare the keys of a record with those of a table."""
        pairs = (
            self._dialect.same(cell, f"{table}.k{index}", self.schema[key.name])
            for index, (cell, key) in enumerate(zip(own, keys, strict=True))
        )
        return " AND ".join(pairs)

    def _load_decision(self, plan: ReleasePlan) -> str:
        """Load what was decided as a table."""
        columns = [
            column.alias(f"k{index}") for index, column in enumerate(plan.rows.iter_columns())
        ]
        columns += [
            column.alias(f"c{index}") for index, column in enumerate(plan.cells.iter_columns())
        ]
        columns.append(pl.Series("o", ranked_cells(plan)[1], pl.Int64))
        if plan.split is not None:
            columns += [
                column.alias(name)
                for column, name in zip(plan.split.iter_columns(), "fl", strict=True)
            ]
        return self._connection.load(DECISION, pl.DataFrame(columns))

    def _n_records(self) -> int:
        """Count the records."""
        return int(self._fetch(f"SELECT COUNT(*) AS n FROM ({self._base}) t")["n"][0])

    def _fetch(self, query: str) -> pl.DataFrame:
        """Run a query."""
        return self._connection.fetch(query)


def _modulo(sums: pl.Series) -> pl.Series:
    """Return sums of numbers of 64 bits modulo 2^64, whatever type the engine gives them in."""
    if sums.dtype == pl.UInt64:
        return sums
    return pl.Series([int(value or 0) % WORD for value in sums.to_list()], dtype=pl.UInt64)
