"""A command loads what its policy needs, and no room besides."""

import subprocess
import sys

from indistinct.tables.masks import MASKS

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
