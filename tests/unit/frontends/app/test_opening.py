"""A table is opened: its first rows as they are read, and what is said of the reading counts."""

import re

import pytest
import xlsxwriter

from app_visits import roles_of, visiting
from indistinct.frontends.app.pages.opening import open_questions
from unreadable_files import unreadable

SECRET = "Hortensia"
WARD = "".join(f"{20 + n};{'MF'[n % 2]};{'ABC'[n % 3]}\n" for n in range(60))


def opened(visitor, name):
    answer = visitor.post("/data/open", path=name)
    while visitor.app_state.pending is not None:
        visitor.get("/data")
    return answer


def selected(page, name):
    """Return what a choice of the form says."""
    choice = re.search(rf'<select[^>]*name="{name}".*?</select>', page, flags=re.DOTALL).group()
    found = re.search(r'<option(?: value="([^"]*)")? selected>([^<]*)', choice)
    return "" if found is None else found[1] or found[2]


def records(page):
    return int(re.search(r"([\d,]+) records and", page)[1].replace(",", ""))


@pytest.fixture
def folder(tmp_path):
    days = "".join(f"{1 + n % 28:02}.{1 + n % 12:02}.{1950 + n % 40};Ähre{n}\n" for n in range(60))
    (tmp_path / "latin.csv").write_bytes(f"Geburt;Straße\n{days}".encode("latin-1"))
    titled = f"Patients of ward 3\n\nage;sex;ward\n{WARD}Total;60;\n"
    (tmp_path / "titled.csv").write_text(titled)
    (tmp_path / "ragged.csv").write_text(f"a,b\n{SECRET},1,5\n{SECRET},2\n")
    days = "".join(f"0{1 + n % 9}/0{1 + n * 7 % 9}/{1950 + n % 40};{n % 7}\n" for n in range(60))
    (tmp_path / "unclear.csv").write_text(f"day;visits\n{days}")
    return tmp_path


def test_the_page_says_how_a_file_was_read(folder):
    with visiting(folder) as visitor:
        opened(visitor, "latin.csv")
        page = visitor.get("/data").text
        assert selected(page, "encoding") == "cp1252"
        assert selected(page, "format-0") == "dd.mm.yyyy"
        assert "1950-01-01" in page
        assert "Ähre0" in page
        assert "60 of 60 values fit" in page
        assert "The policy says" not in page
        assert visitor.app_state.project.words["columns"]["Geburt"]["format"] == "dd.mm.yyyy"


def test_types_are_those_without_the_words_for_missing_values(folder):
    """The words are found while the table is read, and its types with them."""
    weights = "".join(f"{n};{'n/a' if n % 9 == 0 else f'{20 + n},5'}\n" for n in range(60))
    (folder / "weights.csv").write_text(f"person;bmi\n{weights}")
    with visiting(folder) as visitor:
        opened(visitor, "weights.csv")
        page = visitor.get("/data").text
        assert visitor.app_state.project.words["data"]["missing"] == ["", "n/a"]
        assert "as found: number" in page
        assert "as found: text" not in page


def test_titles_and_totals_are_asked_about(folder):
    with visiting(folder) as visitor:
        opened(visitor, "titled.csv")
        page = visitor.get("/data").text
        assert "Row 3 is read as the heading" in page
        assert "Rows at the end that are left out: 1." in page
        assert records(page) == 60
        visitor.post("/data/reading", skip_last="0")
        page = visitor.get("/data").text
        assert records(page) == 61
        assert "Rows at the end" not in page
        assert visitor.app_state.project.words["data"]["skip_last"] == 0
        assert visitor.app_state.project.words["data"]["header"] == 3


def test_a_file_that_cannot_be_read_is_opened_by_what_is_said_of_it(folder):
    with visiting(folder) as visitor:
        opened(visitor, "latin.csv")
        words = visitor.app_state.project.words
        answer = opened(visitor, "ragged.csv")
        assert answer.status_code == 422
        for page in (answer.text, visitor.get("/data").text):
            assert "1 line does not have 2 cells (line 2)" in page
            assert "Which table do you want to publish?" in page
            assert "Heading row" in page
            assert SECRET not in page
            assert str(folder) not in page
        assert visitor.app_state.project.words == words  # what was open stays open
        assert visitor.post("/data/reading", header="x").status_code == 422
        visitor.post("/data/reading", header="", separator="|")
        assert visitor.app_state.project.words["data"]["separator"] == "|"
        assert list(visitor.app_state.project.words["columns"]) == ["a,b"]


