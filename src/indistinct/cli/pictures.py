"""Results as people read them on a terminal: the answer first."""

from __future__ import annotations

import io
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from indistinct.publish.inspect import Inspection, Together
    from indistinct.publish.sweep import Sweep
    from indistinct.reader.assess.assess import Assessment
    from indistinct.reader.verify.verify import Verification
    from indistinct.search.adaptive.vulnerability import Vulnerability

WIDTH, NARROWEST = 132, 100
BAR = 60
MOST_SETS = 3


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
    return _drawn(Group(*parts))


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
    text = _drawn(table)
    return f"{text}\nnote: {found.warning}" if found.warning else text


def manifest_summary(
    manifest: Mapping[str, Any],
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
    people = manifest.get("people")
    if people is not None:
        table.add_row(
            "people", f"{people['released']:,} released, {people['suppressed']:,} suppressed"
        )
    table.add_row("classes", _classes(classes, "records" if people is None else "people"))
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
    if owner is not None:
        table.add_row("exact figures", f"{owner} (for the owner alone)")
    for warning in manifest.get("warnings", ()):
        table.add_row("warning", escape(warning["message"]))
    return _drawn(table)


def assessment_summary(assessment: Assessment, *, show_values: bool = False) -> str:
    """Say what a table reaches: the answer in a sentence, then the figures behind it.

    Parameters
    ----------
    assessment : what was measured
    show_values : for the owner of the data alone: the cells of the smallest classes, too
    """
    parts: list[RenderableType] = [*_answer(assessment), "", _assessed_facts(assessment)]
    if assessment.models:
        parts += ["", _promises(assessment)]
    if assessment.anonymity["sensitive"]:
        parts += ["", _per_sensitive_column(assessment.anonymity["sensitive"])]
    if assessment.utility is not None:
        parts += ["", *_usefulness(assessment.loss or {}, assessment.utility)]
    if show_values:
        parts += ["", _smallest(assessment.smallest_classes())]
    return _drawn(Group(*parts))


def _answer(assessment: Assessment) -> list[str]:
    """Say how many records each record looks like, and whether the promise holds."""
    k, released = assessment.anonymity["k"], assessment.records["released"]
    alone = assessment.anonymity["unique_records"]
    if k is None:
        lines = ["Nothing is released: nobody can be found."]
    elif k == 1:
        share = f"{alone:,} of {released:,} records ({alone / released:.1%})"
        lines = [f"NOT ANONYMOUS: {share} look like no other."]
    else:
        others = "1 other" if k == 2 else f"{k - 1:,} others"  # noqa: PLR2004 - grammar
        lines = [f"{k:,}-anonymous: every record looks like at least {others}."]
    for column, found in assessment.anonymity["sensitive"].items():
        lines.append(_secret_answer(column, found))
    failing = [model["name"] for model in assessment.models if model["holds"] is False]
    if failing:
        lines.append(f"THE POLICY'S PROMISE DOES NOT HOLD: {', '.join(failing)}.")
    elif assessment.models:
        lines.append("The policy's promise holds.")
    return lines


def _secret_answer(column: str, found: Mapping[str, Any]) -> str:
    """Say what a class tells of a sensitive column."""
    if found["distinct_l"] == 1:
        return (
            f"{column}: {found['records_of_one_value']:.1%} of the records are in a class of one "
            "value, which whoever finds the class learns."
        )
    return (
        f"{column}: every class has at least {found['distinct_l']} values; the commonest makes up "
        f"at most {found['alpha']:.1%} of a class."
    )


def _assessed_facts(assessment: Assessment) -> Table:
    """Give records, classes and risks."""
    table, records, risk = _facts(), assessment.records, assessment.risk
    suppressed = records["suppressed"]
    known = "" if suppressed is None else f", {suppressed:,} suppressed"
    table.add_row("records", f"{records['released']:,} released{known}")
    table.add_row("classes", _classes(assessment.classes))
    parts = [f"{name} {value:.4g}" for name, value in risk.items() if isinstance(value, float)]
    table.add_row("risk", ", ".join(parts))
    apart = assessment.separation
    table.add_row(
        "told apart",
        f"{apart['separation']:.2%} of all pairs; {apart['unique']:.2%} of the records stand alone",
    )
    for found in apart["sets"][:MOST_SETS]:
        columns = escape(", ".join(found["columns"]))
        table.add_row("alone with", f"{columns}: {found['unique']:.1%} of the records")
    return table


def _promises(assessment: Assessment) -> Table:
    """List the policy's models: asked, reached, held."""
    table = Table(title="Promised by the policy", title_justify="left", box=box.SIMPLE_HEAD)
    for heading in ("model", "asked", "worst class", "holds"):
        table.add_column(heading)
    for model in assessment.models:
        holds = {True: "yes", False: "NO", None: "unknown without the original"}[model["holds"]]
        reached = "nothing is released"
        if model["achieved"] is not None:
            reached = _words(model["achieved"])
        table.add_row(model["name"], _words(model["required"]), reached, holds)
    return table


SECRET_FIGURES = {
    "distinct_l": "fewest values in a class (distinct l)",
    "entropy_l": "effective values (entropy l)",
    "probabilistic_l": "records per record of the commonest (probabilistic l)",
    "alpha": "greatest share of a value (alpha)",
    "t_equal": "distance to the table (t, equal)",
    "t_ordered": "distance to the table (t, ordered)",
    "t_hierarchical": "distance to the table (t, hierarchical)",
    "beta": "greatest relative gain of a value (beta)",
    "delta": "log ratio, absent values violate (delta)",
    "delta_present": "log ratio, absent values ignored (delta)",
    "records_of_one_value": "records in classes of one value",
    "records_inferred": "records in classes where one value has 90 %",
}


def _per_sensitive_column(sensitive: Mapping[str, Mapping[str, Any]]) -> Table:
    """Give what the worst class reaches in each sensitive column, whatever the policy asks."""
    table = Table(title="Worst class, whatever the policy asks", title_justify="left")
    table.box = box.SIMPLE_HEAD
    table.add_column("figure")
    for column in sensitive:
        table.add_column(column, justify="right")
    for name, text in SECRET_FIGURES.items():
        if any(name in found for found in sensitive.values()):
            table.add_row(text, *(_found(found, name) for found in sensitive.values()))
    tails = sorted({tail for found in sensitive.values() for tail in found["recursive_c"]})
    for tail in tails:
        cells = [_found(found["recursive_c"], tail) for found in sensitive.values()]
        table.add_row(f"c to exceed for l = {tail} (recursive)", *cells)
    return table


def _found(found: Mapping[str, Any], name: str) -> str:
    """Write a figure, or why there is none."""
    if name not in found:
        return "-"
    return "no value does" if found[name] is None else _figure(found[name])


def _usefulness(loss: Mapping[str, Any], utility: Mapping[str, Any]) -> list[RenderableType]:
    """Give what the release costs: by table, by column and by sensitive column."""
    whole = Table(title="Cost and utility", title_justify="left", box=box.SIMPLE_HEAD)
    whole.add_column("measure")
    whole.add_column("value", justify="right")
    plain = {name: value for name, value in utility.items() if not isinstance(value, Mapping)}
    for name, value in {**loss, **plain}.items():
        if value is None or isinstance(value, int | float):
            whole.add_row(name, "-" if value is None else f"{value:.6g}")
    parts: list[RenderableType] = [whole]
    for part in ("columns", "sensitive"):
        if utility.get(part):
            parts += ["", _by_column(part, utility[part])]
    for asked in ("query_error", "learning", "masking"):
        if asked in utility:
            figures = dict(_single(utility[asked]))
            parts += ["", f"{asked.replace('_', ' ')}: {_words(figures)}"]
    return parts


def _by_column(part: str, found: Mapping[str, Mapping[str, float]]) -> Table:
    """Give one row per column and one column per measure."""
    titles = {"columns": "By quasi-identifier", "sensitive": "By sensitive column"}
    table = Table(title=titles[part], title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("column", no_wrap=True)
    for measure in next(iter(found.values())):
        table.add_column(measure.replace("_", " "), justify="right")
    for column, figures in found.items():
        table.add_row(column, *(_figure(value) for value in figures.values()))
    return table


def _smallest(classes: Sequence[Mapping[str, Any]]) -> Table:
    """List the smallest classes with their cells."""
    table = Table(title="Smallest classes (values shown)", title_justify="left")
    table.box = box.SIMPLE_HEAD
    table.add_column("records", justify="right")
    for name in classes[0]["cells"] if classes else ():
        table.add_column(name)
    for one in classes:
        cells = ["" if cell is None else str(cell) for cell in one["cells"].values()]
        table.add_row(f"{one['records']:,}", *(escape(cell) for cell in cells))
    return table


def _words(said: Mapping[str, Any]) -> str:
    """Write parameters."""
    return ", ".join(f"{name}={_figure(value)}" for name, value in said.items())


def _single(figures: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Leave out tables of further figures."""
    return [(name, value) for name, value in figures.items() if not isinstance(value, Mapping)]


def verification_summary(result: Verification) -> str:
    """Say whether a release holds, and every reason against."""
    if result.holds:
        lines = [f"It holds: {result.records:,} records in {result.classes:,} classes."]
        lines += [f"  {model['name']}: {_reached(model)}" for model in result.models]
    elif result.holds is None:
        lines = [
            "IT IS UNDECIDED: no fault was found, but what is at hand does not prove that it holds."
        ]
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
    if model["holds"] is None:
        return "undecided by this file"
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


def _classes(classes: Mapping[str, Any], unit: str = "records") -> str:
    """Write how many classes there are, and how large they are."""
    if not classes["count"]:
        return "none"
    return (
        f"{classes['count']:,}, from {classes['smallest']:,} to {classes['largest']:,} {unit}, "
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
