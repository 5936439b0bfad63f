"""A few random cases at each door, what failed once, and many where there is time."""

from pathlib import Path

import pytest

from fuzz import doors
from fuzz.doors import DOORS, kept, tried_again, try_case

CORPUS = Path(__file__).parent / "corpus/doors"


@pytest.mark.parametrize("door", DOORS)
def test_random_work_goes_through_or_is_refused_in_words(door):
    assert try_case(door, 0)[1] is None


def test_no_case_fails_that_failed_once():
    for place in CORPUS.glob("*.json"):
        assert tried_again(place) is None, place.name


def test_a_failing_case_is_kept_as_small_as_it_still_fails(tmp_path, monkeypatch):
    """A planted fault: more than 20 people are too many. The kept case has no more than needed."""
    sizes = []

    def planted(chance):
        sizes.append(doors.people(chance, chance.randint(5, 300)).height)
        if sizes[-1] > 20:
            raise doors.FoundError("too many")
        return True

    monkeypatch.setitem(DOORS, "planted", planted)
    seed = next(seed for seed in range(20) if try_case("planted", seed)[1])
    assert sizes[-1] > 20
    said = kept(tmp_path, "planted", seed, "too many")
    [place] = tmp_path.iterdir()
    assert str(place) in said
    assert tried_again(place) == "too many"
    assert 20 < sizes[-1] <= 50
    monkeypatch.setitem(DOORS, "planted", lambda _: True)
    assert tried_again(place) is None


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_much_more_random_work_goes_through_or_is_refused_in_words(door):
    went = 0
    for seed in range(1, 60):
        passed, found = try_case(door, seed)
        assert found is None, (door, seed)
        went += passed
    assert went > 5
