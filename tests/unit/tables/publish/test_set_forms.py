"""Sets as delimited texts, as lists and with a row per item: one release, in its input's form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, PolicyError
from indistinct.tables.policy.policy import Policy
from indistinct.tables.verification.verify_release import verify
from unit.tables.publish.test_sets import TREE, table

COLUMNS = {
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [20]}},
    "diagnoses": {
        "role": "quasi-identifier",
        "type": "set",
        "hierarchy": {"tree": TREE},
        "suppression": "occurrences",
    },
}
LONG = {"long": {"person": "name", "item": "diagnoses"}}


def asked(data: dict[str, Any] | None = None, **columns: Any) -> Policy:
    name = {} if data and "long" in data else {"name": {"role": "identifier"}}
    return Policy.from_words(
        {
            "columns": {**name, **COLUMNS, **columns},
            "models": [{"name": "km-anonymity", "column": "diagnoses", "k": 5, "m": 2}],
            "method": {"max_suppression": 0.5},
            "data": data or {},
        }
    )


def as_lists(frame: pl.DataFrame) -> pl.DataFrame:
    cells = [text.split(";") if text else [] for text in frame["diagnoses"]]
    return frame.with_columns(pl.Series("diagnoses", cells, pl.List(pl.String)))


def as_rows(frame: pl.DataFrame) -> pl.DataFrame:
    """A row per item; who has none has one row without one."""
    cells = [text.split(";") if text else [None] for text in frame["diagnoses"]]
    return frame.with_columns(pl.Series("diagnoses", cells, pl.List(pl.String))).explode(
        "diagnoses"
    )


def test_three_forms_of_one_table_give_one_release() -> None:
    delimited = ind.anonymize(table(), asked(), seed=1)
    lists = ind.anonymize(as_lists(table()), asked(), seed=1)
    rows = ind.anonymize(as_rows(table()), asked(LONG), seed=1)
    assert delimited.frame["diagnoses"].n_unique() > 10
    assert lists.frame.equals(delimited.frame)
    assert rows.frame.equals(delimited.frame)
    assert lists.manifest["sets"] == rows.manifest["sets"] == delimited.manifest["sets"]


def test_lists_are_given_back_as_lists() -> None:
    release = ind.anonymize(as_lists(table()), asked(), seed=1)
    shown = [";".join(cell) for cell in release.data["diagnoses"].to_list()]
    assert shown == release.frame["diagnoses"].fill_null("").to_list()
    pandas = ind.anonymize(as_lists(table()).to_pandas(), asked(), seed=1).data
    assert [";".join(cell) for cell in pandas["diagnoses"]] == shown
    arrow = ind.anonymize(as_lists(table()).to_arrow(), asked(), seed=1).data
    assert arrow["diagnoses"].to_pylist() == release.data["diagnoses"].to_list()


@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv"])
@pytest.mark.parametrize("form", [as_lists, as_rows])
def test_a_written_file_has_the_form_of_its_input(form: Any, ending: str, tmp_path: Path) -> None:
    """And it is verified from its bytes; with the input, that each label covers an item."""
    policy = asked(LONG if form is as_rows else None)
    path, cross, original = tmp_path / f"out.{ending}", tmp_path / "cross.csv", form(table())
    release = ind.anonymize(original, policy, seed=1)
    release.write(path, crosswalk=cross)
    verdict = verify(path, policy, original=original, crosswalk=cross)
    assert verdict.holds, verdict.faults
    assert verdict.notes == ()
    found = {"parquet": pl.read_parquet, "arrow": pl.read_ipc, "csv": pl.read_csv}[ending](path)
    if form is as_rows:
        assert found["name"].unique(maintain_order=True).to_list() == list(range(table().height))
        cells = found.group_by("name", maintain_order=True).agg(pl.col("diagnoses").drop_nulls())
        assert (
            cells["diagnoses"].list.join(";").to_list()
            == release.frame["diagnoses"].fill_null("").to_list()
        )
    elif ending == "csv":
        assert found.equals(release.frame)
    else:
        assert found["diagnoses"].dtype == pl.List(pl.String)
    report = ind.attack(
        path, policy, attack="known-items", original=original, item_choice="worst", crosswalk=cross
    )
    assert report.answer.details["below_k"] == 0.0
    assert ind.assess(path, policy).models[0]["achieved"]["k"] >= 5


def test_people_who_are_numbered_otherwise_are_found(tmp_path: Path) -> None:
    policy, path = asked(LONG), tmp_path / "out.csv"
    release = ind.anonymize(as_rows(table()), policy, seed=1)
    frame = release.data
    assert verify(frame, policy).holds
    turned = frame.with_columns(name=pl.lit(table().height - 1) - pl.col("name"))
    turned.write_csv(path)
    assert [fault.place for fault in verify(path, policy).faults] == ["columns.name"]
    frame.filter(pl.col("name") > 0).write_csv(path)
    assert "columns.name" in [fault.place for fault in verify(path, policy).faults]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_codes_of_digits_stay_texts(ending: str, tmp_path: Path) -> None:
    """250.10 and 250.1 are two codes, and 007 is not 7, though all cells could be numbers."""
    path = tmp_path / f"in.{ending}"
    frame = pl.DataFrame({"codes": ["250.10", "250.1", "007"] * 5})
    (frame.write_csv if ending == "csv" else frame.write_parquet)(path)
    policy = Policy.from_words(
        {
            "columns": {"codes": {"role": "quasi-identifier", "type": "set"}},
            "models": [{"name": "km-anonymity", "column": "codes", "k": 5, "m": 1}],
        }
    )
    release = ind.anonymize(path, policy, seed=1)
    assert set(release.frame["codes"]) == {"250.10", "250.1", "007"}
    release.write(tmp_path / "out.csv")
    assert verify(tmp_path / "out.csv", policy, original=path).holds


def test_items_of_whole_numbers_are_read_as_they_are_written() -> None:
    frame = pl.DataFrame({"codes": [[1, 2], [2, 1, 1], [1, None, 2]], "name": ["a", "b", "c"]})
    words = {"role": "quasi-identifier", "type": "set"}
    policy = Policy.from_words(
        {
            "columns": {"codes": words, "name": {"role": "identifier"}},
            "models": [{"name": "km-anonymity", "column": "codes", "k": 3, "m": 2}],
        }
    )
    release = ind.anonymize(frame, policy, seed=1)
    assert release.data["codes"].to_list() == [["1", "2"]] * 3


def test_what_no_long_file_can_be_is_refused(tmp_path: Path) -> None:
    frame, path = as_rows(table()), tmp_path / "wide.csv"
    table().drop("name").write_csv(path)
    varying = frame.with_columns(age=pl.int_range(pl.len()))
    with pytest.raises(DataError, match="differs within the rows of") as caught:
        ind.anonymize(varying, asked(LONG))
    assert [fault.place for fault in caught.value.faults] == ["columns.age"]
    with pytest.raises(DataError, match="rows have no person"):
        ind.anonymize(frame.with_columns(name=pl.lit("")), asked(LONG))
    with pytest.raises(DataError, match="contain the separator"):
        ind.anonymize(frame.with_columns(diagnoses=pl.lit("E00;E01")), asked(LONG))
    with pytest.raises(DataError, match="not in the data"):
        ind.anonymize(path, asked(LONG))


@pytest.mark.parametrize(
    ("data", "columns", "place"),
    [
        ({"long": {"person": "name", "item": "age"}}, {}, "data.long.item"),
        (LONG, {"name": {"role": "identifier"}}, "columns.name"),
        ({"long": {"person": "name"}}, {}, "data.long.item"),
    ],
)
def test_words_of_a_long_file_that_contradict_are_refused(
    data: dict[str, Any], columns: dict[str, Any], place: str
) -> None:
    with pytest.raises(PolicyError) as caught:
        asked(data, **columns)
    assert place in [fault.place for fault in caught.value.faults]


def test_an_item_of_a_list_with_the_separator_is_refused() -> None:
    frame = as_lists(table()).with_columns(pl.Series("diagnoses", [["E00;E01"]] * table().height))
    with pytest.raises(DataError, match="contain the separator") as caught:
        ind.anonymize(frame, asked())
    assert "E00" not in str(caught.value)
    other = asked(diagnoses={**COLUMNS["diagnoses"], "separator": "|", "hierarchy": None})
    assert ind.anonymize(frame, other, seed=1).data["diagnoses"].to_list()[0] == ["E00;E01"]


def test_lists_of_a_column_that_is_no_set_are_refused() -> None:
    words = {"role": "insensitive"}
    policy = Policy.from_words(
        {
            "columns": {
                "diagnoses": words,
                "name": {"role": "identifier"},
                "age": {"role": "quasi-identifier"},
            },
            "models": [{"name": "k-anonymity", "k": 5}],
        }
    )
    with pytest.raises(DataError, match="lists or records"):
        ind.anonymize(as_lists(table()), policy)
