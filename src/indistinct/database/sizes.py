"""What one question may make the service draw, store and send, and its least price."""

from __future__ import annotations

from decimal import Decimal

from indistinct.database.aggregates import candidates, range_of
from indistinct.database.dataset import Dataset
from indistinct.database.question import Quantile, Question
from indistinct.database.tokens import refuse
from indistinct.errors import ParameterError
from indistinct.mechanisms.meaning import EpsilonMeaning

# Bounds on what one question makes the service draw, store and send.
MOST_CHOICES = 10**6
MOST_BYTES = 10**7
CELL_BYTES = 120  # value, scale and interval of one cell, at their longest
KEY_BYTES = 8  # quotes, colon and comma
WORK_PER_SLOT = 20_000
# The least price of one number: a millionth of epsilon, or a hundredth of that of rho, and a tenth
# of it more for each further group and code.
FEWEST_STORED = 9
PURE_EACH, RHO_EACH = 100, 1


def check_size(question: Question, dataset: Dataset, n_cells: int) -> None:
    """Refuse an answer that is too long, or takes too long to draw, however few rows there are."""
    is_drawn = isinstance(question.measure, Quantile)
    if is_drawn and n_cells * n_candidates(question, dataset) > MOST_CHOICES:
        raise refuse(
            f"the question has more than {MOST_CHOICES} pairs of a group and a possible quantile"
        )
    keys = [dataset.keys[key] for key in question.keys]
    longest = [max(len(str(label).encode()) for label in key.labels) for key in keys]
    words = sum(len(key.name.encode()) + KEY_BYTES for key in keys) + sum(longest)
    if n_cells * (CELL_BYTES + len(question.label) + words) > MOST_BYTES:
        raise refuse(f"the question has more groups than a reply of {MOST_BYTES} bytes can hold")


def check_price(budget: int, n_stored: int, meaning: EpsilonMeaning) -> None:
    """Refuse a question that costs so little that a budget pays for any number of them.

    Parameters
    ----------
    budget : billionths of the account's unit
    n_stored : groups of the answer, and codes in the conditions, that the ledger keeps
    """
    least = (FEWEST_STORED + n_stored) * (PURE_EACH if meaning.is_pure else RHO_EACH)
    if budget < least:
        epsilon = Decimal(meaning.asked_for(least)).scaleb(-9)
        raise ParameterError(
            "epsilon: is below the least price of this question",
            f"Ask with epsilon = {epsilon.normalize():f} or more.",
        )


def n_candidates(question: Question, dataset: Dataset) -> int:
    """Return how many candidates a cell is drawn among; 1 for every measure but a quantile."""
    measure = question.measure
    if not isinstance(measure, Quantile):
        return 1
    return len(candidates(range_of(measure.column, dataset)))
