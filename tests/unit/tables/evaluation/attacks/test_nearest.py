"""The nearest records: distances by the plain definition, fair ties, and perturbed people."""

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, strategies as st

import indistinct as ind
from indistinct.errors import ParameterError
from indistinct.tables.evaluation.attacks.known import known_column
from indistinct.tables.evaluation.attacks.nearest import nearest
from shared import examples

WORDS = {
    "columns": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}},
        "town": {"role": "quasi-identifier", "hierarchy": {"mask": 2}},
        "height": {"role": "insensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 2}],
}
POLICY = ind.Policy.from_words(WORDS)
TOWNS = ("A1", "A2", "B1")


def distance(person, record, towns, spans):
    """Give Gower's distance to a record: a cell is as far as its values on average."""
    total = 0.0
    for name in ("age", "height"):
        value, cell = person[name], record[name]
        if value is None or cell == "":
            total += float((value is None) != (cell == ""))
            continue
        ends = [float(end) for end in cell.strip("[)").split(", ")]
        points = np.linspace(ends[0], ends[-1], 200_001) if len(ends) > 1 else np.array(ends)
        total += min(1.0, float(np.abs(points - value).mean()) / spans[name])
    under = [t for t in towns if record["town"] in {"*", t, t[0] + "*"}]
    return total + (1 - 1 / len(under) if person["town"] in under else 1.0)


people = st.lists(
    st.fixed_dictionaries(
        {
            "age": st.integers(20, 49),
            "height": st.one_of(st.none(), st.integers(150, 200)),
            "town": st.sampled_from(TOWNS),
        }
    ),
    min_size=3,
    max_size=8,
)
records = st.lists(
    st.fixed_dictionaries(
        {
            "age": st.one_of(
                st.integers(20, 49).map(str),
                st.sampled_from(["[20, 30)", "[30, 40)", "[40, 50)"]),
            ),
            "height": st.one_of(st.just(""), st.integers(150, 200).map(str)),
            "town": st.sampled_from([*TOWNS, "A*", "B*", "*"]),
        }
    ),
    min_size=2,
    max_size=8,
)


@examples(40)
@given(people, records, st.integers(1, 3))
def test_as_by_the_plain_definition(people, records, neighbors):
    """The distances of the found records are the smallest there are."""
    assume(any(person["height"] is not None for person in people))
    frame = pl.DataFrame(people, schema={"age": pl.Int64, "height": pl.Int64, "town": pl.String})
    released = pl.DataFrame(records)
    columns = [
        known_column(POLICY.rule_of(name), released[name], {"register": frame[name]})
        for name in ("age", "height", "town")
    ]
    found = nearest(
        columns, "register", np.arange(len(people)), neighbors, np.random.default_rng(1)
    )
    spans = {}
    for name in ("age", "height"):
        ends = [float(e) for r in records for e in r[name].strip("[)").split(", ") if e]
        values = [float(p[name]) for p in people if p[name] is not None]
        spans[name] = (max(ends + values) - min(ends + values)) or 1.0
    towns = sorted({person["town"] for person in people})
    for index, person in enumerate(people):
        expected = sorted(distance(person, record, towns, spans) for record in records)
        kept = [place for place in found[index].tolist() if place >= 0]
        assert len(kept) == len(set(kept)) == min(neighbors, len(records))
        reached = [distance(person, records[place], towns, spans) for place in kept]
        assert reached == pytest.approx(expected[: len(kept)], abs=1e-4)


def test_equally_near_records_are_taken_equally_often():
    """5,000 persons, five like records: each about 1,000 times, within 5 deviations (3e-6)."""
    frame = pl.DataFrame({"town": ["A1"] * 5000})
    released = pl.Series("town", ["A*"] * 5)
    column = known_column(POLICY.rule_of("town"), released, {"register": frame["town"]})
    found = nearest([column], "register", np.arange(5000), 1, np.random.default_rng(4))
    times = np.bincount(found[:, 0], minlength=5)
    assert np.abs(times - 1000).max() < 5 * np.sqrt(5000 * 0.2 * 0.8)


def perturbed(noise):
    """Attack people whose ages and heights were perturbed."""
    chance = np.random.default_rng(7)
    frame = pl.DataFrame(
        {
            "name": [str(row) for row in range(400)],
            "age": chance.uniform(20, 90, 400).round(3),
            "height": chance.uniform(150, 200, 400).round(3),
        }
    )
    order = chance.permutation(400)
    released = frame[order].select(
        pl.col("age") + pl.Series(chance.normal(0, noise, 400)),
        pl.col("height") + pl.Series(chance.normal(0, noise, 400)),
    )
    columns = {
        "name": {"role": "identifier"},
        "age": {"role": "quasi-identifier"},
        "height": {"role": "quasi-identifier"},
    }
    policy = ind.Policy(columns=columns, models=[ind.KAnonymity(k=2)])
    return ind.attack(
        released, policy, attacker="neighbour", register=frame, original=frame,
        crosswalk=order, seed=1,
    ).answer  # fmt: skip


def test_little_noise_hides_nobody_and_much_noise_most():
    """No released number is anybody's own; the nearest one is his all the same."""
    assert perturbed(0.01).found.rate > 0.95
    assert perturbed(20.0).found.rate < 0.1
    assert perturbed(0.01).baseline.rate == pytest.approx(1 / 400)


def test_without_the_truth_nobody_can_count():
    frame = pl.DataFrame({"age": [21, 22], "town": ["A1", "A2"], "height": [170, 180]})
    with pytest.raises(ParameterError, match="crosswalk"):
        ind.attack(frame, POLICY, attacker="neighbor", register=frame)
