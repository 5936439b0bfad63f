"""What models say of themselves, so that verification need not know any of them by name."""

import math
from dataclasses import dataclass
from typing import ClassVar

import polars as pl
import pytest

from indistinct.tables.core.protocols import Monotonicity, PlainClass, PlainColumn
from indistinct.tables.models import MODELS, BetaLikeness, KAnonymity, NTCloseness, TCloseness
from indistinct.tables.models.of_one_column import SensitiveModel
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.evidence import CheckedRelease
from indistinct.tables.verification.judging import judge


@dataclass(frozen=True, slots=True)
class Excess(SensitiveModel):
    """A toy: how much the greatest share in a class exceeds that in the whole table."""

    surplus: float = 0.1

    name: ClassVar[str] = "excess"
    letter: ClassVar[str] = "surplus"  # a letter that no registered model has
    monotone: ClassVar[Monotonicity] = Monotonicity.NEVER
    compares_with_table: ClassVar[bool] = True
    grows: ClassVar[bool] = False

    def measure(self, classes):
        raise NotImplementedError

    def measure_plainly(self, one):
        table = one.table[self.column].counts
        records = sum(table.values())
        held = one.counts[self.column]
        return max(n / one.size - table[value] / records for value, n in held.items())


@dataclass(frozen=True, slots=True)
class KnownExcess(Excess):
    """The same, which knows how far its measure may be off."""

    def doubt(self, n_gone, n_released):
        return n_gone / (n_released + n_gone)


CELLS = pl.DataFrame({"town": ["a"] * 4, "illness": ["flu", "flu", "flu", "gout"]})
CLASS = PlainClass(
    4, {"illness": {"flu": 3, "gout": 1}}, {"illness": PlainColumn({"flu": 5, "gout": 5}, ())}
)


def judged(model, *, n_suppressed, with_input=False):
    """Judge one class that exceeds the table's share of flu by 0.25."""
    policy = Policy.from_keywords(
        quasi_identifiers=["town"], sensitive=["illness"], k=2, max_suppression=0.5
    )
    original, n_input = (CELLS, CELLS.height) if with_input else (None, None)
    evidence = CheckedRelease(CELLS, CELLS, resolve(policy), original, None, n_suppressed, n_input)
    return judge(model, [CLASS], evidence)


def test_a_new_model_of_the_table_is_undecided_without_the_input():
    """Nothing is known of how far the input's distribution is: neither a fault nor a promise."""
    entry, faults, notes = judged(Excess("illness", surplus=0.1), n_suppressed=4)
    assert entry["holds"] is None
    assert not faults
    assert len(notes) == 1


@pytest.mark.parametrize(("n_suppressed", "with_input"), [(0, False), (4, True)])
def test_it_is_decided_where_the_whole_table_is_known(n_suppressed, with_input):
    """Without suppressed records the release is the table, and the input always is."""
    model = Excess("illness", surplus=0.1)
    entry, faults, _ = judged(model, n_suppressed=n_suppressed, with_input=with_input)
    assert entry["holds"] is False
    assert [fault.place for fault in faults] == ["models.excess"]


@pytest.mark.parametrize(("surplus", "holds"), [(0.3, True), (0.1, None), (0.04, False)])
def test_its_own_bound_of_the_doubt_decides(surplus, holds):
    """The measure of 0.25 may be off by 1 / 5: enough to excuse a bound of 0.1, not of 0.04."""
    entry, _, _ = judged(KnownExcess("illness", surplus=surplus), n_suppressed=1)
    assert entry["holds"] is holds


def test_the_models_that_read_the_table_say_so():
    """Closeness, likeness and disclosure compare classes with the whole table; no other does."""
    found = {model.name for model in MODELS if model.compares_with_table}
    assert found == {"t-closeness", "nt-closeness", "beta-likeness", "delta-disclosure"}


def test_an_earth_movers_distance_is_off_by_a_share_of_the_missing_records():
    """Of t-closeness by their share of the table, of (n,t)-closeness by that of a superset."""
    assert TCloseness("illness", t=0.2).doubt(10, 90) == pytest.approx(0.1)
    assert NTCloseness("illness", n=50, t=0.2).doubt(10, 90) == pytest.approx(0.2)
    assert TCloseness("illness", t=0.2, distance="kernel").doubt(10, 90) == math.inf
    assert TCloseness("illness", t=0.2).doubt(0, 90) == 0
    assert TCloseness("illness", t=0.2).doubt(math.inf, 90) == math.inf


@pytest.mark.parametrize(
    ("model", "n_gone", "expected"),
    [
        (KAnonymity(2), 3, 0.0),
        (BetaLikeness("illness", 1.0), 0, 0.0),
        (BetaLikeness("illness", 1.0), 3, math.inf),
    ],
)
def test_doubt_takes_a_whole_table_and_records_that_are_gone(model, n_gone, expected):
    """Who compares with no whole table, or misses nobody, is in no doubt."""
    assert model.doubt(n_gone, 4) == expected
