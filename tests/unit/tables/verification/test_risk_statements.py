"""Who is found in a release: by what others may know, and by one further column."""

import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.base.statements.public_view import public_view
from indistinct.base.statements.risk_figures import further_of, highest_of, of_release_alone
from indistinct.base.statements.sentences import highest_words, risk_clauses, risk_words
from indistinct.base.statements.statements import Statements

KNOWN, MORE, SECRET = ({"role": role} for role in ("quasi-identifier", "insensitive", "sensitive"))


def stated(frame, columns, release=None, rows=None, **words):
    """Return what verification states of a table, by itself or beside its input."""
    words = {"models": [{"name": "k-anonymity", "k": 2}], **words}
    policy = ind.Policy(columns=columns, **words)
    if release is None:
        return ind.verify(pl.DataFrame(frame), policy).statements
    verdict = ind.verify(
        pl.DataFrame(release), policy, original=pl.DataFrame(frame), crosswalk=rows
    )
    return verdict.statements


def test_the_smallest_class_is_the_chance_of_who_knows_what_others_may_know():
    found = stated({"sex": list("ffmmm")}, {"sex": KNOWN}).risk
    assert found["known"] == {
        "columns": ["sex"],
        "unit": "records",
        "smallest": 2,
        "chance": 0.5,
        "of": 5,
        "units": 2,
    }
    assert found["further"]["column"] is None
    assert found["highest"]["scope"] == "known"
    assert "no further column finds a record" in risk_words(found)


def test_who_also_knows_one_more_column_finds_who_stands_alone_in_it():
    frame = {"sex": list("ffmmm"), "fee": [1, 1, 2, 3, 3]}
    found = stated(frame, {"sex": KNOWN, "fee": MORE}).risk
    assert found["further"]["columns"]["fee"] == {
        "alone": 1,
        "below_k": 1,
        "of": 5,
        "needs": ["release"],
    }
    assert found["highest"] == {
        "chance": 1.0,
        "units": 1,
        "of": 5,
        "unit": "records",
        "scope": "further",
    }
    assert risk_clauses(found)[0].startswith("1 of 5 records (20%) is found by somebody who also")
    assert highest_words(found) == "certain"


def test_two_values_do_not_find_anybody():
    """A class of five is below k in each of two values, and nobody is alone."""
    frame = {"sex": ["f"] * 5, "fee": [1, 1, 2, 2, 2]}
    models = [{"name": "k-anonymity", "k": 5}]
    found = stated(frame, {"sex": KNOWN, "fee": MORE}, models=models).risk["further"]
    assert (found["column"], found["alone"], found["below_k"]) == (None, 0, 5)


def test_a_frequent_sensitive_value_is_what_the_models_protect():
    frame = {"sex": list("ffmm"), "ill": ["a", "b", "a", "b"]}
    found = stated(frame, {"sex": KNOWN, "ill": SECRET}).risk["further"]
    assert found["alone"] == 0
    rare = stated({**frame, "ill": ["a", "b", "a", "c"]}, {"sex": KNOWN, "ill": SECRET}).risk
    assert rare["further"]["columns"]["ill"]["alone"] == 2


def test_several_columns_together_find_more():
    frame = {"sex": ["f"] * 4, "x": [1, 1, 2, 2], "y": [1, 2, 1, 2]}
    found = stated(frame, {"sex": KNOWN, "x": MORE, "y": MORE}).risk
    assert found["further"]["together"] == {"columns": ["x", "y"], "alone": 4}
    assert found["highest"]["units"] == 4


def test_people_are_counted_only_where_something_tells_whose_records_are():
    columns = {"id": {"role": "identifier"}, "sex": KNOWN, "fee": MORE}
    frame = {"id": [1, 1, 2, 2], "sex": ["f"] * 4, "fee": [7, 7, 8, 9]}
    release = {"sex": ["f"] * 4, "fee": [7, 7, 8, 9]}
    words = {"data": {"person": "id"}}
    alone = stated(release, columns, **words)
    assert alone.risk["known"]["needs"] == ["crosswalk"]
    assert alone.verdict["verdict"] == "undecided"
    found = stated(frame, columns, release, [0, 1, 2, 3], **words).risk
    assert (found["known"]["unit"], found["known"]["smallest"]) == ("people", 2)
    # Both rows of the first person show 7, and nobody else's does.
    assert found["further"]["columns"]["fee"]["alone"] == 2


