"""Classes of little diversity join the nearest ones."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from indistinct.base.hierarchy_builders import from_rows, tree_rows
from indistinct.tables.search.adaptive.joining import CandidateClasses, Joining, joining_costs
from indistinct.tables.search.adaptive.similarity import RecordSimilarity

TREE = from_rows(tree_rows({"north": ["a", "b"], "south": ["c", "d"]}))
HIERARCHIES = (TREE, TREE)
PATHS = np.stack([TREE.codes, TREE.codes])


def joining(least=1.5, evenness=0.5, weights=(0.5, 0.5), highest=(2, 2)):
    similarity = RecordSimilarity(PATHS, np.array([2, 2]), np.zeros((2, 4)), np.array(weights))
    costs = joining_costs(HIERARCHIES, similarity)
    return Joining(similarity, costs, np.array(highest), least, evenness)


def classes(*rows):
    """Make classes of (values, levels, counts)."""
    codes, levels, counts = (np.array(part) for part in zip(*rows, strict=True))
    return CandidateClasses(
        codes.astype(np.int32), levels.astype(np.int64), counts.astype(np.int64)
    )


def diverse(counts, least, evenness):
    size, present = sum(counts), sum(count > 0 for count in counts)
    diversity = size**2 / sum(count**2 for count in counts)
    return diversity >= least - 1e-9 and diversity / present >= evenness - 1e-9, diversity


def united(how, one, other):
    """Return the levels and counts of two classes together, and what both lose."""
    levels, lost = [], 0.0
    for q in range(2):
        level = max(one[1][q], other[1][q])
        while PATHS[q, level, one[0][q]] != PATHS[q, level, other[0][q]]:
            level += 1
        levels.append(level)
        for codes, own, counts in (one, other):
            rise = how.costs[q, level, codes[q]] - how.costs[q, own[q], codes[q]]
            lost += sum(counts) * rise
    return levels, [a + b for a, b in zip(one[2], other[2], strict=True)], lost


def partners(how, state, owner, one):
    """Return the classes that one may join, the nearest of the best kind first."""
    _, now = diverse(state[one][2], how.least, how.evenness)
    for other in range(len(state)):
        if other == one or owner[other] != other:
            continue
        levels, counts, lost = united(how, state[one], state[other])
        if any(level > top for level, top in zip(levels, how.highest, strict=True)):
            continue
        becomes, then = diverse(counts, how.least, how.evenness)
        if becomes or then > now + 1e-9:
            yield (not becomes, round(lost, 9), other, levels, counts)


def plainly(how, rows):
    """Join as the definition says: the class each becomes a part of, and levels and counts."""
    state = [(list(codes), list(levels), list(counts)) for codes, levels, counts in rows]
    owner = list(range(len(rows)))

    for one in range(len(rows)):
        while owner[one] == one:
            if diverse(state[one][2], how.least, how.evenness)[0]:
                break
            found = list(partners(how, state, owner, one))
            if not found:
                break
            _, _, other, levels, counts = min(found)
            state[one] = (state[one][0], levels, counts)
            owner[other] = one
    for one in range(len(rows)):
        while owner[owner[one]] != owner[one]:
            owner[one] = owner[owner[one]]
    return owner, state


ROWS = st.lists(
    st.tuples(
        st.tuples(st.integers(0, 3), st.integers(0, 3)),
        st.tuples(st.integers(0, 2), st.integers(0, 2)),
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)).filter(any),
    ),
    min_size=1,
    max_size=9,
)


@settings(deadline=None)
@given(ROWS, st.sampled_from([1.2, 1.5, 2.2]), st.sampled_from([(2, 2), (1, 2)]))
def test_classes_are_joined_as_defined(rows, least, highest):
    how = joining(least, 0.5, (0.7, 0.3), highest)
    owners, found = how.joined(classes(*rows))
    expected, state = plainly(how, rows)
    kept = sorted(set(expected))
    assert [kept[owner] for owner in owners] == expected
    assert found.levels.tolist() == [state[one][1] for one in kept]
    assert found.counts.tolist() == [state[one][2] for one in kept]


@settings(deadline=None)
@given(ROWS, st.sampled_from([1.2, 1.5]))
def test_no_class_becomes_more_specific_and_no_record_is_lost(rows, least):
    before = classes(*rows)
    owners, after = joining(least).joined(before, block=3)
    assert (after.levels[owners] >= before.levels).all()
    assert after.counts.sum() == before.counts.sum()
    for one, owner in enumerate(owners):
        for q in range(2):
            level = after.levels[owner, q]
            own, other = before.codes[one, q], after.codes[owner, q]
            assert PATHS[q, level, own] == PATHS[q, level, other]


@settings(deadline=None)
@given(ROWS)
def test_two_values_reach_any_diversity_of_the_table(rows):
    two = [(codes, levels, counts[:2]) for codes, levels, counts in rows if any(counts[:2])]
    if not two:
        return
    whole = np.sum([counts for _, _, counts in two], axis=0)
    least = whole.sum() ** 2 / (whole**2).sum()
    how = joining(1 + 0.01 * (least - 1), 0.5)
    assert how.joined(classes(*two))[1].diverse(how.least, 0.0).all() or least == 1


def test_the_nearest_partner_is_taken():
    """The homogeneous class of (a, a) joins (b, a), not (c, c)."""
    rows = [((0, 0), (0, 0), (4, 0)), ((2, 2), (0, 0), (0, 4)), ((1, 0), (0, 0), (0, 4))]
    owners, found = joining().joined(classes(*rows))
    assert owners[0] == owners[2] != owners[1] or len(set(owners.tolist())) == 1
    rows[1] = ((2, 2), (0, 0), (2, 2))
    owners, found = joining().joined(classes(*rows))
    assert owners.tolist() == [0, 1, 0]
    assert found.levels.tolist() == [[1, 0], [0, 0]]
    assert found.counts.tolist() == [[4, 4], [2, 2]]


def test_a_class_that_may_not_rise_stays():
    rows = [((0, 0), (0, 0), (4, 0)), ((2, 0), (0, 0), (0, 4))]
    owners, found = joining(highest=(1, 2)).joined(classes(*rows))
    assert owners.tolist() == [0, 1]
    assert found.diverse(1.5, 0.5).tolist() == [False, False]


def test_a_column_costs_its_weight_at_the_top():
    costs = joining(weights=(0.8, 0.2)).costs
    assert costs[0, 2].tolist() == pytest.approx([0.8] * 4)
    assert costs[1, 1].tolist() == pytest.approx([0.1] * 4)
    assert costs[:, 0].tolist() == [[0.0] * 4] * 2
