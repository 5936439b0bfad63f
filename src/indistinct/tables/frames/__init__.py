"""Verbs on a frame: the one place that works on cells in memory."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "ANY_LISTS": "set_forms",
    "Column": "frame",
    "EncodedColumn": "tuples",
    "Frame": "frame",
    "all_cell_texts": "texts",
    "canonical_order": "row_ranks",
    "cell_texts": "texts",
    "days_between": "shifted_days",
    "distinct_texts": "texts",
    "encode": "encoding",
    "filled_texts": "texts",
    "frame_of": "frame",
    "n_without_day": "shifted_days",
    "shifted": "shifted_days",
    "spread_over": "frame",
    "table_of_cells": "frame",
    "text_column": "texts",
    "text_rows": "texts",
    "texts_by_key": "texts",
    "with_missing": "frame",
    "with_whole_columns": "frame",
    "drop_masked": "frame",
}

if TYPE_CHECKING:
    from indistinct.tables.frames.encoding import encode as encode
    from indistinct.tables.frames.frame import (
        Column as Column,
        Frame as Frame,
        drop_masked as drop_masked,
        frame_of as frame_of,
        spread_over as spread_over,
        table_of_cells as table_of_cells,
        with_missing as with_missing,
        with_whole_columns as with_whole_columns,
    )
    from indistinct.tables.frames.row_ranks import canonical_order as canonical_order
    from indistinct.tables.frames.set_forms import ANY_LISTS as ANY_LISTS
    from indistinct.tables.frames.shifted_days import (
        days_between as days_between,
        n_without_day as n_without_day,
        shifted as shifted,
    )
    from indistinct.tables.frames.texts import (
        all_cell_texts as all_cell_texts,
        cell_texts as cell_texts,
        distinct_texts as distinct_texts,
        filled_texts as filled_texts,
        text_column as text_column,
        text_rows as text_rows,
        texts_by_key as texts_by_key,
    )
    from indistinct.tables.frames.tuples import EncodedColumn as EncodedColumn
else:
    __getattr__ = face(__name__, FACE)
