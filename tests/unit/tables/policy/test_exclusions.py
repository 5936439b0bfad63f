"""What does not go together is refused where both stand, and only there."""

from collections.abc import Mapping
from copy import deepcopy

import pytest

import indistinct as ind
from indistinct.errors import PolicyError
from indistinct.tables.policy import settings as table
from indistinct.tables.policy.exclusions import EXCLUSIONS
from indistinct.tables.policy.settings import Setting
from indistinct.tables.policy.tables import PolicyTables

AGE = {"age": {"role": "quasi-identifier"}}
K = [{"name": "k-anonymity", "k": 3}]
ILL = {"ill": {"role": "sensitive"}}
CODES = {"codes": {"role": "quasi-identifier", "type": "set"}}
WHO = {"who": {"role": "identifier"}}
MASKED = {"protect": {"name": "pseudonym", "key": "x.key"}}
SHIFTED = {"protect": {"name": "date-shift"}}
NOISE = {"pay": {"role": "quasi-identifier", "protect": {"name": "noise"}}}
COUNTED = {"population": {"data": "people.csv"}}
L = {"name": "distinct-l-diversity", "column": "ill", "l": 2}
M = {"name": "m-invariance", "column": "ill", "m": 2}
REGION = {"name": "nt-closeness", "column": "ill", "n": 9, "t": 0.5, "distance": "equal"}
PRESENCE = {"name": "delta-presence", "delta_min": 0.1, "delta_max": 0.9}
ITEMS = {"name": "km-anonymity", "column": "codes", "k": 2, "m": 2}
WHOLE = {"name": "set-k-anonymity", "column": "codes", "k": 2}
AGAIN = {"history": {"person": "who"}, "columns": WHO}
INVARIANT = {**AGAIN, "columns": {**WHO, **ILL}, "models": [M]}
# How a policy asks for a setting, in as few words as possible.
ASKED: Mapping[Setting, dict] = {
    table.ANATOMY: {"release": {"form": "anatomy"}},
    table.LINKED: {"release": {"form": "anatomy"}},
    table.MIDPOINTS: {"release": {"intervals": "midpoint"}},
    table.NO_LABELS: {"release": {"intervals": "bounds"}},
    table.STARS: {"release": {"suppressed_cell": "any"}},
    table.RELEASE_WORDS: {"release": {"suppressed": "mask"}},
    table.WORDS_OF_TABLES: {"release": {"suppressed": "mask"}},
    table.PERSON: {"data": {"person": "who"}, "columns": WHO},
    table.HOUSEHOLD: {"data": {"household": "who"}, "columns": WHO, "models": K},
    table.MASKED_HOUSEHOLDS: {
        "data": {"household": "who"}, "columns": {"who": {"role": "identifier", **MASKED}}
    },
    table.NOT_K_ANONYMITY: {"models": [L], "columns": ILL},
    table.NOT_LOCAL: {"method": {"algorithm": "optimal"}},
    table.MASKED_ROWS: {"release": {"suppressed": "mask"}},
    table.WEIGHT: {"data": {"weight": "weight"}, "columns": {"weight": {"role": "insensitive"}}},
    table.MISSING_AS: {"data": {"missing_as": "suppress"}},
    table.POPULATION: COUNTED,
    table.HISTORY: AGAIN,
    table.PLAIN_HISTORY: AGAIN,
    table.RESISTANT: {"method": {"replay": "resistant"}},
    table.WEIGHTS: {"method": {"weights": "vulnerability"}},
    table.READING: {"method": {"algorithm": "infogain-mondrian"}},
    table.OVERLAPPING: {"method": {"algorithm": "local"}},
    table.NOT_COUNTING: {"method": {"algorithm": "adaptive"}},
    table.NOT_OF_WHOLE_SETS: {"method": {"algorithm": "priced-cut"}, "columns": CODES},
    table.OF_WHOLE_SETS: {"method": {"algorithm": "partition"}, "columns": CODES},
    table.K_ANONYMITY_NOT: {"models": [L], "columns": ILL},
    table.REGIONS: {"models": [REGION], "columns": ILL},
    table.DIVIDING: {"models": [{**L, "others": "quasi-identifiers"}], "columns": ILL},
    table.COUNTING_TABLES: {**COUNTED, "models": [{"name": "k-map", "k": 3}]},
    table.COUNTING_CLASSES: {**COUNTED, "models": [{"name": "k-map", "k": 3}]},
    table.SHARES: {**COUNTED, "models": [PRESENCE]},
    table.NOT_OF_LINKED_TABLES: {"models": K, "columns": ILL},
    table.INVARIANT: INVARIANT,
    table.BESIDE_INVARIANT: {"models": K},
    table.WHOLE_SETS: {"models": [WHOLE], "columns": CODES},
    table.SOME_ITEMS: {"models": [ITEMS], "columns": CODES},
    table.SETS: {"columns": CODES, "models": [ITEMS]},
    table.SET_LEVELS: {"columns": {"codes": {**CODES["codes"], "max_level": 1}}},
    table.SET_PROTECTED: {"columns": {"codes": {**CODES["codes"], "protect": {"name": "noise"}}}},
    table.NOISE: {"columns": NOISE},
    table.HIERARCHY_OF_NOISE: {"columns": {"pay": {**NOISE["pay"], "hierarchy": {"mask": 2}}}},
    table.LOWEST_LEVELS: {"columns": {"age": {"role": "quasi-identifier", "min_level": 1}}},
    table.MASKED_SENSITIVE: {
        "columns": {"ill": {"role": "sensitive", "protect": {"name": "swap", "percent": 5}}}
    },
    table.MASKED_CLASSES: {"columns": NOISE},
    table.SECOND_SENSITIVE: {"columns": {"other": {"role": "sensitive"}}},
    table.MASKED_BESIDE_INVARIANT: {"columns": {"name": {"role": "identifier", **MASKED}}},
    table.MASKED_PERSONS: {
        "data": {"person": "who"}, "columns": {"who": {"role": "identifier", **MASKED}}
    },
    table.DATE_SHIFT: {
        "data": {"person": "who"}, "columns": {**WHO, "day": {"role": "insensitive", **SHIFTED}}
    },
    table.MASKED_HISTORY: {
        "history": {"person": "who"}, "columns": {"who": {"role": "identifier", **MASKED}}
    },
    table.MASKED_WEIGHT: {
        "data": {"weight": "weight"}, "columns": {"weight": {"role": "identifier", **MASKED}}
    },
}  # fmt: skip
EACH = {f"{number} {one.first.name}": one for number, one in enumerate(EXCLUSIONS)}


