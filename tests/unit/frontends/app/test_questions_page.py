"""The page of questions offers what can be asked, in the language and the reading of the page."""

import re
import tomllib

import pytest

from app_visits import visiting

pytest.importorskip("duckdb")


@pytest.fixture
def folder(tmp_path):
    rows = "".join(
        f"{n},{20 + n % 50},{'' if n % 7 == 0 else 'abc'[n % 3]},20{n % 20:02}-03-0{1 + n % 9}\n"
        for n in range(400)
    )
    (tmp_path / "visits.csv").write_text(f"id,age,ward,day\n{rows}")
    (tmp_path / "titled.csv").write_text(f"Visits of the hospital\n\nid,age,ward,day\n{rows}")
    (tmp_path / "where.csv").write_text("output_row,input_row\n0,1\n")
    return tmp_path


def declared(visitor, epsilon="5"):
    setup = {"data": "visits.csv", "person": "id", "low-1": "18", "high-1": "70"}
    answer = visitor.post("/questions/declare", epsilon=epsilon, **setup, **{"values-2": "a, b"})
    assert answer.status_code == 303, re.sub(r"<[^>]*>", " ", answer.text)[-400:]
    return "visits.questions.toml"


def test_files_are_listed_as_on_the_page_of_the_data(folder):
    with visiting(folder) as visitor:
        page = visitor.get("/questions").text
        assert "<option>visits.csv" in page
        assert "where.csv" not in page
        assert "where.csv" not in visitor.get("/graph").text


def test_a_file_that_questions_would_read_otherwise_is_refused_with_a_way_on(folder):
    with visiting(folder) as visitor:
        page = visitor.get("/questions?data=titled.csv").text
        assert "the names of the columns in the first line" in page
        assert "Save it in this form" in page
        assert 'name="low-1"' in visitor.get("/questions?data=visits.csv").text


def test_a_decimal_comma_is_one_on_a_german_page(folder):
    with visiting(folder) as visitor:
        visitor.post("/language", language="de", page="questions")
        file = declared(visitor, "0,5")
        assert "epsilon = 0.5" in (folder / file).read_text()
        asked = {"file": file, "question": "SELECT COUNT(*) FROM visits", "price": "yes"}
        page = visitor.post("/questions/ask", epsilon="0,2", **asked)
        assert page.status_code == 200
        assert "0,2" in page.text
        visitor.post("/language", language="en", page="questions")
        assert visitor.post("/questions/ask", epsilon="0,2", **asked).status_code == 422


def test_the_mean_of_a_date_is_not_offered(folder):
    with visiting(folder) as visitor:
        path = folder / declared(visitor)
        column = tomllib.loads(path.read_text())["columns"]["day"]
        assert (column["type"], len(column["bounds"])) == ("date", 2)
        page = visitor.get(f"/questions?file={path.name}").text
        offered = re.search(r'<select id="number".*?</select>', page, flags=re.DOTALL)[0]
        assert re.findall(r"<option>(\w+)", offered) == ["age"]


def test_rows_that_stand_for_no_value_of_the_declaration_are_explained(folder):
    with visiting(folder) as visitor:
        file = declared(visitor)
        question = "SELECT ward, COUNT(*) FROM visits GROUP BY ward"
        page = visitor.post("/questions/ask", file=file, question=question, epsilon="1").text
        shown = re.search(r"<h2>The answer.*?<h2>|<table>.*?</table>", page, flags=re.DOTALL)[0]
        assert ("&#34;other&#34; stands for" in page) == (">other<" in shown)
        assert ("&#34;not known&#34; stands for" in page) == (">not known<" in shown)
        assert ">other<" in shown or ">not known<" in shown
