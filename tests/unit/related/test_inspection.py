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

    monkeypatch.setattr(inspecting, "_read", read)
    assert not has_related_tables(tmp_path)
    hospital(1)["patients"].write_csv(tmp_path / "patients.csv")
    assert has_related_tables(tmp_path)


def untidy_folder(folder: Path) -> Path:
    """Write two tables of an office: in an encoding of Windows, with a title and a total."""
    chance = random.Random(5)
    towns = ["Köln", "Fürth", "Lübeck"]
    people = [
        f"P{n:03};{chance.randint(1, 28):02}.0{chance.randint(1, 9)}.19{chance.randint(50, 99)};"
        f"{chance.choice('mw')};{chance.choice(towns)}"
        for n in range(60)
    ]
    visits = [
        f"{n};P{chance.randrange(60):03};{chance.randint(1, 28):02}.0{chance.randint(1, 9)}.2021;"
        f"{chance.randint(1, 99)},50;{chance.choice(['Grippe', 'Asthma', 'k.A.'])}"
        for n in range(150)
    ]
    visits[7] = visits[7].replace(".2021;", ".2021 ca.;")
    visits[9] = "9;k.A." + visits[9][visits[9].index(";", 2) :]
    texts = {
        "patients": ["patient_id;geboren;geschlecht;ort", *people],
        "visits": ["Besuche", "", "visit_id;patient_id;tag;kosten;grund", *visits, "Summe;;;4711;"],
    }
    for name, lines in texts.items():
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="cp1252")
    return folder


def test_the_files_of_a_folder_are_read_as_single_files_are(tmp_path: Path) -> None:
    found = ind.inspect(untidy_folder(tmp_path))
    assert isinstance(found, RelatedInspection)
    draft = found.drafted("policy")
    words = tomllib.loads(draft.text)
    patients, visits = words["tables"]["patients"], words["tables"]["visits"]
    assert patients["data"] == {"encoding": "cp1252"}
    assert visits["data"] == {"separator": ";", "header": 3, "skip_last": 1, "decimal": ","}
    assert patients["columns"]["geboren"]["format"] == "dd.mm.yyyy"
    assert visits["columns"]["tag"]["format"] == "dd.mm.yyyy"
    frames: dict[str, pl.DataFrame] = found.frames.held
    assert frames["visits"].height == 150
    assert frames["visits"]["tag"].null_count() == 1
    assert frames["visits"]["kosten"].dtype == pl.Float64
    assert visits["references"] == {"patient_id": "patients"}
    said = " ".join(found.said)
    assert "visits: header = 3" in said
    assert "1 of 150 rows of visits leads to no row of patients (line 13)" in said


def test_an_untidy_folder_is_released_and_verified_by_its_draft(tmp_path: Path) -> None:
    folder, policy = tmp_path / "in", tmp_path / "policy.toml"
    folder.mkdir()
    draft = ind.inspect(untidy_folder(folder)).drafted("policy", tries=False)
    words = draft.text.replace('role = "undecided"', 'role = "identifier"')
    policy.write_text(words.replace("m = 2", "m = 1"), encoding="utf-8")
    for name, text in draft.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    release = ind.anonymize(str(folder), str(policy), seed=1)
    release.write(str(tmp_path / "out"), crosswalk=str(tmp_path / "rows"))
    checked = ind.verify(
        str(tmp_path / "out"),
        policy=str(policy),
        original=str(folder),
        crosswalk=str(tmp_path / "rows"),
    )
    assert checked.holds
    assert checked.records == 60 + len(pl.read_csv(tmp_path / "out" / "visits.csv", separator=";"))
