"""Whatever stands in the rows, in whatever order: the same columns, and one charge."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.base.randomness import RandomSource
from indistinct.questions.database import open_session
from indistinct.questions.synthesis.domain import EngineCounts
from indistinct.questions.synthesis.drawing import _spread
from indistinct.questions.synthesis.plan import make_plan
from indistinct.synthetic_tables import verify_synthetic
from people import declare, person, redeclare, spent_in_rho
from shared import examples

CELLS = st.one_of(
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"), max_size=5),
    st.sampled_from(["", "nan", "inf", "-1e308", "F", "other", "NULL", "0x1F", "1e-400"]),
)
ROWS = st.lists(st.tuples(st.integers(0, 20), *[CELLS] * 5), max_size=12)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A declaration over ordinary rows; nobody writes here."""
    return declare(
        tmp_path_factory.mktemp("whole"), [person(n) for n in range(60)], 200, delta=1e-7
    )


@examples(6)
@given(rows=ROWS, number=st.integers(0, 10**9))
def test_any_rows_give_the_same_columns_and_one_charge(whole, tmp_path_factory, rows, number):
    folder = tmp_path_factory.mktemp(f"rows{number}") / "fuzzed"
    path = redeclare(whole, folder, rows)
    found = ind.synthesize(path, epsilon="1")
    assert found.data.columns == ["age", "weight", "sex", "city"]
    assert found.data.height >= 1
    assert spent_in_rho(path) == pytest.approx(found.manifest["rho"])
    found.write(folder / "s.csv", model=folder / "m.json")
    assert verify_synthetic(folder / "s.csv", path, folder / "m.json").faults == ()


def test_the_order_of_the_input_changes_no_count(whole, tmp_path):
    rows = [person(n) for n in range(60)]
    turned = redeclare(whole, tmp_path / "turned", rows[::-1])
    found = []
    for path in (whole, turned):
        with open_session(path) as session:
            plan = make_plan(session.dataset, "1")
            counts = EngineCounts(session.engine, plan.dataset, plan.measured)
            found.append([counts.single(at).tolist() for at in range(4)])
            found[-1].append(counts.pair(0, 3).tolist())
    assert found[0] == found[1]


def test_seven_records_of_the_worked_example():
    """Shares .5, .3 and .2 of 7: three, two and one for certain, one more by .5, .1 and .4."""
    runs = 4000
    shares = np.array([0.5, 0.3, 0.2])
    counts = np.array(
        [np.bincount(_spread(shares, 7, RandomSource(seed)), minlength=3) for seed in range(runs)]
    )
    more = counts - [3, 2, 1]
    assert (more >= 0).all()
    assert (more.sum(axis=1) == 1).all()
    # Five standard deviations of a share of 4,000 runs.
    assert np.allclose(more.mean(axis=0), [0.5, 0.1, 0.4], atol=5 * 0.5 / np.sqrt(runs))
