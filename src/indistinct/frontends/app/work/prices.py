"""What each promise costs: the detail that a sample keeps with it and without it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from indistinct.errors import IndistinctError
from indistinct.frontends.app.runs import outcome_of
from indistinct.frontends.app.work.search import TRIAL_RECORDS, TRIAL_SECONDS, TRIAL_SEED
from indistinct.tables.core import Progress
from indistinct.tables.evaluation import read_original
from indistinct.tables.policy import Policy
from indistinct.tables.publish import anonymize


def priced(tell: Progress, words: dict[str, Any], folder: str, data: str) -> Mapping[str, Any]:
    """Search on a sample with all promises, and once without each of them.

    Returns
    -------
    ``sample``, its records; ``kept``, the information that it keeps with all promises; ``without``,
    per promise, the same without it. None stands where there is no such release
    """
    method = {**words.get("method", {}), "time_limit": TRIAL_SECONDS}
    policy = Policy.from_words({**words, "method": method}, Path(folder))
    frame = read_original(data, policy.reading, policy.set_forms)
    sample = frame.sample(min(TRIAL_RECORDS, frame.height), seed=TRIAL_SEED)
    models: list[dict[str, Any]] = [dict(model) for model in words.get("models", [])]
    kept: list[float | None] = []
    for number in range(-1, len(models)):
        tell((number + 1) / (len(models) + 1), "pricing")
        fewer = [model for place, model in enumerate(models) if place != number]
        kept.append(_kept(sample, {**words, "method": method, "models": fewer}, Path(folder)))
    whole, *without = kept
    # A release that keeps all promises is one without each of them, too.
    best = [max((w for w in (whole, one) if w is not None), default=None) for one in without]
    return {"sample": sample.height, "kept": whole, "without": best}


def _kept(sample: Any, words: dict[str, Any], folder: Path) -> float | None:
    """Return the information that a release of the sample keeps; None where there is none."""
    if not words["models"]:
        return 1.0  # nothing has to become coarser
    try:
        release = anonymize(sample, Policy.from_words(words, folder))
    except IndistinctError:
        return None
    return outcome_of(dict(release.owner)).information
