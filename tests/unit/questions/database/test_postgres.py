"""Records and ledger in PostgreSQL: the same questions, the same counts, one budget for all."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import socket
import ssl
import threading
import time
import tomllib
import uuid
from contextlib import closing

import pytest
from pg8000.exceptions import DatabaseError

from asked import part_counts, plain_counts
from exact import any_question, any_rows
from indistinct.base.billionths import BILLION
from indistinct.base.files.postgres_address import arguments
from indistinct.errors import BudgetExceededError, DataError, EngineError, PolicyError, SchemaError
from indistinct.questions.checks.verify import THE_LEDGER
from indistinct.questions.database import init, ledger, open_session
from indistinct.questions.database.book import Request
from indistinct.questions.database.dataset import Analyst, Budget
from indistinct.questions.database.engines.postgres import PostgresEngine
from indistinct.questions.database.ledger_of_charges import Ledger
from indistinct.questions.database.loading import load
from indistinct.questions.database.postgres import connect
from indistinct.questions.database.session import open_engine
from indistinct.questions.database.stores.postgres import PostgresStore
from indistinct.questions.mechanisms.accountant import Accounting
from indistinct.questions.synthesis.domain import EngineCounts
from indistinct.questions.synthesis.plan import make_plan as make_synthesis_plan
from indistinct.synthetic_tables import synthesize, verify_synthetic
from people import BINS, HEADER, declare, person, spent_in_rho

URL = os.environ.get("INDISTINCT_POSTGRES", "")
FORK = multiprocessing.get_context("fork")
COUNT = "SELECT COUNT(*) FROM people"
needs_server = pytest.mark.skipif(
    not URL, reason='no PostgreSQL: eval "$(sh tests/postgres.sh start)" starts one'
)
pytestmark = pytest.mark.postgres

TYPES = {
    "id": "integer",
    "age": "double precision",
    "weight": "numeric",
    "sex": "text",
    "city": "character varying(20)",
    "note": "text",
}


@pytest.fixture
def database():
    """Return the address of a database of its own."""
    name = f"t{uuid.uuid4().hex}"
    admin = connect(URL)
    admin.run(f"CREATE DATABASE {name}")
    yield URL.replace("/postgres?", f"/{name}?")
    admin.run(f"DROP DATABASE {name} WITH (FORCE)")
    admin.close()


def fill(url, rows, types=None, table="people", key=""):
    """Make a table of people."""
    types = types or TYPES
    connection = connect(url)
    columns = ", ".join(f"{name} {kind}" for name, kind in types.items())
    connection.run(f"CREATE TABLE {table} ({columns}{key})")
    marks = ", ".join(f":{name}" for name in types)
    for row in rows:
        values = {
            name: in_type(kind, cell) for (name, kind), cell in zip(types.items(), row, strict=True)
        }
        connection.run(f"INSERT INTO {table} VALUES ({marks})", **values)
    connection.close()


def in_type(kind, cell):
    """Write a cell as the column has it."""
    if kind not in {"text", "character varying(20)"}:
        text = "" if cell is None else str(cell).strip()
        odd = {
            "": None,
            "x": None,
            "0x10": None,
            "1e400": "1e300",
            "inf": "Infinity",
            "-inf": "-Infinity",
        }
        if kind == "numeric" and text == "5e-324":
            return "0"  # what is tiny in a numeric counts as zero
        return odd.get(text, text)
    return None if cell == "" else str(cell)


@needs_server
def test_both_engines_count_the_same(database, tmp_path):
    """A hundred questions about odd rows, in PostgreSQL and by plain loops."""
    chance = random.Random(11)
    rows = any_rows(chance, range(1, 150), 2)
    fill(database, rows)
    path = tmp_path / "people.toml"
    text = declare(tmp_path, rows, name="file", rows_per_person=2).read_text(encoding="utf-8")
    given = text.replace('"file.csv"', json.dumps(database)).replace(
        'table = "file"', 'table = "people"'
    )
    path.write_text(given, encoding="utf-8")
    dataset = load(path)
    engine = open_engine(dataset)
    plain = [
        dict(
            zip(
                HEADER,
                ("" if c is None else str(c) for c in map(in_type, TYPES.values(), row)),
                strict=True,
            )
        )
        for row in rows
    ]
    for _ in range(100):
        text = any_question(chance)
        statement, found = part_counts(engine, text, dataset)
        for mine, theirs in zip(found, plain_counts(plain, statement, dataset), strict=True):
            shown = {cell: n for cell, n in mine.items() if n}
            assert shown == {cell: n for cell, n in theirs.items() if n}, text
    engine.close()


EXTREMES = {
    "numeric": ["NaN", "Infinity", "-Infinity", "1e1000", "-1e1000", "1e-1000", "0", None],
    "double precision": ["NaN", "Infinity", "-Infinity", "5e-324", "-0", "1.7e308", None],
    "real": ["NaN", "Infinity", "1e-45", "3e38", None],
    "bigint": ["9223372036854775807", "-9223372036854775808", None],
    "smallint": ["32767", "-32768", None],
}


@needs_server
@pytest.mark.parametrize("kind", EXTREMES)
def test_no_value_makes_a_question_fail(database, tmp_path, kind):
    """The extremes of every numeric type are answered like any other."""
    rows = [(number, value) for number, value in enumerate(EXTREMES[kind])]
    fill(database, rows, {"id": "integer", "x": kind})
    init(
        database,
        person="id",
        epsilon=10_000,
        out=tmp_path / "d.toml",
        table="people",
        bounds={"x": (0, 100)},
    )
    with open_session(tmp_path / "d.toml") as session:
        for measure in ("COUNT(*)", "SUM(x)", "AVG(x)", "VARIANCE(x)", "MEDIAN(x)"):
            for where in ("", " WHERE x > 0.5", " WHERE x <> 3 AND NOT x < -1e14"):
                reply = session.ask(f"SELECT {measure} FROM people{where}", epsilon=1)
                is_unknown = reply.answer is None and measure in {"AVG(x)", "VARIANCE(x)"}
                assert is_unknown or isinstance(reply.answer, int | float)


CELLS = {
    "text": ["\u30001", "1\u2003", "\u00a01", "\u0661", "0000-01-01", "0000-02-29", "0001-01-01",
             "2023-02-29", " 5", "\n6", "infinity", "NaN", "TRUE\u3000", None],
    "text COLLATE odd": ["1", "2020-01-01", "yes", "\u30001", None],
    'text COLLATE "und-x-icu"': ["\u30001", "1", "2020-01-01", None],
    "date": ["300000-01-01", "5874897-12-31", "4713-01-01 BC", "infinity", "-infinity", None],
    "timestamp": ["294276-12-31 23:59:59", "infinity", "-infinity", "4713-01-01 BC", None],
    "timestamptz": ["294276-12-31 23:59:59+00", "infinity", "4713-01-01 00:00:00+00 BC", None],
}  # fmt: skip
ODD = "CREATE COLLATION odd (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
READ_AS = """
[dataset]
name = "people"
data = {data}
ledger = "people.ledger"
lot_key = "9f3c"
[budget]
epsilon = 100000
[tables.people]
person = "id"
rows_per_person = 1
[tables.people.columns]
x = {{ type = {kind}{bounds} }}
"""


@needs_server
@pytest.mark.parametrize("own", CELLS)
def test_no_cell_makes_the_reading_of_a_column_fail(database, tmp_path, own):
    """What the declared type cannot be read from is missing, by whatever rules the column has."""
    table = f"CREATE TABLE people (id integer, x {own})"
    statements(database, ODD, table)
    with closing(connect(database)) as connection:
        for number, cell in enumerate(CELLS[own]):
            connection.run("INSERT INTO people VALUES (:n, :x)", n=number, x=cell)
    for kind in ("number", "date", "timestamp", "bool", "text") if "text" in own else ("date",):
        bounds = ", bounds = [0, 9]" if kind == "number" else ""
        path = tmp_path / "people.toml"
        path.write_text(READ_AS.format(data=json.dumps(database), kind=f'"{kind}"', bounds=bounds))
        engine = open_engine(load(path))
        read = "SELECT count(*), count(c0), count(CAST(c0 AS text)) FROM t0 WHERE c0 IS NOT NULL"
        assert len(engine.fetch(read)) == 1
        engine.close()


@needs_server
def test_a_dataset_lives_in_postgres_alone(database, tmp_path):
    """Declared by URL, asked, charged and read back, with the ledger beside the records."""
    fill(database, [person(n) for n in range(1, 101)], key=", PRIMARY KEY (id)")
    path = tmp_path / "people.toml"
    options = {"bounds": {"age": (0, 100)}, "values": {"sex": ["F", "M"], "city": ["a", "?:b'%s"]}}
    init(database, person="id", epsilon=3, out=path, table="people", ledger=database, **options)
    path.write_text(path.read_text(encoding="utf-8") + BINS, encoding="utf-8")
    assert tomllib.loads(path.read_text())["columns"]["weight"]["type"] == "number"
    with open_session(path) as session:
        with closing(connect(database)) as connection:
            assert "row_number" not in session.engine.declared(connection)
        assert abs(session.ask(COUNT, epsilon=1).answer - 100) < 40
        assert session.ask(COUNT, epsilon=1).charged == 0
        # Beside the declared values, others and missing ones have groups, too.
        assert len(session.ask(f"{COUNT} GROUP BY sex, age_group", epsilon=1).answer) == 4 * 4
        assert session.ask(
            f"{COUNT} WHERE note = '?:b' AND city = '?:b''%s'", epsilon=0.5, dry_run=True
        ).price
        with pytest.raises(BudgetExceededError):
            session.ask("SELECT SUM(age) FROM people", epsilon="1.000000001")
    assert ledger(path).left == 1
    assert list(tmp_path.iterdir()) == [path]


@needs_server
def test_rows_beyond_the_limit_do_not_count(database, tmp_path):
    """Without a unique person, each query limits the rows itself."""
    fill(database, [(1, 5, 5, "F", "a", "x")] * 50 + [(2, 5, 5, "F", "a", "x")])
    init(
        database,
        person="id",
        epsilon=10_000,
        out=tmp_path / "d.toml",
        table="people",
        rows_per_person=3,
    )
    with open_session(tmp_path / "d.toml") as session:
        assert session.ask(COUNT, epsilon=5000).answer == 4
        assert session.ask("SELECT COUNT(DISTINCT id) FROM people", epsilon=5000).answer == 2


@needs_server
def test_the_session_cannot_write(database, tmp_path):
    """The connection to the records is read-only."""
    fill(database, [person(1)])
    init(database, person="id", epsilon=1, out=tmp_path / "d.toml", table="people")
    with open_session(tmp_path / "d.toml") as session, pytest.raises(Exception, match="read-only"):
        session.engine._connections.current().run("DELETE FROM public.people")


@needs_server
def test_what_is_not_there_is_said_in_words(database, tmp_path):
    """A missing table, a text declared as a number, a server that is not there."""
    with pytest.raises(DataError, match="nobody"):
        init(database, person="id", epsilon=1, out=tmp_path / "d.toml", table="nobody")
    fill(database, [person(1)])
    init(database, person="id", epsilon=1, out=tmp_path / "d.toml", table="people")
    text = (tmp_path / "d.toml").read_text()
    (tmp_path / "d.toml").write_text(
        text.replace('[columns.sex]\ntype = "text"', '[columns.sex]\ntype = "number"')
    )
    with pytest.raises(SchemaError, match="sex"):
        open_session(tmp_path / "d.toml")
    with pytest.raises(EngineError):
        connect("postgresql://nobody@localhost:1/nothing?sslmode=disable")


CAP = 10 * BILLION


def open_book(url, cap=CAP):
    book = Ledger(PostgresStore(url, create=True), "d", Budget(Accounting.PURE, cap, cap, cap))
    book.register()
    return book


def request(question, price=BILLION):
    return Request(Analyst("owner", "owner", 10**18), "1", question, price, {}, fresh=True)


def race(url, number, barrier, granted):
    book = open_book(url)
    barrier.wait()
    try:
        book.commit(book.reserve(request(f"question {number}")).number, "[]")
        with granted.get_lock():
            granted.value += 1
    except BudgetExceededError:
        pass


@needs_server
def test_64_processes_against_a_ledger_that_affords_10(database):
    """Exactly ten succeed, on however many servers they run."""
    open_book(database).store.close()
    barrier, granted = FORK.Barrier(64), FORK.Value("i", 0)
    children = [FORK.Process(target=race, args=(database, n, barrier, granted)) for n in range(64)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert granted.value == 10
    book = open_book(database)
    assert book.spent() == CAP
    book.store.close()


def worker(url, sink, seed):
    chance, book = random.Random(seed), open_book(url, 10**18)
    while True:
        price = chance.randrange(1, 1000)
        book.commit(book.reserve(request(str(chance.random()), price)).number, "[1]")
        os.write(sink, price.to_bytes(2, "big"))


@needs_server
def test_20_kills_at_random_points(database):
    """Spent is never less than answered, and no lock is stuck."""
    chance, answered = random.Random(), 0
    for number in range(20):
        source, sink = os.pipe()
        child = FORK.Process(target=worker, args=(database, sink, number))
        child.start()
        os.close(sink)
        time.sleep(chance.uniform(0, 0.6))
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        with os.fdopen(source, "rb") as pipe:
            told = pipe.read()
        answered += sum(
            int.from_bytes(told[at : at + 2], "big") for at in range(0, len(told) - 1, 2)
        )
    book = open_book(database, 10**18)
    assert book.spent() >= answered > 0
    assert book.spent() == sum(entry.amount for entry in book.entries())
    book.store.close()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "postgresql://u@h:6000/d",
            {"user": "u", "password": None, "host": "h", "port": 6000, "database": "d"},
        ),
        (
            "postgres://h/d?sslmode=disable",
            {"user": "postgres", "password": None, "host": "h", "ssl_context": None},
        ),
        (
            "postgresql://u@x/d?host=/run/pg",
            {"unix_sock": "/run/pg/.s.PGSQL.5432", "database": "d"},
        ),
    ],
)
def test_urls_are_taken_apart(url, expected):
    """User, password, host, port, database, socket."""
    assert expected.items() <= arguments(url).items()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:secret@h/d",
        "postgresql://u@h/d?password=secret",
        "postgresql://u@h/d?sslmode=requier",
        "postgresql://u@h/d?sslmode=prefer",
        "postgresql://u@h/d?sslmode=allow",
        "postgresql://u@h/d?sslmode=",
        "postgresql://u@h/d?sslmode=verify-full&sslmode=disable",
        "postgresql://u@h/d?ssl_mode=disable",
        "postgresql://u@h:port/d",
    ],
)
def test_an_address_that_would_weaken_the_connection_is_refused(tmp_path, url):
    """Passwords, misspelt words and modes that fall back; nothing is written, no secret is said."""
    for addresses in ({"data": url}, {"data": "d.csv", "ledger": url}):
        with pytest.raises(PolicyError) as caught:
            init(
                addresses["data"],
                person="id",
                epsilon=1,
                out=tmp_path / "d.toml",
                ledger=addresses.get("ledger"),
            )
        assert "secret" not in str(caught.value)
    with pytest.raises(EngineError) as refused:
        connect(url)
    assert "secret" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("mode", "encrypted", "checked", "named"),
    [
        ("", True, True, True),
        ("?sslmode=verify-full", True, True, True),
        ("?sslmode=verify-ca", True, True, False),
        ("?sslmode=require", True, False, False),
        ("?sslmode=disable", False, False, False),
    ],
)
def test_plain_text_is_only_for_who_asks_for_it(mode, encrypted, checked, named):
    """Without a mode the connection is encrypted, and certificate and name are checked."""
    context = arguments(f"postgresql://u@h/d{mode}")["ssl_context"]
    assert (context is not None) == encrypted
    if context is not None:
        assert (context.verify_mode == ssl.CERT_REQUIRED, context.check_hostname) == (
            checked,
            named,
        )


def test_a_server_without_tls_is_not_spoken_to_in_plain_text():
    """The server says that it has no TLS; nothing more is sent to it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        told = []

        def serve():
            with listener.accept()[0] as talk:
                told.append(talk.recv(100))
                talk.sendall(b"N")
                told.append(talk.recv(100))

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(EngineError, match="TLS"):
            connect(f"postgresql://u@127.0.0.1:{listener.getsockname()[1]}/d")
        thread.join(20)
    assert told == [b"\x00\x00\x00\x08\x04\xd2\x16/", b""]


