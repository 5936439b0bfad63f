"""Words that stand for a missing value, in several languages and programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

# Words that machines write, and signs: missing, unless another column contradicts.
MACHINES = frozenset({
    "?", "??", "na", "n/a", "n.a.", "#n/a", "nan", "null", "(null)", "<na>", "nil", "\\n",
    "-", "--", "\u2013", "\u2014", ".", "..",
    # What a spreadsheet shows in place of a result, in English, German, French and Spanish.
    "#div/0!", "#ref!", "#value!", "#name?", "#num!", "#null!", "#spill!", "#calc!", "#nv",
    "#bezug!", "#wert!", "#zahl!", "#überlauf!", "#valeur!", "#nom?", "#nombre!", "#¡valor!",
    "#¡num!", "#¡ref!", "#¿nombre?", "#¡div/0!",
})  # fmt: skip
# Words that people answer with: missing where they are rare, or the others are numbers or dates.
ANSWERS = frozenset({
    "missing", "unknown", "unk", "not available", "not recorded", "not mapped", "unknown/invalid",
    "unspecified", "not known", "refused",
    "don't know", "dont know", "don\u2019t know",
    "no answer", "prefer not to say", "prefer not to answer", "declined", "not stated", "not asked",
    "not reported", "not disclosed", "undisclosed", "unbekannt", "ohne angabe", "weiß nicht",
    "keine angabe", "k.a.", "k. a.", "inconnu", "inconnue",
    "non renseigné", "non précisé", "ne sait pas", "desconocido", "no consta", "sin datos",
    "no sabe", "ns/nc", "brak danych", "nie dotyczy", "odmowa",
    "nie wiem", "nie podano", "brak odpowiedzi", "trudno powiedzieć", "nieznany", "nieznane",
    "non disponibile", "sconosciuto", "non so", "não sabe", "não informado", "sem informação",
    "desconhecido", "onbekend", "weet niet", "okänd", "uppgift saknas", "vet ej", "ukendt",
    "ukjent",
    "neuvedeno", "neznámé", "nezjištěno", "nevím", "ismeretlen", "nincs adat", "nem tudja",
    "necunoscut", "bilinmiyor", "tidak tahu", "tidak diketahui", "нет данных", "не указано",
    "неизвестно", "не знаю", "невідомо", "άγνωστο", "不明", "未知", "不详",
})  # fmt: skip
# Words that can also be a value: missing where the others are numbers or dates, asked where nearly
# all cells hold them.
DOUBTFUL = frozenset({
    "none", "brak", "nd", "n.d.", "n/d", "nr", "s.o.", "s/o", "н/д", "x", "*", "no data",
})  # fmt: skip
# Adjectives that say that there is none of something: only where the others are numbers
# or dates.
ADJECTIVES = frozenset({"keine", "kein", "keiner", "aucun", "aucune", "ninguno", "ninguna"})
WORDS = MACHINES | ANSWERS | DOUBTFUL | ADJECTIVES


@dataclass(frozen=True, slots=True)
class MissingWords:
    """The words that stand for a missing value.

    Parameters
    ----------
    everywhere : in the columns that have none of their own
    own : per column, the words that take the place of these
    """

    everywhere: tuple[str, ...] = ()
    own: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def of(self, name: str) -> tuple[str, ...]:
        """Return the words of a column."""
        return self.own.get(name, self.everywhere)


def words_of(missing: MissingWords | Sequence[str], name: str) -> Sequence[str]:
    """Return the words of a column, where some may be of all columns."""
    return missing.of(name) if isinstance(missing, MissingWords) else missing
