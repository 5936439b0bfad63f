"""Tables of counts as a reader sees them, and all tables in whole numbers that fit: plain code."""

from __future__ import annotations

from itertools import product

import polars as pl

import indistinct as ind

TOTAL = "*"


def records(names, grid, values):
    """Return rows that count to a grid: a nested list, in the order of the labels."""
    rows = []
    for labels in product(*values):
        count = grid
        for own, all_labels in zip(labels, values, strict=True):
            count = count[all_labels.index(own)]
        rows += [dict(zip(names, labels, strict=True))] * count
    return pl.DataFrame(rows)


def by_two(grid, names=("a", "b")):
    """Return the records of a table of two dimensions, whose labels are a1, a2, ... and b1, ..."""
    labels = [f"{names[0]}{n + 1}" for n in range(len(grid))]
    across = [f"{names[1]}{n + 1}" for n in range(len(grid[0]))]
    return records(names, grid, (labels, across))


class Reader:
    """Whoever sees the published tables.

    Parameters
    ----------
    published : the tables
    hidden : cells that are hidden, in place of those that are
    """

    def __init__(self, published, hidden=None):
        manifest = published.manifest
        self.names = list(
            dict.fromkeys(
                one["name"] for note in manifest["notes"].values() for one in note["dimensions"]
            )
        )
        self.least = manifest["promise"]["at_least"]
        self.shown, self.hidden, self.sums = {}, set(), []
        for name, note in manifest["notes"].items():
            self._read(name, note, published.cells()[name])
        if hidden is not None:
            self.hidden = set(hidden)

    def _read(self, table, note, lines):
        parents = {
            one["name"]: {label: above for level in one["levels"] for label, above in level.items()}
            for one in note["dimensions"]
        }
        keys = set()
        for line in lines:
            key = tuple(line.get(name, TOTAL) for name in self.names)
            keys.add(key)
            if line["mark"]:
                self.hidden.add(key)
            else:
                self.shown[key] = line["value"]
        for name, above in parents.items():
            place = self.names.index(name)
            for key in keys:
                children = [
                    (*key[:place], label, *key[place + 1 :])
                    for label, own in above.items()
                    if own == key[place]
                ]
                if children:
                    self.sums.append((key, [child for child in children if child in keys]))
        del table

    def tables(self, fixed=None, at_least=None, within=None, most=10**9):
        """Yield every assignment of whole numbers to the hidden cells that fits all sums.

        Parameters
        ----------
        fixed : values of some hidden cells
        at_least : least values of some
        within : the range of some
        most : number of tables
        """
        cells = sorted(self.hidden)
        low = dict.fromkeys(cells, self.least)
        high = dict.fromkeys(cells, 10**6)
        for key, value in (at_least or {}).items():
            low[key] = max(low[key], value)
        for key, (least, largest) in (within or {}).items():
            low[key], high[key] = max(low[key], least), min(high[key], largest)
        for key, value in (fixed or {}).items():
            low[key] = high[key] = value
        equations = []
        for parent, children in self.sums:
            terms = [(parent, 1), *((child, -1) for child in children)]
            known = sum(sign * self.shown.get(key, 0) for key, sign in terms if key not in low)
            own = [(key, sign) for key, sign in terms if key in low]
            if own or known:
                equations.append((own, -known))
        yield from _all(equations, low, high, most)

    def range_of(self, key, **known):
        """Return the least and the largest value of a hidden cell, over all tables that fit."""
        values = [table[key] for table in self.tables(**known)]
        return min(values), max(values)

    def can_be(self, key, least, largest=10**6, **known):
        """Return whether some table that fits has a value in a range."""
        return any(True for _ in self.tables(within={key: (least, largest)}, most=1, **known))


def _all(equations, low, high, most):
    """Yield all solutions: bounds first, then one cell after another."""
    waiting, n_found = [(low, high)], 0
    while waiting and n_found < most:
        bounds = _narrowed(equations, *waiting.pop())
        if bounds is None:
            continue
        low, high = bounds
        unknown = [key for key in low if low[key] < high[key]]
        if not unknown:
            n_found += 1
            yield dict(low)
            continue
        key = min(unknown, key=lambda one: high[one] - low[one])
        values = range(low[key], high[key] + 1)
        waiting += [({**low, key: value}, {**high, key: value}) for value in values]


def _narrowed(equations, low, high):
    """Return bounds that follow from single sums; None where they exclude each other."""
    low, high = dict(low), dict(high)
    is_changed = True
    while is_changed:
        is_changed = False
        for terms, total in equations:
            if not terms and total:
                return None
            least = [low[key] if sign > 0 else -high[key] for key, sign in terms]
            most = [high[key] if sign > 0 else -low[key] for key, sign in terms]
            sums = sum(least), sum(most)
            for (key, sign), small, large in zip(terms, least, most, strict=True):
                smallest, largest = sums[0] - small, sums[1] - large
                ends = sorted([sign * (total - smallest), sign * (total - largest)])
                if ends[0] > low[key] or ends[1] < high[key]:
                    low[key], high[key] = max(low[key], ends[0]), min(high[key], ends[1])
                    is_changed = True
                if low[key] > high[key]:
                    return None
    return low, high


def tabulated(data, tables, *, minimum=5, **words):
    """Publish some tables of the fast effort: each is a list of dimensions."""
    listed = [
        table if isinstance(table, dict) else {"name": f"t{n}", "rows": list(table)}
        for n, table in enumerate(tables)
    ]
    said = {"data": words.pop("read", {}), "columns": words.pop("columns", {})}
    publish = {"rules": [{"minimum": minimum}], "tables": listed, **words}
    return ind.tabulate(data, {**said, "publish": publish})
