"""Noise per class, defined as slowly and plainly as possible; and random classes to try it on."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
from hypothesis import strategies as st

from indistinct.tables.masks.noise.members import Members


def classed(*classes):
    """Put classes of one column below one another: values (n, 1) and members."""
    values = np.array([float(value) for held in classes for value in held])[:, None]
    labels = np.repeat(np.arange(len(classes)), [len(held) for held in classes])
    return values, Members.of(labels.astype(np.int32))


def records(rows):
    """Return one class of records with several columns."""
    values = np.array(rows, dtype=float)
    return values, Members.together(len(values))


@st.composite
def tables(draw, most=25):
    """Draw whole values (n, n_columns), classes, and noisy values near them."""
    width = draw(st.integers(1, 3))
    n_records = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    span = draw(st.sampled_from([1, 4, 50]))
    values = rng.integers(-span, span + 1, (n_records, width)).astype(float)
    labels = rng.integers(0, draw(st.integers(1, 4)), n_records).astype(np.int32)
    noisy = values + rng.integers(-span, span + 1, values.shape)
    return values, Members.of(labels), noisy


def peers(members, record):
    """List the records of a record's class."""
    return [other for other, label in enumerate(members.labels) if label == members.labels[record]]


def plain_widths(values, members, record):
    """Return the diameter of a record's class in each column."""
    held = values[peers(members, record)]
    return held.max(axis=0) - held.min(axis=0)


def plain_vector_diameter(rows):
    """Return the greatest L1 distance of two records, all columns scaled to a diameter of 1."""
    rows = np.asarray(rows, dtype=float)
    widths = rows.max(axis=0) - rows.min(axis=0)
    used = widths > 0
    return max(
        (float((np.abs(a - b)[used] / widths[used]).sum()) for a, b in combinations(rows, 2)),
        default=0.0,
    )


def plain_link(noisy, values, members, record, ties):
    """Link one record to the nearest original of its class."""
    widths = plain_widths(values, members, record)
    used = widths > 0
    if len(widths) == 1:
        used, widths = np.array([True]), np.array([1.0])
    away = {
        other: float((np.abs(values[other] - noisy[record])[used] / widths[used]).sum())
        for other in peers(members, record)
    }
    least = min(away.values())
    nearest = [other for other, distance in away.items() if math.isclose(distance, least)]
    if record not in nearest:
        return 0.0
    return {"expected": 1 / len(nearest), "count": 1.0, "strict": float(len(nearest) == 1)}[ties]


def plain_candidates(noisy, values, members, reach, record):
    """Count the originals of its class that a noisy record may stand for."""
    limits = reach[members.labels[record]]
    return sum(
        all(abs(values[other] - noisy[record]) <= limits) for other in peers(members, record)
    )


def laplace_cdf(point, scale):
    """Give Pr[noise <= point] of continuous Laplace noise; without noise all of it is at 0."""
    if scale == 0:
        return float(point >= 0)
    tail = math.exp(-abs(point) / scale) / 2
    return 1 - tail if point > 0 else tail


def plain_link_chances(values, scales, members):
    """Return the chance that each record is linked under continuous noise: it stays in its cell."""
    chances = []
    for record, own in enumerate(values):
        held = values[peers(members, record)]
        scale = scales[members.labels[record]]
        above = min((held[held > own] - own) / 2, default=math.inf)
        below = min((own - held[held < own]) / 2, default=math.inf)
        stays = laplace_cdf(above, scale) - (0 if math.isinf(below) else laplace_cdf(-below, scale))
        chances.append(stays / (held == own).sum())
    return np.array(chances)


def plain_suppression_chances(values, scale, reach, k):
    """Return the chance that each record of one class has 1 to k - 1 originals within reach.

    The number of originals changes only at the values moved by the reach, so the chances of the
    pieces between these points add up to it.
    """
    points = sorted({*(values - reach), *(values + reach)})
    chances = np.zeros(len(values))
    for low, high in pairwise(points):
        count = (np.abs((low + high) / 2 - values) <= reach).sum()
        if 1 <= count < k:
            chances += [laplace_cdf(high - v, scale) - laplace_cdf(low - v, scale) for v in values]
    return chances
