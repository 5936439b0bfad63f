"""Results in a notebook: the same pieces as in the reports, small."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from indistinct.base.statements.number_texts import (
    capitalized,
    chance,
    count,
    figure,
    listed,
    percent,
    some,
)
from indistinct.base.statements.sentences import NO_MODEL, highest_words, kept_words, risk_note
from indistinct.base.statements.statements import Statements, is_known
from indistinct.frontends.report.components import (
    Block,
    Callout,
    Figure,
    Figures,
    Listing,
    Paragraph,
    Table,
    Tone,
)
from indistinct.frontends.report.pages import fragment_of
from indistinct.frontends.report.promises import model_table, promises
from indistinct.tables.release import Manifest

if TYPE_CHECKING:  # a notebook that asks for one loads none of the others
    from indistinct.graph import GraphRelease
    from indistinct.questions.database import Reply
    from indistinct.tables.evaluation import Assessment, AttackReport
    from indistinct.tables.policy import Policy
    from indistinct.tables.publish import Inspection, Release, Sweep
    from indistinct.tables.verification import Verification

FIRST_ROWS = 5
MOST_ROWS = 20


def html_of(result: Any) -> str:
    """Show a result; its class chooses how."""
    return fragment_of(*SHOWN[type(result).__name__](result))


def _release(release: Release) -> list[Block]:
    """Show the verdict, four figures and the first rows."""
    manifest = release.manifest
    records = manifest["records"]
    left_out = count(records["suppressed"] or 0)
    is_held = bool(manifest["verified"])
    blocks: list[Block] = [
        _verdict(is_held, manifest["models"]),
        Figures(
            [
                _held(is_held),
                Figure("Records", count(records["released"]), f"{left_out} were left out."),
                *_stated(release.owner),
            ]
        ),
    ]
    if manifest["verified"] == Manifest.PLAN:  # the records stay where they are
        return blocks
    head = release.frame.head(FIRST_ROWS)
    rows = [["" if cell is None else str(cell) for cell in row] for row in head.rows()]
    return [*blocks, Table(f"The first {some(len(rows), 'released record')}", head.columns, rows)]


def _stated(owner: Mapping[str, Any]) -> list[Figure]:
    """Return what is kept and who is found; nothing of a release that is not written yet."""
    if "statements" not in owner:
        return []
    stated = Statements.read(owner["statements"])
    share = stated.kept["share"]
    kept = percent(share) if is_known(share) else "not examined"
    return [
        Figure("Information kept", kept, f"{capitalized(kept_words(stated.kept))}."),
        Figure(
            "Highest re-identification risk", highest_words(stated.risk), risk_note(stated.risk)
        ),
    ]


def _verdict(holds: bool | None, models: Sequence[Mapping[str, Any]]) -> Callout:  # noqa: FBT001 - a verdict
    """Return whether a promise holds."""
    names = listed(str(model["name"]) for model in models) or "no model"
    if holds is None:
        text = f"What is at hand does not decide it: {names}."
        return Callout("Undecided.", text, Tone.WARNING)
    if holds and not models:
        return Callout(f"{NO_MODEL}.", "Columns are masked one by one.", Tone.PLAIN)
    if holds:
        return Callout(
            "The promise holds.", f"It was checked by counting the records: {names}.", Tone.GOOD
        )
    return Callout("The promise is not held.", f"Do not publish it: {names}.", Tone.BAD)


def _held(holds: bool | None) -> Figure:  # noqa: FBT001 - a verdict
    """Return the verdict as a figure."""
    word, tone = {
        True: ("yes", Tone.GOOD),
        False: ("no", Tone.BAD),
        None: ("undecided", Tone.WARNING),
    }[holds]
    return Figure("Promise held", word, "", tone)


def _verification(found: Verification) -> list[Block]:
    """Show the verdict, its reasons and what each model reaches."""
    faults = [f"{fault.place}: {fault.problem}." for fault in found.faults]
    blocks: list[Block] = [_verdict(found.holds, found.models)]
    blocks += [Listing(faults)] if faults else []
    blocks += [model_table(found.models)] if found.models else []
    return [*blocks, Listing([f"{note}." for note in found.notes])] if found.notes else blocks


def _assessment(found: Assessment) -> list[Block]:
    """Show the classes, the risk and the models."""
    findings = found.findings
    smallest = figure(findings.anonymity.k)
    blocks: list[Block] = [
        Figures(
            [
                Figure("Records", count(findings.records.released)),
                Figure("Smallest group", smallest, "Records that cannot be distinguished."),
                *_risk_of_assessment(found),
                Figure("Unique records", count(findings.anonymity.unique_records)),
            ]
        )
    ]
    if findings.models:
        blocks.append(model_table(found.models))
    if findings.loss:
        rows = [(name, figure(value)) for name, value in findings.loss.items()]
        blocks.append(Table("What was lost", ("Measure", "Value"), rows, (1,), folded=True))
    return blocks


def _risk_of_assessment(found: Assessment) -> list[Figure]:
    """Return who is found in the table that was measured."""
    risk = None if found.statements is None else found.statements.risk
    if risk is None or not is_known(risk["known"]):
        return [Figure("Prosecutor risk", chance(found.findings.risk.prosecutor))]
    return [Figure("Highest re-identification risk", highest_words(risk), risk_note(risk))]


def _inspection(found: Inspection) -> list[Block]:
    """Show the columns and their roles."""
    rows = [
        (one.name, one.role, one.type, count(one.distinct), count(one.missing), one.reason)
        for one in found.columns
    ]
    heads = ("Column", "Suggested role", "Type", "Distinct", "Missing", "Reason")
    return [Table(f"{some(found.rows, 'record')}", heads, rows, numbers=(3, 4))]


def _sweep(found: Sweep) -> list[Block]:
    """Show the recommendation and the combinations."""
    rows: list[tuple[str, ...]] = []
    for number, point in enumerate(found.points):
        if point.found is None:
            rows.append((point.words(), "", "", "no solution"))
            continue
        best = "recommended" if number == found.recommended else "frontier"
        mark = best if number in found.frontier else ""
        rows.append((point.words(), figure(found.risk_of(number)), figure(point.cost), mark))
    heads = ("Combination", f"Risk ({found.risk})", f"Cost ({found.cost})", "")
    return [
        Callout("Recommended.", found.reason),
        Table(f"{some(len(rows), 'combination')}", heads, rows, numbers=(1, 2)),
    ]


def _attack(found: AttackReport) -> list[Block]:
    """Show attempts, successes and interval."""
    from indistinct.frontends.report.attacks import attack_table

    rate = found.answer.found.rate
    text = f"{percent(rate)} of the attempts found the right record or value."
    return [Callout("What the attack found.", text), attack_table([found])]


def _graph(release: GraphRelease) -> list[Block]:
    """Show the promise and the figures of a graph."""
    from indistinct.frontends.report.graphs import graph_figures, graph_promise

    return [Paragraph(graph_promise(release.published)), Figures(graph_figures(release.published))]


def _reply(reply: Reply) -> list[Block]:
    """Show an answer with its margin, what it cost and what is left."""
    paid = [
        Figure("Charged", figure(reply.charged), reply.unit),
        Figure("Left", figure(reply.left), reply.unit),
    ]
    if reply.dry_run:
        price = Figure("Would cost", figure(reply.price), reply.unit)
        error = Figure("Expected error", figure(reply.expected_error))
        return [Figures([price, error, paid[1]])]
    if not reply.grouped:
        low, high = reply.interval
        said = f"With 95% between {figure(low)} and {figure(high)}."
        return [Figures([Figure("Answer", figure(reply.answer), said), *paid])]
    shown = reply.answer[:MOST_ROWS]
    rows = [[figure(value) for value in row.values()] for row in shown]
    heads = list(reply.answer[0]) if reply.answer else ["nothing"]
    caption = f"{some(len(reply.answer), 'row')} with noise"
    return [Table(caption, heads, rows, numbers=(len(heads) - 1,)), Figures(paid)]


def _policy(policy: Policy) -> list[Block]:
    """Show what is promised, and the roles."""
    rows = [(name, column.role.value) for name, column in policy.columns.items()]
    return [Listing(list(promises(policy))), Table("Columns", ("Column", "Role"), rows)]


SHOWN: Mapping[str, Callable[[Any], list[Block]]] = {
    "Release": _release,
    "Verification": _verification,
    "Assessment": _assessment,
    "Inspection": _inspection,
    "Sweep": _sweep,
    "AttackReport": _attack,
    "GraphRelease": _graph,
    "Reply": _reply,
    "Policy": _policy,
}
