"""The policy of published tables: what is counted, for which tables, and what is promised."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import tomli_w
from pydantic import Field, ValidationError

from indistinct.aggregates.later_words import later_faults
from indistinct.aggregates.profiles import PROFILES
from indistinct.base.files.writing import atomic
from indistinct.base.nearest_words import did_you_mean
from indistinct.errors import Fault, PolicyError
from indistinct.tables.policy import HierarchyRule, PolicyWords, Words, word_fault, words_of

TABLE_NAME = re.compile(r"[A-Za-z0-9_-]+")
RESERVED = frozenset({"manifest", "witnesses", "owner", "joint"})
MEASURE = "count"


class DataWords(Words):
    """How the input is read, and which column names a person."""

    missing: tuple[str, ...] = ("",)
    person: str | None = None
    encoding: str | None = None
    separator: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    quote: Annotated[str, Field(max_length=1)] | None = None  # the empty one: no quotes
    escape: Literal["\\"] | None = None
    decimal: Literal[".", ","] | None = None
    header: Annotated[int, Field(ge=1)] | None = None
    skip_rows: Annotated[int, Field(ge=0)] | None = None
    skip_last: Annotated[int, Field(ge=0)] | None = None


class DimensionWords(Words):
    """A column by whose values, bands or groups is counted."""

    role: Literal["dimension"] = "dimension"
    hierarchy: HierarchyRule | None = None
    bands: tuple[float, ...] | None = None
    type: Literal["number", "text", "date", "nominal", "ordinal", "code"] | None = None
    format: str | None = None


class RuleWords(Words):
    """A rule of what is too small to be shown."""

    minimum: Annotated[int, Field(ge=2)]


class TableWords(Words):
    """One table: its dimensions, and the lowest level that it shows of each."""

    name: str = "table"
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    measures: tuple[Literal["count"], ...] = (MEASURE,)
    lowest: Mapping[str, Annotated[int, Field(ge=0)]] = {}

    @property
    def dimensions(self) -> tuple[str, ...]:
        """All dimensions, rows before columns."""
        return (*self.rows, *self.columns)


class PublishWords(Words):
    """What is published, and what is promised of it."""

    method: Literal["suppress"] = "suppress"
    rules: tuple[RuleWords, ...] = ()
    zeros: Literal["publish", "hide"] | None = None
    width: Annotated[int, Field(ge=1)] = 1
    effort: Literal["default", "fast"] = "default"
    keep: tuple[str, ...] = ()
    cost: Literal["value", "cells"] = "value"
    apart: tuple[tuple[str, str], ...] = ()
    missing: str = "missing"
    profile: str | None = None
    tables: tuple[TableWords, ...] = ()


class TablesWords(PolicyWords):
    """All tables of the policy."""

    data: DataWords = DataWords()
    columns: Mapping[str, DimensionWords] = {}
    publish: PublishWords


class TablesPolicy(TablesWords):
    """What is promised of a family of published tables.

    Raises
    ------
    PolicyError
        when a word is unknown, a value out of range or parts contradict each other; all faults at
        once, each with its place
    """

    def __init__(self, **words: Any) -> None:
        """Check all words; see the class."""
        if later := list(later_faults(words)):
            raise PolicyError(later)
        try:
            super().__init__(**words)
        except ValidationError as error:
            raise PolicyError(
                [word_fault(detail, TablesWords) for detail in error.errors()]
            ) from None
        if faults := list(self._faults()):
            raise PolicyError(faults)

    def _faults(self) -> Iterator[Fault]:
        """Find what the words contradict among themselves."""
        publish = self.publish
        if not publish.tables:
            yield Fault("publish.tables", "is missing", "Name at least one table.")
        if publish.profile is not None and publish.profile not in PROFILES:
            listed = f"Choose one of {', '.join(PROFILES)}."
            remedy = did_you_mean(publish.profile, PROFILES, listed)
            yield Fault("publish.profile", "is not known", remedy)
        if not publish.rules and publish.profile is None:
            yield no_minimum("publish.rules")
        if publish.missing in {"", "*"}:
            problem = "cannot be told from an empty cell or a total"
            yield Fault("publish.missing", problem, "Choose another label.")
        yield from _table_faults(publish.tables)
        yield from _column_faults(self.columns)
        if self.data.person in self.dimensions:
            yield Fault("data.person", "is a dimension, too", "Count by another column.")
        yield from _keep_faults(publish.keep, self.dimensions)
        for number, pair in enumerate(publish.apart):
            for name in pair:
                if name not in self.dimensions:
                    yield _unknown(f"publish.apart.{number}", name, self.dimensions)

    def __repr__(self) -> str:
        """Return what is promised, and of how many tables."""
        return f"<TablesPolicy of {len(self.publish.tables)} tables: minimum={self.minimum}>"

    __str__ = __repr__

    @property
    def minimum(self) -> int:
        """Smallest count that is shown."""
        asked = [rule.minimum for rule in self.publish.rules]
        if asked or self.publish.profile is None:
            return max(asked)
        return PROFILES[self.publish.profile].minimum

    @property
    def hides_zeros(self) -> bool:
        """Whether cells without anybody are hidden, too."""
        said = self.publish.zeros
        if said is None and self.publish.profile is not None:
            said = PROFILES[self.publish.profile].zeros
        return said == "hide"

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The columns that some table names, in the order of their first mention."""
        return tuple(dict.fromkeys(name for one in self.publish.tables for name in one.dimensions))

    def kept(self) -> list[dict[str, str]]:
        """Return the conjunctions of labels whose cells are never hidden."""
        return [
            dict(part.strip().split("=", 1) for part in entry.split(","))
            for entry in self.publish.keep
        ]

    @property
    def folder(self) -> Path:
        """The folder that paths of files start from."""
        return self._folder

    def words(self) -> dict[str, Any]:
        """Return the policy as nested words, defaults left out."""
        return self.model_dump(mode="json", exclude_defaults=True)

    def __eq__(self, other: object) -> bool:
        """Compare what is said."""
        return isinstance(other, TablesPolicy) and self.words() == other.words()

    __hash__ = None  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride] - holds mappings

    @property
    def toml(self) -> str:
        """The policy as a TOML file has it."""
        return tomli_w.dumps(self.words())

    def save(self, path: str | Path) -> None:
        """Write the policy as a TOML file.

        Raises
        ------
        OutputError
            when the file cannot be written
        """
        with atomic(Path(path)) as place:
            place.write_text(self.toml, encoding="utf-8")


