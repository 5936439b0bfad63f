"""Values and people that are written in several ways: what was counted as one, and what was not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from indistinct.core.counted_texts import counted_texts
from indistinct.core.frequencies import FrequencyTable
from indistinct.counting.persons import n_joined_persons
from indistinct.engines.frames import Frame
from indistinct.policy.policy import Policy
from indistinct.release.entries import CASE, JOINED, WarningEntry


def spellings_of(frame: Frame, table: FrequencyTable, policy: Policy) -> Iterator[WarningEntry]:
    """Warn of sensitive values that differ by case alone, and of people whose ids were joined.

    Parameters
    ----------
    frame : the input
    table : the same, counted
    """
    for name, column in table.sensitive_in_file.items():
        records: dict[str, list[int]] = defaultdict(list)
        known = zip(counted_texts(column.known.values), column.known.counts.tolist(), strict=True)
        for text, count in known:
            records[text.casefold()].append(count)
        several = [counts for counts in records.values() if len(counts) > 1]
        if several:
            n_values, n_records = sum(map(len, several)), sum(map(sum, several))
            message = (
                f"{n_values} values of {name} (sensitive) differ by upper and lower case alone, "
                "and count as different values: write them in one way if they mean the same"
            )
            share = n_records / max(int(column.counts.sum()), 1)
            yield WarningEntry(CASE, (name,), round(share, 6), message)
    if n_joined := n_joined_persons(frame, policy):
        person = policy.data.person or ""
        message = (
            f"{n_joined} ways of writing a person in {person} read like another one, and count as "
            "the same person: write each person in one way, or tell different people apart"
        )
        yield WarningEntry(JOINED, (person,), 1.0, message)
