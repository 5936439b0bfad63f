"""What is drafted for wide tables: right roles or none, and no identifier missed."""

import time
import tomllib

import polars as pl
import pytest

import indistinct as ind
from blind_tables import BLIND
from indistinct.frontends.cli.main import status
from indistinct.tables.drafting.together import MOST_QUASI_IDENTIFIERS
from kept_aside import KEPT_ASIDE
from later_tables import LATER
from shared import shared
from wide_tables import TABLES, Maker, judged, write_table

LEAST_RIGHT = {"bank": 0.65}  # of its columns; most of the others may be either, and are asked
ALL = {**TABLES, **KEPT_ASIDE, **LATER, **BLIND}


@pytest.fixture(scope="module")
def inspected(tmp_path_factory):
    """Inspect each table once, as a file."""
    folder = tmp_path_factory.mktemp("wide")
    found = {}
    for name, make in ALL.items():
        columns = make(rows=1500)
        write_table(columns, folder / f"{name}.csv")
        found[name] = columns, ind.inspect(folder / f"{name}.csv")
    return found


def roles_of(inspection):
    return {column.name: column.role for column in inspection.columns}


@pytest.mark.parametrize("name", ALL)
def test_no_column_is_wrong_and_no_identifier_is_missed(inspected, name):
    """At least 30 columns each; nine of ten right or undecided is asked, all of them are."""
    columns, inspection = inspected[name]
    assert len(columns) >= 30
    found = judged(columns, roles_of(inspection))
    assert found["wrong"] == []
    assert found["missed"] == []
    assert len(found["right"]) >= LEAST_RIGHT.get(name, 0.7) * len(columns)


def test_the_judge_of_these_tests_sees_faults(inspected):
    """Roles that are taken from the next column would be told as wrong and missed."""
    columns, inspection = inspected["court"]
    roles = roles_of(inspection)
    names = list(roles)
    moved = dict(zip(names, [roles[name] for name in (*names[1:], names[0])], strict=True))
    found = judged(columns, moved)
    assert len(found["wrong"]) >= 4
    assert len(found["missed"]) > 1


@pytest.mark.parametrize("name", ALL)
def test_every_suggestion_has_a_confidence_and_a_reason(inspected, name):
    """An undecided column has a low confidence and a cost, and no other has either."""
    _, inspection = inspected[name]
    for column in inspection.columns:
        is_open = column.role == "undecided"
        assert column.reason
        assert (column.confidence == "low") == is_open
        assert (column.cost is not None) == is_open
        assert column.cost is None or 0 <= column.cost <= 1


@pytest.mark.parametrize("name", ALL)
def test_quasi_identifiers_beyond_the_eighth_matter_less(inspected, name):
    """The draft says so at each of them, and the search may show it."""
    _, inspection = inspected[name]
    words = tomllib.loads(inspection.draft(yes_to_suggestions=True))["columns"]
    quasi = {name: one for name, one in words.items() if one["role"] == "quasi-identifier"}
    above = [one for one in quasi.values() if "It is the level above" in one["reason"]]
    minor = [one for one in quasi.values() if "importance" in one]
    assert not any("min_level" in one for one in quasi.values())
    assert 0 < len(quasi) - len(minor) <= MOST_QUASI_IDENTIFIERS + len(above)
    assert all("its detail matters less" in one["reason"] for one in minor)
    assert inspection.together is not None
    assert len(inspection.together.columns) == len(quasi) - len(minor)


def test_the_traps(inspected):
    """Codes are no identifiers, intimate questions sensitive, repeated numbers people."""
    hospital, survey = roles_of(inspected["hospital"][1]), roles_of(inspected["survey"][1])
    codes = {hospital["discharge_code"], hospital["admission_type_id"]}
    assert codes <= {"quasi-identifier", "undecided"}
    assert survey["SexEver"] == survey["SameSex"] == survey["SexOrientation"] == "sensitive"
    assert hospital["patient_nbr"] == "identifier"
    assert inspected["hospital"][1].person == "patient_nbr"
    assert inspected["court"][1].person is None
    assert survey["WTMEC2YR"] == "undecided"


