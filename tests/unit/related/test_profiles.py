"""Known models of data: what a profile drafts for folders in the shape of OMOP and MIMIC-IV."""

from __future__ import annotations

import random
import tomllib
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import indistinct as ind
from drafted_columns import evidence
from indistinct.errors import DataError, ParameterError, PolicyError
from indistinct.related.policy import RelatedPolicy
from indistinct.tables.drafting.profile_hierarchies import Surroundings, profile_hierarchy
from indistinct.tables.drafting.profiles import profile_named, profile_names
from indistinct.tables.policy.sections.hierarchy import HierarchyRule

Tables = dict[str, pl.DataFrame]
WIDE = ("[14, 21)", "[0, 28)", "[0, 364)", "*")
ABOVE = {11: 1, 12: 1, 21: 2, 22: 2, 110: 11, 111: 11, 120: 12, 210: 21, 220: 22, 221: 22}


@pytest.mark.parametrize("name", profile_names())
def test_every_profile_is_consistent(name: str) -> None:
    """References lead to keys of tables that have one, and all roles are roles."""
    profile = profile_named(name)
    assert profile.tables[profile.people].key is not None
    for table, known in profile.tables.items():
        assert table == table.lower()
        if known.public or known.leave_out:
            assert not known.references
            continue
        assert known.references or table == profile.people, table
        for column, above in (known.references or {}).items():
            assert profile.tables[above].key == column
        for role in (known.columns or {}).values():
            assert role in {"identifier", "quasi-identifier", "sensitive", "insensitive"}
    words: dict[str, Any] = {
        "related": {"people": profile.people},
        "tables": {
            table: {
                word: said
                for word, said in (
                    ("key", known.key),
                    ("references", known.references),
                    ("public", known.public),
                    ("release_key", known.release_key),
                )
                if said
            }
            | {
                "columns": {
                    column: {
                        word: said
                        for word, said in profile.words_of(table, column).items()
                        if word != "reason"
                    }
                    for column in known.columns or {}
                    if column not in {known.key, *(known.references or {})}
                }
            }
            for table, known in profile.tables.items()
            if not known.leave_out
        },
        "models": [{"name": "joint-anonymity", "k": 5, "m": 2}],
    }
    assert RelatedPolicy.from_words(words).people == profile.people


@pytest.mark.parametrize("name", profile_names())
def test_every_rule_of_a_profile_draws_a_hierarchy(name: str) -> None:
    """Of old people and many codes, whatever the column is."""
    profile = profile_named(name)
    around = Surroundings({"concept_ancestor": concept_ancestor()}, 2019)
    column = evidence("any", [*ABOVE, 1920, 1975])
    for rule in profile.hierarchies.values():
        shape = profile_hierarchy(rule, column, around).shape
        assert shape.rows is not None or HierarchyRule.model_validate(shape.rule)
    starts = {
        profile.start_of(column.replace("start", "end"))
        for known in profile.tables.values()
        for column in known.columns or {}
    }
    assert starts & {column for known in profile.tables.values() for column in known.columns or {}}


def omop(n_people: int = 40) -> Tables:
    """Make up a few tables of the OMOP model, names in capitals as some databases have them."""
    chance = random.Random(3)
    people = list(range(1, n_people + 1))
    return {
        "PERSON": pl.DataFrame(
            {
                "PERSON_ID": people,
                "GENDER_CONCEPT_ID": [chance.choice([8507, 8532]) for _ in people],
                "YEAR_OF_BIRTH": [1950 + n % 40 for n in people],
                "PERSON_SOURCE_VALUE": [f"x{n}" for n in people],
            }
        ),
        "CONDITION_OCCURRENCE": pl.DataFrame(
            {
                "CONDITION_OCCURRENCE_ID": list(range(80)),
                "PERSON_ID": [chance.choice(people) for _ in range(80)],
                "CONDITION_CONCEPT_ID": [chance.choice([201826, 317009]) for _ in range(80)],
                "CONDITION_START_DATE": [f"202{n % 2}-0{1 + n % 9}-11" for n in range(80)],
                "CONDITION_END_DATE": [f"202{n % 2}-0{1 + n % 9}-12" for n in range(80)],
            }
        ),
        "NOTE": pl.DataFrame({"NOTE_ID": [1, 2], "PERSON_ID": [1, 2], "NOTE_TEXT": ["a", "b"]}),
        "CONCEPT": pl.DataFrame({"CONCEPT_ID": [201826, 317009], "CONCEPT_NAME": ["d", "a"]}),
    }


