"""Linked tables that are released again and again, judged by plain loops over the files."""

import json
from collections import Counter, defaultdict

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, PolicyError, VerificationError
from indistinct.tables.publish.forms import linked_groups as making
from ordered import ordered
from versions import (
    changing,
    check_signatures,
    planned,
    policy_of,
    released,
    rows_of,
    table,
)

FIXED = {"companions": "fixed"}
MIXED = {"companions": "mixed", "signatures": "free"}


def beside(path, what):
    return path.with_name(path.name.replace(".csv", f".{what}.csv"))


def listed(path):
    return path.with_name(f"{path.name}.counterfeits.csv")


def write(path, rows):
    pl.DataFrame(rows).write_csv(path)


def write_sorted(path, rows):
    """Write people in the order of their cells."""
    ordered(pl.DataFrame(rows), "age", "sex").write_csv(path)


def check_release(path, cross, frame, m):
    """Check the files of one release against its version; give each person's signature."""
    people = frame.rows(named=True)
    values, texts = defaultdict(list), []
    for row in rows_of(beside(path, "sensitive")):
        assert row["count"] == "1"
        values[row["group"]].append(row["ill"])
        texts.append((int(row["group"]), row["ill"]))
    assert texts == sorted(texts)
    made = {row["group"]: int(row["counterfeits"]) for row in rows_of(listed(path))}
    origin = {int(row["output_row"]): int(row["input_row"]) for row in rows_of(cross)}
    members = defaultdict(list)
    for number, row in enumerate(rows_of(path)):
        person = people[origin[number]]
        assert list(row) == ["group", "age", "sex", "note"]
        assert (row["age"], row["sex"], row["note"]) == (
            str(person["age"]), person["sex"], person["note"],
        )  # fmt: skip
        members[row["group"]].append(person)
    assert set(members) == set(values)
    for group, held in values.items():
        own = [person["ill"] for person in members[group]]
        assert len(set(held)) == len(held) >= m
        assert not Counter(own) - Counter(held)
        assert len(held) - len(own) == made.get(group, 0) < len(held)
    return {
        person["id"]: frozenset(values[group]) for group, held in members.items() for person in held
    }


@pytest.mark.parametrize(("m", "words"), [(2, FIXED), (4, FIXED), (2, MIXED), (3, MIXED)])
def test_every_release_keeps_the_definitions(tmp_path, m, words):
    """m-unique, invariant, every row its person's own, disjoint after changes of value."""
    policy = policy_of(m, "anatomy", **words)
    had, was, n_made = defaultdict(list), {}, 0
    for number, frame in enumerate(changing(m, size=40, steps=3, n_values=10, changes=0.05)):
        cross = tmp_path / f"cross {number}.csv"
        path = released(frame, policy, tmp_path, number, crosswalk=cross)
        ills = dict(zip(frame["id"], frame["ill"], strict=True))
        signatures = check_release(path, cross, frame, m)
        check_signatures(signatures, ills, had, was, words["companions"])
        n_made += len(rows_of(listed(path)))
        known = {"original": frame, "history": tmp_path / "history.db", "crosswalk": cross}
        for names in ((), ("original",), ("original", "history"), tuple(known)):
            verdict = ind.verify(path, policy, **{name: known[name] for name in names})
            assert verdict.holds, (names, verdict.faults)
    assert n_made > 0
    assert any(len(signatures) > 1 for signatures in had.values())


def people(*ills):
    return table((n, 20 + n, ill) for n, ill in enumerate(ills) if ill)


def test_a_counterfeit_reads_as_a_person_does(tmp_path):
    """Whoever of two companions left, the value of the other one is not told by the second table.

    Two histories that differ only in which of the two values is a counterfeit's list the same.
    """
    lists = []
    for swapped in (False, True):
        ills = ["gout", "flu"] if swapped else ["flu", "gout"]
        history = tmp_path / f"{swapped}.db"
        planned(people(*ills), policy_of(2, "anatomy"), history)
        draft = planned(people(None, ills[1]), policy_of(2, "anatomy"), history)
        assert draft.frame.height == 1
        assert draft.counterfeits.rows() == [(0, 1)]
        lists.append(draft.sensitive.rows())
    assert lists[0] == lists[1] == [(0, "flu", 1), (0, "gout", 1)]


