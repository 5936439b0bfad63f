"""A database file reads nothing but its own tables, whoever opens it."""

import duckdb
import pytest

import indistinct as ind
from indistinct.errors import IndistinctError
from indistinct.tables.reading import files

SECRET = "PRIVATE-LINE"
VIEWS = {
    "a text file": "SELECT * FROM read_csv('{place}/secret.csv')",
    "a text": "SELECT content FROM read_text('{place}/secret.csv')",
    "a folder": "SELECT * FROM glob('{place}/*')",
    "a path as a table": "SELECT * FROM '{place}/secret.csv'",
    "bytes": "SELECT content FROM read_blob('{place}/s*')",
    "a view of a view": "SELECT * FROM inner_view",
    "a macro": "SELECT * FROM inner_macro()",
}


@pytest.fixture
def database(tmp_path):
    """Return a database file in one folder with views that read a file of another one."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.csv").write_text(f"age,city\n30,{SECRET}\n40,{SECRET}\n", encoding="utf-8")
    path = tmp_path / "nice.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute("CREATE TABLE people AS SELECT range % 5 AS age, 'a' AS city FROM range(40)")
        made.execute("CREATE VIEW grown AS SELECT * FROM people WHERE age > 1")
        made.execute(f"CREATE VIEW inner_view AS SELECT * FROM read_csv('{outside}/secret.csv')")
        made.execute(
            f"CREATE MACRO inner_macro() AS TABLE SELECT * FROM read_csv('{outside}/secret.csv')"
        )
        for number, view in enumerate(VIEWS.values()):
            made.execute(f"CREATE VIEW view_{number} AS {view.format(place=outside)}")
    return path


@pytest.mark.parametrize("number", range(len(VIEWS)))
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_view_that_reads_elsewhere_is_refused_in_words(database, number, engine):
    policy = ind.Policy(
        columns={"age": {"role": "quasi-identifier"}, "city": {"role": "insensitive"}},
        models=[{"name": "k-anonymity", "k": 2}],
    )
    address = f"duckdb:///{database}?table=view_{number}"
    with pytest.raises(IndistinctError, match="cannot be read") as error:
        ind.anonymize(address, policy, engine=engine).write(database.parent / "o.parquet")
    assert SECRET not in str(error.value)
    assert not (database.parent / "o.parquet").exists()


def test_a_view_of_the_own_tables_is_read(database):
    assert files.read_file(f"duckdb:///{database}?table=grown").frame.height == 24
    assert files.read_file(f"duckdb:///{database}?table=people").frame.height == 40
