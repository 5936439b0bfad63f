"""Wide made-up tables that were written after the rules stood.

A trial, a university, the discharges of a hospital, and a telephone company. The letters are
those of ``wide_tables``.
"""

from __future__ import annotations

from wide_tables import Columns, Maker


def trial(rows=1500, seed=21) -> Columns:
    """Participants of a clinical trial, with the names that such tables have."""
    m = Maker(rows, seed)
    return {
        "STUDYID": (["XK-204"] * rows, "N"),
        "USUBJID": ([f"XK-204-{n:05d}" for n in m.unique(1, 99_999)], "I"),
        "SUBJID": ([f"{n:05d}" for n in m.unique(1, 99_999)], "I"),
        "SITEID": (m.whole(101, 140), "QNU"),
        "INVNAM": (m.words(3, 40), "IQSU"),
        "BRTHDTC": (m.days("1935-01-01", 24000), "Q"),
        "AGE": (m.whole(18, 88), "Q"),
        "AGEU": (["YEARS"] * rows, "N"),
        "SEX": (m.pick("F", "M"), "Q"),
        "RACE": (m.pick("WHITE", "BLACK OR AFRICAN AMERICAN", "ASIAN", "OTHER"), "QS"),
        "ETHNIC": (m.pick("NOT HISPANIC OR LATINO", "HISPANIC OR LATINO", "UNKNOWN"), "QS"),
        "COUNTRY": (m.pick("USA", "DEU", "FRA", "POL"), "Q"),
        "RFSTDTC": (m.days("2019-03-01", 600), "Q"),
        "RFENDTC": (m.days("2020-03-01", 600), "Q"),
        "DTHDTC": (m.with_code(m.days("2020-03-01", 600), "", 0.95), "QSU"),
        "DTHFL": (m.with_code(["Y"] * rows, "", 0.95), "SU"),
        "ARM": (m.pick("Placebo", "Drug 10 mg", "Drug 20 mg"), "SU"),
        "ARMCD": (m.pick("P", "D10", "D20"), "SU"),
        "AETERM": (m.pick("HEADACHE", "NAUSEA", "FATIGUE", "RASH", "DIZZINESS"), "S"),
        "AESEV": (m.pick("MILD", "MODERATE", "SEVERE"), "S"),
        "AESER": (m.flag(0.05, "Y", "N"), "SU"),
        "MHTERM": (m.pick("HYPERTENSION", "DIABETES MELLITUS", "ASTHMA", "NONE"), "S"),
        "CMTRT": (m.pick("PARACETAMOL", "METFORMIN", "IBUPROFEN"), "S"),
        "HEIGHT_BL": (m.normal(170, 10, 0), "QS"),
        "WEIGHT_BL": (m.normal(77, 15, 1), "QS"),
        "SYSBP": (m.normal(128, 15, 0), "S"),
        "DIABP": (m.normal(80, 10, 0), "S"),
        "ALT_BL": (m.skewed(24, 0.4), "S"),
        "CREAT_BL": (m.normal(0.9, 0.2, 2), "S"),
        "ECOG": (m.whole(0, 2), "S"),
        "EQ5D_INDEX": (m.normal(0.8, 0.1, 3), "S"),
        "PREGFL": (m.flag(0.01, "Y", "N"), "S"),
        "SMOKSTAT": (m.pick("NEVER", "FORMER", "CURRENT"), "S"),
        "RANDNO": (m.unique(1000, 99_999), "I"),
        "COMPLFL": (m.flag(0.8, "Y", "N"), "SU"),
        "DCSREAS": (m.pick("COMPLETED", "ADVERSE EVENT", "WITHDRAWAL"), "SU"),
    }


