"""Rules between two numbers or dates: each record keeps them, and verification knows them, too."""

import csv
from datetime import date, timedelta
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import indistinct as ind
from indistinct.errors import IndistinctError, ParameterError
from indistinct.questions.checks import combinations, declared
from indistinct.questions.database.loading import load
from indistinct.questions.synthesis.forbidden import rules_of
from indistinct.questions.synthesis.ordered import in_order
from indistinct.questions.synthesis.plan import make_plan
from indistinct.synthetic_tables import verify_synthetic
from people import write_rows

DAYS = [str(date(2024, 1, 1) + timedelta(days=day)) for day in range(12)]
HEADER = ("id", "start", "paid", "closed", "booked", "left", "status")


def loan(number):
    """Make up one loan whose numbers and dates rise, with gaps."""
    start = number * 37 % 90
    paid, closed = start + number * 11 % 25, start + number * 11 % 25 + number % 8
    booked, left = number % 7, number % 7 + number % 5
    return (
        number,
        start,
        "" if number % 9 == 0 else paid,
        "" if number % 11 == 0 else closed,
        DAYS[booked],
        "" if number % 6 == 0 else DAYS[left],
        ("open", "closed")[number % 2],
    )


def loans(folder, words, n=400, columns=""):
    """Declare a table of loans, with these words besides; give the declaration's path."""
    data = write_rows(folder / "loans.csv", [loan(number) for number in range(n)], HEADER)
    path = folder / "loans.toml"
    ind.database.init(
        data, person="id", epsilon=200, delta=1e-7, out=path,
        bounds={"start": (0, 100), "paid": (0, 130), "closed": (5, 140)},
        values={"booked": DAYS, "left": DAYS, "status": ("open", "closed")},
    )  # fmt: skip
    text = path.read_text("utf-8")
    for name in filter(None, columns.split(",")):
        text = text.replace(f"[columns.{name}]\n", f"[columns.{name}]\ncomplete = true\n")
    path.write_text(f"{text}\n[synthesis]\n{words}\n", "utf-8")
    return path


def broken(frame, less, more):
    """Count the records that break a rule: an oracle of one line."""
    pairs = zip(frame[less], frame[more], strict=True)
    return sum(not {None, "other"} & {a, b} and a > b for a, b in pairs)


ONE = 'rules = ["start <= paid"]'
CHAIN = 'rules = ["start <= paid", "paid <= closed"]'
FORK = 'rules = ["start<=paid", " start <= closed "]'
DATES = 'rules = ["booked <= left"]'


@pytest.mark.parametrize("epsilon", ["0.1", "3", "50"])
@pytest.mark.parametrize(
    "words",
    [
        f"bins = 7\n{ONE}",
        f"bins = 5\n{CHAIN}",
        f"bins = 6\n{FORK}",
        f'focus = "status"\nbins = 6\n{CHAIN}',
        DATES,
        f'focus = "booked"\ncolumns = ["booked", "left", "status"]\n{DATES}',
    ],
)
def test_every_record_keeps_the_rules_and_the_table_holds(tmp_path, words, epsilon):
    path = loans(tmp_path, words)
    found = ind.synthesize(path, epsilon=epsilon, rows=1500)
    rules = load(path).synthesis.rules
    assert rules
    assert [broken(found.data, *rule) for rule in rules] == [0] * len(rules)
    assert "RULES sha256:" in ind.database.ledger(path).charges[0]["question"]
    found.write(tmp_path / "s.csv", model=tmp_path / "m.json")
    verdict = verify_synthetic(tmp_path / "s.csv", path, tmp_path / "m.json")
    assert verdict.faults == ()
    assert any("<=" in text for text in verdict.checked)


def test_points_and_cuts_of_forbidden_pairs_are_places_where_all_bins_end(tmp_path):
    """A chain of rules over bins that begin elsewhere could have no number in order."""
    forbidden = (
        '[[synthesis.forbidden]]\ncolumns = ["closed", "status"]\npairs = [["[33, 41)", "open"]]'
    )
    path = loans(tmp_path, f"bins = 4\n{CHAIN}\n{forbidden}")
    text = path.read_text("utf-8").replace(
        "[columns.paid]\n", "[columns.paid]\npoints = [20, 77]\n"
    )
    path.write_text(text, "utf-8")
    found = ind.synthesize(path, epsilon="1", rows=3000)
    assert broken(found.data, "start", "paid") == broken(found.data, "paid", "closed") == 0
    found.write(tmp_path / "s.csv", model=tmp_path / "m.json")
    assert verify_synthetic(tmp_path / "s.csv", path, tmp_path / "m.json").faults == ()
    parts = [
        set(column.bins) | {(point, point) for point in column.points}
        for column in make_plan(load(path), "1").columns
        if column.bounds is not None
    ]
    for one, other in product(set.union(*parts), repeat=2):
        assert one == other or one[1] < other[0] or other[1] < one[0]


