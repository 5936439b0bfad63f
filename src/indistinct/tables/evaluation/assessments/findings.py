"""What an assessment finds: frozen values that know their JSON and their figures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from indistinct.base.files.documents import WHERE_KNOWN, document_of
from indistinct.tables.evaluation.utility.usefulness import Utility
from indistinct.tables.models import MODELS_BY_NAME
from indistinct.tables.release.entries import ClassEntry, CountEntry, ModelEntry, ProtectionEntry
from indistinct.tables.release.read_back import GivenBack, ReadBack


@dataclass(frozen=True, slots=True)
class AtRisk:
    """Share of the records whose risk is above a threshold."""

    threshold: float
    share: float


@dataclass(frozen=True, slots=True)
class SpecialUniquesRisk:
    """How special the records are; see :mod:`indistinct.tables.metrics.suda`."""

    sample_uniques: int
    special: int
    highest: float
    mean: float
    largest_set: int


@dataclass(frozen=True, slots=True)
class IndividualRisk:
    """The estimated risk of single records in the population.

    Parameters
    ----------
    method : ``weights`` or ``uniform-prior``
    highest, mean : in [0, 1]
    re_identifications : to expect in the whole table
    people, fewest_people : people of the population that all records, and the records of the
        smallest class, stand for by their weights; a class stands at least for its own records
    """

    method: str
    highest: float
    mean: float
    re_identifications: float
    people: float | None = field(default=None, metadata=WHERE_KNOWN)
    fewest_people: float | None = field(default=None, metadata=WHERE_KNOWN)


@dataclass(frozen=True, slots=True)
class HouseholdRisk:
    """The risk that somebody finds any member of a household.

    Parameters
    ----------
    highest, mean : over the records, by the sizes of their classes; in [0, 1]
    expected : records of households that are found, to expect in the whole table
    individual : the same by the individual risks in the population, where these are estimated
    """

    highest: float
    mean: float
    expected: float
    individual: HouseholdRisk | None = field(default=None, metadata=WHERE_KNOWN)


@dataclass(frozen=True, slots=True)
class AssessedRisk:
    """The re-identification risk; None where it is not measured."""

    prosecutor: float
    journalist: float | None
    marketer: float
    mean_prosecutor: float
    mean_journalist: float | None
    records_at_risk: AtRisk
    suda: SpecialUniquesRisk | None
    individual: IndividualRisk | None
    household_risk: HouseholdRisk | None = field(default=None, metadata=WHERE_KNOWN)

    def plain(self) -> dict[str, float]:
        """Return the risks that are one number each, where they are known."""
        known = {
            "prosecutor": self.prosecutor,
            "journalist": self.journalist,
            "marketer": self.marketer,
            "mean_prosecutor": self.mean_prosecutor,
            "mean_journalist": self.mean_journalist,
        }
        return {name: value for name, value in known.items() if value is not None}

    def figures(self) -> dict[str, float]:
        """Return the numbers that a requirement may name."""
        known = {
            **self.plain(),
            "records_at_risk": self.records_at_risk.share,
            "suda": None if self.suda is None else self.suda.highest,
            "individual": None if self.individual is None else self.individual.highest,
            "fewest_people": None if self.individual is None else self.individual.fewest_people,
            "household_risk": None if self.household_risk is None else self.household_risk.highest,
        }
        return {name: value for name, value in known.items() if value is not None}


@dataclass(frozen=True, slots=True)
class SecretFigures:
    """What every model reaches in one sensitive column, in its worst class.

    Parameters
    ----------
    measured : by the name of the figure; None where it is infinite
    recursive_c : c to exceed for each l, as a text
    records_of_one_value, records_inferred : shares of the records
    """

    measured: Mapping[str, float | None]
    recursive_c: Mapping[str, float | None]
    records_of_one_value: float
    records_inferred: float

    @property
    def distinct_l(self) -> int:
        """Fewest distinct known values in a class that has some; 0 where none has."""
        return int(self.measured["distinct_l"] or 0)

    def document(self) -> dict[str, Any]:
        """Return the figures as JSON has them."""
        return {
            **self.measured,
            "recursive_c": dict(self.recursive_c),
            "records_of_one_value": self.records_of_one_value,
            "records_inferred": self.records_inferred,
        }

    def named(self) -> dict[str, float | None]:
        """Return every figure by a name of its own, ``recursive_c_2`` for each tail."""
        shares = {
            "records_of_one_value": self.records_of_one_value,
            "records_inferred": self.records_inferred,
        }
        tails = {f"recursive_c_{tail}": c for tail, c in self.recursive_c.items()}
        return {**self.measured, **shares, **tails}


@dataclass(frozen=True, slots=True)
class Anonymity:
    """What every model reaches: k of the table, and the others per sensitive column.

    Parameters
    ----------
    k, unique_records, smallest_classes : of the classes; where there are sets, of the records that
        fit what somebody knows of a record
    sensitive : in the classes, whatever is known of sets
    knows : what is known of sets; None where there are none
    """

    k: int | None
    unique_records: int
    smallest_classes: tuple[int, ...] = ()
    sensitive: Mapping[str, SecretFigures] = field(default_factory=dict[str, SecretFigures])
    knows: str | None = field(default=None, metadata=WHERE_KNOWN)

    def figures(self) -> dict[str, float]:
        """Return every figure: ``t_equal`` of the worst column, ``t_equal(disease)`` of one."""
        if self.k is None:
            return {}
        figures = {"k": float(self.k), "unique_records": float(self.unique_records)}
        if self.knows is not None:
            return figures  # sensitive values were not counted among those who fit known items
        for column, found in self.sensitive.items():
            for name, value in found.named().items():
                of_column = math.inf if value is None else float(value)
                figures[f"{name}({column})"] = of_column
                worse = min if name.endswith("_l") else max
                figures[name] = worse(figures.get(name, of_column), of_column)
        short = {"l": "distinct_l", "t": "t_equal"}
        return figures | {
            letter: figures[name] for letter, name in short.items() if name in figures
        }


@dataclass(frozen=True, slots=True)
class SeparatingColumns:
    """Some columns that tell records apart; shares of pairs and of records, in [0, 1]."""

    columns: tuple[str, ...]
    distinction: float
    separation: float
    unique: float


@dataclass(frozen=True, slots=True)
class Separation:
    """How well the quasi-identifiers tell records apart, and which few of them do so already.

    Parameters
    ----------
    distinction, separation, unique : of all together
    at_least : share of the records that stand alone by each of the sets
    sets : the smallest sets
    """

    distinction: float
    separation: float
    unique: float
    at_least: float
    sets: tuple[SeparatingColumns, ...]

    def figures(self) -> dict[str, float]:
        """Return the numbers that a requirement may name."""
        return {
            "distinction": self.distinction,
            "separation": self.separation,
            "unique": self.unique,
        }


@dataclass(frozen=True, slots=True)
class ReadBackFigures:
    """What columns that are not generalized give back of the cells that are.

    Parameters
    ----------
    k : records of the smallest class once these cells are read back
    cells : that are read back
    by : per column, or pair of columns, that agrees more than by chance: its cells and its k
    """

    k: int
    cells: int
    by: tuple[GivenBack, ...] = ()

    @classmethod
    def of(cls, found: ReadBack) -> ReadBackFigures:
        """Return the figures of what was found."""
        cells = 0 if found.together is None else found.together.n_cells
        return cls(found.k_after, cells, found.warned)


@dataclass(frozen=True, slots=True)
class Findings:
    """What a table reaches, promised or not.

    Parameters
    ----------
    models, records, classes : as in the manifest of a release
    risk, anonymity, separation : see there
    loss, utility, protection : where there is an original to compare with
    read_back : where some columns are generalized and others are not
    """

    models: tuple[ModelEntry, ...]
    records: CountEntry
    classes: ClassEntry
    risk: AssessedRisk
    anonymity: Anonymity
    separation: Separation
    loss: Mapping[str, float] | None = field(default=None, metadata=WHERE_KNOWN)
    utility: Utility | None = field(default=None, metadata=WHERE_KNOWN)
    protection: Mapping[str, ProtectionEntry] | None = field(default=None, metadata=WHERE_KNOWN)
    read_back: ReadBackFigures | None = field(default=None, metadata=WHERE_KNOWN)

    def document(self) -> dict[str, Any]:
        """Return the findings as JSON has them."""
        return document_of(self)

    def figures(self) -> dict[str, float]:
        """Return every figure that a requirement may name.

        Where two models of the policy reach the same letter, the worse one counts; a letter that no
        model of the policy has stands for the worst sensitive column.
        """
        figures = self.anonymity.figures() | self._promised() | self.risk.figures()
        figures |= self.separation.figures()
        figures["suppressed"] = float(self.records.suppressed or 0)
        if self.read_back is not None:
            figures["k_read_back"] = float(self.read_back.k)
            figures["cells_read_back"] = float(self.read_back.cells)
        for name in ("expected_error", "linking_risk"):
            entries = (self.protection or {}).values()
            found = [entry.facts[name] for entry in entries if name in entry.facts]
            figures |= {name: max(found)} if found else {}
        if self.anonymity.knows is not None:
            return figures  # what the sets lost is not in these losses and measures
        figures |= {name: float(value) for name, value in (self.loss or {}).items()}
        return figures | ({} if self.utility is None else self.utility.figures())

    def _promised(self) -> dict[str, float]:
        """Return what the models of the policy reach, by their letters; the worst of several."""
        figures: dict[str, float] = {}
        for model in self.models:
            kind = MODELS_BY_NAME[model.name]
            for name, value in (model.achieved or {}).items():
                figure = math.inf if value is None else float(value)
                worse = min if kind.grows and name == kind.letter else max
                figures[name] = worse(figures.get(name, figure), figure)
        return figures
