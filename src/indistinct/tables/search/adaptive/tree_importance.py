"""How much a random forest needs each column: permutation importance over out-of-bag records."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.extras import load

ERROR_GOAL = 0.10
TRIAL_TREES = 40
ROUNDING = 1e-15


@dataclass(frozen=True, slots=True)
class RandomForest:
    """How the random forest is grown.

    Parameters
    ----------
    trees : number of them
    sample : records that a tree is grown on, and as many that it is tried on, at most
    tries : settings tried to reach the error goal
    seed : of the bootstrap; it draws no noise that protects anybody
    """

    trees: int = 500
    sample: int = 2000
    tries: int = 3
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a forest learns from.

    Parameters
    ----------
    features : (n_tuples, n_columns)
    target : (n_tuples,), class to predict
    records : (n_records,), tuple of each record
    """

    features: Ints
    target: Codes
    records: Ints

    @property
    def n_columns(self) -> int:
        """Number of columns to learn from."""
        return self.features.shape[1]


@dataclass(frozen=True, slots=True)
class Importance:
    """What a forest says.

    Parameters
    ----------
    values : (n_columns,), mean rise of the error over its deviation
    error : share of wrong predictions for records that a tree has not seen
    """

    values: Floats
    error: float


def forest_importance(lesson: Lesson, forest: RandomForest) -> Importance:
    """Grow a forest and shuffle one column after the other.

    Notes
    -----
    The number of columns that a node chooses among is the square root of all at first, as the
    source has it, and then more, until the error is within the goal or no setting is left; the
    best is kept. Time grows with ``trees * n_columns * sample``, whatever the table's size.

    Raises
    ------
    MissingExtraError
        when scikit-learn is not installed

    Source: majeed2017, algorithm 1; breiman2001, section 10.
    """
    first = max(int(np.sqrt(lesson.n_columns)), 1)
    wider = [first, min(2 * first, lesson.n_columns), lesson.n_columns]
    settings = list(dict.fromkeys(wider))[: forest.tries]
    trial = replace(forest, trees=min(TRIAL_TREES, forest.trees))
    errors: dict[int, float] = {}
    for chosen in settings if len(settings) > 1 else ():
        errors[chosen] = _grown(lesson, trial, chosen).error
        if errors[chosen] <= ERROR_GOAL:
            break
    best = min(errors, key=errors.__getitem__) if errors else first
    return _grown(lesson, forest, best)


def standardized(differences: Floats) -> Floats:
    """Return mean / standard deviation of each column's differences: (n_columns,).

    Parameters
    ----------
    differences : (n_trees, n_columns), rise of a tree's error when a column is shuffled

    Notes
    -----
    Without deviation: 0 where the mean is 0, else infinite with its sign.

    Source: majeed2017, equations 7 to 10.
    """
    means = differences.mean(axis=0)
    deviations = differences.std(axis=0, ddof=1) if len(differences) > 1 else np.zeros(len(means))
    flat = deviations < ROUNDING
    endless = np.where(np.abs(means) < ROUNDING, 0.0, np.copysign(np.inf, means))
    return np.where(flat, endless, means / np.where(flat, 1.0, deviations))


def _grown(lesson: Lesson, forest: RandomForest, chosen: int) -> Importance:
    """Grow all trees, each on a bootstrap sample, and try each on records it did not see."""
    kind = load("sklearn.tree").DecisionTreeClassifier
    seeds = np.random.SeedSequence(forest.seed).spawn(forest.trees)

    def tried(seed: np.random.SeedSequence) -> Floats:
        chance = np.random.default_rng(seed)
        tree = kind(max_features=chosen, random_state=int(chance.integers(2**31)))
        return _errors(tree, lesson, forest.sample, chance)

    with warnings.catch_warnings(), ThreadPoolExecutor() as pool:
        # Few records have many values; that they are classes nevertheless is what was asked.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        errors = np.stack(list(pool.map(tried, seeds)))
    return Importance(standardized(errors[:, 1:] - errors[:, :1]), float(errors[:, 0].mean()))


def _errors(tree: Any, lesson: Lesson, sample: int, chance: np.random.Generator) -> Floats:
    """Grow one tree; give its error as it is and with each column shuffled: (1 + n_columns,)."""
    n_records = len(lesson.records)
    inside = chance.integers(n_records, size=min(n_records, sample))
    drawn = (
        chance.permutation(n_records)
        if n_records <= 2 * sample
        else chance.integers(n_records, size=2 * sample)
    )
    outside = drawn[~np.isin(drawn, inside)][:sample]
    learned, tested = lesson.records[inside], lesson.records[outside]
    tree.fit(lesson.features[learned], lesson.target[learned])
    if len(outside) == 0:
        return np.zeros(1 + lesson.n_columns)
    asked = np.concatenate(list(_shuffled(lesson.features[tested], chance)))
    answers = cast("Codes", tree.predict(asked)).reshape(-1, len(tested))
    return (answers != lesson.target[tested]).mean(axis=1)


def _shuffled(features: Ints, chance: np.random.Generator) -> Iterator[Ints]:
    """Yield the features as they are, and once per column with that column shuffled."""
    yield features
    for column in range(features.shape[1]):
        changed = features.copy()
        changed[:, column] = chance.permutation(changed[:, column])
        yield changed
