"""The risk of single records: of the class they stand in, in the sample or in the population."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.errors import Fault, ParameterError
from indistinct.tables.metrics.individual_kernels import mean_inverse


def records_at_risk(sizes: Ints, threshold: float) -> float:
    """Return the share of records whose risk 1 / size exceeds a threshold.

    Parameters
    ----------
    sizes : (n_classes,), records per class, or people that look like it where they are known
    threshold : in [0, 1]

    Returns
    -------
    in [0, 1]; 0 where there are no records
    """
    risky = sizes * threshold < 1.0 - 1e-12
    return float(sizes[risky].sum()) / float(sizes.sum()) if len(sizes) else 0.0


def weighted_risk(labels: Codes, weights: Floats, sizes: Ints | None = None) -> Floats:
    """Estimate the chance to re-identify a record of each class of a weighted sample.

    Parameters
    ----------
    labels : (n_records,), class of each record, 0 <= label < n_classes, none empty
    weights : (n_records,), people that each record stands for, at least 0
    sizes : (n_classes,), records of each class, where a label and a weight stand for several

    Returns
    -------
    (n_classes,), E[1 / F] where F, the people that look like the class, is its records plus a
    negative binomial number with the chance records / weights. The people are at least the
    records: a class whose weights add up to less has the risk 1 / records

    Raises
    ------
    ParameterError
        when a weight is negative or no number

    Source: benedetti1998, individual risk; its closed forms in templ2017, chapter 3.
    """
    if not bool((weights >= 0).all()):
        remedy = "Give the number of people that a record stands for."
        raise ParameterError([Fault("weights", "must be numbers of at least 0", remedy)])
    sizes = np.bincount(labels).astype(np.int64) if sizes is None else sizes
    return mean_inverse(sizes, sizes / np.maximum(np.bincount(labels, weights), sizes))


def household_risks(risks: Floats, households: Codes) -> Floats:
    """Return the chance that some member of each household is found: (n_households,).

    Parameters
    ----------
    risks : (n_records,), chance to find each record, in [0, 1]
    households : (n_records,), household of each record, 0 <= household < n_households

    Returns
    -------
    1 minus the product of the chances that nobody finds a member, as if these were independent

    Source: templ2017, section 3.7, the household risk.
    """
    with np.errstate(divide="ignore"):
        return 1 - np.exp(np.bincount(households, np.log1p(-risks)))


def uniform_prior_risk(sizes: Ints, n_people: int) -> Floats:
    """Estimate the chance to re-identify a record of each class of an unweighted sample.

    Parameters
    ----------
    sizes : (n_classes,), records per class
    n_people : people that the sample was drawn from, at least its records

    Returns
    -------
    (n_classes,), E[1 / F] where every number F of people is as likely before the sample is seen

    Raises
    ------
    ParameterError
        when there are fewer people than records

    Notes
    -----
    The sums of hypergeometric chances close: sum over F of C(F,f) C(N-F,n-f) = C(N+1,n+1), and with
    1/F it is C(N,n)/f. What is left is (n + 1) / (f (N + 1)).
    """
    n_records = int(sizes.sum())
    if n_people < n_records:
        raise ParameterError(
            [Fault("n_people", "is less than the records", "Count the population anew.")]
        )
    return (n_records + 1) / (sizes * (n_people + 1.0))
