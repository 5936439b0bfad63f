"""Look at a table before it is published: what each column is, and how much it gives away."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
import polars as pl
import tomli_w

from indistinct.core.arrays import Codes
from indistinct.core.brief import briefly
from indistinct.core.kernels import group_rows
from indistinct.core.schema import Role
from indistinct.counting.columns import is_missing
from indistinct.counting.prepare import prepare
from indistinct.engines import files
from indistinct.engines.cell_texts import cell_texts
from indistinct.engines.polars import encode
from indistinct.engines.protocol import EncodedColumn
from indistinct.engines.row_order import SHORTEST, follows_the_rows
from indistinct.metrics.separation import (
    ALMOST_ALL,
    distinction,
    separating_sets,
    separation,
    separation_entry,
)
from indistinct.policy.hierarchies import suggested_rule
from indistinct.policy.policy import Policy
from indistinct.policy.sections.data import DataPolicy
from indistinct.policy.sections.hierarchy import HierarchyRule
from indistinct.publish.repeated_identifiers import repeated_share, repetition
from indistinct.search.adaptive.vulnerability import Vulnerability, vulnerability_of

UNIQUE_ENOUGH = 0.9

IDENTIFIER_WORDS = (
    "name", "surname", "firstname", "lastname", "email", "mail", "phone", "telephone", "mobile",
    "fax", "ssn", "passport", "iban", "account", "address", "street", "url", "ip", "id", "uuid",
    "licence", "license", "insurance number", "patient number", "patient nbr", "mrn",
)  # fmt: skip
SENSITIVE_WORDS = (
    "diagnosis", "disease", "illness", "condition", "medication", "drug", "therapy", "treatment",
    "symptom", "icd", "hiv", "salary", "income", "wage", "debt", "credit", "religion", "party",
    "politics", "vote", "conviction", "crime", "orientation", "test result", "outcome",
)  # fmt: skip
QUASI_WORDS = (
    "age", "birth", "born", "dob", "yob", "sex", "gender", "zip", "postcode", "postal", "plz",
    "city", "town", "region", "state", "county", "country", "nationality", "race", "ethnicity",
    "occupation", "job", "profession", "education", "marital", "workclass", "employer", "school",
    "height", "weight", "language", "household", "date", "admission",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ColumnReport:
    """What one column shows.

    Parameters
    ----------
    name, type : the column; ``integer``, ``number``, ``date``, ``text`` or ``boolean``
    distinct : different values, a missing one not counted
    missing : records without a value
    distinction : different values / records, in [0, 1]
    separation : share of pairs of records that the column tells apart, in [0, 1]
    role : the policy's role, or the suggested one
    reason : why
    """

    name: str
    type: str
    distinct: int
    missing: int
    distinction: float
    separation: float
    role: str
    reason: str


@dataclass(frozen=True, slots=True)
class SeparatingSet:
    """A set of columns on which almost every record stands alone.

    Parameters
    ----------
    columns : their names
    distinction, separation, unique : classes / records, pairs told apart / pairs, records that
        stand alone / records; each in [0, 1]
    """

    columns: tuple[str, ...]
    distinction: float
    separation: float
    unique: float


@dataclass(frozen=True, slots=True)
class Together:
    """What the quasi-identifiers show when someone knows them all.

    Parameters
    ----------
    columns : the quasi-identifiers, by the policy or as suggested
    distinction, separation, unique : as in :class:`SeparatingSet`
    at_least : share of the records that must stand alone in each of the sets
    sets : the smallest sets of the columns on which they do; none when not even all suffice
    """

    columns: tuple[str, ...]
    distinction: float
    separation: float
    unique: float
    at_least: float
    sets: tuple[SeparatingSet, ...]


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a table shows before it is published."""

    rows: int
    columns: tuple[ColumnReport, ...]
    rules: Mapping[str, HierarchyRule | None]
    together: Together | None = None
    vulnerability: Vulnerability | None = None

    __repr__ = briefly

    def document(self) -> dict[str, Any]:
        """Give the result as one JSON document."""
        document: dict[str, Any] = {
            "rows": self.rows,
            "columns": [asdict(column) for column in self.columns],
            "quasi_identifiers": None if self.together is None else asdict(self.together),
        }
        if self.vulnerability is not None:
            document["vulnerability"] = self.vulnerability.document()
        return document

    def draft(self) -> str:
        """Write a policy that runs: the suggested roles and hierarchies, and 5-anonymity."""
        return "\n".join(_draft_lines(self))


