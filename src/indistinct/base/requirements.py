"""Requirements such as ``k>=5``: a figure, a sign and a number."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from indistinct.base.arrays import slack
from indistinct.base.cells.plain_numbers import NUMBER
from indistinct.errors import Fault, ParameterError

SHAPE = re.compile(
    r"\s*([a-z][a-z0-9_-]*(?:\(.*\))?)\s*(>=|<=|>|<|==|=)\s*"
    rf"({NUMBER})\s*"
)


SIGNS = (">=", "<=", ">", "<", "==", "=")


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a figure is compared with.

    Parameters
    ----------
    figure : its name, such as ``k`` or ``t_equal(disease)``
    sign : one of ``SIGNS``
    bound : the number
    """

    figure: str
    sign: str
    bound: float

    def holds(self, value: float) -> bool:
        """Return whether a figure of this value is as required.

        Equal within the rounding errors of a sum counts as equal, whatever the sign.
        """
        margin = slack(self.bound) if math.isfinite(value) else 0.0
        match self.sign:
            case ">=":
                return value >= self.bound - margin
            case "<=":
                return value <= self.bound + margin
            case ">":
                return value > self.bound + margin
            case "<":
                return value < self.bound - margin
            case _:
                return abs(value - self.bound) <= margin


def meets(
    text: str, figures: Mapping[str, float], example: str, signs: Sequence[str] = SIGNS
) -> bool:
    """Return whether figures are as a requirement asks.

    Parameters
    ----------
    text : the requirement, such as ``k>=5``
    figures : what was measured, by name
    example : a requirement of these figures, for whoever wrote one that cannot be read
    signs : those that mean something here: nobody requires a risk to be large

    Raises
    ------
    ParameterError
        when the requirement cannot be read, or names what was not measured
    """
    found = SHAPE.fullmatch(text)
    if found is None or found[1] not in figures or found[2] not in signs:
        problem = f'"{text}" cannot be read or was not measured'
        by = "" if signs is SIGNS else f" by {' or '.join(signs)}"
        remedy = f"Compare one of {', '.join(figures)} with a number{by}, as in {example}."
        raise ParameterError([Fault("--require", problem, remedy)])
    return Requirement(found[1], found[2], float(found[3])).holds(figures[found[1]])
