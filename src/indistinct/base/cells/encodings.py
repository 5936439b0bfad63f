"""The encoding of a text that is not ASCII alone, found by its words.

An encoding of one byte reads any bytes. What tells it from others is whether the words become
words: letters of one script, no sign inside, small or capital letters or one capital in front, and
all letters of one language's alphabet. Where two encodings that read the words differently do so
nearly as well, or there are few words, nothing is concluded: the two are shown.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from indistinct.base.cells.shares import are_few

UTF_8 = "utf-8"
# The more common ones first: they win ties among encodings that read all words alike.
CANDIDATES = (
    UTF_8, "cp1252", "cp1250", "cp1251", "cp1254", "cp1257", "cp1253", "cp1255", "cp1256",
    "iso8859_15", "iso8859_2", "iso8859_5", "iso8859_7", "koi8_r", "koi8_u", "mac_roman",
    "mac_cyrillic", "cp850", "cp437", "cp852", "cp857", "cp866",
)  # fmt: skip
# Languages that encodings were made for, where others of the same script have encodings of theirs:
# a language that nobody writes in an encoding is no reason to take it.
WESTERN = frozenset(["ca", "da", "de", "es", "fi", "fr", "is", "it", "nb", "nl", "no", "pt", "sv"])
CENTRAL = frozenset(["cs", "de", "hr", "hu", "pl", "ro", "sk", "sl"])
OF_ENCODING: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("cp1252", "iso8859_15", "mac_roman", "cp850", "cp437"), WESTERN),
    **dict.fromkeys(("cp1250", "iso8859_2", "cp852"), CENTRAL),
    **dict.fromkeys(("cp1254", "cp857"), frozenset({"tr"})),
    "cp1257": frozenset({"et", "lt", "lv"}),
}
SEVERAL_BYTES = ("gb18030", "big5", "cp932", "euc_jp", "euc_kr")
# Bytes by which the commonest characters of an encoding of several bytes begin: GB 2312 level 1,
# Big5 level 1, JIS level 1 and the Hangul of KS X 1001, each with its codec and its second bytes.
COMMON = {
    "gb18030": ("gb2312", range(0xB0, 0xD8)),
    "big5": ("big5", range(0xA4, 0xC7)),
    "cp932": ("euc_jp", range(0xB0, 0xD0)),
    "euc_jp": ("euc_jp", range(0xB0, 0xD0)),
    "euc_kr": ("euc_kr", range(0xB0, 0xC9)),
}
# Other names of encodings of several bytes, by how they begin.
SAME = {
    "cp932": ("shift", "cp932"),
    "gb18030": ("gb",),
    "big5": ("big5", "cp950"),
    "euc_kr": ("euc_kr", "cp949", "johab"),
}
SECOND_BYTES = range(0x40, 0xFF)
ALONE = frozenset("àáâãäåæèéêëìíîïòóôõöøùúûü")  # words of one letter; others of Latin are none
FEWEST = 5  # words below which nothing is sure
LEAST, NEAR, CLEAR = (
    0.9,
    0.02,
    0.5,
)  # of a score, and between two; the last over what they differ in
LEAST_OF_SEVERAL = 0.8  # of the words, in an encoding of several bytes
ONE_SCRIPT, ONE_LANGUAGE = 0.25, 1.0  # what a word counts in a reading
NEXT_LANGUAGE = 0.75  # one of another language, as names of places and people are
BESIDE_A_SIGN, WEIGHT_BESIDE = 0.8, 0.25  # a word of ASCII with a quotation mark or the like
WHOLE, PART, PARTS = 64 << 20, 1 << 20, 64  # bytes that are weighed
MOST_WORDS = 20_000  # different ones that are weighed
NAMED, LOOKED_AT = 3, 12  # lines of spoilt words that are named, of the first of these words
UNKNOWN = "\ufffd"

LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'-")
BETWEEN_WORDS = bytes(one if one in LETTERS or one > 127 else 32 for one in range(256))  # noqa: PLR2004 - ASCII
BETWEEN_LONG_WORDS = bytes(one if one >= 64 else 32 for one in range(256))  # noqa: PLR2004 - second bytes
MARKS = "°€£$§µ©®™²³¹½¼¾¿¡№ªº\u00d7±"  # signs that stand beside a word
KINDS = {**dict.fromkeys(MARKS, "p"), "'": "'", "\u2019": "'", "-": "-", UNKNOWN: "x"}
BY_CATEGORY = {
    **dict.fromkeys(("Cc", "Cn", "Co", "Cs"), "x"),
    **dict.fromkeys(("Pi", "Pf", "Ps", "Pe", "Po", "Pd", "Zs", "Cf"), "p"),
    **dict.fromkeys(("Mn", "Mc", "Me"), "m"),
}
SCRIPTS = {"LATIN": "aA", "CYRILLIC": "cC", "GREEK": "gG", "HEBREW": "hh", "ARABIC": "rr"}
WORD = re.compile(
    "|".join(
        f"(?:{part})(?:['-]+(?:{part}))*"
        for part in ("a+|A+|Aa+", "c+|C+|Cc+", "g+|G+|Gg+", "h[hm]*", "r[rm]*")
    )
)
NEITHER_SIGN_NOR_LETTER = "p'-"
GLUED = re.compile(r"[©®][^\W\d_]")  # a capital letter of another encoding


@dataclass(frozen=True, slots=True)
class FoundEncoding:
    """The encoding of a text, or the two that it may have.

    Parameters
    ----------
    name : the best one
    other : the best of those that read the words differently, where it is not sure
    words : beyond ASCII, by which they are told apart
    spoilt : of these, the words that have no meaning in it
    lines, has_more_lines : where the first of them stand, from 1; whether others stand elsewhere
    """

    name: str
    other: str | None = None
    words: int = 0
    spoilt: int = 0
    lines: tuple[int, ...] = ()
    has_more_lines: bool = False

    @property
    def is_sure(self) -> bool:
        """Whether nothing else comes near."""
        return self.other is None


@dataclass(frozen=True, slots=True)
class _Score:
    """What the words become in one encoding.

    Parameters
    ----------
    name : of the encoding
    value : in [0, 1], the mean of the words
    texts : the words as it reads them
    values : what each counts; None for a sign alone, which says nothing
    language : whose letters most of them have
    """

    name: str
    value: float
    texts: Sequence[str]
    values: Sequence[float | None]
    language: str
    spoilt: frozenset[int] = field(default=frozenset())


def found_encoding(content: bytes) -> FoundEncoding:
    """Find the encoding of bytes that are neither ASCII nor UTF-8 as a whole.

    Returns
    -------
    the best encoding, and the one beside it where words do not decide
    """
    weighed = _weighed(content)
    counted = Counter(
        word for word in weighed.translate(BETWEEN_WORDS).split() if not word.isascii()
    )
    most = counted.most_common(MOST_WORDS)
    words, counts = [word for word, _ in most], [count for _, count in most]
    weighed_ones = [_score(name, words, counts) for name in CANDIDATES]
    scores = sorted(weighed_ones, key=lambda one: -one.value)
    n_words = _words_of(scores[0], counts)
    # Of encodings that read all words alike, but for an odd one, the commonest names them.
    best = next(
        one
        for one in weighed_ones
        if one.texts == scores[0].texts
        or (n_words >= FEWEST and not _differ(one, scores[0], counts))
    )
    if n_words and best.value <= 1 - NEAR:
        of_several = _of_several_bytes(weighed, best.value)
        if of_several is not None:
            return of_several
    others = [one for one in scores if one.texts != best.texts and (one.value or one.name != UTF_8)]
    other = next((one for one in others if _differ(best, one, counts)), None)
    if n_words < FEWEST:
        other = other or next(iter(others), None)
    sure = n_words >= FEWEST and best.value >= LEAST and _is_clear(best, other, counts)
    spoilt = sum(counts[place] for place in best.spoilt)
    places = sorted(best.spoilt)[:LOOKED_AT]
    lines = sorted({_line_of(content, words[place]) for place in places})
    return FoundEncoding(
        best.name,
        None if sure or other is None else other.name,
        n_words,
        spoilt if best.value >= LEAST else 0,
        tuple(lines[:NAMED]),
        has_more_lines=len(lines) > NAMED or len(best.spoilt) > LOOKED_AT,
    )


def words_in_both(content: bytes, name: str, other: str, most: int) -> tuple[tuple[str, str], ...]:
    """Return the first different words beyond ASCII, as two encodings read them."""
    table = BETWEEN_LONG_WORDS if {name, other} & {*SEVERAL_BYTES} else BETWEEN_WORDS
    words = dict.fromkeys(one for one in content.translate(table).split() if not one.isascii())
    return tuple(
        (one.decode(name, "replace"), one.decode(other, "replace")) for one in [*words][:most]
    )


def _weighed(content: bytes) -> bytes:
    """Return a text, or parts of a long one at equal distances."""
    if len(content) <= WHOLE:
        return content
    step = len(content) // PARTS
    parts = (content[at : at + PART] for at in range(0, len(content) - PART, step))
    return b"\n".join(part.partition(b"\n")[2].rpartition(b"\n")[0] for part in parts)


def _line_of(content: bytes, word: bytes) -> int:
    """Return the line of the first place of a word, from 1."""
    return content.count(b"\n", 0, max(content.find(word), 0)) + 1


def _score(name: str, words: Sequence[bytes], counts: Sequence[int]) -> _Score:
    """Weigh what words become in an encoding."""
    texts = b"\n".join(words).decode(name, "replace").split("\n") if words else []
    if len(texts) != len(words):  # a line end of its own
        return _Score(name, 0.0, [""] * len(words), [0.0] * len(words), "")
    classes = "\n".join(texts).translate(_classes(texts)).split("\n") if texts else []
    letters: dict[int, frozenset[str]] = {}
    values: list[float | None] = []
    spoilt: set[int] = set()
    for place, (text, kinds) in enumerate(zip(texts, classes, strict=True)):
        value, is_spoilt = _of_word(text, kinds)
        values.append(value)
        if value == ONE_SCRIPT and not _is_lone_consonant(text, kinds):
            letters[place] = frozenset(one for one in text if one.isalpha() and not one.isascii())
        if is_spoilt:
            spoilt.add(place)
    language, known = _language(letters, counts, OF_ENCODING.get(name))
    for place in known:
        values[place] = ONE_LANGUAGE
        del letters[place]
    for place in _language(letters, counts, OF_ENCODING.get(name))[1]:
        values[place] = NEXT_LANGUAGE
    weights = [
        count * (WEIGHT_BESIDE if value == BESIDE_A_SIGN else 1)
        for value, count in zip(values, counts, strict=True)
    ]
    total = sum(w for w, value in zip(weights, values, strict=True) if value is not None)
    good = sum(w * value for w, value in zip(weights, values, strict=True) if value is not None)
    return _Score(name, good / total if total else 0.0, texts, values, language, frozenset(spoilt))


def _of_word(text: str, kinds: str) -> tuple[float | None, bool]:
    """Return what a word counts before its language is known, and whether it is spoilt.

    Parameters
    ----------
    kinds : of its characters
    """
    core = kinds.strip(NEITHER_SIGN_NOR_LETTER)
    if "x" in kinds:
        return 0.0, True
    if GLUED.match(text):
        return 0.0, False
    if not core.strip("s"):
        return None, False
    if WORD.fullmatch(core) is None:
        return 0.0, "s" in core or "p" in core
    is_ascii = all(one.isascii() for one in text if one.isalpha())
    return (BESIDE_A_SIGN if is_ascii else ONE_SCRIPT), False


def _is_lone_consonant(text: str, kinds: str) -> bool:
    """Return whether a word is one letter that is rather a sign in another encoding."""
    core = [one for one, kind in zip(text, kinds, strict=True) if kind in "aA"]
    return len(core) == 1 and core[0] not in ALONE


def _language(
    letters: Mapping[int, frozenset[str]],
    counts: Sequence[int],
    spoken: frozenset[str] | None,
) -> tuple[str, Sequence[int]]:
    """Return the language whose letters most words have, and the places of these words.

    Parameters
    ----------
    spoken : languages that an encoding was made for; None for all
    """
    sets: Counter[frozenset[str]] = Counter()
    for place, some in letters.items():
        sets[some] += counts[place]
    found = {
        code: sum(count for some, count in sets.items() if some <= known)
        for code, known in alphabets().items()
        if spoken is None or code in spoken
    }
    best = max(found, key=lambda code: found[code])
    return best, [place for place, some in letters.items() if some <= alphabets()[best]]


def _words_of(score: _Score, counts: Sequence[int]) -> int:
    """Count the records of words that are neither signs alone nor ASCII beside a sign."""
    return sum(
        count
        for value, count in zip(score.values, counts, strict=True)
        if value not in {None, BESIDE_A_SIGN}
    )


def _differ(one: _Score, other: _Score, counts: Sequence[int]) -> bool:
    """Return whether two encodings read words differently, which are more than a few odd ones.

    A word that is of no language in either of them is an odd one.
    """
    odd = 0
    read = zip(_differing(one, other), one.values, other.values, counts, strict=True)
    for differs, a, b, count in read:
        if differs and max(a or 0, b or 0) > ONE_SCRIPT:
            return True
        odd += count * differs
    return odd > 0 and not are_few(odd, _words_of(one, counts))


def _differing(one: _Score, other: _Score) -> Iterator[bool]:
    """Yield for each word whether two encodings read it differently, and one of them as a word."""
    for mine, its, a, b in zip(one.texts, other.texts, one.values, other.values, strict=True):
        yield mine != its and bool(a or b)


def _is_clear(best: _Score, other: _Score | None, counts: Sequence[int]) -> bool:
    """Return whether an encoding reads the words better than another.

    Of two that find the same language, the words decide that they read differently.
    """
    if other is None or best.value - other.value > NEAR:
        return True
    if best.language != other.language:
        return False
    total = lead = 0.0
    read = zip(_differing(best, other), best.values, other.values, counts, strict=True)
    for differs, a, b, count in read:
        if differs:
            total += count
            lead += count * ((LEAST if a is None else a) - (LEAST if b is None else b))
    return lead >= CLEAR * total


@cache
def alphabets() -> Mapping[str, frozenset[str]]:
    """Return the letters beyond a to z of each language, by its code, small and capital."""
    text = files("indistinct.base.cells").joinpath("alphabets.txt").read_text(encoding="utf-8")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {
        code: frozenset(some) | {one.upper() for one in some if len(one.upper()) == 1} - {"I"}
        for code, *some in lines
    }


def _classes(texts: Sequence[str]) -> Mapping[int, str]:
    """Return the kind of each character of some texts, as :data:`WORD` has them."""
    return {ord(one): _class(one) for one in set("".join(texts))}


@cache
def _class(one: str) -> str:
    """Return the kind of a character: letter of a script, mark at a letter, sign, or no text."""
    category = unicodedata.category(one)
    small, capital = SCRIPTS.get(unicodedata.name(one, "").split(" ")[0], "ss")
    if one in KINDS:
        return KINDS[one]
    kinds = {"Ll": small, "Lu": capital, "Lo": small, **BY_CATEGORY}
    return kinds.get(category, "s")


def _of_several_bytes(content: bytes, value: float) -> FoundEncoding | None:
    """Return an encoding of East Asia, if its commonest characters make more of the words."""
    counted = Counter(
        word for word in content.translate(BETWEEN_LONG_WORDS).split() if not word.isascii()
    )
    most = counted.most_common(MOST_WORDS)
    shares = {name: _share_of_common(name, most) for name in SEVERAL_BYTES}
    ranked = sorted(shares, key=lambda name: -shares[name])
    best = ranked[0]
    if shares[best] <= value + NEAR:
        return None
    n_words = sum(count for _, count in most)
    near = [name for name in ranked if shares[name] >= shares[best] - NEAR]
    verdict = _verdict(content)
    if verdict in near and shares[verdict] >= LEAST_OF_SEVERAL and n_words >= FEWEST:
        return FoundEncoding(verdict, words=n_words)
    return FoundEncoding(best, next(name for name in ranked if name != best), n_words)


def _verdict(content: bytes) -> str:
    """Return what another library says of the encoding of several bytes."""
    from charset_normalizer import from_bytes  # few texts need it

    found = from_bytes(content[: 1 << 18]).best()
    name = "" if found is None else found.encoding
    known = (one for one, begins in SAME.items() if name.startswith(begins))
    return next(known, name)


def _share_of_common(name: str, counted: Sequence[tuple[bytes, int]]) -> float:
    """Return the share of words of the commonest characters of an encoding of several bytes."""
    common, total, good = _common(name), 0, 0
    for word, count in counted:
        total += count
        try:
            text = word.decode(name)
        except UnicodeDecodeError:
            continue
        good += count * all(one.isascii() or one in common for one in text)
    return good / total if total else 0.0


@cache
def _common(name: str) -> frozenset[str]:
    """Return the commonest characters of an encoding of several bytes, and its punctuation."""
    codec, first = COMMON[name]
    signs = range(0xA1, min(first.start, 0xA4))
    found = {*_decoded_pairs(codec, first), *_decoded_pairs(codec, signs)}
    if codec == "euc_jp":
        found |= set(map(chr, range(0x3041, 0x3100)))  # kana
        found |= set(map(chr, range(0xFF66, 0xFFA0)))
    marks = {chr(one) for one in (*range(0x3000, 0x3020), *range(0xFF01, 0xFF5F), 0xB7, 0x30FB)}
    return frozenset(found | marks)


def _decoded_pairs(codec: str, first: range) -> Iterator[str]:
    """Yield the characters of the pairs of bytes that begin with some."""
    for one in first:
        for two in SECOND_BYTES:
            try:
                yield bytes((one, two)).decode(codec)
            except UnicodeDecodeError:
                continue
