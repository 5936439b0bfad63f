"""Known events tell no more than so much of a sensitive value."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import hospitals
import indistinct as ind
from indistinct.errors import PolicyError, VerificationError
from indistinct.frontends.report.related import write_related_report
from indistinct.related.publish import search
from indistinct.related.verify.release import verify_related
from indistinct.related.verify.shares import measured_shares
from indistinct.tables.verification.texts import texts_as_read


def policy(column: str, values: Sequence[str], share: float, **said: Any) -> dict[str, Any]:
    """Return a policy of a hospital in which a share of values is limited."""
    words = {**hospitals.policy(2, 2), **said}
    model = {"name": "largest-share", "column": column, "values": list(values), "share": share}
    return {**words, "models": [*words["models"], model]}


def largest(
    tables: Any, having: set[Any], m: int, shown: Sequence[str], *, with_numbers: bool = False
) -> float:
    """Return, from the definition, the largest share of the people with some events who have it.

    Parameters
    ----------
    having : keys of people
    shown : codes that no event may have
    """
    units = [
        (
            pid,
            (kind, len(rows) if with_numbers else 0),
            [row for row in rows if row[0] not in shown],
        )
        for pid, (kind, rows) in hospitals.histories(tables).items()
    ]
    found = 0.0
    for _, kind, own in units:
        for size in range(m + 1):
            for part in combinations(own, size):
                people = [
                    pid
                    for pid, other, rows in units
                    if other == kind
                    and any(list(chosen) == list(part) for chosen in permutations(rows, size))
                ]
                found = max(found, sum(pid in having for pid in people) / len(people))
    return found


@pytest.mark.parametrize("rows", ["free", "known"])
@pytest.mark.parametrize("share", [0.7, 0.4])
@pytest.mark.parametrize("values", [["E"], ["I1", "J2"]])
def test_no_events_tell_more_than_the_share(rows: str, share: float, values: list[str]) -> None:
    """By what is shown, and by the records behind the rows that show something."""
    shown = [code for code in [*"EIJ", *hospitals.CODES] if {code, code[0]} & set(values)]
    for seed in range(2):
        tables = hospitals.hospital(seed, 24, 4)
        words = policy("events.code", values, share)
        words["related"]["rows"] = rows
        release = ind.anonymize(tables, words, seed=1)
        events = release.tables["events"]
        having = set(events.filter(pl.col("code").is_in(shown))["pid"])
        found = largest(release.tables, having, 2, shown, with_numbers=rows == "known")
        assert found <= share
        assert release.manifest["models"][1]["achieved"] == {"share": pytest.approx(found)}
        codes = tables["events"]["code"].gather(pl.Series(release.crosswalk["events"]))
        is_there = (events["code"] != "*") | (events["day"] != "*") | (rows == "free")
        truly = set(events["pid"].filter(is_there & codes.is_in(shown)))
        assert largest(release.tables, truly, 2, shown, with_numbers=rows == "known") <= share


def test_a_share_of_a_column_that_nobody_knows() -> None:
    """A sensitive column is no part of events; a row with one of its values is left out."""
    tables = hospitals.hospital(2, 24, 4)
    cost = pl.when(pl.col("cost") < 500).then(pl.lit("low")).otherwise(pl.lit("high"))
    tables["events"] = tables["events"].with_columns(cost=cost)
    words = policy("events.cost", ["high"], 0.5)
    release = ind.anonymize(tables, words, seed=1)
    events = release.tables["events"]
    having = set(events.filter(pl.col("cost") == "high")["pid"])
    assert 0 < largest(release.tables, having, 2, []) <= 0.5
    words["models"] = words["models"][:1]
    before = ind.anonymize(tables, words, seed=1).tables
    having = set(before["events"].filter(pl.col("cost") == "high")["pid"])
    assert largest(before, having, 2, []) > 0.5


def in_folder(tables: Any, folder: Path, ending: str) -> Path | str:
    """Write tables as files of a folder, or into one DuckDB file."""
    if ending == "duckdb":
        connection = duckdb.connect(str(folder / "in.duckdb"))
        for name, frame in tables.items():
            connection.register("given", frame.to_arrow())
            connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given")
            connection.unregister("given")
        connection.close()
        return f"duckdb://{folder}/in.duckdb"
    (folder / "in").mkdir()
    for name, frame in tables.items():
        path = folder / "in" / f"{name}.{ending}"
        frame.write_csv(path) if ending == "csv" else frame.write_parquet(path)
    return folder / "in"


@pytest.mark.parametrize("ending", ["frames", "csv", "parquet", "duckdb"])
@pytest.mark.parametrize(
    ("column", "value"), [("code", "E9"), ("code", "e1"), ("cost", "250"), ("ward", "Hepar")]
)
def test_values_that_no_cell_has_are_refused(
    tmp_path: Path, ending: str, column: str, value: str
) -> None:
    """All of them, by the words of the policy alone, before any search."""
    tables = hospitals.hospital(2, 24, 4)
    tables["events"] = tables["events"].with_columns(
        pl.col("cost").cast(pl.Float64), ward=pl.lit("Lungs")
    )
    words = policy(f"events.{column}", [value, f"{value} or so"], 0.5)
    words["tables"]["events"]["columns"]["ward"] = {"role": "sensitive"}
    data = tables if ending == "frames" else in_folder(tables, tmp_path, ending)
    with pytest.raises(PolicyError) as raised:
        ind.anonymize(data, words, seed=1)
    problems = [str(one).partition("\n")[0] for one in raised.value.faults]
    assert [one.problem for one in raised.value.faults] == [
        f"{one} is in no cell and no list of the column" for one in (value, f"{value} or so")
    ]
    assert all("values of largest-share" in one for one in problems)
    # What the policy lists is named; what cells alone have is not.
    named = [str(one) for one in raised.value.faults]
    assert not any("Lungs" in one for one in named)
    assert any('Did you mean "E1"?' in one for one in named) == (value == "e1")


def test_cells_that_are_close_are_counted_and_shown_where_asked() -> None:
    tables = hospitals.hospital(2, 24, 4)
    tables["events"] = tables["events"].with_columns(ward=pl.lit("Lungs"))
    words = policy("events.ward", ["Lung"], 0.5)
    words["tables"]["events"]["columns"]["ward"] = {"role": "sensitive"}
    with pytest.raises(PolicyError, match="1 value is close; --show-values prints") as raised:
        ind.anonymize(tables, words, seed=1)
    assert "Lungs" not in str(raised.value)
    assert raised.value.faults[0].values == ("Lungs",)


@pytest.mark.parametrize("values", [["E"], ["E1"], ["*"], [""], ["NA"], ["E3", "nobody has it"]])
def test_values_of_lists_and_words_for_missing_ones_are_known(values: list[str]) -> None:
    """A chapter, a code that is listed and that no event has, and a missing code."""
    tables = hospitals.hospital(2, 24, 4)
    tree = {**hospitals.TREE, "other": ["nobody has it"]}
    words = policy("events.code", values, 0.9, data={"missing": ["NA"]})
    words["tables"]["events"]["columns"]["code"]["hierarchy"] = {"tree": tree}
    release = ind.anonymize(tables, words, seed=1)
    assert release.manifest["models"][1]["achieved"]["share"] <= 0.9


@pytest.mark.parametrize("role", ["quasi-identifier", "sensitive"])
@pytest.mark.parametrize("word", ["", "NA", "none"])
def test_missing_values_have_one_share_whatever_they_are_called(role: str, word: str) -> None:
    """Search and verification read all words for a missing value as one."""
    tables = hospitals.hospital(3, 24, 4)
    codes = pl.when(pl.col("code") < "J").then(pl.lit("NA")).otherwise(pl.col("code"))
    tables["events"] = tables["events"].with_columns(code=codes)
    words = policy("events.code", [word], 0.4, data={"missing": ["NA", "none"]})
    words["tables"]["events"]["columns"]["code"] = {"role": role}
    release = ind.anonymize(tables, words, seed=1)
    assert 0 < release.manifest["models"][1]["achieved"]["share"] <= 0.4
    events = release.tables["events"]
    is_gone = pl.col("code").is_null() | pl.col("code").is_in(["", "NA"])
    having = set(events.filter(is_gone)["pid"])
    assert largest(release.tables, having, 2, ["", "NA", None]) <= 0.4


@pytest.mark.parametrize(
    ("word", "cell"), [("250", "250.0"), ("F20", "\uff2620 "), ("F20", "F2\u200b0")]
)
def test_a_share_counts_all_cells_that_read_like_its_values(word: str, cell: str) -> None:
    people = pl.DataFrame({"id": range(12), "sex": ["f"] * 12})
    codes = [cell, word, "x", "x"] * 3
    tables = {
        "people": people,
        "events": pl.DataFrame({"id": range(12), "ward": ["a"] * 12, "code": codes}),
    }
    words: dict[str, Any] = {
        "related": {"people": "people"},
        "tables": {
            "people": {"key": "id", "columns": {"sex": {"role": "quasi-identifier"}}},
            "events": {
                "references": {"id": "people"},
                "columns": {"ward": {"role": "quasi-identifier"}, "code": {"role": "sensitive"}},
            },
        },
        "models": [
            {"name": "joint-anonymity", "k": 3, "m": 1},
            {"name": "largest-share", "column": "events.code", "values": [word], "share": 0.5},
        ],
    }

    release = ind.anonymize(tables, words, seed=1)

    assert release.manifest["models"][1]["achieved"] == {"share": 0.5}
    assert verify_related(release.tables, words).holds
    words["models"][1]["share"] = 0.4
    assert not verify_related(release.tables, words).holds


def test_a_share_of_a_label_above_sensitive_values() -> None:
    """The list of a sensitive column has labels, of which a share is limited as of its values."""
    tables = hospitals.hospital(3, 24, 4)
    words = policy("events.code", ["E"], 0.4)
    words["tables"]["events"]["columns"]["code"]["role"] = "sensitive"
    release = ind.anonymize(tables, words, seed=1)
    assert 0 < release.manifest["models"][1]["achieved"]["share"] <= 0.4


@pytest.fixture(scope="module")
def made() -> Any:
    tables = hospitals.hospital(1, 40, 4)
    words = policy("events.code", ["E"], 0.5)
    return tables, words, ind.anonymize(tables, words, seed=4)


def test_a_promise_of_shares_is_verified_from_files(made: Any, tmp_path: Path) -> None:
    tables, words, release = made
    (tmp_path / "in").mkdir()
    for name, frame in tables.items():
        frame.write_csv(tmp_path / "in" / f"{name}.csv")
    release.write(tmp_path / "out", crosswalk=tmp_path / "rows")
    assert ind.verify(tmp_path / "out").holds is True
    owner = {"original": tmp_path / "in", "crosswalk": tmp_path / "rows"}
    assert ind.verify(tmp_path / "out", words, **owner).holds is True
    spec = ind.RelatedPolicy.from_words(words)
    written = write_related_report(
        str(tmp_path / "out"), spec, *owner.values(), tmp_path / "report.html"
    )
    assert written.holds is True
    assert "What events tell of values" in (tmp_path / "report.html").read_text()


def test_too_large_a_share_is_found(made: Any) -> None:
    """The same release is no release of a policy with a smaller share."""
    tables, _, release = made
    reached = release.manifest["models"][1]["achieved"]["share"]
    words = policy("events.code", ["E"], reached - 0.01)
    found = verify_related(release.tables, words, original=tables, crosswalk=release.crosswalk)
    assert {fault.place for fault in found.faults} == {"models.largest-share"}


def test_a_maker_that_forgets_the_share_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "value_rows", lambda tables, found: [])
    with pytest.raises(VerificationError) as raised:
        ind.anonymize(hospitals.hospital(1, 40, 4), policy("events.code", ["E"], 0.2), seed=4)
    assert "models.largest-share" in {fault.place for fault in raised.value.faults}


def test_shares_of_sensitive_columns_are_measured_without_a_promise() -> None:
    tables = hospitals.hospital(3, 24, 4)
    words = hospitals.policy(2, 1)
    words["tables"]["events"]["columns"]["cost"]["role"] = "sensitive"
    tables["events"] = tables["events"].with_columns(cost=pl.col("cost") % 3)
    release = ind.anonymize(tables, words, seed=1)
    texts = {name: texts_as_read(frame) for name, frame in release.tables.items()}
    (said,) = measured_shares(ind.RelatedPolicy.from_words(words), texts)
    having = [
        set(release.tables["events"].filter(pl.col("cost") == value)["pid"]) for value in range(3)
    ]
    found = max(largest(release.tables, one, 1, []) for one in having)
    assert said == ("events.cost", pytest.approx(found))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"column": "patients.sex"}, "models.1.column"),
        ({"column": "events.pid"}, "models.1.column"),
        ({"column": "code"}, "models.1.column"),
        ({"values": []}, "models.1.values"),
        ({"share": 1.0}, "models.1"),
    ],
)
def test_shares_that_are_refused(change: dict[str, Any], place: str) -> None:
    words = policy("events.code", ["E"], 0.5)
    words["models"][1] |= change
    with pytest.raises(PolicyError) as raised:
        ind.RelatedPolicy.from_words(words)
    assert place in {fault.place for fault in raised.value.faults}
