"""Four made-up tables as people have them, with the role of every column.

The letters are those of ``wide_tables``: accidents of a Spanish police force, personnel of a German
company as Excel saves it, a register of dogs with their owners, and customers of a telephone
company in a workbook. They were written before the rules that are measured on them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl

from wide_tables import Columns, Maker, frame_of, write_table


def accidents(rows=1500, seed=41) -> Columns:
    """People in road accidents: several of an accident, with what the police write down."""
    m = Maker(rows, seed)
    accident = m.repeated(2019_000_001, 2019_099_999, int(rows * 0.45))
    days = dict(zip(accident, m.days("2019-01-01", 365, "%d/%m/%Y"), strict=True))
    streets = dict(zip(accident, m.words(2, 300), strict=True))
    number = dict(zip(accident, m.whole(1, 200), strict=True))
    district = dict(zip(accident, m.whole(1, 21), strict=True))
    names = ["CENTRO", "ARGANZUELA", "RETIRO", "SALAMANCA", "CHAMARTÍN", "TETUÁN", "CHAMBERÍ"]
    names += ["FUENCARRAL", "MONCLOA", "LATINA", "CARABANCHEL", "USERA", "PUENTE DE VALLECAS"]
    names += ["MORATALAZ", "CIUDAD LINEAL", "HORTALEZA", "VILLAVERDE", "VILLA DE VALLECAS"]
    names += ["VICÁLVARO", "SAN BLAS", "BARAJAS"]
    letters = "TRWAGMYFPDXBNJZSQVHLCKE"
    return {
        "num_expediente": ([f"{str(n)[:4]}S{str(n)[4:]}" for n in accident], "I"),
        "fecha": ([days[n] for n in accident], "Q"),
        "hora": ([f"{h}:{t:02d}:00" for h, t in zip(m.whole(0, 23), m.whole(0, 59), strict=True)],
                 "QU"),
        "localizacion": ([f"CALL. {streets[n].upper()}, {number[n]}" for n in accident], "IQ"),
        "numero": ([number[n] for n in accident], "IQU"),
        "cod_distrito": ([district[n] for n in accident], "Q"),
        "distrito": ([names[district[n] - 1] for n in accident], "Q"),
        "tipo_accidente": (m.pick("Colisión lateral", "Alcance", "Atropello a persona", "Caída"),
                           "QSNU"),
        "estado_meteorológico": (m.pick("Despejado", "Nublado", "Lluvia débil"), "NQU"),
        "tipo_vehiculo": (m.pick("Turismo", "Motocicleta", "Furgoneta", "Autobús"), "QNU"),
        "matricula": ([f"{n:04d} {a}{b}{c}" for n, a, b, c in zip(
            m.whole(0, 9999), m.pick(*letters), m.pick(*letters), m.pick(*letters), strict=True)],
            "I"),
        "marca": (m.pick("SEAT", "RENAULT", "OPEL", "FORD", "CITROEN"), "QNU"),
        "tipo_persona": (m.pick("Conductor", "Pasajero", "Peatón"), "QNU"),
        "rango_edad": (
            m.pick("De 25 a 29 años", "De 30 a 34 años", "De 40 a 44 años", "De 18 a 20 años",
                   "Más de 74 años", "Desconocido"), "Q"),
        "edad_conductor": (m.with_code(m.whole(16, 90), "NULL", 0.1), "Q"),
        "sexo": (m.pick("Hombre", "Mujer", "Desconocido", p=[60, 35, 5]), "Q"),
        "nacionalidad": (m.pick("ESPAÑA", "RUMANÍA", "MARRUECOS", "ECUADOR", "CHINA"), "QS"),
        "provincia_residencia": (m.pick("MADRID", "TOLEDO", "SEGOVIA", "ÁVILA"), "Q"),
        "cod_municipio_ine": (m.pick("28079", "28006", "45168", "40194", "05019"), "Q"),
        "cp_domicilio": (m.pick("28001", "28004", "28025", "28045", "05001", "08022"), "Q"),
        "anio_carnet": (m.whole(1970, 2019), "QU"),
        "permiso": (m.pick("B", "A", "A2", "C", "D"), "QNU"),
        "cod_lesividad": (m.with_code(m.whole(1, 14), "", 0.3), "S"),
        "lesividad": (m.pick("Sin asistencia sanitaria", "Ingreso superior a 24 horas",
                             "Asistencia sanitaria solo en el lugar"), "S"),
        "fallecido_24h": (m.flag(0.01, "S", "N"), "S"),
        "hospital": (m.pick("12 de Octubre", "La Paz", "Gregorio Marañón", "Ninguno"), "QSU"),
        "coordenada_x_utm": ([f"{430_000 + n},{n % 1000:03d}" for n in m.whole(0, 20_000)], "Q"),
        "coordenada_y_utm": ([f"{4_460_000 + n},{n % 1000:03d}" for n in m.whole(0, 20_000)], "Q"),
        "positiva_alcohol": (m.flag(0.04, "S", "N"), "S"),
        "tasa_aire": (m.with_code([f"{v:.2f}".replace(".", ",") for v in m.skewed(0.4, 0.5, 2)],
                                  "", 0.95), "S"),
        "positiva_droga": (m.with_code(m.pick("1", "1"), "", 0.98), "S"),
        "presunto_infractor": (m.flag(0.3, "S", "N"), "S"),
        "cinturon": (m.pick("Sí", "No", "Se desconoce"), "SQNU"),
        "indemnizacion_euros": (m.with_code(m.skewed(4000), "", 0.6), "S"),
        "aseguradora": (m.pick("MAPFRE", "MUTUA", "AXA", "ALLIANZ"), "QNU"),
        "agente_instructor": ([f"PM{n:05d}" for n in m.repeated(10_000, 19_999, 90)], "IQNU"),
        "nif_implicado": ([f"{n:08d}{letters[n % 23]}" for n in m.unique(1, 99_999_999)], "I"),
        "nombre_apellidos": ([f"{a} {b}" for a, b in zip(m.words(2, 300), m.words(3, 800),
                                                          strict=True)], "I"),
        "telefono": ([f"6{n:08d}" for n in m.unique(1, 99_999_999)], "I"),
        "minusvalia": (m.flag(0.04, "S", "N"), "S"),
        "trayecto_laboral": (m.flag(0.2, "S", "N"), "SQU"),
        "relato_hechos": (m.sentences(12), "I"),
    }  # fmt: skip


def personnel(rows=1500, seed=42) -> Columns:
    """Personnel of a German company, in the words of its payroll."""
    m = Maker(rows, seed)

    def comma(values):
        return [f"{value:.2f}".replace(".", ",") for value in values]

    kst = m.pick("1010", "1020", "2000", "3110", "4500")
    of_kst = {"1010": "Werk", "1020": "Lager", "2000": "Vertrieb", "3110": "IT", "4500": "Recht"}
    return {
        "PersNr": ([f"{n:08d}" for n in m.unique(1000, 99_999)], "I"),
        "Anrede": (m.pick("Herr", "Frau"), "Q"),
        "Titel": (m.with_code(m.pick("Dr.", "Prof. Dr."), "", 0.95), "Q"),
        "Nachname": (m.words(3, 700), "I"),
        "Vorname": (m.words(2, 250), "I"),
        "Geb.-Datum": (m.days("1956-01-01", 17000, "%d.%m.%Y"), "Q"),
        "Straße": ([f"{w}straße {n}" for w, n in zip(m.words(2, 300), m.whole(1, 120),
                                                      strict=True)], "I"),
        "PLZ": ([f"{n:05d}" for n in m.pick(1067, 1069, 4103, 10115, 20095, 80331)], "Q"),
        "Ort": (m.pick("Dresden", "Leipzig", "Berlin", "Hamburg", "München"), "Q"),
        "Bundesland": (m.pick("SN", "BE", "HH", "BY"), "Q"),
        "Kst": (kst, "Q"),
        "Kst-Bezeichnung": ([of_kst[k] for k in kst], "Q"),
        "Eintritt": (m.days("1985-01-01", 13000, "%d.%m.%Y"), "Q"),
        "Austritt": (m.with_code(m.days("2018-01-01", 1500, "%d.%m.%Y"), "", 0.85), "QS"),
        "Austrittsgrund": (m.with_code(m.pick("Kündigung AN", "Kündigung AG", "Rente"), "", 0.85),
                           "S"),
        "Tätigkeitsschlüssel": (m.pick("715142211", "252121311", "624122211", "434142411"), "Q"),
        "EG": (m.pick("E5", "E6", "E8", "E9", "E11", "E13"), "SQU"),
        "Stufe": (m.whole(1, 6), "SQU"),
        "Bruttolohn mtl.": (comma(m.normal(3600, 900, 2, 900)), "S"),
        "Sonderzahlung": (comma(m.skewed(1200, 0.5, 2)), "S"),
        "VWL": (m.pick("0,00", "13,29", "26,59", "40,00"), "SU"),
        "St.-Kl.": (m.pick("1", "3", "4", "5"), "S"),
        "KiSt": (m.pick("--", "ev", "rk"), "S"),
        "KiFrb": (m.pick("0,0", "0,5", "1,0", "2,0"), "QS"),
        "Fam.-Stand": (m.pick("ledig", "verh.", "gesch.", "verw."), "Q"),
        "Anz. Kinder": (m.few(1.1), "Q"),
        "Staatsang.": (m.pick("D", "PL", "TR", "I", "SYR"), "QS"),
        "Schwerbehinderung": (m.flag(0.05, "ja", "nein"), "S"),
        "GdB %": (m.with_code(m.pick("50", "60", "80", "100"), "", 0.95), "S"),
        "AU-Tage 2019": (m.few(9), "S"),
        "BEM-Gespräch": (m.flag(0.06, "x", ""), "S"),
        "Elternzeit von": (m.with_code(m.days("2017-01-01", 900, "%d.%m.%Y"), "", 0.93), "QS"),
        "Urlaub Rest": (comma([v / 2 for v in m.few(10)]), "SNQU"),
        "Wochenstd.": (m.pick("39,00", "35,00", "30,00", "19,50"), "QU"),
        "RV-Nummer": ([f"{a:02d}{b:06d}{c}{d:03d}" for a, b, c, d in zip(
            m.whole(2, 89), m.whole(10150, 311299), m.pick("A", "B", "H", "M", "S"),
            m.whole(0, 999), strict=True)], "I"),
        "IBAN": ([f"DE{n % 89 + 10:02d}{m.rows + n:018d}" for n in m.unique(1, 99_999_999)], "I"),
        "KK": (m.pick("AOK Plus", "TK", "Barmer", "DAK"), "Q"),
        "Beurteilung": (m.pick("A", "B", "C", "D"), "S"),
        "Abmahnungen": (m.few(0.1), "S"),
        "Pfändung": (m.flag(0.03, "x", ""), "S"),
        "BR-Mitglied": (m.flag(0.02, "x", ""), "SQ"),
        "Vorgesetzter": (m.words(3, 60), "IQU"),
        "Dienst-Tel.": ([f"-{n}" for n in m.unique(1000, 9999)], "I"),
        "Bemerkung": (m.sentences(10), "I"),
    }  # fmt: skip


def dogs(rows=1500, seed=43) -> Columns:
    """A register of dogs of a city: owners with several dogs, what they pay and did not pay."""
    m = Maker(rows, seed)
    holder = m.repeated(100_000, 999_999, int(rows * 0.7))
    once = {n: place for place, n in enumerate(holder)}

    def of_holder(values):
        return [values[once[n]] for n in holder]

    kreis = of_holder(m.whole(1, 12))
    quartier = [k * 10 + n for k, n in zip(kreis, of_holder(m.whole(1, 4)), strict=True)]
    return {
        "HALTER_ID": (holder, "I"),
        "HALTER_NAME": (of_holder(m.words(3, 600)), "I"),
        "ALTER": (of_holder(m.pick("31-40", "41-50", "51-60", "61-70", "21-30", "71-80")), "Q"),
        "GESCHLECHT": (of_holder(m.pick("w", "m")), "Q"),
        "STADTKREIS": (kreis, "Q"),
        "STADTQUARTIER": (quartier, "Q"),
        "ADRESSE": (of_holder([f"{w}weg {n}" for w, n in zip(m.words(2, 200), m.whole(1, 90),
                                                              strict=True)]), "I"),
        "PLZ": (of_holder([str(n) for n in m.whole(8001, 8064)]), "Q"),
        "ZUZUGSJAHR": (of_holder(m.whole(1970, 2020)), "Q"),
        "HAUSHALTSGROESSE": (of_holder(m.whole(1, 5)), "Q"),
        "MAIL": (of_holder([f"{w.lower()}{n}@example.org" for w, n in zip(
            m.words(3, 900), m.whole(1, 99), strict=True)]), "I"),
        "SOZIALHILFE": (of_holder(m.flag(0.06, "ja", "nein")), "S"),
        "ERMAESSIGUNG_GRUND": (of_holder(m.with_code(m.pick("IV-Rente", "EL", "Blindenhund"), "",
                                                     0.9)), "S"),
        "CHIP_NR": ([f"756{n:012d}" for n in m.unique(1, 10**11)], "I"),
        "HUND_NAME": (m.words(2, 250), "IQU"),
        "RASSE1": (m.pick("Mischling klein", "Labrador Retriever", "Chihuahua", "Yorkshire Terrier",
                          "Dackel", "Pudel", "Malteser", "Border Collie"), "Q"),
        "RASSE2": (m.with_code(m.pick("Terrier", "Schäfer", "Spitz"), "", 0.8), "QU"),
        "RASSENTYP": (m.pick("K", "I", "II"), "QU"),
        "GEBURTSJAHR_HUND": (m.whole(2003, 2020), "Q"),
        "GESCHLECHT_HUND": (m.pick("w", "m"), "Q"),
        "HUNDEFARBE": (m.pick("schwarz", "braun", "weiss", "tricolor"), "QU"),
        "GEWICHT_KG": (m.normal(14, 8, 1, 1.5), "QU"),
        "KASTRIERT": (m.flag(0.5, "J", "N"), "QNU"),
        "TIERARZT": (m.words(3, 40), "IQU"),
        "KURS_BESUCHT": (m.flag(0.8, "J", "N"), "QNU"),
        "ANMELDEDATUM": (m.days("2010-01-01", 3900, "%d.%m.%Y"), "Q"),
        "ABGABE_CHF": (m.pick("160", "320", "480", "0", "80"), "SQU"),
        "MAHNSTUFE": (m.pick("0", "1", "2", "3", p=[90, 6, 3, 1]), "S"),
        "BETREIBUNG": (m.flag(0.01, "1", "0"), "S"),
        "BISSVORFALL": (m.flag(0.02, "J", "N"), "SU"),
        "VORFALL_DATUM": (m.with_code(m.days("2015-01-01", 1900, "%d.%m.%Y"), "", 0.98), "QS"),
        "AUFLAGE": (m.with_code(m.pick("Leinenpflicht", "Maulkorb"), "", 0.97), "SU"),
        "VERSICHERUNG": (m.pick("Mobiliar", "AXA", "Zürich", "Helvetia"), "QNU"),
        "HAUSARZT_HALTER": (of_holder(m.words(3, 70)), "IQSU"),
        "BEMERKUNGEN": (m.sentences(9), "I"),
        "MUTATION_AM": (m.days("2019-01-01", 600, "%d.%m.%Y"), "QNU"),
    }  # fmt: skip


def telecom(rows=1500, seed=44) -> Columns:
    """Customers of a telephone company, as its analysts keep them in a workbook."""
    m = Maker(rows, seed)
    lga = m.pick("Northvale", "Eastham", "Corby Hill", "Portside", "Lakemont", "Glenrowe")
    state = {"Northvale": "NV", "Eastham": "NV", "Corby Hill": "CH", "Portside": "CH",
             "Lakemont": "LM", "Glenrowe": "LM"}  # fmt: skip
    return {
        "Count": ([1] * rows, "N"),
        "Customer ID": ([f"{n:04d}-{a}{b}{c}" for n, a, b, c in zip(
            m.unique(0, 9999), m.pick(*"QWERTZ"), m.pick(*"UIOPAS"), m.pick(*"DFGHJK"),
            strict=True)], "I"),
        "Cust DOB": (m.days("1938-01-01", 24000), "Q"),
        "Age (yrs)": (m.whole(18, 80), "Q"),
        "Under 30": (m.flag(0.2), "Q"),
        "Senior": (m.flag(0.16), "Q"),
        "M/F": (m.pick("F", "M"), "Q"),
        "Married": (m.flag(0.48), "Q"),
        "No. of Dependents": (m.few(0.5), "Q"),
        "State": ([state[a] for a in lga], "Q"),
        "LGA": (lga, "Q"),
        "Zip": (m.whole(90001, 90060), "Q"),
        "Lat Long": ([f"{33 + a / 1000:.6f}, {-118 - b / 1000:.6f}" for a, b in zip(
            m.whole(0, 999), m.whole(0, 999), strict=True)], "QI"),
        "Svc Address": ([f"{n} {w} Ave" for n, w in zip(m.whole(1, 999), m.words(2, 300),
                                                         strict=True)], "I"),
        "Contact No.": ([f"0{n:09d}" for n in m.unique(400_000_000, 499_999_999)], "I"),
        "SIM ICCID": ([f"8961{n:015d}" for n in m.unique(1, 10**14)], "I"),
        "Quarter": (m.pick("Q3", "Q3"), "N"),
        "Referred a Friend": (m.flag(0.45), "NQSU"),
        "Number of Referrals": (m.few(1), "NQSU"),
        "Tenure in Months": (m.whole(1, 72), "QU"),
        "Activation Dt": (m.days("2015-01-01", 2000), "Q"),
        "Offer": (m.pick("None", "Offer B", "Offer E", "Offer D"), "NQU"),
        "Avg Monthly GB Download": (m.few(20), "SNQU"),
        "Streaming Movies": (m.flag(0.4), "SNQU"),
        "Adult Content": (m.flag(0.1), "S"),
        "Intl Roaming Mins": (m.with_code(m.few(12), 0, 0.7), "SQNU"),
        "Night Calls": (m.few(14), "SNU"),
        "Calls to 1800-GAMBLER": (m.few(0.1), "SU"),
        "Contract": (m.pick("Month-to-Month", "One Year", "Two Year"), "NQU"),
        "Payment Method": (m.pick("Bank Withdrawal", "Credit Card", "Mailed Check"), "NQSU"),
        "Card Last 4": ([f"{n:04d}" for n in m.whole(0, 9999)], "IQ"),
        "Monthly Charge": (m.normal(63, 30, 2), "SQU"),
        "Arrears ($)": (m.with_code(m.skewed(120, 0.7, 2), 0, 0.85), "S"),
        "Credit Check": (m.pick("Pass", "Refer", "Fail", p=[80, 15, 5]), "S"),
        "Est. HH Income": (m.skewed(65_000, 0.4), "S"),
        "Hardship Plan": (m.flag(0.03), "S"),
        "Priority Assist (medical)": (m.flag(0.02), "S"),
        "Indigenous": (m.flag(0.04), "QS"),
        "Pref. Language": (m.pick("English", "Mandarin", "Arabic", "Vietnamese"), "Q"),
        "Churn Score": (m.whole(5, 100), "S"),
        "CLTV": (m.whole(2000, 6500), "SU"),
        "Churn Reason": (m.with_code(m.pick("Price", "Moved", "Deceased"), "", 0.73), "S"),
        "Satisfaction Score": (m.whole(1, 5), "S"),
        "Agent": (m.words(2, 30), "IQNU"),
        "Notes": (m.sentences(11), "I"),
    }  # fmt: skip


def _as_excel_saves(columns: Columns, path: Path) -> None:
    """Write semicolons, a byte order mark and CRLF."""
    text = frame_of(columns).write_csv(separator=";", line_terminator="\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())


def _in_western_letters(columns: Columns, path: Path) -> None:
    """Write semicolons in Windows-1252."""
    path.write_bytes(frame_of(columns).write_csv(separator=";").encode("cp1252"))


def _as_workbook(columns: Columns, path: Path) -> None:
    """Write a workbook, in which numbers are numbers."""
    pl.DataFrame({name: cells for name, (cells, _) in columns.items()}, strict=False).write_excel(
        path
    )


ROLE_TABLES: dict[str, Callable[..., Columns]] = {
    "accidents": accidents, "personnel": personnel, "dogs": dogs, "telecom": telecom,
}  # fmt: skip
WRITERS: dict[str, tuple[str, Callable[[Columns, Path], None]]] = {
    "accidents": ("csv", _in_western_letters),
    "personnel": ("csv", _as_excel_saves),
    "dogs": ("csv", write_table),
    "telecom": ("xlsx", _as_workbook),
}
