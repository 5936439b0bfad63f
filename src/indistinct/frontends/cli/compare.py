"""The command that compares ways to publish one table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from indistinct.frontends.cli.outputs import ReplaceOption, refuse_standing
from indistinct.frontends.cli.terminal import print_result, progress_bar, say
from indistinct.frontends.comparison.result import COSTS, Comparison

app = typer.Typer(add_completion=False)


@app.command()
def compare(  # noqa: PLR0913, PLR0917 - the options of a command
    data: Annotated[str, typer.Argument(metavar="DATA", help="the table, a file")],
    policy: Annotated[Path, typer.Option("--policy", help="the policy, a TOML file")],
    target: Annotated[str, typer.Option(help="the column that models predict and attackers guess")],
    declaration: Annotated[
        Path | None, typer.Option(help="the TOML file that declares the columns for noise")
    ] = None,
    contestants: Annotated[
        str, typer.Option(help="comma-separated list such as policy,local:5,mst:1,answers:1")
    ] = "",
    cost: Annotated[str, typer.Option(help=f"the loss shown: {', '.join(COSTS)}")] = "ranges",
    runs: Annotated[int, typer.Option(help="number of runs of contestants that draw noise")] = 5,
    seed: Annotated[int, typer.Option(help="seed of the split, the questions and the targets")] = 1,
    out: Annotated[
        list[Path] | None, typer.Option("--out", help="FILE.html or .json; may be repeated")
    ] = None,
    replace: ReplaceOption = False,  # noqa: FBT002 - a flag of the command
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON document")] = False,  # noqa: FBT002 - a flag
) -> None:
    """Compare ways to publish a table with the same people, questions and attackers.

    The data are read without noise and nothing is charged: the result is for the owner alone.

    Example: indistinct compare patients.csv --policy policy.toml --target sex --out compare.html
    """
    from indistinct.frontends.comparison.compare import compare as compare_ways
    from indistinct.frontends.report.comparisons import ENDINGS
    from indistinct.frontends.report.endings import check_ending
    from indistinct.tables.reading import check_output

    refuse_standing(out or [], replace=replace)
    for path in out or []:
        check_ending(path, ENDINGS)
        check_output(str(path), data, private=True)
    with progress_bar(quiet=as_json) as progress:
        found = compare_ways(
            data,
            policy,
            target=target,
            declaration=declaration,
            contestants=contestants.split(","),
            cost=cost,
            runs=runs,
            seed=seed,
            progress=progress,
        )
    for path in out or []:
        found.write(path)
        say(f"wrote {path}")
    print_result(found.document(), _lines(found), as_json=as_json)


def _lines(found: Comparison) -> list[str]:
    """Write a line per contestant, then the frontiers."""
    lines = [f"{'':16}{found.cost:>14}{'measured risk':>16}{'proven':>9}"]
    for entry in found.entries:
        loss, upper = entry.loss(found.cost), entry.upper
        said = "-" if loss is None else f"{loss:.3f}"
        seen = "-" if upper is None else f"up to {upper:.1%}"
        lines.append(f"{entry.contestant!s:16}{said:>14}{seen:>16}{entry.proven:>9.1%}")
        if entry.no_solution is not None:
            lines.append(f"  {entry.no_solution}")
        until = found.questions_until(entry)
        if until is not None:
            lines.append(f"  for up to {until:,} range queries, asking is at least as accurate")
    for proven, by in ((False, "measured"), (True, "proven")):
        lines.append(f"Frontier by {by} risk: {', '.join(found.frontier(proven=proven))}.")
    return [*lines, *found.notes]
