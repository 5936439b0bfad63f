"""Wide made-up tables of five characters, with the roles that a careful person gives their columns.

A column's role is a text of letters: I identifier, Q quasi-identifier, S sensitive, N insensitive.
Two letters mean that careful people differ. U means that only a person who knows the table can
tell. ``undecided`` is never wrong, except for identifiers.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

Columns = dict[str, tuple[Sequence, str]]
SYLLABLES = [
    "ba",
    "del",
    "fin",
    "gor",
    "hal",
    "ima",
    "jor",
    "kel",
    "lin",
    "mar",
    "nor",
    "osa",
    "pel",
    "rin",
    "sol",
    "tam",
    "ur",
    "ven",
    "wil",
    "yel",
]


class Maker:
    """Draws the cells of a table; nobody in it exists."""

    def __init__(self, rows: int, seed: int):
        self.rows = rows
        self.chance = np.random.default_rng(seed)

    def pick(self, *values, p=None):
        """Draw words, the first ones more often unless shares are given."""
        weights = np.array(p) if p is not None else 1.0 / np.arange(1, len(values) + 1)
        return [
            values[i] for i in self.chance.choice(len(values), self.rows, p=weights / weights.sum())
        ]

    def whole(self, low, high):
        return self.chance.integers(low, high + 1, self.rows).tolist()

    def normal(self, mean, deviation, digits=1, least=0.0):
        drawn = np.maximum(self.chance.normal(mean, deviation, self.rows), least)
        return np.round(drawn, digits).tolist() if digits else np.round(drawn).astype(int).tolist()

    def skewed(self, middle, spread=0.8, digits=0):
        drawn = np.exp(self.chance.normal(np.log(middle), spread, self.rows))
        return np.round(drawn, digits).tolist() if digits else np.round(drawn).astype(int).tolist()

    def few(self, mean):
        return self.chance.poisson(mean, self.rows).tolist()

    def unique(self, low, high):
        return (low + self.chance.choice(high - low, self.rows, replace=False)).tolist()

    def repeated(self, low, high, people):
        numbers = low + self.chance.choice(high - low, people, replace=False)
        return self.chance.choice(numbers, self.rows).tolist()

    def words(self, count, most):
        """Draw names from a list of ``most`` made-up ones."""
        drawn = self.chance.integers(0, len(SYLLABLES), (most, count))
        names = ["".join(SYLLABLES[i] for i in row).capitalize() for row in drawn.tolist()]
        return [names[i] for i in self.chance.integers(0, most, self.rows)]

    def days(self, first, span, form="%Y-%m-%d"):
        start = dt.datetime.fromisoformat(first)
        minutes = self.chance.integers(0, span * 1440, self.rows)
        return [(start + dt.timedelta(minutes=int(m))).strftime(form) for m in minutes]

    def sentences(self, count):
        drawn = self.chance.integers(0, len(SYLLABLES), (self.rows, count, 2))
        return [" ".join(SYLLABLES[a] + SYLLABLES[b] for a, b in row) for row in drawn.tolist()]

    def with_code(self, values, code, share=0.05):
        """Write a share of the cells as a code for a missing value."""
        gone = self.chance.random(self.rows) < share
        return [code if is_gone else value for value, is_gone in zip(values, gone, strict=True)]

    def icd(self):
        codes = [
            f"{letter}{number:02d}" for letter in "ABCDEFGHIJKMN" for number in (3, 11, 25, 50, 78)
        ]
        detailed = [code if i % 2 else f"{code}.{i % 10}" for i, code in enumerate(codes)]
        return self.pick(*detailed)

    def icd9(self):
        return self.pick(
            "250.01",
            "428",
            "414",
            "786",
            "V57",
            "427",
            "401",
            "E885",
            "715",
            "996",
            "250.6",
            "486",
            "038",
            "491",
        )

    def flag(self, share=0.2, yes="Yes", no="No"):
        return self.pick(yes, no, p=[share, 1 - share])


def hospital(rows=3000, seed=11) -> Columns:
    """Encounters of a hospital: several of a patient, codes, drugs, laboratory values."""
    m = Maker(rows, seed)
    drugs = (
        "metformin",
        "repaglinide",
        "glimepiride",
        "pioglitazone",
        "acarbose",
        "glipizide-metformin",
    )
    return {
        "encounter_id": (m.unique(10_000, 9_000_000), "I"),
        "patient_nbr": (m.repeated(1000, 900_000, int(rows * 0.7)), "I"),
        "race": (
            m.with_code(m.pick("Caucasian", "AfricanAmerican", "Hispanic", "Asian", "Other"), "?"),
            "QS",
        ),
        "gender": (m.pick("Female", "Male", "Unknown/Invalid", p=[0.53, 0.46, 0.01]), "Q"),
        "age": (
            m.pick(
                *[f"[{a}-{a + 10})" for a in range(0, 100, 10)],
                p=[1, 1, 2, 4, 9, 17, 22, 25, 16, 3],
            ),
            "Q",
        ),
        "weight": (m.with_code(m.pick("[50-75)", "[75-100)", "[100-125)"), "?", 0.95), "QS"),
        "birth_dt": (m.days("1925-01-01", 32000), "Q"),
        "zip3": (m.pick("021", "100", "303", "606", "770", "941"), "Q"),
        "admission_type_id": (m.whole(1, 8), "QSU"),
        "discharge_code": (m.whole(1, 28), "QSU"),
        "admission_source_id": (m.whole(1, 20), "QSU"),
        "admit_date": (m.days("2019-01-01", 1500), "Q"),
        "time_in_hospital": (m.whole(1, 14), "QSU"),
        "payer_code": (m.with_code(m.pick("MC", "HM", "SP", "BC", "MD"), "?", 0.4), "QSU"),
        "medical_specialty": (
            m.with_code(
                m.pick("InternalMedicine", "Cardiology", "Surgery", "Oncology", "Psychiatry"),
                "?",
                0.5,
            ),
            "QSU",
        ),
        "num_lab_procedures": (m.whole(1, 118), "SU"),
        "num_procedures": (m.whole(0, 6), "SU"),
        "num_medications": (m.whole(1, 70), "SU"),
        "number_outpatient": (m.few(0.4), "SQU"),
        "number_emergency": (m.few(0.2), "SQU"),
        "diag_1": (m.icd9(), "S"),
        "diag_2": (m.with_code(m.icd9(), "?"), "S"),
        "primary_dx": (m.icd(), "S"),
        "number_diagnoses": (m.whole(1, 16), "S"),
        "max_glu_serum": (m.pick("None", "Norm", ">200", ">300", p=[94, 3, 2, 1]), "S"),
        "A1Cresult": (m.pick("None", "Norm", ">7", ">8", p=[83, 5, 4, 8]), "S"),
        **{drug: (m.pick("No", "Steady", "Up", "Down", p=[80, 15, 3, 2]), "S") for drug in drugs},
        "insulin": (m.pick("No", "Steady", "Up", "Down"), "S"),
        "change": (m.flag(0.46, "Ch", "No"), "SU"),
        "diabetesMed": (m.flag(0.77), "S"),
        "readmitted": (m.pick("NO", ">30", "<30"), "S"),
        "hiv_status": (m.flag(0.01, "positive", "negative"), "S"),
        "bp_systolic": (m.normal(128, 18, 0), "S"),
        "attending_npi": (m.repeated(1_000_000_000, 1_999_999_999, 80), "IQSU"),
        "ward": (m.pick("W1", "W2", "W3", "ICU"), "QSU"),
        "clinical_notes": (m.sentences(12), "I"),
        "source_system": (["HIS2"] * rows, "N"),
    }


def survey(rows=3000, seed=12) -> Columns:
    """A health survey: weights of the sample, codes for answers, questions about private things."""
    m = Maker(rows, seed)
    return {
        "SEQN": (list(range(51624, 51624 + rows)), "I"),
        "SurveyYr": (m.pick("2009_10", "2011_12"), "QNU"),
        "WTMEC2YR": (m.skewed(20000, 0.7, 6), "U"),
        "WTINT2YR": (m.skewed(20000, 0.7, 6), "U"),
        "SDMVPSU": (m.whole(1, 3), "U"),
        "SDMVSTRA": (m.whole(75, 103), "U"),
        "Gender": (m.whole(1, 2), "Q"),
        "AgeYears": (m.whole(0, 80), "Q"),
        "AgeMonths": (m.with_code(m.whole(0, 959), -8, 0.4), "Q"),
        "AgeDecade": (
            m.pick(" 0-9", " 10-19", " 20-29", " 30-39", " 40-49", " 50-59", " 60-69", " 70+"),
            "Q",
        ),
        "Race1": (m.whole(1, 5), "QS"),
        "Education": (
            m.with_code(
                m.pick(
                    "8th Grade", "9 - 11th Grade", "High School", "Some College", "College Grad"
                ),
                "-8",
            ),
            "Q",
        ),
        "MaritalStatus": (m.with_code(m.whole(1, 6), -8), "Q"),
        "HHIncome": (
            m.with_code(
                m.pick(
                    " 0-4999",
                    " 5000-9999",
                    "25000-34999",
                    "35000-44999",
                    "75000-99999",
                    "more 99999",
                ),
                "-8",
            ),
            "S",
        ),
        "HHIncomeMid": (m.with_code(m.pick(2500, 7500, 30000, 40000, 87500, 100000), -8), "S"),
        "Poverty": (m.with_code(m.normal(2.8, 1.5, 2), -8), "S"),
        "HomeRooms": (m.whole(1, 13), "QU"),
        "HomeOwn": (m.pick("Own", "Rent", "Other"), "QSU"),
        "Work": (m.pick("Working", "NotWorking", "Looking"), "QS"),
        "Weight": (m.with_code(m.normal(76, 20), -8, 0.02), "QS"),
        "Height": (m.with_code(m.normal(168, 10), -8, 0.03), "QS"),
        "BMI": (m.with_code(m.normal(27, 6, 2, 12.0), -8, 0.03), "QS"),
        "Pulse": (m.with_code(m.normal(73, 12, 0), -8), "S"),
        "BPSysAve": (m.with_code(m.normal(120, 17, 0), -8), "S"),
        "Testosterone": (m.with_code(m.skewed(150, 1, 2), -8, 0.5), "S"),
        "TotChol": (m.normal(4.9, 1, 2), "S"),
        "Diabetes": (m.flag(0.07), "S"),
        "DiabetesAge": (m.with_code(m.whole(1, 80), -8, 0.93), "S"),
        "HealthGen": (m.whole(1, 5), "S"),
        "LittleInterest": (m.pick("None", "Several", "Most"), "S"),
        "Depressed": (m.pick("None", "Several", "Most"), "S"),
        "nBabies": (m.with_code(m.few(2), -8, 0.6), "SQ"),
        "Age1stBaby": (m.with_code(m.whole(15, 39), -8, 0.7), "SQ"),
        "SleepHrsNight": (m.whole(3, 12), "SU"),
        "PhysActive": (m.flag(0.5), "SQU"),
        "Alcohol12PlusYr": (m.flag(0.8), "S"),
        "Smoke100": (m.flag(0.4), "S"),
        "Marijuana": (m.flag(0.5), "S"),
        "HardDrugs": (m.flag(0.15), "S"),
        "SexEver": (m.flag(0.96), "S"),
        "SexAge": (m.with_code(m.whole(12, 40), -8, 0.3), "S"),
        "SameSex": (m.flag(0.07), "S"),
        "SexNumPartnLife": (m.with_code(m.few(8), 9999, 0.02), "S"),
        "SexOrientation": (m.pick("Heterosexual", "Bisexual", "Homosexual", p=[95, 3, 2]), "S"),
        "PregnantNow": (m.flag(0.03), "S"),
        "InterviewLang": (m.pick("English", "Spanish"), "QU"),
        "q17b": (m.whole(1, 4), "U"),
    }


def court(rows=3000, seed=13) -> Columns:
    """Records of a criminal court: names, case numbers, charges, scores of an assessment."""
    m = Maker(rows, seed)
    first, last = m.words(2, 300), m.words(3, 900)
    age = m.whole(18, 80)
    return {
        "id": (list(range(1, rows + 1)), "I"),
        "name": ([f"{a} {b}".lower() for a, b in zip(first, last, strict=True)], "I"),
        "first": (first, "I"),
        "last": (last, "I"),
        "compas_screening_date": (m.days("2013-01-01", 700), "Q"),
        "sex": (m.pick("Male", "Female", p=[0.8, 0.2]), "Q"),
        "dob": (m.days("1940-01-01", 20000), "Q"),
        "age": (age, "Q"),
        "age_cat": (
            [
                "Less than 25" if a < 25 else "25 - 45" if a <= 45 else "Greater than 45"
                for a in age
            ],
            "Q",
        ),
        "race": (m.pick("African-American", "Caucasian", "Hispanic", "Other", "Asian"), "QS"),
        "juv_fel_count": (m.few(0.1), "S"),
        "juv_misd_count": (m.few(0.1), "S"),
        "priors_count": (m.few(3), "S"),
        "decile_score": (m.whole(1, 10), "S"),
        "score_text": (m.pick("Low", "Medium", "High"), "S"),
        "days_b_screening_arrest": (m.normal(0, 30, 0, -600), "SQU"),
        "c_jail_in": (m.days("2013-01-01", 700, "%Y-%m-%d %H:%M:%S"), "QS"),
        "c_jail_out": (m.days("2013-02-01", 700, "%Y-%m-%d %H:%M:%S"), "QS"),
        "c_case_number": ([f"13{n:06d}CF10A" for n in m.unique(1, 999_999)], "I"),
        "c_offense_date": (m.days("2013-01-01", 700), "QS"),
        "c_charge_degree": (m.pick("F", "M"), "S"),
        "c_charge_desc": (
            m.pick(
                "Battery",
                "Grand Theft",
                "Driving Under The Influence",
                "Possession of Cocaine",
                "Felony Petit Theft",
            ),
            "S",
        ),
        "is_recid": (m.whole(0, 1), "S"),
        "r_case_number": ([f"14{n:06d}MM20A" for n in m.unique(1, 999_999)], "I"),
        "r_offense_date": (m.with_code(m.days("2014-01-01", 700), "", 0.5), "QS"),
        "is_violent_recid": (m.whole(0, 1), "S"),
        "v_decile_score": (m.whole(1, 10), "S"),
        "plea": (m.pick("guilty", "not guilty", "no contest"), "S"),
        "sentence_months": (m.few(9), "S"),
        "bail_amount": (m.skewed(2000), "S"),
        "defendant_ssn": (
            [
                f"{a:03d}-{b:02d}-{c:04d}"
                for a, b, c in zip(m.whole(1, 899), m.whole(1, 99), m.whole(1, 9999), strict=True)
            ],
            "I",
        ),
        "home_address": (
            [f"{n} {w} St" for n, w in zip(m.whole(1, 999), m.words(2, 200), strict=True)],
            "I",
        ),
        "zip_code": ([f"33{n:03d}" for n in m.whole(0, 120)], "Q"),
        "marital_status": (m.pick("Single", "Married", "Divorced", "Widowed"), "Q"),
        "custody_status": (m.pick("Pretrial Defendant", "Probation", "Jail Inmate"), "S"),
        "judge_code": (m.whole(1, 25), "QNU"),
        "event": (m.whole(0, 1), "SU"),
        "two_year_recid": (m.whole(0, 1), "S"),
        "start": (m.whole(0, 900), "QSU"),
    }


def bank(rows=3000, seed=14) -> Columns:
    """Marketing by a bank: customers, calls, indicators of the economy."""
    m = Maker(rows, seed)
    letters = "GB"

    def iban(number: int) -> str:
        body = f"WEST{number:014d}"
        digits = "".join(str(int(c, 36)) for c in f"{body}{letters}00")
        return f"{letters}{98 - int(digits) % 97:02d}{body}"

    return {
        "CustomerID": (m.unique(100_000, 999_999), "I"),
        "iban": ([iban(n) for n in m.unique(1, 99_999_999)], "I"),
        "contact_email": (
            [
                f"{a}{n}@example.org".lower()
                for a, n in zip(m.words(3, 3000), m.whole(1, 99), strict=True)
            ],
            "I",
        ),
        "tel": (
            [
                f"+44 20 {a:04d} {b:04d}"
                for a, b in zip(m.whole(0, 9999), m.whole(0, 9999), strict=True)
            ],
            "I",
        ),
        "age": (m.whole(18, 95), "Q"),
        "job": (
            m.pick(
                "blue-collar",
                "management",
                "technician",
                "admin.",
                "services",
                "retired",
                "student",
                "unknown",
            ),
            "Q",
        ),
        "marital": (m.pick("married", "single", "divorced"), "Q"),
        "education": (m.pick("secondary", "tertiary", "primary", "unknown"), "Q"),
        "default": (m.flag(0.02, "yes", "no"), "S"),
        "balance": (m.normal(1400, 3000, 0, -8000), "S"),
        "housing": (m.flag(0.55, "yes", "no"), "QSU"),
        "loan": (m.flag(0.16, "yes", "no"), "S"),
        "contact": (m.pick("cellular", "telephone", "unknown"), "NU"),
        "day": (m.whole(1, 31), "QNU"),
        "month": (m.pick("may", "jul", "aug", "jun", "nov", "apr"), "QNU"),
        "duration": (m.skewed(180), "NSU"),
        "campaign": (m.few(2), "NU"),
        "pdays": (m.with_code(m.whole(1, 400), 999, 0.8), "NU"),
        "previous": (m.few(0.5), "NU"),
        "poutcome": (m.pick("unknown", "failure", "other", "success"), "NSU"),
        "emp.var.rate": (m.pick(1.1, 1.4, -1.8, -0.1), "NU"),
        "cons.price.idx": (m.pick(93.994, 94.465, 92.893), "NU"),
        "euribor3m": (m.pick(4.857, 4.962, 1.299, 0.7), "NU"),
        "nr.employed": (m.pick(5191.0, 5228.1, 5099.1), "NU"),
        "y": (m.flag(0.11, "yes", "no"), "SU"),
        "credit_history": (m.pick("paid", "delay", "critical"), "S"),
        "credit_amount": (m.skewed(2500), "S"),
        "savings": (m.pick("<100", "100-500", "500-1000", ">=1000"), "S"),
        "employment_since": (m.pick("<1", "1-4", "4-7", ">=7"), "Q"),
        "installment_rate": (m.whole(1, 4), "S"),
        "personal_status_sex": (m.pick("A91", "A92", "A93", "A94"), "QS"),
        "residence_since": (m.whole(1, 4), "Q"),
        "property": (m.pick("real estate", "car", "none"), "SQU"),
        "telephone": (m.pick("none", "yes, registered under the customers name"), "NQU"),
        "foreign_worker": (m.flag(0.96, "yes", "no"), "QS"),
        "people_liable": (m.whole(1, 2), "QS"),
        "annual_income": (m.with_code(m.skewed(42000), 9999, 0.03), "S"),
        "postcode": (
            m.pick("SW1A 1AA", "M1 1AE", "B33 8TH", "CR2 6XH", "DN55 1PT", "EC1A 1BB"),
            "Q",
        ),
        "branch_id": (m.whole(1, 40), "QNU"),
        "risk_class": (m.pick("A", "B", "C"), "S"),
    }


def poland(rows=3000, seed=15) -> Columns:
    """A social survey in Poland: names in Polish, some without vowels, codes for no answer."""
    m = Maker(rows, seed)
    provinces = (
        "mazowieckie",
        "slaskie",
        "wielkopolskie",
        "dolnoslaskie",
        "opolskie",
        "lubuskie",
        "podlaskie",
    )
    return {
        "nr_ankiety": (m.unique(1, 50_000), "I"),
        "pesel": ([pesel(m.chance) for _ in range(rows)], "I"),
        "imie": (m.words(2, 200), "I"),
        "nazwisko": (m.words(3, 1500), "I"),
        "plec": (m.pick("KOBIETA", "MEZCZYZNA"), "Q"),
        "wiek": (m.whole(16, 97), "Q"),
        "agegr": (m.pick("16-24", "25-34", "35-44", "45-59", "60-64", "65+"), "Q"),
        "rok_urodzenia": (m.whole(1915, 1999), "Q"),
        "wojewodztwo": (m.pick(*provinces), "Q"),
        "kod_pocztowy": (
            [f"{a:02d}-{b:03d}" for a, b in zip(m.whole(0, 99), m.whole(1, 30), strict=True)],
            "Q",
        ),
        "klasa_miejscowosci": (m.whole(1, 6), "Q"),
        "wyksztalcenie": (m.pick("PODSTAWOWE", "ZAWODOWE", "SREDNIE", "WYZSZE"), "Q"),
        "eduspec": (m.with_code(m.whole(1, 27), -8), "Q"),
        "stan_cywilny": (
            m.pick("KAWALER/PANNA", "ZONATY/MEZATKA", "WDOWIEC/WDOWA", "ROZWIEDZIONY/A"),
            "Q",
        ),
        "liczba_dzieci": (m.few(1.5), "Q"),
        "socprof": (m.pick("EMPLOYED", "RETIRED", "PUPIL", "FARMER", "UNEMPLOYED"), "QS"),
        "unempdur": (m.with_code(m.whole(0, 48), -8, 0.7), "SQ"),
        "income": (m.with_code(m.skewed(1500), -8, 0.14), "S"),
        "dochod_gosp": (m.skewed(3000), "S"),
        "mmarr": (m.with_code(m.whole(1, 12), -8, 0.3), "Q"),
        "ymarr": (m.with_code(m.whole(1937, 2011), -8, 0.3), "Q"),
        "ls": (m.pick("PLEASED", "MOSTLY SATISFIED", "MIXED", "DELIGHTED", "UNHAPPY"), "SU"),
        "depress": (m.with_code(m.whole(0, 21), -8), "S"),
        "trust": (
            m.pick("MOST PEOPLE CAN BE TRUSTED", "ONE CAN`T BE TOO CAREFUL", "DIFFICULT"),
            "SU",
        ),
        "sport": (m.flag(0.4, "YES", "NO"), "SU"),
        "nofriend": (m.with_code(m.few(6), -8), "SU"),
        "smoke": (m.flag(0.26, "YES", "NO"), "S"),
        "nociga": (m.with_code(m.few(15), -8, 0.74), "S"),
        "alcabuse": (m.flag(0.06, "YES", "NO"), "S"),
        "workab": (m.flag(0.09, "YES", "NO"), "QSU"),
        "wkabdur": (m.with_code(m.whole(1, 90), -8, 0.97), "QSU"),
        "englang": (m.pick("NONE", "PASSIVE", "ACTIVE"), "QU"),
        "wzrost": (m.normal(169, 9, 0), "QS"),
        "waga": (m.normal(74, 14, 0), "QS"),
        "bmi": (m.normal(26, 4, 2), "QS"),
        "waga_analityczna": (m.skewed(1.0, 0.4, 6), "U"),
        "wyznanie": (m.pick("rzymskokatolickie", "brak", "prawoslawne"), "S"),
        "poglady_polityczne": (m.with_code(m.whole(1, 7), 99, 0.2), "S"),
        "glosowanie_2011": (m.pick("PO", "PIS", "SLD", "PSL", "nie glosowal"), "S"),
        "stan_zdrowia": (m.whole(1, 5), "S"),
        "niepelnosprawnosc": (m.flag(0.12, "TAK", "NIE"), "S"),
        "bezrobotny": (m.flag(0.1, "TAK", "NIE"), "SQ"),
        "p64": (m.whole(1, 7), "U"),
    }


def pesel(chance: np.random.Generator) -> str:
    """Make up a Polish national number with a right check digit."""
    year, month, day = chance.integers(30, 99), chance.integers(1, 13), chance.integers(1, 29)
    text = f"{year:02d}{month:02d}{day:02d}{chance.integers(0, 10_000):04d}"
    total = sum(int(d) * w for d, w in zip(text, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3), strict=True))
    return f"{text}{-total % 10}"


TABLES: dict[str, Callable[..., Columns]] = {
    "hospital": hospital, "survey": survey, "court": court, "bank": bank, "poland": poland,
}  # fmt: skip
LETTERS = {"identifier": "I", "quasi-identifier": "Q", "sensitive": "S", "insensitive": "N"}


def frame_of(columns: Columns) -> pl.DataFrame:
    """Read the cells as a text file has them, with the types that are found in it."""
    cells = {name: [str(value) for value in values] for name, (values, _) in columns.items()}
    return pl.DataFrame(cells)


def write_table(columns: Columns, path) -> None:
    """Write a table as CSV."""
    frame_of(columns).write_csv(path)


def judged(columns: Columns, roles: dict[str, str]) -> dict[str, list[str]]:
    """Sort the columns into right, undecided, wrong, and identifiers that were missed."""
    found: dict[str, list[str]] = {"right": [], "undecided": [], "wrong": [], "missed": []}
    for name, (_, accepted) in columns.items():
        letter = LETTERS.get(roles[name])
        if accepted == "I" and letter != "I":
            found["missed"].append(name)
        elif letter is None:
            found["undecided"].append(name)
        else:
            found["right" if letter in accepted else "wrong"].append(
                f"{name}: {roles[name]}" if letter not in accepted else name
            )
    return found
