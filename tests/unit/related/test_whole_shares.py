"""Who knows all events of a person but the sensitive ones learns no more of these than a share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hospitals
import indistinct as ind
import visits
from indistinct.errors import VerificationError
from indistinct.related.publish import search
from indistinct.related.publish.history import labelled_rows
from indistinct.related.verify.release import verify_related
from indistinct.related.verify.shares import measured_shares
from indistinct.tables.masks.sets.alike_records import HistoryRecords
from indistinct.tables.verification.texts import texts_as_read

Units = Sequence[tuple[Any, Any, Sequence[Any]]]  # key, class, rows that may be known


def policy(column: str, values: list[str], share: float, rows: str = "free") -> dict[str, Any]:
    """Return a policy of a hospital in which all events may be known, and a share is limited."""
    words = hospitals.policy(2, "all", related={"people": "patients", "rows": rows})
    model = {"name": "largest-share", "column": column, "values": values, "share": share}
    return {**words, "models": [*words["models"], model]}


def known_units(tables: Any, shown: Sequence[str], rows: str) -> Units:
    """Return each unit with its class and its rows, without those that show a value."""
    return [
        (pid, (kind, len(own) if rows == "known" else 0), [e for e in own if e[0] not in shown])
        for pid, (kind, own) in hospitals.histories(tables).items()
    ]


def whole_share(units: Units, having: set[Any]) -> float:
    """Return the largest share of the units with the same rows who have a value."""
    counts = Counter((kind, tuple(sorted(own))) for _, kind, own in units)
    some = Counter((kind, tuple(sorted(own))) for pid, kind, own in units if pid in having)
    return max((some[one] / count for one, count in counts.items()), default=0.0)


def shares_of_parts(units: Units, having: set[Any]) -> Iterator[float]:
    """Yield, from the definition, the share of those who have any of the rows of a unit."""
    for _, kind, own in units:
        for size in range(len(own) + 1):
            for part in {*combinations(sorted(own), size)}:
                wanted = Counter(part)
                people = [
                    pid for pid, other, rows in units if other == kind and wanted <= Counter(rows)
                ]
                yield sum(pid in having for pid in people) / len(people)


@pytest.mark.parametrize("rows", ["free", "known"])
@pytest.mark.parametrize("share", [0.7, 0.3])
@pytest.mark.parametrize("values", [["E"], ["I1", "J2"]])
def test_no_events_tell_more_than_the_share(rows: str, share: float, values: list[str]) -> None:
    """Whether all or some of them are known; by what is shown, and by the records behind it."""
    shown = [code for code in [*"EIJ", *hospitals.CODES] if {code, code[0]} & set(values)]
    for seed in range(3):
        tables = hospitals.hospital(seed, 12, 4, 6)
        words = policy("events.code", values, share, rows)
        release = ind.anonymize(tables, words, seed=1)
        events = release.tables["events"]
        units = known_units(release.tables, shown, rows)
        having = set(events.filter(pl.col("code").is_in(shown))["pid"])
        found = whole_share(units, having)
        assert release.manifest["models"][1]["achieved"] == {"share": pytest.approx(found)}
        codes = tables["events"]["code"].gather(pl.Series(release.crosswalk["events"]))
        is_there = (events["code"] != "*") | (events["day"] != "*") | (rows == "free")
        truly = set(events["pid"].filter(is_there & codes.is_in(shown)))
        assert whole_share(units, truly) <= share
        assert having <= truly
        assert max(shares_of_parts(units, truly)) <= share
        assert release.manifest["models"][0]["achieved"]["k"] >= 2


def test_rows_are_left_out_for_the_share_alone() -> None:
    """The same tables without the promise tell more; with it, some rows are still there."""
    tables = hospitals.hospital(2, 40, 4, 6)
    words = policy("events.code", ["E"], 0.4)
    release = ind.anonymize(tables, words, seed=1)
    promise, words["models"] = words["models"], words["models"][:1]
    before = ind.anonymize(tables, words, seed=1)
    assert 0 < release.tables["events"].height < before.tables["events"].height
    rows = {name: own.tolist() for name, own in before.crosswalk.items()}
    said = {**words, "models": promise}
    found = verify_related(before.tables, said, original=tables, crosswalk=rows)
    assert {fault.place for fault in found.faults} == {"models.largest-share"}


def test_groups_stay_together_where_few_rows_may_be_left_out() -> None:
    """To leave out rows of finer groups costs less, but the policy forbids it."""
    tables = hospitals.hospital(3, 300, 4)
    words = policy("events.code", ["E"], 0.9)
    free = ind.anonymize(tables, words, seed=1)
    words["method"] = {"max_deleted": 0.05}
    release = ind.anonymize(tables, words, seed=1)
    n_rows = tables["events"].height
    assert free.tables["events"].height < 0.95 * n_rows <= release.tables["events"].height


def test_records_are_divided_only_where_shares_hold() -> None:
    """Beside all pairs of halves, by counting; a group that tells more is divided anyhow."""
    chance = np.random.default_rng(3)
    divided = 0
    for _ in range(200):
        has = chance.random(8) < 0.4
        share = float(chance.choice([0.25, 0.5, 0.75]))
        members, ends = chance.permutation(8), np.arange(1, 8)
        records = HistoryRecords(np.zeros((8, 1), np.int64), [], [(has, share)])
        expected = [
            has.mean() > share
            or (has[members[:end]].mean() <= share and has[members[end:]].mean() <= share)
            for end in ends
        ]
        assert records.keep_shares(members, ends).tolist() == expected
        divided += 0 < sum(expected) < 7
    assert divided > 20


def test_a_share_of_a_column_that_nobody_knows() -> None:
    tables = hospitals.hospital(2, 24, 4)
    cost = pl.when(pl.col("cost") < 500).then(pl.lit("low")).otherwise(pl.lit("high"))
    tables["events"] = tables["events"].with_columns(cost=cost)
    release = ind.anonymize(tables, policy("events.cost", ["high"], 0.5), seed=1)
    events = release.tables["events"]
    having = set(events.filter(pl.col("cost") == "high")["pid"])
    units = known_units(release.tables, [], "free")
    assert 0 < whole_share(units, having) <= 0.5
    assert max(shares_of_parts(units, having)) <= 0.5


@pytest.mark.parametrize("released", [(True, False), (False, False)])
@pytest.mark.parametrize("gaps", [False, True])
def test_rows_of_rows_keep_the_share(released: tuple[bool, bool], gaps: bool) -> None:
    """A diagnosis that shows a value is left aside with all that belongs to it."""
    for seed in range(3):
        tables = visits.visits(seed, 3, 16, 2)
        words = visits.policy(3, (*released, False), 2, "all")
        if gaps:
            tables = visits.with_gaps(tables, seed)
            words = visits.gaps_policy(3, (*released, False), 2, "all")
        words["models"].append(
            {"name": "largest-share", "column": "diagnoses.code", "values": ["E"], "share": 0.4}
        )
        release = ind.anonymize(tables, words, seed=1)
        rows, classes = visits.true_rows(tables, release, (*released, False))
        units = [(unit, kind, [str(seen(rows, -1, unit))]) for unit, kind in classes.items()]
        having = {row.unit for row in rows if row.table == "diagnoses" and row.value[0] == "E"}
        assert whole_share(units, having) <= 0.4


def seen(rows: Sequence[visits.Row], above: int, unit: int) -> Any:
    """Return what is seen below a row with a released key, or the unit, without the value."""
    return sorted(
        (str(row.label), seen(rows, place, unit) if row.is_released else [])
        for place, row in enumerate(rows)
        if row.unit == unit
        and visits.nearest_released(rows, place) == above
        and not shows_value(row.label)
    )


def shows_value(label: Any) -> bool:
    """Return whether a row, or one above it, is a diagnosis that shows the value."""
    if label is None:
        return False
    table, cell, above = label
    return (table == "diagnoses" and str(cell)[0] == "E") or shows_value(above)


@pytest.fixture(scope="module")
def made() -> Any:
    tables = hospitals.hospital(1, 40, 4, 6)
    words = policy("events.code", ["E"], 0.5)
    return tables, words, ind.anonymize(tables, words, seed=4)


def test_the_promise_is_verified_from_files(made: Any, tmp_path: Path) -> None:
    tables, words, release = made
    release.write(tmp_path / "out", crosswalk=tmp_path / "rows")
    alone = ind.verify(tmp_path / "out")  # which codes are below E stands in the owner's list
    assert alone.holds is None
    assert "largest-share" in " ".join(alone.notes)
    assert ind.verify(tmp_path / "out", words).holds is True
    owner = {"original": tables, "crosswalk": tmp_path / "rows"}
    assert ind.verify(tmp_path / "out", words, **owner).holds is True
    assert ind.assess(tmp_path / "out", words).holds is True


def test_a_row_moved_to_another_group_is_found(made: Any) -> None:
    """Files alone tell of a share that is too large: whoever has a code is alone with it."""
    _, words, _ = made
    people = pl.DataFrame({"sex": ["f"] * 4, "ward": ["a"] * 4, "pid": range(4)})
    rows = [("E1", "2020", 0), ("E1", "2020", 1), ("I", "2020", 0), ("I", "2020", 1)]
    events = pl.DataFrame(
        [(code, day, 1, pid) for code, day, pid in rows],
        schema=["code", "day", "cost", "pid"],
        orient="row",
    )
    found = verify_related({"patients": people, "events": events}, words)
    assert found.models[0]["achieved"] == {"k": 2, "m": "all"}
    assert found.models[1]["achieved"] == {"share": 1.0}
    assert [fault.place for fault in found.faults] == ["models.largest-share"]


def _without_shares(tables: Any, classes: Any, whole: Any) -> Any:
    """Return all rows, whatever they tell of values."""
    return labelled_rows(tables, classes, whole.cells, whole.left)


def test_a_maker_that_forgets_the_share_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "within_shares", _without_shares)
    words = policy("events.code", ["E"], 0.3)
    with pytest.raises(VerificationError) as raised:
        ind.anonymize(hospitals.hospital(1, 40, 4, 6), words, seed=4)
    assert "models.largest-share" in {fault.place for fault in raised.value.faults}


def test_shares_of_sensitive_columns_are_measured_without_a_promise() -> None:
    tables = hospitals.hospital(3, 24, 4)
    words = hospitals.policy(2, "all")
    words["tables"]["events"]["columns"]["cost"]["role"] = "sensitive"
    tables["events"] = tables["events"].with_columns(cost=pl.col("cost") % 3)
    release = ind.anonymize(tables, words, seed=1)
    texts = {name: texts_as_read(frame) for name, frame in release.tables.items()}
    (said,) = measured_shares(ind.RelatedPolicy.from_words(words), texts)
    units = known_units(release.tables, [], "free")
    events = release.tables["events"]
    having = [set(events.filter(pl.col("cost") == value)["pid"]) for value in range(3)]
    assert said == ("events.cost", pytest.approx(max(whole_share(units, one) for one in having)))
