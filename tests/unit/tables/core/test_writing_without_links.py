"""Files appear whole on a file system that has files without a name, but no hard links."""

import errno
import os
import stat

import pytest

from indistinct.base.files.writing import atomic
from indistinct.errors import OutputError


@pytest.fixture(params=[errno.EPERM, errno.EOPNOTSUPP])
def without_links(request, monkeypatch):
    """Refuse every link as such a file system does."""

    def refuse(*_, **__):
        raise OSError(request.param, os.strerror(request.param))

    monkeypatch.setattr(os, "link", refuse)


@pytest.mark.parametrize("old", [None, "old"])
@pytest.mark.parametrize("private", [False, True])
def test_a_file_appears_whole(without_links, tmp_path, old, private):
    target = tmp_path / "out.csv"
    if old is not None:
        target.write_text(old)
        target.chmod(0o640)
    with atomic(target, private=private) as place:
        place.write_text("new" * 10_000)
    assert target.read_text() == "new" * 10_000
    mode = stat.S_IMODE(target.stat().st_mode)
    usual = 0o666 & ~current_mask()
    assert mode == (0o600 if private else usual if old is None else 0o640)
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_an_error_leaves_the_old_file_and_nothing_else(without_links, tmp_path):
    target = tmp_path / "out.csv"
    target.write_text("old")
    with pytest.raises(ValueError, match="stop"), atomic(target) as place:  # noqa: PT012 - both
        place.write_text("new")
        raise ValueError("stop")
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_where_nothing_may_be_replaced_it_is_said_in_words(without_links, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.EPERM, "no")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OutputError, match="not permitted"), atomic(tmp_path / "a") as place:
        place.write_text("new")
    assert list(tmp_path.iterdir()) == []


def current_mask():
    mask = os.umask(0)
    os.umask(mask)
    return mask
