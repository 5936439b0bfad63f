"""Several declared tables: from files in a folder to a reply, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from indistinct.errors import (
    BudgetExceededError,
    DataError,
    EngineError,
    ParameterError,
    PolicyError,
    SchemaError,
)
from indistinct.questions.database import add_analyst, begin, open_session
from indistinct.questions.database.loading import build
from indistinct.tables.publish.sample_hospital import hospital, write_hospital
from people import write_rows

DECLARATION = """
[dataset]
name = "shop"
data = "."
ledger = "shop.ledger"
[budget]
accounting = "zcdp"
epsilon = 400
delta = 1e-6
[tables.people]
person = "who"
rows_per_person = 1
[tables.people.columns]
town = "text"
born = { type = "date", bounds = ["1950-01-01", "2009-12-31"] }
[tables.orders]
person = "who"
rows_per_person = 5
references = { item = "items" }
[tables.orders.columns]
item = "code"
price = { type = "number", bounds = [0, 100] }
[tables.items]
public = true
key = "item"
[tables.items.columns]
item = "code"
name = "text"
"""


@pytest.fixture
def shop(tmp_path):
    """Two hundred people with three orders each, in a folder of text files."""
    people = [(n, "north" if n % 4 else "south", f"{1950 + n % 60}-03-01") for n in range(200)]
    orders = [(n, f"0{at + 1}", 10 * at + n % 3) for n in range(200) for at in range(3)]
    write_rows(tmp_path / "people.csv", people, ("who", "town", "born"))
    write_rows(tmp_path / "orders.csv", orders, ("who", "item", "price"))
    items = [("01", "pen"), ("02", "ink"), ("03", "pad")]
    write_rows(tmp_path / "items.csv", items, ("item", "name"))
    path = tmp_path / "shop.toml"
    path.write_text(DECLARATION, encoding="utf-8")
    return path


def test_tables_in_a_folder_are_asked_together(shop):
    """Joins over the person and a public key; groups that nobody declared; a free second look."""
    with pytest.raises(EngineError):
        open_session(shop)
    begin(shop)
    assert "lot_key" in shop.read_text("utf-8")
    question = (
        "SELECT i.name, COUNT(*) AS n, AVG(o.price) AS mean FROM orders o "
        "JOIN items i ON o.item = i.item JOIN people p USING (who) GROUP BY i.name"
    )
    with open_session(shop) as session:
        reply = session.ask(question, epsilon=50)
        assert [row["name"] for row in reply.answer] == ["ink", "pad", "pen"]
        assert [round(row["mean"], -1) for row in reply.answer] == [10, 20, 0]
        assert all(abs(row["n"] - 200) < 30 for row in reply.answer)
        assert reply.threshold > 1
        assert 0 < reply.delta < 1e-6
        again = session.ask(f"{question} HAVING n > 1 ORDER BY mean DESC LIMIT 1", epsilon=50)
        assert again.charged == 0
        assert again.answer == [reply.answer[1]]
        years = session.ask(
            "SELECT EXTRACT(YEAR FROM born) AS year, COUNT(*) FROM people GROUP BY year", epsilon=50
        )
        assert [row["year"] for row in years.answer] == [*range(1950, 2010), None]


def test_thresholds_have_a_budget_of_their_own(shop):
    """It runs out with that of epsilon, or before if a question asks for more."""
    begin(shop)
    towns = "SELECT town, COUNT(*) FROM people GROUP BY town"
    with open_session(shop) as session:
        session.ask(towns, epsilon=1, delta="4e-7")
        with pytest.raises(ParameterError, match="delta"):
            session.ask(towns, epsilon=1, delta="4e-7", fresh=True)
        with pytest.raises(ParameterError, match="between 0 and 1"):
            session.ask(towns, epsilon=1, delta="x", fresh=True)
        with pytest.raises(BudgetExceededError):
            session.ask(towns, epsilon=400, delta="1e-9", fresh=True)
        assert session.ask("SELECT COUNT(*) FROM people", epsilon=1).delta == 0


@pytest.mark.parametrize("per", ["", 'per = "month"\n', 'per = "day"\n'])
def test_an_analyst_spends_no_more_than_the_own_share_of_delta(shop, per):
    """A hundredth of the budget is a hundredth of delta for thresholds, whether it renews or not.

    What is left is enough for others.
    """
    begin(shop)
    add_analyst(shop, name="small", epsilon=4)
    add_analyst(shop, name="large", epsilon=300)
    text = shop.read_text("utf-8")
    shop.write_text(text.replace("[analysts.small]\n", f"[analysts.small]\n{per}"), "utf-8")
    towns = "SELECT town, COUNT(*) FROM people GROUP BY town"
    with open_session(shop) as session:
        share = session.ledger.delta_left(session.dataset.analyst("small"))
        assert 0 < share < 0.02 * 5e-7 * 10**18
        with pytest.raises(ParameterError, match="is left"):
            session.ask(towns, epsilon="0.1", delta="4.9e-7", analyst="small")
        session.ask(towns, epsilon="0.1", delta=f"{share}e-18", analyst="small")
        with pytest.raises(ParameterError, match="0 is left"):
            session.ask(towns, epsilon="0.1", delta="1e-18", analyst="small", fresh=True)
        assert session.ask(towns, epsilon="0.2", delta="1e-8", analyst="large").delta == 1e-8


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ('person = "who"\nrows_per_person = 1', "", "tables.people.person"),
        ("public = true\n", 'public = true\nperson = "who"\n', "tables.items.person"),
        ('key = "item"', "", "tables.items.key"),
        ('key = "item"', 'key = "other"', "tables.items.key"),
        ('item = "items"', 'item = "people"', "tables.orders.references"),
        ('item = "items"', 'other = "items"', "tables.orders.references"),
        ('"1950-01-01", "2009-12-31"', '"2009-12-31", "1950-01-01"', "tables.people.columns.born"),
        ('town = "text"', 'town = "colour"', "tables.people.columns.town.type"),
        ("delta = 1e-6", "delta = 1e-6\nthreshold_delta = 1e-5", "budget.threshold_delta"),
        ('name = "shop"', 'name = "shop"\ntable = "people"', "dataset"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(before, after, place):
    """Before any data are read."""
    import tomllib

    text = DECLARATION.replace(before, after)
    assert text != DECLARATION
    with pytest.raises(PolicyError) as caught:
        build(tomllib.loads(text, parse_float=str), Path())
    assert place in [fault.place for fault in caught.value.faults]


def test_what_the_files_lack_is_named(shop):
    """A table without a file, a column, a public key that stands twice."""
    folder = shop.parent
    text = (folder / "items.csv").read_text("utf-8")
    (folder / "items.csv").write_text(f"{text}01,pencil\n", "utf-8")
    with pytest.raises(DataError, match="not unique"):
        begin(shop)
    (folder / "items.csv").write_text(text.replace("name", "word"), "utf-8")
    with pytest.raises(SchemaError, match="name is not a column"):
        begin(shop)
    (folder / "items.csv").unlink()
    with pytest.raises(DataError, match="items has no file"):
        begin(shop)


def test_a_sample_hospital_can_be_asked(tmp_path):
    """The same seed makes the same; its declaration fits it."""
    one, other = hospital(30, 7), hospital(30, 7)
    assert all(one[name].equals(other[name]) for name in one)
    write_hospital(tmp_path / "h", 30, 7)
    begin(tmp_path / "h" / "hospital.toml")
    with open_session(tmp_path / "h" / "hospital.toml") as session:
        reply = session.ask(
            "SELECT AVG(CLAMP(n, 0, 50)) FROM (SELECT v.person_id, v.visit_id, COUNT(m.time) AS n "
            "FROM visit v LEFT JOIN measurement m ON m.visit_id = v.visit_id "
            "GROUP BY v.person_id, v.visit_id) t",
            epsilon=5,
            rows=3,
        )
        assert 0 <= reply.answer <= 50


LINES = """
[tables.parcels]
references = { order = "orders" }
key = "parcel"
[tables.parcels.columns]
parcel = "id"
order = "id"
[tables.lines]
owner = "parcel"
references = { parcel = "parcels", item = "items" }
[tables.lines.columns]
parcel = "id"
item = "code"
"""


@pytest.fixture
def leading(tmp_path):
    """Orders of which one number is used by two people, parcels of orders, and lines of parcels."""
    rows = [("a", "1"), ("a", "2"), ("b", "2"), ("c", "3")]
    write_rows(tmp_path / "people.csv", [("a",), ("b",), ("c",)], ("who",))
    write_rows(tmp_path / "orders.csv", rows, ("who", "order"))
    parcels = [("p1", "1"), ("p2", "2"), ("p3", "3"), ("p4", "9"), ("p5", "")]
    write_rows(tmp_path / "parcels.csv", parcels, ("parcel", "order"))
    lines = [("p1", "01"), ("p1", "02"), ("p2", "01"), ("p3", "01"), ("p4", "01"), ("p6", "02")]
    write_rows(tmp_path / "lines.csv", lines, ("parcel", "item"))
    write_rows(tmp_path / "items.csv", [("01", "pen"), ("02", "ink")], ("item", "name"))
    text = DECLARATION.replace('town = "text"\n', "").replace(
        'born = { type = "date", bounds = ["1950-01-01", "2009-12-31"] }\n', ""
    )
    text = text.replace('references = { item = "items" }\n', 'key = "order"\n').replace(
        'item = "code"\nprice = { type = "number", bounds = [0, 100] }\n', 'order = "id"\n', 1
    )
    path = tmp_path / "shop.toml"
    path.write_text(text + LINES)
    begin(path, shared="keep")
    return path


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("SELECT COUNT(*) FROM parcels", 4),
        ("SELECT COUNT(*) FROM lines", 5),
        ("SELECT COUNT(DISTINCT who) FROM lines", 3),
        ("SELECT COUNT(*) FROM lines l JOIN items i ON l.item = i.item WHERE i.name = 'ink'", 1),
        ("SELECT COUNT(*) FROM people WHERE who IN (SELECT who FROM parcels)", 3),
    ],
)
def test_rows_that_lead_to_people_are_theirs(leading, question, right):
    """Through one table or several; of a number that two people use, each has the rows."""
    with open_session(leading) as session:
        assert round(session.ask(question, epsilon=390, rows=4).answer) == right


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('owner = "parcel"\n', 'owner = "item"\n', "tables.lines.owner"),
        ('owner = "parcel"\n', 'owner = "parcel"\npublic = true\n', "tables.lines.person"),
        ('references = { order = "orders" }\n', "", "tables.parcels.person"),
        ('parcel = "id"\norder = "id"\n', 'parcel = "id"\norder = "number"\n',
         "tables.parcels.columns.order"),
        ('parcel = "id"\nitem = "code"\n', 'parcel = "id"\nitem = "code"\nwho = "text"\n',
         "tables.lines.columns.who"),
        ('key = "order"\n', 'key = ["order", "who"]\n', "tables.parcels.owner"),
    ],
)  # fmt: skip
def test_what_leads_to_no_people_is_refused(leading, old, new, place):
    """With the place of each fault."""
    text = leading.read_text()
    assert old in text
    leading.write_text(text.replace(old, new))
    with pytest.raises(PolicyError) as caught:
        open_session(leading)
    assert place in str(caught.value)
