"""Section 5: the chance to find people before and after, attacks that were run, what is learned."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.statements.number_texts import chance, count, figure, percent, some
from indistinct.frontends.report.attacks import attack_table
from indistinct.frontends.report.components import (
    Block,
    Callout,
    Heading,
    Listing,
    Paragraph,
    Section,
    Table,
    Tone,
)
from indistinct.frontends.report.owner.evidence import ReportEvidence
from indistinct.frontends.report.sets import known_items_table
from indistinct.frontends.report.thresholds import Threshold
from indistinct.tables.evaluation import Findings, SecretFigures
from indistinct.tables.metrics import marketer_risk, prosecutor_risk, records_at_risk

ATTACKS = "Attacks that were run"


def section(evidence: ReportEvidence) -> Section:
    """Compare the risk before and after."""
    findings = evidence.findings
    if findings is None:
        text = (
            "The release is two linked tables, whose risk is bounded by the promise of section 4."
        )
        return Section("risk", "Risk before and after", [Paragraph(text)])
    blocks: list[Block] = [
        Paragraph(
            "How likely is it that somebody finds a person's record by the columns that others may "
            "know? Three attackers are usual. The prosecutor knows that a certain person is in the "
            "data and looks for this person's record. The journalist does not know who is in the "
            "data and wants to find any one person. The marketer wants to find as many people as "
            "possible and accepts errors."
        ),
        *_without_sets(evidence),
        _before_and_after(evidence, findings),
        *_unit(evidence, findings),
        _threshold(evidence),
        Heading(ATTACKS),
        *_attacks(evidence),
        *_known_items(evidence),
    ]
    if findings.anonymity.sensitive:
        blocks += [Heading("What a reader learns about sensitive columns"), *_secrets(findings)]
    return Section("risk", "Risk before and after", blocks)


def _without_sets(evidence: ReportEvidence) -> list[Block]:
    """Return a paragraph that says that the figures leave the columns of sets aside."""
    names = ", ".join(evidence.policy.set_names)
    if not names:
        return []
    text = (
        f"The following table leaves {names} aside. What somebody finds who also knows items of a "
        "person is shown at the end of this section."
    )
    return [Paragraph(text)]


def _before_and_after(evidence: ReportEvidence, findings: Findings) -> Table:
    """List the risks of the original and of the release."""
    in_people, threshold = evidence.in_people, evidence.asked.threshold
    both = [one.sizes(in_people=in_people) for one in (evidence.before, evidence.after)]
    unit = "people" if in_people else "records"
    rows = [
        ("Chance to find who is known to be in the data (prosecutor)", *map(_chance, both)),
        (
            "Chance to find somebody of the population (journalist)",
            *_journalist(evidence, findings),
        ),
        (
            f"Average risk: share of the {unit} found if all are looked for (marketer)",
            *map(_marketer, both),
        ),
        (
            f"Share of {unit} with a risk above {chance(threshold.risk)}",
            *(_above(sizes, threshold) for sizes in both),
        ),
        (f"Unique {unit}: no other has the same values", *map(_alone, both)),
    ]
    caption = f"Risk of re-identification by the columns that others may know, counted in {unit}"
    return Table(caption, ("Question", "Original", "Release"), rows, numbers=(1, 2))


def _households(findings: Findings) -> Iterator[Block]:
    """Yield that the promise counts households, and what their risk is."""
    text = (
        "The promise counts households that are alike in all their members; the table above counts "
        "single records, whatever is known of other members."
    )
    risk = findings.risk.household_risk
    if risk is not None:
        text += (
            " The chance that some member of a person's household is found among the single "
            f"records is {chance(risk.mean)} on average and {chance(risk.highest)} at most."
        )
    yield Callout("This table counts records.", text, Tone.WARNING)


def _unit(evidence: ReportEvidence, findings: Findings) -> list[Block]:
    """Return what is counted, where several records may be one person's."""
    person = evidence.policy.data.person
    if evidence.policy.data.household is not None:
        return list(_households(findings))
    if person is None:
        return []
    if evidence.in_people:
        return [Paragraph(f"Records with the same {person} are one person's and count once.")]
    text = (
        f"Several records may be one person's, by the column {person}. The release does not say "
        "whose its records are, so this table counts records. With --crosswalk it counts people."
    )
    return [Callout("This table counts records.", text, Tone.WARNING)]


def _journalist(evidence: ReportEvidence, findings: Findings) -> tuple[str, str]:
    """Return the journalist's risk before and after, where there is a population."""
    before, after = evidence.before, findings.risk.journalist
    if after is None or before.population is None:
        return "no population given", "no population given"
    if not before.n:
        return "not measured", chance(after)
    # Whom the population lacks, nobody can tell from one of its people: they stand alone.
    return chance(1 / max(int(before.population.min()), 1)), chance(after)


