"""Files appear whole or not at all."""

from __future__ import annotations

import errno
import os
import random
import resource
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from indistinct.base.files import writing
from indistinct.base.files.writing import atomic, print_out
from indistinct.errors import OutputError

WRITER = """
import sys
from pathlib import Path
from indistinct.base.files.writing import atomic
path = Path(sys.argv[1])
print("ready", flush=True)
while True:
    with atomic(path) as file, file.open("wb") as handle:
        for _ in range(200):
            handle.write(b"x" * 10_000)
            handle.flush()
"""


@pytest.fixture(params=["nameless", "hidden"])
def way(request, monkeypatch):
    if request.param == "hidden":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    return request.param


def test_a_new_file_appears_with_the_usual_permissions(way, tmp_path):
    with atomic(tmp_path / "out") as file:
        file.write_text("content")
    plain = tmp_path / "plain"
    plain.touch()
    assert (tmp_path / "out").read_text() == "content"
    assert (tmp_path / "out").stat().st_mode == plain.stat().st_mode


def test_an_old_file_is_replaced_and_hands_on_its_permissions(way, tmp_path):
    old = tmp_path / "out"
    old.write_text("old")
    old.chmod(0o640)
    with atomic(old) as file:
        file.write_text("new")
        assert old.read_text() == "old"
    assert old.read_text() == "new"
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [old]


def test_a_table_library_can_write_to_the_path(way, tmp_path):
    frame = pl.DataFrame({"a": [1, 2, 3]})
    with atomic(tmp_path / "a.csv") as file:
        frame.write_csv(file)
    with atomic(tmp_path / "a.parquet") as file:
        frame.write_parquet(file)
    assert pl.read_csv(tmp_path / "a.csv").equals(frame)
    assert pl.read_parquet(tmp_path / "a.parquet").equals(frame)


def test_an_error_inside_leaves_the_old_file_and_nothing_else(way, tmp_path):
    old = tmp_path / "out"
    old.write_text("old")
    with pytest.raises(ValueError, match="utf-8"), atomic(old) as file:
        file.write_bytes(b"half \xff").bit_count() and file.read_text(encoding="utf-8")
    assert old.read_text() == "old"
    assert list(tmp_path.iterdir()) == [old]


def test_a_link_is_followed(way, tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    with atomic(link) as file:
        file.write_text("new")
    assert link.is_symlink()
    assert real.read_text() == "new"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing/out", "the folder does not exist"),
        ("file/out", "the folder is a file"),
        ("", "this is a folder"),
        ("n" * 300, "the name is too long"),
    ],
)
def test_an_impossible_place_is_refused_in_words(way, tmp_path, name, words):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match=words), atomic(tmp_path / name) as file:
        file.write_text("content")


def test_a_full_disk_is_told_in_words():
    with pytest.raises(OutputError, match="the disk is full"), atomic(Path("/dev/full")) as file:
        file.write_text("content")


def test_a_file_beyond_the_limit_is_told_in_words_and_leaves_nothing(way, tmp_path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OutputError, match="larger than allowed"), atomic(tmp_path / "o") as f:
            f.write_bytes(b"x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", writing.MEDIUM)
@pytest.mark.parametrize("old", [None, "old"])
def test_a_fault_of_the_medium_is_told_in_words_and_leaves_the_old_file(way, tmp_path, number, old):
    """A quota that is used up, a disk that is full, broken or read-only."""
    target = tmp_path / "out"
    if old is not None:
        target.write_text(old)
    with pytest.raises(OutputError, match=writing.MEDIUM[number][0]), atomic(target) as file:  # noqa: PT012 - both
        file.write_text("new")
        raise OSError(number, os.strerror(number))
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == (
        [] if old is None else [("out", old)]
    )


def test_a_full_disk_told_in_text_only_is_understood(tmp_path):
    with pytest.raises(OutputError, match="disk is full"), atomic(tmp_path / "out"):
        raise OSError(f"No space left on device (os error {errno.ENOSPC})")


def test_an_error_of_reading_an_input_passes_unchanged(way, tmp_path):
    with pytest.raises(FileNotFoundError), atomic(tmp_path / "out"):
        (tmp_path / "input").read_text()


def test_a_closed_folder_is_told_in_words(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EACCES, "no")

    monkeypatch.setattr(writing, "mode_of", refuse)
    with pytest.raises(OutputError, match="not permitted"), atomic(tmp_path / "out"):
        pass


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files without a name are Linux's")
@pytest.mark.parametrize("old", [None, b"old"])
def test_a_process_killed_at_any_moment_leaves_no_partial_file(tmp_path, old):
    """A kill in the instant between naming and replacing may leave a whole hidden file."""
    target = tmp_path / "out"
    chance = random.Random(1)
    for _ in range(8):
        target.unlink(missing_ok=True)
        if old is not None:
            target.write_bytes(old)
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(target)], stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdout.readline() == b"ready\n"
            time.sleep(chance.random() * 0.03)
            writer.send_signal(signal.SIGKILL)
        for file in tmp_path.iterdir():
            assert file.read_bytes() in {old, b"x" * 2_000_000}


@pytest.mark.parametrize("nameless", [True, False])
@pytest.mark.parametrize("before", [None, 0o644])
def test_a_private_file_is_its_owners_from_the_first_byte_on(
    tmp_path, monkeypatch, nameless, before
):
    """Nobody else may read it while it is written, nor afterwards, whatever stood there."""
    if not nameless:
        monkeypatch.setattr(writing, "open_nameless", lambda *_: None)
    path = tmp_path / "crosswalk.csv"
    if before is not None:
        path.write_text("old")
        path.chmod(before)
    with atomic(path, private=True) as temporary:
        assert stat.S_IMODE(temporary.stat().st_mode) == 0o600
        temporary.write_text("secret")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("content", ["a line\n", b"a line\n"])
def test_a_full_disk_behind_standard_output_is_told_at_once(monkeypatch, content):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr("sys.stdout", full)
        with pytest.raises(
            OutputError, match="standard output: cannot be written: the disk is full"
        ):
            print_out(content)
        full.flush()  # as Python does when it ends


def test_a_standard_output_that_is_closed_is_told(monkeypatch):
    monkeypatch.setattr("sys.stdout", None)
    with pytest.raises(OutputError, match="standard output: is closed"):
        print_out("a line\n")
