"""What the first screen says of a release: on released cells, for every form and engine."""

import json
from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import NoSolutionError
from indistinct.frontends.cli.main import status

MODELS = [
    {"name": "k-anonymity", "k": 5},
    {"name": "distinct-l-diversity", "column": "ill", "l": 2},
]
QUASI = {"role": "quasi-identifier"}


def register(n=600, seed=1):
    """Make a table in which nothing is wrong: few columns, many people with every value."""
    chance = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "name": [f"person {number}" for number in range(n)],
            "decade": chance.choice([1950, 1960, 1970, 1980], n),
            "sex": chance.choice(["f", "m"], n),
            "ill": chance.choice(["flu", "asthma", "gout"], n),
            "ward": chance.choice(["north", "south"], n),
        }
    )


def amounts(n=600):
    """Return different amounts in no order."""
    return np.round(np.random.default_rng(9).permutation(n) * 1.01 + 5, 2)


def policy_of(**columns):
    """Return a promise of k and l with the roles of the register and those of further columns."""
    own = {
        "name": {"role": "identifier"},
        "decade": QUASI,
        "sex": QUASI,
        "ill": {"role": "sensitive"},
        "ward": {"role": "insensitive"},
    }
    return {"columns": {**own, **columns}, "models": MODELS}


def codes_of(release):
    return [(one["rank"], one["code"], tuple(one["columns"])) for one in release.warnings]


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_nothing_is_said_of_a_table_in_which_nothing_is_wrong(engine, tmp_path):
    """Whatever engine works."""
    register().write_parquet(tmp_path / "in.parquet")
    release = ind.anonymize(tmp_path / "in.parquet", policy_of(), engine=engine)
    assert release.warnings == ()
    release.close()


@pytest.mark.parametrize(
    "protect",
    [
        None,
        {"name": "round", "base": 0.01},
        {"name": "top-bottom", "high": 1e9},
        {"name": "pram", "truth": 1.0},
    ],
    ids=["plain", "rounded", "top-coded", "kept by chance"],
)
def test_a_mask_that_changes_nothing_silences_nothing(protect):
    """The figures are about the released cells."""
    table = register().with_columns(interest=pl.Series(amounts()))
    if protect is not None and protect["name"] == "pram":
        table = table.with_columns(pl.col("interest").cast(pl.String))
    column = {"role": "insensitive"} | ({} if protect is None else {"protect": protect})
    release = ind.anonymize(table, policy_of(interest=column), seed=1)
    found = {tuple(one["columns"]): one for one in release.warnings}
    assert found["interest",]["share"] == 1
    assert found["interest",]["message"].startswith("600 of 600 records (100%) can be found")


def test_who_knows_a_masked_value_finds_the_cell_that_is_nearest_to_it():
    """Noise that is small beside the gaps of a class hides nobody; the share of a plain count."""
    table = register().with_columns(interest=pl.Series(amounts()))

    def found(share):
        column = {"role": "insensitive", "protect": {"name": "noise-additive", "share": share}}
        release = ind.anonymize(table, policy_of(interest=column), seed=1)
        nearest = 0
        rows = zip(release.frame.rows(named=True), release.crosswalk.tolist(), strict=True)
        classes = defaultdict(list)
        for row, behind in rows:
            classes[row["decade"], row["sex"]].append((row["interest"], table["interest"][behind]))
        for pairs in classes.values():
            for shown, true in pairs:
                gaps = [abs(one - true) for one, _ in pairs]
                nearest += gaps.count(min(gaps)) == 1 and abs(shown - true) == min(gaps)
        told = [one for one in release.warnings if "interest" in one["columns"]]
        assert [one["count"] for one in told] == [nearest] * (nearest > 100)
        assert not any("interest" in one["columns"] for one in release.manifest.get("warnings", ()))
        return nearest

    assert found(0.001) > 500
    assert 0 < found(50.0) < 20  # by chance, as in any class


def test_the_public_manifest_says_nothing_of_the_cells_that_a_mask_left():
    """How many those are is known from the input alone; so is whether an identifier repeats."""
    values = [f"{one}" for one in amounts()]
    table = register().with_columns(interest=pl.Series(values), name=pl.Series(["a", "b"] * 300))
    column = {"role": "insensitive", "protect": {"name": "pram", "truth": 0.9}}
    table = table.with_columns(pay=pl.Series(amounts()))
    release = ind.anonymize(table, policy_of(interest=column, pay={"role": "insensitive"}), seed=1)
    told = [one for one in release.warnings if "interest" in one["columns"]]
    assert told
    public = release.manifest["warnings"]
    assert [one["columns"] for one in public if one["code"].endswith("singles-out")] == [["pay"]]
    assert "600 of 600 records" in public[0]["message"]
    assert not any("interest" in one["columns"] for one in public)


