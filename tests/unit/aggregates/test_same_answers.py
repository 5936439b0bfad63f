"""The published files are a function of what is counted: not of order, engine, cores or others."""

import subprocess
import sys

import polars as pl
import pytest

import indistinct as ind
from count_tables import Reader, by_two, records
from shared import environment

GRID = [[2, 9, 6, 3], [8, 4, 7, 12], [5, 7, 9, 2]]


def data():
    return by_two(GRID)


def files(table, **words):
    return ind.tabulate(table, rows="a", columns="b", minimum=5, **words).files()


def test_the_order_of_the_records_changes_nothing():
    shuffled = data().sample(fraction=1.0, shuffle=True, seed=3)
    assert files(shuffled) == files(data())


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_every_engine_counts_the_same(tmp_path, engine):
    path = tmp_path / "people.csv"
    data().write_csv(path)
    assert files(str(path), engine=engine) == files(data())


def test_whatever_frame_is_given_comes_back():
    pandas, polars = data().to_pandas(), data()
    published = ind.tabulate(pandas, rows="a", columns="b", minimum=5)
    frame = published.frame()
    assert type(frame).__module__.startswith("pandas")
    assert str(frame["value"].dtype) == "Int64"
    assert files(pandas) == files(polars)
    assert files(polars.lazy()) == files(polars)


SCRIPT = """
import hashlib, highspy, json, sys
import numpy as np, polars as pl
if sys.argv[1] != "alone":
    # Another program in this process uses the solver with other threads.
    highspy.Highs.resetGlobalScheduler(True)
    other = highspy.Highs()
    other.setOptionValue("output_flag", False)
    other.setOptionValue("threads", int(sys.argv[1]))
    one = other.addVariable(lb=0, ub=4)
    other.addConstr(one >= 1)
    other.minimize(one)
import indistinct as ind
found = ind.tabulate(pl.read_csv(sys.argv[2]), rows="a", columns="b", minimum=5).files()
print()
print(json.dumps({name: hashlib.sha256(part).hexdigest() for name, part in found.items()}))
"""


def test_other_users_of_the_solver_change_nothing(tmp_path):
    path = tmp_path / "people.csv"
    data().write_csv(path)
    told = set()
    for threads in ("alone", "2"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, threads, str(path)],
            capture_output=True, text=True, check=False, env=environment(),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        told.add(done.stdout.splitlines()[-1])
    assert len(told) == 1


def test_every_truth_that_looks_alike_has_the_same_witnesses():
    """Each complete table is taken for the truth: if the same cells are hidden, all is the same."""
    n_alike = 0
    for number in range(6):
        grid = [
            [(3 * row + 5 * column + number) % 9 + 1 for column in range(3)] for row in range(3)
        ]
        first = ind.tabulate(by_two(grid), rows="a", columns="b", minimum=4, effort="fast")
        if first.witnesses is None:
            continue
        for other in list(Reader(first).tables(most=8)):
            labels = [
                sorted({key[place] for key in other | Reader(first).shown}) for place in (0, 1)
            ]
            labels = [[label for label in own if label != "*"] for own in labels]
            known = Reader(first).shown | other
            truth = [[known[row, column] for column in labels[1]] for row in labels[0]]
            second = ind.tabulate(
                records(("a", "b"), truth, labels), rows="a", columns="b", minimum=4, effort="fast"
            )
            if second.files()["table.csv"] == first.files()["table.csv"]:
                n_alike += 1
                assert second.files() == first.files()
    assert n_alike >= 20


def test_what_checks_loads_neither_numpy_nor_the_solver(tmp_path):
    ind.tabulate(data(), rows="a", columns="b", minimum=5).write(tmp_path / "out")
    source = (
        "import sys; from indistinct.aggregates import verify_tables;"
        f"found = verify_tables({str(tmp_path / 'out')!r}); print(found.holds,"
        "sorted({'numpy', 'polars', 'highspy', 'scipy', 'pydantic'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", source],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    assert done.stdout.split("\n")[0] == "True []"


def test_a_table_is_read_back_with_its_note(tmp_path):
    ind.tabulate(data(), rows="a", columns="b", minimum=5).write(tmp_path / "out")
    table = ind.read_table(tmp_path / "out" / "table.csv")
    assert table.note["measures"]["count"]["hidden"] == {"mark": "c", "at_least": 1, "reaches": 5}
    assert table.frame["value"].dtype == pl.Int64
    n_hidden = table.frame["value"].null_count()
    assert n_hidden == (table.frame["mark"] == "c").sum() > 0
    bounds = ind.bounds(table)
    assert bounds.columns == ["a", "b", "measure", "low", "high"]
    assert bounds["high"].null_count() == n_hidden
    assert bounds["low"].min() == 1
    text = (tmp_path / "out" / "table.csv").read_text("utf-8")
    (tmp_path / "out" / "table.csv").write_text(text.replace(",c\n", ",.\n", 1), "utf-8")
    with pytest.raises(ind.DataError, match="neither a value nor a mark"):
        ind.read_table(tmp_path / "out" / "table.csv")
