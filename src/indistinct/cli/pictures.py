"""Results as people read them on a terminal: the answer first."""

from __future__ import annotations

import io
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType
from rich.table import Table

if TYPE_CHECKING:
    from indistinct.table.assess import Assessment
    from indistinct.table.inspect import Inspection
    from indistinct.table.sweep import Sweep
    from indistinct.table.verify import Verification
    from indistinct.table.vulnerability import Vulnerability

WIDTH, NARROWEST = 132, 100
BAR = 60


def inspection_table(inspection: Inspection) -> str:
    """Draw one row per column."""
    table = Table(title=f"{inspection.rows:,} records", title_justify="left")
    for heading in ("column", "type", "distinct", "missing", "distinction", "separation"):
        is_number = heading not in {"column", "type"}
        table.add_column(heading, justify="right" if is_number else "left", no_wrap=True)
    table.add_column("suggested role", no_wrap=True)
    table.add_column("reason")
    for column in inspection.columns:
        table.add_row(
            column.name,
            column.type,
            f"{column.distinct:,}",
            f"{column.missing:,}",
            f"{column.distinction:.4f}",
            f"{column.separation:.4f}",
            column.role,
            column.reason,
        )
    return _drawn(table)


def vulnerability_bars(found: Vulnerability) -> str:
    """Draw a bar per quasi-identifier, the one that gives most away first."""
    about = "identity" if found.target == "identity" else f'"{found.target}"'
    table = Table(title=f"How much each column gives away of {about}", title_justify="left")
    table.add_column("column", no_wrap=True)
    table.add_column("share", justify="right")
    table.add_column("")
    ranked = sorted(zip(found.weights.tolist(), found.names, strict=True), reverse=True)
    for weight, name in ranked:
        table.add_row(name, f"{weight:.3f}", "█" * round(weight * BAR))
    text = _drawn(table)
    return f"{text}\nnote: {found.warning}" if found.warning else text


def manifest_summary(
    manifest: Mapping[str, Any], out: str, manifest_path: Path | None, crosswalk: Path | None
) -> str:
    """Say what was promised, what it cost, and where the files are."""
    records, classes, method = manifest["records"], manifest["classes"], manifest["method"]
    n_records = records["released"] + records["suppressed"]
    table = _facts()
    models = manifest["models"]
    table.add_row("promised", "; ".join(map(_promise, models)) or "no model")
    if models:
        table.add_row("reached", "; ".join(map(_reached, models)))
    if models and "promise" in manifest:
        table.add_row("note", str(manifest["promise"]))
    for name, entry in manifest.get("protection", {}).items():
        table.add_row(f"{name}", _protection(entry))
    table.add_row("verified", "yes, from the written file")
    table.add_row(
        "records",
        f"{records['released']:,} released, {records['suppressed']:,} suppressed "
        f"({records['suppressed'] / n_records:.2%})",
    )
    table.add_row("classes", _classes(classes))
    table.add_row("levels", _levels(method))
    table.add_row("search", _search(method))
    if manifest["loss"]:
        objective = method["objective"]
        table.add_row("cost", f"{objective} {manifest['loss'][objective]:.6g}")
    table.add_row(
        "risk",
        f"prosecutor {manifest['risk']['prosecutor']:.4g}, "
        f"marketer {manifest['risk']['marketer']:.4g}",
    )
    table.add_row("release", out)
    if "sensitive" in manifest:
        table.add_row("sensitive table", f"{manifest['sensitive']['file']}, beside it")
    table.add_row("manifest", str(manifest_path or f"{out}.manifest.json"))
    if crosswalk is not None:
        table.add_row("crosswalk", f"{crosswalk} (for the owner alone)")
    return _drawn(table)


def assessment_summary(assessment: Assessment) -> str:
    """Say what a table reaches."""
    table = _facts()
    for model in assessment.models:
        verdict = "holds" if model["holds"] else "DOES NOT HOLD"
        table.add_row(model["name"], f"{verdict}: asked {_promise(model)}, {_reached(model)}")
    table.add_row("classes", _classes(assessment.classes))
    risks = [f"{name} {risk:.4g}" for name, risk in _numbers(assessment.risk)]
    table.add_row("risk", ", ".join(risks))
    for name, value in (assessment.loss or {}).items():
        table.add_row(name, f"{value:.6g}")
    for name, figures in assessment.utility.items():
        said = ", ".join(f"{part} {_figure(value)}" for part, value in _single(figures))
        table.add_row(name.replace("_", " "), said)
    return _drawn(table)


