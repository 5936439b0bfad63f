"""A made-up table that follows from its model passes; whatever is changed is found."""

import copy
import csv
import json

import numpy as np
import pytest

import indistinct as ind
from indistinct.base.files.documents import json_text
from indistinct.frontends.cli.main import status
from indistinct.questions.checks.model import expected_joining, is_projected
from indistinct.questions.checks.projections import distance_to_nearest, is_nearest_to_total
from indistinct.questions.database.initialize import init
from indistinct.questions.synthesis.compression import join
from indistinct.questions.synthesis.counts import ColumnDomain
from indistinct.questions.synthesis.projection import onto_margins, onto_total
from indistinct.synthetic_tables import verify_synthetic
from people import declare, person, write_rows


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A made-up table with its declaration and its model; nobody writes here."""
    folder = tmp_path_factory.mktemp("made")
    path = declare(folder, [person(n) for n in range(900)], 20, delta=1e-7)
    text = path.read_text("utf-8").replace("[columns.age]\n", "[columns.age]\npoints = [0, 100]\n")
    path.write_text(f'{text}\n[synthesis]\nfocus = "sex"\nbins = 12\n', "utf-8")
    found = ind.synthesize(path, epsilon="5")
    found.write(folder / "s.csv", model=folder / "m.json")
    with (folder / "s.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    return path, rows, json.loads((folder / "m.json").read_text("utf-8"))


def verdict(made, folder, rows=None, model=None):
    """Verify the table, with other rows or another model."""
    path, known, own = made
    with (folder / "t.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(known if rows is None else rows)
    (folder / "m.json").write_text(json_text(own if model is None else model), "utf-8")
    return verify_synthetic(folder / "t.csv", path, folder / "m.json")


def test_what_was_made_holds(made, tmp_path):
    assert verdict(made, tmp_path).faults == ()


@pytest.mark.parametrize("algorithm", ["mst", "independent"])
def test_a_table_without_focus_holds(tmp_path, algorithm):
    path = declare(tmp_path, [person(n) for n in range(300)], 20, delta=1e-7)
    path.write_text(f'{path.read_text("utf-8")}\n[synthesis]\nalgorithm = "{algorithm}"\n', "utf-8")
    ind.synthesize(path, epsilon="2").write(tmp_path / "s.csv", model=tmp_path / "m.json")
    assert verify_synthetic(tmp_path / "s.csv", path, tmp_path / "m.json").faults == ()


def test_dates_with_bounds_are_left_out(tmp_path):
    """They bound the days that questions may ask for, and are no numbers of which bins are made."""
    rows = [(n, "FM"[n % 2], "ab"[n % 3 % 2], f"2020-03-{n % 28 + 1:02}") for n in range(300)]
    data = write_rows(tmp_path / "seen.csv", rows, header=("id", "sex", "ward", "seen"))
    values = {"sex": ["F", "M"], "ward": ["a", "b"]}
    path = tmp_path / "seen.toml"
    init(data, person="id", epsilon=20, delta=1e-7, values=values, out=path)
    assert 'bounds = [\n  "1' in path.read_text("utf-8")
    made = ind.synthesize(path, epsilon="2")
    assert made.data.columns == ["sex", "ward"]
    made.write(tmp_path / "s.csv", model=tmp_path / "m.json")
    assert verify_synthetic(tmp_path / "s.csv", path, tmp_path / "m.json").faults == ()


def test_real_records_in_place_of_made_up_ones_are_found(made, tmp_path):
    _, rows, _ = made
    copied = [rows[0], *([rows[1]] * 40), *rows[41:]]
    assert any("do not follow" in fault for fault in verdict(made, tmp_path, copied).faults)


def test_a_cell_outside_the_domain_is_found(made, tmp_path):
    _, rows, _ = made
    for cell in ("101", "-1", "0.5", "abc", "1e999999"):
        changed = [rows[0], [cell, *rows[1][1:]], *rows[2:]]
        assert "columns.age" in verdict(made, tmp_path, changed).faults[0]


def test_other_columns_are_found(made, tmp_path):
    _, rows, _ = made
    assert verdict(made, tmp_path, [row[:-1] for row in rows]).faults


def less_noise(model):
    model["charges"][0]["scale"] /= 2


def more_sensitive(model):
    model["charges"][0]["sensitivity_squared"] -= 1


def cheaper(model):
    model["charges"][2]["amount"] -= 10_000


def greater_rho(model):
    model["rho"] *= 1.01


def smaller_epsilon(model):
    model["epsilon"] = "4.99"


def moved_record(model):
    model["columns"][0]["counts"][0][0] += 1
    model["columns"][0]["counts"][1][0] -= 1


def moved_pair(model):
    """Two records change places, so that all sums stay."""
    table = model["edges"][0]["counts"]
    for i, j, by in ((0, 0, 3), (0, 1, -3), (1, 0, -3), (1, 1, 3)):
        table[i][j][0] += by


def greater_total(model):
    model["totals"][0] += 2


def lost_edge(model):
    del model["edges"][0]


def doubled_edge(model):
    model["edges"][1] = model["edges"][0]


@pytest.mark.parametrize(
    "change",
    [
        less_noise, more_sensitive, cheaper, greater_rho, smaller_epsilon, moved_record, moved_pair,
        greater_total, lost_edge, doubled_edge,
    ],
)  # fmt: skip
def test_a_changed_model_is_found(made, tmp_path, change):
    model = copy.deepcopy(made[2])
    change(model)
    assert verdict(made, tmp_path, model=model).faults


def test_something_else_is_no_model(made, tmp_path):
    assert verdict(made, tmp_path, model={"kind": "something"}).faults


def test_the_command_says_what_no_check_can_tell(made, tmp_path, capsys):
    path, rows, model = made
    verdict(made, tmp_path)
    arguments = ["verify", str(tmp_path / "t.csv"), "--declaration", str(path)]
    full = [*arguments, "--model", str(tmp_path / "m.json"), "--json"]
    assert status(full, show_values=False) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["holds"] is True
    assert len(said["cannot_tell"]) == 4
    less_noise(changed := copy.deepcopy(model))
    verdict(made, tmp_path, rows, changed)
    assert status(full, show_values=False) == 1
    assert status(arguments, show_values=False) == 2


def test_the_conditions_accept_the_nearest_counts_alone():
    """The worked example: e = (9, 4, -2), v = (1, 1, 4), N = 10 gives (7.5, 2.5, 0)."""
    noisy, variances = np.array([9.0, 4.0, -2.0]), np.array([1.0, 1.0, 4.0])
    assert is_nearest_to_total(np.array([7.5, 2.5, 0.0]), noisy, variances, 10)
    assert not is_nearest_to_total(np.array([7.0, 3.0, 0.0]), noisy, variances, 10)
    assert not is_nearest_to_total(np.array([7.5, 2.0, 0.5]), noisy, variances, 10)


def test_the_distance_to_the_nearest_table_is_seen():
    """The worked example of pairs, and a table with the same sums that is not the nearest."""
    noisy = np.array([[12.0, -3, 1], [2, 6, 4]])
    rows, columns = np.array([10.0, 12.0]), np.array([12.0, 5.0, 5.0])
    nearest = np.array([[10.0, 0, 0], [2, 5, 5]])
    other = np.array([[9.0, 1, 0], [3, 4, 5]])
    assert distance_to_nearest(nearest, noisy, rows, columns) < 1e-3
    assert (
        distance_to_nearest(other, noisy, rows, columns) >= np.linalg.norm(other - nearest) - 1e-3
    )


@pytest.mark.parametrize("seed", [21, 44, 97, 178, 208, 454, 988])
def test_what_rounding_leaves_under_much_noise_is_no_distance(seed: int) -> None:
    """Sums meet to a millionth; levels as high as this noise made records of it."""
    chance = np.random.default_rng(seed)
    shape = int(chance.integers(2, 60)), int(chance.integers(2, 6))
    people, scale = int(chance.integers(1, 2000)), 10 ** chance.uniform(2.5, 4.5)
    shares = chance.dirichlet(np.full(shape[0] * shape[1], 0.1))
    exact = chance.multinomial(people, shares).reshape(shape)
    noisy = exact + np.rint(chance.normal(0, scale, shape))
    total = people + chance.normal(0, scale)
    sums = []
    for axis, n in ((1, shape[0]), (0, shape[1])):
        own = exact.sum(axis=axis) + np.rint(chance.normal(0, scale, n))
        sums.append(onto_total(own, chance.uniform(0.5, 2, n), total).round(6))
    found, allowed = onto_margins(noisy, *sums).round(6), np.ones(shape, np.bool_)
    assert is_projected(found, noisy, *sums, allowed)
    of_others = onto_margins(exact.astype(float), *sums).round(6)
    assert not is_projected(of_others, noisy, *sums, allowed)


@pytest.mark.parametrize(
    ("noisy", "n_bins", "scale", "expected"),
    [
        # Words: 3 and -2 lie below 3 * 2.
        ([[9], [3], [20], [-2]], 0, 2.0, [0, 2, 1, 2]),
        # Bins: 7 stands; 5 + 4 is at least 6 * sqrt(2); the last two go to the bins below; a point.
        ([[7], [5], [4], [1], [0], [-9]], 5, 2.0, [0, 1, 1, 1, 1, 2]),
        # Nothing stands out: all bins are one.
        ([[1], [0], [50]], 2, 2.0, [0, 0, 1]),
        # Two codes of the focus: 7 + 1 lies below 6 * sqrt(2), and 7 + 2 does not.
        ([[7, 1], [7, 2]], 0, 2.0, [1, 0]),
    ],
)
def test_joining_as_counted_by_hand(noisy, n_bins, scale, expected):
    attribute = ColumnDomain("one", len(noisy), n_bins)
    assert expected_joining(noisy, n_bins, scale) == expected
    assert join(attribute, np.array(noisy), scale).groups.tolist() == expected


def test_codes_that_are_joined_otherwise_are_found(made, tmp_path):
    """The first two joined codes of a column become one, and all that follows from it is lost."""
    model = copy.deepcopy(made[2])
    column = next(one for one in model["columns"] if max(one["joined"]) > 1)
    column["joined"] = [max(0, number - 1) for number in column["joined"]]
    column["counts"] = [
        [round(sum(pair), 6) for pair in zip(*column["counts"][:2], strict=True)],
        *column["counts"][2:],
    ]
    for edge in model["edges"]:
        if column["name"] in edge["columns"]:
            at = edge["columns"].index(column["name"])
            for word in ("noisy", "counts"):
                starts = [0, *range(2, np.shape(edge[word])[at])]
                edge[word] = np.add.reduceat(edge[word], starts, axis=at).round(6).tolist()
    faults = verdict(made, tmp_path, model=model).faults
    assert f"columns.{column['name']}: its noisy counts ask for other joined codes" in faults
