"""Forty attacks on releases of different data: no attacker succeeds more often than once in k."""

from __future__ import annotations

import pytest

from related_attacks import DRAWS, KINDS, K, attack_runs
from related_shapes import SHAPES


@pytest.mark.slow
@pytest.mark.parametrize("rows", ["free", "known"])
def test_nobody_is_found_more_often_than_once_in_k(rows: str) -> None:
    """Not a matter of chance: of every attempt, k candidates explain as much as the person."""
    runs = list(attack_runs(rows))
    assert len(runs) == len(SHAPES) * len(DRAWS) * len(KINDS)
    for run in runs:
        assert run.rate <= 1 / K, run
        assert run.below_k == 0 or "exact" not in run.kind, run
    assert max(run.before for run in runs) > 0.9
