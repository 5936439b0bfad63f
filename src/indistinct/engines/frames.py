"""What the other rooms call a table in memory and one of its columns.

They name columns, ask how many records there are, take a column by its name and rows by their
numbers, and hand all of it on. Whatever else is done with cells is a function of this room, which
gives arrays.
"""

from __future__ import annotations

from typing import TypeAlias

import polars as pl

Frame: TypeAlias = pl.DataFrame
Column: TypeAlias = pl.Series
