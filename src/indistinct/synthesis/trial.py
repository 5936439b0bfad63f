"""A synthesis that nobody pays for: what the owner compares, and must not publish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from indistinct.database.dataset import Dataset
from indistinct.database.session import open_engine
from indistinct.synthesis.domain import Cell
from indistinct.synthesis.mst import learn
from indistinct.synthesis.plan import Plan, make_plan
from indistinct.synthesis.reading import EngineCounts
from indistinct.synthesis.synthesize import made_up


def trial_plan(
    dataset: Dataset, epsilon: Any, algorithm: Literal["mst", "independent"], focus: str | None
) -> Plan:
    """Decide what a synthesis by another algorithm or with another focus would cost and count."""
    # Without pairs nothing can be kept apart: the baseline is made without it.
    forbidden = dataset.synthesis.forbidden if algorithm == "mst" else ()
    words = replace(dataset.synthesis, algorithm=algorithm, focus=focus, forbidden=forbidden)
    return make_plan(replace(dataset, synthesis=words), epsilon)


def trials(plan: Plan, data: Path, times: int) -> Sequence[Mapping[str, Sequence[Cell]]]:
    """Make up tables of other rows of the declared table; no ledger is asked.

    Parameters
    ----------
    data : a file with the columns of the declaration
    times : how many, each with noise of its own

    Returns
    -------
    the cells of each table, by column
    """
    dataset = replace(plan.dataset, data=str(data))
    engine = open_engine(dataset)
    try:
        counts = EngineCounts(engine, dataset, plan.measured, plan.focus)
        models = [
            learn(
                plan.attributes,
                counts,
                plan.spending,
                focused=plan.focus is not None,
                pair_scale=plan.pair_scale,
                rules=plan.rules,
            )
            for _ in range(times)
        ]
    finally:
        engine.close()
    return [made_up(plan, model, model.n_records) for model in models]
