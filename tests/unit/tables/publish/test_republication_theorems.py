"""What an attacker who knows everything but the sensitive values can conclude, by enumeration."""

from itertools import product

import numpy as np
import pytest

from indistinct.tables.publish import remembered
from indistinct.tables.publish.forms import invariant
from indistinct.tables.search.invariant.person_history import PersonHistory
from shared import longer
from versions import (
    Group,
    chances,
    changing,
    groups_of,
    linked_groups,
    planned,
    policy_of,
    table,
)

SLACK = 1e-9
RARE = {"flu": 0.4, "HIV": 0.1, "ulcer": 0.3, "asthma": 0.2}


def released_all(frames, policy, path):
    """Plan the release of each version; give the groups of all.

    Of two linked tables they are read from what is published; whose each row is, is known.
    """
    shown = []
    for frame in frames:
        draft = planned(frame, policy, path)
        if draft.sensitive is not None:
            shown.append(linked_groups(draft, frame))
    return shown or groups_of(path)


FORMS = pytest.mark.parametrize("form", ["table", "anatomy"])


@FORMS
@pytest.mark.parametrize(
    ("companions", "signatures"),
    longer(product(["fixed", "mixed"], ["few", "free"]), [("fixed", "few"), ("mixed", "free")]),
)
def test_no_value_is_likelier_than_one_in_m(tmp_path, companions, signatures, form):
    """Theorem 1: all worlds alike likely, everybody known, changes of value among the releases."""
    policy = policy_of(2, form, companions=companions, signatures=signatures)
    n_changed = 0
    for seed in range(8):
        frames = changing(seed, size=6, steps=3, n_values=6, changes=0.15)
        found = chances(released_all(frames, policy, tmp_path / f"{seed}.db"))
        assert max(found.values()) <= 1 / 2 + SLACK
        n_changed += sum(run > 0 for _, run in found)
    assert n_changed > 3


@FORMS
def test_it_fails_where_new_signatures_may_meet_old_ones(tmp_path, monkeypatch, form):
    """The same enumeration finds a certain value once past signatures are not avoided."""

    def forgetful(*arguments, **more):
        person_history = remembered.person_history_of(*arguments, **more)
        # What was forbidden is forgotten; who has which signature is not.
        return PersonHistory(
            person_history.values,
            person_history.n_values,
            person_history.signatures,
            person_history.signature,
            person_history.past,
            np.zeros_like(person_history.forbidden),
            person_history.cohorts,
        )

    monkeypatch.setattr(invariant, "person_history_of", forgetful)
    policy = policy_of(2, form, companions="mixed")
    worst = 0.0
    for seed in range(8):
        frames = changing(seed, size=6, steps=3, n_values=4, changes=0.3)
        found = chances(released_all(frames, policy, tmp_path / f"{seed}.db"))
        worst = max([worst, *found.values()])
    assert worst == pytest.approx(1.0)


def test_the_enumeration_knows_the_textbook_case():
    """Who moves from {flu, HIV} to {flu, ulcer} has ulcer; to {asthma, ulcer} nobody knows."""
    first = [Group((b"a", b"b"), ("HIV", "flu"), 0)]
    overlapping = [Group((b"a", b"c"), ("flu", "ulcer"), 0)]
    disjoint = [Group((b"a", b"c"), ("asthma", "ulcer"), 0)]
    assert chances([first, overlapping])[b"a", 1] == 1.0
    assert chances([first, disjoint])[b"a", 1] == 0.5


def staying(seed):
    """Make up versions in which nobody's value changes; half of the people are new each time."""
    return changing(seed, size=6, steps=3, n_values=4, moves=0.5, changes=0.0)


def worst_chance(tmp_path, companions, form):
    """Give the greatest chance over several histories, of people in cohorts that began complete."""
    policy = policy_of(2, form, companions=companions)
    worst = 0.0
    for seed in range(10):
        releases = released_all(staying(seed), policy, tmp_path / f"{companions} {seed}.db")
        found = chances(releases, RARE)
        complete = {
            person
            for person, first in first_groups(releases).items()
            if first.counterfeits == 0 or companions == "mixed"
        }
        worst = max([worst, *(chance for (who, _), chance in found.items() if who in complete)])
    return worst


def first_groups(releases):
    """Return the group in which each person was first released."""
    found = {}
    for groups in releases:
        for group in groups:
            for person in group.members:
                found.setdefault(person, group)
    return found


@FORMS
def test_fixed_companions_withstand_a_prior_and_mixed_ones_do_not(tmp_path, form):
    """Theorem 2: with a value of 1/10 among others, only fixed companions keep 1/m."""
    assert worst_chance(tmp_path, "fixed", form) <= 1 / 2 + SLACK
    assert worst_chance(tmp_path, "mixed", form) > 1 / 2 + 0.1


def test_being_left_out_asks_for_enough_values(tmp_path):
    """With fewer than 2m values a change cannot be hidden, and is refused."""
    from indistinct.errors import NoSolutionError

    policy = policy_of(2)
    planned(
        table((n, 20 + n, ("flu", "HIV", "ulcer")[n % 3]) for n in range(6)), policy, tmp_path / "h"
    )
    changed = table((n, 20 + n, ("flu", "HIV", "ulcer")[(n + (n == 0)) % 3]) for n in range(6))
    with pytest.raises(NoSolutionError, match="at least 4"):
        planned(changed, policy, tmp_path / "h")
