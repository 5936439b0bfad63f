"""What reads alike counts as one value and one person, in the maker and in verification."""

import sqlite3

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import HistoryError, IndistinctError, PolicyError
from large_tables import Place

SPELLINGS = [
    ["Hépatite B", "Hépatite B ", "Hépatite\u00a0B", "He\u0301patite B", "Hépatite B\u200b"],
    ["\u3000gout", "gout", "gout\t", "g\u00adout", "\ufeffgout"],
    ["1", "1.0", "01", "+1", "1e0"],
    ["back  pain", "back pain", "back\u2009pain", "back\u202fpain ", "back pain\u2060"],
]
OTHERS = ["flu", "asthma", "cold", "ulcer", "burn"]
WAYS_OF_MISSING = ["", " ", "\u200b", "NA ", "\u00a0NA"]
COLUMNS = {
    "name": {"role": "identifier"},
    "age": {"role": "quasi-identifier", "hierarchy": ind.intervals(10, 20), "max_level": 2},
    "ill": {"role": "sensitive"},
}
MODELS = [
    ind.DistinctLDiversity("ill", l=2),
    ind.ProbabilisticLDiversity("ill", l=2),
    ind.EntropyLDiversity("ill", l=2),
    ind.RecursiveCLDiversity("ill", c=3, l=2),
    ind.SimpsonDiversity("ill", d=1.5),
    ind.AlphaKAnonymity("ill", alpha=0.6, k=2),
]


def table(young):
    """Five young people with the given values, and twenty older ones with different values."""
    ages = [*range(30, 35), *range(60, 80)]
    ill = [*young, *(OTHERS[place % 5] for place in range(20))]
    names = [f"N{place}" for place in range(25)]
    return pl.DataFrame({"name": names, "age": ages, "ill": ill})


def policy_of(*models, **words):
    words = {"method": {"algorithm": "optimal", "max_suppression": 0.3}, **words}
    words.setdefault("data", {"missing": ["NA"]})
    return ind.Policy(columns=COLUMNS, models=[ind.KAnonymity(k=5), *models], **words)


@pytest.mark.parametrize("spelled", SPELLINGS, ids=lambda ways: ways[0].strip())
@pytest.mark.parametrize("model", [MODELS[0], MODELS[2]], ids=lambda model: model.name)
def test_a_class_of_one_value_in_several_spellings_is_not_released(model, spelled):
    frame = table(spelled)
    release = ind.anonymize(frame, policy_of(model), seed=1)
    assert release.frame.height == 20
    assert release.owner["records"]["suppressed"] == 5
    bare = frame.drop("name").with_columns(age=pl.lit("*"))[:5]
    assert not ind.verify(bare, policy_of(model)).holds


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
@pytest.mark.parametrize("young", [["hiv", *WAYS_OF_MISSING[1:]], ["hiv", "hiv ", "", "", " "]])
def test_missing_values_make_nothing_diverse(model, young):
    """Written in whatever way; a class of nothing else gives no value away."""
    frame = table(young)
    assert ind.anonymize(frame, policy_of(model), seed=1).frame.height == 20
    bare = frame.drop("name").with_columns(age=pl.lit("*"))[:5]
    assert not ind.verify(bare, policy_of(model)).holds
    assert ind.anonymize(table(WAYS_OF_MISSING), policy_of(model), seed=1).frame.height == 25


def test_a_policy_may_count_missing_values():
    counting = ind.DistinctLDiversity("ill", l=2, missing_counts=True)
    release = ind.anonymize(table(["hiv", "", " ", "", ""]), policy_of(counting), seed=1)
    assert release.frame.height == 25
    assert release.manifest["models"][1]["required"]["missing_counts"] is True


def test_released_cells_are_written_as_in_the_input():
    frame = table([*SPELLINGS[0][:4], "flu"])
    release = ind.anonymize(frame, policy_of(ind.DistinctLDiversity("ill", l=2)), seed=1)
    assert sorted(release.frame["ill"]) == sorted(frame["ill"])
    assert ind.verify(release.data, release.policy, original=frame).holds


@pytest.mark.parametrize("place", [Place("polars", "parquet"), Place("duckdb", "csv")], ids=str)
def test_every_engine_counts_alike(place, tmp_path):
    """The driver joins what reads alike, so that all engines release the same."""
    policy = policy_of(ind.DistinctLDiversity("ill", l=2))
    for number, young in enumerate([SPELLINGS[0], SPELLINGS[3], ["hiv", *WAYS_OF_MISSING[1:]]]):
        folder = tmp_path / str(number)
        folder.mkdir()
        _, written = place.release(table(young), policy, folder)
        assert written.published.records.released == 20


