"""Goals on the Adult table: how far made-up records are from the real ones they stand for."""

import csv
from itertools import combinations

import numpy as np
import pytest

import indistinct as ind
from shared import SHARED, needs

ADULT = SHARED / "data" / "adult" / "adult.csv"
INSIDE = 18_097
RUNS = 3
# Mean total variation of 2-way and of 3-way marginals at epsilon 1, a tenth more than measured.
GOALS = {"": (0.055, 0.132), 'focus = "salary-class"': (0.055, 0.121)}


def inside():
    """Return the people who are published: six of ten, always the same."""
    with ADULT.open(newline="") as file:
        header, *rows = csv.reader(file, delimiter=";")
    chosen = np.random.default_rng(7).permutation(len(rows))[:INSIDE]
    return header, [rows[at] for at in chosen]


def declare_adult(folder, header, rows, words):
    """Declare the table: every value is public, ages lie between 17 and 90."""
    with (folder / "adult.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", *header], *([n, *row] for n, row in enumerate(rows))])
    values = {
        name: sorted({row[at] for row in rows}) for at, name in enumerate(header) if name != "age"
    }
    path = folder / "adult.toml"
    ind.database.init(
        folder / "adult.csv", person="id", epsilon=50, out=path, bounds={"age": (17, 90)},
        values=values, delta=INSIDE**-2.0,
    )  # fmt: skip
    text = path.read_text("utf-8").replace('"canonne2020"', '"bun2016"')
    text = text.replace('type = "', 'complete = true\ntype = "')
    path.write_text(f"{text}\n[synthesis]\nbins = 37\n{words}\n", "utf-8")
    return path


def coded(rows, header):
    """Return every cell a number; ages in steps of two years."""
    cells = np.array(rows)
    parts = [np.unique(cells[:, at], return_inverse=True)[1] for at in range(len(header))]
    parts[header.index("age")] = (cells[:, header.index("age")].astype(int) - 17) // 2
    return np.stack(parts, axis=1)


def variation(one, other, n_real, columns):
    """Give half the sum of differences of the shares of all combinations of some columns."""
    both = np.concatenate([one[:, columns], other[:, columns]])
    _, cells = np.unique(both, axis=0, return_inverse=True)
    size = int(cells.max()) + 1
    shares = np.bincount(cells[:n_real], minlength=size) / n_real
    made = np.bincount(cells[n_real:], minlength=size) / (len(cells) - n_real)
    return np.abs(shares - made).sum() / 2


@pytest.mark.slow
@needs("data/adult/adult.csv")
@pytest.mark.parametrize("words", GOALS)
def test_made_up_adults_are_as_close_as_the_goal(tmp_path, words):
    header, rows = inside()
    path = declare_adult(tmp_path, header, rows, words)
    found = {2: [], 3: []}
    for _ in range(RUNS):
        made = ind.synthesize(path, epsilon="1", fresh=True).data
        order = [[str(cell) for cell in row] for row in made.select(header).rows()]
        codes = coded(rows + order, header)
        real, drawn = codes[: len(rows)], codes[len(rows) :]
        for ways, sums in found.items():
            sets = list(combinations(range(len(header)), ways))
            sets = [sets[at] for at in np.random.default_rng(1).permutation(len(sets))[:60]]
            sums += [np.mean([variation(real, drawn, len(rows), list(one)) for one in sets])]
    reached = np.mean(found[2]), np.mean(found[3])
    assert reached[0] <= GOALS[words][0]
    assert reached[1] <= GOALS[words][1]