def test_passwords_come_from_the_environment_or_the_password_file(tmp_path, monkeypatch):
    """In the order of PostgreSQL's own programs; a file that others can read is refused."""
    monkeypatch.delenv("PGPASSWORD", raising=False)
    file = tmp_path / "passwords"
    monkeypatch.setenv("PGPASSFILE", str(file))
    assert arguments("postgresql://u@h/d")["password"] is None
    file.write_text("# a comment\nh:5433:*:u:other\nh:5432:d:u:p\\:w\\\\d\n*:*:*:*:rest\n")
    file.chmod(0o600)
    assert arguments("postgresql://u@h/d")["password"] == "p:w\\d"
    assert arguments("postgresql://u@h:5433/e")["password"] == "other"
    assert arguments("postgresql://v@x/d")["password"] == "rest"
    file.chmod(0o640)
    with pytest.raises(EngineError, match="others"):
        arguments("postgresql://u@h/d")
    monkeypatch.setenv("PGPASSWORD", "first")
    assert arguments("postgresql://u@h/d")["password"] == "first"


def statements(url, *lines):
    """Run statements as the owner of the database."""
    with closing(connect(url)) as connection:
        for line in lines:
            connection.run(line)


@needs_server
def test_a_table_with_children_is_refused(database, tmp_path):
    """The parent's unique index does not cover a child, so a person could count in each."""
    fill(database, [person(n) for n in range(1, 11)], key=", PRIMARY KEY (id)")
    init(database, person="id", epsilon=10_000, out=tmp_path / "d.toml", table="people")
    with open_session(tmp_path / "d.toml") as session:
        statements(
            database,
            "CREATE TABLE child () INHERITS (people)",
            "INSERT INTO child SELECT * FROM ONLY people",
        )
        assert session.ask(COUNT, epsilon=5000).answer == 10  # a child that comes later is left out
    with pytest.raises(DataError, match="inherit"):
        open_session(tmp_path / "d.toml")
    statements(database, "CREATE VIEW everybody AS SELECT * FROM people")
    init(database, person="id", epsilon=10_000, out=tmp_path / "v.toml", table="everybody")
    with open_session(tmp_path / "v.toml") as session:
        assert session.ask("SELECT COUNT(*) FROM everybody", epsilon=5000).answer == 10


