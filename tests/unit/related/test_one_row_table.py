"""One table of events beside one of people: every attacker is enumerated on small tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import indistinct as ind
from hospitals import histories, hospital, least_alike, policy, successes
from indistinct.errors import (
    LinksError,
    NoSolutionError,
    OutputError,
    PolicyError,
    SchemaError,
)
from indistinct.related.verify.release import verify_related


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("k", "m"), [(2, 1), (2, 2), (3, 2), (2, 3)])
def test_no_attacker_finds_anybody(seed: int, k: int, m: int) -> None:
    """Nobody who knows at most m events of one of 12 people succeeds more often than in 1 of k."""
    tables = hospital(seed)
    release = ind.anonymize(tables, ind.RelatedPolicy.from_words(policy(k, m)), seed=1)
    assert least_alike(release.tables, m) >= k
    reached = release.manifest["models"][0]["achieved"]["k"]
    assert reached == least_alike(release.tables, m)
    people = release.crosswalk["patients"].tolist()
    found = list(successes(tables, release.tables, people, m))
    assert max(found) <= 1 / k + 1e-9


def test_more_events_than_promised_find_somebody() -> None:
    """The attackers of these tests can succeed: with four events, or on the tables themselves."""
    tables = hospital(3)
    assert max(successes(tables, tables, range(12), 2)) == 1
    release = ind.anonymize(tables, policy(2, 1), seed=1)
    people = release.crosswalk["patients"].tolist()
    assert max(successes(tables, release.tables, people, 4)) > 1 / 2


@pytest.mark.parametrize("seed", range(2))
def test_the_order_of_the_input_makes_no_difference(seed: int) -> None:
    """The same seed gives the same cells, whatever the order of the rows."""
    tables = hospital(seed)
    mixed = {name: frame.sample(fraction=1, shuffle=True, seed=5) for name, frame in tables.items()}
    one, other = (ind.anonymize(given, policy(), seed=2) for given in (tables, mixed))
    for name, columns in (("patients", ["sex"]), ("events", ["code", "day"])):
        cells = [given.tables[name].select(columns).rows() for given in (one, other)]
        assert cells[0] == cells[1]


def same_events(*lists: list[tuple[str, str]]) -> dict[str, pl.DataFrame]:
    """Return people of one sex with these events."""
    rows = [(code, day, n, f"p{n}") for n, own in enumerate(lists) for code, day in own]
    events = [(f"e{place}", *row) for place, row in enumerate(rows)]
    return {
        "patients": pl.DataFrame(
            {"pid": [f"p{n}" for n in range(len(lists))], "sex": "f", "ward": "a"}
        ),
        "events": pl.DataFrame(events, schema=["eid", "code", "day", "cost", "pid"], orient="row"),
    }


@pytest.mark.parametrize(("m", "k"), [(1, 3), (2, 2)])
def test_copies_count(m: int, k: int) -> None:
    """Two visits for J in 2020, two and one: with one of them three fit, with both only two."""
    twice, once = [("J", "2020"), ("J", "2020")], [("J", "2020")]
    assert least_alike(same_events(twice, twice, once), m) == k
    numbered = {
        name: frame.with_columns(pid=pl.col("pid").str.slice(1).cast(pl.Int64)).drop(
            "eid", strict=False
        )
        for name, frame in same_events(twice, twice, once).items()
    }
    frames = {
        "patients": numbered["patients"].select("sex", "ward", "pid"),
        "events": numbered["events"].select("code", "day", "cost", "pid"),
    }
    found = verify_related(frames, policy(2, m))
    assert found.models[0]["achieved"] == {"k": k, "m": m}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Write a hospital of 60 people, and its release with a crosswalk."""
    folder = tmp_path_factory.mktemp("hospital")
    (folder / "in").mkdir()
    for name, frame in hospital(1, 60, 5).items():
        frame.write_csv(folder / "in" / f"{name}.csv")
    release = ind.anonymize(folder / "in", policy(3, 2), seed=4)
    release.write(folder / "out", crosswalk=folder / "rows")
    return folder, release


