"""What an assessment found, as people read it on a terminal: the answer first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from indistinct.base.statements.number_texts import percent
from indistinct.base.statements.sentences import NO_MODEL, kept_words, risk_words
from indistinct.base.statements.statements import is_known
from indistinct.frontends.cli.drawing import FactTable, class_line, drawn, figure, words

if TYPE_CHECKING:
    from indistinct.base.statements.statements import Statements
    from indistinct.tables.evaluation import (
        Assessment,
        Findings,
        ReadBackFigures,
        SecretFigures,
        Utility,
    )

MOST_SETS = 3


def assessment_summary(assessment: Assessment, *, show_values: bool = False) -> str:
    """Return what a table reaches: the answer in a sentence, then the figures behind it.

    Parameters
    ----------
    assessment : what was measured
    show_values : for the owner of the data alone: the cells of the smallest classes, too
    """
    found = assessment.findings
    parts: list[RenderableType] = [*_answer(found), "", _assessed_facts(found)]
    stated = assessment.statements
    if stated is not None and is_known(stated.size["records"]):
        parts += [_said(stated)]
    nothing = "Nothing is promised: the policy names no model."
    parts += ["", _promises(found) if found.models else nothing]
    if found.anonymity.sensitive:
        parts += ["", _per_sensitive_column(found.anonymity.sensitive)]
    if found.utility is not None:
        parts += ["", *_usefulness(found.loss or {}, found.utility)]
    if show_values:
        parts += ["", _smallest(assessment.smallest_classes())]
    return drawn(Group(*parts))


def _said(stated: Statements) -> Text:
    """Return what the table keeps as a release, and who is found in it."""
    table = FactTable()
    table.add_row("kept", kept_words(stated.kept))
    table.add_row("highest risk", risk_words(stated.risk))
    return Text(table.drawn())


def _answer(found: Findings) -> list[str]:
    """Return how many records each record looks like, and whether the promise holds."""
    k, released, knows = found.anonymity.k, found.records.released, found.anonymity.knows
    alone = found.anonymity.unique_records
    if k is None and released:
        lines = ["No column forms classes of records that look alike."]
    elif k is None:
        lines = ["Nothing is released, so nobody can be identified."]
    elif k == 1:
        share = f"{alone:,} of {released:,} records ({percent(alone / released)})"
        by = "" if knows is None else f" for somebody who knows {knows}"
        lines = [f"NOT ANONYMOUS: {share} are unique{by}."]
    elif knows is not None:
        lines = [f"Somebody who knows {knows} of a record finds at least {k:,} records that fit."]
    else:
        others = "1 other record" if k == 2 else f"{k - 1:,} other records"  # noqa: PLR2004 - grammar
        lines = [f"{k:,}-anonymous: every record is indistinguishable from at least {others}."]
    for column, figures in found.anonymity.sensitive.items():
        lines.append(_secret_answer(column, figures))
    failing = [model.name for model in found.models if model.holds is False]
    if failing:
        lines.append(f"THE POLICY DOES NOT HOLD. These models fail: {', '.join(failing)}.")
    elif any(model.holds is None for model in found.models):
        undecided = [model.name for model in found.models if model.holds is None]
        lines.append(f"IT IS UNDECIDED whether these models hold: {', '.join(undecided)}.")
    elif found.models:
        lines.append("All models of the policy hold.")
    else:
        lines.append(f"{NO_MODEL}.")
    return lines


def _secret_answer(column: str, found: SecretFigures) -> str:
    """Return what a class tells of a sensitive column."""
    if found.distinct_l == 0:
        return f"{column}: no class has a known value."
    if found.distinct_l == 1:
        return (
            f"{column}: {percent(found.records_of_one_value)} of the records with a value are in "
            "classes with a single known value. Anybody who finds the class of a person learns "
            "this value."
        )
    return (
        f"{column}: every class with a known value has at least {found.distinct_l} of them, and "
        f"the most frequent one has a share of at most {percent(found.measured['alpha'])} in a "
        "class."
    )


def _assessed_facts(found: Findings) -> Text:
    """Return records, classes and risks."""
    table, records = FactTable(), found.records
    suppressed = records.suppressed
    known = "" if suppressed is None else f", {suppressed:,} suppressed"
    table.add_row("records", f"{records.released:,} released{known}")
    table.add_row("classes", class_line(found.classes))
    parts = [f"{name} {value:.4g}" for name, value in found.risk.plain().items()]
    table.add_row("risk", ", ".join(parts))
    apart = found.separation
    table.add_row(
        "distinct",
        f"{percent(apart.separation)} of all pairs of records; "
        f"{percent(apart.unique)} of the records are unique"
        f"{'' if found.anonymity.knows is None else ' if whole sets are known'}",
    )
    for one in apart.sets[:MOST_SETS]:
        columns = ", ".join(one.columns)
        table.add_row("unique by", f"{columns}: {percent(one.unique)} of the records")
    if found.read_back is not None and found.read_back.cells:
        table.add_row("read back", _read_back(found.read_back))
    return Text(table.drawn())


def _read_back(found: ReadBackFigures) -> str:
    """Return how many cells other columns give back, and how small the classes are then."""
    columns = ", ".join(dict.fromkeys(name for one in found.by for name in one.columns))
    cells = "1 generalized cell" if found.cells == 1 else f"{found.cells:,} generalized cells"
    return f"{columns}: {cells} can be read back; k = {found.k} then"


def _promises(found: Findings) -> Table:
    """List the policy's models: asked, reached, held."""
    table = Table(title="Models of the policy", title_justify="left", box=box.SIMPLE_HEAD)
    for heading in ("model", "required", "worst class", "holds"):
        table.add_column(heading)
    for model in found.models:
        holds = {True: "yes", False: "NO", None: "unknown without the original"}[model.holds]
        reached = "nothing is released"
        if model.achieved is not None:
            reached = words(model.achieved)
        table.add_row(model.name, words(model.required), reached, holds)
    return table


