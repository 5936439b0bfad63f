"""Damaged files end with words: no exception of a library reaches anybody."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from indistinct.frontends.cli.main import status

N_ROWS, N_DAMAGED = 40, 6
OF_WORDS = {0, 2}  # read all the same, or refused


def table() -> pl.DataFrame:
    """Make up a few people."""
    chance = random.Random(1)
    return pl.DataFrame(
        {
            "age": [chance.randint(20, 60) for _ in range(N_ROWS)],
            "town": [chance.choice(["Köln", "Ulm, west", 'Bonn "south"']) for _ in range(N_ROWS)],
            "ill": [chance.choice(["flu", "cold", None]) for _ in range(N_ROWS)],
        }
    )


def bytes_of(ending: str, folder: Path) -> bytes:
    """Write the table in a format."""
    frame, content = table(), io.BytesIO()
    if ending == "sav":
        pytest.importorskip("pyreadstat").write_sav(frame, str(folder / "whole.sav"))
        return (folder / "whole.sav").read_bytes()
    writers: dict[str, Callable[[io.BytesIO], object]] = {
        "csv": frame.write_csv,
        "parquet": frame.write_parquet,
        "feather": frame.write_ipc,
        "xlsx": frame.write_excel,
    }
    writers[ending](content)
    return content.getvalue()


def damaged(whole: bytes, chance: random.Random) -> bytes:
    """Cut bytes off, flip some of their bits, or set some to zero."""
    content = bytearray(whole)
    kind = chance.choice(["cut", "flip", "zero", "end"])
    if kind == "cut":
        return bytes(content[: chance.randrange(1, len(content))])
    if kind == "zero":
        start = chance.randrange(len(content))
        content[start : start + 64] = bytes(len(content[start : start + 64]))
        return bytes(content)
    for _ in range(chance.choice([1, 5, 20])):
        place = chance.randrange(len(content)) if kind == "flip" else -chance.randrange(1, 200)
        content[place] ^= 1 << chance.randrange(8)
    return bytes(content)


@pytest.mark.parametrize("ending", ["csv", "parquet", "feather", "xlsx", "sav"])
def test_a_damaged_file_is_read_or_refused_in_words(
    tmp_path: Path, ending: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whatever is damaged in it."""
    chance, whole = random.Random(ending), bytes_of(ending, tmp_path)
    for number in range(N_DAMAGED):
        path = tmp_path / f"{number}.{ending}"
        path.write_bytes(damaged(whole, chance))
        code = status(["inspect", str(path), "--preview"], show_values=False)
        said = capfd.readouterr().err
        assert code in OF_WORDS, said
        assert "Traceback" not in said
        assert "panicked" not in said
        assert (code == 0) == (not said.startswith("error: "))