def test_a_profile_gives_keys_references_and_roles() -> None:
    found = ind.inspect(omop(), profile="omop-5.4").drafted("policy")
    words = tomllib.loads(found.text)
    assert words["related"] == {"people": "PERSON"}
    assert words["tables"]["PERSON"]["key"] == "PERSON_ID"
    events = words["tables"]["CONDITION_OCCURRENCE"]
    assert events["references"] == {"PERSON_ID": "PERSON"}
    roles = {name: one["role"] for name, one in events["columns"].items()}
    assert roles == {
        "CONDITION_OCCURRENCE_ID": "identifier",
        "CONDITION_CONCEPT_ID": "quasi-identifier",
        "CONDITION_START_DATE": "quasi-identifier",
        "CONDITION_END_DATE": "quasi-identifier",
    }
    shown = ind.inspect(omop(), profile="omop-5.4")
    assert shown.public == ("CONCEPT",)
    assert {one.name: one.role for one in shown.tables["CONDITION_OCCURRENCE"].columns} == {
        "PERSON_ID": "identifier",
        **roles,
    }
    assert events["columns"]["CONDITION_END_DATE"]["days_since"] == "CONDITION_START_DATE"
    assert words["tables"]["CONCEPT"] == {"public": True}
    assert "NOTE" not in words["tables"]
    assert "# Move NOTE elsewhere" in found.text
    tables = omop()
    del tables["NOTE"]
    release = ind.anonymize(tables, words)
    assert "PERSON_SOURCE_VALUE" not in release.tables["PERSON"].columns


def test_a_profile_that_is_not_known_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"profile: is not known.*\n.*omop-5.4"):
        ind.inspect(omop(), profile="omop")


def concept_ancestor() -> pl.DataFrame:
    """Return each concept above another one, and how many steps are between the two."""
    rows: list[tuple[int, int, int]] = []
    for concept in {*ABOVE, *ABOVE.values()}:
        above, steps = concept, 0
        while above:
            rows.append((above, concept, steps))
            above, steps = ABOVE.get(above, 0), steps + 1
    names = ["ancestor_concept_id", "descendant_concept_id", "min_levels_of_separation"]
    return pl.DataFrame(rows, schema=names, orient="row")


def days_from(chance: random.Random, n_rows: int) -> list[date]:
    """Draw days of the years 2015 to 2019, the last of them among them."""
    days = [date(2015, 1, 1) + timedelta(days=chance.randrange(1826)) for _ in range(n_rows)]
    return [date(2019, 12, 31), *days[1:]]


def cdm(n_people: int = 200, n_visits: int = 400) -> Tables:
    """Make up persons, visits and conditions of the OMOP model, with the ancestors of concepts."""
    chance = random.Random(5)
    people = [*range(1, n_people + 1)]
    starts = days_from(chance, n_visits)
    return {
        "person": pl.DataFrame(
            {
                "person_id": people,
                "gender_concept_id": [chance.choice([8507, 8532]) for _ in people],
                "year_of_birth": [chance.randint(1920, 1999) for _ in people],
            }
        ),
        "visit_occurrence": pl.DataFrame(
            {
                "visit_occurrence_id": [*range(n_visits)],
                "person_id": [chance.choice(people) for _ in starts],
                "visit_concept_id": [chance.choice([9201, 9202]) for _ in starts],
                "visit_start_date": starts,
                "visit_end_date": [day + timedelta(chance.randrange(20)) for day in starts],
            }
        ),
        "condition_occurrence": pl.DataFrame(
            {
                "condition_occurrence_id": [*range(n_visits)],
                "person_id": [chance.choice(people) for _ in starts],
                "condition_concept_id": [chance.choice([*ABOVE]) for _ in starts],
                "condition_start_date": days_from(chance, n_visits),
            }
        ),
        "concept_ancestor": concept_ancestor(),
    }


def mimic(n_people: int = 200, n_stays: int = 300) -> Tables:
    """Make up patients, admissions and diagnoses of MIMIC-IV; a diagnosis is of ICD-9 or ICD-10."""
    chance = random.Random(7)
    people = [*range(10_000, 10_000 + n_people)]
    ages = [91 if n % 9 == 0 else chance.randint(18, 89) for n in range(n_people)]
    stays = [*range(20_000, 20_000 + n_stays)]
    of_stay = [chance.choice(people) for _ in stays]
    starts = [f"{day} 10:11:00" for day in days_from(chance, n_stays)]
    owners = [chance.randrange(n_stays) for _ in range(2 * n_stays)]
    codes = ["4019", "4011", "25000", "25002", "E119", "E1165", "I10", "V5867"]
    return {
        "patients": pl.DataFrame(
            {
                "subject_id": people,
                "gender": [chance.choice("FM") for _ in people],
                "anchor_age": ages,
                "anchor_year": [2150 for _ in people],
                "anchor_year_group": ["2014 - 2016" for _ in people],
            }
        ),
        "admissions": pl.DataFrame(
            {
                "subject_id": of_stay,
                "hadm_id": stays,
                "admittime": starts,
                "dischtime": [
                    f"{date.fromisoformat(text[:10]) + timedelta(chance.randrange(30))} 01:00:00"
                    for text in starts
                ],
                "admission_type": [chance.choice(["URGENT", "ELECTIVE"]) for _ in stays],
            }
        ),
        "diagnoses_icd": pl.DataFrame(
            {
                "subject_id": [of_stay[one] for one in owners],
                "hadm_id": [stays[one] for one in owners],
                "seq_num": [1 + n % 5 for n in range(len(owners))],
                "icd_code": [chance.choice(codes) for _ in owners],
                "icd_version": [9 for _ in owners],
            }
        ),
    }


