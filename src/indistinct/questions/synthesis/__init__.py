"""Synthetic tables with a proof: records drawn from marginals with exact noise."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "KIND": "request",
    "SynthesisPlan": "plan",
    "check_rows": "request",
    "drawn": "request",
    "price_of": "request",
    "trial_plan": "request",
    "trials": "request",
}

if TYPE_CHECKING:
    from indistinct.questions.synthesis.plan import SynthesisPlan as SynthesisPlan
    from indistinct.questions.synthesis.request import (
        KIND as KIND,
        check_rows as check_rows,
        drawn as drawn,
        price_of as price_of,
        trial_plan as trial_plan,
        trials as trials,
    )
else:
    __getattr__ = face(__name__, FACE)
