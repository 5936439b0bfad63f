"""Linkage by distance: finds people in perturbed columns, which no cell covers."""

from __future__ import annotations

import numpy as np

from indistinct.core.schema import Role
from indistinct.errors import Fault, ParameterError
from indistinct.metrics.success import success_rate
from indistinct.reader.attacks.nearest import nearest
from indistinct.reader.attacks.outcome import Outcome, expected
from indistinct.reader.attacks.scene import REGISTER, Scene


def nearest_neighbor(scene: Scene) -> Outcome:
    """Take the nearest record of each person for that person's.

    Attempts are people of the register who are in the original, drawn at random where there are
    more than asked for. With several neighbors, an attempt succeeds when the person's record is
    among them.

    Raises
    ------
    ParameterError
        when nothing tells which record is whose: the distance alone does not say it

    Source: domingoferrer2001, distance-based record linkage.
    """
    truth = scene.truth()
    if truth is None or truth.rows is None:
        raise ParameterError(
            [
                Fault(
                    "--crosswalk",
                    "is missing, and without it nobody can count who was found",
                    "Give --original and --crosswalk, and identifiers in the register.",
                )
            ]
        )
    names = scene.common(REGISTER, Role.QUASI_IDENTIFIER, Role.INSENSITIVE)
    targets = np.flatnonzero(truth.is_member & truth.is_clear)
    chosen = scene.chance.permutation(targets)[: scene.plan.attempts]
    found = nearest(scene.columns(names), REGISTER, chosen, scene.plan.neighbors, scene.chance)
    rows = truth.rows[chosen]
    hits = ((found == rows[:, None]) & (rows[:, None] >= 0)).any(axis=1)
    blind = scene.plan.neighbors / max(scene.released.height, 1)
    return Outcome(
        "nearest-neighbor",
        success_rate(float(hits.sum()), len(chosen), scene.plan.confidence),
        baseline=expected(blind, len(chosen), scene.plan.confidence),
        details={"columns": names, "neighbors": scene.plan.neighbors},
    )