def written(tables: Tables, folder: Path, profile: str, m: int = 1) -> RelatedPolicy:
    """Write tables and the draft of a profile into a folder; static cells matter in it."""
    (folder / "tables").mkdir()
    for name, frame in tables.items():
        frame.write_csv(folder / "tables" / f"{name}.csv")
    draft = ind.inspect(folder / "tables", profile=profile).drafted("policy", tries=False)
    for name, text in draft.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    words = tomllib.loads(draft.text)
    words["models"][0]["m"], words["method"]["max_deleted"] = m, 0.5
    for column in words["tables"][words["related"]["people"]]["columns"].values():
        column["importance"] = 20
    return RelatedPolicy.from_words(words, folder)


def released(folder: Path, policy: RelatedPolicy) -> Tables:
    """Make a release of the tables of a folder, which holds from the files and beside the input."""
    before = folder / "tables"
    release = ind.anonymize(before, policy)
    release.write(folder / "release", crosswalk=folder / "rows")
    assert not ind.verify(folder / "release").faults
    given: dict[str, Any] = {"original": before, "crosswalk": folder / "rows"}
    assert not ind.verify(folder / "release", policy, **given).faults
    found = ind.attack(folder / "release", policy, attack="known-events", m=1, **given)
    assert found.meets("rate<=0.2")
    return dict(release.tables)


def test_omop_tables_are_released_by_their_profile(tmp_path: Path) -> None:
    """The oldest are one group, stays have lengths, and conditions their ancestors."""
    policy = written(cdm(), tmp_path, "omop-5.4")
    columns = policy.tables["visit_occurrence"].columns
    assert columns["visit_end_date"].days_since == "visit_start_date"
    assert policy.public_tables == ("concept_ancestor",)
    tables = released(tmp_path, policy)
    # Who was born in 1929 may have been 90 in 2019, the last year of the dates.
    years = {*tables["person"]["year_of_birth"].cast(pl.String)}
    assert "up to 1929" in years
    assert not {str(year) for year in range(1920, 2000)} & years
    assert not any(cell.startswith("[192") for cell in years)
    lengths = {*tables["visit_occurrence"]["visit_end_date"].cast(pl.String).drop_nulls()}
    assert lengths <= {*map(str, range(20)), "[0, 7)", "[7, 14)", *WIDE}
    assert lengths - {"*"}
    concepts = {*tables["condition_occurrence"]["condition_concept_id"].cast(pl.String)}
    above = {f"{one} and descendants" for one in (1, 2, 11, 12, 21, 22)}
    assert concepts <= {*map(str, ABOVE), *above, "*"}
    assert concepts & above


def test_mimic_tables_are_released_by_their_profile(tmp_path: Path) -> None:
    """The oldest are one group, stays have lengths, and codes of both editions their prefixes."""
    tables = released(tmp_path, written(mimic(), tmp_path, "mimic-iv"))
    ages = {*tables["patients"]["anchor_age"].cast(pl.String)}
    assert "90 or more" in ages
    assert "91" not in ages
    assert not any(cell.endswith(", 100)") for cell in ages)
    assert {*tables["diagnoses_icd"]["icd_code"]} - {"*"}
    stays = tables["admissions"]["dischtime"].cast(pl.String).drop_nulls()
    assert all("-" not in cell and ":" not in cell for cell in stays)


def test_a_false_length_is_found(tmp_path: Path) -> None:
    """A stay of another number of days is not that of its row, nor is the date of its end."""
    policy = written(cdm(), tmp_path, "omop-5.4")
    released(tmp_path, policy)
    path = tmp_path / "release" / "visit_occurrence.csv"
    frame = pl.read_csv(path, infer_schema=False)
    place = next(n for n, cell in enumerate(frame["visit_end_date"]) if cell not in {"*", None})
    for false in ("[364, 728)", "2019-12-31"):
        cells = frame["visit_end_date"].to_list()
        cells[place] = false
        frame.with_columns(visit_end_date=pl.Series(cells)).write_csv(path)
        found = ind.verify(
            tmp_path / "release",
            policy,
            original=tmp_path / "tables",
            crosswalk=tmp_path / "rows",
        )
        said = {(one.place, one.problem) for one in found.faults}
        where = "tables.visit_occurrence.columns.visit_end_date"
        assert (where, "1 cells do not cover their original value") in said


