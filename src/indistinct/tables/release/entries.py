"""The parts of a manifest and of an assessment: their fields are the words of JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from indistinct.base.files.documents import WHERE_KNOWN, plain
from indistinct.tables.masks.protection import Protection


@dataclass(frozen=True, slots=True)
class InputEntry:
    """What a release was made from.

    Parameters
    ----------
    rows : records of the input
    fingerprint : of the input, salted; None where nobody asked for hashes
    salt : of the fingerprint; for the owner alone
    """

    rows: int
    fingerprint: str | None
    salt: str | None = field(default=None, metadata=WHERE_KNOWN)


@dataclass(frozen=True, slots=True)
class OutputEntry:
    """The released file: its rows, and its hash when it is written.

    Parameters
    ----------
    rows : of all files
    sha256 : of the file, or of the lines that ``sha256sum`` prints for the parts of a folder
    parts : of a folder: path, rows, bytes and hash of each file
    fingerprint : of a table of a database: its rows and the sum of their hashes, by its engine
    partition_by : the column that folders of the parts are named after, where there are such
    record_column : the column of the random names that link records with the owner's crosswalk
    writer : the libraries that decide about the bytes of the file, each with its version
    shared : True where the release is in a file of a database that was there before
    """

    rows: int
    sha256: str | None = None
    parts: Sequence[Mapping[str, Any]] | None = field(default=None, metadata=WHERE_KNOWN)
    fingerprint: str | None = field(default=None, metadata=WHERE_KNOWN)
    partition_by: str | None = field(default=None, metadata=WHERE_KNOWN)
    record_column: str | None = field(default=None, metadata=WHERE_KNOWN)
    writer: Mapping[str, str] | None = field(default=None, metadata=WHERE_KNOWN)
    shared: bool | None = field(default=None, metadata=WHERE_KNOWN)


@dataclass(frozen=True, slots=True)
class SensitiveEntry:
    """The second of two linked tables, and its file when it is written."""

    column: str
    rows: int
    file: str | None = field(default=None, metadata=WHERE_KNOWN)
    sha256: str | None = field(default=None, metadata=WHERE_KNOWN)


@dataclass(frozen=True, slots=True)
class MethodEntry:
    """How a release was found.

    Parameters
    ----------
    algorithm, objective : as the policy names them
    transformation : level of each column, of full-domain recoding
    levels : per column, share of the released records at each level, where levels differ by class;
        the document has them for full-domain recoding, too
    groups : number of groups, of two linked tables
    facts : what the algorithm says of its search
    seconds : that the search took; for the owner alone
    """

    algorithm: str
    seconds: float | None = None
    objective: str | None = None
    transformation: Mapping[str, int] | None = None
    levels: Mapping[str, Mapping[str, float]] | None = None
    groups: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def document(self) -> dict[str, Any]:
        """Return the entry as JSON has it."""
        words = ("algorithm", "objective", "transformation", "levels", "groups")
        known = {word: getattr(self, word) for word in words if getattr(self, word) is not None}
        if self.transformation is not None:
            known["levels"] = whole_levels(self.transformation)
        taken = {} if self.seconds is None else {"seconds": self.seconds}
        return {**plain(known), **plain(self.facts), **taken}

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Read the entry from JSON; a word of no field is a fact of the search."""
        own = {name: value for name, value in document.items() if name in cls.__slots__}
        if own.get("transformation") is not None:
            own["levels"] = None  # they say the same
        facts = {name: value for name, value in document.items() if name not in own}
        return cls(**own, facts=facts)


