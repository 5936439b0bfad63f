"""Every form of a release; the first that fits a policy is the one it asks for.

A form is one entry here: whether a policy asks for it, and what makes a release of it. The modules
of rare forms are loaded when they are asked for, so that a plain release does not wait for them.
"""

from indistinct.policy.policy import Policy
from indistinct.policy.settings import invariant_model
from indistinct.publish.class_noise import add_class_noise
from indistinct.publish.forms.form import Form, FormInput
from indistinct.publish.forms.table import draft_table
from indistinct.publish.released_tables import ReleasedTables


def _draft_invariant(given: FormInput) -> ReleasedTables:
    from indistinct.publish.forms.invariant import draft_invariant

    return draft_invariant(given)


def _draft_anatomy(given: FormInput) -> ReleasedTables:
    from indistinct.publish.forms.anatomy import draft_linked_tables

    return draft_linked_tables(given)


def _draft_sets(given: FormInput) -> ReleasedTables:
    from indistinct.publish.forms.sets import draft_with_sets

    return draft_with_sets(given)


def _draft_households(given: FormInput) -> ReleasedTables:
    from indistinct.publish.forms.households import draft_households

    return draft_households(given)


def _draft_class_noise(given: FormInput) -> ReleasedTables:
    return draft_table(given, refine=add_class_noise)


FORMS: tuple[Form, ...] = (
    Form("invariant", lambda policy: invariant_model(policy.models) is not None, _draft_invariant),
    Form("anatomy", lambda policy: policy.release.form == "anatomy", _draft_anatomy),
    Form("sets", lambda policy: bool(policy.set_names), _draft_sets),
    Form("class noise", lambda policy: bool(policy.noises), _draft_class_noise),
    Form("households", lambda policy: policy.data.household is not None, _draft_households),
    Form("table", lambda policy: policy.release.form == "table", draft_table),
)


def form_of(policy: Policy) -> Form:
    """Return the form of release that a policy asks for."""
    return next(form for form in FORMS if form.fits(policy))