@needs_server
def test_a_partitioned_table_counts_whole(database, tmp_path):
    """Its unique index covers every partition."""
    statements(
        database,
        "CREATE TABLE people (id integer PRIMARY KEY) PARTITION BY HASH (id)",
        "CREATE TABLE a PARTITION OF people FOR VALUES WITH (MODULUS 2, REMAINDER 0)",
        "CREATE TABLE b PARTITION OF people FOR VALUES WITH (MODULUS 2, REMAINDER 1)",
        "INSERT INTO people SELECT generate_series(1, 100)",
    )
    init(database, person="id", epsilon=10_000, out=tmp_path / "d.toml", table="people")
    with open_session(tmp_path / "d.toml") as session:
        assert session.ask(COUNT, epsilon=5000).answer == 100
        with closing(connect(database)) as connection:
            assert "row_number" not in session.engine.declared(connection)


@needs_server
def test_no_operator_of_another_role_sees_a_value(database, tmp_path):
    """Operators and functions of a schema on the role's search path are not called."""
    fill(database, [person(n) for n in range(1, 11)])
    statements(
        database,
        "CREATE TABLE seen (value text)",
        "CREATE SCHEMA evil",
        "CREATE FUNCTION evil.spy(text, text) RETURNS boolean VOLATILE LANGUAGE plpgsql AS "
        "'BEGIN RAISE EXCEPTION ''seen''; END'",
        "CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.spy)",
        "CREATE TABLE evil.people AS SELECT 1 AS id, 'F' AS sex",
        f"ALTER DATABASE {database.split('/')[3].split('?')[0]} "
        "SET search_path = evil, pg_catalog, public",
    )
    init(
        database,
        person="id",
        epsilon=10_000,
        out=tmp_path / "d.toml",
        table="people",
        values={"sex": ["F", "M"]},
    )
    with open_session(tmp_path / "d.toml") as session:
        reply = session.ask(f"{COUNT} WHERE note = 'x' GROUP BY sex", epsilon=5000)
        assert [row["count"] for row in reply.answer] == [5, 5, 0, 0]


