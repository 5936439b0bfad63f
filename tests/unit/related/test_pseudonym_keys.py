"""Keys that are the same in every release with one key file: pseudonyms of rows and people."""

from __future__ import annotations

import hmac
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hospitals
import indistinct as ind
import visits
from indistinct.base.files.confidential import OWNER_ONLY
from indistinct.errors import PolicyError, VerificationError
from indistinct.related.publish import new_keys
from indistinct.related.verify.release import verify_related

Tables = dict[str, pl.DataFrame]
KEYS = {"patients": "pid", "visits": "vid"}


def words(released: tuple[bool, bool] = (True, False), **said: Any) -> dict[str, Any]:
    """Return a policy of visits whose keys are pseudonyms."""
    found = visits.policy(2, released, 2, 1)
    found["related"] = {"people": "patients", "keys": "pseudonym", "key": "own.key", **said}
    return found


def policy_in(folder: Path, said: dict[str, Any] | None = None) -> ind.RelatedPolicy:
    """Return the policy of a folder, in which the key is made."""
    return ind.RelatedPolicy.from_words(words() if said is None else said, folder)


def truth(tables: Tables, release: Any, name: str) -> dict[str, str]:
    """Return the released key of each row of a table by the key that it had."""
    own = tables[name][KEYS[name]].gather(pl.Series(release.crosswalk[name]))
    return dict(zip(own.to_list(), release.tables[name][KEYS[name]].to_list(), strict=True))


@pytest.fixture(scope="module")
def drawn() -> Tables:
    return visits.visits(3, 2, 60, 3)


def test_keys_are_the_keyed_hashes_of_the_keys_in_their_table(
    drawn: Tables, tmp_path: Path
) -> None:
    """Written from the definition: HMAC-SHA-256 of table and key, of which half is shown."""
    release = ind.anonymize(drawn, policy_in(tmp_path), seed=1)
    file = tmp_path / "own.key"
    assert file.stat().st_mode & 0o777 == OWNER_ONLY
    secret = bytes.fromhex(file.read_text())
    for name in KEYS:
        made = truth(drawn, release, name)
        assert made == {
            own: hmac.new(secret, f"{name}\0{own}".encode(), "sha256").hexdigest()[:32]
            for own in made
        }
    pointed = drawn["visits"]["pid"].gather(pl.Series(release.crosswalk["visits"]))
    people = truth(drawn, release, "patients")
    assert release.tables["visits"]["pid"].to_list() == [people[pid] for pid in pointed]
    assert release.manifest["policy"]["related"] == {"people": "patients", "keys": "pseudonym"}


def test_a_person_has_one_pseudonym_in_all_releases_of_a_key(tmp_path: Path) -> None:
    """Tables are apart although their keys have the same texts; another key gives other ones."""
    tables = visits.visits(3, 2, 60, 3)
    numbers = {key: str(n) for n, key in enumerate(tables["visits"]["vid"])}
    people = {key: str(n) for n, key in enumerate(tables["patients"]["pid"])}
    tables = {
        name: frame.with_columns(
            pl.col(column).replace_strict(own)
            for column, own in (("vid", numbers), ("pid", people))
            if column in frame.columns
        )
        for name, frame in tables.items()
    }
    policy = policy_in(tmp_path)
    first = ind.anonymize(tables, policy, seed=1)
    later = {**tables, "patients": tables["patients"].reverse()}
    second = ind.anonymize(later, policy, seed=2)
    third = ind.anonymize(tables, policy_in(tmp_path, words(key="another.key")), seed=1)
    for name in KEYS:
        before, after = truth(tables, first, name), truth(later, second, name)
        assert {own for own in before if own in after and before[own] != after[own]} == set()
        assert len(before.keys() & after.keys()) > 20
        assert not {*before.values()} & {*truth(tables, third, name).values()}
    assert not {*truth(tables, first, "patients").values()} & {
        *truth(tables, first, "visits").values()
    }


def test_a_later_use_of_the_key_is_warned_about(drawn: Tables, tmp_path: Path) -> None:
    policy = policy_in(tmp_path)
    assert not [w for w in ind.anonymize(drawn, policy).warnings if w.code == "key-used-before"]
    release = ind.anonymize(drawn, policy)
    (warning,) = [w for w in release.warnings if w.code == "key-used-before"]
    assert (warning.table, warning.columns) == ("patients", ("pid",))
    assert "joins its records to these" in warning.message
    assert "key-used-before" not in {w["code"] for w in release.manifest["warnings"]}


