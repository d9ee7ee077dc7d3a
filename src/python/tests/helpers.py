# SPDX-License-Identifier: MIT
"""What tests share."""
import numpy as np
import pyopencl.array as cla

SIZES = [0, 1, 2, 255, 256, 257, 4095, 4097, 100001]  # around the borders of vectors, groups and tiles
AFFINE = dict(op=("a.m * b.m", "b.m * a.c + b.c"), neutral=(1, 0))  # x -> m x + c, one behind the other; modulo 2^32
PAIR = np.dtype([("m", "u4"), ("c", "u4")])


def integers(n, low=-100, high=100, dtype="i4", seed=1):
    return np.random.default_rng(seed).integers(low, high, n).astype(dtype)


def affine(n, seed=1):
    pairs = np.zeros(n, PAIR)
    pairs["m"], pairs["c"] = integers(n, 1, 8, "u4", seed), integers(n, 0, 9, "u4", seed + 1)
    return pairs


def affine_scan(pairs, start=(1, 0)):
    """The same in Python."""
    out, m, c = np.zeros(len(pairs), PAIR), *start
    for at, (m2, c2) in enumerate(pairs.tolist()):
        m, c = m * m2 % 2**32, (m2 * c + c2) % 2**32
        out[at] = m, c
    return out


def fields(queue, pairs):
    return {name: to(queue, np.ascontiguousarray(pairs[name])) for name in pairs.dtype.names}


def to(queue, array):
    return cla.to_device(queue, np.ascontiguousarray(array))


def inside(queue, array, before=3, behind=5):
    """The array in the middle of a larger one, which is filled with other values."""
    whole = np.full(before + array.size + behind, 77, array.dtype)
    whole[before:before + array.size] = array
    return to(queue, whole), slice(before, before + array.size)