@needs_server
def test_two_declarations_do_not_share_answers(database, tmp_path):
    """One name and one ledger over two tables: the second is refused, also after an edit."""
    fill(database, [person(n) for n in range(1, 11)])
    fill(database, [person(n) for n in range(1, 31)], table="others")
    (tmp_path / "b").mkdir()
    init(
        database,
        person="id",
        epsilon=10_000,
        out=tmp_path / "d.toml",
        table="people",
        ledger=database,
    )
    with open_session(tmp_path / "d.toml") as session:
        assert session.ask(COUNT, epsilon=5000).answer == 10
    with pytest.raises(DataError, match="another declaration"):
        init(
            database,
            person="id",
            epsilon=10_000,
            out=tmp_path / "b" / "d.toml",
            table="others",
            ledger=database,
        )
    text = (tmp_path / "d.toml").read_text().replace('"people"', '"others"')
    (tmp_path / "d.toml").write_text(text)
    with pytest.raises(EngineError, match="another declaration"):
        open_session(tmp_path / "d.toml")


@needs_server
def test_a_collation_that_takes_letters_for_equal_counts_nobody_twice(database, tmp_path):
    """F and f are equal to the column, but they are two declared values."""
    collation = (
        "CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
    )
    statements(database, collation, "CREATE TABLE people (id integer, sex text COLLATE ci)")
    statements(database, "INSERT INTO people SELECT n, 'F' FROM generate_series(1, 40) AS n")
    init(
        database,
        person="id",
        epsilon=10_000,
        out=tmp_path / "d.toml",
        table="people",
        values={"sex": ["F", "f"]},
    )
    with open_session(tmp_path / "d.toml") as session:
        assert session.ask(COUNT, epsilon=2000).answer == 40
        reply = session.ask("SELECT sex, COUNT(*) FROM people GROUP BY sex", epsilon=2000)
        assert [row["count"] for row in reply.answer] == [40, 0, 0, 0]


