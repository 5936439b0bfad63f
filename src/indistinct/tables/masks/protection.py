"""The shape that protections share: what stands in place of a column's own values, and its check.

A protection acts on the input, before anything is counted: what the models promise is then counted
on what is released. One that needs the equivalence classes acts after the search instead.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Self

from indistinct.base.arrays import Bools
from indistinct.base.brief import short_repr
from indistinct.base.parameters import check, declared
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault
from indistinct.tables.core.schema import Role
from indistinct.tables.frames.frame import Column, Frame


class MaskStage(StrEnum):
    """When a protection acts."""

    INPUT = "input"  # on all records, before they are counted
    CLASSES = "classes"  # on the released records, when their classes are known


@dataclass(frozen=True, slots=True)
class Context:
    """What the policy says besides the parameters.

    Parameters
    ----------
    epsilon, confidence : of the table ``[noise]``
    person : the column of persons, if there is one
    missing : how a missing value is written
    folder : of the policy; paths are relative to it
    """

    epsilon: float = 1.0
    confidence: float | None = None
    person: str | None = None
    missing: tuple[str, ...] = ("",)
    folder: Path = field(default_factory=Path)


@dataclass(frozen=True, slots=True)
class Masked:
    """What a protection made of some columns.

    Parameters
    ----------
    columns : the columns that take the place of those given, row by row
    facts : what the manifest says of it; no value of any record
    kept : (n_rows,), which rows may be released; all where it is None
    """

    columns: Frame
    facts: Mapping[str, Any]
    kept: Bools | None = None

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Fit:
    """How the records of some columns are masked, each by itself.

    A table that is not read whole is then read twice: once for the facts of its whole columns that
    a protection takes, and once to be masked.

    Parameters
    ----------
    mask : gives the columns of a part that take the place of those given, and the facts of the part
    known : all values of the columns, where a part is checked against them; None where each record
        is checked against itself
    """

    mask: Callable[[Frame, RandomSource], Masked]
    known: Frame | None = None

    __repr__ = short_repr


class Protection(ABC):
    """What protects a column besides, or in place of, generalization.

    A subclass is a frozen dataclass; its fields are its parameters.

    Raises
    ------
    ParameterError
        when a parameter lies outside its range, all of them named
    """

    name: ClassVar[str]
    files: ClassVar[tuple[str, ...]] = ()  # parameters that name a file, relative to the policy
    promise: ClassVar[str]  # for lay people, the column in braces
    leaves_open: ClassVar[tuple[str, ...]]  # what it does not protect against, likewise
    roles: ClassVar[frozenset[Role]]  # of the columns it may protect
    stage: ClassVar[MaskStage] = MaskStage.INPUT
    in_classes: ClassVar[bool]  # whether a quasi-identifier still takes part in the classes
    computes: ClassVar[bool] = False  # with the cells, which have to be numbers or dates
    checks_records: ClassVar[bool] = True  # whether its check against the input is of each record
    follows_from_value: ClassVar[bool] = False  # whether who knows a value knows what is released
    draws_for_each_record: ClassVar[bool] = False  # so that several draws give one value back
    jointly: ClassVar[bool] = False  # whether columns of equal settings are one vector
    checked_facts: ClassVar[tuple[str, ...]] = ()  # numbers of the manifest that its check reads
    public_facts: ClassVar[frozenset[str]] = frozenset({"records"})  # may be published as they are
    instead_in_parts: ClassVar[str] = "generalize the column instead"  # where it is not by record
    rounded_facts: ClassVar[frozenset[str]] = frozenset()  # risks and errors, published rounded up

    def __post_init__(self) -> None:
        """Check every parameter once."""
        check(self)

    def within(self, context: Context) -> Self:
        """Return the protection with what the rest of the policy says."""
        del context
        return self

    def with_secret(self, secret: bytes) -> Self:
        """Return the protection with what is drawn once for all columns of a release: 32 bytes."""
        del secret
        return self

    @property
    def read_columns(self) -> tuple[str, ...]:
        """The columns that are read to mask others: they follow these in what is masked."""
        return ()

    @property
    def withholds(self) -> bool:
        """Whether rows may be left out, whatever else is released of them."""
        return False

    def required(self) -> dict[str, Any]:
        """Return the parameters as policy and manifest name them, those left out excluded."""
        values = {name: getattr(self, name) for name in declared(type(self))}
        return {name: value for name, value in values.items() if value is not None}

    def faults(self, columns: Frame) -> Iterator[Fault]:
        """Find what these columns of the input cannot have."""
        del columns
        return iter(())

    @property
    def is_by_record(self) -> bool:
        """Whether each record is masked by itself, so that a table can be masked in parts."""
        return False

    @property
    def is_fitted(self) -> bool:
        """Whether each record is masked by itself once facts of the whole columns are known."""
        return False

    def fitted(self, parts: Iterable[Frame]) -> Fit:
        """Find these facts; without any, a part is masked as a whole table is.

        Parameters
        ----------
        parts : the protected columns, part after part; at least one

        Raises
        ------
        PolicyError
            when columns cannot be protected so, all of them named
        """
        del parts
        return Fit(self.mask)

    def facts_of_parts(self, parts: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Return the facts of a table by those of its parts, for a protection by record.

        Parameters
        ----------
        parts : the facts of each part, at least one
        """
        return parts[0]

    def among_released(self, n_values: Callable[[], int]) -> Mapping[str, Any]:
        """Return the public facts that differ when some records of the input are not released.

        Parameters
        ----------
        n_values : counts the different values that the released column shows
        """
        del n_values
        return {}

    @abstractmethod
    def mask(self, columns: Frame, source: RandomSource) -> Masked:
        """Protect some columns of the input, all records at once."""

    @abstractmethod
    def check_release(self, released: Frame, facts: Mapping[str, Any] | None) -> Iterator[Fault]:
        """Find what shows that the released columns are not protected so.

        Parameters
        ----------
        released : the columns as they were read from the file, all cells as text
        facts : what the manifest says of them, if it is at hand
        """

    def check_against(
        self, released: Frame, original: Frame, rows: Sequence[int] | None
    ) -> Iterator[Fault]:
        """Find what shows that the released columns were not made from these original ones.

        Parameters
        ----------
        released : the columns as they were read from the file, all cells as text
        original : the same columns of the input, all records
        rows : number in the input of each released record, if it is known
        """
        del released, original, rows
        return iter(())


class ClassProtection(Protection):
    """A protection of numbers by their equivalence class: it acts after the search.

    Parameters
    ----------
    resolution : step of the released values; found in the data when None
    """

    resolution: float | None

    stage: ClassVar[MaskStage] = MaskStage.CLASSES
    in_classes: ClassVar[bool] = False
    computes: ClassVar[bool] = True

    @property
    @abstractmethod
    def width(self) -> float | None:
        """The width of the public bounds, where there are any."""

    @property
    @abstractmethod
    def guarantee(self) -> str:
        """What the protection promises, in words."""


class EstimableProtection(Protection):
    """A protection after which the counts of the whole input can still be estimated."""

    @abstractmethod
    def estimate(self, released: Column) -> Frame:
        """Estimate how often each category stood in the input.

        Parameters
        ----------
        released : the column as released

        Returns
        -------
        per category: ``category``, ``answers``, ``estimate`` (unbiased; may be negative) and
        ``standard_error``
        """
