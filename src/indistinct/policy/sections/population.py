"""The table ``[population]``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from indistinct.policy.policy_table import Words


class PopulationPolicy(Words):
    """Who else there is: how many, or a table of their quasi-identifiers."""

    size: Annotated[int, Field(ge=1)] | None = None
    data: str | None = None
