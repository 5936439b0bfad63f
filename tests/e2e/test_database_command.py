"""The commands of door 3, as a user types them."""

from __future__ import annotations

import json
import subprocess
import time

import pytest

import forked
from indistinct.errors import AccessError, BudgetExceededError, QuestionError
from indistinct.questions.database import connect
from people import person, write_rows
from served import served

COUNT = "SELECT COUNT(*) FROM people"


def run(*arguments):
    return subprocess.run(
        forked.command("database", *arguments), capture_output=True, text=True, check=False
    )


def document(*arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.fixture
def declared(tmp_path):
    data = write_rows(tmp_path / "people.csv", [person(n) for n in range(200)])
    options = ("--bounds", "age=0:100", "--values", "sex=F,M")
    document(
        "init", data, "--person", "id", "--epsilon", "3", "--out", tmp_path / "F.toml", *options
    )
    return tmp_path / "F.toml"


def test_declare_ask_and_read_the_ledger(declared):
    """Everything the interface promises, in one life."""
    reply = document("ask", declared, COUNT, "--epsilon", "0.5")
    assert abs(reply["answer"] - 200) < 80
    assert (reply["scale"], reply["charged"], reply["left"]) == (2, 0.5, 2.5)
    assert reply["interval"] == [reply["answer"] - 6, reply["answer"] + 6]
    dry = document("ask", declared, COUNT, "--epsilon", "1", "--dry-run")
    assert (dry["answer"], dry["price"], dry["left"]) == (None, 1, 2.5)
    rows = document(
        "ask", declared, "SELECT sex, AVG(age) FROM people GROUP BY sex", "--epsilon", "0.5"
    )
    assert [row["sex"] for row in rows["answer"]] == ["F", "M", {"other": True}, None]
    ledger = document("ledger", declared)
    assert (ledger["spent"], ledger["left"], len(ledger["charges"])) == (1, 2, 2)


def test_init_says_what_it_read_off_the_data(declared):
    """Types and steps that the owner does not declare are named, and what they cost."""
    base = ("init", declared.parent / "people.csv", "--person", "id", "--epsilon", "3", "--out")
    done = run(*base, declared.parent / "G.toml", "--bounds", "weight=0:100")
    assert "taken from the data: age, weight" in done.stdout
    assert "the budget covers" in done.stdout
    told = [w for n in ("age", "weight", "sex", "city", "note") for w in ("--types", f"{n}=text")]
    told[3] = "weight=number"
    out = declared.parent / "H.toml"
    found = document(*base, out, "--bounds", "weight=0:100", *told, "--steps", "weight=0.5")
    assert found["read_from_data"] == []
    assert "step = 0.5" in out.read_text()
    assert '[columns.age]\ntype = "text"' in out.read_text()


def test_types_of_a_folder_are_named_or_declared(declared):
    """As those of one table are."""
    folder = declared.parent / "folder"
    folder.mkdir()
    (folder / "person.csv").write_text("person_id,level\n1,4\n2,high\n")
    base = ("init", folder, "--person", "person_id", "--epsilon", "3", "--out")
    done = run(*base, declared.parent / "G.toml")
    assert "taken from the data: person.level." in done.stdout
    out = declared.parent / "H.toml"
    done = run(*base, out, "--declared")
    assert done.returncode == 2
    assert "the types of person.level are not declared" in done.stderr
    assert not out.exists()
    found = document(*base, out, "--declared", "--types", "person.level=text")
    assert found["read_from_data"] == []


def test_a_ledger_over_cells_that_cannot_be_read_is_refused_or_said_to_be_meant(declared):
    """The option holds for a declaration that was written by hand, too."""
    path = declared.parent / "F.toml"
    text = path.read_text().replace(
        '[columns.city]\ntype = "text"', '[columns.city]\ntype = "date"'
    )
    path.write_text(text)
    done = run("init", path)
    assert done.returncode == 5
    assert "columns.city: is a date, but " in done.stderr
    assert "written like letters" in done.stderr
    assert "--unreadable missing" in done.stderr
    assert document("init", path, "--unreadable", "missing")["tables"] == ["people"]


def test_nothing_is_read_off_the_data_where_everything_must_be_declared(declared):
    out = declared.parent / "G.toml"
    base = ("init", declared.parent / "people.csv", "--person", "id", "--epsilon", "3")
    done = run(*base, "--out", out, "--declared", "--types", "age=number")
    assert done.returncode == 2
    assert "the types of weight" in done.stderr
    assert "age" not in done.stderr.splitlines()[0].partition("types of")[2].split(",")[0]
    assert not out.exists()


def test_a_draft_needs_an_answer_and_says_its_price(declared):
    """Without a terminal nobody can answer, and nothing is written."""
    out = declared.parent / "G.toml"
    base = ("init", declared.parent / "people.csv", "--person", "id", "--epsilon", "3")
    done = run(*base, "--out", out, "--draft-from-data")
    assert done.returncode == 2
    assert "--yes" in done.stderr
    assert not out.exists()
    done = run(*base, "--out", out, "--draft-from-data", "--yes")
    assert done.returncode == 0, done.stderr
    assert "No noise and no budget covers a draft" in done.stdout
    assert "at least 10 people share" in done.stdout
    assert "bounds = [" in out.read_text()
    reply = document("ask", out, "SELECT sex, AVG(age) FROM people GROUP BY sex", "--epsilon", "1")
    assert [row["sex"] for row in reply["answer"]] == ["F", "M", {"other": True}, None]


def test_people_get_sentences(declared):
    """Without --json there are lines, not braces."""
    done = run("ask", declared, COUNT, "--epsilon", "0.5")
    assert "95 % interval" in done.stdout
    assert "2.5 left" in done.stdout
    assert "spent" in run("ledger", declared).stdout


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("ask", "F", "SELECT 1", "--epsilon", "1"), 2),
        (("ask", "F", COUNT, "--epsilon", "0"), 2),
        (("ask", "F", COUNT, "--epsilon", "nan"), 2),
        (("ask", "F", COUNT, "--epsilon", "4"), 3),
        (("ask", "F.toml.not", COUNT, "--epsilon", "1"), 2),
        (("init", "people.csv", "--person", "id", "--epsilon", "1", "--out", "F"), 2),
        (("init", "people.csv", "--person", "ghost", "--epsilon", "1", "--out", "G"), 5),
        (("init", "ghost.csv", "--person", "id", "--epsilon", "1", "--out", "G"), 2),
        (("init", "people.csv", "--person", "id", "--epsilon", "-1", "--out", "G"), 2),
        (
            (
                "init",
                "people.csv",
                "--person",
                "id",
                "--epsilon",
                "1",
                "--out",
                "G",
                "--bounds",
                "age",
            ),
            2,
        ),
    ],
)
def test_what_cannot_be_done_has_its_exit_code(declared, arguments, status):
    """Two lines on standard error, nothing on standard output, nothing written."""
    before = declared.read_text()
    names = {"F": declared, "G": declared.parent / "G.toml"}
    names |= {name: declared.parent / name for name in ("people.csv", "ghost.csv", "F.toml.not")}
    done = run(*(names.get(word, word) for word in arguments))
    assert done.returncode == status
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) >= 2
    assert declared.read_text() == before
    assert not (declared.parent / "G.toml").exists()