@needs_server
def test_made_up_records_are_counted_and_paid_for_there(database, tmp_path):
    """Marginals are those of the same rows in a file; the charge stands in the server's ledger."""
    rows = [person(n) for n in range(1, 121)]
    fill(database, rows)
    options = {
        "bounds": {"age": (0, 100), "weight": (0, 200)},
        "values": {"sex": ("F", "M"), "city": ("a", "b")},
        "steps": {"age": 1, "weight": "0.5"},
        "delta": 1e-7,
    }
    init(
        database,
        person="id",
        epsilon=50,
        out=tmp_path / "d.toml",
        table="people",
        ledger=database,
        **options,
    )
    beside = declare(tmp_path, rows, 50, **options)
    forbidden = "[[synthesis.forbidden]]\ncolumns = ['age', 'city']\npairs = [['[0, 17)', 'b']]\n"
    counted = []
    for path in (tmp_path / "d.toml", beside):
        path.write_text(path.read_text("utf-8") + forbidden, "utf-8")
        with open_session(path) as session:
            plan = make_synthesis_plan(session.dataset, "1")
            counts = EngineCounts(session.engine, plan.dataset, plan.measured)
            counted.append([counts.pair(0, other).tolist() for other in (1, 2, 3)])
    assert counted[0] == counted[1]
    found = synthesize(tmp_path / "d.toml", epsilon="1")
    assert spent_in_rho(tmp_path / "d.toml") == pytest.approx(found.manifest["rho"])
    assert synthesize(tmp_path / "d.toml", epsilon="1").charged == 0
    found.write(tmp_path / "s.csv", model=tmp_path / "m.json")
    told = verify_synthetic(tmp_path / "s.csv", tmp_path / "d.toml", tmp_path / "m.json")
    assert told.faults == ()
    assert THE_LEDGER in told.cannot_tell


