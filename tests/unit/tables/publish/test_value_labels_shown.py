"""Whoever reads a release in any format sees what its codes mean."""

import json

import polars as pl
import pyreadstat
import pytest

import indistinct as ind

REGIONS = {float(code): f"Region {name}" for code, name in enumerate("ABCDEFG", start=1)}
ANSWERS = {0.0: "no", 1.0: "yes", 2.0: "refused"}


@pytest.fixture(name="release")
def a_release(tmp_path):
    """Release a survey as CSV; nobody in it refused, and one region is suppressed."""
    n = 300
    frame = pl.DataFrame(
        {
            "age": [float(20 + row % 40) for row in range(n)],
            "region": [7.0] + [float(1 + row % 6) for row in range(1, n)],
            "answer": [float(row % 2) for row in range(n)],
        }
    )
    path = tmp_path / "survey.dta"
    pyreadstat.write_dta(
        frame.to_pandas(),
        str(path),
        variable_value_labels={"region": REGIONS, "answer": ANSWERS},
    )
    columns = {
        "age": {"role": "quasi-identifier"},
        "region": {"role": "quasi-identifier"},
        "answer": {"role": "sensitive"},
    }
    policy = ind.Policy(
        columns=columns,
        models=[{"name": "k-anonymity", "k": 3}],
        method={"algorithm": "optimal", "max_suppression": 0.1},
    )
    ind.anonymize(path, policy, seed=1).write(tmp_path / "out.csv")
    return tmp_path / "out.csv", policy, path


def manifest_of(path):
    return path.with_name(path.name + ".manifest.json")


def test_the_codebook_lists_the_labels_of_the_codes_that_cells_show(release):
    path, policy, original = release
    book = json.loads(manifest_of(path).read_text())["codebook"]
    shown = pl.read_csv(path, infer_schema=False)
    for name, known in (("region", REGIONS), ("answer", ANSWERS)):
        cells = {cell for cell in shown[name] if cell != "*"}
        assert book[name]["labels"] == {cell: known[float(cell)] for cell in cells}
    assert "labels" not in book["age"]
    assert "refused" not in manifest_of(path).read_text()
    found = ind.verify(path, policy, original=original)
    assert found.holds
    assert not any("labels" in note for note in found.notes)
    assert any("labels of codes" in note for note in ind.verify(path).notes)


FORGED = {
    "another label": lambda book: book["answer"]["labels"].update({"1": "no"}),
    "a code that nobody has": lambda book: book["answer"]["labels"].update({"2": "refused"}),
    "labels where there are none": lambda book: book["age"].update(labels={"*": "hidden"}),
    "no table": lambda book: book["answer"].update(labels="yes and no"),
}


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED)
def test_a_forged_label_is_found(release, forge):
    path, policy, original = release
    manifest = json.loads(manifest_of(path).read_text())
    forge(manifest["codebook"])
    manifest_of(path).write_text(json.dumps(manifest))
    found = ind.verify(path, policy, original=original)
    assert found.holds is False
    assert any("manifest.codebook" in fault.place for fault in found.faults)
