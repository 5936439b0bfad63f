"""Each planted bug is found by the check, by the recount, or by listing the tables that fit."""

import csv
import gzip
import io
import json

import pytest

import indistinct as ind
from count_tables import by_two
from indistinct.aggregates.audit import audit
from indistinct.aggregates.check import check_texts
from indistinct.aggregates.equations import Equations
from indistinct.aggregates.shown import CountPromise, Shown, shown_of

GRID = [[2, 9, 6], [8, 4, 7], [5, 7, 9]]
WITNESSES = "witnesses.csv.gz"


@pytest.fixture(scope="module")
def published():
    return ind.tabulate(by_two(GRID), rows="a", columns="b", minimum=5)


def rows_of(content):
    return list(csv.reader(io.StringIO(content.decode())))


def text_of(rows):
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue().encode()


def with_witnesses(files, change):
    rows = rows_of(gzip.decompress(files[WITNESSES]))
    return {**files, WITNESSES: gzip.compress(text_of(change(rows)))}


def with_table(files, change, *, is_honest=True):
    """Change a table, and the hash of it in the manifest."""
    import hashlib

    content = text_of(change(rows_of(files["table.csv"])))
    manifest = json.loads(files["manifest.json"])
    if is_honest:
        manifest["tables"][0]["sha256"] = hashlib.sha256(content).hexdigest()
    return {**files, "table.csv": content, "manifest.json": json.dumps(manifest).encode()}


def with_manifest(files, change):
    manifest = json.loads(files["manifest.json"])
    change(manifest)
    return {**files, "manifest.json": json.dumps(manifest).encode()}


def replaced(labels, value, mark):
    """Give the line of a cell another value and mark."""

    def change(rows):
        return [[*row[:-2], value, mark] if row[: len(labels)] == labels else row for row in rows]

    return change


def constant(rows):
    """Let each hidden cell have one value in all complete tables."""
    header, *lines = rows
    return [header, *([*line[:3], line[3], line[3]] for line in lines)]