def no_minimum(place: str) -> Fault:
    """Return the fault that nobody says what is too small."""
    listed = ", ".join(PROFILES)
    return Fault(
        place,
        "there is no smallest count",
        f"Give minimum = 5 or minimum = 11, or a profile: {listed}.",
    )


def _table_faults(tables: Sequence[TableWords]) -> Iterator[Fault]:
    """Find tables without dimensions, and names that stand for two things."""
    seen: set[str] = set()
    for number, table in enumerate(tables):
        place = f"publish.tables.{number}"
        if not TABLE_NAME.fullmatch(table.name):
            problem = "may have letters, digits, _ and - only"
            yield Fault(f"{place}.name", problem, "Rename the table.")
        if table.name.lower() in RESERVED:
            yield Fault(f"{place}.name", "is the name of another file", "Rename the table.")
        if table.name.lower() in seen:
            yield Fault(f"{place}.name", "is the name of two tables", "Rename one of them.")
        seen.add(table.name.lower())
        if not table.dimensions:
            yield Fault(place, "has no dimension", "Name rows or columns.")
        for name in sorted({n for n in table.dimensions if table.dimensions.count(n) > 1}):
            yield Fault(place, f"names the dimension {name} twice", "Name it once.")
        for name in table.lowest:
            if name not in table.dimensions:
                yield _unknown(f"{place}.lowest", name, table.dimensions)


def _column_faults(columns: Mapping[str, DimensionWords]) -> Iterator[Fault]:
    """Find columns of which two things are said, and bands that are none."""
    for name, column in columns.items():
        place = f"columns.{name}"
        if column.bands is not None and column.hierarchy is not None:
            yield Fault(place, "has bands and a hierarchy", "Keep one of them.")
        if column.bands is not None and (
            not column.bands or list(column.bands) != sorted(set(column.bands))
        ):
            problem = "must be numbers that grow"
            yield Fault(f"{place}.bands", problem, "Write them as in [18, 65].")
        if column.hierarchy is not None and column.hierarchy.ranges is not None:
            problem = "ranges are made by an algorithm, which does not count tables"
            yield Fault(f"{place}.hierarchy", problem, "Give intervals or bands.")


def _keep_faults(entries: Sequence[str], dimensions: tuple[str, ...]) -> Iterator[Fault]:
    """Find entries of what is never hidden that are none."""
    for number, entry in enumerate(entries):
        place = f"publish.keep.{number}"
        for part in entry.split(","):
            name, equals, label = part.strip().partition("=")
            if not equals or not label:
                problem = "must be a dimension and a label"
                yield Fault(place, problem, "Write it as in region=R1, or region=* for the total.")
            elif name not in dimensions:
                yield _unknown(place, name, dimensions)


def _unknown(place: str, name: str, known: tuple[str, ...]) -> Fault:
    """Return the fault of a name that is no dimension of the tables."""
    remedy = did_you_mean(name, known, f"Choose one of {', '.join(known)}.")
    return Fault(place, f"{name} is not a dimension there", remedy)


def tables_policy(given: object) -> TablesPolicy:
    """Return the policy that a caller means: itself, its words, or the path of its file.

    Raises
    ------
    PolicyError
        when it cannot be read, or is no policy of published tables
    """
    if isinstance(given, TablesPolicy):
        return given
    if not isinstance(given, str | Path | Mapping):
        raise PolicyError("this is not a policy", "Give a policy, or the path of its TOML file.")
    is_file = isinstance(given, str | Path)
    words = words_of(given) if is_file else cast("Mapping[str, Any]", given)
    if "publish" not in words:
        raise PolicyError(
            "the policy has no table [publish]", "Describe the tables under [[publish.tables]]."
        )
    return TablesPolicy.from_words(words, Path(given).parent if is_file else None)
