"""Every form of a release; the first that fits a policy is the one it asks for.

A form is one entry here: whether a policy asks for it, and what it does at each step. The modules
of rare forms are loaded when they are asked for, so that a plain release does not wait for them.
"""

from typing import Any

from indistinct.tables.policy.settings import invariant_model
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.forms.anatomy import ANATOMY
from indistinct.tables.publish.forms.form import Form, Stages
from indistinct.tables.publish.forms.table import table_steps, with_class_noise


def _invariant_table() -> Stages[Any]:
    from indistinct.tables.publish.forms.invariant import INVARIANT

    return INVARIANT


def _invariant_groups() -> Stages[Any]:
    from indistinct.tables.publish.forms.invariant import LINKED_INVARIANT

    return LINKED_INVARIANT


def _sets() -> Stages[Any]:
    from indistinct.tables.publish.forms.sets import with_sets_in_classes

    return table_steps(with_sets_in_classes)


def _households() -> Stages[Any]:
    from indistinct.tables.publish.forms.households import HOUSEHOLDS

    return HOUSEHOLDS


def _is_invariant(spec: Specification) -> bool:
    return invariant_model(spec.models) is not None


def _is_linked(spec: Specification) -> bool:
    return spec.release.form == "anatomy"


FORMS: tuple[Form, ...] = (
    Form("linked invariant", lambda one: _is_invariant(one) and _is_linked(one), _invariant_groups),
    Form("invariant", _is_invariant, _invariant_table),
    Form("anatomy", _is_linked, lambda: ANATOMY),
    Form("sets", lambda spec: bool(spec.set_names), _sets),
    Form("class noise", lambda spec: bool(spec.noises), lambda: table_steps(with_class_noise)),
    Form("households", lambda spec: spec.data.household is not None, _households),
    Form("table", lambda spec: spec.release.form == "table", table_steps),
)


def form_of(spec: Specification) -> Form:
    """Return the form of release that a policy asks for."""
    return next(form for form in FORMS if form.fits(spec))
