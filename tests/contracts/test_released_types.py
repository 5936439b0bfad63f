"""The types of a release of a text file come from its own cells, whichever engine writes it.

A record that is left out must not tell by the way in which the others are written what it was.
"""

import polars as pl
import pytest

import indistinct as ind
from indistinct import Policy
from indistinct.tables.reading.column_types import narrowed_column
from indistinct.tables.verification.verify_release import verify

WAYS = ["memory", "polars", "duckdb"]
N_PEOPLE = 40
LEFT_OUT = {
    "age": "95",
    "income": "200",
    "seen": "2020-01-05",
    "ill": "3",
    "answer": "true",
    "share": "1.0",
    "exact": "0.5",
    "code": "007",
    "long": "5",
    "lacking": "",
}
VARIANTS = {
    "fractions": {"age": "95.5", "income": "200.5", "ill": "3E0", "lacking": "0.5"},
    "words": {
        "income": "many",
        "seen": "5.1.2020",
        "ill": "3 (HIV)",
        "answer": "unknown",
        "share": "all",
        "exact": "some",
        "long": "-",
        "lacking": "seven",
    },
    "digits": {
        "income": "12345678901234567890",
        "seen": "2020-02-30",
        "ill": "1" * 40,
        "answer": "1",
        "share": "2020-01-05",
        "code": "7",
        "long": "1",
        "lacking": "7",
    },
    "nothing": {**dict.fromkeys(["income", "seen", "ill", "share", "code"], ""), "exact": "x"},
    "a day": {"age": "95.0", "income": "2e2", "ill": "2020-01-05", "lacking": "2020-01-05"},
}
INSENSITIVE = {"role": "insensitive"}
YEARS = {"role": "quasi-identifier", "max_level": 1, "hierarchy": {"intervals": [10, 20]}}
ROUNDED = {"role": "insensitive", "protect": {"name": "round", "base": 2}}
T_CLOSENESS = {"name": "t-closeness", "column": "ill", "t": 0.6, "distance": "ordered"}
BY_YEARS = {}
POLICIES = {
    "single years": {
        "columns": {"age": {"role": "quasi-identifier"}, "exact": {"role": "quasi-identifier"}},
        "models": [{"name": "k-anonymity", "k": 2}],
    },
    "bounds": {
        "columns": {"ill": {"role": "sensitive"}, "share": {"role": "sensitive"}},
        "models": [{"name": "k-anonymity", "k": 5}, T_CLOSENESS],
        "release": {"intervals": "bounds"},
    },
    "midpoints": {"columns": {"size": ROUNDED}, "release": {"intervals": "midpoint"}},
}


def text_of(left_out):
    """Write forty people, and one whom no class can take in."""
    rows = [
        {
            "age": str(20 + place // 2),
            "income": str(place % 3),
            "seen": f"2020-01-{place % 7 + 10}",
            "ill": str(place % 4),
            "answer": "true" if place % 3 else "false",
            "share": f"{place % 2}.0",
            "exact": ("-0.0", "1.50", "2.50")[place % 3],
            "code": f"00{place % 5}",
            "long": "12345678901234567890"[: 19 + place % 2],
            "lacking": "",
            "size": str(place % 9),
        }
        for place in range(N_PEOPLE)
    ]
    rows.insert(7, {**LEFT_OUT, "size": "4", **left_out})
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    return "\n".join(lines) + "\n"


def policy_of(words):
    """Make a policy that lets the oldest be left out."""
    columns = dict.fromkeys([*LEFT_OUT, "size"], INSENSITIVE) | {"age": YEARS}
    document = {
        "models": [{"name": "k-anonymity", "k": 5}],
        "method": {"algorithm": "optimal", "max_suppression": 0.1},
    }
    words = dict(words)
    return Policy(**{**document, "columns": columns | words.pop("columns", {}), **words})


def released(way, words, left_out, folder):
    """Return the bytes of a CSV and a Parquet file of a release."""
    path = folder / "in.csv"
    path.write_text(text_of(left_out), encoding="utf-8")
    release = ind.anonymize(path, policy_of(words), engine=way)
    outs = [folder / "out.csv", folder / "out.parquet"]
    for out in outs:
        release.write(out)
    if way != "memory":
        release.close()
    return [out.read_bytes() for out in outs]


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """Return the releases in memory without anything odd, each made once."""
    made = {}

    def of(words):
        if str(words) not in made:
            made[str(words)] = released("memory", words, {}, tmp_path_factory.mktemp("plain"))
        return made[str(words)]

    return of


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_record_that_is_left_out_decides_no_type(variant, way, plain, tmp_path):
    """Numbers, days, truth values, texts, and a column that is empty but for this record."""
    assert released(way, BY_YEARS, VARIANTS[variant], tmp_path) == plain(BY_YEARS)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("words", POLICIES.values(), ids=POLICIES)
def test_the_form_of_a_release_changes_nothing(words, way, plain, tmp_path):
    """Values, bounds, middles of intervals, suggested hierarchies, sensitive columns and masks."""
    everything = VARIANTS["words"] | VARIANTS["fractions"]
    assert released(way, words, everything, tmp_path) == plain(words)


@pytest.mark.parametrize("way", WAYS[1:])
def test_a_release_of_narrower_types_is_verified(way, tmp_path):
    """Beside its input, whose types are others, record by record; and its data are lazy."""
    path, out, crosswalk = (tmp_path / name for name in ("in.csv", "out.csv", "crosswalk.csv"))
    path.write_text(text_of(VARIANTS["words"]), encoding="utf-8")
    policy = policy_of(POLICIES["single years"])
    with ind.anonymize(path, policy, engine=way) as release:
        if way == "polars":
            assert release.data.collect_schema()["income"] == pl.Int64
            release.write(out, crosswalk=crosswalk)
        else:
            assert (
                dict(zip(release.data.columns, release.data.types, strict=True))["seen"] == "DATE"
            )
            release.write(out)
    crosswalks = [None, crosswalk] if crosswalk.exists() else [None]
    for known in crosswalks:
        found = verify(out, policy, original=path, crosswalk=known, engine=way)
        assert found.holds is True, found.faults


def test_columns_that_have_types_keep_them(tmp_path):
    """Those of Parquet files."""
    frame = pl.read_csv(text_of({}).encode()).with_columns(pl.col("income").cast(pl.Float64))
    frame.write_parquet(tmp_path / "in.parquet")
    with ind.anonymize(tmp_path / "in.parquet", policy_of({}), engine="polars") as release:
        assert release.data.collect_schema()["income"] == pl.Float64


@pytest.mark.parametrize("kind", [None, pl.Enum(["-0.0", "1.50", "2"])])
def test_texts_of_numbers_become_numbers(kind):
    """Each as narrow as its cells let it be, and without a zero below zero."""
    texts = pl.Series(["-0.0", "1.50", "2"]).cast(kind or pl.String)
    assert narrowed_column(texts).cast(pl.String).to_list() == ["0.0", "1.5", "2.0"]
    assert narrowed_column(texts.gather([0, 2])).to_list() == [0, 2]
    assert narrowed_column(texts.gather([0, 2])).dtype == pl.Int64
