"""What related tables cannot have yet is refused in one sentence each, with what to do instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import indistinct as ind
from hospitals import hospital, policy
from indistinct.errors import DataError, Fault, IndistinctError, PolicyError

WORDS: dict[str, tuple[dict[str, Any], str]] = {
    "history": ({"history": {"person": "pid"}}, "releases that follow each other"),
    "noise": ({"noise": {"epsilon": 1.0}}, "noise is not possible"),
    "population": ({"population": {"size": 99}}, "the population is not counted"),
    "columns": ({"columns": {}}, "stands beside tables"),
    "release": ({"release": {"intervals": "label"}}, "has no settings for related tables"),
    "data.long": ({"data": {"long": {"person": "a", "item": "b"}}}, "a row per item anyway"),
    "data.person": ({"data": {"person": "pid"}}, "the rows of one table"),
    "data.household": ({"data": {"household": "home"}}, "is not possible with related tables"),
    "related.keys": ({"related": {"people": "patients", "keys": "names"}}, "is none of random"),
    "related.key": ({"related": {"people": "patients", "key": "a.key"}}, "the key of pseudonyms"),
    "models.0": (
        {"models": [{"name": "k-anonymity", "k": 2}]},
        "is not a model of related tables",
    ),
}
COLUMNS: dict[str, tuple[dict[str, Any], str]] = {
    "role": ({"role": "undecided"}, "is undecided"),
    "protect": ({"role": "sensitive", "protect": {"name": "swap"}}, "is not possible in related"),
    "type": ({"role": "quasi-identifier", "type": "set"}, "make it a table with a row per item"),
    "level": ({"role": "quasi-identifier", "level": "household"}, "is for flat tables"),
}


def fault_at(place: str, words: dict[str, Any]) -> Fault:
    """Return what is wrong with a policy at a place."""
    with pytest.raises(PolicyError) as raised:
        ind.RelatedPolicy.from_words(words)
    (fault,) = (one for one in raised.value.faults if one.place == place)
    assert fault.remedy.endswith(".")
    return fault


@pytest.mark.parametrize("place", WORDS)
def test_words_that_are_refused(place: str) -> None:
    change, said = WORDS[place]
    assert said in fault_at(place, {**policy(), **change}).problem


@pytest.mark.parametrize("role", ["identifier", "quasi-identifier", "sensitive"])
def test_a_table_about_people_is_never_told_to_be_public(role: str) -> None:
    """Names of clients, or what others know of them, are not public for want of a reference."""
    words = policy()
    words["tables"]["clients"] = {"key": "cid", "columns": {"born": {"role": role}}}
    said = fault_at("tables.clients.references", words)
    assert "reaches no person" in said.problem
    assert "key of a table with people" in said.remedy
    assert "public" not in said.remedy


@pytest.mark.parametrize("columns", [{}, {"name": {"role": "insensitive"}}])
def test_a_public_table_is_named_with_what_it_means(columns: dict[str, Any]) -> None:
    """A list of codes may be public; whoever sets it, although roles are said, is asked again."""
    words = policy()
    words["tables"]["codes"] = {"key": "code", "columns": columns}
    meaning = "if no row of the table is about a person"
    assert meaning in fault_at("tables.codes.references", words).remedy
    words["tables"]["codes"] |= {"public": True, "columns": {"name": {"role": "insensitive"}}}
    assert meaning in fault_at("tables.codes", words).remedy


@pytest.mark.parametrize("word", COLUMNS)
def test_words_of_columns_that_are_refused(word: str) -> None:
    column, said = COLUMNS[word]
    words = policy()
    words["tables"]["events"]["columns"]["cost"] = column
    assert said in fault_at(f"tables.events.columns.cost.{word}", words).problem


def test_parents_side_by_side_are_refused() -> None:
    words = policy()
    words["tables"]["wards"] = {"key": "wid", "references": {"pid": "patients"}}
    words["tables"]["orders"] = {"references": {"eid": "events", "wid": "wards"}}
    fault = fault_at("tables.orders.references", words)
    assert "do not lie above one another" in fault.problem


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_tables_that_are_not_read_whole_are_refused(engine: str) -> None:
    with pytest.raises(PolicyError, match="are read whole"):
        ind.anonymize(hospital(1), ind.RelatedPolicy.from_words(policy()), engine=engine)
    lazy: dict[str, Any] = {name: frame.lazy() for name, frame in hospital(1).items()}
    with pytest.raises(DataError, match=r"tables\.patients: is lazy.*\n.*Collect it"):
        ind.anonymize(lazy, policy())


def test_files_of_one_table_in_parts_are_refused(tmp_path: Path) -> None:
    for name, frame in hospital(1).items():
        frame.write_csv(tmp_path / f"{name}.csv")
    with pytest.raises(DataError, match="is not a folder"):
        ind.anonymize(str(tmp_path / "*.csv"), policy())


def test_sweeps_and_comparisons_are_refused() -> None:
    tables: Any = hospital(1)
    related: Any = ind.RelatedPolicy.from_words(policy())
    calls = (
        lambda: ind.sweep(tables, related, vary={"k": [2, 3]}),
        lambda: ind.compare(tables, related, target="sex"),
        lambda: ind.estimates(tables, related),
    )
    for call in calls:
        with pytest.raises(IndistinctError, match="related tables, which is not possible here"):
            call()
    frame = pl.DataFrame({"a": [1]})
    with pytest.raises(PolicyError, match="neither keywords, a history"):
        ind.anonymize({"patients": frame}, policy(), history="past.json")