def inspect(
    data: Any,
    policy: Policy | None = None,
    *,
    vulnerability: Literal["sensitive", "identity"] | None = None,
) -> Inspection:
    """Describe every column of a table, and suggest its role.

    Parameters
    ----------
    data : a path, or an eager frame
    policy : its roles are shown instead of suggestions
    vulnerability : also weigh the quasi-identifiers by how much they give away: of the first
        sensitive column by a random forest, or of the identity by the unique records

    Raises
    ------
    DataError
        when the table cannot be read
    MissingExtraError
        when a forest is asked for and scikit-learn is not installed

    Notes
    -----
    Source: motwani2007, section 2 (distinction and separation).
    """
    reading = DataPolicy() if policy is None else policy.data
    source = files.read(
        data, missing=reading.missing, separator=reading.separator, encoding=reading.encoding
    )
    frame = source.frame
    reports: list[ColumnReport] = []
    rules: dict[str, HierarchyRule | None] = {}
    codes: dict[str, Codes] = {}
    for name in frame.columns:
        column = _without_missing(frame[name], policy)
        encoded = encode(_plain(column), "")
        reports.append(_report(column, encoded, policy))
        rules[name] = suggested_rule(name, encoded)
        if reports[-1].role == Role.QUASI_IDENTIFIER.value:
            codes[name] = encoded.codes
    inspection = Inspection(frame.height, tuple(reports), rules, _together(codes))
    if vulnerability is None:
        return inspection
    return replace(
        inspection, vulnerability=_vulnerability(frame, policy, inspection, vulnerability)
    )


def _vulnerability(
    frame: pl.DataFrame, policy: Policy | None, inspection: Inspection, target: str
) -> Vulnerability:
    """Weigh the quasi-identifiers; of the policy's roles, or the suggested ones."""
    roles = policy or Policy(**tomllib.loads(inspection.draft()))
    problem = prepare(frame, roles.with_words({"method": {"algorithm": "adaptive"}})).problem
    return vulnerability_of(problem, target)


def _together(codes: Mapping[str, Codes]) -> Together | None:
    """Measure the quasi-identifiers as a set, and find the smallest sets that do as well."""
    if not codes:
        return None
    names = tuple(codes)
    rows = np.stack([codes[name] for name in names], axis=1).astype(np.int32)
    found = separating_sets(list(codes.values()))
    return Together(
        names,
        **separation_entry(group_rows(rows)[2]),
        at_least=ALMOST_ALL,
        sets=tuple(
            SeparatingSet(
                tuple(names[column] for column in one.columns),
                one.distinction,
                one.separation,
                one.unique,
            )
            for one in found
        ),
    )


def _without_missing(column: pl.Series, policy: Policy | None) -> pl.Series:
    """Give a column with every way of writing a missing value as one."""
    if policy is None:
        return column
    return column.set(is_missing(column, policy), None)


def _plain(column: pl.Series) -> pl.Series:
    """Give a column of numbers, dates or texts."""
    is_plain = column.dtype.is_numeric() or column.dtype.is_temporal()
    return column if is_plain else cell_texts(column)


def _report(column: pl.Series, encoded: EncodedColumn, policy: Policy | None) -> ColumnReport:
    """Measure one column, and choose its role."""
    sizes = np.bincount(encoded.codes)
    missing = column.null_count()
    distinct = len(encoded.texts) - (missing > 0)
    if policy is not None and column.name in policy.columns:
        role, reason = policy.columns[column.name].role.value, "the policy says so"
    elif policy is not None and policy.data.person == column.name:
        role, reason = Role.IDENTIFIER.value, "the policy counts its people"
    else:
        role, reason = _suggest(column, distinct)
    counts_people = policy is not None and policy.data.person is not None
    if role == Role.IDENTIFIER.value and not counts_people:
        said = repetition(repeated_share(column.drop_nulls()))
        reason = f"{reason}; {said}" if said else reason
    return ColumnReport(
        column.name,
        _type_name(column.dtype),
        distinct,
        missing,
        distinction(sizes),
        separation(sizes),
        role,
        reason,
    )


