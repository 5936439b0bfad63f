"""Every engine reads dates and numbers in the form that a policy says, as a table in memory is."""

import random
import tomllib
from contextlib import ExitStack
from decimal import Decimal

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError
from indistinct.tables.engines.choosing import Resources, open_table
from indistinct.tables.engines.sources import PersonKey
from indistinct.tables.reading import files
from indistinct.tables.reading.declared_formats import Reading
from large_tables import PLACES, policy_of, sorted_rows

N_RECORDS = 200
SAID = {
    "data": {"decimal": ","},
    "columns": {
        "born": {"format": "dd.mm.yyyy"},
        "income": {"role": "quasi-identifier", "hierarchy": {"ranges": "exact"}},
        "size": {"type": "number", "unreadable": "missing"},
    },
}


def written_table(seed):
    """Make a table of texts: days first, decimal commas, some words among the numbers."""
    chance = random.Random(seed)

    def days():
        return (
            f"{chance.randint(1, 28):02d}.{chance.randint(1, 12):02d}.{chance.randint(1990, 1992)}"
        )

    def sizes():
        number = f"{chance.uniform(150, 190):.1f}".replace(".", ",")
        return chance.choice([number, number, number, "", "?", "not measured"])

    columns = {
        "name": [f"N{number}" for number in range(N_RECORDS)],
        "age": [str(chance.randint(18, 60)) for _ in range(N_RECORDS)],
        "income": [f"{chance.randint(1, 9)},5" for _ in range(N_RECORDS)],
        "city": [chance.choice(["Ulm", "Hof", "?"]) for _ in range(N_RECORDS)],
        "born": [days() if chance.random() < 0.9 else "" for _ in range(N_RECORDS)],
        "note": ["a"] * N_RECORDS,
        "size": [sizes() for _ in range(N_RECORDS)],
        "ill": [chance.choice(["flu", "ulcer", "asthma"]) for _ in range(N_RECORDS)],
    }
    return pl.DataFrame(columns).with_columns(pl.col("age").cast(pl.Int64))


def said_policy(**more):
    """Return the policy that says how the table is written."""
    return policy_of(typed=False, **{**SAID, **more})


def in_memory(frame, policy):
    """Return the table as it is read in memory."""
    reading = policy.reading
    return files.read_file(frame, reading=reading).frame


