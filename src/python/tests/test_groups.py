# SPDX-License-Identifier: MIT
"""argmin, argmax, group_by and group_counts against NumPy."""
import numpy as np
import pyopencl.array as cla
import pytest

import pyclfold as cf

TYPES = ["i1", "u4", "i8", "f4"]
NONE = 2 ** 32 - 1


def some(dtype, n, seed=1):
    """Few different numbers, the extreme ones of integers among them, and of floats NaNs."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        values = np.array([-np.inf, -2, -0.0, 0, 1, 3, np.inf, np.nan], dtype)
    else:
        values = np.array([np.iinfo(dtype).min, np.iinfo(dtype).max, 0, 1, 2, 100], dtype)
    return random.choice(values, n).astype(dtype)


def first(line, largest):
    """What argmax says of a line: NaNs are ignored, unless there is nothing else."""
    if line.size == 0:
        return NONE
    numbers = np.flatnonzero(line == line)  # (nanargmin takes NaNs for infinities)
    if numbers.size == 0:
        return 0
    return numbers[(np.argmax if largest else np.argmin)(line[numbers])]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("largest", [False, True])
def test_extremes(queue, dtype, largest):
    function = cf.argmax if largest else cf.argmin
    for shape in (1, 3, 1000), (7, 30, 2):
        data = some(dtype, int(np.prod(shape))).reshape(shape)
        x = cla.to_device(queue, data)
        assert int(function(x).get()) == first(data.reshape(-1), largest)
        for axis in range(-1, 2):
            expected = np.apply_along_axis(lambda line: first(line, largest), axis, data)
            assert np.array_equal(function(x, axis=axis, dtype="u8").get(), expected), (shape, axis)


def test_extremes_of_segments(queue):
    data, offsets = some("f4", 1000, 2), np.array([0, 0, 1, 400, 400, 1000], "u8")
    found = cf.argmax(cla.to_device(queue, data), offsets=cla.to_device(queue, offsets)).get()
    for segment, at in enumerate(found):
        begin, end = int(offsets[segment]), int(offsets[segment + 1])
        assert at == (begin + first(data[begin:end], True) if end > begin else NONE)


def test_extremes_refuse(queue):
    x = cla.to_device(queue, np.arange(6, dtype="i4").reshape(2, 3))
    offsets = cla.to_device(queue, np.array([0, 6], "u4"))
    with pytest.raises(TypeError, match="indices are uint32 or uint64"):
        cf.argmax(x, dtype="i4")
    with pytest.raises(ValueError, match="an axis has no segments"):
        cf.argmin(x, axis=0, offsets=offsets)
    with pytest.raises(TypeError, match="has no order"):
        cf.argmin(cla.zeros(queue, 3, "c8"))


@pytest.mark.parametrize("dtype", TYPES)
def test_groups(queue, dtype):
    for n in 0, 1, 5000:
        keys = some(dtype, n, n)
        values = np.arange(n, dtype="i8") % 1000
        expected, counts = np.unique(keys, return_counts=True)
        if keys.dtype.kind == "f" and np.isnan(keys).any():  # older ones of NumPy have each NaN by itself
            expected = np.append(expected[~np.isnan(expected)], np.nan)
            counts = np.append(counts[:len(expected) - 1], np.isnan(keys).sum())
        on_device = cla.to_device(queue, keys)
        found, totals = cf.group_by(on_device, cla.to_device(queue, values))
        assert np.array_equal(found.get(), expected, equal_nan=keys.dtype.kind == "f")
        sums = [values[np.isnan(keys) if key != key else keys == key].sum() for key in expected]
        assert totals.get().tolist() == sums
        again, how_many = cf.group_counts(on_device)
        assert how_many.dtype == np.uint64 and how_many.get().tolist() == counts.tolist()
        assert again.get().tobytes() == found.get().tobytes()


def test_groups_without_waiting(queue):
    x = cla.to_device(queue, np.array([5, -1, 5, -7, 3, 3], "i4"))
    kept, count = cf.filter(x, "x > 0", cut=False)
    keys, totals, groups = cf.group_by(kept, kept, "max", actual=count, cut=False)
    assert int(groups.get()) == 2 and keys.get()[:2].tolist() == totals.get()[:2].tolist() == [3, 5]
    with pytest.raises(ValueError, match="one of sum"):
        cf.group_by(x, x, "mean")
    with pytest.raises(TypeError, match="there is no xor of float32"):
        cf.group_by(x, cla.zeros(queue, 6, "f4"), "xor")
