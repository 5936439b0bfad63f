"""What a release is still good for, added up record by record."""

import math
from collections import Counter
from collections.abc import Callable

import polars as pl
import pytest
from hypothesis import assume, given, strategies as st

import indistinct as ind
from indistinct.errors import DataError, NoSolutionError
from indistinct.tables.verification.rendering import Renderer
from shared import examples

COLUMNS = {
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
    "city": {"role": "quasi-identifier", "hierarchy": {"mask": 3}},
    "illness": {"role": "sensitive"},
}
AGES = st.one_of(st.integers(20, 49), st.none())
CITIES = st.sampled_from(["101", "102", "201", "322", None])
ILLNESSES = st.sampled_from(["flu", "asthma", "ulcer", None])


def policy(algorithm: str = "optimal", suppressed: str = "drop") -> ind.Policy:
    """Return a policy for people of age, city and illness."""
    method = {"algorithm": algorithm, "max_suppression": 0.4}
    return ind.Policy.from_words(
        {"columns": COLUMNS, "models": [{"name": "k-anonymity", "k": 3}], "method": method,
         "release": {"suppressed": suppressed}}
    )  # fmt: skip


def entropy(counts: Counter) -> float:
    total = counts.total()
    return -sum(count / total * math.log2(count / total) for count in counts.values())


def covered(asked: ind.Policy, name: str, cell: str, values) -> list[str]:
    """List the values that a reader of the release reads a cell as."""
    cells = Renderer.of(asked.rule_of(name))
    return [value for value in values if cell == "*" or cells.is_below(cell, value)]


def texts(frame: pl.DataFrame, name: str) -> list[str]:
    return frame[name].cast(pl.String).fill_null("").to_list()


def paired(
    release, frame: pl.DataFrame, asked: ind.Policy, name: str
) -> list[tuple[str, str, Counter]]:
    """List, per record of the input: its value, its illness, and its cell's records by illness."""
    values, secrets = texts(frame, name), texts(frame, "illness")
    cell_of = dict(zip(release.crosswalk.tolist(), texts(release.frame, name), strict=True))
    pairs = []
    for row, (value, secret) in enumerate(zip(values, secrets, strict=True)):
        under = set(covered(asked, name, cell_of.get(row, "*"), set(values)))
        records = Counter(pair for pair in zip(values, secrets, strict=True) if pair[0] in under)
        pairs.append((value, secret, records))
    return pairs


def by(records: Counter, part: int) -> Counter:
    """Count records by value (0) or by illness (1)."""
    counts = Counter()
    for pair, count in records.items():
        counts[pair[part]] += count
    return counts


def mean(bits: Callable, lists) -> float:
    found = [bits(*record) for pairs in lists for record in pairs]
    return sum(found) / len(found)


@examples(15)
@given(
    st.lists(st.tuples(AGES, CITIES, ILLNESSES), min_size=8, max_size=24),
    st.sampled_from(["optimal", "local", "mondrian"]),
)
def test_information_record_by_record(rows, algorithm):
    """Entropies and mutual information by their definitions, missing and suppressed included."""
    schema = {"age": pl.Int64, "city": pl.String, "illness": pl.String}
    frame = pl.DataFrame(rows, schema, orient="row")
    assume(frame["age"].n_unique() > 1)
    assume(frame["illness"].null_count() < frame.height)
    asked = policy(algorithm)
    try:
        release = ind.anonymize(frame, asked, seed=1)
    except NoSolutionError:
        return
    found = ind.assess(release.frame, asked, original=frame).utility
    lists = [paired(release, frame, asked, name) for name in ("age", "city")]
    n_records = frame.height
    lost = mean(lambda v, _, under: -math.log2(by(under, 0)[v] / under.total()), lists)
    assert found["information_lost"] == pytest.approx(lost, abs=1e-9)
    whole = sum(entropy(Counter(v for v, _, _ in pairs)) for pairs in lists) / 2
    assert found["mutual_bits"] == pytest.approx(whole - lost, abs=1e-9)
    bits = mean(lambda _, __, under: entropy(by(under, 0)), lists)
    assert found["entropy_loss_per_cell"] == pytest.approx(bits, abs=1e-9)
    assert found["entropy_loss"] == pytest.approx(bits * 2 * n_records, abs=1e-6)
    monotone = mean(lambda _, __, u: u.total() / n_records * entropy(by(u, 0)), lists)
    assert found["monotone_entropy_loss"] == pytest.approx(monotone * 2 * n_records, abs=1e-6)
    secret = found["sensitive"]["illness"]
    private = mean(lambda _, s, under: -math.log2(by(under, 1)[s] / under.total()), lists)
    assert secret["private_information_lost"] == pytest.approx(private, abs=1e-9)
    illnesses = Counter(texts(frame, "illness"))
    before = sum(-count * math.log2(count / n_records) for count in illnesses.values())
    assert secret["private_mutual_bits"] == pytest.approx(before / n_records - private, abs=1e-9)


def test_a_release_that_changes_nothing_keeps_everything():
    """Every measure of loss is 0, and all information is there."""
    frame = pl.DataFrame({"age": [20, 20, 20, 31, 31, 31], "city": ["101"] * 3 + ["201"] * 3,
                          "illness": ["flu", "flu", "ulcer", "flu", "ulcer", "ulcer"]})  # fmt: skip
    found = ind.assess(frame, policy(), original=frame).utility
    assert found["precision_kept"] == 1.0
    for name in ("gcp", "entropy_loss", "information_lost", "total_variation"):
        assert found[name] == pytest.approx(0.0, abs=1e-12)
    assert found["mutual_bits"] == pytest.approx(1.0)
    assert found["kl_divergence"] == pytest.approx(0.0, abs=1e-12)
    assert found["sensitive"]["illness"]["classification_metric"] == pytest.approx(2 / 6)


def test_numbers_in_their_ranges_keep_their_correlation():
    """Midpoints of ranges that rise together correlate as the numbers do."""
    words = {
        "columns": {"a": {"role": "quasi-identifier"}, "b": {"role": "insensitive"}},
        "models": [{"name": "k-anonymity", "k": 2}],
        "method": {"algorithm": "mondrian"},
    }
    frame = pl.DataFrame({"a": [1, 2, 5, 6], "b": [10.0, 10.0, 50.0, 50.0]})
    released = pl.DataFrame({"a": ["[1, 2]", "[1, 2]", "[5, 6]", "[5, 6]"],
                             "b": [10.0, 10.0, 50.0, 50.0]})  # fmt: skip
    found = ind.assess(released, ind.Policy.from_words(words), original=frame).utility
    # Between the numbers r = 16 / sqrt(17 * 16); between midpoints it is 1.
    assert found["correlation_difference"] == pytest.approx(1 - 4 / math.sqrt(17))


def test_tables_that_do_not_belong_together():
    """A release with an illness that nobody under its cells has, or with more records."""
    frame = pl.DataFrame({"age": [20, 20, 41, 41], "city": ["101"] * 4,
                          "illness": ["flu", "flu", "ulcer", "ulcer"]})  # fmt: skip
    foreign = frame.with_columns(pl.col("illness").reverse())
    with pytest.raises(DataError, match="illness"):
        ind.assess(foreign, policy(), original=frame)
    with pytest.raises(DataError, match="more than the original"):
        ind.assess(pl.concat([frame, frame]), policy(), original=frame)
