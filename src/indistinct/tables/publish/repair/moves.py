"""What un-tells the records of a class that falls apart once its cells are read back.

A class of released records falls into parts: those whose cells are read back alike, and those whose
cells stay. A part is too small if fewer records than the models ask for are then alike, whatever
class they come from. The records of small parts are taken out of them: they change places with
equal records, their telling values are written as missing, or they are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.publish.repair.raising import Raise, TellingGroups, raises_for
from indistinct.tables.publish.repair.records import RepairState, members_of
from indistinct.tables.release.read_back import RECORDS_WITH, CellSpans, GivenBack, ReadBack

MOST_CANDIDATES = 8  # equal records with which one changes places, at most
MOST_MEMBERS = 200  # of the groups that are looked at for that


@dataclass(frozen=True, slots=True)
class Swap:
    """Two records with equal quasi-identifiers change places."""

    one: int
    other: int

    def do(self, state: RepairState) -> None:
        """Change them."""
        state.swap(self.one, self.other)
        state.n_swapped += 1

    def undo(self, state: RepairState) -> None:
        """Change them back."""
        state.swap(self.one, self.other)
        state.n_swapped -= 1


@dataclass(frozen=True, slots=True)
class Hide:
    """The value of a column is written as missing in one record."""

    name: str
    row: int

    def do(self, state: RepairState) -> None:
        """Write it."""
        state.hide(self.name, self.row)

    def undo(self, state: RepairState) -> None:
        """Write it again."""
        state.show(self.name, self.row)


@dataclass(frozen=True, slots=True)
class Leave:
    """One record is left out."""

    row: int

    def do(self, state: RepairState) -> None:
        """Leave it out."""
        state.is_kept[self.row] = False

    def undo(self, state: RepairState) -> None:
        """Release it again."""
        state.is_kept[self.row] = True


Move: TypeAlias = Swap | Hide | Leave | Raise


@dataclass(frozen=True, slots=True)
class Plan:
    """What makes the records of one class alike again.

    Parameters
    ----------
    label : the class
    moves : in the order in which they are made
    cost : in cells of a record, all cells of which count 1
    relief : records that are then in classes that are large enough
    """

    label: int
    moves: tuple[Move, ...]
    cost: float
    relief: int

    __repr__ = short_repr

    @property
    def price(self) -> float:
        """Cost of one record."""
        return self.cost / max(self.relief, 1)


@dataclass(frozen=True, slots=True)
class TellingRows:
    """What is read back of the rows that are still released.

    Parameters
    ----------
    state : the records
    found : what is read back of them
    rows : (n_rows,), the rows that are still released; what is found is about these
    """

    state: RepairState
    found: ReadBack
    rows: Ints

    __repr__ = short_repr

    @property
    def sizes(self) -> Ints:
        """Records that are alike with each row once its cells are read back: (n_rows,)."""
        if self.found.together is None:
            return np.full(len(self.rows), len(self.state.classes))
        return self.found.together.sizes[self.found.classes]

    @property
    def are_told(self) -> Bools:
        """Whether some cell of each row is read back: (n_rows,)."""
        together = self.found.together
        told = np.zeros(len(self.rows), np.bool_)
        for name, codes in () if together is None else together.finer.items():
            told |= codes != self.state.cells[name][self.rows]
        return told

    def below(self, least: int) -> Ints:
        """Return the rows that are then alike with fewer than ``least``."""
        return self.rows[self.sizes < least]


def plans(looked: TellingRows, least: int, allowed: frozenset[str]) -> Iterator[Plan]:
    """Yield a plan for each class that has records in small parts, where one is found.

    Parameters
    ----------
    least : fewest records of a class
    allowed : among ``swap``, ``hide``, ``leave`` and ``raise``
    """
    sizes, told = looked.sizes, looked.are_told
    labels = looked.state.classes[looked.rows]
    is_small = sizes < least
    of_class = members_of(labels, np.arange(len(looked.rows)))
    equals = _equals_of(looked, told & is_small) if "swap" in allowed else {}
    groups = _telling_groups(looked) if "raise" in allowed else []
    is_derived = _are_derived(looked)
    for label in np.unique(labels[is_small]).tolist():
        members = of_class[label]
        if (is_small & is_derived)[members].any():
            continue  # what follows by arithmetic does so for all records, and is not repaired
        n_small = int(is_small[members].sum())
        chosen = list(_to_untell(looked, members, sizes, told, least))
        plan = None
        if chosen and "hide" in allowed:
            plan = _plan(looked, chosen, n_small, equals, can_hide=True)
        elif chosen and "swap" in allowed:
            plan = _plan(looked, chosen, n_small, equals, can_hide=False)
        if plan is not None:
            yield plan
        if chosen and (up := _raising(looked, groups, chosen, n_small)) is not None:
            yield up
        if "leave" in allowed and (out := _leaving(looked, members, is_small, n_small)) is not None:
            yield out


def _are_derived(looked: TellingRows) -> Bools:
    """Return whether some cell of each row follows by arithmetic alone: (n_rows,)."""
    derived = np.zeros(len(looked.rows), np.bool_)
    for one in (one for one in looked.found.warned if _is_derived(looked, one)):
        for name, codes in one.finer.items():
            derived |= codes != looked.state.cells[name][looked.rows]
    return derived


def _is_derived(looked: TellingRows, one: GivenBack) -> bool:
    """Return whether columns tell cells by arithmetic, and no groups of theirs tell these."""
    return one.is_derived and not any(
        other.columns == one.columns and {*other.finer} >= {*one.finer}
        for other in looked.found.warned
        if not other.is_derived
    )


def _to_untell(
    looked: TellingRows, members: Ints, sizes: Ints, told: Bools, least: int
) -> Iterator[int]:
    """Yield the told members of a class that have to be taken out of their parts.

    These are all of its small parts; and of its large ones, those with most to spare first, as
    many as the others of the class lack.
    """
    parts = members_of(looked.found.classes[members], members)
    rest = 0  # records that are alike with the members whose cells stay
    n_taken = 0
    spare: list[tuple[int, Ints]] = []
    for part in parts.values():
        size = int(sizes[part[0]])
        if not told[part[0]]:
            rest = size
        elif size < least:
            n_taken += len(part)
            yield from part.tolist()
        else:
            spare.append((size - least, part))
    for surplus, part in sorted(spare, key=lambda one: -one[0]):
        lacking = least - rest - n_taken
        if lacking <= 0 or rest + n_taken == 0:
            return
        wanted = min(lacking, len(part))
        is_alone = surplus + least == len(part)
        taken = part[: wanted if wanted <= surplus else len(part) if is_alone else surplus]
        n_taken += len(taken)
        yield from taken.tolist()


def _plan(
    looked: TellingRows,
    chosen: Sequence[int],
    n_small: int,
    equals: Mapping[int, Sequence[int]],
    *,
    can_hide: bool,
) -> Plan | None:
    """Return how some rows of a class are no longer told; None where a row stays told."""
    moves: list[Move] = []
    used: set[int] = set()
    n_hidden = 0
    for place in chosen:
        if (swap := _swap(looked, place, equals.get(place, ()), used)) is not None:
            moves.append(swap)
            continue
        hidden = _hides(looked, place) if can_hide else None
        if hidden is None:
            return None
        moves += hidden
        n_hidden += len(hidden)
    label = int(looked.state.classes[looked.rows[chosen[0]]])
    return Plan(label, tuple(moves), n_hidden / max(len(looked.state.cells), 1), n_small)


def _hides(looked: TellingRows, place: int) -> list[Hide] | None:
    """Return the values that tell a row, where all of them may be written as missing."""
    row, records = int(looked.rows[place]), looked.state.records
    names: dict[str, None] = {}
    for one in looked.found.warned:
        if not _tells(looked, one, place):
            continue
        columns = [name.removeprefix(RECORDS_WITH) for name in one.columns]
        may = [name for name in columns if name in records.hidable]
        if _is_derived(looked, one) or not may:
            return None
        if not any(name in names for name in may):
            names[may[0]] = None
    return [Hide(name, row) for name in names]


def _tells(looked: TellingRows, one: GivenBack, place: int) -> bool:
    """Return whether columns tell a cell of a row."""
    row = looked.rows[place]
    return any(codes[place] != looked.state.cells[name][row] for name, codes in one.finer.items())


def _leaving(looked: TellingRows, members: Ints, is_small: Bools, n_small: int) -> Plan | None:
    """Return how the small parts of a class are left out, or all of it if a model would break."""
    state, records = looked.state, looked.state.records
    if records.problem.reads_beyond_classes:
        return None
    out = looked.rows[members[is_small[members]]]
    label = int(state.classes[out[0]])
    state.is_kept[out] = False
    holds = len(out) == len(members) or state.hold([label])
    state.is_kept[out] = True
    if not holds:
        out = looked.rows[members]
    cost = float((1 - state.losses(out)).sum())
    return Plan(label, tuple(Leave(row) for row in out.tolist()), cost, n_small)


def _telling_groups(looked: TellingRows) -> list[TellingGroups]:
    """Return the groups whose finest cells may be made coarser: of classes judged by themselves."""
    if not looked.state.records.may_raise:
        return []
    return [TellingGroups.of(one, looked.rows) for one in looked.found.warned if not one.is_derived]


def _raising(
    looked: TellingRows, groups: Sequence[TellingGroups], chosen: Sequence[int], n_small: int
) -> Plan | None:
    """Return how the classes that tell some rows of a class are made coarser."""
    state = looked.state
    raised = raises_for(state, groups, chosen)
    if not raised:
        return None
    label = int(state.classes[looked.rows[chosen[0]]])
    return Plan(label, tuple(raised), sum(one.cost(state) for one in raised), n_small)


def _equals_of(looked: TellingRows, wanted: Bools) -> dict[int, Sequence[int]]:
    """Return, per row that is wanted, the rows with equal quasi-identifiers in other classes."""
    state = looked.state
    if state.records.problem.reads_beyond_classes:
        return {}
    alike = state.records.alike[looked.rows]
    chosen = np.flatnonzero(wanted)
    is_alike = np.isin(alike, alike[chosen])
    of_kind = members_of(alike[is_alike], np.flatnonzero(is_alike))
    labels = state.classes[looked.rows]
    return {
        place: [
            other for other in of_kind[int(alike[place])].tolist() if labels[other] != labels[place]
        ][:MOST_CANDIDATES]
        for place in chosen.tolist()
    }


def _swap(
    looked: TellingRows, place: int, candidates: Sequence[int], used: set[int]
) -> Swap | None:
    """Return a change of places after which neither record is told what it does not show."""
    state, rows = looked.state, looked.rows
    for other in candidates:
        if other in used or place in used:
            continue
        if not _shows_as_much(looked, place, other) or _is_told_there(looked, other, place):
            continue
        one, second = int(rows[place]), int(rows[other])
        labels = [int(state.classes[one]), int(state.classes[second])]
        state.swap(one, second)
        holds = state.hold(labels)
        state.swap(one, second)
        if holds:
            used.update((place, other))
            return Swap(one, second)
    return None


def _shows_as_much(looked: TellingRows, place: int, other: int) -> bool:
    """Return whether a record shows at least what is read back of another one."""
    together = looked.found.together
    for name, codes in () if together is None else together.finer.items():
        spans = looked.state.records.columns.generalized[name].spans
        told, shown = int(codes[place]), int(looked.state.cells[name][looked.rows[other]])
        if told >= len(spans.lows) or not _lies_in(spans, shown, told):
            return False
    return True


def _is_told_there(looked: TellingRows, place: int, other: int) -> bool:
    """Return whether a record would be told cells that it does not show in the place of another."""
    state = looked.state
    for one in looked.found.warned:
        if one.is_derived:
            return True
        own = one.groups[place]
        if own < 0:
            continue
        group = np.flatnonzero(one.groups == own)
        if len(group) > MOST_MEMBERS:
            return True
        for name in one.finer:
            spans = state.records.columns.generalized[name].spans
            cells = state.cells[name]
            shown = int(cells[looked.rows[other]])
            among = np.where(group == place, shown, cells[looked.rows[group]])
            if _agrees_finer(spans, among, shown):
                return True
    return False


def _agrees_finer(spans: CellSpans, cells: Codes, shown: int) -> bool:
    """Return whether cells lie inside each other, the finest of them inside a coarser one."""
    lows, highs = spans.lows[cells], spans.highs[cells]
    low, high = lows.max(), highs.min()
    has_finest = bool(((lows == low) & (highs == high)).any())
    return has_finest and (spans.lows[shown] != low or spans.highs[shown] != high)


def _lies_in(spans: CellSpans, one: int, other: int) -> bool:
    """Return whether a cell lies inside another, or is it."""
    return bool(spans.lows[one] >= spans.lows[other] and spans.highs[one] <= spans.highs[other])
