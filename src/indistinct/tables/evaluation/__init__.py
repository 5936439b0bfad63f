"""Read a release: verify, assess, attack it, and measure what it is good for."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "ATTACKERS": "attacks",
    "Assessment": "assessments.assessment",
    "AttackParameter": "attacks.attack_parameters",
    "AttackParameters": "attacks.attack_parameters",
    "AttackReport": "attacks.attack",
    "ComparisonSetup": "contestants.setup",
    "ContestantRun": "contestants.setup",
    "Distribution": "utility.distributions",
    "DividedPeople": "contestants.people",
    "Findings": "assessments.findings",
    "KnownEventsAttack": "attacks.known_events",
    "MEMBERSHIP": "contestants.risk",
    "Outcome": "attacks.entry",
    "PairedTables": "utility.paired_tables",
    "ReadBackFigures": "assessments.findings",
    "SecretFigures": "assessments.findings",
    "Suspects": "attacks.known_events",
    "Utility": "utility.usefulness",
    "ValuePrecision": "utility.distributions",
    "Workload": "utility.queries",
    "assess": "assessments.assess",
    "attack": "attacks.attack",
    "attack_by_known_events": "attacks.attack_parameters",
    "read_original": "assessments.table",
    "words_of_attacks": "attacks.attack_parameters",
}

if TYPE_CHECKING:
    from indistinct.tables.evaluation.assessments.assess import assess as assess
    from indistinct.tables.evaluation.assessments.assessment import Assessment as Assessment
    from indistinct.tables.evaluation.assessments.findings import (
        Findings as Findings,
        ReadBackFigures as ReadBackFigures,
        SecretFigures as SecretFigures,
    )
    from indistinct.tables.evaluation.assessments.table import read_original as read_original
    from indistinct.tables.evaluation.attacks import ATTACKERS as ATTACKERS
    from indistinct.tables.evaluation.attacks.attack import (
        AttackReport as AttackReport,
        attack as attack,
    )
    from indistinct.tables.evaluation.attacks.attack_parameters import (
        AttackParameter as AttackParameter,
        AttackParameters as AttackParameters,
        attack_by_known_events as attack_by_known_events,
        words_of_attacks as words_of_attacks,
    )
    from indistinct.tables.evaluation.attacks.entry import Outcome as Outcome
    from indistinct.tables.evaluation.attacks.known_events import (
        KnownEventsAttack as KnownEventsAttack,
        Suspects as Suspects,
    )
    from indistinct.tables.evaluation.contestants.people import DividedPeople as DividedPeople
    from indistinct.tables.evaluation.contestants.risk import MEMBERSHIP as MEMBERSHIP
    from indistinct.tables.evaluation.contestants.setup import (
        ComparisonSetup as ComparisonSetup,
        ContestantRun as ContestantRun,
    )
    from indistinct.tables.evaluation.utility.distributions import (
        Distribution as Distribution,
        ValuePrecision as ValuePrecision,
    )
    from indistinct.tables.evaluation.utility.paired_tables import PairedTables as PairedTables
    from indistinct.tables.evaluation.utility.queries import Workload as Workload
    from indistinct.tables.evaluation.utility.usefulness import Utility as Utility
else:
    __getattr__ = face(__name__, FACE)
