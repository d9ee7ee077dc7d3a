# SPDX-License-Identifier: MIT
"""The bfloat16 of ml_dtypes: orders, moves, sums of floats; expressions see floats."""
import numpy as np
import pytest
from helpers import SIZES, to

import pyclfold as cf

BFLOAT16 = np.dtype(pytest.importorskip("ml_dtypes").bfloat16)


def some(n, seed=1):
    return np.random.default_rng(seed).integers(-100, 101, n).astype(BFLOAT16)


@pytest.mark.parametrize("n", SIZES)
def test_sums_are_of_floats(queue, n):
    x = some(n)
    assert np.array_equal(cf.scan(to(queue, x)).get(), np.cumsum(x.astype("f4")).astype(BFLOAT16))
    assert cf.reduce(to(queue, x), initial=0.5).get() == (x.astype("f4").sum() + np.float32(0.5)).astype(BFLOAT16)
    assert cf.reduce(to(queue, x), dtype="f4").get() == x.astype("f4").sum()
    if n:
        assert cf.reduce(to(queue, x), "max").get() == x.astype("f4").max()


def test_order_is_that_of_numbers(queue):
    x = some(5000)
    x[::100], x[1::100] = np.nan, -0.0
    np.testing.assert_array_equal(cf.sort(to(queue, x)).get().astype("f4"), np.sort(x.astype("f4")))
    mine = cf.merge_sort(to(queue, x))
    np.testing.assert_array_equal(mine.get().astype("f4"), np.sort(x.astype("f4")))
    assert cf.is_sorted(mine) and np.isnan(cf.reduce(to(queue, x), np.minimum).get().astype("f4"))
    _, moved = cf.merge_sort((to(queue, x), to(queue, np.arange(5000, dtype="u4"))))
    order = np.argsort(x.astype("f4"), kind="stable")
    assert np.array_equal(moved.get(), order) and np.array_equal(cf.argsort(to(queue, x)).get(), order)
    least, places = cf.arg_top_k(to(queue, x), 100, largest=False)
    assert np.array_equal(least.get(), x[order[:100]]) and np.array_equal(places.get(), order[:100])
    rows = x.reshape(50, 100).astype("f4")
    assert np.array_equal(cf.argsort(to(queue, x).reshape(50, 100)).get(), np.argsort(rows, axis=1, kind="stable"))


def test_expressions_see_floats(queue):
    x = some(5000)
    single = x.astype("f4")
    assert np.array_equal(cf.filter(to(queue, x), "x > 0").get(), x[single > 0])
    assert np.array_equal(cf.sort(to(queue, x), key="-a", key_dtype=BFLOAT16).get(), -np.sort(-single))
    assert cf.reduce(to(queue, x), map="fabs(x)", dtype="f4").get() == np.abs(single).sum()
    zeros = np.array([0, -0.0, 1, 1], BFLOAT16)
    assert np.array_equal(cf.unique(to(queue, zeros)).get(), [0, 1])
    assert np.array_equal(cf.run_lengths(to(queue, zeros))[1].get(), [2, 2])
    assert np.array_equal(cf.histogram(to(queue, np.arange(5000, dtype="u4") % 3), 3, weights=to(queue, x), dtype="f4").get(),
                          [single[bin::3].sum() for bin in range(3)])
    pair = cf.reduce({"x": to(queue, x), "y": to(queue, x)}, dtype={"x": "f4", "y": "f8"})
    assert pair.x.get() == pair.y.get() == single.sum()


def test_moves_and_groups(queue):
    x, at = some(1000), np.random.default_rng(6).permutation(1000).astype("u4")
    assert np.array_equal(cf.gather(to(queue, x), to(queue, at)).get(), x[at])
    keys = np.arange(1000, dtype="u4") % 7
    assert np.array_equal(cf.group_by(to(queue, keys), to(queue, x))[1].get().astype("f4"),
                          [x[keys == key].astype("f4").sum().astype(BFLOAT16) for key in range(7)])
    x[::3], single = np.nan, np.append(np.nan, x[1:].astype("f4") + [0, 0, np.nan] * 333)
    assert cf.argmax(to(queue, x)).get() == np.nanargmax(single) and cf.argmin(to(queue, x)).get() == np.nanargmin(single)
    with pytest.raises(cf.Error, match="clf_sum combines no bfloat16"):
        cf.reduce_by_key(to(queue, keys), to(queue, x))
