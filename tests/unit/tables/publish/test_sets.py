"""A column of sets from the input to the verified file."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import HierarchyError, NoSolutionError, PolicyError
from indistinct.tables.evaluation.assessments.assess import assess
from indistinct.tables.policy.policy import Policy
from indistinct.tables.verification.verify_release import verify

CODES = [f"{chapter}{ten}{one}" for chapter in "EIJ" for ten in range(3) for one in range(3)]
TREE = {c: {f"{c}{t}-": [f"{c}{t}{o}" for o in range(3)] for t in range(3)} for c in "EIJ"}
ROWS = 400


def table(seed: int = 4) -> pl.DataFrame:
    chance = random.Random(seed)
    sets = [
        {CODES[min(int(chance.expovariate(0.2)), 26)] for _ in range(chance.randint(0, 4))}
        for _ in range(ROWS)
    ]
    return pl.DataFrame(
        {
            "name": [f"p{n}" for n in range(ROWS)],
            "age": [chance.choice([30, 50]) for _ in range(ROWS)],
            "diagnoses": [";".join(chance.sample(sorted(one), len(one))) for one in sets],
        }
    )


def policy(**said: Any) -> Policy:
    column = {
        "role": "quasi-identifier",
        "type": "set",
        "separator": ";",
        "hierarchy": {"tree": TREE},
        "suppression": "occurrences",
    }
    model = {"name": "km-anonymity", "column": "diagnoses", "k": 5, "m": 2}
    document: dict[str, Any] = {
        "columns": {
            "name": {"role": "identifier"},
            "age": {"role": said.pop("age", "insensitive")},
            "diagnoses": {**column, **said.pop("column", {})},
        },
        "models": [{**model, **said.pop("model", {})}],
        "method": {"max_suppression": 0.3, **said.pop("method", {})},
        **said,
    }
    return Policy.from_words(document)


def holds_plainly(frame: pl.DataFrame, names: list[str], k: int, m: int) -> bool:
    """Count the pairs of the released cells by themselves."""
    counts = Counter(
        (key, part)
        for *key_parts, cell in frame.select(*names, "diagnoses").fill_null("").iter_rows()
        for key in [tuple(key_parts)]
        for size in range(1, m + 1)
        for part in combinations(sorted(cell.split(";")) if cell else [], size)
    )
    return min(counts.values()) >= k


WAYS: list[dict[str, Any]] = [
    {},
    {"column": {"suppression": "items"}},
    {"model": {"m": 3}},
    {"model": {"m": "all"}},
    {"method": {"algorithm": "apriori"}, "column": {"suppression": "none"}},
    {"age": "quasi-identifier", "method": {"max_suppression": 0.5}},
    {"age": "quasi-identifier", "method": {"algorithm": "local", "max_suppression": 0.5}},
]


@pytest.mark.parametrize("said", WAYS)
def test_the_written_file_keeps_the_promise(said: dict[str, Any], tmp_path: Path) -> None:
    names = ["age"] if "age" in said else []
    asked, original = policy(**dict(said)), table()
    release = ind.anonymize(original, asked, seed=1)
    release.write(tmp_path / "out.csv")
    frame = pl.read_csv(tmp_path / "out.csv")
    assert holds_plainly(frame, names, 5, 2)
    verdict = verify(tmp_path / "out.csv", asked)
    assert verdict.holds, verdict.faults
    verdict = verify(tmp_path / "out.csv", asked, original=original)
    assert verdict.holds, verdict.faults
    entry = release.owner["sets"]["diagnoses"]
    assert entry["labels"] == len({x for c in frame["diagnoses"] if c for x in c.split(";")})
    assert release.manifest["models"][0]["achieved"]["k"] >= 5
    assert assess(original, asked).models[0]["achieved"]["k"] < 5


def test_the_bound_of_whole_items_is_in_the_manifest() -> None:
    release = ind.anonymize(table(), policy(column={"suppression": "items"}), seed=1)
    entry = release.owner["sets"]["diagnoses"]
    assert 0 <= entry["lower_bound"] <= entry["loss"]


def test_the_order_of_items_and_of_records_changes_no_figure() -> None:
    first = ind.anonymize(table(), policy(), seed=1).owner["sets"]
    turned = table().with_columns(
        pl.col("diagnoses").map_elements(lambda c: ";".join(c.split(";")[::-1]), pl.String)
    )
    second = ind.anonymize(turned.reverse(), policy(), seed=1).owner["sets"]
    for word, figure in first["diagnoses"].items():
        is_figure = isinstance(figure, float)
        assert second["diagnoses"][word] == (pytest.approx(figure) if is_figure else figure)


@pytest.mark.parametrize("word", ["generalized", "deleted", "loss"])
def test_a_share_that_left_out_items_have_a_part_in_is_not_published(
    word: str, tmp_path: Path
) -> None:
    path = tmp_path / "out.csv"
    release = ind.anonymize(table(), policy(), seed=1)
    release.write(path)
    assert word in release.owner["sets"]["diagnoses"]
    manifest = Path(f"{path}.manifest.json")
    document = json.loads(manifest.read_text())
    assert set(document["sets"]["diagnoses"]) == {"empty", "labels", "algorithm"}
    assert document["loss"] == {}
    document["sets"]["diagnoses"][word] = 0.4
    manifest.write_text(json.dumps(document))
    places = [fault.place for fault in verify(path, policy()).faults]
    assert places == [f"manifest.sets.diagnoses.{word}"]


@pytest.mark.parametrize(
    ("new", "problem"),
    [
        ("E00", "is part of|label above none"),
        ("nobody", "not in the hierarchy"),
        ("E;E0-", "another that is above it"),
        ("E;;E", "written in two ways"),
    ],
)
def test_a_changed_cell_is_found(new: str, problem: str) -> None:
    asked = policy()
    frame = ind.anonymize(table(), asked, seed=1).frame
    counts = frame["diagnoses"].fill_null("").to_list()
    rare = new if new != "E00" else "E22;J22;I22"
    broken = frame.with_columns(pl.Series("diagnoses", [rare, *counts[1:]]))
    verdict = verify(broken, asked)
    assert not verdict.holds
    assert any(re.search(problem, fault.problem) for fault in verdict.faults)


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ({"column": {"role": "sensitive"}}, "columns.diagnoses.type"),
        ({"column": {"max_level": 1}}, "columns.diagnoses.max_level"),
        ({"column": {"hierarchy": {"mask": 2}}}, "columns.diagnoses.hierarchy"),
        ({"model": {"column": "age"}}, "models.0.km-anonymity.column"),
        ({"model": {"k": 1}}, "models.0"),
        ({"model": {"m": 0}}, "models.0"),
        ({"model": {"m": "some"}}, "models.0"),
        ({"method": {"algorithm": "partition"}}, "method.algorithm"),
        ({"release": {"form": "anatomy"}}, "release.form"),
        ({"data": {"missing_as": "suppress"}}, "data.missing_as"),
    ],
)
def test_what_contradicts_sets_is_refused(said: dict[str, Any], place: str) -> None:
    with pytest.raises(PolicyError) as caught:
        policy(**said)
    assert any(place in fault.place for fault in caught.value.faults)


def test_items_that_the_hierarchy_lacks_are_refused_without_their_names() -> None:
    frame = table().with_columns(pl.lit("Z99;E00").alias("diagnoses"))
    with pytest.raises(HierarchyError, match=r"does not contain 1 of the column's items") as caught:
        ind.anonymize(frame, policy())
    assert "Z99" not in str(caught.value)


def test_a_label_with_the_separator_is_refused() -> None:
    tree = {"E;I": CODES}
    with pytest.raises(HierarchyError, match="separator"):
        ind.anonymize(table(), policy(column={"hierarchy": {"tree": tree}}))


def test_a_k_above_the_number_of_records_has_no_solution() -> None:
    with pytest.raises(NoSolutionError):
        ind.anonymize(table(), policy(model={"k": ROWS + 1}))


def attacked(release: Any, choice: str, asked: Policy, **words: Any) -> dict[str, Any]:
    report = ind.attack(
        release, asked, attack="known-items", original=table(), item_choice=choice, seed=1, **words
    )
    return {**report.answer.details, "rate": report.answer.found.rate}


@pytest.mark.parametrize("ages", [None, "quasi-identifier"])
def test_whoever_knows_the_worst_items_finds_k_candidates(ages: str | None) -> None:
    """On the raw table many are found; in the release nobody has fewer than k candidates."""
    said = {} if ages is None else {"age": ages, "method": {"max_suppression": 0.5}}
    asked = policy(**said)
    release = ind.anonymize(table(), asked, seed=1)
    raw = attacked(table().drop("name"), "worst", asked)
    assert raw["below_k"] > 0.1
    found = attacked(release.data, "worst", asked, crosswalk=release.crosswalk)
    assert (found["below_k"], found["k"]) == (0.0, 5)
    assert found["least_candidates"] >= 5
    assert 0 < found["rate"] <= 1 / 5
    assert attacked(release.data, "random", asked)["below_k"] == 0.0


def test_candidates_are_those_of_a_plain_search() -> None:
    """E11 is known: four records show it, one of them alone; whoever knows all finds that one."""
    cells = ["E11;I10", "E11;I10", "E11;J45", "E11"]
    frame = pl.DataFrame({"diagnoses": cells})
    column = {"role": "quasi-identifier", "type": "set"}
    words = {"columns": {"diagnoses": column}}
    model = {"name": "km-anonymity", "column": "diagnoses", "k": 2, "m": 1}
    asked = Policy.from_words({**words, "models": [model]})
    given = {"attack": "known-items", "original": frame, "crosswalk": [0, 1, 2, 3]}
    one = ind.attack(frame, asked, **given, m=1, item_choice="worst").answer
    assert (one.found.successes, one.details["least_candidates"]) == (1 / 2 + 1 / 2 + 1 + 1 / 4, 1)
    exact = ind.attack(frame, asked, **given, item_choice="exact").answer
    assert exact.found.successes == 1 / 2 + 1 / 2 + 1 + 1


def whole(k: int = 5, **said: Any) -> Policy:
    """Ask that each whole set be that of k records."""
    model = {"name": "set-k-anonymity", "column": "diagnoses", "k": k}
    return policy(models=[model], **said)


@pytest.mark.parametrize("suppression", ["none", "occurrences"])
@pytest.mark.parametrize("age", ["insensitive", "quasi-identifier"])
def test_whole_sets_are_those_of_k_records(suppression: str, age: str, tmp_path: Path) -> None:
    """Counted plainly, the empty set and the other quasi-identifiers included."""
    asked, original = whole(age=age, column={"suppression": suppression}), table()
    release = ind.anonymize(original, asked, seed=1)
    release.write(tmp_path / "out.csv")
    names = ["age", "diagnoses"] if age == "quasi-identifier" else ["diagnoses"]
    counts = Counter(pl.read_csv(tmp_path / "out.csv").select(names).fill_null("").iter_rows())
    assert min(counts.values()) >= 5
    assert release.manifest["models"][0]["achieved"] == {"k": min(counts.values())}
    for known in ({}, {"original": original}):
        verdict = verify(tmp_path / "out.csv", asked, **known)
        assert verdict.holds, verdict.faults
    assert assess(original, asked).models[0]["achieved"]["k"] == 1


def test_who_knows_the_whole_set_finds_k_records_under_this_model_alone() -> None:
    """{a} beside {a, b} holds for any m, and tells who has no b."""
    cells = ["E00"] + ["E00;I00"] * 5
    shown = pl.DataFrame({"age": [30] * 6, "diagnoses": cells})
    before = shown.with_columns(name=pl.Series([f"p{n}" for n in range(6)]))
    everything = policy(model={"m": "all"})
    assert verify(shown, everything).holds
    verdict = verify(shown, whole())
    assert verdict.holds is False
    assert verdict.models[0]["achieved"] == {"k": 1}
    exact = {"attack": "known-items", "item_choice": "exact", "original": before}
    assert ind.attack(shown, everything, **exact).answer.details["least_candidates"] == 1
    release = ind.anonymize(table(), whole(column={"suppression": "none"}), seed=1)
    found = ind.attack(release.frame, whole(), **{**exact, "original": table()}).answer
    assert found.details["least_candidates"] >= 5
    assert found.details["below_k"] == 0.0


def test_too_few_empty_sets_are_joined_by_others_or_refused() -> None:
    """Two patients without a diagnosis: three more lose theirs, where items may be left out."""
    cells = ["E00"] * 20 + ["I00;J00"] * 20 + [""] * 2
    frame = pl.DataFrame({"name": [str(n) for n in range(42)], "age": 30, "diagnoses": cells})
    frame = frame.sample(fraction=1, shuffle=True, seed=1)
    with pytest.raises(NoSolutionError, match="fewer than 5 records of a class have no item"):
        ind.anonymize(frame, whole(column={"suppression": "none"}), seed=1)
    with pytest.raises(NoSolutionError, match="have no item"):
        ind.anonymize(frame, whole(method={"max_suppression": 0.04}), seed=1)
    release = ind.anonymize(frame, whole(method={"max_suppression": 0.05}), seed=1)
    counts = Counter(cell or "" for cell in release.frame["diagnoses"].to_list())
    assert counts == {"E00": 17, "I00;J00": 20, "": 5}


@pytest.mark.parametrize("algorithm", ["priced-cut", "apriori"])
def test_whole_sets_take_the_algorithm_that_makes_them(algorithm: str) -> None:
    """The other two leave sets of any number of records."""
    with pytest.raises(PolicyError, match="does not make whole sets equal"):
        whole(method={"algorithm": algorithm})
    assert whole(method={"algorithm": "partition"}).models[0].least_size == 5


def test_repeated_items_and_empty_parts_of_a_cell_do_not_count() -> None:
    """The same sets, written carelessly, give the same release; one item everywhere is enough."""
    plain = table()
    careless = plain.with_columns(
        diagnoses=pl.when(pl.col("diagnoses") == "")
        .then(pl.lit(" ; "))
        .otherwise(pl.concat_str("diagnoses", pl.lit("; ;"), "diagnoses", pl.lit(";")))
    )
    one, other = (ind.anonymize(frame, policy(), seed=1) for frame in (plain, careless))
    assert one.frame.equals(other.frame)
    assert one.owner["sets"] == other.owner["sets"]
    single = plain.with_columns(diagnoses=pl.lit("E00"))
    assert set(ind.anonymize(single, policy(), seed=1).frame["diagnoses"]) == {"E00"}
