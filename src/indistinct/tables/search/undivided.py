"""All records as one class: where every quasi-identifier is protected otherwise."""

from __future__ import annotations

import numpy as np

from indistinct.errors import NoSolutionError
from indistinct.tables.core.protocols import Problem
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.search.algorithm import SearchResult
from indistinct.tables.search.lattice.feasibility import beyond_the_table


def undivided(problem: Problem) -> SearchResult:
    """Release the whole table as one class.

    Raises
    ------
    NoSolutionError
        when that class fails a model
    """
    faults = beyond_the_table(problem)
    if faults:
        raise NoSolutionError(faults)
    n_tuples, n_records = problem.table.n_tuples, problem.table.n_records
    recoding = Recoding(
        np.arange(n_tuples, dtype=np.int32),
        np.zeros(n_tuples, np.int32),
        problem.table.weights,
        np.empty((1, 0), np.int32),
        np.ones(1, np.bool_),
        (),
        (),
        tuple_bits=n_records * float(np.log2(max(n_records, 1))),
    )
    return SearchResult(recoding, "all records as one class need", {"optimal": True})
