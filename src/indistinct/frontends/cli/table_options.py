"""Options that several commands of tables share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DataArgument = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="a file (CSV, TSV, Parquet, Arrow, Excel, SPSS, Stata or SAS), a folder, a pattern of "
        "files after glob:, the address of a table in a database, or - for standard input",
    ),
]
PolicyOption = Annotated[Path | None, typer.Option("--policy", help="the policy, a TOML file")]
JsonOption = Annotated[bool, typer.Option("--json", help="print one JSON document")]
