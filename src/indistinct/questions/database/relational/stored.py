"""Noisy numbers as the ledger keeps them: per part, so that other questions find them, too."""

from __future__ import annotations

import json
import math
from dataclasses import replace

from indistinct.errors import EngineError
from indistinct.questions.database.book import EDITED
from indistinct.questions.database.relational.answering import NoisyCounts
from indistinct.questions.database.relational.plan import FIRST_STAGE, RelationalPlan


def stored(plan: RelationalPlan, found: NoisyCounts) -> str:
    """Write an answer with the scale of the noise of each part."""
    parts = plan.statement.parts
    return json.dumps(
        {
            "relation": plan.statement.relation,
            "scales": plan.scales,
            "threshold": plan.threshold,
            "cells": [list(cell) for cell in found.cells],
            "numbers": {part.name: found.numbers[at] for at, part in enumerate(parts)},
        }
    )


def restored(plan: RelationalPlan, text: str) -> tuple[RelationalPlan, NoisyCounts]:
    """Read an answer; return it with the plan that has the noise of its parts.

    Raises
    ------
    EngineError
        If it has not all parts of the plan, over the same rows and at least as precisely.
    """
    found = json.loads(text)
    scales = found["scales"]
    is_precise = all(scales.get(one, math.inf) <= scale for one, scale in plan.scales.items())
    if found["relation"] != plan.statement.relation or not is_precise:
        raise EngineError(*EDITED)
    noises = {part: replace(noise, scale=scales[part.name]) for part, noise in plan.noises.items()}
    stage = plan.stage and replace(plan.stage, scale=scales[FIRST_STAGE])
    numbers = {at: found["numbers"][part.name] for at, part in enumerate(plan.statement.parts)}
    cells = [tuple(cell) for cell in found["cells"]]
    threshold = found["threshold"]
    return (
        replace(plan, noises=noises, stage=stage, threshold=threshold),
        NoisyCounts(cells, numbers),
    )
