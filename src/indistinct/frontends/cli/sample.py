"""The command that makes a table of fictitious people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from indistinct.errors import UsageError
from indistinct.frontends.cli.outputs import ReplaceOption, refuse_standing
from indistinct.frontends.cli.table_options import JsonOption
from indistinct.frontends.cli.terminal import print_document, print_text, say


def sample(  # noqa: PLR0913, PLR0917 - its options are its parameters
    name: Annotated[
        str,
        typer.Argument(
            help="patients, their register, the hierarchy of diagnosis codes, a graph of friends, "
            "or a hospital (a folder of tables for questions)"
        ),
    ],
    out: Annotated[
        str, typer.Option("--out", help="the file to write; - for standard output")
    ] = "-",
    rows: Annotated[
        int, typer.Option("--rows", help="number of patients, or of people in the graph")
    ] = 20_000,
    seed: Annotated[int, typer.Option("--seed", help="the same seed gives the same table")] = 1,
    with_codes: Annotated[  # noqa: FBT002 - a flag of the command
        bool, typer.Option("--with-codes", help="add a column of diagnosis codes to the patients")
    ] = False,
    replace: ReplaceOption = False,  # noqa: FBT002 - a flag of the command
    as_json: JsonOption = False,  # noqa: FBT002 - a flag of the command
) -> None:
    """Make a table of fictitious people to try things on.

    Example: indistinct sample patients --rows 20000 --out patients.csv
    """
    from indistinct.base.files.text import STANDARD_STREAM
    from indistinct.base.files.writing import atomic
    from indistinct.tables.publish import sample as make
    from indistinct.tables.reading import check_table_output, format_of_file, write_file

    if name == "hospital":
        made_hospital(out, rows, seed, as_json=as_json)
        return
    refuse_standing([out], replace=replace)
    frame = make(name, rows=rows, seed=seed, with_codes=with_codes)
    is_table = name != "codes"  # a hierarchy has no header
    if out == STANDARD_STREAM:
        print_text(frame.write_csv(include_header=is_table).rstrip("\n"))
        return
    check_table_output(out, None)
    with atomic(Path(out)) as temporary:
        if is_table:
            write_file(frame, str(temporary), format_of_file(out))
        else:
            frame.write_csv(temporary, include_header=False)
    if as_json:
        print_document({"rows": frame.height, "columns": frame.columns, "path": out})
    else:
        kind = "ties of fictitious people" if name == "friends" else "fictitious records"
        say(f"wrote {out}: {frame.height:,} {kind}")


def made_hospital(out: str, rows: int, seed: int, *, as_json: bool) -> None:
    """Write the tables of a hospital into a folder, and say what to do with them."""
    from indistinct.base.files.text import STANDARD_STREAM
    from indistinct.tables.publish import write_hospital

    if out == STANDARD_STREAM or rows < 1:
        raise UsageError("hospital: needs --out FOLDER and --rows of at least 1", "Name a folder.")
    written = write_hospital(Path(out), rows, seed)
    if as_json:
        print_document({"tables": written, "path": out})
    else:
        say(f"wrote {out}: {sum(written.values()):,} fictitious records in {len(written)} tables")
        say(f"Start the ledger: indistinct database init {out}/hospital.toml")
