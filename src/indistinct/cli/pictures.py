"""Results as people read them on a terminal: the answer first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

from indistinct.cli.drawing import class_line, drawn, facts, figure, words
from indistinct.release.entries import ModelEntry

if TYPE_CHECKING:
    from indistinct.publish.inspect import Inspection, Together
    from indistinct.publish.sweep_result import Sweep
    from indistinct.reader.verify.verify import Verification
    from indistinct.release.entries import CountEntry, HistoryEntry, MethodEntry, ProtectionEntry
    from indistinct.release.manifest import Manifest
    from indistinct.search.adaptive.vulnerability import Vulnerability

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
    parts: list[RenderableType] = [table]
    if inspection.together is not None:
        parts += ["", *_together(inspection.together)]
    return drawn(Group(*parts))


def _together(together: Together) -> list[str]:
    """Say how well the quasi-identifiers tell records apart, and which few do so already."""
    apart = f"{together.separation:.2%} of all pairs of records apart"
    alone = f"{together.unique:.1%} of the records stand alone"
    lines = [f"The {len(together.columns)} quasi-identifiers together tell {apart}; {alone}."]
    if together.sets:
        lines.append(f"Already alone, for at least {together.at_least:.0%} of the records, with:")
    lines += [f"  {', '.join(found.columns)} ({found.unique:.1%})" for found in together.sets]
    return [escape(line) for line in lines]


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
    text = drawn(table)
    return f"{text}\nnote: {found.warning}" if found.warning else text


def manifest_summary(
    manifest: Manifest,
    out: str,
    manifest_path: Path | None,
    crosswalk: Path | None,
    owner: Path | None = None,
) -> str:
    """Say what was promised, what it cost, and where the files are: on the owner's terminal.

    Parameters
    ----------
    manifest : the owner's, with exact figures
    """
    table = facts()
    table.add_row("promised", "; ".join(map(_promise, manifest.models)) or "no model")
    if manifest.models:
        table.add_row("reached", "; ".join(map(_reached, manifest.models)))
    if manifest.models and manifest.promise:
        table.add_row("note", manifest.promise)
    for name, entry in manifest.protection.items():
        table.add_row(f"{name}", _protection(entry))
    table.add_row("verified", "yes, from the written file")
    table.add_row("records", _released(manifest.records, with_share=True))
    if manifest.people is not None:
        table.add_row("people", _released(manifest.people))
    unit = "records" if manifest.people is None else "people"
    table.add_row("classes", class_line(manifest.classes, unit))
    for row in _republished(manifest):
        table.add_row(*row)
    table.add_row("levels", _levels(manifest.method))
    table.add_row("search", _search(manifest.method))
    if manifest.loss:
        objective = manifest.method.objective or ""
        table.add_row("cost", f"{objective} {manifest.loss[objective]:.6g}")
    risk = manifest.risk
    table.add_row("risk", f"prosecutor {risk.prosecutor:.4g}, marketer {risk.marketer:.4g}")
    table.add_row("release", out)
    if manifest.sensitive is not None:
        table.add_row("sensitive table", f"{manifest.sensitive.file}, beside it")
    table.add_row("manifest", str(manifest_path or f"{out}.manifest.json"))
    if crosswalk is not None:
        table.add_row("crosswalk", f"{crosswalk} (for the owner alone)")
    if owner is not None:
        table.add_row("exact figures", f"{owner} (for the owner alone)")
    for warning in manifest.warnings:
        table.add_row("warning", escape(warning.message))
    return drawn(table)


def _released(count: CountEntry, *, with_share: bool = False) -> str:
    """Write how many records or people are released and suppressed."""
    suppressed = count.suppressed or 0
    share = f" ({suppressed / (count.released + suppressed):.2%})" if with_share else ""
    return f"{count.released:,} released, {suppressed:,} suppressed{share}"


def verification_summary(result: Verification) -> str:
    """Say whether a release holds, and every reason against."""
    if result.holds:
        lines = [f"It holds: {result.records:,} records in {result.classes:,} classes."]
        lines += _judged(result)
    elif result.holds is None:
        lines = [
            "IT IS UNDECIDED: no fault was found, but what is at hand does not prove that it holds."
        ]
        lines += _judged(result)
    else:
        lines = ["IT DOES NOT HOLD:", *(f"  {fault}" for fault in result.faults)]
    return "\n".join([*lines, *(f"  note: {note}" for note in result.notes)])


def _judged(result: Verification) -> list[str]:
    """Say of each model what the worst class reaches."""
    entries = [ModelEntry(**model) for model in result.models]
    return [f"  {one.name}: {_reached(one)}" for one in entries]


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
        solved = sweep.points[number].found is not None
        style = "bold" if number == sweep.recommended else None
        cells = ["" if value is None else figure(value) for value in row]
        table.add_row(*cells, mark if solved else "no solution", style=style)
    failed = [f"{p.words()}: {p.no_solution}" for p in sweep.points if p.no_solution]
    return "\n".join([drawn(table), *failed, f"Recommended: {sweep.reason}"])


def _republished(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Say what became of people since earlier releases, and how many records have none."""
    if manifest.history is not None:
        yield "people", _people(manifest.history)
    if manifest.counterfeits is not None:
        made = manifest.counterfeits
        share = f"{made.share:.1%} of the number of people, in {made.groups:,} groups"
        yield "counterfeits", f"{made.records:,} ({share})"


def _people(history: HistoryEntry) -> str:
    """Say what became of the people, by what was released of them before."""
    return (
        f"release {history.release}: {history.kept:,} keep their values, {history.new:,} are new, "
        f"{history.changed:,} changed, {history.left_out:,} left out"
    )


def _promise(model: ModelEntry) -> str:
    """Write what a model asks."""
    return f"{model.name} ({words(model.required)})"


def _reached(model: ModelEntry) -> str:
    """Write what the worst class reaches."""
    if model.holds is None:
        return "undecided by this file"
    if model.achieved is None:
        return "nothing is released"
    return f"worst class {words(model.achieved)}"


def _protection(entry: ProtectionEntry) -> str:
    """Write how a column is protected."""
    figures = {
        name: value
        for name, value in entry.facts.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    said = ", ".join(f"{name} {figure(value)}" for name, value in figures.items())
    return f"{entry.name}: {said}" if said else entry.name


def _levels(method: MethodEntry) -> str:
    """Write the level of each column."""
    if method.transformation is not None:
        return ", ".join(f"{name} {level}" for name, level in method.transformation.items())
    if method.levels is None:
        return "none: nothing is generalized"
    return "differ by class; see the manifest"


def _search(method: MethodEntry) -> str:
    """Write how the release was found."""
    text, said = f"{method.algorithm}, {method.seconds:.2f} s", method.facts
    if "lattice_nodes" in said:
        text += f", {said['checked_nodes']:,} of {said['lattice_nodes']:,} nodes counted"
    if said.get("optimal") is True:
        text += "; no full-domain release is better"
    elif "bound" in said:
        text += f"; stopped early, no release is below {said['bound']:.6g}"
    return text