def test_values_that_read_alike_are_named():
    frame = table(["Flu", "flu", "FLU", "gout", "gout "])
    release = ind.anonymize(frame, policy_of(ind.DistinctLDiversity("ill", l=2)), seed=1)
    (said,) = [one for one in release.owner["warnings"] if one["code"] == "read-alike"]
    assert (said["columns"], said["count"], said["of"]) == (["ill"], 5, 9)
    assert said["message"].startswith("5 of 9 values of ill read like another one")
    assert said in release.manifest["warnings"]


IDS = [
    ["P1", "P1 ", "\u200bP1", "P1\u00a0", "P\u00ad1"],
    ["7", "007", "7.0", "+7", "7e0"],
    ["Zoe\u0308", "Zoë", "Zoë\u2009", "\tZoë", "Zoë\ufe0f"],
    ["a  b", "a b", "a\u3000b", " a b", "a\u200b b"],
    ["", " ", "\u200b", "NA", "NA "],
]


@pytest.mark.parametrize("ids", IDS, ids=lambda ids: ids[0] or "missing")
def test_one_person_in_several_spellings_is_one(ids):
    visits = table(["flu"] * 5).with_columns(name=pl.Series([*ids, *(f"Q{n}" for n in range(20))]))
    policy = policy_of(data={"person": "name", "missing": ["NA"]})
    release = ind.anonymize(visits, policy, seed=1)
    assert release.frame.height == 20
    assert ind.verify(release.data, policy, original=visits, crosswalk=release.crosswalk).holds
    codes = [one["code"] for one in release.owner.get("warnings", ())]
    assert ("persons-written-differently" in codes) == (ids[0] != "")
    whole = pl.DataFrame({"age": ["*"] * 5, "ill": ["flu"] * 5})
    found = ind.verify(whole, policy, original=visits[:5], crosswalk=range(5))
    assert not found.holds


def test_no_model_takes_joined_people_for_granted_that_too_few_do_not_protect(tmp_path):
    table(["flu"] * 5).select("age").write_csv(tmp_path / "people.csv")
    visits = table(["flu"] * 5).with_columns(
        name=pl.Series(["7", "07", *(f"Q{n}" for n in range(23))])
    )
    policy = policy_of(
        ind.DeltaPresence(delta_min=0.0, delta_max=0.9),
        data={"person": "name"},
        population={"data": str(tmp_path / "people.csv")},
    )
    with pytest.raises(PolicyError, match="read like another one"):
        ind.anonymize(visits, policy, seed=1)


def months(n_people=60):
    """People with ids that are whole numbers; two tables that overlap."""
    frame = pl.DataFrame(
        {
            "name": range(n_people),
            "age": [20 + (7 * place) % 60 for place in range(n_people)],
            "ill": [OTHERS[place % 5] for place in range(n_people)],
        }
    )
    return frame[:40], frame[15:]


INVARIANT = {
    "method": {"algorithm": "invariant", "effort": "fast"},
    "history": {"person": "name", "max_counterfeits": 0.9},
}


def invariant_policy(**words):
    model = ind.MInvariance("ill", m=2, **words)
    return ind.Policy(columns=COLUMNS, models=[model], **INVARIANT)


WRITTEN = {
    "a blank": pl.col("name").cast(pl.String) + " ",
    "zeros": pl.lit("00") + pl.col("name").cast(pl.String),
    "a fraction": pl.col("name").cast(pl.String) + ".0",
    "a mark": pl.lit("\u200b") + pl.col("name").cast(pl.String),
}


@pytest.mark.parametrize("way", WRITTEN)
def test_people_return_to_a_history_however_their_ids_are_written(way, tmp_path):
    first, second = months()
    policy, history = invariant_policy(), tmp_path / "h.db"
    ind.anonymize(first, policy, history=history, seed=1).write(tmp_path / "1.csv")
    release = ind.anonymize(second.with_columns(name=WRITTEN[way]), policy, history=history, seed=1)
    assert release.manifest["history"]["kept"] == 25


def test_a_history_refuses_ids_of_another_type_and_strangers(tmp_path):
    first, second = months()
    policy, history = invariant_policy(), tmp_path / "h.db"
    ind.anonymize(first, policy, history=history, seed=1).write(tmp_path / "1.csv")
    for changed, said in (
        (pl.col("name").cast(pl.Float64), "cells of the type number"),
        (pl.date(2020, 1, 1) + pl.duration(days="name"), "cells of the type date"),
        (pl.col("name") + 1000, "no person in this table was in an earlier"),
        ("id" + pl.col("name").cast(pl.String), "no person in this table was in an earlier"),
    ):
        with pytest.raises(HistoryError, match=said):
            ind.anonymize(second.with_columns(changed.alias("name")), policy, history=history)


def test_a_history_of_texts_as_they_were_written_goes_on(tmp_path):
    """Histories of version 0.2.0 have no type of ids, and codes of the texts as they were."""
    first, second = (
        part.with_columns(name="0" + pl.col("name").cast(pl.String)) for part in months()
    )
    policy, history = invariant_policy(), tmp_path / "h.db"
    ind.anonymize(first, policy, history=history, seed=1).write(tmp_path / "1.csv")
    with sqlite3.connect(history) as old:
        old.execute("DELETE FROM facts WHERE name = 'ids'")
    release = ind.anonymize(second, policy, history=history, seed=1)
    assert release.manifest["history"]["kept"] == 25


