"""Largest share: known events tell no more than so much of a sensitive value of related tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

from indistinct.base.parameters import check, parameter


@final
@dataclass(frozen=True, slots=True)
class LargestShare:
    """Of the units that have a pattern without the values, at most a share have one of them.

    Patterns are those of joint anonymity beside it, the empty one included, of rows that do not
    show one of the values. Where m is "all", they are all such rows of a unit, and what holds of
    these holds of any of them. It is a promise about several tables together, so that it is no
    model of a flat table.

    Source: mohammed2009, the confidence of LKC-privacy, for rows of related tables.
    """

    column: str = parameter(str, help="the column, as TABLE.COLUMN")
    values: tuple[str, ...] = parameter(tuple, help="values, or labels above values, to protect")
    share: float = parameter(
        float, above=0, below=1, help="largest share of the people who may have one of the values"
    )

    name: ClassVar[str] = "largest-share"

    def __post_init__(self) -> None:
        """Check every parameter once."""
        check(self)

    @property
    def table(self) -> str:
        """The table of the column."""
        return self.column.partition(".")[0]

    @property
    def column_name(self) -> str:
        """The column in its table."""
        return self.column.partition(".")[2]

    def required(self) -> dict[str, Any]:
        """Return the parameters as the manifest names them."""
        return {"column": self.column, "values": list(self.values), "share": self.share}
