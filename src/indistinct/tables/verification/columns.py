"""Whether a release has the columns and the cells that its policy allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from indistinct.errors import Fault
from indistinct.tables.core.schema import Role
from indistinct.tables.frames.frame import Column
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.evidence import CheckedRelease, released_names
from indistinct.tables.verification.listed import TEXTS, missing_label
from indistinct.tables.verification.order_traces import least_alike, tells_order
from indistinct.tables.verification.periods import PARTS, period_around, step_of
from indistinct.tables.verification.rendering import Renderer
from indistinct.tables.verification.texts import (
    CLOSED,
    HALF_OPEN,
    HIDDEN,
    has_leading_zero,
    is_finite,
    is_number,
    is_text,
    text_as_read,
)

SHORTEST_ORDER = 10


def column_faults(names: Sequence[str], spec: Specification) -> Iterator[Fault]:
    """Find identifiers that are left, and columns that should not or should be there."""
    left_out = {*spec.left_out}
    expected = [
        released
        for name in spec.columns
        if name not in left_out
        for released in released_names(spec.columns[name], names)
    ]
    if expected and not {*names} & {*spec.columns, *expected}:
        # Then the first line is perhaps a record, whose values no message may show.
        yield Fault(
            "columns",
            "none of the policy is in the release",
            "Check that the file begins with the names of its columns.",
        )
        return
    for name in names:
        if name not in expected:
            is_identifier = name in left_out
            problem = (
                "is an identifier and still there" if is_identifier else "is not in the policy"
            )
            yield Fault(f"columns.{name}", problem, "Do not publish this file.")
    for name in expected:
        if name not in names:
            yield Fault(f"columns.{name}", "is missing", "Is this the release of this policy?")


def cell_faults(evidence: CheckedRelease) -> Iterator[Fault]:
    """Find cells that the policy does not allow, or that do not cover their original value."""
    for name in evidence.spec.class_names:
        yield from faults_of_cells(evidence, name)


def faults_of_cells(evidence: CheckedRelease, name: str) -> Iterator[Fault]:
    """Find such cells in one column."""
    rule, cells = evidence.spec.columns[name], renderer_of(evidence, name)
    distinct, are_middles = evidence.counts(name), shows_midpoints(evidence, name)
    allows = cells.allows_middle if are_middles else cells.allows
    # Two empty bounds are a hidden cell or a missing value: nobody can tell which.
    is_pair = len(released_names(rule, evidence.typed.columns)) > 1
    allowed = {cell: allows(cell) for cell, _ in distinct}
    # An empty cell is a missing value under its listed word, or under a label above it.
    unwritten = missing_label(rule)
    ways = {unwritten, *cells.above(unwritten)} - {HIDDEN}
    may_be_missing = any(map(cells.allows, ways))
    allowed[""] = allowed.get("", False) or may_be_missing
    if is_pair and HIDDEN in allowed:
        allowed[HIDDEN] |= may_be_missing
    elif rule.words.is_always_shown:
        allowed[HIDDEN] = False
    strange = [(cell, count) for cell, count in distinct if not allowed[cell]]
    if strange:
        yield Fault(
            f"columns.{name}",
            f"{sum(count for _, count in strange)} cells are not a generalization that the policy "
            "allows",
            "Do not publish this file; --show-values prints them.",
            tuple(cell for cell, _ in strange[:5]),
        )
    is_below = cells.has_in_middle if are_middles else cells.is_below
    yield from _cover_faults(evidence, name, is_below)
    if are_middles:
        return
    yield from _untrue_faults(evidence, name, cells)


def _untrue_faults(evidence: CheckedRelease, name: str, cells: Renderer) -> Iterator[Fault]:
    """Find released ranges and periods that are not true of values of the input below them."""
    if evidence.before(name) is None or cells.kind not in {"list", "labels"}:
        return
    if cells.kind == "list":
        shown = {cell for cell, _ in evidence.counts(name)}
        pairs = [
            (label, value)
            for value in text_as_read(evidence.numbered_before(name).values).to_list()
            for label in cells.listed.path(value)[1:]
            if label in shown
        ]
    else:
        pairs = [] if evidence.rows is None else list(evidence.pairs(name).texts())
    are_codes = evidence.spec.columns[name].words.type in TEXTS
    false = {label for label, value in pairs if not (are_codes or _is_true(label, value))}
    levels = Counter([*cells.allowed_levels(label), 0][0] for label in false)
    for level, count in sorted(levels.items()):
        problem = f"level {level} has labels that are not true of values below them: {count}"
        yield Fault(f"columns.{name}", problem, "Do not publish this file.")


def _is_true(label: str, value: str) -> bool:
    """Return whether a label in the writing of ranges or periods contains a value; a name does."""
    if label == value:
        return True
    ends, step, own = CLOSED.match(label) or HALF_OPEN.match(label), step_of(label), step_of(value)
    if ends is not None:
        if own == "day" or not is_finite(value) or has_leading_zero(value):
            return own != "day"
        low, number, high = Decimal(ends[1]), Decimal(value), Decimal(ends[2])
        return low <= number < high or (number == high and label.endswith("]"))
    if step in {None, "day"} or own is None:
        return True
    if own in {"day", "hour", *PARTS[step or ""]}:
        return period_around(value, step or "") in {label, None}
    return own != step or step == "year"  # four digits may be a code and the name of its group


def renderer_of(evidence: CheckedRelease, name: str) -> Renderer:
    """Return what a column's values read as; without a rule, by the form of cells and values."""
    return evidence.once(("renderer", name), lambda: _renderer_of(evidence, name))


