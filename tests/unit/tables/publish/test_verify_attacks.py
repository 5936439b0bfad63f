"""A dishonest publisher: what a release may say so that it passes, and how it is found."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.verify_release import VerificationInput, verify_frame
from ordered import ordered, ordered_with

N = 400
NAMES = ("age", "zip", "born")  # of the quasi-identifiers


def people() -> pl.DataFrame:
    """Make up a table whose income nobody shares."""
    rng = np.random.default_rng(2)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, N),
            "zip": [f"{number}" for number in rng.integers(20100, 20140, N)],
            "born": [f"19{year}-0{month}-1{day}" for year, month, day in zip(
                rng.integers(40, 99, N), rng.integers(1, 9, N), rng.integers(0, 9, N), strict=True
            )],
            "illness": rng.choice(["flu", "ulcer", "asthma", "angina"], N),
            "income": rng.permutation(N) * 100 + 1000,
        }
    )  # fmt: skip


def promise(age=None, born=None, zipped=None, models=None, **tables) -> ind.Policy:
    """Ask for k = 5 of ages, postcodes and birthdays."""
    return ind.Policy.from_words(
        {
            "columns": {
                "age": {"role": "quasi-identifier", **(age or {})},
                "zip": {"role": "quasi-identifier", **(zipped or {"hierarchy": {"mask": 5}})},
                "born": {
                    "role": "quasi-identifier",
                    **(born or {"hierarchy": {"dates": ["year", "decade"]}}),
                },
                "illness": {"role": "sensitive"},
                "income": {"role": "insensitive"},
            },
            "models": models or [{"name": "k-anonymity", "k": 5}],
            "method": {"max_suppression": 0.1},
            **tables,
        }
    )


AGES = {"hierarchy": {"intervals": [10, 20, 40]}}


@pytest.fixture(scope="module")
def honest() -> tuple[pl.DataFrame, ind.Policy, pl.DataFrame]:
    """Return an input, a policy, and its release as texts."""
    policy = promise(AGES)
    release = ind.anonymize(people(), policy, seed=1)
    return people(), policy, release.frame.cast(pl.String)


def places(frame: pl.DataFrame, policy: ind.Policy, **more) -> set[str]:
    """Verify; give the places of all faults."""
    return {fault.place for fault in ind.verify(frame, policy, **more).faults}


def with_cell(frame: pl.DataFrame, name: str, cell: str, rows: int = 1) -> pl.DataFrame:
    """Put a text into the first rows of a column, and sort the rows again."""
    cells = frame[name].cast(pl.String).to_list()
    return ordered(frame.with_columns(pl.Series(name, [cell] * rows + cells[rows:])), *NAMES)


@pytest.mark.parametrize("open_end", ["age_min", "age_max"])
def test_one_end_without_the_other_is_no_cell(open_end):
    """Forty exact ages behind an empty lower end are not forty stars."""
    frame = pl.DataFrame(
        {"age_min": [str(age) for age in range(20, 60)],
         "age_max": [str(age) for age in range(20, 60)], "illness": ["flu", "ulcer"] * 20}
    ).with_columns(pl.lit("").alias(open_end))  # fmt: skip
    words = {
        "columns": {"age": {"role": "quasi-identifier", **AGES}, "illness": {"role": "sensitive"}},
        "models": [{"name": "k-anonymity", "k": 40}],
        "release": {"intervals": "bounds"},
    }
    policy = ind.Policy.from_words(words)
    assert places(frame, policy) == {"columns.age", "models.k-anonymity"}
    words["columns"]["age"] = {"role": "quasi-identifier"}
    assert "columns.age" in places(frame, ind.Policy.from_words(words))
    hidden = ordered(frame.with_columns(age_min=pl.lit(""), age_max=pl.lit("")))
    assert places(hidden, policy) == set()


@pytest.mark.parametrize(
    ("columns", "name", "cell"),
    [
        ({"zipped": {"hierarchy": {"mask": 2}}}, "zip", "2010****"),
        ({}, "born", "1970-01-01 and a name"),
        ({}, "born", "1970-01-01\nand a name"),
        ({}, "born", "1970-13"),
        ({}, "born", "1970\n"),
        ({"age": AGES}, "age", "\uff14\uff12"),
        ({"age": AGES}, "age", "4_2"),
        ({"age": AGES}, "age", " 42"),
        ({"age": AGES}, "age", "[40, 50)\n"),
        ({"age": {"min_level": 1}}, "age", "42"),
        ({"age": {"min_level": 1}}, "age", "a name"),
        ({"age": {"min_level": 1}}, "age", "[50, 40)"),
        ({"age": {**AGES, "min_level": 2}}, "age", "[40, 50)"),
        ({"age": {**AGES, "max_level": 1}}, "age", "[40, 80)"),
        ({"zipped": {"hierarchy": {"mask": 5}, "min_level": 1}}, "zip", "20101"),
        ({"born": {"min_level": 1}}, "born", "1970-01-01"),
    ],
)
def test_forms_that_are_no_cell_of_the_policy(honest, columns, name, cell):
    """From the file alone: each text is refused, though every record has it."""
    _, _, frame = honest
    policy = promise(**{"age": AGES, **columns})
    faults = ind.verify(frame.with_columns(pl.lit(cell).alias(name)), policy).faults
    fault = next(one for one in faults if one.place == f"columns.{name}")
    assert cell in fault.values


def test_exact_numbers_are_no_midpoints(honest):
    """At min_level = 2 a number is the middle of an interval of the second width or a wider one."""
    _, _, frame = honest
    policy = promise({**AGES, "min_level": 2}, release={"intervals": "midpoint"})
    hidden = frame.with_columns(age=pl.lit("50.0"), zip=pl.lit("*"), born=pl.lit("*"))
    middles = ordered(hidden, *NAMES)
    assert places(middles, policy) == set()
    for number in ("42", "42.0", "45.0"):
        assert places(with_cell(middles, "age", number, 5), policy) == {"columns.age"}


def test_exact_numbers_are_no_midpoints_without_a_hierarchy():
    """With the input at hand the suggested intervals are known, and with them their middles."""
    policy = promise(
        {"min_level": 2},
        release={"intervals": "midpoint"},
        method={"max_suppression": 0.1, "algorithm": "optimal"},
    )
    release = ind.anonymize(people(), policy, seed=1)
    manifest = release.manifest
    assert ind.verify(release.frame, policy, original=people(), manifest=manifest).holds
    exact = release.frame.with_columns(
        pl.Series("age", [42.0] * 5 + release.frame["age"].to_list()[5:])
    )
    assert "columns.age" in places(exact, policy, original=people(), manifest=manifest)
    assert any("columns.age" in note for note in ind.verify(release.frame, policy).notes)


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian"])
@pytest.mark.parametrize("cell", ["and a name", "[18, 19.5]", "[18.25, 60]", "18.0001", "9"])
def test_texts_in_a_column_whose_hierarchy_was_made_from_the_data(algorithm, cell):
    """With manifest and input, only values, labels of the suggested rule and ranges are cells."""
    policy = promise(method={"max_suppression": 0.1, "algorithm": algorithm})
    release = ind.anonymize(people(), policy, seed=1)
    frame, proofs = release.frame.cast(pl.String), {"original": people()}
    proofs["manifest"] = release.manifest
    assert ind.verify(release.frame, policy, **proofs).holds
    said = ind.verify(with_cell(frame, "age", cell, 5), policy, **proofs)
    assert any(fault.place == "columns.age" for fault in said.faults)


def test_a_star_behind_a_whole_postcode(honest):
    """The input shows that no value is so long; from the file alone it is noted."""
    before, policy, frame = honest
    said = with_cell(frame, "zip", "20101*", 5)
    assert "columns.zip" in places(said, policy, original=before)
    low = promise(AGES, zipped={"hierarchy": {"mask": 5}, "min_level": 1, "max_level": 1})
    masked = frame.with_columns(zip=pl.lit("2010*"))
    assert any(
        "columns.zip" in n for n in ind.verify(with_cell(masked, "zip", "20101*"), low).notes
    )


def test_a_claim_switches_no_model_off():
    """Claimed suppression makes a broken model undecided at best, and beyond the limit a fault."""
    frame = pl.DataFrame({"q": ["a"] * 5 + ["b"] * 5, "s": ["x"] * 5 + ["y"] * 5})
    words = {
        "columns": {"q": {"role": "quasi-identifier"}, "s": {"role": "sensitive"}},
        "models": [
            {"name": "k-anonymity", "k": 2},
            {"name": "beta-likeness", "column": "s", "beta": 0.5},
        ],
    }
    strict = ind.Policy.from_words(words)
    lax = strict.with_words({"method": {"max_suppression": 0.5}})
    honest = ind.anonymize(frame, ind.Policy.from_words({**words, "models": words["models"][:1]}))
    claimed = {**honest.manifest, "records": {"released": 10, "suppressed": 7}}
    verdict = ind.verify(frame, strict, manifest=claimed)
    assert verdict.holds is False
    assert "manifest.records.suppressed" in {fault.place for fault in verdict.faults}
    verdict = ind.verify(frame, lax, manifest=claimed)
    assert verdict.models[1]["holds"] is None
    assert all(fault.place.startswith("manifest.") for fault in verdict.faults)
    verdict = ind.verify(frame, lax)
    assert verdict.holds is None
    assert verdict.verdict == "undecided"
    assert verdict.document()["holds"] is None
    assert not verdict.faults
    assert verdict.models[1]["holds"] is None
    assert ind.verify(frame, lax, original=frame).holds is False
    assert ind.verify(frame, strict).verdict == "does not hold"


@pytest.mark.parametrize("claim", ["7", -1, None, 2.5, True])
def test_a_claim_that_is_no_number(honest, claim):
    """Words instead of a traceback."""
    _, policy, frame = honest
    records = {"released": frame.height, "suppressed": claim}
    manifest = {"format": 3, "records": records, "classes": {"count": 1}}
    assert "manifest.records.suppressed" in places(frame, policy, manifest=manifest)


def test_raw_records_that_are_repeated(honest):
    """A release of one record's copies, and one with five copies of each, are not of this input."""
    before, policy, frame = honest
    copies = pl.concat([frame[:1]] * 40)
    assert places(copies, policy, original=before) >= {"records"}
    fivefold = ordered(pl.concat([frame] * 5), *NAMES)
    assert "records" in places(fivefold, policy, original=before)