def test_a_folder_is_written_whole_and_verified(written: Any) -> None:
    folder, release = written
    names = {path.name for path in (folder / "out").iterdir()}
    assert names == {"patients.csv", "events.csv", "manifest.json"}
    assert (folder / "rows").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (folder / "rows").iterdir()} == {0o600}
    assert ind.verify(folder / "out").holds is True
    whole = ind.verify(
        folder / "out", policy(3, 2), original=folder / "in", crosswalk=folder / "rows"
    )
    assert whole.holds is True
    with pytest.raises(OutputError, match="is there already"):
        release.write(folder / "out")
    before = (folder / "out" / "events.csv").read_bytes()
    release.write(folder / "out", replace=True)
    assert (folder / "out" / "events.csv").read_bytes() == before
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_keys_are_new_and_follow_no_order(written: Any) -> None:
    """A shuffle of 60 keeps the order of the input with a chance below 1e-80."""
    _, release = written
    keys = release.tables["patients"]["pid"].to_list()
    assert sorted(keys) == list(range(len(keys)))
    by_key = [row for _, row in sorted(zip(keys, release.crosswalk["patients"], strict=True))]
    assert by_key != sorted(by_key)
    assert "eid" not in release.tables["events"].columns


def test_the_manifest_has_no_exact_figure_of_the_input(written: Any) -> None:
    folder, release = written
    said = json.loads((folder / "out" / "manifest.json").read_text())
    entry = said["related"]["tables"]["events"]
    assert entry == {"rows": release.tables["events"].height}
    assert said["related"]["people"] == {"released": 60, "vanished": 0}
    assert set(said["related"]["beyond"]) == {"3", "4"}


def judged(release: Any, **frames: pl.DataFrame) -> set[str]:
    """Verify a release with other tables beside its input; return the places of the faults."""
    own = release._of_the_owner()
    found = verify_related(
        {**release.tables, **frames},
        policy(3, 2),
        original=own.tables.given,
        crosswalk=own.rows,
        manifest=release.manifest,
    )
    assert found.holds is False
    return {fault.place for fault in found.faults}


def test_planted_faults_are_found(written: Any) -> None:
    _, release = written
    events, patients = release.tables["events"], release.tables["patients"]
    rows = release.crosswalk["events"]
    original = release._of_the_owner().tables.given["events"]
    is_first = pl.int_range(pl.len()) == 0
    true_day = original["day"].cast(pl.String).gather(pl.Series(rows))
    finer = events.with_columns(day=pl.when(is_first).then(true_day).otherwise("day"))
    assert judged(release, events=finer) >= {"models.joint-anonymity"}
    alien = events.with_columns(
        pid=pl.when(is_first).then((pl.col("pid") + 1) % 60).otherwise("pid")
    )
    assert "tables.events.columns.pid" in judged(release, events=alien)
    lost = events.with_columns(pid=pl.when(is_first).then(60).otherwise("pid"))
    assert "tables.events.columns.pid" in judged(release, events=lost)
    gaps = patients.with_columns(pid=pl.when(is_first).then(60).otherwise("pid"))
    assert "tables.patients.columns.pid" in judged(release, patients=gaps)
    wrong = events.with_columns(code=pl.when(is_first).then(pl.lit("E9")).otherwise("code"))
    assert "tables.events.columns.code" in judged(release, events=wrong)
    other = events.with_columns(cost=pl.when(is_first).then(-1).otherwise("cost"))
    assert "tables.events.columns.cost" in judged(release, events=other)
    assert "tables.events.order" in judged(release, events=events.reverse())
    keyed = events.with_columns(eid=pl.int_range(pl.len()))
    assert "tables.events.columns.eid" in judged(release, events=keyed)


def test_a_row_five_times_and_false_claims_are_found(written: Any) -> None:
    _, release = written
    events = release.tables["events"]
    five = pl.concat([events, *[events.head(1)] * 4])
    found = verify_related({**release.tables, "events": five}, policy(3, 2))
    assert found.holds is False
    said = json.loads(json.dumps(release.manifest))
    said["related"]["people"]["released"] = 59
    said["models"][0]["achieved"]["k"] += 1
    found = verify_related(release.tables, policy(3, 2), manifest=said)
    places = {fault.place for fault in found.faults}
    assert places >= {"manifest.related.people.released", "manifest.models"}


