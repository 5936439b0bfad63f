"""No column of a release tells the order of the input, and none numbers the rows by chance."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.core.randomness import RandomSource
from indistinct.errors import PolicyError, VerificationError
from indistinct.publish import secret_order

QUASI = {"role": "quasi-identifier"}
K2 = {"name": "k-anonymity", "k": 2}
RISK = {"name": "average-risk", "threshold": 1.0}  # every release satisfies it


def policy_of(columns, **words):
    return ind.Policy.from_words({"columns": columns, "models": [K2], **words})


def released(columns, words, **more):
    return ind.anonymize(pl.DataFrame(columns), policy_of(words, **more), seed=1)


def drawn_first(monkeypatch, order):
    """Let the first order of a release be this one; give the list of what is drawn."""
    own, drawn = RandomSource.permutation, []

    def first(source, count):
        drawn.append(count)
        return np.asarray(order) if len(drawn) == 1 else own(source, count)

    monkeypatch.setattr(RandomSource, "permutation", first)
    return drawn


def test_an_order_that_a_column_happens_to_follow_is_drawn_again(monkeypatch):
    """Of ten rows about one order in a thousand looks chosen; verification would refuse it."""
    values = [3.25, 1.5, 9.0, 7.75, 2.0, 8.5, 4.0, 6.25, 5.5, 0.25]
    columns = {"q": ["a"] * 10, "x": values}
    words = {"q": QUASI, "x": {"role": "insensitive"}}
    own, drawn = RandomSource.permutation, []

    def ascending(source, count):
        drawn.append(count)
        return np.argsort(values) if len(drawn) == 1 else own(source, count)

    monkeypatch.setattr(RandomSource, "permutation", ascending)
    release = released(columns, words)
    assert drawn == [10, 10]
    assert release.data["x"].to_list() == [values[row] for row in release.crosswalk]
    monkeypatch.setattr(RandomSource, "permutation", lambda source, count: np.argsort(values))
    monkeypatch.setattr(secret_order, "MOST_ORDERS", 0)
    with pytest.raises(VerificationError, match="numbers the rows"):
        released(columns, words)


def test_numbers_that_a_text_file_gives_back_as_texts_have_another_order(monkeypatch, tmp_path):
    """A whole number beyond 64 bits makes its column text, where 105 comes before 15."""
    values = [-110, -95, 105, 108, 15, 18, 42, 46, 87, 9 * 10**36]
    ascending = [0, 1, 4, 2, 3, 6, 5, 7, 8, 9]  # nearly, as texts; by size they are in no order
    numbers = [values[place] for place in (3, 9, 0, 7, 5, 2, 8, 1, 6, 4)]
    order = [numbers.index(values[place]) for place in ascending]
    columns = {"q": ["a"] * 10, "x": pl.Series(numbers, dtype=pl.Int128)}
    drawn = drawn_first(monkeypatch, order)
    words = {"q": QUASI, "x": {"role": "insensitive"}}
    release = released(columns, words)
    assert drawn == [10, 10]
    release.write(tmp_path / "r.csv")


def test_texts_with_signs_are_compared_as_numbers(monkeypatch, tmp_path):
    """As texts, and by their digits alone, these are in no order."""
    texts = ["7", "-100", "3e2", "-7.5", "0.5", "-31", "22", "-2", "110", "41"]
    order = np.argsort([float(text) for text in texts])
    columns = {"q": ["a"] * 10, "x": pl.Series(texts)}
    drawn = drawn_first(monkeypatch, order)
    released(columns, {"q": QUASI, "x": {"role": "insensitive"}}).write(tmp_path / "r.parquet")
    assert drawn == [10, 10]


def test_rows_beside_rows_of_stars_are_in_no_order(monkeypatch, tmp_path):
    """A reader tells the rows of stars from the others, which may be in an order alone."""
    numbers = [55, 12, 98, 71, 20, 84, 43, 67, 31, 6]
    columns = {"q": ["a"] * 10 + [f"rare {place}" for place in range(4)], "x": numbers + [0] * 4}
    words = {"q": {**QUASI, "max_level": 0}, "x": {"role": "insensitive"}}
    more = {"method": {"max_suppression": 0.5}, "release": {"suppressed": "mask"}}
    own, drawn = RandomSource.permutation, []

    def first_two(source, count):
        drawn.append(count)
        orders = [np.argsort(numbers), np.arange(14)]
        return orders[len(drawn) - 1] if len(drawn) <= 2 else own(source, count)

    monkeypatch.setattr(RandomSource, "permutation", first_two)
    released(columns, words, **more).write(tmp_path / "r.csv")
    assert drawn == [10, 14, 14]


@pytest.mark.parametrize("n_records", [10, 40])
def test_a_quasi_identifier_that_stays_in_the_order_of_the_input_is_refused(n_records):
    """The search leaves it as it is; that is no fault of the program, but one of the table."""
    columns = {"x": [1000.0 * place for place in range(n_records)]}
    with pytest.raises(PolicyError, match=r"columns\.x: numbers the records"):
        released(columns, {"x": QUASI}, models=[RISK])
    shuffled = {"x": np.random.default_rng(1).permutation(columns["x"])}
    assert released(shuffled, {"x": QUASI}, models=[RISK]).data.height == n_records


def test_a_quasi_identifier_of_linked_tables_in_the_order_of_the_input_is_refused():
    columns = {"x": list(range(12)), "s": ["flu", "cold", "gout"] * 4}
    words = {"x": QUASI, "s": {"role": "sensitive"}}
    models = [{"name": "distinct-l-diversity", "column": "s", "l": 3}]
    more = {"models": models, "release": {"form": "anatomy"}}
    with pytest.raises(PolicyError, match=r"columns\.x: numbers the records"):
        released(columns, words, **more)
    columns["x"] = [5, 2, 9, 7, 0, 11, 3, 6, 1, 10, 4, 8]
    assert released(columns, words, **more).data.height == 12


def test_noise_may_bring_few_values_into_the_order_of_the_input(tmp_path):
    """Nothing of that order is told, since the values were not in it."""
    values = [1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0]
    policy = policy_of({"x": {**QUASI, "protect": "noise"}}, models=[RISK])
    data, crosswalk = pl.DataFrame({"x": values}), tmp_path / "c.csv"
    followed = 0
    for seed in range(2_000):
        release = ind.anonymize(data, policy, seed=seed)
        order = np.argsort(release.crosswalk)
        noised = release.data["x"].gather(order)
        if abs(np.corrcoef(noised.rank().to_numpy(), np.arange(10))[0, 1]) >= 0.9:
            followed += 1
            release.write(tmp_path / "r.parquet", crosswalk=crosswalk)
            path = tmp_path / "r.parquet"
            assert ind.verify(path, policy, original=data, crosswalk=crosswalk).holds
            break
    assert followed
