# SPDX-License-Identifier: MIT
import numpy as np
import pytest
from helpers import SIZES, PAIR, affine, integers, to

import pyclfold as cf


@pytest.mark.parametrize("n", SIZES)
def test_filter_and_unique(queue, n):
    x = integers(n, -3, 3)
    device = to(queue, x)
    assert np.array_equal(cf.filter(device, "x > 0").get(), x[x > 0])
    first = np.append(True, x[1:] != x[:-1])[:n]
    assert np.array_equal(cf.unique(device).get(), x[first])


def test_filter_by_flags_and_of_tuples(queue):
    x, payload = integers(1000), integers(1000, seed=2).astype("f4")
    flags = to(queue, (x % 3 == 0).astype("u1"))
    assert np.array_equal(cf.filter(to(queue, x), flags).get(), x[x % 3 == 0])
    kept = cf.filter({"key": to(queue, x), "value": to(queue, payload)}, "x.key % 3 == 0")
    assert np.array_equal(kept.key.get(), x[x % 3 == 0]) and np.array_equal(kept.value.get(), payload[x % 3 == 0])
    pairs = affine(1000)
    assert np.array_equal(cf.filter(to(queue, pairs), "x.c > 4").get(), pairs[pairs["c"] > 4])
    assert cf.filter(to(queue, x), "x > 1000").size == 0


def test_filter_in_place_and_with_room(queue):
    x = integers(5000)
    device = to(queue, x)
    kept = cf.filter(device, "x > 0", out=device)
    assert np.array_equal(kept.get(), x[x > 0])
    kept, count = cf.filter(to(queue, x), "x > 0", room=10, cut=False)
    assert kept.size == 10 and int(count.get()) == (x > 0).sum() and np.array_equal(kept.get(), x[x > 0][:10])


def test_partition_and_split(queue):
    x = integers(5000, 0, 100)
    few, many = cf.partition(to(queue, x), "x < 2")
    assert np.array_equal(few.get(), x[x < 2]) and np.array_equal(many.get(), x[x >= 2])
    parted, counts = cf.split(to(queue, x), "x % 3", 3)
    assert np.array_equal(parted.get(), x[np.argsort(x % 3, kind="stable")])
    assert np.array_equal(counts.get(), np.bincount(x % 3))


@pytest.mark.parametrize("n", [0, 1, 257, 50001])
def test_sort(queue, n):
    x = integers(n, -2**31, 2**31)
    device = to(queue, x)
    assert np.array_equal(cf.sort(device).get(), np.sort(x))
    assert np.array_equal(cf.argsort(device).get(), np.argsort(x, kind="stable"))
    assert np.array_equal(cf.top_k(device, 10).get(), np.sort(x)[::-1][:10])


def test_sort_of_floats_tuples_and_structs(queue):
    x = np.random.default_rng(1).standard_normal(3000).astype("f4")
    x[7] = np.nan
    assert np.array_equal(cf.sort(to(queue, x), descending=True).get()[:-1], np.sort(-x)[:-1] * -1)
    keys = integers(3000, 0, 9)
    found = cf.sort((to(queue, keys), to(queue, x)))
    order = np.argsort(keys, kind="stable")
    assert np.array_equal(found.f0.get(), keys[order]) and np.array_equal(found.f1.get(), x[order], equal_nan=True)
    pairs = affine(1000)
    found = cf.sort(to(queue, pairs), key="a.c", key_dtype="u4")
    assert found.dtype == PAIR and np.array_equal(found.get(), pairs[np.argsort(pairs["c"], kind="stable")])


def test_sort_that_overwrites_its_input(queue):
    x = integers(3000)
    plan = cf.SortPlan(queue, cf.Operator("i4"), overwrite_input=True)
    assert np.array_equal(plan(to(queue, x)).get(), np.sort(x))


def test_rows_and_segments(queue):
    x = integers(3000, 0, 500).reshape(6, 500)
    device = to(queue, x)
    assert np.array_equal(cf.sort(device).get(), np.sort(x))
    assert np.array_equal(cf.sort(device, axis=None).get(), np.sort(x, axis=None))
    assert np.array_equal(cf.argsort(device).get(), np.argsort(x, kind="stable"))
    values, at = cf.arg_top_k(device, 3)
    assert np.array_equal(values.get(), -np.sort(-x)[:, :3])
    assert np.array_equal(at.get(), np.argsort(-x, kind="stable")[:, :3])
    offsets = np.array([0, 0, 1, 1000, 3000], "u4")
    found = cf.sort(to(queue, x.reshape(-1)), offsets=to(queue, offsets)).get()
    assert np.array_equal(found, np.concatenate([np.sort(x.reshape(-1)[a:b]) for a, b in zip(offsets, offsets[1:])]))


def test_merge_and_search(queue):
    x, y = np.sort(integers(2000)), np.sort(integers(777, seed=2))
    assert np.array_equal(cf.merge(to(queue, x), to(queue, y)).get(), np.sort(np.append(x, y)))
    for side in ("left", "right"):
        assert np.array_equal(cf.searchsorted(to(queue, x), to(queue, y), side).get(), np.searchsorted(x, y, side))
    z = integers(3000, seed=3)
    assert np.array_equal(cf.merge_sort(to(queue, z), "a > b").get(), np.sort(z)[::-1])
    assert cf.is_sorted(to(queue, x)) and not cf.is_sorted(to(queue, x[::-1]))


