"""Repeat the search of a release on another table, as an attacker can who knows the policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from indistinct.base.arrays import Bools, Codes
from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import ROOT
from indistinct.base.randomness import RandomSource
from indistinct.errors import DataError, Fault, NoSolutionError, ParameterError
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.counting.preparation import Prepared, prepare
from indistinct.tables.evaluation.attacks.scenario import ORIGINAL, AttackScenario
from indistinct.tables.frames.frame import Frame
from indistinct.tables.frames.texts import text_rows
from indistinct.tables.frames.tuples import classes_of_rows
from indistinct.tables.policy.specification import Specification

RowTexts = tuple[str, ...]
# A search that depends on chance may find nothing with one seed, and a release with another.
RUNS = 20

# Shared by the attacks that repeat the search.
REPLAYS: dict[str, Any] = {
    "kind": int,
    "at_least": 1,
    "default": 500,
    "help": "most times that a search is repeated; above, tables are drawn",
}


@final
@dataclass(frozen=True, slots=True)
class Replay:
    """A table, and what the search of the policy makes of it.

    Parameters
    ----------
    prepared : the counted table
    recoding : what was found
    classes : (n_rows,), class of each record that takes part
    texts : per class, the cell in each column that forms classes
    """

    prepared: Prepared
    recoding: Recoding
    classes: Codes
    texts: list[RowTexts]

    __repr__ = short_repr

    @property
    def kept(self) -> Bools:
        """Which records are released: (n_rows,)."""
        return self.recoding.released[self.classes]

    def codes(self) -> Codes:
        """Return the value codes of each record's quasi-identifiers: (n_rows, n_columns)."""
        return self.prepared.problem.table.codes[self.prepared.tuple_of_row]

    def covered(self, column: int, index: int) -> Codes:
        """Return the value codes of a column that the cell of a class covers."""
        domain = self.recoding.domains[column]
        cell = self.recoding.cells[index, column]
        ranks = domain.coverage.ranks
        first, last = domain.coverage.first[cell], domain.coverage.last[cell]
        return np.flatnonzero((ranks >= first) & (ranks <= last)).astype(np.int32)

    def rows(self) -> Counter[RowTexts]:
        """Count the released records by their cells."""
        indices: list[int] = self.classes[self.kept].tolist()
        return Counter(self.texts[index] for index in indices)

    def released_values(self, secrets: Sequence[RowTexts]) -> Counter[RowTexts]:
        """Count the released records by their cells and their sensitive values.

        Parameters
        ----------
        secrets : of each record of the table, the texts of its sensitive values
        """
        rows: list[int] = self.prepared.rows[self.kept].tolist()
        indices: list[int] = self.classes[self.kept].tolist()
        return Counter(
            (*self.texts[index], *secrets[row]) for index, row in zip(indices, rows, strict=True)
        )

    def compatible(self, index: int) -> int:
        """Count the released records that fit those of a class where a star fits every value."""
        texts = np.array(self.texts)
        fits = (texts == texts[index]) | (texts == ROOT) | (texts[index] == ROOT)
        is_counted = fits.all(axis=1) & self.recoding.released
        return int(self.recoding.sizes[is_counted].sum())


def replay(scenario: AttackScenario, frame: Frame, seed: int) -> Replay | None:
    """Count and search a table; None where the policy has no release for it."""
    try:
        prepared = prepare(frame, scenario.spec)
        solution = scenario.search(prepared, chance=RandomSource(seed))
    except NoSolutionError:
        return None
    recoding = solution.recoding
    chosen: list[list[int]] = recoding.cells.tolist()
    texts = [
        tuple(domain.labels[cell] for domain, cell in zip(recoding.domains, cells, strict=True))
        for cells in chosen
    ]
    classes = classes_of_rows(recoding, prepared.tuple_of_row)
    return Replay(prepared, recoding, classes, texts)


def replay_of_release(scenario: AttackScenario) -> tuple[Replay, int]:
    """Repeat the search that made the release, on the table that it was made from.

    Returns
    -------
    what it gives, and the seed of its chance

    Raises
    ------
    ParameterError
        when the policy does what a replay of the search leaves out
    DataError
        when the search, repeated, does not give this release

    Notes
    -----
    With ``replay = "resistant"`` chance is secret. The attacker is then given more than he has: the
    release is made anew, and he knows the seed of that.
    """
    spec = scenario.spec
    _refuse_beyond_search(spec)
    is_resistant = spec.method.replay == "resistant"
    for _ in range(RUNS if is_resistant else 1):
        seed = int(scenario.chance.integers(1 << 62))
        found = replay(scenario, scenario.table(ORIGINAL), seed)
        if found is not None and (is_resistant or _is_of(found, scenario)):
            return found, seed
    raise other_release()


def other_release() -> DataError:
    """Return the error that the release was made otherwise."""
    problem = "the search, repeated on --original, does not give this release"
    remedy = (
        "Give the table, the policy and the version that it was made with; a search that "
        "method.time_limit cut short cannot be repeated."
    )
    return DataError([Fault("--original", problem, remedy)])


def _is_of(found: Replay, scenario: AttackScenario) -> bool:
    """Return whether a replay has the records of the release."""
    names = [name for name in scenario.spec.class_names if name in scenario.released.columns]
    if names != list(scenario.spec.class_names):
        return False
    return Counter(text_rows(scenario.released, names)) == found.rows()


def _refuse_beyond_search(spec: Specification) -> None:
    """Refuse policies in which more than one search makes the cells of a release."""
    beyond = {
        "a protection of a quasi-identifier, whose cells no search chooses": any(
            name in spec.protections for name in spec.class_names
        ),
        "a column of sets beside other quasi-identifiers, whose classes are made again for the "
        "sets": bool(spec.set_names) and bool(spec.class_names),
        "no quasi-identifier but sets, which are chosen without a look at any other column: only "
        "refinement finds something there": bool(spec.set_names) and not spec.class_names,
        # A history of any other model measures what releases tell together, and changes no search.
        "a model of all releases, which takes the releases before this one": any(
            model.republishes for model in spec.models
        ),
        'form = "anatomy", where nothing is found: quasi-identifiers are published as they are, '
        "and every assignment of the values of a group to its people is equally likely": (
            spec.release.form == "anatomy"
        ),
    }
    faults = [
        Fault("--policy", f"has {what}", "Run another attack.")
        for what, is_there in beyond.items()
        if is_there
    ]
    if faults:
        raise ParameterError(faults)
