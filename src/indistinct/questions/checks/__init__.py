"""Checks made-up tables with code of its own: nothing here is shared with what makes them."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "MadeUpTable": "table",
    "SyntheticVerification": "verify",
    "verified": "verify",
}

if TYPE_CHECKING:
    from indistinct.questions.checks.table import MadeUpTable as MadeUpTable
    from indistinct.questions.checks.verify import (
        SyntheticVerification as SyntheticVerification,
        verified as verified,
    )
else:
    __getattr__ = face(__name__, FACE)
