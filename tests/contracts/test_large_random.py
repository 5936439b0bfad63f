"""Random tables, policies, engines and options: always the rows of the release in memory."""

import random
import re
from functools import partial
from pathlib import Path

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import NoSolutionError, PolicyError
from indistinct.tables.core.schema import Role
from indistinct.tables.engines.choosing import Resources, open_table
from indistinct.tables.engines.folders import value_in
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.parts import anonymize_in_parts
from indistinct.tables.publish.pipeline import decide
from large_tables import POSTGRES, Place, hostile_table, policy_of, sorted_rows

ALGORITHMS = ["optimal", "ola", "mondrian", "local", "lattice-peel", "infogain-mondrian"]
ILL = {"column": "ill"}
FURTHER_MODELS = [
    {"name": "distinct-l-diversity", "l": 2} | ILL,
    {"name": "entropy-l-diversity", "l": 1.5} | ILL,
    {"name": "t-closeness", "t": 0.7, "distance": "equal"} | ILL,
    {"name": "alpha-k-anonymity", "alpha": 0.9, "k": 2} | ILL,
    {"name": "average-risk", "threshold": 0.5},
]
PLACES = [
    Place("polars", "parquet"),
    Place("polars", "folder"),
    Place("polars", "csv", typed=False),
    Place("duckdb", "parquet"),
    Place("duckdb", "folder"),
    Place("duckdb", "csv", typed=False),
    Place("auto", "table"),
    *([Place("auto", "server")] if POSTGRES else []),
]
PARTITION = ["city", "ill", "note"]


def drawn_table(chance, place):
    """Make a table of random size, in which a column may be missing throughout or constant."""
    frame = hostile_table(chance.choice([40, 90, 200]), chance.randrange(10**6), typed=place.typed)
    if chance.random() < 0.15:
        frame = frame.with_columns(city=pl.lit("Basel"))
    if chance.random() < 0.15 and place.typed:
        frame = frame.with_columns(born=pl.lit(None, pl.Date))
    return frame.with_columns(weight=pl.int_range(pl.len()) % 3 + 1)


def drawn_policy(chance, place):
    """Draw an algorithm, models, a form, and what becomes of missing values."""
    models = [{"name": "k-anonymity", "k": chance.choice([2, 3, 5])}]
    models += chance.sample(FURTHER_MODELS, chance.choice([0, 0, 1, 2]))
    data = {"missing_as": chance.choice(["value", "value", "suppress"])}
    columns = {"weight": {"role": "identifier"}}
    if chance.random() < 0.3:
        data["weight"] = "weight"
    if chance.random() < 0.3:
        columns["size"] = {"protect": {"name": "round", "base": 5}}
    if place.kind in {"table", "server"}:
        columns.pop("size", None)  # a table of a database is not masked
    return policy_of(
        typed=place.typed,
        columns=columns,
        method={"algorithm": chance.choice(ALGORITHMS), "max_suppression": 0.9},
        models=models,
        data=data,
        release={"intervals": chance.choice(["label", "label", "bounds"])},
    )


def drawn_options(chance, place):
    """Draw how the release is divided, and which crosswalk goes with it."""
    sink, words = {}, {}
    if place.kind == "folder":
        sink["rows_per_file"] = chance.choice([7, 50, 10**6])
        if chance.random() < 0.4:
            sink["partition_by"] = chance.choice(PARTITION)
    kinds = ["none", "names"] if place.kind in {"table", "server"} else ["none", "names", "rows"]
    kind = chance.choice(kinds)
    if kind == "names":
        words = {"crosswalk_key": "name", "record_column": "record"}
    return sink, words, kind != "none"


def check(seed, folder):
    """Compare one release with that of the table in memory, and verify it with its crosswalk."""
    chance = random.Random(seed)
    place = chance.choice(PLACES)
    frame = drawn_table(chance, place)
    policy = drawn_policy(chance, place)
    sink, words, has_crosswalk = drawn_options(chance, place)
    address, out = place.put(frame, folder)
    crosswalk = str(folder / "crosswalk.parquet") if has_crosswalk else None
    resources = Resources(place.engine, 10**9, str(folder))
    manifest = folder / "manifest.json"
    publish = partial(
        anonymize_in_parts,
        address,
        policy,
        sink_for(out, **sink),
        resources=resources,
        manifest=str(manifest),
        crosswalk=crosswalk,
        **words,
    )
    try:
        expected = ind.anonymize(frame, policy, seed=1).data
    except (NoSolutionError, PolicyError) as error:
        with pytest.raises(type(error)):
            publish()
        return
    publish()
    original = {} if crosswalk is None else {"original": address, "crosswalk": crosswalk}
    found = ind.verify(out, policy, manifest=manifest, **original)
    needs_input = not original and any("takes the input" in note for note in found.notes)
    assert found.holds is (None if needs_input else True), found.faults
    with open_table(address, resources.opening(policy.data.missing, None), place.engine) as source:
        is_masked = bool(policy.protections)
        whole = not is_masked and decide(source, resolve(policy), resources).plan.is_whole
    release = read(place, out, expected, sink, words)
    passed = policy.named(Role.INSENSITIVE)
    others = [name for name in expected.columns if name not in passed]
    rows = sorted_rows if place.typed else rows_of_texts
    assert rows(release, others) == rows(expected, others)
    assert rows(release, passed) == rows(expected, passed)
    if whole:
        assert rows(release, expected.columns) == rows(expected, expected.columns)


def rows_of_texts(frame, names):
    """Return the rows as texts, fractions of zeros left out: a text file says nothing of types."""
    return sorted(re.sub(r"'(-?\d+)\.0'", r"'\1'", row) for row in sorted_rows(frame, names))


def read(place, out, expected, sink, words):
    """Read a release, without the names of its records."""
    shape = dict(expected.schema) | ({"record": pl.String} if words else {})
    if "partition_by" in sink:
        column = sink["partition_by"]
        release = pl.concat(
            pl.read_parquet(path, hive_partitioning=False).with_columns(
                pl.lit(value_in(path.parent.name)[1], pl.String).alias(column)
            )
            for path in Path(out).rglob("*.parquet")
        ).select(*shape)
    else:
        release = place.read(out, shape)
    assert release.columns == list(shape)
    return release.drop("record", strict=False)


@pytest.mark.parametrize("seed", [0, 1, 3, 49])
def test_a_random_release_has_the_rows_of_the_one_in_memory(seed, tmp_path):
    """A few of many."""
    check(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, *range(4, 49), *range(50, 120)])
def test_random_releases_have_the_rows_of_the_one_in_memory(seed, tmp_path):
    """Over all engines, with each kind of crosswalk, division, weight and mask by record."""
    check(seed, tmp_path)