def test_keys_in_captured_arrays(queue):
    pay, rows = integers(3000, -99, 99).astype("f4"), np.arange(3000, dtype="u4")
    key = {"key": "c->pay[a]", "key_dtype": "f4", "captured": {"pay": to(queue, pay)}}
    order = np.argsort(pay, kind="stable")
    assert np.array_equal(cf.sort(to(queue, rows), **key).get(), order)
    assert np.array_equal(cf.sort(to(queue, rows), offsets=to(queue, np.array([0, 7, 3000], "u4")), **key).get()[7:],
                          7 + np.argsort(pay[7:], kind="stable"))
    assert np.array_equal(cf.top_k(to(queue, rows), 20, largest=False, **key).get(), order[:20])
    with pytest.raises(ValueError, match="captured= is for key="):
        cf.top_k(to(queue, rows), 3, captured=key["captured"])


def test_order_by_captured_arrays(queue):
    x, words = integers(3000), {"major": integers(500, 0, 9, seed=4), "minor": integers(500, seed=5)}
    rows, caught = np.abs(x).astype("u4") % 500, {name: to(queue, column) for name, column in words.items()}
    less = "c->major[a] != c->major[b] ? c->major[a] < c->major[b] : c->minor[a] < c->minor[b]"
    order = np.lexsort((words["minor"][rows], words["major"][rows]))
    found = cf.merge_sort(to(queue, rows), less, captured=caught)
    assert np.array_equal(found.get(), rows[order])
    assert cf.is_sorted(found, less, captured=caught) and not cf.is_sorted(to(queue, rows), less, captured=caught)
    half = cf.merge_sort(to(queue, rows[:1000]), less, captured=caught)
    both = cf.merge(half, cf.merge_sort(to(queue, rows[1000:]), less, captured=caught), less, captured=caught)
    assert np.array_equal(both.get(), rows[order])
    assert cf.searchsorted(found, found, less=less, captured=caught).get()[0] == 0
    packed = np.zeros(3000, np.dtype([("row", "u4"), ("at", "u4")], align=True))
    packed["row"], packed["at"] = rows, np.arange(3000)
    by_rows = less.replace("[a]", "[a.row]").replace("[b]", "[b.row]")
    assert np.array_equal(cf.merge_sort(to(queue, packed), by_rows, captured=caught).get(), packed[order])
    same = "c->major[a] == c->major[b] && c->minor[a] == c->minor[b]"
    columns = np.stack([words["major"][rows[order]], words["minor"][rows[order]]])
    heads = np.flatnonzero(np.r_[True, (np.diff(columns) != 0).any(axis=0)])
    assert np.array_equal(cf.unique(found, same, captured=caught).get(), rows[order][heads])
    assert np.array_equal(cf.unique(found, same, captured=caught, map="i", dtype="u4").get(), heads)
    assert cf.unique(cf.merge_sort(to(queue, packed), by_rows, captured=caught),
                     same.replace("[a]", "[a.row]").replace("[b]", "[b.row]"), captured=caught).size == heads.size
    rising = cf.Operator("u4", less="f", source="bool f(clf_input a, clf_input b) { return a.v < b.v; }")
    with pytest.raises(ValueError):
        cf.MergePlan(queue, rising)(half, half, captured=caught)


def test_moves(queue):
    x, at = integers(1000), integers(300, 0, 1000)
    device = to(queue, x)
    assert np.array_equal(cf.gather(device, to(queue, at)).get(), x[at])
    order = cf.permutation(queue, 1000, seed=3)
    assert np.array_equal(np.sort(order.get()), np.arange(1000))
    assert np.array_equal(cf.shuffle(device, seed=3).get(), x[order.get()])
    assert np.array_equal(cf.gather(cf.scatter(device, order, to(queue, np.zeros(1000, "i4"))), order).get(), x)
    pairs = affine(1000)
    assert np.array_equal(cf.gather(to(queue, pairs), to(queue, at)).get(), pairs[at])
    for shape in ((30, 33), (2, 5, 7), (0, 3)):
        y = integers(int(np.prod(shape))).reshape(shape)
        assert np.array_equal(cf.transpose(to(queue, y)).get(), np.swapaxes(y, -1, -2))


def test_adjacent_difference(queue):
    x = integers(3000)
    device = to(queue, x)
    assert np.array_equal(cf.adjacent_difference(device).get(), np.diff(x, prepend=0))
    rows = cf.adjacent_difference(device.reshape(30, 100), initial=5, axis=-1)
    assert np.array_equal(rows.get(), np.diff(x.reshape(30, 100), prepend=5))


def test_chain_without_waiting(queue):
    """A count goes from one call to the next, and only the last result is read."""
    x = integers(5000)
    kept, count = cf.filter(to(queue, x), "x > 0", cut=False)
    ordered = cf.sort(kept, actual=count)
    assert int(cf.reduce(ordered, actual=count).get()) == x[x > 0].sum()
    assert np.array_equal(ordered.get()[:(x > 0).sum()], np.sort(x[x > 0]))


def test_runs_by_a_function_of_ones_own(queue):
    x = np.array([1, 2, 2, 5, 1, 9, 10], "i4")
    values, lengths = cf.run_lengths(to(queue, x), same="b - a <= 1 && b >= a")
    assert values.get().tolist() == [1, 5, 1, 9] and lengths.get().tolist() == [3, 1, 1, 2]
    keys, totals = cf.reduce_by_key(to(queue, x), to(queue, x), same="close_to(a, b)",
                                    source="bool close_to(int a, int b) { return abs_diff(a, b) < 2; }")
    assert keys.get().tolist() == [1, 5, 1, 9] and totals.get().tolist() == [5, 5, 1, 19]
