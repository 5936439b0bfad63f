"""Pseudonyms: stable with one key, worth nothing without it, and the key stays at home."""

import hashlib
import hmac
import json
import os
import stat

import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError, PolicyError
from indistinct.tables.masks.pseudonym import PseudonymProtection
from ordered import ordered

PEOPLE = pl.DataFrame(
    {
        "id": [f"patient {row % 9}" for row in range(20)],
        "sex": [("f", "m")[row % 2] for row in range(20)],
    }
)
POLICY = """
[columns.id]
role = "identifier"
protect = "pseudonym"
[columns.sex]
role = "quasi-identifier"
[[models]]
name = "k-anonymity"
k = 5
"""
posix = pytest.mark.skipif(os.name != "posix", reason="files have no modes here")


@pytest.fixture
def policy(tmp_path):
    """Read a policy from a folder of its own."""
    file = tmp_path / "policy.toml"
    file.write_text(POLICY)
    return ind.Policy.load(file)


def masked(tmp_path, values, **words):
    """Mask some values."""
    protection = PseudonymProtection(folder=tmp_path, **words)
    return protection.mask(pl.DataFrame({"id": values}), RandomSource(1)).columns["id"].to_list()


def test_a_pseudonym_is_the_keyed_hash_of_the_value(tmp_path):
    """Checked with the key from its file and the definition of HMAC over SHA-256."""
    found = masked(tmp_path, ["anna"])
    key = bytes.fromhex((tmp_path / "pseudonyms.key").read_text())
    inner = bytes(byte ^ 0x36 for byte in key.ljust(64, b"\0"))
    outer = bytes(byte ^ 0x5C for byte in key.ljust(64, b"\0"))
    first = hashlib.sha256(inner + b"\0anna").digest()
    assert found == [hashlib.sha256(outer + first).hexdigest()[:32]]
    assert found == [hmac.new(key, b"\0anna", "sha256").hexdigest()[:32]]


@given(st.lists(st.text(max_size=5), min_size=1, max_size=20))
def test_equal_values_and_no_others_have_equal_pseudonyms(tmp_path_factory, values):
    """What could be linked before can be linked after, and nothing else."""
    folder = tmp_path_factory.mktemp("keys")
    found = masked(folder, values)
    for value, pseudonym in zip(values, found, strict=True):
        assert (pseudonym is None) == (value == "")
        if pseudonym is not None:
            assert [one == pseudonym for one in found] == [one == value for one in values]
    assert masked(folder, values) == found


def test_pseudonyms_are_stable_across_releases_and_columns(policy):
    """Two runs with one key agree; numbers are taken as their text."""
    first, second = (ind.anonymize(PEOPLE, policy).data for _ in range(2))
    assert set(first["id"]) == set(second["id"])
    assert first["id"].n_unique() == 9
    numbers = masked(policy.path(""), [1, 2])
    assert numbers == masked(policy.path(""), ["1", "2"])


def test_another_key_or_domain_gives_pseudonyms_that_cannot_be_linked(tmp_path):
    """Nothing is equal between them."""
    sets = [
        set(masked(tmp_path, ["anna", "otto"], **words))
        for words in ({}, {"key": "other.key"}, {"domain": "hospital"})
    ]
    assert len(set.union(*sets)) == 6


@posix
def test_the_key_is_for_its_owner_alone_and_secret_whatever_the_seed(tmp_path):
    """Mode 600; two keys made with one seed differ."""
    for name in ("a.key", "b.key"):
        masked(tmp_path, ["anna"], key=name)
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    assert (tmp_path / "a.key").read_text() != (tmp_path / "b.key").read_text()


@posix
def test_a_key_that_others_can_read_is_refused(policy):
    """The remedy is named."""
    ind.anonymize(PEOPLE, policy)
    policy.path("pseudonyms.key").chmod(0o640)
    with pytest.raises(PolicyError, match="chmod 600"):
        ind.anonymize(PEOPLE, policy)


