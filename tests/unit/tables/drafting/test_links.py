"""Keys and references are suggested by unique and contained values, and by names."""

from __future__ import annotations

import random

import pytest

from indistinct.tables.drafting.key_columns import KeyColumn
from indistinct.tables.drafting.links import pairs_to_try, suggested_links


def column(*values: str) -> KeyColumn:
    return KeyColumn(values)


def test_a_hospital_hangs_together() -> None:
    found = suggested_links(
        {
            "codes": {"code": column("E", "I", "J"), "text": column("a", "b", "c")},
            "diagnoses": {"vid": column("1", "1", "2"), "code": column("E", "E", "I")},
            "patients": {"pid": column("p", "q", "r"), "sex": column("f", "m", "f")},
            "visits": {"vid": column("1", "2", "3"), "pid": column("p", "p", "q")},
        }
    )
    assert found.people == "patients"
    assert found.keys == {"patients": "pid", "visits": "vid"}
    assert found.references == {"visits": {"pid": "patients"}, "diagnoses": {"vid": "visits"}}


def test_a_key_under_a_longer_name_and_tables_that_lead_nowhere() -> None:
    found = suggested_links(
        {
            "people": {"id": column("1", "2", "3")},
            "sales": {"customer_id": column("1", "1", "2"), "item": column("x", "y", "x")},
        }
    )
    assert found.people == "people"
    assert found.references == {"sales": {"customer_id": "people"}}
    lost = suggested_links({"one": {"a": column("1", "2")}, "other": {"b": column("3", "4")}})
    assert lost.people is None
    assert not lost.references


def test_two_columns_may_be_a_key_together() -> None:
    """Where two tables have both, and one of them is named like a key; no other pair is tried."""
    visits = ["pid", "visit_no", "ward"]
    tables = {
        "patients": ["pid", "sex"],
        "visits": visits,
        "diagnoses": ["pid", "visit_no", "code"],
    }
    assert pairs_to_try(tables, {"pid"}) == {
        "patients": [],
        "visits": ["pid, visit_no"],
        "diagnoses": ["pid, visit_no"],
    }
    assert not any(pairs_to_try(tables, set()).values())


def of_rows(prefix: str, numbers: list[int]) -> KeyColumn:
    return KeyColumn([f"{prefix}{number:04d}" for number in numbers])


