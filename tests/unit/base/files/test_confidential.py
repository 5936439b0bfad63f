"""What is the owner's alone: nobody else's link, pipe or file is ever opened in its place."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest

import indistinct as ind
import indistinct.graph as door
from indistinct import synthetic_tables
from indistinct.base.files import writing
from indistinct.base.files.confidential import OWNERS_FILES, obstacle
from indistinct.base.files.writing import atomic
from indistinct.errors import IndistinctError, OutputError
from indistinct.frontends.app import runs
from indistinct.frontends.app.folder import StartFolder
from indistinct.frontends.app.project import Project
from indistinct.frontends.cli.main import status
from indistinct.frontends.cli.outputs import write_texts
from indistinct.frontends.comparison.result import Comparison
from indistinct.frontends.report import comparisons, sweep, write
from indistinct.questions.checks.verify import SyntheticVerification
from indistinct.questions.database import init
from indistinct.tables.history.store import History
from indistinct.tables.masks.pseudonym import PseudonymProtection
from people import declare, person

PEOPLE = pl.DataFrame({"age": [20 + n * 7 % 30 for n in range(30)], "ill": ["a", "b", "c"] * 10})
COLUMNS = {"age": {"role": "quasi-identifier"}, "ill": {"role": "sensitive"}}
POLICY = ind.Policy.from_words({"columns": COLUMNS, "models": [{"name": "k-anonymity", "k": 3}]})
POLICY_TEXT = """
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [10, 20] }
[columns.ill]
role = "sensitive"
[[models]]
name = "k-anonymity"
k = 3
"""
REASON = "a link|a pipe|another user|a second name"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A release, a sweep, a declared table with a model of it, and a graph."""
    folder = tmp_path_factory.mktemp("made")
    path = declare(folder, [person(n) for n in range(40)], 200, delta=1e-6)
    edges = "".join(f"{n},{(n + step) % 12}\n" for n in range(12) for step in (1, 2))
    (folder / "edges.csv").write_text(f"source,target\n{edges}")
    graph = door.anonymize(folder / "edges.csv", "naive", seed=1)
    graph.write(folder / "graph.csv", folder / "secret.csv")
    release = ind.anonymize(PEOPLE, POLICY, seed=1)
    drawn = ind.Synthesis(PEOPLE, {"counts": [1, 2]}, {}, 1.0, 1.0, path)
    return folder, release, ind.sweep(PEOPLE, POLICY, vary={"k": [2, 3]}), path, graph, drawn


@pytest.fixture
def writers(made, tmp_path, monkeypatch):
    """Per kind of file, what writes it to a path."""
    monkeypatch.setattr(
        synthetic_tables, "_verify_unpublished", lambda *_: SyntheticVerification(())
    )
    folder, release, swept, path, graph, drawn = made
    out = tmp_path / "out"
    out.mkdir()
    PEOPLE.with_row_index("id").write_csv(tmp_path / "people.csv")
    found = Comparison((), "ranges", "ill", ("age",), 1, 1, 1, 1, 1, None)

    def project(place):
        own = Project(StartFolder(tmp_path), place.parent, "people.csv", {})
        own.change({"columns": {}}, frozenset(), "opened")

    def declared(place, ledger=None):
        init(tmp_path / "people.csv", person="id", epsilon="1", out=place, ledger=ledger)

    def key(place):
        mask, column = PseudonymProtection(key=place.name, folder=place.parent), PEOPLE[["ill"]]
        if faults := list(mask.faults(column)):
            raise ind.PolicyError(faults)
        mask.mask(column, None)

    return {
        "exact figures of published tables": lambda place: ind.tabulate(
            PEOPLE, rows="ill", profile="cms", zeros="publish"
        ).write(out / "tables", owner=place, replace=True),
        "crosswalk": lambda place: release.write(out / "r.csv", crosswalk=place),
        "exact figures of a release": lambda place: release.write(out / "r.csv", owner=place),
        "report on a release": lambda place: write.write_release_report(release, place),
        "draft of a policy": lambda place: write_texts({place: "x"}, "people.csv"),
        "hierarchy of a draft": lambda place: write_texts({place: "x"}, "people.csv"),
        "sweep": lambda place: sweep.write(swept, place),
        "comparison": lambda place: comparisons.write(found, place),
        "history": lambda place: History(place, create=True).close(),
        "key of pseudonyms": key,
        "declaration of a dataset": declared,
        "ledger": lambda place: declared(out / "d.toml", str(place)),
        "report on a ledger": lambda place: write.write_ledger_report(path, place),
        "model of synthetic records": lambda place: drawn.write(out / "s.csv", model=place),
        "crosswalk of a graph": lambda place: graph.write(out / "g.csv", place),
        "report on a graph": lambda place: write.write_graph_report(
            folder / "graph.csv", place, folder / "edges.csv"
        ),
        "project of the application": project,
        "release in the application": lambda place: runs.written(place, {"found": 1}),
    }


