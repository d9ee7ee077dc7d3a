# SPDX-License-Identifier: MIT
"""NaNs stand where sort puts them, for all that reads sorted elements; and places that nothing reaches."""
import numpy as np
import pytest
from helpers import integers, to

import pyclfold as cf


def sorted_with_nan(n, nans, seed):
    x = np.random.default_rng(seed).integers(-50, 50, n).astype("f4")
    x[:nans] = np.nan
    return np.sort(x)


def test_merge_with_nan(queue):
    x, y = sorted_with_nan(700, 30, 1), sorted_with_nan(300, 11, 2)
    merged = cf.merge(cf.sort(to(queue, x)), cf.sort(to(queue, y)))
    assert np.array_equal(merged.get(), np.sort(np.append(x, y)), equal_nan=True)
    assert cf.is_sorted(merged) and not cf.is_sorted(to(queue, np.append(x, y)))
    pairs = cf.merge((to(queue, x), to(queue, np.zeros(700, "u4"))), (to(queue, y), to(queue, np.ones(300, "u4"))))
    assert np.array_equal(pairs.f0.get(), merged.get(), equal_nan=True)
    assert np.array_equal(pairs.f1.get()[-41:], np.repeat([0, 1], [30, 11]))  # those of the first sequence come first


@pytest.mark.parametrize("nans", [0, 1, 40])
def test_search_with_nan(queue, nans):
    x, needles = sorted_with_nan(500, nans, 3), np.append(sorted_with_nan(99, 2, 4), [np.inf, -np.inf])
    for side, dtype in (("left", np.intp), ("right", "u4")):
        found = cf.searchsorted(to(queue, x), to(queue, needles.reshape(-1, 1).astype("f4")), side, dtype=dtype)
        assert found.dtype == dtype and np.array_equal(found.get()[:, 0], np.searchsorted(x, needles, side))


def test_sequences_have_one_dimension(queue):
    rows = to(queue, integers(12).reshape(3, 4))
    for call in (lambda: cf.searchsorted(rows, rows), lambda: cf.merge(rows, rows), lambda: cf.merge(rows[0], rows)):
        with pytest.raises(ValueError, match="one dimension, and this has 2"):
            call()


def test_gather_where_there_is_nothing(queue):
    x = integers(1000, 1, 100)
    for _ in range(3):
        dirty = to(queue, np.full(300, 77, "i4"))
        del dirty
        at = integers(300, -50, 1100)
        found = cf.gather(to(queue, x), to(queue, at)).get()
        assert np.array_equal(found, np.where((at >= 0) & (at < 1000), x[np.clip(at, 0, 999)], 0))
    out = to(queue, np.full(2, 7, "i4"))
    assert cf.gather(to(queue, x), to(queue, np.array([-1, 0], "i4")), out=out).get().tolist() == [7, x[0]]
    assert cf.gather(to(queue, x), to(queue, np.zeros(0, "i4"))).size == 0


def test_merge_sort_loses_nothing(queue):
    """Whatever less says: a < b is no order where there are NaNs."""
    x, places = np.random.default_rng(5).standard_normal(5000).astype("f4"), np.arange(5000, dtype="u4")
    x[::50] = np.nan
    found = cf.merge_sort((to(queue, x), to(queue, places)), "a.f0 < b.f0")
    assert np.array_equal(np.sort(found.f1.get()), places)
    assert np.array_equal(found.f0.get(), x[found.f1.get()], equal_nan=True)
    merged = cf.merge((found.f0[:3000], found.f1[:3000]), (found.f0[3000:], found.f1[3000:]), "a.f0 < b.f0")
    assert np.array_equal(np.sort(merged.f1.get()), places)
