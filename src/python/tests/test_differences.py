# SPDX-License-Identifier: MIT
"""Differences of neighbours, each segment by itself."""
import numpy as np
import pytest
from helpers import affine, fields, integers, to

import pyclfold as cf

N = 3000
OFFSETS = np.array([0, 0, 1, 32, 33, 33, 700, 2999, 3000, 3000], "u4")


def expected(x, initial=None):
    """By NumPy, segment by segment."""
    parts = [x[a:b] for a, b in zip(OFFSETS, OFFSETS[1:]) if a < b]
    return np.concatenate([np.diff(part, prepend=0 if initial is None else initial) for part in parts])


def ways(queue):
    heads = np.zeros(N, "u1")
    heads[OFFSETS[OFFSETS < N]] = 1
    bits = np.packbits(np.append(heads, np.zeros(-N % 32, "u1")), bitorder="little").view("u4")
    arrays = dict(offsets=OFFSETS, lengths=np.diff(OFFSETS).astype("i4"), flags=heads, bits=bits,
                  keys=np.cumsum(heads).astype("f4"))
    return {kind: to(queue, array) for kind, array in arrays.items()}


@pytest.mark.parametrize("kind", ["offsets", "lengths", "flags", "bits", "keys"])
def test_segments(queue, kind):
    x = integers(N)
    told = {kind: ways(queue)[kind]}
    assert np.array_equal(cf.adjacent_difference(to(queue, x), **told).get(), expected(x))
    assert np.array_equal(cf.adjacent_difference(to(queue, x), initial=7, **told).get(), expected(x, 7))


def test_options(queue):
    x, told = integers(N), ways(queue)
    device, out = to(queue, x), to(queue, np.zeros(N, "i8"))
    start = to(queue, np.array([5], "i8"))
    assert cf.adjacent_difference(device, dtype="i8", initial=start, offsets=told["offsets"], out=out) is out
    assert np.array_equal(out.get(), expected(x.astype("i8"), 5))
    pair = cf.adjacent_difference({"a": device, "b": device}, {"a": "b.a - a.a", "b": "a.b"}, flags=told["flags"],
                                  initial={"a": 1, "b": 2})
    assert np.array_equal(pair.a.get(), expected(x, 1))
    before = np.append(0, x[:-1])
    before[OFFSETS[OFFSETS < N]] = 2
    assert np.array_equal(pair.b.get(), before)
    assert cf.adjacent_difference(to(queue, x[:0]), lengths=to(queue, np.zeros(3, "u4"))).size == 0


def test_types(queue):
    """Where a type is asked for, elements are converted first."""
    x = np.array([5, 3, 200], "u1")
    assert cf.adjacent_difference(to(queue, x)).get().tolist() == [5, 254, 197]
    assert cf.adjacent_difference(to(queue, x), dtype="i2").get().tolist() == [5, -2, 197]


def test_refused(queue):
    x, told = to(queue, integers(N)), ways(queue)
    for call, words in [(lambda: cf.adjacent_difference(x, offsets=told["offsets"], out=x), "not made in place"),
                        (lambda: cf.adjacent_difference(x, "sum", offsets=told["offsets"]), "expression in a and b"),
                        (lambda: cf.adjacent_difference(x, offsets=told["offsets"], axis=0), "leave out axis="),
                        (lambda: cf.scan(x, offsets=told["offsets"], axis=0), "leave out axis="),
                        (lambda: cf.reduce(x, keys=told["keys"], axis=0), "leave out axis="),
                        (lambda: cf.adjacent_difference(x, flags=told["flags"][:5]), "5 elements")]:
        with pytest.raises(ValueError, match=words):
            call()


def test_keys_are_numbers(queue):
    x = to(queue, integers(N))
    with pytest.raises(TypeError, match="no scalar type"):
        cf.adjacent_difference(x, keys=to(queue, np.zeros(N, "c8")))
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    with pytest.raises(TypeError, match="view them as uint16"):
        cf.adjacent_difference(x, keys=to(queue, np.zeros(N, bfloat16)))


def test_complex_numbers(queue):
    x = (np.arange(500) % 7 + 1j * (np.arange(500) % 11)).astype("c8")
    assert np.array_equal(cf.adjacent_difference(to(queue, x)).get(), np.diff(x, prepend=x.dtype.type(0)))


def test_wanted(queue):
    pairs = affine(3000)
    x, op = fields(queue, pairs), ("b.m - a.m", "b.c - a.c")
    everything = cf.adjacent_difference(x, op)
    second = cf.adjacent_difference(x, op, wanted="c")
    assert np.array_equal(second.get(), everything.c.get())
    assert np.array_equal(second.get()[1:], np.diff(pairs["c"]))
    swapped = cf.adjacent_difference(x, op, wanted=["c", 0])
    assert swapped._fields == ("c", "m") and np.array_equal(swapped.m.get(), everything.m.get())
    offsets = to(queue, np.array([0, 7, 7, 1500, 3000], "u4"))
    some = cf.adjacent_difference(x, op, offsets=offsets, wanted="c").get()
    starts = (np.arange(3000)[:, None] == np.array([0, 7, 1500])).any(axis=1)
    assert np.array_equal(some, np.where(starts, pairs["c"], second.get()))


def test_bfloat16(queue):
    x = np.random.default_rng(7).integers(-99, 100, 5000).astype(pytest.importorskip("ml_dtypes").bfloat16)
    single = x.astype("f4")
    differences = np.concatenate([single[:1], np.diff(single)]).astype(x.dtype)
    assert np.array_equal(cf.adjacent_difference(to(queue, x)).get(), differences)