def test_a_sensitive_value_of_nearly_nobody_is_a_name():
    """An exact income finds a person; an illness that a third of them has does not."""
    table = register().with_columns(income=pl.Series(amounts()))
    release = ind.anonymize(table, policy_of(income={"role": "sensitive"}))
    assert ("found", "sensitive-column-singles-out", ("income",)) in codes_of(release)
    assert not any("ill" in one[2] for one in codes_of(release))


def test_records_that_are_no_people_come_first(tmp_path, monkeypatch, capsys):
    """The number of classes with too few owners, as a plain count has it."""
    monkeypatch.chdir(tmp_path)
    chance = np.random.default_rng(3)
    owners = np.repeat(np.arange(200), 5)
    dogs = pl.DataFrame(
        {
            "owner_id": [f"o{one:05}" for one in owners],
            "district": [f"d{one % 40}" for one in owners],
            "breed": chance.choice(["collie", "terrier"], 1000),
        }
    )
    dogs.write_csv("dogs.csv")
    words = ["--quasi-identifiers", "district,breed", "--identifiers", "owner_id", "--k", "5"]
    assert status(["anonymize", "dogs.csv", *words, "--out", "out.csv"], show_values=False) == 0
    first = capsys.readouterr().err.splitlines()[0]
    release = ind.anonymize(
        "dogs.csv", quasi_identifiers=["district", "breed"], identifiers=["owner_id"], k=5
    )
    classes = defaultdict(set)
    for row, record in zip(release.frame.rows(), release.crosswalk.tolist(), strict=True):
        classes[row].add(owners[record])
    few = sum(len(people) < 5 for people in classes.values())
    assert few > 0
    said = (
        f"{few} of {len(classes)} classes have fewer different values of owner_id than the policy"
    )
    assert f"who can be found: {said}" in first


def weighed(n=2000, seed=5):
    """Make a survey whose weight is a function of region and size."""
    chance = np.random.default_rng(seed)
    region, size = chance.integers(0, 9, n), chance.integers(1, 6, n)
    return pl.DataFrame(
        {
            "region": [f"R{one}" for one in region],
            "size": size,
            "age": chance.integers(18, 90, n),
            "weight": region * 10.5 + size * 100.25,
            "noise": chance.integers(0, 400, n),
        }
    )