def _numbers(figures: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Leave out what was not measured, and what is more than one number."""
    return [(name, value) for name, value in figures.items() if isinstance(value, int | float)]


def _single(figures: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Leave out tables of further figures."""
    return [(name, value) for name, value in figures.items() if not isinstance(value, Mapping)]


def verification_summary(result: Verification) -> str:
    """Say whether a release holds, and every reason against."""
    if result.holds:
        lines = [f"It holds: {result.records:,} records in {result.classes:,} classes."]
        lines += [f"  {model['name']}: {_reached(model)}" for model in result.models]
    else:
        lines = ["IT DOES NOT HOLD:", *(f"  {fault}" for fault in result.faults)]
    return "\n".join([*lines, *(f"  note: {note}" for note in result.notes)])


def sweep_table(sweep: Sweep) -> str:
    """Draw a row per combination; the frontier and the recommended row are marked."""
    shown = sweep.frame.drop("released", "frontier", "recommended", "no_solution")
    shown = shown[[column.name for column in shown if column.null_count() < shown.height]]
    table = Table(title=f"{len(sweep.points)} combinations", title_justify="left")
    for name in shown.columns:
        table.add_column(name.replace("_", " ").replace(".", ". "), justify="right")
    table.add_column("", no_wrap=True)
    for number, row in enumerate(shown.iter_rows()):
        best = "recommended" if number == sweep.recommended else "frontier"
        mark = best if number in sweep.frontier else ""
        solved = sweep.points[number].reached is not None
        style = "bold" if number == sweep.recommended else None
        cells = ["" if value is None else _figure(value) for value in row]
        table.add_row(*cells, mark if solved else "no solution", style=style)
    failed = [f"{p.words()}: {p.no_solution}" for p in sweep.points if p.no_solution]
    return "\n".join([_drawn(table), *failed, f"Recommended: {sweep.reason}"])


def _facts() -> Table:
    """Start a table of names and facts."""
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    return table


def _promise(model: Mapping[str, Any]) -> str:
    """Write what a model asks."""
    asked = ", ".join(f"{name}={_figure(value)}" for name, value in model["required"].items())
    return f"{model['name']} ({asked})"


def _reached(model: Mapping[str, Any]) -> str:
    """Write what the worst class reaches."""
    if model["achieved"] is None:
        return "nothing is released"
    reached = ", ".join(f"{name}={_figure(value)}" for name, value in model["achieved"].items())
    return f"worst class {reached}"


def _protection(entry: Mapping[str, Any]) -> str:
    """Write how a column is protected."""
    figures = {
        name: value
        for name, value in entry.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    said = ", ".join(f"{name} {_figure(value)}" for name, value in figures.items())
    return f"{entry['name']}: {said}" if said else str(entry["name"])


def _figure(value: object) -> str:
    """Write a number short."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _classes(classes: Mapping[str, Any]) -> str:
    """Write how many classes there are, and how large they are."""
    if not classes["count"]:
        return "none"
    return (
        f"{classes['count']:,}, from {classes['smallest']:,} to {classes['largest']:,} records, "
        f"{classes['mean']:.1f} on average"
    )


def _levels(method: Mapping[str, Any]) -> str:
    """Write the level of each column."""
    if "transformation" in method:
        return ", ".join(f"{name} {level}" for name, level in method["transformation"].items())
    if "levels" not in method:
        return "none: nothing is generalized"
    return "differ by class; see the manifest"


def _search(method: Mapping[str, Any]) -> str:
    """Write how the release was found."""
    text = f"{method['algorithm']}, {method['seconds']:.2f} s"
    if "lattice_nodes" in method:
        text += f", {method['checked_nodes']:,} of {method['lattice_nodes']:,} nodes counted"
    if method.get("optimal") is True:
        text += "; no full-domain release is better"
    elif "bound" in method:
        text += f"; stopped early, no release is below {method['bound']:.6g}"
    return text


def _drawn(content: RenderableType) -> str:
    """Draw to text, without colors where they are of no use."""
    buffer = io.StringIO()
    width = max(shutil.get_terminal_size((WIDTH, 24)).columns, NARROWEST)
    Console(file=buffer, width=width, highlight=False).print(content)
    return "\n".join(line.rstrip() for line in buffer.getvalue().rstrip("\n").splitlines())
