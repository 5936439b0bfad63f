"""What else was found in a release, as the statements have it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def findings_part(warnings: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the findings of a release: its warnings, as they are listed.

    Parameters
    ----------
    warnings : as JSON has them
    """
    return {
        "list": [dict(one) for one in warnings],
        "looked_for": [],
        "not_examined": [],
        "does_not_apply": [],
    }
