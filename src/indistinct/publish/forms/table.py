"""Release one table of equivalence classes; other forms refine how its cells are written."""

from __future__ import annotations

from indistinct.core.brief import Confidential
from indistinct.publish.forms.form import FormInput
from indistinct.publish.pipeline import Refine, decide, in_classes
from indistinct.publish.released_labels import released_labels
from indistinct.publish.released_tables import ReleasedTables


def draft_table(given: FormInput, *, refine: Refine = in_classes) -> ReleasedTables:
    """Make a release of one table that nobody has verified yet.

    Parameters
    ----------
    refine : makes what was found into the classes and cells that are written

    Raises
    ------
    NoSolutionError
        when no release satisfies the policy
    """
    source, policy = given.source, given.policy
    decided = decide(
        source,
        policy,
        progress=given.progress,
        deadline=given.deadline,
        chance=given.chance,
        refine=refine,
    )
    frame, table = decided.plan.cells, source.table
    release = ReleasedTables(
        data=source.lazy(decided.plan.decision),
        published=decided.published,
        frame=frame,
        owners=Confidential((decided.plan.rows, source.frame, decided.owner)),
        policy=policy,
        separator=table.separator,
        labels=released_labels(table.labels, decided.policy, frame),
        lists=table.lists,
    )
    if given.earlier is None:
        return release
    from indistinct.publish.composition import composed  # loaded when it is needed

    return composed(release, given.earlier.path, given.earlier.past, table.sha256)
