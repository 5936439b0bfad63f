"""Read a release: verify, assess, attack it, and measure what it is good for."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "ATTACKERS": "attacks",
    "Assessment": "assessments.assessment",
    "AttackContext": "attacks.scenario",
    "AttackParameter": "attacks.attack_parameters",
    "AttackParameters": "attacks.attack_parameters",
    "AttackReport": "attacks.attack",
    "AttackScenario": "attacks.scenario",
    "AttributeDisclosure": "attacks.attribute_disclosure",
    "CONTROL": "attacks.scenario",
    "Distribution": "utility.distributions",
    "EXACT": "attacks.known_items",
    "Findings": "assessments.findings",
    "KnownColumn": "attacks.known",
    "KnownEventsAttack": "attacks.known_events",
    "LearningRecords": "utility.learning",
    "MembershipByNearest": "attacks.membership",
    "MembershipByRatio": "attacks.membership",
    "ORIGINAL": "attacks.scenario",
    "Outcome": "attacks.entry",
    "PairedTables": "utility.paired_tables",
    "RANDOM": "attacks.known_items",
    "REFERENCE": "attacks.scenario",
    "ReadBackFigures": "assessments.findings",
    "RowsOfInput": "attacks.attack",
    "SecretFigures": "assessments.findings",
    "Suspects": "attacks.known_events",
    "Utility": "utility.usefulness",
    "ValuePrecision": "utility.distributions",
    "asked_columns": "utility.queries",
    "assess": "assessments.assess",
    "associations": "utility.distributions",
    "attack": "attacks.attack",
    "attack_by_known_events": "attacks.attack_parameters",
    "count_places": "attacks.places_kernels",
    "distributions": "utility.distributions",
    "error_of": "utility.queries",
    "fallen_into": "utility.learning",
    "paired_tables": "utility.paired_tables",
    "places_of": "attacks.places",
    "precisions": "utility.distributions",
    "read_original": "assessments.table",
    "read_people": "attacks.attack",
    "records_of": "utility.learning",
    "released_texts": "attacks.attack",
    "suspects_by_class": "attacks.known_events",
    "usual_workload": "utility.queries",
    "without_masked": "assessments.table",
    "words_of_attacks": "attacks.attack_parameters",
}

if TYPE_CHECKING:
    from indistinct.tables.evaluation.assessments.assess import assess as assess
    from indistinct.tables.evaluation.assessments.assessment import Assessment as Assessment
    from indistinct.tables.evaluation.assessments.findings import Findings as Findings, ReadBackFigures as ReadBackFigures, SecretFigures as SecretFigures
    from indistinct.tables.evaluation.assessments.table import read_original as read_original, without_masked as without_masked
    from indistinct.tables.evaluation.attacks import ATTACKERS as ATTACKERS
    from indistinct.tables.evaluation.attacks.attack import AttackReport as AttackReport, RowsOfInput as RowsOfInput, attack as attack, read_people as read_people, released_texts as released_texts
    from indistinct.tables.evaluation.attacks.attack_parameters import AttackParameter as AttackParameter, AttackParameters as AttackParameters, attack_by_known_events as attack_by_known_events, words_of_attacks as words_of_attacks
    from indistinct.tables.evaluation.attacks.attribute_disclosure import AttributeDisclosure as AttributeDisclosure
    from indistinct.tables.evaluation.attacks.entry import Outcome as Outcome
    from indistinct.tables.evaluation.attacks.known import KnownColumn as KnownColumn
    from indistinct.tables.evaluation.attacks.known_events import KnownEventsAttack as KnownEventsAttack, Suspects as Suspects, suspects_by_class as suspects_by_class
    from indistinct.tables.evaluation.attacks.known_items import EXACT as EXACT, RANDOM as RANDOM
    from indistinct.tables.evaluation.attacks.membership import MembershipByNearest as MembershipByNearest, MembershipByRatio as MembershipByRatio
    from indistinct.tables.evaluation.attacks.places import places_of as places_of
    from indistinct.tables.evaluation.attacks.places_kernels import count_places as count_places
    from indistinct.tables.evaluation.attacks.scenario import AttackContext as AttackContext, AttackScenario as AttackScenario, CONTROL as CONTROL, ORIGINAL as ORIGINAL, REFERENCE as REFERENCE
    from indistinct.tables.evaluation.utility.distributions import Distribution as Distribution, ValuePrecision as ValuePrecision, associations as associations, distributions as distributions, precisions as precisions
    from indistinct.tables.evaluation.utility.learning import LearningRecords as LearningRecords, fallen_into as fallen_into, records_of as records_of
    from indistinct.tables.evaluation.utility.paired_tables import PairedTables as PairedTables, paired_tables as paired_tables
    from indistinct.tables.evaluation.utility.queries import asked_columns as asked_columns, error_of as error_of, usual_workload as usual_workload
    from indistinct.tables.evaluation.utility.usefulness import Utility as Utility
else:
    __getattr__ = face(__name__, FACE)
