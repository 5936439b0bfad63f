"""Each check of a table that an engine counted finds the one thing that is forged."""

from dataclasses import dataclass, replace

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.engines.sources import CoarseKey, Tally
from indistinct.tables.policy.specification import resolve
from indistinct.tables.reading.places import Files
from indistinct.tables.verification.counted import counted_columns
from indistinct.tables.verification.drafts import ExpectedRelease, plan_faults, verdict_on_draft
from indistinct.tables.verification.evidence import VerificationInput, evidence_of
from indistinct.tables.verification.original import input_faults
from ordered import UNORDERED

POLICY = ind.Policy.from_words(
    {
        "columns": {
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}},
            "ill": {"role": "sensitive"},
            "note": {"role": "insensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 3}],
        "method": {"max_suppression": 0.25},
    }
)
INPUT = Tally(
    pl.DataFrame({"age": [31, 33, 45], "ill": ["flu", "gout", "flu"]}),
    pl.Series([2, 1, 4]),
    pl.Series([7, 8, 9], dtype=pl.UInt64),
)
CELLS = pl.DataFrame({"age": ["[30, 40)", "[30, 40)", "[40, 50)"], "ill": ["flu", "gout", "flu"]})
FORETOLD = ExpectedRelease(CELLS, INPUT.records, pl.Series([0, 1, 2]), INPUT, {}, ("note",))
OF_THE_FILE = Tally(CELLS, INPUT.records, INPUT.marks)


@dataclass
class Written:
    """A table as an engine reads it afresh: rows that were counted, and files in their order."""

    tally: Tally
    names: tuple[str, ...] = ("age", "ill", "note")
    parts: Files | None = None

    def columns(self):
        return self.names

    def count(self, names, marked=()):
        counted = pl.DataFrame([self.tally.frame[name] for name in names])
        return Tally(counted, self.tally.records, self.tally.marks if marked else None)

    def files(self):
        return self.parts


def faults(written, foretold=FORETOLD, policy=POLICY):
    """Return what is wrong, as one line for each fault."""
    said = verdict_on_draft(written, foretold, resolve(policy), MANIFEST)
    lines = [f"{fault.place}: {fault.problem}" for fault in said.faults]
    return [line for line in lines if not line.startswith("manifest.")]


MANIFEST = {"records": {"released": 7, "suppressed": 0}, "output": {"rows": 7}}
AS_DECIDED = "records: {} kinds of rows are not there as often as was decided"
ORDER = f"order: {UNORDERED}"
OWN = "records: {} kinds of rows hold cells that are not their records' own"


@pytest.fixture(autouse=True)
def no_claims(monkeypatch):
    """Leave the claims of the manifest to their own tests."""
    from indistinct.tables.verification import verdict

    monkeypatch.setattr(verdict, "claims", lambda *_: ([], ()))


def test_what_was_decided_and_written_holds():
    assert faults(Written(OF_THE_FILE)) == []
    assert faults(Written(replace(OF_THE_FILE, marks=None)), replace(FORETOLD, marked=())) == []


@pytest.mark.parametrize(
    ("records", "wrong"), [([3, 0, 4], 2), ([2, 1, 5], 1), ([2, 1, 3], 1), ([3, 1, 4], 1)]
)
def test_rows_that_are_there_more_or_less_often(records, wrong):
    forged = replace(OF_THE_FILE, records=pl.Series(records))
    assert AS_DECIDED.format(wrong) in faults(Written(forged))


def test_a_row_that_nobody_decided():
    cells = CELLS.with_columns(ill=pl.Series(["flu", "rash", "flu"]))
    assert AS_DECIDED.format(2) in faults(Written(replace(OF_THE_FILE, frame=cells)))


def test_a_column_without_hashes_that_differ_is_another_s():
    """The notes of two kinds of rows were exchanged: their counts stay, their hashes do not."""
    forged = replace(OF_THE_FILE, marks=pl.Series([8, 7, 9], dtype=pl.UInt64))
    assert faults(Written(forged)) == [OWN.format(2)]
    assert faults(Written(forged), replace(FORETOLD, marked=())) == []


