"""Run every check on what was read of a release, and put the verdict together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from indistinct.base.verdicts import Verdict
from indistinct.errors import Fault
from indistinct.tables.core.protocols import PlainClass
from indistinct.tables.frames.frame import Column, Frame, frame_of
from indistinct.tables.models import BoundedModel
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.sections.population import models_among
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.column_types import ColumnType, kind_of
from indistinct.tables.verification.claims import as_readers_count, claims
from indistinct.tables.verification.classes import classes_of
from indistinct.tables.verification.columns import (
    cell_faults,
    cell_notes,
    column_faults,
    input_order_faults,
    unknown_columns,
)
from indistinct.tables.verification.evidence import (
    CheckedRelease,
    VerificationInput,
    evidence_of,
    promises_of_all_releases,
    suppression_faults,
)
from indistinct.tables.verification.households import household_column_faults, household_findings
from indistinct.tables.verification.input import n_people
from indistinct.tables.verification.invariant import (
    invariant_column_faults,
    invariant_findings,
    linked_invariant_findings,
)
from indistinct.tables.verification.judging import FormFindings, Judgement, judge
from indistinct.tables.verification.linked import linked_column_faults, linked_findings
from indistinct.tables.verification.mask_checks import (
    mask_faults,
    mask_faults_with_input,
    mask_notes,
)
from indistinct.tables.verification.mask_tests import random_mask_faults
from indistinct.tables.verification.order import order_faults, whole
from indistinct.tables.verification.original import crosswalk_faults, input_faults
from indistinct.tables.verification.people import (
    counted_in_people,
    judged_by_records,
    people_faults,
    persons_in,
    sized_in_people,
    with_people,
)
from indistinct.tables.verification.public_policy import public_policy_faults, with_suggested_rules
from indistinct.tables.verification.read_back import read_back_faults
from indistinct.tables.verification.rendering import Renderer
from indistinct.tables.verification.sets import set_faults
from indistinct.tables.verification.stating.state import (
    DecidedCells,
    checks_of,
    state,
    with_verdict,
)
from indistinct.tables.verification.stating.statement_check import (
    statement_faults,
    verdict_faults,
)
from indistinct.tables.verification.suggestion import suggestion_faults
from indistinct.tables.verification.texts import HIDDEN, is_number, lost_differences, text_as_read
from indistinct.tables.verification.verification import Verification

NOTHING: Mapping[str, str] = MappingProxyType({})
TRUTHS = ("true", "false")  # a column of truth values has no word for a missing one


class FormVerification(NamedTuple):
    """How releases of one form are verified.

    Parameters
    ----------
    column_faults : finds columns that should not or should be there; nothing else is then looked at
    findings : runs the checks of this form alone
    beside : the tables that are read beside the release: ``sensitive``, ``counterfeits``
    is_linked : whether a release is two linked tables
    is_one_of_many : whether the promise is about all releases of a table together
    has_households : whether households are counted, and not records
    """

    column_faults: Callable[[VerificationInput], Iterator[Fault]]
    findings: Callable[[VerificationInput], FormFindings]
    further_tables: Sequence[str] = ()
    is_linked: bool = False
    is_one_of_many: bool = False
    has_households: bool = False


def table_column_faults(reading: VerificationInput) -> Iterator[Fault]:
    """Find columns that should not or should be there."""
    names = reading.frame.columns if reading.columns is None else reading.columns
    yield from column_faults(names, reading.spec)


def table_findings(reading: VerificationInput) -> FormFindings:
    """Run every check of one table."""
    spec, evidence = reading.spec, evidence_of(reading)
    persons = None
    if evidence.original is not None and evidence.rows is not None:
        persons = persons_in(evidence.original, spec.data)
    classes = list(classes_of(evidence if persons is None else _telling_people(evidence, persons)))
    n_records = evidence.n_released + (evidence.n_suppressed or 0)
    n_sampled = n_records if persons is None else len(set(persons))
    models = models_among(spec.models, spec.population, n_sampled, n_people(spec))
    judged = [_judge_units(model, classes, evidence, persons) for model in models]
    # Sizes count people where the policy names them, whom nothing may tell.
    sized = classes if spec.data.person is None else None
    faults: list[Fault] = []
    if persons is not None:
        sized = sized_in_people(classes)
        faults += people_faults(classes, n_sampled, reading.manifest)
    faults += cell_faults(evidence)
    protected = evidence.release if reading.protected is None else reading.protected
    faults += mask_faults(protected, spec, reading.manifest)
    if reading.original is not None and not reading.original_is_masked:
        faults += mask_faults_with_input(evidence.release, spec, reading.original, evidence.rows)
        if evidence.rows is not None:
            faults += random_mask_faults(evidence, reading.original, reading.manifest)
    faults += set_faults(evidence, reading.manifest)
    faults += input_faults(evidence)
    faults += suggestion_faults(evidence)
    faults += suppression_faults(reading, evidence.n_released)
    faults += read_back_faults(reading, evidence)
    readers = as_readers_count(reading, evidence, judged)
    false_claims, not_checked = claims(reading, evidence, sized, readers)
    return FormFindings(
        evidence,
        judged,
        [*faults, *false_claims],
        evidence.n_released,
        len(classes),
        (*cell_notes(evidence), *mask_notes(spec)),
        not_checked,
        models,
        sized,
        None if persons is None else [persons[row] for row in evidence.rows or ()],
        None if persons is None else n_sampled,
        readers=readers,
    )


def _telling_people(evidence: CheckedRelease, persons: Sequence[str]) -> CheckedRelease:
    """Add the people to the columns of the release and of the input."""
    spec, rows = evidence.spec, evidence.rows or ()
    columns = sorted({name for model in spec.models for name in model.columns})
    of_release = [persons[row] for row in rows]
    original = evidence.original
    return replace(
        evidence,
        release=with_people(evidence.release, of_release, columns, spec.data.missing),
        original=None
        if original is None
        else with_people(original, persons, columns, spec.data.missing),
    )


def _judge_units(
    model: BoundedModel,
    classes: Sequence[PlainClass],
    evidence: CheckedRelease,
    persons: Sequence[str] | None,
) -> Judgement:
    """Judge a model by what its sizes count: records, or the people of the policy."""
    if evidence.spec.data.person is None:
        return judge(model, classes, evidence)
    if persons is None:
        entry, faults, _ = judge(model, classes, evidence)
        return judged_by_records(model, entry, faults, evidence.spec.people_file)
    return judge(model, counted_in_people(classes, model), evidence)


# Sets and noise of classes are columns of a table like others.
FORMS = (
    FormVerification(table_column_faults, table_findings),
    FormVerification(household_column_faults, household_findings, has_households=True),
    FormVerification(linked_column_faults, linked_findings, ("sensitive",), is_linked=True),
    FormVerification(
        invariant_column_faults, invariant_findings, ("counterfeits",), is_one_of_many=True
    ),
    FormVerification(
        linked_column_faults,
        linked_invariant_findings,
        ("sensitive", "counterfeits"),
        is_linked=True,
        is_one_of_many=True,
    ),
)


def form_of(spec: Specification) -> FormVerification:
    """Return the form of the releases that a policy asks for."""
    asked = (
        spec.release.form == "anatomy",
        promises_of_all_releases(spec.models),
        spec.data.household is not None,
    )
    return next(
        form
        for form in FORMS
        if (form.is_linked, form.is_one_of_many, form.has_households) == asked
    )


def verdict_on(
    reading: VerificationInput,
    faults: list[Fault],
    unchecked: Mapping[str, str] = NOTHING,
    decided: DecidedCells | None = None,
) -> Verification:
    """Run every check on what was read, and state all that follows.

    Parameters
    ----------
    faults : those that were found while it was read
    unchecked : what could not be looked at, and why
    decided : what is known of the cells besides, where nobody holds the table whole
    """
    if reading.manifest is not None:
        faults = [*faults, *public_policy_faults(reading.spec, reading.manifest)]
        rules = with_suggested_rules(reading.spec, reading.manifest)
        reading = replace(reading, spec=rules)
    wrong_rows = list(crosswalk_faults(reading))
    if wrong_rows:
        reading, faults = replace(reading, rows=None), [*faults, *wrong_rows]
    form = form_of(reading.spec)
    wrong_columns = list(form.column_faults(reading))
    if wrong_columns:
        faults = [*faults, *wrong_columns]
        stated = with_verdict(state(reading, None), reading, None, faults, (), unchecked)
        return Verification(False, tuple(faults), (), 0, 0, statements=stated)  # noqa: FBT003 - it does not hold
    found = form.findings(reading)
    faults = [*faults, *(fault for _, more, _ in found.judged for fault in more), *found.faults]
    faults += _cell_faults(reading, found.evidence)
    faults += _order_faults(reading)
    faults += input_order_faults(found.evidence)
    unknown = () if form.is_linked else unknown_columns(found.evidence)
    stated = state(reading, found, decided)
    faults += statement_faults(reading.manifest, stated)
    if reading.manifest is not None:
        checks = list(checks_of(reading, found, (), unknown, unchecked))
        faults += verdict_faults(reading.manifest, checks)
    stated = with_verdict(stated, reading, found, faults, unknown, unchecked)
    return Verification(
        holds=Verdict(stated.verdict["verdict"]).holds,
        faults=tuple(faults),
        models=tuple(entry for entry, _, _ in found.judged),
        records=found.n_records,
        classes=found.n_classes,
        notes=(*(note for _, _, notes in found.judged for note in notes), *found.notes),
        not_checked=(*found.not_checked, *(f"columns.{name}.cells" for name in unknown)),
        statements=stated,
    )


def _cell_faults(reading: VerificationInput, evidence: CheckedRelease) -> Iterator[Fault]:
    """Find cells of any table that count as one value and differ, or are words for no value."""
    typed = {column.name: column for column in evidence.typed.iter_columns()}
    # Pairs of bounds are looked at as the label that they are.
    labels = [typed.get(one.name, one) for one in evidence.release.iter_columns()]
    yield from lost_differences(reading.frame)
    yield from missing_word_faults(frame_of({one.name: one for one in labels}), reading.spec)
    if reading.sensitive is not None:
        yield from lost_differences(reading.sensitive)
        yield from missing_word_faults(reading.sensitive, reading.spec)


def _order_faults(reading: VerificationInput) -> Iterator[Fault]:
    """Find tables whose rows stand in another order than that of their cells."""
    if reading.weights is None:  # distinct rows stand in no order
        yield from order_faults(whole(reading.frame), reading.spec.class_names)
    if reading.sensitive is not None:
        yield from order_faults(whole(reading.sensitive), reading.spec.class_names, "sensitive")


def missing_word_faults(frame: Frame, spec: Specification) -> Iterator[Fault]:
    """Find cells that hold a word which the policy lists for a missing value.

    A word is passed over where an honest cell may be written so: in a masked column, whose numbers
    are drawn, or as a label, a midpoint, a hidden cell or a truth value.

    Parameters
    ----------
    frame : released columns, as texts or with their types
    """
    listed = words_of_no_value(spec)
    for column in frame.iter_columns() if listed else ():
        if column.name not in spec.columns or column.name in spec.protections:
            continue
        if column.name in spec.set_names or kind_of(column.dtype) is ColumnType.TRUTH:
            continue
        distinct = column.unique()
        words = _words(spec.columns[column.name], listed, text_as_read(distinct))
        # Nearly always no word stands there, and the distinct cells show it.
        count = _count(column, words) if _count(distinct, words) else 0
        if count:
            yield Fault(
                f"columns.{column.name}",
                f"{count} cells hold a word that the policy lists as missing, but a release leaves "
                "a missing cell empty",
                "Do not publish this file: write the release again.",
            )


def words_of_no_value(spec: Specification) -> list[str]:
    """Return the words that a policy lists for a missing value, but those that cells may be."""
    return [word for word in spec.data.missing if word.strip(HIDDEN) and word not in TRUTHS]


def _count(column: Column, words: Sequence[str]) -> int:
    """Count the cells that hold one of some words."""
    if column.dtype.is_numeric():
        numbers = [float(word) for word in words if is_number(word.strip())]
        found = column.cast(float).is_in(numbers)
    else:
        found = text_as_read(column).is_in(words)
    return int(found.fill_null(value=False).sum())


def _words(rule: ColumnRule, words: Sequence[str], shown: Column) -> Sequence[str]:
    """Return those of some words that no honest cell of a column is."""
    if not rule.in_classes:
        return words
    if rule.shown_as == "midpoint":
        words = [word for word in words if not is_number(word)]
    cells = replace(Renderer.of(rule, shown=shown), missing=frozenset[str]())
    return [word for word in words if cells.kind == "ranges" or not any(cells.levels(word))]
