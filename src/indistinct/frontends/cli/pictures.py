"""Results as people read them on a terminal: the answer first."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.table import Table

from indistinct.errors import visible_in_line
from indistinct.frontends.cli.drawing import drawn, figure, width

if TYPE_CHECKING:
    from indistinct.tables.drafting import Doubt, PolicyDraft
    from indistinct.tables.publish import Inspection, JointRisk, Sweep
    from indistinct.tables.search import Vulnerability

HEADINGS = ("column", "type", "distinct", "missing", "suggested role", "confidence")
NUMBERS = {"distinct", "missing"}
BETWEEN, REASON = "  ", "    "
BAR, LONG_REASON = 60, 60
MOST_SETS = 3


def inspection_table(inspection: Inspection) -> str:
    """Write two lines per column: what it holds and its role, and the reason below."""
    rows = [
        (
            visible_in_line(column.name),
            column.type,
            f"{column.distinct:,}",
            f"{column.missing:,}",
            column.role,
            column.confidence,
        )
        for column in inspection.columns
    ]
    widths = [max(map(len, cells)) for cells in zip(HEADINGS, *rows, strict=True)]
    others = sum(widths[1:]) + len(BETWEEN) * (len(widths) - 1)
    widths[0] = min(widths[0], max(width() - others, len(HEADINGS[0])))
    line = "─" * (sum(widths) + len(BETWEEN) * (len(widths) - 1))
    parts = [f"{inspection.rows:,} records"]
    for said in inspection.reading:
        parts += _wrapped(said)
    parts += [_row(HEADINGS, widths), line]
    told: dict[str, str] = {}
    for row, column in zip(rows, inspection.columns, strict=True):
        first = told.setdefault(column.reason, column.name)
        is_told = first != column.name and len(column.reason) > LONG_REASON
        reason = f'As "{first}".' if is_told else column.reason
        parts += [_row(row, widths), *_wrapped(reason, REASON)]
    if inspection.together is not None:
        parts += ["", *_together(inspection.together)]
    if inspection.doubts:
        parts += ["", *_questions(inspection.doubts)]
    return "\n".join(parts)


def entries_of(inspection: Inspection) -> str:
    """Write the columns that a policy decides otherwise in the form of entries of the glossary."""
    lines: list[str] = []
    for one in inspection.otherwise:
        said = (
            f'"{one.name}" is {one.role} in the policy, and {one.suggested} by the suggestion: '
            f"{one.reason}"
        )
        lines += [f"# {line}" for line in wrap(said, width() - 2, break_on_hyphens=False)]
        lines += [f'role = "{one.role}"', "[words]", f'en = ["{one.words}"]', ""]
    if not lines:
        return "The policy decides no column otherwise than it would be suggested."
    lines.append("# docs/languages.md says where a word is added. en stands for its language.")
    return "\n".join(lines)


def _questions(doubts: Sequence[Doubt]) -> list[str]:
    """Write two lines per question: what is asked and how to answer, and what decides."""
    lines: list[str] = []
    for number, one in enumerate(doubts, 1):
        lines += _wrapped(f"ask {number}  {one.columns}: {one.answers}  {one.how}")
        lines += _wrapped(one.text, REASON)
    return lines


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Write the cells of a line, numbers at the right; a long name has a line of its own."""
    if len(cells[0]) > widths[0]:
        return f"{cells[0]}\n{_row(('', *cells[1:]), widths)}"
    written = (
        cell.rjust(width) if heading in NUMBERS else cell.ljust(width)
        for heading, cell, width in zip(HEADINGS, cells, widths, strict=True)
    )
    return BETWEEN.join(written).rstrip()


def _wrapped(text: str, margin: str = "") -> list[str]:
    """Break a text at the width of the terminal."""
    return wrap(
        text, width(), initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False
    )


def _together(together: JointRisk) -> list[str]:
    """Return how well the quasi-identifiers tell records apart, and which few do so already."""
    apart = f"{together.separation:.2%} of all pairs of records"
    alone = f"{together.unique:.1%} of the records are unique"
    n_columns = len(together.columns)
    all_of_them = f"The {n_columns} quasi-identifiers together distinguish"
    subject = "The one quasi-identifier distinguishes" if n_columns == 1 else all_of_them
    lines = [f"{subject} {apart}, and {alone}."]
    if together.sets:
        shown = [
            f"{' and '.join(found.columns)} ({found.unique:.1%})"
            for found in together.sets[:MOST_SETS]
        ]
        if more := len(together.sets) - len(shown):
            shown.append(f"{more} more such sets")
        subject = "This set" if len(shown) == 1 else "Each of these sets"
        lines.append(
            f"{subject} of columns suffices to make at least {together.at_least:.0%} of the "
            "records unique: "
            f"{'; '.join(shown)}."
        )
    return [part for line in lines for part in _wrapped(line)]


def draft_summary(path: str, draft: PolicyDraft) -> str:
    """Return what was written, and what is left to decide."""
    several = "file of a hierarchy" if len(draft.files) == 1 else "files of hierarchies"
    further_files = f" and {len(draft.files)} {several} beside it" if draft.files else ""
    lines = [f"wrote {path}{further_files}: read every role in it and decide"]
    if draft.undecided:
        lines.append(_left_to_decide(draft.undecided, len(draft.doubts)))
    if draft.lacks_known:
        lines.append("no column looks like a quasi-identifier: a release needs one, so name it")
    if draft.left_out:
        lines.append(
            f"left out: {', '.join(draft.left_out)}. In a trial on some records, a release with "
            "them would give back what it generalizes; the reasons in the draft say what to do"
        )
    if draft.hidden:
        lines.append(
            f"hidden from the start: {', '.join(draft.hidden)}. The draft says at each column what "
            "it would keep, and which line to delete to show it"
        )
    if draft.trial:
        lines.append(draft.trial)
    if draft.unprotected:
        lines.append(
            f"no promise is drafted for {', '.join(draft.unprotected)}: these sensitive values are "
            "released unchanged, and whoever finds a class with a single one of them learns it"
        )
    return "\n".join(part for line in lines for part in _wrapped(line))


def _left_to_decide(undecided: Sequence[str], n_questions: int) -> str:
    """Name the undecided columns, and say what to do."""
    is_one = len(undecided) == 1
    count = "1 column is undecided" if is_one else f"{len(undecided)} columns are undecided"
    whom, them = ("it", "it") if is_one else ("each of them", "them")
    asks = "one question asks" if n_questions == 1 else f"{n_questions} questions ask"
    return (
        f"{count}, and the policy does not run before you give {whom} a role (identifier, "
        f"quasi-identifier, sensitive or insensitive): {', '.join(undecided)}. Answer with "
        f"--settle ({asks} for {them}), or leave {them} out with --yes-to-suggestions"
    )


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