def test_people_who_vanish_take_their_rows_along() -> None:
    """One man among women leaves out as many rows as he has."""
    tables = hospital(2, 20)
    sex = pl.when(pl.int_range(pl.len()) == 0).then(pl.lit("m")).otherwise(pl.lit("f"))
    tables["patients"] = tables["patients"].with_columns(sex=sex)
    words = policy(3, 1, method={"max_suppression": 0.1, "max_deleted": 1.0})
    words["tables"]["patients"]["columns"]["sex"]["max_level"] = 0
    release = ind.anonymize(tables, words)
    assert release.manifest["related"]["people"] == {"released": 19, "vanished": 1}
    man = tables["patients"]["pid"][0]
    owners = tables["events"]["pid"].gather(pl.Series(release.crosswalk["events"]))
    assert man not in owners.to_list()


def test_public_tables_stay_as_they_are() -> None:
    names = pl.DataFrame({"code": ["E0", "E1"], "text": ["one", "two"]})
    words = policy()
    words["tables"]["codes"] = {"public": True}
    release = ind.anonymize({**hospital(1), "codes": names}, words)
    assert release.tables["codes"].equals(names)


def faults_of(
    tables: dict[str, pl.DataFrame], words: dict[str, Any], error: type[Exception]
) -> str:
    with pytest.raises(error) as raised:
        ind.anonymize(tables, words)
    return str(raised.value)


def test_links_that_do_not_fit_are_told_all_at_once() -> None:
    tables = hospital(1)
    twice = tables["patients"].with_columns(pid=pl.col("pid").replace({"p0": "p1"}))
    said = faults_of({**tables, "patients": twice}, policy(), LinksError)
    assert "1 row has a key of pid that another row has" in said
    is_first = pl.int_range(pl.len()) == 0
    lost = tables["events"].with_columns(
        pid=pl.when(is_first).then(pl.lit("nobody")).otherwise("pid")
    )
    said = faults_of({**tables, "events": lost}, policy(), LinksError)
    assert "1 row leads to no row" in said
    assert "nobody" not in said
    words = policy()
    words["tables"]["events"]["orphans"] = "drop"
    assert ind.anonymize({**tables, "events": lost}, words).tables["events"].height > 0
    assert "is in the policy but not in the data" in faults_of(
        {"patients": tables["patients"]}, policy(), SchemaError
    )


def test_a_limit_that_cannot_be_kept_names_the_least_share() -> None:
    words = policy(6, 3, method={"max_deleted": 0.0})
    words["tables"]["events"]["columns"]["code"]["max_level"] = 0
    words["tables"]["events"]["columns"]["day"]["max_level"] = 1
    assert "of the rows would have to be left out" in faults_of(hospital(1), words, NoSolutionError)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"related": {"people": "nobody"}}, "related.people"),
        ({"history": {"person": "pid"}}, "history"),
        ({"population": {"size": 5}}, "population"),
        ({"columns": {}}, "columns"),
        ({"models": [{"name": "k-anonymity", "k": 2}]}, "models.0"),
        ({"models": [{"name": "joint-anonymity", "k": 1, "m": 2}]}, "models.0"),
        ({"related": {"people": "patients", "rows": "counted"}}, "related.rows"),
        ({"data": {"long": {}}}, "data.long"),
    ],
)
def test_policies_that_are_refused(change: dict[str, Any], place: str) -> None:
    with pytest.raises(PolicyError) as raised:
        ind.RelatedPolicy.from_words({**policy(), **change})
    assert place in {fault.place for fault in raised.value.faults}


def test_tables_that_are_refused() -> None:
    words = policy()
    events = words["tables"]["events"]
    events["columns"]["pid"] = {"role": "insensitive"}
    events["columns"]["cost"] = {"role": "insensitive", "protect": "swap"}
    words["tables"]["lonely"] = {"columns": {"x": {"role": "insensitive"}}}
    with pytest.raises(PolicyError) as raised:
        ind.RelatedPolicy.from_words(words)
    assert {fault.place for fault in raised.value.faults} >= {
        "tables.events.columns.pid",
        "tables.events.columns.cost.protect",
        "tables.lonely.references",
    }


def test_a_policy_file_of_related_tables(tmp_path: Path) -> None:
    text = (
        '[related]\npeople = "people"\n[tables.people]\nkey = "id"\n'
        '[tables.people.columns.sex]\nrole = "quasi-identifier"\n'
        '[[models]]\nname = "joint-anonymity"\nk = 2\nm = 1\n'
    )
    (tmp_path / "policy.toml").write_text(text)
    frame = pl.DataFrame({"id": list("abcd"), "sex": ["f", "m", "m", "f"]})
    release = ind.anonymize({"people": frame}, tmp_path / "policy.toml")
    assert sorted(release.tables["people"]["sex"]) == ["f", "f", "m", "m"]
    assert histories  # the enumeration above reads the same tables