@pytest.mark.parametrize("kind", [pl.Enum(["gout", "flu", "HIV", "ulcer"]), pl.Categorical])
def test_categories_tell_no_counterfeit_either(tmp_path, kind):
    """Values are listed by their names; a value that nobody has any more stands among them."""
    policy, history = policy_of(2, "anatomy"), tmp_path / "h.db"
    as_kind = pl.col("ill").cast(kind)
    first = people("flu", "gout", "HIV", "ulcer").with_columns(as_kind)
    ind.anonymize(first, policy, history=history, seed=1).write(tmp_path / "0.parquet")
    later = people("flu", None, None, None).with_columns(as_kind)
    release = ind.anonymize(later, policy, history=history, seed=1)
    release.write(tmp_path / "1.parquet")
    shown = pl.read_parquet(tmp_path / "1.sensitive.parquet")["ill"].cast(pl.String).to_list()
    assert shown == sorted(shown)
    assert len(shown) == 2
    found = ind.verify(tmp_path / "1.parquet", policy, original=later, history=history)
    assert found.holds, found.faults


@pytest.mark.parametrize("ending", ["arrow", "tsv"])
def test_other_formats_hold_the_same(tmp_path, ending):
    """The two tables are of one format, numbers and missing values included."""
    policy, history = policy_of(2, "anatomy"), tmp_path / "h.db"
    codes = {ill: code for code, ill in enumerate(("HIV", "asthma", "flu", "gout", "ulcer"), 8)}
    for number, frame in enumerate(changing(8, size=24, steps=2, n_values=5)):
        version = frame.with_columns(
            ill=pl.col("ill").replace_strict(codes),
            note=pl.when(pl.col("age") > 40).then(None).otherwise("note"),
        )
        path = tmp_path / f"{number}.{ending}"
        ind.anonymize(version, policy, history=history).write(path)
        found = ind.verify(path, policy, original=version, history=history)
        assert found.holds, found.faults


def test_forms_may_change_from_one_release_to_the_next(tmp_path):
    """The history says what was shown of each person, in whichever form."""
    frames = list(changing(3, size=40, steps=3, n_values=8, changes=0.0))
    history = tmp_path / "history.db"
    for number, form in enumerate(("table", "anatomy", "table")):
        path = released(frames[number], policy_of(3, form), tmp_path, number)
        policy = policy_of(3, form)
        assert ind.verify(path, policy, original=frames[number], history=history).holds
        kept = json.loads((tmp_path / f"{path.name}.manifest.json").read_text())["history"]["kept"]
        assert kept > 20 or number == 0
    report = ind.attack(
        tmp_path / "release 2.csv",
        policy_of(3),
        attack="intersection",
        releases=[tmp_path / f"release {number}.csv" for number in range(2)],
        **unchanged(frames),
    )
    assert report.answer.details["smallest"] >= 3


def unchanged(frames):
    """Return the people who look alike in all versions they are in, and when these were."""
    register = frames[-1]
    same = [
        who
        for who, age in zip(register["id"], register["age"], strict=True)
        if all(frame.filter(id=who)["age"].to_list() in ([], [age]) for frame in frames)
    ]
    present = [
        {"person": who, "release": number}
        for number, frame in enumerate(frames, start=1)
        for who in frame["id"]
    ]
    return {"register": register.filter(pl.col("id").is_in(same)), "present": pl.DataFrame(present)}


