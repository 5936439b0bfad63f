"""The registry of findings: what each code counts, how grave it is, and how it is said.

A message is made from the figures of a finding alone, so that a manifest says of them what they
are, and nothing else. No value of a record stands in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# The ranks of findings: who can be found, what is given away, what is useless.
FOUND, GIVEN_AWAY, USELESS = "found", "given-away", "useless"
RANKS = (FOUND, GIVEN_AWAY, USELESS)
TITLES = {
    FOUND: "who can be found",
    GIVEN_AWAY: "what is given away",
    USELESS: "what is useless",
}
# What a finding is counted by, besides the release and its policy.
RELEASE, POLICY, ORIGINAL, CROSSWALK = "release", "policy", "original", "crosswalk"
HISTORY, KEY, ENGINE = "history", "key", "engine"

INSENSITIVE, SENSITIVE = "insensitive-column-singles-out", "sensitive-column-singles-out"
TOGETHER = "columns-together-single-out"
LOOKS_LIKE, REPEATED_PSEUDONYM = "looks-like-an-identifier", "repeated-pseudonym"
REPEATED = "repeated-identifier"  # where records are no people, all other figures are in doubt
IN_TEXT, REFERS = "names-in-text", "refers-to-identifiers"
JOINED, COMPOSITION, SHARED_KEY = "persons-written-differently", "composition", "key-used-before"
READ_BACK = "column-gives-cells-back"
ONE_VALUE, READ_ALIKE = "classes-of-one-sensitive-value", "read-alike"
WHOLLY_HIDDEN, KEEPS_LITTLE = "column-wholly-hidden", "column-keeps-little"
NOT_JOINED, MISSING = "records-cannot-be-joined", "missing-sensitive-values"
ROWS_LEFT_OUT, MOSTLY_HIDDEN = "rows-left-out", "column-mostly-hidden"
UNSETTLED, RENAMED = "no-suggested-hierarchy", "labels-with-their-level"
NOBODY_RETURNS = "nobody-returns"


@dataclass(frozen=True, slots=True)
class FindingKind:
    """What a code stands for.

    Parameters
    ----------
    rank : how grave it is
    needs : what it is counted by, beside the policy
    message, remedy : in words, with figures and names of columns in braces
    """

    rank: str
    needs: str
    message: str
    remedy: str


def _singles_out(role: str) -> str:
    """Return the words for columns of a role."""
    return (
        f"{{count:,}} of {{of:,}} {{unit}} ({{share}}) can be found by someone who knows "
        f"{{columns}}{role} besides the quasi-identifiers"
    )


_LEAVE_OUT = (
    'Make its values coarser, or leave it out (role = "identifier"). If people know it of each '
    'other, give it the role "quasi-identifier".'
)
# By rank, and in a rank as they are printed where they concern equal shares.
KINDS: Mapping[str, FindingKind] = {
    REPEATED: FindingKind(
        FOUND,
        CROSSWALK,
        "{count:,} of {of:,} classes have fewer different values of {columns} than the policy "
        "asks for records: class sizes count records, and one person has several",
        'If each value is one person, write person = "{columns}" under [data].',
    ),
    INSENSITIVE: FindingKind(FOUND, RELEASE, _singles_out(" (insensitive)"), _LEAVE_OUT),
    SENSITIVE: FindingKind(FOUND, RELEASE, _singles_out(" (sensitive)"), _LEAVE_OUT),
    TOGETHER: FindingKind(
        FOUND,
        RELEASE,
        _singles_out(""),
        "Make the values of these columns coarser, or leave some of them out.",
    ),
    LOOKS_LIKE: FindingKind(
        FOUND,
        RELEASE,
        "{columns} is released unchanged, but looks like an identifier by its name and its values: "
        "{count:,} of {of:,} records have one",
        'Leave it out (role = "identifier"), or give it a pseudonym.',
    ),
    REPEATED_PSEUDONYM: FindingKind(
        FOUND,
        RELEASE,
        "the pseudonym {columns} joins {count:,} of {of:,} records to groups: someone who finds "
        "one record of a group has found all of them, and knows how many there are",
        "Leave the pseudonym out if nobody needs to join the records.",
    ),
    IN_TEXT: FindingKind(
        FOUND,
        RELEASE,
        "{count:,} of {of:,} cells of {columns} hold a telephone number, an e-mail address, an "
        "official number or an identifier of the same record",
        'Leave the column out (role = "identifier"), or remove these texts from it.',
    ),
    REFERS: FindingKind(
        FOUND,
        ORIGINAL,
        "{count:,} of {of:,} values of {columns} are values of an identifier, so that the column "
        "names people as the identifier does",
        'Leave the column out (role = "identifier"), or give it the pseudonym of the identifier.',
    ),
    JOINED: FindingKind(
        FOUND,
        ORIGINAL,
        "{count:,} of {of:,} ways of writing a person in {columns} read like another one, and "
        "count as the same person",
        "Write each person in one way, or tell different people apart.",
    ),
    COMPOSITION: FindingKind(
        FOUND,
        HISTORY,
        "{count:,} of {of:,} people ({share}) who are also in an earlier release share their "
        "classes in both with fewer people than the policy asks",
        'Release it under m-invariance, or set history.composition to "refuse".',
    ),
    SHARED_KEY: FindingKind(
        FOUND,
        KEY,
        "the key of the pseudonym {columns} was there before: someone who has another release with "
        "this key joins its records to these, and k does not count that",
        "To keep releases apart, give each of them its own key or domain.",
    ),
    READ_BACK: FindingKind(
        GIVEN_AWAY,
        RELEASE,
        "{count:,} of {of:,} generalized cells can be read back from {columns}: the smallest class "
        "then has a size of {k_after:,}",
        "Leave the column out, or make it coarser.",
    ),
    ONE_VALUE: FindingKind(
        GIVEN_AWAY,
        RELEASE,
        "{count:,} of {of:,} records ({share}) are in classes with one value of {columns} "
        "(sensitive), so that anybody who finds the class of a person learns this value",
        "Ask for a model of this column, such as distinct-l-diversity.",
    ),
    READ_ALIKE: FindingKind(
        GIVEN_AWAY,
        RELEASE,
        "{count:,} of {of:,} values of {columns} read like another one but for case, blanks, the "
        "form of a number or the label of a code",
        "Write them in one way if they mean the same, or with labels that tell them apart.",
    ),
    ROWS_LEFT_OUT: FindingKind(
        USELESS,
        ORIGINAL,
        "{count:,} of {of:,} rows ({share}) are left out or show nothing, in the table of "
        "{columns}",
        "Give the table a limit of its own (max_deleted) or a higher importance, give its columns "
        "coarser levels, or lower k or m.",
    ),
    MOSTLY_HIDDEN: FindingKind(
        USELESS,
        RELEASE,
        "{columns} is hidden in {count:,} of {of:,} released rows ({share})",
        "Give it or its table a higher importance, give it a coarser level below the root, or "
        "leave other columns out.",
    ),
    WHOLLY_HIDDEN: FindingKind(
        USELESS,
        RELEASE,
        "{columns} tells nothing: all {of:,} released records show the same cell",
        "Give it a higher importance or a finer hierarchy, or leave other columns out.",
    ),
    KEEPS_LITTLE: FindingKind(
        USELESS,
        CROSSWALK,
        "{columns} keeps {share} of its information",
        "Give it a higher importance or a finer hierarchy, or leave other columns out.",
    ),
    NOT_JOINED: FindingKind(
        USELESS,
        CROSSWALK,
        "{count:,} of {of:,} records belong to people who have several, and nothing in the release "
        "joins them, because {columns} is left out",
        'If readers have to join them, write household = "{columns}" under [data] in place of '
        "person. It protects all records of a person together, by k-anonymity alone.",
    ),
    MISSING: FindingKind(
        USELESS,
        RELEASE,
        "{count:,} of {of:,} records ({share}) have no value of {columns} (sensitive)",
        "Say under [data] which texts stand for a missing value, if these records have one.",
    ),
    UNSETTLED: FindingKind(
        USELESS,
        POLICY,
        "no suggested hierarchy agrees with the cells that it shows in {count:,} of {of:,} "
        "quasi-identifiers ({columns}), so that values are kept or hidden",
        "Write the hierarchy in the policy.",
    ),
    RENAMED: FindingKind(
        USELESS,
        POLICY,
        "labels are also values or labels of other groups in {count:,} of {of:,} quasi-identifiers "
        "({columns}), so that their level is added to them",
        "Give these groups names of their own.",
    ),
    NOBODY_RETURNS: FindingKind(
        USELESS,
        HISTORY,
        "none of {of:,} people was in an earlier release, by the column {columns}",
        "Check that the column says whose record each is in the same way in every version.",
    ),
}
