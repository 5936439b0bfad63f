"""What the warnings of a release say to people who decide about it: one paragraph a rank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indistinct.base.statements.number_texts import capitalized
from indistinct.frontends.report.components import Paragraph
from indistinct.tables.findings import RANKS, TITLES, Finding, of_rank


def warning_paragraphs(warnings: Sequence[Finding]) -> Iterator[Paragraph]:
    """Yield each rank of warnings as one paragraph."""
    for rank in RANKS:
        found = of_rank(warnings, rank)
        if found:
            sentences = " ".join(f"{capitalized(one.message)}." for one in found)
            yield Paragraph(f"{capitalized(TITLES[rank])}: {sentences}")
