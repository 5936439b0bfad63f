"""Tables as a plain reader sees them: nothing here is shared with what makes a release.

CSV is parsed by hand, Parquet and Arrow are read by pyarrow. A cell is kept twice: *exactly*, so
that whatever a reader can tell apart is apart (a null, an empty text, a NaN, -0.0), and by its
*meaning*, which is the same in all formats.
"""

import datetime as dt
import math
import re
import struct
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet

PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
NANOSECONDS = 10**9
NOTHING = ""  # the meaning of a missing cell
STAR = "*"
MOMENT = re.compile(r"^(-?\d+)-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(.*)$")
DAY = re.compile(r"^\d{4}-\d\d-\d\d$")
CLOCK = re.compile(r"^(\d\d):(\d\d):(\d\d)(?:\.(\d+))?$")
SPAN = re.compile(r"^(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?$")
EPOCH = dt.date(1970, 1, 1).toordinal()


@dataclass
class Table:
    """Columns by name: exact cells, meanings, and the kind of each column.

    ``hidden`` are bytes of a file, of which some are compressed if it ``is_packed``.
    """

    exact: dict[str, list]
    meaning: dict[str, list]
    kinds: dict[str, str]
    hidden: bytes = b""
    is_packed: bool = False

    @property
    def n_rows(self):
        return len(next(iter(self.exact.values()), []))


def read_text(path: Path, separator: str, kinds: dict[str, str]) -> Table:
    """Read separated text; the kinds say how to take its cells."""
    content = path.read_bytes()
    rows = parse_text(content.decode("utf-8"), separator)
    names = [text for text, _ in rows[0]]
    if len(set(names)) < len(names) or any(len(row) != len(names) for row in rows):
        raise ValueError("ragged text, or a name that stands twice")
    exact = {name: [row[index] for row in rows[1:]] for index, name in enumerate(names)}
    meaning = {
        name: meant_column([text for text, _ in cells], kinds.get(name, "text"))
        for name, cells in exact.items()
    }
    return Table(exact, meaning, dict(kinds), content)


def parse_text(text: str, separator: str) -> list[list[tuple[str, bool]]]:
    """Parse RFC 4180 by hand: rows of cells, each with whether it was quoted."""
    rows: list[list[tuple[str, bool]]] = []
    row: list[tuple[str, bool]] = []
    at, end = 0, len(text)
    while at < end:
        cell, quoted = [], text[at] == '"'
        if quoted:
            at += 1
            while True:
                close = text.index('"', at)
                cell.append(text[at:close])
                at = close + 1
                if at < end and text[at] == '"':
                    cell.append('"')
                    at += 1
                    continue
                break
        else:
            start = at
            while at < end and text[at] not in (separator, "\n"):
                at += 1
            cell.append(text[start:at])
        row.append(("".join(cell), quoted and not "".join(cell)))
        if at < end and text[at] == separator:
            at += 1
            if at == end or text[at] == "\n":
                row.append(("", False))
        if at >= end or text[at] == "\n":
            rows.append(row)
            row = []
            at += 1
    return rows


def read_parquet(path: Path) -> Table:
    """Read Parquet, and what stands in its dictionaries and metadata."""
    table = pyarrow.parquet.read_table(path)
    found = of_arrow(table)
    found.hidden = path.read_bytes() + found.hidden
    found.is_packed = True
    return found


def read_arrow(path: Path) -> Table:
    """Read an Arrow file, all bytes of it."""
    with pa.memory_map(str(path)) as file:
        found = of_arrow(pyarrow.ipc.open_file(file).read_all())
    found.hidden = path.read_bytes() + found.hidden
    return found


def of_frame(frame) -> Table:
    """Read a frame of Polars, pandas or pyarrow, and every byte that a file of it would have."""
    library = type(frame).__module__.split(".", maxsplit=1)[0]
    if library == "pandas":
        if list(frame.index) != list(range(len(frame))):
            raise ValueError("the index of the frame is not 0, 1, 2 ...")
        table = pa.Table.from_pandas(frame, preserve_index=False)
    else:
        table = arrow_of(frame) if library == "polars" else frame
    found = of_arrow(table)
    sink = pa.BufferOutputStream()
    with pyarrow.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    found.hidden = sink.getvalue().to_pybytes() + found.hidden
    return found


def arrow_of(frame: pl.DataFrame) -> pa.Table:
    """Return a frame of Polars as Arrow has it: there are no whole numbers of 16 bytes.

    They become decimals, or text where one has more digits than a decimal holds.
    """
    return pl.DataFrame([_narrow(column) for column in frame]).to_arrow()


def _narrow(column: pl.Series) -> pl.Series:
    """Return whole numbers of 16 bytes as decimals or text, anything else as it is."""
    if column.dtype != pl.Int128:
        return column
    fits = all(cell is None or abs(cell) < 10**38 for cell in column)
    return column.cast(pl.Decimal(38, 0) if fits else pl.String)


def of_arrow(table: pa.Table) -> Table:
    """Read an Arrow table."""
    exact, meaning, kinds = {}, {}, {}
    hidden = str(table.schema.metadata).encode()
    for field in table.schema:
        column = table.column(field.name)
        hidden += str(field.metadata).encode()
        if pa.types.is_dictionary(field.type):
            for chunk in column.chunks:
                hidden += "\n".join(map(str, chunk.dictionary.to_pylist())).encode()
            column = pa.chunked_array(
                [pa.array(c.to_pylist(), pa.large_string()) for c in column.chunks],
                pa.large_string(),
            )
        kind = kind_of(column.type)
        cells = plain_cells(column, kind)
        kinds[field.name] = kind
        exact[field.name] = [exactly(cell) for cell in cells]
        meaning[field.name] = [meaning_of(cell, kind) for cell in cells]
    return Table(exact, meaning, kinds, hidden)


