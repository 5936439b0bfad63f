"""Countries in a column, by code or by name, and the regions of the world above them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from indistinct.tables.drafting.cldr_names import plain, territories

FEWEST = 5  # different countries below which words may mean something else
ALMOST_ALL = 0.9
ALPHA_2 = 2  # letters of a code that is also one of a state, a language or anything else
# Names of columns that hold countries, in the languages of the vocabulary.
COUNTRY = re.compile(
    r"country|countries|nation|citizen|land|pays|pa[ií]s|kraj|staat|obywatel", re.IGNORECASE
)

RegionName = tuple[str, str]


def regions_of(texts: Sequence[str], name: str) -> list[RegionName | None] | None:
    """Return the region and the continent of each country.

    Parameters
    ----------
    texts : the different values of a column
    name : of the column: codes of two letters are countries only where it says so

    Returns
    -------
    region and continent of each, None for a value that is no country; or None where fewer than
    nine of ten values, or fewer than five, are countries
    """
    if ALMOST_ALL * len(texts) > len(_regions()):
        return None
    found = [_regions().get(plain(text)) for text in texts]
    n_found = sum(one is not None for one in found)
    if n_found < max(FEWEST, ALMOST_ALL * len(texts)):
        return None
    are_short = all(len(text.strip()) == ALPHA_2 for text in texts)
    return found if not are_short or COUNTRY.search(name) else None


def is_country(text: str) -> bool:
    """Return whether a text is the code or the name of a country."""
    return plain(text) in _regions()


@cache
def _regions() -> dict[str, RegionName]:
    """Read the region and the continent of every code and name."""
    text = (
        files("indistinct.tables.drafting").joinpath("countries.toml").read_text(encoding="utf-8")
    )
    return {
        word: (region, continent)
        for continent, regions in tomllib.loads(text).items()
        for region, entries in regions.items()
        for entry in entries
        for word in _words(entry)
    }


def _words(entry: str) -> list[str]:
    """Return the two codes and the names of a country, in plain form."""
    short, long, names = entry.split(" ", maxsplit=2)
    return [*map(plain, (short, long, *names.split("|"))), *territories().get(short, ())]
