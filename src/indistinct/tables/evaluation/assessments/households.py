"""What a table reaches where households are counted: those that are alike in all their members."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from indistinct.tables.engines.tallies import without
from indistinct.tables.evaluation.assessments.findings import Findings
from indistinct.tables.models import KAnonymity
from indistinct.tables.release.entries import ModelEntry
from indistinct.tables.release.manifest import class_entry, risk_entry
from indistinct.tables.verification.evidence import evidence_of
from indistinct.tables.verification.households import household_classes
from indistinct.tables.verification.texts import text_as_read
from indistinct.tables.verification.verify_release import VerificationInput


def counted_in_households(findings: Findings, reading: VerificationInput) -> Findings:
    """Return what was found with sizes that count households, where the policy names their column.

    Parameters
    ----------
    findings : by which records are counted
    reading : the table
    """
    name = reading.spec.data.household
    if name is None or name not in reading.frame.columns:
        return findings
    numbers = text_as_read(reading.frame[name]).to_list()
    evidence = evidence_of(replace(reading, frame=without(reading.frame, [name])))
    sizes = np.array([one.size for one in household_classes(evidence, numbers)], np.int64)
    smallest = int(sizes.min(initial=reading.frame.height))
    models = tuple(
        ModelEntry(model.name, model.required(), {"k": smallest}, holds=smallest >= model.k)
        for model in reading.spec.models
        if isinstance(model, KAnonymity)
    )
    risk = risk_entry(sizes)
    return replace(
        findings,
        models=models,
        classes=replace(class_entry(sizes), counted="households"),
        risk=replace(findings.risk, prosecutor=risk.prosecutor, marketer=risk.marketer),
    )
