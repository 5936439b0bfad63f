"""How the cells of one column are read, as a value that every engine applies in its own words."""

from __future__ import annotations

from dataclasses import dataclass

from indistinct.base.cells.date_formats import DateFormat
from indistinct.base.cells.number_formats import PADDING, number_parts


@dataclass(frozen=True, slots=True)
class CellReading:
    """How the cells of a column are read.

    Parameters
    ----------
    missing : words that stand for a missing value, besides the empty cell
    format : of dates; None where they are written as ISO does, or are none
    decimal : the mark before the decimals; empty where numbers are written plainly, or are none
    """

    missing: tuple[str, ...] = ()
    format: DateFormat | None = None
    decimal: str = ""

    def plain(self, text: str) -> str | None:
        """Return a cell in plain form; None where it is missing, or is not what its column is.

        A number has no unit, since cells of one column may have several.

        Examples
        --------
        >>> CellReading(("NA",), decimal=",").plain("1.234,5")
        '1234.5'
        >>> CellReading(("NA",)).plain(" NA "), CellReading(decimal=",").plain("12 kg")
        (None, None)
        """
        if text.strip(PADDING) in {"", *self.missing}:
            return None
        if self.format is not None:
            return self.format.iso(text)
        if not self.decimal:
            return text
        parts = number_parts(text)
        return None if parts is None or parts.units else parts.plain(self.decimal)


AS_WRITTEN = CellReading()
