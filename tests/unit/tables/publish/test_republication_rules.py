"""Single rules of releases under m-invariance, and verification of files that break one."""

import csv
import hashlib
import json
from collections import defaultdict

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import HistoryError
from versions import changing, groups_of, planned, policy_of, released, table


def rows_of(path):
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def listed(path):
    return path.with_name(f"{path.name}.counterfeits.csv")


def test_what_is_beside_a_counterfeit_comes_from_a_record_with_its_value(tmp_path):
    """Each note is of a released person with the same illness, or of anybody where none has it."""
    for number, frame in enumerate(changing(3, size=40, steps=3, n_values=6)):
        notes = [hashlib.sha256(who.encode()).hexdigest() for who in frame["id"]]
        version = frame.with_columns(note=pl.Series(notes))
        cross = tmp_path / f"cross {number}.csv"
        path = released(version, policy_of(3), tmp_path, number, crosswalk=cross)
    origin = {int(row["output_row"]): int(row["input_row"]) for row in rows_of(cross)}
    rows, of_ill = rows_of(path), defaultdict(set)
    people, made = [], []
    for place, row in enumerate(rows):
        (people if origin[place] >= 0 else made).append(row)
    for row in people:
        of_ill[row["ill"]].add(row["note"])
    everybody = set.union(*of_ill.values())
    assert len(made) > 5
    assert all(row["note"] in of_ill.get(row["ill"], everybody) for row in made)


@pytest.mark.parametrize("companions", ["fixed", "mixed"])
def test_no_signature_is_so_long_that_a_change_would_be_told_by_it(tmp_path, companions):
    """With six values and m = 2 a signature has four at most, so that two are left for a change."""
    policy = policy_of(2, companions=companions)
    for frame in changing(12, size=50, steps=3, n_values=6, changes=0.1):
        planned(frame, policy, tmp_path / "h.db")
    sizes = {len(group.values) for groups in groups_of(tmp_path / "h.db") for group in groups}
    assert sizes <= {2, 3, 4}


def test_a_change_within_the_group_is_hidden_or_left_out(tmp_path):
    """With mixed companions nothing changes; fixed ones would need other values for the new one."""
    ills = ("flu", "HIV", "ulcer", "gout")
    people = [(n, 20 + n, ills[n % 4]) for n in range(12)]
    for companions, left_out in (("mixed", 0), ("fixed", 1)):
        path = tmp_path / f"{companions}.db"
        policy = policy_of(2, companions=companions)
        planned(table(people), policy, path)
        own = next(group for group in groups_of(path)[0] if "flu" in group.values)
        other = next(value for value in own.values if value != "flu")
        who = next(n for n, _, ill in people if ill == "flu" and code_of(n, path) in own.members)
        changed = [(n, age, other if n == who else ill) for n, age, ill in people]
        draft = planned(table(changed), policy, path)
        assert draft.manifest["history"]["left_out"] == left_out


def code_of(who, path):
    """Return the code of a person in a history."""
    import hmac

    from indistinct.tables.history.writing import opened

    with opened(path) as history:
        return hmac.digest(history.facts().key, f"Quetzal{who}".encode(), "sha256")


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ({"history": {"person": "note"}}, "history.person"),
        ({"models": [{"name": "m-invariance", "column": "sex", "m": 2}]}, "m-invariance.column"),
    ],
)
def test_a_history_keeps_to_its_columns(tmp_path, words, place):
    """Another column of persons, or another sensitive one, is refused."""
    frame = next(iter(changing(7, size=20, steps=1, n_values=6)))
    planned(frame, policy_of(2), tmp_path / "h.db")
    document = policy_of(2).words()
    document["columns"] |= {
        "note": {"role": "identifier"},
        **(
            {"ill": {"role": "insensitive"}, "sex": {"role": "sensitive"}}
            if "models" in words
            else {}
        ),
    }
    document["history"] |= words.get("history", {})
    document["models"] = words.get("models", document["models"])
    with pytest.raises(HistoryError, match=place):
        planned(frame, ind.Policy.from_words(document), tmp_path / "h.db")


def spoil_value(path):
    """Repeat a sensitive value within a group."""
    rows = rows_of(path)
    other = next(row for row in rows[1:] if row["group"] == rows[0]["group"])
    other["ill"] = rows[0]["ill"]
    pl.DataFrame(rows).write_csv(path)


def spoil_cells(path):
    """Let one record of a group have other cells than the rest."""
    rows = rows_of(path)
    rows[0]["age"] = next(row["age"] for row in rows if row["age"] != rows[0]["age"])
    pl.DataFrame(rows).write_csv(path)


def spoil_list(path):
    """Say that everybody of a group is a counterfeit."""
    rows = rows_of(listed(path))
    sizes = defaultdict(int)
    for row in rows_of(path):
        sizes[row["group"]] += 1
    rows[0]["counterfeits"] = str(sizes[rows[0]["group"]])
    pl.DataFrame(rows).write_csv(listed(path))


def spoil_group(path):
    """List counterfeits of a group that is not there."""
    rows = [*rows_of(listed(path)), {"group": "99999", "counterfeits": "1"}]
    pl.DataFrame(rows).write_csv(listed(path))


@pytest.mark.parametrize(
    ("spoil", "found_by"),
    [
        (spoil_value, "does not hold"),
        (spoil_cells, "differs within"),
        (spoil_list, "groups have no person"),
        (spoil_group, "are not in the release"),
    ],
)
def test_verification_finds_each_fault_in_the_files_alone(tmp_path, spoil, found_by):
    """Neither the history nor the input is needed for these."""
    for number, frame in enumerate(changing(5, size=30, steps=2, n_values=6)):
        path = released(frame, policy_of(2), tmp_path, number)
    assert ind.verify(path, policy_of(2)).holds
    path.with_name(f"{path.name}.manifest.json").unlink()
    spoil(path)
    verdict = ind.verify(path, policy_of(2))
    assert verdict.holds is False
    assert any(found_by in fault.problem for fault in verdict.faults), verdict.faults


@pytest.mark.parametrize(
    "place",
    [
        ("output", "rows"), ("records", "released"), ("counterfeits", "records"),
        ("counterfeits", "share"), ("counterfeits", "groups"), ("classes", "mean"),
        ("risk", "prosecutor"), ("risk", "marketer"),
    ],
)  # fmt: skip
def test_every_figure_that_the_files_determine_is_compared(tmp_path, place):
    """A manifest that claims a little less is refused, with the figure's name."""
    for number, frame in enumerate(changing(5, size=30, steps=2, n_values=6)):
        path = released(frame, policy_of(2), tmp_path, number)
    manifest = json.loads(path.with_name(f"{path.name}.manifest.json").read_text())
    manifest[place[0]][place[1]] *= 0.5
    verdict = ind.verify(path, policy_of(2), manifest=manifest)
    assert any(fault.place == f"manifest.{'.'.join(place)}" for fault in verdict.faults)
