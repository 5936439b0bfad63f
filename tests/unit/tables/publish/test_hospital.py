"""The hospital that introduced m-invariance: a second release that is only 2-unique, and one that
is 2-invariant."""

import polars as pl

import indistinct as ind
from versions import planned, policy_of

# Ages and illnesses as in the example of xiao2007; the people are numbers.
FIRST = {
    1: (21, "dyspepsia"), 2: (22, "bronchitis"), 3: (24, "flu"), 4: (23, "gastritis"),
    5: (41, "flu"), 6: (36, "gastritis"), 7: (37, "dyspepsia"), 8: (40, "flu"),
    9: (43, "gastritis"), 10: (52, "dyspepsia"), 11: (56, "gastritis"),
}  # fmt: skip
LEFT = {2, 3, 6, 7, 9}
CAME = {
    12: (46, "flu"), 13: (54, "gastritis"), 14: (60, "dyspepsia"),
    15: (65, "gastritis"), 16: (36, "gastritis"),
}  # fmt: skip
SECOND = {who: told for who, told in FIRST.items() if who not in LEFT} | CAME


def hospital(people):
    return pl.DataFrame(
        {
            "id": [f"Quetzal{who}" for who in people],
            "age": [age for age, _ in people.values()],
            "sex": ["m"] * len(people),
            "note": [""] * len(people),
            "ill": [ill for _, ill in people.values()],
        }
    )


def shown(*groups):
    """Make a release of groups: an interval of ages and its illnesses."""
    rows = [(age, "m", "", ill) for age, ills in groups for ill in ills]
    return pl.DataFrame(rows, schema=["age", "sex", "note", "ill"], orient="row")


def test_a_release_that_is_only_2_unique_gives_two_people_away():
    """Person 1 has dyspepsia in both, person 4 gastritis: nothing else is left."""
    policy = policy_of(2)
    first = shown(("[20, 23)", ["dyspepsia", "bronchitis"]), ("[23, 25)", ["flu", "gastritis"]))
    second = shown(("[20, 25)", ["dyspepsia", "gastritis"]))
    register = hospital({who: FIRST[who] for who in (1, 4)})
    found = ind.attack(second, policy, releases=[first], register=register).answer
    assert (found.found.successes, found.found.attempts) == (2, 2)
    assert found.baseline is not None
    assert found.baseline.successes == 0


def test_2_invariant_releases_of_it_shrink_no_set(tmp_path):
    """With counterfeits in place of those who left, everybody keeps two values."""
    policy = policy_of(2)
    drafts = [planned(hospital(one), policy, tmp_path / "h.db") for one in (FIRST, SECOND)]
    assert drafts[1].manifest["counterfeits"]["records"] > 0
    both = hospital({who: told for who, told in FIRST.items() if who not in LEFT})
    first, second = (draft.frame for draft in drafts)
    found = ind.attack(second, policy, releases=[first], register=both).answer
    assert (found.found.successes, found.found.attempts) == (0, both.height)
    assert found.details["smallest"] >= 2
