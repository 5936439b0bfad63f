"""A declaration of several tables, drafted from names and types."""

from __future__ import annotations

import tomllib

import pytest

import indistinct as ind
from indistinct.errors import OutputError, ParameterError, SchemaError
from indistinct.questions.database.conventions import this_year
from indistinct.tables.publish.sample_hospital import write_hospital


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a small hospital."""
    place = tmp_path_factory.mktemp("drafted") / "hospital"
    write_hospital(place, rows=120)
    return place


def drafted(folder, out, **words):
    """Draft a declaration; return what was told, and the file."""
    told = ind.database.draft_tables(folder, person="person_id", epsilon=3, out=out, **words)
    return told, tomllib.loads(out.read_text())


def test_keys_references_and_bounds_follow_from_names(folder, tmp_path):
    """As the declaration that is written by hand has them."""
    told, found = drafted(folder, tmp_path / "d.toml", public=("concept",))
    tables = found["tables"]
    by_hand = tomllib.loads((folder / "hospital.toml").read_text())["tables"]
    assert list(told.tables) == sorted(by_hand) == sorted(tables)
    for name, table in by_hand.items():
        for word in ("person", "public", "key", "references"):
            assert tables[name].get(word) == table.get(word), (name, word)
        assert list(tables[name]["columns"]) == [
            one for one in tables[name]["columns"] if one in table["columns"]
        ]
    assert tables["person"]["rows_per_person"] == 1
    columns = tables["person"]["columns"]
    assert columns["birth"] == {"type": "date", "bounds": ["1900-01-01", f"{this_year()}-12-31"]}
    assert columns["birth_year"]["bounds"] == [1900, this_year() + 1]
    assert tables["visit"]["columns"]["begins"]["type"] == "timestamp"
    assert tables["drug"]["columns"]["quantity"] == "number"
    assert found["budget"] == {
        "accounting": "zcdp", "conversion": "canonne2020", "epsilon": 3, "delta": 1e-6
    }  # fmt: skip


def test_a_draft_is_asked_once_its_ledger_is_started(folder, tmp_path):
    """The thinnest way from a folder to an answer."""
    out = tmp_path / "d.toml"
    drafted(folder, out, public=("concept",))
    ind.database.begin(out)
    with ind.database.open(out) as session:
        reply = session.ask(
            "SELECT EXTRACT(YEAR FROM v.begins) AS y, COUNT(DISTINCT v.person_id) AS n "
            "FROM visit v JOIN person p USING (person_id) GROUP BY y",
            epsilon="2", groups=3, rows=5,
        )  # fmt: skip
    assert len(reply.answer) == this_year() + 1 - 1970 + 2


def test_bounds_do_not_depend_on_the_data(folder, tmp_path):
    """Two hospitals, one declaration."""
    other = tmp_path / "hospital"
    write_hospital(other, rows=80, seed=9)
    texts = []
    for place, name in ((folder, "a.toml"), (other, "b.toml")):
        _, found = drafted(place, tmp_path / name)
        texts.append(found["tables"])
    assert texts[0] == texts[1]


def test_a_table_without_people_is_left_out_until_it_is_said_to_be_public(folder, tmp_path):
    """Nobody but the owner knows that no people are in it."""
    told, found = drafted(folder, tmp_path / "d.toml")
    assert list(told.left_out) == ["concept"]
    text = (tmp_path / "d.toml").read_text()
    assert "only if no row of it is about a person (public)" in text
    assert "--person person_id,concept=COLUMN" in text
    assert "concept" not in found["tables"]
    assert "concept" in (tmp_path / "d.toml").read_text()


def test_what_rows_would_count_is_told_and_not_written(folder, tmp_path):
    """The owner alone learns how many rows people have."""
    told, found = drafted(folder, tmp_path / "d.toml")
    assert told.rows["visit"].most > 1
    assert "person" not in told.rows
    assert "rows_per_person" not in found["tables"]["visit"]


def test_dates_of_a_text_file_are_dates(tmp_path):
    """Also of a single table."""
    path = tmp_path / "p.csv"
    path.write_text("id,born,seen,code\n1,1950-02-03,2020-01-01 10:00,01-02\n2,,2021-02-02,x\n")
    ind.database.init(path, person="id", epsilon=1, out=tmp_path / "p.toml")
    columns = tomllib.loads((tmp_path / "p.toml").read_text())["columns"]
    assert columns["born"] == {"type": "date", "bounds": ["1900-01-01", f"{this_year()}-12-31"]}
    assert columns["seen"]["type"] == "timestamp"
    assert columns["code"] == {"type": "text"}


@pytest.fixture
def levels(tmp_path):
    """Return a folder of three people; the cell of one of them decides a type."""
    place = tmp_path / "levels"
    place.mkdir()
    (place / "person.csv").write_text("person_id,level,born\n1,4,1950-01-01\n2,high,\n3,5,\n")
    (place / "visit.csv").write_text("visit_id,person_id,level,unit\n7,1,3,a\n8,1,2,b\n")
    (place / "unit.csv").write_text("unit,beds\na,3\nb,4\n")
    return place


def test_types_of_a_folder_that_were_taken_from_the_data_are_named_and_agreed_to(levels, tmp_path):
    """Neither keys nor references nor tables without people, whose types no person decides."""
    named = []
    told, found = drafted(levels, tmp_path / "d.toml", public=("unit",), agree=named.append)
    assert named == [list(told.types)] == [["person.level", "person.born", "visit.level"]]
    assert found["tables"]["person"]["columns"]["level"] == "text"

    def refuse(read):
        raise ParameterError("not agreed")

    with pytest.raises(ParameterError, match="not agreed"):
        drafted(levels, tmp_path / "e.toml", agree=refuse)
    assert not (tmp_path / "e.toml").exists()


def test_types_of_a_folder_may_be_declared(levels, tmp_path):
    """Of one table, or of all that have the column; then no cell decides them."""
    types = {"person.level": "number", "level": "code", "born": "date"}
    told, found = drafted(levels, tmp_path / "d.toml", public=("unit",), types=types)
    assert told.types == []
    assert found["tables"]["person"]["columns"]["level"] == "number"
    assert found["tables"]["visit"]["columns"]["level"] == "code"
    assert found["tables"]["person"]["columns"]["born"]["type"] == "date"
    for wrong, error in (
        ({"level": "word"}, ParameterError),
        ({"visit.born": "date"}, SchemaError),
    ):
        with pytest.raises(error):
            drafted(levels, tmp_path / "e.toml", types=wrong)
    with pytest.raises(SchemaError, match="is a number, but 1 of its cells"):
        ind.database.begin(tmp_path / "d.toml")


@pytest.mark.parametrize(
    ("kind", "declared"),
    [
        ("date", {"type": "date", "bounds": ["1970-01-01", f"{this_year() + 1}-12-31"]}),
        ("timestamp", {"type": "timestamp", "bounds": ["1970-01-01", f"{this_year() + 1}-12-31"]}),
        ("bool", {"type": "bool"}),
        ("code", {"type": "code"}),
        ("text", {"type": "text"}),
    ],
)
def test_one_table_takes_the_types_of_a_folder(tmp_path, kind, declared):
    """A type that the file does not suggest, and one that it does."""
    cells = {"bool": "true", "code": "01"}.get(kind, "2022-01-11")
    (tmp_path / "p.csv").write_text(f"id,day\n1,{cells}\n2,\n")
    words = {"person": "id", "epsilon": 1, "types": {"day": kind}}
    ind.database.init(tmp_path / "p.csv", out=tmp_path / "p.toml", **words)
    assert tomllib.loads((tmp_path / "p.toml").read_text())["columns"]["day"] == declared
    with ind.database.open(tmp_path / "p.toml") as session:
        session.ask("SELECT COUNT(day) FROM p", epsilon=1)


def test_dates_take_bounds(tmp_path):
    (tmp_path / "p.csv").write_text("id,day\n1,2022-01-11\n")
    bounds = {"day": ("2022-01-01", "2022-12-31")}
    ind.database.init(
        tmp_path / "p.csv", person="id", epsilon=1, out=tmp_path / "p.toml", bounds=bounds
    )
    columns = tomllib.loads((tmp_path / "p.toml").read_text())["columns"]
    assert columns["day"] == {"type": "date", "bounds": ["2022-01-01", "2022-12-31"]}


def test_a_folder_without_the_person_or_with_a_declaration_is_refused(folder, tmp_path):
    """Nothing is written."""
    with pytest.raises(SchemaError, match="column of no table"):
        ind.database.draft_tables(folder, person="nobody", epsilon=1, out=tmp_path / "n.toml")
    assert not (tmp_path / "n.toml").exists()
    with pytest.raises(OutputError, match="exists already"):
        ind.database.draft_tables(
            folder, person="person_id", epsilon=1, out=folder / "hospital.toml"
        )


def clinic(folder, key="Id", person="PATIENT"):
    """Write patients whose key is the person, and encounters that name them otherwise."""
    folder.mkdir()
    people = [f"p{n:02d}" for n in range(40)]
    rows = "".join(f"{one},{1950 + n}-01-01\n" for n, one in enumerate(people))
    (folder / "patients.csv").write_text(f"{key},birth\n{rows}")
    rows = "".join(f"e{n},{people[n % 40]},flu\n" for n in range(90))
    (folder / "encounters.csv").write_text(f"Id,{person},reason\n{rows}")
    rows = "".join(f"o{n},e{n % 90},{n % 7}\n" for n in range(200))
    (folder / "observations.csv").write_text(f"Id,ENCOUNTER,value\n{rows}")
    return folder


@pytest.mark.parametrize(
    ("key", "person", "said"),
    [
        ("Id", "PATIENT", "PATIENT"),
        ("Id", "patient_id", "patient_id"),
        ("nr", "PATIENT", "PATIENT,patients=nr"),
        ("Id", "who", "who,patients=Id"),
    ],
)
def test_the_key_of_a_table_of_people_may_have_another_name(tmp_path, key, person, said):
    """By the name of the table, or as it is said; and what leads to it is asked in one join."""
    data, out = clinic(tmp_path / "c", key, person), tmp_path / "d.toml"
    told = ind.database.draft_tables(data, person=said, epsilon=3, out=out)
    assert not told.left_out
    tables = tomllib.loads(out.read_text())["tables"]
    assert (tables["patients"]["person"], tables["patients"]["key"]) == (key, key)
    assert tables["patients"]["rows_per_person"] == 1
    assert tables["encounters"]["person"] == person
    assert tables["observations"]["owner"] == "ENCOUNTER"
    ind.database.begin(out)
    with ind.database.open_session(out) as session:
        asked = f"SELECT COUNT(*) FROM encounters e JOIN patients p ON e.{person} = p.{key}"
        session.ask(asked, epsilon=1, rows=3)


def test_a_table_of_people_that_was_misspelled_is_refused(tmp_path):
    with pytest.raises(ind.SchemaError, match="patients=Key: names no column"):
        ind.database.draft_tables(
            clinic(tmp_path / "c"), person="PATIENT,patients=Key", epsilon=3, out=tmp_path / "d"
        )


def test_the_keys_of_a_database_are_taken_from_its_schema(tmp_path):
    """Names of columns say nothing here, and no value is looked at for a key."""
    duckdb = pytest.importorskip("duckdb")
    path, out = tmp_path / "c.duckdb", tmp_path / "d.toml"
    with duckdb.connect(str(path)) as made:
        made.execute("CREATE TABLE a (x INT PRIMARY KEY, born DATE)")
        made.execute("CREATE TABLE b (y INT PRIMARY KEY, who INT REFERENCES a(x))")
        made.execute("CREATE TABLE c (z INT, up INT REFERENCES b(y))")
        made.execute("INSERT INTO a SELECT n, DATE '1970-01-01' FROM range(30) s(n)")
    told = ind.database.draft_tables(path, person="who", epsilon=3, out=out)
    assert not told.left_out
    tables = tomllib.loads(out.read_text())["tables"]
    assert tables["a"]["person"] == tables["a"]["key"] == "x"
    assert tables["b"]["person"] == "who"
    assert tables["b"]["references"] == {"who": "a"}
    assert (tables["c"]["owner"], tables["c"]["references"]) == ("up", {"up": "b"})


def test_a_table_with_births_is_never_advised_to_be_public(tmp_path):
    """Its person is asked for; a list of codes may be public."""
    data, out = clinic(tmp_path / "c"), tmp_path / "d.toml"
    (data / "staff.csv").write_text("nr,birth_date\n1,1970-01-01\n")
    (data / "codes.csv").write_text("code,text\nE1,flu\n")
    told = ind.database.draft_tables(data, person="PATIENT", epsilon=3, out=out)
    assert (list(told.left_out), list(told.of_people)) == (["codes", "staff"], ["staff"])
    text = out.read_text()
    assert text.count("(public)") == 1
    assert "--person PATIENT,staff=COLUMN" in text
