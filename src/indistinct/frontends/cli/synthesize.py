"""The command that makes up records from noisy counts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from indistinct.errors import ParameterError
from indistinct.frontends.cli import DOES_NOT_HOLD
from indistinct.frontends.cli.outputs import ReplaceOption, refuse_standing
from indistinct.frontends.cli.terminal import print_result, say

app = typer.Typer(add_completion=False)


@app.command()
def synthesize(  # noqa: PLR0913 - one parameter per option
    declaration: Annotated[Path, typer.Argument(help="The TOML file that declares the dataset.")],
    epsilon: Annotated[str, typer.Option(help="What the records may cost.")],
    *,
    out: Annotated[Path | None, typer.Option(help="Where the records go.")] = None,
    rows: Annotated[
        int | None,
        typer.Option(
            help="How many records; default: about as many as there are. With --dry-run: about how "
            "many the table has."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print price, noise and bound; charge nothing.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Pay for a new model even if there is one.")
    ] = False,
    manifest: Annotated[Path | None, typer.Option(help="Default: OUT.manifest.json.")] = None,
    model: Annotated[
        Path | None, typer.Option(help="Where the model goes, which may be published.")
    ] = None,
    replace: ReplaceOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Make synthetic records that preserve statistics of a table, with differential privacy.

    The cost is charged to the ledger of the dataset. The same request costs nothing again.

    Example: indistinct synthesize patients.toml --epsilon 1 --out synthetic.csv
    """
    from indistinct.questions.synthesis import check_rows, price_of
    from indistinct.synthetic_tables import places_of, synthesize as made

    if dry_run:
        found = price_of(declaration, epsilon, rows)
        print_result(found.document(), _price_lines(found.document()), as_json=as_json)
        return
    if out is None:
        raise ParameterError("--out: is missing", "Say where the records go: --out synthetic.csv.")
    check_rows(rows)
    refuse_standing([out, manifest or f"{out}.manifest.json", model], replace=replace)
    places_of(out, manifest, model, replace=replace)
    result = made(declaration, epsilon=epsilon, rows=rows, fresh=fresh)
    document = {
        **result.write(out, manifest=manifest, model=model, replace=replace),
        "charged": result.charged,
        "left": result.left,
        "warning": result.warning,
    }
    if not as_json:
        say(f"wrote {out}")
    print_result(document, _lines(document), as_json=as_json)


def verify_made_up(
    data: str,
    declaration: Path | None,
    model: Path | None,
    manifest: Path | None,
    *,
    as_json: bool,
) -> None:
    """Check a made-up table; exit 1 where it does not follow from its model."""
    from indistinct.synthetic_tables import verify_synthetic

    if declaration is None or model is None:
        raise typer.BadParameter(
            "give --policy, or --declaration and --model for a table made by indistinct synthesize"
        )
    found = verify_synthetic(data, declaration, model, manifest)
    lines = [
        "The table follows from its model." if found.holds else "The table does not hold:",
        *(f"  {fault}" for fault in found.faults),
        "Checked:",
        *(f"  {what}" for what in found.checked),
        "These files do not show:",
        *(f"  {what}" for what in found.cannot_tell),
    ]
    print_result(found.document(), lines, as_json=as_json)
    if not found.holds:
        raise typer.Exit(DOES_NOT_HOLD)


def _price_lines(found: dict[str, Any]) -> list[str]:
    scales = ", ".join(f"{step} {scale:.6g}" for step, scale in found["scales"].items())
    return [
        f"Would cost {found['price']:.9g} rho; {found['left']:.9g} left.",
        f"Scale of the noise: {scales}.",
        _bound_line(found),
        *_warning_lines(found),
    ]


def _lines(document: dict[str, Any]) -> list[str]:
    return [
        f"{document['rows']:,} records; epsilon {document['epsilon']}, delta {document['delta']}.",
        f"Charged {document['charged']:.9g} rho; {document['left']:.9g} left.",
        _bound_line(document),
        *_warning_lines(document),
    ]


def _warning_lines(document: dict[str, Any]) -> list[str]:
    return [] if document["warning"] is None else [f"warning: {document['warning']}"]


def _bound_line(document: dict[str, Any]) -> str:
    return (
        "Whoever guesses who is in the data says yes for people in it more often than for others "
        f"by at most {100 * document['membership_bound']:.1f} percentage points."
    )