def place_of(folder: Path, kind: str) -> Path:
    """Return the path of a file: one that the others of its folder cannot be taken for."""
    own = folder / "shared"
    own.mkdir(exist_ok=True)
    return own / ("policy.toml" if kind.startswith("project") else "confidential.html")


@contextmanager
def everybody_may():
    """Let the process mask no permissions."""
    before = os.umask(0)
    try:
        yield
    finally:
        os.umask(before)


def pipe(place: Path) -> None:
    os.mkfifo(place, 0o666)


def link(place: Path) -> None:
    (place.parent / "elsewhere").write_text("theirs")
    place.symlink_to(place.parent / "elsewhere")


def link_to_nothing(place: Path) -> None:
    place.symlink_to(place.parent / "nowhere")


def link_to_a_pipe(place: Path) -> None:
    os.mkfifo(place.parent / "elsewhere")
    place.symlink_to(place.parent / "elsewhere")


def file_of_another_user(place: Path) -> None:
    place.write_text("")
    place.chmod(0o666)
    if os.geteuid():
        pytest.skip("only the superuser can give a file away")
    os.chown(place, 12345, 12345)


PLANTED = (pipe, link, link_to_nothing, link_to_a_pipe, file_of_another_user)


def content(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return what stands in a folder; pipes without what is in them."""
    return {
        one.name: (one.lstat().st_mode, one.read_bytes() if one.is_file() else b"")
        for one in folder.iterdir()
    }


@pytest.mark.parametrize("kind", OWNERS_FILES)
def test_every_owners_file_is_its_owners_alone(writers, tmp_path, kind):
    """Whatever the process masks, and whatever its owner had at the path before."""
    assert set(writers) == set(OWNERS_FILES)
    with everybody_may():
        place = place_of(tmp_path, kind)
        if not kind.startswith(("history", "key", "declaration", "ledger")):
            place.write_text("older")
        writers[kind](place)
    assert stat.S_IMODE(place.lstat().st_mode) == 0o600
    assert place.read_bytes() not in {b"", b"older"}


@pytest.mark.parametrize("kind", OWNERS_FILES)
def test_nothing_that_was_planted_is_opened(writers, tmp_path, kind):
    """A link, a pipe or another user's file at the path is refused and stays as it was."""
    for plant in PLANTED:
        folder = tmp_path / plant.__name__
        folder.mkdir()
        place = place_of(folder, kind)
        plant(place)
        before = content(place.parent)
        with pytest.raises(IndistinctError):
            writers[kind](place)
        after = content(place.parent)
        assert {name: after[name] for name in before} == before, plant.__name__
        assert not {name for name in after if name not in before} - {"project.toml", "history"}


@pytest.mark.parametrize("plant", PLANTED)
@pytest.mark.parametrize("nameless", [True, False])
def test_what_is_planted_while_a_file_is_written_is_replaced(
    tmp_path, monkeypatch, plant, nameless
):
    """The new file takes the name; nothing goes to what stood there."""
    if not nameless:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    place = place_of(tmp_path, "crosswalk")
    with atomic(place, private=True) as temporary:
        temporary.write_text("secret")
        plant(place)
        others = content(place.parent)
    assert stat.S_ISREG(place.lstat().st_mode)
    assert (stat.S_IMODE(place.lstat().st_mode), place.read_text()) == (0o600, "secret")
    assert place.lstat().st_uid == os.geteuid()
    elsewhere = content(place.parent)
    assert all(
        elsewhere[name] == others[name] for name in ("elsewhere", "nowhere") if name in elsewhere
    )


def test_a_name_that_is_given_to_another_file_meanwhile_gets_nothing(tmp_path, monkeypatch):
    """In a shared folder anybody may rename the hidden file and put a pipe in its place."""
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    with (  # noqa: PT012 - what happens meanwhile
        pytest.raises(OutputError, match="not permitted"),
        atomic(tmp_path / "crosswalk.csv", private=True) as temporary,
    ):
        (hidden,) = tmp_path.glob(".*.partial")
        hidden.rename(tmp_path / "moved")
        (tmp_path / "theirs").write_text("")
        hidden.symlink_to(tmp_path / "theirs")
        temporary.write_text("secret")
    assert (tmp_path / "theirs").read_text() == ""
    assert stat.S_IMODE((tmp_path / "moved").stat().st_mode) == 0o600
    assert not (tmp_path / "crosswalk.csv").exists()


def test_no_hidden_name_is_taken_over(tmp_path, monkeypatch):
    """Should somebody guess the hidden name, what stands there is not opened."""
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    monkeypatch.setattr(writing, "hidden_name", lambda target: target.with_name(".guessed"))
    for plant in (pipe, link, link_to_nothing):
        folder = tmp_path / plant.__name__
        folder.mkdir()
        plant(folder / ".guessed")
        with pytest.raises(FileExistsError), atomic(folder / "out", private=True) as temporary:
            temporary.write_text("secret")


@pytest.mark.parametrize("kind", ["history", "ledger"])
@pytest.mark.parametrize("suffix", ["", "-journal"])
def test_a_file_that_is_changed_in_place_is_looked_at_before_each_change(
    writers, tmp_path, kind, suffix
):
    """A second name, or something beside it to which SQLite would copy its pages, is refused."""
    place = place_of(tmp_path, kind)
    writers[kind](place)
    if suffix:
        pipe(Path(f"{place}{suffix}"))
    else:
        os.link(place, tmp_path / "second")
    with pytest.raises(ind.errors.EngineError, match=REASON):
        History(place)


@pytest.mark.parametrize("plant", [pipe, link, file_of_another_user])
def test_no_key_is_read_from_what_others_put_there(tmp_path, plant):
    """Neither waits for a pipe nor takes a key that somebody else knows."""
    place = place_of(tmp_path, "key")
    plant(place)
    mask = PseudonymProtection(key=place.name, folder=place.parent)
    assert list(mask.faults(PEOPLE[["ill"]]))
    with pytest.raises(ind.PolicyError):
        mask.mask(PEOPLE[["ill"]], None)


@pytest.mark.parametrize("option", ["--owner", "--crosswalk"])
@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_no_engine_writes_into_a_pipe(tmp_path, option, engine, capfd):
    """The command is refused, and neither the release nor a part of it stands anywhere."""
    (tmp_path / "policy.toml").write_text(POLICY_TEXT)
    PEOPLE.write_csv(tmp_path / "people.csv")
    place = tmp_path / "confidential.csv"
    pipe(place)
    reader = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
    before = sorted(tmp_path.iterdir())
    code = status(
        [
            "anonymize", str(tmp_path / "people.csv"), "--policy", str(tmp_path / "policy.toml"),
            "--out", str(tmp_path / "out.csv"), "--engine", engine, option, str(place),
        ],
        show_values=False,
    )  # fmt: skip
    assert code == 2
    assert "is a pipe" in capfd.readouterr().err
    assert os.read(reader, 100) == b""
    os.close(reader)
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_of_the_owner_and_no_file_are_no_obstacles(tmp_path):
    assert obstacle(tmp_path / "none") is None
    (tmp_path / "one").touch()
    assert obstacle(tmp_path / "one", in_place=True) is None
    os.link(tmp_path / "one", tmp_path / "two")
    assert obstacle(tmp_path / "one") is None  # a new file takes the name alone
    assert obstacle(tmp_path / "one", in_place=True)
    assert obstacle(tmp_path) == "is a folder"
