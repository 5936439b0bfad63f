"""Which random masks cannot be tested by what is at hand."""

from __future__ import annotations

from collections.abc import Mapping

from indistinct.policy.policy import Policy

UNTESTED = (
    "random masks ({}) were not tested: whether they changed the values as declared shows only "
    "beside the input and the crosswalk; give both (--original and --crosswalk)"
)
UNTESTED_HERE = "random masks ({}) were not tested: this form of a release cannot be compared so"
RANDOM = ("pseudonym", "randomized-response", "pram", "swap", "noise-additive", "noise")
OF_WHOLE_TABLES = ("noise", "microaggregation")  # of all records at once, and of their classes


def untested(policy: Policy, *, is_linked: bool, in_parts: bool = False) -> Mapping[str, str]:
    """Return a note if random masks cannot be tested, under ``masks``.

    Parameters
    ----------
    is_linked : whether the input and the crosswalk are at hand
    in_parts : whether the table is not read whole
    """
    names = [name for name, mask in policy.protections.items() if mask.name in RANDOM]
    if not is_linked:
        return {"masks": UNTESTED.format(", ".join(names))} if names else {}
    if not any(model.republishes for model in policy.models):
        names = [
            name for name in policy.protections if not is_tested(policy, name, in_parts=in_parts)
        ]
    return {"masks": UNTESTED_HERE.format(", ".join(names))} if names else {}


def is_tested(policy: Policy, name: str, *, in_parts: bool) -> bool:
    """Return whether a mask can be tested, the input and the crosswalk being at hand."""
    mask = policy.protections[name].name
    if mask not in OF_WHOLE_TABLES:
        return True
    # Noise of several columns, or before records are taken out, depends on what nobody sees.
    is_open = mask == "noise" and (
        len(policy.noisy_names) > 1 or any(model.suppresses_later for model in policy.models)
    )
    # Midpoints may merge classes that differ, and sets have classes of their own.
    has_midpoints = policy.release.intervals == "midpoint"
    return not (in_parts or is_open or has_midpoints or policy.set_names)
