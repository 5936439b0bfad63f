"""Linear models and models in whole numbers: the one place that knows the solver, HiGHS.

It runs on one thread, so that an answer depends on the model alone. Three of its statuses are
answers: optimal, infeasible and unbounded. A model in whole numbers may also end at the number of
nodes that it was given, which decides nothing. Every other status is an error: whoever took one for
"no better value exists" would call a cell protected that is not.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from indistinct.aggregates.equations import Equations
from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.errors import UnexpectedError

THREADS = 1
NEAR = 1e-6  # what is nearer than this to a whole number is taken for it
INFINITE = float("inf")


class SolverAnswer(Enum):
    """What the solver says of a model."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    UNDECIDED = "undecided"  # only where whole numbers were asked for, within some nodes


@cache
def _solver() -> Any:
    """Load the solver, and give it its threads.

    Another program in this process may have started its scheduler with other threads; with
    those, every later run with one thread would return an error.
    """
    # The class with callbacks, which the package itself shows, prints a line when one is made.
    highspy: Any = import_module("highspy._core")
    highspy._Highs.resetGlobalScheduler(True)  # noqa: FBT003, SLF001 - its own interface
    return highspy


class LinearModel:
    """Least costs of values between bounds that solve some equations.

    Parameters
    ----------
    equations : over the columns
    right : (n_rows,), what each row adds up to; zero where left out
    lower, upper : (n_columns,), bounds of the values
    costs : (n_columns,)
    whole : (n_columns,), which values have to be whole; none where left out
    nodes : most nodes of the search for whole values
    """

    def __init__(  # noqa: PLR0913 - what a model is made of
        self,
        equations: Equations,
        lower: Floats,
        upper: Floats,
        costs: Floats,
        *,
        right: Ints | None = None,
        whole: Bools | None = None,
        nodes: int = 0,
    ) -> None:
        highspy = _solver()
        self._columns = np.arange(len(lower), dtype=np.int32)
        self._is_whole = whole is not None and bool(whole.any())
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = len(lower), equations.n_rows
        model.col_cost_, model.col_lower_, model.col_upper_ = costs, lower, upper
        sums = np.zeros(equations.n_rows) if right is None else right.astype(np.float64)
        model.row_lower_ = model.row_upper_ = sums
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = equations.starts.astype(np.int32)
        model.a_matrix_.index_ = equations.cells.astype(np.int32)
        model.a_matrix_.value_ = equations.signs.astype(np.float64)
        if self._is_whole and whole is not None:
            kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
            model.integrality_ = [kinds[int(one)] for one in whole]
        self._highs = highspy._Highs()  # noqa: SLF001 - the plain class
        options: dict[str, Any] = {"output_flag": False, "threads": THREADS, "random_seed": 0}
        if self._is_whole:
            options |= {"mip_max_nodes": nodes, "mip_rel_gap": 0.0}
        else:
            # The models are small, or begin where the last one ended: to simplify them first takes
            # three to six times as long as to solve them.
            options["presolve"] = "off"
        for name, value in options.items():
            self._expect(self._highs.setOptionValue(name, value))
        self._expect(self._highs.passModel(model))

    def set_costs(self, costs: Floats) -> None:
        """Replace all costs."""
        n = len(self._columns)
        self._expect(self._highs.changeColsCost(n, self._columns, costs))

    def set_bounds(self, columns: Ints, lower: Floats, upper: Floats) -> None:
        """Replace the bounds of some columns."""
        numbers = columns.astype(np.int32)
        self._expect(self._highs.changeColsBounds(len(numbers), numbers, lower, upper))

    def solve(self) -> SolverAnswer:
        """Solve it; :attr:`values` then has the solution, where it is optimal.

        Raises
        ------
        UnexpectedError
            when the solver ends with any other status
        """
        highspy = _solver()
        self._expect(self._highs.run())
        known = {
            highspy.HighsModelStatus.kOptimal: SolverAnswer.OPTIMAL,
            highspy.HighsModelStatus.kInfeasible: SolverAnswer.INFEASIBLE,
            highspy.HighsModelStatus.kUnbounded: SolverAnswer.UNBOUNDED,
        }
        if self._is_whole:
            known[highspy.HighsModelStatus.kSolutionLimit] = SolverAnswer.UNDECIDED
        status = self._highs.getModelStatus()
        if status not in known:
            raise _failed(str(status).rpartition(".")[2])
        return known[status]

    @property
    def values(self) -> Floats:
        """The last solution: (n_columns,)."""
        return np.asarray(self._highs.getSolution().col_value)

    def _expect(self, status: Any) -> None:
        """Refuse what the solver calls an error, or a warning of one."""
        # A run that ends at its nodes warns of it; its status says so, too.
        allowed = {_solver().HighsStatus.kOk}
        if self._is_whole:
            allowed.add(_solver().HighsStatus.kWarning)
        if status not in allowed:
            raise _failed(str(status).rpartition(".")[2])


def _failed(status: str) -> UnexpectedError:
    """Return the error that the solver gave no answer."""
    return UnexpectedError(
        f"the solver of linear models ended with the status {status}",
        "Nothing was written. Please report it with this line and the policy.",
    )
