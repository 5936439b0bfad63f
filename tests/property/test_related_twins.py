"""Related tables that differ in a person who vanishes: where released cells are equal, all is.

Two twins are equal but for the cells of one person and of her rows. Her sex is nobody else's, and
must be shown as it is, so that she vanishes with her rows.
"""

import json
import random
import shutil

import polars as pl
import pytest

import indistinct as ind
from shared import longer

QUICK, ALL = 3, 500
KNOWN = {"role": "quasi-identifier"}
ASIDE = {"role": "insensitive"}
TREE = {"tree": {"x": ["x1", "x2"], "y": ["y1", "y2"]}}
POLICY = {
    "related": {"people": "people"},
    "tables": {
        "people": {"key": "pid", "columns": {"sex": {**KNOWN, "max_level": 0}, "pay": ASIDE}},
        "visits": {
            "references": {"pid": "people"},
            "columns": {"kind": {**KNOWN, "hierarchy": TREE}, "cost": ASIDE, "day": ASIDE},
        },
    },
    "models": [{"name": "joint-anonymity", "k": 2, "m": 2}],
    "method": {"max_deleted": 0.6, "max_suppression": 0.2},
}


def twins(number):
    """Draw ten people with up to two visits, and a rare one with two, in two ways."""
    chance = random.Random(number)
    people = [(n, "mf"[n % 2], chance.randint(1, 99)) for n in range(10)]
    visits = [
        (
            n,
            chance.choice(["x1", "x2"]),
            chance.randint(1, 9),
            f"2020-01-{chance.randint(1, 28):02}",
        )
        for n in range(10)
        for _ in range(chance.randint(0, 2))
    ]
    for _ in range(2):
        rare = [
            (99, chance.choice(["y1", "y2"]), chance.randint(10, 999) / 4, f"2031-0{n}-11")
            for n in chance.sample(range(1, 10), 2)
        ]
        yield {
            "people": pl.DataFrame(
                [*people, (99, "d", chance.randint(100, 5000) / 2)],
                schema=["pid", "sex", "pay"],
                orient="row",
                strict=False,
            ),
            "visits": pl.DataFrame(
                [*visits, *rare], schema=["pid", "kind", "cost", "day"], orient="row", strict=False
            ),
        }


def public_bytes(tables, folder):
    """Return the released files, and the manifest without what the input alone decides."""
    shutil.rmtree(folder, ignore_errors=True)
    manifest = json.loads(json.dumps(ind.anonymize(tables, POLICY, seed=1).write(folder)))
    assert manifest["related"]["people"]["vanished"] == 1
    files = {file.name: file.read_bytes() for file in folder.glob("*.csv")}
    return files, {name: part for name, part in manifest.items() if name != "input"}


@pytest.mark.parametrize("n_pairs", longer([QUICK, ALL], {QUICK}))
def test_nothing_published_depends_on_a_person_who_vanishes(n_pairs, tmp_path):
    for number in range(n_pairs):
        one, other = (public_bytes(tables, tmp_path / "out") for tables in twins(number))
        assert one == other, f"pair {number}"