@pytest.mark.parametrize("owner_helps", [False, True])
def test_no_intersection_is_smaller_than_m(tmp_path, owner_helps):
    """Everybody's row is found, and m values or more stand in its groups, each time the same."""
    policy = policy_of(3, "anatomy")
    frames = list(changing(2, size=40, steps=3, n_values=8, changes=0.0))
    crosses = [tmp_path / f"cross {number}.csv" for number in range(3)]
    paths = [released(f, policy, tmp_path, n, crosswalk=crosses[n]) for n, f in enumerate(frames)]
    known = unchanged(frames)
    if owner_helps:
        known |= {"original": frames[-1], "crosswalk": crosses[-1]}
        known |= {"originals": frames[:-1], "crosswalks": crosses[:-1]}
    report = ind.attack(
        paths[-1], policy, releases=paths[:-1], history=tmp_path / "history.db", **known
    )
    found, linked = report.outcomes
    assert (found.attack, linked.attack) == ("intersection", "companions")
    assert found.found.attempts == known["register"].height > 10
    assert found.found.successes == 0
    assert found.details["smallest"] >= 3
    if owner_helps:
        # Each release alone leaves a person the values of the own group, and all of them no fewer.
        assert found.details["alone"][-1] == pytest.approx(found.details["mean_chance"])
    assert linked.details["mean_reach"] <= 5


def test_an_earlier_release_needs_its_sensitive_table(tmp_path):
    """A table of records alone says no value; the message says which file to put back."""
    policy = policy_of(2, "anatomy")
    frames = list(changing(2, size=20, steps=2, n_values=6, changes=0.0))
    paths = [released(frame, policy, tmp_path, number) for number, frame in enumerate(frames)]
    beside(paths[0], "sensitive").unlink()
    with pytest.raises(DataError, match="not beside it"):
        ind.attack(paths[1], policy, releases=paths[:1], register=frames[1])


def spoil_order(folder, path):
    """List the values of people first, as a careless program would."""
    rows = rows_of(beside(path, "sensitive"))
    write(beside(path, "sensitive"), rows[::-1])


def spoil_value(folder, path):
    """Let a group list another value in place of one of its own."""
    rows = rows_of(beside(path, "sensitive"))
    group = rows[0]["group"]
    held = {row["ill"] for row in rows if row["group"] == group}
    rows[0]["ill"] = next(row["ill"] for row in rows if row["ill"] not in held)
    write(beside(path, "sensitive"), sorted(rows, key=lambda r: (int(r["group"]), r["ill"])))


def spoil_count(folder, path):
    """Let a value count twice."""
    rows = rows_of(beside(path, "sensitive"))
    write(beside(path, "sensitive"), [{**rows[0], "count": "2"}, *rows[1:]])


def spoil_list(folder, path):
    """Leave a counterfeit unsaid."""
    write(listed(path), rows_of(listed(path))[1:])


def spoil_rows(folder, path):
    """Put two people into each other's group."""
    rows = rows_of(path)
    other = next(row for row in rows if row["group"] != rows[0]["group"] and row != rows[0])
    rows[0]["group"], other["group"] = other["group"], rows[0]["group"]
    write_sorted(path, rows)


def spoil_cells(folder, path):
    """Make a person a year older."""
    rows = rows_of(path)
    rows[0]["age"] = str(int(rows[0]["age"]) + 1)
    write_sorted(path, rows)


@pytest.mark.parametrize(
    ("spoil", "with_history", "found_by"),
    [
        (spoil_order, False, "not in the order of their cells"),
        (spoil_value, True, "other values than in earlier releases"),
        (spoil_count, False, "does not hold"),
        (spoil_list, False, "other values than those of their people"),
        (spoil_rows, True, "not those of a person of their group"),
        (spoil_cells, False, "not in the input"),
    ],
)
def test_verification_finds_what_was_spoilt(tmp_path, spoil, with_history, found_by):
    """Each fault alone, in files that held before; the manifest is put aside."""
    policy = policy_of(2, "anatomy", companions="mixed")
    history = tmp_path / "history.db"
    for number, frame in enumerate(changing(5, size=30, steps=2, n_values=6, changes=0.0)):
        path = released(frame, policy, tmp_path, number)
    digest = ind.verify(path, policy, original=frame, history=history)
    assert digest.holds
    known = {"history": copied(history, path)} if with_history else {}
    path.with_name(f"{path.name}.manifest.json").unlink()
    spoil(tmp_path, path)
    if with_history:
        note_hash(known["history"], path)
    verdict = ind.verify(path, policy, original=frame, **known)
    assert verdict.holds is False
    assert any(found_by in fault.problem for fault in verdict.faults), verdict.faults