@needs_server
@pytest.mark.parametrize("way", ["dropped", "swapped for a view", "a second index"])
def test_a_live_table_that_loses_its_key_counts_nobody_twice(database, tmp_path, way):
    """The rule of one row a person holds in every question, not at the opening alone."""
    fill(database, [person(n) for n in range(1, 41)], key=", PRIMARY KEY (id)")
    init(database, person="id", epsilon=10_000, out=tmp_path / "d.toml", table="people")
    with open_session(tmp_path / "d.toml") as session:
        assert session.ask(COUNT, epsilon=1000).answer == 40
        if way == "a second index":
            statements(database, "CREATE UNIQUE INDEX more ON people (id)")
            assert session.ask(COUNT, epsilon=1000, fresh=True).answer == 40
        if way == "swapped for a view":
            statements(database, "ALTER TABLE people RENAME TO old")
            rows = "SELECT old.* FROM old, generate_series(1, 3)"
            statements(database, f"CREATE VIEW people AS {rows}")
            assert session.ask(COUNT, epsilon=1000, fresh=True).answer == 40
        else:
            statements(database, "ALTER TABLE people DROP CONSTRAINT people_pkey")
            if way == "a second index":
                statements(database, "DROP INDEX more")
            mary = "SELECT 41, 1, 1, 'F', 'a', 'x' FROM generate_series(1, 1000)"
            statements(database, f"INSERT INTO people {mary}")
            assert session.ask(COUNT, epsilon=1000, fresh=True).answer == 41


