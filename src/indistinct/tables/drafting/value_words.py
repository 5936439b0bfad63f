"""What the values of a column mean where its name says nothing: words of five languages.

The values are those of the cells, or the labels that a file of SPSS or Stata gives to its codes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.vocabulary import folded

MOST = 60  # different values that are words of one kind
SHARE, FEWEST = 0.5, 2  # of the different values


@dataclass(frozen=True, slots=True)
class ValueMeaning:
    """What some words mean as values.

    Parameters
    ----------
    name : in words
    role, rank, kind, why : as in :class:`indistinct.tables.drafting.vocabulary.Meaning`
    words : beginnings of values, folded to lower case without accents
    """

    name: str
    role: Role
    rank: int
    kind: str
    why: str
    words: re.Pattern[str]


def _beginning(words: str) -> re.Pattern[str]:
    """Return what matches a text that begins with one of some words."""
    return re.compile("|".join(sorted(words.split("|"), key=len, reverse=True)))


KNOWN = (
    ValueMeaning(
        "origin", Role.QUASI_IDENTIFIER, 2, "nominal",
        "which others often know or see",
        _beginning(
            "white$|black$|black or|african.american|african$|asian|hispanic|latino|caucasian|"
            "native american|american indian|pacific islander|mestiz|mulatt|branc[oa]$|"
            "pret[oa]$|pard[oa]$|indigen|amarel|non.white|nonwhite|not white|non.hispanic"
        ),
    ),
    ValueMeaning(
        "the marital status", Role.QUASI_IDENTIFIER, 2, "nominal",
        "which registers and acquaintances know",
        _beginning(
            "single|never married|married|divorc|widow|separated|ledig|verh|"
            "geschieden|gesch\\.|verw|getrennt|celibataire|marie|veuf|veuve|pacs|"
            "solter|casad|viud|separad|kawaler|panna|zonat|zamezn|rozwied|wdow|"
            "cohabit|partnership|common.law"
        ),
    ),
    ValueMeaning(
        "the education", Role.QUASI_IDENTIFIER, 2, "nominal",
        "which colleagues and public profiles tell",
        _beginning(
            "primary|secondary|tertiary|no education|no schooling|high school|bachelor|"
            "master|doctor|phd|college|university|grundschul|hauptschul|realschul|"
            "abitur|gymnas|hochschul|lehre|brevet|baccalaureat|licence|sin estudios|"
            "primaria|secundaria|universitari|bachillerato|podstawowe|srednie|wyzsze|"
            "zawodowe|vocational|postgraduate|less than primary|isced"
        ),
    ),
    ValueMeaning(
        "the occupation", Role.QUASI_IDENTIFIER, 2, "nominal",
        "which colleagues and public profiles tell",
        _beginning(
            "employed|unemployed|self.employed|retired|student|homemaker|housewife|"
            "inactive|angestellt|arbeiter|beamt|selbst|rentner|arbeitslos|hausfrau|"
            "schuler|employe|ouvrier|cadre|retraite|chomeur|etudiant|ocupad|parad|"
            "jubilad|desempleado|estudiante|bezrobotn|emeryt|pracujac|uczen|full.time|"
            "part.time|not in labou?r force|looking for|unpaid family"
        ),
    ),
    ValueMeaning(
        "the urban or rural place", Role.QUASI_IDENTIFIER, 2, "nominal",
        "which neighbors and registers know",
        _beginning("urban|rural|semi.urban|stadtisch|landlich|urbain|urbano|miasto|wies|village|town"),
    ),
    ValueMeaning(
        "belief", Role.SENSITIVE, 3, "", "which tells of belief",
        _beginning(
            "catholic|protestant|muslim|jewish|hindu|buddhist|orthodox|christian|"
            "atheist|no religion|rom\\.?.?kath|romisch|evangel|ev\\.?$|rk$|"
            "konfessionslos|catholique|musulman|juif|catolic|judi|evangelic|katolic|"
            "protestanc|prawosl|islam|sikh|lutheran"
        ),
    ),
    ValueMeaning(
        "health", Role.SENSITIVE, 3, "", "which tells of health",
        _beginning(
            "diabet|asthma|hypertens|cancer|depress|migraine|pneumon|influenza|flu$|"
            "hiv|hepatit|arthrit|epileps|dement|krebs|bluthoch|grippe|cancer|gripe|"
            "grypa|nowotw|cukrzyc|fractur|bronchit|anemia|stroke|covid|gout$|ulcer|"
            "eczema|gastrit|allerg"
        ),
    ),
    ValueMeaning(
        "units of measurement", Role.INSENSITIVE, 1, "", "which tell nothing of a person",
        _beginning("metric$|imperial$|celsius$|fahrenheit$|kilograms?$|pounds?$|centimet|inches$"),
    ),
    ValueMeaning(
        "a treatment", Role.SENSITIVE, 2, "", "which tells of an illness",
        _beginning("placebo|treated|treatment|control$|control group|intervention|drug [a-z]$"),
    ),
    ValueMeaning(
        "how an illness ended", Role.SENSITIVE, 3, "", "which tells of health",
        _beginning(
            "dead$|died|deceased|alive|survived|recovered|censored|remission|relapse|cured|"
            "fallecid|recuperad|obito|curad|verstorben|genesen|decede|gueri|zmarl|wyzdrow|"
            "decedut|guarit|zemrel|meninggal|sembuh"
        ),
    ),
    ValueMeaning(
        "use of substances", Role.SENSITIVE, 3, "",
        "which tells of smoking, drinking or drugs",
        _beginning(
            "smoker|non.?smoker|never smoked|never smoker|former smoker|ex.smoker|"
            "current smoker|smokes|raucher|nichtraucher|fumeur|non.fumeur|fumador|no fumador|"
            "fumante|nao fumante|fumatore|perokok|palacz|niepalac|drinker|non.?drinker"
        ),
    ),
    ValueMeaning(
        "politics", Role.SENSITIVE, 3, "", "which tells of political opinions",
        _beginning(
            "democrat|republican|independent$|liberal|conservative|labour$|labor party|green$|"
            "moderate|socialist|strong dem|strong rep|lean dem|lean rep|tory|left$|right wing"
        ),
    ),
    ValueMeaning(
        "an opinion or a habit", Role.SENSITIVE, 1, "", "which a person may not want known",
        _beginning(
            "strongly |agree|disagree|neither agree|somewhat |very satisfied|satisfied|"
            "dissatisfied|very dissatisfied|very likely|unlikely|likely|approve|disapprove|"
            "favor|oppose|support|very important|not important|not at all|a great deal|"
            "never$|rarely|seldom|sometimes|often|always|almost never|almost always|"
            "very happy|pretty happy|not too happy|stimme |trifft |d.accord|pas d.accord|"
            "de acuerdo|en desacuerdo|concordo|discordo|setuju|tidak setuju|zgadzam|nie zgadzam"
        ),
    ),
    ValueMeaning(
        "offenses", Role.SENSITIVE, 3, "", "which tells of offenses or punishment",
        _beginning(
            "theft|burglary|robbery|assault|battery|fraud|homicide|drug offen|dui|"
            "diebstahl|betrug|raub|vol$|agression|robo|hurto|estafa|kradziez|"
            "oszustwo|felony|misdemeanor"
        ),
    ),
)  # fmt: skip


def meaning_of_values(texts: Sequence[str]) -> ValueMeaning | None:
    """Return what most of the different values of a column mean; None for others."""
    if not FEWEST <= len(texts) <= MOST:
        return None
    plain = [folded(text.strip()).lower() for text in texts]
    for meaning in KNOWN:
        found = sum(meaning.words.match(text) is not None for text in plain)
        if found >= max(FEWEST, SHARE * len(plain)):
            return meaning
    return None