def test_groups_of_m_invariance_have_m_known_values(tmp_path):
    """A missing value takes nobody's place, unless the policy counts it."""
    first, _ = months()
    first = first.with_columns(ill=pl.when(pl.col("name") % 5 == 0).then(None).otherwise("ill"))
    for counting, fewest in ((False, 2), (True, 1)):
        policy = invariant_policy(missing_counts=counting)
        release = ind.anonymize(first, policy, history=tmp_path / f"{counting}.db", seed=1)
        groups = release.frame.group_by("group").agg(pl.col("ill").drop_nulls().n_unique())
        assert groups["ill"].min() >= fewest
        assert release.manifest["models"][0]["achieved"]["m"] >= 2


def test_groups_of_linked_tables_have_known_values():
    model = ind.DistinctLDiversity("ill", l=3)
    columns = {**COLUMNS, "age": {"role": "quasi-identifier"}}
    policy = ind.Policy(columns=columns, models=[model], release={"form": "anatomy"})
    frame = table(["flu ", "flu", "\u00a0flu", "", " "]).sample(fraction=1, shuffle=True, seed=3)
    release = ind.anonymize(frame, policy, seed=1)
    shown = release.sensitive.filter(pl.col("ill").str.strip_chars() != "")
    read = shown.group_by("group").agg(pl.col("ill").str.strip_chars().n_unique())
    assert read["ill"].min() >= 3
    assert release.manifest["models"][0]["achieved"]["l"] >= 3


def test_an_error_shows_no_cell():
    with pytest.raises(IndistinctError) as caught:
        ind.anonymize(table(["Xq9 "] * 5), policy_of(ind.DistinctLDiversity("ill", l=7)), seed=1)
    assert "Xq9" not in str(caught.value)


@pytest.mark.parametrize(
    ("pair", "is_alike"),
    [
        (("007", "7"), True),
        (("7.0", "7"), True),
        (("Nord", "nord"), True),
        (("Nord", "Nord "), True),
        (("Nord", "Nor\u200bd"), True),
        (("Nord", "Süd"), False),
        (("7", "8"), False),
    ],
)
@pytest.mark.parametrize("place", [None, Place("polars", "parquet"), Place("duckdb", "parquet")])
def test_the_owner_is_warned_of_released_cells_that_read_alike(pair, is_alike, place, tmp_path):
    """Only of released ones: a cell that is generalized or hidden misleads nobody."""
    frame = pl.DataFrame({"area": [*pair] * 5 + ["x"] * 5, "ill": ["a", "b", "c"] * 5})
    groups = {"hierarchy": {"tree": {"these": list(pair), "those": ["x"]}}}

    def warnings(**area):
        columns = {"area": {"role": "quasi-identifier", **area}, "ill": {"role": "sensitive"}}
        policy = ind.Policy(columns=columns, models=[ind.KAnonymity(k=5)])
        if place is None:
            release = ind.anonymize(frame, policy, seed=1)
            owner = release.owner
        else:
            folder = tmp_path / str(len(area))
            folder.mkdir()
            owner = place.release(frame, policy, folder)[1].exact.document()
        return [entry for entry in owner.get("warnings", ()) if entry["code"] == "read-alike"]

    found = warnings()
    assert [entry["columns"] for entry in found] == [["area"]] * is_alike
    assert not found or found[0]["share"] == pytest.approx(2 / 3, abs=1e-6)
    assert warnings(min_level=1, **groups) == []


@pytest.mark.parametrize("place", [None, Place("polars", "parquet"), Place("duckdb", "parquet")])
def test_the_owner_is_told_which_labels_get_their_level(place, tmp_path):
    """The list decides it, whatever the records are, and the public manifest does not say it."""
    frame = pl.DataFrame({"town": ["Mitte", "Potsdam"] * 5, "ill": ["a", "b"] * 5})
    tree = {"Berlin": ["Berlin", "Mitte"], "Brandenburg": ["Potsdam"]}
    town = {"role": "quasi-identifier", "hierarchy": {"tree": tree}}
    columns = {"town": town, "ill": {"role": "sensitive"}}
    policy = ind.Policy(columns=columns, models=[ind.KAnonymity(k=5)])
    if place is None:
        release = ind.anonymize(frame, policy, seed=1)
        owner, public = release.owner, release.manifest
    else:
        written = place.release(frame, policy, tmp_path)[1]
        owner, public = written.exact.document(), written.published.document()
    code = "labels-with-their-level"
    (said,) = [one for one in owner["warnings"] if one["code"] == code]
    assert (said["columns"], said["count"]) == (["town"], 1)
    assert code not in {one["code"] for one in public.get("warnings", ())}
