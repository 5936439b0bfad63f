"""Checks made-up tables with code of its own: nothing here is shared with what makes them."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "verify_synthetic": "verify",
}

if TYPE_CHECKING:
    from indistinct.questions.checks.verify import verify_synthetic as verify_synthetic
else:
    __getattr__ = face(__name__, FACE)
