"""The protection of a column by noise."""

import numpy as np
import polars as pl
import pytest

from indistinct.base.randomness import RandomSource
from indistinct.errors import ParameterError
from indistinct.tables.masks import Context
from indistinct.tables.masks.noise.noise import NoiseProtection


def faults(protection, *columns):
    return [str(fault) for fault in protection.faults(pl.DataFrame(list(columns)))]


def test_parameters_are_checked():
    """Bounds come in pairs and in order; a resolution is above 0."""
    for words in ({"lower": 1}, {"upper": 1}, {"lower": 2, "upper": 1}, {"resolution": 0}):
        with pytest.raises(ParameterError):
            NoiseProtection(**words)
    assert NoiseProtection(lower=1, upper=3).width == 2
    assert NoiseProtection().within(Context(epsilon=3)).epsilon == 3
    assert "not differential privacy" in NoiseProtection().guarantee
    assert "local differential privacy" in NoiseProtection(lower=1, upper=2).guarantee


def test_what_noise_cannot_protect_is_refused():
    """Words, infinity, values outside the bounds, and more steps than can be counted."""
    assert "needs numbers" in faults(NoiseProtection(), pl.Series("x", ["a"]))[0]
    assert "infinite" in faults(NoiseProtection(), pl.Series("x", [1.0, np.inf]))[0]
    bounded = NoiseProtection(lower=0, upper=10)
    assert "2 values are outside" in faults(bounded, pl.Series("x", [-1, 5, 11]))[0]
    assert "too many steps" in faults(NoiseProtection(), pl.Series("x", [2**51]))[0]
    assert faults(NoiseProtection(resolution=1024), pl.Series("x", [2**51])) == []
    assert faults(bounded, pl.Series("x", [0, 10]), pl.Series("y", [None, 3.5])) == []


def test_one_class_gets_noise_of_its_width():
    """Mean size of the noise on 200,000 records of one class: diameter over epsilon, to 1 %."""
    column = pl.Series("x", [160.0, 170.5, 180.0, None, 165.0] * 40_000)
    masked = NoiseProtection(epsilon=2.0).mask(column.to_frame(), RandomSource(1))
    noisy = masked.columns["x"]
    assert noisy.is_null().equals(column.is_null())
    assert masked.facts == {"epsilon": 2.0, "resolution": 0.1}
    size = (noisy - column).abs().mean()
    assert size == pytest.approx(10, rel=0.01)  # standard error 0.25 %: false alarm 6e-5
    bounded = NoiseProtection(lower=100, upper=200, epsilon=2.0)
    wide = bounded.mask(column.to_frame(), RandomSource(1)).columns["x"]
    assert (wide - column).abs().mean() == pytest.approx(50, rel=0.01)


def test_a_release_is_checked():
    """Words, values finer than the resolution, and a greater epsilon are found; blanks are not."""
    protection = NoiseProtection(epsilon=1.0)
    facts = {"resolution": 0.1, "epsilon": 1.0}

    def found(cells, said=facts):
        return [str(fault) for fault in protection.check_release(pl.DataFrame({"x": cells}), said)]

    assert found(["160.0", "-3.2", "", "7"]) == []
    assert found(["160.05"], None) == []
    assert "finer" in found(["160.05"])[0]
    assert "not numbers" in found(["[160, 170)"])[0]
    assert "greater epsilon" in found(["160.0"], {"resolution": 0.1, "epsilon": 2.0})[0]
