"""Definitions of noise: what is drawn, what it costs, and how charges add up."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "Accounting": "accountant",
}

if TYPE_CHECKING:
    from indistinct.questions.mechanisms.accountant import Accounting as Accounting
else:
    __getattr__ = face(__name__, FACE)
