"""A search that gives nothing away to who repeats it: no choice looks at a sensitive value.

An attacker who knows the policy, the program and everybody's quasi-identifiers can try which
sensitive values would have led to just this release (wong2007). Here the classes are a function of
the quasi-identifiers and of secret chance alone, so that every distribution of the values inside
the classes would have led to it, and each person's share stays that of the class.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from indistinct.base.arrays import Codes
from indistinct.base.compiled.kernels import group_rows
from indistinct.base.randomness import RandomSource
from indistinct.tables.core.frequencies import FrequencyTable
from indistinct.tables.core.protocols import Deadline, Problem, Progress, Solution
from indistinct.tables.core.recoding import Reading, Recoding, inverse, read_as_labels
from indistinct.tables.models.k_anonymity import KAnonymity
from indistinct.tables.search.algorithm import Algorithm
from indistinct.tables.search.finish import finished

NEEDS = "classes that are chosen without a look at sensitive values need"


def solve_resistantly(  # noqa: PLR0913, PLR0917 - what a search is told, and its chance
    algorithm: Algorithm,
    problem: Problem,
    deadline: Deadline,
    progress: Progress,
    chance: RandomSource,
    reading: Reading = read_as_labels,
) -> Solution:
    """Let an algorithm find classes by quasi-identifiers alone, then suppress those that fail.

    Parameters
    ----------
    chance : orders tuples that tie, and divides records with the same quasi-identifiers that go to
        different classes; secret in a release

    Raises
    ------
    NoSolutionError
        when the models suppress more records than the policy allows

    Notes
    -----
    What remains to be learned is *who* was left out: that his class failed a model.
    """
    plain, group_of = without_sensitive(problem, chance)
    found = algorithm.find(plain, deadline, progress)
    recoding = spread(found.recoding, problem.table, group_of, chance)
    facts = {**found.facts, "replay": "resistant"}
    found = replace(found, recoding=recoding, needs=NEEDS, facts=facts)
    return finished(problem, found, reading)


def without_sensitive(problem: Problem, chance: RandomSource) -> tuple[Problem, Codes]:
    """Leave sensitive values and their models out, and put the tuples into a random order.

    Returns
    -------
    the problem, and the tuple of it that each tuple of the given one belongs to: (n_tuples,)

    Notes
    -----
    Of the models that are left out, the least size of their classes is asked for.
    """
    table = problem.table
    groups, first, _ = group_rows(np.ascontiguousarray(table.codes))
    order = chance.apart("order of tuples that tie").permutation(len(first))
    weights = np.bincount(groups, table.weights, len(first)).astype(np.int64)
    plain = FrequencyTable(
        table.columns, table.codes[first][order], weights[order], value_records=table.value_records
    )
    models = [model for model in problem.models if not model.columns]
    least = problem.least_size
    kept = (*models, KAnonymity(least)) if least > 1 else tuple(models)
    return replace(problem, table=plain, models=kept), inverse(order)[groups]


def spread(
    recoding: Recoding, table: FrequencyTable, group_of: Codes, chance: RandomSource
) -> Recoding:
    """Return the records of the whole table in the classes that their quasi-identifiers found.

    Parameters
    ----------
    recoding : of the table without sensitive values
    table : the whole table
    group_of : (n_tuples,), tuple of the former that each of the latter belongs to
    chance : which of the records that are alike goes to which class

    Notes
    -----
    O(n_records log n_records).
    """
    records = np.repeat(np.arange(table.n_tuples, dtype=np.int32), table.weights)
    keys = chance.apart("records that are alike").permutation(len(records))
    records = records[np.lexsort((keys, group_of[records]))]
    items = np.argsort(recoding.tuples, kind="stable")
    labels = np.repeat(recoding.labels[items], recoding.weights[items])
    _, first, sizes = group_rows(np.column_stack([records, labels]).astype(np.int32))
    return replace(
        recoding,
        tuples=records[first],
        labels=labels[first].astype(np.int32),
        weights=sizes.astype(np.int64),
        regions=None,
    )
