"""What the command leaves out at its start changes nothing that a dataclass does."""

import subprocess
import sys

from indistinct.tables.masks import MASKS

SAME = """
from indistinct.frontends.cli.quick_start import start_quickly
{start}
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
import inspect

@dataclass(frozen=True, slots=True)
class Plain:
    a: int
    b: tuple = field(default_factory=tuple)
    def __post_init__(self): print("made")

@dataclass(frozen=True, order=True)
class Child:
    a: int = 1

@dataclass(slots=True, eq=False)
class Free:
    a: list

one, other = Plain(1), Plain(1, (2,))
print(one, other, one == Plain(1), one == other, one != other, one == 1)
print(hash(one) == hash(Plain(1)))
print(replace(one, a=3), [each.name for each in fields(one)], inspect.signature(Plain))
print(Child(2) > Child(1), sorted([Child(3), Child(2)]), Plain.__eq__.__name__)
print(Plain.__repr__.__qualname__, Free([1]) == Free([1]), Free([1]))
for change in (lambda: setattr(one, "a", 2), lambda: delattr(one, "a")):
    try:
        change()
    except FrozenInstanceError as error:
        print(type(error).__name__, error)
"""
RELEASE = """
import sys
sys.argv = ["indistinct", "anonymize", {data!r}, "--policy", {policy!r}, "--out", {out!r}]
from indistinct.__main__ import run
try:
    run()
except SystemExit as end:
    assert not end.code
print("loaded:", *sorted(name for name in sys.modules if name.startswith("indistinct.")))
"""
# What only some policies, places and kinds of table need.
SELDOM_NEEDED = (
    *(f"indistinct.tables.masks.{home}" for home in ("noise", "rounding", "date_shift", "pram")),
    "indistinct.tables.engines.streaming",
    "indistinct.tables.publish.class_noise",
    "indistinct.related.policy",
    "indistinct.graph",
    "indistinct.questions",
)


def printed(code, *arguments):
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True
    )
    return run.stdout


def test_dataclasses_do_the_same():
    quick = printed(SAME.format(start="start_quickly()"))
    assert quick == printed(SAME.format(start=""))
    assert "cannot assign to field 'a'" in quick


def test_a_plain_release_loads_no_room_that_its_policy_does_not_need(tmp_path):
    data, policy, out = (str(tmp_path / name) for name in ("in.csv", "policy.toml", "out.csv"))
    (tmp_path / "in.csv").write_text("age\n" + "\n".join(["30", "40"] * 10) + "\n")
    (tmp_path / "policy.toml").write_text(
        '[columns.age]\nrole = "quasi-identifier"\n[[models]]\nname = "k-anonymity"\nk = 5\n'
    )
    loaded = printed(RELEASE.format(data=data, policy=policy, out=out)).split("loaded:")[1].split()
    assert "indistinct.tables.publish.forms.table" in loaded
    assert not [name for name in loaded if name.startswith(SELDOM_NEEDED)]


def test_each_mask_stands_in_the_registry_under_its_own_name():
    assert [kind.name for kind in MASKS.values()] == list(MASKS)
    assert len(set(MASKS.values())) == len(MASKS)
    assert MASKS.get("no mask") is None