def test_records_dropped_beyond_the_limit(honest):
    """Half of the records are missing."""
    before, policy, frame = honest
    sizes = frame.with_columns(pl.len().over("age", "zip", "born").alias("size"))
    kept = sizes.sort("size", descending=True, maintain_order=True).drop("size")[:200]
    found = places(ordered(kept, *NAMES), policy, original=before)
    assert found - {"models.k-anonymity"} == {"records.suppressed"}  # a class is cut through


def test_values_replaced_among_those_that_exist(honest):
    """Every sensitive value is another's: only the combination with other cells tells."""
    before, policy, frame = honest
    rotated = frame.with_columns(illness=pl.col("illness").shift(1).fill_null("flu"))
    assert places(ordered(rotated, *NAMES), policy, original=before) == {"records"}
    single = promise(AGES).with_words({"columns": {"income": {"role": "identifier"}}})
    alone = ordered(frame.drop("income"), *NAMES)
    assert places(alone, single, original=before) == set()
    swapped = alone.with_columns(illness=pl.lit("flu"))
    assert places(swapped, single, original=before) == {"records"}


@pytest.mark.parametrize("name", ["illness", "income"])
def test_values_that_nobody_has(honest, name):
    """A made-up illness, an income of someone else's table."""
    before, policy, frame = honest
    said = with_cell(frame, name, "made up" if name == "illness" else "1050")
    assert places(said, policy, original=before) == {f"columns.{name}"}


