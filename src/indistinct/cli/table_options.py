"""Options that several commands of tables share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DataArgument = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="CSV, TSV, Parquet or Arrow; - for standard input; a folder, a pattern or a table",
    ),
]
PolicyOption = Annotated[Path | None, typer.Option("--policy", help="the policy, a TOML file")]
JsonOption = Annotated[bool, typer.Option("--json", help="print one JSON document")]
