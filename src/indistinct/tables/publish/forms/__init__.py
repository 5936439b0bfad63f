"""Every form of a release; the first that fits a policy is the one it asks for.

A form is one entry here: whether a policy asks for it, and what it does at each step. The modules
of rare forms are loaded when they are asked for, so that a plain release does not wait for them.
"""

from typing import Any

from indistinct.tables.policy.resolved import Resolved
from indistinct.tables.policy.settings import invariant_model
from indistinct.tables.publish.forms.anatomy import ANATOMY
from indistinct.tables.publish.forms.form import Form, Steps
from indistinct.tables.publish.forms.table import table_steps, with_class_noise


def _invariant_table() -> Steps[Any]:
    from indistinct.tables.publish.forms.invariant import INVARIANT

    return INVARIANT


def _invariant_groups() -> Steps[Any]:
    from indistinct.tables.publish.forms.invariant import LINKED_INVARIANT

    return LINKED_INVARIANT


def _sets() -> Steps[Any]:
    from indistinct.tables.publish.forms.sets import with_sets_in_classes

    return table_steps(with_sets_in_classes)


def _households() -> Steps[Any]:
    from indistinct.tables.publish.forms.households import HOUSEHOLDS

    return HOUSEHOLDS


def _is_invariant(resolved: Resolved) -> bool:
    return invariant_model(resolved.models) is not None


def _is_linked(resolved: Resolved) -> bool:
    return resolved.release.form == "anatomy"


FORMS: tuple[Form, ...] = (
    Form("linked invariant", lambda one: _is_invariant(one) and _is_linked(one), _invariant_groups),
    Form("invariant", _is_invariant, _invariant_table),
    Form("anatomy", _is_linked, lambda: ANATOMY),
    Form("sets", lambda resolved: bool(resolved.set_names), _sets),
    Form(
        "class noise", lambda resolved: bool(resolved.noises), lambda: table_steps(with_class_noise)
    ),
    Form("households", lambda resolved: resolved.data.household is not None, _households),
    Form("table", lambda resolved: resolved.release.form == "table", table_steps),
)


def form_of(resolved: Resolved) -> Form:
    """Return the form of release that a policy asks for."""
    return next(form for form in FORMS if form.fits(resolved))
