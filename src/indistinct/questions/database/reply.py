"""What an analyst gets back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from indistinct.base.brief import in_notebook
from indistinct.questions.database.relational.errors import ErrorUnit


@final
@dataclass(frozen=True, slots=True)
class Reply:
    """What an analyst gets back.

    Parameters
    ----------
    answer : a number, or one row per combination of the keys; None for a dry run
    scale : of the noise, in the answer's unit; per row where it differs by row
    interval : low and high end, holding the exact answer with 95 %; per row for rows
    charged : what this reply cost the analyst
    left : what the analyst can still spend
    price : what the question costs when it is new
    expected_error : half the width of a 95 % interval, known before asking, in ``error_unit``
    unit : what charged, left and price count: epsilon, or rho in a ledger of before
    limits : how many groups and rows of one person count in full; more count with less weight
    error_unit : what the expected error counts: the answer, or what cannot be known without the
        number of rows
    threshold : the noisy count from which on a group is shown, where groups are not known
    delta : what the threshold costs
    note : what an epsilon means, where a ledger of before gives it another meaning
    """

    answer: Any
    scale: Any
    interval: Any
    charged: float
    left: float
    price: float
    expected_error: Any
    unit: str
    limits: Mapping[str, int]
    error_unit: Any = ErrorUnit.ANSWER
    threshold: int | None = None
    delta: float = 0.0
    note: str = ""
    dry_run: bool = False

    def __repr__(self) -> str:
        """Return the answer with its margin, what it cost and what is left."""
        paid = f"charged {self.charged:g}, left {self.left:g} {self.unit}"
        if self.dry_run:
            return f"<Reply: would cost {self.price:g} {self.unit}; left {self.left:g}>"
        if self.grouped:
            return f"<Reply of {len(self.answer)} rows; {paid}>"
        return f"<Reply: {self.answer}, in 95 % between {self.interval}; {paid}>"

    _repr_html_ = in_notebook

    @property
    def grouped(self) -> bool:
        """True where the answer is a list of rows."""
        return isinstance(self.answer, list)

    def document(self) -> dict[str, Any]:
        """Return the reply as JSON has it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}