def test_missing_values_are_found(inspected):
    """Question marks, codes below zero, nines above all others; none that are values elsewhere."""
    words = {name: set(inspection.missing) for name, (_, inspection) in inspected.items()}
    assert {"", "?", "Unknown/Invalid"} == words["hospital"]  # None is asked
    assert {"", "9999"} == words["survey"]
    assert {"", "9999"} == words["bank"]
    assert {""} == words["poland"]
    own = {name: inspection.owners.held[1].own for name, (_, inspection) in inspected.items()}
    assert own["poland"]["poglady_polityczne"] == ("", "99")
    assert own["survey"]["Pulse"] == ("", "9999", "-8")
    assert own["bank"]["job"] == ("", "9999", "unknown")
    asked = {doubt.about[0] for doubt in inspected["survey"][1].doubts if doubt.kind == "missing"}
    assert {"nBabies", "DiabetesAge"} <= asked


def test_a_draft_with_undecided_columns_does_not_run(tmp_path, capsys, monkeypatch):
    """It lists its questions, ends with 2, and runs after the columns are left out."""
    monkeypatch.chdir(tmp_path)
    write_table(TABLES["bank"](rows=200), "bank.csv")
    run = ["anonymize", "bank.csv", "--policy", "bank.toml", "--out", "out.csv"]
    assert status(["inspect", "bank.csv", "--draft", "bank.toml"], show_values=False) == 0
    capsys.readouterr()
    assert status(run, show_values=False) == 2
    said = capsys.readouterr().err
    columns = tomllib.loads((tmp_path / "bank.toml").read_text())["columns"]
    left = {name: one for name, one in columns.items() if one["role"] == "undecided"}
    assert len(left) > 5
    for name, one in left.items():
        is_first = not one["reason"].startswith("As ")
        assert (f"columns.{name}.role: " in said) == is_first
        assert not is_first or one["reason"] in said
    assert said.count(".role: ") <= 12
    assert not (tmp_path / "out.csv").exists()
    again = ["inspect", "bank.csv", "--draft", "bank.toml", "--yes-to-suggestions", "--replace"]
    assert status(again, show_values=False) == 0
    assert status(run, show_values=False) == 0
    released = (tmp_path / "out.csv").read_text().splitlines()[0].split(",")
    assert not set(left) & set(released)


def test_reasons_hold_no_value(inspected):
    """Neither names, numbers of accounts nor free text of any record stand in a reason."""
    columns, inspection = inspected["court"]
    said = " ".join(column.reason for column in inspection.columns)
    for name in ("name", "c_case_number", "home_address", "defendant_ssn", "dob"):
        assert not any(str(cell) in said for cell in columns[name][0])


def test_the_known_tables_are_drafted_as_a_person_would():
    """Adult: its quasi-identifiers and no identifier; the salary is sensitive."""
    roles = roles_of(ind.inspect(shared("data/adult/adult.csv")))
    known = {"sex", "age", "race", "marital-status", "education", "native-country", "occupation"}
    assert {name for name in known if roles[name] == "quasi-identifier"} == known
    assert roles["salary-class"] == "sensitive"
    assert "identifier" not in roles.values()


def wide(columns):
    """Make a table of many quasi-identifiers, sensitive columns and dates."""
    m = Maker(120, 5)
    kinds = {
        "job": m.whole(1, 40),
        "region": m.whole(1, 9),
        "diag": m.pick("flu", "gout", "ulcer"),
        "visit_date": m.days("2012-01-01", 3000),
        "q": m.normal(50, 10, 2),
    }
    named = [f"{name}_{number}" for number in range(columns // len(kinds)) for name in kinds]
    return pl.DataFrame({name: kinds[name.rpartition("_")[0]] for name in named})


@pytest.mark.slow
def test_ten_thousand_columns_are_drafted():
    table = wide(10_000)
    started = time.process_time()
    ind.inspect(table).drafted("wide")
    assert time.process_time() - started < 20


@pytest.mark.slow
def test_a_hundred_thousand_records_of_48_columns_take_seconds(tmp_path):
    """Reading, roles, hierarchies and costs; the bar leaves room for a busy machine."""
    m = Maker(100_000, 3)
    columns = {name: cells for name, (cells, _) in TABLES["hospital"](rows=100_000).items()}
    columns |= {f"lab_{number}": m.normal(100, 20, 1) for number in range(48 - len(columns))}
    pl.DataFrame(columns, strict=False).write_csv(tmp_path / "wide.csv")
    started = time.perf_counter()
    ind.inspect(tmp_path / "wide.csv").drafted("wide")
    assert time.perf_counter() - started < 60
