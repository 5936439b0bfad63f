"""How well a model predicts records of a release that it has not seen."""

from __future__ import annotations

import numpy as np
import polars as pl

from indistinct.base.extras import load
from indistinct.errors import DataError, Fault
from indistinct.tables.policy.policy import Policy

TREES, LEAF_RECORDS = 30, 10


def held_out_accuracy(
    released: pl.DataFrame, policy: Policy, target: str, *, folds: int = 5, seed: int = 1
) -> float:
    """Return the accuracy of a random forest on held-out records of the release itself: in [0, 1].

    The released records are split into folds; for each, a forest is trained on the others. Every
    cell is a feature of its own: 1 where a record has it and 0 elsewhere. The held-out records are
    generalized as the training records are, because they stand in the same classes.

    Parameters
    ----------
    released : the released records
    policy : tells the quasi-identifiers
    target : the column to predict
    folds : parts of the records, from 2 to their number
    seed : of the folds and of the forest

    Raises
    ------
    DataError
        when the release lacks the target, or has fewer records than folds
    MissingExtraError
        when scikit-learn is not installed

    Notes
    -----
    No more than the mean share of the most frequent value of a class can be had, but by chance.

    Source: majeed2017, section 5.
    """
    if target not in released.columns or released.height < folds:
        problem = f"of {released.height:,} records has no {target} in each of {folds} parts"
        raise DataError([Fault("released", problem, "Measure a release that has both.")])
    cells = released.select(_features(released, policy)).cast(pl.String).fill_null("")
    truth = released[target].cast(pl.String).fill_null("").to_numpy()
    model = load("sklearn.pipeline").make_pipeline(
        load("sklearn.preprocessing").OneHotEncoder(handle_unknown="ignore"),
        load("sklearn.ensemble").RandomForestClassifier(
            TREES, min_samples_leaf=LEAF_RECORDS, random_state=seed
        ),
    )
    fold_of = np.random.default_rng(seed).permutation(released.height) % folds
    features, hits = cells.to_numpy(), 0
    for fold in range(folds):
        tested = fold_of == fold
        model.fit(features[~tested], truth[~tested])
        hits += int((model.predict(features[tested]) == truth[tested]).sum())
    return hits / released.height


def _features(released: pl.DataFrame, policy: Policy) -> list[str]:
    """Return the columns that the quasi-identifiers stand in, pairs of bounds included."""
    names = [
        column for name in policy.class_names for column in (name, f"{name}_min", f"{name}_max")
    ]
    return [name for name in names if name in released.columns]
