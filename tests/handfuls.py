"""Many small numbers from one draw of Hypothesis, which takes as long as the draw of one number.

A table with its hierarchies and models is a hundred numbers. Each would be a draw of its own, and
drawing took longer than most of the checks. One string of bytes is a single draw. Hypothesis
shrinks it byte by byte towards zero, and zero always means the least, shortest or first here.
"""

import math

import numpy as np
from hypothesis import strategies as st

BYTE = 256


class Handful:
    """Small numbers that stand one after the other in bytes; each is read once.

    Bytes that are read beyond the end raise an error: a strategy asks for enough of them.
    """

    def __init__(self, data: bytes):
        self._bytes = data
        self._at = 0

    def part(self, n_numbers: int) -> "Handful":
        """Give the next numbers by themselves, so that what follows stands where it stands.

        Fewer numbers for one part then leave the others as they are, when an example is shrunk.
        """
        self._at += n_numbers
        return Handful(self._bytes[self._at - n_numbers : self._at])

    def below(self, limit: int) -> int:
        """Return a number from 0 to ``limit`` - 1, which is far below 256 or divides it."""
        self._at += 1
        return self._bytes[self._at - 1] % limit

    def between(self, low: int, high: int) -> int:
        """Return a number between two limits, both included."""
        return low + self.below(high - low + 1)

    def one_of(self, choices):
        """Return one of a sequence's members."""
        return choices[self.below(len(choices))]

    def length(self, fewest: int, most: int) -> int:
        """Return the length of a list: often the shortest, mostly short, seldom the longest."""
        mean = min(max(2 * fewest, fewest + 5), (fewest + most) / 2) - fewest
        share = max(0, self.below(BYTE) - BYTE // 8) / (BYTE - BYTE // 8)
        return min(most, fewest + int(-math.log1p(-share) * (mean + 0.5)))

    def size(self, low: int, high: int) -> int:
        """Give any size between two limits; the highest is four times as likely as others."""
        return min(high, low + self.below(high - low + 4))

    def rows(self, n_rows: int, widths) -> np.ndarray:
        """Return rows of codes, each below its column's width.

        Even draws would hardly repeat anything. So seven tables of eight repeat some of their
        rows, and one of four leaves out some values of each column: ties and constants are what
        breaks programs. A table takes ``numbers_of_rows`` numbers.
        """
        repeats, narrows = self.below(8) > 0, self.below(4) == 1
        n_different = self.size(1, n_rows)
        firsts = self._next(len(widths)).tolist()
        narrow = [1 + number % width for width, number in zip(widths, firsts, strict=True)]
        picks = self._next(n_rows)
        codes = self._next(n_rows * len(widths)).reshape(n_rows, len(widths))
        codes = (codes % np.array(narrow if narrows else widths)).astype(np.int32)
        return codes[picks % n_different] if repeats else codes

    def _next(self, n_numbers: int) -> np.ndarray:
        self._at += n_numbers
        return np.frombuffer(self._bytes, np.uint8, n_numbers, self._at - n_numbers)


def numbers_of_rows(most: int, n_columns: int) -> int:
    """Count the numbers that :meth:`Handful.rows` reads at most."""
    return 3 + n_columns + most * (1 + n_columns)


def drawn(n_numbers: int, read):
    """Make the strategy of what ``read`` makes of so many small numbers, all drawn at once."""
    return st.binary(min_size=n_numbers, max_size=n_numbers).map(lambda data: read(Handful(data)))
