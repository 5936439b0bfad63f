"""Sentences in several languages, made up for tests, and the encodings they are written in."""

from pathlib import Path

LINES = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
SENTENCES = dict(line.split("\t") for line in LINES if not line.startswith("#"))
WRITTEN_IN = {
    **dict.fromkeys(("de", "fr", "es"), ("cp1252", "cp850", "cp437", "mac_roman", "iso8859_15")),
    **dict.fromkeys(("pt", "it", "sv", "da", "fi"), ("cp1252", "cp850", "mac_roman")),
    **dict.fromkeys(("pl", "cs", "sk", "hu", "hr"), ("cp1250", "cp852", "iso8859_2")),
    "ro": ("cp1250", "iso8859_2"),
    "lt": ("cp1257",),
    "tr": ("cp1254",),
    **dict.fromkeys(("ru", "bg"), ("cp1251", "koi8_r", "cp866", "iso8859_5")),
    "uk": ("cp1251", "koi8_u"),
    "el": ("cp1253", "iso8859_7"),
    "zh": ("gb18030", "big5"),
    "ja": ("cp932", "euc_jp"),
    "ko": ("euc_kr",),
}
IN_OLD_LETTERS = str.maketrans("țșȚȘ", "ţşŢŞ")  # as Windows writes them


def written(language, encoding):
    """Return the sentences of a language in an encoding that knows nearly all of its letters."""
    text = SENTENCES[language]
    if language == "ro":
        text = text.translate(IN_OLD_LETTERS)
    return text.encode(encoding, "ignore")
