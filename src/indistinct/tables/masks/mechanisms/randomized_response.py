"""Randomized response: each person's answer is deniable, the share of a crowd is not lost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base import parameters
from indistinct.base.arrays import Floats, Ints
from indistinct.base.billionths import billionths_up
from indistinct.base.parameters import parameter
from indistinct.base.randomness import RandomSource
from indistinct.errors import ParameterError

# Probabilities are those of comparisons with random words of 64 bits.
WORD = 2**64
# Beyond, lies are so rare that 64-bit words count their chance too coarsely.
COUNTED_EXACTLY = 40


@final
@dataclass(frozen=True, slots=True)
class RandomizedResponse:
    """Keep the truth with probability ``truth``, else answer uniformly among the categories.

    With two categories and ``truth`` = 1/2 this is the coin flip: tails, the truth; heads, a second
    coin answers.

    Parameters
    ----------
    categories : k, at least 2
    truth : p, in [0, 1)

    Notes
    -----
    Pr[answer v | v] = p + (1-p)/k and Pr[answer v | u] = (1-p)/k, so epsilon is the logarithm of
    their ratio. The draws compare 64-bit words, and :attr:`epsilon` is that of the words.
    Time and memory grow with the number of answers.

    Source: warner1965, section 2; kairouz2016, section 2.2.
    """

    categories: int = parameter(int, at_least=2, help="number of possible answers")
    truth: float = parameter(float, at_least=0, help="probability of the truth, below 1")

    name: ClassVar[str] = "randomized-response"

    def __post_init__(self) -> None:
        parameters.check(self)
        if self._threshold >= WORD:
            raise ParameterError(
                "truth: must be less than 1",
                "At 1 every answer is the truth and nothing is hidden.",
            )

    @property
    def _threshold(self) -> int:
        return round(Fraction(self.truth) * WORD)

    @property
    def kept(self) -> Fraction:
        """Probability that the truth is kept, as it is drawn."""
        return Fraction(self._threshold, WORD)

    @property
    def epsilon(self) -> float:
        """Greatest log-ratio of one answer's probabilities under two truths, rounded up."""
        # The remainder of a word by k gives some answers one word more than others: the worst pair.
        rarest = (1 - self.kept) * (WORD // self.categories) / WORD
        likeliest = self.kept + (1 - self.kept) * -(-WORD // self.categories) / WORD
        return math.nextafter(math.log(likeliest / rarest), math.inf)

    def charge(self) -> int:
        """Return epsilon in billionths, rounded up."""
        return billionths_up(self.epsilon)

    def randomize(self, codes: Ints, source: RandomSource) -> Ints:
        """Answer for each person.

        Parameters
        ----------
        codes : (n,), 0 <= code < categories, the truth
        source : where chance comes from

        Returns
        -------
        (n,), codes of the answers
        """
        if codes.size and not 0 <= codes.min() <= codes.max() < self.categories:
            raise ParameterError(
                "codes: lie outside the categories", f"Use 0 to {self.categories - 1}."
            )
        words = source.words(2 * codes.size).reshape(2, codes.size)
        keep = words[0] < np.uint64(self._threshold)
        uniform = (words[1] % np.uint64(self.categories)).astype(np.int64)
        return np.where(keep, codes, uniform)

    def estimate(self, counts: Any) -> Floats:
        """Return unbiased estimates of the true counts.

        Parameters
        ----------
        counts : (categories,), how often each answer was given

        Returns
        -------
        (categories,), of the same sum; may be negative or above it

        Notes
        -----
        (count - n (1-p)/k) / p.
        """
        seen = np.asarray(counts, dtype=np.float64)
        return (seen - seen.sum() * self._guess) / self._slope()

    def standard_errors(self, counts: Any) -> Floats:
        """Return the standard error of each estimate that the coins alone cause, at most.

        Notes
        -----
        Each answer is a coin of its own, whose variance is that of one of two probabilities.
        """
        estimates = np.clip(self.estimate(counts), 0, None)
        rest = np.clip(float(np.sum(counts)) - estimates, 0, None)
        stay = self._guess + self._slope()
        variance = estimates * stay * (1 - stay) + rest * self._guess * (1 - self._guess)
        return np.sqrt(variance) / self._slope()

    @property
    def _guess(self) -> float:
        return (1 - float(self.kept)) / self.categories

    def _slope(self) -> float:
        if self.kept == 0:
            raise ParameterError(
                "truth: is 0, so the answers say nothing", "Set truth above 0 to estimate shares."
            )
        return float(self.kept)


def calibrate(categories: int, epsilon: float) -> RandomizedResponse:
    """Return the randomized response that keeps the truth as often as ``epsilon`` allows.

    Notes
    -----
    p = (e^epsilon - 1) / (e^epsilon + k - 1), rounded down until the drawn probabilities comply.
    Beyond an epsilon of about 37, p would be rounded to 1: it is the number before 1.
    """
    if not 0 < epsilon <= COUNTED_EXACTLY:
        raise ParameterError(
            f"epsilon: must be greater than 0 and at most {COUNTED_EXACTLY}",
            "Values about 1 hide a person's answer well.",
        )
    truth = math.expm1(epsilon) / (math.exp(epsilon) + categories - 1)
    truth = min(truth, math.nextafter(1.0, 0.0))
    response = RandomizedResponse(categories, truth)
    step = 2.0**-53
    while response.epsilon > epsilon:
        truth, step = truth - step, 2 * step
        response = RandomizedResponse(categories, max(truth, 0.0))
    return response
