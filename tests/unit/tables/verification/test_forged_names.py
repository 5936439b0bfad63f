"""Each check of the random names of records finds the one thing that is forged."""

import hashlib

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sources import Tally
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.crosswalk_of_names import named_crosswalk_faults
from indistinct.tables.verification.record_names import name_faults, named_column

POLICY = ind.Policy.from_words(
    {
        "columns": {
            "key": {"role": "identifier"},
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}},
        },
        "models": [{"name": "k-anonymity", "k": 3}],
    }
)
NAMES = [hashlib.md5(bytes([row])).hexdigest() for row in range(6)]
KEYS = [f"00{row}" for row in range(6)]


@pytest.mark.parametrize(
    ("names", "is_name"),
    [(NAMES, True), ([*NAMES[:5], None], False), ([*NAMES[:5], "A" * 32], False), ([1, 2], False)],
)
def test_names_of_other_forms_are_found(names, is_name):
    tally = Tally(pl.DataFrame({"record": names}), pl.Series([1] * len(names)))
    problems = [fault.problem for fault in name_faults("record", tally, POLICY.columns)]
    assert problems == ([] if is_name else ["has cells that are not random names of 32 digits"])


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_keys_with_leading_zeros_are_the_texts_that_they_are(form, tmp_path):
    """Numbers would name no record of the input."""
    given, path, links = (
        tmp_path / name for name in ("in.parquet", "out.parquet", f"links.{form}")
    )
    pl.DataFrame({"key": KEYS, "age": [31, 42, 33, 44, 35, 46]}).write_parquet(given)
    shown = {"record": NAMES, "age": ["[30, 40)", "[40, 50)"] * 3}
    pl.DataFrame(shown).sort("record").write_parquet(path)
    listed = pl.DataFrame({"record": NAMES, "key": KEYS})
    listed.write_csv(links) if form == "csv" else listed.write_parquet(links)
    assert named_column(links) == "record"
    resources = Resources("polars", 10**9)
    assert (
        named_crosswalk_faults(str(path), str(given), str(links), resolve(POLICY), resources) == []
    )
    turned = pl.DataFrame({"record": NAMES, "key": KEYS[::-1]})
    turned.write_csv(links) if form == "csv" else turned.write_parquet(links)
    found = named_crosswalk_faults(str(path), str(given), str(links), resolve(POLICY), resources)
    assert found != []
