"""What one question may make the service draw, store and send, and its least price."""

from __future__ import annotations

from decimal import Decimal

from indistinct.errors import ParameterError
from indistinct.questions.database.relational.parts import Part
from indistinct.questions.database.relational.quantiles import candidates
from indistinct.questions.database.relational.statement import CompiledQuestion
from indistinct.questions.database.relational.words import refusal
from indistinct.questions.mechanisms.meaning import EpsilonMeaning

# Bounds on what one question makes the service draw, store and send.
MOST_CHOICES = 10**6
MOST_BYTES = 10**7
CELL_BYTES = 120  # value and interval of one cell, at their longest
KEY_BYTES = 8  # quotes, colon and comma
WORK_PER_SLOT = 20_000
# The least price of one number: a millionth of epsilon, or a hundredth of that of rho, and a tenth
# of it more for each further group.
FEWEST_STORED = 9
PURE_EACH, RHO_EACH = 100, 1


def n_candidates(part: Part) -> int:
    """Return how many candidates a part is drawn among; 1 where noise is added to a number."""
    return len(candidates(part.units)) if part.kind == "ranks" else 1


def check_size(statement: CompiledQuestion, budget: int, meaning: EpsilonMeaning) -> None:
    """Refuse an answer that is too long, takes too long to draw, or costs too little.

    Parameters
    ----------
    budget : billionths of the account's unit
    """
    n_cells = 1 if statement.is_unknown else statement.n_cells
    drawn = [n_candidates(part) for part in statement.parts]
    if n_cells * sum(drawn) > MOST_CHOICES:
        raise refusal(
            "GROUP BY", f"has more than {MOST_CHOICES} pairs of a group and a possible quantile",
            "Group by less, or ask for means.",
        )  # fmt: skip
    labels = [map(str, key.labels or ()) for key in statement.keys]
    words = sum(max(map(len, map(str.encode, of_key)), default=0) for of_key in labels)
    words += sum(len(key.label.encode()) + KEY_BYTES for key in statement.keys)
    items = sum(CELL_BYTES + len(item.alias) for item in statement.select.items)
    if n_cells * (words + items) > MOST_BYTES:
        raise refusal(
            "GROUP BY", f"has more groups than a reply of {MOST_BYTES} bytes can hold",
            "Group by less.",
        )  # fmt: skip
    least = (FEWEST_STORED + n_cells * len(statement.parts)) * (
        PURE_EACH if meaning.is_pure else RHO_EACH
    )
    if budget < least:
        epsilon = Decimal(meaning.asked_for(least)).scaleb(-9)
        raise ParameterError(
            "epsilon: is below the least price of this question",
            f"Ask with epsilon = {epsilon.normalize():f} or more.",
        )
