"""Section 1: the verdict in one sentence, and four figures."""

from __future__ import annotations

from indistinct.base.statements.number_texts import capitalized, count, percent, some
from indistinct.base.statements.sentences import (
    KEPT_NOTE,
    NO_MODEL,
    highest_words,
    kept_words,
    promises_in,
    risk_note,
    undecided_reasons,
)
from indistinct.base.statements.statements import is_known
from indistinct.frontends.report.components import (
    Block,
    Callout,
    Figure,
    Figures,
    Listing,
    Paragraph,
    Section,
    Tone,
)
from indistinct.frontends.report.owner.evidence import ReportEvidence


def section(evidence: ReportEvidence) -> Section:
    """Return whether the release may be published, and what it keeps."""
    blocks: list[Block] = [verdict_of(evidence), Figures(figures_of(evidence))]
    context = evidence.policy.context
    if context is not None and context.contact:
        blocks.append(Paragraph(f"Whom to ask about this release: {context.contact}."))
    if disclosed := _disclosed(evidence):
        blocks.append(Listing(disclosed))
    if evidence.faults:
        blocks.append(Listing([f"{fault}." for fault in evidence.faults]))
    return Section("verdict", "Verdict", blocks)


def verdict_of(evidence: ReportEvidence) -> Callout:
    """Return the verdict in one sentence."""
    if evidence.holds is None:
        return Callout(
            "It is not decided whether the promise holds.",
            "No fault was found, but what is at hand does not prove every part of the promise. "
            "Verify the release with its original and the crosswalk before you publish it. "
            + " ".join(f"{one}." for one in undecided_reasons(evidence.statements)),
            Tone.WARNING,
        )
    if not evidence.holds:
        return Callout(
            "Do not publish this table: the promise does not hold.",
            "The reasons are listed below. Make a new release, or change the promise knowingly.",
            Tone.BAD,
        )
    if not evidence.models:
        return Callout(
            f"{NO_MODEL}.",
            "Columns are protected one by one, as section 4 says. Decide whether that is enough.",
            Tone.WARNING,
        )
    return Callout(
        "The promise holds.",
        f"The release of {some(evidence.n_released, 'record')} was checked after it was made: "
        "every group of records satisfies the policy. Sections 5 and 7 describe the risk that "
        "remains. Decide whether it is acceptable for those who will receive the data.",
        Tone.GOOD,
    )


def _disclosed(evidence: ReportEvidence) -> list[str]:
    """Name the sensitive values that groups give away: a promise may hold and say nothing of it."""
    if evidence.findings is None:
        return []
    return [
        f"For {percent(known.records_of_one_value)} of the released records, the value of the "
        f"sensitive column {name} is disclosed to everybody who finds the person's group (section "
        "5). Decide whether that is acceptable, or add a model for this column to the policy."
        for name, known in evidence.findings.anonymity.sensitive.items()
        if known.records_of_one_value > 0
    ]


def _left_out(evidence: ReportEvidence, records: int) -> str:
    """Return how many were left out; of people, too, where the policy counts them."""
    said = f"{count(records)} of {count(evidence.n_before)} were left out."
    if not records:
        said = f"None of the {count(evidence.n_before)} records was left out."
    if evidence.people_kept is None:
        return said
    kept, gone = evidence.people_kept
    return f"{said} Of {count(kept + gone)} people, {count(gone)} have no record in the release."


def figures_of(evidence: ReportEvidence) -> list[Figure]:
    """Return the four figures."""
    held = {True: ("yes", Tone.GOOD), False: ("no", Tone.BAD), None: ("undecided", Tone.WARNING)}
    word, tone = held[evidence.holds]
    if not evidence.models and evidence.holds:
        word, tone = "none", Tone.WARNING
    stated = evidence.statements
    n_promises = len(evidence.models)
    promise = f"{promises_in(stated)}."
    if n_promises:
        each = "This promise is" if n_promises == 1 else f"These {n_promises} promises are"
        promise = f"{each} explained in section 4."
    kept = evidence.n_released / max(evidence.n_before, 1)
    left_out = evidence.n_before - evidence.n_released
    share, highest = stated.kept["share"], stated.risk["highest"]
    above = is_known(highest) and highest["chance"] > evidence.asked.threshold.risk
    return [
        Figure("Promise held", word, promise, tone),
        Figure(
            "Records kept",
            percent(kept),
            _left_out(evidence, left_out),
        ),
        Figure(
            "Information kept",
            percent(share) if is_known(share) else "not examined",
            f"{capitalized(kept_words(stated.kept))}. {KEPT_NOTE}",
        ),
        Figure(
            "Highest re-identification risk",
            highest_words(stated.risk),
            risk_note(stated.risk),
            Tone.WARNING if above else Tone.PLAIN,
        ),
    ]
