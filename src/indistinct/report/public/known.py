"""All that the public page may know: a release, its manifest and its policy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indistinct.core.brief import briefly
from indistinct.engines.files import sha256_of
from indistinct.policy.policy import Policy
from indistinct.reader.verify.verify import verify
from indistinct.release.pair import refuse_mixed_pair


@dataclass(frozen=True, slots=True)
class Known:
    """What everybody knows who has the release, its manifest and its policy.

    Parameters
    ----------
    name : of the release
    holds : the verdict of a verification of the release alone; None where it is undecided
    manifest : the public one, as JSON
    """

    name: str
    policy: Policy
    holds: bool | None
    manifest: Mapping[str, Any]

    __repr__ = briefly


def known_of_files(path: str, policy: Policy) -> Known:
    """Read the manifest beside a release, and verify the release by nothing but these.

    Raises
    ------
    DataError
        when there is no manifest, it is of another release, or the release cannot be read
    """
    from indistinct.errors import DataError

    beside = Path(f"{path}.manifest.json")
    if not beside.is_file():
        raise DataError(
            f"{beside.name} is not beside the release", "Take the manifest of the same run."
        )
    refuse_mixed_pair(path, sha256_of(path))
    manifest: Mapping[str, Any] = json.loads(beside.read_text(encoding="utf-8"))
    return Known(Path(path).name, policy, verify(path, policy).holds, manifest)
