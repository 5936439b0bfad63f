"""What a policy cannot ask for together: one table, for the checks, the docs and the hints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from indistinct.errors import Fault
from indistinct.tables.models import KAnonymity
from indistinct.tables.policy import settings as asked
from indistinct.tables.policy.settings import OF_LINKED_TABLES, Setting
from indistinct.tables.policy.tables import PolicyTables
from indistinct.tables.search import ALGORITHMS


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Two settings that do not go together.

    Parameters
    ----------
    first : the one at whose place the fault is reported
    second : the one that stands beside it
    reason, remedy : ``{first}`` and ``{second}`` are what stands at the two places
    """

    first: Setting
    second: Setting
    reason: str
    remedy: str

    def faults(self, policy: PolicyTables) -> Iterator[Fault]:
        """Find where a policy asks for both."""
        others = [said for _, said in self.second.places(policy)]
        for place, said in self.first.places(policy) if others else ():
            for other in others:
                reason = self.reason.format(first=said, second=other)
                yield Fault(place, reason, self.remedy.format(first=said, second=other))


def excluded(policy: PolicyTables) -> Iterator[Fault]:
    """Find everything that a policy asks for beside what excludes it, each fault once."""
    found = (fault for one in EXCLUSIONS for fault in one.faults(policy))
    yield from {(fault.place, fault.problem): fault for fault in found}.values()


LABELS_OR_BOUNDS = 'Set it to "label" or "bounds".'
LEAVE_IT = "Leave it out."
LEAVE_MASK = "Leave the protection out."
LEAVE_ONE = "Leave one of them out."
BESIDE_SETS = "is not possible beside a column of sets"
BLIND = ", ".join(
    kind.name for kind in ALGORITHMS if not (kind.reads_sensitive or kind.republishes)
)
DIVIDERS = ", ".join(kind.name for kind in ALGORITHMS if kind.divides)
L_DIVERSE = " and ".join(kind.name for kind in OF_LINKED_TABLES)
NOT_MIDDLE = "midpoints do not show which numbers they represent, so it is impossible to"