def kind_of(dtype: pa.DataType) -> str:
    """Name the kind of an Arrow type."""
    if pa.types.is_timestamp(dtype):
        return f"moment {dtype.unit} {dtype.tz or ''}".strip()
    if pa.types.is_duration(dtype):
        return f"span {dtype.unit}"
    if pa.types.is_time(dtype):
        return f"clock {dtype.unit}"
    for check, kind in (
        (pa.types.is_boolean, "boolean"),
        (pa.types.is_integer, "whole"),
        (pa.types.is_float32, "single"),
        (pa.types.is_floating, "number"),
        (pa.types.is_decimal, "decimal"),
        (pa.types.is_date, "day"),
        (pa.types.is_null, "text"),
    ):
        if check(dtype):
            return kind
    return "text"


def plain_cells(column: pa.ChunkedArray, kind: str) -> list:
    """Return the cells as plain Python values; moments, clocks and spans as whole numbers."""
    if kind.startswith(("moment", "span")):
        return column.cast(pa.int64()).to_pylist()
    if kind.startswith("clock"):
        wide = pa.int64() if column.type in {pa.time64("us"), pa.time64("ns")} else pa.int32()
        return column.cast(wide).to_pylist()
    return column.to_pylist()


def exactly(cell: object) -> object:
    """Return a key that differs where any reader can see a difference."""
    return repr(cell) if isinstance(cell, float) else (type(cell).__name__, cell)


def meaning_of(cell: object, kind: str) -> object:  # noqa: PLR0911 - one case per kind
    """Return the meaning of a typed cell."""
    if cell is None or cell == "" or (isinstance(cell, float) and math.isnan(cell)):
        return NOTHING
    if isinstance(cell, bool):
        return cell
    if isinstance(cell, float | int | Decimal):
        if kind.startswith("moment"):
            unit, _, zone = kind.removeprefix("moment ").partition(" ")
            return wall_time(cell * (NANOSECONDS // PER_SECOND[unit]), zone)
        if kind.startswith(("span", "clock")):
            return cell * (NANOSECONDS // PER_SECOND[kind.split(" ")[1]])
        if isinstance(cell, Decimal):
            return cell  # arithmetic would round it
        return single(cell) if kind == "single" else cell + 0
    return cell.isoformat() if isinstance(cell, dt.date) else cell


def single(number: float) -> float:
    """Round to a number of four bytes; -0.0 means 0."""
    try:
        return struct.unpack("f", struct.pack("f", float(number)))[0] + 0.0
    except OverflowError:
        return number


def wall_time(nanoseconds: int, zone: str) -> tuple[int, int]:
    """Return the day and the nanosecond in it that a clock on the wall of a zone shows."""
    seconds, rest = divmod(nanoseconds, NANOSECONDS)
    shift = 0
    if zone:
        moment = dt.datetime.fromtimestamp(0, dt.UTC) + dt.timedelta(seconds=seconds)
        shift = int(moment.astimezone(ZoneInfo(zone)).utcoffset().total_seconds())
    day, second = divmod(seconds + shift, 86_400)
    return day, second * NANOSECONDS + rest


def meant_column(texts: list[str], kind: str) -> list:
    """Return the meanings of a column of text, in which moments that are all midnights are days."""
    known = [text for text in texts if text != NOTHING]
    is_days = kind.startswith("moment") and all(map(DAY.match, known))
    return [meant(f"{text}T00:00:00" if is_days and text else text, kind) for text in texts]


def meant(text: str, kind: str) -> object:  # noqa: PLR0911 - one case per kind
    """Return the meaning of a cell of text."""
    if text == "":
        return NOTHING
    try:
        if kind == "whole":
            return int(text)
        if kind in {"number", "single"}:
            return meaning_of(float(text), kind)
        if kind == "decimal":
            return Decimal(text)
        if kind == "boolean":
            return {"true": True, "false": False}[text.lower()]
        if kind.startswith("clock"):
            hour, minute, second, fraction = CLOCK.match(text).groups()
            return _seconds(hour, minute, second) * NANOSECONDS + _fraction(fraction)
        if kind.startswith("moment"):
            year, month, day, *clock, fraction, _ = MOMENT.match(text).groups()
            date = dt.date(int(year), int(month), int(day)).toordinal() - EPOCH
            return date, _seconds(*clock) * NANOSECONDS + _fraction(fraction)
        if kind.startswith("span"):
            sign, days, hours, minutes, seconds, fraction = SPAN.match(text).groups(default="0")
            whole = int(days) * 86_400 + _seconds(hours, minutes, seconds)
            length = whole * NANOSECONDS + _fraction(fraction)
            return -length if sign == "-" else length
    except (ValueError, KeyError, AttributeError, ArithmeticError):
        return f"unread: {text}"
    return text


def _seconds(hours: str, minutes: str, seconds: str) -> int:
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds)


def _fraction(digits: str | None) -> int:
    return int((digits or "0").ljust(9, "0"))