def hospital_of(n_people: int, chance: random.Random) -> dict[str, dict[str, KeyColumn]]:
    """Make up patients and visits; each visit has a patient."""
    people = range(n_people)
    return {
        "patients": {
            "patient_id": of_rows("p", [*people]),
            "sex": KeyColumn(["f", "m"] * (n_people // 2)),
        },
        "visits": {
            "visit_id": of_rows("v", [*range(5 * n_people)]),
            "patient_id": of_rows("p", chance.choices(people, k=5 * n_people)),
            "day": KeyColumn(chance.choices(["2024-01-02", "2024-03-04"], k=5 * n_people)),
        },
    }


@pytest.mark.parametrize("n_twice", [0, 1, 3])
@pytest.mark.parametrize("n_lost", [0, 1, 20])
def test_a_few_rows_that_do_not_fit_change_no_structure(n_twice: int, n_lost: int) -> None:
    """Of 120 people and 600 visits."""
    tables = hospital_of(120, random.Random(1))
    people = [*range(120), *range(n_twice)]
    tables["patients"]["patient_id"] = of_rows("p", people)
    visits = list(tables["visits"]["patient_id"].records.elements())[n_lost:]
    tables["visits"]["patient_id"] = KeyColumn([*visits, *["q9999"] * n_lost])
    found = suggested_links(tables)
    assert (found.people, found.keys) == ("patients", {"patients": "patient_id"})
    assert found.references == {"visits": {"patient_id": "patients"}}


def test_what_misses_by_more_is_told_and_is_no_reference() -> None:
    """A tenth of the visits lead nowhere."""
    tables = hospital_of(100, random.Random(2))
    visits = list(tables["visits"]["patient_id"].records.elements())[50:]
    tables["visits"]["patient_id"] = KeyColumn([*visits, *["q9999"] * 50])
    found = suggested_links(tables)
    assert found.people is None
    assert [(one.name, one.column, one.table) for one in found.near] == [
        ("visits", "patient_id", "patients")
    ]
    assert found.question.startswith("Which table has the people?")
    assert "patients has births, sexes or ages" in found.question


@pytest.mark.parametrize(
    ("key", "reference"),
    [("Id", "PATIENT"), ("nr", "patient"), ("id", "patientId"), ("code", "patients_ref")],
)
def test_a_reference_may_be_called_like_its_table(key: str, reference: str) -> None:
    """Tables of one name for all keys, and references with the name of the table."""
    tables = hospital_of(60, random.Random(3))
    patients, visits = tables["patients"], tables["visits"]
    renamed = {
        "patients": {key: patients["patient_id"], "sex": patients["sex"]},
        "visits": {key: visits["visit_id"], reference: visits["patient_id"], "day": visits["day"]},
    }
    found = suggested_links(renamed)
    assert found.people == "patients"
    assert found.keys == {"patients": key}
    assert found.references == {"visits": {reference: "patients"}}


def test_two_tables_may_both_number_their_rows() -> None:
    """That the numbers of one are among those of the other says nothing."""
    tables = {
        "patients": {"id": KeyColumn([str(n) for n in range(40)]), "sex": KeyColumn(["f"] * 40)},
        "visits": {
            "id": KeyColumn([str(n) for n in range(200)]),
            "patient_id": KeyColumn([str(n % 40) for n in range(200)]),
        },
    }
    found = suggested_links(tables)
    assert found.keys == {"patients": "id"}
    assert found.references == {"visits": {"patient_id": "patients"}}


def test_people_have_births_and_sexes_and_a_table_that_most_lead_to_need_not() -> None:
    """Wards are above patients, and more tables lead to them."""
    tables = hospital_of(60, random.Random(4))
    wards = KeyColumn([f"ward {n}" for n in range(6)])
    tables["wards"] = {"ward_id": wards, "floor": KeyColumn(["1", "2", "3"] * 2)}
    tables["patients"]["ward_id"] = KeyColumn([f"ward {n % 6}" for n in range(60)])
    tables["beds"] = {
        "bed": of_rows("b", [*range(30)]),
        "ward_id": KeyColumn([f"ward {n % 6}" for n in range(30)]),
        "kind": KeyColumn(["new", "old"] * 15),
        "since": KeyColumn(["2001", "2002", "2003"] * 10),
    }
    found = suggested_links(tables)
    assert found.people == "patients" or "Which table has the people?" in found.question
    del tables["beds"]
    assert suggested_links(tables).people == "patients"


def test_a_table_that_joins_people_to_accounts_is_asked_about() -> None:
    """Rows of an account may belong to several clients."""
    chance = random.Random(5)
    tables = {
        "client": {
            "client_id": KeyColumn([str(n) for n in range(80)]),
            "birth": KeyColumn([f"19{50 + n % 40}-01-01" for n in range(80)]),
        },
        "account": {"account_id": KeyColumn([str(n) for n in range(60)])},
        "disp": {
            "disp_id": KeyColumn([str(n) for n in range(80)]),
            "client_id": KeyColumn([str(n) for n in range(80)]),
            "account_id": KeyColumn([str(n % 60) for n in range(80)]),
        },
        "trans": {
            "trans_id": KeyColumn([str(n) for n in range(300)]),
            "account_id": KeyColumn(chance.choices([str(n) for n in range(60)], k=300)),
        },
    }
    found = suggested_links(tables)
    assert found.people is None
    assert not found.keys
    assert "disp joins rows of client to rows of account" in found.question
    assert "a row of trans can belong to several rows of client" in found.question


def test_other_columns_that_hold_keys_are_named() -> None:
    """Of the same table, and of the table above."""
    tables = hospital_of(60, random.Random(6))
    tables["patients"]["infected_by"] = of_rows("p", [n // 3 for n in range(60)])
    tables["visits"]["referred"] = of_rows("p", [n % 7 for n in range(300)])
    found = suggested_links(tables)
    assert found.references == {"visits": {"patient_id": "patients"}}
    assert not found.further.get("visits")  # seven values are too few to say so
    assert found.further["patients"] == {"infected_by": "patients"}


def test_no_circle_is_suggested() -> None:
    """Patients name their last visit, and visits their patient."""
    tables = hospital_of(60, random.Random(7))
    tables["patients"]["last_visit_id"] = of_rows("v", [5 * n for n in range(60)])
    found = suggested_links(tables)
    assert found.people == "patients"
    assert found.references == {"visits": {"patient_id": "patients"}}
    assert found.further["patients"] == {"last_visit_id": "visits"}
