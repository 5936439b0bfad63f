"""What the promises of a draft cost on some records: the loss with and without each."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from indistinct.core.protocols import Deadline
from indistinct.core.randomness import RandomSource
from indistinct.core.schema import Role
from indistinct.counting.prepare import Prepared, asked_anew, prepare
from indistinct.drafting.models import DraftedModel, TriedModels, usual_models
from indistinct.drafting.together import JudgedColumn
from indistinct.engines.frames import Frame
from indistinct.errors import IndistinctError
from indistinct.policy.policy import Policy
from indistinct.policy.resolved import resolve
from indistinct.publish.search import search

RECORDS = 1_000  # that are tried, at equal distances
SECONDS = 3.0  # for all trials; reading and counting them takes less than one more
LEAST_SECONDS = 0.15  # below which a search finds little
SEED = 1  # figures of a trial are no release, and should be the same each time
ALIKE = 0.005  # of losses, below which the usual order of the promises decides
LossOfModels = Callable[[Sequence[Mapping[str, Any]]], float | None]


def tried_models(
    frame: Frame, words: Mapping[str, Any], judged: Sequence[JudgedColumn], names: Sequence[str]
) -> TriedModels:
    """Choose the cheapest of the usual promises for each sensitive column.

    Parameters
    ----------
    frame : the records
    words : of the drafted policy, without files beside it
    judged : the columns
    names : the sensitive columns, the most harmful first

    Returns
    -------
    per column that was tried in time, the cheapest promise, with what each costs in a sentence; and
    what they cost together
    """
    columns = {one.evidence.name: one for one in judged}
    measure = _measure(frame, words, names)
    if measure is None:
        return TriedModels()
    started = time.monotonic()
    plain = [model for model in words["models"] if model["name"] == "k-anonymity"]
    before = measure(plain)
    if before is None:
        return TriedModels()
    found: dict[str, DraftedModel] = {}
    for name in names:
        held: list[tuple[float, DraftedModel]] = []
        for model in usual_models(columns[name]):
            loss = measure([*plain, model.words])
            if loss is not None:
                held.append((loss, model))
                if loss <= before + ALIKE:
                    break
        if not held or time.monotonic() - started > SECONDS:
            break
        least = min(loss for loss, _ in held)
        chosen = next(model for loss, model in held if loss <= least + ALIKE)
        found[name] = DraftedModel(chosen.words, f"{chosen.said} {_figures(before, held)}")
    together = measure([*plain, *(model.words for model in found.values())]) if found else None
    if together is None:
        return TriedModels(found)
    said = f"Tried on up to {RECORDS:,} records, the loss is {before:.3f} with k-anonymity alone"
    return TriedModels(found, f"{said}, and {together:.3f} with all promises that were tried.")


def _figures(before: float, held: Sequence[tuple[float, DraftedModel]]) -> str:
    """Return what the promises cost."""
    costs = " or ".join(f"{loss:.3f} with {model.words['name']}" for loss, model in held)
    return f"Tried on up to {RECORDS:,} records, the loss is {before:.3f} without it, {costs}."


def _measure(frame: Frame, words: Mapping[str, Any], names: Sequence[str]) -> LossOfModels | None:
    """Count some records, and return what measures the loss of a policy's models on them."""
    rows = np.unique(np.linspace(0, frame.height - 1, min(RECORDS, frame.height)).astype(np.int64))
    some, ends = frame[rows.tolist()], time.monotonic() + SECONDS
    has_role = {name for name, one in words["columns"].items() if one["role"] != Role.IDENTIFIER}
    if not has_role or not names:
        return None
    counted: list[Prepared] = []

    def measure(models: Sequence[Mapping[str, Any]]) -> float | None:
        """Search for a release under some models, and return its loss; None where there is none."""
        left = ends - time.monotonic()
        if left < LEAST_SECONDS:
            return None
        try:
            asked = resolve(Policy.from_words({**words, "models": list(models)}))
            counted.append(asked_anew(counted[0], asked) if counted else prepare(some, asked))
            limit = Deadline.after(min(left, max(SECONDS / (2 * len(names) + 1), LEAST_SECONDS)))
            solution, _ = search(counted[-1], deadline=limit, chance=RandomSource(SEED))
            return float(counted[-1].problem.objective.evaluate(solution.recoding))
        except IndistinctError:
            return None

    # All sensitive columns are counted once, so that each model can be asked for.
    all_of_them = [{"name": "distinct-l-diversity", "column": name, "l": 1} for name in names]
    try:
        counted.append(prepare(some, resolve(Policy.from_words({**words, "models": all_of_them}))))
    except IndistinctError:
        return None
    return measure
