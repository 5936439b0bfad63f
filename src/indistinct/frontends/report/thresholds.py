"""The risk above which a record counts as too easy to find, and the documents that set it."""

from __future__ import annotations

from dataclasses import dataclass

from indistinct.errors import Fault, ParameterError

ONE_IN_ELEVEN = 1 / 11


@dataclass(frozen=True, slots=True)
class Threshold:
    """A greatest acceptable risk for single records.

    Parameters
    ----------
    risk : in (0, 1]
    written : as its document or the user writes it
    document : that sets it; empty where the user does
    confirmed : what of this was read in the document, and what was not
    """

    risk: float
    written: str
    document: str = ""
    confirmed: str = ""


# Both documents are read as 0.09 and groups of at least 11, of which one is 0.0909.
NOT_READ = (
    "that it means groups of at least 11 is how the number is usually read, and neither was "
    "confirmed in the text of the document"
)
PRESETS = {
    "ema-policy-0070": Threshold(
        ONE_IN_ELEVEN,
        "0.09",
        "European Medicines Agency, external guidance on the implementation of the policy on the "
        "publication of clinical data (policy 0070), EMA/90915/2016, chapter 3",
        f"The number 0.09 is commonly attributed to this document; {NOT_READ}. Check it before you "
        "rely on it.",
    ),
    "health-canada": Threshold(
        ONE_IN_ELEVEN,
        "0.09",
        "Health Canada, guidance document on the public release of clinical information (2019), "
        "part on anonymization",
        f"The number 0.09 was found in an article about this document; {NOT_READ}. Check it before "
        "you rely on it.",
    ),
}
DEFAULT = PRESETS["ema-policy-0070"]


def threshold_of(word: str | float | None) -> Threshold:
    """Read a threshold: the name of a preset, or a number.

    Raises
    ------
    ParameterError
        when it is neither, or no risk
    """
    if word is None:
        return DEFAULT
    if isinstance(word, str) and word in PRESETS:
        return PRESETS[word]
    try:
        risk = float(word)
    except ValueError:
        risk = -1.0
    if not 0 < risk <= 1:
        known = ", ".join(PRESETS)
        remedy = f"Give a number above 0 and at most 1, or one of {known}."
        raise ParameterError([Fault("--risk-threshold", "is not a risk", remedy)])
    return Threshold(risk, f"{risk:g}")