def lengths_policy(**of_end: Any) -> dict[str, Any]:
    """Return a policy of stays with an end."""
    known = {"role": "quasi-identifier"}
    return {
        "related": {"people": "people"},
        "tables": {
            "people": {"key": "pid"},
            "stays": {
                "references": {"pid": "people"},
                "columns": {"start": known, "end": {**known, **of_end}},
            },
        },
        "models": [{"name": "joint-anonymity", "k": 2, "m": 1}],
        "method": {"max_deleted": 1.0},
    }


def stays(*pairs: tuple[str | None, str | None]) -> Tables:
    """Return two people who have the same stays."""
    rows = [(pid, *pair) for pid in ("a", "b") for pair in pairs]
    schema = {"pid": pl.String, "start": pl.String, "end": pl.String}
    return {
        "people": pl.DataFrame({"pid": ["a", "b"]}),
        "stays": pl.DataFrame(rows, schema=schema, orient="row"),
    }


def test_days_are_counted_from_the_beginning() -> None:
    """By the calendar, whatever the hour; below 0 where an end is before; missing without one."""
    tables = stays(
        ("2024-02-28", "2024-03-01"), ("2024-01-01 23:59", "2024-01-02 00:01"),
        ("2024-05-05", "2024-05-01"), ("2024-06-01", None), (None, "2024-06-01"),
    )  # fmt: skip
    release = ind.anonymize(tables, lengths_policy(days_since="start"))
    shown = release.tables["stays"].select(pl.all().cast(pl.String))
    assert sorted(shown.select("start", "end").rows(), key=repr) == sorted(
        2 * [("2024-02-28", "2"), ("2024-01-01 23:59", "1"), ("2024-05-05", "-4"),
             ("2024-06-01", None), (None, None)], key=repr,
    )  # fmt: skip


def test_a_length_that_nobody_knows_is_released_as_it_is() -> None:
    tables = stays(("2024-02-28", "2024-03-01"))
    release = ind.anonymize(tables, lengths_policy(days_since="start", role="insensitive"))
    assert release.tables["stays"]["end"].to_list() == [2, 2]


def test_lengths_stay_where_dates_are_shifted_or_have_a_format(tmp_path: Path) -> None:
    tables = stays(("28/02/2024", "01/03/2024"))
    shift = {"name": "date-shift", "days": 30, "edges": "keep"}
    words = lengths_policy(days_since="start", format="dd/mm/yyyy")
    of_start = {"role": "quasi-identifier", "format": "dd/mm/yyyy", "protect": shift}
    words["tables"]["stays"]["columns"]["start"] = of_start
    policy = RelatedPolicy.from_words(words)
    release = ind.anonymize(tables, policy)
    assert release.tables["stays"]["end"].cast(pl.String).to_list() == ["2", "2"]
    release.write(tmp_path / "out", crosswalk=tmp_path / "rows")
    given: dict[str, Any] = {"original": tables, "crosswalk": tmp_path / "rows"}
    assert not ind.verify(tmp_path / "out", policy, **given).faults


def test_ends_that_are_not_dates_are_refused_without_their_values() -> None:
    with pytest.raises(DataError, match="2 cells are not dates") as found:
        ind.anonymize(stays(("2024-02-28", "later")), lengths_policy(days_since="start"))
    assert found.value.faults[0].place == "tables.stays.columns.end"
    assert "later" not in str(found.value)


@pytest.mark.parametrize(
    "of_end",
    [
        {"days_since": "end"},
        {"days_since": "pid"},
        {"days_since": "begin"},
        {"days_since": "start", "protect": {"name": "date-shift", "days": 30}},
    ],
)
def test_lengths_that_have_no_beginning_are_refused(of_end: dict[str, Any]) -> None:
    with pytest.raises(PolicyError, match="days_since"):
        RelatedPolicy.from_words(lengths_policy(**of_end))


def test_lengths_are_for_related_tables() -> None:
    words = {
        "columns": {"end": {"role": "quasi-identifier", "days_since": "start"}},
        "models": [{"name": "k-anonymity", "k": 2}],
    }
    with pytest.raises(PolicyError, match=r"columns.end.days_since"):
        ind.anonymize(pl.DataFrame({"end": ["2024-01-01"] * 4}), words)
