"""What values look like: patterns of addresses, telephone numbers, codes, dates and texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

MOST_READ = 2_000  # distinct values that are compared with the patterns
ALMOST_ALL = 0.95
FREE_TEXT_LENGTH, FREE_TEXT_WORDS = 30, 4
IBAN_REMAINDER = 1
PESEL_WEIGHTS = (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)

EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")
URL = re.compile(r"https?://\S+", re.IGNORECASE)
IP = re.compile(r"\d{1,3}(\.\d{1,3}){3}|([0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}", re.IGNORECASE)
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
SSN = re.compile(r"\d{3}-\d{2}-\d{4}")
NIR = re.compile(r"[12] ?\d{2} ?(0[1-9]|1[0-2]|[2-9]\d) ?(\d{2}|2[AB]) ?\d{3} ?\d{3}( ?\d{2})?")
DNI = re.compile(r"[XYZ\d]\d{7}-?[A-Z]")
GERMAN_PENSION = re.compile(r"\d{2} ?[0-3]\d[01]\d\d{2} ?[A-Z] ?\d{3}")
PHONE = re.compile(
    r"(\+|00)\d[\d ()/.-]{6,18}|"
    r"\(?0\d{1,4}\)?[ /.-]\d[\d /.-]{3,12}|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}"
)
ICD_10 = re.compile(r"[A-TV-Z]\d[0-9AB](\.?[0-9A-Z]{1,4})?")
ICD_9 = re.compile(r"(\d{3}|E\d{3}|V\d{2})(\.\d{1,2})?")
NUTS = re.compile(r"[A-Z]{2}[0-9A-Z]{1,3}")
POSTCODE = re.compile(
    r"\d{5}(-\d{4})?|\d{2}-\d{3}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|\d{4} ?[A-Z]{2}"
)
ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?"
    r"|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}( \d{1,2}:\d{2}(:\d{2})?)?"
)
DATE_PARTS = re.compile(r"\d+")
MOST_DAYS, MOST_MONTHS = 31, 12
AMOUNT = r"[€$£]?\s?\d{1,3}(?:[ ,.']\d{3})+|[€$£]?\s?-?\d+(?:[.,]\d+)?"
CURRENCY = re.compile(
    r"(?:[€$£¥₹₽₴₺]|[A-Z]{1,3}[$/.]{1,2}|[A-Z]{3}|Rp\.?|Kč|zł|Ft|円)"
    r"\s?-?[\d.,' ]+|-?[\d.,' ]+\s?(?:[€$£¥₹₽₴₺]|[A-Z]{3}|Kč|zł|Ft|円)"
)
UNIT = r"(?: ?[^\W\d_%€$£]\D{0,14}| ?[%€$£])?"
# What stands between the two ends of a band; brackets are closed by one that opens, in French.
BETWEEN = (
    r"(?:-|\u2013|\u2014|~|\.\.\.?|\u2026|to|bis|do|a|à|und|and|y|et|til|tot|até|al)"
    r"(?:\s*(?:<|under|below|less than|unter|moins de|menos de))?"
)
BRACKETED = r"-?\d+(?:\.\d+)?\s*,\s*-?\d+(?:\.\d+)?|-?\d+(?:[.,]\d+)?\s*;\s*-?\d+(?:[.,]\d+)?"
BAND = re.compile(
    rf"(?:(?:from|von|de|entre|between|zwischen|od|fra|van) )?(?:≥\s*)?[\[(]?\s*(?:{AMOUNT})\s*"
    rf"{BETWEEN}\s*(?:{AMOUNT})\s*[\])]?{UNIT}"
    rf"|[\[(\]]\s*(?:{BRACKETED})\s*[\])\[]{UNIT}"
    rf"|(?:[<>≤≥]=?|under|over|below|above|unter|über|bis|ab|moins de|plus de|menos de|más de|hasta"
    rf"|poniżej|powyżej)\s*(?:{AMOUNT}){UNIT}"
    rf"|(?:{AMOUNT})\s*(?:\+|or older|and over|and more|or more|plus|und älter|und mehr|et plus"
    rf"|ou plus|y más|o más|i więcej){UNIT}"
    rf"|(?:{AMOUNT}){UNIT} (?:or older|or more|and over|und älter|und mehr|et plus|y más|o más)",
    re.IGNORECASE,
)
SEXES = (
    {"male", "female"}, {"m", "f"}, {"man", "woman"}, {"men", "women"}, {"mann", "frau"},
    {"m", "w"}, {"männlich", "weiblich"}, {"maennlich", "weiblich"}, {"homme", "femme"},
    {"masculin", "féminin"}, {"h", "f"}, {"hombre", "mujer"}, {"masculino", "femenino"},
    {"herr", "frau"}, {"mr", "mrs"}, {"mr", "ms"}, {"mr.", "ms."}, {"mr.", "mrs."}, {"m.", "mme"},
    {"monsieur", "madame"}, {"sr.", "sra."}, {"pan", "pani"}, {"boy", "girl"}, {"junge", "mädchen"},
    {"garçon", "fille"}, {"chłopiec", "dziewczynka"}, {"niño", "niña"}, {"varón", "mujer"},
    {"kobieta", "mężczyzna"}, {"kobieta", "mezczyzna"}, {"k", "m"},
    {"masculino", "feminino"}, {"homem", "mulher"}, {"maschio", "femmina"}, {"uomo", "donna"},
    {"muž", "žena"}, {"muz", "zena"}, {"férfi", "nő"}, {"ferfi", "no"}, {"fiú", "lány"},
    {"laki-laki", "perempuan"}, {"pria", "wanita"}, {"l", "p"}, {"男性", "女性"}, {"男", "女"},
    {"man", "vrouw"}, {"man", "kvinna"}, {"mand", "kvinde"}, {"mann", "kvinne"},
    {"mies", "nainen"}, {"мужской", "женский"}, {"муж", "жен"},
    {"erkek", "kad\u0131n"}, {"남", "여"},
    {"males", "females"}, {"boys", "girls"},
)  # fmt: skip
NEITHER_SEX = {
    "desconocido", "no consta", "unbekannt", "inconnu", "nieznana", "mlle", "miss", "dr.", "mx",
    "d", "x", "other", "divers", "diverse", "non-binary", "nonbinary", "unknown", "o",
    "not stated", "indeterminate", "u",
}  # fmt: skip


def is_iban(text: str) -> bool:
    """Return whether a text is an International Bank Account Number, by its check digits.

    Examples
    --------
    >>> is_iban("GB82 WEST 1234 5698 7654 32")
    True
    >>> is_iban("GB82 WEST 1234 5698 7654 33")
    False
    """
    compact = text.replace(" ", "").upper()
    if not re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", compact):
        return False
    digits = "".join(str(int(character, 36)) for character in compact[4:] + compact[:4])
    return int(digits) % 97 == IBAN_REMAINDER


def is_pesel(text: str) -> bool:
    """Return whether a text is a Polish national number, by its check digit and its month.

    Examples
    --------
    >>> is_pesel("44051401359")
    True
    """
    if not re.fullmatch(r"\d{11}", text) or int(text[2:4]) % 20 not in range(1, 13):
        return False
    return sum(int(d) * w for d, w in zip(text, PESEL_WEIGHTS, strict=True)) % 10 == 0


def is_like_a_date(text: str) -> bool:
    """Return whether a text is written as a date, with a month and a year of the calendar.

    Examples
    --------
    >>> is_like_a_date("31.12.1975"), is_like_a_date("0101.21.00")
    (True, False)
    """
    found = DATE.fullmatch(text.strip())
    if found is None:
        return False
    first, second, third = (int(part) for part in DATE_PARTS.findall(text)[:3])
    is_year_first = first > MOST_DAYS
    year, one, other = (first, second, third) if is_year_first else (third, first, second)
    return (
        year // 1000 in {1, 2} and min(one, other) <= MOST_MONTHS and max(one, other) <= MOST_DAYS
    )


def _whole(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    """Make a test of a whole text."""
    return lambda text: pattern.fullmatch(text.strip()) is not None


# What a value that gives one person away looks like, in the words of a reason.
OF_PEOPLE: Mapping[str, Callable[[str], bool]] = {
    "e-mail addresses": _whole(EMAIL),
    "web addresses": _whole(URL),
    "network addresses": _whole(IP),
    "universal unique identifiers": _whole(UUID),
    "International Bank Account Numbers": is_iban,
    "Polish national numbers": is_pesel,
    "social security numbers": lambda text: any(
        pattern.fullmatch(text.strip()) for pattern in (SSN, NIR, DNI, GERMAN_PENSION)
    ),
    "telephone numbers": _whole(PHONE),
}

# What other values look like.
OF_THINGS: Mapping[str, Callable[[str], bool]] = {
    "dates": is_like_a_date,
    "codes of ICD-10": _whole(ICD_10),
    "codes of ICD-9": _whole(ICD_9),
    "postcodes": _whole(POSTCODE),
    "codes of NUTS": _whole(NUTS),
    "bands": _whole(BAND),
}


def share_like(test: Callable[[str], bool], texts: Sequence[str]) -> float:
    """Return the share of some texts that pass a test; 0 where there is none."""
    return sum(map(test, texts)) / len(texts) if texts else 0.0


def look_like(texts: Sequence[str], kinds: Mapping[str, Callable[[str], bool]]) -> str | None:
    """Name the first kind that almost all texts are of; None where there is none."""
    return next(
        (name for name, test in kinds.items() if share_like(test, texts) >= ALMOST_ALL), None
    )


def are_sexes(texts: Sequence[str]) -> bool:
    """Return whether some texts are the words for the sexes in one of five languages."""
    words = {text.strip().lower() for text in texts}
    return any(sexes <= words and words - sexes <= NEITHER_SEX for sexes in SEXES)


def is_amount(text: str) -> bool:
    """Return whether a text is a number with the sign or the letters of a currency."""
    return CURRENCY.fullmatch(text.strip()) is not None


def is_like_a_name(text: str) -> bool:
    """Return whether a text is one to four words of letters, the first with a capital."""
    words = text.split()
    letters = all(word.strip(".,'-").replace("-", "").replace("'", "").isalpha() for word in words)
    return 1 <= len(words) <= 4 and letters and text.strip()[:1].isupper()  # noqa: PLR2004 - of a full name


def are_free_text(texts: Sequence[str]) -> bool:
    """Return whether some texts are sentences rather than names of categories, by their length."""
    if not texts:
        return False
    mean_length = sum(map(len, texts)) / len(texts)
    mean_words = sum(len(text.split()) for text in texts) / len(texts)
    return mean_length >= FREE_TEXT_LENGTH and mean_words >= FREE_TEXT_WORDS
