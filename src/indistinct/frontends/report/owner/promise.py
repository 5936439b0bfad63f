"""Section 4: the promise in plain words, the formal models, and how large the groups are."""

from __future__ import annotations

from collections.abc import Sequence

from indistinct.base.arrays import Ints
from indistinct.base.statements.number_texts import figure, parameters, percent, some
from indistinct.frontends.report.charts.bars import Bar, bar_chart
from indistinct.frontends.report.components import (
    Block,
    Chart,
    Heading,
    Listing,
    Paragraph,
    Section,
    Table,
)
from indistinct.frontends.report.owner.evidence import ReportEvidence
from indistinct.frontends.report.promises import method_in_words, model_table, promises, size_bars


def section(evidence: ReportEvidence) -> Section:
    """Return what is promised, and what was reached."""
    policy = evidence.policy
    blocks: list[Block] = [
        Paragraph("This is what the release promises to everybody whose record is in it."),
        Listing(list(promises(policy))),
    ]
    said = evidence.manifest.get("promise")
    if said:
        blocks.append(Paragraph(f"In addition: {said}."))
    if evidence.models:
        blocks += [Heading("The formal promise"), model_table(evidence.models)]
    if evidence.manifest.get("protection"):
        blocks.append(_protections(evidence))
    if len(evidence.sizes):
        blocks += [
            Heading("How large the groups are"),
            *group_sizes(evidence.sizes, policy.set_names),
        ]
        if (people := evidence.smallest_in_people) is not None:
            text = (
                "Several records may be one person's. Counted in people, the smallest group has "
                f"{some(people, 'person', 'people')}."
            )
            blocks.append(Paragraph(text))
    method = evidence.manifest.get("method", {"algorithm": policy.algorithm_name})
    how = method_in_words(method, policy.release.form)
    if how:
        blocks += [Heading("How the release was made"), Paragraph(how)]
    return Section("promise", "The promise", blocks)


def group_sizes(sizes: Ints, apart: Sequence[str] = ()) -> list[Block]:
    """Return how large the groups are, and draw it.

    Parameters
    ----------
    apart : columns of sets, which the groups leave aside
    """
    smallest, largest = int(sizes.min()), int(sizes.max())
    text = (
        f"The released records form {some(len(sizes), 'group')} whose members have the same values "
        f"in all columns that others may know{_but(apart)}. The smallest group has "
        f"{some(smallest, 'record')}, the largest {some(largest, 'record')}."
    )
    return [Paragraph(text), _chart(sizes)]


def _but(apart: Sequence[str]) -> str:
    """Return which columns the groups leave aside."""
    return f", apart from the items in {', '.join(apart)}" if apart else ""


def _chart(sizes: Ints) -> Chart:
    """Draw how many records stand in groups of which size."""
    total = int(sizes.sum())
    bars = [
        Bar(f"{label} records", (records,), f"{percent(records / total)} of the records")
        for label, _, records in size_bars(sizes.tolist())
    ]
    most = max(bars, key=lambda bar: bar.parts[0])
    return bar_chart(
        "group-sizes",
        "Share of the released records by the size of their group",
        f"Most records, {most.text}, stand in groups of {most.label}.",
        bars,
        heads=("Size of the group", "Records"),
    )


def _protections(evidence: ReportEvidence) -> Table:
    """List the columns that are protected by themselves."""
    rows = [
        (name, str(entry["name"]), parameters(entry["required"].items()), _facts(entry))
        for name, entry in evidence.manifest["protection"].items()
    ]
    heads = ("Column", "Protection", "Required", "Achieved")
    return Table("Columns that are protected one by one", heads, rows)


def _facts(entry: dict[str, object]) -> str:
    """Write the numbers that a protection says of its column."""
    own = {"name", "required", "in_classes"}
    known = {
        name: value
        for name, value in entry.items()
        if name not in own and isinstance(value, int | float) and not isinstance(value, bool)
    }
    return ", ".join(f"{name.replace('_', ' ')} {figure(value)}" for name, value in known.items())
