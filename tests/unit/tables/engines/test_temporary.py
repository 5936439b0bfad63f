"""Temporary folders: what killed processes left is removed, and what others remove is no fault."""

from pathlib import Path

from indistinct.tables.engines.temporary import LOCK, PREFIX, temporary_folder


def test_a_folder_without_its_process_is_removed(tmp_path):
    left = tmp_path / f"{PREFIX}left"
    left.mkdir()
    (left / LOCK).touch()
    (left / "cells.parquet").write_text("of somebody")
    with temporary_folder(str(tmp_path)) as used:
        assert [one.name for one in tmp_path.iterdir()] == [Path(used).name]


def test_a_folder_that_is_in_use_stays(tmp_path):
    with temporary_folder(str(tmp_path)) as one, temporary_folder(str(tmp_path)) as other:
        assert Path(one).is_dir()
        assert Path(other).is_dir()
    assert not list(tmp_path.iterdir())


def test_a_folder_that_vanishes_while_others_are_sought_is_no_fault(tmp_path, monkeypatch):
    """Its own process removes it between the list of the folders and the look into it."""
    vanishing = tmp_path / f"{PREFIX}vanishing"
    vanishing.mkdir()
    glob, looked = Path.glob, []

    def vanishes(folder, pattern):
        if folder == vanishing:
            looked.append(folder)
            vanishing.rmdir()
        return glob(folder, pattern)

    monkeypatch.setattr(Path, "glob", vanishes)
    with temporary_folder(str(tmp_path)) as used:
        assert Path(used).is_dir()
    assert looked
