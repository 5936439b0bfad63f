"""A table is opened: its first rows as they are read, and what is said of the reading counts."""

import re

import pytest
import xlsxwriter

from app_visits import roles_of, visiting

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
        answer = opened(visitor, "ragged.csv")
        assert answer.status_code == 422
        for page in (answer.text, visitor.get("/data").text):
            assert "lines do not have 2 cells" in page or "line" in page
            assert "Heading row" in page
            assert SECRET not in page
            assert str(folder) not in page
            assert "Geburt" not in page  # nothing of the table that was open before
            assert 'class="bar"' not in page
        assert visitor.get("/roles").status_code == 422
        assert SECRET in visitor.post("/data/lines").text
        assert visitor.post("/data/reading", header="x").status_code == 422
        visitor.post("/data/reading", header="", separator="|")
        assert visitor.app_state.project.words["data"]["separator"] == "|"
        assert list(visitor.app_state.project.words["columns"]) == ["a,b"]


def test_what_was_decided_stays_when_a_table_is_read_again(folder):
    with visiting(folder) as visitor:
        opened(visitor, "unclear.csv")
        assert "cannot tell the day from the month" in visitor.get("/data").text
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


def test_the_line_in_doubt_is_shown_in_each_encoding_and_one_click_reads_it(folder):
    """Bytes of Windows far below the first lines, after one click that asks for them."""
    rows = "".join(f"{n},flu\n" for n in range(120))
    (folder / "broken.csv").write_bytes(f"age,ward\n{rows}".encode() + b"7,\xe9t\xe9\n")
    with visiting(folder) as visitor:
        if opened(visitor, "broken.csv").status_code == 303:
            visitor.post("/data/reading", encoding="utf-8")
        assert "line 122" in visitor.get("/data").text
        page = visitor.post("/data/lines").text
        assert ">122<" in page
        assert "7,été" in page
        assert 'name="encoding" value="cp1252"' in page
        assert visitor.post("/data/reading", encoding="cp1252").status_code == 303
        assert visitor.app_state.project.words["data"]["encoding"] == "cp1252"
