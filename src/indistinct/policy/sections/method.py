"""The table ``[method]``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from indistinct.masks import SET_ALGORITHMS
from indistinct.metrics import AGGREGATES, METRICS
from indistinct.policy.algorithm_words import algorithm_words
from indistinct.policy.policy_table import Words, one_of
from indistinct.search import ALGORITHMS, ALGORITHMS_BY_NAME

AlgorithmWords = algorithm_words(Words, ALGORITHMS)


class MethodPolicy(AlgorithmWords):
    """How the release is searched for; the parameters of the algorithms are among its words."""

    # Left out, it is chosen by the rest of the policy: see ``PolicyTables.algorithm``.
    algorithm: (
        Annotated[str, AfterValidator(one_of([*ALGORITHMS_BY_NAME, *SET_ALGORITHMS]))] | None
    ) = None
    objective: Annotated[str, AfterValidator(one_of(METRICS))] = "loss"
    aggregate: Annotated[str, AfterValidator(one_of(AGGREGATES))] | None = None
    max_suppression: Annotated[float, Field(ge=0, le=1)] = 0.0
    time_limit: Annotated[float, Field(gt=0)] | None = None
    replay: Literal["allowed", "resistant"] = "allowed"
    weights: Literal["policy", "vulnerability"] = "policy"
    # These two weigh columns, too, whatever the algorithm.
    target: Literal["sensitive", "identity"] = "sensitive"
    trees: Annotated[int, Field(ge=1)] = 500
