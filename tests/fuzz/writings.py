"""Release one table from all writings that carry it: the same cells, or the same refusal.

Start it with ``make fuzz-writings TABLES=500 [SEED=s]``. Each table is written as text with three
separators, as Parquet, Arrow, a workbook, SPSS, Stata and DuckDB, and as frames of pandas and
Polars with several types; the policy and its lists are the same for all.
"""

from __future__ import annotations

import argparse
import csv
import random
import secrets
import shutil
import tempfile
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyreadstat
import xlsxwriter

import indistinct as ind

N_ROWS = (12, 48)
KINDS = ("whole", "decimal", "day", "moment", "truth", "word", "code")
WORDS = ("flu", "Flu", "café", "über all", "B12x", "no-one", "x.y", "Zwölf", "a/b")
# What no file of these programs can say; codes that are all digits would be numbers in them.
NOT_CARRIED = {"sav": {"truth"}, "dta": {"truth"}}
Columns = Mapping[str, tuple[str, list[Any]]]


@dataclass(frozen=True)
class Table:
    """Columns with their kinds, and the policy and lists for them."""

    columns: Columns
    policy: str
    lists: Mapping[str, str]

    @property
    def kinds(self) -> set[str]:
        return {kind for kind, _ in self.columns.values()}


def random_table(seed: int) -> Table:
    """Make a table, a policy for it, and lists whose values are written in random ways."""
    rng = random.Random(seed)
    n_rows = rng.randint(*N_ROWS)
    names = ["first", "second", "ill", "further", "more"]
    columns = {name: _column(rng, n_rows) for name in names}
    lists: dict[str, str] = {}
    parts = [_quasi_identifier(rng, name, *columns[name], lists) for name in names[:2]]
    parts.append('[columns.ill]\nrole = "sensitive"\n')
    parts += [f'[columns.{name}]\nrole = "insensitive"\n' for name in names[3:]]
    parts.append(f'[[models]]\nname = "k-anonymity"\nk = {rng.choice([2, 3, 5])}\n')
    if rng.random() < 0.4:
        parts.append('[[models]]\nname = "distinct-l-diversity"\ncolumn = "ill"\nl = 2\n')
    known = [one for one in columns["ill"][1] if one is not None]
    limit = rng.choice([0, 0.1, 0.5])
    algorithm = rng.choice(["optimal", "optimal", "optimal", "mondrian"])
    parts.append(f'[method]\nalgorithm = "{algorithm}"\nmax_suppression = {limit}\n')
    if rng.random() < 0.3 and known:
        word = spelling(rng, columns["ill"][0], rng.choice(known))
        parts.append(f'[data]\nmissing = ["", "{word}"]\n')
    return Table(columns, "\n".join(parts), lists)


def _column(rng: random.Random, n_rows: int) -> tuple[str, list[Any]]:
    """Make the cells of one kind, some of them missing."""
    kind = rng.choice(KINDS)
    domain = _domain(rng, kind)
    cells = [rng.choice(domain) for _ in range(n_rows)]
    if rng.random() < 0.4:
        cells = [None if rng.random() < 0.1 else cell for cell in cells]
    if all(cell is None for cell in cells):
        cells[0] = domain[0]
    return kind, cells


def _domain(rng: random.Random, kind: str) -> list[Any]:
    """Choose the values of a column."""
    size, moment = rng.randint(2, 7), datetime.fromisoformat("1950-03-04T13:05:07")
    value: Mapping[str, Callable[[], Any]] = {
        "whole": lambda: rng.choice([rng.randint(0, 9), rng.randint(-50, 120)]),
        "decimal": lambda: Decimal(rng.randint(-9999, 9999)) / (10 ** rng.randint(0, 3)),
        "day": lambda: date(1901, 1, 2) + timedelta(rng.randint(0, 60000)),
        "moment": lambda: moment + timedelta(seconds=rng.randint(0, 3 * 10**9)),
        "truth": lambda: rng.random() < 0.5,
        "word": lambda: rng.choice(WORDS),
        "code": lambda: f"{rng.randint(0, 99):03d}",
    }
    # Of numbers at least one has a fraction, and one has none.
    always = {"decimal": [Decimal("0.5"), Decimal(7)], "code": ["007"], "truth": [True, False]}
    return [*always.get(kind, []), *(value[kind]() for _ in range(size))]


