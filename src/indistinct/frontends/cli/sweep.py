"""The command that compares promises: one table, many combinations of parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from indistinct.errors import Fault, ParameterError
from indistinct.frontends.cli.outputs import ReplaceOption, refuse_standing
from indistinct.frontends.cli.table_options import DataArgument, JsonOption
from indistinct.frontends.cli.terminal import print_document, print_text, progress_bar, say

TRUTH = {"true": True, "false": False}


def sweep(  # noqa: PLR0913, PLR0917 - the options of a command
    data: DataArgument,
    policy: Annotated[Path, typer.Option("--policy", help="the policy, a TOML file")],
    vary: Annotated[list[str], typer.Option("--vary", help='such as "k=2,3,5"; may be repeated')],
    out: Annotated[
        list[Path] | None,
        typer.Option("--out", help="FILE.csv, .json, .html or .svg; may be repeated"),
    ] = None,
    risk: Annotated[
        str, typer.Option("--risk", help="prosecutor, journalist or marketer")
    ] = "prosecutor",
    replace: ReplaceOption = False,  # noqa: FBT002 - a flag of the command
    as_json: JsonOption = False,  # noqa: FBT002 - a flag of the command
) -> None:
    """Search under many parameters, and compare what each costs with the risk it leaves.

    Example: indistinct sweep patients.csv --policy policy.toml --vary "k=2,3,5,10" --out sweep.html
    """
    from indistinct.frontends.cli.pictures import sweep_table
    from indistinct.frontends.report.endings import check_ending
    from indistinct.frontends.report.sweep import ENDINGS, write
    from indistinct.tables.publish import sweep as sweep_over
    from indistinct.tables.reading import check_output

    varied = _varied(vary)
    refuse_standing(out or [], replace=replace)
    for path in out or []:
        check_ending(path, ENDINGS)
        check_output(str(path), data, private=True)
    with progress_bar(quiet=as_json) as progress:
        result = sweep_over(data, policy, vary=varied, risk=risk, progress=progress)
    for path in out or []:
        write(result, path)
        say(f"wrote {path}")
    if as_json:
        print_document(result.document())
    else:
        print_text(sweep_table(result))


def _varied(texts: list[str]) -> dict[str, list[Any]]:
    """Read names and values, as in ``k=2,3,5``."""
    varied: dict[str, list[Any]] = {}
    faults: list[Fault] = []
    for text in texts:
        name, sign, listed = text.partition("=")
        name = name.strip()
        if not sign or not name or name in varied:
            problem = f'"{text}" cannot be read, or names a parameter twice'
            faults.append(Fault("--vary", problem, 'Write each parameter once: "k=2,3,5".'))
        varied[name] = [_value(value.strip()) for value in listed.split(",") if value.strip()]
    if faults:
        raise ParameterError(faults)
    return varied


def _value(text: str) -> Any:
    """Read a whole number, a number, a truth value or a word."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return TRUTH.get(text.lower(), text)
