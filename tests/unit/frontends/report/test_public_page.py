"""The public page is a function of the release, the manifest and the policy, and tells no cell."""

import json
import os
import re
import subprocess
import sys

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, ParameterError
from indistinct.frontends.report.pages import html_of
from indistinct.frontends.report.public.page import Known, public_page
from indistinct.frontends.report.write import write_public
from indistinct.tables.reading import files
from shared import ROOT

PATIENTS = ind.sample("patients", rows=500).select(
    "name", "birth_date", "sex", "postcode", "occupation", "diagnosis"
)
# Values that occur once, and the values of records that the release leaves out.
RARE = {"occupation": "xylophone tuner", "diagnosis": "quokka fever", "postcode": "98765"}


def policy():
    return ind.Policy(
        columns={
            "name": {"role": "identifier"},
            "birth_date": {"role": "quasi-identifier", "hierarchy": {"dates": ["decade"]}},
            "sex": {"role": "quasi-identifier"},
            "postcode": {"role": "quasi-identifier", "hierarchy": {"mask": 2}},
            "occupation": {
                "role": "quasi-identifier",
                "hierarchy": {
                    "tree": {
                        "rare work": [RARE["occupation"]],
                        "other work": sorted(PATIENTS["occupation"].unique()),
                    }
                },
            },
            "diagnosis": {"role": "sensitive"},
        },
        models=[{"name": "k-anonymity", "k": 3}],
        method={"algorithm": "optimal", "max_suppression": 0.3},
    )


def with_rare(frame=PATIENTS):
    first = frame.with_row_index("row").with_columns(
        pl.when(pl.col("row") == 7)
        .then(pl.lit(value))
        .otherwise(pl.col(name).cast(pl.String))
        .alias(name)
        for name, value in RARE.items()
    )
    return first.drop("row")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("public")
    release = ind.anonymize(with_rare(), policy(), seed=1)
    release.write(folder / "r.csv")
    write_public(str(folder / "r.csv"), policy(), folder / "public.html")
    return release, folder


def text_of(written):
    return (written[1] / "public.html").read_text("utf-8")


def test_the_page_is_a_function_of_what_is_public(written):
    """Other originals behind the same public files change no byte of it."""
    _, folder = written
    document = json.loads((folder / "r.csv.manifest.json").read_text("utf-8"))
    again = public_page(Known("r.csv", policy(), True, document))
    assert html_of(again) == text_of(written)


def test_it_is_made_where_no_original_is(written, tmp_path):
    """By a process of its own, in which no table but the release can be read."""
    _, folder = written
    for name in ("r.csv", "r.csv.manifest.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "policy.py").write_text(
        "import sys\n"
        "from test_public_page import policy, write_public\n"
        "opened = []\n"
        "def note(event, given):\n"
        "    if event == 'open':\n"
        "        opened.append(str(given[0]))\n"
        "sys.addaudithook(note)\n"
        "write_public('r.csv', policy(), 'public.html')\n"
        "import json\n"
        "print(json.dumps([name for name in opened if name.endswith(('.csv', '.json'))]))\n"
    )
    folders = [ROOT / "src", ROOT / "tests", ROOT / "tests" / "unit/frontends/report"]
    done = subprocess.run(
        [sys.executable, "policy.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))},
        capture_output=True,
        text=True,
        check=True,
    )
    opened = json.loads(done.stdout.splitlines()[-1])
    assert {name.rsplit("/", 1)[-1] for name in opened} <= {
        "r.csv",
        "r.csv.manifest.json",
        "again.csv",  # what verification writes of the cells
    }
    assert (tmp_path / "public.html").read_text("utf-8") == text_of(written)


def test_nothing_of_a_suppressed_record_and_no_rare_value_stands_in_it(written):
    release, _ = written
    left_out = [row for row in range(500) if row not in set(release.crosswalk.tolist())]
    assert left_out
    assert 7 in left_out
    page = text_of(written)
    original = with_rare()
    singles = {
        str(value)
        for name in original.columns
        for value, times in original[name].value_counts().iter_rows()
        if times <= 3
    }
    hidden = {str(value) for row in left_out for value in original.row(row)}
    for value in singles | hidden | set(RARE.values()):
        assert not re.search(rf"(?<!\w){re.escape(value)}(?!\w)", page), (
            "a value stands in the page"
        )


def test_the_release_in_memory_has_the_same_page(written, tmp_path):
    release, _ = written
    release.report(tmp_path / "p.html", public=True, name="r.csv")
    same = re.sub(r"\b[0-9a-f]{64}\b|not written yet| \([0-9a-f]{16}\)", "", text_of(written))
    other = (tmp_path / "p.html").read_text("utf-8")
    assert re.sub(r"\b[0-9a-f]{64}\b|not written yet| \([0-9a-f]{16}\)", "", other) == same


def test_it_says_that_it_may_be_published_and_how_to_verify(written):
    page = text_of(written)
    assert "This page may be published with the data" in page
    assert "Confidential" not in page
    assert "indistinct verify r.csv --policy policy.toml" in page
    assert files.sha256_of(written[1] / "r.csv") in page


def test_without_a_manifest_there_is_no_page(tmp_path):
    PATIENTS.write_csv(tmp_path / "r.csv")
    with pytest.raises(DataError, match="not beside the release"):
        write_public(str(tmp_path / "r.csv"), policy(), tmp_path / "p.html")


def test_the_command_takes_no_original_with_public(tmp_path):
    from indistinct.frontends.cli.report import report

    (tmp_path / "p.toml").write_text(
        '[columns.a]\nrole = "quasi-identifier"\n[[models]]\nname = "k-anonymity"\nk = 2\n'
    )
    with pytest.raises(ParameterError, match="--original"):
        report("r.csv", tmp_path / "p.toml", tmp_path / "o.html", original=tmp_path, public=True)
