"""Section 2: why the data are released, to whom, and who answers for it."""

from __future__ import annotations

from indistinct.frontends.report.components import (
    Block,
    Callout,
    FormLines,
    Listing,
    Paragraph,
    Section,
)
from indistinct.frontends.report.owner.evidence import ReportEvidence

QUESTIONS = {
    "purpose": "Purpose of the release",
    "recipients": "Who will receive the data",
    "controls": "Rules and technical measures that bind the recipients",
    "contact": "Whom to ask",
}
SIGN_OFF = {
    "approved_by": "Approved by",
    "approved_on": "Approved on",
    "reason": "Why the remaining risk is acceptable",
    "review_on": "To be reviewed on",
}


def section(evidence: ReportEvidence) -> Section:
    """Return what the policy says of the context, and leave room for what it does not."""
    context = evidence.policy.context
    said = {} if context is None else context.model_dump(mode="json", exclude_none=True)
    missing = [question for word, question in {**QUESTIONS, **SIGN_OFF}.items() if word not in said]
    blocks: list[Block] = [
        Paragraph(
            "The same table can be safe in one place and unsafe in another. How much risk is "
            "acceptable depends on who receives the data, what else they know, and what binds them."
        ),
        FormLines(
            "The circumstances of this release.",
            [(q, said.get(w, "")) for w, q in QUESTIONS.items()],
        ),
        FormLines(
            "Sign-off.", [*((q, said.get(w, "")) for w, q in SIGN_OFF.items()), ("Signature", "")]
        ),
    ]
    if context is not None and context.accepted:
        blocks.append(
            Paragraph("Whoever approved the release confirmed these warnings one by one:")
        )
        blocks.append(Listing(context.accepted))
    if missing:
        blocks.append(
            Callout(
                "Some entries are missing.",
                "Fill them in by hand on paper, or write them into the section [context] of the "
                "policy, from which this report takes them.",
            )
        )
    return Section("context", "Context of the release", blocks)
