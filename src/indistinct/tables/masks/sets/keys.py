"""Sets of labels as numbers."""

from __future__ import annotations

from indistinct.errors import ParameterError

MOST_KEYS = 2**62


def base_of(n_labels: int, m: int) -> int:
    """Return the base in which a set of labels is a number.

    Raises
    ------
    ParameterError
        when such numbers do not fit into 62 bits
    """
    base = n_labels + 1
    if float(base) ** m > MOST_KEYS:
        raise ParameterError(
            f"sets of {m} of {n_labels:,} labels are too many to count one by one",
            'Lower m, or set m = "all", which whole sets satisfy.',
        )
    return base