def write_release(data, policy, out, engine):
    """Write a release of a table by an engine."""
    with ExitStack() as stack:
        release = ind.anonymize(data, policy, engine=engine)
        if engine != "memory":
            stack.enter_context(release)
        release.write(out)


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_columns_are_counted_as_in_memory(place, tmp_path):
    frame, policy = written_table(1), said_policy()
    expected = in_memory(frame, policy)
    assert expected["born"].dtype == pl.Date
    assert expected["size"].dtype == pl.Float64
    address, _ = place.put(frame, tmp_path)
    opening = Resources().opening(policy.data.missing, None, reading=policy.reading)
    names = ["born", "income", "size"]
    with open_table(address, opening, place.engine) as source:
        assert source.schema == {**source.schema, **expected.select(names).schema}
        tally = source.count([PersonKey(name) for name in names], 10**6)
    counted = expected.group_by(names).len("records")
    found = tally.frame.with_columns(tally.records.cast(pl.UInt32).alias("records"))
    assert sorted_rows(found) == sorted_rows(counted)


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_release_has_the_rows_of_the_one_in_memory(place, tmp_path):
    frame, policy = written_table(2), said_policy()
    expected = ind.anonymize(frame, policy, seed=1).data
    out, _ = place.release(frame, policy, tmp_path)
    found = place.read(out, expected.schema)
    assert expected["born"].str.contains(r"^199[0-2]").any()
    names = [name for name in found.columns if name not in {"note", "size"}]
    assert sorted_rows(found, names) == sorted_rows(expected, names)
    assert sorted_rows(found, ["size"]) == sorted_rows(expected, ["size"])


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_verification_by_an_engine_reads_the_input_so_too(engine, tmp_path):
    frame, policy = written_table(3), said_policy()
    frame.write_csv(tmp_path / "in.csv")
    release = tmp_path / "out.parquet"
    write_release(tmp_path / "in.csv", policy, release, engine)
    found = ind.verify(release, policy, original=tmp_path / "in.csv", engine=engine)
    assert found.holds
    assert ind.verify(release, policy, original=tmp_path / "in.csv", engine="memory").holds


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_an_inspection_by_an_engine_drafts_what_it_found(engine, tmp_path):
    """The draft says how the cells are written, and gives the release that it would in memory."""
    frame = written_table(5)
    frame.with_columns(size=frame["income"]).write_csv(tmp_path / "in.csv")
    draft = ind.inspect(tmp_path / "in.csv", engine=engine).drafted("p", yes_to_suggestions=True)
    columns = tomllib.loads(draft.text)["columns"]
    assert columns["born"]["format"] == "dd.mm.yyyy"
    assert columns["born"]["hierarchy"]["dates"]
    assert columns["income"]["type"] == "number"
    policy = ind.Policy(**tomllib.loads(draft.text))
    opening = Resources().opening(policy.data.missing, None, reading=policy.reading)
    with open_table(str(tmp_path / "in.csv"), opening, engine) as source:
        assert source.schema["born"] == pl.Date
        assert source.schema["income"] == pl.Float64


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_columns_of_texts_stay_so_in_every_engine(engine, tmp_path):
    pl.DataFrame({"x": ["1.50", "2.5"], "y": ["1", "2"]}).write_csv(tmp_path / "in.csv")
    reading = Reading(types={"x": "text", "y": "nominal"})
    if engine == "memory":
        found = files.read_file(tmp_path / "in.csv", reading=reading).frame
        assert found.rows() == [("1.50", "1"), ("2.5", "2")]
        return
    opening = Resources().opening(("",), None, reading=reading)
    with open_table(str(tmp_path / "in.csv"), opening, engine) as source:
        assert sorted(source.sample(["x", "y"], 9).rows()) == [("1.50", "1"), ("2.5", "2")]


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_values_without_the_format_are_counted_in_the_refusal(engine, tmp_path):
    frame = written_table(4)
    frame.write_csv(tmp_path / "in.csv")
    policy = said_policy(columns={**SAID["columns"], "born": {"format": "mm/dd/yyyy"}})
    n_known = frame.height - int((frame["born"] == "").sum())
    with pytest.raises(DataError, match=rf"{n_known} of {n_known} values do not fit mm/dd/yyyy"):
        ind.anonymize(tmp_path / "in.csv", policy, engine=engine)


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_numbers_of_more_digits_than_a_double_are_released_as_they_are_written(engine, tmp_path):
    chance = random.Random(5)
    long = [f"{chance.randint(1, 9)}.{chance.randint(10**k, 10 ** (k + 1) - 1)}" for k in range(30)]
    chance.shuffle(long)
    frame = pl.DataFrame({"age": ["4", "5"] * 15, "share": long, "code": ["1.50"] * 30})
    frame.write_csv(tmp_path / "in.csv")
    columns = {"age": {"role": "quasi-identifier"}, "code": {"role": "insensitive"}}
    words = {"models": [{"name": "k-anonymity", "k": 2}], "release": {"read_back": "accepted"}}

    def released(share, name):
        policy = ind.Policy(columns={**columns, "share": share}, **words)
        write_release(tmp_path / "in.csv", policy, tmp_path / name, engine)
        assert ind.verify(tmp_path / name, policy, original=tmp_path / "in.csv").holds
        return pl.read_csv(tmp_path / name, infer_schema=False)

    found = released({"role": "insensitive"}, "out.csv")
    assert sorted(found["share"]) == sorted(long)
    assert found["code"].unique().to_list() == ["1.5"]
    found = released({"role": "insensitive", "type": "number"}, "rounded.csv")
    assert sorted(map(float, found["share"])) == sorted(map(float, long))
    assert max(map(len, found["share"])) < max(map(len, long))


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_numbers_that_a_double_gives_back_stay_numbers(engine, tmp_path):
    """What programs write of doubles is read as the same doubles, in whatever digits."""
    chance = random.Random(6)
    numbers = [chance.random() * 10.0 ** chance.randint(-20, 20) for _ in range(60)]
    texts = [repr(one) for one in numbers] + [f"{one:.25f}" for one in (0.5, 0.25, 3.0)]
    pl.DataFrame({"x": texts}).write_csv(tmp_path / "in.csv")
    if engine == "memory":
        column = files.read_file(tmp_path / "in.csv").frame["x"]
    else:
        opening = Resources().opening(("",), None)
        with open_table(str(tmp_path / "in.csv"), opening, engine) as source:
            column = source.sample(["x"], 100)["x"]
    assert column.dtype == pl.Float64
    assert sorted(column) == sorted(map(float, texts))


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_nothing_in_quotes_is_missing_among_numbers(engine, tmp_path):
    rows = "".join(f'"{age}";"t"\n' for age in range(20, 40))
    (tmp_path / "in.csv").write_text(f'"age";"t"\n{rows}"";""\n')
    if engine == "memory":
        frame = files.read_file(tmp_path / "in.csv").frame
    else:
        opening = Resources().opening(("",), None)
        with open_table(str(tmp_path / "in.csv"), opening, engine) as source:
            frame = source.sample(["age", "t"], 100)
    assert frame.schema == {"age": pl.Int64, "t": pl.String}
    assert frame.null_count().row(0) == (1, 1)


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
@pytest.mark.parametrize("text", ["0.12345678901234567", "1e-400", "9007199254740993.5"])
def test_one_number_that_a_double_changes_makes_texts(engine, text, tmp_path):
    assert Decimal(repr(float(text))) != Decimal(text)
    pl.DataFrame({"x": ["1.5", text]}).write_csv(tmp_path / "in.csv")
    if engine == "memory":
        assert files.read_file(tmp_path / "in.csv").frame["x"].to_list() == ["1.5", text]
        return
    with open_table(str(tmp_path / "in.csv"), Resources().opening(("",), None), engine) as source:
        assert sorted(source.sample(["x"], 10)["x"]) == sorted(["1.5", text])
