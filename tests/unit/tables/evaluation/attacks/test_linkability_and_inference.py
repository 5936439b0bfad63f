"""Linkability and inference: on raw tables, on generalized ones, and on strangers."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, ParameterError

COLUMNS = {
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}},
    "town": {"role": "quasi-identifier"},
    "height": {"role": "insensitive"},
    "illness": {"role": "sensitive"},
}
POLICY = ind.Policy(columns=COLUMNS, models=[ind.KAnonymity(k=2)])
FRAME = pl.DataFrame(
    {
        "age": [21, 24, 33, 38, 45, 47],
        "town": ["A", "B", "C", "D", "E", "F"],
        "height": [150, 160, 170, 180, 190, 200],
        "illness": ["flu", "gout", "ulcer", "flu", "gout", "ulcer"],
    }
)
STRANGERS = FRAME.with_columns(
    pl.col("illness").reverse(), pl.col("town").reverse(), pl.col("age") + 1
)


def attacked(released, attack, **words):
    return ind.attack(released, POLICY, attack=attack, original=FRAME, seed=1, **words).answer


def test_a_raw_table_links_everybody():
    outcome = attacked(FRAME, "linkability", known=["age", "height"], second_source=["town"])
    assert (outcome.found.attempts, outcome.found.successes) == (6, 6)
    assert outcome.details["second"] == ["town"]


def test_strangers_are_linked_less():
    """Their towns lead to other people than their ages."""
    outcome = attacked(
        FRAME, "linkability", known=["height"], second_source=["town"], control=STRANGERS
    )
    assert outcome.control.successes == 0
    assert outcome.document()["risk"]["risk"] > 0.5


def test_hidden_towns_link_by_luck_only():
    """All records are equally near to every town: one in six, within 5 deviations (3e-6)."""
    hidden = FRAME.with_columns(pl.lit("*").alias("town"))
    hits = [
        ind.attack(
            hidden, POLICY, attack="linkability", original=FRAME, known=["height"],
            second_source=["town"], seed=seed,
        ).answer.found.successes
        for seed in range(100)
    ]  # fmt: skip
    assert abs(sum(hits) - 100) < 5 * (600 * 5 / 36) ** 0.5


def test_two_sources_are_chosen_where_none_is_named():
    outcome = attacked(FRAME, "linkability")
    first, second = outcome.details["first"], outcome.details["second"]
    assert sorted(first + second) == sorted(COLUMNS)


@pytest.mark.parametrize(
    "words",
    [{"known": ["age"]}, {"known": ["age"], "second_source": ["age"]}, {"second_source": ["zip"]}],
)
def test_sources_that_cannot_be_are_refused(words):
    with pytest.raises(ParameterError):
        attacked(FRAME, "linkability", **words)


def test_a_raw_table_tells_every_secret():
    outcome = attacked(FRAME, "inference", control=STRANGERS)
    assert outcome.found.successes == 6
    assert outcome.control.successes < 6
    assert outcome.details["column"] == "illness"
    assert "illness" not in outcome.details["known"]


def test_numbers_count_as_right_within_five_percent():
    """The released secret is 4 % too high, then 6 %."""
    for factor, right in ((1.04, 6), (1.06, 0)):
        released = FRAME.with_columns((pl.col("height") * factor).alias("height"))
        outcome = attacked(released, "inference", secret="height", known=["age", "town"])
        assert outcome.found.successes == right


def test_a_range_counts_as_its_middle_and_a_hidden_word_as_no_guess():
    """[145, 155) is guessed as 150."""
    released = FRAME.with_columns(
        pl.Series("height", [f"[{h - 5}, {h + 5})" for h in FRAME["height"]]),
        pl.lit("*").alias("illness"),
    )
    known = ["age", "town"]
    assert attacked(released, "inference", secret="height", known=known).found.successes == 6
    assert attacked(released, "inference", secret="illness", known=known).found.successes == 0


def test_an_attack_that_is_no_better_than_guessing_says_so():
    """One illness for all: guessing is always right."""
    same = FRAME.with_columns(pl.lit("flu").alias("illness"))
    outcome = ind.attack(same, POLICY, attack="inference", original=same, seed=1).answer
    assert any("not better than guessing" in text for text in outcome.document()["warnings"])


def test_the_secret_must_be_in_the_original():
    with pytest.raises(DataError):
        ind.attack(FRAME, POLICY, attack="inference", original=FRAME.drop("illness"))
