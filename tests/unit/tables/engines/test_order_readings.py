"""A column that numbers the rows in words, clocks, numerals or with a check digit is found."""

import datetime as dt
import unicodedata

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.frontends.cli.main import status
from indistinct.tables.reading.row_order import follows_the_rows, order_keys
from indistinct.tables.verification.order_traces import ranked, tells_order
from ordered import ordered

START = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
GERMAN = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
SHORT_GERMAN = "Jän. Feb. Mrz. Apr. Mai Jun. Jul. Aug. Sep. Okt. Nov. Dez."
FRENCH = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
SHORT_FRENCH = "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."
WEEKDAYS = "lun. mar. mer. jeu. ven. sam. dim."
ROMAN = [(100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV")]
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def day(n):
    return START + dt.timedelta(days=17 * n)


def moment(n):
    return START + dt.timedelta(minutes=397 * n)


def named(n, names, form="{0} {1} {2}"):
    return form.format(day(n).day, names.split()[day(n).month - 1], day(n).year)


def to_base(n, base):
    return (to_base(n // base, base) if n >= base else "") + DIGITS[n % base]


def column_letters(n):
    return (column_letters(n // 26 - 1) if n >= 26 else "") + chr(65 + n % 26)


def roman(n):
    for value, letters in ROMAN:
        if n >= value:
            return letters + roman(n - value)
    return "I" * n


def check(n):
    """Return the check digit of a number, as Luhn's rule has it."""
    digits = [int(digit) for digit in reversed(str(n))]
    return sum(sum(divmod(d * (2 - at % 2), 10)) for at, d in enumerate(digits)) * 9 % 10


def check_or_x(n):
    rest = sum(int(digit) * (at + 2) for at, digit in enumerate(reversed(str(n)))) % 11
    return "X" if rest == 10 else rest


FORMS = {
    "German dates": lambda n: named(n, GERMAN, "{0}. {1} {2}"),
    "German dates without accents": lambda n: named(n, GERMAN).replace("ä", "ae").upper(),
    "German dates of combined accents": lambda n: unicodedata.normalize("NFD", named(n, GERMAN)),
    "German abbreviations": lambda n: named(n, SHORT_GERMAN, "{0}. {1} {2}"),
    "German months": lambda n: f"{GERMAN.split()[n % 12]} {2020 + n // 12}",
    "French dates": lambda n: named(n, FRENCH),
    "French dates after a weekday": lambda n: (
        f"{WEEKDAYS.split()[day(n).weekday()]} {named(n, SHORT_FRENCH)}"
    ),
    "dates without separators": lambda n: f"{day(n):%d%m%Y}",
    "dates that are whole numbers": lambda n: int(f"{day(n):%d%m%Y}"),
    "dates and names without separators": lambda n: f"{day(n):%d%b%Y}".upper(),
    "a clock of twelve hours": lambda n: f"{START + dt.timedelta(minutes=31 * n):%I:%M %p}",
    "a date and a clock of twelve hours": lambda n: f"{moment(n):%m/%d/%Y %I:%M:%S %p}",
    "a clock with points": lambda n: (
        f"{moment(n).hour % 12 or 12}.{moment(n):%M} {'ap'[moment(n).hour // 12]}.m., "
        f"{moment(n):%d.%m.%Y}"
    ),
    "hexadecimal": lambda n: f"{7 * n:x}",
    "hexadecimal with a prefix": lambda n: f"0x{31 * n:X}",
    "hexadecimal after a name": lambda n: f"case-{n:x}",
    "to base 36": lambda n: to_base(77 * n, 36),
    "to base 36 in capitals, in the middle": lambda n: f"A/{to_base(91 * n, 36).upper()}/2020",
    "letters of columns": column_letters,
    "letters of columns and a row": lambda n: f"${column_letters(n)}${n * 7 % 9}",
    "Roman numerals": lambda n: roman(n + 1),
    "small Roman numerals after a word": lambda n: f"chapter {roman(n + 1).lower()}.",
    "Roman numerals of one letter": lambda n: "ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ"[n] if n < 12 else roman(n + 1),
    "a check digit at the end": lambda n: f"{n + 1}{check_or_x(n + 1)}",
    "a check digit in front": lambda n: f"{check(n)}{n:05}",
    "a check digit in front of numbers": lambda n: int(f"{check(n) or 5}{n:05}"),
    "a check digit after letters": lambda n: f"R{check(n)}{n:04}",
    "two check digits after letters": lambda n: f"DE{98 - 97003 * n % 97:02}{n:08}",
    "a check letter": lambda n: f"{n + 1}{chr(65 + 7 * n % 23)}",
    "a check letter in front": lambda n: f"{chr(65 + 7 * n % 26)}{3 * n:x}",
}


def cells(form, n_records):
    return pl.Series("case", [FORMS[form](n) for n in range(n_records)])


@pytest.mark.parametrize("form", FORMS)
def test_both_definitions_find_every_form(form):
    """Forwards and backwards, of few and of many rows, beside gaps; never of shuffled rows."""
    for n_records in (14, 45):
        column = cells(form, n_records)
        with_gaps = pl.Series([cell if n % 7 else None for n, cell in enumerate(column)])
        order = np.random.default_rng(3).permutation(n_records)
        for found in (follows_the_rows, tells_order):
            assert found(column)
            assert found(column.reverse())
            assert found(with_gaps)
            assert not found(column.gather(order))


def test_few_rows_with_an_exception_and_many_with_several():
    """Below twenty rows one exchange leaves a further reading out; above, a few do not."""
    for n_records, n_exchanged, is_found in ((14, 1, False), (45, 4, True)):
        texts = cells("German dates", n_records).to_list()
        for n in range(n_exchanged):
            at = 10 * n + 1
            texts[at], texts[at + 2] = texts[at + 2], texts[at]
        assert follows_the_rows(pl.Series(texts)) == is_found
        assert tells_order(pl.Series(texts)) == is_found


def test_two_definitions_agree_on_random_texts():
    """Where one has found an order by chance of 12 rows, it is one of 2 in 479,001,600."""
    source = np.random.default_rng(5)
    for form in list(FORMS)[::4]:
        column = cells(form, 12).gather(source.permutation(12))
        assert not follows_the_rows(column)
        assert not tells_order(column)


@pytest.mark.parametrize(
    "text", ["", "-", "é", "mars", "4", "x" * 100, "0", "Ⅻ", "12 am", "1" * 60]
)
def test_no_text_is_beyond_a_reading(text):
    assert all(len(keys) == 2 for keys in order_keys(pl.Series([text, "7"])))
    assert all(len(ranks) == 2 for ranks in ranked([text, "7"]).values())


@pytest.mark.parametrize("role", ["sensitive", "insensitive"])
@pytest.mark.parametrize("form", ["French dates", "to base 36", "Roman numerals"])
def test_no_release_with_such_a_column(form, role, tmp_path):
    """Memory refuses it; so does verification of a sorted file beside its input."""
    frame = pl.DataFrame({"town": ["a", "b"] * 20, "case": cells(form, 40)})
    words = {role: ["case"], "quasi_identifiers": ["town"]}
    with pytest.raises(ind.PolicyError, match="case: numbers the records"):
        ind.anonymize(frame, k=2, **words)
    ordered(frame, "town").write_csv(tmp_path / "out.csv")
    policy = ind.Policy.from_keywords(k=2, **words)
    found = ind.verify(tmp_path / "out.csv", policy, original=frame)
    # Dates that are not written as a release has them are not the input's cells, either.
    assert {fault.place for fault in found.faults} == {"columns.case"}
    assert any("gives the order of the input away" in fault.problem for fault in found.faults)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_no_engine_releases_it(engine, tmp_path, capfd):
    (tmp_path / "policy.toml").write_text(
        '[columns.town]\nrole = "quasi-identifier"\n[columns.case]\nrole = "insensitive"\n'
        '[[models]]\nname = "k-anonymity"\nk = 2\n'
    )
    for form in ("German dates", "hexadecimal after a name", "two check digits after letters"):
        frame = pl.DataFrame({"town": ["a", "b"] * 20, "case": cells(form, 40)})
        frame.write_csv(tmp_path / "in.csv")
        words = ["--policy", str(tmp_path / "policy.toml"), "--out", str(tmp_path / "out.csv")]
        words = ["anonymize", str(tmp_path / "in.csv"), *words, "--engine", engine]
        assert status(words, show_values=False) == 2
        assert "columns.case: numbers the records" in capfd.readouterr().err
        assert not (tmp_path / "out.csv").exists()
