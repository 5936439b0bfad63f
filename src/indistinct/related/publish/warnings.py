"""What the owner of related tables is told: columns that give cells back, or name people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from indistinct.related.publish.tables import RelatedTables
from indistinct.tables.drafting import doubtful_roles
from indistinct.tables.engines import without
from indistinct.tables.frames import Frame
from indistinct.tables.models import KAnonymity
from indistinct.tables.policy import resolve
from indistinct.tables.publish import read_back_warnings
from indistinct.tables.release import SHARED_KEY, WarningEntry, released_read_back


def public_warnings(tables: RelatedTables, frames: Mapping[str, Frame]) -> Iterator[WarningEntry]:
    """Yield what columns that are not generalized give back of the others, table by table.

    Parameters
    ----------
    frames : the released tables

    Raises
    ------
    NoSolutionError
        when columns of the table of people give so many cells back that classes of people are
        smaller than the policy promises
    """
    policy = tables.policy
    asked = [{"name": KAnonymity.name, "k": policy.model.k}]
    for name in tables.orders:
        promised = resolve(policy.flat(name, asked if name == policy.people else ()))
        released = [*promised.class_names, *promised.columns]
        keys = [column for column in frames[name].columns if column not in released]
        keys += policy.tables[name].key_columns
        shown = without(frames[name], [one for one in keys if one in frames[name].columns])
        found = released_read_back(shown, promised.class_rules, ())
        if found is None:
            continue
        asked_of = promised if name == policy.people else None
        yield from (_of_table(name, one) for one in read_back_warnings(found, asked_of))


def owner_warnings_of(tables: RelatedTables, *, was_there: bool) -> Iterator[WarningEntry]:
    """Yield keys that join releases, and columns that look like identifiers and stay unchanged.

    Parameters
    ----------
    was_there : whether the key of pseudonyms was made before
    """
    if was_there:
        people = tables.policy.people
        column = f"{people}.{tables.policy.tables[people].new_key}"
        message = (
            f"the key of the pseudonyms {column} was there before: whoever has another release "
            "with this key joins the rows of a person in both, and k does not count that. To keep "
            "releases apart, give each of them a key of its own, or random keys"
        )
        yield WarningEntry(SHARED_KEY, (column,), 1.0, message)
    for name in tables.orders:
        promised = resolve(tables.policy.flat(name))
        for one in doubtful_roles(tables.files[name].frame, promised):
            yield _of_table(name, one)


def _of_table(name: str, warning: WarningEntry) -> WarningEntry:
    """Return a warning that names its table."""
    columns = tuple(f"{name}.{column}" for column in warning.columns)
    return replace(warning, columns=columns, message=f"{name}: {warning.message}")