def copied(history, path):
    place = path.with_name("copy.db")
    place.write_bytes(history.read_bytes())
    return place


def note_hash(history, path):
    """Let the history know the spoilt file, as if its own run had made it."""
    import hashlib
    import sqlite3
    from contextlib import closing

    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    with closing(sqlite3.connect(history)) as record:
        record.execute("UPDATE releases SET output_sha256 = ? WHERE number = 2", (digest,))
        record.commit()


@pytest.mark.parametrize("descending", [(False, True), (True, False)])
def test_a_release_that_lists_values_in_another_order_is_not_written(
    tmp_path, monkeypatch, descending
):
    """Verification refuses what a careless version of this program would publish."""
    policy, history = policy_of(2, "anatomy"), tmp_path / "h.db"
    frames = list(changing(4, size=30, steps=2, n_values=6))
    ind.anonymize(frames[0], policy, history=history, seed=1).write(tmp_path / "0.csv")

    def careless(frame, name):
        listed = frame.with_columns(pl.lit(1, pl.Int64).alias(name))
        return listed.sort("group", "ill", descending=list(descending))

    monkeypatch.setattr(making, "once_each", careless)
    with pytest.raises(VerificationError, match="sensitive: the rows are not in the order"):
        ind.anonymize(frames[1], policy, history=history, seed=1)


def test_the_manifest_of_linked_tables_is_compared_with_the_files(tmp_path):
    """Counts of people, counterfeits and listed values; risks of the rows as they are."""
    policy = policy_of(2, "anatomy")
    for number, frame in enumerate(changing(4, size=30, steps=2, n_values=6)):
        path = released(frame, policy, tmp_path, number)
    manifest = json.loads(path.with_name(f"{path.name}.manifest.json").read_text())
    made = manifest["counterfeits"]["records"]
    assert manifest["output"]["rows"] == manifest["records"]["released"] == len(rows_of(path))
    assert manifest["sensitive"]["rows"] == manifest["output"]["rows"] + made
    assert manifest["loss"] == {}
    for place, claim in (
        (("counterfeits", "records"), made + 1),
        (("sensitive", "rows"), 3),
        (("classes", "smallest"), 7),
        (("risk", "prosecutor"), 0.01),
    ):
        false = json.loads(json.dumps(manifest))
        false[place[0]][place[1]] = claim
        verdict = ind.verify(path, policy, manifest=false)
        assert any(fault.place == f"manifest.{'.'.join(place)}" for fault in verdict.faults)


def test_levels_that_no_table_shows_refuse_nothing(tmp_path):
    """max_level bounds what a single table shows; linked tables show the values themselves."""
    words = policy_of(2, "anatomy").words()
    words["columns"]["age"]["max_level"] = 0
    frame = next(iter(changing(4, size=20, steps=1, n_values=6)))
    release = ind.anonymize(frame, ind.Policy.from_words(words), history=tmp_path / "h.db", seed=1)
    assert release.manifest["verified"]


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ({"release": {"form": "anatomy", "intervals": "bounds"}}, "release.intervals"),
        ({"columns": {"sex": {"role": "quasi-identifier", "min_level": 1}}}, "columns.sex"),
        ({"data": {"person": "id"}}, "data.person"),
    ],
)
def test_what_linked_tables_do_not_have_is_refused_once(words, place):
    """Every fault is told with its place, and only once."""
    with pytest.raises(PolicyError) as caught:
        policy_of(2, "anatomy").with_words(words)
    assert str(caught.value).count(place) == 1


def test_the_report_speaks_of_people_counterfeits_and_both_tables(tmp_path):
    """The owner's page and the public one, from a release with counterfeits."""
    policy, history = policy_of(2, "anatomy"), tmp_path / "h.db"
    for number, frame in enumerate(changing(4, size=30, steps=2, n_values=6)):
        release = ind.anonymize(frame, policy, history=history, seed=1)
        release.write(tmp_path / f"{number}.csv")
    for public in (False, True):
        release.report(tmp_path / "page.html", public=public)
        text = (tmp_path / "page.html").read_text()
        assert "published as two tables" in text
        assert "have no person" in text or public
