"""Looking at several tables: keys, references, and roles that tables tell each other."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import indistinct as ind
from hospitals import hospital
from indistinct.errors import ParameterError
from indistinct.related.policy import RelatedPolicy
from indistinct.related.publish import inspect as inspecting
from indistinct.related.publish.inspect import RelatedInspection, has_related_tables
from indistinct.tables.publish.inspection import Inspection

Tables = dict[str, pl.DataFrame]


def drafted(tables: Tables, **said: Any) -> dict[str, Any]:
    """Return the words of a draft."""
    return tomllib.loads(ind.inspect(tables, **said).drafted("policy").text)


def test_frames_and_a_folder_are_looked_at_alike(tmp_path: Path) -> None:
    tables = hospital(1, 30)
    for name, frame in tables.items():
        frame.write_parquet(tmp_path / f"{name}.parquet")
    of_frames, of_folder = ind.inspect(tables), ind.inspect(tmp_path)
    assert isinstance(of_folder, RelatedInspection)
    assert of_frames.document() == of_folder.document()
    assert of_frames.links.people == "patients"
    assert "pid" in of_frames.draft()
    assert "p1" not in repr(of_frames)
    (tmp_path / "events.parquet").unlink()
    assert isinstance(ind.inspect(tmp_path / "patients.parquet"), Inspection)


def numbered_visits() -> Tables:
    """Make up patients whose visits are numbered from 1 on for each, and diagnoses of visits."""
    people = range(40)
    seen = [(f"p{one}", number) for one in people for number in range(1, 2 + one % 3)]
    return {
        "patients": pl.DataFrame({"pid": [f"p{one}" for one in people], "sex": ["f", "m"] * 20}),
        "visits": pl.DataFrame(
            [(pid, number, f"2024-0{number}-11") for pid, number in seen],
            schema=["pid", "visit_no", "day"], orient="row",
        ),
        "diagnoses": pl.DataFrame(
            [(pid, number, "ABC"[number % 3]) for pid, number in seen for _ in range(number)],
            schema=["pid", "visit_no", "code"], orient="row",
        ),
    }  # fmt: skip


def test_a_key_of_two_columns_is_suggested(tmp_path: Path) -> None:
    """The draft says it, gives its columns no role, and is one that a release can be made by."""
    tables = numbered_visits()
    links = ind.inspect(tables).links
    assert links.keys == {"patients": "pid", "visits": "pid, visit_no"}
    assert links.references["diagnoses"] == {"pid": "patients", "pid, visit_no": "visits"}
    words = drafted(tables)
    assert words["tables"]["visits"]["key"] == "pid, visit_no"
    for name in ("visits", "diagnoses"):
        assert not {"pid", "visit_no"} & set(words["tables"][name].get("columns", {}))
        for column in words["tables"][name]["columns"].values():
            column["role"] = "quasi-identifier"
    ind.anonymize(tables, policy=RelatedPolicy.from_words(words)).write(tmp_path / "out")
    assert ind.verify(tmp_path / "out").holds


def test_settings_of_one_table_are_refused_for_several() -> None:
    with pytest.raises(ParameterError, match="without a policy"):
        ind.inspect(hospital(1), {"data": {"missing": ["?"]}})  # type: ignore[call-overload]


def visits(n_people: int, n_events: int, codes: str, n_frequent: int = 0) -> Tables:
    """Make up people with so many events each, of some codes, and some with ten of them."""
    chance = random.Random(1)
    people = [n % n_people for n in range(n_people * n_events)]
    people += [*range(n_frequent)] * (10 - n_events)
    rows = [(chance.choice(codes), f"p{person}") for person in people]
    return {
        "people": pl.DataFrame({"pid": [f"p{n}" for n in range(n_people)], "sex": "f"}),
        "events": pl.DataFrame(rows, schema=["occupation", "pid"], orient="row"),
    }


@pytest.mark.parametrize(("n_events", "n_frequent", "m"), [(2, 0, 2), (1, 4, 1)])
def test_the_draft_says_the_largest_m_that_holds(n_events: int, n_frequent: int, m: int) -> None:
    """Of 60 people with one event each: if four have ten, fewer than five have any pair."""
    tables = visits(60, n_events, "EI", n_frequent)
    found = ind.inspect(tables).drafted("policy")
    words = tomllib.loads(found.text)
    assert words["tables"]["events"]["columns"]["occupation"]["role"] == "quasi-identifier"
    assert words["models"] == [{"name": "joint-anonymity", "k": 5, "m": m}]
    assert [one.m for one in found.tried] == list(range(2, m - 1, -1))
    assert f"m = {m} holds" in found.text
    # What the trial says is so: the release of that m keeps the limits, and of the larger does not.
    for tried in found.tried:
        words["models"] = [{"name": "joint-anonymity", "k": 5, "m": tried.m}]
        if tried.holds:
            ind.anonymize(tables, words)
        else:
            with pytest.raises(ind.NoSolutionError):
                ind.anonymize(tables, words)


def test_a_draft_where_nothing_holds_says_what_to_do() -> None:
    tables = visits(4, 2, "EI")
    found = ind.inspect(tables).drafted("policy")
    assert [one.holds for one in found.tried] == [False, False]
    assert "# Raise method.max_deleted" in found.text


def test_a_sample_is_tried_where_there_are_many_people() -> None:
    found = ind.inspect(visits(1_500, 2, "EI")).drafted("policy")
    assert (found.tried[0].n_tried, found.tried[0].n_people) == (1_000, 1_500)


def test_the_name_of_a_key_is_an_identifier_in_other_tables() -> None:
    """Even where it leads to no row of the table whose key it is."""
    chance = random.Random(2)
    people = [f"p{n}" for n in range(40)]
    tables = {
        "people": pl.DataFrame(
            {"pid": people, "sex": [chance.choice(["male", "female"]) for _ in people]}
        ),
        "events": pl.DataFrame({"pid": [chance.choice(people) for _ in range(80)], "n": 1}),
        "letters": pl.DataFrame({"pid": ["q1", "q2", "q3"] * 9, "pages": list(range(27))}),
    }
    found = ind.inspect(tables)
    letters = {one.name: one for one in found.tables["letters"].columns}
    assert letters["pid"].role == "identifier"
    assert letters["pid"].reason == "It has the name of the key of people."


def test_what_takes_too_long_is_not_tried() -> None:
    """Ten people with 400 rows each have more than a million pairs of them."""
    found = ind.inspect(visits(10, 400, "EI")).drafted("policy")
    assert found.tried[0].sentence().startswith("m = 2 was not tried: people have too many rows")
    assert found.tried[1].n_tried == 10


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_parts_of_one_table_are_not_several_and_only_headers_are_read(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = hospital(1, 30)["events"]
    for number in range(2):
        part = frame.slice(30 * number, 30)
        if ending == "csv":
            part.write_csv(tmp_path / f"part-{number}.csv")
        else:
            part.write_parquet(tmp_path / f"part-{number}.parquet")
    assert isinstance(ind.inspect(tmp_path), Inspection)

    def read(*given: Any, **named: Any) -> None:
        raise AssertionError((given, named))

    monkeypatch.setattr(inspecting, "read_file", read)
    assert not has_related_tables(tmp_path)
    hospital(1)["patients"].write_csv(tmp_path / "patients.csv")
    assert has_related_tables(tmp_path)
