# SPDX-License-Identifier: MIT
"""Expansions against NumPy's repeat."""
import numpy as np
import pyopencl.array as cla
import pytest

import pyclfold as cf


@pytest.mark.parametrize("dtype", ["u1", "i4", "f8", "u8"])
@pytest.mark.parametrize("counts_dtype", ["u4", "u8", "i4"])
def test_repeat_is_numpys(queue, dtype, counts_dtype):
    rng = np.random.default_rng(1)
    for n in (0, 1, 100, 3000):
        x, counts = rng.integers(0, 100, n).astype(dtype), rng.integers(0, 9, n).astype(counts_dtype)
        expected = np.repeat(x, counts.astype("i8"))
        on_device, told = cla.to_device(queue, x), cla.to_device(queue, counts)
        assert np.array_equal(cf.repeat(on_device, told).get(), expected)
        assert np.array_equal(cf.repeat(on_device, 3).get(), np.repeat(x, 3))
        some, count = cf.repeat(on_device, told, room=50, cut=False)
        assert int(count.get()) == expected.size
        assert np.array_equal(some.get()[:expected.size], expected[:50])


def test_run_lengths_and_back(queue):
    x = cla.to_device(queue, np.repeat(np.arange(50, dtype="i4"), 7))
    values, lengths, count = cf.run_lengths(x, cut=False)
    out = cla.zeros(queue, x.size, "i4")
    assert cf.repeat(values, lengths, out=out, actual=count.reshape(1)) is out
    assert np.array_equal(out.get(), x.get())


def test_plans_by_offsets(queue):
    places = cf.Operator({"segment": "u4", "place": "u8"}, map="where", source="clf_value where(clf_input at, ulong i) "
                         "{ clf_value v = {(uint)at.segment, at.place}; return v; }")
    plan = cf.ExpandPlan(queue, places, "offsets", "u8")
    found = plan(cla.to_device(queue, np.array([0, 2, 2, 5], "u8")))
    assert found.segment.get().tolist() == [0, 0, 2, 2, 2] and found.place.get().tolist() == [0, 1, 0, 1, 2]


def test_structs_and_tuples(queue):
    pairs = np.array([(1, 2.5), (3, 4.5)], [("a", "i4"), ("b", "f4")])
    counts, expected = cla.to_device(queue, np.array([1, 2], "u8")), np.repeat(pairs, [1, 2])
    assert np.array_equal(cf.repeat(cla.to_device(queue, pairs), counts).get(), expected)
    a, b = (cla.to_device(queue, np.ascontiguousarray(pairs[name])) for name in "ab")
    found = cf.repeat({"a": a, "b": b}, counts)
    assert np.array_equal(found.a.get(), expected["a"]) and np.array_equal(found.b.get(), expected["b"])
    out = (cla.zeros(queue, 2, "i4"), cla.zeros(queue, 2, "f4"))
    assert cf.repeat((a, b), counts, out=out) is out and np.array_equal(out[0].get(), expected["a"][:2])


def test_what_is_wrong(queue):
    x = cla.to_device(queue, np.arange(3, dtype="i4"))
    with pytest.raises(ValueError, match="told by 'lengths' or 'offsets'"):
        cf.ExpandPlan(queue, cf.Operator("i4", map="f"), "bits", "u4")
    with pytest.raises(ValueError, match="counts has 2 elements"):
        cf.repeat(x, cla.zeros(queue, 2, "u4"))
    for dtype in ("i4", "i8"):
        with pytest.raises(ValueError, match="counts has -1, and that is less than 0"):
            cf.repeat(x, cla.to_device(queue, np.array([1, -1, 2], dtype)))
    with pytest.raises(ValueError, match="counts is -1, and less than 0"):
        cf.repeat(x, -1)
    with pytest.raises(TypeError, match="32 or 64 bits"):
        cf.repeat(x, cla.zeros(queue, 3, "u2"))
    with pytest.raises(ValueError, match="x has 3 elements, and 4 are wanted"):
        cf.repeat((cla.zeros(queue, 4, "i4"), x), 2)
