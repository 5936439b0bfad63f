"""Keys and references are suggested by unique and contained values, and by names."""

from __future__ import annotations

from indistinct.tables.drafting.links import KeyColumn, pairs_to_try, suggested_links


def column(*values: str) -> KeyColumn:
    return KeyColumn(frozenset(values), len(set(values)) == len(values))


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
