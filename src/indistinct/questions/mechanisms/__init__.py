"""Definitions of noise: what is drawn, what it costs, and how charges add up."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "Accounting": "accountant",
    "as_number": "accountant",
    "billionths_up": "accountant",
}

if TYPE_CHECKING:
    from indistinct.questions.mechanisms.accountant import (
        Accounting as Accounting,
        as_number as as_number,
        billionths_up as billionths_up,
    )
else:
    __getattr__ = face(__name__, FACE)