def _quasi_identifier(
    rng: random.Random, name: str, kind: str, cells: Sequence[Any], lists: dict[str, str]
) -> str:
    """Write what a policy says of a quasi-identifier, and its list if it has one."""
    chosen = rng.choice(["list", "own", "none"])
    own = {
        "whole": "intervals = [10]",
        "decimal": "intervals = [10]",
        "day": 'dates = ["month", "year"]',
        "moment": 'dates = ["day", "year"]',
        "code": "mask = 3",
        "word": "mask = 2",
    }
    said = ""
    if chosen == "own" and kind in own:
        said = f"hierarchy = {{ {own[kind]} }}\n"
    elif chosen == "list":
        values = sorted({cell for cell in cells if cell is not None}, key=str)
        rows = [
            f'"{spelling(rng, kind, value)}";{"low" if n % 2 else "high"}'
            for n, value in enumerate(values)
        ]
        if any(cell is None for cell in cells):
            rows.append(";unknown")
        lists[f"{name}.csv"] = "\n".join(rows) + "\n"
        said = f'hierarchy = {{ csv = "{name}.csv", separator = ";" }}\n'
    return f'[columns.{name}]\nrole = "quasi-identifier"\n{said}'


def spelling(rng: random.Random, kind: str, value: Any) -> str:
    """Write a value in one of the ways that name it."""
    plain = plain_text(kind, value)
    if kind in {"whole", "decimal"}:
        sign, digits = ("-", plain[1:]) if plain.startswith("-") else ("", plain)
        ways = [plain, f"{sign}0{digits}", f"{plain}e0", plain if sign else f"+{plain}"]
        ways.append(f"{plain}0" if "." in plain else f"{plain}.0")
        return rng.choice(ways)
    if kind == "day":
        return rng.choice([plain, f"{plain} 00:00:00", f"{plain}T00:00"])
    if kind == "moment":
        return rng.choice([plain, plain.replace("T", " "), f"{plain}.000"])
    if kind == "truth":
        return rng.choice([plain, plain.capitalize(), plain.upper()])
    return plain


def plain_text(kind: str, value: Any) -> str:
    """Write a value as text has it."""
    if value is None:
        return ""
    if kind == "decimal":
        return f"{value:f}"
    if kind in {"day", "moment"}:
        return value.isoformat()
    return str(value).lower() if kind == "truth" else str(value)


def _text(separator: str, decimal: str = ".", ending: str = "csv") -> Callable[[Table, Path], Any]:
    """Make a writer of separated text."""

    def write(table: Table, folder: Path) -> Path:
        path = folder / f"in.{ending}"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=separator, lineterminator="\n")
            writer.writerow(table.columns)
            columns = [
                [_with_mark(kind, plain_text(kind, cell), decimal) for cell in cells]
                for kind, cells in table.columns.values()
            ]
            writer.writerows(zip(*columns, strict=True))
        return path

    return write


def _with_mark(kind: str, text: str, decimal: str) -> str:
    return text.replace(".", decimal) if kind == "decimal" else text


def _polars(table: Table, *, exact: bool = False, floats: bool = False, lists: bool = False) -> Any:
    """Return a frame of Polars.

    Parameters
    ----------
    exact : numbers are decimals, else floats of 64 bits where they have fractions
    floats : whole numbers are floats, too
    lists : texts are categories
    """
    types = {
        "whole": pl.Decimal(20, 0) if exact else pl.Float64() if floats else pl.Int64(),
        "decimal": pl.Decimal(20, 4) if exact else pl.Float64(),
        "day": pl.Datetime("us") if floats else pl.Date(),
        "moment": pl.Datetime("ms" if exact else "us"),
        "truth": pl.Boolean(),
        "word": pl.Categorical() if lists else pl.String(),
        "code": pl.Categorical() if lists else pl.String(),
    }
    found: list[pl.Series] = []
    for name, (kind, cells) in table.columns.items():
        given = cells
        if (kind == "decimal" and not exact) or (kind == "whole" and floats):
            given = [None if cell is None else float(cell) for cell in cells]
        if kind == "day" and floats:
            given = [None if c is None else datetime.combine(c, datetime.min.time()) for c in cells]
        if kind == "whole" and exact:
            given = [None if cell is None else Decimal(cell) for cell in cells]
        found.append(pl.Series(name, given, types[kind], strict=False))
    return pl.DataFrame(found)


