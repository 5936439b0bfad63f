"""Columns of lists are found by their cells, and drafted as sets with a hierarchy and a model."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.policy.policy import Policy

ROWS = 400
ICD_9 = [
    "250.00",
    "250.01",
    "401.9",
    "414.01",
    "V45.81",
    "E812.0",
    "486",
    "584.9",
    "276.1",
    "038.9",
]
GOODS = [
    "milk",
    "bread",
    "cheese",
    "whole milk",
    "rice",
    "tea",
    "olive oil",
    "salt",
    "beans",
    "eggs",
]
LETTERS = "ABCDEFGHIJKLMNOP"


def lists(items: Sequence[str], longest: int = 4, seed: int = 3) -> list[list[str]]:
    chance = random.Random(seed)
    return [chance.sample(items, chance.randint(1, longest)) for _ in range(ROWS)]


def inspected(cells: Sequence[object], name: str = "x") -> dict[str, str]:
    """What an inspection says of one column beside another."""
    frame = pl.DataFrame({name: cells, "age": [20 + n % 50 for n in range(len(cells))]})
    found = ind.inspect(frame)
    column = next(one for one in found.columns if one.name == name)
    words = tomllib.loads(found.draft())["columns"][name]
    return {"role": column.role, "reason": column.reason, **words}


@pytest.mark.parametrize("separator", [";", "|", ",", ", ", "/", "+"])
@pytest.mark.parametrize("items", [ICD_9, GOODS, [f"{a}{n}" for a in "EIJKL" for n in (10, 11)]])
def test_delimited_lists_are_found(items: list[str], separator: str) -> None:
    cells = [separator.join(one) for one in lists(items)]
    words = inspected(cells)
    assert (words["type"], words["role"]) == ("set", "quasi-identifier")
    assert words["separator"] == separator.strip()
    assert words["suppression"] == "occurrences"
    assert f'lists with "{separator.strip()}" between the items' in words["reason"]
    assert not any(item in words["reason"] for item in items)


def test_the_order_of_the_items_does_not_matter() -> None:
    assert inspected([";".join(sorted(one)) for one in lists(GOODS)])["type"] == "set"


def test_codes_with_spaces_between_them_are_found_and_words_are_not() -> None:
    codes = [f"{a}{n}.{m}" for a in "ABCDEFG" for n in (10, 23) for m in range(3)]
    assert inspected([" ".join(one) for one in lists(codes)])["separator"] == " "
    assert "type" not in inspected(
        [" ".join(one) for one in lists(["red", "green", "blue", "dark"])]
    )


@pytest.mark.parametrize("form", [list, ";".join])
def test_codes_of_diseases_get_their_chapters(form) -> None:
    codes = [f"{a}{n}.{m}" for a in "ABCDEFG" for n in (10, 23) for m in range(3)]
    words = inspected([form(one) for one in lists(codes)], "dx")
    assert "codes of ICD-10" in words["reason"]
    assert words["hierarchy"]["tree"]["endocrine and metabolic"]["E10-E19"]["E10.-"] == [
        "E10.0",
        "E10.1",
        "E10.2",
    ]
    words = inspected([form(one) for one in lists(ICD_9)], "dx")
    assert "codes of ICD-9" in words["reason"]
    assert words["hierarchy"]["tree"]["endocrine and metabolic"]["250-259"]["250.-"] == [
        "250.00",
        "250.01",
    ]


def test_lists_of_a_frame_are_sets_whatever_they_hold() -> None:
    words = inspected([["a;b", "c"], ["c"], []] * 20)
    assert (words["type"], words["separator"]) == ("set", "|")
    assert "Its cells are lists, with" in words["reason"]


@pytest.mark.parametrize(
    "cells",
    [
        [f"{a}son, {b}ohn" for a in LETTERS for b in LETTERS],
        [f"{n},{n % 7}" for n in range(300)],
        [f"{n % 9},{n % 7}" if n % 6 else "n.b." for n in range(300)],
        [f"{n},{n % 10}00,000" for n in range(300)],
        [f"{90 + n % 50}/{60 + n % 30}" for n in range(300)],
        [f"{n % 28 + 1}/{n % 12 + 1}/20{n % 20 + 10}" for n in range(300)],
        [f"{a} Street {n}, {b}ville" for a in LETTERS for b in LETTERS for n in (1, 2)],
        [f"{a}ing, fishing and {b}ing" for a in LETTERS for b in LETTERS],
        ["red;green", "green;red", "blue", "red"] * 50,
        [f"{n};" for n in range(300)],
        ["north/south", "east"] * 100,
    ],
)
def test_values_with_parts_are_no_lists(cells: list[str]) -> None:
    assert inspected(cells).get("type") != "set"


def test_lists_of_addresses_or_names_of_people_are_identifiers() -> None:
    addresses = [f"{a}{b}@example.org" for a in LETTERS for b in "ab"]
    assert inspected([";".join(one) for one in lists(addresses)])["role"] == "identifier"
    names = [f"{a}na" for a in LETTERS]
    assert inspected([";".join(one) for one in lists(names)], "first name")["role"] == "identifier"


def test_of_two_columns_of_lists_one_is_drafted() -> None:
    cells = [";".join(one) for one in lists(GOODS)]
    turned = [";".join(one) for one in lists(GOODS, seed=4)]
    found = ind.inspect(pl.DataFrame({"goods": cells, "more": turned}))
    assert [one.role for one in found.columns] == ["quasi-identifier", "undecided"]
    assert "One column of lists is possible" in found.columns[1].reason


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_drafted_policy_of_sets_runs(form: str, tmp_path: Path) -> None:
    """From the sample to the release with nothing written by hand."""
    frame = ind.sample("patients", rows=ROWS, with_codes=True).select("name", "sex", "codes")
    path = tmp_path / f"patients.{form}"
    if form == "csv":
        frame.write_csv(path)
    else:
        frame.with_columns(pl.col("codes").str.split(";")).write_parquet(path)
    draft = ind.inspect(path).drafted("patients")
    assert draft.undecided == ()
    for name, content in draft.files.items():
        (tmp_path / name).write_text(content, "utf-8")
    (tmp_path / "policy.toml").write_text(draft.text, "utf-8")
    policy = Policy.load(tmp_path / "policy.toml")
    assert policy.set_names == ("codes",)
    release = ind.anonymize(path, policy, seed=1)
    entry = next(e for e in release.manifest["models"] if e["name"] == "km-anonymity")
    assert entry["achieved"]["k"] >= 5
