"""Categories are numbered as the texts that they are."""

from __future__ import annotations

import polars as pl
import pytest

from indistinct.tables.verification.order_traces import numbered


@pytest.mark.parametrize("categories", [["b", "a", "c"], ["never", "c", "b", "a"]])
def test_categories_are_numbered_as_their_texts_are(categories: list[str]) -> None:
    column = pl.Series("x", ["a", "b", "a", "c"], dtype=pl.Enum(categories))

    found = numbered(column)

    assert found.values.gather(pl.Series(found.codes)).to_list() == ["a", "b", "a", "c"]
    assert sorted(found.values.to_list()) == ["a", "b", "c"]