# In the order in which the faults are told.
EXCLUSIONS: tuple[Exclusion, ...] = (
    Exclusion(asked.MIDPOINTS, asked.REGIONS,
        f"{NOT_MIDDLE} find the larger sets around a class with which {{second}} compares it",
        LABELS_OR_BOUNDS),
    Exclusion(asked.MIDPOINTS, asked.COUNTING_TABLES,
        f"{NOT_MIDDLE} count the people that {{second}} requires", LABELS_OR_BOUNDS),
    Exclusion(asked.OVERLAPPING, asked.SHARES,
        '"{first}" gives classes whose cells may overlap, so that {second} cannot say which class '
        "a person of the population belongs to",
        f"Choose one of {DIVIDERS}."),
    Exclusion(asked.NOT_COUNTING, asked.COUNTING_CLASSES,
        '"{first}" does not count the people that {second} asks for',
        "Choose another algorithm, such as optimal or local."),
    Exclusion(asked.K_ANONYMITY_NOT, asked.STARS,
        "is not defined for groups of compatible records, which overlap",
        f'Keep {KAnonymity.name}, or set release.suppressed_cell to "value".'),
    Exclusion(asked.NO_LABELS, asked.STARS,
        "leaves suppressed cells empty, like missing values, which do not represent any value",
        'Set it to "label", or release.suppressed_cell to "value".'),
    Exclusion(asked.NOT_OF_LINKED_TABLES, asked.ANATOMY,
        "cannot be promised by linked tables, whose quasi-identifiers are as they were",
        f'Keep {L_DIVERSE}, or set release.form to "table".'),
    Exclusion(asked.MASKED_SENSITIVE, asked.ANATOMY,
        "is not needed beside linked tables", LEAVE_IT),
    Exclusion(asked.MASKED_CLASSES, asked.ANATOMY,
        "acts on equivalence classes, which linked tables do not have",
        "Choose another protection."),
    Exclusion(asked.LOWEST_LEVELS, asked.ANATOMY,
        "is above 0, but linked tables are not generalized", LEAVE_IT),
    Exclusion(asked.RELEASE_WORDS, asked.ANATOMY, "says nothing of linked tables", LEAVE_IT),
    Exclusion(asked.HIERARCHY_OF_NOISE, asked.NOISE,
        "is not used, because noise replaces generalization",
        "Leave out one of hierarchy and protect."),
    Exclusion(asked.ANATOMY, asked.NOISE,
        "anatomy forms no classes of equal cells, whose width the noise would have",
        'Leave out protect = "noise", or choose another form.'),
    Exclusion(asked.STARS, asked.NOISE,
        "lets a class of equal cells be one record, whose noise would be 0",
        'Set it to "value", or leave out protect = "noise".'),
    Exclusion(asked.MASKED_HISTORY, asked.HISTORY,
        "would keep the column of persons in every release, which links them", LEAVE_MASK),
    *(Exclusion(asked.DATE_SHIFT, other,
        "leaves out records at the ends of its dates, which {second} does not allow", LEAVE_MASK)
      for other in (asked.HISTORY, asked.SETS)),
    Exclusion(asked.LINKED, asked.PLAIN_HISTORY,
        '"{first}" has no classes of equal cells, which a history compares',
        'Set it to "table", or leave out the table [history].'),
    Exclusion(asked.STARS, asked.PLAIN_HISTORY,
        '"{first}" has no classes of equal cells, which a history compares',
        'Set it to "value", or leave out the table [history].'),
    Exclusion(asked.BESIDE_INVARIANT, asked.INVARIANT,
        "cannot be promised beside m-invariance, whose groups have counterfeits in them",
        LEAVE_ONE),
    Exclusion(asked.SECOND_SENSITIVE, asked.INVARIANT,
        "is a second sensitive column, of which m-invariance promises nothing",
        "Leave it out, as an identifier, or release it apart."),
    Exclusion(asked.MASKED_BESIDE_INVARIANT, asked.INVARIANT,
        "is not possible beside m-invariance", LEAVE_MASK),
    Exclusion(asked.WORDS_OF_TABLES, asked.INVARIANT,
        "is not possible beside m-invariance", LEAVE_IT),
    Exclusion(asked.PERSON, asked.INVARIANT,
        "is not possible beside m-invariance, which takes one record per person",
        "Leave it out: history.person says who is who."),
    Exclusion(asked.READING, asked.RESISTANT,
        'is "{first}", which looks at sensitive values or earlier releases; '
        'method.replay = "resistant" chooses without them',
        f"Choose one of {BLIND}, or leave replay out."),
    Exclusion(asked.WEIGHTS, asked.RESISTANT,
        'are taken from sensitive values, but method.replay = "resistant" looks at none',
        'Set weights = "policy", or leave replay out.'),
    *(Exclusion(asked.RESISTANT, form,
        'is "{first}", which needs classes that share their cells',
        'Leave suppressed_cell = "any" and form = "anatomy" out, or leave replay out.')
      for form in (asked.STARS, asked.ANATOMY)),
    Exclusion(asked.REGIONS, asked.RESISTANT,
        'is "{first}", which is judged by larger sets that no resistant search keeps',
        "Choose t-closeness, or leave replay out."),
    Exclusion(asked.MASKED_PERSONS, asked.PERSON,
        "would keep the column of persons in the release, where it links a person's records",
        LEAVE_MASK),
    Exclusion(asked.ANATOMY, asked.PERSON,
        '"{first}" makes groups of records and does not count the people in them',
        'Set it to "table": all algorithms count people there.'),
    Exclusion(asked.STARS, asked.PERSON,
        '"{first}" counts the records that fit a row, not the people behind them',
        'Set it to "value": all algorithms, "cell-suppression" included, count people then.'),
    Exclusion(asked.DIVIDING, asked.PERSON,
        "divides classes into records, whose people are not counted",
        'Set others to "separate", or leave out data.person.'),
    Exclusion(asked.MASKED_HOUSEHOLDS, asked.HOUSEHOLD,
        "would keep what the input calls a household; the release has numbers of its own",
        LEAVE_MASK),
    Exclusion(asked.NOT_K_ANONYMITY, asked.HOUSEHOLD,
        "cannot be promised where households are counted", "Keep k-anonymity alone."),
    Exclusion(asked.NOT_LOCAL, asked.HOUSEHOLD,
        '"{first}" does not compare whole households', 'Leave it out, or set it to "local".'),
    *(Exclusion(other, asked.HOUSEHOLD, "is not possible where households are counted", LEAVE_IT)
      for other in (asked.ANATOMY, asked.STARS, asked.MASKED_ROWS, asked.HISTORY, asked.PERSON,
                    asked.MISSING_AS, asked.POPULATION, asked.NOISE, asked.RESISTANT, asked.WEIGHTS,
                    asked.SETS)),
    Exclusion(asked.MASKED_WEIGHT, asked.WEIGHT,
        "would change the survey weights, so that weighted figures would be wrong", LEAVE_MASK),
    Exclusion(asked.SET_PROTECTED, asked.SETS, "is not possible for sets", LEAVE_IT),
    Exclusion(asked.SET_LEVELS, asked.SETS, "is not possible for sets", LEAVE_IT),
    *(Exclusion(other, asked.SETS, BESIDE_SETS, LEAVE_ONE)
      for other in (asked.ANATOMY, asked.STARS, asked.HISTORY, asked.PERSON, asked.MISSING_AS,
                    asked.POPULATION, asked.NOISE)),
    Exclusion(asked.NOT_OF_WHOLE_SETS, asked.WHOLE_SETS,
        '"{first}" does not make whole sets equal, as set-k-anonymity asks',
        'Choose "partition", or an algorithm for the classes of the other columns.'),
    Exclusion(asked.OF_WHOLE_SETS, asked.SOME_ITEMS,
        '"partition" makes whole sets equal, which is more than a number m requires',
        'Set m = "all", or choose "priced-cut".'),
)  # fmt: skip
