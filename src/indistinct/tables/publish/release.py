"""A release: the frozen result of anonymization, its manifest, and its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, cast, final

from typing_extensions import TypeVar

from indistinct.base.arrays import Ints
from indistinct.base.brief import in_notebook, models_in_words, presenter
from indistinct.errors import OutputError
from indistinct.tables.findings.finding import ReleaseFindings
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.policy import Policy
from indistinct.tables.publish.released_tables import ReleasedTables
from indistinct.tables.publish.writing import Destination, WrittenManifests, write_staged
from indistinct.tables.release.manifest import Manifest

Released = TypeVar("Released", default=Any)  # the kind of data that came in, and comes back


@final
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Release(Generic[Released]):
    """A released table, with its manifest and the policy that it satisfies.

    Of data that are read whole, the release is in memory, and was verified there. Of data that stay
    where they are, every distinct row was counted, and what becomes of it was verified; the input
    must stay as it is until the release is written or its data are used.

    Notes
    -----
    A representation says how large the release is and shows no cell. A pickle and a dictionary
    (``dataclasses.asdict``) leave ``original``, ``crosswalk`` and ``owner`` out, so that a release
    may be handed on: one that comes out of a pickle has its data and its manifest, but can be
    neither written nor verified against the input. Write it first, or keep the object. A release of
    data that stay where they are has no pickle.
    """

    _held: ReleasedTables

    def __repr__(self) -> str:
        """Return how large it is, what it promises and whether that was verified: no cell."""
        said = self.manifest
        models = models_in_words((model["name"], model["required"]) for model in said["models"])
        states = {True: "verified", False: "not verified yet", Manifest.PLAN: "not written yet"}
        return (
            f"<Release of {said['output']['rows']:,} records: {models}; {states[said['verified']]}>"
        )

    _repr_html_ = in_notebook

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def policy(self) -> Policy:
        """What was promised."""
        return self._held.policy

    @property
    def data(self) -> Released:
        """The released records as the kind of data that came in; lazy where that is lazy."""
        return cast("Released", self._held.data)

    @property
    def frame(self) -> Frame:
        """The released records as a frame of Polars; data that stay where they are are collected.

        Raises
        ------
        OutputError
            when they are on a cluster
        """
        return self._held.frame

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What was promised and reached, as the JSON document beside a written release.

        ``verified`` is "plan" as long as a decision was verified, and nothing that was written.
        """
        return self._held.manifest

    @property
    def owner(self) -> Mapping[str, Any]:
        """The manifest with exact figures as a JSON document, for the owner alone.

        Raises
        ------
        OutputError
            when the release came out of a pickle
        """
        return self._held.owner

    @property
    def findings(self) -> ReleaseFindings:
        """What was found in the release, and what was looked for, for its owner."""
        return self._held.findings

    @property
    def unread(self) -> tuple[str, ...]:
        """Which cells are read as missing, since they are not what their column is, in sentences.

        For the owner alone; empty where the release came out of a pickle.
        """
        return self._held.unread.held or ()

    @property
    def warnings(self) -> tuple[Mapping[str, Any], ...]:
        """Columns that single records out beside the classes, and identifiers that repeat."""
        return self._held.warnings

    @property
    def crosswalk(self) -> Ints:
        """Row of the input behind each row of the release: (n_rows,), for the owner alone.

        Raises
        ------
        OutputError
            when the release came out of a pickle, or its records stay where they are
        """
        return self._held.crosswalk

    @property
    def original(self) -> Frame:
        """The input as it was counted, protected columns masked, kept to verify against.

        Raises
        ------
        OutputError
            when the release came out of a pickle, or its records stay where they are
        """
        return self._held.original

    @property
    def sensitive(self) -> Frame | None:
        """The sensitive table beside ``frame``, where the policy asks for two linked tables."""
        return self._held.sensitive

    @property
    def counterfeits(self) -> Frame | None:
        """Groups that have records without a person, and how many; None without m-invariance."""
        return self._held.counterfeits

    def write(  # noqa: PLR0913 - each is a word of the command
        self,
        path: str | Path,
        *,
        manifest: str | Path | None = None,
        owner: str | Path | None = None,
        crosswalk: str | Path | None = None,
        crosswalk_key: str | None = None,
        record_column: str | None = None,
        rows_per_file: int = 10_000_000,
        replace: bool = False,
        hashes: bool = True,
        partition_by: str | None = None,
    ) -> Mapping[str, Any]:
        """Write the release, and verify it by reading it again; all or nothing.

        Where the policy asks for two linked tables, the sensitive one goes beside the release, as
        ``x.sensitive.csv`` beside ``x.csv``.

        Parameters
        ----------
        path : where to; the ending chooses the format; ``-`` is standard output. Of data that stay
            where they are also a folder, or the address of a table
        manifest : where its manifest goes; inside the folder or beside the file when left out
        owner : where the manifest with exact figures goes, readable by its owner alone
        crosswalk : where the crosswalk goes, which links records to people; of data that stay where
            they are only with Parquet files, and CSV files with the engine ``polars``
        crosswalk_key, record_column : of data that stay where they are, with a crosswalk that lists
            no rows: the column of the input that tells its records apart, and the column of the
            release for their random names
        rows_per_file : of a folder, records of each file
        replace : whether a folder or table that is there may be replaced
        hashes : of a release in parts, whether files are hashed
        partition_by : the released column whose values the folders of the files are named after

        Returns
        -------
        the manifest, the hash of the written file included

        Raises
        ------
        OutputError
            when a file cannot be written
        ParameterError
            when a word is given that only releases in parts take
        VerificationError
            when what was written, read afresh, does not hold the promise; nothing is then published
        """
        written = self.written(
            path,
            manifest=manifest,
            owner=owner,
            crosswalk=crosswalk,
            crosswalk_key=crosswalk_key,
            record_column=record_column,
            partition_by=partition_by,
            rows_per_file=rows_per_file,
            may_replace=replace,
            hashes=hashes,
        )
        return written.published.document()

    def written(self, path: str | Path, **words: Any) -> WrittenManifests:
        """Write the release as :meth:`write` does, and return both manifests.

        Parameters
        ----------
        words : those of a :class:`~indistinct.tables.publish.writing.Destination`
        """
        return write_staged(self._held.staged(Destination.of(path, **words)))

    def report(
        self,
        path: str | Path,
        *,
        public: bool = False,
        name: str | None = None,
        risk_threshold: str | float | None = None,
    ) -> None:
        """Write a page for people who decide on the release, or for its readers.

        Parameters
        ----------
        path : where to; an HTML file that stands alone
        public : the page for readers, from the release, its manifest and its policy alone; else
            the owner's report, which is confidential
        name : what the page calls the release
        risk_threshold : risk above which a record counts as too easy to find: a number, or the
            name of a preset; see ``docs/reports.md``

        Raises
        ------
        OutputError
            when the file cannot be written, or the records stay where they are
        ParameterError
            when the threshold is no risk
        """
        if self.manifest["verified"] == Manifest.PLAN:
            raise OutputError(
                "a report takes the records, which stay where they are until they are written",
                "Write the release, and run: indistinct report.",
            )
        write = presenter("release report")
        write(self, path, public=public, name=name, risk_threshold=risk_threshold)

    def hidden_columns(self) -> tuple[Mapping[str, Any], ...]:
        """Return the quasi-identifiers that most records hide, and what would keep them.

        Other policies are tried on up to 20,000 records, for at most ten seconds or a fifth of the
        policy's time limit. For the owner alone: each figure is one of the input.

        Returns
        -------
        as JSON has it: column, share, level, trials; nothing where the records stay where they are
        """
        return self._held.hidden_columns()

    def close(self) -> None:
        """Let go of the input, and remove what did not fit into memory."""
        self._held.close()


LargeRelease = Release  # its name in earlier versions, where records stay where they are
