"""No drafted label is false of a value below it, or is the name of another value.

``LABELED_COLUMNS`` sets how many random columns are drafted; 2,000 take about half a minute.
"""

import csv
import os
import random

import pytest

import indistinct as ind
from drafted_columns import evidence
from drafted_labels import KINDS, is_so
from indistinct.tables.drafting.checked import checked, labels_above
from indistinct.tables.drafting.drawn import KEPT_OR_HIDDEN, DraftedHierarchy
from indistinct.tables.drafting.hierarchies import drawn

COLUMNS = int(os.environ.get("LABELED_COLUMNS", "32"))


def drafted_labels(made, path):
    """Draft a file with one column, and return the sentence and the labels of each read cell."""
    with path.open("w", newline="") as file:
        rows = [[cell, "fm"[place % 2]] for place, cell in enumerate(made.cells)]
        csv.writer(file, delimiter=";").writerows([[made.name, "sex"], *rows])
    judged = next(one for one in ind.inspect(path).owners.held[0] if one.evidence.name == made.name)
    shape = drawn(judged.evidence, judged.suggestion.kind)
    read = [row[0] for row in ind.preview(path, rows=len(made.cells)).rows]
    above = {}
    if shape.rule != KEPT_OR_HIDDEN:
        above = labels_above(judged.evidence, shape, every=True)
    return shape.said, [(cell, above.get(cell, ())) for cell in read]


@pytest.mark.parametrize("kind", KINDS)
def test_no_label_is_false(kind, tmp_path):
    for seed in range(max(1, COLUMNS // len(KINDS))):
        made = KINDS[kind](random.Random(f"{kind} {seed}"))
        said, cells = drafted_labels(made, tmp_path / "made.csv")
        assert "not true" not in said, (kind, seed)
        names = {cell for cell, _ in cells}
        for (cell, labels), truth in zip(cells, made.truths, strict=True):
            for label in labels[1:]:
                assert is_so(label, truth, cell), (kind, seed, label, cell)
                members = {one for one, path in cells if label in path[1:]}
                assert label not in names or members <= {label}, (kind, seed, label)


def test_the_judge_of_this_test_sees_a_false_label():
    made = KINDS["iso"](random.Random(1))
    day = made.truths[0]
    assert is_so(f"{day:%Y-%m}", day, made.cells[0])
    assert not is_so(f"{day.year + 1}-{day:%m}", day, made.cells[0])


def test_a_false_hierarchy_is_not_drafted():
    column = evidence("age", ["21", "22", "35"] * 3)
    rows = [("21", "20-29", "*"), ("22", "30-39", "*"), ("35", "30-39", "*")]
    found = checked(column, DraftedHierarchy("Bands.", rows=rows))
    assert found.rule == KEPT_OR_HIDDEN
    assert "1 labels of the hierarchy that was drawn are not true" in found.said


def test_a_group_gets_another_name_than_a_value():
    column = evidence("area", ["north", "a", "b"] * 3)
    rows = [("north", "north", "*"), ("a", "north", "*"), ("b", "b", "*")]
    found = checked(column, DraftedHierarchy("Groups.", rows=rows))
    assert found.rows is not None
    assert found.rows[1] == ("a", "north (group)", "*")
