"""Wide made-up tables for blind rounds: the roles were marked before a draft was made.

The first drafts, before the rules learned from the tables:

- pupils of a French school: 42 columns, 17 right, 25 undecided;
- stops by the police of an American city: 44 columns, 25 right, 19 undecided;
- then, with more words, the payroll of a company: 42 columns, 21 right, 20 undecided, 1 wrong
  (``STD_HRS`` was taken for a disease), and the claims of a German motor insurer: 42 columns,
  22 right, 20 undecided.

No identifier was missed. The letters are those of ``wide_tables``.
"""

from __future__ import annotations

from wide_tables import Columns, Maker


def pupils(rows=1500, seed=31) -> Columns:
    """Pupils of the schools of a French district, with marks, aid, health and sanctions."""
    m = Maker(rows, seed)
    return {
        "INE": ([f"{n:010d}{'ABCDEFGHK'[n % 9]}" for n in m.unique(1, 999_999_999)], "I"),
        "Nom_eleve": (m.words(3, 800), "I"),
        "Prenom_eleve": (m.words(2, 300), "I"),
        "DateNaiss": (m.days("2005-01-01", 2600, "%d/%m/%Y"), "Q"),
        "CommuneNaiss": (m.words(2, 120), "Q"),
        "Sexe": (m.pick("F", "M"), "Q"),
        "Nationalite": (m.pick("française", "algérienne", "portugaise", "turque"), "Q"),
        "CP_resp_legal": ([f"69{n:03d}" for n in m.whole(1, 140)], "Q"),
        "Adresse_resp_legal": (
            [f"{n} rue {w}" for n, w in zip(m.whole(1, 180), m.words(2, 220), strict=True)],
            "I",
        ),
        "Tel_resp_legal": ([f"06{n:08d}" for n in m.unique(1, 99_999_999)], "I"),
        "Courriel_resp": (
            [
                f"{w}{n}@exemple.fr".lower()
                for w, n in zip(m.words(2, 300), m.unique(1, 99_999), strict=True)
            ],
            "I",
        ),
        "PCS_pere": (m.with_code(m.pick(37, 38, 46, 54, 62, 67), 99, 0.08), "QSU"),
        "PCS_mere": (m.with_code(m.pick(37, 38, 46, 54, 62, 67), 99, 0.08), "QSU"),
        "Nb_freres_soeurs": (m.few(1.4), "Q"),
        "Situation_familiale": (m.pick("mariés", "séparés", "monoparentale", "NR"), "QS"),
        "Etablissement_UAI": (
            [f"069{n:04d}{'ABCDE'[n % 5]}" for n in m.repeated(1000, 9999, 40)],
            "QU",
        ),
        "Niveau": (m.pick("6e", "5e", "4e", "3e"), "QU"),
        "Classe": (m.pick("A", "B", "C", "D", "E"), "QU"),
        "LV1": (m.pick("anglais", "allemand"), "QNU"),
        "LV2": (m.pick("espagnol", "allemand", "italien", "sans objet"), "QNU"),
        "Option_latin": (m.flag(0.15, "O", "N"), "QNU"),
        "Regime": (m.pick("demi-pensionnaire", "externe", "interne"), "QNU"),
        "Boursier": (m.flag(0.25, "O", "N"), "SU"),
        "Echelon_bourse": (m.with_code(m.whole(1, 3), "", 0.75), "SU"),
        "Quotient_familial": (m.with_code(m.skewed(900), 9999, 0.05), "S"),
        "Moyenne_francais": (m.normal(12, 3, 2), "SU"),
        "Moyenne_maths": (m.normal(11.5, 3.4, 2), "SU"),
        "Redoublement": (m.flag(0.06, "1", "0"), "SU"),
        "Nb_absences_inj": (m.few(2.2), "SU"),
        "Nb_sanctions": (m.few(0.3), "S"),
        "Motif_exclusion": (m.with_code(m.pick("violence", "insulte", "vol"), "", 0.94), "S"),
        "PAI_allergie": (m.flag(0.05, "O", "N"), "S"),
        "Dys": (m.with_code(m.pick("lexie", "praxie", "calculie"), "aucun", 0.9), "S"),
        "Notif_MDPH": (m.flag(0.04, "O", "N"), "S"),
        "AESH_heures": (m.with_code(m.pick(6, 9, 12), 0, 0.95), "SU"),
        "Vaccin_ROR": (m.pick("complet", "incomplet", "inconnu"), "S"),
        "IMC": (m.normal(19, 3, 1), "SQ"),
        "Info_preoccupante": (m.flag(0.02, "O", "N"), "SU"),
        "Observations_CPE": (m.sentences(11), "I"),
        "Num_carte_cantine": (m.unique(10_000, 99_999), "I"),
        "Date_inscription": (m.days("2018-06-01", 1800, "%d/%m/%Y"), "Q"),
        "annee_scolaire": (["2022-2023"] * rows, "N"),
    }