@pytest.mark.parametrize("rows", ["free", "known"])
def test_a_release_with_pseudonyms_is_verified(drawn: Tables, tmp_path: Path, rows: str) -> None:
    """From its files, whose manifest does not name the file of the key; and beside its input."""
    policy = policy_in(tmp_path, words(rows=rows))
    release = ind.anonymize(drawn, policy, seed=1)
    release.write(tmp_path / "out", crosswalk=tmp_path / "rows")
    assert "own.key" not in (tmp_path / "out" / "manifest.json").read_text()
    assert ind.verify(tmp_path / "out").holds is True
    owner = {"original": drawn, "crosswalk": tmp_path / "rows"}
    assert ind.verify(tmp_path / "out", policy, **owner).holds is True
    address = f"duckdb:///{tmp_path / 'h.duckdb'}?schema=main"
    release.write(address)
    assert ind.verify(address, policy, **owner).holds is True
    assert ind.assess(tmp_path / "out", policy).holds is True
    (tmp_path / "own.key").unlink()
    assert ind.verify(tmp_path / "out", policy, **owner).holds is True


def test_rows_with_empty_references_and_keys_of_two_columns(tmp_path: Path) -> None:
    tables = visits.with_gaps(visits.visits(2, 2, 40), 2)
    said = {**visits.gaps_policy(2, (True, True), 2, 1), "related": words()["related"]}
    release = ind.anonymize(tables, policy_in(tmp_path, said), seed=1)
    shown = release.tables["diagnoses"]["vid"]
    assert 0 < shown.null_count() < len(shown)
    halves = [key[:2] for key in tables["patients"]["pid"]]
    pair = {"pid": "pid, half"}
    tables = {
        "patients": tables["patients"].with_columns(half=pl.Series(halves)),
        "visits": tables["visits"].with_columns(half=pl.col("pid").str.head(2)),
    }
    said = words()
    del said["tables"]["diagnoses"]
    said["tables"]["patients"]["key"] = pair["pid"]
    said["tables"]["visits"]["references"] = {pair["pid"]: "patients"}
    policy = policy_in(tmp_path, said)
    release = ind.anonymize(tables, policy, seed=1)
    rows = {name: own.tolist() for name, own in release.crosswalk.items()}
    found = verify_related(release.tables, policy, original=tables, crosswalk=rows)
    assert found.holds is True
    assert release.tables["visits"]["pid_half"].str.len_chars().unique().to_list() == [32]


def test_the_order_of_the_input_does_not_change_a_release(tmp_path: Path) -> None:
    """People with the same cells stand in the order of their pseudonyms, and of nothing else."""
    people = pl.DataFrame({"pid": range(40), "sex": ["f", "m"] * 20})
    said = words()
    said["tables"] = {"patients": said["tables"]["patients"]}
    policy = policy_in(tmp_path, said)
    mixed = people.sample(fraction=1, shuffle=True, seed=1)
    one, other = (ind.anonymize({"patients": own}, policy).tables for own in (people, mixed))
    assert one["patients"].equals(other["patients"])
    assert one["patients"].equals(one["patients"].sort("sex", "pid"))


def faults(release: Any, policy: Any, tables: Tables | None = None, **changed: Any) -> set[str]:
    """Verify a release with other tables; return what is wrong."""
    owner = {} if tables is None else {"original": tables, "crosswalk": release.crosswalk}
    found = verify_related({**release.tables, **changed}, policy, **owner)
    return {fault.problem for fault in found.faults}


def test_keys_that_are_no_pseudonyms_are_found_in_the_files(drawn: Tables, tmp_path: Path) -> None:
    """A key twice, one of another form, and keys whose digits are not drawn."""
    policy = policy_in(tmp_path)
    release = ind.anonymize(drawn, policy, seed=1)
    people, own = release.tables["patients"], release.tables["patients"]["pid"]
    first = pl.int_range(pl.len()) == 0
    twice = people.with_columns(pid=pl.when(first).then(pl.lit(own[1])).otherwise("pid"))
    assert "gives several rows one pseudonym" in faults(release, policy, patients=twice)
    named = people.with_columns(pid=pl.when(first).then(pl.lit("p1")).otherwise("pid"))
    assert "has 1 keys that are not pseudonyms" in faults(release, policy, patients=named)
    numbers = {key: f"{n:032x}" for n, key in enumerate(own)}
    padded = {
        name: frame.with_columns(pl.col("pid").replace_strict(numbers))
        if "pid" in frame.columns
        else frame
        for name, frame in release.tables.items()
    }
    assert any("not those of a keyed hash" in one for one in faults(release, policy, **padded))


