"""The table ``[release]``."""

from __future__ import annotations

from typing import Literal

from indistinct.tables.policy.policy_table import Words


class ReleasePolicy(Words):
    """How the release is written."""

    suppressed: Literal["drop", "mask"] = "drop"
    intervals: Literal["label", "bounds", "midpoint"] = "label"
    range_ends: Literal["exact", "rounded"] = "exact"
    suppressed_cell: Literal["value", "any"] = "value"
    form: Literal["table", "anatomy"] = "table"
    read_back: Literal["refused", "accepted"] = "refused"
