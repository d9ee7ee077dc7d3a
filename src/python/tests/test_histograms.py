# SPDX-License-Identifier: MIT
"""Histograms with ranges and edges, against NumPy's and against exact arithmetic."""
import numpy as np
import pytest
from helpers import integers, to

import pyclfold as cf
from pyclfold import histograms
from pyclfold.borders import of_range


def exactly(x, bins, low, high, closed):
    """Counts of integers in Python's integers."""
    out = np.zeros(bins, "u4")
    for value in x.tolist():
        if low <= value < high + closed:
            out[min((value - low) * bins // (high - low), bins - 1)] += 1
    return out


def around(edges, dtype):
    """Numbers at all edges and beside them, of those that the type has."""
    info = np.iinfo(dtype)
    return np.array([number + step for number in edges for step in (-1, 0, 1)
                     if info.min <= number + step <= info.max], dtype)


@pytest.mark.parametrize("dtype, doubles", [("i1", True), ("u4", True), ("i4", False), ("i8", False), ("u8", True)])
def test_integers(queue, dtype, doubles, monkeypatch):
    """Also as on devices without doubles."""
    monkeypatch.setattr(histograms, "of_range", lambda *given: of_range(*given[:-1], doubles and given[-1]))
    info, rng = np.iinfo(dtype), np.random.default_rng(3)
    low, high = int(info.min), int(info.max) + 1
    middle = low + (high - low) // 3
    for bins, first, last in [(4, low, high), (7, low - 3, high + 9), (10, middle, middle + 10), (3, middle, high),
                              (60, middle, middle + 7), (1000, low, middle + 1)]:
        numbers = [first + (last - first) * k // bins for k in range(0, bins + 1, max(bins // 50, 1))]
        x = np.append(around(numbers, dtype), rng.integers(low, high - 1, 200, dtype, endpoint=True))
        for closed in (False, True):
            found = cf.histogram(to(queue, x), bins, (first, last), closed=closed).get()
            assert np.array_equal(found, exactly(x, bins, first, last, closed)), (bins, first, last, closed)


def test_integers_between_fractions(queue):
    x = integers(3000, -20, 70)
    for bins, ends in [(11, (-0.5, 10.5)), (7, (0.1, 65.3)), (5, (np.float32(-3), 2.5)), (3, (-1e30, 1e30))]:
        assert np.array_equal(cf.histogram(to(queue, x), bins, ends, closed=True).get(), np.histogram(x, bins, ends)[0])
    wide = to(queue, np.array([-2**63, -1, 0, 2**63 - 1]))
    assert cf.histogram(wide, 4, (-2**64, 2**64)).get().tolist() == [0, 2, 2, 0]  # edges in Python's integers
    assert cf.histogram(to(queue, np.ones(5, "?")), 2, (0, 2)).get().tolist() == [0, 5]


@pytest.mark.parametrize("low, high", [(0, 1), (0.1, 0.7), (1e6, 1e6 + 60), (-3e38, 3.2e38), (-1, 1e30), (0, 1e39)])
def test_floats_as_numpy(queue, low, high):
    """Also of values at each edge, and next to it."""
    for bins in (1, 10, 333):
        with np.errstate(over="ignore"):
            edges = np.linspace(low, high, bins + 1).astype("f4")
        beside = [np.nextafter(edges, np.float32(to)) for to in (-np.inf, np.inf)]
        x = np.concatenate([edges, *beside, np.array([np.nan, np.inf, -np.inf, 0, 0.5], "f4")])
        finite = x[np.isfinite(x)]
        expected = np.histogram(finite, edges)[0]
        assert np.array_equal(cf.histogram(to(queue, x), bins, (low, high), closed=True).get(), expected)
        expected[-1] -= (finite == edges[-1]).sum()
        assert np.array_equal(cf.histogram(to(queue, x), bins, (low, high)).get(), expected)


def test_subnormal_range(queue):
    least = float(np.finfo("f4").smallest_subnormal)
    x = (np.arange(-1, 12) * least).astype("f4")
    if not (to(queue, x) + 0).get()[2]:
        pytest.skip("the device has no subnormal numbers")
    assert cf.histogram(to(queue, x), 5, (0, 10 * least)).get().tolist() == [2] * 5


@pytest.mark.parametrize("dtype", ["f4", "u1"])
def test_edges(queue, dtype):
    x = integers(4000, 0, 100).astype(dtype)
    edges = np.array([3, 3, 7, 30, 30, 41, 90], dtype)
    device, given = to(queue, x), to(queue, edges)
    expected = np.histogram(x, edges)[0]
    for bins in (edges, edges.tolist(), given):
        assert np.array_equal(cf.histogram(device, bins, closed=True).get(), expected)
    expected[-1] -= (x == 90).sum()
    for bins in (edges, given):
        assert np.array_equal(cf.histogram(device, bins).get(), expected)
    weights = integers(4000, seed=2)
    found = cf.histogram(device.reshape(40, 100), edges, weights=to(queue, weights).reshape(40, 100), axis=0, closed=True)
    columns = [np.histogram(x[at::100], edges, weights=weights[at::100])[0] for at in range(100)]
    assert np.array_equal(found.get(), np.array(columns).T)


def test_edges_that_no_element_has(queue):
    x = to(queue, np.array([-128, -5, 0, 127], "i1"))
    for edges in ([-np.inf, -4.5, 0, 0.5, np.inf], [-1000, 127, 1000, 2000], [500, 600], [-900, -200], [-5, 127]):
        for closed in (False, True):
            expected = np.histogram(x.get(), edges)[0]
            if not closed and edges[-1] == 127:
                expected[-1] -= 1
            assert np.array_equal(cf.histogram(x, edges, closed=closed).get(), expected), edges
    y = np.array([-np.inf, -1, np.inf, np.nan], "f4")
    assert cf.histogram(to(queue, y), [-np.inf, 0, np.inf], closed=True).get().tolist() == [2, 1]


def test_update_and_types(queue):
    x = to(queue, np.array([0.5, 1.5, 1.7], "f4"))
    out = to(queue, np.array([10, 20], "i8"))
    assert cf.histogram(x, 2, (0, 2), out=out, update=True) is out
    assert out.get().tolist() == [11, 22]
    assert cf.histogram(x, 2, (0, 2), dtype="u1").dtype == np.uint8
    assert cf.histogram(x, 2, (0, 2), weights=x, dtype="f4").get().tolist() == [0.5, np.float32(1.5) + np.float32(1.7)]


@pytest.mark.parametrize("arguments, error, words", [
    (dict(bins=2, range=(0, np.inf)), ValueError, "inf, and no finite"),
    (dict(bins=2, range=(np.nan, 1)), ValueError, "nan, and no finite"),
    (dict(bins=2, range=(1, 1)), ValueError, "no range"),
    (dict(bins=2, range=(1, 1 + 1e-12)), ValueError, "no range of float32"),
    (dict(bins=0, range=(0, 1)), ValueError, "0 bins"),
    (dict(bins=2.5, range=(0, 1)), TypeError, "integer"),
    (dict(bins=[0, 2, 1]), ValueError, "do not ascend"),
    (dict(bins=[0, np.nan, 1]), ValueError, "do not ascend"),
    (dict(bins=[1]), ValueError, "two or more"),
    (dict(bins=[[1, 2], [3, 4]]), ValueError, "one dimension"),
    (dict(bins=[0, 1], range=(0, 1)), ValueError, "leave out range"),
])
def test_refused(queue, arguments, error, words):
    with pytest.raises(error, match=words):
        cf.histogram(to(queue, np.zeros(3, "f4")), **arguments)


def test_edges_of_another_type(queue):
    x = to(queue, np.zeros(3, "f4"))
    with pytest.raises(TypeError, match="float32 is wanted"):
        cf.histogram(x, to(queue, np.arange(3, dtype="i4")))
    with pytest.raises(TypeError, match="no histogram of complex64"):
        cf.histogram(to(queue, np.zeros(3, "c8")), 2, (0, 1))
