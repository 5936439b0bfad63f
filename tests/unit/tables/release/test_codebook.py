"""The codebook of a manifest: what each released label stands for, and nothing else."""

import json
from copy import deepcopy

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError
from indistinct.tables.core.codebook import ColumnEntries
from indistinct.tables.policy.specification import resolve
from indistinct.tables.release.codebook import codebook_of

QUASI = {"role": "quasi-identifier"}
K2 = [{"name": "k-anonymity", "k": 2}]


def entry(rule, cells, role="quasi-identifier", **more):
    """Return the codebook's entry of one column."""
    words = {"columns": {"c": {"role": role, "hierarchy": rule}}, "models": K2, **more}
    return codebook_of(resolve(ind.Policy.from_words(words)), {"c": cells}, ["c"])["c"]


@pytest.mark.parametrize(
    ("rule", "cells", "kind", "listed"),
    [
        ({"intervals": [5, 10]}, ["[20, 30)", "[5, 10)", "7"], "intervals",
         [["[5, 10)", 1, "5"], ["[20, 30)", 2, "20"]]),
        ({"intervals": [1e-8]}, ["[0, 0.00000001)"], "intervals", [["[0, 0.00000001)", 1, "0"]]),
        ({"dates": ["month", "quarter", "year", "decade"]},
         ["2024-05", "2024-Q2", "2024", "2020s", "2024-05-06"], "dates",
         [["2020s", 4, "2020-01-01"], ["2024", 3, "2024-01-01"], ["2024-05", 1, "2024-05-01"],
          ["2024-Q2", 2, "2024-04-01"]]),
        ({"dates": ["half-year", "five-years", "twenty-years"]},
         ["2024-H2", "2020-2024", "2020-2039", "2024-05-06"], "dates",
         [["2020-2024", 2, "2020-01-01"], ["2020-2039", 3, "2020-01-01"],
          ["2024-H2", 1, "2024-07-01"]]),
        ({"mask": 3}, ["476**", "47677"], "mask", [["476**", 2, "476"]]),
        ({"tree": {"Gov": ["state", "town"], "own": ["own", "shop"]}},
         ["Gov", "own", "own (level 1)"], "labels", [["Gov", 1], ["own (level 1)", 1]]),
        ({"tree": {"Gov": ["state", "town"]}}, ["state"], "values", []),
        ({"ranges": "exact"}, ["[3, 7]", "5"], "ranges", []),
    ],
)  # fmt: skip
def test_each_kind_lists_its_labels(rule, cells, kind, listed):
    """Text, level, and the lower end, the first day or the characters that are kept."""
    found = entry(rule, cells)
    assert (found["kind"], found["cells"]) == (kind, listed)
    assert found["values"] is (len(cells) > len(listed) + sum("]" in cell for cell in cells))
    assert not found["hidden"]
    assert not found["missing"]


def test_hidden_and_missing_cells_are_said():
    assert entry({"mask": 2}, ["*", "ab*", ""]) == {
        "kind": "mask", "cells": [["ab*", 1, "ab"]], "values": False,
        "hidden": True, "missing": True,
    }  # fmt: skip
    bounds = entry({"intervals": [5]}, ["", "[5, 10)"], release={"intervals": "bounds"})
    assert (bounds["as"], bounds["hidden"], bounds["missing"]) == ("bounds", True, False)
    starred = entry({"mask": 2}, ["*", "b"], release={"suppressed_cell": "any"})
    assert starred["hidden_means"] == "any"


