"""Where a policy counts people, an attack counts people or is refused."""

import polars as pl
import pytest

import indistinct as ind
from encounters import encounter_policy, encounters
from indistinct.errors import ParameterError
from indistinct.tables.evaluation.attacks import ATTACKS

TABLE = encounters(60, 15, seed=3)
POLICY = encounter_policy({"name": "k-anonymity", "k": 2}, method={"algorithm": "mondrian"})
OF_RECORDS = [kind.name for kind in ATTACKS if not kind.counts_people]


@pytest.mark.parametrize("name", OF_RECORDS)
def test_attacks_on_records_are_refused_in_one_sentence(name):
    with pytest.raises(ParameterError, match=f"{name} counts records, but data.person") as refused:
        ind.attack(TABLE, POLICY, attack=name, register=TABLE, original=TABLE, seed=1)
    assert len(refused.value.faults) == 1


@pytest.mark.parametrize("attacker", ["insider", "neighbor"])
def test_attackers_with_such_attacks_are_refused_too(attacker):
    with pytest.raises(ParameterError, match="count people"):
        ind.attack(TABLE, POLICY, attacker=attacker, original=TABLE)


@pytest.mark.parametrize("attacker", ["prosecutor", "journalist", "marketer"])
def test_linkage_counts_people(attacker):
    """Each of thirty people is attempted at most once, however many records they have."""
    release = ind.anonymize(TABLE, POLICY, seed=1)
    others = TABLE.with_columns(pl.col("patient") + 1_000_000)
    register = TABLE if attacker == "prosecutor" else pl.concat([TABLE, others])
    found = ind.attack(
        release.data,
        POLICY,
        attacker=attacker,
        register=register,
        original=TABLE,
        crosswalk=release.crosswalk,
        seed=1,
    )
    n_people = register["patient"].n_unique()
    assert attacker == "marketer" or found.document()["attempts"] <= n_people
    assert found.answer.found.rate <= 0.9