def _pandas(table: Table, numbers: str = "float", *, categories: bool = False) -> pd.DataFrame:
    """Return a frame of pandas, whose whole numbers are floats, ``Int64`` or objects."""
    found: dict[str, Any] = {}
    for name, (kind, cells) in table.columns.items():
        if kind in {"day", "moment"}:
            found[name] = pd.Series(pd.to_datetime(cells))
        elif kind == "whole" and numbers == "Int64":
            found[name] = pd.array(cells, dtype="Int64")
        elif kind in {"whole", "decimal"}:
            plain = [None if cell is None else float(cell) for cell in cells]
            objects = cells if kind == "whole" else plain
            found[name] = (
                pd.Series(objects, dtype=object) if numbers == "object" else pd.Series(plain)
            )
        elif kind == "truth":
            found[name] = pd.array(cells, dtype="boolean")
        else:
            dtype = "category" if categories else object
            found[name] = pd.Series(cells, dtype=dtype)
    return pd.DataFrame(found)


def _workbook(table: Table, folder: Path) -> Path:
    """Write a workbook."""
    path = folder / "in.xlsx"
    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet()
    days = book.add_format({"num_format": "yyyy-mm-dd"})
    moments = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
    for place, (name, (kind, cells)) in enumerate(table.columns.items()):
        sheet.write_string(0, place, name)
        for row, cell in enumerate(cells, start=1):
            if cell is None:
                continue
            if kind in {"whole", "decimal"}:
                sheet.write_number(row, place, float(cell))
            elif kind in {"day", "moment"}:
                moment = datetime.combine(cell, datetime.min.time()) if kind == "day" else cell
                sheet.write_datetime(row, place, moment, days if kind == "day" else moments)
            elif kind == "truth":
                sheet.write_boolean(row, place, cell)
            else:
                sheet.write_string(row, place, cell)
    book.close()
    return path


def _statistical(ending: str) -> Callable[[Table, Path], Path]:
    """Make a writer of SPSS or Stata."""

    def write(table: Table, folder: Path) -> Path:
        path = folder / f"in.{ending}"
        frame = _pandas(table)
        for name, (kind, cells) in table.columns.items():
            if kind == "day":
                frame[name] = pd.Series(cells, dtype=object)
            elif kind in {"word", "code"}:
                frame[name] = ["" if cell is None else cell for cell in cells]
        getattr(pyreadstat, "write_sav" if ending == "sav" else "write_dta")(frame, str(path))
        return path

    return write


def _duckdb(table: Table, folder: Path) -> str:
    """Write a table of a DuckDB file, and return its address."""
    path = folder / "in.duckdb"
    frame = _polars(table)  # noqa: F841 - the query names it
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t AS SELECT * FROM frame")
    return f"duckdb:///{path}?table=t"


def _file(ending: str, **kinds: bool) -> Callable[[Table, Path], Path]:
    """Make a writer of Parquet or Arrow."""

    def write(table: Table, folder: Path) -> Path:
        path = folder / f"in.{ending}"
        frame = _polars(table, **kinds)
        frame.write_parquet(path) if ending == "parquet" else frame.write_ipc(path)
        return path

    return write


def _spelled(table: Table, folder: Path) -> Path:
    """Write text in which cells are written in any way that names their value."""
    rng = random.Random(len(table.policy))
    path = folder / "in.csv"
    columns = [
        # Texts of other columns than quasi-identifiers are released as they are.
        _spelled_cells(rng, kind, cells, {"NFC", "NFD"} if place < 2 else {"NFC"})
        for place, (kind, cells) in enumerate(table.columns.values())
    ]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table.columns)
        writer.writerows(zip(*columns, strict=True))
    return path


def _spelled_cells(
    rng: random.Random, kind: str, cells: Sequence[Any], forms: set[str]
) -> list[str]:
    """Write the cells of a column, truths in one way and all others each in its own.

    Parameters
    ----------
    forms : Unicode's normal forms that texts may have
    """
    plain = [plain_text(kind, cell) for cell in cells]
    if kind == "truth":
        change = rng.choice([str.capitalize, str.upper])
        return [change(text) for text in plain]
    if kind == "word":
        return [unicodedata.normalize(rng.choice(sorted(forms)), text) for text in plain]
    ways = {
        "whole": [".0", ".00", ""],
        "decimal": ["0", ""],
        "day": [" 00:00:00", "T00:00", ""],
        "moment": [".0", ""],
    }
    ends = ways.get(kind, [""])
    return [
        text + (rng.choice(ends) if text and (kind != "decimal" or "." in text) else "")
        for text in plain
    ]