SECRET_FIGURES = {
    "distinct_l": "smallest number of values in a class (distinct l)",
    "entropy_l": "effective number of values (entropy l)",
    "probabilistic_l": "1 / largest share of a value (probabilistic l)",
    "alpha": "largest share of a value (alpha)",
    "t_equal": "distance to the table (t, equal)",
    "t_ordered": "distance to the table (t, ordered)",
    "t_hierarchical": "distance to the table (t, hierarchical)",
    "beta": "largest relative increase of a share (beta)",
    "delta": "log ratio of shares, all values (delta)",
    "delta_present": "log ratio of shares, present values (delta)",
    "records_of_one_value": "share of records in classes with one value",
    "records_inferred": "share of records in classes where one value has 90 %",
}


def _per_sensitive_column(sensitive: Mapping[str, SecretFigures]) -> Table:
    """Return what the worst class reaches in each sensitive column, whatever the policy asks."""
    table = Table(title="Worst class for each measure", title_justify="left")
    table.box = box.SIMPLE_HEAD
    table.add_column("figure")
    for column in sensitive:
        table.add_column(column, justify="right")
    named = [found.named() for found in sensitive.values()]
    for name, text in SECRET_FIGURES.items():
        if any(name in figures for figures in named):
            table.add_row(text, *(_found(figures, name) for figures in named))
    tails = sorted({tail for found in sensitive.values() for tail in found.recursive_c})
    for tail in tails:
        cells = [_found(found.recursive_c, tail) for found in sensitive.values()]
        table.add_row(f"smallest c for (c,{tail})-diversity", *cells)
    return table


def _found(found: Mapping[str, Any], name: str) -> str:
    """Write a figure, or why there is none."""
    if name not in found:
        return "-"
    return "none" if found[name] is None else figure(found[name])


def _usefulness(loss: Mapping[str, float], utility: Utility) -> list[RenderableType]:
    """Return what the release costs: by table, by column and by sensitive column."""
    whole = Table(title="Cost and utility", title_justify="left", box=box.SIMPLE_HEAD)
    whole.add_column("measure")
    whole.add_column("value", justify="right")
    for name, value in {**loss, **utility.measures}.items():
        whole.add_row(name, "-" if value is None else f"{value:.6g}")
    parts: list[RenderableType] = [whole]
    if utility.columns:
        parts += ["", _by_column("By quasi-identifier", utility.columns)]
    if utility.sensitive:
        parts += ["", _by_column("By sensitive column", utility.sensitive)]
    for asked in ("query_error", "learning", "masking"):
        if asked in utility.asked:
            figures = dict(_single(utility.asked[asked]))
            parts += ["", f"{asked.replace('_', ' ')}: {words(figures)}"]
    return parts


def _by_column(title: str, found: Mapping[str, Mapping[str, float]]) -> Table:
    """Return one row per column and one column per measure."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("column", no_wrap=True)
    for measure in next(iter(found.values())):
        table.add_column(measure.replace("_", " "), justify="right")
    for column, figures in found.items():
        table.add_row(column, *(figure(value) for value in figures.values()))
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


def _single(figures: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Leave out tables of further figures."""
    return [(name, value) for name, value in figures.items() if not isinstance(value, Mapping)]
