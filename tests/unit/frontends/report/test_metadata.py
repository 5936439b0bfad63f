"""What machines read of a release passes their own validators, and tells no value of a record."""

import json
import logging
import warnings
from pathlib import Path

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import OutputError
from indistinct.frontends.report.metadata.write import check_metadata, write_metadata
from indistinct.tables.reading import files

FRAME = pl.DataFrame(
    {
        "name": [f"person {n}" for n in range(12)],
        "age": [20, 21, 22, 23, 24, 25, 30, 31, 32, 33, 34, 35],
        "sex": ["f", "m"] * 6,
        "income": [1.5, 2.5, None, 4.5] * 3,
        "visit": pl.Series(["2026-01-05", "2026-01-01", "2026-01-09"] * 4).str.to_date(),
        "disease": ["flu", "ulcer", "gout"] * 4,
    }
)
POLICY = ind.Policy(
    columns={
        "name": {"role": "identifier"},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}},
        "sex": {"role": "quasi-identifier"},
        "income": {"role": "insensitive"},
        "visit": {"role": "insensitive"},
        "disease": {"role": "sensitive"},
    },
    models=[
        {"name": "k-anonymity", "k": 3},
        {"name": "t-closeness", "column": "disease", "t": 0.9},
    ],
)


@pytest.fixture(scope="module", params=["csv", "parquet"])
def written(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("metadata")
    release = ind.anonymize(FRAME, POLICY, seed=1)
    out = str(folder / f"r.{request.param}")
    manifest = release.write(out)
    write_metadata(release, f"{out}.metadata.jsonld", out, manifest)
    write_metadata(release, folder / "schema.json", out, manifest)
    return release, folder, out


def test_croissant_is_valid_and_reads_the_release(written):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mlcroissant = pytest.importorskip("mlcroissant")
        logging.disable(logging.WARNING)
        dataset = mlcroissant.Dataset(jsonld=f"{written[2]}.metadata.jsonld")
        records = list(dataset.records("records"))
        logging.disable(logging.NOTSET)
    assert not dataset.metadata.ctx.issues.errors
    assert dataset.metadata.ctx.is_v1_1()
    assert len(records) == 12
    assert {key.removeprefix("records/") for key in records[0]} == set("01234")


def test_the_hash_is_that_of_the_written_file(written):
    document = json.loads(Path(f"{written[2]}.metadata.jsonld").read_text("utf-8"))
    assert document["distribution"][0]["sha256"] == files.sha256_of(written[2])


def test_what_is_stated_of_the_release_stands_in_both(written):
    release, folder, out = written
    for file in (f"{out}.metadata.jsonld", folder / "schema.json"):
        stated = json.loads(Path(file).read_text("utf-8"))["ind:statements"]
        assert stated == json.loads(json.dumps(release.manifest["statements"]))
        assert stated["view"] == "public"


def test_table_schema_is_valid_and_fits_the_release(written):
    if not written[2].endswith("csv"):
        pytest.skip("frictionless reads the text file")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frictionless = pytest.importorskip("frictionless")
        schema = frictionless.Schema.from_descriptor(str(written[1] / "schema.json"))
        with frictionless.system.use_context(trusted=True):
            report = frictionless.validate(written[2], schema=schema)
    assert report.valid, report.flatten(["type", "message"])
    kinds = {field.name: field.type for field in schema.fields}
    assert kinds == {
        "age": "string", "sex": "string", "income": "number", "visit": "date", "disease": "string"
    }  # fmt: skip


def test_terms_say_what_was_done_and_where_it_is_from(written):
    document = json.loads(Path(f"{written[2]}.metadata.jsonld").read_text("utf-8"))
    terms = [measure["@type"] for measure in document["dpv:hasTechnicalMeasure"]]
    own = "urn:x-indistinct:terms:"
    assert terms == ["dpv:Anonymisation", f"{own}k-anonymity", f"{own}t-closeness"]
    fingerprint = written[0].manifest["input"]["fingerprint"]
    assert document["prov:wasDerivedFrom"]["@id"].endswith(fingerprint)


def test_no_value_of_a_record_stands_in_them(written):
    for name in (f"{written[2]}.metadata.jsonld", written[1] / "schema.json"):
        text = (written[1] / name).read_text("utf-8")
        for value in ("person 3", "flu", "ulcer", "gout", "2026-01-05", "4.5", "[20, 30)"):
            assert value not in text


@pytest.mark.parametrize(("path", "out"), [("m.xml", "r.csv"), ("m.jsonld", "-")])
def test_what_cannot_be_described_is_refused(path, out):
    with pytest.raises(OutputError):
        check_metadata(path, out)