def stops(rows=1500, seed=32) -> Columns:
    """Stops of drivers by the police of an American city, with searches and outcomes."""
    m = Maker(rows, seed)
    return {
        "raw_row_number": ([str(n) for n in range(1, rows + 1)], "I"),
        "stop_uuid": ([f"{n:08x}-5b1d-4f00-9c3e-{n * 7:012x}" for n in m.unique(1, 2**31)], "I"),
        "stop_dt": (m.days("2019-01-01", 900), "Q"),
        "stop_tm": (m.days("2019-01-01", 900, "%H:%M"), "QU"),
        "beat": (m.whole(111, 134), "QU"),
        "district": (m.pick("A", "B", "C", "D"), "Q"),
        "intersection": (
            [f"{a} St & {b} Ave" for a, b in zip(m.words(2, 90), m.words(2, 60), strict=True)],
            "QIU",
        ),
        "lat": (m.normal(41.88, 0.05, 6), "Q"),
        "lng": ([-one for one in m.normal(87.6, 0.05, 6)], "Q"),
        "officer_id_hash": ([f"{n:010x}" for n in m.repeated(1, 2**35, 90)], "IQU"),
        "officer_yrs_of_svc": (m.whole(0, 30), "QNU"),
        "officer_race": (m.pick("white", "black", "hispanic"), "QSNU"),
        "driver_last": (m.words(3, 900), "I"),
        "driver_frst": (m.words(2, 300), "I"),
        "driver_mi": (m.with_code(m.pick(*"JAMRLCD"), "", 0.3), "IQU"),
        "dl_num": ([f"D{n:011d}" for n in m.unique(1, 99_999_999_999)], "I"),
        "dl_state": (m.pick("IL", "IN", "WI", "MI"), "Q"),
        "subj_dob": (m.days("1940-01-01", 23000, "%m/%d/%Y"), "Q"),
        "subj_age": (m.with_code(m.whole(16, 84), 999, 0.04), "Q"),
        "subj_sex": (m.pick("M", "F", "U", p=[66, 32, 2]), "Q"),
        "subj_race": (m.pick("B", "W", "H", "A", "UNK"), "QS"),
        "subj_hgt": (m.normal(68, 4, 0), "Q"),
        "subj_wgt": (m.normal(170, 32, 0), "Q"),
        "eye_clr": (m.pick("BRO", "BLU", "HAZ", "GRN", "XXX"), "Q"),
        "subj_res_zip": ([f"606{n:02d}" for n in m.whole(1, 60)], "Q"),
        "veh_plate": (
            [f"{'ABCDEFGH'[n % 8]}{'KLMNP'[n % 5]} {n:05d}" for n in m.unique(10_000, 99_999)],
            "I",
        ),
        "veh_vin": ([f"1FTFW1ET{n:09d}" for n in m.unique(1, 999_999_999)], "I"),
        "veh_make": (m.pick("FORD", "CHEV", "TOYT", "HOND", "NISS"), "Q"),
        "veh_yr": (m.whole(1995, 2021), "Q"),
        "reason_for_stop": (m.pick("speeding", "equipment", "registration", "BOLO"), "SU"),
        "search_conducted": (m.flag(0.07, "TRUE", "FALSE"), "SU"),
        "search_basis": (m.with_code(m.pick("consent", "k9", "plain view"), "NA", 0.93), "SU"),
        "contraband_drugs": (m.with_code(m.flag(0.3, "TRUE", "FALSE"), "NA", 0.93), "S"),
        "contraband_weapons": (m.with_code(m.flag(0.1, "TRUE", "FALSE"), "NA", 0.93), "S"),
        "bac": (m.with_code(m.normal(0.05, 0.03, 3), -9, 0.9), "S"),
        "outcome": (m.pick("warning", "citation", "arrest", p=[50, 44, 6]), "SU"),
        "warrant_flg": (m.flag(0.03, "Y", "N"), "S"),
        "gang_affil": (m.flag(0.02, "Y", "N"), "S"),
        "immig_status": (m.pick("citizen", "LPR", "undocumented", "not asked"), "S"),
        "use_of_force": (m.flag(0.02, "Y", "N"), "SU"),
        "fine_amt": (m.with_code(m.pick(75, 120, 164, 250), 0, 0.55), "SU"),
        "citation_no": ([f"TR{n:08d}" for n in m.unique(1, 99_999_999)], "I"),
        "narrative": (m.sentences(16), "I"),
        "dept_lvl": (["Municipal"] * rows, "N"),
    }


