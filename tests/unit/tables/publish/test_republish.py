"""Releases of a table that changes, judged by plain loops over the files and the versions."""

import json
from collections import defaultdict

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import (
    DataError,
    HistoryError,
    NoSolutionError,
    PolicyError,
    VerificationError,
)
from indistinct.tables.publish.forms import invariant
from versions import (
    changing,
    check_signatures,
    groups_of,
    planned,
    policy_of,
    released,
    rows_of,
    table,
)


def covers(label, value):
    if label in {"*", str(value)}:
        return True
    low, high = label.strip("[)").split(",")
    return int(low) <= value < int(high)


def check_release(path, cross, frame, m):
    """Check one release against its version; give each person's signature."""
    rows, people = rows_of(path), frame.rows(named=True)
    listed = {row["group"]: int(row["counterfeits"]) for row in rows_of(_list(path))}
    origin = {int(row["output_row"]): int(row["input_row"]) for row in rows_of(cross)}
    groups, made = defaultdict(list), defaultdict(int)
    for number, row in enumerate(rows):
        groups[row["group"]].append((row, origin[number]))
        made[row["group"]] += origin[number] < 0
    signatures = {}
    for group, held in groups.items():
        values = [row["ill"] for row, _ in held]
        assert len(set(values)) == len(values) >= m
        assert len({(row["age"], row["sex"]) for row, _ in held}) == 1
        assert made[group] == listed.get(group, 0) < len(held)
        for row, place in held:
            if place < 0:
                continue
            person = people[place]
            assert covers(row["age"], person["age"])
            assert row["sex"] in {"*", person["sex"]}
            assert (row["ill"], row["note"]) == (person["ill"], person["note"])
            signatures[person["id"]] = frozenset(values)
    assert set(listed) <= set(groups)
    return signatures


def _list(path):
    return path.with_name(f"{path.name}.counterfeits.csv")


FIXED = {"companions": "fixed"}
FEW = {"companions": "mixed", "signatures": "few"}
FREE = {"companions": "mixed", "signatures": "free"}
KINDS = [(2, FIXED), (4, FIXED), (5, FIXED), (2, FEW), (5, FEW), (3, FREE), (4, FREE)]


@pytest.mark.parametrize(("m", "words"), KINDS)
def test_every_release_keeps_the_definitions(tmp_path, m, words):
    """m-unique, invariant, covering, disjoint after changes, and counterfeits that add up."""
    policy = policy_of(m, **words)
    had = defaultdict(list)
    was = {}
    for number, frame in enumerate(changing(m, size=40, steps=3, n_values=10, changes=0.05)):
        cross = tmp_path / f"cross {number}.csv"
        path = released(frame, policy, tmp_path, number, crosswalk=cross)
        ills = dict(zip(frame["id"], frame["ill"], strict=True))
        signatures = check_release(path, cross, frame, m)
        check_signatures(signatures, ills, had, was, words["companions"])
        history = tmp_path / "history.db"
        verdict = ind.verify(path, policy, original=frame, history=history)
        assert verdict.holds, verdict.faults
        assert ind.verify(path, policy, original=frame, history=history, crosswalk=cross).holds
    assert any(len(signatures) > 1 for signatures in had.values())


def test_who_returns_stands_among_the_same_companions(tmp_path):
    """With fixed companions a counterfeit keeps the place of who left."""
    people = [(n, 20 + n, ("flu", "HIV", "ulcer", "gout")[n % 4]) for n in range(12)]
    policy = policy_of(2)
    for number, frame in enumerate((table(people), table(people[3:]), table(people))):
        draft = planned(frame, policy, tmp_path / "h.db")
        made = draft.manifest["counterfeits"]["records"]
        assert made == (3 if number == 1 else 0)
        assert draft.manifest["history"]["kept"] == (0, 9, 12)[number]


@pytest.mark.parametrize("words", [{}, {"companions": "mixed"}], ids=["fixed", "mixed"])
def test_where_nothing_changed_nobody_is_made_up(tmp_path, words):
    """The second release of the same version has no counterfeit."""
    frame = next(iter(changing(3, size=42, steps=1, n_values=6)))
    for _ in range(2):
        draft = planned(frame, policy_of(3, **words), tmp_path / "h.db")
        assert draft.manifest["counterfeits"] == {"records": 0, "share": 0.0, "groups": 0}


