"""The tables of a release, verified as they are, and how those in memory are written."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.brief import Confidential, short_repr
from indistinct.base.files.pair import counterfeits_path, sensitive_path
from indistinct.base.files.writing import atomic, print_out
from indistinct.errors import OutputError
from indistinct.tables.findings.counted_table import KnownFacts
from indistinct.tables.findings.finding import ReleaseFindings
from indistinct.tables.frames.frame import Frame, are_starred, table_of
from indistinct.tables.frames.set_forms import given_back
from indistinct.tables.history.writing import recorded
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.stated import StatedVerdict, with_statements
from indistinct.tables.publish.writing import Destination, StagedTables
from indistinct.tables.reading import files
from indistinct.tables.reading.formats import FORMATS_BY_NAME
from indistinct.tables.reading.native_frames import collected
from indistinct.tables.reading.statistical import Labels
from indistinct.tables.release.manifest import Manifest
from indistinct.tables.verification.verify_release import (
    VerificationInput,
    verify_frame,
    verify_written,
)

if TYPE_CHECKING:
    from indistinct.tables.publish.in_place import TableInPlace


@dataclass(frozen=True, slots=True)
class OwnerParts:
    """What the owner of the data alone may have of a release.

    Parameters
    ----------
    exact : the manifest with exact figures, and the salt of the input's fingerprint
    facts : what is known of the release besides
    crosswalk : (n_rows,), the row of the input behind each row of the release
    original : the input as it was counted, protected columns masked
    masked_values : the protected columns before they were masked
    given : the input as it was read
    levels : per quasi-identifier, the coarsest level that still says something
    tries : tries other policies for the columns that a release hides
    """

    exact: Manifest
    facts: KnownFacts = field(default_factory=KnownFacts)
    crosswalk: Ints | None = None
    original: Frame | None = None
    masked_values: Frame | None = None
    given: Frame | None = None
    levels: Mapping[str, int] = field(default_factory=dict[str, int])
    tries: Callable[[Any], Sequence[Mapping[str, Any]]] | None = None

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class ReleasedTables:
    """The tables of a release, with its manifests and what stands beside them.

    Parameters
    ----------
    published : the manifest: what was promised and reached; nothing that a suppressed record has a
        part in
    owners : the :class:`OwnerParts`, which no pickle has
    policy, spec : what was promised, as it was given and with its rules found
    cells, native : the released records as Polars has them, and as the kind of frame that came in
    in_place : the table behind the release, if it stays where it is; then there are no records here
    separator : of the text file that the data came from
    sensitive : the sensitive table beside ``frame``, where the policy asks for two linked tables
    counterfeits : groups that have records without a person, and how many
    remembered : for the owner alone: what the release adds to the history when it is written
    labels : of the columns and of the values that ``frame`` shows, from a statistics file
    lists : of the columns that had lists in the input, the separator of the texts in ``frame``
    unread : for the owner alone: which cells are read as missing, since they are not what their
        column is, in sentences
    """

    published: Manifest
    owners: Confidential
    policy: Policy
    spec: Specification
    cells: Frame = field(default_factory=lambda: table_of({}))
    native: Any = None
    in_place: TableInPlace | None = None
    separator: str | None = None
    sensitive: Frame | None = None
    labels: Labels | None = None
    counterfeits: Frame | None = None
    remembered: Confidential = field(default_factory=Confidential)
    lists: Mapping[str, str] = field(default_factory=dict[str, str])
    unread: Confidential = field(default_factory=Confidential)

    __repr__ = short_repr

    @property
    def data(self) -> Any:
        """The released records as the kind of data that came in; lazy where they stay there."""
        return self.native if self.in_place is None else self.in_place.data

    @property
    def frame(self) -> Frame:
        """The released records as Polars has them."""
        return self.cells if self.in_place is None else collected(self.data)

    @property
    def crosswalk(self) -> Ints:
        """Row of the input behind each row of the release: (n_rows,), for the owner alone.

        Raises
        ------
        OutputError
            when the release came out of a pickle, or its records stay where they are
        """
        rows = self._of_the_owner().crosswalk
        if rows is None:
            raise OutputError(
                "the records stay where they are, and are numbered when they are written",
                "Name a file: release.write(path, crosswalk=file).",
            )
        return rows

    @property
    def original(self) -> Frame:
        """The input as it was counted, protected columns masked, kept to verify against.

        Raises
        ------
        OutputError
            when the release came out of a pickle, or its records stay where they are
        """
        frame = self._of_the_owner().original
        if frame is None:
            raise OutputError(
                "the input of this release was not read whole",
                'Take engine="memory", or read the input yourself.',
            )
        return frame

    @property
    def exact(self) -> Manifest:
        """The manifest with exact figures, and the salt of the input's fingerprint.

        Raises
        ------
        OutputError
            when the release came out of a pickle
        """
        return self._of_the_owner().exact

    @property
    def facts(self) -> KnownFacts:
        """What is known of the release, and counted by nobody who reads it."""
        return self._of_the_owner().facts

    @property
    def findings(self) -> ReleaseFindings:
        """What its owner is told of the release; out of a pickle, what everybody may know."""
        return (self.published if self.owners.held is None else self.exact).findings

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What was promised and reached, as the JSON document beside a written release."""
        return self.published.document()

    @property
    def owner(self) -> Mapping[str, Any]:
        """The manifest with exact figures as a JSON document; see :attr:`exact`."""
        return self.exact.document()

    @property
    def warnings(self) -> tuple[Mapping[str, Any], ...]:
        """What the owner is told of the release; out of a pickle, what everybody may know."""
        return tuple(one.document() for one in self.findings.found)

    def with_manifests(self, published: Manifest, exact: Manifest) -> ReleasedTables:
        """Return the release with other manifests."""
        owners = Confidential(replace(self._of_the_owner(), exact=exact))
        return replace(self, published=published, owners=owners)

    def with_facts(self, facts: KnownFacts) -> ReleasedTables:
        """Return the release with what is known of it."""
        return replace(self, owners=Confidential(replace(self._of_the_owner(), facts=facts)))

    @property
    def given(self) -> Frame | None:
        """The input as it was read, if it is at hand."""
        return self._of_the_owner().given

    @property
    def levels(self) -> Mapping[str, int]:
        """Per quasi-identifier, the coarsest level that still says something."""
        return self._of_the_owner().levels

    def hidden_columns(self) -> tuple[Mapping[str, Any], ...]:
        """Return the columns that most records hide, and what was tried to keep them."""
        tries = self._of_the_owner().tries
        return () if tries is None or self.in_place is not None else tuple(tries(self))

    def _of_the_owner(self) -> OwnerParts:
        """Return what a pickle leaves out."""
        if self.owners.held is None:
            raise OutputError(
                "this release came out of a pickle, which leaves the input and the crosswalk out",
                "Write the release before it is pickled, or anonymize the table again.",
            )
        return self.owners.held

    def verified(self) -> ReleasedTables:
        """Verify the release in memory, and give it with manifests that say so.

        Raises
        ------
        VerificationError
            when it does not hold the promise
        """
        found = self._verified_here()
        manifests = self.published.as_verified(), self.exact.as_verified()
        important = self.spec.important
        return self.with_manifests(*with_statements(*manifests, found.statements, important))

    def _verified_here(self) -> StatedVerdict:
        """Verify the release in memory, and return what was found."""
        found = verify_frame(self.reading())
        found.raise_unless_holds()
        return found

    def close(self) -> None:
        """Let go of the input, unless all of it is in memory."""
        if self.in_place is not None:
            self.in_place.close()

    def staged(self, destination: Destination) -> AbstractContextManager[StagedTables]:
        """Write the release under hidden names; an error removes what was written."""
        if self.in_place is not None:
            return self.in_place.staged(destination)
        return self._staged_whole(destination)

    @contextmanager
    def _staged_whole(self, destination: Destination) -> Generator[StagedTables]:
        """Write a release that is in memory.

        Raises
        ------
        OutputError
            when a file cannot be written
        ParameterError
            when a word is given that only releases in parts take
        """
        destination.refuse_parts()
        target = destination.path
        if target == files.STANDARD_STREAM:
            yield self._as_text()
            return
        files.check_table_output(target, None)
        file_format, separator = files.format_of_file(target), self._written_separator(target)
        document_path = destination.manifest or f"{target}.manifest.json"
        linked = [] if self.sensitive is None else [str(sensitive_path(target))]
        listed = [] if self.counterfeits is None else [str(counterfeits_path(target))]
        further = [*listed, *destination.private]
        if self.remembered.held is not None:
            further.append(str(self.remembered.held.path))
        _check_distinct(target, document_path, *linked, *further)
        with recorded(self.remembered.held, Path(target)) as note, ExitStack() as together:
            # Names appear in reverse order: the manifest first, which has the hash of its release,
            # and the release last. Cut off in between, no reader takes the pair; see
            # base/files/pair.py.
            def made(place: str, *, private: bool = False) -> Path:
                return together.enter_context(atomic(Path(place), private=private))

            temporary = made(target)
            owner = None if destination.owner is None else made(destination.owner, private=True)
            if destination.crosswalk is not None:
                self._crosswalk_frame().write_csv(made(destination.crosswalk, private=True))
            files.write_file(
                self.shown(file_format), str(temporary), file_format, separator, self.labels
            )
            sensitive = [made(place) for place in linked]
            if self.sensitive is not None:
                files.write_file(self.sensitive, str(sensitive[0]), file_format, separator)
            if self.counterfeits is not None:
                files.write_file(self.counterfeits, str(made(*listed)), "csv")
            public = made(document_path)
            digest = files.sha256_of(temporary)

            def verify(_: Manifest) -> StatedVerdict:
                mark = separator or ("\t" if file_format == "tsv" else ",")
                found = verify_written(
                    self.reading(), str(temporary), file_format, mark, *map(str, sensitive)
                )
                found.raise_unless_holds()
                return found

            def publish(document: str, private: str) -> None:
                public.write_text(document, encoding="utf-8")
                if owner is not None:
                    owner.write_text(private, encoding="utf-8")
                note(digest)

            beside = [
                {"file": Path(place).name, "sha256": files.sha256_of(file)}
                for place, file in zip(linked, sensitive, strict=True)
            ]
            written = self._written(digest, file_format, *beside)
            yield StagedTables(*written, self.spec.important, verify, publish)

    def _written(
        self, digest: str, file_format: str, *linked: Mapping[str, str]
    ) -> tuple[Manifest, Manifest]:
        """Return the public manifest and the owner's with the hashes of what was written."""
        writer = files.writers_of(file_format)
        public, exact = (
            one.written(digest, *linked, writer=writer) for one in (self.published, self.exact)
        )
        return public, exact

    def reading(self) -> VerificationInput:
        """Return what verification may know."""
        return VerificationInput(
            self.frame,
            self.spec,
            self.original,
            array("q", self.crosswalk.astype(np.int64).tobytes()),
            self.manifest,
            original_is_masked=True,
            sensitive=self.sensitive,
            counterfeits=self.counterfeits,
            history=None if self.remembered.held is None else self.remembered.held.path,
            masked_values=self._of_the_owner().masked_values,
        )

    def shown(self, file_format: str) -> Frame:
        """Return the records as a file of some format has them, sets in the form of the input's."""
        as_text = not FORMATS_BY_NAME[file_format].has_lists
        return given_back(self.frame, self.spec.set_forms, self.lists, as_text=as_text)

    def _written_separator(self, target: str) -> str | None:
        """Return the separator of a text file: the input's, unless the ending says tabs."""
        return None if files.format_of_file(target) == "tsv" else self.separator

    def _as_text(self) -> StagedTables:
        """Return the text that goes to standard output without its manifests.

        It is verified in memory, since what was printed cannot be read again.
        """
        if self.counterfeits is not None or self.remembered.held is not None:
            raise OutputError(
                "a release that a history keeps cannot go to standard output",
                "Name a file with --out.",
            )
        if self.sensitive is not None:
            raise OutputError(
                "two linked tables cannot both go to standard output", "Name a file with --out."
            )
        text = files.as_text(self.shown("csv")).write_csv(separator=self.separator or ",")
        return StagedTables(
            *self._written(files.sha256_of_text(text), "csv"),
            self.spec.important,
            lambda _: self._verified_here(),
            lambda _, __: print_out(text),
        )

    def _crosswalk_frame(self) -> Frame:
        """List the rows of the release and of the input; -1 for records that are not released."""
        left_out = np.setdiff1d(np.arange(self.original.height), self.crosswalk)
        output = np.arange(len(self.crosswalk))
        if self.spec.release.suppressed == "mask":
            output = np.where(self.masked_rows(), -1, output)
        return table_of(
            {
                "output_row": np.concatenate([output, np.full(len(left_out), -1)]),
                "input_row": np.concatenate([self.crosswalk, left_out]),
            }
        )

    def masked_rows(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which rows of the release are masked whole."""
        if self.spec.release.suppressed == "drop":
            return np.zeros(self.frame.height, np.bool_)
        return are_starred(self.frame)


def _check_distinct(*paths: str) -> None:
    """Refuse to write two files to one path."""
    if any(files.same_file(first, second) for first, second in combinations(paths, 2)):
        raise OutputError(
            "two of release, manifest, crosswalk, sensitive table and owner's file have one path",
            "Choose a path for each.",
        )
