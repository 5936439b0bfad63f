"""Checks of the masks in a release: what each mask shows in its columns, by its own plain check.

Random masks are tested once more beside the input, in ``mask_tests.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from indistinct.errors import Fault
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.protections import groups_of
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.original import DISMISS
from indistinct.tables.verification.pseudonym_tests import bit_problems
from indistinct.tables.verification.rendering import Renderer

UNTESTED = (
    "random masks ({}) were not tested: whether they changed the values as declared shows only "
    "beside the input and the crosswalk; give both (--original and --crosswalk)"
)
UNTESTED_HERE = "random masks ({}) were not tested: this form of a release cannot be compared so"
RANDOM = ("pseudonym", "randomized-response", "pram", "swap", "noise-additive", "noise")
OF_WHOLE_TABLES = ("noise", "microaggregation")  # of all records at once, and of their classes


def mask_faults(
    released: Mapping[str, pl.Series] | pl.DataFrame,
    spec: Specification,
    manifest: Mapping[str, Any] | None,
) -> Iterator[Fault]:
    """Find protected columns whose released cells say otherwise.

    Parameters
    ----------
    released : the release, all cells as text; or the distinct cells of each protected column, where
        these protect each record by itself
    spec : what was promised
    manifest : what the release says of itself, if it is at hand
    """
    said = None if manifest is None else manifest.get("protection", {})
    for protection, names in groups_of(spec.protections):
        unsaid = [] if said is None else [name for name in names if name not in said]
        for name in unsaid:
            yield Fault(
                f"manifest.protection.{name}",
                "is missing, though the policy protects this column",
                "Take the file, the manifest and the policy of one run.",
            )
        if not unsaid and not may_be_middles(spec, names):
            facts = None if said is None else said[names[0]]
            # Distinct cells of several columns stand in no rows.
            together = [names] if isinstance(released, pl.DataFrame) else [[one] for one in names]
            for some in together:
                columns = pl.DataFrame([released[name] for name in some])
                columns = columns.filter(~_are_labels(columns, spec.columns))
                yield from protection.check_release(columns, facts)
                if protection.name == "pseudonym":
                    for problem in bit_problems(columns.to_series().unique().drop_nulls()):
                        yield Fault(f"columns.{some[0]}", problem, DISMISS)


def _are_labels(columns: pl.DataFrame, rules: Mapping[str, ColumnRule]) -> pl.Series:
    """Return which rows have a label that was generalized further, and does not look like it.

    Masks know stars and ranges by their form, but neither periods nor labels of a file or a tree.
    """
    found = pl.repeat(value=False, n=columns.height, eager=True)
    for column in columns:
        if rules[column.name].in_classes:
            texts = column.cast(pl.String).unique().drop_nulls().to_list()
            cells = Renderer.of(rules[column.name], shown=texts)
            labels = [text for text in texts if 0 not in (cells.levels(text) or (0,))]
            found |= column.is_in(labels).fill_null(value=False)
    return found


def mask_faults_with_input(
    released: pl.DataFrame,
    spec: Specification,
    original: pl.DataFrame,
    rows: Sequence[int] | None,
    *,
    is_part: bool = False,
) -> Iterator[Fault]:
    """Find protected columns that were not made from those of the original.

    Parameters
    ----------
    released : the release, all cells as text
    original : the input, before anything was masked
    rows : number in the input of each released record, if it is known
    is_part : whether these are the records of a part of the input
    """
    for protection, names in groups_of(spec.protections):
        # Of a large table, only the columns are counted by which records are told apart.
        read = [*names, *protection.read_columns]
        is_there = {*names} <= {*released.columns} and {*read} <= {*original.columns}
        is_there &= protection.checks_records or not is_part
        if is_there and released.height and not may_be_middles(spec, names):
            yield from protection.check_against(released[names], original[read], rows)


def may_be_middles(spec: Specification, names: Sequence[str]) -> bool:
    """Return whether numbers of some columns may stand for the intervals around them.

    Such a number is no value that a protection made, and nobody can tell it from one.
    """
    return spec.release.intervals == "midpoint" and any(name in spec.class_names for name in names)


def mask_notes(spec: Specification) -> Iterator[str]:
    """Yield the notes that say of which columns the protection cannot be checked."""
    for _, names in groups_of(spec.protections):
        if may_be_middles(spec, names):
            yield (
                f"columns.{', '.join(names)}: a number may be the midpoint of an interval, so that "
                "the protection of its values cannot be checked; intervals that are released as "
                "labels or as bounds can"
            )


def untested(spec: Specification, *, is_linked: bool, in_parts: bool = False) -> Mapping[str, str]:
    """Return a note if random masks cannot be tested, under ``masks``.

    Parameters
    ----------
    is_linked : whether the input and the crosswalk are at hand
    in_parts : whether the table is not read whole
    """
    untold = (*RANDOM, "date-shift")
    names = [name for name, mask in spec.protections.items() if mask.name in untold]
    if not is_linked:
        return {"masks": UNTESTED.format(", ".join(names))} if names else {}
    if not any(model.republishes for model in spec.models):
        names = [name for name in spec.protections if not is_tested(spec, name, in_parts=in_parts)]
    return {"masks": UNTESTED_HERE.format(", ".join(names))} if names else {}


def is_tested(spec: Specification, name: str, *, in_parts: bool) -> bool:
    """Return whether a mask can be tested, the input and the crosswalk being at hand."""
    mask = spec.protections[name].name
    if mask not in OF_WHOLE_TABLES:
        return True
    # Noise of several columns, or before records are taken out, depends on what nobody sees.
    is_open = mask == "noise" and (
        len(spec.noises) > 1 or any(model.suppresses_later for model in spec.models)
    )
    # Middles may merge classes that differ, and sets have classes of their own.
    has_midpoints = spec.release.intervals == "midpoint"
    return not (in_parts or is_open or has_midpoints or spec.set_names)
