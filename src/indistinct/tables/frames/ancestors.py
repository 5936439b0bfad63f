"""Which code lies right above another, by a table of all ancestors of each code."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from indistinct.tables.frames.texts import filled_texts

ANCESTOR, DESCENDANT, STEPS = (
    "ancestor_concept_id",
    "descendant_concept_id",
    "min_levels_of_separation",
)
MOST_GENERATIONS = 40  # of the chain above a code


def parents_of(texts: Sequence[str], table: pl.DataFrame) -> dict[str, str]:
    """Return one parent of each code, and of each of its ancestors, that has any.

    It is the nearest ancestor; of several the one above most of the codes, and of several such the
    one with the smallest number.

    Parameters
    ----------
    texts : the codes
    table : with the columns of ``concept_ancestor``, names in any case; it is empty without them
    """
    spelled = {name.lower(): table[name] for name in table.columns}
    if not {ANCESTOR, DESCENDANT, STEPS} <= spelled.keys():
        return {}
    columns = (filled_texts(spelled[name]).alias(name) for name in (ANCESTOR, DESCENDANT))
    steps = spelled[STEPS].cast(pl.Int64, strict=False).alias(STEPS)
    listed = pl.DataFrame([*columns, steps]).filter(pl.col(STEPS) > 0)
    of_codes = listed.filter(pl.col(DESCENDANT).is_in([*texts]))
    weights = of_codes.group_by(ANCESTOR).agg(below=pl.col(DESCENDANT).n_unique())
    found: dict[str, str] = {}
    new = [*texts]
    for _ in range(MOST_GENERATIONS):
        near = (
            listed.filter(pl.col(DESCENDANT).is_in(new))
            .join(weights, on=ANCESTOR, how="left")
            .with_columns(
                pl.col("below").fill_null(0),
                number=pl.col(ANCESTOR).cast(pl.Int64, strict=False),
            )
            .sort(STEPS, "below", "number", ANCESTOR, descending=[False, True, False, False])
            .unique(DESCENDANT, keep="first", maintain_order=True)
        )
        found |= dict(near.select(DESCENDANT, ANCESTOR).iter_rows())
        new = [one for one in {*near[ANCESTOR]} if one not in found]
        if not new:
            break
    return found
