"""Verification finds what was tampered with."""

import json
from pathlib import Path

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.fictitious_patients import sample
from ordered import UNORDERED

TREE = {"lungs": ["asthma", "bronchitis"], "other": ["back pain", "fracture"]}
NAMES = ["name", "sex", "postcode", "height_cm", "diagnosis"]
WORDS = {
    "columns": {
        "name": {"role": "identifier"},
        "sex": {"role": "quasi-identifier"},
        "postcode": {"role": "quasi-identifier", "hierarchy": {"mask": 5}, "min_level": 2},
        "height_cm": {
            "role": "quasi-identifier",
            "hierarchy": {"intervals": [5, 10, 20]},
            "min_level": 1,
            "max_level": 3,
        },
        "diagnosis": {"role": "sensitive"},
    },
    "models": [
        {"name": "k-anonymity", "k": 4},
        {"name": "distinct-l-diversity", "column": "diagnosis", "l": 2},
    ],
    "method": {"algorithm": "optimal", "max_suppression": 0.2},
}


@pytest.fixture
def made(tmp_path: Path):
    """Return input, policy, and the release's path and rows."""
    patients = sample("patients", rows=400, seed=2).select(NAMES)
    policy = ind.Policy.from_words(WORDS)
    release = ind.anonymize(patients, policy, seed=3)
    path = tmp_path / "release.csv"
    release.write(path)
    return patients, policy, path, release


def reasons(path: Path, policy, *, manifest: bool = False, **more) -> str:
    """Verify, by default without the manifest beside; give every reason against."""
    beside = Path(f"{path}.manifest.json")
    if not manifest and beside.exists():
        beside.unlink()
    verdict = ind.verify(path, policy, **more)
    assert (verdict.holds is False) == bool(verdict.faults)
    return " | ".join(f"{fault.place}: {fault.problem}" for fault in verdict.faults)


def changed(path: Path, change) -> None:
    """Change the rows of a written release."""
    frame = pl.read_csv(path, infer_schema=False)
    change(frame).write_csv(path)


def test_an_honest_release_holds(made):
    """From the file alone, with the manifest, and with the input."""
    patients, policy, path, _ = made
    assert ind.verify(path, policy).holds
    assert ind.verify(path, policy, original=patients).holds
    assert reasons(path, policy) == ""


def test_an_original_value_in_a_cell(made):
    """One record is released with its own postcode: too fine, and alone in its class."""
    _, policy, path, _ = made
    changed(path, lambda frame: _with_cell(frame, "postcode", "20101"))
    said = reasons(path, policy)
    assert "columns.postcode: 1 cells are not a generalization" in said
    assert "models.k-anonymity: does not hold in 1 of" in said


def _with_cell(frame: pl.DataFrame, name: str, cell: str) -> pl.DataFrame:
    cells = frame[name].to_list()
    return frame.with_columns(pl.Series(name, [cell, *cells[1:]]))


def test_an_allowed_label_of_another_class(made):
    """A cell that the policy allows, but that leaves its record alone."""
    _, policy, path, _ = made
    changed(path, lambda frame: _with_cell(frame, "height_cm", "[0, 20)"))
    assert "models.k-anonymity" in reasons(path, policy)


@pytest.mark.parametrize(
    "label", ["tall", "[3, 13)", "[170, 177)", "[170, 190]", "172", "*", "[170,180)"]
)
def test_a_foreign_label(made, label):
    """Neither made-up words nor ranges off the grid, too fine or too coarse, are allowed."""
    _, policy, path, _ = made
    changed(path, lambda frame: _with_cell(frame, "height_cm", label))
    assert "columns.height_cm: 1 cells are not a generalization" in reasons(path, policy)


def test_an_identifier_that_is_put_back(made):
    """The name stands in the file again."""
    _, policy, path, release = made
    names = pl.Series("name", [f"someone {row}" for row in range(release.frame.height)])
    changed(path, lambda frame: frame.with_columns(names))
    assert "columns.name: is an identifier and still there" in reasons(path, policy)


def test_a_row_number_that_is_added(made):
    """A further column is not in the policy, whatever it holds."""
    _, policy, path, _ = made
    changed(path, lambda frame: frame.with_row_index("row"))
    assert "columns.row: is not in the policy" in reasons(path, policy)


def test_rows_in_another_order(made):
    """Any order but that of the cells is found in the file alone."""
    _, policy, path, _ = made
    changed(path, pl.DataFrame.reverse)
    assert reasons(path, policy) == f"order: {UNORDERED}"


def test_the_order_of_the_input(made):
    """Rows that stand as they stood in the input are found, where the crosswalk is at hand."""
    from indistinct.tables.verification.verify_release import VerificationInput, verify_frame

    patients, policy, _, release = made
    order = release.crosswalk.argsort()
    rows = release.crosswalk[order].tolist()
    verdict = verify_frame(VerificationInput(release.frame[order], resolve(policy), patients, rows))
    assert [fault.place for fault in verdict.faults] == ["order"]


