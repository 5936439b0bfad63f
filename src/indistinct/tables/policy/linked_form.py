"""The columns and files of a release in two linked tables."""

from __future__ import annotations

GROUP, COUNT = "group", "count"
FEWEST_VALUES = 2
