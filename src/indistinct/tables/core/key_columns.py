"""How keys, and the rows that they lead to, are written: a key has one column or several."""

from __future__ import annotations

SEPARATOR = ","
NO_ROW = "(none)"  # in place of the cells of a hidden row above, where there is no such row


def key_parts(said: str) -> tuple[str, ...]:
    """Return the columns of a key.

    Examples
    --------
    >>> key_parts("stay_id, seq")
    ('stay_id', 'seq')
    """
    return tuple(part.strip() for part in said.split(SEPARATOR))


def released_name(said: str) -> str:
    """Return the column that has the new key: one number, also for several columns.

    Examples
    --------
    >>> released_name("stay_id, seq")
    'stay_id_seq'
    """
    return "_".join(key_parts(said))