def test_serve_and_ask_over_http(declared):
    """A token, a service, a client; killed and started again, the ledger goes on."""
    token = document("token", declared, "alice", "--epsilon", "2")["token"]
    assert token not in declared.read_text()
    with served(declared) as (url, process):
        client = connect(url, token=token)
        reply = client.ask(COUNT, epsilon="0.5")
        assert (reply.charged, reply.left) == (0.5, 1.5)
        with pytest.raises(QuestionError, match="table"):
            client.ask("SELECT COUNT(*) FROM other", epsilon=1)
        with pytest.raises(BudgetExceededError) as caught:
            client.ask(f"{COUNT} WHERE age > 3", epsilon=2)
        assert caught.value.left == 1_500_000_000
        with pytest.raises(AccessError):
            connect(url, token="wrong").schema()
        process.kill()
        process.wait()
    with served(declared) as (url, _):
        client = connect(url, token=token)
        assert client.ask(COUNT, epsilon="0.5").answer == reply.answer
        assert client.ledger()["spent"] == 0.5
        assert "people" in client.schema()["tables"]
        assert client.ask(COUNT, epsilon=1, dry_run=True).answer is None
        assert document("token", declared, "alice", "--end")["ended"] is True
        assert ends_within(client, 10)


def ends_within(client, seconds):
    """Wait until a client's token is not known any more."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            client.schema()
        except AccessError:
            return True
        time.sleep(0.1)
    return False


def test_a_folder_is_drafted_checked_and_asked(tmp_path):
    """From the files of several tables to an answer that limits what a person adds."""
    folder, out = tmp_path / "shop", tmp_path / "shop.toml"
    folder.mkdir()
    write_rows(folder / "person.csv", [(n, f"{1950 + n % 40}-05-01") for n in range(300)],
               ("person_id", "born"))  # fmt: skip
    write_rows(folder / "item.csv", [(f"i{n}", "word") for n in range(4)], ("item_id", "name"))
    orders = [(n, f"i{at}", 1 + (n + at) % 3) for n in range(300) for at in range(4)]
    write_rows(folder / "order.csv", orders, ("person_id", "item_id", "amount"))
    words = ("init", folder, "--person", "person_id", "--epsilon", "50", "--out", out)
    told = run(*words, "--public", "item")
    assert told.returncode == 0, told.stderr
    assert "order: share of the rows that count, by rows_per_person: 1: 25 %" in told.stdout
    document("init", out)
    question = (
        'SELECT o.item_id, SUM(CLAMP(amount, 0, 3)) AS s FROM "order" o '
        "JOIN item i ON o.item_id = i.item_id GROUP BY o.item_id"
    )
    limits = ("--epsilon", "20", "--groups", "4", "--rows", "1", "--full-groups", "2")
    reply = document("ask", out, question, *limits)
    assert reply["limits"]["full_groups"] == 2
    assert len(reply["answer"]) == 4
    said = run("ask", out, question, *limits)
    assert "at most 2 full groups, by the sum of squares" in said.stdout
    assert document("ask", out, question, *limits)["charged"] == 0
