"""How well a model learns from a release: trained on it, tested on the original.

Needs scikit-learn, the extra ``learn``.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.base.extras import load
from indistinct.base.parameters import check, parameter
from indistinct.errors import DataError, Fault, ParameterError
from indistinct.tables.core.schema import Role
from indistinct.tables.counting.columns import encode_column
from indistinct.tables.evaluation.utility.covering_kernels import first_covering
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import Specification, resolve
from indistinct.tables.release.column_cells import ColumnCells, ColumnScale
from indistinct.tables.release.released import ReleasedTable, column_scale, count_release

LEARNERS = ("random-forest", "decision-tree", "logistic-regression")
LARGEST_CLASSES = 50
TREES, LEAF_RECORDS, LONGEST_DESCENT = 30, 10, 300


@dataclass(frozen=True, slots=True)
class LearningTrial:
    """How a model is trained and tested.

    Raises
    ------
    ParameterError
        when a parameter lies outside its range, all of them named
    """

    learner: str = parameter(str, choices=LEARNERS, help="the model that is trained")
    folds: int = parameter(int, at_least=2, help="parts of the records, each tested once")
    seed: int = parameter(int, at_least=0, help="the same seed gives the same split and model")

    def __post_init__(self) -> None:
        """Check every parameter once."""
        check(self)


@dataclass(frozen=True, slots=True)
class LearningRecords:
    """Cells of records, as spans and places on the lines of their columns.

    Parameters
    ----------
    codes : (n_rows, n_columns), number of each cell
    starts, ends : per column, (n_cells,); a hidden cell is endless, a missing value lies before all
    places : per column, (n_cells,), middle of each cell, the line's ends at 0 and 1; -1 for missing
    """

    codes: Ints
    starts: tuple[Floats, ...]
    ends: tuple[Floats, ...]
    places: tuple[Floats, ...]

    def spans(self, rows: Ints) -> tuple[Floats, Floats]:
        """Return where the cells of some records lie: twice (n_rows, n_columns)."""
        return _looked_up(self.starts, self.codes[rows]), _looked_up(self.ends, self.codes[rows])


def model_accuracy(  # noqa: PLR0913 - each is a keyword of one measurement
    released: Frame,
    original: Frame,
    policy: Policy | Specification,
    target: str,
    *,
    learner: str = "random-forest",
    folds: int = 5,
    seed: int = 1,
) -> Mapping[str, float]:
    """Measure how well a model predicts a column when it has seen the release alone.

    The records are split into folds. For each fold a model is trained on the released records of
    the others and tested on the fold's original records, each written in the cells of the released
    class it falls into. Suppressed records are tested but not trained on. The same model, trained
    and tested on the original with the same folds, and the guess of the most frequent class say
    what could be had and what is had for nothing.

    Parameters
    ----------
    released : the released records
    original : the records they were made from
    policy : tells the columns and their hierarchies; the quasi-identifiers are learned from
    target : the column to predict, released as it is: neither identifier nor quasi-identifier
    learner : ``random-forest``, ``decision-tree`` or ``logistic-regression``
    folds : parts of the records, at least 2
    seed : of the folds and of the forest

    Returns
    -------
    ``accuracy`` of the model trained on the release, of the one trained on the ``original``, of the
    ``baseline``, and ``relative``, the first divided by the second; shares of records in [0, 1]

    Raises
    ------
    ParameterError
        when the target cannot be predicted, or a parameter lies outside its range
    MissingExtraError
        when scikit-learn is not installed

    Notes
    -----
    A record's fold follows it into the release: records of equal cells and equal target are
    interchangeable. Where cells of classes overlap, as in some local recodings, a record may fall
    into several; the class with the least extent is taken. A cell becomes its place on the column's
    line (the middle of a range, the place in the hierarchy's order); for logistic regression each
    cell of a column of words becomes a column of its own.

    Source: inan2009, classification with anonymized training data; brickell2008, the baseline
    """
    spec = resolve(policy)
    trial = LearningTrial(learner, folds, seed)
    values, labels = _classes(original, spec, target)
    released, trained_labels = _with_known(released, spec.columns[target], values)
    axes = [column_scale(original, spec.columns[name]) for name in spec.class_names]
    before = records_of(axes, count_release(original, axes))
    after = records_of(axes, count_release(released, axes))
    chance = np.random.default_rng(seed)
    fold_of = chance.permutation(original.height) % folds
    mapped, fallen, class_of = fallen_into(before, after)
    released_fold = _followed(
        (fallen * len(values) + labels, fold_of),
        class_of * len(values) + trained_labels,
        chance,
    )
    hits = np.zeros(3, np.int64)
    for fold in range(folds):
        tested = fold_of == fold
        truth, known = labels[tested], labels[~tested]
        seen = released_fold != fold
        learned = _predicted(trial, axes, (after, seen, trained_labels[seen]), (mapped, tested))
        possible = _predicted(trial, axes, (before, ~tested, known), (before, tested))
        guesses = (learned, possible, np.bincount(known).argmax())
        hits += [int((guess == truth).sum()) for guess in guesses]
    accuracy, possible, baseline = (hits / original.height).tolist()
    return {
        "accuracy": accuracy,
        "original": possible,
        "baseline": baseline,
        "relative": accuracy / possible if possible else 0.0,
    }


def _classes(frame: Frame, spec: Specification, target: str) -> tuple[tuple[str, ...], Ints]:
    """Return the values of the target, and the number of each record's: (n_rows,)."""
    kept = [*spec.named(Role.SENSITIVE), *spec.named(Role.INSENSITIVE)]
    if target not in kept or target not in frame.columns:
        problem = f'"{target}" is not a column of the table that is released as it is'
        listed = ", ".join(kept) or "none is there"
        raise ParameterError([Fault("target", problem, f"Choose one of these: {listed}.")])
    encoded = encode_column(frame, spec.columns[target])
    n_values = len(encoded.texts)
    if n_values > LARGEST_CLASSES or frame.height < 2:  # noqa: PLR2004 - to train and to test
        problem = f'"{target}" has {n_values:,} values in {frame.height:,} records'
        remedy = f"Choose a column of at most {LARGEST_CLASSES} values in two records or more."
        raise ParameterError([Fault("target", problem, remedy)])
    return encoded.texts, encoded.codes.astype(np.int64)


def _with_known(released: Frame, rule: ColumnRule, values: Sequence[str]) -> tuple[Frame, Ints]:
    """Return the released records whose target is known, and its numbers; masked ones are not."""
    if rule.name not in released.columns:
        raise DataError([Fault(f"columns.{rule.name}", "is not in the table", "Measure another.")])
    if released.height == 0:
        return released, np.zeros(0, np.int64)
    encoded = encode_column(released, rule)
    numbers = {value: number for number, value in enumerate(values)}
    labels = np.array([numbers.get(text, -1) for text in encoded.texts])[encoded.codes]
    return released[np.flatnonzero(labels >= 0)], labels[labels >= 0]


def records_of(lines: Sequence[ColumnScale], table: ReleasedTable) -> LearningRecords:
    """Return the records of a counted table on the lines of its columns."""
    starts, ends, places = zip(*map(_column, lines, table.books), strict=True)
    return LearningRecords(table.records.astype(np.int64), starts, ends, places)


def _column(line: ColumnScale, book: ColumnCells) -> tuple[Floats, Floats, Floats]:
    """Return starts, ends and places of a column's cells, hidden and missing ones included."""
    is_missing = np.isnan(book.starts)
    is_hidden = np.arange(len(book.texts)) == book.hidden
    low, high = line.whole
    places = (book.middles - low) / (high - low)
    return (
        np.where(is_hidden | is_missing, -np.inf, book.starts),
        np.where(is_hidden, np.inf, np.where(is_missing, -np.inf, book.ends)),
        np.where(is_missing, -1.0, places),
    )


def _looked_up(tables: Sequence[Floats], codes: Ints) -> Floats:
    """Look each column's codes up in its table: (n_rows, n_columns)."""
    return np.stack([table[codes[:, column]] for column, table in enumerate(tables)], axis=1)


def fallen_into(
    before: LearningRecords, after: LearningRecords
) -> tuple[LearningRecords, Ints, Ints]:
    """Write the original records in the cells of the released classes they fall into.

    Returns
    -------
    the records in released cells, the class of each, -1 for none, and the class of each released
    record
    """
    if len(after.codes) == 0:
        nowhere = np.full(len(before.codes), -1, np.int64)
        return before, nowhere, np.zeros(0, np.int64)
    class_of, members, _ = group_rows(np.ascontiguousarray(after.codes.astype(np.int32)))
    starts, ends = after.spans(members.astype(np.int64))
    shares = np.minimum(_extents(starts, ends) / _longest(before, after), 1.0)
    order = np.argsort(shares.sum(axis=1), kind="stable")
    finest = int(shares.mean(axis=0).argmin())
    tuples, first, _ = group_rows(np.ascontiguousarray(before.codes.astype(np.int32)))
    own = before.spans(first.astype(np.int64))
    found = first_covering(*own, starts[order], ends[order], finest)
    nearest = _column_by_column(before, after, first.astype(np.int64))
    chosen = order[np.maximum(found, 0)]
    cells = np.where(found[:, None] >= 0, after.codes[members[chosen]], nearest)
    fallen = np.where(found >= 0, chosen, -1)
    mapped = LearningRecords(cells[tuples], after.starts, after.ends, after.places)
    return mapped, fallen[tuples], class_of.astype(np.int64)


def _extents(starts: Floats, ends: Floats) -> Floats:
    """Return how much each span covers; what lies nowhere, nothing."""
    extents = np.zeros(starts.shape)
    np.subtract(ends, starts, out=extents, where=ends > starts)
    return extents


def _longest(before: LearningRecords, after: LearningRecords) -> Floats:
    """Return the extent of each whole column, from first start to last end: (n_columns,)."""
    reach: list[float] = []
    for column in range(before.codes.shape[1]):
        ends = np.concatenate([before.ends[column], after.ends[column]])
        starts = np.concatenate([before.starts[column], after.starts[column]])
        known = np.concatenate([ends[np.isfinite(ends)], starts[np.isfinite(starts)]])
        reach.append(float(np.ptp(known)) if len(known) else 1.0)
    return np.maximum(np.array(reach), np.finfo(np.float64).tiny)


def _column_by_column(before: LearningRecords, after: LearningRecords, rows: Ints) -> Ints:
    """Return, per column, the smallest released cell around a record's own, or the nearest."""
    columns: list[Ints] = []
    for column, places in enumerate(after.places):
        starts, ends = after.starts[column][:, None], after.ends[column][:, None]
        order = np.argsort(_extents(starts, ends)[:, 0], kind="stable")
        own = before.starts[column][:, None], before.ends[column][:, None]
        found = first_covering(*own, starts[order], ends[order], 0)
        nearest = _nearest(before.places[column], places)
        cells = np.where(found >= 0, order[np.maximum(found, 0)], nearest)
        columns.append(cells[before.codes[rows, column]])
    return np.stack(columns, axis=1)


def _nearest(wanted: Floats, places: Floats) -> Ints:
    """Return the number of the place nearest to each: (n_wanted,)."""
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    above = np.clip(np.searchsorted(ordered, wanted), 1, max(1, len(places) - 1))
    below = above - 1
    above = np.minimum(above, len(places) - 1)
    is_below = np.abs(wanted - ordered[below]) <= np.abs(wanted - ordered[above])
    return order[np.where(is_below, below, above)]


def _followed(
    original: tuple[Ints, Ints], released_keys: Ints, chance: np.random.Generator
) -> Ints:
    """Return the fold of each released record: that of an original record of equal key.

    Parameters
    ----------
    original : keys and folds of the original records
    released_keys : (n_released,)

    Notes
    -----
    Released records that are left over, where classes overlap, get a random fold.
    """
    keys, fold_of = original
    limit = max(len(keys), len(released_keys)) + 1
    own = keys * limit + _ranks(keys, chance)
    wanted = released_keys * limit + _ranks(released_keys, chance)
    order = np.argsort(own)
    place = np.minimum(np.searchsorted(own[order], wanted), len(own) - 1)
    is_found = own[order][place] == wanted
    drawn = chance.integers(0, int(fold_of.max()) + 1, len(wanted))
    return np.where(is_found, fold_of[order][place], drawn)


def _ranks(keys: Ints, chance: np.random.Generator) -> Ints:
    """Return numbers of the records of each key in random order: (n_rows,)."""
    order = np.lexsort((chance.random(len(keys)), keys))
    ordered = keys[order]
    ranks = np.empty(len(keys), np.int64)
    ranks[order] = np.arange(len(keys)) - np.searchsorted(ordered, ordered)
    return ranks


def _predicted(
    trial: LearningTrial,
    axes: Sequence[ColumnScale],
    trained: tuple[LearningRecords, Bools, Ints],
    tested: tuple[LearningRecords, Bools],
) -> Ints:
    """Train on some records and predict others; -1 where there is nothing to learn from."""
    records, seen, labels = trained
    others, asked = tested
    if len(labels) == 0 or not asked.any():
        return np.full(int(asked.sum()), -1, np.int64)
    if len(np.unique(labels)) == 1:
        return np.full(int(asked.sum()), labels[0], np.int64)
    words = [index for index, axis in enumerate(axes) if axis.order is not None]
    as_codes = words if trial.learner == "logistic-regression" else []
    model = _model(trial, as_codes)
    with warnings.catch_warnings():
        # A descent that stops before it has converged has still learned.
        warnings.simplefilter("ignore", load("sklearn.exceptions").ConvergenceWarning)
        model.fit(_features(records, seen, as_codes), labels)
    return np.asarray(model.predict(_features(others, asked, as_codes)), np.int64)


def _features(records: LearningRecords, chosen: Bools, as_codes: Sequence[int]) -> Floats:
    """Return the places of records' cells, of some columns the numbers: (n_rows, n_columns)."""
    codes = records.codes[chosen]
    features = _looked_up(records.places, codes)
    features[:, as_codes] = codes[:, as_codes]
    return features


def _model(trial: LearningTrial, as_codes: Sequence[int]) -> Any:
    """Make the model, untrained."""
    if trial.learner == "logistic-regression":
        one_hot = load("sklearn.preprocessing").OneHotEncoder(handle_unknown="ignore")
        columns = load("sklearn.compose").make_column_transformer(
            (one_hot, list(as_codes)), remainder="passthrough"
        )
        regression = load("sklearn.linear_model").LogisticRegression(max_iter=LONGEST_DESCENT)
        return load("sklearn.pipeline").make_pipeline(columns, regression)
    words = {"min_samples_leaf": LEAF_RECORDS, "random_state": trial.seed}
    if trial.learner == "decision-tree":
        return load("sklearn.tree").DecisionTreeClassifier(**words)
    return load("sklearn.ensemble").RandomForestClassifier(n_estimators=TREES, **words)