WRITINGS: Mapping[str, Callable[[Table, Path], Any]] = {
    "csv": _text(","),
    "csv with semicolons": _text(";"),
    "csv with commas in numbers": _text(";", ","),
    "tsv": _text("\t", ending="tsv"),
    "csv in other words": _spelled,
    "parquet": _file("parquet"),
    "parquet of floats": _file("parquet", floats=True),
    "parquet of decimals": _file("parquet", exact=True),
    "parquet of dictionaries": _file("parquet", lists=True),
    "arrow": _file("arrow"),
    "polars": lambda table, _: _polars(table),
    "polars of floats": lambda table, _: _polars(table, floats=True),
    "pandas": lambda table, _: _pandas(table),
    "pandas of Int64": lambda table, _: _pandas(table, "Int64"),
    "pandas of objects": lambda table, _: _pandas(table, "object"),
    "pandas of categories": lambda table, _: _pandas(table, categories=True),
    "workbook": _workbook,
    "sav": _statistical("sav"),
    "dta": _statistical("dta"),
    "duckdb": _duckdb,
}


def released(table: Table, writing: str, folder: Path) -> tuple[str, object]:
    """Release a table from one writing.

    Returns
    -------
    ``released`` and the rows of the written text; or the kind of refusal, and its words
    """
    for name, text in table.lists.items():
        (folder / name).write_text(text, encoding="utf-8")
    policy = folder / "policy.toml"
    policy.write_text(table.policy, encoding="utf-8")
    data = WRITINGS[writing](table, folder)
    out = folder / "out.csv"
    try:
        ind.anonymize(data, policy, seed=1).write(str(out))
    except ind.IndistinctError as error:
        return type(error).__name__, str(error)
    said = ind.verify(out, policy=policy, original=data)
    if said.holds is not True:
        return "verify", str(said)
    text = out.read_text(encoding="utf-8")
    separator = max(",;\t", key=text.partition("\n")[0].count)
    return "released", list(csv.reader(text.splitlines(), delimiter=separator))


def differences(table: Table) -> tuple[dict[str, str], int]:
    """Return how writings differ from the first, and the number of those that do not carry it."""
    found: dict[str, str] = {}
    left_out = 0
    first: tuple[str, object] | None = None
    for writing in WRITINGS:
        if NOT_CARRIED.get(writing, set()) & table.kinds:
            left_out += 1
            continue
        folder = Path(tempfile.mkdtemp())
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                own = released(table, writing, folder)
        except Exception as error:  # noqa: BLE001 - a crash is a finding like others
            own = "crash", f"{type(error).__name__}: {error}"
        finally:
            shutil.rmtree(folder)
        first = first or own
        is_same = own[0] == first[0] and (own[0] != "released" or own[1] == first[1])
        if not is_same or own[0] in {"verify", "crash"}:
            found[writing] = said(first, own)
    return found, left_out


def said(first: tuple[str, object], own: tuple[str, object]) -> str:
    """Say in one line how two outcomes differ."""
    if own[0] == first[0] == "released":
        pairs = zip(first[1], own[1], strict=False)
        return str(next(((one, other) for one, other in pairs if one != other), "rows"))
    words = [one[0] if one[0] == "released" else f"{one[0]}: {one[1]}" for one in (first, own)]
    return f"{words[0][:150]!r} | {words[1][:300]!r}"


def main() -> int:
    """Parse, run, print; 1 when something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--table", type=int, help="try one table again, by its number")
    words = parser.parse_args()
    seed = secrets.randbelow(10**6) if words.seed is None else words.seed
    print(f"seed {seed}", flush=True)
    numbers = range(words.tables) if words.table is None else [words.table]
    found: Counter[str] = Counter()
    left_out = n_writings = 0
    for number in numbers:
        table = random_table(seed * 1_000_000 + number)
        differing, missing = differences(table)
        left_out, n_writings = left_out + missing, n_writings + len(WRITINGS) - missing
        found.update(differing.keys())
        for how in dict.fromkeys(differing.values()):
            alike = [writing for writing, other in differing.items() if other == how]
            print(f"FOUND --table {number} {', '.join(alike)}: {how}", flush=True)
        if differing and words.table is not None:
            print(table.policy, table.lists, {n: (k, c[:6]) for n, (k, c) in table.columns.items()})
    print(f"{len(numbers)} tables in {n_writings} writings; {left_out} do not carry their table")
    print("clean" if not found else dict(found))
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