def test_verification_finds_one_record_that_breaks_a_rule(tmp_path):
    """Two numbers of one bin are exchanged: every count of the model still fits."""
    path = loans(tmp_path, f"bins = 3\n{ONE}")
    ind.synthesize(path, epsilon="5", rows=800).write(tmp_path / "s.csv", model=tmp_path / "m.json")
    with (tmp_path / "s.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    at, after = header.index("start"), header.index("paid")
    width = 44
    row = next(
        row for row in rows
        if row[after] and int(row[at]) < int(row[after]) < width
    )  # fmt: skip
    row[at], row[after] = row[after], row[at]
    with (tmp_path / "t.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
    faults = verify_synthetic(tmp_path / "t.csv", path, tmp_path / "m.json").faults
    assert faults == ("start and paid: a record breaks the rule start <= paid",)


def test_verification_asks_for_a_model_that_keeps_the_rule(tmp_path):
    """A table that was made without the rule is refused under a declaration that has it."""
    path = loans(tmp_path, "bins = 7")
    ind.synthesize(path, epsilon="5").write(tmp_path / "s.csv", model=tmp_path / "m.json")
    path.write_text(path.read_text("utf-8") + ONE, "utf-8")
    assert not verify_synthetic(tmp_path / "s.csv", path, tmp_path / "m.json").holds


@pytest.mark.parametrize(
    "words", [f"bins = 9\n{CHAIN}", f"bins = 8\n{FORK}", DATES, f'focus = "left"\n{DATES}\n']
)
def test_maker_and_verification_know_the_same_codes_and_combinations(tmp_path, words):
    path = loans(tmp_path, words)
    plan = make_plan(load(path), "1")
    told = declared.declaration(path)
    books = declared.codebooks(told)
    focus = None if plan.focus is None else plan.focus.name
    assert {one.name: one.described() for one in plan.columns} == {
        name: book.described for name, book in books.items()
    }
    rules = rules_of(plan.dataset, plan.measured, plan.focus)
    found = combinations.combinations_of(told, books, focus)
    names = [column.name for column in plan.measured]
    assert len(rules.pairs) == found.n_given
    for (a, b), mask in rules.pairs.items():
        assert (mask == found.pairs[names[a], names[b]]).all()
    for name, mask in zip(names, rules.singles, strict=True):
        assert (mask == found.singles[name]).all()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ('rules = ["start < paid"]', "is not a rule between two columns"),
        ('rules = ["start <= paid <= closed"]', "is not a rule between two columns"),
        ('rules = ["start <= "]', "is not a rule between two columns"),
        ('rules = ["start <= nothing"]', "is not made up"),
        ('rules = ["start <= id"]', "is not made up"),
        ('rules = ["start <= start"]', "names one column twice"),
        ('rules = ["start <= booked"]', "not numbers or dates alike"),
        ('rules = ["status <= booked"]', "not numbers or dates alike"),
        ('rules = ["start <= paid", "paid <= start"]', "in both directions"),
        ('rules = ["start <= paid", "paid <= closed", "start <= closed"]', "in a circle"),
        (f'algorithm = "independent"\n{ONE}', "the algorithm independent"),
    ],
)
def test_rules_that_cannot_be_kept_are_refused_before_anything_is_charged(tmp_path, words, problem):
    path = loans(tmp_path, words)
    with pytest.raises(IndistinctError, match=problem):
        ind.synthesize(path, epsilon="1")


def test_bounds_beyond_a_rule_are_refused_where_nothing_is_missing(tmp_path):
    """A payment before every start could only stand beside a start that is missing."""
    words = 'columns = ["paid", "start", "closed"]\nrules = ["closed <= start"]'
    ind.synthesize(loans(tmp_path, words), epsilon="1")
    (tmp_path / "complete").mkdir()
    path = loans(tmp_path / "complete", words, columns="start,closed")
    with pytest.raises(ParameterError, match="beyond a rule"):
        ind.synthesize(path, epsilon="1")


def test_numbers_of_other_steps_are_refused(tmp_path):
    path = loans(tmp_path, ONE)
    text = path.read_text("utf-8")
    at = text.index("step = ", text.index("[columns.paid]"))
    path.write_text(f"{text[:at]}step = 0.5{text[text.index(chr(10), at) :]}", "utf-8")
    with pytest.raises(ParameterError, match="the same step"):
        ind.synthesize(path, epsilon="1")


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=1, max_size=30), st.data())
def test_exchanges_keep_every_rule_and_all_numbers_of_a_record(rows, data):
    """Rules that form a tree over four columns, with gaps."""
    rules = data.draw(
        st.sampled_from(
            [
                [("a", "b"), ("b", "c"), ("c", "d")],
                [("b", "a"), ("b", "c"), ("d", "c")],
                [("a", "b"), ("c", "d")],
            ]
        )
    )
    steps = {
        name: np.array(column) for name, column in zip("abcd", zip(*rows, strict=True), strict=True)
    }
    known = {name: np.array(column) != 0 for name, column in steps.items()}
    found = in_order(rules, steps, known)
    for less, more in rules:
        both = known[less] & known[more]
        assert (found[less][both] <= found[more][both]).all()
    for row in range(len(rows)):
        assert sorted(one[row] for one in found.values()) == sorted(rows[row])


def test_two_numbers_of_one_bin_are_as_likely_as_any_other_two_in_order(tmp_path):
    """Of 0 to 3 there are ten pairs in order: equal ones 1/16, others 2/16, within 5 deviations."""
    chance = np.random.default_rng(1)
    steps = {name: chance.integers(0, 4, 16000) for name in "ab"}
    known = {name: np.ones(16000, bool) for name in "ab"}
    found = in_order([("a", "b")], steps, known)
    for a, b in product(range(4), repeat=2):
        expected = 16000 * (0 if a > b else (1 if a == b else 2)) / 16
        count = ((found["a"] == a) & (found["b"] == b)).sum()
        assert abs(count - expected) <= 5 * expected**0.5
