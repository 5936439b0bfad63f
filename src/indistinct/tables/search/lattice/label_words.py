"""A word per label, so that sums of words tell tuples apart."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Words
from indistinct.base.hierarchy import GeneralizationHierarchy

EXACT_KEYS = 2**63


def word_table(
    hierarchies: tuple[GeneralizationHierarchy, ...],
) -> tuple[list[list[int]], Words]:
    """Return every column, level and value a word, so that sums of words tell tuples apart.

    Mixed-radix digits where the product of the domains fits a word: then keys are exact. Else
    random words, whose sums collide with probability below n**2 / 2**65; a release is counted
    once more from the written file in any case.
    """
    radices = [len(hierarchy.values) for hierarchy in hierarchies]
    exact = _product(radices) < EXACT_KEYS
    source = np.random.default_rng(0)
    offsets: list[list[int]] = []
    tables: list[Words] = []
    position, stride = 0, 1
    for hierarchy in hierarchies:
        n_levels, n_values = hierarchy.codes.shape
        offsets.append([position + level * n_values for level in range(n_levels)])
        digits = np.stack([np.unique(level, return_inverse=True)[1] for level in hierarchy.codes])
        if exact:
            words = digits.astype(np.uint64) * np.uint64(stride)
        else:
            drawn = source.integers(0, 2**64, size=(n_levels, n_values), dtype=np.uint64)
            words = np.take_along_axis(drawn, digits, axis=1)
        tables.append(words.ravel())
        position += n_levels * n_values
        stride = stride * n_values if exact else stride
    return offsets, np.concatenate([np.empty(0, np.uint64), *tables])


def _product(numbers: list[int]) -> int:
    """Multiply without overflow."""
    product = 1
    for number in numbers:
        product *= max(number, 1)
    return product


def words_of_labels(codes: Codes, words: Words, offset: int) -> Words:
    """Return the word of each label of a level, from a value below it: (n_labels + 1,).

    The last one is for labels that the table's hierarchy does not have.
    """
    found = np.zeros(int(codes.max()) + 2, np.uint64)
    found[codes] = words[offset : offset + len(codes)]
    return found
