"""The last step: verify what was found once more, and put together what is given away and kept."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import tomli_w

from indistinct.api import verify
from indistinct.base.files.writing import atomic
from indistinct.frontends.app.work.copies import AS_INPUT, write_copy
from indistinct.frontends.report.write import write_public, write_report
from indistinct.tables.core import Progress
from indistinct.tables.engines import hidden_folder
from indistinct.tables.evaluation import read_original
from indistinct.tables.policy import Policy
from indistinct.tables.verification import Verification

GIVE, KEEP = "give-away", "keep"
BESIDE = (".manifest.json", ".metadata.jsonld")
OWNERS_ALONE = 0o700


def published(  # noqa: PLR0913, PLR0917 - the files of a run
    tell: Progress,
    words: dict[str, Any],
    folder: str,
    data: str,
    release: str,
    out: str,
    known: Sequence[Sequence[str]] = (),
    form: str = AS_INPUT,
) -> Mapping[str, Any]:
    """Verify a release with everything at hand, and write it with its reports and metadata.

    Parameters
    ----------
    known : the columns that each attacker knew who was tried; the report says what they found
    form : of the copy for the program that the input came from

    Raises
    ------
    VerificationError
        when the release does not hold its promise; nothing is then written
    """
    run, policy = Path(release).parent, Policy.from_words(words, Path(folder))
    tell(0.0, "verifying")
    found = cast(
        "Verification",
        verify(
            release,
            policy,
            original=data,
            owner=run / "owner.json",
            crosswalk=run / "crosswalk.csv",
        ),
    )
    found.raise_unless_holds()
    target = Path(out)
    target.parent.mkdir(parents=True, exist_ok=True)
    # A folder gets its number when all is in it; the next run removes what a killed one left.
    with hidden_folder(target) as hidden:
        given, kept = hidden / GIVE, hidden / KEEP
        _files(Path(release), words, Path(folder), given, kept)
        tell(0.4, "reports")
        _documents(given / Path(release).name, data, given, kept, known)
        write_copy(given / Path(release).name, data, policy, form)
        hidden.rename(target)
    given, kept = target / GIVE, target / KEEP
    tell(1.0, "")
    return {
        "folder": out,
        "number": int(target.name),
        "give": sorted(place.name for place in given.iterdir()),
        "keep": sorted(place.name for place in kept.iterdir() if place.is_file()),
        "notes": list(found.notes),
        "models": [dict(model) for model in found.models],
    }


def _files(release: Path, words: dict[str, Any], folder: Path, given: Path, kept: Path) -> None:
    """Copy the files of the run.

    The policy and its hierarchies are kept, since they list values that the release does not show;
    the public policy in the manifest is given away.
    """
    given.mkdir(parents=True, mode=OWNERS_ALONE)
    kept.mkdir(mode=OWNERS_ALONE)
    for place in (release, *(Path(f"{release}{end}") for end in BESIDE)):
        shutil.copyfile(place, given / place.name)
    said = json.loads((given / f"{release.name}{BESIDE[0]}").read_text(encoding="utf-8"))
    Policy.of_public_words(said["policy"]).save(given / "policy.toml")
    with atomic(kept / "policy.toml", private=True) as temporary:
        temporary.write_text(tomli_w.dumps(words), encoding="utf-8")
    if (folder / "hierarchies").is_dir():
        shutil.copytree(folder / "hierarchies", kept / "hierarchies", copy_function=_keep)
    for name in ("crosswalk.csv", "owner.json"):
        _keep(release.parent / name, kept / name)


def _keep(source: Path | str, target: Path | str) -> None:
    """Copy a file that its owner alone may read."""
    with atomic(Path(target), private=True) as temporary:
        shutil.copyfile(source, temporary)


def _documents(
    release: Path, data: str, given: Path, kept: Path, known: Sequence[Sequence[str]]
) -> None:
    """Write the owner's report and the page for readers."""
    policy = Policy.load(kept / "policy.toml")
    crosswalk = kept / "crosswalk.csv"
    before = read_original(data, policy.reading, policy.set_forms) if known else None
    registers = [] if before is None else [before.select(names) for names in known]
    write_report(
        str(release),
        policy,
        data,
        kept / "report.html",
        crosswalk=crosswalk,
        registers=registers,
    )
    write_public(str(release), policy, given / "about.html")
