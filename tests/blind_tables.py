"""Wide made-up tables for blind rounds: the roles were marked before a draft was made.

Pupils of a French school, and stops by the police of an American city. The letters are those of
``wide_tables``.
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


BLIND = {"pupils": pupils, "stops": stops}
