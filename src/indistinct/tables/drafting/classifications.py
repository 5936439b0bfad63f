"""Chapters of the classification of diseases.

Source: the World Health Organization's ICD-9 (1975) and ICD-10 (1990), titles shortened.
"""

from __future__ import annotations

import re
from bisect import bisect_right

# First category of each chapter.
ICD_10 = (
    ("A00", "infections"), ("C00", "neoplasms"), ("D50", "blood and immune system"),
    ("E00", "endocrine and metabolic"), ("F00", "mental and behavioral"), ("G00", "nervous system"),
    ("H00", "eye"), ("H60", "ear"), ("I00", "circulatory system"), ("J00", "respiratory system"),
    ("K00", "digestive system"), ("L00", "skin"), ("M00", "musculoskeletal system"),
    ("N00", "genitourinary system"), ("O00", "pregnancy and birth"), ("P00", "perinatal"),
    ("Q00", "congenital"), ("R00", "symptoms"), ("S00", "injury and poisoning"),
    ("V00", "external causes"), ("Z00", "factors influencing health"),
)  # fmt: skip
ICD_9 = (
    (1, "infections"), (140, "neoplasms"), (240, "endocrine and metabolic"), (280, "blood"),
    (290, "mental"), (320, "nervous system and senses"), (390, "circulatory system"),
    (460, "respiratory system"), (520, "digestive system"), (580, "genitourinary system"),
    (630, "pregnancy and birth"), (680, "skin"), (710, "musculoskeletal system"),
    (740, "congenital"), (760, "perinatal"), (780, "symptoms"), (800, "injury and poisoning"),
)  # fmt: skip
STARTS_10 = [start for start, _ in ICD_10]
STARTS_9 = [start for start, _ in ICD_9]


def icd_10_chapter(code: str) -> str:
    """Return the chapter of a code of ICD-10.

    Examples
    --------
    >>> icd_10_chapter("E11.9")
    'endocrine and metabolic'
    """
    place = bisect_right(STARTS_10, code[:3].upper())
    return ICD_10[max(place - 1, 0)][1]


def icd_9_chapter(code: str) -> str:
    """Return the chapter of a code of ICD-9.

    Examples
    --------
    >>> icd_9_chapter("250.01"), icd_9_chapter("V57")
    ('endocrine and metabolic', 'factors influencing health')
    """
    if code[:1] in {"E", "V"}:
        return "external causes" if code.startswith("E") else "factors influencing health"
    digits = re.match(r"\d+", code)
    place = bisect_right(STARTS_9, int(digits[0]) if digits else 0)
    return ICD_9[max(place - 1, 0)][1]