def university(rows=1500, seed=22) -> Columns:
    """Applicants and students of a British university."""
    m = Maker(rows, seed)
    return {
        "ucas_pid": (m.unique(1_000_000_000, 1_999_999_999), "I"),
        "candidate_forenames": (m.words(2, 200), "I"),
        "candidate_family_name": (m.words(3, 700), "I"),
        "preferred_name": (m.with_code(m.words(2, 200), "", 0.5), "I"),
        "date_of_birth": (m.days("1998-01-01", 2500, "%d/%m/%Y"), "Q"),
        "legal_sex": (m.pick("F", "M"), "Q"),
        "gender_identity_same": (m.pick("Yes", "No", "Prefer not to say", p=[94, 2, 4]), "S"),
        "sexual_orientation": (m.pick("Heterosexual", "Bisexual", "Gay", "Refused"), "S"),
        "ethnic_origin": (m.pick("White", "Asian", "Black", "Mixed"), "QS"),
        "religion_or_belief": (m.pick("None", "Christian", "Muslim", "Hindu"), "S"),
        "home_postcode": (
            [f"LS{n} {k}AB" for n, k in zip(m.whole(1, 29), m.whole(1, 9), strict=True)],
            "Q",
        ),
        "domicile": (m.pick("England", "Wales", "Scotland", "Overseas"), "Q"),
        "fee_status": (m.pick("Home", "Overseas"), "QSU"),
        "polar4_quintile": (m.whole(1, 5), "QSU"),
        "imd_decile": (m.whole(1, 10), "QSU"),
        "free_school_meals": (m.flag(0.2), "SU"),
        "care_leaver": (m.flag(0.02), "S"),
        "disability_code": (m.pick("A", "B", "G", "D"), "S"),
        "parental_education": (m.pick("Yes", "No", "Don't know"), "QS"),
        "household_residual_income": (m.with_code(m.skewed(30000), 9999999, 0.2), "S"),
        "last_school_urn": (m.repeated(100_000, 149_999, 150), "QU"),
        "tariff_points": (m.whole(48, 168), "SQU"),
        "course_code": (m.pick("G400", "L100", "A100", "N200"), "QU"),
        "programme_title": (m.pick("Computer Science", "Economics", "Medicine", "Business"), "Q"),
        "mode_of_study": (m.pick("Full-time", "Part-time"), "Q"),
        "year_of_entry": (m.whole(2017, 2023), "QU"),
        "degree_classification": (m.pick("First", "2:1", "2:2", "Third"), "SQ"),
        "average_mark": (m.normal(62, 8, 1), "S"),
        "module_fails": (m.few(0.6), "S"),
        "attendance_pct": (m.normal(82, 10, 0), "SU"),
        "wellbeing_referral": (m.flag(0.08), "S"),
        "misconduct_case": (m.flag(0.03), "S"),
        "hardship_fund_award": (m.with_code(m.skewed(600), 0, 0.9), "S"),
        "tuition_debt": (m.with_code(m.skewed(1500), 0, 0.8), "S"),
        "term_time_address": (
            [f"{n} {w} Road" for n, w in zip(m.whole(1, 200), m.words(2, 150), strict=True)],
            "I",
        ),
        "mobile_no": ([f"07{n:09d}" for n in m.unique(100_000_000, 999_999_999)], "I"),
        "next_of_kin": (
            [f"{a} {b}" for a, b in zip(m.words(2, 200), m.words(3, 700), strict=True)],
            "I",
        ),
        "tutor_initials": (m.pick("AB", "CD", "EF", "GH"), "IQNU"),
        "library_card": ([f"L{n:07d}" for n in m.unique(1, 9_999_999)], "I"),
    }


def discharges(rows=1500, seed=23) -> Columns:
    """Discharges of a German hospital, in the words of its system."""
    m = Maker(rows, seed)
    return {
        "Fallnummer": (m.unique(1_000_000, 9_999_999), "I"),
        "Patientennummer": (m.repeated(100_000, 999_999, int(rows * 0.8)), "I"),
        "KV_Nummer": ([f"A{n:09d}" for n in m.unique(1, 999_999_999)], "I"),
        "Name_Patient": (m.words(3, 800), "I"),
        "Vorname_Patient": (m.words(2, 300), "I"),
        "Geb_Dat": (m.days("1930-01-01", 33000, "%d.%m.%Y"), "Q"),
        "Alter_in_Jahren": (m.whole(0, 99), "Q"),
        "Geschlecht": (m.pick("m", "w", "d", p=[49, 50, 1]), "Q"),
        "PLZ_Wohnort": ([f"89{n:03d}" for n in m.whole(70, 340)], "Q"),
        "Aufnahmedatum": (m.days("2021-01-01", 700), "Q"),
        "Aufnahmegrund": (m.pick("01", "02", "05"), "QSU"),
        "Aufnahmeanlass": (m.pick("E", "N", "Z"), "QSU"),
        "Entlassungsdatum": (m.days("2021-01-08", 700), "Q"),
        "Entlassungsgrund": (m.pick("011", "079", "021"), "QSU"),
        "Fachabteilung": (m.pick("0100", "1500", "2400", "2900"), "QSU"),
        "Verweildauer": (m.few(6), "QSU"),
        "Hauptdiagnose": (m.icd(), "S"),
        "Nebendiagnosen_Anzahl": (m.few(4), "S"),
        "OPS_1": (m.pick("5-470.0", "8-930", "1-632", "3-200"), "S"),
        "DRG": (m.pick("F62B", "G67A", "I47B", "O60C"), "S"),
        "CMI": (m.normal(1.1, 0.4, 3), "SU"),
        "Beatmungsstunden": (m.with_code(m.few(10), 0, 0.9), "S"),
        "Intensivtage": (m.few(0.4), "S"),
        "Aufnahmegewicht": (m.with_code(m.normal(3400, 500, 0), "", 0.9), "SQ"),
        "Kostentraeger": (m.pick("AOK", "TK", "BARMER", "PKV"), "QU"),
        "Zuzahlung_offen": (m.flag(0.2, "J", "N"), "SU"),
        "Pflegegrad": (m.whole(0, 5), "S"),
        "Laktat": (m.normal(1.4, 0.5, 1), "S"),
        "Raucherstatus": (m.pick("nie", "früher", "aktuell", "unbekannt"), "S"),
        "Alkoholkonsum": (m.pick("kein", "gelegentlich", "täglich"), "S"),
        "Betreuung_gesetzlich": (m.flag(0.06, "ja", "nein"), "S"),
        "Hausarzt": (m.words(3, 60), "IQSU"),
        "Angehoerige_Telefon": ([f"0731 {n:06d}" for n in m.unique(1, 999_999)], "I"),
        "Epikrise": (m.sentences(14), "I"),
        "Station_Entlassung": (m.pick("A1", "B2", "C3", "ITS"), "QSU"),
        "Wiederkehrer_30T": (m.flag(0.1, "1", "0"), "SU"),
    }