def test_one_table_of_events_is_km_anonymity_of_sets() -> None:
    """Without time and copies, the promise is that of a flat table with a column of sets."""
    tables = hospital(5, 40, 3)
    codes = tables["events"].unique(["pid", "code"]).with_columns(day=pl.lit("2020-01-01"))
    release = ind.anonymize({**tables, "events": codes}, policy(3, 2), seed=1)
    shown = release.tables["events"].unique(["pid", "code"])
    sets = shown.group_by("pid").agg(pl.col("code").sort().str.join(";").alias("codes"))
    people = release.tables["patients"].join(sets, on="pid", how="left").select("sex", "codes")
    flat = {
        "columns": {
            "sex": {"role": "quasi-identifier"},
            "codes": {
                "role": "quasi-identifier",
                "type": "set",
                "suppression": "occurrences",
            },
        },
        "models": [{"name": "km-anonymity", "column": "codes", "k": 3, "m": 2}],
    }
    assert ind.assess(people.with_columns(pl.col("codes").fill_null("")), flat).holds is True


def test_columns_that_give_cells_back_are_told() -> None:
    """A price that follows from the code gives it back where another class shows the code."""
    tables = hospital(4, 60, 6)
    price = {code: 10 + place for place, code in enumerate(sorted(set(tables["events"]["code"])))}
    tables["events"] = tables["events"].with_columns(
        cost=pl.col("code").replace_strict(price, return_dtype=pl.Int64), day=pl.lit("2020-01-01")
    )
    sex = pl.when(pl.int_range(pl.len()) < 12).then(pl.lit("m")).otherwise(pl.lit("f"))
    tables["patients"] = tables["patients"].with_columns(sex=sex)
    words = policy(4, 1)
    words["tables"]["patients"]["columns"]["sex"]["max_level"] = 0
    release = ind.anonymize(tables, words)
    assert {*"EIJ"} & {*release.tables["events"]["code"]}
    told = [one for one in release.warnings if one.code == "column-gives-cells-back"]
    assert [(one.table, one.columns[0]) for one in told] == [("events", "cost")]
    assert ("events", ["cost"]) in [
        (one["table"], one["columns"]) for one in release.manifest["warnings"]
    ]


def test_frequent_codes_stay_where_one_event_is_known() -> None:
    """With m = 1 a code that enough people have costs nothing, however rare its pairs are."""
    codes = [f"{chapter}{number}" for chapter in "EI" for number in range(2)]
    rows = [(f"e{n}", code, "2020-01-01", 1, f"p{n // 2}") for n, code in enumerate(codes * 6)]
    tables = {
        "patients": pl.DataFrame({"pid": [f"p{n}" for n in range(12)], "sex": "f", "ward": "a"}),
        "events": pl.DataFrame(rows, schema=["eid", "code", "day", "cost", "pid"], orient="row"),
    }
    release = ind.anonymize(tables, policy(6, 1))
    assert sorted(release.tables["events"]["code"]) == sorted(codes * 6)
    assert release.figures["events"]["loss"] == {"code": 0, "day": 0}


@pytest.mark.parametrize("rows", ["free", "known"])
def test_people_of_whom_nothing_but_events_is_known(rows: str) -> None:
    """The table of people has its key alone: all of them are one class."""
    tables = hospital(1, 30)
    words = policy(3, 1)
    words["related"]["rows"] = rows
    words["tables"]["patients"]["columns"] = {}
    release = ind.anonymize({**tables, "patients": tables["patients"].select("pid")}, words, seed=1)
    assert release.tables["patients"].columns == ["pid"]
    assert sorted(release.tables["patients"]["pid"]) == [*range(30)]
    assert release.tables["events"].height > 0


def test_a_column_that_looks_like_an_identifier_is_told_to_the_owner() -> None:
    tables = hospital(4, 60, 3)
    names = [f"Anna Smith{n * 37 % 60}" for n in range(60)]
    tables["patients"] = tables["patients"].with_columns(name=pl.Series(names))
    words = policy(3, 1)
    words["tables"]["patients"]["columns"]["name"] = {"role": "insensitive"}
    release = ind.anonymize(tables, words)
    assert ("patients", "name") in {(one.table, one.columns[0]) for one in release.warnings}