def _type_name(dtype: pl.DataType) -> str:
    """Name a type in plain words."""
    if dtype.is_integer():
        return "integer"
    if dtype.is_float() or dtype.is_decimal():
        return "number"
    if dtype.is_temporal():
        return "date"
    return "boolean" if dtype == pl.Boolean else "text"


def _suggest(column: pl.Series, distinct: int) -> tuple[str, str]:
    """Choose a role by name and values; a quasi-identifier where there is doubt."""
    is_count = column.dtype.is_integer() or column.dtype.is_temporal()
    if follows_the_rows(column, 2 if is_count else SHORTEST):
        return Role.IDENTIFIER.value, "its values number the records"
    for role, words, why in (
        (Role.SENSITIVE, SENSITIVE_WORDS, "something private"),
        (Role.QUASI_IDENTIFIER, QUASI_WORDS, "known to others"),
        (Role.IDENTIFIER, IDENTIFIER_WORDS, "points at one person"),
    ):
        if word := _named(column.name, words):
            return role.value, f'"{word}": {why}'
    share = distinct / max(len(column), 1)
    if column.dtype == pl.String and share > UNIQUE_ENOUGH:
        return Role.IDENTIFIER.value, f"{share:.0%} of its texts are unique"
    if distinct <= 1:
        return Role.INSENSITIVE.value, "it has one value only"
    return Role.QUASI_IDENTIFIER.value, "others may know it; decide yourself"


def _named(name: str, words: Sequence[str]) -> str | None:
    """Find a word in a column's name."""
    spaced = re.sub(r"([a-z])([A-Z])", r"\1 \2", name)
    parts = re.sub(r"[^a-z]+", " ", spaced.lower()).split()
    text = f" {' '.join(parts)} "
    return next((word for word in words if f" {word} " in text), None)


def _draft_lines(inspection: Inspection) -> Iterator[str]:
    """Write the lines of a policy, a reason beside each role."""
    yield "# A draft: read every role and decide. Reasons stand beside them."
    for column in inspection.columns:
        yield ""
        yield _table("columns", column.name)
        yield f"{_line('role', column.role)}  # {column.reason}"
        rule = inspection.rules[column.name]
        if column.role == Role.QUASI_IDENTIFIER.value:
            if rule is not None:
                yield f"hierarchy = {_inline(rule)}"
            else:
                yield "# without a hierarchy a value is kept or hidden"
    if not any(c.role == Role.QUASI_IDENTIFIER.value for c in inspection.columns):
        yield "# No column looks like a quasi-identifier: name at least one."
    yield from ("", "[[models]]", 'name = "k-anonymity"', "k = 5")
    for column in inspection.columns:
        if column.role == Role.SENSITIVE.value and column.distinct > 1:
            yield from ("", "[[models]]", 'name = "distinct-l-diversity"')
            yield from (_line("column", column.name), "l = 2")
    yield from ("", "[method]", 'algorithm = "optimal"', "max_suppression = 0.05")
    yield ""


def _inline(rule: HierarchyRule) -> str:
    """Write a rule as an inline table."""
    if rule.intervals is not None:
        return "{ intervals = [" + ", ".join(f"{width:g}" for width in rule.intervals) + "] }"
    if rule.dates is not None:
        return "{ dates = [" + ", ".join(f'"{step}"' for step in rule.dates) + "] }"
    return f"{{ mask = {rule.mask} }}"


def _table(*names: str) -> str:
    """Write the heading of a table."""
    tables: dict[str, Any] = {}
    for name in reversed(names):
        tables = {name: tables}
    return tomli_w.dumps(tables).rstrip()


def _line(word: str, value: str | float) -> str:
    """Write a word and its value."""
    return tomli_w.dumps({word: value}).rstrip()
