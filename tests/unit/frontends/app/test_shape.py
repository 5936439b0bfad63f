"""The picture of what a local search decided, against a count of the released cells by hand."""

from collections import Counter

import numpy as np
import polars as pl

from indistinct.frontends.app.shape_picture import shape_chart
from indistinct.frontends.app.work.shape import shaped
from indistinct.tables.core.protocols import no_progress
from indistinct.tables.policy.policy import Policy
from indistinct.tables.publish.anonymization import anonymize

PLACES = {"town": ["a", "b", "c"], "village": ["d", "e"], "farm": ["f"]}
WORDS = {
    "columns": {
        "place": {"role": "quasi-identifier", "hierarchy": {"tree": PLACES}},
        "sex": {"role": "quasi-identifier"},
    },
    "models": [{"name": "k-anonymity", "k": 3}],
    "method": {"algorithm": "local"},
}
LEAVES = {leaf for leaves in PLACES.values() for leaf in leaves}


def level_of(place):
    return 0 if place in LEAVES else 1 if place in PLACES else 2


def test_the_levels_of_the_groups_are_those_of_the_cells(tmp_path):
    draw = np.random.default_rng(4)
    frame = pl.DataFrame(
        {
            "place": draw.choice(sorted(LEAVES), 60, p=[0.4, 0.2, 0.1, 0.1, 0.1, 0.1]),
            "sex": draw.choice(["female", "male"], 60),
        }
    )
    frame.write_csv(tmp_path / "people.csv")
    release = anonymize(tmp_path / "people.csv", Policy.from_words(WORDS, tmp_path), seed=1)
    release.write(tmp_path / "release.csv")
    data, out = (str(tmp_path / name) for name in ("people.csv", "release.csv"))
    shape = shaped(no_progress, WORDS, str(tmp_path), data, out)

    cells = pl.read_csv(out, infer_schema=False).rows(named=True)
    expected, groups = Counter(), {}
    for row in cells:
        levels = {"place": level_of(row["place"]), "sex": int(row["sex"] == "*")}
        key = tuple(levels[name] for name in shape["names"])
        expected[key] += 1
        groups.setdefault(key, set()).add((row["place"], row["sex"]))
    found = {tuple(one["levels"]): one for one in shape["combinations"]}
    assert {key: one["records"] for key, one in found.items()} == dict(expected)
    assert {key: one["groups"] for key, one in found.items()} == {
        key: len(inside) for key, inside in groups.items()
    }
    assert shape["number"] == len(expected) > 1
    assert shape["further"] == 0

    drawing = shape_chart(shape).drawing
    blocks = [one for one in drawing.marks if one.kind == "rect"]
    for depth in range(2):
        widths = [one.width for one in blocks if depth * 36 < one.y < depth * 36 + 36]
        whole = drawing.width - min(one.x for one in blocks)
        assert abs(sum(widths) - whole) < 1e-6
    assert f"{len(expected)} different combinations" in shape_chart(shape).description
