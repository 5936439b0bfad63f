"""What misses keys and references is told with its lines, and decided in the draft."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import indistinct as ind
from indistinct.errors import PolicyError
from indistinct.related.policy import RelatedPolicy


def folder_of(path: Path, people: list[str], visits: list[str]) -> Path:
    """Write patients with their keys, and visits with the keys of their patients."""
    rows = [f'{one},{1950 + n % 40}-01-01,"{"fm"[n % 2]}\n"\n' for n, one in enumerate(people)]
    (path / "patients.csv").write_text("patient_id,birth,sex\n" + "".join(rows), "utf-8")
    seen = [f"v{n},{one},{'abc'[n % 3]}\n" for n, one in enumerate(visits)]
    (path / "visits.csv").write_text("visit_id,patient_id,ward\n" + "".join(seen), "utf-8")
    return path


PEOPLE = [f"p{n:03d}" for n in range(60)]
VISITS = [PEOPLE[n * 7 % 60] for n in range(240)]


def test_a_value_that_stands_twice_is_told_with_its_lines(tmp_path: Path) -> None:
    """Each record of this file has two lines."""
    found = ind.inspect(folder_of(tmp_path, [*PEOPLE, "p004"], VISITS))
    (said,) = found.said
    assert said.startswith(
        "1 of 60 values of patients.patient_id stands twice (lines 10, 122). Give each row a key"
    )
    assert "stands twice" in found.document()["said"][0]
    assert f"# {said}" in found.drafted("policy", tries=False).text


def test_a_row_that_leads_nowhere_is_left_out_in_the_draft_and_told(tmp_path: Path) -> None:
    """The draft is one that a release can be made by."""
    found = ind.inspect(folder_of(tmp_path, PEOPLE, [*VISITS, "p999"]))
    (said,) = found.said
    assert said.startswith("1 of 241 rows of visits leads to no row of patients (line 242). ")
    assert said.endswith('The draft leaves it out: orphans = "drop".')
    words = tomllib.loads(found.drafted("policy").text)
    assert words["tables"]["visits"]["orphans"] == "drop"
    for table in words["tables"].values():
        for column in table["columns"].values():
            column["role"] = "quasi-identifier"
    words["models"][0]["m"] = 1
    release = ind.anonymize(tmp_path, policy=RelatedPolicy.from_words(words), seed=1)
    assert release.tables["visits"].height <= 240


def test_no_draft_is_without_people_and_a_sentence(tmp_path: Path) -> None:
    """The question stands in the draft, and a release asks it again."""
    found = ind.inspect(folder_of(tmp_path, PEOPLE, [f"q{n}" for n in range(240)]))
    text = found.drafted("policy").text
    assert 'people = ""' in text
    assert "# Which table has the people?" in text
    with pytest.raises(PolicyError, match=r"related\.people: is empty"):
        RelatedPolicy.from_words(tomllib.loads(text))


def test_the_keys_that_a_database_declares_are_taken(tmp_path: Path) -> None:
    """Whatever they are called, and though some of their values stand in other columns, too."""
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "c.duckdb")) as made:
        made.execute("CREATE TABLE a (x INT PRIMARY KEY, other INT, sex VARCHAR)")
        made.execute("CREATE TABLE b (y INT, z INT, who INT REFERENCES a(x), PRIMARY KEY (y, z))")
        made.execute("CREATE TABLE c (y INT, z INT, t VARCHAR, FOREIGN KEY (y, z) REFERENCES b)")
        made.execute("INSERT INTO a SELECT n, n, 'f' FROM range(40) s(n)")
        made.execute("INSERT INTO b SELECT n, 1 + n % 2, n % 40 FROM range(90) s(n)")
        made.execute("INSERT INTO c SELECT n, 1 + n % 2, 'w' FROM range(90) s(n)")
    links = ind.inspect(f"duckdb:///{tmp_path}/c.duckdb?schema=main").links
    assert links.people == "a"
    assert links.keys == {"a": "x", "b": "y, z"}
    assert links.references == {"b": {"who": "a"}, "c": {"y, z": "b"}}


def test_a_table_that_leads_to_nobody_is_told(tmp_path: Path) -> None:
    """Cars of a household belong to several people; letters lead nowhere."""
    folder_of(tmp_path, PEOPLE, VISITS)
    people = [f"{one},1950-01-01,f,house{n % 20:02d}" for n, one in enumerate(PEOPLE)]
    header = "patient_id,birth,sex,household_id"
    (tmp_path / "patients.csv").write_text("\n".join([header, *people]) + "\n", "utf-8")
    rows = [f"house{n:02d},{n}" for n in range(20)]
    (tmp_path / "households.csv").write_text("\n".join(["household_id,rooms", *rows]), "utf-8")
    rows = [f"car{n:02d},house{n % 20:02d}" for n in range(30)]
    (tmp_path / "cars.csv").write_text("\n".join(["car_id,household_id", *rows]), "utf-8")
    rows = [f"{n},long" for n in range(9)]
    (tmp_path / "letters.csv").write_text("\n".join(["letter,kind", *rows]), "utf-8")
    found = ind.inspect(tmp_path)
    assert found.links.people == "patients"
    said = "\n".join(found.said)
    assert "households is above patients, so that a row of it can belong to several people" in said
    assert "cars leads to households, so that a row of it can belong to several people" in said
    assert "letters leads to no row of patients" in said
    assert "public" not in said
