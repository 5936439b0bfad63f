"""Section 8: how to repeat and to check the release, and whose methods it used."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, cast

from indistinct.base.statements.number_texts import figure
from indistinct.frontends.report.bibliography import entries_of, keys_of
from indistinct.frontends.report.components import Block, Code, Paragraph, Section, Table
from indistinct.frontends.report.owner.evidence import ReportEvidence
from indistinct.frontends.report.promises import kinds_used

METHOD = {
    "algorithm": "Algorithm",
    "objective": "Objective: what the search kept small",
    "seconds": "Seconds that the search took, about",
}


def section(evidence: ReportEvidence) -> Section:
    """Return the policy, the commands, the hashes and the papers."""
    blocks: list[Block] = [
        Paragraph(
            "Everybody who has the original and this policy can make an equivalent release. The "
            "order of the records and any noise are random and differ each time, so that they "
            "tell nothing. Only tests give a seed, which makes them repeatable."
        ),
        Code("The policy, as a file policy.toml", policy_text(evidence)),
        Code("The commands", "\n".join(_commands(evidence))),
    ]
    rows = list(_facts(evidence))
    if rows:
        blocks.append(Table("Versions and hashes", ("Fact", "Value"), rows))
    papers = entries_of(keys_of(*kinds_used(evidence.policy, evidence.manifest.get("method", {}))))
    if papers:
        blocks.append(Code("The publications behind the methods, as BibTeX", papers))
    return Section("repeat", "How to repeat it", blocks)


def policy_text(evidence: ReportEvidence) -> str:
    """Write the policy as TOML."""
    import tomli_w

    return tomli_w.dumps(_said(evidence.policy.words())).rstrip()


def _said(words: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what is not set: TOML has no word for it."""
    return {name: _plain(value) for name, value in words.items() if value is not None}


def _plain(value: Any) -> Any:
    """Leave out what is not set in nested words."""
    if isinstance(value, Mapping):
        return _said(cast("Mapping[str, Any]", value))
    return [_plain(one) for one in cast("list[Any]", value)] if isinstance(value, list) else value


def _commands(evidence: ReportEvidence) -> Iterator[str]:
    """Yield the commands that make, verify and report."""
    name = shlex.quote(evidence.asked.name)
    seed = "" if evidence.asked.seed is None else f" --seed {evidence.asked.seed}"
    yield f"indistinct anonymize ORIGINAL --policy policy.toml --out {name}{seed}"
    yield f"indistinct verify {name} --policy policy.toml"
    options = " ".join(map(shlex.quote, evidence.asked.options))
    yield (
        f"indistinct report {name} --policy policy.toml --original ORIGINAL "
        f"{options + ' ' if options else ''}--out report.html"
    )


def _facts(evidence: ReportEvidence) -> Iterator[tuple[str, str]]:
    """List versions, hashes and the course of the search."""
    manifest = evidence.manifest
    if not manifest:
        return
    yield "Version of indistinct", str(manifest["indistinct"])
    yield "Version of Python, for this report", platform.python_version()
    yield "Salted fingerprint of the original", str(manifest["input"]["fingerprint"])
    yield "SHA-256 of the release", str(manifest["output"]["sha256"] or "not written yet")
    for name, value in manifest["method"].items():
        if isinstance(value, str | int | float):
            label = METHOD.get(name, f"Method: {name.replace('_', ' ')}")
            yield label, figure(value)
    if evidence.asked.seed is not None:
        yield "Seed", str(evidence.asked.seed)
