# SPDX-License-Identifier: MIT
"""Complex numbers: sums, products, orders, moves."""
import numpy as np
import pytest
from helpers import SIZES, to

import pyclfold as cf

KINDS = ["c8", "c16"]


def whole(n, dtype="c8", seed=1):
    """Small whole numbers, whose sums are exact."""
    some = np.random.default_rng(seed).integers(-4, 5, (n, 2))
    return (some[:, 0] + 1j * some[:, 1]).astype(dtype)


def units(n, dtype="c8", seed=2):
    """1, i, -1, -i, whose products are exact."""
    return np.array([1, 1j, -1, -1j], dtype)[np.random.default_rng(seed).integers(0, 4, n)]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_sums_and_products(queue, n, kind):
    x, y = whole(n, kind), units(n, kind)
    assert np.array_equal(cf.scan(to(queue, x)).get(), np.cumsum(x, dtype=kind))
    assert np.array_equal(cf.scan(to(queue, y), "product").get(), np.cumprod(y, dtype=kind))
    assert cf.reduce(to(queue, x)).get() == x.sum()
    assert cf.reduce(to(queue, y), np.multiply, initial=2 - 1j).get() == y.prod() * (2 - 1j)


def test_widened_and_converted(queue):
    x, real = whole(1000), np.arange(1000, dtype="f4")
    assert np.array_equal(cf.scan(to(queue, x), dtype="c16").get(), np.cumsum(x, dtype="c16"))
    assert np.array_equal(cf.scan(to(queue, real), dtype="c8").get(), np.cumsum(real).astype("c8"))
    assert np.array_equal(cf.reduce(to(queue, x), map="x.x", dtype="f4").get(), x.real.sum())
    assert cf.reduce(to(queue, real), map="(float2)(x, -x)", dtype="c8").get() == real.sum() * (1 - 1j)
    pair = cf.reduce({"z": to(queue, x), "w": to(queue, real)}, "product", dtype={"z": "c16", "w": "f8"},
                     map=("(double2)(0, 1)", "1"))
    assert pair.z.get() == 1 and pair.w.get() == 1
    with pytest.raises(TypeError, match="complex64 is not converted to float32: say by map= which part"):
        cf.scan(to(queue, x), dtype="f4")
    with pytest.raises(cf.Error, match="does not compile"):  # it would be both parts
        cf.reduce(to(queue, real), map="x", dtype="c8")


def test_segments_keys_and_bins(queue):
    x, keys = whole(5000), np.sort(np.random.default_rng(3).integers(0, 90, 5000)).astype("u4")
    sums = np.array([x[keys == key].sum() for key in np.unique(keys)])
    assert np.array_equal(cf.reduce(to(queue, x), keys=to(queue, keys)).get(), sums)
    assert np.array_equal(cf.reduce_by_key(to(queue, keys), to(queue, x))[1].get(), sums)
    assert np.array_equal(cf.reduce(to(queue, x.reshape(50, 100)), axis=0).get(), x.reshape(50, 100).sum(0))
    where = np.random.default_rng(4).integers(0, 7, 5000).astype("u4")
    assert np.array_equal(cf.reduce_by_index(to(queue, where), to(queue, x), 7).get(),
                          [x[where == bin].sum() for bin in range(7)])


def test_runs(queue):
    x = np.repeat(whole(700), 3)
    first = np.concatenate([[True], x[1:] != x[:-1]])
    assert np.array_equal(cf.unique(to(queue, x)).get(), x[first])
    found, lengths = cf.run_lengths(to(queue, x))
    assert np.array_equal(found.get(), x[first]) and lengths.get().sum() == x.size
    assert np.array_equal(cf.filter(to(queue, x), "x.y > 0").get(), x[x.imag > 0])


@pytest.mark.parametrize("kind", KINDS)
def test_order_is_that_of_numpy(queue, kind):
    parts = np.array([-np.inf, -1, -0.0, 0, 2, np.inf, np.nan])
    grid = np.empty((7, 7), kind)  # a sum of parts would make NaNs of infinities
    grid.real, grid.imag = parts[:, None], parts
    x = np.random.default_rng(5).permutation(np.tile(grid.ravel(), 9))
    mine = cf.merge_sort(to(queue, x)).get()
    np.testing.assert_array_equal(mine, np.sort(x, kind="stable"))
    assert cf.is_sorted(to(queue, mine)) and not cf.is_sorted(to(queue, mine[::-1].copy()))
    np.testing.assert_array_equal(cf.searchsorted(to(queue, mine), to(queue, x)).get(), np.searchsorted(mine, x))


def test_moves(queue):
    x, at = whole(1000), np.random.default_rng(6).permutation(1000).astype("u4")
    assert np.array_equal(cf.gather(to(queue, x), to(queue, at)).get(), x[at])
    assert np.array_equal(cf.transpose(to(queue, x.reshape(20, 50))).get(), x.reshape(20, 50).T)


@pytest.mark.parametrize("call, message", [
    (lambda x: cf.scan(x, "max"), "there is no max of complex numbers, which have no order"),
    (lambda x: cf.reduce(x, np.bitwise_xor), "there is no xor of complex numbers"),
    (lambda x: cf.argmax(x), "complex64 has no order"),
    (lambda x: cf.sort(x), "the first field of value is the key, and must be a scalar"),
    (lambda x: cf.top_k(x, 3), "must be a scalar"),
])
def test_what_there_is_not(queue, call, message):
    with pytest.raises((TypeError, cf.Error), match=message):
        call(to(queue, whole(10)))
