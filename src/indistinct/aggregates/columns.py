"""The dimensions of published tables as columns of a table, so that they are read as such."""

from __future__ import annotations

from typing import Any

from indistinct.aggregates.policy import TablesPolicy
from indistinct.tables.policy import Policy


def as_columns(policy: TablesPolicy) -> Policy:
    """Return the dimensions as columns of a table, so that they are read as such."""
    columns: dict[str, Any] = {}
    for name in policy.dimensions:
        said = policy.columns.get(name)
        words: dict[str, Any] = {"role": "quasi-identifier"}
        if said is not None:
            words |= said.model_dump(exclude_defaults=True, exclude={"role", "bands"})
        columns[name] = words
    data = policy.data.model_dump(exclude_defaults=True, exclude={"person"})
    return Policy.of_public_words({"columns": columns, "data": data}, policy.folder)
