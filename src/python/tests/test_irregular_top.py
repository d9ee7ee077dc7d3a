# SPDX-License-Identifier: MIT
"""Top-k of segments of any lengths against NumPy's sort."""
import numpy as np
import pyopencl.array as cla
import pytest

import pyclfold as cf


def segments_of(n):
    random = np.random.default_rng(7)
    return random.integers(0, 90, n).astype("i4"), np.unique(np.r_[0, random.integers(0, n, n // 9), n]).astype("u8")


@pytest.mark.parametrize("k", (1, 7, 100, 3000))
@pytest.mark.parametrize("largest", (True, False))
@pytest.mark.parametrize("unsorted", (True, False))
def test_first_of_each_segment(queue, k, largest, unsorted):
    x, offsets = segments_of(2000)
    results, begins = cf.irregular_top_k(cla.to_device(queue, x), k, offsets=cla.to_device(queue, offsets),
                                         largest=largest, unsorted=unsorted)
    expected = []
    for begin, end in zip(offsets[:-1].astype(int), offsets[1:].astype(int)):
        places = np.argsort(-x[begin:end] if largest else x[begin:end], kind="stable")[:k]
        expected.append(x[begin:end][np.sort(places) if unsorted else places])
    assert results.get().tolist() == np.concatenate(expected).tolist()
    assert begins.get().tolist() == np.cumsum([0] + [len(part) for part in expected]).tolist()


def test_lengths_tuples_and_keys(queue):
    x = cla.to_device(queue, np.array([3, -9, 4, 1, 5], "i4"))
    places = cla.to_device(queue, np.arange(5, dtype="u4"))
    lengths = cla.to_device(queue, np.array([2, 0, 3], "i4"))
    results, begins = cf.irregular_top_k((x, places), 1, lengths=lengths, key="abs(a.f0)", key_dtype="u4")
    assert results.f0.get().tolist() == [-9, 5] and results.f1.get().tolist() == [1, 4]
    assert begins.get().tolist() == [0, 1, 1, 2]


def test_uncut_and_sizes_on_the_device(queue):
    x = cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4"))
    lengths = cla.to_device(queue, np.array([2, 3], "u4"))
    results, begins = cf.irregular_top_k(x, 2, lengths=lengths, cut=False,
                                         actual=cla.to_device(queue, np.array(3, "u8")))
    assert results.shape == (4,) and results.get()[:3].tolist() == [3, 1, 4] and begins.get().tolist() == [0, 2, 3]


def test_what_is_refused(queue):
    x = cla.to_device(queue, np.array([3, 1], "i4"))
    with pytest.raises(ValueError, match="offsets= or lengths="):
        cf.irregular_top_k(x, 1)
    with pytest.raises(ValueError, match="'lengths' or 'offsets'"):
        cf.IrregularTopKPlan(queue, cf.Operator("i4"), "keys", "i4")