def test_another_way_of_writing_a_value(honest):
    """Zeros and signs before or behind a number are room for a message."""
    before, policy, frame = honest
    for text in (lambda v: f"0{v}", lambda v: f"{v}.0", lambda v: f"+{v}", lambda v: f" {v}"):
        said = with_cell(frame, "income", text(frame["income"][0]))
        assert places(said, policy, original=before) == {"columns.income"}


def test_quasi_identifiers_appended_to_the_sensitive_column(honest):
    """The illness of each row says its age too."""
    before, policy, _ = honest
    release = ind.anonymize(before, policy, seed=1)
    ages = before["age"][release.crosswalk.tolist()].cast(pl.String)
    said = release.frame.with_columns(illness=pl.col("illness") + " " + ages)
    found = places(ordered(said, *NAMES), policy, original=before)
    assert found == {"columns.illness", "records.read_back"}


def test_rows_in_the_order_of_the_input(honest):
    """As they stood, reversed, by class and then as they stood, and half of them."""
    before, policy, _ = honest
    release = ind.anonymize(before, policy, seed=1)
    order = release.crosswalk.argsort()
    frame = release.frame[order]
    assert places(release.frame, policy, original=before) == set()
    by_class = frame.with_row_index().sort("age", "zip", "born", maintain_order=True)
    half = np.concatenate([order[:250], np.random.default_rng(1).permutation(order[250:])])
    orders = {
        "as they stood": order,
        "reversed": order[::-1],
        "by class": order[by_class["index"].to_numpy()],
        "half": half,
        "in blocks": np.concatenate(np.array_split(order, 20)[::-1]),
    }
    for one in orders.values():
        found = places(release.frame[one], policy, original=before)
        assert found == {"order"}
        reading = VerificationInput(
            release.frame[one],
            resolve(policy),
            before,
            release.crosswalk[one].tolist(),
            release.manifest,
        )
        assert {fault.place for fault in verify_frame(reading).faults} == {"order"}