def payroll(rows=1500, seed=33) -> Columns:
    """Pay slips of a company, with the abbreviations of its system."""
    m = Maker(rows, seed)
    return {
        "EMPLID": (m.unique(100_000, 999_999), "I"),
        "LAST_NM": (m.words(3, 900), "I"),
        "FIRST_NM": (m.words(2, 300), "I"),
        "SSN_LAST4": ([f"{n:04d}" for n in m.whole(0, 9999)], "IQSU"),
        "BIRTH_DT": (m.days("1955-01-01", 17000, "%m/%d/%Y"), "Q"),
        "GNDR_CD": (m.pick("M", "F", "N"), "Q"),
        "ETHN_GRP": (m.pick(1, 2, 3, 4, 9), "QS"),
        "MAR_STAT": (m.pick("S", "M", "D", "W"), "Q"),
        "DEPN_CNT": (m.few(1.1), "Q"),
        "VET_STAT": (m.pick("N", "Y", p=[93, 7]), "QS"),
        "DISAB_FLG": (m.flag(0.05, "Y", "N"), "S"),
        "HOME_ADDR1": (
            [f"{n} {w} Ave" for n, w in zip(m.whole(1, 900), m.words(2, 250), strict=True)],
            "I",
        ),
        "HOME_ZIP5": ([f"441{n:02d}" for n in m.whole(1, 50)], "Q"),
        "WRK_LOC": (m.pick("CLE1", "CLE2", "AKR1", "REMOTE"), "QU"),
        "DEPT_CD": (m.pick("FIN", "OPS", "ITS", "HRS", "MFG"), "Q"),
        "JOB_TTL": (m.pick("Analyst", "Operator", "Manager", "Clerk", "Engineer"), "Q"),
        "JOB_GRD": (m.whole(3, 15), "QSU"),
        "HIRE_DT": (m.days("1995-01-01", 9500, "%m/%d/%Y"), "Q"),
        "TERM_DT": (m.with_code(m.days("2020-01-01", 900, "%m/%d/%Y"), "", 0.9), "QSU"),
        "TERM_RSN": (m.with_code(m.pick("VOL", "INV", "RET"), "", 0.9), "SU"),
        "FT_PT": (m.pick("F", "P"), "QU"),
        "STD_HRS": (m.pick(40, 37.5, 20), "QNU"),
        "OT_HRS": (m.few(2.0), "QSNU"),
        "SICK_HRS_YTD": (m.few(9.0), "S"),
        "FMLA_FLG": (m.flag(0.04, "Y", "N"), "SU"),
        "BASE_SAL": (m.skewed(58_000, 0.35), "S"),
        "GROSS_PAY": (m.skewed(2_300, 0.35, 2), "S"),
        "NET_PAY": (m.skewed(1_700, 0.35, 2), "S"),
        "FED_WH": (m.skewed(250, 0.5, 2), "SU"),
        "GARN_AMT": (m.with_code(m.skewed(180, 0.4, 2), 0, 0.95), "S"),
        "DED_401K": (m.skewed(120, 0.6, 2), "SU"),
        "DED_MED": (m.pick(0, 85.5, 140.25, 210), "SU"),
        "UNION_DUES": (m.with_code(m.pick(28.5, 34.0), 0, 0.6), "S"),
        "DIR_DEP_ACCT": ([f"{n:010d}" for n in m.unique(1, 9_999_999_999)], "I"),
        "ROUTING_NBR": ([f"{n:09d}" for n in m.repeated(41_000_000, 49_000_000, 25)], "IQNSU"),
        "PERF_RTG": (m.whole(1, 5), "S"),
        "DISC_ACTN": (m.flag(0.03, "Y", "N"), "SU"),
        "WC_CLAIM": (m.flag(0.02, "Y", "N"), "SU"),
        "BADGE_NO": (m.unique(10_000, 99_999), "I"),
        "SUPV_ID": (m.repeated(100_000, 999_999, 60), "IQU"),
        "CHK_NBR": (m.unique(1_000_000, 9_999_999), "I"),
        "PAY_PRD": (["2023-05"] * rows, "N"),
    }