def test_pseudonyms_of_other_people_are_found_by_the_key(drawn: Tables, tmp_path: Path) -> None:
    """Two people of one class have each other's in all tables, which the key alone tells."""
    policy = policy_in(tmp_path)
    release = ind.anonymize(drawn, policy, seed=1)
    (one, sex), (other, same) = release.tables["patients"].select("pid", "sex").rows()[:2]
    assert sex == same
    visited = release.tables["visits"].with_columns(pl.col("pid").replace({one: other, other: one}))
    rows = {name: own.tolist() for name, own in release.crosswalk.items()}
    rows["patients"][:2] = rows["patients"][1::-1]
    said = {"original": drawn, "crosswalk": rows}
    found = verify_related({**release.tables, "visits": visited}, policy, **said)
    assert [fault.problem for fault in found.faults] == ["2 pseudonyms are not those of their rows"]
    (tmp_path / "own.key").unlink()
    assert verify_related({**release.tables, "visits": visited}, policy, **said).holds is True


def _of_other_rows(tables: Any, chance: Any, name: str, rows: Any) -> Any:
    """Return pseudonyms, each of the next row."""
    return NEW_KEYS(tables, chance, name, rows).gather(np.roll(np.arange(len(rows)), 1))


NEW_KEYS = new_keys.new_keys


def test_a_maker_of_pseudonyms_of_other_rows_is_caught(
    drawn: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All references agree, so that only the key tells."""
    monkeypatch.setattr("indistinct.related.publish.release.new_keys", _of_other_rows)
    said = words((False, False))
    said["method"]["max_suppression"] = 0.0
    with pytest.raises(VerificationError) as raised:
        ind.anonymize(drawn, policy_in(tmp_path, said), seed=1)
    assert {fault.place for fault in raised.value.faults} == {"tables.patients.columns.pid"}
    assert "60 pseudonyms are not those of their rows" in str(raised.value)


def test_pseudonyms_without_a_key_are_found(drawn: Tables, tmp_path: Path) -> None:
    """Hashes that anybody can compute from the keys of the input."""
    policy = policy_in(tmp_path)
    release = ind.anonymize(drawn, policy, seed=1)
    (tmp_path / "own.key").unlink()
    own = {
        made: sha256(key.encode()).hexdigest()[:32]
        for key, made in truth(drawn, release, "patients").items()
    }
    tables = {
        name: frame.with_columns(pl.col("pid").replace_strict(own))
        if "pid" in frame.columns
        else frame
        for name, frame in release.tables.items()
    }
    found = faults(release, policy, drawn, **tables)
    assert any("without any key" in problem for problem in found)


@pytest.mark.parametrize(
    ("content", "mode", "problem"),
    [
        ("no key", OWNER_ONLY, "is not a key"),
        ("ab" * 32, 0o644, "can be read by others"),
    ],
)
def test_a_file_that_is_no_secret_key_is_refused(
    content: str, mode: int, problem: str, tmp_path: Path
) -> None:
    file = tmp_path / "own.key"
    file.write_text(content)
    file.chmod(mode)
    with pytest.raises(PolicyError, match=problem) as raised:
        ind.anonymize(hospitals.hospital(1), policy_in(tmp_path))
    assert {fault.place for fault in raised.value.faults} == {"related.key"}
    with pytest.raises(PolicyError, match="its folder is missing"):
        ind.anonymize(hospitals.hospital(1), policy_in(tmp_path, words(key="no/own.key")))


def test_the_key_has_a_name_by_default() -> None:
    said = words()
    del said["related"]["key"]
    made = ind.RelatedPolicy.from_words(said, Path("folder")).pseudonym("patients")
    assert made is not None
    assert made.file == Path("folder/pseudonyms.key")
