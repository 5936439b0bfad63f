"""Is what was spent within what was promised? Recomputed from scales and sensitivities alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

BILLION = 10**9
STEPS_OF_SCORES = 2**16


def accounting_faults(model: Mapping[str, Any], limit: int, given: int) -> Iterator[str]:
    """Find what is wrong in a model's charges.

    Parameters
    ----------
    limit : rows per person that the declaration allows
    given : pairs of columns that are counted without a draw, since they have forbidden values
    """
    n_columns = len(model["columns"])
    blocks = n_columns + (model["focus"] is not None)
    links = len(model["edges"])
    expected = {"columns": (limit**2 * blocks, 1)}
    if links > given:
        expected["tree"] = ((limit * STEPS_OF_SCORES) ** 2, links - given)
    if links:
        expected["pairs"] = (limit**2 * links, 1)
    charges = {charge["step"]: charge for charge in model["charges"]}
    if set(charges) != set(expected):
        yield "the model's charges are not those of its steps"
        return
    for step, (squared, times) in expected.items():
        charge = charges[step]
        if (charge["sensitivity_squared"], charge["times"]) != (squared, times):
            yield f"the charge of step {step} has another sensitivity than its counts"
        # A Gaussian and a choice by Gumbel noise both cost squared sensitivity / (2 scale**2).
        rho = times * squared / (2 * charge["scale"] ** 2)
        if charge["amount"] < rho * BILLION * (1 - 1e-12):
            yield f"the charge of step {step} is less than its noise costs"
    spent = sum(charge["amount"] for charge in charges.values())
    if spent > round(model["rho"] * BILLION):
        yield "the charges add up to more than the model's rho"
    if not is_within(model["rho"], float(model["epsilon"]), model["delta"], model["conversion"]):
        yield "the model's rho is more than its epsilon and delta allow"


def is_within(rho: float, epsilon: float, delta: float, conversion: str) -> bool:
    """Tell whether rho keeps a promise of epsilon and delta.

    Source: bun2016, proposition 1.3; canonne2020, corollary 13, at the best of many orders.
    """
    if rho + 2 * math.sqrt(rho * math.log(1 / delta)) <= epsilon:
        return True
    if conversion != "canonne2020":
        return False
    above = np.geomspace(1e-4, 1e9, 200_001)
    logarithms = (
        above * ((1 + above) * rho - epsilon)
        - np.log(above)
        + (1 + above) * np.log(above / (1 + above))
    )
    # The best order lies between two of these; what that can hide is far below this.
    return float(logarithms.min()) <= math.log(delta) + 1e-6
