# SPDX-License-Identifier: MIT
"""Types of results: sums and products of small integers and booleans are as wide as NumPy's."""
import numpy as np
import pyopencl as cl
import pytest
from helpers import integers, to

import pyclfold as cf

SMALL = ["bool", "u1", "i2"]


def small(dtype, n=3000, seed=1):
    """Elements whose total does not fit their type."""
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return integers(n, 0, 2, "?", seed)
    info = np.iinfo(dtype)
    return integers(n, info.max // 2, info.max, dtype, seed)


def wide(dtype):
    return np.dtype("u8" if np.dtype(dtype).kind == "u" else "i8")


def same(found, expected, dtype=None):
    assert found.dtype == (expected.dtype if dtype is None else dtype), found.dtype
    assert np.array_equal(found.get(), expected), (found.get(), expected)


@pytest.mark.parametrize("dtype", SMALL)
def test_sums(queue, dtype):
    x = small(dtype)
    device, total = to(queue, x), wide(dtype)
    same(cf.reduce(device), x.sum(dtype=total))
    same(cf.scan(device), np.cumsum(x, dtype=total))
    same(cf.scan(device, exclusive=True, initial=7), np.cumsum(np.append(7, x).astype(total))[:-1])
    same(cf.reduce(device.reshape(30, 100), axis=1), x.reshape(30, 100).sum(1, dtype=total))
    same(cf.scan(device.reshape(30, 100), axis=0), x.reshape(30, 100).cumsum(0, dtype=total))


@pytest.mark.parametrize("dtype", ["bool", "i1"])
def test_sums_of_parts(queue, dtype):
    x, total = small(dtype), wide(dtype)
    device, keys = to(queue, x), np.repeat(np.arange(3, dtype="i4"), 1000)
    offsets = to(queue, np.array([0, 10, 10, 3000], "u4"))
    same(cf.reduce(device, offsets=offsets), np.array([x[:10].sum(), 0, x[10:].sum()], total))
    same(cf.scan(device, keys=to(queue, keys)), x.reshape(3, 1000).cumsum(1, dtype=total).reshape(-1))
    expected = x.reshape(3, 1000).sum(1, dtype=total)
    same(cf.reduce_by_key(to(queue, keys), device)[1], expected)
    same(cf.reduce_by_index(to(queue, keys), device, 3), expected)
    same(cf.histogram(to(queue, keys), 3, weights=device), expected)


def test_products_tuples_and_maps(queue):
    x = np.array([3, 5, 7, 11, 13], "u1")
    device = to(queue, x)
    same(cf.reduce(device, "product"), np.prod(x))
    same(cf.reduce(device, np.multiply, map="x * x"), np.prod(x.astype("u8")**2))
    same(cf.scan(device, map="x > 3", dtype="u2"), np.cumsum(x > 3, dtype="u2"))
    pair = cf.reduce((device, to(queue, x.astype("f4"))))
    same(pair.f0, x.sum(dtype="u8"))
    same(pair.f1, x.sum(dtype="f4"))


def test_what_stays(queue):
    """32 bits wrap around; minima are of the elements' type; and dtype= and out= say another one."""
    x = to(queue, small("u1"))
    y = to(queue, integers(3000, 2**30, 2**31 - 1))
    assert cf.reduce(y).dtype == np.int32
    same(cf.reduce(y, out=to(queue, np.zeros(1, "i8"))), y.get().sum(dtype="i8", keepdims=True))
    assert cf.reduce(x, "max").dtype == np.uint8 and cf.scan(x, "min").dtype == np.uint8
    same(cf.reduce(x, dtype="u1"), x.get().sum(dtype="u1"))
    for dtype in ("u1", "f4", "u8"):
        out = to(queue, np.zeros(3000, dtype))
        assert cf.scan(x, out=out) is out
        same(out, np.cumsum(x.get(), dtype=dtype))
    out = to(queue, np.zeros(2, "u2"))
    cf.reduce_by_index(to(queue, np.zeros(3000, "u4")), x, 2, out=out)
    same(out, np.array([x.get().sum(), 0]).astype("u2"))
    same(cf.reduce_by_key(to(queue, np.zeros(3000, "u4")), x, dtype="u4")[1], np.array([x.get().sum()], "u4"))
    outs = {"f1": to(queue, np.zeros(3000, "f8")), "f0": to(queue, np.zeros(3000, "u1"))}
    cf.scan((x, y), out=outs)
    same(outs["f0"], np.cumsum(x.get(), dtype="u1"))
    same(outs["f1"], np.cumsum(y.get(), dtype="f8"))


def test_booleans_stay_booleans(queue):
    """Whatever is a boolean in the end is 0 or 1, as NumPy's kernels for them take for granted."""
    x = np.array([1, 1, 0, 1, 1], "?")
    device = to(queue, x)
    same(cf.reduce(device, dtype="?"), x.sum(dtype="?"))
    same(cf.reduce(device, "product", dtype="?"), x.prod(dtype="?"))
    for found, expected in [(cf.scan(device, "a + b", neutral=0), np.logical_or.accumulate(x)),
                            (cf.scan(to(queue, integers(5, 0, 9)), map="x", dtype="?"), np.ones(5, "?")),
                            (cf.adjacent_difference(device), np.append(x[0], np.diff(x))),
                            (cf.scan((device, device), dtype={"a": "?", "b": "i4"}).a, np.ones(5, "?"))]:
        assert found.dtype == np.bool_ and np.array_equal(found.get().view("u1"), expected.view("u1")), found


def test_operators_and_plans(queue):
    """The same rule where an operator is made first."""
    x = to(queue, small("i1"))
    assert int(cf.ReducePlan(queue, cf.operator("sum", "i1"))(x).get()) == x.get().sum()
    total, largest = cf.reduce(x, cf.join([cf.operator("sum", "i1"), cf.operator("max", "i1")]))
    assert int(total.get()) == x.get().sum() and int(largest.get()) == x.get().max()
    with pytest.raises(ValueError, match="2 fields are no 1"):
        cf.reduce((x, x), dtype="i4")


def test_minima_that_keep_nan(queue):
    """numpy.minimum and numpy.fmin are two functions."""
    x = np.array([3, 1, np.nan, 0, 5], "f4")
    for function in (np.minimum, np.maximum, np.fmin):
        assert np.array_equal(cf.scan(to(queue, x), function).get(), function.accumulate(x), equal_nan=True), function
    keys = to(queue, np.array([1, 1, 2, 2, 2], "i4"))
    assert np.array_equal(cf.reduce_by_key(keys, to(queue, x), np.maximum)[1].get(), [3, np.nan], equal_nan=True)


def test_odd_booleans(queue):
    """NumPy takes every byte but 0 for True."""
    bytes_ = np.array([0, 2, 3, 255, 0, 1, 4] * 300, "u1")
    x = to(queue, np.zeros(bytes_.size, bool))
    cl.enqueue_copy(queue, x.base_data, bytes_)
    true, keys = bytes_ != 0, to(queue, np.zeros(bytes_.size, "u4"))
    assert cf.reduce(x).get() == true.sum() and (cf.scan(x).get() == true.cumsum()).all()
    assert cf.reduce_by_index(keys, x, 1).get() == true.sum() and cf.reduce_by_key(keys, x)[1].get() == true.sum()
    assert (cf.run_lengths(x)[1].get()[:4] == [1, 3, 1, 2]).all() and cf.histogram(keys, 1, weights=x).get() == true.sum()
    assert (cf.run_lengths(to(queue, np.ones(300, "u4")), dtype=bool)[1].get().view("u1") == 1).all()
