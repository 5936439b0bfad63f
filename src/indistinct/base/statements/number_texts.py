"""Numbers as people read them aloud."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

BEYOND_READING = 1e12  # numbers whose digits nobody reads, and of which the last are rounding


def count(number: int | None) -> str:
    """Write a whole number."""
    return "not known" if number is None else f"{number:,}"


def percent(share: float | None) -> str:
    """Write a share; small ones with more digits, and what is not nothing never as nothing."""
    if share is None or math.isnan(share):
        return "not known"
    if share in {0.0, 1.0}:
        return f"{share:.0%}"
    if share < 0.0001:  # noqa: PLR2004 - the last digit that is written
        return "less than 0.01%"
    if share > 0.9999:  # noqa: PLR2004 - the same from above
        return "more than 99.99%"
    digits = 2 if share < 0.01 or share > 0.99 else 1  # noqa: PLR2004 - near the ends, they count
    return f"{share:.{digits}%}".replace(".0%", "%")


def figure(value: object) -> str:
    """Write any figure with at most four digits that matter."""
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        if abs(value) >= BEYOND_READING:
            digits, _, power = f"{value:.3e}".partition("e+")
            return f"{digits} \N{MULTIPLICATION SIGN} 10^{int(power)}"
        return f"{value:,.4g}" if abs(value) < 10_000 else f"{value:,.0f}"  # noqa: PLR2004
    return str(value)


def chance(risk: float | None) -> str:
    """Write a risk as one in so many."""
    if risk is None:
        return "not known"
    if risk <= 0:
        return "none"
    if risk >= 1:
        return "certain"
    people = 1 / risk
    near = round(people)
    return f"1 in {near:,}" if abs(people - near) < 0.05 else f"1 in {people:,.1f}"  # noqa: PLR2004


def some(number: int, one: str, many: str = "") -> str:
    """Write a number and what it counts."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def capitalized(text: str) -> str:
    """Begin a text with a capital letter, and leave the rest as it is."""
    return text[:1].upper() + text[1:]


def listed(names: Iterable[str]) -> str:
    """Write names as in a sentence: a, b and c."""
    found: Sequence[str] = list(names)
    if len(found) < 2:  # noqa: PLR2004 - nothing to join
        return "".join(found)
    return f"{', '.join(found[:-1])} and {found[-1]}"


def parameters(words: Iterable[tuple[str, object]]) -> str:
    """Write the parameters of a model."""
    return ", ".join(f"{name} = {figure(value)}" for name, value in words)
