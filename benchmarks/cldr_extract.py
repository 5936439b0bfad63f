"""Write the names of countries, their parts, months and weekdays that the drafting of roles reads.

    python benchmarks/cldr_extract.py FOLDER

FOLDER is the folder `common` of the Unicode Common Locale Data Repository, which the package
`unicode-cldr-core` of Debian has under /usr/share/unicode/cldr. The files hold
names in plain form, in small letters without accents. They are written to
`src/indistinct/tables/drafting/cldr` and committed; nothing is generated when the program is built.
Add a language to LANGUAGES and run it again.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from indistinct.tables.drafting.cldr_names import plain

LANGUAGES = ("en", "de", "fr", "es", "pl", "pt", "it", "cs", "hu", "id", "ja")
# The parts of countries have their English names, and those in the language of the country.
SPOKEN = {
    "de": "DE AT CH LI",
    "fr": "FR BE CH CA LU",
    "es": "ES MX AR CO CL PE VE EC GT CU BO DO HN PY SV NI CR PA UY",
    "pl": "PL",
    "pt": "PT BR",
    "it": "IT CH",
    "cs": "CZ",
    "hu": "HU",
    "id": "ID",
    "ja": "JP",
}
TARGET = Path(__file__).resolve().parents[1] / "src/indistinct/tables/drafting/cldr"
VERSION = re.compile(r'cldrVersion CDATA #FIXED "([0-9.]+)"')
CALENDAR = ".//calendar[@type='gregorian']"
TITLE = (
    "# Unicode Common Locale Data Repository, version {version}; its license is in LICENSE.txt.\n"
    "# Written by benchmarks/cldr_extract.py.\n"
)


def main() -> None:
    """Write the three files."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    version = VERSION.search((folder / "dtd" / "ldml.dtd").read_text(encoding="utf-8"))
    title = TITLE.format(version="" if version is None else version[1])
    TARGET.mkdir(exist_ok=True)
    for name, lines in (
        ("territories.txt", territories(folder)),
        ("subdivisions.txt", subdivisions(folder)),
        ("times.txt", times(folder)),
    ):
        (TARGET / name).write_text(title + "\n".join(lines) + "\n", encoding="utf-8")


def territories(folder: Path) -> Iterator[str]:
    """Yield a line per country: its code of two letters, and its names."""
    names: dict[str, list[str]] = {}
    for language in LANGUAGES:
        root = ET.parse(folder / "main" / f"{language}.xml").getroot()
        for one in root.iterfind(".//territories/territory"):
            code = one.get("type", "")
            if len(code) == 2 and code.isalpha() and one.text and one.text != "↑↑↑":
                names.setdefault(code, []).append(one.text)
    yield from lines_of(names)


def subdivisions(folder: Path) -> Iterator[str]:
    """Yield a line per part of a country, such as US-AL, and its names."""
    names: dict[str, list[str]] = {}
    for language in LANGUAGES:
        countries = SPOKEN.get(language, "").lower().split()
        root = ET.parse(folder / "subdivisions" / f"{language}.xml").getroot()
        for one in root.iterfind(".//subdivision"):
            code = one.get("type", "")
            if one.text and (language == "en" or code[:2] in countries):
                written = f"{code[:2]}-{code[2:]}".upper()
                names.setdefault(written, []).append(one.text)
    yield from lines_of(names)


def lines_of(names: dict[str, list[str]]) -> Iterator[str]:
    """Yield the names of each code, once each."""
    for code, some in sorted(names.items()):
        yield f"{code}\t{'|'.join(dict.fromkeys(map(plain, some)))}"


def times(folder: Path) -> Iterator[str]:
    """Yield a line per language: the names of its weekdays and months, whole and short."""
    for language in LANGUAGES:
        calendar = ET.parse(folder / "main" / f"{language}.xml").find(CALENDAR)
        if calendar is None:
            continue
        found = [*words_of(calendar, "day"), *words_of(calendar, "month")]
        yield f"{language}\t{'|'.join(dict.fromkeys(map(plain, found)))}"


def words_of(calendar: ET.Element, kind: str) -> Iterator[str]:
    """Yield the names of the days or months of a calendar, without those of one letter."""
    widths: Iterable[ET.Element] = calendar.iterfind(f".//{kind}Width")
    for width in widths:
        if width.get("type") in {"wide", "abbreviated"}:
            for one in width.iterfind(kind):
                text = (one.text or "").strip().rstrip(".")
                if text and text != "↑↑↑" and not text.isdigit():
                    yield text


if __name__ == "__main__":
    main()
