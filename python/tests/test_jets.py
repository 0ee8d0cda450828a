"""Functions of numbers on floats, jets and arrays."""

import math
from typing import Any

import numpy as np
import pytest

import pytrammel as tm


@pytest.mark.parametrize("name", ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "sqrt", "exp", "log", "cycloid", "minjerk", "smoothstep"])
def test_functions_take_floats_jets_and_arrays(name: str) -> None:
    function, u, h = getattr(tm, name), 0.37, 1e-4
    value = function(u)
    assert isinstance(value, float)
    jet = function(tm.Jet(u, 1.0))
    assert jet.value == value
    assert jet.rate == pytest.approx((function(u + h) - function(u - h)) / (2 * h), rel=1e-6)
    assert jet.second_rate == pytest.approx((function(u + h) - 2 * value + function(u - h)) / h**2, rel=1e-5)
    array = function(np.array([u, 0.5]))
    assert array.dtype == float
    assert array[0] == value
    assert function(np.array([tm.Jet(u), tm.Jet(0.5)], dtype=object))[0].value == value
    with pytest.raises(TypeError, match="a number or a jet"):
        function("u")


def test_numpy_computes_with_jets() -> None:
    u: Any = tm.Jet(0.3, 1.0, 2.0)
    pairs = (
        (tm.sin(u), np.sin(u)),
        (tm.sqrt(u), np.sqrt(u)),
        (tm.atan2(u, 2.0), np.arctan2(u, 2.0)),
        (tm.tanh(u), np.tanh(u)),
        (tm.hypot(u, 2.0), np.hypot(u, 2.0)),
    )
    for mine, numpys in pairs:
        assert (mine.value, mine.rate, mine.second_rate) == (numpys.value, numpys.rate, numpys.second_rate)
    for product in (np.float64(2) * u, u * np.float32(2), 2 * u, u * 2, u / 0.5):
        assert product.rate == 2.0
    assert (2.0**u).rate == pytest.approx(2**0.3 * math.log(2))
    assert (-u - (+u) + 1 - 1).rate == -2
    assert "0.3" in repr(u)