def test_the_order_shows_without_a_cell_that_is_alone():
    """Records that others are equal to are sorted like any."""
    rng = np.random.default_rng(3)
    before = people().drop("income").with_columns(
        illness=pl.Series(rng.permutation([f"illness {i % 130}" for i in range(N)]))
    )  # fmt: skip
    policy = promise(AGES).with_words({"columns": {}})
    words = policy.words()
    del words["columns"]["income"]
    policy = ind.Policy.from_words(words)
    release = ind.anonymize(before, policy, seed=1)
    assert places(release.frame, policy, original=before) == set()
    in_order = release.frame[release.crosswalk.argsort()]
    assert places(in_order, policy, original=before) == {"order"}


def test_the_crosswalk_names_the_very_record(honest):
    """Each row is compared with its own record, and no record stands twice."""
    before, policy, _ = honest
    release = ind.anonymize(before, policy, seed=1)
    rows = release.crosswalk.tolist()
    assert verify_frame(VerificationInput(release.frame, resolve(policy), before, rows)).holds
    swapped = release.frame.with_columns(income=pl.col("income").reverse())
    forged, origins = ordered_with(rows, swapped, *NAMES)
    found = verify_frame(VerificationInput(forged, resolve(policy), before, origins))
    assert [fault.place for fault in found.faults] == ["columns.income"]
    for wrong in ([rows[0], *rows[:-1]], [*rows[:-1], N], [*rows[:-1], -1]):
        found = verify_frame(VerificationInput(release.frame, resolve(policy), before, wrong))
        assert "crosswalk" in {fault.place for fault in found.faults}