def test_small_noise_hides_nobody_from_who_knows_the_true_number():
    columns = {"sex": KNOWN, "pay": {**MORE, "protect": {"name": "noise-additive"}}}
    frame = {"sex": ["f"] * 4, "pay": [100, 200, 300, 400]}
    release = {"sex": ["f"] * 4, "pay": [103.0, 188.0, 305.0, 395.0]}
    found = stated(frame, columns, release, [0, 1, 2, 3]).risk["further"]
    assert found["columns"]["pay"]["alone"] == 4
    mixed = {**release, "pay": [198.0, 102.0, 305.0, 395.0]}
    found = stated(frame, columns, mixed, [0, 1, 2, 3]).risk["further"]
    assert found["columns"]["pay"]["alone"] == 2
    assert "not_examined" in stated(release, columns).risk["further"]["columns"]["pay"]


def test_a_clause_that_cannot_be_had_leaves_the_highest_open_unless_somebody_is_found():
    open_clause = {"not_examined": "why", "needs": ["crosswalk"]}
    nobody = further_of({}, None, 5, "records")
    assert highest_of(open_clause, nobody) == open_clause
    some = further_of({"fee": {"alone": 1, "below_k": 2, "needs": []}}, None, 5, "records")
    assert highest_of(open_clause, some)["chance"] == 1.0


def test_the_public_view_has_nothing_that_takes_the_input():
    columns = {"sex": KNOWN, "pay": {**MORE, "protect": {"name": "noise-additive"}}}
    frame = {"sex": ["f"] * 4, "pay": [100, 200, 300, 400]}
    release = {"sex": ["f"] * 4, "pay": [103.0, 188.0, 305.0, 395.0]}
    own = stated(frame, columns, release, [0, 1, 2, 3])
    models = [{"achieved": {"k": 4}, "holds": True}]
    found = public_view(own, {}, [], models, {"algorithm": "local"})
    assert found.risk["further"]["columns"] == {}
    assert found.risk["highest"]["scope"] == "known"
    assert found.kept == {"levels": {}}
    assert all("why" not in one for one in found.verdict["checks"])
    assert "faults" not in found.verdict
    assert Statements.read(found.document()) == found


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.integers(0, 3), st.integers(0, 3)),
        min_size=2,
        max_size=14,
    )
)
def test_units_alone_are_those_that_no_other_record_is_like(rows):
    """The oracle compares every record with every other one."""
    sex, fee, ill = (list(column) for column in zip(*rows, strict=True))
    frame = {"sex": sex, "fee": fee, "ill": [f"i{one}" for one in ill]}
    found = stated(frame, {"sex": KNOWN, "fee": MORE, "ill": SECRET}).risk
    alone = sum(
        not any(other[:2] == own[:2] for at, other in enumerate(rows) if at != place)
        for place, own in enumerate(rows)
    )
    assert found["further"]["columns"]["fee"]["alone"] == alone
    rare = sum(
        sum(other[2] == own[2] for other in rows) < 2
        and not any(
            (other[0], other[2]) == (own[0], own[2]) for at, other in enumerate(rows) if at != place
        )
        for place, own in enumerate(rows)
    )
    assert found["further"]["columns"]["ill"]["alone"] == rare
    smallest = min(sex.count(one) for one in sex)
    assert found["known"]["chance"] == pytest.approx(1 / smallest)


def test_columns_together_are_said_to_readers_who_cannot_count_a_masked_one() -> None:
    by_cells = {"alone": 1, "below_k": 2, "needs": ["release"]}
    masked = {"alone": 5, "below_k": 5, "needs": ["crosswalk"]}
    together = {"columns": ["fee", "town"], "alone": 2}
    columns = {"fee": by_cells, "town": by_cells}
    readers = further_of(columns, together, 9, "records")
    assert readers["together"] == together
    owners = further_of({"pay": masked, **columns}, together, 9, "records")
    known = {"chance": 0.5, "units": 2, "of": 9, "unit": "records"}
    assert of_release_alone({"known": known, "further": owners})["further"] == readers
