"""Section 7: what the release does not protect against."""

from __future__ import annotations

from collections.abc import Iterator

from indistinct.base.statements.number_texts import listed
from indistinct.frontends.report.components import Listing, Paragraph, Section
from indistinct.frontends.report.owner.evidence import ReportEvidence
from indistinct.frontends.report.promises import ALWAYS_OPEN, open_risks, unprotected
from indistinct.frontends.report.warning_paragraphs import warning_paragraphs
from indistinct.tables.core import Role
from indistinct.tables.release import Manifest, earlier_releases


def section(evidence: ReportEvidence) -> Section:
    """List what remains open."""
    lead = Paragraph(
        "The promise covers some attacks and not others. Read this list before you decide who may "
        "receive the data."
    )
    items = list(open_risks(evidence.policy))
    items += earlier_releases(Manifest.read(evidence.manifest)).values()
    items += [*_released_as_they_are(evidence), *ALWAYS_OPEN]
    items += [
        f"The verification of the file alone could not decide everything: {note}."
        for note in evidence.notes
    ]
    ranks = warning_paragraphs(evidence.warnings)
    return Section("limits", "What this does not protect against", [lead, *ranks, Listing(items)])


def _released_as_they_are(evidence: ReportEvidence) -> Iterator[str]:
    """Name the columns that nothing protects."""
    policy = evidence.policy
    plain = [n for n in policy.named(Role.INSENSITIVE) if n not in policy.protections]
    if plain:
        are = (
            "is declared insensitive and is"
            if len(plain) == 1
            else "are declared insensitive and are"
        )
        yield (
            f"{listed(plain)} {are} released unchanged. Somebody who knows these values of a "
            "person may find the person's record by them."
        )
    yield from unprotected(policy)
