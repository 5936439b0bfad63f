"""Options that say how a file is read, before a policy does, and the rows that are read so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from indistinct.cli.terminal import print_document, print_text
from indistinct.errors import ParameterError

EncodingOption = Annotated[
    str | None, typer.Option("--encoding", help="of a text file, such as cp1252; else it is found")
]
SeparatorOption = Annotated[
    str | None, typer.Option("--separator", help="the character between cells; else it is found")
]
QuoteOption = Annotated[
    str | None, typer.Option("--quote", help="the character around cells; else it is found")
]
DecimalOption = Annotated[
    str | None, typer.Option("--decimal", help="the character before decimals: . or ,")
]
HeaderOption = Annotated[
    int | None, typer.Option("--header", help="the line or row with the names of the columns")
]
SkipRowsOption = Annotated[
    int | None, typer.Option("--skip-rows", help="rows behind the header that are not records")
]
SkipLastOption = Annotated[
    int | None, typer.Option("--skip-last", help="rows at the end that are not records")
]
FormatsOption = Annotated[
    list[str] | None,
    typer.Option("--formats", help="how dates are written: COLUMN=dd/mm/yyyy; may be repeated"),
]
TypesOption = Annotated[
    list[str] | None,
    typer.Option("--types", help="what cells are: COLUMN=number; may be repeated"),
]
WIDEST = 24  # characters of a cell that are shown


def by_column(option: str, given: Sequence[str] | None) -> dict[str, str] | None:
    """Read words of the form ``COLUMN=WORD``."""
    if not given:
        return None
    wrong = [word for word in given if "=" not in word]
    if wrong:
        problem = f"{option}: needs the name of a column, an equals sign and a word"
        raise ParameterError(problem, f"Write it as {option} birth=dd/mm/yyyy.")
    return dict(word.rsplit("=", 1) for word in given)


def print_preview(
    data: str, policy: Path | None, reading: Mapping[str, Any], *, as_json: bool
) -> None:
    """Print the first rows of a table as they are read."""
    from indistinct.publish.preview import preview

    found = preview(data, policy, **reading)
    if as_json:
        print_document(found.document())
        return
    rows = [found.names, found.types, *found.rows]
    shown = [[_short(cell) for cell in row] for row in rows]
    widths = [max(map(len, cells)) for cells in zip(*shown, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in shown
    ]
    lines.insert(2, "  ".join("\u2500" * width for width in widths))
    text = [f"{found.n_records:,} records", *lines, *([""] if found.found else []), *found.found]
    print_text("\n".join(text))


def _short(cell: str) -> str:
    """Return what fits into a column of the preview, on one line."""
    line = " ".join(cell.split())
    return line if len(line) <= WIDEST else f"{line[: WIDEST - 1]}\u2026"
