"""What is missing or unfit in a policy of related tables before any data are seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from indistinct.errors import Fault
from indistinct.related.policy_section import TableSection
from indistinct.related.policy_words import RelatedWords
from indistinct.tables import masks
from indistinct.tables.core import Role, key_parts, released_name
from indistinct.tables.models import JointAnonymity, LargestShare
from indistinct.tables.policy import ColumnPolicy, shifts_apart

MANIFEST = "manifest"  # which a release has beside its tables
PUBLIC = "no row of the table is about a person"
ABOUT_PEOPLE = frozenset({Role.IDENTIFIER, Role.QUASI_IDENTIFIER, Role.SENSITIVE})


def related_faults(words: RelatedWords) -> list[Fault]:
    """Return all that is wrong; names of released columns are compared where nothing else is."""
    return list(_faults(words)) or list(_name_faults(words))


def _faults(words: RelatedWords) -> Iterator[Fault]:
    """Find what is missing or unfit before any data are seen."""
    if sum(isinstance(one, JointAnonymity) for one in words.models) != 1:
        yield Fault("models", "must have joint-anonymity once", "Say k and m of one.")
        return
    if words.related.keys == "random" and words.related.key is not None:
        yield Fault(
            "related.key", "is the key of pseudonyms", 'Leave it out, or set keys = "pseudonym".'
        )
    people = words.tables.get(words.people)
    if not words.people:
        problem = "is empty, so that nobody knows which table has a row for each person"
        remedy = "Name that table, its key, and the references of the other tables to it."
        yield Fault("related.people", problem, f"{remedy} inspect says what it found.")
        return
    if people is None:
        yield Fault("related.people", "names a table that [tables] does not have", "Correct it.")
        return
    if people.public or people.references:
        said = "is the table of people, which cannot be public or reference another table"
        yield Fault(f"tables.{words.people}", said, "Name the table with a row per person.")
    if people.key is None:
        yield Fault(f"tables.{words.people}.key", "is missing", "Name the column of the key.")
    for name, table in words.tables.items():
        yield from _table_faults(words, name, table)
    yield from _cycle_faults(words)
    yield from _share_faults(words)
    yield from _shift_faults(words)
    if not any(words.quasi_identifiers(name) for name in words.tables):
        said = "no column is a quasi-identifier, so that nothing is generalized"
        yield Fault("tables", said, "Give what others may know this role.")


def _share_faults(words: RelatedWords) -> Iterator[Fault]:
    """Find shares of values that are not possible."""
    for place, model in enumerate(words.models):
        if not isinstance(model, LargestShare):
            continue
        table = words.tables.get(model.table)
        column = None if table is None else table.columns.get(model.column_name)
        if column is None or column.role is Role.IDENTIFIER or model.table == words.people:
            said = "names no released column of a table of rows"
            yield Fault(f"models.{place}.column", said, "Write TABLE.COLUMN.")
        elif not words.quasi_identifiers(model.table):
            said = "is in a table without quasi-identifiers, of whose rows nothing is known"
            yield Fault(f"models.{place}.column", said, "Leave the model out.")
        if not model.values:
            yield Fault(f"models.{place}.values", "is empty", "Name the values to protect.")


def _table_faults(words: RelatedWords, name: str, table: TableSection) -> Iterator[Fault]:
    """Find what is wrong with one table."""
    place = f"tables.{name}"
    if name == MANIFEST:
        yield Fault(place, "has the name of the manifest of a release", "Rename it.")
    if table.public and (table.columns or table.references):
        said = (
            "is public, and has roles of columns or references, which only tables with people have"
        )
        yield Fault(place, said, f"Leave them out if {PUBLIC}; otherwise leave out public = true.")
    for column in table.key_columns:
        own = f"{place}.columns.{column}"
        if column in table.columns:
            yield Fault(own, "is a key column and has a role", "Leave it out.")
    for said in (*([] if table.key is None else [table.key]), *table.references):
        if len(key_parts(said)) > 1 and released_name(said) in table.columns:
            problem = f"has the name of the new key of {said}"
            yield Fault(f"{place}.columns.{released_name(said)}", problem, "Rename it.")
    yield from _reference_faults(words, name, table)
    if table.release_key and table.key is None:
        said = "asks for a key that the table does not have"
        yield Fault(f"{place}.release_key", said, "Name it.")
    for column, said in table.columns.items():
        yield from _column_faults(f"{place}.columns.{column}", said)
        yield from _length_faults(f"{place}.columns.{column}", said, table)
        if said.parent is not None:
            yield from _parent_faults(f"{place}.columns.{column}", column, table)


def _reference_faults(words: RelatedWords, name: str, table: TableSection) -> Iterator[Fault]:
    """Find references of a table that lead nowhere, or where they cannot lead."""
    place = f"tables.{name}.references"
    for column, above in table.references.items():
        there = words.tables.get(above)
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
    if table.public or name == words.people:
        return
    if not words.tables_above(name):
        said = "reaches no person, since it references no table with people"
        remedy = "Name the column in it that holds the key of a table with people, and that table."
        if not _says_people(table):
            remedy += f" Set public = true only if {PUBLIC}: a public table is released as it is."
        yield Fault(place, said, remedy)


def _says_people(table: TableSection) -> bool:
    """Return whether the roles of a table say that its rows are about people."""
    return any(column.role in ABOUT_PEOPLE for column in table.columns.values())


def _column_faults(place: str, column: ColumnPolicy) -> Iterator[Fault]:
    """Find words of a column that are not possible in related tables."""
    if column.role is Role.UNDECIDED:
        yield Fault(f"{place}.role", "is undecided", "Choose a role.")
    if not isinstance(column.protect, masks.DateShiftProtection | None):
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


def _shift_faults(words: RelatedWords) -> Iterator[Fault]:
    """Find columns whose dates would not be moved as the others of the same person are."""
    shifts = {
        f"{name}.columns.{column}": said.protect
        for name, table in words.tables.items()
        for column, said in table.columns.items()
        if isinstance(said.protect, masks.DateShiftProtection)
    }
    for fault in shifts_apart(shifts):
        yield replace(fault, place=fault.place.replace("columns.", "tables.", 1))


def _name_faults(words: RelatedWords) -> Iterator[Fault]:
    """Find released columns of one table that would have one name."""
    for name in words.row_tables:
        table = words.tables[name]
        own = [column for column, said in table.columns.items() if said.role is not Role.IDENTIFIER]
        own += [table.new_key or ""] if table.release_key else []
        for column in words.pointers(name).values():
            if column in own:
                said = f"would have two columns {column} in the release, one of them a reference"
                yield Fault(f"tables.{name}", said, "Rename the one that is no key.")
            own.append(column)


def _cycle_faults(words: RelatedWords) -> Iterator[Fault]:
    """Find tables that reference each other in a circle, and those with parents side by side."""
    above = {name: {*words.tables_above(name)} for name in words.tables}
    every = {name: _all_above(name, above) for name in words.tables}
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
