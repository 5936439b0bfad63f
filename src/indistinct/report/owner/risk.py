"""Section 5: the chance to find people before and after, attacks that were run, what is learned."""

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.metrics.individual import records_at_risk
from indistinct.metrics.risk import marketer_risk, prosecutor_risk
from indistinct.reader.assess.findings import Findings, SecretFigures
from indistinct.report.attacks import attack_table
from indistinct.report.components import (
    Block,
    Callout,
    Heading,
    Listing,
    Paragraph,
    Section,
    Table,
    Tone,
)
from indistinct.report.owner.evidence import Evidence
from indistinct.report.thresholds import Threshold
from indistinct.report.words import chance, count, figure, percent, some

ATTACKS = "Attacks that were run"


def section(evidence: Evidence) -> Section:
    """Compare the risk before and after."""
    findings = evidence.findings
    if findings is None:
        text = (
            "The release is two linked tables, whose risk is bounded by the promise of section 4."
        )
        return Section("risk", "Risk before and after", [Paragraph(text)])
    blocks: list[Block] = [
        Paragraph(
            "How easily can somebody be found by the columns that others may know? A prosecutor "
            "knows that a certain person is in the data and looks for this person's record. A "
            "journalist does not know who is in the data and looks for anybody. A marketer wants "
            "to find as many people as possible and does not mind mistakes."
        ),
        _before_and_after(evidence, findings),
        _threshold(evidence),
        Heading(ATTACKS),
        *_attacks(evidence),
    ]
    if findings.anonymity.sensitive:
        blocks += [Heading("What a reader learns about private columns"), *_secrets(findings)]
    return Section("risk", "Risk before and after", blocks)


def _before_and_after(evidence: Evidence, findings: Findings) -> Table:
    """List the risks of the original and of the release."""
    before = np.zeros(0, np.int64) if evidence.columns is None else evidence.columns.sizes_before
    risk, threshold = findings.risk, evidence.asked.threshold
    above = f"Share of records that are easier to find than {chance(threshold.risk)}"
    rows = [
        ("Prosecutor: the person who is easiest to find", _chance(before), chance(risk.prosecutor)),
        ("Journalist: the same in the whole population", "not measured", _journalist(findings)),
        ("Marketer: share of the people who are found", _marketer(before), percent(risk.marketer)),
        (above, *(_above(sizes, threshold) for sizes in (before, evidence.sizes))),
        ("Records that are the only ones of their kind", _alone(before), _alone(evidence.sizes)),
    ]
    caption = "The chance to find people by the columns that others may know"
    return Table(caption, ("Question", "Original", "Release"), rows, numbers=(1, 2))


def _journalist(findings: Findings) -> str:
    """Give the journalist's risk, where there is a population."""
    known = findings.risk.journalist
    return "not measured" if known is None else chance(known)


def _chance(sizes: Ints) -> str:
    """Give the prosecutor's risk of the original."""
    return chance(prosecutor_risk(sizes)) if len(sizes) else "not measured"


def _marketer(sizes: Ints) -> str:
    """Give the marketer's risk of the original."""
    return percent(marketer_risk(sizes)) if len(sizes) else "not measured"


def _above(sizes: Ints, threshold: Threshold) -> str:
    """Give the share of records above the threshold."""
    return percent(records_at_risk(sizes, threshold.risk)) if len(sizes) else "not measured"


def _alone(sizes: Ints) -> str:
    """Count the records that are unique."""
    return count(int(np.count_nonzero(sizes == 1))) if len(sizes) else "not measured"


def _threshold(evidence: Evidence) -> Callout:
    """Say what the threshold is, and whether the release keeps to it."""
    threshold, risk = evidence.asked.threshold, evidence.greatest_risk or 0.0
    said = f"The threshold of this report is {threshold.written}."
    if threshold.document:
        said = (
            f"The threshold is {threshold.written}, which means groups of at least 11 records. It "
            f"is set by this document: {threshold.document}."
        )
    share = records_at_risk(evidence.sizes, threshold.risk) if len(evidence.sizes) else 0.0
    if risk <= threshold.risk * (1 + 1e-9):
        return Callout("No record is above the threshold.", said, Tone.GOOD)
    return Callout(
        f"{percent(share)} of the released records are above the threshold.",
        f"{said} The rules for your data may set another one. A greater k lowers the risk.",
        Tone.WARNING,
    )


def _attacks(evidence: Evidence) -> list[Block]:
    """List the attacks that were run."""
    if not evidence.attacks:
        text = (
            "No attack was run for this report. An attack needs a register: a table of what others "
            "know about people. Give one with --register to see how many people it finds."
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


def _secrets(findings: Findings) -> list[Block]:
    """Say per sensitive column what somebody learns who finds a person's group."""
    rows = [_secret_row(name, known) for name, known in findings.anonymity.sensitive.items()]
    heads = (
        "Column",
        "Fewest values in a group",
        "Best guess in the worst group",
        "Distance to the whole table",
    )
    return [
        Paragraph(
            "Somebody who knows which group a person belongs to can guess the person's private "
            "value from the values in the group, without finding the record. The distance says how "
            "much the values in a group differ from those in the whole table, from 0 (not at all) "
            "to 1 (completely)."
        ),
        Table("What the worst group tells about private columns", heads, rows, numbers=(1, 2, 3)),
        Listing([_secret_sentence(n, known) for n, known in findings.anonymity.sensitive.items()]),
    ]


def _secret_row(name: str, known: SecretFigures) -> tuple[str, ...]:
    """Write the figures of one sensitive column."""
    alpha, distance = known.measured.get("alpha"), known.measured.get("t_equal")
    return name, count(known.distinct_l), percent(alpha), figure(distance)


def _secret_sentence(name: str, known: SecretFigures) -> str:
    """Say how many people's value is given away."""
    share, alpha = known.records_of_one_value, known.measured.get("alpha")
    if share > 0:
        return (
            f"For {percent(share)} of the records, the group gives the value of {name} away with "
            "certainty, because all its members share it."
        )
    return (
        f"No group gives the value of {name} away with certainty: each has at least "
        f"{some(known.distinct_l, 'different value')}. The best guess is right in at most "
        f"{percent(alpha)} of the cases."
    )
