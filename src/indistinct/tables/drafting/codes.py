"""Hierarchies of codes: postcodes, codes of several lengths, and codes in several parts.

A label of several codes ends with a star, so that nobody takes it for a code of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from indistinct.base.hierarchy import ROOT
from indistinct.tables.drafting.drawn import DraftedHierarchy
from indistinct.tables.drafting.vocabulary import readings_of

LONGEST_CODE = 14
FEWEST, NEARLY = 2, 0.98  # codes of a kind among the values of a column
BRITISH = re.compile(
    r"(?P<outward>(?P<area>[A-Z]{1,2})\d[A-Z\d]?) ?(?P<inward>\d[ABD-HJLNP-UW-Z]{2})?",
    re.IGNORECASE,
)
# The areas of British postcodes that have one letter; the others have two.
ONE_LETTER = frozenset("BEGLMNSW")
ZIP = re.compile(r"(?P<five>\d{5})(?:[- ]?(?P<four>\d{4}))?")
CANADIAN = re.compile(r"[A-Z]\d[A-Z] ?\d[A-Z]\d", re.IGNORECASE)
DUTCH = re.compile(r"\d{4} ?[A-Z]{2}", re.IGNORECASE)
LIKE_ICD = re.compile(r"[A-Z]\d[0-9AB](\.?[0-9A-Z]{1,4})?")
IN_PARTS = re.compile(r"[A-Z0-9]+(?:[.\-/ ][A-Z0-9]+)*", re.IGNORECASE)
MARK = re.compile(r"[.\-/ ]")
NUTS = re.compile(r"[A-Z]{2}[0-9A-Z]{0,3}")
NUTS_LENGTHS, SHORTEST_NUTS = (4, 3, 2), 2
SHORTEST_LOST, MOST_LENGTHS, NESTED = 4, 4, 0.9
# Parts of names that say that numbers are codes of a list.
OF_CODES = frozenset(
    {
        "code", "codes", "cod", "cd", "kod", "kode", "key", "kennziffer", "clave", "codigo", "nace",
        "isco", "nuts", "lau", "icd", "hts", "hs", "fips", "insee", "ine", "ags", "kst", "naics",
        "sic", "soc", "kldb", "noc", "cpv", "teryt", "pkd", "ape", "naf", "csp", "pcs", "cno",
        "msa", "puma", "lga", "lsoa", "msoa",
    }
)  # fmt: skip
CODE_ENDINGS = ("code", "schlussel", "schluessel", "kennzahl")


def are_british(texts: Sequence[str]) -> bool:
    """Return whether texts are British postcodes, or the first halves of some.

    Single letters must be those of areas: other codes are a letter and two digits, too.
    """
    found = [BRITISH.fullmatch(text.strip()) for text in texts]
    fitting = [
        one
        for one in found
        if one is not None and (len(one["area"]) > 1 or one["area"].upper() in ONE_LETTER)
    ]
    return len(texts) >= FEWEST and len(fitting) >= NEARLY * len(texts)


def of_postcodes(texts: Sequence[str]) -> DraftedHierarchy | None:
    """Draw the levels of postcodes of several lengths and countries; None for other codes."""
    if _fit(ZIP, texts) and any(len(text.strip()) > 5 for text in texts):  # noqa: PLR2004 - ZIP+4
        return _by(texts, (_first(5), _first(3)), "Five digits, three digits; then hidden.")
    if are_british(texts):
        are_full = any(one["inward"] for one in map(BRITISH.fullmatch, map(_plain, texts)) if one)
        levels = (_outward, _area) if are_full else (_area,)
        said = "Postcode district, postcode area" if are_full else "Postcode area"
        return _by(texts, levels, f"{said}; then hidden.")
    if _fit(CANADIAN, texts):
        return _by(texts, (_first(3), _first(1)), "Three characters, one; then hidden.")
    if _fit(DUTCH, texts):
        return _by(texts, (_first(4), _first(2)), "Four digits, two digits; then hidden.")
    return None


def of_lost_zeros(texts: Sequence[str]) -> DraftedHierarchy | None:
    """Draw the levels of codes of which a spreadsheet took the leading zeros; None for others.

    Such numbers have two lengths, one apart. A label has the first digits of each as it is written.
    """
    most = max(map(len, texts), default=0)
    are_codes = all(text.isascii() and text.isdigit() for text in texts)
    if not are_codes or {len(text) for text in texts} != {most - 1, most} or most < SHORTEST_LOST:
        return None
    rows = [(text, f"{text[:-2]}**", f"{text[:-3]}***", ROOT) for text in texts]
    said = f"Codes of {most} digits without their leading zeros: two digits hidden, three"
    return DraftedHierarchy(f"{said}; then hidden.", rows=rows)


def of_regions(texts: Sequence[str]) -> DraftedHierarchy | None:
    """Draw the levels of codes of NUTS; None for others."""
    if not _fit(NUTS, texts) or max(len(text.strip()) for text in texts) == SHORTEST_NUTS:
        return None
    lengths = [n for n in NUTS_LENGTHS if n < max(len(text.strip()) for text in texts)]
    return _by(texts, [_first(n) for n in lengths], "Shorter codes of NUTS; then hidden.")


def of_parts(texts: Sequence[str]) -> DraftedHierarchy | None:
    """Draw the levels of codes with points or hyphens between their parts; None for others."""
    if len(texts) < FEWEST or not _fit(IN_PARTS, texts) or not any(map(MARK.search, texts)):
        return None
    n_digits = sum(mark.isdigit() for text in texts for mark in text)
    if 2 * n_digits < sum(map(len, texts)) or max(map(len, texts)) > LONGEST_CODE:
        return None
    most = max(len(MARK.split(text)) for text in texts)
    levels = [_parts(n) for n in range(most - 1, 0, -1)]
    return _by(texts, levels, "The codes without their last parts; then hidden.")


def of_lengths(texts: Sequence[str]) -> DraftedHierarchy | None:
    """Draw the levels of codes of few lengths, each of which may begin with a shorter one."""
    if len(texts) >= FEWEST and _fit(LIKE_ICD, texts):
        return _by(texts, (_first(3), _first(1)), "Three characters, one; then hidden.")
    lengths = sorted({len(text) for text in texts})
    if not 1 < len(lengths) <= MOST_LENGTHS or not all(text.isalnum() for text in texts):
        return None
    shorter = {text for text in texts if len(text) < lengths[-1]}
    longer = [text for text in texts if len(text) > lengths[0]]
    nested = sum(any(text[:n] in shorter for n in lengths if n < len(text)) for text in longer)
    if lengths[-1] > LONGEST_CODE or nested < NESTED * len(longer):
        return None
    levels = [_first(n) for n in reversed(lengths[:-1])]
    return _by(texts, levels, "The first characters of the codes, fewer per level; then hidden.")


def of_prefixes(texts: Sequence[str], lengths: Sequence[int]) -> DraftedHierarchy | None:
    """Draw the first characters of codes, so many per level; None where no level joins any."""
    listed = ", ".join(map(str, lengths))
    return _by(texts, [_first(n) for n in lengths], f"First characters: {listed}; then hidden.")


def names_codes(name: str) -> bool:
    """Return whether the name of a column says that its numbers are codes."""
    return any(
        part in OF_CODES or part.endswith(CODE_ENDINGS)
        for parts in readings_of(name)
        for part in parts
    )


def _fit(form: re.Pattern[str], texts: Sequence[str]) -> bool:
    """Return whether nearly all of some texts have a form."""
    fitting = sum(form.fullmatch(text.strip()) is not None for text in texts)
    return len(texts) >= FEWEST and fitting >= NEARLY * len(texts)


def _by(
    texts: Sequence[str], levels: Sequence[Callable[[str], str]], said: str
) -> DraftedHierarchy | None:
    """Draw one label per level; None where no level joins any values."""
    rows = [(text, *(level(text) for level in levels), ROOT) for text in texts]
    useful = [
        level
        for level in range(1, len(levels) + 1)
        if 1 < len({row[level] for row in rows}) < len({row[level - 1] for row in rows})
    ]
    if not useful:
        return None
    return DraftedHierarchy(
        said, rows=[(row[0], *(row[level] for level in useful), ROOT) for row in rows]
    )


def _plain(text: str) -> str:
    """Return a code without blanks around it."""
    return text.strip()


def _first(length: int) -> Callable[[str], str]:
    """Return a level that keeps the first characters of a code; a shorter one keeps its name."""

    def label(text: str) -> str:
        code = text.strip()
        return f"{code.upper()[:length]}*" if len(code) >= length else text

    return label


def _parts(count: int) -> Callable[[str], str]:
    """Return a level that keeps the first parts of a code."""

    def label(text: str) -> str:
        code = text.strip()
        ends = [*(found.start() for found in MARK.finditer(code)), len(code)]
        return f"{code[: ends[count - 1]]}*" if len(ends) >= count else text

    return label


def _outward(text: str) -> str:
    """Return the first half of a British postcode, and a star for the other."""
    found = BRITISH.fullmatch(text.strip())
    return f"{text.strip()[:3]}*" if found is None else f"{found['outward'].upper()} *"


def _area(text: str) -> str:
    """Return the letters of the area of a British postcode."""
    found = BRITISH.fullmatch(text.strip())
    return f"{text.strip()[:1]}*" if found is None else f"{found['area'].upper()}*"
