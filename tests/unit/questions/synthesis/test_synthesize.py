"""Made-up records of a declared table: what is charged, drawn, written and refused."""

import csv
import json
from itertools import pairwise

import pytest

import indistinct as ind
from indistinct.errors import BudgetExceededError, OutputError, ParameterError, PolicyError
from indistinct.frontends.cli.main import status
from indistinct.questions.database.session import open_session
from indistinct.questions.synthesis.request import price_of
from people import declare, person

DELTA = 1e-7


@pytest.fixture
def declared(tmp_path):
    """Six hundred people, counted in rho."""
    return declare(tmp_path, [person(n) for n in range(600)], 10, delta=DELTA)


def changed(path, old, new):
    """Change one place of a declaration."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    return path


def with_words(path, words):
    """Add the table ``[synthesis]``."""
    path.write_text(f"{path.read_text('utf-8')}\n[synthesis]\n{words}\n", "utf-8")
    return path


def test_records_have_the_declared_columns_and_values(declared):
    found = ind.synthesize(declared, epsilon="3")
    assert found.data.columns == ["age", "weight", "sex", "city"]
    assert set(found.data["sex"]) <= {"F", "M", "other", None}
    assert found.data["age"].drop_nulls().is_between(0, 100).all()
    assert found.data["weight"].drop_nulls().is_between(0, 200).all()
    assert found.manifest["rows"] == found.data.height
    assert abs(found.data.height - 600) < 100


def test_the_same_request_costs_once_and_draws_anew(declared):
    first = ind.synthesize(declared, epsilon="1")
    again = ind.synthesize(declared, epsilon="1", rows=50)
    assert first.charged == first.manifest["rho"] > 0
    assert again.charged == 0
    assert again.left == first.left
    assert again.model == first.model
    assert again.data.height == 50
    fresh = ind.synthesize(declared, epsilon="1", fresh=True)
    assert fresh.charged == first.charged
    assert fresh.model != first.model


@pytest.mark.parametrize("words", ["bins = 8", 'focus = "sex"', 'algorithm = "independent"'])
def test_another_request_is_paid_for(declared, words):
    ind.synthesize(declared, epsilon="1")
    assert ind.synthesize(with_words(declared, words), epsilon="1").charged > 0


def test_charges_stay_within_the_price_and_the_ledger_has_it(declared):
    found = ind.synthesize(declared, epsilon="1").manifest
    assert sum(one["amount"] for one in found["charges"]) <= round(found["rho"] * 1e9)
    charge = ind.database.ledger(declared).charges[-1]
    assert charge["number"] == found["ledger_entry"]
    assert charge["rho"] == found["rho"]
    assert charge["question"].startswith("SYNTHESIZE mst (age 27, weight 33")


def test_nothing_is_read_before_the_charge_is_on_disk(declared, monkeypatch):
    """A crash on the first look at the data leaves the charge behind."""
    from indistinct.questions.synthesis import domain

    def crash(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(domain.EngineCounts, "_counted", crash)
    with pytest.raises(KeyboardInterrupt):
        ind.synthesize(declared, epsilon="1")
    charge = ind.database.ledger(declared).charges[-1]
    assert charge["charged"] > 0
    assert not charge["answered"]


def test_what_exceeds_the_budget_is_refused_and_costs_nothing(declared):
    with pytest.raises(BudgetExceededError):
        ind.synthesize(declared, epsilon="11")
    assert ind.database.ledger(declared).spent == 0


def test_the_database_counts_as_plain_python_does(tmp_path):
    """Exact counts against a loop over the file: bins, points, values, missing, other."""
    from indistinct.questions.synthesis.domain import EngineCounts
    from indistinct.questions.synthesis.plan import make_plan

    rows = [person(n) for n in range(300)] + [
        (1000, "", 10, "F", "a", ""),
        (1001, 0, "", "", "z", ""),
        (1002, -5, 500, "X", "c", ""),
        (1003, "nan", "inf", "F", "b", ""),
    ]
    path = declare(tmp_path, rows, 10, delta=DELTA, steps={"age": 1})
    changed(path, "[columns.age]\n", "[columns.age]\npoints = [0]\n")
    with open_session(path) as session:
        plan = make_plan(session.dataset, "1")
        counts = EngineCounts(session.engine, plan.dataset, plan.measured)
        ages, sexes = counts.single(0)[:, 0], counts.single(2)[:, 0]
        pairs = counts.pair(0, 2)[..., 0]
    age, sex = plan.columns[0], plan.columns[2]
    expected = [[0] * sex.n_codes for _ in range(age.n_codes)]
    for row in rows:
        expected[age_code(age, row[1])][{"F": 0, "M": 1, "": 3}.get(row[3], 2)] += 1
    assert pairs.tolist() == expected
    assert ages.tolist() == [sum(row) for row in expected]
    assert sexes.tolist() == [sum(column) for column in zip(*expected, strict=True)]


def age_code(age, cell):
    if cell in {"", "nan"}:
        return age.n_codes - 1
    step = min(max(cell, 0), 100)
    if step == 0:
        return age.n_codes - 2
    return next(at for at, (low, high) in enumerate(age.bins) if low <= step <= high)


def test_rows_beyond_the_limit_of_a_person_do_not_count(tmp_path):
    rows = [person(n) for n in range(300)] + [(7, 50, 50, "F", "a", "x")] * 5000
    path = declare(tmp_path, rows, 10, delta=DELTA)
    found = ind.synthesize(path, epsilon="10", rows=5)
    assert abs(sum(found.model["totals"]) - 300) < 60


def test_a_complete_column_has_no_codes_for_missing_and_other(declared):
    changed(declared, "[columns.sex]\n", "[columns.sex]\ncomplete = true\n")
    found = ind.synthesize(declared, epsilon="1")
    assert set(found.data["sex"]) <= {"F", "M"}
    assert {"name": "sex", "codes": 2, "joined": 2} in found.manifest["columns"]


def test_a_focus_is_kept_and_written_in_its_place(declared):
    found = ind.synthesize(
        with_words(declared, 'columns = ["age", "sex", "city"]\nfocus = "sex"'), epsilon="3"
    )
    assert found.data.columns == ["age", "sex", "city"]
    assert found.manifest["focus"] == "sex"
    assert len(found.manifest["tree"]) == 1


def test_the_baseline_keeps_no_pairs(declared):
    found = ind.synthesize(with_words(declared, 'algorithm = "independent"'), epsilon="1")
    assert found.manifest["tree"] == []
    assert [one["step"] for one in found.manifest["charges"]] == ["columns"]


def test_one_record_comes_out_of_none(tmp_path):
    path = declare(tmp_path, [(1, 5, 5, "F", "a", "x")], 100, delta=DELTA, types={"note": "text"})
    assert ind.synthesize(path, epsilon="20").data.height >= 1


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ('focus = "nose"', "synthesis.focus"),
        ('columns = ["age", "age"]', "synthesis.columns"),
        ('columns = ["age", "note"]', "synthesis.columns"),
        ('columns = ["age", "id"]', "synthesis.columns"),
        ("bins = 0", "synthesis.bins"),
        ('columns = ["age", "sex"]\nfocus = "city"', "synthesis.focus"),
        ('algorithm = "magic"', "synthesis.algorithm"),
    ],
)
def test_what_the_declaration_forbids_is_refused_with_its_place(declared, words, place):
    with pytest.raises(PolicyError) as caught:
        ind.synthesize(with_words(declared, words), epsilon="1")
    assert [fault.place for fault in caught.value.faults] == [place]


@pytest.mark.parametrize(
    "words", ["points = [200]", "points = [0.5]", "points = [0, 0]", 'complete = "yes"']
)
def test_words_of_a_column_are_checked(declared, words):
    with pytest.raises(PolicyError):
        ind.synthesize(
            changed(declared, "[columns.age]\n", f"[columns.age]\n{words}\n"), epsilon="1"
        )


def test_everything_that_is_missing_is_said_at_once(tmp_path):
    path = declare(tmp_path, [person(n) for n in range(20)], 10)
    with_words(path, 'columns = ["age"]')
    with pytest.raises(ParameterError) as caught:
        ind.synthesize(path, epsilon="nothing")
    assert [fault.place for fault in caught.value.faults][:2] == [
        "budget.accounting",
        "synthesis.columns",
    ]
    assert len(caught.value.faults) == 3
    assert ind.database.ledger(path).spent == 0


def test_a_file_that_is_no_made_up_table_is_never_replaced(declared, tmp_path):
    out = tmp_path / "mine.csv"
    out.write_text("precious")
    assert status(
        ["synthesize", str(declared), "--epsilon", "1", "--out", str(out)], show_values=False
    )
    assert out.read_text() == "precious"
    assert ind.database.ledger(declared).spent == 0
    with pytest.raises(OutputError):
        ind.synthesize(declared, epsilon="1").write(out)


def test_the_command_writes_records_manifest_and_model(declared, tmp_path, capsys):
    out, model = tmp_path / "s.csv", tmp_path / "model.json"
    arguments = ["synthesize", str(declared), "--epsilon", "1", "--out", str(out), "--rows", "40"]
    assert status([*arguments, "--model", str(model), "--json"], show_values=False) == 0
    said = json.loads(capsys.readouterr().out)
    manifest = json.loads((tmp_path / "s.csv.manifest.json").read_text("utf-8"))
    assert manifest == {name: said[name] for name in manifest}
    with out.open() as file:
        assert len(list(csv.reader(file))) == 41
    assert json.loads(model.read_text("utf-8"))["rho"] == manifest["rho"]
    assert not {"rows_in", "input", "input_sha256", "input_rows"} & set(manifest)
    assert status(arguments, show_values=False) == 2
    assert "Add --replace" in capsys.readouterr().err
    assert status([*arguments, "--replace"], show_values=False) == 0


def test_a_dry_run_costs_nothing(declared, capsys):
    arguments = ["synthesize", str(declared), "--epsilon", "1", "--dry-run", "--json"]
    assert status(arguments, show_values=False) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["price"] == price_of(declared, "1").price
    assert set(said["scales"]) == {"columns", "tree", "pairs"}
    assert ind.database.ledger(declared).spent == 0


def test_the_bound_on_membership_of_the_worked_example(tmp_path):
    """Epsilon 1 at delta 1e-9: 7.7 % by proposition 1.3; it rises with epsilon, up to 1."""
    path = declare(tmp_path, [person(n) for n in range(20)], 10, delta=1e-9)
    text = path.read_text("utf-8").replace('conversion = "canonne2020"\n', "threshold_delta = 0\n")
    path.write_text(text, "utf-8")
    assert price_of(path, "1").price == 0.011781160
    assert price_of(path, "1").membership_bound == pytest.approx(0.0767, abs=1e-4)
    bounds = [price_of(path, epsilon).membership_bound for epsilon in ("0.1", "1", "5", "5000")]
    assert all(low < high for low, high in pairwise(bounds))
    assert bounds[-1] <= 1
