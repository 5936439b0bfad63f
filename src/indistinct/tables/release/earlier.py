"""What a report says of earlier releases of the same table."""

from __future__ import annotations

from collections.abc import Iterator

from indistinct.tables.release.manifest import Manifest


def earlier_releases(manifest: Manifest) -> dict[str, str]:
    """Return sentences on the figures of a release that earlier ones have a part in, by its name.

    Nothing where no history was kept.
    """
    return dict(_figures(manifest))


def _figures(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield what became of people, how many records have none, and what releases tell together."""
    history, made, composed = manifest.history, manifest.counterfeits, manifest.composition
    if history is not None:
        said = (
            f"This is release {history.release} of the table. Of its {history.people:,} people, "
            f"{history.kept:,} keep the sensitive values that they were shown with, "
            f"{history.new:,} are new, {history.changed:,} have other values because their own "
            f"changed, and {history.left_out:,} are left out because no other values are possible."
        )
        yield "people", said
    if made is not None:
        said = (
            f"{made.records:,} records in {made.groups:,} groups have no person, which is "
            f"{made.share:.1%} of the number of people."
        )
        yield "counterfeits", said
    if composed is not None:
        said = (
            f"{composed.people:,} people were in an earlier release. "
            f"{composed.below_k:.1%} of them share their classes with fewer people than a class "
            f"needs, and {composed.alone:.1%} with nobody."
        )
        yield "composition", said
        for name, share in composed.certain.items():
            said = f"For {share:.1%} of them, both classes have one value of {name} in common only."
            yield f"certain {name}", said