def test_the_same_seed_and_history_give_the_same_bytes(tmp_path):
    """A seeded run can be repeated, counterfeits included."""
    frames = list(changing(4, size=30, steps=2, n_values=6))
    texts = []
    for name in ("one", "other"):
        folder = tmp_path / name
        folder.mkdir()
        paths = [released(frame, policy_of(3), folder, n) for n, frame in enumerate(frames)]
        texts.append([(path.read_bytes(), _list(path).read_bytes()) for path in paths])
    assert texts[0] == texts[1]


def test_manifest_and_history_name_nobody(tmp_path):
    """No person stands in any file but the input."""
    for number, frame in enumerate(changing(5, size=30, steps=2, n_values=6)):
        released(frame, policy_of(3), tmp_path, number, owner=tmp_path / f"owner {number}")
    for path in tmp_path.iterdir():
        assert b"Quetzal" not in path.read_bytes(), path.name
    assert (tmp_path / "history.db").stat().st_mode & 0o777 == 0o600
    entry = json.loads((tmp_path / "release 1.csv.manifest.json").read_text())["history"]
    assert entry["people"] == entry["kept"] + entry["new"] + entry["changed"] + entry["left_out"]


def test_no_message_names_a_person(tmp_path):
    """A person twice, or missing, is counted and not named."""
    frame = next(iter(changing(6, size=12, steps=1, n_values=4)))
    for wrong in (
        pl.concat([frame, frame[:1]]),
        frame.with_columns(id=pl.when(pl.col("age") == frame["age"][0]).then(None).otherwise("id")),
    ):
        with pytest.raises(DataError) as caught:
            planned(wrong, policy_of(2), tmp_path / "h.db")
        assert "Quetzal" not in str(caught.value)
    assert not (tmp_path / "h.db").exists()


def test_a_common_value_is_refused_with_the_largest_m(tmp_path):
    """Exit 3 names what is possible."""
    frame = table((n, 20 + n, "flu" if n < 4 else ("HIV", "gout")[n % 2]) for n in range(12))
    with pytest.raises(NoSolutionError, match="m of at most 3"):
        planned(frame, policy_of(4), tmp_path / "h.db")


def test_too_many_counterfeits_are_refused(tmp_path):
    """Above the limit nothing is planned; the message says what would do."""
    people = [(n, 20 + n, ("flu", "HIV", "ulcer", "gout")[n % 4]) for n in range(12)]
    planned(table(people), policy_of(2, max_counterfeits=0.1), tmp_path / "h.db")
    with pytest.raises(NoSolutionError, match="max_counterfeits"):
        planned(table(people[:5]), policy_of(2, max_counterfeits=0.1), tmp_path / "h.db")


@pytest.mark.parametrize(
    ("other", "place"),
    [
        ({"m": 3}, "m-invariance.m"),
        ({"companions": "mixed"}, "history.companions"),
    ],
)
def test_a_history_keeps_to_its_promise(tmp_path, other, place):
    """Another m or other companions are refused."""
    frame = next(iter(changing(7, size=20, steps=1, n_values=6)))
    planned(frame, policy_of(2), tmp_path / "h.db")
    with pytest.raises(HistoryError, match=place):
        planned(frame, policy_of(**{"m": 2, **other}), tmp_path / "h.db")


def test_m_invariance_takes_a_history():
    """Without --history it is refused."""
    frame = next(iter(changing(7, size=20, steps=1, n_values=6)))
    with pytest.raises(PolicyError, match="no history is given"):
        ind.anonymize(frame, policy_of(2))


