"""Text files that are converted once, and what is left of it: nothing."""

import hashlib
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from indistinct.errors import PolicyError
from indistinct.tables.engines import streamed_files
from indistinct.tables.engines.choosing import Resources, open_table
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.engines.sources import PersonKey
from indistinct.tables.engines.temporary import temporary_folder
from indistinct.tables.publish.parts import anonymize_in_parts
from large_tables import hostile_table, policy_of

ENGINES = ["polars", "duckdb"]
MARKER = "Xq7Marker"


@pytest.fixture
def texts(tmp_path):
    """Write a table as text, with a marker in it."""
    frame = hostile_table(300, 2, typed=False)
    frame = frame.with_columns(pl.concat_str(pl.lit(MARKER), "ill").alias("ill"))
    frame.write_csv(tmp_path / "in.csv")
    return tmp_path / "in.csv"


@pytest.fixture
def temporary(tmp_path):
    """Make a folder for what does not fit."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


def opened(path, engine, temporary, progress=lambda share, words: None):
    opening = Resources(engine, 10**9, str(temporary)).opening(("", "?"), None, progress)
    return open_table(str(path), opening, engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_converted_file_is_read_in_place_of_the_text(engine, texts, temporary, monkeypatch):
    """Counts go on without the text, the folder is closed to others, and the progress says so."""
    said = []
    with opened(texts, engine, temporary) as source:
        expected = source.count([PersonKey("city"), PersonKey("age")], 10**6).frame.sort(
            "city", "age"
        )
        assert not list(temporary.rglob("*.parquet"))
    monkeypatch.setattr(streamed_files, "LEAST_BYTES", 1)
    with opened(texts, engine, temporary, lambda _, words: said.append(words)) as source:
        digest = hashlib.sha256(texts.read_bytes()).hexdigest()
        assert source.fingerprint(hashes=True) == digest
        texts.unlink()
        (copy,) = temporary.rglob("*.parquet")
        assert copy.stat().st_mode & 0o777 == 0o600
        assert copy.parent.stat().st_mode & 0o777 == 0o700
        found = source.count([PersonKey("city"), PersonKey("age")], 10**6).frame.sort("city", "age")
        assert found.equals(expected)
    assert said == ["converting text to Parquet, once"]
    assert not list(temporary.iterdir())


@pytest.mark.parametrize("engine", ENGINES)
def test_a_release_of_a_converted_file_has_the_same_bytes(engine, texts, temporary, monkeypatch):
    """The order of the records, which is sampled, is that of the text, too."""
    written = {}
    for name, least in (("plain", 1 << 40), ("converted", 1)):
        monkeypatch.setattr(streamed_files, "LEAST_BYTES", least)
        out = texts.with_name(f"{name}.csv")
        resources = Resources(engine, 10**9, str(temporary))
        anonymize_in_parts(
            str(texts), policy_of(typed=False), sink_for(str(out)), resources=resources
        )
        written[name] = out.read_bytes()
    assert written["plain"] == written["converted"]
    assert not list(temporary.iterdir())


def is_left(folder):
    return [path for path in folder.rglob("*") if path.is_file() and path.name != "in.csv"]


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_is_left_after_an_error(engine, texts, temporary, monkeypatch):
    """Neither where no release exists, nor where the conversion itself fails."""
    monkeypatch.setattr(streamed_files, "LEAST_BYTES", 1)
    resources = Resources(engine, 10**9, str(temporary))
    sink = sink_for(str(texts.with_name("out.csv")))
    models = [{"name": "k-anonymity", "k": 10**6}]
    with pytest.raises(PolicyError) as error:
        anonymize_in_parts(
            str(texts), policy_of(typed=False, models=models), sink, resources=resources
        )
    assert MARKER not in str(error.value)
    assert not is_left(texts.parent)
    chmod = Path.chmod

    def failing(path, mode):
        if path.name == streamed_files.CONVERTED:
            raise KeyboardInterrupt
        chmod(path, mode)

    monkeypatch.setattr(Path, "chmod", failing)
    with pytest.raises(KeyboardInterrupt):
        anonymize_in_parts(str(texts), policy_of(typed=False), sink, resources=resources)
    assert not is_left(texts.parent)


def test_a_folder_without_room_is_not_written_to(texts, temporary, monkeypatch):
    """The text is parsed anew for each count then."""
    monkeypatch.setattr(streamed_files, "LEAST_BYTES", 1)
    monkeypatch.setattr(streamed_files, "ROOM", 1 << 60)
    with opened(texts, "polars", temporary) as source:
        assert source.count([PersonKey("city")], 10**6) is not None
        assert not list(temporary.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="locks of this kind are not there")
def test_the_next_run_removes_what_a_killed_one_left(temporary):
    """The folder of a process that lives is left alone, and so is any other one."""
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from indistinct.tables.engines.temporary import temporary_folder\n"
        f"made = temporary_folder({str(temporary)!r})\n"
        f"(Path(made.name) / 'converted.parquet').write_text({MARKER!r})\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    (temporary / "indistinct-of-somebody").mkdir()
    alive = temporary_folder(str(temporary))
    subprocess.run([sys.executable, "-c", script], check=False)
    (left,) = temporary.rglob("*.parquet")
    assert left.read_text() == MARKER
    other = temporary_folder(str(temporary))
    assert not left.parent.exists()
    assert Path(alive.name).is_dir()
    assert (temporary / "indistinct-of-somebody").is_dir()
    for folder in (alive, other):
        folder.cleanup()
    assert [path.name for path in temporary.iterdir()] == ["indistinct-of-somebody"]
