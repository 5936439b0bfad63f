"""The table ``[history]``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from indistinct.tables.policy.policy_table import Words


class HistoryPolicy(Words):
    """Who is who in all releases of a table, and what these may tell together."""

    person: str
    companions: Literal["fixed", "mixed"] = "fixed"
    signatures: Literal["few", "free"] = "few"
    max_counterfeits: Annotated[float, Field(ge=0)] = 0.3
    composition: Literal["warn", "refuse"] = "warn"