def test_a_cell_that_does_not_cover_its_value(made):
    """Cells of two records are exchanged: with the crosswalk that is found."""
    from indistinct.tables.verification.verify_release import VerificationInput, verify_frame

    patients, policy, _, release = made
    sexes = release.frame["sex"].to_list()
    swapped = release.frame.with_columns(sex=pl.Series(sexes[::-1]))
    verdict = verify_frame(
        VerificationInput(swapped, resolve(policy), patients, release.crosswalk.tolist())
    )
    assert any("do not cover" in fault.problem for fault in verdict.faults)


def test_a_deleted_row(made):
    """The hash is another, and so is the number of records."""
    _, policy, path, _ = made
    changed(path, lambda frame: frame[1:])
    said = reasons(path, policy, manifest=True)
    assert "manifest.output.sha256" in said
    assert "manifest.records.released" in said


def test_a_missing_column(made):
    """A release without one of its columns is not of this policy."""
    _, policy, path, _ = made
    changed(path, lambda frame: frame.drop("sex"))
    assert "columns.sex: is missing" in reasons(path, policy)


def test_a_changed_hash_and_another_policy(made):
    """The manifest is compared with the bytes and with what the policy asks."""
    _, policy, path, _ = made
    document = json.loads(Path(f"{path}.manifest.json").read_text())
    wrong = {**document, "output": {**document["output"], "sha256": "0" * 64}}
    verdict = ind.verify(path, policy, manifest=wrong)
    assert [fault.place for fault in verdict.faults] == ["manifest.output.sha256"]
    other = ind.Policy.from_words({**WORDS, "release": {"suppressed": "mask"}})
    verdict = ind.verify(path, other, manifest=document)
    places = [fault.place for fault in verdict.faults]
    assert "manifest.records.suppressed" in places


def test_one_diagnosis_for_a_whole_class(made):
    """A class whose records share one diagnosis fails diversity, and nothing else."""
    _, policy, path, _ = made
    changed(path, lambda frame: frame.with_columns(diagnosis=pl.lit("flu")))
    said = reasons(path, policy)
    assert "models.distinct-l-diversity: does not hold in" in said
    assert "k-anonymity" not in said


def closeness(t: float, words: dict | None = None) -> ind.Policy:
    """Promise closeness of illness along a hierarchy."""
    return ind.Policy.from_words(
        {
            "columns": {
                "q": {"role": "quasi-identifier"},
                "s": {"role": "sensitive", "hierarchy": words or {"tree": {"g": ["x"]}}},
            },
            "models": [{"name": "t-closeness", "column": "s", "t": t, "distance": "hierarchical"}],
            "data": {"missing": ["", "?"]},
        }
    )


RULES = [
    ({"tree": {"g": ["x", "y"], "h": ["z", "?"]}}, ["x", "y", "z", "?"]),
    ({"tree": {"g": ["x", "y"], "h": ["z", "?"]}}, ["x", "y", "z", None]),
    ({"mask": 2}, ["123", "124", "133", "234"]),
    ({"mask": 3}, ["123", "124", "133", "234"]),
    ({"intervals": [10, 20]}, [1, 11, 21, 39]),
    ({"intervals": [0.1]}, [0.1, 0.15, 0.3, 0.35]),
    ({"dates": ["month", "quarter", "year", "decade"]},
     ["2020-01-01", "2020-03-01", "2020-05-01", "2031-01-01"]),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "values"), RULES)
def test_hierarchical_distance_is_the_search_s_whatever_the_hierarchy(rule, values):
    """Two classes of two values each: what verification measures is what the manifest says."""
    frame = pl.DataFrame({"q": ["a", "a", "b", "b"], "s": values})
    policy = closeness(1.0, rule)
    release = ind.anonymize(frame, policy, seed=1)
    said = release.manifest["models"][0]["achieved"]["t"]
    assert said > 0
    verdict = ind.verify(release.frame, policy, original=frame)
    assert verdict.models[0]["achieved"]["t"] == pytest.approx(said)


def test_a_hierarchy_without_a_root_gets_one_here_too(tmp_path):
    """Two groups without a common label are a whole hierarchy apart: distance .5, not 0."""
    (tmp_path / "h.csv").write_text("x;g\ny;g\nz;h\nw;h\n")
    frame = pl.DataFrame({"q": ["a", "a", "b", "b"], "s": ["x", "y", "z", "w"]})
    policy = closeness(0.2, {"csv": str(tmp_path / "h.csv")})
    verdict = ind.verify(frame, policy)
    assert not verdict.holds
    assert verdict.models[0]["achieved"]["t"] == pytest.approx(0.5)


def test_closeness_that_only_the_input_can_decide_is_noted():
    """With suppressed records and no input at hand the verdict is open, and says so."""
    frame = pl.DataFrame({"q": ["a"] * 4 + ["b"] * 4 + ["c"], "s": list("xxyyxyyyz")})
    words = {
        "columns": {"q": {"role": "quasi-identifier"}, "s": {"role": "sensitive"}},
        "models": [
            {"name": "k-anonymity", "k": 2},
            {"name": "t-closeness", "column": "s", "t": 0.24},
        ],
        "method": {"max_suppression": 0.2},
    }
    policy = ind.Policy.from_words(words)
    release = ind.anonymize(frame, policy, seed=1)
    verdict = ind.verify(release.frame, policy, manifest=dict(release.manifest))
    assert verdict.holds
    known = {"manifest": dict(release.manifest), "original": frame}
    assert ind.verify(release.frame, policy, **known).holds