def test_what_was_decided_stays_when_a_table_is_read_again(folder):
    with visiting(folder) as visitor:
        opened(visitor, "unclear.csv")
        assert "Does the day or the month come first in day?" in visitor.get("/data").text
        roles = roles_of(visitor, day="sensitive", visits="quasi-identifier")
        visitor.post("/roles", all="yes", **roles)
        visitor.post("/data/reading", **{"format-0": "mm/dd/yyyy", "type-1": "text"})
        columns = visitor.app_state.project.words["columns"]
        assert columns["day"] == columns["day"] | {"role": "sensitive", "format": "mm/dd/yyyy"}
        assert columns["visits"] == columns["visits"] | {"role": "quasi-identifier", "type": "text"}
        assert visitor.app_state.project.unconfirmed() == ["day", "visits"]
        page = visitor.get("/data").text
        assert (selected(page, "format-0"), selected(page, "type-1")) == ("mm/dd/yyyy", "text")
        visitor.post("/roles", all="yes", **roles_of(visitor))
        visitor.post("/data/reading", missing=", n.a.")
        assert visitor.app_state.project.words["data"]["missing"] == ["", "n.a."]
        assert visitor.app_state.project.unconfirmed() == []


def test_a_refused_reading_changes_nothing_and_is_left_again(folder):
    with visiting(folder) as visitor:
        opened(visitor, "titled.csv")
        words = visitor.app_state.project.words
        assert visitor.post("/data/reading", header="999").status_code == 422
        assert visitor.app_state.project.words == words
        assert "Go back to how it was read before" in visitor.get("/data").text
        visitor.post("/data/close")
        assert records(visitor.get("/data").text) == 60


def test_words_for_missing_values_are_found_and_can_be_taken_out(tmp_path):
    rows = "".join(
        f"{n % 30},{'NA' if n % 4 == 0 else 'red' if n % 2 else 'blue'}\n" for n in range(60)
    )
    (tmp_path / "colors.csv").write_text(f"age,color\n{rows}")
    with visiting(tmp_path) as visitor:
        opened(visitor, "colors.csv")
        assert visitor.app_state.project.words["data"]["missing"] == ["", "NA"]
        visitor.post("/data/reading", missing="")
        assert visitor.app_state.project.words["data"]["missing"] == [""]


def test_a_type_that_was_said_outlives_another_role(folder):
    with visiting(folder) as visitor:
        opened(visitor, "unclear.csv")
        visitor.post("/data/reading", **{"type-1": "text"})
        visitor.post("/roles", all="yes", **roles_of(visitor, visits="insensitive"))
        assert visitor.app_state.project.words["columns"]["visits"]["type"] == "text"


def test_cells_with_an_error_are_said_beside_their_column(tmp_path):
    with xlsxwriter.Workbook(str(tmp_path / "ward.xlsx")) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["age", "sex"])
        for row in range(1, 31):
            sheet.write_row(row, 0, [20 + row, "mf"[row % 2]])
        sheet.write_formula(3, 0, "=1/0", None, "#DIV/0!")
        sheet.write_formula(9, 0, "=NA()", None, "#N/A")
    with visiting(tmp_path) as visitor:
        opened(visitor, "ward.xlsx")
        page = visitor.get("/data").text
    assert page.count("an error of the workbook") == 1
    assert "2 cells hold an error of the workbook, such as #N/A." in page


def test_an_open_encoding_is_asked_first_with_its_line_in_both_and_one_click_reads_it(folder):
    """Bytes of Windows far below the first lines."""
    rows = "".join(f"{n},flu\n" for n in range(120))
    (folder / "broken.csv").write_bytes(f"age,ward\n{rows}".encode() + b"7,\xe9t\xe9\n")
    with visiting(folder) as visitor:
        opened(visitor, "titled.csv")
        before = visitor.app_state.project
        opened(visitor, "broken.csv")
        page = visitor.get("/data").text
        assert ">122<" in page
        assert "7,été" in page
        assert "--" not in re.sub(r"<[^>]*>", "", page)
        assert visitor.app_state.project is before
        assert visitor.get("/roles").headers["location"] == "/data"  # one answer is needed first
        answers = visitor.app_state.opening.asked.candidates
        number = [one.answer for one in answers].index("cp1252")
        assert visitor.post("/data/settle", question="0", answer=str(number)).status_code == 303
        assert visitor.app_state.project.words["data"]["encoding"] == "cp1252"
        assert records(visitor.get("/data").text) == 121


