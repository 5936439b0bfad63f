"""Which policy a caller means: that of one table, or of several about the same people.

The policy of related tables is loaded when there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from indistinct.tables.policy import Policy, words_of

if TYPE_CHECKING:
    from indistinct.related.policy import RelatedPolicy

SECTIONS = {"tables", "related"}  # of a policy of related tables, and of no other


def related_policy(given: object) -> RelatedPolicy | None:
    """Return the policy of related tables that a caller means; None where it is another one.

    Raises
    ------
    PolicyError
        when its file cannot be read, or it contradicts itself
    """
    if given is None or isinstance(given, Policy):
        return None
    is_file = isinstance(given, str | Path)
    if is_file or isinstance(given, Mapping):
        words = words_of(given) if is_file else cast("Mapping[str, Any]", given)
        if not SECTIONS & {*words}:
            return None
        from indistinct.related.policy import RelatedPolicy

        return RelatedPolicy.from_words(words, Path(given).parent if is_file else None)
    from indistinct.related.policy import RelatedPolicy

    return given if isinstance(given, RelatedPolicy) else None