TABLE = pl.DataFrame(
    {
        "age": [21, 22, 23, 24, 41, 42, None, None] * 3,
        "zip": ["47677", "47602", "47678", "47905", "47909", "47906", "47605", "47673"] * 3,
        "job": ["a", "b", "c", "d", "a", "b", "c", "d"] * 3,
        "ill": ["flu", "cold"] * 12,
        "who": [f"w{place}" for place in range(24)],
    }
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Keep the key of the pseudonyms apart."""
    monkeypatch.chdir(tmp_path)


def made(intervals="label", algorithm="optimal", **data):
    """Release the table."""
    words = {
        "columns": {
            "age": QUASI | {"hierarchy": {"intervals": [5, 10, 20]}},
            "zip": dict(QUASI),
            "job": QUASI | {"hierarchy": {"tree": {"g": ["a", "b"], "c": ["c", "d"]}}},
            "ill": {"role": "sensitive"},
            "who": {"role": "identifier", "protect": "pseudonym"},
        },
        "models": [{"name": "k-anonymity", "k": 4}],
        "method": {"algorithm": algorithm},
        "release": {"intervals": intervals},
        **data,
    }
    return ind.anonymize(TABLE, ind.Policy.from_words(words), seed=1)


@pytest.mark.parametrize("intervals", ["label", "bounds", "midpoint"])
@pytest.mark.parametrize("algorithm", ["optimal", "local", "mondrian"])
def test_a_reader_makes_the_same_codebook(intervals, algorithm, tmp_path):
    """From the file and the public policy alone; each false word in it is a fault of its column."""
    release = made(intervals, algorithm)
    path = tmp_path / "r.csv"
    manifest = release.write(path)
    book = manifest["codebook"]
    assert [*book] == ["age", "zip", "job", "ill", "who"]
    assert book["ill"] == {"kind": "values"}
    assert book["who"] == {"kind": "protected", "by": "pseudonym"}
    assert "codebook" not in release.owner
    assert ind.verify(path, manifest=manifest).holds
    is_chosen = (intervals, algorithm) in {("label", "optimal"), ("bounds", "local")}
    for name, word, wrong in lies(book) if is_chosen else ():
        false = deepcopy(dict(manifest))
        false["codebook"][name][word] = wrong
        places = {fault.place for fault in ind.verify(path, manifest=false).faults}
        assert places == {f"manifest.codebook.{name}"}, (name, word)


def lies(book):
    """Change each word of a codebook."""
    for name, said in book.items():
        for word, value in said.items():
            if isinstance(value, bool):
                yield name, word, not value
            elif isinstance(value, list):
                yield name, word, [*value, ["[200, 205)", 1, "200"]]
                if value:
                    yield name, word, value[1:]
                    yield name, word, [[value[0][0], value[0][1] + 1, *value[0][2:]], *value[1:]]
            else:
                yield name, word, "other"


@pytest.mark.parametrize(
    "change",
    [dict.clear, lambda book: book.pop("zip"), lambda book: book.update(x={"kind": "values"})],
)
def test_a_codebook_names_the_released_columns(change, tmp_path):
    path = tmp_path / "r.csv"
    manifest = deepcopy(dict(made().write(path)))
    change(manifest["codebook"])
    assert not ind.verify(path, manifest=manifest).holds


def test_sets_list_their_labels():
    tree = {"E": ["E1", "E2"], "F": ["F1", "F2"]}
    words = {
        "columns": {
            "codes": {"role": "quasi-identifier", "type": "set", "hierarchy": {"tree": tree}}
        },
        "models": [{"name": "km-anonymity", "column": "codes", "k": 3, "m": 1}],
    }
    frame = pl.DataFrame({"codes": ["E1;F1", "E2;F1", "E1;F1", "F1", "F1;E2", "F2"]})
    release = ind.anonymize(frame, ind.Policy.from_words(words), seed=1)
    items = {item for cell in release.data["codes"] for item in (cell or "").split(";")}
    found = release.manifest["codebook"]["codes"]
    assert found["kind"] == "items"
    assert found["cells"] == [[label, 1] for label in sorted(items & {"E", "F"})]


def test_the_codebook_of_an_engine_is_that_of_memory(tmp_path):
    """Whoever counts: the codebook follows from the cells."""
    policy = ind.Policy.from_words(
        {
            "columns": {"age": QUASI | {"hierarchy": {"intervals": [5, 10]}}, "zip": dict(QUASI)},
            "models": [{"name": "k-anonymity", "k": 4}],
        }
    )
    TABLE.select("age", "zip").write_parquet(tmp_path / "t.parquet")
    books = []
    for engine in ("memory", "polars", "duckdb"):
        release = ind.anonymize(tmp_path / "t.parquet", policy, engine=engine)
        books.append(json.dumps(release.write(tmp_path / f"{engine}.parquet")["codebook"]))
        if engine != "memory":
            release.close()
    assert len(set(books)) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"age": {"kind": "mask", "cells": [["2*", 1, "2"]]}},
        {"group": {"kind": "values"}},
        {"ill": {"kind": "items"}},
        {"more": {"kind": "values"}},
    ],
)
def test_a_false_codebook_of_linked_tables_is_found(wrong, tmp_path):
    words = {
        "columns": {"age": dict(QUASI), "ill": {"role": "sensitive"}},
        "models": [{"name": "distinct-l-diversity", "column": "ill", "l": 2}],
        "release": {"form": "anatomy"},
    }
    frame = TABLE.select("age", "ill")
    path = tmp_path / "r.csv"
    manifest = dict(ind.anonymize(frame, ind.Policy.from_words(words), seed=1).write(path))
    assert ind.verify(path, manifest=manifest).holds
    false = {**manifest, "codebook": {**manifest["codebook"], **wrong}}
    places = {fault.place for fault in ind.verify(path, manifest=false).faults}
    assert places == {f"manifest.codebook.{name}" for name in wrong}


PAIRS = pl.DataFrame(
    {
        "age": [21, 22, 23, 24, 31, 32, 33, 34, 41, 42] * 4,
        "job": ["a", "a", "b", "b", "c", "c", "d", "d", "a", "b"] * 4,
        "ill": ["flu", "cold"] * 20,
    }
)
OF_PAIRS = {
    "columns": {
        "age": QUASI | {"hierarchy": {"intervals": [2, 10, 20]}, "min_level": 1},
        "job": QUASI | {"hierarchy": {"tree": {"g": ["a", "b"], "c": ["c", "d"]}}, "min_level": 1},
        "ill": {"role": "insensitive"},
    },
    "models": K2,
}


def forged(path, change):
    """Change the codebook beside a file."""
    place = path.with_name(f"{path.name}.manifest.json")
    manifest = json.loads(place.read_text(encoding="utf-8"))
    change(manifest["codebook"])
    place.write_text(json.dumps(manifest), encoding="utf-8")


def swapped(book):
    """Exchange levels and beginnings of two entries of ages."""
    cells = book["age"]["cells"]
    cells[0][1:], cells[3][1:] = cells[3][1:], cells[0][1:]


def test_readers_take_cells_for_what_the_codebook_says(tmp_path):
    """Two entries that are swapped change what assess finds, and verify refuses them."""
    path, policy = tmp_path / "r.csv", ind.Policy.from_words(OF_PAIRS)
    ind.anonymize(PAIRS, policy, seed=1).write(path)
    queries = {"original": PAIRS, "queries": 60}
    honest = ind.assess(path, policy, **queries).findings
    assert ind.verify(path, policy).holds
    forged(path, swapped)
    changed = ind.assess(path, policy, **queries).findings
    assert changed.utility.asked["query_error"] != honest.utility.asked["query_error"]
    assert [fault.place for fault in ind.verify(path, policy).faults] == ["manifest.codebook.age"]
    forged(path, lambda book: book["age"]["cells"][0].__setitem__(slice(1, 3), [3, "20"]))
    assert ind.assess(path, policy, original=PAIRS).findings.loss["loss"] > honest.loss["loss"]
    forged(path, lambda book: book["job"]["cells"][0].__setitem__(1, 2))
    with pytest.raises(DataError, match="not a generalization"):
        ind.assess(path, policy, original=PAIRS)


def test_a_codebook_of_another_file_is_refused(tmp_path):
    """A label that no cell shows; the message names the file and the column."""
    path, policy = tmp_path / "r.csv", ind.Policy.from_words(OF_PAIRS)
    ind.anonymize(PAIRS, policy, seed=1).write(path)
    forged(path, lambda book: book["age"]["cells"].append(["[80, 90)", 2, "80"]))
    for read in (
        lambda: ind.assess(path, policy),
        lambda: ind.attack(path, policy, register=PAIRS),
    ):
        with pytest.raises(DataError, match=r"r\.csv\.manifest\.json: codebook\.age: lists labels"):
            read()


@pytest.mark.parametrize(
    "said",
    [None, 5, {}, {"kind": "other"}, {"kind": "mask", "cells": 3}, {"kind": "mask", "as": "x"},
     {"kind": "mask", "cells": [["a*", 1, "a"], ["a*", 1, "a"]]},
     {"kind": "mask", "cells": [["a*", 0, "a"]]}, {"kind": "mask", "cells": [["a*"]]}],
)  # fmt: skip
def test_what_no_codebook_says_is_not_read(said):
    assert ColumnEntries.read(said) is None


@pytest.mark.parametrize("intervals", ["label", "bounds", "midpoint"])
def test_what_is_written_is_read(intervals, tmp_path):
    """A document of a quasi-identifier is the same after it was read."""
    manifest = made(intervals).write(tmp_path / "r.csv")
    for name in ("age", "zip", "job"):
        said = manifest["codebook"][name]
        read = ColumnEntries.read(said)
        assert read is not None
        assert read.document(in_classes=True) == said
