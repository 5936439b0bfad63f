"""A few random tables from every writing that carries them; ``make fuzz-writings`` tries many."""

from __future__ import annotations

import pytest

from fuzz import writings


@pytest.mark.parametrize("seed", [4_000_001, 4_000_011])
def test_one_table_is_released_alike_from_all_writings(seed: int) -> None:
    assert writings.differences(writings.random_table(seed))[0] == {}


@pytest.mark.slow
def test_many_tables_are_released_alike_from_all_writings() -> None:
    for seed in range(100):
        assert writings.differences(writings.random_table(seed))[0] == {}, seed


def test_a_writing_that_changes_a_value_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: the writer of TSV leaves the last record out."""
    whole = writings.WRITINGS["tsv"]

    def shorter(table: writings.Table, folder: writings.Path) -> writings.Path:
        path = whole(table, folder)
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(lines[:-1]), encoding="utf-8")
        return path

    few = {"csv": writings.WRITINGS["csv"], "tsv": shorter}
    monkeypatch.setattr(writings, "WRITINGS", few)
    assert any(
        "tsv" in writings.differences(writings.random_table(seed))[0]
        for seed in range(4_000_001, 4_000_006)
    )
