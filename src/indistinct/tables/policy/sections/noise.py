"""The table ``[noise]``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from indistinct.tables.policy.policy_table import Words


class NoisePolicy(Words):
    """How much noise protects a column that does not say it itself."""

    epsilon: Annotated[float, Field(gt=0)] = 1.0
    confidence: Annotated[float, Field(ge=0, lt=1)] = 0.99
    budget: Literal["vector", "split", "per_attribute"] = "vector"
    zero: Literal["floor", "skip", "raise"] = "floor"
