"""How a key is written: one column, or several with commas between them."""

from __future__ import annotations

SEPARATOR = ","


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