KEYS = {
    "PRIMARY KEY (visit)": True,
    "UNIQUE (visit, id)": True,
    "UNIQUE (visit) INCLUDE (dept)": True,
    "UNIQUE (visit, dept)": False,  # a visit may stand in two departments
    "UNIQUE (visit) DEFERRABLE": False,  # a trigger checks it, and can be switched off
    "UNIQUE (other)": False,  # two visits without one are not the same to an index
    "UNIQUE (share)": False,  # written as texts that a setting makes alike
}
INDEXES = {
    "UNIQUE INDEX one ON visits (visit) WHERE dept = 'a'": False,
    "UNIQUE INDEX one ON visits ((visit + 1))": False,
    "INDEX one ON visits (visit)": False,
    "UNIQUE INDEX one ON visits (visit)": True,
}
VISITS = """
[dataset]
name = "visits"
data = {data}
ledger = "visits.ledger"
lot_key = "9f3c"
[budget]
epsilon = 100000
[tables.visits]
person = "id"
key = {key}
[tables.visits.columns]
visit = "id"
other = "id"
share = "id"
dept = {{ type = "text", values = ["a", "b"] }}
"""
A_VISIT = "CREATE TABLE visits (id int, visit int NOT NULL, other int, share {kind}, dept text"


def visits(database, tmp_path, *lines, key="visit"):
    """Make a table of visits, and open its engine."""
    statements(database, *lines, "INSERT INTO visits VALUES (1, 1, 1, 1, 'a'), (2, 2, 2, 2, 'b')")
    path = tmp_path / "visits.toml"
    path.write_text(VISITS.format(data=json.dumps(database), key=json.dumps(key)))
    return open_engine(load(path))


@needs_server
@pytest.mark.parametrize("key", [*KEYS, *INDEXES])
def test_lots_are_spared_only_where_the_table_itself_forbids_a_key_twice(database, tmp_path, key):
    """By an index that covers no more than person and key, of all rows, at once."""
    kind, is_enforced = "double precision NOT NULL", {**KEYS, **INDEXES}[key]
    table = A_VISIT.format(kind=kind)
    lines = [f"{table})", f"CREATE {key}"] if key in INDEXES else [f"{table}, {key})"]
    named = next((one for one in ("other", "share") if one in key), "visit")
    engine = visits(database, tmp_path, *lines, key=named)
    with closing(connect(database)) as connection:
        assert ("row_number" not in engine.declared(connection)) == is_enforced
    engine.close()


