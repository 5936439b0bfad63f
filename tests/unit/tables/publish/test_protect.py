"""Protections, column by column and jointly."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from indistinct.base.files.documents import plain
from indistinct.base.parameters import parameter
from indistinct.base.randomness import RandomSource
from indistinct.tables.core.schema import Role
from indistinct.tables.masks import Masked, Protection
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.protections import groups_of
from indistinct.tables.policy.sections.column import ColumnPolicy
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.protect import protect_input
from indistinct.tables.verification.mask_checks import mask_faults


@dataclass(frozen=True, slots=True)
class Reversed(Protection):
    """Turns all its columns upside down at once."""

    group: str = parameter(str, help="columns that go together", default="all")

    name: ClassVar[str] = "reversed"
    roles: ClassVar[frozenset[Role]] = frozenset(Role)
    in_classes: ClassVar[bool] = True
    jointly: ClassVar[bool] = True

    def mask(self, columns, source):
        del source
        return Masked(columns.reverse(), {"columns": columns.width})

    def check_release(self, released, facts) -> Iterator:
        assert facts is None or facts["columns"] == released.width
        return iter(())


def policy_of(**protected):
    return Policy(
        columns={
            name: ColumnPolicy(role=Role.QUASI_IDENTIFIER, protect=protection)
            for name, protection in protected.items()
        }
    )


def test_columns_of_equal_settings_are_protected_jointly():
    policy = policy_of(x=Reversed(), y=Reversed("own"), z=Reversed())
    assert [names for _, names in groups_of(policy.protections)] == [["x", "z"], ["y"]]
    frame = pl.DataFrame({"x": [1, 2], "y": [3, 4], "z": [5, 6]})
    protected = protect_input(frame, resolve(policy), RandomSource(1))
    assert protected.frame.to_dict(as_series=False) == {"x": [2, 1], "y": [4, 3], "z": [6, 5]}
    assert protected.entries["z"].facts["columns"] == 2
    assert protected.entries["y"].facts["columns"] == 1
    manifest = {"protection": plain(protected.entries)}
    assert list(mask_faults(protected.frame, resolve(policy), manifest)) == []


def test_a_manifest_that_keeps_silent_is_a_fault():
    policy = policy_of(x=Reversed())
    frame = pl.DataFrame({"x": ["1"]})
    assert list(mask_faults(frame, resolve(policy), None)) == []
    (fault,) = mask_faults(frame, resolve(policy), {"models": []})
    assert fault.place == "manifest.protection.x"
