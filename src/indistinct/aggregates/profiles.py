"""Known rules of data owners, as numbers: a profile is no approval by its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class KnownProfile:
    """The numbers of one source.

    Parameters
    ----------
    minimum : smallest count that is shown
    zeros : whether cells without anybody are shown
    source : where the numbers are written
    date : of the source, or of its reading
    """

    minimum: int
    zeros: Literal["publish", "hide"]
    source: str
    date: str


PROFILES: Mapping[str, KnownProfile] = {
    "cms": KnownProfile(11, "publish", "CMS cell size policy of 2017", "issued 2020"),
    "pcornet": KnownProfile(11, "publish", "an issue of the PCORnet Data Committee", "read 2026"),
    "uk-llc": KnownProfile(10, "hide", "an excerpt of the UK LLC output rules", "read 2026"),
}
# Their sources ask for more than a minimum, or for rules on sums.
LATER = frozenset({"acro", "schools"})
ROUNDED = frozenset({"nhs-hes", "opensafely", "stats-nz", "us-census-drb"})