def test_the_same_texts_in_another_kind_of_column_are_the_same_rows():
    """Categories and missing values count as the file shows them."""
    cells = CELLS.with_columns(pl.col("ill").cast(pl.Categorical))
    assert faults(Written(replace(OF_THE_FILE, frame=cells))) == []


def test_a_cell_of_the_decision_that_covers_another_value():
    cells = CELLS.with_columns(age=pl.Series(["[30, 40)", "[40, 50)", "[40, 50)"]))
    foretold = replace(FORETOLD, cells=cells)
    said = [f"{one.place}: {one.problem}" for one in plan_faults(foretold, resolve(POLICY))]
    assert said == ["columns.age: 1 kinds of cells do not cover their original value"]
    assert said[0] in faults(Written(replace(OF_THE_FILE, frame=cells)), foretold)


def test_a_label_that_stands_for_more_values_than_its_cell_covers():
    """31 was counted as the code of all from 30 to 44, of which [30, 40) leaves some out."""
    table = pl.DataFrame({"value": [31, 38, 33, 45], "code": [31, 31, 33, 45]})
    assert (
        list(plan_faults(replace(FORETOLD, coarse={"age": CoarseKey(1, table)}), resolve(POLICY)))
        == []
    )
    wide = table.with_columns(value=pl.Series([31, 44, 33, 45]))
    (fault,) = plan_faults(replace(FORETOLD, coarse={"age": CoarseKey(1, wide)}), resolve(POLICY))
    assert (fault.place, fault.problem) == (
        "columns.age",
        "1 kinds of cells do not cover their original value",
    )
    missing = table.with_columns(value=pl.Series([31, None, 33, 45]))
    assert (
        list(plan_faults(replace(FORETOLD, coarse={"age": CoarseKey(1, missing)}), resolve(POLICY)))
        == []
    )


def test_files_in_another_order(tmp_path):
    rows = CELLS.with_columns(note=pl.Series(["a", "b", "c"]))
    paths = [str(tmp_path / f"part-{number}.parquet") for number in range(2)]
    for order, found in (([0, 1, 2], []), ([1, 0, 2], [ORDER]), ([0, 2, 1], [ORDER])):
        for path, part in zip(paths, (rows[order[:2]], rows[order[2:]]), strict=True):
            part.write_parquet(path)
        assert faults(Written(OF_THE_FILE, parts=Files(tuple(paths), "parquet"))) == found


@pytest.mark.parametrize(("note", "n_words"), [("b", 0), ("?", 1)])
def test_words_for_no_value_in_a_column_that_nobody_counts(note, n_words, tmp_path):
    """An engine leaves a missing cell empty; verification of the draft looks at every column."""
    path = str(tmp_path / "part-0.parquet")
    CELLS.with_columns(note=pl.Series(["a", note, "c"])).write_parquet(path)
    draft = Written(OF_THE_FILE, parts=Files((path,), "parquet"))
    found = faults(draft, policy=POLICY.with_words({"data": {"missing": ["?"]}}))
    assert [line.partition(" hold")[0] for line in found] == ["columns.note: 1 cells"] * n_words


def test_a_written_table_that_lacks_a_column():
    assert faults(Written(OF_THE_FILE, ("ill", "note"))) == ["columns.age: is missing"]


def test_only_the_columns_of_classes_and_models_are_counted():
    rules = resolve(POLICY).class_rules
    assert counted_columns(["note", "ill", "age"], rules, resolve(POLICY).counted) == [
        "age",
        *POLICY.counted,
    ]
    assert counted_columns(["note", "age"], rules, ["ill", "age", "note"]) == ["age", "note"]


def test_distinct_rows_stand_for_their_records():
    """The input has three kinds of rows and seven records: that many may be released, and kinds."""
    for weights, places in (
        ([2, 1, 4], []),
        ([3, 1, 4], ["records", "records"]),
        ([2, 1, 3], []),
        ([2, 1, 2], ["records.suppressed"]),
        ([2, 0, 1], ["records.suppressed"]),
    ):
        reading = VerificationInput(
            CELLS.with_columns(note=pl.lit("x")),
            resolve(POLICY),
            INPUT.frame.with_columns(note=pl.lit("x")),
            weights=pl.Series(weights),
            original_weights=INPUT.records,
        )
        said = [fault.place for fault in input_faults(evidence_of(reading))]
        assert said == places, weights
