"""The history file by itself: what is written comes back, and nothing is done out of turn."""

import hashlib

import pytest

from indistinct.errors import HistoryError, HistoryMovedError, VerificationError
from indistinct.tables.history.entries import (
    KEY_BYTES,
    Past,
    ReleasedClass,
    ReleaseState,
    Step,
    TableFacts,
    Tie,
)
from indistinct.tables.history.store import History, standing_releases
from indistinct.tables.history.writing import (
    Remembering,
    file_has_hash,
    opened,
    recorded,
    settle_pending,
)

FACTS = TableFacts("id", "ill", 2, "fixed", b"k" * KEY_BYTES)
ANN, BEA, CAT = b"ann", b"bea", b"cat"


def step(base=0, *, facts=FACTS, ended=(), ties=(), people=((ANN, 1), (BEA, 1))):
    """Plan a release of one class after the release ``base``."""
    shown = ReleasedClass(1, {facts.sensitive or "ill": ("flu", "gout")}, ("20-29", "f"), 2, 1)
    return Step(facts, base, "in", "policy", 3, 1, ended, ties, people, [shown])


@pytest.fixture
def history(tmp_path):
    with opened(tmp_path / "h.db", create=True) as found:
        yield found


def released(history, plan):
    history.publish(history.commit(plan, f"out{plan.number}", f"/r{plan.number}.csv"))


def test_an_empty_history_knows_nothing(history):
    assert history.facts() is None
    assert history.releases() == []
    assert history.past() == Past(None, 0, {}, [])
    assert history.members(1) == {}
    assert history.classes(1) == {}
    assert Past.empty() == Past(None, 0, {}, ())


def test_what_is_committed_comes_back(history):
    ties = ((ANN, Tie(("flu", "gout"), 1, None, 7, "flu")), (BEA, Tie(("flu", "gout"), 1)))
    assert history.commit(step(ties=ties), "out1", "/r1.csv") == 1
    assert history.facts() == FACTS
    [made] = history.releases()
    assert (made.number, made.input_sha256, made.output_sha256) == (1, "in", "out1")
    assert (made.policy_sha256, made.rows, made.counterfeits) == ("policy", 3, 1)
    assert (made.state, made.output) == (ReleaseState.PENDING, "/r1.csv")
    assert len(made.made) == len("2026-01-01T00:00:00+00:00")
    assert history.members(1) == {ANN: 1, BEA: 1}
    assert history.classes(1) == {
        1: ReleasedClass(1, {"ill": ("flu", "gout")}, ("20-29", "f"), 2, 1)
    }
    past = history.past()
    assert (past.facts, past.base, past.releases) == (FACTS, 1, [made])
    assert past.ties == {ANN: [ties[0][1]], BEA: [ties[1][1]]}


def test_values_of_several_columns_come_back_by_column(history):
    """Other models than m-invariance have no one sensitive column."""
    values = {"pay": ("high",), "ill": ("flu", "gout"), "a": ("ü",)}
    plan = step(facts=TableFacts("id", key=b"k" * KEY_BYTES))
    one = ReleasedClass(4, values, ("*",), 5)
    plan = Step(plan.facts, 0, "in", "policy", 5, 0, (), (), (), [one])
    released(history, plan)
    assert history.classes(1) == {4: one}
    assert one.counterfeits == 0
    assert list(history.classes(1)[4].values) == ["a", "ill", "pay"]
    assert not plan.facts.is_invariant
    assert FACTS.is_invariant


def test_a_tie_ends_where_another_takes_its_place(history):
    released(history, step(ties=((ANN, Tie(("flu", "gout"), 1)), (BEA, Tie(("flu", "gout"), 1)))))
    released(history, step(1, ended=(ANN,), ties=((ANN, Tie(("flu", "mumps"), 2)),)))
    past = history.past()
    assert past.ties[ANN] == [Tie(("flu", "gout"), 1, 2), Tie(("flu", "mumps"), 2)]
    assert past.ties[BEA] == [Tie(("flu", "gout"), 1)]
    assert past.base == 2
    # What is withdrawn never was: the tie of before is in force again.
    history.withdraw(2)
    past = history.past()
    assert past.ties[ANN] == [Tie(("flu", "gout"), 1)]
    assert past.base == 2, "a number is not given twice"
    assert [made.number for made in past.releases] == [1]
    assert [made.number for made in standing_releases(history.releases())] == [1]
    assert (history.members(2), history.classes(2)) == ({}, {})
    assert len(history.members(1)) == 2


@pytest.mark.parametrize("base", [0, 2])
def test_a_plan_that_does_not_know_the_last_release_is_refused(history, base):
    released(history, step())
    for refuse in (
        lambda: history.refuse_other_base(step(base)),
        lambda: history.commit(step(base), "out", "/r.csv"),
    ):
        with pytest.raises(HistoryMovedError, match="another run added"):
            refuse()
    history.refuse_other_base(step(1))
    assert len(history.releases()) == 1


def test_a_plan_is_refused_while_another_is_pending_or_with_another_key(history):
    history.refuse_other_base(step())
    history.commit(step(), "out", "/r.csv")
    with pytest.raises(HistoryMovedError):
        history.refuse_other_base(step(1))
    history.publish(1)
    history.refuse_other_base(step(1))
    other = TableFacts("id", "ill", 2, "fixed", b"x" * KEY_BYTES)
    with pytest.raises(HistoryMovedError):
        history.refuse_other_base(step(1, facts=other))


