"""Membership and attribute disclosure: raw tables, hidden ones, midpoints, groups, strangers."""

import math

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.base.hierarchy import ROOT
from indistinct.errors import DataError, ParameterError
from indistinct.tables.evaluation.attacks import AttackContext, AttackScenario
from indistinct.tables.evaluation.attacks.known import known_column
from indistinct.tables.evaluation.attacks.membership import items_as_columns
from indistinct.tables.evaluation.attacks.places import places_of
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.searching import searched

COLUMNS = {
    "name": {"role": "identifier"},
    "birth_date": {"role": "quasi-identifier", "hierarchy": ind.dates("year", "decade")},
    "sex": {"role": "quasi-identifier"},
    "postcode": {"role": "quasi-identifier", "hierarchy": ind.mask(5)},
    "occupation": {"role": "quasi-identifier"},
    "insurance": {"role": "quasi-identifier"},
    "height_cm": {"role": "quasi-identifier", "hierarchy": ind.intervals(10, 20)},
    "weight_kg": {"role": "quasi-identifier", "hierarchy": ind.intervals(10, 20)},
    "admission_date": {"role": "quasi-identifier", "hierarchy": ind.dates("year", "decade")},
    "diagnosis": {"role": "sensitive"},
}
METHOD = {"algorithm": "optimal", "max_suppression": 0.05}
POLICY = ind.Policy(columns=COLUMNS, models=[ind.KAnonymity(k=5)], method=METHOD)
MEMBERSHIP = ("membership-nearest", "membership-ratio")


@pytest.fixture(scope="module")
def people():
    """A thousand inside, 400 outside, 400 whom the attacker knows."""
    table = ind.sample("patients", rows=1800)
    return table[:1000], table[1000:1400], table[1400:]


def attacked(released, people, attack, policy=POLICY, **words):
    inside, outside, reference = people
    return ind.attack(
        released, policy, attack=attack, original=inside, control=outside, reference=reference,
        seed=1, **words,
    ).answer  # fmt: skip


def test_the_raw_table_gives_everybody_away(people):
    for attack in MEMBERSHIP:
        found = attacked(people[0], people, attack)
        assert found.details["auc"] > 0.95
        assert found.details["advantage_interval"][0] > 0.7
        assert found.baseline.rate == 0.5


def test_other_people_give_nobody_away(people):
    """The interval of 95 % holds nothing; the seed is fixed, so this cannot fail by chance."""
    fresh = people[2]
    found = attacked(fresh, (*people[:2], people[1]), "membership-nearest")
    low, high = found.details["advantage_interval"]
    assert low <= 0 <= high
    assert abs(found.details["auc"] - 0.5) < 0.06


def test_a_release_without_a_value_gives_nobody_away(people):
    hidden = people[0].select(pl.lit(ROOT).alias(name) for name in COLUMNS if name != "name")
    hidden = hidden.with_columns(pl.lit("flu").alias("diagnosis"))
    for attack in MEMBERSHIP:
        found = attacked(hidden, people, attack)
        assert abs(found.details["advantage"]) < 0.15
        assert found.document()["details"]["advantage_interval"][0] <= 0


def test_half_of_the_real_records_are_found_in_a_mixed_table(people):
    """Half are inside, half are strangers: of the targets half are in the table, too."""
    mixed = pl.concat([people[0][:500], people[2]])
    found = attacked(mixed, people, "membership-nearest")
    assert 0.65 < found.details["auc"] < 0.85


def test_generalized_cells_give_less_away(people):
    released = ind.anonymize(people[0], POLICY, seed=1).data
    raw, less = (attacked(table, people, MEMBERSHIP[0]) for table in (people[0], released))
    assert less.details["advantage"] < raw.details["advantage"] / 2


def test_midpoints_are_taken_for_numbers(people):
    words = {"models": [ind.KAnonymity(k=5)], "method": METHOD}
    midpoint = ind.Policy(columns=COLUMNS, release={"intervals": "midpoint"}, **words)
    released = ind.anonymize(people[0], midpoint, seed=1).data
    for attack in (*MEMBERSHIP, "attribute-disclosure"):
        assert attacked(released, people, attack, midpoint).found.attempts > 0
    with pytest.raises(DataError):
        attacked(released, people, "inference", midpoint)


