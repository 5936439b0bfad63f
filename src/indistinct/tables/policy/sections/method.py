"""The table ``[method]``."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import AfterValidator, BaseModel, Field, create_model

from indistinct.base.parameters import Bounds, bounds_of
from indistinct.tables.masks import SET_ALGORITHMS
from indistinct.tables.metrics import AGGREGATES, METRICS
from indistinct.tables.policy.policy_table import Words, one_of
from indistinct.tables.search import ALGORITHMS, ALGORITHMS_BY_NAME, Algorithm

# Every name in ``method.algorithm``, those of columns of sets among them.
ALGORITHM_NAMES = (*ALGORITHMS_BY_NAME, *SET_ALGORITHMS)
Table = TypeVar("Table", bound=BaseModel)

ELSEWHERE = frozenset({"suppressed_cell"})  # words of [release], which some algorithms read


def algorithm_words(table: type[Table], algorithms: Iterable[type[Algorithm]]) -> type[Table]:
    """Make a table whose words are the parameters of the algorithms.

    Algorithms may share a word, which then means the same in each.

    Parameters
    ----------
    table : what the table is made from
    """
    words: dict[str, Any] = {}
    for algorithm in algorithms:
        for field in dataclasses.fields(cast("Any", algorithm)):
            if "bounds" not in field.metadata or field.name in ELSEWHERE:
                continue
            bounds = bounds_of(field)
            if bounds.in_policy:
                words[field.name] = (_annotation(bounds, field.default), field.default)
    return create_model("AlgorithmWords", __base__=table, **words)


def _annotation(bounds: Bounds, default: object) -> Any:
    """Return in pydantic's words what values a parameter may have."""
    limits = {"ge": bounds.at_least, "gt": bounds.above, "le": bounds.at_most}
    given: dict[str, Any] = {
        name: bounds.kind(limit) for name, limit in limits.items() if limit is not None
    }
    kind: Any = Literal[bounds.choices] if bounds.choices else bounds.kind
    if given:
        kind = Annotated[kind, Field(**given)]
    return kind | None if default is None else kind


AlgorithmWords = algorithm_words(Words, ALGORITHMS)


class MethodPolicy(AlgorithmWords):
    """How the release is searched for; the parameters of the algorithms are among its words."""

    # Left out, it is chosen by the rest of the policy: see ``PolicyTables.algorithm``.
    algorithm: Annotated[str, AfterValidator(one_of([*ALGORITHM_NAMES]))] | None = None
    objective: Annotated[str, AfterValidator(one_of(METRICS))] = "loss"
    aggregate: Annotated[str, AfterValidator(one_of(AGGREGATES))] | None = None
    max_suppression: Annotated[float, Field(ge=0, le=1)] = 0.0
    time_limit: Annotated[float, Field(gt=0)] | None = None
    replay: Literal["allowed", "resistant"] = "allowed"
    weights: Literal["policy", "vulnerability"] = "policy"
    # These two weigh columns, too, whatever the algorithm.
    target: Literal["sensitive", "identity"] = "sensitive"
    trees: Annotated[int, Field(ge=1)] = 500