@needs_server
def test_no_index_is_dropped_between_the_look_at_it_and_the_answer(database, tmp_path, monkeypatch):
    """The table is locked before; a role's own setting brings no older rows back."""
    name = database.split("/")[3].split("?")[0]
    statements(
        database, f"ALTER DATABASE {name} SET default_transaction_isolation = 'repeatable read'"
    )
    table = A_VISIT.format(kind="integer")
    engine = visits(database, tmp_path, f"{table}, CONSTRAINT mine UNIQUE (visit))")
    found, kept = [], engine.declared
    drop = ("SET lock_timeout = '100ms'", "ALTER TABLE visits DROP CONSTRAINT mine")

    def declared(connection, where=""):
        (level,) = connection.run("SHOW transaction_isolation")
        written = kept(connection, where)
        with pytest.raises(DatabaseError, match="lock timeout"):
            statements(database, *drop)
        found.append((level, written))
        return written

    count = "SELECT count(*) FROM t0"
    with monkeypatch.context() as patch:
        patch.setattr(PostgresEngine, "declared", lambda _, *given: declared(*given))
        assert engine.fetch(count) == [[2]]
    ((level, written),) = found
    assert (level, "row_number" in written) == (["read committed"], False)
    statements(
        database, *drop, "INSERT INTO visits SELECT 1, 1, 1, 1, 'a' FROM generate_series(1, 9)"
    )
    assert engine.fetch(count) == [[2]]
    engine.close()


@needs_server
def test_people_who_change_their_group_pay_for_every_group(database, tmp_path):
    """Unless the owner declares that the rows of this version never change."""
    fill(database, [person(n) for n in range(1, 41)], key=", PRIMARY KEY (id)")
    path = tmp_path / "d.toml"
    init(database, person="id", epsilon=10, out=path, table="people", values={"sex": ["F", "M"]})
    for sex, left in (("F", 9), ("M", 8)):
        with open_session(path) as session:
            assert session.ask(f"{COUNT} WHERE sex = '{sex}'", epsilon=1).left == left
    path.write_text(path.read_text().replace("[dataset]\n", "[dataset]\nfrozen = true\n"))
    for sex, left in (("F", 7), ("M", 7)):
        with open_session(path) as session:
            assert session.ask(f"{COUNT} WHERE sex = '{sex}'", epsilon=1, fresh=True).left == left


@needs_server
def test_a_ledger_that_is_gone_is_not_made_again(database, tmp_path):
    """Its tables were dropped, or the address names another database."""
    fill(database, [person(1)])
    init(
        database, person="id", epsilon=10, out=tmp_path / "d.toml", table="people", ledger=database
    )
    statements(database, "DROP TABLE charges")
    with pytest.raises(EngineError, match="no ledger"):
        open_session(tmp_path / "d.toml")


@needs_server
def test_one_table_under_two_names_of_its_own_is_refused(database, tmp_path):
    """With and without its schema, in another spelling of the address, in one ledger."""
    fill(database, [person(1)])
    init(
        database, person="id", epsilon=10, out=tmp_path / "d.toml", table="people", ledger=database
    )
    for number, table in enumerate(("people", "public.people")):
        out = tmp_path / f"again{number}.toml"
        with pytest.raises(DataError, match="under the name d"):
            init(database, person="id", epsilon=10, out=out, table=table, ledger=database)


@needs_server
@pytest.mark.parametrize(
    "twins", ["9007199254740992, 9007199254740993", "0.1, 0.10000000000000001"]
)
def test_a_row_meets_one_declared_number_at_most(database, tmp_path, monkeypatch, twins):
    """Even if the declaration were read without its check."""
    monkeypatch.setattr(
        "indistinct.questions.database.declaration_faults._double_faults", lambda _: iter(())
    )
    fill(
        database,
        [(n, twins.partition(",")[0]) for n in range(40)],
        {"id": "integer", "x": "numeric"},
    )
    init(database, person="id", epsilon=10_000, out=tmp_path / "d.toml", table="people")
    path = tmp_path / "d.toml"
    path.write_text(path.read_text().replace("[columns.x]\n", f"[columns.x]\nvalues = [{twins}]\n"))
    with open_session(path) as session:
        assert session.ask(COUNT, epsilon=1000).answer == 40
