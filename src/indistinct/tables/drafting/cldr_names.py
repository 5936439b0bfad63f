"""Names of countries, their parts, weekdays and months in eleven languages, from Unicode's CLDR."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from indistinct.tables.drafting.vocabulary import folded

FEWEST_CODES = 6  # different codes of one country's parts, of which fewer mean anything
MOSTLY = 0.9


@lru_cache(maxsize=1 << 14)
def plain(text: str) -> str:
    """Return a name in small letters, without accents and signs."""
    return " ".join(folded(text).lower().replace("-", " ").replace(".", "").split())


@cache
def territories() -> Mapping[str, tuple[str, ...]]:
    """Return the names of each country by its code of two letters, in plain form."""
    return dict(_lines("territories.txt"))


@cache
def parts_of_countries() -> frozenset[str]:
    """Return the names of all regions, states and provinces, in plain form."""
    return frozenset(name for _, names in _lines("subdivisions.txt") for name in names)


@cache
def _codes_of_parts() -> Mapping[str, frozenset[str]]:
    """Return the codes of the parts of each country."""
    found: dict[str, set[str]] = {}
    for code, _ in _lines("subdivisions.txt"):
        country, part = code.split("-", maxsplit=1)
        found.setdefault(country, set()).add(part)
    return {country: frozenset(parts) for country, parts in found.items()}


@cache
def times() -> frozenset[str]:
    """Return the names of weekdays and months, in plain form."""
    return frozenset(name for _, names in _lines("times.txt") for name in names)


def is_part_of_a_country(text: str) -> bool:
    """Return whether a text is the name of a region, a state or a province."""
    return plain(text) in parts_of_countries()


def is_time(text: str) -> bool:
    """Return whether a text is the name of a weekday or a month."""
    return plain(text) in times()


def are_codes_of_parts(texts: Sequence[str]) -> bool:
    """Return whether nearly all codes are those of the parts of one country, such as CA and TX."""
    codes = {text.strip() for text in texts if text.strip().isalpha()}
    if len(codes) < FEWEST_CODES or len(codes) < MOSTLY * len(texts):
        return False
    return any(len(codes & parts) >= MOSTLY * len(codes) for parts in _codes_of_parts().values())


def _lines(name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the code and the names of each line of a file."""
    folder = files("indistinct.tables.drafting").joinpath("cldr")
    for line in folder.joinpath(name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            code, names = line.split("\t", maxsplit=1)
            yield code, tuple(names.split("|"))
