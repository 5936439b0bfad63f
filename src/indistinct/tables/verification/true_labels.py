"""Labels that are not true of the values below them: a reader's definition.

It knows dates, numbers, ranges, codes with hidden characters, postcodes and the chapters of the
classifications of diseases, and uses nothing of what draws hierarchies.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from indistinct.tables.verification.label_meanings import meanings_of
from indistinct.tables.verification.texts import HIDDEN
from indistinct.tables.verification.value_meanings import ColumnMeaning

# The first and the last category of each chapter, of ICD-10 and of ICD-9.
CHAPTERS: Mapping[str, tuple[tuple[str, str], tuple[int, int]]] = {
    "infections": (("A00", "B99"), (1, 139)),
    "neoplasms": (("C00", "D49"), (140, 239)),
    "blood and immune system": (("D50", "D89"), (0, 0)),
    "blood": (("", ""), (280, 289)),
    "endocrine and metabolic": (("E00", "E90"), (240, 279)),
    "mental and behavioral": (("F00", "F99"), (0, 0)),
    "mental": (("", ""), (290, 319)),
    "nervous system": (("G00", "G99"), (0, 0)),
    "nervous system and senses": (("", ""), (320, 389)),
    "eye": (("H00", "H59"), (0, 0)),
    "ear": (("H60", "H95"), (0, 0)),
    "circulatory system": (("I00", "I99"), (390, 459)),
    "respiratory system": (("J00", "J99"), (460, 519)),
    "digestive system": (("K00", "K95"), (520, 579)),
    "skin": (("L00", "L99"), (680, 709)),
    "musculoskeletal system": (("M00", "M99"), (710, 739)),
    "genitourinary system": (("N00", "N99"), (580, 629)),
    "pregnancy and birth": (("O00", "O9A"), (630, 679)),
    "perinatal": (("P00", "P96"), (760, 779)),
    "congenital": (("Q00", "Q99"), (740, 759)),
    "symptoms": (("R00", "R99"), (780, 799)),
    "injury and poisoning": (("S00", "T98"), (800, 999)),
    "external causes": (("V00", "Y99"), (0, 0)),
    "factors influencing health": (("Z00", "Z99"), (0, 0)),
}
ICD_10 = re.compile(r"([A-Z]\d[0-9A-Z])(?:\.?[0-9A-Z]{1,4})?")
ICD_9 = re.compile(r"(\d{3})(?:\.\d{1,2})?")
OTHER_ICD_9 = {"E": "external causes", "V": "factors influencing health"}
PLACE = re.compile(
    r"zip|post(?:al|code)|plz|pocztow|district|region|county|gemeinde|commune|munic|landkreis"
    r"|provin|distrit|outward|(?:^|[^a-z])(?:ort|land|kreis|ward|town|city|area|sector)(?:$|[^a-z])",
    re.IGNORECASE,
)
LEVEL = re.compile(r" \(level \d+\)$")  # behind a label that is also another one
OUTWARD = re.compile(r"([A-Z]{1,2}\d[A-Z\d]?) ?(?:\d[A-Z]{2})?")


def false_labels(
    name: str,
    paths: Mapping[str, Sequence[str]],
    values: Iterable[str] | None = None,
    shown: Collection[str] | None = None,
    *,
    exact: bool = False,
) -> Counter[int]:
    """Count, per level, the labels that are not true of a value below them.

    Parameters
    ----------
    name : of the column: chapters of diseases stand above no places
    paths : per value, its labels, itself first
    values : that the column has; those of the paths where left out
    shown : labels that are looked at; all where left out
    exact : as in :class:`~indistinct.tables.verification.value_meanings.ColumnMeaning`
    """
    column = ColumnMeaning(paths if values is None else values, exact=exact)
    false: set[tuple[int, str]] = set()
    may_be: dict[str, bool] = {}
    for value, path in paths.items():
        for level, label in enumerate(path[1:], start=1):
            if (shown is not None and label not in shown) or (level, label) in false:
                continue
            says = may_be.get(label)
            if says is None:
                says = may_be[label] = says_something(label)
            if says and not is_true_of(name, column, label, value):
                false.add((level, label))
    return Counter(level for level, _ in false)


def is_true_of(name: str, column: ColumnMeaning, label: str, value: str) -> bool:
    """Return whether a label is true of a value, as far as the label says something of it."""
    label = LEVEL.sub("", label)
    if label in {HIDDEN, value} or not value:
        return True
    if label in CHAPTERS:
        return not PLACE.search(name) and _is_in_chapter(label, value)
    if label.endswith(HIDDEN):
        return _begins_as(label, value)
    return column.is_true(label, value)


def names_of_values(paths: Mapping[str, Sequence[str]]) -> Counter[int]:
    """Count, per level, the labels of several values that read as one of the values."""
    below: dict[tuple[int, str], int] = Counter(
        (level, label) for path in paths.values() for level, label in enumerate(path[1:], start=1)
    )
    values = {_as_read(value) for value in paths}
    return Counter(
        level
        for (level, label), count in below.items()
        if count > 1 and label != HIDDEN and _as_read(label) in values
    )


def _as_read(text: str) -> str:
    """Return a text without what a reader passes over: blanks, case and zeros of a fraction."""
    return re.sub(r"^(-?\d+)\.0+$", r"\1", "".join(text.casefold().split()))


def says_something(label: str) -> bool:
    """Return whether a label is more than a name."""
    label = LEVEL.sub("", label)
    is_mask = label.endswith(HIDDEN) and any(mark.isdigit() for mark in label)
    return label in CHAPTERS or is_mask or bool(meanings_of(label))


def _begins_as(label: str, value: str) -> bool:
    """Return whether a code begins as what its label shows of it.

    A blank before the stars ends the first half of a British postcode.
    """
    kept, code = label.rstrip(HIDDEN), value.strip().upper()
    if kept.endswith(" ") and (outward := OUTWARD.fullmatch(code)) is not None:
        return outward[1] == kept.strip().upper()
    if value.startswith(kept) or _plain(code).startswith(_plain(kept)):
        return True
    # A spreadsheet takes the leading zeros of codes.
    are_digits = code.isdigit() and kept.isdigit() and len(code) < len(label)
    return are_digits and code.zfill(len(label)).startswith(kept)


def _plain(code: str) -> str:
    """Return a code without the marks and blanks between its parts."""
    return re.sub(r"[\s.-]", "", code.upper())


def _is_in_chapter(label: str, value: str) -> bool:
    """Return whether a value is a code of a disease that belongs to a chapter."""
    (first, last), (low, high) = CHAPTERS[label]
    code = value.strip().upper()
    if OTHER_ICD_9.get(code[:1]) == label and re.fullmatch(r"[EV]\d{2,3}(\.\d+)?", code):
        return True
    if (found := ICD_10.fullmatch(code)) is not None:
        return bool(first) and first <= found[1] <= last
    nine = ICD_9.fullmatch(code)
    return nine is not None and low <= int(nine[1]) <= high
