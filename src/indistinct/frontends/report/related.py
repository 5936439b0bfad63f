"""A report on related tables: what is promised, what was lost, and whom known events still find."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from indistinct.base.statements.number_texts import count, percent
from indistinct.frontends.report.charts.pairs import Pair, pair_chart
from indistinct.frontends.report.components import (
    Block,
    Callout,
    Figure,
    Figures,
    Listing,
    Page,
    Paragraph,
    Section,
    Table,
    Tone,
)
from indistinct.frontends.report.write import WrittenReport, check_report, write_page
from indistinct.related import (
    RelatedPolicy,
    RelatedTarget,
    as_read,
    manifest_of_folder,
    measured_shares,
    most_events,
    rows_of_input,
    success_by_events,
    verify_related,
)
from indistinct.tables.verification import Verification, texts_as_read

MARKING = "Confidential: for the owner of the data alone"


def write_related_report(
    release: str, policy: RelatedPolicy, original: Any, crosswalk: Any, path: str | Path
) -> WrittenReport:
    """Write the owner's report on a folder of released tables, and return what it says.

    Raises
    ------
    DataError
        when a file cannot be read, or the original or the crosswalk is missing
    OutputError
        when the report cannot be written
    """
    check_report(path, release, private=True)
    model = policy.model
    target = RelatedTarget(release, original, crosswalk)
    curve = success_by_events(target, policy, most_events(model.known_rows))
    found = verify_related(release, policy, original=original, crosswalk=crosswalk)
    manifest = manifest_of_folder(release) or {}
    beyond = manifest.get("related", {}).get("beyond", {})
    events = _events(model.k, model.known_rows, beyond, curve)
    page = Page(
        title=f"Related tables: {Path(release).name}",
        about="What the release promises, what it lost, and what remains possible.",
        marking=MARKING,
        sections=[
            Section("promise", "What is promised", list(_promise(model.promised_text(), found))),
            Section("people", "What is released", list(_released(policy, manifest, original))),
            Section("events", "Whom known events find", list(events)),
            Section("values", "What events tell of values", list(_values(release, policy, found))),
            Section("open", "What remains possible", [Listing(_left_open(policy))]),
        ],
        numbered=False,
    )
    write_page(page, path, private=True)
    return WrittenReport(found.holds, found.statements)


def _promise(text: str, found: Verification) -> Iterator[Block]:
    """Yield the promise in words, and whether it holds."""
    yield Paragraph(text, lead=True)
    if found.holds:
        text = "Every person's rows were counted in the written files, beside the input."
        yield Callout("The promise holds.", text, Tone.GOOD)
    elif found.holds is None:
        yield Callout(
            "It is not decided whether the promise holds.", " ".join(found.notes), Tone.WARNING
        )
    else:
        yield Callout("The promise does not hold.", "Do not publish these files.", Tone.BAD)
        yield Listing([f"{fault.place}: {fault.problem}" for fault in found.faults])


def _values(release: str, policy: RelatedPolicy, found: Verification) -> Iterator[Block]:
    """Yield the largest share of the people with some events who have one sensitive value."""
    promised = [
        (entry["required"]["column"], percent(entry["achieved"]["share"]), percent(limit))
        for entry in found.models
        if (limit := entry["required"].get("share")) is not None
    ]
    tables = {name: texts_as_read(file.frame) for name, (file, _) in as_read(release).items()}
    others = [(name, percent(share), "none") for name, share in measured_shares(policy, tables)]
    known = policy.model.known_rows or 1
    yield Paragraph(
        f"Of the people of one class who have up to {known} events, the largest share who have one "
        "value of a sensitive column, or one of the values that the policy names."
    )
    heads = ("Column", "Largest share", "Promised")
    caption = "What is learned of somebody of whom events are known"
    yield Table(caption, heads, [*promised, *others], numbers=(1, 2))


def _left_open(policy: RelatedPolicy) -> list[str]:
    """Return sentences that say what the promise does not protect against."""
    found = policy.model.texts_left_open()
    if policy.related.rows == "free":
        return [*found, "The number of a person's events is not hidden."]
    below = "How many rows belong to one row whose key is released is not hidden."
    return [*found, below] if any(one.release_key for one in policy.tables.values()) else found


def _released(policy: RelatedPolicy, manifest: Mapping[str, Any], original: Any) -> Iterator[Block]:
    """Yield how many people and rows are released, and how many are left out."""
    related: Mapping[str, Any] = manifest.get("related", {})
    people = related.get("people", {})
    alone = percent(related.get("rows_alone"))
    is_known = policy.related.rows == "known"
    said = "Which the promise hides." if is_known else "Which the promise does not hide."
    yield Figures(
        [
            Figure(
                "People", count(people.get("released")), f"{count(people.get('vanished'))} vanish."
            ),
            Figure("Classes", count(related.get("classes")), "Of people with the same cells."),
            Figure("Alone by the numbers of their rows", alone, said),
        ]
    )
    before = rows_of_input(policy, original)
    rows = [
        (name, count(entry["rows"]), count(before[name] - entry["rows"]))
        for name, entry in related.get("tables", {}).items()
    ]
    heads = ("Table", "Rows", "Rows that are not there")
    caption = "The tables of rows; a row that shows nothing is there"
    yield Table(caption, heads, rows, numbers=(1, 2))


def _events(
    k: int, m: int | None, beyond: Mapping[str, Any], curve: list[tuple[float, float]]
) -> Iterator[Block]:
    """Yield how often known events find people, before and after.

    Parameters
    ----------
    m : known events that the promise is about; None for all
    beyond : per number of further events, the share of people with fewer than k candidates
    """
    chance = f"the chance is at most 1 in {k}"
    yield Paragraph(
        "Somebody knows what others may know of a person, and some exact events, chosen at random. "
        + (
            f"Whatever their number, {chance}."
            if m is None
            else f"Up to {m} events {chance}; beyond that nothing is promised."
        )
    )
    before, after = ([one[side] for one in curve] for side in (0, 1))
    labels = [str(size) for size in range(len(curve))]
    title = "Share of people who are found, by the number of known events"
    said = "; ".join(
        f"{label} events: {percent(one)} before, {percent(other)} after"
        for label, one, other in zip(labels, before, after, strict=True)
    )
    heads = ("known events", "before", "after")
    yield pair_chart("events", title, said, Pair(labels, before, after, in_order=True), heads)
    listed = [
        f"{number} exact events, the worst ones, leave {percent(share)} of the people with fewer "
        f"than {k} candidates."
        for number, share in beyond.items()
        if share is not None
    ]
    if listed:
        yield Listing(listed)
