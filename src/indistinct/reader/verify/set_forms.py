"""Sets in a file of lists, or with a row per item: what is judged before they are cells of text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import polars as pl

from indistinct.errors import Fault
from indistinct.policy.policy import Policy
from indistinct.reader.verify.texts_as_read import text_as_read


def numbering_faults(found: pl.DataFrame, policy: Policy) -> Iterator[Fault]:
    """Find people who are not numbered by their place in the file.

    Any other number, or another order, could come from the input.

    Parameters
    ----------
    found : the file as it is, a row per person and item
    """
    long = policy.data.long
    if long is None or long.person not in found.columns:
        return
    numbers = [number for number, _ in groupby(text_as_read(found[long.person]).to_list())]
    if numbers != [str(place) for place in range(len(numbers))]:
        problem = "does not number the people 0, 1, 2 and so on, in the order of the rows"
        yield Fault(f"columns.{long.person}", problem, "Do not publish this file.")


def with_items(original: pl.DataFrame, found: pl.DataFrame, policy: Policy) -> pl.DataFrame:
    """Give the input with items apart where the release has them apart, to look for hidden ones."""
    forms = policy.set_forms
    return original.with_columns(
        original[name].str.split(mark)
        for name, mark in forms.separators.items()
        if name in original.columns
        and (forms.item == name or (name in found.columns and found[name].dtype == pl.List))
    )