def _chance(sizes: Ints) -> str:
    """Return the prosecutor's risk of the original."""
    return chance(prosecutor_risk(sizes)) if len(sizes) else "not measured"


def _marketer(sizes: Ints) -> str:
    """Return the marketer's risk of the original."""
    return percent(marketer_risk(sizes)) if len(sizes) else "not measured"


def _above(sizes: Ints, threshold: Threshold) -> str:
    """Return the share of records above the threshold."""
    return percent(records_at_risk(sizes, threshold.risk)) if len(sizes) else "not measured"


def _alone(sizes: Ints) -> str:
    """Count the records that are unique."""
    return count(int(np.count_nonzero(sizes == 1))) if len(sizes) else "not measured"


def _threshold(evidence: ReportEvidence) -> Callout:
    """Return what the threshold is, and whether the release keeps to it."""
    threshold, risk = evidence.asked.threshold, evidence.chance_by_known
    unit = "people" if evidence.in_people else "records"
    said = f"The threshold of this report is {threshold.written}."
    if threshold.document:
        said = (
            f"The threshold is {threshold.written}, which this report counts as groups of at least "
            f"11 {unit}. It is named after this document: {threshold.document}. "
            f"{threshold.confirmed}"
        )
    sizes = evidence.after.sizes(in_people=evidence.in_people)
    share = records_at_risk(sizes, threshold.risk) if len(sizes) else 0.0
    if risk <= threshold.risk * (1 + 1e-9):
        nobody = "Nobody" if evidence.in_people else "No record"
        return Callout(f"{nobody} is above the threshold.", said, Tone.GOOD)
    if not share:
        text = (
            f"{said} Whoever knows items of a person may find the person's record with a chance of "
            f"{chance(risk)}. A greater k of the promise about items lowers the risk."
        )
        return Callout("Known items lead above the threshold.", text, Tone.WARNING)
    whose = "people" if evidence.in_people else "released records"
    return Callout(
        f"{percent(share)} of the {whose} are above the threshold.",
        f"{said} The rules for your data may set another one. A greater k lowers the risk.",
        Tone.WARNING,
    )


def _attacks(evidence: ReportEvidence) -> list[Block]:
    """List the attacks that were run."""
    if not evidence.attacks:
        text = (
            "No attack was run for this report. An attack needs a register: a table of what others "
            "know about people. Whoever makes this report can run one with the option --register."
        )
        return [Paragraph(text)]
    return [
        Paragraph(
            "The release was attacked as others would attack it. An attempt succeeds when the "
            "right record was found. The control group shows how often the same attack succeeds "
            "on people who are not in the release."
        ),
        attack_table(evidence.attacks),
    ]


def _known_items(evidence: ReportEvidence) -> list[Block]:
    """Compare what items of a person find, where there is a column of sets."""
    found = evidence.known_items
    if found is None:
        return []
    return [
        Heading("People who are looked for by their items"),
        Paragraph(
            "The original and the release were searched for people of whom some items are known. "
            "A record fits when it has each known item, or a label above it."
        ),
        known_items_table(found.before, found.after, found.m),
    ]


def _secrets(findings: Findings) -> list[Block]:
    """Return, per sensitive column, what somebody learns who finds a person's group."""
    rows = [_secret_row(name, known) for name, known in findings.anonymity.sensitive.items()]
    heads = (
        "Column",
        "Fewest different values in a group",
        "Share of the most frequent value, worst group",
        "Distance from the whole table, worst group",
    )
    return [
        Paragraph(
            "Somebody who knows which group a person belongs to can guess the person's sensitive "
            "value from the values in the group, without knowing which record is the person's. "
            "The distance compares the distribution of the values in a group with that in the "
            "whole table, from 0 (the same) to 1 (nothing in common)."
        ),
        Table("What the worst group tells about sensitive columns", heads, rows, numbers=(1, 2, 3)),
        Listing([_secret_sentence(n, known) for n, known in findings.anonymity.sensitive.items()]),
    ]


def _secret_row(name: str, known: SecretFigures) -> tuple[str, ...]:
    """Write the figures of one sensitive column."""
    alpha, distance = known.measured.get("alpha"), known.measured.get("t_equal")
    return name, count(known.distinct_l), percent(alpha), figure(distance)


def _secret_sentence(name: str, known: SecretFigures) -> str:
    """Return how many people's value is given away."""
    share, alpha = known.records_of_one_value, known.measured.get("alpha")
    if share > 0:
        return (
            f"For {percent(share)} of the records with a value of {name}, it is disclosed with "
            "certainty, because all known values of the group are the same."
        )
    if known.distinct_l == 0:
        return f"No group has a known value of {name}."
    return (
        f"Each group with a known value of {name} has at least "
        f"{some(known.distinct_l, 'different one')}, so that the group alone does not tell which "
        "is whose. In the worst group, somebody who guesses "
        f"the most frequent value is right for {percent(alpha)} of the records with a value."
    )
