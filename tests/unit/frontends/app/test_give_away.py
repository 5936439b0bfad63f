"""Nothing that is given away holds a value that the release does not show."""

import json

import polars as pl
import pytest

import indistinct as ind
from indistinct.frontends.app.work import publish
from indistinct.frontends.report.metadata.write import write_metadata

# Each value is a text that stands nowhere else. Rows of the table stand for ten records each.
TOWNS = [f"town-{n:04}-marker" for n in range(8)]
JOBS = [f"job-{n:04}-marker" for n in range(4)]
RARE = "rare-0000-marker"
SETS = "drug-0001-marker;drug-0002-marker"
COMMON = {
    "columns": {
        "town": {"role": "quasi-identifier", "hierarchy": {"csv": "hierarchies/town.csv"}},
        "job": {"role": "sensitive", "hierarchy": {"csv": "hierarchies/job.csv"}},
    },
    "models": [
        {"name": "k-anonymity", "k": 12},
        {"name": "t-closeness", "column": "job", "t": 0.9, "distance": "hierarchical"},
    ],
    "method": {"max_suppression": 0.1},
}
OF_SETS = {
    "columns": {
        "drugs": {
            "role": "quasi-identifier",
            "type": "set",
            "suppression": "items",
            "hierarchy": {"csv": "hierarchies/drugs.csv"},
        }
    },
    "models": [{"name": "km-anonymity", "column": "drugs", "k": 5, "m": 2}],
    "method": {"max_suppression": 0.1},
}
TREE = {
    **COMMON,
    "columns": {
        **COMMON["columns"],
        "town": {
            "role": "quasi-identifier",
            "hierarchy": {"tree": {"north": TOWNS[:4], "south": TOWNS[4:], "east": [RARE]}},
        },
    },
}


def people():
    rows = range(80)
    table = {"town": [TOWNS[n % 8] for n in rows], "job": [JOBS[n // 8 % 4] for n in rows]}
    return pl.DataFrame({name: [*values, RARE] for name, values in table.items()})


def visits():
    return pl.DataFrame({"drugs": [SETS] * 60 + [f"{SETS};{RARE}"]})


def listed(folder, name, values):
    """Write the hierarchy of a column; its groups are markers, too."""
    (folder / "hierarchies").mkdir(exist_ok=True)
    lines = [f"{value},group-{number // 4:04}-of-{name},*" for number, value in enumerate(values)]
    (folder / "hierarchies" / f"{name}.csv").write_text("\n".join(lines) + "\n")


def given(tmp_path, words, table):
    """Publish as the application does; give the two folders that it writes."""
    run = tmp_path / "run"
    run.mkdir()
    table.write_csv(tmp_path / "data.csv")
    for name in ("town", "job"):
        listed(tmp_path, name, [*(TOWNS if name == "town" else JOBS), RARE])
    listed(tmp_path, "drugs", [*SETS.split(";"), RARE])
    release = ind.anonymize(
        str(tmp_path / "data.csv"), ind.Policy.from_words(words, tmp_path), seed=1
    )
    release.write(run / "out.csv", crosswalk=run / "crosswalk.csv", owner=run / "owner.json")
    manifest = json.loads((run / "out.csv.manifest.json").read_text())
    write_metadata(release, run / "out.csv.metadata.jsonld", str(run / "out.csv"), manifest)
    out = tmp_path / "releases" / "1"
    publish.published(
        lambda *_: None,
        words,
        str(tmp_path),
        str(tmp_path / "data.csv"),
        str(run / "out.csv"),
        str(out),
    )
    return out / publish.GIVE, out / publish.KEEP


@pytest.mark.parametrize(
    ("words", "table"),
    [(COMMON, people), (TREE, people), (OF_SETS, visits)],
    ids=["csv", "tree", "sets"],
)
def test_no_marker_leaves_that_the_release_does_not_show(tmp_path, words, table):
    """Values of hierarchies, of suppressed records and of left out items are the owner's."""
    give, keep = given(tmp_path, words, table())
    shown = (give / "out.csv").read_text()
    markers = [*TOWNS, *JOBS, *SETS.split(";"), RARE]
    markers += [f"group-{n:04}-of-{name}" for n in range(3) for name in ("town", "drugs")]
    # The groups above released sensitive values are public: t-closeness over a list takes them.
    markers += [f"group-{n:04}-of-job" for n in range(1, 3)]
    hidden = [marker for marker in markers if marker not in shown]
    assert RARE in hidden
    files = [one for one in give.rglob("*") if one.is_file()]
    assert {one.name for one in files} >= {"out.csv", "out.csv.manifest.json", "about.html"}
    for one in files:
        text = one.read_text()
        assert not [marker for marker in hidden if marker in text], one.name
    assert (keep / "policy.toml").exists()
    kept = [one for one in keep.rglob("*") if one.is_file()]
    assert {one.stat().st_mode & 0o777 for one in kept} == {0o600}
    assert ind.verify(give / "out.csv", ind.Policy.load(keep / "policy.toml"))


def test_verification_refuses_a_manifest_that_names_what_was_left_out(tmp_path):
    give, keep = given(tmp_path, OF_SETS, visits())
    place = give / "out.csv.manifest.json"
    document = json.loads(place.read_text())
    assert "left_out_items" not in document["sets"]["drugs"]
    owner = json.loads((keep / "owner.json").read_text())
    assert owner["sets"]["drugs"]["left_out_items"] == [RARE]
    document["sets"]["drugs"]["left_out_items"] = [RARE]
    place.write_text(json.dumps(document))
    found = ind.verify(give / "out.csv", ind.Policy.load(keep / "policy.toml"))
    assert not found
    assert "left_out_items" in str(found.faults)
