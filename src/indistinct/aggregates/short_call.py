"""The short door: a table from a few words, for somebody who has no policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

from indistinct.aggregates.later_words import call_faults, profile_faults
from indistinct.aggregates.policy import TablesPolicy, no_minimum, tables_policy
from indistinct.aggregates.publication import PublishedTables, publish
from indistinct.errors import Fault, ParameterError, PolicyError, TablesError
from indistinct.tables.drafting import repeating_person
from indistinct.tables.engines import Resources, is_large
from indistinct.tables.reading import read_file

NAMES = str | Sequence[str]


class TableKeywords(TypedDict, total=False):
    """The words of a table in a call.

    ``rows``, ``columns``: one column or several. ``minimum``: smallest count that is shown.
    ``person``: the column that tells people apart; rows are counted when left out. ``bands``: per
    column of numbers, where its bands begin. ``profile``: known rules of a data owner. ``zeros``:
    ``publish`` or ``hide``. ``name``: of the table.
    """

    rows: NAMES
    columns: NAMES
    minimum: int | None
    person: str | None
    bands: Mapping[str, Sequence[float]]
    profile: str | None
    zeros: str | None
    name: str


def published(
    data: Any,
    policy: TablesPolicy | str | Path | Mapping[str, Any] | None = None,
    *,
    engine: str = "auto",
    effort: str | None = None,
    **words: Unpack[TableKeywords],
) -> PublishedTables:
    """Publish tables of counts; see :func:`indistinct.tabulate`."""
    given = {name: value for name, value in words.items() if value is not None}
    if faults := list(call_faults(given)):
        raise ParameterError(faults)
    unknown = sorted(given.keys() - TableKeywords.__annotations__.keys())
    if unknown:
        listed = ", ".join(TableKeywords.__annotations__)
        raise ParameterError(
            Fault(name, "is not a word of a table", f"Known words: {listed}.") for name in unknown
        )
    if effort not in {None, "default", "fast"}:
        raise ParameterError("effort: is not known", "Choose one of default, fast.")
    if policy is not None:
        if given:
            raise PolicyError(
                "both a policy and the words of a table are given", "Give one of them."
            )
        return publish(data, tables_policy(policy), engine=engine, effort=effort)
    notes = () if words.get("person") else _repeating(data, engine)
    return publish(data, short_policy(**words), engine=engine, effort=effort, notes=notes)


def short_policy(**words: Unpack[TableKeywords]) -> TablesPolicy:
    """Return the policy that says the same as the words of a call.

    Raises
    ------
    TablesError
        when there is neither a smallest count nor a profile, or no dimension
    PolicyError
        when a word is out of range
    """
    minimum, profile = words.get("minimum"), words.get("profile")
    if faults := list(profile_faults(profile, "profile")):
        raise PolicyError(faults)
    if minimum is None and profile is None:
        raise TablesError([no_minimum("minimum")])
    table: dict[str, Any] = {}
    if "name" in words:
        table["name"] = words["name"]
    for word in ("rows", "columns"):
        if names := _listed(words.get(word)):
            table[word] = names
    publish_words: dict[str, Any] = {"tables": [table]}
    if minimum is not None:
        publish_words["rules"] = [{"minimum": minimum}]
    further = {"profile": profile, "zeros": words.get("zeros")}
    publish_words |= {word: value for word, value in further.items() if value is not None}
    said: dict[str, Any] = {"publish": publish_words}
    if person := words.get("person"):
        said["data"] = {"person": person}
    if bands := words.get("bands"):
        said["columns"] = {name: {"bands": tuple(edges)} for name, edges in bands.items()}
    return TablesPolicy(**said)


def _listed(names: NAMES | None) -> list[str]:
    """Return one name or several as a list."""
    if names is None:
        return []
    return [names] if isinstance(names, str) else list(names)


def _repeating(data: Any, engine: str) -> tuple[str, ...]:
    """Return that rows are counted, where a column that seems to name people repeats."""
    if is_large(data, None, Resources(engine)):
        return ()
    name = repeating_person(read_file(data).frame)
    if name is None:
        return ()
    return (f"Rows are counted; {name} repeats: person='{name}' counts people.",)