def test_facts_are_those_of_the_first_release(history):
    released(history, step())
    released(history, step(1, facts=TableFacts("other", "pay", 3, "mixed", FACTS.key)))
    assert history.facts() == FACTS


def test_nothing_is_done_out_of_turn(history):
    for act in (history.publish, history.withdraw, history.forget):
        with pytest.raises(HistoryError, match="the history has no release 1"):
            act(1)
    history.commit(step(), "out", "/r.csv")
    with pytest.raises(
        HistoryError, match="release 1 is pending, so that there is nothing to forg"
    ):
        history.forget(1)
    history.publish(1)
    with pytest.raises(HistoryError, match=r"release 1 is published.*nothing to publish"):
        history.publish(1)
    history.withdraw(1)
    with pytest.raises(HistoryError, match=r"release 1 is withdrawn.*nothing to withdraw"):
        history.withdraw(1)
    assert history.forget(1) == 0


def test_only_the_last_release_that_counts_is_withdrawn(history):
    for base in range(3):
        released(history, step(base))
    with pytest.raises(HistoryError, match="release 1 cannot be withdrawn") as caught:
        history.withdraw(1)
    assert "Withdraw release 3 first" in str(caught.value)
    for number in (3, 2, 1):
        history.withdraw(number)
    assert {made.state for made in history.releases()} == {ReleaseState.WITHDRAWN}


def test_who_is_forgotten_is_counted_and_gone(history):
    released(history, step())
    released(history, step(1, people=((CAT, 1),)))
    assert history.forget(1) == 2
    assert history.members(1) == {}
    assert history.members(2) == {CAT: 1}


def test_a_history_of_another_version_is_refused(history, monkeypatch):
    monkeypatch.setattr("indistinct.tables.history.store.VERSION", "2")
    history.commit(step(), "out", "/r.csv")
    monkeypatch.undo()
    with pytest.raises(HistoryError, match="another version"):
        history.facts()


def test_a_history_is_made_only_where_one_is_wanted(tmp_path):
    with pytest.raises(HistoryError.__base__, match="there is no such history"):
        History(tmp_path / "none.db")
    with pytest.raises(HistoryError.__base__, match="no such"), opened(tmp_path / "none.db"):
        pass
    assert not (tmp_path / "none.db").exists()
    History(tmp_path / "h.db", create=True).close()
    History(tmp_path / "h.db").close()


def test_keys_are_drawn_and_shown_to_nobody():
    first, second = TableFacts("id"), TableFacts("id")
    assert first.key != second.key
    assert len(first.key) == KEY_BYTES == 32
    assert "key" not in repr(first)


# --- the order of writing ---


def written(tmp_path, text="rows"):
    output = tmp_path / "r.csv"
    output.write_text(text)
    return output, hashlib.sha256(output.read_bytes()).hexdigest()


def states(path):
    with opened(path) as history:
        return [made.state for made in history.releases()]


def test_a_release_is_pending_until_its_file_has_its_name(tmp_path):
    path, (output, sha256) = tmp_path / "h.db", written(tmp_path)
    with recorded(Remembering(path, step()), output) as note:
        assert not path.exists()
        note(sha256)
        assert states(path) == [ReleaseState.PENDING]
    assert states(path) == [ReleaseState.PUBLISHED]


@pytest.mark.parametrize(
    ("content", "expected"), [("rows", ReleaseState.PUBLISHED), ("other", ReleaseState.WITHDRAWN)]
)
def test_a_failure_after_the_note_is_settled_by_the_file(tmp_path, content, expected):
    path, (output, sha256) = tmp_path / "h.db", written(tmp_path)

    def cut_off():
        with recorded(Remembering(path, step()), output) as note:
            note(sha256)
            output.write_text(content)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cut_off()
    assert states(path) == [expected]


def test_a_failure_before_the_note_leaves_no_history(tmp_path):
    path = tmp_path / "h.db"
    with pytest.raises(KeyError), recorded(Remembering(path, step()), tmp_path / "r.csv"):
        raise KeyError
    assert not path.exists()


def test_where_no_history_is_kept_nothing_is_noted(tmp_path):
    with recorded(None, tmp_path / "r.csv") as note:
        note("hash")
    assert list(tmp_path.iterdir()) == []


def test_a_release_that_was_overtaken_says_so(tmp_path):
    """It fails its verification beside what is known now; the reason is the other run."""
    path = tmp_path / "h.db"
    for error, expected in ((VerificationError("no", []), HistoryMovedError), (OSError(), OSError)):
        with opened(path, create=True) as history:
            plan = step(len(history.releases()))
            released(history, plan)
        with pytest.raises(expected), recorded(Remembering(path, plan), tmp_path / "r.csv"):
            raise error


def test_a_pending_release_is_completed_where_its_file_stands(tmp_path):
    path, (output, sha256) = tmp_path / "h.db", written(tmp_path)
    with opened(path, create=True) as history:
        released(history, step())
        history.commit(step(1), sha256, str(output))
        settle_pending(history)
        assert [made.state for made in history.releases()] == [ReleaseState.PUBLISHED] * 2
        history.commit(step(2), "another hash", str(output))
        with pytest.raises(HistoryError, match="release 3 is pending") as caught:
            settle_pending(history)
    assert "--withdraw 3" in str(caught.value)
    assert "--publish 3" in str(caught.value)


def test_a_file_has_the_hash_of_its_bytes_alone(tmp_path):
    output, sha256 = written(tmp_path)
    assert file_has_hash(str(output), sha256)
    assert not file_has_hash(str(output), "0" * 64)
    assert not file_has_hash(str(tmp_path / "none"), sha256)