@pytest.mark.parametrize("numbers", [[0, 5, 15, 25, 35, 38], [-0.0, 5, 15, 25, 35, 38]])
def test_zero_lies_in_the_interval_that_starts_with_it(numbers):
    """Hierarchical distance over intervals: 0 and 5 share [0, 10)."""
    frame = pl.DataFrame({"q": list("abaabb"), "s": numbers})
    words = {
        "columns": {
            "q": {"role": "quasi-identifier"},
            "s": {"role": "sensitive", "hierarchy": {"intervals": [10, 20]}},
        },
        "models": [{"name": "t-closeness", "column": "s", "t": 1.0, "distance": "hierarchical"}],
    }
    policy = ind.Policy.from_words(words)
    release = ind.anonymize(frame, policy, seed=1)
    verdict = ind.verify(release.frame, policy, original=frame)
    said = release.manifest["models"][0]["achieved"]["t"]
    assert verdict.models[0]["achieved"]["t"] == pytest.approx(said)


def test_undecided_is_said_in_words_and_by_the_exit_code(tmp_path: Path):
    """The command ends with 1, its words say why, and its JSON has null."""
    from typer.testing import CliRunner

    from indistinct.frontends.cli.main import app

    pl.DataFrame({"q": ["a"] * 5 + ["b"] * 5, "s": ["x"] * 5 + ["y"] * 5}).write_csv(
        tmp_path / "r.csv"
    )
    (tmp_path / "p.toml").write_text(
        '[columns]\nq = {role = "quasi-identifier"}\ns = {role = "sensitive"}\n'
        '[[models]]\nname = "beta-likeness"\ncolumn = "s"\nbeta = 0.5\n'
        "[method]\nmax_suppression = 0.5\n",
    )
    words = ["verify", str(tmp_path / "r.csv"), "--policy", str(tmp_path / "p.toml")]
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 4
    assert "undecided" in found.output.lower()
    found = CliRunner().invoke(app, [*words, "--json"])
    assert found.exit_code == 4
    assert json.loads(found.stdout)["holds"] is None


def test_linked_tables_of_another_input():
    """Records that are repeated, and sensitive values that nobody has."""
    before = people().select("age", "illness")
    policy = ind.Policy.from_words(
        {
            "columns": {"age": {"role": "quasi-identifier"}, "illness": {"role": "sensitive"}},
            "models": [{"name": "distinct-l-diversity", "column": "illness", "l": 2}],
            "release": {"form": "anatomy"},
        }
    )
    made = ind.anonymize(before, policy, seed=1)
    given = {"sensitive": made.sensitive, "original": before}
    assert ind.verify(made.frame, policy, **given).holds
    alike = ordered(made.frame.with_columns(age=pl.lit(30)), "age")
    assert places(alike, policy, **given) == {"records"}
    other = made.sensitive.with_columns(illness=pl.col("illness").replace("flu", "plague"))
    found = places(made.frame, policy, original=before, sensitive=ordered(other))
    assert found == {"sensitive.illness"}


def test_a_first_record_in_place_of_the_header_is_in_no_message(tmp_path):
    """Its cells are taken for names of columns, which messages would show."""
    (tmp_path / "bare.csv").write_text("41,20101,1970-01-01,angina,51000\n52,20102,,flu,1\n")
    said = " ".join(map(str, ind.verify(tmp_path / "bare.csv", promise(AGES)).faults))
    with pytest.raises(ind.SchemaError) as error:
        ind.anonymize(tmp_path / "bare.csv", promise(AGES))
    for text in (said, str(error.value)):
        assert "names of its columns" in text
        assert not any(cell in text for cell in ("41", "20101", "1970", "angina", "51000"))


@pytest.mark.parametrize("name", ['the "true" age', "age\nin years", "age, in years", "it's"])
def test_names_of_columns_with_quotes_and_line_ends(name, tmp_path):
    """A CSV file gives back the names that were written to it."""
    frame = pl.DataFrame({name: [row % 7 for row in range(40)], "s": ["x", "y"] * 20})
    words = {name: {"role": "quasi-identifier"}, "s": {"role": "sensitive"}}
    policy = ind.Policy.from_words({"columns": words, "models": [{"name": "k-anonymity", "k": 3}]})
    ind.anonymize(frame, policy, seed=1).write(tmp_path / "release.csv")
    assert ind.verify(tmp_path / "release.csv", policy, original=frame).holds