BUGS = {
    "witness constant": lambda f: with_witnesses(f, constant),
    "witness missing": lambda f: with_witnesses(f, lambda rows: rows[:-1]),
    "witness twice": lambda f: with_witnesses(f, lambda rows: [*rows, rows[-1]]),
    "witness of a published cell": lambda f: with_witnesses(
        f, lambda rows: [*rows, ["a3", "b1", "count", "5", "5"]]
    ),
    "witness below what everybody knows": lambda f: with_witnesses(
        f, lambda rows: [[cell.replace("10", "0") for cell in row] for row in rows]
    ),
    "one witness": lambda f: with_witnesses(f, lambda rows: [row[:-1] for row in rows]),
    "witness not whole": lambda f: with_witnesses(
        f, lambda rows: [[cell.replace("11", "10.5") for cell in row] for row in rows]
    ),
    "published cell off by 1": lambda f: with_table(f, replaced(["a3", "b2"], "8", "")),
    "published cell changed": lambda f: with_table(
        f, replaced(["a3", "b2"], "8", ""), is_honest=False
    ),
    "hidden cell shown": lambda f: with_table(f, replaced(["a1", "b1"], "2", "")),
    "key twice": lambda f: with_table(f, lambda rows: [*rows, rows[-1]]),
    "primary marked": lambda f: with_table(f, replaced(["a1", "b1"], "", "p")),
    "line lost": lambda f: with_table(f, lambda rows: rows[:-1]),
    "label of nobody": lambda f: with_table(
        f, lambda rows: [[cell.replace("a3", "a9") for cell in row] for row in rows]
    ),
    "weaker promise": lambda f: with_manifest(f, lambda m: m["promise"].update(reaches=3)),
    "lower least": lambda f: with_manifest(f, lambda m: m["promise"].update(at_least=0)),
    "dimension lost": lambda f: with_manifest(
        f, lambda m: m["notes"]["table"]["dimensions"].pop()
    ),
    "level invented": lambda f: with_manifest(
        f, lambda m: m["notes"]["table"]["dimensions"][0]["levels"][0].update(a1="a2")
    ),
    "not packed": lambda f: {**f, WITNESSES: b"a,b,measure,w1,w2\n"},
    "no manifest": lambda f: {**f, "manifest.json": b"{}"},
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_the_check_finds_what_is_wrong_in_files(published, bug):
    files = published.files()
    assert check_texts(files, None).holds is True
    found = check_texts(BUGS[bug](files), None)
    assert found.holds is False
    assert found.reasons


def test_the_check_compares_with_the_policy_that_somebody_has(published):
    files = published.files()
    words = {"publish": {"rules": [{"minimum": 5}], "tables": [{"rows": ["a"], "columns": ["b"]}]}}
    assert check_texts(files, words).holds is True
    for changed in ({"rules": [{"minimum": 11}]}, {"zeros": "hide"}, {"width": 2}):
        assert check_texts(files, {"publish": {**words["publish"], **changed}}).holds is False


def test_a_manifest_does_not_count_the_small_cells(published):
    text = json.dumps(published.manifest)
    assert "primary" not in text
    assert '"below"' not in text
    assert published.owner["below"] == 2


def test_hidden_cells_stand_in_no_order_of_their_values(published):
    for content in published.files().values():
        text = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
        lines = [line for line in text.decode().splitlines() if line.startswith(("a1,b", "a2,b"))]
        assert lines == sorted(lines)


def test_the_witnesses_do_not_begin_with_the_truth(published):
    """They are the same for every truth that looks alike."""
    other = ind.tabulate(
        by_two([[3, 8, 6], [7, 5, 7], [5, 7, 9]]), rows="a", columns="b", minimum=5
    )
    mine, others = published.files(), other.files()
    if mine["table.csv"] == others["table.csv"]:
        assert mine[WITNESSES] == others[WITNESSES]
    frame = published.witnesses
    truth = [2, 9, 8, 4]
    assert all(frame[name].to_list() != truth for name in frame.columns[3:])


def square(values, lower):
    """Return four hidden cells of two rows and two columns, whose sums are shown."""
    import numpy as np

    starts, cells = np.array([0, 2, 4, 6, 8]), np.array([0, 1, 2, 3, 0, 2, 1, 3])
    signs = np.full(8, -1)
    equations = Equations(starts, cells, signs, 4)
    return Shown(np.full(4, lower), equations, equations.sums(np.array(values)))


def test_what_everybody_knows_decides_what_is_proven():
    """With zeros shown, nobody believes a hidden zero; with zeros hidden, everybody may."""
    assert audit(square([1, 1, 5, 4], 0), CountPromise(1, 2)).holds
    assert len(audit(square([1, 1, 5, 4], 1), CountPromise(1, 2)).refuted) == 4


def test_a_dimension_that_is_left_out_leaves_cells_unprotected():
    import numpy as np

    whole = square([2, 9, 8, 4], 1)
    hidden = np.ones(4, np.bool_)
    fewer = shown_of(
        np.zeros(4, np.int64), hidden, whole.lower, whole.equations.chosen(np.arange(2))
    )
    assert fewer.equations.n_rows == 2
    found = audit(Shown(whole.lower, fewer.equations, whole.right[:2]), CountPromise(1, 5))
    assert found.holds  # as it seems to whoever forgets the columns
    table = found.tables[0]
    assert (whole.equations.sums(table) != whole.right).any()


def test_the_recount_finds_a_false_owner_and_other_records(published, tmp_path):
    folder, owner = tmp_path / "out", published.owner
    published.write(folder)
    data = by_two(GRID)
    assert ind.verify(folder, original=data, owner=owner).holds
    assert not ind.verify(folder, original=data[1:]).holds
    alone = ind.tabulate(
        by_two([[2, 9, 6], [8, 1, 7], [5, 7, 9]]), rows="a", columns="b", minimum=5
    )
    alone.write(tmp_path / "alone")
    records = by_two([[2, 9, 6], [8, 1, 7], [5, 7, 9]])
    good = alone.owner
    assert ind.verify(tmp_path / "alone", original=records, owner=good).holds
    # The move that nobody who is alone can exclude is left out.
    worse = {**good, "proofs": [[key, numbers[:1]] for key, numbers in good["proofs"]]}
    first = {tuple(key): numbers for key, numbers in good["proofs"]}
    if any(len(numbers) > 1 for numbers in first.values()):
        assert not ind.verify(tmp_path / "alone", original=records, owner=worse).holds
    changed = json.loads(json.dumps(owner))
    changed["moves"][0]["changes"][0][1] += 1
    assert not ind.verify(folder, original=data, owner=changed).holds
    changed = json.loads(json.dumps(owner))
    changed["primary"].pop()
    assert not ind.verify(folder, original=data, owner=changed).holds
