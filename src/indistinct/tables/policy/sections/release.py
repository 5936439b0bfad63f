"""The table ``[release]``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from indistinct.tables.policy.policy_table import Words


class ReleasePolicy(Words):
    """How the release is written."""

    suppressed: Literal["drop", "mask"] = "drop"
    intervals: Literal["label", "bounds", "midpoint"] = "label"
    range_ends: Literal["exact", "rounded"] = "exact"
    suppressed_cell: Literal["value", "any"] = "value"
    form: Literal["table", "anatomy"] = "table"
    # What is done about cells that columns which are not generalized tell.
    read_back: Literal["repaired", "refused", "accepted"] = "repaired"
    # Share of the records that may then be in classes smaller than the models ask: less than this.
    max_read_back: Annotated[float, Field(ge=0, le=1)] = 0.01
