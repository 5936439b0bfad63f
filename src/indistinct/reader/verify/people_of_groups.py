"""Records of people in a release whose groups have counterfeits, as far as its files tell them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from indistinct.policy.linked_form import GROUP, counterfeits_path
from indistinct.policy.policy import Policy
from indistinct.reader.verify.republication import MADE, counterfeits_in
from indistinct.reader.verify.texts_as_read import texts_as_read


def people_in(released: pl.DataFrame, policy: Policy, data: Any, listed: Any) -> pl.DataFrame:
    """Leave as many records of each group out as it has counterfeits.

    Which records they are is told nowhere. The cells of a group are all alike, so that what they
    lost is measured exactly.

    Parameters
    ----------
    data : what the table was read from; the list of counterfeits is beside it if it is a path
    listed : the list of counterfeits, if it is known

    Raises
    ------
    DataError
        when there is no list
    """
    if not policy.algorithm.republishes or GROUP not in released.columns:
        return released
    is_path = isinstance(data, str | Path)
    place = listed if listed is not None or not is_path else counterfeits_path(data)
    table = texts_as_read(counterfeits_in(place))
    made = {group: int(count) for group, count in table.select(GROUP, MADE).iter_rows()}
    kept: list[bool] = []
    for group in texts_as_read(released.select(GROUP))[GROUP].to_list():
        left = made.get(group, 0)
        kept.append(left == 0)
        made[group] = max(left - 1, 0)
    return released.filter(pl.Series(kept, dtype=pl.Boolean))
