"""The public verbs: each chooses between one table and several about the same people.

A house is loaded when a verb first calls it, so that what verifies loads nothing of what publishes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Unpack, cast, overload

from indistinct.base.former_names import former_names
from indistinct.errors import ParameterError, PolicyError
from indistinct.related import RelatedPolicy, related_policy
from indistinct.tables.core import Progress, no_progress
from indistinct.tables.engines import MEMORY
from indistinct.tables.frames import Frame
from indistinct.tables.policy import GivenPolicy, PolicyKeywords

if TYPE_CHECKING:
    from indistinct.aggregates import (
        PublishedTables,
        TableKeywords,
        TablesPolicy,
        TablesVerification,
    )
    from indistinct.base.arrays import RowsOfInput
    from indistinct.related import RelatedAssessment, RelatedInspection, RelatedRelease
    from indistinct.tables.evaluation import Assessment, AttackParameters, AttackReport
    from indistinct.tables.publish import Inspection, Release
    from indistinct.tables.reading import ReadingKeywords
    from indistinct.tables.verification import Verification

Data = TypeVar("Data")


@overload
def anonymize(
    data: str | Path,
    policy: RelatedPolicy,
    *,
    seed: int | None = None,
    progress: Progress = no_progress,
) -> RelatedRelease[Frame]: ...


@overload
def anonymize(  # pyright: ignore[reportOverlappingOverload] - a frame is no mapping
    data: Mapping[str, Data],
    policy: GivenPolicy | RelatedPolicy,
    *,
    seed: int | None = None,
    progress: Progress = no_progress,
) -> RelatedRelease[Data]: ...


@overload
def anonymize(
    data: str | Path,
    policy: GivenPolicy | None = None,
    *,
    history: str | Path | None = None,
    seed: int | None = None,
    progress: Progress = no_progress,
    engine: Literal["memory"],
    **keywords: Unpack[PolicyKeywords],
) -> Release[Frame]: ...


@overload
def anonymize(
    data: str | Path,
    policy: GivenPolicy | None = None,
    *,
    history: str | Path | None = None,
    seed: int | None = None,
    progress: Progress = no_progress,
    engine: str = "auto",
    **keywords: Unpack[PolicyKeywords],
) -> Release[Any]: ...


@overload
def anonymize(
    data: Data,
    policy: GivenPolicy | None = None,
    *,
    history: str | Path | None = None,
    seed: int | None = None,
    progress: Progress = no_progress,
    engine: str = "auto",
    **keywords: Unpack[PolicyKeywords],
) -> Release[Data]: ...


def anonymize(  # noqa: PLR0913 - each is a keyword of one release
    data: Any,
    policy: GivenPolicy | RelatedPolicy | None = None,
    *,
    history: str | Path | None = None,
    seed: int | None = None,
    progress: Progress = no_progress,
    engine: str = "auto",
    **keywords: Unpack[PolicyKeywords],
) -> Any:
    """Make a release of a table that satisfies a policy.

    Parameters
    ----------
    data : a path, or an eager frame of Polars, pandas or pyarrow; of related tables a folder, the
        address of a schema, or a frame for each table
    policy : what is promised; or give the keywords of :meth:`Policy.from_keywords`; a policy, or
        the path of its TOML file
    history : path of the record of earlier releases of this table, which writing the release
        continues, or begins
    seed : makes the release repeatable, for tests: what is drawn at random, such as masks, and
        which of equal records goes to which class; secret when left out
    progress : called with the share done and a message
    engine : ``memory``, ``polars`` or ``duckdb``; left out, small tables are read whole, and data
        that are lazy stay where they are

    Returns
    -------
    the release, verified; of related tables a :class:`RelatedRelease`. Of data that are not read
    whole, the decision was verified, and what is
    written is verified when it is written

    Raises
    ------
    UsageError
        when the policy or the input is wrong; every fault at once. Of data that are not read whole,
        also when a history or a seed is given
    NoSolutionError
        when no release satisfies the policy
    VerificationError
        when the release does not hold its promise, which would be an error of this program
    """
    related = related_policy(policy)
    if related is None:
        from indistinct.tables.publish import anonymize as anonymize_table

        return anonymize_table(
            data,
            cast("GivenPolicy | None", policy),
            history=history,
            seed=seed,
            progress=progress,
            engine=engine,
            **keywords,
        )
    if history is not None or keywords or engine not in {"auto", MEMORY}:
        raise PolicyError(
            "related tables are read whole and take a policy, and neither keywords, a history "
            "nor another engine than memory",
            "Leave them out.",
        )
    from indistinct.related import anonymize_related

    return anonymize_related(data, related, seed=seed, progress=progress)


@overload
def inspect(  # pyright: ignore[reportOverlappingOverload] - a frame is no mapping
    data: Mapping[str, Any], *, progress: Progress = no_progress, profile: str | None = None
) -> RelatedInspection: ...


@overload
def inspect(
    data: Any,
    policy: GivenPolicy | None = None,
    *,
    vulnerability: Literal["sensitive", "identity"] | None = None,
    engine: str = "auto",
    memory: str | None = None,
    temp: str | Path | None = None,
    progress: Progress = no_progress,
    profile: str | None = None,
    settle: Mapping[str, str] | None = None,
    **reading: Unpack[ReadingKeywords],
) -> Inspection: ...


def inspect(  # noqa: PLR0913 - each is a word of the command
    data: Any,
    policy: GivenPolicy | None = None,
    *,
    vulnerability: Literal["sensitive", "identity"] | None = None,
    engine: str = "auto",
    memory: str | None = None,
    temp: str | Path | None = None,
    progress: Progress = no_progress,
    profile: str | None = None,
    settle: Mapping[str, str] | None = None,
    **reading: Unpack[ReadingKeywords],
) -> Inspection | RelatedInspection:
    """Describe every column of a table, or of related tables, and suggest its role.

    Parameters
    ----------
    data : a path, a folder or a pattern of files, the address of a table, or a frame; of tables
        about the same people a folder or a schema, or a frame for each name
    policy, vulnerability, engine, memory, temp, settle, reading : of one table; see
        :func:`indistinct.tables.publish.inspect_table`
    progress : called with the share done and a message
    profile : of related tables, the known model of data that they follow, such as ``omop-5.4``

    Returns
    -------
    what the columns show; of related tables a :class:`RelatedInspection`, also of the path of a
    folder whose files have different columns

    Raises
    ------
    DataError
        when a table cannot be read
    ParameterError
        when a setting is not one of such data
    """
    if not (isinstance(data, Mapping) or profile is not None or _has_tables(data, policy)):
        from indistinct.tables.publish import inspect_table

        return inspect_table(
            data,
            policy,
            vulnerability=vulnerability,
            engine=engine,
            memory=memory,
            temp=temp,
            progress=progress,
            settle=settle,
            **reading,
        )
    if policy is not None or vulnerability is not None or settle or any(reading.values()):
        raise ParameterError(
            "related tables are inspected without a policy, and read as they are",
            "Leave the other settings out, or inspect the tables one by one.",
        )
    from indistinct.related import inspect_related

    return inspect_related(data, profile=profile, progress=progress)


def _has_tables(data: Any, policy: GivenPolicy | None) -> bool:
    """Return whether a path is a folder of related tables; with a policy, it is one table."""
    from indistinct.related import has_related_tables

    return policy is None and isinstance(data, str | Path) and has_related_tables(data)


def tabulate(
    data: Any,
    policy: TablesPolicy | str | Path | Mapping[str, Any] | None = None,
    *,
    engine: str = "auto",
    effort: Literal["default", "fast"] | None = None,
    **words: Unpack[TableKeywords],
) -> PublishedTables:
    """Publish tables of counts in which nobody can work out the small ones.

    Small counts are hidden, and further ones so that none of them follows from the totals. Complete
    tables that agree with all that is shown prove it: anybody can recheck them by addition.

    Parameters
    ----------
    data : a path, the address of a table, or a frame
    policy : what is published and promised; a policy, its words, or the path of its TOML file; or
        give the words of one table
    engine : ``memory``, ``polars``, ``duckdb`` or ``spark``; left out, the size of the table
        decides
    effort : ``fast`` does not look for cheaper cells to hide; that of the policy when left out
    words : of one table: ``rows``, ``columns``, ``minimum``, ``person``, ``bands``, ``profile``,
        ``zeros`` and ``name``

    Raises
    ------
    UsageError
        when the policy or the input is wrong; every fault at once
    NoSolutionError
        when no cells that may be hidden protect the small ones
    UndecidedError
        when neither a proof was found nor further cells to hide

    Examples
    --------
    >>> import indistinct as ind
    >>> patients = ind.sample("patients", rows=200)
    >>> t = ind.tabulate(patients, rows="insurance", columns="sex", minimum=5)
    >>> t.sentences[0].split(":")[0]
    '4 counts are hidden (c)'
    """
    from indistinct.aggregates import published

    return published(data, policy, engine=engine, effort=effort, **words)


@former_names(data="release")
def verify(  # noqa: PLR0913 - what there is to judge by, each a keyword
    release: Any,
    policy: GivenPolicy | RelatedPolicy | None = None,
    *,
    original: Any = None,
    manifest: str | Path | Mapping[str, Any] | None = None,
    sensitive: Any = None,
    owner: str | Path | Mapping[str, Any] | None = None,
    crosswalk: Any = None,
    history: str | Path | None = None,
    counterfeits: Any = None,
    engine: str = "auto",
    memory: str | None = None,
    temp: str | Path | None = None,
    require_manifest: bool = False,
    work: int | None = None,
    look_closely: bool = False,
) -> Verification | TablesVerification:
    """Check a release against its policy.

    Parameters
    ----------
    release : path of the release, or a frame; of related tables a folder, or a frame for each; of
        published tables their folder
    policy : what was promised; a policy, or the path of its TOML file; when left out, that of the
        manifest
    original : path or frame of the input: makes the check of closeness exact where records were
        suppressed
    manifest : the release's manifest or its path; the one beside the file when left out
    sensitive : path or frame of the second of two linked tables; the one beside the file when left
        out
    owner : the owner's manifest or its path: with its salt the fingerprint of ``original`` is
        checked, too
    crosswalk : path of the crosswalk, or the row of the input behind each row, with ``original``:
        makes the check of single records possible, and proves what counts people
    history : path of the record of earlier releases, with ``original``: checks that each person
        keeps the same sensitive values
    counterfeits : path or frame with the counterfeits of each group; the one beside the file when
        left out
    engine : ``memory``, ``polars``, ``duckdb`` or ``spark``; left out, the size of the table
        decides
    memory : what an engine may take, such as ``2GB``; left out, half of what is free
    temp : folder for data that do not fit into memory
    require_manifest : whether a release without a manifest is an error
    look_closely : look for all that the release gives away, as :func:`assess` does; else for what
        cells tell that are counted
    work : of related tables, how many patterns of known rows are listed at most, 100 million when
        left out; above it the promise is undecided

    Returns
    -------
    a verdict, with every reason against; of published tables a :class:`TablesVerification`

    Raises
    ------
    DataError
        when a file cannot be read, or the manifest that is required is not there
    """
    from indistinct.aggregates import are_published_tables, verify_tables
    from indistinct.related import are_related, verify_related

    if are_published_tables(release):
        return verify_tables(release, policy, original=original, owner=owner)
    if are_related(release, policy, manifest):
        limit: dict[str, Any] = {} if work is None else {"work": work}
        return verify_related(
            release,
            policy,
            original=original,
            crosswalk=crosswalk,
            manifest=manifest,
            closer=_closer(look_closely),
            **limit,
        )
    from indistinct.tables.verification import verify as verify_table

    return verify_table(
        release,
        cast("GivenPolicy | None", policy),
        original=original,
        manifest=manifest,
        sensitive=sensitive,
        owner=owner,
        crosswalk=crosswalk,
        history=history,
        counterfeits=counterfeits,
        engine=engine,
        memory=memory,
        temp=temp,
        require_manifest=require_manifest,
        closer=_closer(look_closely),
    )


def _closer(look_closely: bool) -> Any:  # noqa: FBT001 - as it was asked
    """Return who looks more closely; nothing of what it takes is loaded where nobody asks."""
    if not look_closely:
        return None
    from indistinct.tables.release import ReleaseJudge

    return ReleaseJudge()


@overload
def assess(  # pyright: ignore[reportOverlappingOverload] - a frame is no mapping
    data: Mapping[str, Any], policy: GivenPolicy | RelatedPolicy
) -> RelatedAssessment: ...


@overload
def assess(data: str | Path, policy: RelatedPolicy) -> RelatedAssessment: ...


@overload
def assess(
    data: Any,
    policy: GivenPolicy,
    *,
    original: Any = None,
    population: str | Path | None = None,
    queries: int | None = None,
    learn: str | None = None,
    weights: str | None = None,
    counterfeits: Any = None,
    crosswalk: Any = None,
    engine: str = "auto",
    memory: str | None = None,
    temp: str | Path | None = None,
) -> Assessment: ...


def assess(  # noqa: PLR0913 - each is a keyword of one measurement
    data: Any,
    policy: GivenPolicy | RelatedPolicy,
    *,
    original: Any = None,
    population: str | Path | None = None,
    queries: int | None = None,
    learn: str | None = None,
    weights: str | None = None,
    counterfeits: Any = None,
    crosswalk: Any = None,
    engine: str = "auto",
    memory: str | None = None,
    temp: str | Path | None = None,
) -> Assessment | RelatedAssessment:
    """Measure a table, published or not, by a policy.

    Parameters
    ----------
    data : path of the table, or an eager frame; of released tables about the same people a folder,
        or a frame for each
    policy : tells the quasi-identifiers, the sensitive columns and the models; a policy, or the
        path of its TOML file
    original : the input that the table was made from: gives the distribution that closeness is
        measured to, the suppressed records, the loss and the utility
    population : path of a table with the same quasi-identifiers: gives the journalist's risk, and
        takes the place of the policy's
    queries : number of random count queries whose error is measured; none when left out
    learn : column that a model, trained on the table, is to predict; none when left out
    counterfeits : of a release of m-invariance, path or frame of the list of counterfeits; the one
        beside the file when left out
    crosswalk : which record each released one came from, path of the file or the rows of the
        original: counts the people that records belong to, and tells what the release keeps
    weights : column that says how many people each record stands for: gives individual risks
    engine : ``memory``, ``polars``, ``duckdb`` or ``spark``; left out, the size of the table
        decides
    memory : what an engine may take, such as ``2GB``; left out, half of what is free
    temp : folder for data that do not fit into memory

    Raises
    ------
    EmptyDataError
        when the table has no records, and there is no original that they could be suppressed from
    DataError
        when a table cannot be read, lacks a column, or is no generalization of the original
    PolicyError
        when the policy asks for two linked tables
    """
    related = related_policy(policy)
    if related is None:
        from indistinct.tables.evaluation import assess as assess_table

        return assess_table(
            data,
            cast("GivenPolicy", policy),
            original=original,
            population=population,
            queries=queries,
            learn=learn,
            weights=weights,
            counterfeits=counterfeits,
            crosswalk=crosswalk,
            engine=engine,
            memory=memory,
            temp=temp,
        )
    others = (original, population, queries, learn, weights, counterfeits, crosswalk)
    if engine not in {"auto", MEMORY} or any(one is not None for one in others):
        raise PolicyError(
            "an assessment of related tables takes the released tables and their policy alone",
            "Leave the other settings out; attack and report compare with the input.",
        )
    from indistinct.related import assess_related

    return assess_related(data, related)


@former_names(elsewhere="second_source", width="predicate_columns", choice="item_choice")
def attack(  # noqa: PLR0913 - each is a word of the command
    release: Any,
    policy: GivenPolicy | RelatedPolicy,
    *,
    attacker: str | None = None,
    attack: str | None = None,
    register: Any = None,
    original: Any = None,
    control: Any = None,
    crosswalk: str | Path | RowsOfInput | Mapping[str, RowsOfInput] | None = None,
    releases: Sequence[Any] = (),
    originals: Sequence[Any] = (),
    crosswalks: Sequence[Any] = (),
    present: Any = None,
    history: str | Path | None = None,
    reference: Any = None,
    sensitive: Any = None,
    seed: int | None = None,
    **plan: Unpack[AttackParameters],
) -> AttackReport:
    """Attack a release, and count the successes.

    Parameters
    ----------
    release : path of a table, published or not, or an eager frame; of related tables a folder, or
        a frame for each table
    policy : tells the roles of its columns and their hierarchies; a policy, also of related
        tables, or the path of its TOML file
    attacker : prosecutor, journalist, marketer, neighbor (or neighbour), insider or collector;
        when left out the collector where there are earlier releases, else the prosecutor
    attack : name of a single attack, in place of an attacker's; see ``docs/attacks.md``
    register : path or frame with what the attacker knows of people: names and quasi-identifiers
    original : path or frame that the release was made from: the targets of some attacks, and with
        the identifiers the truth of others
    control : path or frame of people who are not in the release, of the same population
    crosswalk : path of the crosswalk, or the row of the original behind each row of the release; of
        related tables a folder, or these rows for each table
    releases : paths or frames of earlier releases of the table, oldest first
    originals, crosswalks : of each of ``releases``, as ``original`` and ``crosswalk`` are of the
        release: people are then looked for in their own classes
    present : path or frame with ``person`` and ``release``: who was in which of them, the oldest
        being 1 and ``release`` itself the last
    history : path of the record of the releases: who shared a group, for the attack by companions
    reference : path or frame of other people of the same population whom the attacker knows
    sensitive : path or frame of the sensitive table of two linked ones; when left out, the file
        that stands beside ``release``
    seed : makes the attacker's guesses repeatable
    plan : further words of the attacks, such as ``attempts``; see ``docs/attacks.md``

    Raises
    ------
    ParameterError
        when a word is unknown or out of range, or the attack lacks a table
    DataError
        when a table cannot be read or lacks the columns

    Examples
    --------
    >>> import indistinct as ind
    >>> patients = ind.sample("patients", rows=300)
    >>> register = ind.sample("register", rows=300)
    >>> policy = ind.Policy.from_keywords(
    ...     identifiers=["name"], quasi_identifiers=["birth_date", "sex", "postcode"], k=2
    ... )
    >>> ind.attack(patients, policy, register=register, seed=1).answer.found.rate
    1.0
    """
    if (related := related_policy(policy)) is None:
        from indistinct.tables.evaluation import attack as attack_table
        from indistinct.tables.publish import searched

        return attack_table(
            release,
            cast("GivenPolicy", policy),
            search=searched,
            attacker=attacker,
            attack=attack,
            register=register,
            original=original,
            control=control,
            crosswalk=crosswalk,
            releases=releases,
            originals=originals,
            crosswalks=crosswalks,
            present=present,
            history=history,
            reference=reference,
            sensitive=sensitive,
            seed=seed,
            **plan,
        )
    if attacker is not None:
        raise ParameterError("attackers are for flat tables", "Leave --attacker out.")
    from indistinct.related import RelatedTarget, attack_related
    from indistinct.tables.evaluation import AttackReport, attack_by_known_events

    asked, confidence = attack_by_known_events(attack, plan)
    target = RelatedTarget(release, original, crosswalk)
    outcome = attack_related(asked, target, related, seed=seed, confidence=confidence)
    return AttackReport(None, (outcome,), outcome)
