"""No form, link, project or declaration leads out of the start folder."""

import tomllib

import pytest
import tomli_w

from app_visits import patients, visiting
from indistinct.errors import UsageError
from indistinct.frontends.app.folder import StartFolder
from indistinct.frontends.app.project import Project

OUTSIDE = ["..", "../secret.csv", "/etc/passwd", "a/../../secret.csv", "x\x00.csv", "", "  "]


@pytest.fixture
def start(tmp_path):
    root = tmp_path / "start"
    (root / "below").mkdir(parents=True)
    (tmp_path / "secret.csv").write_text("who,what\nMARKER,1\nMARKER,2\n")
    patients(root, 60)
    return StartFolder(root.resolve())


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_that_leads_out_is_refused_and_not_repeated(start, path):
    with pytest.raises(UsageError) as refused:
        start.file(path)
    assert "passwd" not in str(refused.value)


def test_a_link_that_leads_out_is_neither_followed_nor_listed(start, tmp_path):
    (start.root / "link.csv").symlink_to(tmp_path / "secret.csv")
    (start.root / "folder").symlink_to(tmp_path)
    for path in ("link.csv", "folder/secret.csv"):
        with pytest.raises(UsageError):
            start.file(path)
    assert start.files() == ["patients.csv"]


def test_a_folder_and_a_device_are_no_files(start):
    for path in ("below", "."):
        with pytest.raises(UsageError):
            start.file(path)


@pytest.mark.parametrize("path", [*OUTSIDE, "link.csv"])
def test_no_form_opens_a_file_outside(start, tmp_path, path):
    (start.root / "link.csv").symlink_to(tmp_path / "secret.csv")
    with visiting(start.root) as visitor:
        for form, field in (("/data/open", "path"), ("/data/project", "folder"),
                            ("/graph", "edges"), ("/related/look", "folder"),
                            ("/questions/ask", "file"),
                            ("/questions/declare", "data")):  # fmt: skip
            answer = visitor.post(form, **{field: path, "model": "naive", "k": "2"})
            assert answer.status_code == 422
            assert "MARKER" not in answer.text
        assert visitor.app_state.project is None


@pytest.mark.parametrize(
    "path",
    ["/release/1/give-away/..%2f..%2fpolicy.toml", "/release/1/../policy.toml",
     "/release/1/..%2f..%2fruns/x", "/graph/1/..%2f..%2fpatients.csv",
     "/related/1/..%2fpolicy.toml",
     "/static/..%2fserver.py", "/static/app.css", "/release/1/keep/.."],
)  # fmt: skip
def test_no_download_leads_out(start, path):
    with visiting(start.root, start.root / "patients.csv") as visitor:
        answer = visitor.get(path)
        assert answer.status_code in {404, 422}
        assert "role" not in answer.text.replace("roles", "").replace('role="', "")


def test_a_project_from_a_stranger_that_names_data_outside_is_refused(start):
    with visiting(start.root, start.root / "patients.csv") as visitor:
        folder = visitor.app_state.project.folder
    about = tomllib.loads((folder / "project.toml").read_text())
    (folder / "project.toml").write_text(tomli_w.dumps({**about, "data": "../secret.csv"}))
    with pytest.raises(UsageError):
        Project.load(start, folder)


def test_a_policy_from_a_stranger_that_names_a_hierarchy_outside_is_refused(start):
    with visiting(start.root, start.root / "patients.csv") as visitor:
        folder = visitor.app_state.project.folder
    words = tomllib.loads((folder / "policy.toml").read_text())
    words["columns"]["sex"]["hierarchy"] = {"csv": "../../secret.csv"}
    (folder / "policy.toml").write_text(tomli_w.dumps(words))
    with pytest.raises(UsageError):
        Project.load(start, folder)


def test_a_declaration_that_names_data_outside_is_refused(start):
    declared = {"dataset": {"data": "../secret.csv", "ledger": "l.sqlite"}}
    (start.root / "evil.toml").write_text(tomli_w.dumps(declared))
    with visiting(start.root) as visitor:
        answer = visitor.post("/questions/ask", file="evil.toml", question="SELECT 1", epsilon="1")
    assert answer.status_code == 422
    assert "leads out" in answer.text


def test_what_a_project_keeps_is_for_its_owner_alone(start):
    with visiting(start.root, start.root / "patients.csv") as visitor:
        folder = visitor.app_state.project.folder
    assert folder.stat().st_mode & 0o077 == 0
    for file in folder.rglob("*.toml"):
        assert file.stat().st_mode & 0o077 == 0
