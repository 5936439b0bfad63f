"""The public policy in a manifest is enough to verify by, and shows nothing that is hidden."""

import json

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError
from indistinct.tables.frames.row_ranks import canonical_order
from shared import longer

MARK = "zq"  # of everything that must not leave
JOBS = {"care": ["nurse", "doctor", f"{MARK}-midwife"], "office": ["clerk", f"{MARK}-boss"],
        f"{MARK}-secret": [f"{MARK}-spy"]}  # fmt: skip
COLUMNS = {
    "name": {"role": "identifier"},
    "job": {"role": "quasi-identifier", "hierarchy": {"tree": JOBS}, "max_level": 1},
    "zip": {"role": "quasi-identifier"},
    "age": {"role": "quasi-identifier", "reason": f"{MARK} asked for it"},
    "ill": {"role": "sensitive", "hierarchy": {"tree": {"lung": ["flu", "cough"],
            "skin": ["rash"], f"{MARK}-rare": [f"{MARK}-lepra"]}}},
}  # fmt: skip
N = 120
OLDEST = 99_909_990  # years; too long to stand in a hash by chance
PEOPLE = pl.DataFrame(
    {
        "name": [f"{MARK}-{place}" for place in range(N + 1)],
        "job": [["nurse", "doctor", "clerk"][place % 3] for place in range(N)] + [f"{MARK}-spy"],
        "zip": [f"47{place % 2}1{place % 3}" for place in range(N)] + [f"{MARK}981"],
        "age": [20 + place * 7 % 40 for place in range(N)] + [OLDEST],
        "ill": [["flu", "cough", "rash"][place * 5 % 3] for place in range(N)] + [f"{MARK}-lepra"],
    }
)
ALGORITHMS = longer(
    ["optimal", "local", "mondrian", "k-member", "ola", "cell-suppression"],
    ["optimal", "local", "mondrian"],
)


def policy_of(algorithm="optimal", **words) -> ind.Policy:
    tables = {
        "columns": COLUMNS,
        "models": [{"name": "k-anonymity", "k": 4}],
        "method": {"algorithm": algorithm, "max_suppression": 0.1},
        # The illness tells something about the job, which is not what is looked at here.
        "release": {"read_back": "accepted", **words.pop("release", {})},
        **words,
    }
    return ind.Policy.from_words(tables)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_no_file_that_may_leave_has_what_is_hidden(tmp_path, algorithm, ending):
    """Markers stand in a suppressed record, below released labels, and in a left-out column."""
    policy, path = policy_of(algorithm), tmp_path / f"out.{ending}"
    release = ind.anonymize(PEOPLE, policy, seed=1)
    release.write(path)
    texts = release.frame.select(pl.all().cast(pl.String))
    if MARK in str(texts.rows()):
        pytest.skip("this algorithm releases a marked value")
    for file in tmp_path.iterdir():
        content = file.read_bytes()
        assert MARK.encode() not in content, file.name
        assert str(OLDEST).encode() not in content


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_outsiders_verify_with_the_manifest_alone(tmp_path, algorithm):
    release = ind.anonymize(PEOPLE, policy_of(algorithm), seed=1)
    release.write(tmp_path / "out.csv", crosswalk=tmp_path / "rows.csv")
    assert ind.verify(tmp_path / "out.csv").holds
    said = json.loads((tmp_path / "out.csv.manifest.json").read_text())
    public = ind.Policy.from_words(said["policy"])
    assert ind.verify(tmp_path / "out.csv", public).holds
    assert ind.verify(tmp_path / "out.csv", original=PEOPLE).holds
    proofs = {"original": PEOPLE, "crosswalk": tmp_path / "rows.csv"}
    assert ind.verify(tmp_path / "out.csv", policy_of(algorithm), **proofs).holds


def test_a_list_that_is_known_independently_of_the_data_stays_whole():
    tree = {"role": "quasi-identifier", "hierarchy": {"tree": JOBS, "public": True}}
    policy = policy_of(columns={**COLUMNS, "job": tree})
    said = ind.anonymize(PEOPLE, policy, seed=1).manifest["policy"]["columns"]["job"]
    assert said["hierarchy"] == {"tree": JOBS, "public": True}


def changed(release, *path, to):
    said = json.loads(json.dumps(release.manifest))
    part = said
    for word in path[:-1]:
        part = part[word]
    part[path[-1]] = to
    return said


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("policy",), {"columns": 3}),
        (("policy", "models"), [{"name": "k-anonymity", "k": 2}]),
        (("policy", "columns", "ill", "role"), "insensitive"),
        (("policy", "columns", "job", "max_level"), 2),
        (("policy", "columns", "job", "hierarchy"), {"labels": [["care", 1, "office"]]}),
        (("policy", "columns", "job", "hierarchy"), {"labels": [["nurse", 0, "care"]]}),
        (("policy", "columns", "age", "hierarchy"), {"intervals": [7]}),
        (("policy", "release"), {"suppressed": "mask"}),
    ],
)
def test_a_manifest_that_says_another_policy_is_found(path, to):
    release = ind.anonymize(PEOPLE, policy_of(), seed=1)
    assert ind.verify(release.frame, policy_of(), manifest=release.manifest).holds
    assert not ind.verify(release.frame, policy_of(), manifest=changed(release, *path, to=to)).holds


def test_without_policy_and_manifest_nothing_can_be_verified(tmp_path):
    release = ind.anonymize(PEOPLE, policy_of(), seed=1)
    with pytest.raises(DataError, match="neither a policy nor a manifest"):
        ind.verify(release.frame)


def test_the_manifest_of_another_format_is_left_to_the_version_that_wrote_it():
    release = ind.anonymize(PEOPLE, policy_of(), seed=1)
    old = {word: said for word, said in release.manifest.items() if word != "format"}
    (fault,) = ind.verify(release.frame, policy_of(), manifest=old).faults
    assert fault.place == "manifest.format"


def test_a_suggested_rule_that_the_shown_cells_do_not_suggest_is_found(tmp_path):
    """Wider steps that an extreme age would suggest, with all cells written by them."""
    policy = policy_of(columns={"name": COLUMNS["name"], "job": {"role": "insensitive"},
                                "zip": {"role": "insensitive"}, "ill": {"role": "sensitive"},
                                "age": {"role": "quasi-identifier", "min_level": 1}})  # fmt: skip
    people = PEOPLE.head(N)
    release = ind.anonymize(people, policy, seed=1)
    rows = release.crosswalk.tolist()
    low = people["age"].gather(rows) // 30 * 30
    wide = release.frame.with_columns(age=pl.format("[{}, {})", low, low + 30))
    order = canonical_order(wide, {"age"})
    said = changed(release, "policy", "columns", "age", "hierarchy", to={"intervals": [30]})
    proofs = {"original": people, "crosswalk": [rows[place] for place in order]}
    found = ind.verify(wide[order], policy, manifest=said, **proofs)
    assert "manifest.policy.columns.age.hierarchy" in {fault.place for fault in found.faults}
    honest = ind.verify(
        release.frame, policy, manifest=release.manifest, original=people, crosswalk=rows
    )
    assert honest.holds
