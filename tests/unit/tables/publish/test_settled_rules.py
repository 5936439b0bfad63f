"""A suggested rule follows from the cells that are shown, whatever was left out."""

from collections import defaultdict

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.counting.suggested_rules import FLAT, rules_of_typical_values
from indistinct.tables.policy.public import shown_rule
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.policy.specification import resolve
from shared import longer

ILL = ["flu", "cold"]
NUMBERS = [45, 62, 75, 99, 150, 300, 999, 1000, 4999, 5000, 12345, 100000]
VALUES = {
    "numbers": [*NUMBERS, *(-number for number in NUMBERS)],
    "decimals": [number + 0.5 for number in (*NUMBERS, *(-one for one in NUMBERS))],
    "longer codes": ["9", "99", "123456", "00000000", "1", "77777777777777"] * 4,
    "words": ["x", "unknown", "n/a", "2024", "A1", "somewhere else"] * 4,
    "other dates": ["1700-01-01", "2999-12-31", "1.2.2024", "May", "2024-05", "never"] * 4,
}
OTHERS = {
    "numbers": [20 + place % 20 for place in range(40)],
    "decimals": [20 + place % 20 for place in range(40)],
    "longer codes": [f"{47000 + place % 4 * 11}" for place in range(40)],
    "words": [f"{47000 + place % 4 * 11}" for place in range(40)],
    "other dates": [f"2024-0{1 + place % 4}-11" for place in range(40)],
}
CASES = longer(
    [(kind, n, algorithm) for kind in VALUES for n in (1, 6) for algorithm in ("optimal", "local")],
    [(kind, 1, "optimal") for kind in VALUES] + [("numbers", 6, "local"), ("numbers", 1, "local")],
)


def released(kind, unknown, n_unknown, algorithm, path) -> ind.Release:
    cells = [str(value) for value in (*OTHERS[kind], *[unknown] * n_unknown)]
    ages = [20 + place // 4 % 5 * 10 for place in range(40)] + [97] * n_unknown
    frame = pl.DataFrame({"q": cells, "ill": (ILL * 25)[: len(cells)], "age": ages})
    frame.write_csv(path)
    policy = ind.Policy.from_words(
        {
            "columns": {
                "q": {"role": "quasi-identifier"},
                "age": {"role": "quasi-identifier", "max_level": 0},
                "ill": {"role": "sensitive"},
            },
            "models": [{"name": "k-anonymity", "k": 7}],
            "method": {"algorithm": algorithm, "max_suppression": 0.2},
        }
    )
    return ind.anonymize(path, policy, seed=1)


@pytest.mark.parametrize(("kind", "n_unknown", "algorithm"), CASES)
def test_what_was_left_out_decides_no_label(kind, n_unknown, algorithm, tmp_path):
    """Wherever the same other cells are shown, they are shown by the same rule and manifest."""
    by_rows: dict[tuple, set] = defaultdict(set)
    for unknown in dict.fromkeys(VALUES[kind]):
        release = released(kind, unknown, n_unknown, algorithm, tmp_path / "in.csv")
        hidden = sorted(set(range(40)) - set(release.crosswalk.tolist()))
        if release.frame.height > 40 - len(hidden):
            continue  # the unknown records are released
        rule = release.manifest["policy"]["columns"]["q"]
        by_rows[tuple(hidden)].add((str(rule), release.frame.write_csv()))
    assert by_rows
    assert all(len(found) == 1 for found in by_rows.values()), dict(by_rows)


def test_typical_values_leave_out_the_k_1_least_and_greatest():
    policy = ind.Policy.from_keywords(quasi_identifiers=["age"], k=3, max_suppression=0.1)
    ages = [1, 2, *[30 + place % 16 for place in range(40)], 700, 9000]
    frame = pl.DataFrame({"age": ages})
    assert rules_of_typical_values(frame, resolve(policy))["age"] == HierarchyRule(intervals=(2, 4))
    keeps_all = policy.with_words({"method": {"max_suppression": 0}})
    assert rules_of_typical_values(frame, resolve(keeps_all))["age"].intervals[0] == 1000


def test_forms_of_fewer_than_k_records_do_not_count():
    policy = ind.Policy.from_keywords(quasi_identifiers=["q"], k=3, max_suppression=0.1)
    dates = [f"2024-01-{day:02}" for day in range(1, 29)]
    for rare in (["May"], ["May", "12"]):
        rules = rules_of_typical_values(pl.DataFrame({"q": [*dates, *rare]}), resolve(policy))
        assert rules["q"].dates == ("month", "quarter", "year", "decade")
    codes = ["47111", "47112", "47113"] * 3
    rules = rules_of_typical_values(pl.DataFrame({"q": [*codes, "4"]}), resolve(policy))
    assert rules["q"].mask == 5
    rules = rules_of_typical_values(pl.DataFrame({"q": [*codes, *"456"]}), resolve(policy))
    assert rules["q"] == FLAT


def test_a_column_without_a_rule_that_agrees_with_itself_is_kept_or_hidden():
    """The owner is told so, with the remedy; the public manifest says nothing of it."""
    ages = [*[20 + place % 7 for place in range(21)], 40, 41, 90, 95, 99, 250, 260]
    frame = pl.DataFrame({"age": ages, "ill": (ILL * 20)[: len(ages)]})
    policy = ind.Policy.from_keywords(
        quasi_identifiers=["age"], sensitive=["ill"], k=4, algorithm="local", max_suppression=0.0
    )
    release = ind.anonymize(frame, policy)
    rule = release.manifest["policy"]["columns"]["age"]["hierarchy"]
    codes = {warning["code"] for warning in release.warnings}
    assert ("no-suggested-hierarchy" in codes) <= (rule == {"labels": []})
    assert "no-suggested-hierarchy" not in str(release.manifest)


def test_a_column_that_shows_no_cell_has_no_public_rule():
    policy = ind.Policy.from_keywords(quasi_identifiers=["age"], k=2)
    rule = HierarchyRule(intervals=(5, 10))
    assert shown_rule(policy.data.missing, rule, ["*", ""]) == FLAT
    assert shown_rule(policy.data.missing, rule, ["*", "[0, 5)"]) == rule


@pytest.mark.parametrize("suppressed", ["drop", "mask"])
@pytest.mark.parametrize("algorithm", ["local", "k-member", "lattice-peel", "cell-suppression"])
def test_a_rule_that_midpoints_show_is_that_of_the_shown_numbers(algorithm, suppressed, tmp_path):
    """A hidden number is an empty cell among midpoints, and suggests nothing."""
    frame = pl.DataFrame(
        {
            "q": [place * 7 % 33 / 8 for place in range(40)] + [500.5],
            "c": [str(place % 3) for place in range(40)] + ["z"],
        }
    )
    policy = ind.Policy.from_words(
        {
            "columns": {"q": {"role": "quasi-identifier"}, "c": {"role": "quasi-identifier"}},
            "models": [{"name": "k-anonymity", "k": 3}],
            "method": {"algorithm": algorithm, "max_suppression": 0.1},
            "release": {"intervals": "midpoint", "suppressed": suppressed},
        }
    )
    release = ind.anonymize(frame, policy, seed=1)
    release.write(tmp_path / "out.csv", crosswalk=tmp_path / "rows.csv")
    proofs = {"original": frame, "crosswalk": tmp_path / "rows.csv"}
    assert ind.verify(tmp_path / "out.csv", policy, **proofs).holds