def test_a_release_with_a_signature_of_before_is_not_written(tmp_path, monkeypatch):
    """Verification finds it by the history alone: nothing is written, nothing is noted."""
    real = invariant.person_history_of

    def forgetful(*arguments, **more):
        person_history = real(*arguments, **more)
        person_history.forbidden[:] = False
        return person_history

    people = [(n, 20 + n, ("flu", "HIV", "ulcer", "gout")[n % 4]) for n in range(12)]
    policy = policy_of(2, companions="mixed")
    released(table(people), policy, tmp_path, 0)
    monkeypatch.setattr(invariant, "person_history_of", forgetful)
    before = (tmp_path / "history.db").read_bytes()
    own = next(one for one in groups_of(tmp_path / "history.db")[0] if "flu" in one.values)
    other = next(value for value in ("HIV", "ulcer", "gout") if value not in own.values)
    # A newcomer with flu is who the person would be put beside, whose value was flu before.
    changed = table([(0, 20, other), *people[1:], (100, 21, "flu")])
    with pytest.raises(VerificationError, match="value of before"):
        released(changed, policy, tmp_path, 1)
    assert not (tmp_path / "release 1.csv").exists()
    assert (tmp_path / "history.db").read_bytes() == before


def test_numbers_without_a_hierarchy_are_released_in_the_range_of_the_people(tmp_path):
    """From the least to the greatest of a group, counterfeits aside; everything beside a gap."""
    words = policy_of(2).words()
    del words["columns"]["age"]["hierarchy"]
    policy = ind.Policy.from_words(words)
    for number, frame in enumerate(changing(10, size=30, steps=3, n_values=6)):
        version = frame.with_columns(
            age=pl.when(pl.col("id") == frame["id"][number]).then(None).otherwise("age")
        )
        cross = tmp_path / f"cross {number}.csv"
        path = released(version, policy, tmp_path, number, crosswalk=cross)
        origin = {int(row["output_row"]): int(row["input_row"]) for row in rows_of(cross)}
        ages, shown = defaultdict(list), {}
        for place, row in enumerate(rows_of(path)):
            shown[row["group"]] = row["age"]
            if origin[place] >= 0:
                ages[row["group"]].append(version["age"][origin[place]])
        for group, held in ages.items():
            known = [age for age in held if age is not None]
            if len(known) < len(held):
                assert shown[group] == ("*" if known else "")
            elif min(known) == max(known):
                assert shown[group] == str(known[0])
            else:
                assert shown[group] == f"[{min(known)}, {max(known)}]"
        history = tmp_path / "history.db"
        verdict = ind.verify(path, policy, original=version, history=history)
        assert verdict.holds, verdict.faults
    assert "*" in shown.values()


def test_an_assessment_measures_the_people_of_groups_with_counterfeits(tmp_path):
    """Groups count, though two of them may read alike; the loss is that of the people, exactly."""
    for number, frame in enumerate(changing(11, size=40, steps=2, n_values=6)):
        path = released(frame, policy_of(3), tmp_path, number, owner=tmp_path / f"owner {number}")
    owner = json.loads((tmp_path / "owner 1").read_text())
    assert owner["counterfeits"]["records"] > 0
    found = ind.assess(path, policy_of(3), original=frame).findings
    assert found.loss["loss"] == pytest.approx(owner["loss"]["loss"])
    assert [(model.name, model.holds) for model in found.models] == [("m-invariance", True)]
    assert found.classes.count == owner["classes"]["count"]
    assert (found.records.released, found.records.suppressed) == (
        owner["output"]["rows"], owner["records"]["suppressed"],
    )  # fmt: skip
    release = ind.anonymize(frame, policy_of(3), history=tmp_path / "history.db", seed=7)
    release.report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    assert "records in" in text
    assert "have no person" in text


@pytest.mark.parametrize("ending", ["parquet", "arrow", "tsv"])
def test_other_formats_hold_the_same(tmp_path, ending):
    """The list of counterfeits is text beside any format."""
    frames = list(changing(8, size=24, steps=2, n_values=5))
    for number, frame in enumerate(frames):
        path = tmp_path / f"{number}.{ending}"
        release = ind.anonymize(frame, policy_of(2), history=tmp_path / "h.db")
        release.write(path)
        found = ind.verify(path, policy_of(2), original=frame, history=tmp_path / "h.db")
        assert found.holds, found.faults
