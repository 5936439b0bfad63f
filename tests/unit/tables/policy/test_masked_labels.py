"""Labels of a list that end in stars: their digits are the first ones of the values below them."""

import polars as pl
import pytest

import indistinct as ind


def released(labels):
    """Release codes under labels that a list gives them."""
    codes = [code for code in labels for _ in range(3)]
    paths = {label: [code for code in labels if labels[code] == label] for label in labels.values()}
    columns = {"code": {"role": "quasi-identifier", "hierarchy": {"tree": paths}}}
    policy = ind.Policy.from_words(
        {"columns": columns, "models": [{"name": "k-anonymity", "k": 2}]}
    )
    return ind.anonymize(pl.DataFrame({"code": codes}), policy, seed=1)


@pytest.mark.parametrize(
    "labels",
    [
        {"2038": "020**", "2139": "21**"},
        {"20381": "2038*", "2038": "020**"},
    ],
)
def test_other_digits_before_the_stars_are_refused(labels):
    with pytest.raises(ind.errors.HierarchyError, match="1 values stand below a label"):
        released(labels)


@pytest.mark.parametrize(
    "labels",
    [
        {"2038": "20**", "2139": "21**"},
        {"02038": "020**", "02139": "021**"},
        {"2038": "others", "2139": "21**"},
        {"AB12": "AB**", "12": "1*"},
    ],
)
def test_what_reads_as_the_first_digits_or_as_a_name_is_released(labels):
    assert released(labels).frame.height == 3 * len(labels)
