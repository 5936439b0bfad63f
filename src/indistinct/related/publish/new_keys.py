"""New keys of released rows: numbers by a secret shuffle, or pseudonyms of their own keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, PolicyError
from indistinct.related.publish.tables import RelatedTables
from indistinct.related.read_tables import key_texts
from indistinct.tables.frames import Column, spread_over, text_column
from indistinct.tables.masks import key_faults, key_of


def refuse_unfit_key(file: Path) -> None:
    """Refuse the file of a key of pseudonyms that cannot be read, or that others can read.

    Raises
    ------
    PolicyError
        when there is such a file
    """
    if faults := [Fault("related.key", *said) for said in key_faults(file)]:
        raise PolicyError(faults)


def new_keys(tables: RelatedTables, chance: RandomSource, name: str, rows: Ints) -> Column:
    """Return the new keys of some rows of a table: (n_rows,), those of other rows say nothing.

    The key of pseudonyms is made where there is none.
    """
    frame, made = tables.files[name].frame, tables.policy.pseudonym(name)
    if made is None:
        return Column(_shuffled(chance, name, rows, frame.height))
    secret = key_of(made.file)
    texts = key_texts(frame[rows], tables.policy.tables[name].key or "")
    return spread_over(
        text_column("", [made.pseudonym(secret, text) for text in texts]), rows, frame.height
    )


def _shuffled(chance: RandomSource, name: str, rows: Ints, n_rows: int) -> Ints:
    """Draw numbers for some rows of a table: (n_rows,), -1 for the others."""
    found = np.full(n_rows, -1, np.int64)
    found[rows] = chance.apart(f"keys of {name}").permutation(len(rows))
    return found
