"""The command that publishes tables of counts: ``indistinct tabulate``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from indistinct.errors import ParameterError
from indistinct.frontends.cli.large import EngineOption
from indistinct.frontends.cli.options import takes
from indistinct.frontends.cli.outputs import ReplaceOption, refuse_standing
from indistinct.frontends.cli.table_options import DataArgument, JsonOption, PolicyOption
from indistinct.frontends.cli.terminal import print_document, print_text


@dataclass(frozen=True, slots=True)
class TabulateOptions:
    """The argument and the options of the command, each with its help."""

    data: DataArgument
    policy: PolicyOption = None
    rows: Annotated[str, typer.Option(help="columns whose labels go down, comma-separated")] = ""
    columns: Annotated[
        str, typer.Option(help="columns whose labels go across, comma-separated")
    ] = ""
    minimum: Annotated[int | None, typer.Option(help="smallest count that is shown")] = None
    profile: Annotated[
        str | None, typer.Option(help="known rules of a data owner: cms, pcornet or uk-llc")
    ] = None
    person: Annotated[
        str | None, typer.Option(help="the column that tells people apart; else rows are counted")
    ] = None
    bands: Annotated[
        list[str] | None,
        typer.Option(help="where the bands of a column of numbers begin, such as age=18,65"),
    ] = None
    zeros: Annotated[
        str | None, typer.Option(help="whether counts of zero are shown: publish or hide")
    ] = None
    out: Annotated[Path | None, typer.Option("--out", help="the folder of the tables")] = None
    owner: Annotated[
        Path | None,
        typer.Option("--owner", help="for the owner only: which cells are small, and what it cost"),
    ] = None
    engine: EngineOption = "auto"
    effort: Annotated[
        str | None, typer.Option(help="fast does not look for cheaper cells to hide")
    ] = None
    replace_it: ReplaceOption = False
    share: Annotated[str | None, typer.Option(help="comes later")] = None
    mean: Annotated[str | None, typer.Option(help="comes later")] = None
    percent: Annotated[str | None, typer.Option(help="comes later")] = None
    as_json: JsonOption = False

    def words(self) -> dict[str, Any]:
        """Return the words of one table that were given."""
        listed = {name: _names(getattr(self, name)) for name in ("rows", "columns")}
        single = ("minimum", "profile", "person", "zeros", "share", "mean", "percent")
        given: dict[str, Any] = {name: names for name, names in listed.items() if names}
        given |= {name: getattr(self, name) for name in single if getattr(self, name) is not None}
        if self.bands:
            given["bands"] = dict(_bands(text) for text in self.bands)
        return given


@takes(TabulateOptions)
def tabulate(asked: TabulateOptions) -> None:
    """Publish tables of counts in which nobody can work out the small ones.

    Small counts are hidden, and further ones so that none of them follows from the totals. Beside
    the tables stand complete tables that agree with all that is shown: with them, anybody can check
    the protection by addition. Without --out, the tables are printed and nothing is written.

    Example: indistinct tabulate patients.csv --rows insurance --columns sex --minimum 5
    """
    from indistinct.api import tabulate as tabulate_data

    if asked.owner is not None:
        refuse_standing([asked.owner], replace=asked.replace_it, source=asked.data)
    effort: Any = asked.effort
    tables = tabulate_data(
        asked.data, asked.policy, engine=asked.engine, effort=effort, **asked.words()
    )
    if asked.out is not None:
        tables.write(asked.out, owner=asked.owner, replace=asked.replace_it)
    elif asked.owner is not None:
        raise ParameterError("the owner's file stands beside published tables", "Give --out, too.")
    if asked.as_json:
        shown = {} if asked.out is not None else {"tables": tables.cells()}
        print_document({**tables.manifest, **shown})
    elif asked.out is None:
        print_text(str(tables))
    else:
        print_text("\n".join([*tables.sentences, *tables.notes]))


def _names(listed: str) -> list[str]:
    """Split a comma-separated list of columns."""
    return [name.strip() for name in listed.split(",") if name.strip()]


def _bands(text: str) -> tuple[str, list[float]]:
    """Read where the bands of a column begin.

    Raises
    ------
    ParameterError
        when it is not a column and numbers
    """
    name, _, edges = text.partition("=")
    try:
        return name, [float(edge) for edge in edges.split(",")]
    except ValueError:
        raise ParameterError(
            "bands: must be a column and numbers", "Write them as in age=18,65."
        ) from None