def test_what_cannot_be_read_leaves_the_list_and_what_is_open(folder):
    made = unreadable()
    assert len(made) >= 20
    for name, content in made.items():
        (folder / name).write_bytes(content)
    (folder / "folder.csv").mkdir()
    (folder / "nowhere.csv").symlink_to(folder / "gone.csv")
    with visiting(folder) as visitor:
        opened(visitor, "titled.csv")
        project, words = visitor.app_state.project, visitor.app_state.project.words
        for name in (*made, "folder.csv", "nowhere.csv"):
            answer = opened(visitor, name)
            assert answer.status_code == 422, name
            page = answer.text
            assert "Which table do you want to publish?" in page, name
            said = re.search(r'id="faults".*?</ul>', page, flags=re.DOTALL)[0]
            assert said.count("<li>") == 1, name
            assert "--" not in re.sub(r"<[^>]*>", "", said), name
            assert (visitor.app_state.project, project.words) == (project, words), name
            assert visitor.get("/roles").status_code == 200, name
            assert records(visitor.get("/data").text) == 60, name


def test_a_question_of_the_reading_is_one_click_and_the_others_stay(folder):
    days = "".join(
        f"0{1 + n % 9}/0{1 + n * 7 % 9}/{1950 + n % 40};{'none' if n % 3 else 'ward'};{n % 7}\n"
        for n in range(60)
    )
    (folder / "two.csv").write_text(f"day;place;visits\n{days}")
    with visiting(folder) as visitor:
        opened(visitor, "two.csv")
        page = visitor.get("/data").text
        assert "Does the day or the month come first in day?" in page
        shown = {place for place in ("1950-01-01", "1951-02-08", "1951-08-02") if place in page}
        assert shown == {"1950-01-01", "1951-02-08", "1951-08-02"}  # both answers, side by side
        kinds = [one.kind for one in open_questions(visitor.app_state)]
        visitor.post("/data/settle", question=str(kinds.index("date-order")), answer="1")
        columns = visitor.app_state.project.words["columns"]
        assert columns["day"]["format"] in {"dd/mm/yyyy", "mm/dd/yyyy"}
        left = [one.kind for one in open_questions(visitor.app_state)]
        assert left == [one for one in kinds if one != "date-order"]
        visitor.post("/undo")
        assert [one.kind for one in open_questions(visitor.app_state)] == kinds


@pytest.mark.parametrize("answer", ["0", "1"])
def test_either_answer_about_a_column_of_numbers_and_words_leads_on(tmp_path, answer):
    """Words for missing values are counted beside a type that they do not fit."""
    rows = "".join(f"{n};{n * 10}\n" + "part;9\n" * (n % 30 == 29) for n in range(90))
    (tmp_path / "a.csv").write_text(f"id;pay\n{rows}")
    with visiting(tmp_path) as visitor:
        opened(visitor, "a.csv")
        assert "What are the cells of id?" in visitor.get("/data").text
        assert visitor.post("/data/settle", question="0", answer=answer).status_code == 303
        page = visitor.get("/data").text
        assert "records and 2 columns were read" in page
        assert "What are the cells of id?" not in page
        assert "do not fit" not in page


def test_the_last_rows_have_the_lines_of_the_file_and_a_ticked_one_is_left_out(folder):
    with visiting(folder) as visitor:
        opened(visitor, "titled.csv")
        numbers = re.findall(
            r'<th scope="row" class="number">(\d+)</th>', visitor.get("/data").text
        )
        assert numbers == ["4", "5", "6", "7", "8", "59", "60", "61", "62", "63"]
        assert visitor.post("/data/rows", skip_rows="2").status_code == 422  # the first stays
        visitor.post("/data/rows", skip_rows=["1", "2"], skip_last=["2"])
        assert visitor.app_state.project.words["data"]["skip_rows"] == 2
        assert visitor.app_state.project.words["data"]["skip_last"] == 2
        assert records(visitor.get("/data").text) == 57


def test_words_for_missing_values_are_counted_per_column_and_may_be_values(tmp_path):
    rows = "".join(
        f"{'NA' if n % 4 == 0 else 20 + n % 9},{'NA' if n % 6 == 0 else 'red' if n % 2 else ''}\n"
        for n in range(60)
    )
    (tmp_path / "colors.csv").write_text(f"age,color\n{rows}")
    with visiting(tmp_path) as visitor:
        opened(visitor, "colors.csv")
        page = re.sub(r"<form.*?</form>", "", visitor.get("/data").text, flags=re.DOTALL)
        found = re.findall(r"<tr><th[^>]*>(\w+)</th><td>(.*?)</td><td[^>]*>(\d+)</td>", page)
        assert found == [
            ("age", "<code>NA</code>", "15"),
            ("color", "an empty cell", "20"),
            ("color", "<code>NA</code>", "10"),
        ]
        visitor.post("/data/value", column="color", word="NA")
        assert visitor.app_state.project.words["columns"]["color"]["missing"] == [""]
        assert "NA is a value of color" not in visitor.get("/data").text
        assert "NA is a value of age" in visitor.get("/data").text
