"""How far an answer with noise may be from the exact one, drawn before it is asked."""

from __future__ import annotations

import math
from itertools import pairwise

from indistinct.frontends.app.number_words import figure, percent
from indistinct.frontends.app.texts import text
from indistinct.frontends.report.charts.bars import Bar, bar_chart
from indistinct.frontends.report.components import Chart
from indistinct.questions.mechanisms import Accounting

BEYOND = 0.05  # of the answers are further off than the expected error
QUARTERS = (1, 2, 4)  # of the expected error, to which the bars reach


def noise_chart(expected_error: float, accounting: Accounting) -> Chart:
    """Draw in how many of a hundred draws the noise is how large.

    Parameters
    ----------
    expected_error : half the width of a 95 % interval, above 0, in the answer's unit
    accounting : pure accounts have Laplace noise, others Gaussian noise
    """
    within = [_within(quarters / 4, accounting) for quarters in QUARTERS]
    ends = [expected_error * quarters / 4 for quarters in QUARTERS]
    labels = [text("noise.within", end=figure(ends[0]))]
    labels += [
        text("questions.from_to", low=figure(low), high=figure(high))
        for low, high in pairwise(ends)
    ]
    labels.append(text("noise.beyond", end=figure(ends[-1])))
    shares = [after - before for before, after in zip([0.0, *within], [*within, 1.0], strict=True)]
    title = text("noise.title")
    bars = [Bar(one, [share], percent(share)) for one, share in zip(labels, shares, strict=True)]
    heads = (text("noise.distance"), text("noise.share"))
    return bar_chart("noise", title, text("noise.about"), bars, heads=heads)


def _within(part: float, accounting: Accounting) -> float:
    """Return the share of the draws that are within a part of the expected error."""
    if accounting is Accounting.PURE:
        return 1 - BEYOND**part
    # The 95 % interval of a normal distribution reaches 1.96 standard deviations.
    return math.erf(1.959964 * part / math.sqrt(2))
