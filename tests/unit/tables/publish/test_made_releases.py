"""Releases of files as people have them hold beside the file, and are assessed beside it."""

import pytest

import indistinct as ind
from indistinct.errors import IndistinctError
from made_files import KINDS, SECRET, made_file

FAST = {
    "day_first", "two_digit_years", "dates_of_both_orders", "partial_dates", "decimal_commas",
    "a_word_among_numbers", "separator_in_names", "survey_with_many_faults",
}  # fmt: skip


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[] if kind in FAST else pytest.mark.slow) for kind in KINDS]
)
def test_a_drafted_release_holds_beside_its_file(kind, tmp_path):
    """The draft reads the file, and verification reads file and release as it says."""
    made = made_file(kind, 11)
    path, out = tmp_path / made.name, tmp_path / "release.csv"
    path.write_bytes(made.content)
    if made.culprit and kind != "windows_1250":  # what is read all the same
        with pytest.raises(IndistinctError) as refused:
            ind.inspect(path)
        assert SECRET not in str(refused.value)
        return
    draft = ind.inspect(path).drafted("p", yes_to_suggestions=True)
    for name, text in draft.files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "policy.toml").write_text(
        draft.text.replace("k = 5", "k = 2").replace(
            "max_suppression = 0.05", "max_suppression = 1.0"
        )
    )
    policy = ind.Policy.load(tmp_path / "policy.toml")
    ind.anonymize(path, policy, seed=1).write(out)
    assert ind.verify(out, policy, original=path).holds
    assert ind.verify(out).holds
    assert ind.assess(out, policy, original=path).document()["loss"]