def motor(rows=1500, seed=34) -> Columns:
    """Claims of a German motor insurer: drivers, accidents, injuries and payments."""
    m = Maker(rows, seed)
    return {
        "SchadenNr": (m.unique(10_000_000, 99_999_999), "I"),
        "VertragsNr": (m.repeated(1_000_000, 9_999_999, int(rows * 0.9)), "I"),
        "VN_Name": (m.words(3, 800), "I"),
        "VN_Vorname": (m.words(2, 300), "I"),
        "VN_GebDat": (m.days("1940-01-01", 22000, "%d.%m.%Y"), "Q"),
        "VN_Geschlecht": (m.pick("M", "W"), "Q"),
        "VN_PLZ": ([f"{n:05d}" for n in m.whole(70173, 70629)], "Q"),
        "VN_Ort": (m.words(2, 60), "Q"),
        "VN_Beruf": (m.pick("Angestellter", "Beamter", "Selbständig", "Rentner"), "Q"),
        "Fahrer_Alter": (m.with_code(m.whole(18, 88), 999, 0.05), "Q"),
        "FS_seit": (m.whole(1960, 2022), "QU"),
        "Kennzeichen": (
            [f"S-{'ABCDEFGH'[n % 8]}{'KLMN'[n % 4]} {n}" for n in m.unique(1, 9_999)],
            "I",
        ),
        "FIN": ([f"WVWZZZ1K{n:09d}" for n in m.unique(1, 999_999_999)], "I"),
        "HSN": ([f"{n:04d}" for n in m.pick(603, 588, 5, 8566)], "QNU"),
        "Erstzulassung": (m.days("2003-01-01", 7000, "%d.%m.%Y"), "Q"),
        "km_Stand": (m.skewed(80_000, 0.6), "QNSU"),
        "SF_Klasse": (m.pick("SF0", "SF3", "SF10", "SF25", "M"), "QSU"),
        "Tarifgruppe": (m.pick("B", "R", "A", "N"), "QSU"),
        "Regionalklasse": (m.whole(1, 12), "QNU"),
        "Praemie_jaehrlich": (m.skewed(480, 0.4, 2), "SQNU"),
        "Zahlungsrueckstand": (m.flag(0.06, "J", "N"), "S"),
        "Schadentag": (m.days("2021-01-01", 700, "%d.%m.%Y"), "Q"),
        "Schadenort": (m.words(3, 200), "QIU"),
        "Meldetag": (m.days("2021-01-03", 700, "%d.%m.%Y"), "Q"),
        "Schadenart": (m.pick("HP", "VK", "TK"), "QSNU"),
        "Unfallhergang": (m.sentences(13), "I"),
        "Schuldquote": (m.pick(0, 50, 100), "SU"),
        "Alkohol_Promille": (m.with_code(m.normal(0.9, 0.4, 2), 0, 0.94), "S"),
        "Fahrerflucht": (m.flag(0.04, "J", "N"), "SU"),
        "Verletzte_Anz": (m.few(0.2), "SU"),
        "Verletzungsart": (m.with_code(m.pick("HWS", "Fraktur", "Prellung"), "keine", 0.9), "SU"),
        "AU_Tage": (m.with_code(m.few(9), 0, 0.9), "SU"),
        "Schmerzensgeld": (m.with_code(m.skewed(1_500), 0, 0.92), "SU"),
        "Reserve_EUR": (m.skewed(2_000, 0.9, 2), "SNU"),
        "Zahlung_EUR": (m.skewed(1_600, 0.9, 2), "SNU"),
        "IBAN_Empf": (m.with_code([_iban(n) for n in m.unique(1, 99_999_999)], "", 0.2), "I"),
        "Gutachter": (m.words(3, 40), "IQNU"),
        "Anwalt_beauftragt": (m.flag(0.15, "J", "N"), "SQNU"),
        "Betrugsverdacht": (m.flag(0.02, "J", "N"), "SU"),
        "Tel_mobil": ([f"0171 {n:07d}" for n in m.unique(1, 9_999_999)], "I"),
        "Sachbearbeiter_Kz": (m.pick("ab", "cd", "ef", "gh"), "IQNU"),
        "Sparte": (["KFZ"] * rows, "N"),
    }


def _iban(number: int) -> str:
    """Calculate the check digits of a German account number."""
    bank = f"50010517{number:010d}"
    return f"DE{98 - int(bank + '131400') % 97:02d}{bank}"


BLIND = {"pupils": pupils, "stops": stops, "payroll": payroll, "motor": motor}
