"""Names and constants, as both engines read them."""

from __future__ import annotations

from fractions import Fraction


def quoted(name: str) -> str:
    """Write an identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Write a text that the declaration holds."""
    return "'" + text.replace("'", "''") + "'"


def double(number: Fraction) -> str:
    """Write a number as the nearest double."""
    return f"CAST({float(number)!r} AS DOUBLE PRECISION)"
