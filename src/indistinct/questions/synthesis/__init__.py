"""Synthetic tables with a proof: records drawn from marginals with exact noise."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "SynthesisPlan": "plan",
    "check_rows": "request",
    "places_of": "synthetic",
    "price_of": "request",
    "synthesize": "synthetic",
    "trial_plan": "request",
    "trials": "request",
}

if TYPE_CHECKING:
    from indistinct.questions.synthesis.plan import SynthesisPlan as SynthesisPlan
    from indistinct.questions.synthesis.request import (
        check_rows as check_rows,
        price_of as price_of,
        trial_plan as trial_plan,
        trials as trials,
    )
    from indistinct.questions.synthesis.synthetic import (
        places_of as places_of,
        synthesize as synthesize,
    )
else:
    __getattr__ = face(__name__, FACE)