def test_a_file_that_is_no_key_is_refused_and_left_alone(policy):
    """Whatever stands there may be dear to somebody."""
    policy.path("pseudonyms.key").write_text("my diary")
    with pytest.raises(PolicyError, match="is not a key") as refused:
        ind.anonymize(PEOPLE, policy)
    assert "diary" not in str(refused.value)
    assert policy.path("pseudonyms.key").read_text() == "my diary"


def test_a_key_in_a_folder_that_is_missing_is_refused(tmp_path):
    """Nothing is made on the way."""
    file = tmp_path / "policy.toml"
    file.write_text(POLICY.replace('"pseudonym"', '{ name = "pseudonym", key = "keys/a.key" }'))
    with pytest.raises(PolicyError, match="folder"):
        ind.anonymize(PEOPLE, ind.Policy.load(file))
    assert not (tmp_path / "keys").exists()


def test_missing_values_stay_missing(policy):
    """Nobody's records are linked because they lack a name."""
    frame = PEOPLE.with_columns(id=pl.when(pl.int_range(20) < 3).then(None).otherwise("id"))
    assert ind.anonymize(frame, policy).data["id"].null_count() == 3


def test_neither_key_nor_identifier_leaves_the_house(policy, tmp_path):
    """Release and manifest have pseudonyms and the name of the key's file only."""
    manifest = ind.anonymize(PEOPLE, policy).write(tmp_path / "release.csv")
    written = (tmp_path / "release.csv").read_text() + json.dumps(manifest)
    assert policy.path("pseudonyms.key").read_text().strip() not in written
    assert "patient" not in written
    assert str(tmp_path) not in written
    assert manifest["protection"]["id"] == {
        "name": "pseudonym",
        "required": {"key": "pseudonyms.key"},
        "in_classes": False,
        "values": 9,
    }
    assert ind.verify(tmp_path / "release.csv", policy).holds
    assert ind.verify(tmp_path / "release.csv", policy, original=PEOPLE).holds


def test_verify_finds_identifiers_among_pseudonyms(policy):
    """One cell as it was is enough, and is not printed."""
    release = ind.anonymize(PEOPLE, policy).frame
    broken = release.with_columns(
        id=pl.when(pl.int_range(20) == 0).then(pl.lit("patient 0")).otherwise("id")
    )
    verdict = ind.verify(ordered(broken, *policy.class_names), policy)
    assert [fault.place for fault in verdict.faults] == ["columns.id"]
    assert "patient" not in str(verdict.faults)


def test_verify_finds_more_pseudonyms_than_the_manifest_says(policy):
    """Two runs cannot be mixed up."""
    release = ind.anonymize(PEOPLE, policy)
    manifest = {**release.manifest, "protection": {"id": {"values": 8}}}
    assert not ind.verify(release.frame, policy, manifest=manifest).holds


def test_masked_records_and_failed_searches(policy):
    """A record of stars is no pseudonym and no fault; a key outlives a search without result."""
    lone = pl.concat([PEOPLE, pl.DataFrame({"id": ["x"], "sex": ["d"]})])
    few = policy.with_words({"method": {"algorithm": "ola"}, "release": {"suppressed": "mask"}})
    words = few.with_words({"method": {"max_suppression": 0.1}})
    release = ind.anonymize(lone, words)
    assert ind.verify(release.frame, words, manifest=release.manifest).holds
    narrow = policy.with_words({"columns": {"sex": {"role": "quasi-identifier", "max_level": 0}}})
    with pytest.raises(NoSolutionError):
        ind.anonymize(lone, narrow)
    assert policy.path("pseudonyms.key").exists()


def test_only_identifiers_have_pseudonyms():
    """A quasi-identifier with a stable hash would be as good as itself."""
    with pytest.raises(PolicyError, match="does not fit"):
        ind.Policy(columns={"id": {"role": "quasi-identifier", "protect": "pseudonym"}})
