"""Write the page of sources from ``references.bib``, and lead every citation on the site to it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

ENTRY = re.compile(r"^@\w+\{(\w+),\n(.*?)(?=^@|\Z)", flags=re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^\s+(\w+)\s+= [{\"](.*?)[}\"],?$", flags=re.MULTILINE | re.DOTALL)
ACCENT = re.compile(r"\\([\"'`^~v])\s*(\w)")
COMBINING = {
    '"': "\u0308",
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    "~": "\u0303",
    "v": "\u030c",
}
CITATION = re.compile(r"\b[a-z]+(?:19|20)[0-9]{2}[a-z]?\b")
# Code must stay as it is; a fence begins and ends a line, a span stands inside of one.
CODE = re.compile(r"(^```.*?^```$|`[^`\n]*`|\]\([^)\n]*\))", flags=re.MULTILINE | re.DOTALL)
PLACES = ("journal", "booktitle", "publisher", "institution", "school", "howpublished")
MOST_NAMES = 2  # authors that a short citation names

Entry = Mapping[str, str]


def entries(path: Path) -> dict[str, Entry]:
    """Read the fields of each source, by its key."""
    text = path.read_text(encoding="utf-8")
    return {key: _fields(body) for key, body in ENTRY.findall(text)}


def write(path: Path, sources: Mapping[str, Entry]) -> None:
    """Write the page of sources, unless it is the same as before: builds stay quick."""
    text = "\n".join(_page(sources))
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def linked(text: str, sources: Mapping[str, Entry]) -> str:
    """Turn the keys in the prose of a page into authors and years that lead to the source."""
    parts = CODE.split(text)
    parts[::2] = [CITATION.sub(lambda found: _link(found[0], sources), part) for part in parts[::2]]
    return "".join(parts)


def _fields(body: str) -> Entry:
    return {name: _plain(value) for name, value in FIELD.findall(body)}


def _plain(value: str) -> str:
    """Write a field without the marks of BibTeX: braces, accents, line ends."""
    bare = re.sub(r"[{}]", "", " ".join(value.split())).replace("--", "\u2013")
    accented = ACCENT.sub(lambda found: found[2] + COMBINING[found[1]], bare)
    return unicodedata.normalize("NFC", accented)


def _page(sources: Mapping[str, Entry]) -> Iterator[str]:
    yield "# Sources"
    yield ""
    yield "The papers and books on which the methods are based."
    for key, entry in sorted(sources.items(), key=lambda item: (item[1]["author"], item[0])):
        yield f"\n({key})="
        yield f"**{_short(entry)}.** {_authors(entry)}: *{entry['title']}*. {_place(entry)}"


def _place(entry: Entry) -> str:
    place = next((entry[name] for name in PLACES if name in entry), None)
    said = entry["year"] if place is None or entry["year"] in place else f"{place}, {entry['year']}"
    doi = f" [doi:{entry['doi']}](https://doi.org/{entry['doi']})" if "doi" in entry else ""
    return f"{said}.{doi}"


def _names(entry: Entry) -> list[str]:
    return entry["author"].split(" and ")


def _authors(entry: Entry) -> str:
    return ", ".join(" ".join(reversed(name.split(", "))) for name in _names(entry))


def _short(entry: Entry) -> str:
    families = [_family(name) for name in _names(entry)]
    if len(families) > MOST_NAMES:
        return f"{families[0]} et al. {entry['year']}"
    return f"{' and '.join(families)} {entry['year']}"


def _family(name: str) -> str:
    return name.split(",", maxsplit=1)[0] if "," in name else " ".join(name.split()[1:]) or name


def _link(key: str, sources: Mapping[str, Entry]) -> str:
    return f"[{_short(sources[key])}](#{key})" if key in sources else key
