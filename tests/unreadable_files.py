"""Files with the ending of a table that no reader reads: pictures, archives, halves, nothing."""

from __future__ import annotations

import gzip
import io
import random
import zipfile

import polars as pl
import xlsxwriter

ROWS = "age,ward\n" + "".join(f"{20 + n % 9},{'abc'[n % 3]}\n" for n in range(60))
FRAME = pl.DataFrame({"age": [21, 22, 23], "ward": ["a", "b", "c"]})


def unreadable(seed: int = 1) -> dict[str, bytes]:
    """Return the name and the bytes of each."""
    noise = random.Random(seed).randbytes
    book, archive, parquet, arrow = (io.BytesIO() for _ in range(4))
    with xlsxwriter.Workbook(book, {"in_memory": True}) as sheets:
        sheet = sheets.add_worksheet()
        for row in range(40):
            sheet.write_row(row, 0, ["age", "sex"] if not row else [20 + row, "mf"[row % 2]])
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("table.csv", ROWS)
    FRAME.write_parquet(parquet)
    FRAME.write_ipc(arrow)
    whole = parquet.getvalue()
    return {
        "photo.csv": b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(range(256)) * 20,
        "picture.csv": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + noise(3000),
        "picture.txt": b"GIF89a" + bytes(range(256)) * 9,
        "document.csv": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + noise(2000),
        "noise.csv": noise(4000),
        "zeros.csv": bytes(4000),
        "archive.csv": archive.getvalue(),
        "archive.xlsx": archive.getvalue(),
        "packed.csv": gzip.compress(ROWS.encode()),
        "half.csv.gz": gzip.compress(ROWS.encode())[:60],
        "tape.csv": b"table.csv" + bytes(503) + b"x" * 512,
        "empty.csv": b"",
        "blank.csv": b"\n\n   \n",
        "names.csv": b"age,ward\n",
        "colons.csv": b"age:ward\n" + b"1:2\n" * 20,
        "ragged.csv": b"age,ward\n" + b"21,a,5\n22,b\n" * 9,
        "wide.csv": ROWS.encode("utf-32-le"),
        "half.xlsx": book.getvalue()[: len(book.getvalue()) // 2],
        "text.xlsx": ROWS.encode(),
        "half.parquet": whole[: len(whole) // 2],
        "hole.parquet": whole[:30] + bytes(40) + whole[70:],
        "text.parquet": ROWS.encode(),
        "half.arrow": arrow.getvalue()[: len(arrow.getvalue()) // 2],
        "noise.sav": b"$FL2" + noise(500),
        "noise.dta": noise(800),
        "noise.sas7bdat": noise(3000),
        "noise.xpt": b"HEADER RECORD*******LIBRARY HEADER" + noise(500),
        "web.xls": b"<html><table><tr><td>age</td></tr></table></html>",
    }
