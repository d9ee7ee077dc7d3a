# SPDX-License-Identifier: MIT
"""Booleans as views of other bytes have them: every byte but 0 is True, as in NumPy, and results are 0 or 1."""
import numpy as np
import pyopencl as cl
import pytest
from helpers import to

import pyclfold as cf

BYTES = np.array([0, 2, 3, 255, 0, 1, 4] * 300, "u1")
TRUE = BYTES != 0


def odd(queue, bytes_):
    x = to(queue, np.zeros(bytes_.shape, bool))
    cl.enqueue_copy(queue, x.base_data, np.ascontiguousarray(bytes_))
    return x


@pytest.fixture
def x(queue):
    return odd(queue, BYTES)


def same(found, wanted):
    """The very bytes."""
    found, wanted = found.get(), np.asarray(wanted)
    assert found.dtype == wanted.dtype and found.shape == wanted.shape, (found.dtype, found.shape)
    assert found.tobytes() == wanted.tobytes(), (found.view("u1")[:20], wanted[:20])


@pytest.mark.parametrize("op, ufunc", [("min", np.logical_and), ("max", np.logical_or), ("xor", np.logical_xor)])
def test_totals(queue, x, op, ufunc):
    same(cf.reduce(x, op), ufunc.reduce(TRUE))
    same(cf.scan(x, op), ufunc.accumulate(TRUE))
    same(cf.reduce(x[:14].reshape(2, 7), op, axis=0), ufunc.reduce(TRUE[:14].reshape(2, 7), axis=0))
    same(cf.group_by(to(queue, np.zeros(BYTES.size, "i4")), x, op)[1], ufunc.reduce(TRUE, keepdims=True))


def test_all_or_nothing(queue):
    """Bytes without a bit in common are all True."""
    same(cf.reduce(odd(queue, np.array([1, 2, 4, 8], "u1")), "and"), np.True_)
    same(cf.reduce(odd(queue, np.array([1, 2, 4, 8], "u1")), "product", dtype=bool), np.True_)
    same(cf.scan(odd(queue, np.array([4, 0], "u1")), "or", initial=odd(queue, np.array([2], "u1"))), [True, True])
    held = odd(queue, np.array([2], "u1"))
    index = to(queue, np.zeros(2, "u4"))
    same(cf.reduce_by_index(index, odd(queue, np.array([4, 8], "u1")), 1, "or", out=held, update=True), [True])


def test_order(queue, x):
    order = np.argsort(TRUE, kind="stable").astype("u4")
    at = to(queue, np.arange(BYTES.size, dtype="u4"))
    same(cf.sort(x), np.sort(TRUE))
    same(cf.sort(x, descending=True), np.sort(TRUE)[::-1])
    keys, values = cf.sort((x, at))
    same(keys, np.sort(TRUE))
    same(values, order)
    same(cf.argsort(x), order)
    same(cf.merge_sort((x, at), "a.f0 < b.f0").f1, order)
    same(cf.top_k(x, 5), np.ones(5, bool))
    same(cf.arg_top_k(x, 5)[1], np.flatnonzero(TRUE)[:5].astype("u4"))
    same(cf.argmax(x), np.uint32(np.argmax(TRUE)))
    same(cf.argmin(x, axis=None), np.uint32(np.argmin(TRUE)))
    same(cf.sort(x, out=x), np.sort(TRUE))


def test_sorted_sequences(queue):
    haystack = odd(queue, np.array([0, 0, 7, 3, 9], "u1"))
    assert cf.is_sorted(haystack) and cf.is_sorted((haystack,))
    same(cf.merge(haystack, haystack), np.repeat([False, True], [4, 6]))
    needles = odd(queue, np.array([0, 2, 255], "u1"))
    same(cf.searchsorted(haystack, needles), np.array([0, 2, 2], "u4"))
    same(cf.searchsorted(haystack, needles, "right"), np.array([2, 5, 5], "u4"))


def test_groups(queue, x):
    groups, counts = np.unique(TRUE, return_counts=True)
    keys, found = cf.group_counts(x)
    same(keys, groups)
    same(found, counts.astype("u8"))
    keys, sums = cf.group_by(x, x)
    same(keys, groups)
    same(sums, np.array([0, counts[1]]))
    first = np.flatnonzero(np.append(True, TRUE[1:] != TRUE[:-1])).astype("u4")
    same(cf.unique(x), TRUE[first])
    same(cf.run_lengths(x)[0], TRUE[first])
    same(cf.reduce_by_key(x, x, "max")[0], TRUE[first])
    values = to(queue, np.ones(BYTES.size, "i4"))
    same(cf.reduce(values, keys=x), np.diff(np.append(first, BYTES.size)).astype("i4"))


def test_small_sums_of_groups(queue):
    """As those of `reduce`: 300 times 1 is more than a byte holds."""
    keys = to(queue, np.zeros(300, "i4"))
    same(cf.group_by(keys, to(queue, np.full(300, 7, "u1")))[1], np.array([2100], "u8"))
    same(cf.group_by(keys, to(queue, np.full(300, -7, "i2")))[1], np.array([-2100], "i8"))
    same(cf.group_by(keys, to(queue, np.full(300, 7, "u1")), "max")[1], np.array([7], "u1"))


def test_selection(queue, x):
    numbers = np.arange(BYTES.size, dtype="i4")
    same(cf.filter(to(queue, numbers), x), numbers[TRUE])
    same(cf.filter(x, "x == 1"), TRUE[TRUE])
    same(cf.filter((x, to(queue, numbers)), "x.f0 == 1").f1, numbers[TRUE])
    true, false = cf.partition(x, "x == 1")
    same(true, TRUE[TRUE])
    same(false, TRUE[~TRUE])


def test_histograms(queue, x):
    wanted = np.bincount(TRUE).astype("u4")
    for found in (cf.histogram(x, 2), cf.histogram(x, [0, 1, 2]), cf.histogram(x, 2, (0, 1), closed=True),
                  cf.reduce_by_index(x, to(queue, np.ones(BYTES.size, "u4")), 2)):
        same(found, wanted)


def test_differences(queue, x):
    same(cf.adjacent_difference(x, "a ^ b"), np.append(TRUE[0], TRUE[1:] ^ TRUE[:-1]))