def test_two_linked_tables_tell_who_is_in_but_little_of_the_secret(people, tmp_path):
    """Quasi-identifiers stand as they are; a guess in a group of l values is right at most 1/l."""
    policy = ind.Policy(
        columns={
            name: {"role": words["role"]} if "hierarchy" in words else words
            for name, words in COLUMNS.items()
        },
        models=[{"name": "distinct-l-diversity", "column": "diagnosis", "l": 4}],
        release={"form": "anatomy"},
    )
    release = ind.anonymize(people[0], policy, seed=1)
    release.write(tmp_path / "release.csv")
    inside = attacked(tmp_path / "release.csv", people, MEMBERSHIP[0], policy)
    assert inside.details["auc"] > 0.95
    found = attacked(tmp_path / "release.csv", people, "attribute-disclosure", policy)
    same = attacked(
        release.data, people, "attribute-disclosure", policy, sensitive=release.sensitive
    )
    assert same.found == found.found
    # 1,000 guesses, each right with chance 1/4 at most: 5 deviations (3e-7).
    assert found.found.rate < 0.25 + 5 * (0.25 * 0.75 / 1000) ** 0.5
    assert found.found.rate > found.control.rate
    with pytest.raises(DataError):
        attacked(release.data, people, "attribute-disclosure", policy)


def test_the_control_group_is_divided_where_nobody_else_is_known(people):
    inside, outside, _ = people
    found = ind.attack(
        inside, POLICY, attack="membership-ratio", original=inside, control=outside, seed=1
    )
    assert found.answer.details["auc"] > 0.9


@pytest.mark.parametrize("attack", [*MEMBERSHIP, "attribute-disclosure"])
def test_what_is_missing_is_named(people, attack):
    inside, outside, _ = people
    with pytest.raises(ParameterError):
        ind.attack(inside, POLICY, attack=attack, original=inside)
    with pytest.raises(ParameterError):
        ind.attack(inside, POLICY, attack=attack, control=outside)
    with pytest.raises(DataError):
        ind.attack(
            inside, POLICY, attack=attack, original=inside, control=outside["name", "sex"][:0]
        )


SMALL = ind.Policy(
    columns={
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}},
        "town": {"role": "quasi-identifier"},
        "illness": {"role": "sensitive"},
        "pay": {"role": "sensitive"},
    },
    models=[ind.KAnonymity(k=2)],
)
INSIDE = pl.DataFrame(
    {
        "age": [21, 23, 25, 41, 43, 45],
        "town": ["A", "A", "A", "B", "B", "B"],
        "illness": ["flu", "flu", "gout", "gout", "gout", "flu"],
        "pay": [100, 100, 130, 200, 200, 200],
    }
)
OUTSIDE = pl.DataFrame(
    {
        "age": [22, 24, 44, 42],
        "town": ["A", "A", "B", "B"],
        "illness": ["gout", "gout", "gout", "flu"],
        "pay": [105, 110, 150, 199],
    }
)


def disclosed(released, secret, **words):
    return ind.attack(
        released, SMALL, attack="attribute-disclosure", original=INSIDE, control=OUTSIDE,
        secret=secret, known=["age", "town"], seed=1, **words,
    ).answer  # fmt: skip


def test_classes_vote_as_counted_by_hand():
    """Flu twice of three in the first class, gout twice of three in the second."""
    released = INSIDE.with_columns(
        pl.when(pl.col("age") < 30)
        .then(pl.lit("[20, 30)"))
        .otherwise(pl.lit("[40, 50)"))
        .alias("age")
    )
    found = disclosed(released, "illness")
    assert (found.found.successes, found.found.attempts) == (4, 6)
    assert (found.control.successes, found.control.attempts) == (1, 4)
    assert found.details["disclosed"] == pytest.approx(4 / 6 - 1 / 4)
    assert disclosed(released, "pay").found.successes == 3
    # The means are 110 and 200; of strangers 110 is one, 105 off by 4.8 %, 199 by 0.5 %.
    assert disclosed(released, "pay").control.successes == 3


def test_a_generalized_secret_is_half_a_vote_for_each_value():
    """Beside a cell that may be either illness, one plain cell decides."""
    released = INSIDE.with_columns(
        pl.lit("[20, 50)").alias("age"),
        pl.lit(ROOT).alias("town"),
        pl.Series("illness", [ROOT] * 5 + ["flu"]),
    )
    assert disclosed(released, "illness").found.successes == 3