def merged(*parts):
    """Put the words of several settings into one policy."""
    words = {"columns": deepcopy(AGE)}
    for part in parts:
        for name, said in deepcopy(part).items():
            if name == "models":
                words.setdefault(name, [])
                words[name] += [model for model in said if model not in words[name]]
            elif name == "columns":
                for column, own in said.items():
                    words[name][column] = {**words[name].get(column, {}), **own}
            else:
                words[name] = {**words.get(name, {}), **said}
    words.setdefault("models", [])
    return words


@pytest.mark.parametrize("one", EACH.values(), ids=EACH)
def test_two_settings_are_refused_together(one):
    """Each fault stands at the place of the first one, with the reason and remedy of the table."""
    words = merged(ASKED[one.first], ASKED[one.second])
    found = list(one.faults(PolicyTables(**words)))
    assert found
    with pytest.raises(PolicyError) as raised:
        ind.Policy.from_words(words)
    told = [(fault.place, fault.problem, fault.remedy) for fault in raised.value.faults]
    assert len(told) == len(set(told))
    for fault in found:
        assert (fault.place, fault.problem, fault.remedy) in told
        assert "{" not in fault.problem + fault.remedy


@pytest.mark.parametrize("one", EACH.values(), ids=EACH)
def test_neither_setting_alone_is_refused_for_the_other(one):
    for setting, other in ((one.first, one.second), (one.second, one.first)):
        policy = PolicyTables(**merged(ASKED[setting]))
        if not list(other.places(policy)):
            assert not list(one.faults(policy))


def test_each_setting_has_an_example():
    used = {setting for one in EXCLUSIONS for setting in (one.first, one.second)}
    assert used <= ASKED.keys()
