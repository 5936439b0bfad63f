"""Which column says whose record each is: a false one is worse than none."""

import numpy as np
import polars as pl

import indistinct as ind

N_PEOPLE, VISITS = 60, 6
CHANCE = np.random.default_rng(4)


def visits(name, ids):
    """Several records of each person, with an age and a sex of theirs."""
    ages, sexes = CHANCE.integers(20, 90, N_PEOPLE), CHANCE.choice(["f", "m"], N_PEOPLE)
    return pl.DataFrame(
        {
            name: np.repeat(ids, VISITS),
            "age": np.repeat(ages, VISITS),
            "sex": np.repeat(sexes, VISITS),
            "albumin": CHANCE.random(N_PEOPLE * VISITS).round(2),
        }
    )


def persons(frame):
    found = ind.inspect(frame)
    return found.person, [one.about[0] for one in found.doubts if one.kind == "person"]


def test_a_number_that_owns_ages_and_sexes_is_the_person():
    assert persons(visits("id", np.arange(N_PEOPLE))) == ("id", [])


def test_what_is_shaped_as_ids_and_owns_is_asked():
    assert persons(visits("kxp", [f"Q{n:04d}" for n in range(N_PEOPLE)])) == (None, ["kxp"])


def test_remarks_towns_and_counts_are_no_persons():
    n = N_PEOPLE * VISITS
    frame = visits("id", np.arange(N_PEOPLE)).drop("id").with_columns(
        remark=pl.Series(CHANCE.choice(["nothing to add", "call again", "was late"], n)),
        town=pl.Series(CHANCE.choice(["Hull", "York", "Ripon", "Leeds", "Selby", "Otley"], n)),
        n_calls=pl.Series(CHANCE.integers(0, 40, n)),
        first_name=pl.Series(CHANCE.choice([f"Name{c}a" for c in "bcdfghklmnprst"], n)),
    )  # fmt: skip
    assert persons(frame) == (None, [])


def test_copies_of_records_are_no_persons():
    """All columns are constant within each value, so that nothing varies."""
    once = visits("kxp", [f"Q{n:04d}" for n in range(N_PEOPLE)]).gather_every(VISITS)
    assert persons(pl.concat([once] * 3)) == (None, [])


def test_an_answer_says_who_is_counted():
    frame = visits("kxp", [f"Q{n:04d}" for n in range(N_PEOPLE)])
    assert ind.inspect(frame, settle={"(person)": "kxp"}).person == "kxp"
    none = ind.inspect(visits("id", np.arange(N_PEOPLE)), settle={"(person)": ""})
    assert none.person is None
