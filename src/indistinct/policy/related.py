"""The policy of several tables about the same people, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_core import PydanticCustomError

from indistinct.core.key_columns import key_parts, released_name
from indistinct.core.parameters import build
from indistinct.core.schema import Role
from indistinct.errors import Fault, ParameterError, PolicyError
from indistinct.masks import DateShiftProtection
from indistinct.models.joint_anonymity import JointAnonymity
from indistinct.models.largest_share import LargestShare
from indistinct.policy.policy import Policy
from indistinct.policy.policy_table import PolicyWords, word_fault, words_of
from indistinct.policy.protections import shifts_apart
from indistinct.policy.related_refusals import refused_settings
from indistinct.policy.sections.column import ColumnPolicy
from indistinct.policy.sections.related import (
    RelatedData,
    RelatedMethod,
    RelatedSection,
    TableSection,
)

MANIFEST = "manifest"  # which a release has beside its tables
KEPT_OR_HIDDEN: Mapping[str, Any] = {"labels": []}
MODELS = {kind.name: kind for kind in (JointAnonymity, LargestShare)}


def _model(given: object) -> object:
    """Read one entry of ``models``."""
    if isinstance(given, JointAnonymity | LargestShare) or not isinstance(given, Mapping):
        return given
    words = dict(cast("Mapping[str, object]", given))
    kind = MODELS.get(cast("str", words.pop("name", None)))
    if kind is None:
        raise PydanticCustomError(
            "model",
            "is not a model of related tables; there are {named}",
            {
                "named": " and ".join(MODELS),
                "remedy": 'Set name = "joint-anonymity", with k and m.',
            },
        )
    try:
        return build(kind, words, kind.name)
    except ParameterError as error:
        said = "; ".join(f"{fault.place} {fault.problem}" for fault in error.faults)
        raise PydanticCustomError("model", "{said}", {"said": said}) from None


class RelatedWords(PolicyWords):
    """The tables of such a policy, each checked by itself."""

    related: RelatedSection
    tables: Mapping[str, TableSection]
    models: Annotated[
        tuple[Annotated[JointAnonymity | LargestShare, BeforeValidator(_model)], ...],
        Field(min_length=1),
    ]
    data: RelatedData = RelatedData()
    method: RelatedMethod = RelatedMethod()


class RelatedPolicy(RelatedWords):
    """What is promised of several tables about the same people.

    Raises
    ------
    PolicyError
        when a word is unknown, a value out of range or parts contradict each other; all faults at
        once, each with its place
    """

    def __init__(self, **words: Any) -> None:
        """Check all words; see the class."""
        refused = list(refused_settings(words))
        if refused:
            raise PolicyError(refused)
        try:
            super().__init__(**words)
        except ValidationError as error:
            raise PolicyError(
                [word_fault(detail, RelatedWords) for detail in error.errors()]
            ) from None
        faults = list(_faults(self))
        if faults:
            raise PolicyError(faults)

    def __repr__(self) -> str:
        """Return what is promised, and of which tables."""
        said = self.model.required()
        listed = ", ".join(self.tables)
        return f"<RelatedPolicy of {listed}: {JointAnonymity.name}(k={said['k']}, m={said['m']})>"

    __str__ = __repr__

    @property
    def model(self) -> JointAnonymity:
        """What is promised of people."""
        return next(one for one in self.models if isinstance(one, JointAnonymity))

    @property
    def largest_shares(self) -> tuple[LargestShare, ...]:
        """What is promised of values."""
        return tuple(one for one in self.models if isinstance(one, LargestShare))

    @property
    def people(self) -> str:
        """The table of the units."""
        return self.related.people

    @property
    def row_tables(self) -> tuple[str, ...]:
        """The tables whose rows belong to units, those above others first."""
        found: list[str] = []
        waiting = [n for n, t in self.tables.items() if not t.public and n != self.people]
        while waiting:
            ready = [
                name
                for name in waiting
                if all(above not in waiting for above in self.tables_above(name))
            ]
            found += ready
            waiting = [name for name in waiting if name not in ready]
        return tuple(found)

    @property
    def public_tables(self) -> tuple[str, ...]:
        """The tables without people, which are released as they are."""
        return tuple(name for name, table in self.tables.items() if table.public)

    def tables_above(self, name: str) -> tuple[str, ...]:
        """Return the tables with people that a table references."""
        said = self.tables[name].references.values()
        return tuple(one for one in said if one in self.tables and not self.tables[one].public)

    def nearest_above(self, name: str) -> str:
        """Return the lowest of the tables with people that a table references."""
        order = [self.people, *self.row_tables]
        return max(self.tables_above(name), key=order.index)

    def hidden_above(self, name: str) -> tuple[str, ...]:
        """Return the tables with hidden keys right above a row table, the nearest first."""
        found: list[str] = []
        above = self.nearest_above(name)
        while above != self.people and not self.tables[above].release_key:
            found.append(above)
            above = self.nearest_above(above)
        return tuple(found)

    def points_at(self, name: str) -> str:
        """Return the nearest table above a row table whose key is released."""
        hidden = self.hidden_above(name)
        return self.nearest_above(hidden[-1] if hidden else name)

    def reference_column(self, name: str) -> str:
        """Return the column of a released row table that holds keys of the table it points at."""
        above = self.points_at(name)
        own = [column for column, one in self.tables[name].references.items() if one == above]
        return released_name(own[0]) if own else self.tables[above].new_key or ""

    def reference_to(self, name: str, above: str) -> str:
        """Return the column of a table, or its columns, that references another one."""
        return next(c for c, one in self.tables[name].references.items() if one == above)

    def flat(self, name: str, models: Sequence[Mapping[str, Any]] = ()) -> Policy:
        """Return the policy of one table by itself: what its columns are and how they generalize.

        Key columns are identifiers in it, which no release has. A quasi-identifier without a
        hierarchy is kept or hidden.
        """
        table = self.tables[name]
        words: Mapping[str, Mapping[str, Any]] = self.words()["tables"][name].get("columns", {})
        columns: dict[str, Any] = {column: {"role": "identifier"} for column in table.key_columns}
        for column, said in words.items():
            own = dict(said)
            if own["role"] == Role.QUASI_IDENTIFIER and "hierarchy" not in own:
                own["hierarchy"] = KEPT_OR_HIDDEN
            columns[column] = own
        return Policy.of_public_words(
            {
                "columns": columns,
                "models": list(models),
                "data": {"missing": self.data.missing},
                "method": {"max_suppression": self.method.max_suppression},
            },
            self._folder,
        )

    def quasi_identifiers(self, name: str) -> tuple[str, ...]:
        """Return the columns of a table that others may know."""
        columns = self.tables[name].columns.items()
        return tuple(one for one, said in columns if said.role is Role.QUASI_IDENTIFIER)

    def words(self) -> dict[str, Any]:
        """Return the policy as nested words, defaults left out."""
        words = self.model_dump(mode="json", exclude_defaults=True, exclude={"models"})
        words["models"] = [{"name": one.name, **one.required()} for one in self.models]
        return words


def related_policy(given: object) -> RelatedPolicy | None:
    """Return the policy of related tables that a caller means; None where it is another one.

    Raises
    ------
    PolicyError
        when its file cannot be read, or it contradicts itself
    """
    if isinstance(given, RelatedPolicy):
        return given
    if isinstance(given, Policy) or not isinstance(given, str | Path | Mapping):
        return None
    is_file = isinstance(given, str | Path)
    words = words_of(given) if is_file else cast("Mapping[str, Any]", given)
    if not {"tables", "related"} & {*words}:
        return None
    return RelatedPolicy.from_words(words, Path(given).parent if is_file else None)


def _faults(policy: RelatedPolicy) -> Iterator[Fault]:
    """Find what is missing or unfit before any data are seen."""
    if sum(isinstance(one, JointAnonymity) for one in policy.models) != 1:
        yield Fault("models", "must have joint-anonymity once", "Say k and m of one.")
        return
    people = policy.tables.get(policy.people)
    if people is None:
        yield Fault("related.people", "names a table that [tables] does not have", "Correct it.")
        return
    if people.public or people.references:
        said = "is the table of people, which cannot be public or reference another table"
        yield Fault(f"tables.{policy.people}", said, "Name the table with a row per person.")
    if people.key is None:
        yield Fault(f"tables.{policy.people}.key", "is missing", "Name the column of the key.")
    for name, table in policy.tables.items():
        yield from _table_faults(policy, name, table)
    yield from _cycle_faults(policy)
    yield from _share_faults(policy)
    yield from _shift_faults(policy)
    if not any(policy.quasi_identifiers(name) for name in policy.tables):
        said = "no column is a quasi-identifier, so that nothing is generalized"
        yield Fault("tables", said, "Give what others may know this role.")


def _share_faults(policy: RelatedPolicy) -> Iterator[Fault]:
    """Find shares of values that are not possible."""
    for place, model in enumerate(policy.models):
        if not isinstance(model, LargestShare):
            continue
        table = policy.tables.get(model.table)
        column = None if table is None else table.columns.get(model.column_name)
        if column is None or column.role is Role.IDENTIFIER or model.table == policy.people:
            said = "names no released column of a table of rows"
            yield Fault(f"models.{place}.column", said, "Write TABLE.COLUMN.")
        elif not policy.quasi_identifiers(model.table):
            said = "is in a table without quasi-identifiers, of whose rows nothing is known"
            yield Fault(f"models.{place}.column", said, "Leave the model out.")
        if not model.values:
            yield Fault(f"models.{place}.values", "is empty", "Name the values to protect.")
        if policy.model.known_rows is None:
            said = 'is not possible where m is "all"'
            yield Fault(f"models.{place}", said, "Set m to 1, 2 or 3.")


def _table_faults(policy: RelatedPolicy, name: str, table: TableSection) -> Iterator[Fault]:
    """Find what is wrong with one table."""
    place = f"tables.{name}"
    if name == MANIFEST:
        yield Fault(place, "has the name of the manifest of a release", "Rename it.")
    if table.public and (table.columns or table.references):
        yield Fault(place, "is public, so that its columns need no role", "Leave them out.")
    for column in table.key_columns:
        own = f"{place}.columns.{column}"
        if column in table.columns:
            yield Fault(own, "is a key column and has a role", "Leave it out.")
    for said in (*([] if table.key is None else [table.key]), *table.references):
        if len(key_parts(said)) > 1 and released_name(said) in table.columns:
            problem = f"has the name of the new key of {said}"
            yield Fault(f"{place}.columns.{released_name(said)}", problem, "Rename it.")
    yield from _reference_faults(policy, name, table)
    if table.release_key and table.key is None:
        said = "asks for a key that the table does not have"
        yield Fault(f"{place}.release_key", said, "Name it.")
    for column, said in table.columns.items():
        yield from _column_faults(f"{place}.columns.{column}", said)
        yield from _length_faults(f"{place}.columns.{column}", said, table)
        if said.parent is not None:
            yield from _parent_faults(f"{place}.columns.{column}", column, table)


def _reference_faults(policy: RelatedPolicy, name: str, table: TableSection) -> Iterator[Fault]:
    """Find references of a table that lead nowhere, or where they cannot lead."""
    place = f"tables.{name}.references"
    for column, above in table.references.items():
        there = policy.tables.get(above)
        if there is None:
            said = "names a table that [tables] does not have"
            yield Fault(f"{place}.{column}", said, "Correct it.")
        elif there.public:
            said = "leads to a public table, whose key is a column like others"
            remedy = "Give the column a role, and leave the reference out."
            yield Fault(f"{place}.{column}", said, remedy)
        elif there.key is None:
            yield Fault(f"{place}.{column}", f"leads to {above}, which has no key", "Name its key.")
        elif len(key_parts(column)) != len(key_parts(there.key)):
            said = f"has another number of columns than the key of {above}"
            yield Fault(f"{place}.{column}", said, "Name as many, in the same order.")
    if table.public or name == policy.people:
        return
    if not policy.tables_above(name):
        said = "reaches no person, since it references no table with people"
        yield Fault(place, said, "Name its reference, or set public = true.")


def _column_faults(place: str, column: ColumnPolicy) -> Iterator[Fault]:
    """Find words of a column that are not possible in related tables."""
    if column.role is Role.UNDECIDED:
        yield Fault(f"{place}.role", "is undecided", "Choose a role.")
    if not isinstance(column.protect, DateShiftProtection | None):
        yield Fault(f"{place}.protect", "is not possible in related tables", "Leave it out.")
    if column.type == "set":
        yield Fault(f"{place}.type", "is a set; make it a table with a row per item", "Divide it.")
    if column.level != "person":
        yield Fault(f"{place}.level", "is for flat tables with households", "Leave it out.")


def _length_faults(place: str, column: ColumnPolicy, table: TableSection) -> Iterator[Fault]:
    """Find a column whose days are counted from one that is not there, or is counted itself."""
    if column.days_since is None:
        return
    start = table.columns.get(column.days_since)
    if start is None or start.days_since is not None:
        said = "names no column of dates of this table"
        yield Fault(f"{place}.days_since", said, "Name the column in which the period begins.")
    if column.protect is not None:
        said = "is not possible with days_since, which leaves no date"
        yield Fault(f"{place}.protect", said, "Leave it out.")


def _parent_faults(place: str, column: str, table: TableSection) -> Iterator[Fault]:
    """Find a column that hides another one, and cannot."""
    above = table.columns.get(table.columns[column].parent or "")
    if above is None or not all(
        said.role is Role.QUASI_IDENTIFIER for said in (above, table.columns[column])
    ):
        said = "names no quasi-identifier of this table, or the column itself is none"
        yield Fault(f"{place}.parent", said, "Name the column that this one determines.")
    elif column in table.all_parents(column):
        yield Fault(f"{place}.parent", "leads back to the column itself", "Correct it.")
    elif table.columns[column].max_level is not None and above.max_level is None:
        said = "keeps the column from being hidden where its parent is"
        yield Fault(f"{place}.max_level", said, "Leave it out, or limit the parent, too.")


def _shift_faults(policy: RelatedPolicy) -> Iterator[Fault]:
    """Find columns whose dates would not be moved as the others of the same person are."""
    shifts = {
        f"{name}.columns.{column}": said.protect
        for name, table in policy.tables.items()
        for column, said in table.columns.items()
        if isinstance(said.protect, DateShiftProtection)
    }
    for fault in shifts_apart(shifts):
        yield replace(fault, place=fault.place.replace("columns.", "tables.", 1))


def _cycle_faults(policy: RelatedPolicy) -> Iterator[Fault]:
    """Find tables that reference each other in a circle, and those with parents side by side."""
    above = {name: {*policy.tables_above(name)} for name in policy.tables}
    every = {name: _all_above(name, above) for name in policy.tables}
    for name, met in every.items():
        place = f"tables.{name}.references"
        if name in met:
            listed = ", ".join(sorted(one for one in met if name in every[one]))
            yield Fault(place, f"leads back to itself: {listed}", "Correct it.")
        elif not any(above[name] <= {one, *every[one]} for one in above[name] or {name}):
            said = "names tables that do not lie above one another"
            yield Fault(place, said, "Join one of them to the table, or leave one out.")


def _all_above(name: str, above: Mapping[str, set[str]]) -> set[str]:
    """Return all tables above a table, itself among them if it leads back."""
    met, new = set[str](), above[name]
    while new - met:
        met |= new
        new = {further for one in new for further in above[one]}
    return met
