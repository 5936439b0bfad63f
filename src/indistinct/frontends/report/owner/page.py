"""The owner's report: eight sections, in the order of ISO/IEC 27559:2022."""

from __future__ import annotations

from indistinct.frontends.report.components import Page
from indistinct.frontends.report.owner import (
    context,
    cost,
    data,
    limits,
    promise,
    repeat,
    risk,
    verdict,
)
from indistinct.frontends.report.owner.evidence import ReportEvidence

SECTIONS = (
    verdict.section,
    context.section,
    data.section,
    promise.section,
    risk.section,
    cost.section,
    limits.section,
    repeat.section,
)
CONFIDENTIAL = "Confidential: this report holds figures of the original data"


def owners_page(evidence: ReportEvidence) -> Page:
    """Return the report."""
    return Page(
        title=f"Report on {evidence.asked.name}",
        about="For the owner of the data and for those who decide whether it may be published.",
        marking=CONFIDENTIAL,
        sections=[write(evidence) for write in SECTIONS],
    )
