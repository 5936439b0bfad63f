"""What a search says while it runs: the best so far, and what nothing can beat."""

import math
import re

import pytest

import indistinct as ind
from indistinct.tables.publish.fictitious_patients import sample
from indistinct.tables.search.progress import ProgressReporter, so_far


@pytest.mark.parametrize(
    ("best", "bound", "said"),
    [
        (None, 0.1, "no release found yet"),
        (math.inf, 0.1, "no release found yet"),
        (0.25, None, "loss 0.25 so far"),
        (0.25, -math.inf, "loss 0.25 so far"),
        (0.25, 0.125, "loss 0.25 so far, at least 0.125 in any case"),
        (0.25, 0.3, "loss 0.25 so far, at least 0.25 in any case"),
    ],
)
def test_a_search_says_what_is_known(best, bound, said):
    assert so_far("loss", best, bound) == said


def test_the_bound_is_not_asked_for_at_every_step():
    asked, told = [], []
    teller = ProgressReporter(
        lambda *words: told.append(words), "loss", lambda: asked.append(1) or 0.1
    )
    for step in range(1000):
        teller(step / 1000, "a step", 0.2)
    assert len(told) == 1000
    assert len(asked) < 10


@pytest.mark.parametrize("algorithm", ["optimal", "local"])
def test_what_was_said_last_is_what_was_found(algorithm):
    table = sample("patients", rows=800, seed=1).select("sex", "postcode", "birth_date")
    policy = ind.Policy.from_keywords(quasi_identifiers=table.columns, k=4)
    words = {**policy.words(), "method": {"algorithm": algorithm, "max_suppression": 0.02}}
    told = []
    release = ind.anonymize(
        table, ind.Policy.from_words(words), progress=lambda _, message: told.append(message)
    )
    values = [float(found[1]) for one in told if (found := re.search(r"loss (\S+) so far", one))]
    assert values == sorted(values, reverse=True)
    assert values[-1] == pytest.approx(release.owner["loss"]["loss"], abs=0.02)
