"""Columns of sets in the reports and in the application: what they lost, and what is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from indistinct.base.statements.number_texts import count, figure, percent
from indistinct.frontends.report.components import Block, Heading, Paragraph, Table
from indistinct.tables.evaluation import Outcome
from indistinct.tables.policy import ColumnPolicy

Entry = Mapping[str, Any]


def set_blocks(sets: Mapping[str, Entry], columns: Mapping[str, ColumnPolicy]) -> list[Block]:
    """Return, per column of sets, what became of its items; nothing where there is none.

    Parameters
    ----------
    sets : as in the manifest; that of the owner names the labels that are nowhere shown
    columns : of the policy; they say what may be left out of the sets
    """
    blocks: list[Block] = []
    for name, entry in sets.items():
        blocks += [
            Heading(f"The sets in {name}"),
            Paragraph(_in_words(name, entry, columns[name].suppression)),
            Table(
                f"What became of the items of {name}",
                ("Measure", "Value"),
                list(_rows(entry)),
                numbers=(1,),
            ),
        ]
        labels = [(label,) for label in entry.get("left_out_items", ())]
        if labels:
            caption = f"Labels of {name} that the release shows nowhere"
            blocks.append(Table(caption, ("Label",), labels, folded=True))
    return blocks


def set_change(entry: Entry) -> str:
    """Return in a few words what was done to a column of sets."""
    if "generalized" not in entry:
        return "items under more general labels where the promise needs it"
    changed, gone = float(entry["generalized"]), float(entry["deleted"])
    parts = [f"{percent(changed)} of the items under a more general label"] if changed else []
    parts += [f"{percent(gone)} of the items left out"] if gone else []
    return ", ".join(parts) or "every item as it was"


def known_items_table(before: Outcome, after: Outcome, m: int) -> Table:
    """Compare what somebody finds who knows some items of a person, before and after.

    Parameters
    ----------
    before, after : the attack on the original and on the release
    m : items that the attacker knows of each person
    """
    k = after.details["k"]
    rows = [
        (label, _said(before.details[word], word), _said(after.details[word], word))
        for word, label in (
            ("below_k", f"People for whom fewer than {k} records fit"),
            ("least_candidates", "Fewest records that fit"),
            ("mean_candidates", "Records that fit, on average"),
            ("further_labels", "Further labels that all of them share, on average"),
        )
    ]
    column = after.details["column"]
    caption = (
        f"Whoever knows the {m} items in {column} by which a person is easiest to find, for "
        f"{count(after.found.attempts)} people drawn at random"
    )
    return Table(caption, ("Question", "Original", "Release"), rows, numbers=(1, 2))


def _said(value: float, word: str) -> str:
    """Write a figure of the attack."""
    return percent(value) if word == "below_k" else figure(round(value, 2))


HOW = {
    "priced-cut": (
        "One level of detail was chosen for each branch of the items' hierarchy, and what was "
        "still rare was left out. "
    ),
    "partition": "Records with similar sets were given the same labels. ",
    "apriori": "Rare sets of items were generalized, one size after the other. ",
}


def _in_words(name: str, entry: Entry, suppression: str) -> str:
    """Return how the sets were made, and explain the measure."""
    text = HOW.get(entry.get("algorithm", ""), "") + (
        f"Each cell of {name} is a set of items. An item that is shown as itself costs nothing, "
        "one under a more general label costs the share of all items under that label, and one "
        "that was left out costs 1. The loss is the mean over all items of all records."
    )
    if suppression == "occurrences" and entry.get("deleted") != 0:
        # The public manifest does not tell whether it happened.
        how = "were" if entry.get("deleted") else "may have been"
        text += (
            f" Labels {how} deleted from single records, so that the absence of one says nothing."
        )
    return text


def _rows(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield the figures of one column."""
    if "loss" in entry:
        yield "Loss", figure(round(float(entry["loss"]), 4))
    if entry.get("lower_bound") is not None:
        bound = figure(round(float(entry["lower_bound"]), 4))
        yield "No release that leaves out whole items can have a loss below", bound
    if entry.get("occurrences") is not None:
        yield "Items of all records", count(int(entry["occurrences"]))
    for label, word in (
        ("Items under a more general label", "generalized"),
        ("Items left out", "deleted"),
    ):
        if word in entry:
            yield label, percent(float(entry[word]))
    if "left_out_items" in entry:
        yield "Labels that the release shows nowhere", count(len(entry["left_out_items"]))
    yield "Different labels in the release", count(int(entry["labels"]))
    yield "Records without a label", count(int(entry["empty"]))
