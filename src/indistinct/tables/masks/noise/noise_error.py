"""What noise per class costs, known before any is drawn: the expected relative error."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.errors import Fault, ParameterError
from indistinct.tables.masks.noise.members import Members

FLOOR = 1e-4


class Zero(StrEnum):
    """What to do about a value of 0, whose relative error is infinite."""

    FLOOR = "floor"  # divide by at least FLOOR
    SKIP = "skip"  # leave it out, and say how many were
    RAISE = "raise"


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """The expected relative error of one column.

    Parameters
    ----------
    of_class : (n_classes,), mean over the records of each class
    released : mean over the released records
    original : mean over all records of the input, those suppressed counted as 0
    n_skipped : records left out because their value is 0
    """

    of_class: Floats
    released: float
    original: float
    n_skipped: int = 0


def expected_error(
    values: Floats,
    noise_sizes: Floats,
    members: Members,
    n_original: int | None = None,
    zero: Zero = Zero.FLOOR,
) -> ExpectedError:
    """Return the mean of abs(noisy - value) / abs(value).

    Parameters
    ----------
    values : (n,), one column
    noise_sizes : (n_classes,), mean of abs(noise) in each class: the scale of Laplace noise
    n_original : records of the input; those given when left out

    Raises
    ------
    ParameterError
        when a value is 0 and ``zero`` says so

    Notes
    -----
    IL(E) = mean abs(noise) / H(E), where H is the harmonic mean of the absolute values; the whole
    is the mean of IL weighted by size. With suppression the two denominators can order two
    releases differently, so both are given.

    Source: holohan2017, equations 4 to 8.
    """
    inverse, counted = _inverses(values, zero)
    sums = noise_sizes * members.sums(inverse)
    n_counted = members.sums(counted.astype(np.float64))
    n_skipped = len(values) - int(counted.sum())
    total = float(sums.sum())
    n_released = len(values) - n_skipped
    n_all = (len(values) if n_original is None else n_original) - n_skipped
    return ExpectedError(
        np.divide(sums, n_counted, out=np.zeros_like(sums), where=n_counted > 0),
        total / n_released if n_released else 0.0,
        total / n_all if n_all else 0.0,
        n_skipped,
    )


def epsilon_for_error(
    values: Floats,
    unit_scales: Floats,
    members: Members,
    target: float,
    zero: Zero = Zero.FLOOR,
) -> float:
    """Return the epsilon at which the expected relative error of released records is ``target``.

    Parameters
    ----------
    values : (n,), one column
    unit_scales : (n_classes,), the scales at epsilon = 1: the diameters, for one column
    target : greater than 0

    Notes
    -----
    The error is inversely proportional to epsilon.

    Source: holohan2017, equation 8.
    """
    if not target > 0:
        raise ParameterError([Fault("target", "is not above 0", "Ask for an error above 0.")])
    return expected_error(values, unit_scales, members, zero=zero).released / target


def _inverses(
    values: Floats, zero: Zero
) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Return 1 / abs(value), and which records count: (n,) and (n,)."""
    sizes = np.abs(values)
    counted = np.ones(len(values), np.bool_)
    match zero:
        case Zero.FLOOR:
            return 1 / np.maximum(sizes, FLOOR), counted
        case Zero.SKIP:
            counted = sizes > 0
            return np.divide(1.0, sizes, out=np.zeros_like(sizes), where=counted), counted
        case Zero.RAISE:
            if not sizes.all():
                found = int((sizes == 0).sum())
                raise ParameterError(
                    [Fault("zero", f"{found} values are 0", 'Choose "floor" or "skip".')]
                )
            return 1 / sizes, counted