WEIGHED = {
    "columns": {
        "region": {"role": "quasi-identifier", "hierarchy": {"mask": 1}},
        "size": {"role": "quasi-identifier", "hierarchy": {"intervals": [2, 4]}},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
        "weight": {"role": "insensitive"},
        "noise": {"role": "insensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 5}],
}


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_a_weight_that_gives_cells_back_is_refused_until_it_is_accepted(engine, tmp_path):
    """With the remedies in order; accepted, the figures are those of a plain count."""
    weighed().write_parquet(tmp_path / "in.parquet")
    refused = {**WEIGHED, "release": {"read_back": "refused"}}
    with pytest.raises(
        NoSolutionError, match=r"columns\.weight: gives [0-9,]+ generalized"
    ) as error:
        ind.anonymize(tmp_path / "in.parquet", refused, engine=engine)
    remedy = error.value.faults[0].remedy
    places = [remedy.index(word) for word in ("Leave", "one value", "coarser", "accepted")]
    assert places == sorted(places)
    accepted = {**WEIGHED, "release": {"read_back": "accepted"}}
    release = ind.anonymize(tmp_path / "in.parquet", accepted, engine=engine)
    (said,) = [one for one in release.warnings if one["code"] == "column-gives-cells-back"]
    assert (said["rank"], said["k_after"]) == ("given-away", k_after_by_weight(release.frame))
    assert said["columns"][0] == "weight"
    assert "noise" not in said["columns"]
    public = [one for one in release.manifest["warnings"] if one["code"] == said["code"]]
    assert public == [said]
    release.close()


def k_after_by_weight(frame):
    """Count the smallest class after every cell of one weight is replaced by the finest, plainly.

    All cells of one weight are nested in this table, since region and size are functions of it.
    """
    rows = frame.select("region", "size", "age", "weight").rows()
    finest = defaultdict(lambda: [None, None])
    for row in rows:
        for place in (0, 1):
            known = finest[row[3]][place]
            if known is None or len(covered(row[place])) < len(covered(known)):
                finest[row[3]][place] = row[place]
    return min(Counter((*finest[row[3]], row[2]) for row in rows).values())


def covered(cell):
    """Return the values that a cell stands for."""
    if cell == "*":
        return set(range(100))
    if cell.startswith("["):
        low, high = (float(end) for end in cell.strip("[)]").split(", "))
        return {value for value in range(100) if low <= value < high}
    return {cell}


def test_a_repeated_pseudonym_is_named_with_what_it_joins(tmp_path, monkeypatch):
    """How many records it joins."""
    monkeypatch.chdir(tmp_path)  # where the key is made
    table = register().with_columns(house=pl.Series([f"h{n // 3}" for n in range(600)]))
    column = {"role": "identifier", "protect": "pseudonym"}
    release = ind.anonymize(table, policy_of(house=column), seed=1)
    (said,) = [one for one in release.warnings if one["code"] == "repeated-pseudonym"]
    assert f"joins {said['count']:,} of 600 records to groups" in said["message"]
    joined = sum(n for n in Counter(release.frame["house"]).values() if n > 1)
    assert said["count"] == joined


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_a_key_that_was_there_before_is_named(engine, tmp_path, monkeypatch):
    """Two releases with one key can be joined; the first one has a key of its own."""
    monkeypatch.chdir(tmp_path)
    register().write_parquet("in.parquet")
    column = {"role": "identifier", "protect": "pseudonym"}

    def keys():
        with ind.anonymize("in.parquet", policy_of(name=column), engine=engine) as release:
            release.write(tmp_path / "out.parquet")
            public = (tmp_path / "out.parquet.manifest.json").read_text()
            assert "key_was_there" not in public
            assert "key-used-before" not in public
            return [one for one in release.warnings if one["code"] == "key-used-before"]

    assert keys() == []
    (said,) = keys()
    assert said["columns"] == ["name"]
    assert said["rank"] == "found"


def test_verification_repeats_what_the_manifest_warns_of(tmp_path, capsys):
    """Counted again; what anybody wrote into the manifest is not repeated."""
    table = register().with_columns(interest=pl.Series(amounts()))
    release = ind.anonymize(table, policy_of(interest={"role": "insensitive"}))
    release.write(tmp_path / "out.csv")
    place = tmp_path / "out.csv.manifest.json"
    assert status(["verify", str(tmp_path / "out.csv")], show_values=False) == 0
    said = capsys.readouterr().err
    assert said.startswith("warning: who can be found: ")
    forged = json.loads(place.read_text())
    found = ind.verify(tmp_path / "out.csv").warnings
    assert [one.document() for one in found] == forged["warnings"]
    forged["warnings"] += [7, {"code": "x"}, {"code": "x", "rank": "found", "message": "\x1b[2J"}]
    place.write_text(json.dumps(forged))
    verdict = ind.verify(tmp_path / "out.csv")
    assert len(verdict.warnings) == len(found)
    assert any(fault.place.startswith("manifest.warnings[") for fault in verdict.faults)


@pytest.mark.parametrize(("rank", "code"), [("found", 1), ("given-away", 1), ("useless", 1)])
def test_a_pipeline_can_end_on_a_warning(rank, code, tmp_path, monkeypatch, capsys):
    """After writing, and with one line a rank; a rank includes those before it."""
    monkeypatch.chdir(tmp_path)
    table = register().with_columns(interest=pl.Series(amounts()))
    table.write_csv("in.csv")
    words = ["--quasi-identifiers", "decade,sex", "--identifiers", "name", "--k", "5"]
    rest = ["--sensitive", "ill", "--insensitive", "ward,interest", "--out", "out.csv", "--json"]
    given = ["anonymize", "in.csv", *words, *rest, "--fail-on", rank]
    assert status(given, show_values=False) == code
    shown = capsys.readouterr()
    assert json.loads(shown.out)["verified"] is True
    assert shown.err.startswith("warning: who can be found: 600 of 600 records (100%)")
    assert (tmp_path / "out.csv").exists()


def test_words_of_the_options_are_checked(tmp_path, monkeypatch, capsys):
    """Before anything is read."""
    monkeypatch.chdir(tmp_path)
    given = ["anonymize", "in.csv", "--policy", "p.toml", "--out", "out.csv"]
    assert status([*given, "--fail-on", "everything"], show_values=False) == 2
    assert status([*given, "--warnings", "none"], show_values=False) == 2
