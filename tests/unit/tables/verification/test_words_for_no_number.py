"""The text NaN in a column of numbers with intervals: it lies in no interval."""

import polars as pl

import indistinct as ind
from indistinct.tables.verification.paths import paths_above


def test_a_forged_cell_without_a_number_is_a_fault_and_no_crash(tmp_path):
    frame = pl.DataFrame({"q": ["a"] * 4, "s": [1, 2, 7, 8]})
    policy = ind.Policy(
        columns={
            "q": {"role": "quasi-identifier"},
            "s": {"role": "sensitive", "hierarchy": {"intervals": [5]}},
        },
        models=[ind.TCloseness(t=0.5, column="s", distance="hierarchical")],
    )
    path = tmp_path / "out.csv"
    ind.anonymize(frame, policy).write(path)
    forged = path.read_text("utf-8").replace("a,7", "a,NaN")
    path.write_text(forged, encoding="utf-8")
    found = ind.verify(path, policy, original=frame)
    assert any(fault.place == "columns.s" for fault in found.faults)
    above = paths_above(policy.rule_of("s"), ["7", "NaN"])
    assert above == {"7": ["[5, 10)", "*"], "NaN": ["NaN", "*"]}