def telephone(rows=1500, seed=24) -> Columns:
    """Customers of a telephone company."""
    m = Maker(rows, seed)
    return {
        "msisdn": ([f"4477{n:08d}" for n in m.unique(1, 99_999_999)], "I"),
        "imsi": ([f"23410{n:010d}" for n in m.unique(1, 9_999_999_999)], "I"),
        "account_ref": ([f"AC{n:08d}" for n in m.unique(1, 99_999_999)], "I"),
        "subscriber_surname": (m.words(3, 800), "I"),
        "senior_citizen": (m.whole(0, 1), "Q"),
        "gender": (m.pick("Male", "Female"), "Q"),
        "partner": (m.flag(0.5), "QSU"),
        "dependents": (m.flag(0.3), "Q"),
        "tenure_months": (m.whole(0, 72), "QU"),
        "phone_service": (m.flag(0.9), "QNU"),
        "multiple_lines": (m.flag(0.4), "QNU"),
        "internet_service": (m.pick("DSL", "Fiber optic", "No"), "QNU"),
        "contract_type": (m.pick("Month-to-month", "One year", "Two year"), "QNU"),
        "paperless_billing": (m.flag(0.6), "QNU"),
        "payment_method": (m.pick("Electronic check", "Mailed check", "Credit card"), "QSU"),
        "monthly_charges": (m.normal(65, 20, 2), "SQU"),
        "total_charges": (m.skewed(1500, 0.8, 2), "SQU"),
        "churned": (m.flag(0.27), "SU"),
        "city": (m.words(2, 60), "Q"),
        "postal_area": (m.pick("LS", "BD", "HX", "WF"), "Q"),
        "device_imei": ([f"35{n:013d}" for n in m.unique(1, 9_999_999_999_999)], "I"),
        "handset_model": (m.pick("A12", "S21", "iPhone", "P30"), "QNU"),
        "last_cell_lat": (m.normal(53.8, 0.1, 5), "Q"),
        "last_cell_lon": (m.normal(1.5, 0.1, 5), "Q"),
        "calls_to_helplines": (m.few(0.2), "S"),
        "late_payments_12m": (m.few(0.5), "S"),
        "credit_score_band": (m.pick("A", "B", "C", "D"), "S"),
        "collections_flag": (m.flag(0.05), "SU"),
        "vulnerable_customer": (m.flag(0.04), "S"),
        "bereavement_note": (m.flag(0.01), "S"),
        "marketing_segment": (m.pick("Urban young", "Family", "Silver"), "QNSU"),
        "web_cookie": ([f"{n:032x}" for n in m.unique(10**12, 10**15)], "I"),
        "signup_ts": (m.days("2015-01-01", 2500, "%Y-%m-%d %H:%M:%S"), "Q"),
        "nps_score": (m.with_code(m.whole(0, 10), -1, 0.5), "SU"),
    }


LATER = {"trial": trial, "university": university, "discharges": discharges, "telephone": telephone}
