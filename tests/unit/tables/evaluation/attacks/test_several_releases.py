"""Attacks on several releases of one table: what they find, and what m-invariance leaves them."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import ParameterError
from indistinct.frontends.cli.main import status
from versions import changing, policy_of, released

HISTORY = {"person": "id"}
COLUMNS = {
    "id": {"role": "identifier"},
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}},
    "ill": {"role": "sensitive"},
}
PLAIN = ind.Policy.from_words(
    {"columns": COLUMNS, "models": [{"name": "k-anonymity", "k": 2}], "history": HISTORY}
)


def cells(*rows):
    return pl.DataFrame(rows, schema=["age", "ill"], orient="row")


def people(*rows):
    return pl.DataFrame(rows, schema=["id", "age", "ill"], orient="row")


# The hospital of xiao2007, with classes of its own: Quetzal1 is 24 years old and has dyspepsia.
FIRST = cells(
    ("[20, 30)", "dyspepsia"), ("[20, 30)", "flu"), ("[30, 40)", "gout"), ("[30, 40)", "flu")
)
SECOND = cells(
    ("[20, 40)", "dyspepsia"), ("[20, 40)", "gastritis"), ("[40, 60)", "flu"), ("[40, 60)", "gout")
)


def test_two_releases_that_are_each_diverse_leave_one_value():
    """The intersection of {dyspepsia, flu} and {dyspepsia, gastritis} is dyspepsia."""
    register = people(("Quetzal1", 24, "dyspepsia"), ("Quetzal2", 55, "flu"))
    report = ind.attack(SECOND, PLAIN, releases=[FIRST], register=register)
    outcome = report.outcomes[0]
    assert (outcome.attack, report.attacker) == ("intersection", "collector")
    # Nobody of 55 was in the first release, so that one person is attempted, and found.
    assert (outcome.found.successes, outcome.found.attempts) == (1, 1)
    assert outcome.baseline is not None
    assert outcome.baseline.successes == 0
    assert outcome.details["smallest"] == 1
    assert outcome.details["mean_chance"] == 1.0


def test_a_wrong_single_value_is_no_success():
    """Where the register tells the truth, a wrong conclusion does not count."""
    report = ind.attack(
        SECOND, PLAIN, releases=[FIRST], register=people(("Quetzal1", 24, "gastritis"))
    )
    assert (report.outcomes[0].found.successes, report.outcomes[0].found.attempts) == (0, 1)


def test_who_was_in_no_earlier_release_is_looked_for_in_the_last_alone():
    """--present says so; without it every release that covers somebody counts."""
    register = people(("Quetzal1", 24, "dyspepsia"))
    present = pl.DataFrame({"person": ["Quetzal1"], "release": [2]})
    report = ind.attack(SECOND, PLAIN, releases=[FIRST], register=register, present=present)
    assert report.outcomes[0].found.successes == 0
    assert report.outcomes[0].details["smallest"] == 2


def test_what_a_class_gained_belongs_to_who_came():
    """One comer, one value more in the class of the same cells."""
    later = pl.concat([FIRST, cells(("[20, 30)", "ulcer"))])
    register = people(("Quetzal1", 24, "dyspepsia"), ("Quetzal9", 27, "ulcer"))
    present = pl.DataFrame({"person": ["Quetzal1", "Quetzal1", "Quetzal9"], "release": [1, 2, 2]})
    found = ind.attack(
        later, PLAIN, attack="difference", releases=[FIRST], register=register, present=present
    )
    assert (found.answer.found.successes, found.answer.found.attempts) == (1, 1)
    left = later.filter(pl.col("ill") != "flu")  # now somebody left, too
    found = ind.attack(
        left, PLAIN, attack="difference", releases=[FIRST], register=register, present=present
    )
    assert found.answer.found.successes == 0


@pytest.mark.parametrize("companions", ["fixed", "mixed"])
def test_no_intersection_of_m_invariant_releases_is_smaller_than_m(tmp_path, companions):
    """The attack that ends k-anonymity finds m values or more around everybody, each time."""
    m, policy = 3, policy_of(3, companions=companions)
    frames = list(changing(2, size=40, steps=3, n_values=8, changes=0.0))
    paths = [released(frame, policy, tmp_path, number) for number, frame in enumerate(frames)]
    register = frames[-1]
    rows = [
        {"person": who, "release": number}
        for number, frame in enumerate(frames, start=1)
        for who in frame["id"]
    ]
    # Ages grow, so that the register of the last version misses some in earlier releases.
    same = {
        who
        for who, age in zip(register["id"], register["age"], strict=True)
        if all(frame.filter(id=who)["age"].to_list() in ([], [age]) for frame in frames)
    }
    register = register.filter(pl.col("id").is_in(list(same)))
    report = ind.attack(
        paths[-1],
        policy,
        releases=paths[:-1],
        register=register,
        present=pl.DataFrame(rows),
        history=tmp_path / "history.db",
    )
    intersection, _, linked = report.outcomes
    assert intersection.found.attempts == register.height > 10
    assert intersection.found.successes == 0
    assert intersection.details["smallest"] >= m
    assert linked.details["people"] >= 40


def test_fixed_companions_do_not_chain(tmp_path):
    """A leak reaches one cohort where companions are fixed, and more people where they are not."""
    reach = {}
    for companions in ("fixed", "mixed"):
        folder = tmp_path / companions
        folder.mkdir()
        policy = policy_of(2, companions=companions)
        frames = list(changing(9, size=40, steps=4, n_values=4, changes=0.0))
        paths = [released(frame, policy, folder, number) for number, frame in enumerate(frames)]
        found = ind.attack(
            paths[-1],
            policy,
            attack="companions",
            history=folder / "history.db",
            original=frames[-1],
        )
        reach[companions] = found.answer.details["mean_reach"]
    assert reach["fixed"] <= 2
    assert reach["mixed"] > 1.5 * reach["fixed"]


def test_the_command_attacks_several_releases(tmp_path, monkeypatch, capsys):
    """--releases chooses the collector; the table of who was where is optional."""
    monkeypatch.chdir(tmp_path)
    FIRST.write_csv("r1.csv")
    SECOND.write_csv("r2.csv")
    people(("Quetzal1", 24, "dyspepsia")).write_csv("register.csv")
    (tmp_path / "p.toml").write_text(
        '[columns.id]\nrole = "identifier"\n'
        '[columns.age]\nrole = "quasi-identifier"\nhierarchy = { intervals = [10, 20] }\n'
        '[columns.ill]\nrole = "sensitive"\n[[models]]\nname = "k-anonymity"\nk = 2\n'
    )
    words = ["attack", "r2.csv", "--releases", "r1.csv", "--policy", "p.toml"]
    assert status([*words, "--register", "register.csv"], show_values=False) == 0
    said = capsys.readouterr().out
    assert "intersection (ill): 1 of 1" in said
    assert "Quetzal" not in said


def test_the_owners_files_say_in_which_class_everybody_is():
    """Two classes cover Quetzal1; the crosswalk names the own one, which has two values, not four.

    Alone a release leaves two values, a chance of a half; both together leave one.
    """
    first = cells(
        ("[20, 30)", "dyspepsia"), ("[20, 30)", "flu"), ("[20, 40)", "gout"), ("[20, 40)", "ulcer")
    )
    version = people(
        ("Quetzal1", 24, "dyspepsia"), ("Quetzal2", 25, "flu"), ("Quetzal3", 35, "gout"),
        ("Quetzal4", 36, "ulcer"),
    )  # fmt: skip
    later = people(("Quetzal5", 41, "gout"), ("Quetzal1", 24, "dyspepsia"))
    second = cells(("[20, 60)", "dyspepsia"), ("[20, 60)", "gout"))
    register = people(("Quetzal1", 24, "dyspepsia"))
    words = {"attack": "intersection", "releases": [first], "register": register}
    known = {"originals": [version], "crosswalks": [[0, 1, 2, 3]]}
    without = ind.attack(second, PLAIN, **words).answer
    assert (without.found.successes, without.details["smallest"]) == (0, 2)
    found = ind.attack(second, PLAIN, **words, **known, original=later, crosswalk=[1, 0]).answer
    assert (found.found.successes, found.found.attempts) == (1, 1)
    assert (found.details["alone"], found.details["mean_chance"]) == ([0.5, 0.5], 1.0)


def test_each_earlier_release_takes_an_original_and_a_crosswalk():
    """One too few is refused by name."""
    register = people(("Quetzal1", 24, "dyspepsia"))
    with pytest.raises(ParameterError, match="--crosswalks") as caught:
        ind.attack(SECOND, PLAIN, releases=[FIRST], register=register, originals=[register])
    assert "--originals" not in str(caught.value)


@pytest.mark.parametrize("name", ["person", "row", "times", "len"])
def test_the_column_of_persons_may_have_any_name(name):
    """Names that the attack itself uses are no hindrance."""
    columns = {name: {"role": "identifier"}, **{n: COLUMNS[n] for n in ("age", "ill")}}
    words = {"columns": columns, "models": [{"name": "k-anonymity", "k": 2}]}
    version = people(("Quetzal1", 24, "dyspepsia"), ("Quetzal2", 25, "flu")).rename({"id": name})
    found = ind.attack(
        cells(("[20, 30)", "dyspepsia"), ("[20, 30)", "flu")),
        ind.Policy.from_words(words),
        attack="intersection",
        register=version,
        original=version,
        crosswalk=[0, 1],
    ).answer
    assert (found.found.attempts, found.details["mean_chance"]) == (2, 0.5)
