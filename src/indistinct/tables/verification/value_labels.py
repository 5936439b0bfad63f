"""Labels of codes in the codebook of a manifest, beside the cells and the labels of the input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from indistinct.errors import Fault
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.statistical import Labels
from indistinct.tables.verification.manifest_check import mapping_in
from indistinct.tables.verification.texts import as_read, text_as_read

UNSEEN = "the labels of codes in the codebook were not compared: give the original"
WHOLE = "Take the manifest as it was written beside the release."


def value_label_faults(
    manifest: Mapping[str, Any] | None, release: Frame, labels: Labels | None
) -> Iterator[Fault]:
    """Find labels of codes that no cell shows, and labels that are not those of the input.

    Parameters
    ----------
    manifest : without faults of its shape; None where there is none
    release : as it was read
    labels : of the input; None where it is not at hand
    """
    for name, said in listed_labels(manifest or {}).items():
        place = f"manifest.codebook.{name}.labels"
        shown = set(map(plain_code, _texts(release, name)))
        if said is None:
            yield Fault(place, "is not a table of texts", WHOLE)
        elif not {*said} <= shown:
            yield Fault(place, "lists codes that no cell of the column shows", WHOLE)
        elif labels is not None:
            own = {
                plain_code(str(code)): label for code, label in labels.values.get(name, {}).items()
            }
            if any(own.get(code) != label for code, label in said.items()):
                yield Fault(place, "is not what the file of the input says of its codes", WHOLE)


def with_labels(
    spec: Specification, manifest: Mapping[str, Any] | None, *files: Labels | None
) -> Specification:
    """Return what is promised, knowing the labels of codes that files and a manifest have."""
    found: dict[str, dict[str, str]] = {}
    for labels in files:
        if labels is None:
            continue
        for name, values in labels.values.items():
            own = {plain_code(str(code)): label for code, label in values.items()}
            found[name] = {**own, **found.get(name, {})}
    for name, said in listed_labels(manifest or {}).items():
        found[name] = {**(said or {}), **found.get(name, {})}
    return spec.with_code_labels(found)


def alike_codes(labels: Mapping[str, str], known: Iterable[str]) -> dict[str, str]:
    """Return for each code whose label reads like that of a lesser one the least of them.

    Parameters
    ----------
    known : all codes that there are
    """
    one_of: dict[str, str] = {}
    codes = sorted({*known} & {*labels}, key=lambda code: (len(code), code))
    found = {code: one_of.setdefault(as_read(labels[code]), code) for code in codes}
    return {code: one for code, one in found.items() if code != one}


def value_label_notes(manifest: Mapping[str, Any] | None, labels: Labels | None) -> dict[str, str]:
    """Return what to say where labels of codes could not be compared with the input."""
    is_unseen = manifest is not None and labels is None and listed_labels(manifest)
    return {"labels": UNSEEN} if is_unseen else {}


def listed_labels(manifest: Mapping[str, Any]) -> dict[str, Mapping[str, str] | None]:
    """Return the labels of codes that a codebook lists, per column; None for no table of texts."""
    book = mapping_in(manifest, "codebook")
    entries = {
        name: cast("Mapping[str, object]", entry)
        for name, entry in book.items()
        if isinstance(entry, Mapping)
    }
    return {
        name: _table_of_texts(entry["labels"])
        for name, entry in entries.items()
        if "labels" in entry
    }


def _table_of_texts(said: object) -> Mapping[str, str] | None:
    """Return labels by their codes, if they are some."""
    if not isinstance(said, Mapping):
        return None
    labels = cast("Mapping[str, object]", said)
    texts = {code: one for code, one in labels.items() if isinstance(one, str)}
    return texts if len(texts) == len(labels) else None


def plain_code(text: str) -> str:
    """Return a code without the fraction that some formats write behind whole numbers."""
    return text.removesuffix(".0")


def _texts(release: Frame, name: str) -> list[str]:
    """Return the different cells of a column of the release."""
    if name not in release.columns:
        return []
    return text_as_read(release[name].unique().drop_nulls()).to_list()
