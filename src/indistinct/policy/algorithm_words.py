"""The parameters of all algorithms, as words of a policy."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import BaseModel, Field, create_model

from indistinct.core.parameters import Bounds, bounds_of
from indistinct.search import Algorithm

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