def test_cells_of_every_kind_are_spread_over_places():
    """Counted by hand; what a column does not know lies nowhere."""
    columns = {"age": [*range(20, 80)], "town": ["A", "B", "C"] * 20, "pay": [1.5, None, 7.0] * 20}
    frame = pl.DataFrame(columns)
    policy = ind.Policy(
        columns={
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}},
            "town": {"role": "quasi-identifier"},
            "pay": {"role": "sensitive"},
        },
        models=[ind.KAnonymity(k=2)],
    )
    cells = {
        "age": ["[20, 30)", "31", "*", "95"],
        "town": ["A", "*", "Z"],
        "pay": ["", "1.5", "[1.5, 7]"],
    }
    found = {
        name: known_column(policy.rule_of(name), pl.Series(name, texts), {"original": frame[name]})
        for name, texts in cells.items()
    }
    places = {name: places_of(column) for name, column in found.items()}

    def share(name, cell):
        return places[name].shares[found[name].book.texts.index(cell)]

    # Sixty ages in places of two years: ten ages are five places.
    assert share("age", "[20, 30)").tolist() == [0.2] * 5 + [0.0] * 26
    assert share("age", "31")[5] == share("age", "95")[29] == 1
    assert np.allclose(share("age", "*")[:30], 1 / 30)
    assert share("town", "A").tolist() == [1, 0, 0, 0]
    assert np.allclose(share("town", "*"), [1 / 3, 1 / 3, 1 / 3, 0])
    assert share("town", "Z").sum() == 0
    unknown = found["pay"].book.texts[found["pay"].book.missing]
    assert share("pay", unknown)[-1] == share("pay", "1.5")[0] == 1
    assert math.isclose(share("pay", "[1.5, 7]")[:-1].sum(), 1)
    assert sorted(places["pay"].of_values.tolist()) == [0, 40, 41]


def test_the_score_adds_up_logarithms_of_shares(people):
    """With three columns there is one set; the plain formula once more, on every target."""
    known = ["sex", "insurance", "diagnosis"]
    inside, outside, reference = people[0][:400], *people[1:]
    found = attacked(inside, (inside, outside, reference), "membership-ratio", known=known)
    assert found.details["columns"] == known

    def counted(table, row):
        same = sum(one == row for one in table.select(known).rows())
        return math.log((same + 0.5) / (table.height + 1))

    def score(row):
        return counted(inside, row) - counted(reference, row)

    members = [score(row) for row in inside.select(known).rows()]
    others = [score(row) for row in outside.select(known).rows()]
    area = np.mean([(m > o) + (m == o) / 2 for m in members for o in others])
    assert found.details["auc"] == pytest.approx(area)


ITEMS = ("apple", "plum", "pear", "fig", "kiwi", "lime", "date", "leek", "kale", "corn")
SETS = {"bought": {"role": "quasi-identifier", "type": "set", "suppression": "occurrences"}}


def shoppers(n, seed):
    """Draw sets of four of ten items, written in any order."""
    chance = np.random.default_rng(seed)
    cells = [";".join(chance.choice(ITEMS, 4, replace=False)) for _ in range(n)]
    return pl.DataFrame({"bought": cells})


def test_items_tell_who_is_in_a_raw_table_of_sets_and_not_in_a_hidden_one():
    """Of 210 possible sets, 80 people have fewer than 80; the order of the items says nothing."""
    policy = ind.Policy.from_words(
        {"columns": SETS, "models": [{"name": "km-anonymity", "column": "bought", "k": 2, "m": 2}]}
    )
    people = tuple(shoppers(80, seed) for seed in (1, 2, 3))
    shuffled = pl.DataFrame(
        {"bought": [";".join(sorted(cell.split(";"))) for cell in people[0]["bought"]]}
    )
    raw = attacked(shuffled, people, "membership-nearest", policy)
    assert raw.details["true_positive_rate"] == 1
    assert raw.details["advantage"] > 0.4
    assert raw.details["columns"] == ["bought"]
    # Of everybody the same is shown.
    hidden = pl.DataFrame({"bought": ["apple;plum"] * 80})
    found = attacked(hidden, people, "membership-nearest", policy)
    assert abs(found.details["advantage"]) < 0.2


def test_a_label_above_an_item_leaves_open_whether_a_person_has_it():
    tree = {"fruit": ["apple", "plum"], "nut": ["hazel", "cashew"]}
    columns = {"bought": {**SETS["bought"], "hierarchy": {"tree": tree}}}
    policy = ind.Policy.from_words(
        {
            "columns": columns,
            "models": [{"name": "km-anonymity", "column": "bought", "k": 2, "m": 2}],
        }
    )
    people = pl.DataFrame({"bought": ["apple;hazel", "plum", None]})
    released = pl.DataFrame({"bought": ["fruit;hazel", "apple", ""]})
    scenario = AttackScenario(
        resolve(policy),
        released,
        {"original": people},
        AttackContext(),
        np.random.default_rng(1),
        searched,
    )
    found, names = items_as_columns(scenario, ["bought"])
    assert names == ["bought: apple", "bought: plum", "bought: hazel"]
    assert found.people["original"].select(names).rows() == [
        ("has", "lacks", "has"),
        ("lacks", "has", "lacks"),
        ("lacks", "lacks", "lacks"),
    ]
    assert found.released.select(names).rows() == [
        ("*", "*", "has"),
        ("has", "lacks", "lacks"),
        ("lacks", "lacks", "lacks"),
    ]
