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
    shares = shares_of(round(model["rho"] * BILLION), links, expected.get("tree", (0, 0))[1])
    for step, (squared, times) in expected.items():
        charge = charges[step]
        if (charge["sensitivity_squared"], charge["times"]) != (squared, times):
            yield f"the charge of step {step} has another sensitivity than its counts"
        # A Gaussian and a choice by Gumbel noise both cost squared sensitivity / (2 scale**2).
        rho = times * squared / (2 * charge["scale"] ** 2)
        if charge["amount"] < rho * BILLION * (1 - 1e-12):
            yield f"the charge of step {step} is less than its noise costs"
        # The least scale within a share spends all of it; charges are rounded up to a billionth.
        least = math.sqrt(squared * BILLION / (2 * shares[step]))
        is_least = math.isclose(charge["scale"], least, rel_tol=1e-12)
        if not is_least or charge["amount"] > rho * BILLION + times + 1:
            yield f"the scale of step {step} is not the least that its share allows"
    spent = sum(charge["amount"] for charge in charges.values())
    if spent > round(model["rho"] * BILLION):
        yield "the charges add up to more than the model's rho"
    yield from promise_faults(model)


def promise_faults(model: Mapping[str, Any]) -> Iterator[str]:
    """Find a rho that is not the one of the model's epsilon and delta."""
    promise = float(model["epsilon"]), model["delta"], model["conversion"]
    if not is_within(model["rho"], *promise):
        yield "the model's rho is more than its epsilon and delta allow"
    elif is_within(model["rho"] * 1.001 + 1e-7, *promise):
        yield "the model's rho is less than its epsilon and delta allow"


def shares_of(budget: int, links: int, drawn: int) -> dict[str, int]:
    """Divide a budget among the steps, and that of the choice among its draws.

    Parameters
    ----------
    budget : billionths of rho
    links, drawn : pairs of columns that are counted, and those of them that were drawn

    Source: mckenna2021, algorithm 1.
    """
    if not links:
        return {"columns": budget}
    third = budget // 3
    if not drawn:
        return {"columns": third, "pairs": budget - third}
    return {"columns": third, "tree": (budget - 2 * third) // drawn, "pairs": third}


def is_within(rho: float, epsilon: float, delta: float, conversion: str) -> bool:
    """Return whether rho keeps a promise of epsilon and delta.

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
