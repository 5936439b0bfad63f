"""Twelve made-up tables of other domains and languages, each column with the roles that are right.

They were written before the rules were measured with them: 77.6 % were right, 21.2 % asked, 1.3 %
wrong, none of them with high, and the right role was shown for all that were asked. All values are
drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl

N = 400
I, Q, S, O = "identifier", "quasi-identifier", "sensitive", "insensitive"  # noqa: E741 - as in labels
Column = tuple[str, Sequence[object], set[str]]
SYLLABLES = [consonant + vowel for consonant in "bdklmnr" for vowel in "aeio"]

chance = np.random.default_rng(77)
BEGINNING = chance.bit_generator.state


def pick(*values: object, p: Sequence[float] | None = None) -> list[object]:
    """Draw from a few values."""
    return chance.choice(np.array(values, dtype=object), N, p=p).tolist()


def whole(least: int, most: int) -> list[int]:
    """Draw whole numbers, the greatest left out."""
    return chance.integers(least, most, N).tolist()


def bell(mean: float, spread: float, digits: int = 0) -> list[object]:
    """Draw numbers around a mean."""
    drawn = np.round(chance.normal(mean, spread, N), digits)
    return (drawn.astype(int) if not digits else drawn).tolist()


def skewed(middle: float, digits: int = 2) -> list[float]:
    """Draw amounts."""
    return np.round(middle * chance.lognormal(0, 0.6, N), digits).tolist()


def word(parts: int) -> str:
    """Make up a word."""
    return "".join(chance.choice(SYLLABLES, parts)).capitalize()


def names(n_words: int = 2, n_names: int = N) -> list[str]:
    """Make up names of people."""
    pool = [" ".join(word(3) for _ in range(n_words)) for _ in range(n_names)]
    return [str(pool[place]) for place in chance.integers(0, n_names, N)]


def towns(n_towns: int = 30) -> list[str]:
    """Draw names of towns."""
    return names(1, n_towns)


def days(first: str, n_days: int, form: str = "%Y-%m-%d") -> list[str]:
    """Draw dates."""
    drawn = np.datetime64(first) + chance.integers(0, n_days, N).astype("timedelta64[D]")
    return [day.strftime(form) for day in drawn.astype(object)]


def codes(prefix: str, digits: int) -> list[str]:
    """Return codes that differ."""
    return [f"{prefix}{n:0{digits}d}" for n in chance.permutation(10**digits)[:N].tolist()]


def serial(first: int) -> list[int]:
    """Return numbers that differ, in no order."""
    return (first + chance.permutation(3 * N)[:N]).tolist()


def hotel() -> list[Column]:
    return [
        ("booking_ref", codes("HB", 6), {I}),
        ("guest_country", pick("PRT", "GBR", "FRA", "ESP", "DEU", "ITA"), {Q}),
        ("lead_time", whole(0, 300), {O, Q, S}),
        ("arrival_date", days("2023-01-01", 360), {Q}),
        ("nights", whole(1, 15), {O, Q}),
        ("adults", whole(1, 4), {O, Q}),
        ("children", pick(0, 0, 0, 1, 2), {Q}),
        ("meal", pick("BB", "HB", "FB", "SC"), {O, Q}),
        ("market_segment", pick("Online TA", "Offline TA", "Direct", "Groups"), {O, Q}),
        ("room_type", pick(*"ABCDEF"), {O, Q}),
        ("adr", skewed(95), {O, S}),
        ("is_canceled", pick(0, 1), {O, Q, S}),
        ("special_requests", pick(0, 0, 1, 2, 3), {O, Q, S}),
        ("card_last4", [f"{n:04d}" for n in whole(0, 9999)], {I, Q}),
    ]


def staff() -> list[Column]:
    return [
        ("EmployeeNumber", serial(1000), {I}),
        ("Age", whole(20, 65), {Q}),
        ("Attrition", pick("Yes", "No"), {Q, S}),
        ("BusinessTravel", pick("Travel_Rarely", "Travel_Frequently", "Non-Travel"), {O, Q}),
        ("DailyRate", whole(100, 1500), {S}),
        ("Department", pick("Sales", "Research", "Human Resources"), {Q}),
        ("DistanceFromHome", whole(1, 30), {Q}),
        ("EducationField", pick("Life Sciences", "Medical", "Marketing", "Other"), {Q}),
        ("JobRole", pick("Manager", "Technician", "Executive", "Scientist", "Director"), {Q}),
        ("JobSatisfaction", whole(1, 5), {S}),
        ("MaritalStatus", pick("Single", "Married", "Divorced"), {Q}),
        ("MonthlyIncome", whole(1000, 20000), {S}),
        ("NumCompaniesWorked", whole(0, 10), {O, Q}),
        ("OverTime", pick("Yes", "No"), {O, Q, S}),
        ("PerformanceRating", whole(1, 6), {S}),
        ("YearsAtCompany", whole(0, 40), {Q}),
    ]


def phone_customers() -> list[Column]:
    return [
        ("customerID", codes("K-", 6), {I}),
        ("SeniorCitizen", pick(0, 1), {Q}),
        ("Partner", pick("Yes", "No"), {Q}),
        ("tenure", whole(0, 72), {O, Q, S}),
        ("MultipleLines", pick("Yes", "No", "No phone service"), {O, Q, S}),
        ("InternetService", pick("DSL", "Fiber optic", "No"), {O, Q, S}),
        ("StreamingTV", pick("Yes", "No"), {O, Q, S}),
        ("Contract", pick("Month-to-month", "One year", "Two year"), {O, Q, S}),
        ("PaperlessBilling", pick("Yes", "No"), {O, Q, S}),
        ("MonthlyCharges", skewed(60), {O, S}),
        ("day_mins", bell(180, 50, 1), {O, S}),
        ("Churn", pick("Yes", "No"), {O, Q, S}),
    ]


def heart() -> list[Column]:
    return [
        ("pid", serial(10000), {I}),
        ("age", whole(30, 80), {Q}),
        ("sex", pick(0, 1), {Q}),
        ("cp", whole(0, 4), {S}),
        ("trestbps", bell(130, 15), {S}),
        ("chol", bell(240, 40), {S}),
        ("fbs", pick(0, 1), {S}),
        ("thalach", bell(150, 20), {S}),
        ("exang", pick(0, 1), {S}),
        ("oldpeak", skewed(1, 1), {S}),
        ("smoking_status", pick("never smoked", "formerly smoked", "smokes"), {S}),
        ("bmi", bell(27, 4, 1), {S, Q}),
        ("target", pick(0, 1), {S}),
        ("site", pick("North", "South", "East"), {O, Q}),
    ]


def readers_fr() -> list[Column]:
    return [
        ("id_lecteur", serial(500), {I}),
        ("prenom", names(1, 90), {I, Q}),
        ("annee_naissance", whole(1935, 2015), {Q}),
        ("code_postal", [f"{n:05d}" for n in pick(75011, 75012, 69003, 13005, 31000, 44000)], {Q}),
        ("sexe", pick("F", "H"), {Q}),
        ("date_inscription", days("2015-01-01", 3000, "%d/%m/%Y"), {Q}),
        ("nb_emprunts", whole(0, 200), {O, Q, S}),
        ("amende", skewed(4), {S}),
        ("situation_familiale", pick("marié", "célibataire", "divorcé", "veuf"), {Q}),
        ("profession", pick("ouvrier", "cadre", "employé", "étudiant", "retraité"), {Q}),
        ("courriel", [f"l{n}@exemple.example" for n in range(N)], {I}),
        ("categorie", pick("A", "B", "C"), {O, Q}),
    ]


def pupils_pt() -> list[Column]:
    return [
        ("matricula", serial(20200000), {I}),
        ("nome_aluno", names(3), {I}),
        ("data_nascimento", days("2005-01-01", 2000, "%d/%m/%Y"), {Q}),
        ("turma", pick("6A", "6B", "7A", "7B"), {O, Q}),
        ("cor_raca", pick("Branca", "Preta", "Parda", "Indígena"), {Q}),
        ("bairro", towns(), {Q}),
        ("renda_familiar", skewed(2500), {S}),
        ("bolsista", pick("sim", "não"), {Q, S}),
        ("nota_matematica", bell(6, 2, 1), {S}),
        ("nota_portugues", bell(6, 2, 1), {S}),
        ("faltas", whole(0, 40), {S}),
        ("deficiencia", pick("nenhuma", "auditiva", "visual"), {S}),
        ("escolaridade_mae", pick("fundamental", "médio", "superior"), {Q}),
    ]


def patients_cs() -> list[Column]:
    return [
        ("rodne_cislo", serial(800101000), {I}),
        ("prijmeni", names(1), {I}),
        ("datum_narozeni", days("1940-01-01", 25000, "%d.%m.%Y"), {Q}),
        ("pohlavi", pick("muž", "žena"), {Q}),
        ("psc", [str(n) for n in pick(11000, 60200, 70200, 30100, 46001, 37001)], {Q}),
        ("zamestnani", pick("učitel", "dělník", "úředník", "důchodce"), {Q}),
        ("diagnoza", pick("J06", "I10", "E11", "M54", "F32"), {S}),
        ("lek", pick("Ranova", "Belsin", "Kodral", "Lumexa"), {S}),
        ("systolicky_tlak", bell(130, 15), {S}),
        ("kurak", pick("ano", "ne"), {S}),
        ("datum_navstevy", days("2023-01-01", 300, "%d.%m.%Y"), {Q}),
        ("pojistovna", pick("111", "201", "205", "207"), {Q}),
    ]


def citizens_hu() -> list[Column]:
    return [
        ("azonosito", serial(7000), {I}),
        ("nev", names(2), {I}),
        ("szuletesi_ev", whole(1935, 2005), {Q}),
        ("nem", pick("férfi", "nő"), {Q}),
        ("kerulet", pick(*["I", "II", "III", "IV", "V", "VI", "VII"]), {Q}),
        ("vegzettseg", pick("általános", "középfok", "felsőfok"), {Q}),
        ("havi_jovedelem", whole(100000, 900000), {S}),
        ("elegedettseg", whole(1, 6), {S}),
        ("dohanyzik", pick("igen", "nem"), {S}),
        ("gyermekek_szama", whole(0, 5), {Q}),
        ("valasz_ido", skewed(12), {O, S}),
    ]


def clinic_id() -> list[Column]:
    return [
        ("no_rm", codes("", 6), {I}),
        ("nama_pasien", names(2), {I}),
        ("tgl_lahir", days("1950-01-01", 25000, "%d-%m-%Y"), {Q}),
        ("jenis_kelamin", pick("L", "P"), {Q}),
        ("alamat", [f"Jl. {word(3)} No. {n}" for n in whole(1, 200)], {I}),
        ("kecamatan", towns(14), {Q}),
        ("pekerjaan", pick("petani", "guru", "pedagang", "buruh"), {Q}),
        ("diagnosa", pick("demam", "diabetes", "asma", "hipertensi"), {S}),
        (
            "tekanan_darah",
            [f"{a}/{b}" for a, b in zip(bell(130, 15), bell(80, 9), strict=True)],
            {S},
        ),
        ("biaya", [1000 * n for n in whole(20, 900)], {S}),
        ("cara_bayar", pick("umum", "BPJS"), {O, Q, S}),
        ("tgl_kunjungan", days("2023-01-01", 300, "%d-%m-%Y"), {Q}),
    ]


def staff_ja() -> list[Column]:
    return [
        ("社員番号", codes("S", 5), {I}),
        ("氏名", ["".join(pick(*"田山川林森石中本")[:4]) for _ in range(N)], {I}),
        ("年齢", whole(20, 65), {Q}),
        ("性別", pick("男", "女"), {Q}),
        ("部署", pick("営業", "総務", "開発", "人事"), {Q}),
        ("入社年", whole(1985, 2024), {Q}),
        ("月収", whole(200000, 900000), {S}),
        ("残業時間", whole(0, 80), {O, Q, S}),
        ("居住地", pick("東京都", "千葉県", "埼玉県", "神奈川県", "茨城県", "栃木県"), {Q}),
        ("健康診断", pick("A", "B", "C", "D"), {S}),
        ("喫煙", pick("はい", "いいえ"), {S}),
    ]  # fmt: skip


def club_it() -> list[Column]:
    return [
        ("tessera", serial(30000), {I}),
        ("cognome", names(1), {I}),
        ("data_nascita", days("1950-01-01", 22000, "%d/%m/%Y"), {Q}),
        ("sesso", pick("M", "F"), {Q}),
        ("comune_residenza", towns(), {Q}),
        ("disciplina", pick("nuoto", "tennis", "calcio", "atletica"), {O, Q, S}),
        ("quota_annua", skewed(250), {O, S}),
        ("certificato_medico", pick("sì", "no"), {S}),
        ("data_iscrizione", days("2018-01-01", 2000, "%d/%m/%Y"), {Q}),
        ("telefono", [f"+39 333 {n}" for n in serial(1000000)], {I}),
        ("categoria", pick("junior", "senior", "master"), {O, Q}),
        ("presenze", whole(0, 120), {O, Q, S}),
    ]


def voters_es() -> list[Column]:
    return [
        ("folio", serial(100), {I}),
        ("edad", whole(18, 90), {Q}),
        ("género", pick("hombre", "mujer"), {Q}),
        ("Entidad", pick("Jalisco", "Oaxaca", "Puebla", "Sonora", "Yucatán", "Chiapas"), {Q}),
        ("nivel_estudios", pick("primaria", "secundaria", "bachillerato", "universidad"), {Q}),
        ("¿Por qué partido votaría hoy?", pick("Azul", "Verde", "Rojo", "Ninguno"), {S}),
        ("¿Qué tan satisfecho está con su vida?", whole(1, 11), {S}),
        ("religión", pick("católica", "evangélica", "ninguna"), {S}),
        ("ingreso_mensual", skewed(9000, 0), {S}),
        ("tamaño_hogar", whole(1, 8), {Q}),
        ("factor_expansión", skewed(1), {I, O}),
        ("fecha_entrevista", days("2023-05-01", 40), {Q}),
        ("p1_1", whole(1, 5), {S}),
        ("p1_2", whole(1, 5), {S}),
        ("p1_3", whole(1, 5), {S}),
        ("p1_4", whole(1, 5), {S}),
        ("p1_5", whole(1, 5), {S}),
    ]


DOMAINS: Mapping[str, Callable[[], list[Column]]] = {
    one.__name__: one
    for one in (hotel, staff, phone_customers, heart, readers_fr, pupils_pt, patients_cs,
                citizens_hu, clinic_id, staff_ja, club_it, voters_es)
}  # fmt: skip


def columns_of(domain: str) -> list[Column]:
    """Return the columns of a domain, the same ones each time."""
    chance.bit_generator.state = BEGINNING
    return DOMAINS[domain]()


def table_of(columns: Sequence[Column]) -> pl.DataFrame:
    """Return the table."""
    return pl.DataFrame({name: list(values) for name, values, _ in columns})