def whole_levels(transformation: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Return the share of the records at each level where a column has one level."""
    return {name: {str(level): 1.0} for name, level in transformation.items()}


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """What a model asks and what the worst class reaches.

    Parameters
    ----------
    name, required : the model and its parameters
    achieved : what the worst class reaches, by the letters of the model; None where nothing is
        released
    holds : None where it is not decided
    measured_against : the distribution that classes are compared with, where it is not the input's
    """

    name: str
    required: Mapping[str, Any]
    achieved: Mapping[str, Any] | None
    holds: bool | None
    measured_against: str | None = field(default=None, metadata=WHERE_KNOWN)


@dataclass(frozen=True, slots=True)
class CountEntry:
    """How many records, or people, are released and how many suppressed; None where not known."""

    released: int
    suppressed: int | None

    @property
    def suppressed_share(self) -> float:
        """Share of all that is suppressed, in [0, 1]; 0 where it is not known."""
        suppressed = self.suppressed or 0
        return suppressed / max(self.released + suppressed, 1)


@dataclass(frozen=True, slots=True)
class ClassEntry:
    """How many classes there are, and how large they are.

    Parameters
    ----------
    count : classes
    smallest, mean, largest : their sizes; None where there is no class
    counted : whether sizes are people or records, where the policy wants people counted
    """

    count: int
    smallest: int | None
    mean: float | None
    largest: int | None
    counted: str | None = field(default=None, metadata=WHERE_KNOWN)


@dataclass(frozen=True, slots=True)
class RiskEntry:
    """The re-identification risk, each in [0, 1]; the journalist takes a population."""

    prosecutor: float
    journalist: float | None
    marketer: float


@dataclass(frozen=True, slots=True)
class ProtectionEntry:
    """How a column is protected besides, or in place of, generalization.

    Parameters
    ----------
    name, required : the protection and its parameters
    in_classes : whether the column still takes part in the classes
    facts : what the protection says of the released column
    """

    name: str
    required: Mapping[str, Any]
    in_classes: bool
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @classmethod
    def of(cls, protection: Protection, facts: Mapping[str, Any]) -> Self:
        """Return how a protection protects a column, and what it says of the released one."""
        return cls(protection.name, protection.required(), protection.in_classes, facts)

    def document(self) -> dict[str, Any]:
        """Return the entry as JSON has it."""
        own = {"name": self.name, "required": self.required, "in_classes": self.in_classes}
        return plain({**own, **self.facts})

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Read the entry from JSON; a word of no field is a fact of the protection."""
        own = {name: value for name, value in document.items() if name in cls.__slots__}
        if own.get("transformation") is not None:
            own["levels"] = None  # they say the same
        facts = {name: value for name, value in document.items() if name not in own}
        return cls(**own, facts=facts)


@dataclass(frozen=True, slots=True)
class SuppressionEntry:
    """What confident k-anonymity suppresses: records and shares, all but the first the owner's."""

    confidence: float
    by_search: int | None = field(default=None, metadata=WHERE_KNOWN)
    share_by_search: float | None = field(default=None, metadata=WHERE_KNOWN)
    after_noise: int | None = field(default=None, metadata=WHERE_KNOWN)
    share_after_noise: float | None = field(default=None, metadata=WHERE_KNOWN)
    records: int | None = field(default=None, metadata=WHERE_KNOWN)
    with_their_class: int | None = field(default=None, metadata=WHERE_KNOWN)
    by_other_models: int | None = field(default=None, metadata=WHERE_KNOWN)


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """What became of the people of a version, by what was released of them before.

    Parameters
    ----------
    release : its number in the history
    people : of this version
    kept, new, changed : with the signature that they had, without one, and with another one
    left_out : whose change no signature can hide
    founded_with_counterfeits : cohorts that begin with a counterfeit among them
    """

    release: int
    people: int
    kept: int
    new: int
    changed: int
    left_out: int
    founded_with_counterfeits: int | None = field(default=None, metadata=WHERE_KNOWN)


@dataclass(frozen=True, slots=True)
class CounterfeitEntry:
    """How many records have no person: all, per real record, and groups that have some."""

    records: int
    share: float
    groups: int


@dataclass(frozen=True, slots=True)
class CompositionEntry:
    """What a release tells together with earlier ones, each share the greatest over these.

    Parameters
    ----------
    releases : that were compared, this one included
    people : of this release who were in an earlier one
    below_k : share of them whose two classes share fewer than k people
    alone : share of them whose two classes share nobody else
    certain : per sensitive column, share of them whose two classes have one value in common
    """

    releases: int
    people: int
    below_k: float
    alone: float
    certain: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Reached:
    """What a solution reaches and costs.

    Parameters
    ----------
    models, records, classes, risk : see their entries
    people : where sizes count people
    loss : by the name of the metric
    """

    models: tuple[ModelEntry, ...]
    records: CountEntry
    classes: ClassEntry
    loss: Mapping[str, float]
    risk: RiskEntry
    people: CountEntry | None = None

    def document(self) -> dict[str, Any]:
        """Return what is reached in the words of the manifest."""
        people = {} if self.people is None else {"people": self.people}
        return plain(
            {
                "models": self.models,
                "records": self.records,
                **people,
                "classes": self.classes,
                "loss": self.loss,
                "risk": self.risk,
            }
        )
