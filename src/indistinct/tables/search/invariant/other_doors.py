"""What to do where one sensitive value is too common for m-invariance, in an order that helps."""

from __future__ import annotations

from indistinct.base.arrays import Ints

COUNTS = (
    "If counts are enough, answer questions with indistinct database: the noise protects every "
    "value, however common, and one budget covers all releases."
)
TABLE = (
    "If records are needed, replace m-invariance by k-anonymity: it protects who is who, but not a "
    "value that a whole class has in common. Keep --history, which measures what the releases "
    "reveal together."
)


def other_doors(counts: Ints, m: int) -> str:
    """Return the ways that are left, the nearest first; no value is named.

    Parameters
    ----------
    counts : (n_values,), people per value
    m : values that every group was to have
    """
    possible = _largest(counts)
    rest = _largest(counts[counts < counts.max()]) if (counts == counts.max()).sum() == 1 else 0
    ways = [
        f"Ask for m of at most {possible}."
        if possible > 1
        else "No m of at least 2 is possible with this column."
    ]
    if rest >= m:
        ways.append(
            "If the commonest value needs no protection, publish the people who have it as a table "
            f"of their own, under another model: for all others, m of at most {rest} is possible."
        )
    elif rest:
        ways.append(
            "It would not be enough to leave out the people who have the commonest value: the "
            f"others allow m of at most {rest}."
        )
    return " ".join([*ways, COUNTS, TABLE])


def _largest(counts: Ints) -> int:
    """Return the largest m for which no value is too common."""
    return int(counts.sum()) // int(counts.max()) if counts.any() else 0
