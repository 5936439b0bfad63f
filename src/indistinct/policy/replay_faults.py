"""What contradicts a search that nobody shall be able to repeat for what it gives away."""

from __future__ import annotations

from collections.abc import Iterable

from indistinct.core.protocols import Scope
from indistinct.errors import Fault
from indistinct.policy.tables import PolicyTables
from indistinct.search import ALGORITHMS


def replay_faults(policy: PolicyTables) -> Iterable[Fault]:
    """Find what looks at sensitive values although ``replay = "resistant"`` forbids it."""
    method = policy.method
    if method.replay != "resistant":
        return
    algorithm = policy.algorithm
    if algorithm.reads_sensitive or algorithm.republishes:
        able = [one.name for one in ALGORITHMS if not one.reads_sensitive and not one.republishes]
        yield Fault(
            "method.algorithm",
            f'is "{policy.algorithm_name}", which looks at sensitive values or earlier releases; '
            'method.replay = "resistant" chooses without them',
            f"Choose one of {', '.join(able)}, or leave replay out.",
        )
    if method.weights != "policy":
        yield Fault(
            "method.weights",
            'are taken from sensitive values, but method.replay = "resistant" looks at none',
            'Set weights = "policy", or leave replay out.',
        )
    if policy.release.suppressed_cell == "any" or policy.release.form == "anatomy":
        yield Fault(
            "method.replay",
            'is "resistant", which needs classes that share their cells',
            'Leave suppressed_cell = "any" and form = "anatomy" out, or leave replay out.',
        )
    for number, model in enumerate(policy.models):
        if model.scope == Scope.REGION:
            yield Fault(
                f"models.{number}.{model.name}",
                f'is "{model.name}", which is judged by larger sets that no resistant search keeps',
                "Choose t-closeness, or leave replay out.",
            )
