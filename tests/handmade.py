"""Classes small enough to count by hand, as arrays and as a reader of the file counts them."""

from collections import Counter

import numpy as np
from hypothesis import strategies as st

from indistinct.tables.core.classes import EquivalenceClasses, count_values
from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.core.protocols import PlainClass, PlainColumn

COLUMN = "s"


def classes_from(counts, table=None, numbers=None, hierarchy=None, **more) -> EquivalenceClasses:
    """Make classes of one sensitive column.

    Parameters
    ----------
    counts : per class, records per value: a list in value order
    table : records per value in the whole table; the sum of the classes when left out
    """
    array = np.array(counts, np.int64)
    whole = array.sum(axis=0) if table is None else np.array(table, np.int64)
    labels, values = np.nonzero(array)
    column = SensitiveColumn(
        COLUMN,
        tuple(f"v{index:02d}" for index in range(array.shape[1])),
        None if numbers is None else np.array(numbers, np.float64),
        whole,
        hierarchy,
    )
    found = count_values(
        labels.astype(np.int32),
        values.astype(np.int32),
        array[labels, values],
        len(array),
        array.shape[1],
    )
    return EquivalenceClasses(array.sum(axis=1), {COLUMN: found}, {COLUMN: column}, **more)


def sizes_only(sizes, **more) -> EquivalenceClasses:
    """Make classes without sensitive columns."""
    return EquivalenceClasses(np.array(sizes, np.int64), **more)


def plain_from(classes: EquivalenceClasses) -> list[PlainClass]:
    """Give each class as a reader of the file counts it."""
    table = {name: _plain_column(column) for name, column in classes.sensitive.items()}
    sizes = classes.sizes.tolist()
    every = []
    for index, size in enumerate(sizes):
        counts = {}
        for name, found in classes.value_counts.items():
            run = slice(found.starts[index], found.starts[index + 1])
            values = [classes.sensitive[name].values[value] for value in found.values[run]]
            counts[name] = dict(zip(values, found.counts[run].tolist(), strict=True))
        population = None if classes.population is None else int(classes.population[index])
        every.append(PlainClass(size, counts, table, sizes, population))
    return every


def _plain_column(column: SensitiveColumn) -> PlainColumn:
    counts = Counter(dict(zip(column.values, column.counts.tolist(), strict=True)))
    present = {value: count for value, count in counts.items() if count}
    numbers = {}
    if column.numbers is not None:
        numbers = {
            value: number
            for value, number in zip(column.values, column.numbers.tolist(), strict=True)
            if not np.isnan(number)
        }
    paths = {}
    if column.hierarchy is not None:
        rooted = column.hierarchy.with_root()
        paths = {
            value: [
                rooted.labels[level][rooted.codes[level, index]]
                for level in range(1, rooted.n_levels)
            ]
            for index, value in enumerate(column.values)
        }
    return PlainColumn(present, list(column.values), numbers, paths)


@st.composite
def some_classes(draw, max_classes=6, max_values=5, max_count=6):
    """Draw classes in which every value of the table occurs somewhere."""
    n_values = draw(st.integers(1, max_values))
    row = st.lists(st.integers(0, max_count), min_size=n_values, max_size=n_values).filter(any)
    counts = np.array(draw(st.lists(row, min_size=1, max_size=max_classes)))
    return counts[:, counts.any(axis=0)]