def _renderer_of(evidence: CheckedRelease, name: str) -> Renderer:
    """Find the renderer of a column."""
    rule, before = evidence.spec.columns[name], evidence.before(name)
    original = evidence.original
    as_texts = before is not None and original is not None and is_text(original[name])
    if rule.hierarchy is not None:
        return Renderer.of(rule, as_texts=as_texts)
    values = [] if before is None else text_as_read(before.drop_nulls().unique()).to_list()
    return Renderer.of(rule, shown=[cell for cell, _ in evidence.counts(name)], values=values)


def unknown_columns(evidence: CheckedRelease) -> list[str]:
    """Name the quasi-identifiers of which neither the policy nor a manifest says the rule."""
    return [name for name in evidence.spec.class_names if renderer_of(evidence, name).is_guessed]


def cell_notes(evidence: CheckedRelease) -> Iterator[str]:
    """Yield which cells the file alone does not decide."""
    for name in evidence.spec.class_names:
        cells = renderer_of(evidence, name)
        if cells.is_guessed:
            yield (
                f"columns.{name}: neither the policy nor a manifest says its hierarchy, so its "
                "cells were not checked; give the manifest"
            )
        elif cells.kind == "ranges" and shows_midpoints(evidence, name):
            yield (
                f"columns.{name}: how wide the range around a midpoint is cannot be told, so its "
                "cells were not checked"
            )
        elif evidence.before(name) is not None or cells.kind != "mask":
            continue
        elif _has_several_lengths(evidence.release[name]):
            yield (
                f"columns.{name}: its cells have several lengths; to check whether a star hides a "
                "character of the value or was added to it, give the input (original), too"
            )
        elif _hides_behind_points(evidence.release[name]):
            yield (
                f"columns.{name}: its stars stand behind a decimal point; to check that each hides "
                "a digit, and not a zero that the value does not need, give the input (original), "
                "too"
            )


def _has_several_lengths(cells: Column) -> bool:
    """Return whether texts that are not hidden differ in length."""
    shown = cells.filter(~cells.is_in(["", HIDDEN]))
    return shown.str.len_chars().n_unique() > 1


def _hides_behind_points(cells: Column) -> bool:
    """Return whether a text shows all digits of a number before its point."""
    return bool(cells.str.contains(r"^[+-]?[0-9]+\.\*+$").any())


def shows_midpoints(evidence: CheckedRelease, name: str) -> bool:
    """Return whether a column is released as numbers that stand in the middle of intervals."""
    if evidence.spec.release.intervals != "midpoint":
        return False
    if renderer_of(evidence, name).kind in {"dates", "mask"}:
        return False
    return all(cell == "" or is_number(cell) for cell, _ in evidence.counts(name))


def _cover_faults(
    evidence: CheckedRelease, name: str, is_below: Callable[[str, str], bool]
) -> Iterator[Fault]:
    """Find cells that do not cover the value of their own record."""
    if evidence.before(name) is None or evidence.rows is None:
        return
    missing = evidence.spec.data.texts_of_missing
    pairs = evidence.pairs(name).texts()
    wrong = sum(not (value in missing or is_below(cell, value)) for cell, value in pairs)
    if wrong:
        yield Fault(
            f"columns.{name}",
            f"{wrong} kinds of cells do not cover their original value",
            "This is an error of the program: do not publish this file.",
        )


def input_order_faults(evidence: CheckedRelease) -> Iterator[Fault]:
    """Find columns that stay as they were and number the rows of the input."""
    if evidence.weights is not None or evidence.n_released < SHORTEST_ORDER:
        return  # distinct rows stand in no order
    alike = least_alike(evidence.spec.models)
    for name in evidence.spec.named(Role.SENSITIVE) + evidence.spec.named(Role.INSENSITIVE):
        is_own = evidence.rows is None or name not in evidence.spec.protections
        before = evidence.before(name) if is_own else None
        if before is not None and tells_order(before, alike=alike):
            yield Fault(
                f"columns.{name}",
                "gives the order of the input away: its values rise or fall with the input's rows",
                "Leave it out, or make it coarser.",
            )
