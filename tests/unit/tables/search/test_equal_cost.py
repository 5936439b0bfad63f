"""Where two releases cost the same, the less generalized one is chosen."""

import polars as pl
import pytest

import indistinct as ind

# The groups of towns are the towns under another name; only the country joins them.
TOWNS = {"Ham": ["area Ham", "land"], "Ulm": ["area Ulm", "land"]}


@pytest.mark.parametrize("algorithm", ["optimal", "ola"])
@pytest.mark.parametrize("objective", ["loss", "ncp", "non-uniform-entropy"])
def test_a_label_of_one_value_does_not_replace_the_value(tmp_path, algorithm, objective):
    """Three of each town are three of each area: the towns stay."""
    rows = "\n".join(f"{town},{','.join(above)}" for town, above in TOWNS.items())
    (tmp_path / "towns.csv").write_text(f"town,area,land\n{rows}\n", encoding="utf-8")
    words = {
        "columns": {
            "town": {"role": "quasi-identifier", "hierarchy": {"csv": "towns.csv"}},
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}},
        },
        "models": [{"name": "k-anonymity", "k": 3}],
        "method": {"algorithm": algorithm, "objective": objective},
    }
    frame = pl.DataFrame({"town": ["Ham", "Ulm"] * 3, "age": [31, 41, 32, 42, 33, 43]})
    release = ind.anonymize(frame, ind.Policy.from_words(words, tmp_path), seed=1)
    assert set(release.frame["town"]) == {"Ham", "Ulm"}
    assert set(release.frame["age"]) == {"[30, 40)", "[40, 50)"}
